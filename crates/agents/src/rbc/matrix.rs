//! What comes of each request on each board that may be, and what that is worth.

use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Move, Piece};
use scuro_games::rbc::{admit, resolve};

use super::incentives::attacks_king;
pub(super) use crate::contestant::near_best;
use crate::player::Leaves;

/// No position is worth more than this, so that to take the king, worth 1, is better than any mate to come.
pub const MOST: f64 = 0.97;

/// What comes of a request on a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The move that is made, if one is.
    pub taken: Option<Move>,
    /// Whether it takes the king.
    pub takes_king: bool,
    /// Whether the own king can be taken then.
    pub exposed: bool,
    /// Whether it attacks their king unseen: it takes nothing, or another piece than the one moved attacks.
    pub sneaks: bool,
    /// Whether it brings the draw by the move limit nearer: no capture, and no move of a pawn.
    pub quiet: bool,
    /// What the evaluator makes of it, to the player.
    pub raw: f32,
}

impl Cell {
    /// What it is worth to the player: 1 if it takes the king, -1 if the own king can be taken then.
    #[must_use]
    pub fn value(&self) -> f64 {
        match (self.takes_king, self.exposed) {
            (true, _) => 1.0,
            (false, true) => -1.0,
            (false, false) => f64::from(self.raw).clamp(-MOST, MOST),
        }
    }
}

/// What comes of all requests on one board.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the board is worth to the player before its request.
    pub before: f32,
    /// One for each request.
    pub cells: Vec<Cell>,
}

impl Row {
    /// The row of `board`, on which the player is to move. What comes of several requests alike is valued once.
    pub fn of<E: Evaluator>(board: &Board, requests: &[Option<Move>], leaves: &mut Leaves<E>) -> Row {
        let taken: Vec<Option<Move>> = requests.iter().map(|&request| made(board, request)).collect();
        let mut moves: Vec<Move> = taken.iter().flatten().copied().collect();
        moves.sort_unstable();
        moves.dedup();
        let mut values = Vec::new();
        let evaluator = leaves.evaluator();
        if evaluator.evaluate(board, &moves, &mut values).is_err() {
            values.resize(moves.len(), 0.0);
        }
        let before = evaluator.value(board).unwrap_or_default();
        let mut passed = *board;
        passed.pass();
        let passing = Cell {
            taken: None,
            takes_king: false,
            exposed: passed.in_check(board.side()),
            sneaks: attacks_king(board, &passed, None),
            quiet: true,
            raw: -evaluator.value(&passed).unwrap_or_default(),
        };
        let made: Vec<Cell> =
            moves.iter().zip(values).map(|(&m, raw)| Cell { raw, ..outcome(board, m) }).collect();
        let cell = |taken: &Option<Move>| {
            taken.and_then(|m| moves.binary_search(&m).ok()).map_or(passing, |place| made[place])
        };
        Row { before, cells: taken.iter().map(cell).collect() }
    }

    /// How many positions were valued for it.
    #[must_use]
    pub fn valued(&self) -> usize {
        let mut taken: Vec<Option<Move>> = self.cells.iter().map(|cell| cell.taken).collect();
        taken.sort_unstable();
        taken.dedup();
        taken.len() + 1
    }
}

/// The move that comes of a request, if one does.
pub(super) fn made(board: &Board, request: Option<Move>) -> Option<Move> {
    request.and_then(|request| admit(board, request).ok()).and_then(|request| resolve(board, request))
}

fn outcome(board: &Board, m: Move) -> Cell {
    let takes_king = board.captured_by(m).is_some_and(|(_, piece)| piece == Piece::King);
    let after = board.play(m);
    let exposed = !takes_king && after.in_check(board.side());
    let sneaks = !takes_king && attacks_king(board, &after, Some(m));
    Cell { taken: Some(m), takes_king, exposed, sneaks, quiet: after.clock() > 0, raw: 0.0 }
}
