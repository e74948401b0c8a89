//! What a player can work out: all positions that fit everything it was told.

use std::hash::Hash;

use crate::game::{Game, Player};

/// Positions that can follow another, each with the opponent's action that leads there, if the opponent acted.
pub type Successors<A, P> = Vec<(Option<A>, P)>;

/// A game whose hidden positions can be followed step by step.
///
/// A *position* is what stands on the board and what of the past the rules still look at, without counters:
/// two states that a player cannot tell apart now and that offer the same futures are one position.
pub trait Positions: Game<Action: Send + Sync, Told: Send + Sync> + Sync {
    /// What is to be guessed.
    type Position: Copy + Eq + Ord + Hash + Send + Sync;

    /// The position of a state.
    fn position(&self, state: &Self::State) -> Self::Position;

    /// The step in which `player` is told `told`; `own` is its own action, if the step was its own.
    ///
    /// Asked about a position, the step appends every position that can follow it, with the opponent's action that
    /// leads there, if the opponent acted; none if `told` rules the position out. May append a position more than once.
    fn follow(
        &self,
        player: Player,
        own: Option<Self::Action>,
        told: &Self::Told,
    ) -> impl Fn(&Self::Position, &mut Successors<Self::Action, Self::Position>) + Sync;

    /// The kind of a position: what `player` cannot see of it and moves hardly change, as the material of the opponent. A
    /// sample of positions keeps some of every kind.
    fn kind(&self, _player: Player, _position: &Self::Position) -> u64 {
        0
    }
}
