//! Forsyth-Edwards notation, read strictly: an error says which field is wrong, and where in it.
//!
//! What chess would never reach but the dark variants do is accepted: any number of men, kings that touch
//! or could be taken. An en passant square that no pawn can use is read and dropped.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{Color, File, Piece, Rank, Square};
use thiserror::Error;

use super::attacks::ahead;
use super::board::{Board, Castling, en_passant_victim};
use super::{color_name, letter};

/// Why a text is not a position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FenError {
    /// Not six fields.
    #[error("FEN: expected 6 fields (board, side, castling, en passant, clock, move number), found {0}")]
    Fields(usize),
    /// One field cannot be read.
    #[error("FEN, {0}")]
    Field(#[from] FieldError),
    /// A side with no king, or with several.
    #[error("FEN, board field: {} has {count} kings, expected exactly one", color_name(*color))]
    Kings {
        /// The side.
        color: Color,
        /// Its kings.
        count: u32,
    },
    /// A pawn where none can stand.
    #[error("FEN, board field: pawn on {0}, which no pawn can reach")]
    Pawn(Square),
    /// A castling right whose king or rook is not at home.
    #[error("FEN, castling field: '{right}' needs a {} {piece} on {square}", color_name(*color).to_lowercase())]
    Castling {
        /// The letter of the right.
        right: char,
        /// Whose right.
        color: Color,
        /// The man that is missing.
        piece: &'static str,
        /// Its home.
        square: Square,
    },
    /// An en passant square over which no pawn can just have stepped.
    #[error("FEN, en passant field: no {} pawn can just have stepped over {square}", color_name(*color).to_lowercase())]
    EnPassant {
        /// The square.
        square: Square,
        /// Whose pawn should have passed.
        color: Color,
    },
}

/// Why one field of a FEN, or of a fog FEN, cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FieldError {
    /// Not eight ranks.
    #[error("board field: expected 8 ranks, found {0}")]
    Ranks(usize),
    /// A rank that does not have eight squares.
    #[error("board field: rank {rank} has {squares} squares, expected 8")]
    Width {
        /// The rank, 1 to 8.
        rank: usize,
        /// Its squares.
        squares: usize,
    },
    /// A character that is no man.
    #[error("board field: '{found}' at {at} is not a man")]
    Man {
        /// The character.
        found: char,
        /// Its square, or its rank if it stands beyond the last square.
        at: String,
    },
    /// Two digits in a row, or a digit outside 1 to 8.
    #[error("board field: rank {rank} has a wrong count of empty squares '{found}'")]
    Digit {
        /// The rank, 1 to 8.
        rank: usize,
        /// The digits.
        found: String,
    },
    /// Neither `w` nor `b`.
    #[error("side field: expected 'w' or 'b', found '{0}'")]
    Side(String),
    /// Not `-` nor different letters of `KQkq`.
    #[error("castling field: expected '-' or letters of 'KQkq', each once, found '{0}'")]
    Castling(String),
    /// Not `-` nor a square behind a double step.
    #[error("en passant field: expected '-' or a square on rank {rank}, found '{found}'")]
    EnPassant {
        /// The rank that fits the side to move.
        rank: usize,
        /// The text.
        found: String,
    },
    /// A counter that is not a number in its range.
    #[error("{name} field: expected a number from {least} to 65535, found '{found}'")]
    Number {
        /// Which counter.
        name: &'static str,
        /// The smallest allowed.
        least: u16,
        /// The text.
        found: String,
    },
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Board, FenError> {
        Board::parse_keeping_passed(text).map(|(board, _)| board)
    }
}

