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

#[cfg(test)]
mod tests {
    use scuro_core::Random;
    use scuro_games::chess::{BitBoard, Color, Move, MoveRules};

    use super::*;

    /// What the side to take next gains on `to` at most, where a man worth `there` stands, if it may stop at will.
    fn gain(board: &Board, occupied: BitBoard, side: Color, to: Square, there: i32) -> i32 {
        let attackers = board.attackers_among(to, occupied) & occupied;
        let own = attackers & board.colors(side);
        let least = Piece::ALL.into_iter().find(|&piece| !(own & board.pieces(piece)).is_empty());
        let Some(least) = least else { return 0 };
        if least == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            return 0;
        }
        let from = (own & board.pieces(least)).next_square().unwrap();
        let left = occupied & !from.bitboard();
        (there - gain(board, left, !side, to, worth(least))).max(0)
    }

    #[test]
    fn an_exchange_is_what_taking_in_turn_gives() {
        let mut random = Random::new(20);
        let (mut kept, mut lost) = (0, 0);
        let mut board = Board::start();
        for _ in 0..20_000 {
            let moves = MoveRules::PseudoLegal.moves(&board);
            // Where a king is attacked already, a man may stand behind it; nobody trades then.
            let quiet = Color::ALL.into_iter().all(|color| !board.in_check(color));
            let plain = |m: &&Move| quiet && m.promotion().is_none() && Some(m.to()) != board.en_passant();
            for &m in moves.iter().filter(plain) {
                let piece = board.piece_there(m.from());
                let taken = board.captured_by(m).map_or(0, |(_, piece)| worth(piece));
                let after = board.occupied() & !m.from().bitboard() | m.to().bitboard();
                let expected = taken - gain(&board, after, !board.side(), m.to(), worth(piece)) >= 0;
                assert_eq!(keeps(&board, piece, m.from(), m.to(), taken), expected, "{board} {m}");
                if expected { kept += 1 } else { lost += 1 }
            }
            board = random.pick(&moves).map_or(Board::start(), |&m| board.play(m));
            if Color::ALL.into_iter().any(|color| board.king(color).is_none()) {
                board = Board::start();
            }
        }
        assert!(kept > 50_000 && lost > 50_000, "{kept} {lost}");
    }
}
