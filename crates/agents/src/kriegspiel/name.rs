//! The players of Kriegspiel by name, with their switches.

use scuro_games::chess::Color;
use scuro_games::kriegspiel::Kriegspiel;
use scuro_search::agent::Settings;

use super::mcts::Mcts;
use super::particles::{POSITIONS, Particles};
use super::replies::Foe;
use super::samplers::{POOL, Sampler};
use super::semi::Semi;
use super::shell::{Prober, Style};
use crate::name::{
    Believing, EVAL_TEXT, EVALS, Eval, EvalError, NameError, Obscuro, Switch, set_to, switched,
};
use crate::player::{Believer, Playable};
use crate::seat::Seated;

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
    seed: u64,
}

/// Which player it is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Semi,
    Sampler(Sampler),
    Mcts,
    Particles(Particles),
}

const EVAL: Switch = Switch { key: "eval", values: EVALS, what: EVAL_TEXT };
const SEED: Switch = Switch { key: "seed", values: "1", what: "random numbers" };

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
        let positions = if let Kind::Particles(_) = kind { POSITIONS } else { POOL };
        let player = KriegspielAgent { kind, eval: Eval::Net, positions, threads: 1, seed: 1 };
        switched(agent, switches, text, player, |player, key, value| match (key, &mut player.kind) {
            ("eval", _) => set_to(&mut player.eval, Eval::named(value)),
            ("seed", _) => set_to(&mut player.seed, value.parse().ok()),
            ("positions", _) => {
                set_to(&mut player.positions, value.parse().ok().filter(|&positions| positions > 0))
            }
            ("foe", Kind::Particles(particles)) => set_to(&mut particles.foe, Foe::named(value)),
            ("turns", Kind::Particles(particles)) => {
                set_to(&mut particles.turns, value.parse().ok().filter(|&turns| turns > 0))
            }
            _ => None,
        })
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
        }
    }

    /// The player at the start of a game.
    ///
    /// # Errors
    /// If there is no such evaluator.
    pub fn seat(&self, game: Kriegspiel, color: Color, seed: u64) -> Result<Seated<Kriegspiel>, EvalError> {
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
        Ok(Prober::new(game, color, evaluators, seed, style))
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

/// The player of a name as it is without switches, with its name and the switches that it has.
fn kind(name: &str) -> Option<(&'static str, Kind, &'static [Switch])> {
    Some(match name {
        "semi" => ("semi", Kind::Semi, &SEMI),
        "los" => ("los", Kind::Sampler(Sampler::Last), &LAST),
        "aosp" => ("aosp", Kind::Sampler(Sampler::All), &POOLING),
        "hs" => ("hs", Kind::Sampler(Sampler::Hybrid), &POOLING),
        "mcts" => ("mcts", Kind::Mcts, &MCTS),
        "particles" => ("particles", Kind::Particles(Particles::default()), &PARTICLES),
        _ => return None,
    })
}
