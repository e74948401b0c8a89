//! The options of the program.

use scuro_games::Variant;
use scuro_games::chess::{Board, Color};
use scuro_games::kriegspiel::Ruleset;

use crate::name::{Eval, Obscuro};
use crate::protocol::{Kind, Offer, variant_word};

/// More threads than this are a mistake.
const MOST_THREADS: usize = 256;
/// More memory than this, in MB, is a mistake.
const MOST_MEMORY: usize = 1 << 20;

/// The games that it plays.
pub(super) const GAMES: [Variant; 3] = [Variant::FogOfWar, Variant::Kriegspiel, Variant::Reconnaissance];

/// How the next game is played.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) variant: Variant,
    pub(super) ruleset: Ruleset,
    /// Who plays Fog of War.
    pub(super) agent: Obscuro,
    pub(super) threads: Option<usize>,
    pub(super) ponder: bool,
}

impl Options {
    pub(super) fn new(agent: Obscuro) -> Options {
        let (variant, ruleset) = (Variant::FogOfWar, Ruleset::default());
        Options { variant, ruleset, agent, threads: None, ponder: false }
    }

    /// Random numbers.
    pub(super) fn seed(&self) -> u64 {
        self.agent.settings.seed
    }

    /// What can be set, and what it is now.
    pub(super) fn offers(&self) -> Vec<Offer> {
        let offer = |name: &str, kind| Offer { name: name.to_owned(), kind };
        let spin = |usual: u64, min, max: u64| Kind::Spin {
            usual: usual.to_string(),
            min,
            max: i64::try_from(max).unwrap_or(i64::MAX),
        };
        let cores = std::thread::available_parallelism().map_or(2, usize::from).max(2);
        let growers = self.agent.growers.map(|growers| growers + 1);
        let threads = self.threads.or(growers).unwrap_or(cores).min(MOST_THREADS);
        let rulesets = Ruleset::ALL.map(|ruleset| ruleset.to_string()).to_vec();
        let file = match &self.agent.eval {
            Eval::Net => "<empty>".to_owned(),
            Eval::Simple => "simple".to_owned(),
            Eval::File(path) => path.display().to_string(),
        };
        vec![
            offer(
                "UCI_Variant",
                Kind::Combo {
                    usual: variant_word(self.variant).to_owned(),
                    words: GAMES.map(|game| variant_word(game).to_owned()).to_vec(),
                },
            ),
            offer("Threads", spin(threads as u64, 1, MOST_THREADS as u64)),
            offer("Hash", spin(self.agent.hash as u64, 1, MOST_MEMORY as u64)),
            offer("Ponder", Kind::Check(self.ponder.to_string())),
            offer("EvalFile", Kind::Text(file)),
            offer("Seed", spin(self.seed(), 0, u64::MAX)),
            offer("Ruleset", Kind::Combo { usual: self.ruleset.to_string(), words: rulesets }),
        ]
    }

    /// Sets an option, whatever the case of its name; tells whether the present game ends by it. All but pondering
    /// holds from the next game on.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let number = |least: usize, most: usize| {
            let number = value.parse::<usize>().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| format!("option {name} must be {least} to {most}, not '{value}'"))
        };
        let game = (self.variant, self.ruleset);
        match name.to_lowercase().as_str() {
            "uci_variant" => {
                let known = GAMES.into_iter().find(|game| variant_word(*game) == value);
                let words = GAMES.map(variant_word).join(", ");
                self.variant =
                    known.ok_or_else(|| format!("option {name} must be one of {words}, not '{value}'"))?;
            }
            "ruleset" => self.ruleset = value.parse().map_err(|error| format!("option {name}: {error}"))?,
            "threads" => (self.threads, self.agent.growers) = (Some(number(1, MOST_THREADS)?), None),
            "hash" => self.agent.hash = number(1, MOST_MEMORY)?,
            "ponder" => {
                let wrong = |_| format!("option {name} must be true or false, not '{value}'");
                self.ponder = value.parse().map_err(wrong)?;
            }
            "seed" => {
                let wrong = |_| format!("option {name} must be a number, not '{value}'");
                self.agent.settings.seed = value.parse().map_err(wrong)?;
            }
            "evalfile" => self.agent.eval = network(value)?,
            _ => return Err(format!("unknown option '{name}'")),
        }
        Ok(game != (self.variant, self.ruleset))
    }

    /// Whether a game can start there.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn fits(&self, start: &Board) -> Result<(), String> {
        let kings = Color::ALL.into_iter().all(|color| start.king(color).is_some());
        if kings { Ok(()) } else { Err("start: a king is missing".to_owned()) }
    }
}

/// The network of a file, which is there and is one.
fn network(value: &str) -> Result<Eval, String> {
    let eval = match value {
        "" | "<empty>" | "net" => Eval::Net,
        "simple" => Eval::Simple,
        file => Eval::File(file.into()),
    };
    eval.evaluators(1).map_err(|error| error.to_string())?;
    Ok(eval)
}
