//! A position as a network sees it: once through the eyes of each side.
//!
//! One input for every kind of man, own and theirs, on every square. Each side looks at the board from its own
//! first rank, and in a mirror when its king stands on the files e to h: so the king is always on the left half,
//! and what was learned for one wing holds for the other.

use scuro_games::chess::{Board, Color, File, Piece, Square};

/// How many inputs there are for one side: own and their men, six kinds, 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;

/// How many sets of output weights there are, by how many men are left.
pub const BUCKETS: usize = 8;

/// Whether `side` looks at the board in a mirror.
#[must_use]
pub fn mirrored(board: &Board, side: Color) -> bool {
    board.king(side).is_some_and(|king| king.file() >= File::E)
}

/// The input of a man, through the eyes of `side`.
#[must_use]
#[inline]
pub fn feature(side: Color, mirrored: bool, color: Color, piece: Piece, square: Square) -> usize {
    let flip = if side == Color::Black { 56 } else { 0 } ^ if mirrored { 7 } else { 0 };
    (usize::from(color != side) * 6 + piece as usize) * 64 + (square as usize ^ flip)
}

/// Which set of output weights a position uses: the fewer men, the lower.
#[must_use]
pub fn bucket(board: &Board) -> usize {
    bucket_of(board.occupied().len())
}

/// Which set of output weights a position with so many men uses.
#[must_use]
#[inline]
pub fn bucket_of(men: u32) -> usize {
    ((men as usize).saturating_sub(1) / 4).min(BUCKETS - 1)
}
