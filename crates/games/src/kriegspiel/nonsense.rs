//! Nonsense: tries that a player should have known to be in vain, by her own men and by what was announced.

use cozy_chess::{get_between_rays, get_knight_moves};

use super::announcement::{Announcement, CheckKind, Checks};
use super::ruleset::Ruleset;
use super::tries::OwnMen;
use crate::chess::{BitBoard, Move, Piece, Rank, Square};

/// Whether `m`, which is not legal, is nonsense after `announcement`. That a try was refused before is not
/// looked at here.
pub(super) fn is_nonsense(ruleset: Ruleset, men: &OwnMen, announcement: &Announcement, m: Move) -> bool {
    ruleset.knows_nonsense() && (!men.is_possible(m) || is_ruled_out(ruleset, men, announcement, m))
}

/// Whether what was announced rules out the possible try `m`.
pub(super) fn is_ruled_out(ruleset: Ruleset, men: &OwnMen, announcement: &Announcement, m: Move) -> bool {
    let captures = men.is_pawn_capture(m);
    captures && !announcement.tries.allow(m.from())
        || matches!(ruleset, Ruleset::Rand { .. }) && !may_end_checks(men, announcement.checks, m)
}

/// RAND, rule 7: whether the possible try `m` can answer the announced kinds of check, whatever the enemy men.
fn may_end_checks(men: &OwnMen, checks: Checks, m: Move) -> bool {
    let Some(king) = men.pieces(Piece::King).next_square() else { return true };
    let mut kinds = checks.kinds();
    let Some(kind) = kinds.next() else { return true };
    if m.from() == king {
        let castles = (m.from() as u8).abs_diff(m.to() as u8) == 2;
        return !castles;
    }
    if kinds.next().is_some() {
        return false;
    }
    let own = men.all();
    let passes = men.is_pawn_capture(m) && m.from().rank() == Rank::Fifth.relative_to(men.color());
    let beside = Square::new(m.to().file(), m.from().rank());
    answers(kind, king, own, m.to()) || passes && !own.has(beside) && answers(kind, king, own, beside)
}

/// Whether a man that goes to `square`, or takes there, can stand in the way of a check of this kind or rid
/// the king of who gives it.
fn answers(kind: CheckKind, king: Square, own: BitBoard, square: Square) -> bool {
    match kind {
        CheckKind::Knight => get_knight_moves(king).has(square),
        line => CheckKind::between(king, square) == line && get_between_rays(king, square).is_disjoint(own),
    }
}
