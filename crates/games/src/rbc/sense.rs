//! The sense: the true content of a square and of its neighbours.

use std::fmt;

use cozy_chess::get_king_moves;

use super::game::RbcError;
use crate::chess::{BitBoard, Board, Color, Piece, Rank, Square, letter};

/// The square that has this number, 0 for a1 to 63 for h8.
///
/// # Errors
/// If there is no such square.
pub fn sense_square(number: i64) -> Result<Square, RbcError> {
    usize::try_from(number).ok().and_then(Square::try_index).ok_or(RbcError::Square(number))
}

/// What a sense shows. Kept as sets of squares, so that a position is compared with it in a few steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sensed {
    square: Option<Square>,
    colors: [BitBoard; 2],
    pieces: [BitBoard; 6],
}

impl Sensed {
    /// What sensing `square` shows on `board`; without a square, nothing.
    #[must_use]
    pub fn of(board: &Board, square: Option<Square>) -> Sensed {
        let area = area(square);
        Sensed {
            square,
            colors: Color::ALL.map(|color| board.colors(color) & area),
            pieces: Piece::ALL.map(|piece| board.pieces(piece) & area),
        }
    }

    /// What sensing `square` showed, content by content; what lies outside its window is left out.
    #[must_use]
    pub fn shown(
        square: Option<Square>,
        content: impl IntoIterator<Item = (Square, Option<(Color, Piece)>)>,
    ) -> Sensed {
        let mut sensed = Sensed { square, colors: [BitBoard::EMPTY; 2], pieces: [BitBoard::EMPTY; 6] };
        for (at, man) in content.into_iter().filter(|(at, _)| area(square).has(*at)) {
            if let Some((color, piece)) = man {
                sensed.colors[color as usize] |= at.bitboard();
                sensed.pieces[piece as usize] |= at.bitboard();
            }
        }
        sensed
    }

    /// The square that was named.
    #[must_use]
    pub fn square(&self) -> Option<Square> {
        self.square
    }

    /// The squares that were shown.
    #[must_use]
    pub fn area(&self) -> BitBoard {
        area(self.square)
    }

    /// Whether the same sense would show the same on `board`.
    #[must_use]
    #[inline]
    pub fn fits(&self, board: &Board) -> bool {
        let area = self.area();
        let same = |shown: BitBoard, there: BitBoard| shown == there & area;
        Color::ALL.into_iter().all(|color| same(self.colors[color as usize], board.colors(color)))
            && Piece::ALL.into_iter().all(|piece| same(self.pieces[piece as usize], board.pieces(piece)))
    }

    /// The man that was shown on `square`.
    #[must_use]
    pub fn man_on(&self, square: Square) -> Option<(Color, Piece)> {
        let color = Color::ALL.into_iter().find(|&color| self.colors[color as usize].has(square))?;
        let piece = Piece::ALL.into_iter().find(|&piece| self.pieces[piece as usize].has(square))?;
        Some((color, piece))
    }

    /// The squares that were shown with their content, rank by rank from above, each from the a-side.
    pub fn squares(&self) -> impl Iterator<Item = (Square, Option<(Color, Piece)>)> {
        let ranks = Rank::ALL.into_iter().rev();
        ranks.flat_map(|rank| self.area() & rank.bitboard()).map(|square| (square, self.man_on(square)))
    }

    /// What was shown as rows from above, as in `rn./ppp/...`; a dot is an empty square.
    #[must_use]
    pub fn rows(&self) -> String {
        let row = |rank: BitBoard| -> String {
            let man = |square| self.man_on(square).map_or('.', |(color, piece)| letter(piece, color));
            rank.into_iter().map(man).collect()
        };
        let ranks = Rank::ALL.into_iter().rev().map(|rank| self.area() & rank.bitboard());
        ranks.filter(|rank| !rank.is_empty()).map(row).collect::<Vec<String>>().join("/")
    }
}

/// A square and its neighbours.
#[inline]
fn area(square: Option<Square>) -> BitBoard {
    square.map_or(BitBoard::EMPTY, |square| get_king_moves(square) | square.bitboard())
}

/// As in `a2=P b2=P a1=R b1=.`.
impl fmt::Display for Sensed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (square, man)) in self.squares().enumerate() {
            let gap = if i == 0 { "" } else { " " };
            write!(f, "{gap}{square}={}", man.map_or('.', |(color, piece)| letter(piece, color)))?;
        }
        Ok(())
    }
}
