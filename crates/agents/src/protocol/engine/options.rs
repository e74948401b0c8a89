//! The options of the program.

use scuro_eval::Rules;
use scuro_games::Variant;
use scuro_games::kriegspiel::Ruleset;

use crate::name::{Eval, MOST_MEMORY, Obscuro};
use crate::protocol::{CAPTURE_KINDS, Kind, Offer, variant_word};

/// More threads than this are a mistake.
const MOST_THREADS: u64 = 256;
/// The largest number of an option that every program can read.
const MOST_SEED: u64 = i64::MAX as u64;

/// How the next game is played.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) variant: Variant,
    pub(super) ruleset: Ruleset,
    /// Who plays.
    pub(super) agent: Obscuro,
    pub(super) threads: Option<usize>,
    pub(super) ponder: bool,
    /// Whether it wants to be told what was captured.
    pub(super) capture_kinds: bool,
}

impl Options {
    pub(super) fn new(agent: Obscuro) -> Options {
        let (variant, ruleset) = (Variant::FogOfWar, Ruleset::default());
        Options { variant, ruleset, agent, threads: None, ponder: false, capture_kinds: false }
    }

    /// Random numbers.
    pub(super) fn seed(&self) -> u64 {
        self.agent.settings.seed
    }

    /// What can be set, and what it is unless it is set. Who has named growers has said how many threads.
    pub(super) fn offers(&self) -> Vec<Offer> {
        let offer = |name: &str, kind| Offer { name: name.to_owned(), kind };
        let spin = |usual: u64, min, max: u64| Kind::Spin {
            usual: usual.to_string(),
            min,
            max: i64::try_from(max).unwrap_or(i64::MAX),
        };
        let cores = std::thread::available_parallelism().map_or(2, usize::from).max(2);
        let threads = match self.agent.growers {
            None => Some((cores as u64).min(MOST_THREADS)),
            Some(0) => Some(1),
            Some(_) => None,
        };
        let rulesets = Ruleset::ALL.map(|ruleset| ruleset.to_string()).to_vec();
        let file = match &self.agent.eval {
            Eval::Net => "<empty>".to_owned(),
            Eval::Simple => "simple".to_owned(),
            Eval::File(path) => path.display().to_string(),
        };
        let games = Kind::Combo {
            usual: variant_word(self.variant).to_owned(),
            words: Variant::DARK.map(|game| variant_word(game).to_owned()).to_vec(),
        };
        let mut offers = vec![offer("UCI_Variant", games)];
        offers.extend(threads.map(|threads| offer("Threads", spin(threads, 1, MOST_THREADS))));
        offers.extend([
            offer("Hash", spin(self.agent.hash as u64, 1, MOST_MEMORY as u64)),
            offer("Ponder", Kind::Check(self.ponder.to_string())),
            offer(CAPTURE_KINDS, Kind::Check(self.capture_kinds.to_string())),
            offer("EvalFile", Kind::Text(file)),
            offer("Seed", spin(self.seed().min(MOST_SEED), 0, MOST_SEED)),
            offer("Ruleset", Kind::Combo { usual: self.ruleset.to_string(), words: rulesets }),
        ]);
        offers
    }

    /// Sets an option, whatever the case of its name. All but pondering holds from the next game on.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |least: u64, most: u64| {
            let number = value.parse::<u64>().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| format!("option {name} must be {least} to {most}, not '{value}'"))
        };
        let check = || {
            let wrong = |_| format!("option {name} must be true or false, not '{value}'");
            value.parse::<bool>().map_err(wrong)
        };
        match name.to_lowercase().as_str() {
            "uci_variant" => {
                let known = Variant::DARK.into_iter().find(|game| variant_word(*game) == value);
                let words = Variant::DARK.map(variant_word).join(", ");
                self.variant =
                    known.ok_or_else(|| format!("option {name} must be one of {words}, not '{value}'"))?;
            }
            "ruleset" => self.ruleset = value.parse().map_err(|error| format!("option {name}: {error}"))?,
            "threads" => (self.threads, self.agent.growers) = (Some(number(1, MOST_THREADS)? as usize), None),
            "hash" => self.agent.hash = number(1, MOST_MEMORY as u64)? as usize,
            "ponder" => self.ponder = check()?,
            // It understands them in any case.
            "capturekinds" => self.capture_kinds = check()?,
            "seed" => self.agent.settings.seed = number(0, MOST_SEED)?,
            "evalfile" => self.agent.eval = network(value)?,
            _ => return Err(format!("unknown option '{name}'")),
        }
        Ok(())
    }
}

/// The network of a file, which is there and is one.
fn network(value: &str) -> Result<Eval, String> {
    let eval = match value {
        "" | "<empty>" | "net" => Eval::Net,
        "simple" => Eval::Simple,
        file => Eval::File(file.into()),
    };
    eval.evaluators(1, Rules::default()).map_err(|error| error.to_string())?;
    Ok(eval)
}