impl Board {
    /// Reads a FEN, and beside the board the square over which a pawn has just stepped, whether or not another
    /// can take there: the FENs of Reconnaissance Blind Chess tell it.
    ///
    /// # Errors
    /// As reading a board.
    pub fn parse_keeping_passed(text: &str) -> Result<(Board, Option<Square>), FenError> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [placement, side, castling, en_passant, clock, number] = fields[..] else {
            return Err(FenError::Fields(fields.len()));
        };
        let mut board = Board::empty(parse_side(side)?);
        parse_placement(placement, Unseen::Refused, |square, what| {
            if let Seen::Man(color, piece) = what {
                board.put(color, piece, square);
            }
        })?;
        board.check_men()?;
        board.set_castling(parse_castling(castling)?);
        board.check_castling()?;
        let passed = parse_en_passant(en_passant, board.side())?;
        if let Some(square) = passed {
            board.check_en_passant(square)?;
            board.offer_en_passant(square);
        }
        board.clock = parse_number("clock", clock, 0)?;
        board.number = parse_number("move number", number, 1)?;
        Ok((board, passed))
    }

    fn check_men(&self) -> Result<(), FenError> {
        for color in Color::ALL {
            let count = self.men(color, Piece::King).len();
            if count != 1 {
                return Err(FenError::Kings { color, count });
            }
        }
        let edges = Rank::First.bitboard() | Rank::Eighth.bitboard();
        (self.pieces(Piece::Pawn) & edges).next_square().map_or(Ok(()), |square| Err(FenError::Pawn(square)))
    }

    fn check_castling(&self) -> Result<(), FenError> {
        for (color, file, right) in RIGHTS {
            if !self.castling().has(color, file) {
                continue;
            }
            let home = Rank::First.relative_to(color);
            for (file, piece, name) in [(File::E, Piece::King, "king"), (file, Piece::Rook, "rook")] {
                let square = Square::new(file, home);
                if !self.men(color, piece).has(square) {
                    return Err(FenError::Castling { right, color, piece: name, square });
                }
            }
        }
        Ok(())
    }

    /// The pawn stands where a double step ends, and the squares it came over are empty.
    fn check_en_passant(&self, square: Square) -> Result<(), FenError> {
        let color = !self.side();
        let came_over = square.bitboard() | ahead(square.bitboard(), self.side());
        let stands = self.men(color, Piece::Pawn).has(en_passant_victim(square));
        if stands && came_over.is_disjoint(self.occupied()) {
            Ok(())
        } else {
            Err(FenError::EnPassant { square, color })
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_placement(f, |square| self.man_on(square).map_or(Seen::Empty, |(c, p)| Seen::Man(c, p)))?;
        write!(f, " {} {} ", char::from(self.side()), self.castling())?;
        match self.en_passant() {
            Some(square) => write!(f, "{square}")?,
            None => f.write_str("-")?,
        }
        write!(f, " {} {}", self.clock(), self.number())
    }
}

const RIGHTS: [(Color, File, char); 4] = [
    (Color::White, File::H, 'K'),
    (Color::White, File::A, 'Q'),
    (Color::Black, File::H, 'k'),
    (Color::Black, File::A, 'q'),
];

/// As in a FEN: `KQkq` or `-`.
impl fmt::Display for Castling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Castling::NONE {
            return f.write_str("-");
        }
        RIGHTS
            .into_iter()
            .filter(|&(color, file, _)| self.has(color, file))
            .try_for_each(|(_, _, right)| write!(f, "{right}"))
    }
}

/// What a board field can say of a square. Only fog FENs have unseen ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It is not seen.
    Nothing,
    /// It is seen to be empty.
    Empty,
    /// This man is seen there.
    Man(Color, Piece),
}

/// Whether a board field may hold `?` and `*`, the unseen squares of a fog FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unseen {
    Allowed,
    Refused,
}

/// Reads a board field; `visit` is called for every square.
pub(crate) fn parse_placement(
    text: &str,
    unseen: Unseen,
    mut visit: impl FnMut(Square, Seen),
) -> Result<(), FieldError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FieldError::Ranks(ranks.len()));
    }
    for (index, rank) in Rank::ALL.into_iter().rev().enumerate() {
        parse_rank(ranks[index], rank, unseen, &mut visit)?;
    }
    Ok(())
}

fn parse_rank(
    text: &str,
    rank: Rank,
    unseen: Unseen,
    visit: &mut impl FnMut(Square, Seen),
) -> Result<(), FieldError> {
    let number = rank as usize + 1;
    let mut squares = 0;
    let mut digit_before: Option<char> = None;
    for found in text.chars() {
        let at = |squares: usize| match File::try_index(squares) {
            Some(file) => Square::new(file, rank).to_string(),
            None => format!("the end of rank {number}"),
        };
        let (count, what) = match found {
            '0'..='9' => {
                let count = found as usize - '0' as usize;
                if digit_before.is_some() || !(1..=8).contains(&count) {
                    let found = digit_before.into_iter().chain([found]).collect();
                    return Err(FieldError::Digit { rank: number, found });
                }
                (count, Seen::Empty)
            }
            '?' | '*' if unseen == Unseen::Allowed => (1, Seen::Nothing),
            _ => {
                let color = if found.is_ascii_uppercase() { Color::White } else { Color::Black };
                let piece = Piece::try_from(found.to_ascii_lowercase())
                    .map_err(|_| FieldError::Man { found, at: at(squares) })?;
                (1, Seen::Man(color, piece))
            }
        };
        digit_before = found.is_ascii_digit().then_some(found);
        for file in squares..(squares + count).min(8) {
            visit(Square::new(File::index(file), rank), what);
        }
        squares += count;
    }
    if squares == 8 { Ok(()) } else { Err(FieldError::Width { rank: number, squares }) }
}

