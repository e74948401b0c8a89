//! Chess as far as all its dark variants share it: the board, moves, FEN and SAN.
//!
//! The attack tables and the words for squares, men and colours come from cozy-chess; the board is ours,
//! because in the dark a king may stand where it can be taken, and be taken.

mod attacks;
mod board;
mod fen;
mod game;
mod generate;
mod moves;
mod own_pieces;
mod san;
mod zobrist;

pub use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};

pub(crate) use attacks::{ahead, knight_attacks};
pub use attacks::{between, diagonally_ahead, piece_attacks};
pub(crate) use board::en_passant_victim;
pub use board::{Board, Castling};
pub use fen::FenError;
pub use fen::FieldError;
pub use fen::Seen;
pub(crate) use fen::{
    Unseen, parse_castling, parse_en_passant, parse_number, parse_placement, parse_side, write_placement,
};
pub use game::{Chess, ChessState};
pub(crate) use generate::{promotion_rank, third_rank};
pub use moves::{Move, MoveError};
pub(crate) use moves::{PROMOTIONS, castles};
pub use own_pieces::OwnPieces;
pub(crate) use san::Naming;
pub use san::{MoveRules, SanError};

/// The letter of a man in a FEN: upper case for White.
#[must_use]
pub fn letter(piece: Piece, color: Color) -> char {
    let letter = char::from(piece);
    if color == Color::White { letter.to_ascii_uppercase() } else { letter }
}

/// The English word for a colour.
#[must_use]
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The English word for a man.
#[must_use]
pub fn piece_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}
