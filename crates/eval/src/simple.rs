//! The simple evaluation of the paper on Obscuro: material, and the number of squares that each player sees.
//!
//! The paper gives no weights. Ours: a pawn 1, knight and bishop 3, rook 5, queen 9, and a twentieth of a pawn for
//! every square more that a player sees.

use scuro_games::chess::{Board, Move, Piece};
use scuro_games::fog::lit;

use crate::quiescence::Opinion;
use crate::score::{MOST, UNIT};

/// What a man is worth in pawns. A king is beyond price, so it counts nothing.
#[must_use]
pub const fn pawns(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 0,
    }
}

/// How many more squares are worth a pawn.
const SQUARES_A_PAWN: i32 = 20;

/// Material and visible squares.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simple;

impl Opinion for Simple {
    fn moved(&mut self, _: &[Board], _: Move) {}

    fn score(&mut self, line: &[Board]) -> i32 {
        let Some(board) = line.last() else { return 0 };
        let count = |piece, color| board.men(color, piece).len() as i32;
        let side = board.side();
        let material: i32 =
            Piece::ALL.into_iter().map(|p| pawns(p) * (count(p, side) - count(p, !side))).sum();
        let squares = lit(board, side).len() as i32 - lit(board, !side).len() as i32;
        ((material * SQUARES_A_PAWN + squares) * UNIT / (6 * SQUARES_A_PAWN)).clamp(-MOST, MOST)
    }
}
