//! What a player can work out: all positions that fit everything she was told.

use std::hash::Hash;

use crate::game::Player;

/// A game whose hidden positions can be followed step by step.
///
/// A *position* is what stands on the board and what of the past the rules still look at, without counters:
/// two states that a player cannot tell apart now and that offer the same futures are one position.
pub trait Positions: Sync {
    /// What is to be guessed.
    type Position: Copy + Eq + Ord + Hash + Send + Sync;
    /// What a player learns in one step: an answer to her own action, or what she hears of the opponent's.
    type Told: Sync;

    /// Appends every position that can follow `position` in a step in which `player` is told `told`; none if
    /// `told` rules `position` out. May append a position more than once.
    fn follow(
        &self,
        position: &Self::Position,
        player: Player,
        told: &Self::Told,
        out: &mut Vec<Self::Position>,
    );
}
