//! The experiments by name: the matches behind what is claimed, with what the paper found.
//!
//! Most are played at short times (1/16 s a move). Every player has one thread, on which Obscuro grows and solves in
//! turns, so that games can be played side by side and a rival of one thread has as much of the machine.

use std::time::Duration;

use scuro_games::Variant;

use crate::control::Control;
use crate::settings::Settings;

/// A match worth playing again.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name.
    pub name: &'static str,
    /// What it compares.
    pub what: &'static str,
    /// Which game.
    pub game: Variant,
    /// The agents.
    pub agents: [&'static str; 2],
    /// What a move of each may cost.
    pub controls: [Control; 2],
    /// How many games.
    pub games: u64,
    /// Random numbers.
    pub seed: u64,
    /// Whose points are the score.
    pub scored: Scored,
    /// What the paper found, as the score in %, and in how many games.
    pub paper: Option<(f64, u32)>,
}

/// Whose points are the score of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scored {
    /// The first agent's.
    First,
    /// White's, where both agents are the same.
    White,
}

/// Obscuro as it is measured.
const US: &str = "obscuro";

/// The same time for a move of both, in parts of a second.
const fn each(parts: u64) -> [Control; 2] {
    [part(parts), part(parts)]
}

/// A time for a move, in parts of a second: 16 is 1/16 s.
const fn part(parts: u64) -> Control {
    Control::Movetime(Duration::from_micros(1_000_000 / parts))
}

