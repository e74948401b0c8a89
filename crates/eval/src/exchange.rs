//! Who gains when all men that attack a square take on it in turn, the least valuable first.

use scuro_games::chess::{Board, Piece, Square, piece_attacks};

use crate::score::UNIT;
use crate::simple::pawns;

/// What a man is worth as a score: on the high side for our networks, so that little is left out wrongly.
#[inline]
pub(crate) const fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::King => 100 * UNIT,
        _ => pawns(piece) * UNIT / 6,
    }
}

/// Whether a move of `piece` that takes a man worth `taken`, or none, loses nothing in the exchange that follows.
pub(crate) fn keeps(board: &Board, piece: Piece, from: Square, to: Square, taken: i32) -> bool {
    // What the side that has just taken stands to lose.
    let mut risk = worth(piece) - taken;
    if risk <= 0 {
        return true;
    }
    let mut occupied = board.occupied() & !from.bitboard() | to.bitboard();
    let mut attackers = board.attackers_among(to, occupied);
    let (mut side, mut kept) = (board.side(), true);
    loop {
        side = !side;
        attackers &= occupied;
        let own = attackers & board.colors(side);
        let Some(least) = Piece::ALL.into_iter().find(|&piece| !(own & board.pieces(piece)).is_empty())
        else {
            return kept;
        };
        kept = !kept;
        if least == Piece::King {
            // A king may only take last.
            return if (attackers & board.colors(!side)).is_empty() { kept } else { !kept };
        }
        risk = worth(least) - risk;
        if risk < i32::from(kept) {
            return kept;
        }
        if let Some(square) = (own & board.pieces(least)).next_square() {
            occupied &= !square.bitboard();
        }
        // Men behind the one that took.
        let slanted = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
        let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        attackers |= piece_attacks(Piece::Bishop, to, occupied) & slanted;
        attackers |= piece_attacks(Piece::Rook, to, occupied) & straight;
    }
}
