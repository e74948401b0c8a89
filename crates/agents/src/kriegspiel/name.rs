//! The players of Kriegspiel by name, with their switches.

use std::path::PathBuf;

use scuro_games::chess::Color;
use scuro_games::kriegspiel::Kriegspiel;
use scuro_search::agent::Settings;

use super::darkboard::Darkboard;
use super::darkboard::book::Book;
use super::darkboard::evaluate::Evaluation;
use super::darkboard::weights::Weights;
use super::mcts::Mcts;
use super::particles::{POSITIONS, Particles};
use super::replies::Foe;
use super::samplers::{POOL, Sampler};
use super::semi::Semi;
use super::shell::{Prober, Style, positions_for};
use crate::level::Level;
use crate::name::{Believing, EVAL, Eval, EvalError, NameError, Obscuro, SEED, Switch, set_to, switched};
use crate::player::{Believer, Playable};
use crate::seat::{SeatError, Seated};

/// A player of this game alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KriegspielAgent {
    kind: Kind,
    /// What values positions.
    pub eval: Eval,
    /// The most positions that it keeps.
    pub positions: usize,
    /// The number of threads that follow positions, at least one. Choices do not depend on it.
    pub threads: usize,
    /// The most nodes of a choice.
    nodes: usize,
    seed: u64,
}

/// Which player it is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Semi,
    Sampler(Sampler),
    Mcts,
    Particles(Particles),
    Darkboard(DarkboardName),
}

/// What can be changed of `darkboard`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DarkboardName {
    minds_stalemate: bool,
    book: Option<PathBuf>,
    weights: Option<PathBuf>,
}

/// The only switch of `semi`.
pub(crate) const SEMI: [Switch; 1] = [SEED];

/// The switches of `los`.
pub(crate) const LAST: [Switch; 2] = [EVAL, SEED];

/// The switches of samplers with a pool.
pub(crate) const POOLING: [Switch; 3] =
    [Switch { key: "positions", values: "20000", what: "positions in the pool" }, EVAL, SEED];

/// The switches of `mcts`, which values no position.
pub(crate) const MCTS: [Switch; 2] =
    [Switch { key: "positions", values: "20000", what: "positions that the belief keeps" }, SEED];

/// The switches of `particles`.
pub(crate) const PARTICLES: [Switch; 5] = [
    Switch { key: "foe", values: "blind|random|seeing", what: "how the opponent is supposed to reply" },
    Switch { key: "turns", values: "3", what: "own turns that are looked ahead" },
    Switch { key: "positions", values: "100000", what: "positions that the belief keeps if there is time" },
    EVAL,
    SEED,
];

/// The switches of `darkboard`.
pub(crate) const DARKBOARD: [Switch; 4] = [
    Switch { key: "stalemate", values: "on|off", what: "whether it looks out for stalemates" },
    Switch { key: "book", values: "none|FILE", what: "openings, as scuro book writes them" },
    Switch {
        key: "weights",
        values: "usual|FILE",
        what: "the numbers of its evaluation, as scuro tune writes them",
    },
    SEED,
];

impl KriegspielAgent {
    /// Whether a player has this name.
    pub(crate) fn is_called(name: &str) -> bool {
        kind(name).is_some()
    }

    /// The player of this name with these switches.
    pub(crate) fn named(name: &str, text: &str) -> Result<KriegspielAgent, NameError> {
        let Some((agent, kind, switches)) = kind(name) else {
            return Err(NameError::Unknown(name.to_owned()));
        };
        switched(agent, switches, text, KriegspielAgent::usual(kind), |player, key, value| {
            match (key, &mut player.kind) {
                ("eval", _) => set_to(&mut player.eval, Eval::named(value)),
                ("seed", _) => set_to(&mut player.seed, value.parse().ok()),
                ("positions", _) => {
                    set_to(&mut player.positions, value.parse().ok().filter(|&positions| positions > 0))
                }
                ("foe", Kind::Particles(particles)) => set_to(&mut particles.foe, Foe::named(value)),
                ("turns", Kind::Particles(particles)) => {
                    set_to(&mut particles.turns, value.parse().ok().filter(|&turns| turns > 0))
                }
                (key, Kind::Darkboard(darkboard)) => darkboard.set(key, value),
                _ => None,
            }
        })
    }

    fn usual(kind: Kind) -> KriegspielAgent {
        let positions = if let Kind::Particles(_) = kind { POSITIONS } else { POOL };
        KriegspielAgent { kind, eval: Eval::Net, positions, threads: 1, nodes: usize::MAX, seed: 1 }
    }

