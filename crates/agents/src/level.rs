//! Levels: the strongest player of each game made weaker by degrees, for people to play against.
//!
//! A level is a budget of nodes, so that it plays alike on every machine, a belief, a sample of it, and a share of choices on
//! which it slips: it plays any move at all, or one that looks right at a glance. How much each level is better than
//! the one below is measured in `docs/results.md`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use scuro_core::Random;
use scuro_games::seat::Seat;

use crate::contestant::{Allowance, Contestant, Fault, Notes};
use crate::name::{Believing, Obscuro};
use crate::player::{Playable, Whereabouts};
use crate::seat::{Place, Seated};

/// How well somebody plays.
#[derive(Debug, PartialEq, Eq)]
pub struct Level {
    /// From 1, the weakest.
    pub number: u8,
    /// The agent of this level is called so.
    pub agent: &'static str,
    /// A name for people.
    pub name: &'static str,
    /// How it plays, for people.
    pub text: &'static str,
    /// The most nodes that are made at a turn.
    pub nodes: usize,
    /// Positions that are looked at.
    pub sample: usize,
    /// Positions that the belief keeps.
    pub positions: usize,
    /// The share of turns on which it slips, in percent.
    pub slips: u32,
    /// What it plays then.
    pub slip: Slip,
}

/// What is played instead of a move that was thought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// Any move.
    Any,
    /// A move that looks right at a glance: it takes what can be seen, and else keeps out of reach of what can be seen.
    Glance,
}

/// The levels, the weakest first.
pub const LEVELS: [Level; 8] = [
    Level {
        number: 1,
        agent: "level1",
        name: "First steps",
        text: "Mostly moves anything anywhere: for a first game in the dark.",
        nodes: 100,
        sample: 8,
        positions: 1_000,
        slips: 80,
        slip: Slip::Any,
    },
    Level {
        number: 2,
        agent: "level2",
        name: "Beginner",
        text: "Knows what it wants, and every other move forgets it.",
        nodes: 200,
        sample: 16,
        positions: 2_000,
        slips: 50,
        slip: Slip::Any,
    },
    Level {
        number: 3,
        agent: "level3",
        name: "Casual",
        text: "Plays sensible moves with a blunder now and then.",
        nodes: 400,
        sample: 32,
        positions: 5_000,
        slips: 25,
        slip: Slip::Any,
    },
    Level {
        number: 4,
        agent: "level4",
        name: "Careful",
        text: "Seldom gives anything away, but often plays the first move that looks right.",
        nodes: 800,
        sample: 64,
        positions: 10_000,
        slips: 20,
        slip: Slip::Glance,
    },
    Level {
        number: 5,
        agent: "level5",
        name: "Steady",
        text: "Thinks about what it cannot see, a little, on nearly every move.",
        nodes: 2_000,
        sample: 64,
        positions: 20_000,
        slips: 11,
        slip: Slip::Glance,
    },
    Level {
        number: 6,
        agent: "level6",
        name: "Strong",
        text: "Thinks about nearly every move, and bluffs.",
        nodes: 6_000,
        sample: 128,
        positions: 50_000,
        slips: 6,
        slip: Slip::Glance,
    },
    Level {
        number: 7,
        agent: "level7",
        name: "Stronger",
        text: "Looks further ahead, and seldom moves without a thought.",
        nodes: 20_000,
        sample: 256,
        positions: 100_000,
        slips: 3,
        slip: Slip::Glance,
    },
    Level {
        number: 8,
        agent: "level8",
        name: "Full strength",
        text: "All that the engine can do in half a second to a second a move.",
        nodes: 120_000,
        sample: 256,
        positions: 200_000,
        slips: 0,
        slip: Slip::Glance,
    },
];

/// Memory for the tree and the belief of any level, in MB: more than they need, so that it decides nothing.
const MEMORY: usize = 1024;

impl Level {
    /// The level of this number, if there is one.
    #[must_use]
    pub fn of(number: u8) -> Option<&'static Level> {
        LEVELS.iter().find(|level| level.number == number)
    }

    /// The level whose agent is called so, if there is one.
    #[must_use]
    pub fn called(agent: &str) -> Option<&'static Level> {
        LEVELS.iter().find(|level| level.agent == agent)
    }

    /// The player of the paper at this level, before it slips.
    pub(crate) fn obscuro(&self, seed: u64, most: usize) -> Obscuro {
        let mut name = Obscuro {
            // The levels were measured so.
            belief: Some(Believing::Uniform),
            sample: self.sample,
            positions: Some(self.positions.min(most)),
            hash: MEMORY,
            growers: Some(0),
            ..Obscuro::default()
        };
        name.settings.nodes = Some(self.nodes);
        name.settings.seed = seed;
        name
    }
}

