//! A move: from, to and what a pawn becomes, in 16 bits; written and read in UCI.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{Piece, Square};
use thiserror::Error;

/// A move of one man. Castling is the move of the king, `e1g1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// A move that promotes nothing.
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from as u16 | (to as u16) << 6)
    }

    /// A move of a pawn that becomes `piece`.
    #[must_use]
    pub const fn promoting(from: Square, to: Square, piece: Piece) -> Move {
        Move(from as u16 | (to as u16) << 6 | (piece as u16) << 12)
    }

    /// The square it leaves.
    #[must_use]
    pub fn from(self) -> Square {
        Square::index((self.0 & 63) as usize)
    }

    /// The square it goes to.
    #[must_use]
    pub fn to(self) -> Square {
        Square::index((self.0 >> 6 & 63) as usize)
    }

    /// What the pawn becomes.
    #[must_use]
    pub fn promotion(self) -> Option<Piece> {
        match self.0 >> 12 {
            0 => None,
            index => Some(Piece::index(index as usize)),
        }
    }
}

/// The pieces a pawn may become, in the order moves are generated.
pub(crate) const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// Whether a move of a man of this kind is castling: no king goes two squares otherwise.
pub(crate) fn castles(piece: Piece, m: Move) -> bool {
    piece == Piece::King && (m.from() as u8).abs_diff(m.to() as u8) == 2
}

/// UCI: `e2e4`, `e7e8q`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(piece) => write!(f, "{}", char::from(piece)),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a move in UCI.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MoveError {
    /// Not four or five characters.
    #[error("'{0}' is not a move: expected two squares and perhaps a promotion, such as e2e4 or e7e8q")]
    Shape(String),
    /// One of the two squares does not exist.
    #[error("'{text}' is not a move: '{square}' is not a square")]
    Square {
        /// The whole text.
        text: String,
        /// The part that is wrong.
        square: String,
    },
    /// The last letter is not q, r, b or n.
    #[error("'{text}' is not a move: cannot promote to '{letter}', only to q, r, b or n")]
    Promotion {
        /// The whole text.
        text: String,
        /// The letter that is wrong.
        letter: String,
    },
}

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Move, MoveError> {
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(MoveError::Shape(text.to_owned()));
        }
        let square = |part: &str| {
            part.parse::<Square>()
                .map_err(|_| MoveError::Square { text: text.to_owned(), square: part.to_owned() })
        };
        let (from, to) = (square(&text[..2])?, square(&text[2..4])?);
        match &text[4..] {
            "" => Ok(Move::new(from, to)),
            letter => PROMOTIONS
                .into_iter()
                .find(|&piece| letter == char::from(piece).to_string())
                .map(|piece| Move::promoting(from, to, piece))
                .ok_or_else(|| MoveError::Promotion { text: text.to_owned(), letter: letter.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_round_trips() {
        for from in Square::ALL {
            for to in Square::ALL {
                let plain = [Move::new(from, to)];
                for m in plain.into_iter().chain(PROMOTIONS.map(|p| Move::promoting(from, to, p))) {
                    assert_eq!(m.to_string().parse(), Ok(m));
                }
            }
        }
    }

    #[test]
    fn wrong_moves_name_the_wrong_part() {
        for (text, part) in
            [("", "''"), ("e2", "'e2'"), ("e2e9", "'e9'"), ("i2e4", "'i2'"), ("e7e8k", "'k'"), ("é2e4", "é")]
        {
            let error = text.parse::<Move>().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
