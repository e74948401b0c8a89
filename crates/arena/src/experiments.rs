//! The experiments by name: the matches behind what is claimed, with what the paper found.
//!
//! Short times (1/16 s a move), both sides equal: every player has one thread, on which Obscuro grows and solves in turns,
//! so that games can be played side by side and a rival of one thread has as much of the machine.

use std::time::Duration;

use crate::control::Control;
use crate::openings::Openings;
use crate::settings::{FORMAT, GameName, MARGIN, Settings, TURNS};

/// A match worth playing again.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name.
    pub name: &'static str,
    /// What it shows.
    pub what: &'static str,
    /// The agents; the score is that of the first.
    pub agents: [&'static str; 2],
    /// Time for a move of each, in parts of a second: 16 is 1/16 s.
    pub parts: [u32; 2],
    /// How many games.
    pub games: u64,
    /// What the paper found, in % for the first agent, and in how many games.
    pub paper: Option<(f64, u32)>,
}

/// Obscuro as it is measured.
const US: &str = "obscuro";

const fn experiment(
    name: &'static str,
    what: &'static str,
    agents: [&'static str; 2],
    paper: Option<(f64, u32)>,
) -> Experiment {
    Experiment { name, what, agents, parts: [16, 16], games: 400, paper }
}

/// All experiments, the most telling first; then whether the rivals are worth beating.
pub const EXPERIMENTS: [Experiment; 18] = [
    // At 1/2 s zs21 completes three rounds in the median; at 1/16 s it hardly deepens.
    Experiment {
        parts: [2, 2],
        ..experiment("zs21", "against the player of the paper before", [US, "zs21"], Some((85.1, 1_000)))
    },
    experiment(
        "zs21-short",
        "the same at 1/16 s, where zs21 hardly deepens; for information",
        [US, "zs21"],
        Some((85.1, 1_000)),
    ),
    experiment(
        "simple",
        "against itself with a simple evaluation",
        [US, "obscuro:eval=simple"],
        Some((81.9, 1_000)),
    ),
    experiment(
        "purify",
        "against itself without purification",
        [US, "obscuro:purify=off"],
        Some((70.2, 1_000)),
    ),
    experiment(
        "kluss",
        "against itself with infosets frozen that it is certainly not in",
        [US, "obscuro:subgame=klss"],
        Some((58.0, 1_000)),
    ),
    experiment("baseline", "against perfect-information search behind one ply", [US, "baseline"], None),
    Experiment {
        parts: [2, 2],
        ..experiment(
            "bare-zs21",
            "all four techniques off, against zs21",
            ["obscuro:purify=off,subgame=klss,explore=two,prior=uniform", "zs21"],
            Some((72.6, 1_000)),
        )
    },
    Experiment {
        parts: [2, 2],
        ..experiment(
            "simple-zs21",
            "simple evaluation, against zs21",
            ["obscuro:eval=simple", "zs21"],
            Some((55.0, 10_000)),
        )
    },
    experiment(
        "prior",
        "against itself with a uniform prior at Resolve",
        [US, "obscuro:prior=uniform"],
        Some((53.3, 10_000)),
    ),
    experiment(
        "explore",
        "against itself with both sides exploring",
        [US, "obscuro:explore=two"],
        Some((53.3, 10_000)),
    ),
    experiment("iterate", "the average iterate against the last", ["obscuro:iterate=average", US], None),
    Experiment {
        parts: [8, 16],
        ..experiment("time-8", "1/8 s a move against 1/16 s", [US, US], Some((56.4, 10_000)))
    },
    Experiment {
        parts: [4, 8],
        ..experiment("time-4", "1/4 s a move against 1/8 s", [US, US], Some((56.5, 10_000)))
    },
    experiment("self", "against itself: White's share and first moves", [US, US], None),
    experiment("random", "against any move", [US, "random"], Some((100.0, 1_000))),
    experiment("greedy", "against who takes what it sees", [US, "greedy"], None),
    Experiment {
        parts: [8, 8],
        ..experiment(
            "zs21-baseline",
            "the player of the paper before against its own yardstick",
            ["zs21", "baseline"],
            Some((59.5, 100)),
        )
    },
    Experiment {
        parts: [8, 8],
        ..experiment("zs21-greedy", "the same against who takes what it sees", ["zs21", "greedy"], None)
    },
];

impl Experiment {
    /// The experiment of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Experiment> {
        EXPERIMENTS.iter().find(|experiment| experiment.name == name)
    }

    /// The match that it is.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let [first, second] = self.parts.map(|part| Control::Movetime(Duration::from_secs(1) / part));
        Settings {
            format: FORMAT,
            game: GameName::Fog,
            agents: self.agents.map(str::to_owned),
            games: self.games,
            control: first,
            second: Some(second).filter(|second| *second != first),
            // Of games with seed 1 only summaries were kept: these are others, so that both can be counted.
            seed: 2,
            openings: Openings::start(),
            margin: MARGIN,
            turns: TURNS,
            sprt: None,
            shard: None,
            thoughts: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_settings_read_as_they_are_written() {
        for (i, experiment) in EXPERIMENTS.iter().enumerate() {
            assert!(EXPERIMENTS[..i].iter().all(|other| other.name != experiment.name));
            assert_eq!(Experiment::named(experiment.name).map(|found| found.what), Some(experiment.what));
            let settings = experiment.settings();
            let text = serde_json::to_string(&settings).unwrap();
            assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings, "{text}");
        }
        let [eighth, sixteenth] = ["125ms", "62.5ms"].map(|text| text.parse::<Control>().unwrap());
        let settings = Experiment::named("time-8").unwrap().settings();
        assert_eq!((settings.control, settings.second), (eighth, Some(sixteenth)));
    }
}
