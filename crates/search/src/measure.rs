//! How good a strategy is: its value, its exploitability, and what each seat loses.
//!
//! A seat's loss is the game's value less her worst case, so it needs the game's value. What is certain about that
//! are the worst cases of strategies: the value lies above every one of player one's and below every one that player
//! two can be held to. [`Bounds`] collects them, from as many strategies as one likes.

use scuro_core::Player;

use crate::strategy::Strategy;
use crate::tree::Tree;

/// What a pair of strategies is worth to player one, and what best answers to it are worth to those who give them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The value of the pair to player one.
    pub value: f64,
    /// What the best answers of player one and of player two are worth to them.
    pub answers: [f64; 2],
}

impl Measure {
    /// Measures `strategy`.
    #[must_use]
    pub fn of(tree: &Tree, strategy: &Strategy) -> Measure {
        let answers = Player::BOTH.map(|player| strategy.best_response(tree, player));
        Measure { value: strategy.value(tree), answers }
    }

    /// Half of what both players together could gain by answering best.
    #[must_use]
    pub fn exploitability(&self) -> f64 {
        // Rounding may put an equilibrium a last digit below nothing.
        (self.answers.iter().sum::<f64>() / 2.0).max(0.0)
    }

    /// What each seat loses: the game's value to her, less her worst case.
    #[must_use]
    pub fn losses(&self, game_value: f64) -> [f64; 2] {
        let [one, two] = self.answers;
        [game_value + two, one - game_value].map(|loss| loss.max(0.0))
    }
}

/// Between what the value of a game to player one certainly lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// At least this.
    pub low: f64,
    /// At most this.
    pub high: f64,
}

impl Bounds {
    /// What the worst cases of one pair show.
    #[must_use]
    pub fn of(measure: &Measure) -> Bounds {
        let [one, two] = measure.answers;
        // Rounding may make them cross.
        Bounds { low: (-two).min(one), high: one.max(-two) }
    }

    /// What both show together.
    #[must_use]
    pub fn and(self, other: Bounds) -> Bounds {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        Bounds { low: low.min(high), high: high.max(low) }
    }

    /// The middle of them: at most half their width from the value.
    #[must_use]
    pub fn middle(self) -> f64 {
        self.low / 2.0 + self.high / 2.0
    }
}
