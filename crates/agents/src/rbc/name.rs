//! The players of Reconnaissance Blind Chess by name, with their switches.

use scuro_games::chess::Color;
use scuro_games::rbc::Rbc;

use super::attacker::Attacker;
use super::blend::Blend;
use super::fish::Fish;
use super::oracle::Oracle;
use super::recon::Recon;
use super::scout::{MOST_BOARDS, Scout, Style};
use super::strangefish2::StrangeFish2;
use super::trout::Trout;
use crate::level::Level;
pub(super) use crate::name::set_to;
use crate::name::{EVAL, Eval, EvalError, NameError, Obscuro, SEED, Switch, switched};
use crate::player::{Playable, Player};
use crate::seat::Seated;

/// A player of this game alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RbcAgent {
    kind: Kind,
    /// What values positions.
    pub eval: Eval,
    /// The most boards that it keeps.
    pub positions: usize,
    /// The number of threads that follow boards, at least one. Choices do not depend on it.
    pub threads: usize,
    /// The most positions that it values for a choice.
    nodes: usize,
    /// Whether the player of all games chooses the requests.
    blended: bool,
    seed: u64,
}

/// Which player it is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Trout,
    Attacker,
    Oracle,
    StrangeFish,
    StrangeFish2,
    Fianchetto(Fish),
    Recon(Recon),
}

const ENGINE: Switch = Switch {
    key: "engine",
    values: "none|stockfish",
    what: "an installed Stockfish values boards at depth 8 in place of eval, where it can",
};

/// The switches of players that may ask an engine of chess.
pub(crate) const PLAIN: [Switch; 3] = [EVAL, ENGINE, SEED];

/// The only switch of `attacker`.
pub(crate) const ATTACKER: [Switch; 1] = [SEED];

/// The switches of `fianchetto`; those after the version are what it sets.
pub(crate) const FIANCHETTO: [Switch; 14] = [
    Switch {
        key: "version",
        values: "5|1|2|3|4",
        what: "which version; it comes before what is changed of it",
    },
    Switch { key: "batch", values: "on|off", what: "scores are logits of a policy, or centipawns" },
    Switch {
        key: "persist",
        values: "on|off",
        what: "weights are kept from turn to turn, or made from evaluations",
    },
    Switch { key: "sneak", values: "on|off", what: "a bonus for attacks on the king" },
    Switch { key: "pawns", values: "on|off", what: "a bonus for pawns that attack pieces" },
    Switch { key: "faraway", values: "on|off", what: "a bonus for ending a check from afar" },
    Switch {
        key: "size",
        values: "on|off",
        what: "large sets trust the policy less, and senses shrink them more",
    },
    Switch { key: "mate", values: "on|off", what: "moves that allow mate are avoided" },
    Switch { key: "null", values: "on|off", what: "the opponent passes more often in large sets" },
    Switch { key: "min", values: "0.3", what: "the share of the least score in a compound" },
    Switch { key: "score", values: "state|logit|reply", what: "what a request is scored by" },
    Switch { key: "divide", values: "1", what: "at most one board in so many is looked at" },
    EVAL,
    SEED,
];

/// The switches of `recon`.
pub(crate) const RECON: [Switch; 10] = [
    Switch { key: "guard", values: "0.3", what: "the share of the worst case in what a request is worth" },
    Switch { key: "nat", values: "0.02", what: "what a nat of the answer to a sense is worth" },
    Switch { key: "margin", values: "0.01", what: "requests so close to the best are as good" },
    Switch {
        key: "seen",
        values: "1.0",
        what: "how often they notice an attack on their king that was not announced",
    },
    Switch { key: "boards", values: "1500", what: "boards that are looked at by weight" },
    Switch { key: "plies", values: "3", what: "the most plies that are searched after the best requests" },
    Switch { key: "request", values: "recon|obscuro", what: "the player that chooses the requests" },
    Switch { key: "fade", values: "on|off", what: "values fade towards the draw by the move limit" },
    EVAL,
    SEED,
];

impl RbcAgent {
    /// Whether a player has this name.
    pub(crate) fn is_called(name: &str) -> bool {
        kind(name).is_some()
    }

