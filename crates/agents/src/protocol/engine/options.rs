//! The options of the program.

use scuro_eval::Rules;
use scuro_games::Variant;
use scuro_games::kriegspiel::Ruleset;

use crate::name::{Agent, Eval, MOST_MEMORY, Obscuro};
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
    pub(super) agent: Agent,
    /// Random numbers of who has none in its name.
    seed: u64,
    pub(super) threads: Option<usize>,
    pub(super) ponder: bool,
    /// Whether it wants to be told what was captured.
    pub(super) capture_kinds: bool,
}

impl Options {
    pub(super) fn new(agent: Agent) -> Options {
        let variant = agent.games().first().copied().unwrap_or(Variant::FogOfWar);
        let ruleset = Ruleset::default();
        let mut options =
            Options { variant, ruleset, agent, seed: 1, threads: None, ponder: false, capture_kinds: false };
        match &mut options.agent {
            Agent::Kriegspiel(agent) => agent.threads = cores(),
            Agent::Rbc(agent) => agent.threads = cores(),
            _ => {}
        }
        options
    }

    /// Random numbers.
    pub(super) fn seed(&self) -> u64 {
        if let Agent::Obscuro(obscuro) = &self.agent { obscuro.settings.seed } else { self.seed }
    }

    /// What can be set, and what it is unless it is set.
    pub(super) fn offers(&self) -> Vec<Offer> {
        let words = self.agent.games().iter().map(|game| variant_word(*game).to_owned()).collect();
        let rulesets = Ruleset::ALL.map(|ruleset| ruleset.to_string()).to_vec();
        let kriegspiel = self.agent.games().contains(&Variant::Kriegspiel);
        let mut offers =
            vec![offer("UCI_Variant", Kind::Combo { usual: variant_word(self.variant).to_owned(), words })];
        if let Agent::Obscuro(obscuro) = &self.agent {
            offers.extend(resources(obscuro));
            offers.push(offer("Ponder", Kind::Check(self.ponder.to_string())));
        }
        if matches!(self.agent, Agent::Kriegspiel(_) | Agent::Rbc(_)) {
            offers.push(offer("Threads", spin(self.agent.threads() as u64, 1, MOST_THREADS)));
        }
        if kriegspiel {
            offers.push(offer(CAPTURE_KINDS, Kind::Check(self.capture_kinds.to_string())));
        }
        if let Agent::Obscuro(obscuro) = &self.agent {
            offers.push(offer("EvalFile", Kind::Text(eval_word(&obscuro.eval))));
        }
        offers.push(offer("Seed", spin(self.seed().min(MOST_SEED), 0, MOST_SEED)));
        if kriegspiel {
            offers.push(offer("Ruleset", Kind::Combo { usual: self.ruleset.to_string(), words: rulesets }));
        }
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
        match (name.to_lowercase().as_str(), &mut self.agent) {
            ("uci_variant", agent) => {
                let known = Variant::DARK.into_iter().find(|game| variant_word(*game) == value);
                let words =
                    || agent.games().iter().map(|game| variant_word(*game)).collect::<Vec<_>>().join(", ");
                let variant = known
                    .ok_or_else(|| format!("option {name} must be one of {}, not '{value}'", words()))?;
                agent.check(variant).map_err(|error| format!("option {name}: {error}"))?;
                self.variant = variant;
            }
            ("ruleset", _) => {
                self.ruleset = value.parse().map_err(|error| format!("option {name}: {error}"))?;
            }
            // Ours understand them in any case.
            ("capturekinds", _) => self.capture_kinds = check()?,
            ("threads", Agent::Obscuro(obscuro)) => {
                (self.threads, obscuro.growers) = (Some(number(1, MOST_THREADS)? as usize), None);
            }
            ("threads", Agent::Kriegspiel(agent)) => agent.threads = number(1, MOST_THREADS)? as usize,
            ("threads", Agent::Rbc(agent)) => agent.threads = number(1, MOST_THREADS)? as usize,
            ("hash", Agent::Obscuro(obscuro)) => obscuro.hash = number(1, MOST_MEMORY as u64)? as usize,
            ("ponder", Agent::Obscuro(_)) => self.ponder = check()?,
            ("evalfile", Agent::Obscuro(obscuro)) => obscuro.eval = network(value)?,
            ("seed", Agent::Obscuro(obscuro)) => obscuro.settings.seed = number(0, MOST_SEED)?,
            ("seed", _) => self.seed = number(0, MOST_SEED)?,
            _ => return Err(format!("unknown option '{name}'")),
        }
        Ok(())
    }
}

fn offer(name: &str, kind: Kind) -> Offer {
    Offer { name: name.to_owned(), kind }
}

fn spin(usual: u64, min: i64, max: u64) -> Kind {
    Kind::Spin { usual: usual.to_string(), min, max: i64::try_from(max).unwrap_or(i64::MAX) }
}

/// The threads that are used unless somebody says how many.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from).clamp(2, MOST_THREADS as usize)
}

/// Threads and memory. Who has named growers has said how many threads.
fn resources(obscuro: &Obscuro) -> Vec<Offer> {
    let threads = match obscuro.growers {
        None => Some(cores() as u64),
        Some(0) => Some(1),
        Some(_) => None,
    };
    let threads = threads.map(|threads| offer("Threads", spin(threads, 1, MOST_THREADS)));
    let hash = offer("Hash", spin(obscuro.hash as u64, 1, MOST_MEMORY as u64));
    threads.into_iter().chain([hash]).collect()
}

/// What values positions, as `EvalFile` calls it.
fn eval_word(eval: &Eval) -> String {
    match eval {
        Eval::Net => "<empty>".to_owned(),
        Eval::Simple => "simple".to_owned(),
        Eval::File(path) => path.display().to_string(),
        Eval::Stockfish => "stockfish".to_owned(),
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
