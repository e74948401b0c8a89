//! What Fianchetto adds to the score of a move: for sneaking up on the king, for pawns that attack pieces, and for ending a
//! check from afar.

use scuro_games::chess::{BitBoard, Board, Move, Piece, Square, diagonally_ahead};

/// The bonus for attacking the king, and what an unsafe attacker costs at most.
const SNEAK: f64 = 3.0;
/// The bonus for every piece that a pawn attacks, and its share if the pawn is not defended.
const PAWN: f64 = 1.0;
const UNDEFENDED: f64 = 0.33;
/// The bonus for ending a check by a move far from the king.
const FARAWAY: f64 = 0.5;
/// More king steps than this are far.
const NEAR: u8 = 2;

/// Which incentives count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Incentives {
    /// Attacks on the king.
    pub sneak: bool,
    /// Pawns that attack pieces.
    pub pawns: bool,
    /// Checks ended from afar.
    pub faraway: bool,
}

impl Incentives {
    /// What all of them add to a move that is made on `board`.
    #[must_use]
    pub fn of(self, board: &Board, m: Move) -> f64 {
        if self == Incentives::default() {
            return 0.0;
        }
        let after = board.play(m);
        let part = |counts: bool, bonus: fn(&Board, &Board, Move) -> f64| {
            if counts { bonus(board, &after, m) } else { 0.0 }
        };
        part(self.sneak, sneak) + part(self.pawns, pawn) + part(self.faraway, faraway)
    }
}

/// Whether a move attacks the king in secret: it takes nothing, or another piece than the one moved attacks.
#[must_use]
pub fn attacks_king(board: &Board, after: &Board, m: Option<Move>) -> bool {
    let me = board.side();
    let Some(king) = after.king(!me) else { return false };
    let attackers = after.attackers(king, me);
    let takes = m.filter(|&m| board.captured_by(m).is_some());
    let open = takes.map_or(attackers, |m| attackers & !m.to().bitboard());
    !open.is_empty()
}

/// Those that defend a piece of the side that has just moved on `square`, and those that attack it.
fn around(after: &Board, square: Square) -> (BitBoard, BitBoard) {
    let me = !after.side();
    (after.attackers(square, me), after.attackers(square, !me))
}

/// The piece that alone attacks the king of the side to move, if it can well be taken there.
#[must_use]
pub fn unsafe_attacker(after: &Board) -> Option<Piece> {
    let me = !after.side();
    let attackers = after.king(!me).map_or(BitBoard::EMPTY, |king| after.attackers(king, me));
    let (1, Some(square)) = (attackers.len(), attackers.next_square()) else { return None };
    let (supporters, enemies) = around(after, square);
    let piece = after.piece_there(square);
    let lesser = after.pieces(Piece::Pawn)
        | after.pieces(Piece::Knight)
        | after.pieces(Piece::Bishop)
        | after.pieces(Piece::Rook);
    let unsafe_queen = piece == Piece::Queen && !enemies.is_disjoint(lesser);
    (supporters.len() < enemies.len() || unsafe_queen).then_some(piece)
}

fn sneak(board: &Board, after: &Board, m: Move) -> f64 {
    if !attacks_king(board, after, Some(m)) {
        return 0.0;
    }
    let divisor = match unsafe_attacker(after) {
        None => -1.0,
        Some(Piece::Queen) => 1.0,
        Some(Piece::Rook) => 1.1,
        Some(Piece::Pawn) => 5.0,
        Some(_) => 3.0,
    };
    -SNEAK / divisor
}

fn pawn(board: &Board, after: &Board, m: Move) -> f64 {
    let me = board.side();
    if board.piece_there(m.from()) != Piece::Pawn || m.promotion().is_some() {
        return 0.0;
    }
    let [left, right] = diagonally_ahead(m.to().bitboard(), me);
    let attacked = (left | right) & after.colors(!me) & !after.pieces(Piece::Pawn);
    let defended = !around(after, m.to()).0.is_empty();
    PAWN * f64::from(attacked.len()) * if defended { 1.0 } else { UNDEFENDED }
}

fn faraway(board: &Board, after: &Board, m: Move) -> f64 {
    let me = board.side();
    let Some(king) = board.king(me) else { return 0.0 };
    let checkers = board.attackers(king, !me);
    let sliders = board.pieces(Piece::Bishop) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let ended = !checkers.is_disjoint(sliders) && !after.in_check(me);
    let (supporters, enemies) = around(after, m.to());
    let far = steps(king, m.to()) > NEAR;
    if ended && far && supporters.len() >= enemies.len() { FARAWAY } else { 0.0 }
}

/// The steps of a king from one square to another.
fn steps(one: Square, other: Square) -> u8 {
    let files = (one.file() as u8).abs_diff(other.file() as u8);
    let ranks = (one.rank() as u8).abs_diff(other.rank() as u8);
    files.max(ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Incentives = Incentives { sneak: true, pawns: true, faraway: true };

    #[test]
    fn bonuses_on_hand_made_boards() {
        for (fen, m, expected) in [
            // A rook that nobody attacks looks at the king.
            ("4k3/8/8/8/8/8/7R/K7 w - - 0 1", "h2e2", 3.0),
            // The same with a knight that can take it, undefended.
            ("4k3/8/8/8/5n2/8/7R/7K w - - 0 1", "h2e2", -3.0 / 1.1),
            // A queen next to the king, attacked by the king alone and defended: safe.
            ("4k3/8/4K3/8/8/8/8/3Q4 w - - 0 1", "d1d7", 3.0),
            // A pawn attacks two pieces, defended; and one that is not.
            ("4k3/8/2n1r3/8/2KP4/8/8/8 w - - 0 1", "d4d5", 2.0),
            ("4k3/8/2n5/8/3P4/8/8/7K w - - 0 1", "d4d5", 0.33),
            // A capture is seen: the piece that took does not sneak.
            ("4k3/8/8/8/8/8/4n2R/K7 w - - 0 1", "h2e2", 0.0),
            // A check ended far from the king, by a rook that is defended; and by one that is not.
            ("r6k/8/8/8/1R6/2N5/8/K7 w - - 0 1", "b4a4", 0.5),
            ("r6k/8/8/8/1R6/8/8/K7 w - - 0 1", "b4a4", 0.0),
        ] {
            let board: Board = fen.parse().unwrap();
            let m: Move = m.parse().unwrap();
            assert!(board.is_pseudo_legal(m), "{fen} {m}");
            let found = ALL.of(&board, m);
            assert!((found - expected).abs() < 1e-9, "{fen} {m}: {found}, not {expected}");
        }
    }
}
