//! What the search asks: how much a position is worth, and how much each of its children is.

use std::sync::Arc;

use scuro_games::chess::{Board, Move};

use crate::network::{Network, NetworkError};
use crate::nnue::Nnue;
use crate::quiescence::{Quiescence, Reach};
use crate::rules::Rules;
use crate::uci::UciError;

/// Values positions with both armies in sight. Only an external engine can fail.
///
/// All values are in [-1, 1], and from the view of the side to move in `board`. The same question has the same
/// answer, whatever was asked before.
pub trait Evaluator {
    /// What the position looks like at a glance.
    fn static_value(&mut self, board: &Board) -> Result<f32, UciError>;

    /// What the position is worth once captures are played out.
    fn value(&mut self, board: &Board) -> Result<f32, UciError>;

    /// Appends what each move is worth to the side that makes it: minus the value of the position after it. Under
    /// the rules of chess all must be legal.
    fn evaluate(&mut self, board: &Board, children: &[Move], values: &mut Vec<f32>) -> Result<(), UciError>;
}

/// The evaluator under these rules with the network of a file: one of ours, or one of Stockfish 15.1.
pub fn of_file(bytes: &[u8], rules: Rules) -> Result<Box<dyn Evaluator + Send>, NetworkError> {
    Ok(if Nnue::begins(bytes) {
        Box::new(Quiescence::new(Arc::new(Nnue::read(bytes)?), Reach::default()).under(rules))
    } else {
        Box::new(Quiescence::of_network(Arc::new(Network::read(bytes)?)).under(rules))
    })
}

impl<E: Evaluator + ?Sized> Evaluator for Box<E> {
    fn static_value(&mut self, board: &Board) -> Result<f32, UciError> {
        (**self).static_value(board)
    }

    fn value(&mut self, board: &Board) -> Result<f32, UciError> {
        (**self).value(board)
    }

    fn evaluate(&mut self, board: &Board, children: &[Move], values: &mut Vec<f32>) -> Result<(), UciError> {
        (**self).evaluate(board, children, values)
    }
}
