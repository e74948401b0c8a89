//! From a name to a contestant at a board: who plays which game.

use std::time::Duration;

use scuro_games::Variant;
use scuro_games::chess::Color;
use scuro_games::dark::Rules;
use scuro_games::fog::FogOfWar;
use scuro_games::kriegspiel::Kriegspiel;
use scuro_games::rbc::Rbc;
use thiserror::Error;

use crate::contestant::{Contestant, Fault};
use crate::kriegspiel::darkboard::book::BookError;
use crate::kriegspiel::darkboard::weights::WeightsError;
use crate::kriegspiel::name::KriegspielAgent;
use crate::level::{Level, LevelPlayer};
use crate::name::{AGENTS, Agent, EvalError, Obscuro};
use crate::player::Player;
use crate::protocol::dialect::Dialect;
use crate::protocol::process::{Errors, GameSetup, Process};
use crate::rbc::name::RbcAgent;
use crate::rivals::fleeing::{Fleeing, Omniscient};
use crate::rivals::greedy::Greedy;
use crate::rivals::random::RandomMover;
use crate::rivals::shell::Rival;

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
    /// The player sees everything, and so sits at no table but that of a match.
    #[error("{agent} sees the whole board: it plays in matches alone")]
    Omniscient {
        /// Who.
        agent: &'static str,
    },
    /// Nothing is hidden in the game.
    #[error("{0} hides nothing")]
    Light(Variant),
    /// There is no evaluator.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// There is no such book.
    #[error(transparent)]
    Book(#[from] BookError),
    /// There are no such weights.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// It sat down and failed at once, as only another program can: that loses the game, and is no reason not to play.
    #[error(transparent)]
    Start(#[from] Fault),
}

/// The share of a turn's time that the judge of a game takes where another player thinks too.
pub const JUDGE_SHARE: f64 = 0.3;

/// A game for which players can be seated.
pub trait Seats: Dialect {
    /// The strongest player of the game: people meet it unless they ask for another, and levels are made of it.
    const STRONGEST: &'static str = "obscuro";

    /// The player that can say what each choice of the game is worth, and why, if there is one.
    const JUDGE: Option<&'static str> = None;

    /// The same rules, whichever game it is.
    fn rules(&self) -> Rules;

    /// The contestant that a player of this game alone is, if it is one.
    ///
    /// # Errors
    /// If it cannot play.
    fn native(&self, _agent: &Agent, _place: Place) -> Result<Option<Seated<Self>>, SeatError> {
        Ok(None)
    }

    /// The strongest player within the bounds of a level.
    ///
    /// # Errors
    /// If it cannot play.
    fn thinker(&self, level: &Level, place: Place) -> Result<Seated<Self>, SeatError> {
        let name = level.obscuro(place.seed, Self::POSITIONS);
        Ok(Box::new(Player::new(self.clone(), place.color, &name, None)?))
    }

    /// The opponent that sees everything, if the agent is one: for matches, and never at a server.
    fn omniscient(&self, _agent: &Agent, _seed: u64) -> Option<Box<dyn Omniscient<Self> + Send>> {
        None
    }

    /// The contestant that `agent` is at this board.
    ///
    /// # Errors
    /// If the agent does not play this game, or cannot.
    fn seat(&self, agent: &Agent, place: Place) -> Result<Seated<Self>, SeatError> {
        agent.check_seat(Self::VARIANT)?;
        match agent {
            Agent::Obscuro(name) => Ok(Box::new(player(self, name, place)?)),
            Agent::Level(level) => {
                let thinker = self.thinker(level, place)?;
                Ok(Box::new(LevelPlayer::new(level, self.clone(), place, thinker)))
            }
            Agent::Random => Ok(Box::new(RandomMover::new(place.seed))),
            Agent::Command(command) => {
                Ok(Box::new(program(command, GameSetup::new(self.rules(), place.color), place)?))
            }
            agent => {
                self.native(agent, place)?.ok_or(SeatError::Game { agent: agent.name(), game: Self::VARIANT })
            }
        }
    }
}

impl Seats for FogOfWar {
    fn rules(&self) -> Rules {
        Rules::Fog(*self)
    }

    fn native(&self, agent: &Agent, place: Place) -> Result<Option<Seated<FogOfWar>>, SeatError> {
        Ok(match agent {
            Agent::Zs21(eval) => Some(Box::new(Rival::zs21(*self, place.color, eval, place.seed)?)),
            Agent::Baseline(eval) => Some(Box::new(Rival::baseline(*self, place.color, eval, place.seed)?)),
            Agent::Greedy => Some(Box::new(Greedy::new(self.start, place.color, place.seed))),
            _ => None,
        })
    }

    fn omniscient(&self, agent: &Agent, seed: u64) -> Option<Box<dyn Omniscient<FogOfWar> + Send>> {
        if *agent == Agent::Fleeing { Some(Box::new(Fleeing::new(seed))) } else { None }
    }
}

impl Seats for Kriegspiel {
    const STRONGEST: &'static str = "particles";
    const JUDGE: Option<&'static str> = Some("particles");

    fn rules(&self) -> Rules {
        Rules::Kriegspiel(*self)
    }

    fn native(&self, agent: &Agent, place: Place) -> Result<Option<Seated<Kriegspiel>>, SeatError> {
        let Agent::Kriegspiel(agent) = agent else { return Ok(None) };
        Ok(Some(agent.seat(*self, place.color, place.seed)?))
    }

    fn thinker(&self, level: &Level, place: Place) -> Result<Seated<Kriegspiel>, SeatError> {
        KriegspielAgent::of_level(level).seat(*self, place.color, place.seed)
    }
}

impl Seats for Rbc {
    const STRONGEST: &'static str = "recon";
    const JUDGE: Option<&'static str> = Some("recon");

    fn rules(&self) -> Rules {
        Rules::Rbc(*self)
    }

    fn native(&self, agent: &Agent, place: Place) -> Result<Option<Seated<Rbc>>, SeatError> {
        let Agent::Rbc(agent) = agent else { return Ok(None) };
        Ok(Some(agent.seat(*self, place.color, place.seed)?))
    }

    fn thinker(&self, level: &Level, place: Place) -> Result<Seated<Rbc>, SeatError> {
        Ok(RbcAgent::of_level(level).seat(*self, place.color, place.seed)?)
    }
}

/// The player of the paper. Unless its name asks for growers, growing and solving take turns on one thread: in a match
/// games are what runs side by side, and with a budget of nodes they are then always the same.
fn player<G: Dialect>(game: &G, name: &Obscuro, place: Place) -> Result<Player<G>, SeatError> {
    let mut name = name.clone();
    // The seed of its name is one more number that makes games differ.
    name.settings.seed = place.seed.wrapping_add(name.settings.seed);
    Ok(Player::new(game.clone(), place.color, &name, Some(1))?)
}

/// How long a program may take to start and to get ready.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a program may think on a budget of nodes. How long they take is its own affair; one that hangs is found out
/// all the same.
const NODES_TIME: Duration = Duration::from_secs(60);

/// A program at the start of a game; its seed is that of the game, if it takes one. Like all players of matches it thinks
/// on one thread, if it lets others say so: games are what runs side by side.
fn program(command: &str, mut setup: GameSetup, place: Place) -> Result<Process, Fault> {
    let mut process = Process::start(command, PATIENCE, Errors::Shown)?;
    setup.options = vec![("Threads".to_owned(), "1".to_owned())];
    setup.options.extend(process.seed(place.seed).map(|seed| ("Seed".to_owned(), seed.to_string())));
    process.begin(&setup)?;
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
            Agent::Kriegspiel(agent) => agent.name(),
            Agent::Rbc(agent) => agent.name(),
            Agent::Command(_) => "cmd",
        }
    }

    /// The games that it plays.
    #[must_use]
    pub fn games(&self) -> &'static [Variant] {
        let listed = AGENTS.iter().find(|listed| listed.name == self.name());
        // Levels are players of every game.
        listed.map_or(&Variant::DARK, |listed| listed.games)
    }

    /// Whether it plays a game.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, game: Variant) -> Result<(), SeatError> {
        if self.games().contains(&game) {
            return Ok(());
        }
        Err(SeatError::Game { agent: self.name(), game })
    }

    /// Whether it can sit at a table of a game, where nobody sees more than its side.
    ///
    /// # Errors
    /// If it does not play the game, or sees everything.
    pub fn check_seat(&self, game: Variant) -> Result<(), SeatError> {
        self.check(game)?;
        if *self == Agent::Fleeing {
            return Err(SeatError::Omniscient { agent: self.name() });
        }
        Ok(())
    }

    /// How many threads it keeps busy at its turn.
    #[must_use]
    pub fn threads(&self) -> usize {
        match self {
            Agent::Obscuro(name) => 1 + name.growers.unwrap_or(0),
            Agent::Kriegspiel(agent) => agent.threads,
            Agent::Rbc(agent) => agent.threads,
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
            ("obscuro:eval=simple", [true; 3]),
            ("greedy", [true, false, false]),
            ("level3", [true; 3]),
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
        let refused = Rbc::default().seat(&Agent::Greedy, place).err().unwrap();
        assert_eq!(refused.to_string(), "greedy does not play Reconnaissance Blind Chess");
        // Who sees everything sits at no table that a person could sit at.
        let refused = FogOfWar::default().seat(&Agent::Fleeing, place).err().unwrap();
        assert_eq!(refused.to_string(), "fleeing sees the whole board: it plays in matches alone");
        assert!(FogOfWar::default().omniscient(&Agent::Fleeing, 1).is_some());
    }
}
