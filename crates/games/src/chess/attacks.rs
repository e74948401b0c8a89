//! Sets of squares that men reach, computed for whole sets of men at once where that is faster.

use cozy_chess::{BitBoard, Color, File, Piece, Square};
use cozy_chess::{get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};

/// The squares one step ahead of `men`.
#[inline]
pub(crate) fn ahead(men: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(men.0 << 8),
        Color::Black => BitBoard(men.0 >> 8),
    }
}

/// The squares diagonally ahead of `men`: towards the a-file, then towards the h-file.
#[must_use]
#[inline]
pub fn diagonally_ahead(men: BitBoard, color: Color) -> [BitBoard; 2] {
    let forward = ahead(men, color).0;
    [BitBoard((forward & !File::A.bitboard().0) >> 1), BitBoard((forward & !File::H.bitboard().0) << 1)]
}

/// The squares between two squares on one line; none if they are on no line.
#[must_use]
#[inline]
pub fn between(one: Square, other: Square) -> BitBoard {
    get_between_rays(one, other)
}

/// The squares that a piece, not a pawn, attacks from `square`.
#[must_use]
#[inline]
pub fn piece_attacks(piece: Piece, square: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
        Piece::Pawn => BitBoard::EMPTY,
    }
}

/// The squares that any of `knights` attacks.
#[inline]
pub(crate) fn knight_attacks(knights: BitBoard) -> BitBoard {
    let (a, ab) = (!File::A.bitboard().0, !(File::A.bitboard() | File::B.bitboard()).0);
    let (h, gh) = (!File::H.bitboard().0, !(File::G.bitboard() | File::H.bitboard()).0);
    let n = knights.0;
    let (one_left, one_right) = ((n & a) >> 1, (n & h) << 1);
    let (two_left, two_right) = ((n & ab) >> 2, (n & gh) << 2);
    let (one, two) = (one_left | one_right, two_left | two_right);
    BitBoard(one << 16 | one >> 16 | two << 8 | two >> 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::get_pawn_attacks;
    use scuro_core::Random;

    #[test]
    fn sets_equal_the_union_of_single_men() {
        let mut random = Random::new(11);
        for _ in 0..2000 {
            let men = BitBoard(random.word() & random.word());
            let union = |attacks: &dyn Fn(Square) -> BitBoard| {
                men.into_iter().fold(BitBoard::EMPTY, |set, square| set | attacks(square))
            };
            assert_eq!(knight_attacks(men), union(&get_knight_moves));
            for color in [Color::White, Color::Black] {
                let [left, right] = diagonally_ahead(men, color);
                assert_eq!(left | right, union(&|square| get_pawn_attacks(square, color)));
            }
        }
    }
}
