//! Measures of a strategy: its value, its exploitability, and the loss of each seat.
//!
//! A seat's loss is the game's value less its worst case, so it needs the game's value. Worst cases of strategies are
//! bounds of that: the value lies above every worst case of player one, and below what player two can be held to.
//! [`Bounds`] collects them, from as many strategies as one likes.

use scuro_core::Player;

use crate::strategy::Strategy;
use crate::tree::Tree;

/// The value of a pair of strategies to player one, and the values of the best responses to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The value of the pair to player one.
    pub value: f64,
    /// The values of the best responses of player one and of player two, each to the player that responds.
    pub answers: [f64; 2],
}

impl Measure {
    /// Measures `strategy`.
    #[must_use]
    pub fn of(tree: &Tree, strategy: &Strategy) -> Measure {
        let answers = Player::BOTH.map(|player| strategy.best_response(tree, player));
        Measure { value: strategy.value(tree), answers }
    }

    /// Returns half of what both players together could gain by best responses.
    #[must_use]
    pub fn exploitability(&self) -> f64 {
        // Rounding may put an equilibrium a last digit below nothing.
        (self.answers.iter().sum::<f64>() / 2.0).max(0.0)
    }

    /// Returns the loss of each seat: the game's value to it, less its worst case.
    #[must_use]
    pub fn losses(&self, game_value: f64) -> [f64; 2] {
        let [one, two] = self.answers;
        [game_value + two, one - game_value].map(|loss| loss.max(0.0))
    }
}

/// Bounds of the value of a game to player one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// At least this.
    pub low: f64,
    /// At most this.
    pub high: f64,
}

impl Bounds {
    /// Returns the bounds that the worst cases of one pair give.
    #[must_use]
    pub fn of(measure: &Measure) -> Bounds {
        let [one, two] = measure.answers;
        // Rounding may make them cross.
        Bounds { low: (-two).min(one), high: one.max(-two) }
    }

    /// Returns the bounds that both give together.
    #[must_use]
    pub fn and(self, other: Bounds) -> Bounds {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        Bounds { low: low.min(high), high: high.max(low) }
    }

    /// Returns the middle: at most half their width from the value.
    #[must_use]
    pub fn middle(self) -> f64 {
        self.low / 2.0 + self.high / 2.0
    }
}
