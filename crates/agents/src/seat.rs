//! From a name to a contestant at a board: who plays which game.

use std::time::Duration;

use scuro_games::Variant;
use scuro_games::chess::Color;
use scuro_games::fog::FogOfWar;
use scuro_games::kriegspiel::Kriegspiel;
use scuro_games::rbc::Rbc;
use scuro_games::umpire::Umpired;
use thiserror::Error;

use crate::contestant::{Contestant, Fault, Fleeing, RandomMover, Thinker};
use crate::greedy::Greedy;
use crate::level::LevelPlayer;
use crate::name::{Agent, EvalError, Obscuro};
use crate::player::FogPlayer;
use crate::process::{Errors, Opening, Process};
use crate::rival::Rival;

/// A contestant that can be handed to a thread.
pub type Seated<G> = Box<dyn Contestant<G> + Send>;

/// Where somebody is to sit.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The colour.
    pub color: Color,
    /// Random numbers.
    pub seed: u64,
    /// How late an answer may be: whoever waits for another program waits no longer.
    pub margin: Duration,
}

/// Why a player cannot sit down.
#[derive(Debug, Error)]
pub enum SeatError {
    /// The player does not know the game.
    #[error("{agent} does not play {game}")]
    Game {
        /// Who.
        agent: &'static str,
        /// Which game.
        game: Variant,
    },
    /// There is no evaluator.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// It sat down and failed at once, as only another program can: that loses the game, and is no reason not to play.
    #[error(transparent)]
    Start(#[from] Fault),
}

/// A game for which players can be seated.
pub trait Seats: Umpired + Sized {
    /// The contestant that `agent` is at this board.
    ///
    /// # Errors
    /// If the agent does not play this game, or cannot.
    fn seat(&self, agent: &Agent, place: Place) -> Result<Seated<Self>, SeatError>;
}

impl Seats for FogOfWar {
    fn seat(&self, agent: &Agent, place: Place) -> Result<Seated<FogOfWar>, SeatError> {
        Ok(match agent {
            Agent::Obscuro(name) => Box::new(thinker(self, name, place)?),
            Agent::Zs21(eval) => Box::new(Rival::zs21(self.start, place.color, eval, place.seed)?),
            Agent::Baseline(eval) => Box::new(Rival::baseline(self.start, place.color, eval, place.seed)?),
            Agent::Level(level) => Box::new(LevelPlayer::new(level, self.start, place.color, place.seed)?),
            Agent::Greedy => Box::new(Greedy::new(self.start, place.color, place.seed)),
            Agent::Random => Box::new(RandomMover::new(place.seed)),
            Agent::Fleeing => Box::new(Fleeing::new(self.start, place.seed)),
            Agent::Command(command) => {
                let opening = Opening { start: self.start, ..Opening::new(Variant::FogOfWar, place.color) };
                Box::new(program(command, opening, place)?)
            }
        })
    }
}

impl Seats for Kriegspiel {
    fn seat(&self, agent: &Agent, place: Place) -> Result<Seated<Kriegspiel>, SeatError> {
        match agent {
            Agent::Random => Ok(Box::new(RandomMover::new(place.seed))),
            Agent::Command(command) => {
                let opening = Opening::new(Variant::Kriegspiel, place.color);
                let opening = Opening { start: self.start, ruleset: self.ruleset, ..opening };
                Ok(Box::new(program(command, opening, place)?))
            }
            _ => Err(SeatError::Game { agent: agent.name(), game: Variant::Kriegspiel }),
        }
    }
}

impl Seats for Rbc {
    fn seat(&self, agent: &Agent, place: Place) -> Result<Seated<Rbc>, SeatError> {
        match agent {
            Agent::Random => Ok(Box::new(RandomMover::new(place.seed))),
            Agent::Command(command) => {
                let opening =
                    Opening { start: self.start, ..Opening::new(Variant::Reconnaissance, place.color) };
                Ok(Box::new(program(command, opening, place)?))
            }
            _ => Err(SeatError::Game { agent: agent.name(), game: Variant::Reconnaissance }),
        }
    }
}

/// The player of the paper. Unless her name asks for growers, growing and solving take turns on one thread: in a match
/// games are what runs side by side, and with a budget of nodes they are then always the same.
fn thinker(game: &FogOfWar, name: &Obscuro, place: Place) -> Result<Thinker, SeatError> {
    let mut name = name.clone();
    // The seed of her name is one more number that makes games differ.
    name.settings.seed = place.seed.wrapping_add(name.settings.seed);
    let player = FogPlayer::new(game.start, place.color, &name, Some(1))?;
    Ok(Thinker::new(player, name.settings.seed))
}

/// How long a program may take to start and to get ready.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a program may think on a budget of nodes. How long they take is its own affair; one that hangs is found out
/// all the same.
const NODES_TIME: Duration = Duration::from_secs(60);

/// A program at the start of a game; its seed is that of the game, if it takes one. Like all players of matches it thinks
/// on one thread, if it lets others say so: games are what runs side by side.
fn program(command: &str, mut opening: Opening, place: Place) -> Result<Process, Fault> {
    let mut process = Process::start(command, PATIENCE, Errors::Shown)?;
    opening.options = vec![("Threads".to_owned(), "1".to_owned())];
    opening.options.extend(process.seed(place.seed).map(|seed| ("Seed".to_owned(), seed.to_string())));
    process.begin(&opening)?;
    // What comes past the margin is late anyway.
    process.patience = place.margin + Duration::from_secs(1);
    process.nodes_time = NODES_TIME;
    Ok(process)
}

impl Agent {
    /// Its name without switches.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Agent::Obscuro(_) => "obscuro",
            Agent::Zs21(_) => "zs21",
            Agent::Baseline(_) => "baseline",
            Agent::Level(level) => level.agent,
            Agent::Greedy => "greedy",
            Agent::Random => "random",
            Agent::Fleeing => "fleeing",
            Agent::Command(_) => "cmd",
        }
    }

    /// How many threads it keeps busy at its turn.
    #[must_use]
    pub fn threads(&self) -> usize {
        match self {
            Agent::Obscuro(name) => 1 + name.growers.unwrap_or(0),
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_play_a_game_says_so() {
        let place = Place { color: Color::White, seed: 1, margin: Duration::ZERO };
        for (name, plays) in [
            ("obscuro:eval=simple", [true, false, false]),
            ("fleeing", [true, false, false]),
            ("level3", [true, false, false]),
            ("random", [true; 3]),
        ] {
            let agent: Agent = name.parse().unwrap();
            let seated = [
                FogOfWar::default().seat(&agent, place).is_ok(),
                Kriegspiel::default().seat(&agent, place).is_ok(),
                Rbc::default().seat(&agent, place).is_ok(),
            ];
            assert_eq!(seated, plays, "{name}");
        }
        let refused = Rbc::default().seat(&Agent::Fleeing, place).err().unwrap();
        assert_eq!(refused.to_string(), "fleeing does not play Reconnaissance Blind Chess");
    }
}
