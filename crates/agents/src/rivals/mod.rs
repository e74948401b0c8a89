//! The opponents that a player is measured against.
//!
//! [`zs21`] and [`baseline`] share a [`shell`]; [`greedy`] takes what it sees; losing to [`random`] is a fault; and
//! [`fleeing`] sees everything, so it is told apart from all who play fair.

pub mod baseline;
pub mod fleeing;
pub mod greedy;
pub mod random;
pub mod shell;
pub mod zs21;

use scuro_games::chess::Piece;

/// The value of a piece in pawns.
pub(crate) fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 100,
    }
}
