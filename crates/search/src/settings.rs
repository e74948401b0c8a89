//! The settings of the player, and how long it may search.

use std::time::Duration;

use crate::carry::{Carrying, Gift, Keep, Prior};
use crate::choose::Purify;
use crate::explore::{Explore, Spread};
use crate::subgame::SubgameSettings;

/// Which strategy is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterate {
    /// The last one.
    Last,
    /// The average of all.
    Average,
}

/// Where the first tree of a game starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// At the start of the game, with all that both players have seen since.
    Root,
    /// At the positions of the belief; at each of them the opponent is assumed to know everything.
    Fresh,
}

/// How their infosets are weighted in the mean that is the value I expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// By the gadget's root strategy.
    Entered,
    /// By the priors.
    Prior,
}

/// The settings of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Where the first tree starts.
    pub opening: Opening,
    /// How the tree is carried over.
    pub carrying: Carrying,
    /// Whether my infosets that I am certainly not in keep their strategies (KLSS).
    pub freeze: bool,
    /// Which side explores.
    pub explore: Explore,
    /// How the spread of values is measured.
    pub spread: Spread,
    /// Which strategy is played.
    pub iterate: Iterate,
    /// How much of its mixing is kept.
    pub purify: Purify,
    /// How the value that I expect is computed.
    pub expect: Expect,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The most nodes that are made in a turn, whatever the budget.
    pub nodes: Option<usize>,
    /// The most iterations in a turn, whatever the budget.
    pub iterations: Option<u64>,
    /// The memory at which the tree stops growing, in bytes.
    pub bytes: usize,
}

impl Settings {
    /// Returns the settings of a subgame that starts with this seed.
    pub(crate) fn subgame(&self, seed: u64) -> SubgameSettings {
        SubgameSettings {
            freeze: self.freeze,
            explore: self.explore,
            spread: self.spread,
            averaging: self.iterate == Iterate::Average,
            seed,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            opening: Opening::Root,
            carrying: Carrying {
                order: Some(2),
                gift: Gift::Split,
                prior: Prior::Mixed,
                keep: Keep::All,
                prior_bonus: 0,
            },
            freeze: false,
            explore: Explore::One,
            spread: Spread::Taken,
            iterate: Iterate::Last,
            purify: Purify::On,
            expect: Expect::Entered,
            seed: 1,
            nodes: None,
            iterations: None,
            bytes: usize::MAX,
        }
    }
}

/// How long a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// The whole subgame is grown first, then solved.
    Whole {
        /// The most nodes.
        nodes: usize,
        /// The number of iterations.
        iterations: u64,
    },
    /// Until so many nodes are made.
    Nodes(usize),
    /// For so long.
    Time(Duration),
    /// Until told to stop.
    Endless,
}

impl Budget {
    /// Returns the time for a move, given the time left on the clock and the increment per move.
    #[must_use]
    pub fn of_clock(left: Duration, increment: Duration) -> Budget {
        let share = left / 30 + increment * 3 / 4;
        // Never so much that the rest of the game, or a slow machine, has none.
        Budget::Time(share.min(left / 3).max(Duration::from_millis(5)))
    }
}