/// Writes a board field.
pub(crate) fn write_placement(f: &mut fmt::Formatter<'_>, on: impl Fn(Square) -> Seen) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let what = on(Square::new(file, rank));
            if what == Seen::Empty {
                empty += 1;
                continue;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
                empty = 0;
            }
            match what {
                Seen::Man(color, piece) => write!(f, "{}", letter(piece, color))?,
                _ => f.write_str("?")?,
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if rank != Rank::First {
            f.write_str("/")?;
        }
    }
    Ok(())
}

pub(crate) fn parse_side(text: &str) -> Result<Color, FieldError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FieldError::Side(text.to_owned())),
    }
}

pub(crate) fn parse_castling(text: &str) -> Result<Castling, FieldError> {
    if text == "-" {
        return Ok(Castling::NONE);
    }
    let wrong = || FieldError::Castling(text.to_owned());
    let mut castling = Castling::NONE;
    for found in text.chars() {
        let &(color, file, _) = RIGHTS.iter().find(|right| right.2 == found).ok_or_else(wrong)?;
        if castling.has(color, file) {
            return Err(wrong());
        }
        castling = castling.with(color, file);
    }
    if castling == Castling::NONE { Err(wrong()) } else { Ok(castling) }
}

/// The square over which the opponent of `side` just stepped.
pub(crate) fn parse_en_passant(text: &str, side: Color) -> Result<Option<Square>, FieldError> {
    if text == "-" {
        return Ok(None);
    }
    let rank = Rank::Sixth.relative_to(side);
    match text.parse::<Square>() {
        Ok(square) if square.rank() == rank => Ok(Some(square)),
        _ => Err(FieldError::EnPassant { rank: rank as usize + 1, found: text.to_owned() }),
    }
}

pub(crate) fn parse_number(name: &'static str, text: &str, least: u16) -> Result<u16, FieldError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    match text.parse::<u16>() {
        Ok(number) if digits && number >= least => Ok(number),
        _ => Err(FieldError::Number { name, least, found: text.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_round_trip() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "8/8/8/3Pp3/8/8/8/kK6 w - e6 0 7",
            "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/8/kK5R w - - 99 65535",
            "4kr2/8/8/8/8/8/8/R3K2R w KQ - 12 3",
        ] {
            assert_eq!(fen.parse::<Board>().map(|board| board.to_string()), Ok(fen.to_owned()));
        }
        assert_eq!(Board::start().to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    }

    #[test]
    fn a_useless_en_passant_square_is_dropped() {
        let board: Board = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1".parse().unwrap();
        assert_eq!(board.to_string(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    }

    #[test]
    fn wrong_positions_name_field_and_square() {
        for (fen, words) in [
            ("", "found 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0", "found 5"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", "found 7"),
            ("4k3/8/8/8/8/8/8/4K3  w - - 0 1", "found 7"),
            ("4k3/8/8/8/8/8/4K3 w - - 0 1", "8 ranks, found 7"),
            ("4k3/8/8/8/8/8/7/4K3 w - - 0 1", "rank 2 has 7"),
            ("4k3/8/8/8/8/8/8/4K3P w - - 0 1", "rank 1 has 9"),
            ("4k3/8/8/8/8/8/44/4K3 w - - 0 1", "rank 2 has a wrong count of empty squares '44'"),
            ("4k3/8/8/8/8/8/9/4K3 w - - 0 1", "'9'"),
            ("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "'x' at d5"),
            ("4k3/8/8/3?4/8/8/8/4K3 w - - 0 1", "'?' at d5"),
            ("4k3/8/8/3é4/8/8/8/4K3 w - - 0 1", "'é' at d5"),
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 0 kings"),
            ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings"),
            ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "pawn on h8"),
            ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "pawn on a1"),
            ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "side field: expected 'w' or 'b', found 'W'"),
            ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "'K' needs a white rook on h1"),
            ("r6k/8/8/8/8/8/8/4K3 w q - 0 1", "'q' needs a black king on e8"),
            ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "found 'KK'"),
            ("4k3/8/8/8/8/8/8/4K2R w X - 0 1", "found 'X'"),
            ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "a square on rank 6, found 'e3'"),
            ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "found 'e9'"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no black pawn can just have stepped over e6"),
            ("4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1", "stepped over e3"),
            ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "clock field: expected a number from 0 to 65535, found '-1'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - +1 1", "clock"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 65536 1", "clock"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 00 1", "clock"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number field: expected a number from 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", "move number"),
        ] {
            let error = fen.parse::<Board>().expect_err(fen).to_string();
            assert!(error.contains(words), "{fen}: {error}");
        }
    }
}
