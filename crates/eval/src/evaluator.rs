//! What the search asks: how much a position is worth, and how much each of its children is.

use scuro_games::chess::{Board, Move};

use crate::uci::UciError;

/// Values positions under the rules of Fog of War, both armies in sight. Only an external engine can fail.
///
/// All values are in [-1, 1], and from the view of the side to move in `board`. The same question has the same
/// answer, whatever was asked before.
pub trait Evaluator {
    /// What the position looks like at a glance.
    fn static_value(&mut self, board: &Board) -> Result<f32, UciError>;

    /// What the position is worth once captures are played out.
    fn value(&mut self, board: &Board) -> Result<f32, UciError>;

    /// Appends what each move is worth to the side that makes it: minus the value of the position after it.
    fn evaluate(&mut self, board: &Board, children: &[Move], values: &mut Vec<f32>) -> Result<(), UciError>;
}