/// A match of Fog of War at 1/16 s a move.
const fn fog(
    name: &'static str,
    what: &'static str,
    agents: [&'static str; 2],
    paper: Option<(f64, u32)>,
) -> Experiment {
    Experiment {
        name,
        what,
        game: Variant::FogOfWar,
        agents,
        controls: each(16),
        games: 400,
        // Of games with seed 1 only summaries were kept: these are others, so that both can be counted.
        seed: 2,
        scored: Scored::First,
        paper,
    }
}

/// A match of another game at 100 ms a move.
const fn other(
    game: Variant,
    name: &'static str,
    what: &'static str,
    agents: [&'static str; 2],
) -> Experiment {
    Experiment { game, controls: each(10), games: 100, seed: 1, ..fog(name, what, agents, None) }
}

/// A match of players of Kriegspiel at 100 ms a choice.
const fn kriegspiel(name: &'static str, what: &'static str, agents: [&'static str; 2]) -> Experiment {
    Experiment { games: 200, ..other(Variant::Kriegspiel, name, what, agents) }
}

/// A match of Darkboard at 5,000 metapositions a choice.
const fn darkboard(name: &'static str, what: &'static str, agents: [&'static str; 2]) -> Experiment {
    let nodes = Control::Nodes(5_000);
    Experiment { games: 400, controls: [nodes, nodes], ..other(Variant::Kriegspiel, name, what, agents) }
}

/// A match of players of RBC at 100 ms a choice.
const fn rbc(
    name: &'static str,
    what: &'static str,
    agents: [&'static str; 2],
    paper: Option<(f64, u32)>,
) -> Experiment {
    let other = other(Variant::Reconnaissance, name, what, agents);
    Experiment { games: 200, paper, ..other }
}

/// Positions drawn by weight against positions drawn alike.
const fn belief(
    game: Variant,
    name: &'static str,
    what: &'static str,
    agents: [&'static str; 2],
) -> Experiment {
    let nodes = Control::Nodes(5_000);
    Experiment { game, controls: [nodes, nodes], seed: 5, ..fog(name, what, agents, None) }
}

/// The same player with both beliefs.
const BELIEFS: [&str; 2] = ["obscuro:belief=weighted", "obscuro:belief=uniform"];

/// A level against the one below. Its budget is its own: the nodes are only a bound, and the games are always the same.
const fn level(agents: [&'static str; 2], what: &'static str, games: u64) -> Experiment {
    let bound = Control::Nodes(100_000_000);
    Experiment { controls: [bound, bound], games, seed: 1, ..fog(agents[0], what, agents, None) }
}

/// All experiments, the most telling first; then whether the rivals are worth beating, the levels, and other games.
pub const EXPERIMENTS: [Experiment; 53] = [
    // At 1/2 s zs21 completes three rounds in the median; at 1/16 s it hardly deepens.
    Experiment {
        controls: each(2),
        ..fog("zs21", "against the player of the paper before", [US, "zs21"], Some((85.1, 1_000)))
    },
    fog(
        "zs21-short",
        "the same at 1/16 s, where zs21 hardly deepens; for information",
        [US, "zs21"],
        Some((85.1, 1_000)),
    ),
    fog(
        "simple",
        "against itself with a simple evaluation",
        [US, "obscuro:eval=simple"],
        Some((81.9, 1_000)),
    ),
    fog("purify", "against itself without purification", [US, "obscuro:purify=off"], Some((70.2, 1_000))),
    fog(
        "kluss",
        "against itself with infosets frozen that it is certainly not in",
        [US, "obscuro:subgame=klss"],
        Some((58.0, 1_000)),
    ),
    fog("baseline", "against perfect-information search behind one ply", [US, "baseline"], None),
    Experiment {
        controls: each(2),
        ..fog(
            "bare-zs21",
            "all four techniques off, against zs21",
            ["obscuro:purify=off,subgame=klss,explore=two,prior=uniform", "zs21"],
            Some((72.6, 1_000)),
        )
    },
    Experiment {
        controls: each(2),
        ..fog(
            "simple-zs21",
            "simple evaluation, against zs21",
            ["obscuro:eval=simple", "zs21"],
            Some((55.0, 10_000)),
        )
    },
    fog(
        "prior",
        "against itself with a uniform prior at Resolve",
        [US, "obscuro:prior=uniform"],
        Some((53.3, 10_000)),
    ),
    fog(
        "explore",
        "against itself with both sides exploring",
        [US, "obscuro:explore=two"],
        Some((53.3, 10_000)),
    ),
    fog("iterate", "the average iterate against the last", ["obscuro:iterate=average", US], None),
    Experiment {
        controls: [part(8), part(16)],
        ..fog("time-8", "1/8 s a move against 1/16 s", [US, US], Some((56.4, 10_000)))
    },
    Experiment {
        controls: [part(4), part(8)],
        ..fog("time-4", "1/4 s a move against 1/8 s", [US, US], Some((56.5, 10_000)))
    },
    Experiment {
        scored: Scored::White,
        ..fog("self", "White's share against itself, and first moves", [US, US], Some((57.5, 10_000)))
    },
    fog("random", "against random moves", [US, "random"], Some((100.0, 1_000))),
    fog("greedy", "against a player that takes what it sees", [US, "greedy"], None),
    Experiment {
        controls: each(8),
        ..fog(
            "zs21-baseline",
            "the player of the paper before against its own baseline",
            ["zs21", "baseline"],
            Some((59.5, 100)),
        )
    },
    Experiment {
        controls: each(8),
        ..fog("zs21-greedy", "the same against a player that takes what it sees", ["zs21", "greedy"], None)
    },
    level(["level1", "random"], "level 1 against random moves", 100),
    level(["level2", "level1"], "level 2 against level 1", 200),
    level(["level3", "level2"], "level 3 against level 2", 200),
    level(["level4", "level3"], "level 4 against level 3", 200),
    level(["level5", "level4"], "level 5 against level 4", 200),
    level(["level6", "level5"], "level 6 against level 5", 200),
    level(["level7", "level6"], "level 7 against level 6", 100),
    level(["level8", "level7"], "level 8 against level 7", 60),
    other(Variant::Kriegspiel, "random-kriegspiel", "obscuro against random tries", [US, "random"]),
    darkboard(
        "darkboard-random",
        "Darkboard against random tries (thesis: won 86 %)",
        ["darkboard", "random"],
    ),
    darkboard(
        "darkboard-careless",
        "the same without care for stalemate (thesis: won 65 %)",
        ["darkboard:stalemate=off", "random"],
    ),
    darkboard(
        "darkboard-semi",
        "Darkboard against semi-random tries (thesis: won 47 %)",
        ["darkboard", "semi"],
    ),
    kriegspiel("los-random", "LOS against random tries (Parker's best: won 65 %)", ["los", "random"]),
    kriegspiel("aosp-los", "AOSP against LOS", ["aosp", "los"]),
    kriegspiel("hs-aosp", "HS against AOSP (Parker: wins 24 % more often)", ["hs", "aosp"]),
    kriegspiel("hs-random", "HS against random tries", ["hs", "random"]),
    kriegspiel("hs-semi", "HS against semi-random tries", ["hs", "semi"]),
    kriegspiel("particles-random", "particles against random tries", ["particles", "random"]),
    kriegspiel("particles-semi", "particles against semi-random tries", ["particles", "semi"]),
    kriegspiel("particles-darkboard", "particles against Darkboard", ["particles", "darkboard"]),
    kriegspiel("particles-mcts", "particles against the tree search of three tiers", ["particles", "mcts"]),
    kriegspiel("particles-hs", "particles against HS", ["particles", "hs"]),
    kriegspiel("particles-obscuro", "particles against obscuro", ["particles", US]),
    other(Variant::Reconnaissance, "random-rbc", "obscuro against random senses and moves", [US, "random"]),
    Experiment {
        controls: each(50),
        ..rbc("recon-random", "recon against random senses and moves, at 20 ms", ["recon", "random"], None)
    },
    rbc("recon-attacker", "recon against quick attacks", ["recon", "attacker"], None),
    rbc("recon-strangefish", "recon against StrangeFish", ["recon", "strangefish"], None),
    rbc("recon-strangefish2", "recon against StrangeFish2", ["recon", "strangefish2"], None),
    rbc("recon-fianchetto", "recon against Fianchetto 4", ["recon", "fianchetto:version=4"], None),
    rbc("recon-obscuro", "recon against obscuro", ["recon", US], None),
    rbc(
        "fianchetto-strangefish",
        "Fianchetto 4 against StrangeFish",
        ["fianchetto:version=4", "strangefish"],
        Some((80.0, 60)),
    ),
    rbc(
        "fianchetto-2-1",
        "Fianchetto 2 against 1: weights that are kept",
        ["fianchetto:version=2", "fianchetto:version=1"],
        None,
    ),
    belief(
        Variant::FogOfWar,
        "belief",
        "weighted against uniform beliefs, of 20,000 positions",
        ["obscuro:belief=weighted,positions=20000", "obscuro:belief=uniform,positions=20000"],
    ),
    belief(Variant::Kriegspiel, "belief-kriegspiel", "weighted against uniform beliefs", BELIEFS),
    belief(Variant::Reconnaissance, "belief-rbc", "weighted against uniform beliefs", BELIEFS),
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
        let [first, second] = self.controls;
        Settings {
            second: Some(second).filter(|second| *second != first),
            ..Settings::new(self.game, self.agents.map(str::to_owned), self.games, first, self.seed)
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