/// A level at a board.
pub struct LevelPlayer<G: Playable> {
    level: &'static Level,
    game: G,
    seat: Seat<G>,
    player: Seated<G>,
    random: Random,
}

impl<G: Playable> LevelPlayer<G> {
    /// At the start of a game; `player` thinks, within the bounds of the level.
    pub fn new(level: &'static Level, game: G, place: Place, player: Seated<G>) -> LevelPlayer<G> {
        let seat = Seat::new(&game, place.color);
        LevelPlayer { level, game, seat, player, random: Random::new(!place.seed) }
    }
}

impl<G: Playable> Contestant<G> for LevelPlayer<G> {
    fn see(&mut self, own: Option<G::Action>, told: &G::Told) {
        // What nobody can be told changes nothing.
        let _ = self.seat.see(&self.game, own, told);
        self.player.see(own, told);
    }

    /// It thinks also when it slips, so that its next thought has something to go on with.
    fn choose(&mut self, choices: &[G::Action], allowance: Allowance) -> Result<G::Action, Fault> {
        let thought = self.player.choose(choices, allowance)?;
        if self.random.below(100) >= self.level.slips as usize {
            return Ok(thought);
        }
        Ok(match self.level.slip {
            Slip::Any => choices[self.random.below(choices.len())],
            Slip::Glance => self.game.glance(self.seat.view(), choices, &mut self.random),
        })
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.player.stop_by(stop);
    }

    fn whereabouts(&self) -> Option<Whereabouts> {
        self.player.whereabouts()
    }

    fn notes(&self) -> Notes {
        self.player.notes()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use scuro_games::chess::Color;
    use scuro_games::fog::FogOfWar;
    use scuro_games::rbc::Rbc;
    use scuro_games::umpire::Umpire;

    use super::*;
    use crate::name::Agent;
    use crate::play::ply;
    use crate::seat::Seats;

    #[test]
    fn levels_are_numbered_and_called_by_their_numbers() {
        for (number, level) in (1..).zip(&LEVELS) {
            assert_eq!((level.number, level.agent.to_owned()), (number, format!("level{number}")));
            assert_eq!(Level::of(number), Some(level));
            assert_eq!(level.agent.parse(), Ok(Agent::Level(level)));
        }
        assert_eq!((Level::of(0), Level::of(9)), (None, None));
        assert!("level9".parse::<Agent>().is_err());
        assert!("level1:nodes=3".parse::<Agent>().is_err());
    }

    /// Higher levels think more, and slip less or less badly.
    #[test]
    fn levels_rise() {
        for pair in LEVELS.windows(2) {
            let [low, high] = pair else { continue };
            assert!(low.nodes <= high.nodes && low.positions <= high.positions, "{}", high.agent);
            assert!(low.slips >= high.slips || low.slip == Slip::Any && high.slip == Slip::Glance);
        }
    }

    /// The first plies of a level 1 as White against a level 5.
    fn plies<G: Seats>(game: &G, allowance: Allowance) -> Vec<G::Action> {
        let mut umpire = Umpire::new(game.clone());
        let [mut white, mut black] = [(0, Color::White), (4, Color::Black)].map(|(level, color)| {
            let place = Place { color, seed: 5, margin: Duration::ZERO };
            game.seat(&Agent::Level(&LEVELS[level]), place).unwrap()
        });
        for _ in 0..10 {
            ply(&mut umpire, [&mut *white, &mut *black], allowance).unwrap();
        }
        umpire.actions().to_vec()
    }

    /// Whatever the budget, a level makes no more nodes than its own, and games repeat with their seeds.
    #[test]
    fn a_level_is_its_own_budget() {
        let [some, more] = [1_000_000, 2_000_000].map(Allowance::Nodes);
        let fog = FogOfWar::default();
        assert_eq!(plies(&fog, some), plies(&fog, more));
        let rbc = Rbc::default();
        assert_eq!(plies(&rbc, some), plies(&rbc, more));
    }
}
