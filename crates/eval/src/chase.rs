//! Driving a bare king: the smaller its box and the nearer the own king, the more a position is worth.
//!
//! Against a bare king all positions are won by the men on the board, and a network of material sees hardly any
//! difference between them. A search that does not reach the end needs a slope that leads there. The *box* is what
//! the king can still reach without stepping on a square that is attacked: whoever has once seen it go in knows that
//! it is there, in the dark too.

use scuro_games::chess::{BitBoard, Board, Color, Piece, Square, diagonally_ahead, piece_attacks};

use crate::score::UNIT;

/// Of one square less in the box.
const SQUARE: i32 = UNIT / 24;

/// Of one step of the kings towards each other.
const STEP: i32 = UNIT / 8;

/// The men count for one part in so many: what leads to the end must show, and values near a won game are all alike.
const MEN: i32 = 8;

/// Boxes above this are all alike.
const LARGEST: u32 = 40;

/// An opinion on a position, to the side to move, that is led by a chase: unless one side has nothing but its king, and
/// the other one no pawn whose way to a queen leads as well, it stays as it was.
#[must_use]
pub fn led(score: i32, board: &Board) -> i32 {
    if !board.pieces(Piece::Pawn).is_empty() {
        return score;
    }
    let bare = |color: Color| board.colors(color).len() == 1;
    let prey = match (bare(Color::White), bare(Color::Black)) {
        (true, false) => Color::White,
        (false, true) => Color::Black,
        _ => return score,
    };
    let (Some(king), Some(hunter)) = (board.king(prey), board.king(!prey)) else { return score };
    let room = LARGEST - box_of(king, held_by(board, !prey)).len().min(LARGEST);
    let chase = SQUARE * room as i32 + STEP * (7 - apart(king, hunter));
    score / MEN + if board.side() == prey { -chase } else { chase }
}

/// Every square on which `color` stands or which it attacks; the other king hides nothing behind it.
fn held_by(board: &Board, color: Color) -> BitBoard {
    let occupied = board.occupied() & !board.men(!color, Piece::King);
    let [left, right] = diagonally_ahead(board.men(color, Piece::Pawn), color);
    let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
    pieces.into_iter().fold(board.colors(color) | left | right, |attacked, piece| {
        let men = board.men(color, piece).into_iter();
        men.fold(attacked, |attacked, from| attacked | piece_attacks(piece, from, occupied))
    })
}

/// The squares that a king comes to without stepping on `held` ones.
fn box_of(king: Square, held: BitBoard) -> BitBoard {
    let mut inside = king.bitboard();
    let mut edge = inside;
    while !edge.is_empty() {
        let near =
            |squares: BitBoard, from: Square| squares | piece_attacks(Piece::King, from, BitBoard::EMPTY);
        edge = edge.into_iter().fold(BitBoard::EMPTY, near) & !held & !inside;
        inside |= edge;
    }
    inside
}

/// Steps of a king from one square to the other.
fn apart(one: Square, other: Square) -> i32 {
    let files = (one.file() as i32 - other.file() as i32).abs();
    files.max((one.rank() as i32 - other.rank() as i32).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str) -> i32 {
        let board: Board = fen.parse().unwrap();
        led(if board.side() == Color::White { 1000 } else { -1000 }, &board)
    }

    #[test]
    fn a_box_ends_at_attacked_squares() {
        let cut: Board = "8/3k4/8/R7/8/8/8/4K3 w - - 0 1".parse().unwrap();
        // Three ranks, less what the rook has of its own file.
        assert_eq!(box_of(Square::D7, held_by(&cut, Color::White)).len(), 24 - 3);
        let corner: Board = "k7/2Q5/2K5/8/8/8/8/8 b - - 0 1".parse().unwrap();
        assert_eq!(box_of(Square::A8, held_by(&corner, Color::White)), Square::A8.bitboard());
    }

    #[test]
    fn it_leads_to_the_corner_and_is_nothing_elsewhere() {
        let [centre, edge, corner] = ["8/8/8/3k4/8/8/8/Q3K3", "8/8/8/k7/8/8/8/3QK3", "k7/2Q5/2K5/8/8/8/8/8"];
        assert!(1000 / MEN < of(&format!("{centre} w - - 0 1")));
        assert!(of(&format!("{centre} w - - 0 1")) < of(&format!("{edge} w - - 0 1")));
        assert!(of(&format!("{edge} w - - 0 1")) < of(&format!("{corner} w - - 0 1")));
        // The same from the other side.
        assert_eq!(of(&format!("{corner} b - - 0 1")), -of(&format!("{corner} w - - 0 1")));
        assert_eq!(
            of("K7/2q5/2k5/8/8/8/8/8 b - - 0 1"),
            of(&format!("{corner} w - - 0 1")) - 2 * (1000 / MEN)
        );
        for even in
            ["8/8/8/3k4/8/8/8/4K3", "8/8/8/3k4/8/8/4P3/Q3K3", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"]
        {
            assert_eq!(of(&format!("{even} w - - 0 1")), 1000);
        }
    }
}