    /// `particles` within the bounds of a level.
    pub(crate) fn of_level(level: &Level) -> KriegspielAgent {
        // As many as it would keep on a budget of these nodes, so that it plays alike where time is limited.
        let positions = level.positions.min(positions_for(level.nodes));
        let usual = KriegspielAgent::usual(Kind::Particles(Particles::default()));
        KriegspielAgent { positions, nodes: level.nodes, ..usual }
    }

    /// Its name without switches.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Semi => "semi",
            Kind::Sampler(Sampler::Last) => "los",
            Kind::Sampler(Sampler::All) => "aosp",
            Kind::Sampler(Sampler::Hybrid) => "hs",
            Kind::Mcts => "mcts",
            Kind::Particles(_) => "particles",
            Kind::Darkboard(_) => "darkboard",
        }
    }

    /// Whether it needs files, which are not for guests.
    #[must_use]
    pub fn reads_files(&self) -> bool {
        if let Kind::Darkboard(name) = &self.kind {
            return name.book.is_some() || name.weights.is_some();
        }
        matches!(self.eval, Eval::File(_))
    }

    /// The player at the start of a game.
    ///
    /// # Errors
    /// If there is no such evaluator, or a file that it needs cannot be read.
    pub fn seat(&self, game: Kriegspiel, color: Color, seed: u64) -> Result<Seated<Kriegspiel>, SeatError> {
        // The seed of its name is one more number that makes games differ.
        let seed = seed.wrapping_add(self.seed);
        Ok(match &self.kind {
            Kind::Semi => Box::new(Semi::new(game, color, seed)),
            Kind::Sampler(sampler) if sampler.pools() => {
                Box::new(self.believing(game, color, seed, Believing::Uniform, *sampler)?)
            }
            Kind::Sampler(sampler) => Box::new(self.prober(game, color, seed, *sampler)?),
            Kind::Mcts => Box::new(self.believing(game, color, seed, Believing::Weighted, Mcts)?),
            Kind::Particles(particles) => {
                Box::new(self.believing(game, color, seed, Believing::Weighted, particles.clone())?)
            }
            Kind::Darkboard(name) => Box::new(name.seat(game, color, seed)?),
        })
    }

    fn prober<S: Style>(
        &self,
        game: Kriegspiel,
        color: Color,
        seed: u64,
        style: S,
    ) -> Result<Prober<S>, EvalError> {
        let evaluators = self.eval.evaluators(self.threads, game.value_rules())?;
        Ok(Prober::new(game, color, evaluators, seed, style).valuing(self.nodes))
    }

    fn believing<S: Style>(
        &self,
        game: Kriegspiel,
        color: Color,
        seed: u64,
        belief: Believing,
        style: S,
    ) -> Result<Prober<S>, EvalError> {
        let settings = Settings { seed, ..Settings::default() };
        let name =
            Obscuro { settings, belief: Some(belief), positions: Some(self.positions), ..Obscuro::default() };
        let believer = Believer::of(game, color, &name, self.threads);
        Ok(self.prober(game, color, seed, style)?.believing(believer))
    }
}

impl DarkboardName {
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let file = |usual: &str| (value != usual).then(|| PathBuf::from(value));
        match (key, value) {
            (_, "") => return None,
            ("stalemate", "on" | "off") => self.minds_stalemate = value == "on",
            ("book", _) => self.book = file("none"),
            ("weights", _) => self.weights = file("usual"),
            _ => return None,
        }
        Some(())
    }

    fn seat(&self, game: Kriegspiel, color: Color, seed: u64) -> Result<Darkboard, SeatError> {
        let book = self.book.as_deref().map(Book::read).transpose()?;
        let weights = self.weights.as_deref().map_or(Ok(Weights::default()), Weights::read)?;
        let evaluation = Evaluation::new(weights, self.minds_stalemate);
        Ok(Darkboard::new(game, color, evaluation, book.as_ref(), seed))
    }
}

/// The player of a name as it is without switches, with its name and the switches that it has.
fn kind(name: &str) -> Option<(&'static str, Kind, &'static [Switch])> {
    let darkboard = DarkboardName { minds_stalemate: true, book: None, weights: None };
    Some(match name {
        "semi" => ("semi", Kind::Semi, &SEMI),
        "los" => ("los", Kind::Sampler(Sampler::Last), &LAST),
        "aosp" => ("aosp", Kind::Sampler(Sampler::All), &POOLING),
        "hs" => ("hs", Kind::Sampler(Sampler::Hybrid), &POOLING),
        "mcts" => ("mcts", Kind::Mcts, &MCTS),
        "particles" => ("particles", Kind::Particles(Particles::default()), &PARTICLES),
        "darkboard" => ("darkboard", Kind::Darkboard(darkboard), &DARKBOARD),
        _ => return None,
    })
}