    /// The player of this name with these switches.
    pub(crate) fn named(name: &str, text: &str) -> Result<RbcAgent, NameError> {
        let Some((agent, kind, switches)) = kind(name) else {
            return Err(NameError::Unknown(name.to_owned()));
        };
        switched(agent, switches, text, RbcAgent::usual(kind), |player, key, value| {
            match (key, &mut player.kind) {
                ("eval", _) => set_to(&mut player.eval, Eval::named(value)),
                ("engine", _) if value == "none" => Some(()),
                ("engine", _) => set_to(&mut player.eval, (value == "stockfish").then_some(Eval::Stockfish)),
                ("seed", _) => set_to(&mut player.seed, value.parse().ok()),
                ("request", Kind::Recon(_)) => {
                    let blended = match value {
                        "recon" => Some(false),
                        "obscuro" => Some(true),
                        _ => None,
                    };
                    set_to(&mut player.blended, blended)
                }
                (key, Kind::Fianchetto(fish)) => fish.set(key, value),
                (key, Kind::Recon(recon)) => recon.set(key, value),
                _ => None,
            }
        })
    }

    fn usual(kind: Kind) -> RbcAgent {
        RbcAgent {
            kind,
            eval: Eval::Net,
            positions: MOST_BOARDS,
            threads: 1,
            nodes: usize::MAX,
            blended: false,
            seed: 1,
        }
    }

    /// `recon` within the bounds of a level.
    pub(crate) fn of_level(level: &Level) -> RbcAgent {
        let recon = Recon { boards: level.sample, ..Recon::default() };
        RbcAgent { positions: level.positions, nodes: level.nodes, ..RbcAgent::usual(Kind::Recon(recon)) }
    }

    /// Its name without switches.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Trout => "trout",
            Kind::Attacker => "attacker",
            Kind::Oracle => "oracle",
            Kind::StrangeFish => "strangefish",
            Kind::StrangeFish2 => "strangefish2",
            Kind::Fianchetto(_) => "fianchetto",
            Kind::Recon(_) => "recon",
        }
    }

    /// The player at the start of a game.
    ///
    /// # Errors
    /// If there is no such evaluator.
    pub fn seat(&self, game: Rbc, color: Color, seed: u64) -> Result<Seated<Rbc>, EvalError> {
        // The seed of its name is one more number that makes games differ.
        let seed = seed.wrapping_add(self.seed);
        Ok(match &self.kind {
            Kind::Trout => Box::new(Trout::new(game, color, &self.eval, seed)?),
            Kind::Attacker => Box::new(Attacker::new(game, color, seed)),
            Kind::Oracle => self.scout(game, color, seed, Oracle)?,
            Kind::StrangeFish => self.scout(game, color, seed, Fish::version(0))?,
            Kind::StrangeFish2 => self.scout(game, color, seed, StrangeFish2)?,
            Kind::Fianchetto(fish) => self.scout(game, color, seed, *fish)?,
            Kind::Recon(recon) => {
                let scout = self.scout(game, color, seed, *recon)?;
                if !self.blended {
                    return Ok(scout);
                }
                let mut obscuro = Obscuro { eval: self.eval.clone(), ..Obscuro::default() };
                obscuro.settings.seed = seed;
                Box::new(Blend::new(scout, Box::new(Player::new(game, color, &obscuro, Some(1))?)))
            }
        })
    }

    fn scout<S: Style + 'static>(
        &self,
        game: Rbc,
        color: Color,
        seed: u64,
        style: S,
    ) -> Result<Seated<Rbc>, EvalError> {
        let evaluators = self.eval.evaluators(self.threads, game.value_rules())?;
        Ok(Box::new(
            Scout::new(game, color, evaluators, seed, style).keeping(self.positions).valuing(self.nodes),
        ))
    }
}

/// The player of a name as it is without switches, with its name and the switches that it has.
fn kind(name: &str) -> Option<(&'static str, Kind, &'static [Switch])> {
    Some(match name {
        "trout" => ("trout", Kind::Trout, &PLAIN),
        "attacker" => ("attacker", Kind::Attacker, &ATTACKER),
        "oracle" => ("oracle", Kind::Oracle, &PLAIN),
        "strangefish" => ("strangefish", Kind::StrangeFish, &PLAIN),
        "strangefish2" => ("strangefish2", Kind::StrangeFish2, &PLAIN),
        "fianchetto" => ("fianchetto", Kind::Fianchetto(Fish::version(5)), &FIANCHETTO),
        "recon" => ("recon", Kind::Recon(Recon::default()), &RECON),
        _ => return None,
    })
}

/// Whether a switch is on.
pub(super) fn on_or_off(value: &str) -> Option<bool> {
    match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// A share such as `0.3`, in hundredths.
pub(super) fn hundredths(value: &str) -> Option<u32> {
    let share: f64 = value.parse().ok()?;
    (0.0..=100.0).contains(&share).then(|| (100.0 * share).round() as u32)
}
