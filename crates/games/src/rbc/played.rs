//! A game that was played, with all its secrets, and its replay under our rules.

use thiserror::Error;

use super::game::{Moved, Rbc, RbcError, RbcState};
use super::sense::Sensed;
use crate::chess::{Color, Move, Square};
use crate::outcome::Outcome;

/// What a player did in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RbcTurn {
    /// The square she sensed, if any.
    pub sense: Option<Square>,
    /// The move she requested; `None` is a pass.
    pub request: Option<Move>,
}

/// A game as it was played. What the players were told follows from it by [`RbcGame::replay`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RbcGame {
    /// The first position and the limits.
    pub rules: Rbc,
    /// The names of White and of Black.
    pub names: [String; 2],
    /// The turns, of both sides in turn.
    pub turns: Vec<RbcTurn>,
    /// The sense of a turn that was not finished: a clock may run out between sense and request.
    pub unfinished: Option<Option<Square>>,
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
}

/// One turn with everything that was told in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Whose turn it was.
    pub side: Color,
    /// The state before the turn.
    pub before: RbcState,
    /// What the sense showed.
    pub sensed: Sensed,
    /// What became of the request.
    pub moved: Moved,
    /// The state after the turn.
    pub after: RbcState,
}

/// A turn that the rules do not allow.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("turn {turn}: {error}")]
pub struct ReplayError {
    /// The place among the turns of both sides, from 0.
    pub turn: usize,
    /// What is wrong.
    pub error: RbcError,
}

impl RbcGame {
    /// Plays the turns under the rules, up to the first that they do not allow.
    pub fn replay(&self) -> impl Iterator<Item = Result<Played, ReplayError>> {
        let mut state = Some(self.rules.first());
        self.turns.iter().enumerate().map_while(move |(turn, played)| {
            let before = state.take()?;
            let result = self.rules.turn_played(&before, *played);
            state = result.as_ref().ok().map(|played| played.after);
            Some(result.map_err(|error| ReplayError { turn, error }))
        })
    }
}

impl Rbc {
    /// One whole turn.
    ///
    /// # Errors
    /// If the game is over or the request is not admissible.
    pub fn turn_played(&self, before: &RbcState, turn: RbcTurn) -> Result<Played, RbcError> {
        let mut after = *before;
        let sensed = self.sense(&mut after, turn.sense)?;
        let moved = self.request(&mut after, turn.request)?;
        Ok(Played { side: before.board().side(), before: *before, sensed, moved, after })
    }
}
