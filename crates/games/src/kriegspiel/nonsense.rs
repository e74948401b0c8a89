//! Nonsense: tries that a player should have known to be in vain, by her own men and by what was announced.

use cozy_chess::{get_between_rays, get_knight_moves};

use super::announcement::{Announcement, CheckKind, Checks};
use super::ruleset::Ruleset;
use crate::chess::{BitBoard, Move, OwnPieces, Piece, Rank, Square};

/// Whether `m`, which is not legal, is called nonsense in a turn in which these tries were refused. A player can tell
/// as well as the umpire.
pub(super) fn is_called_nonsense(
    ruleset: Ruleset,
    men: &OwnPieces,
    announcement: &Announcement,
    refused: &[Move],
    m: Move,
) -> bool {
    ruleset == Ruleset::Cincinnati && refused.contains(&m) || is_nonsense(ruleset, men, announcement, m)
}

/// Whether `m`, which is not legal, is nonsense after `announcement`. That a try was refused before is not
/// looked at here.
pub(super) fn is_nonsense(ruleset: Ruleset, men: &OwnPieces, announcement: &Announcement, m: Move) -> bool {
    ruleset.knows_nonsense() && (!men.is_possible(m) || is_ruled_out(ruleset, men, announcement, m))
}

/// Whether what was announced rules out the possible try `m`.
pub(super) fn is_ruled_out(ruleset: Ruleset, men: &OwnPieces, announcement: &Announcement, m: Move) -> bool {
    let captures = men.is_pawn_capture(m);
    captures && !announcement.tries.allow(m.from())
        || matches!(ruleset, Ruleset::Rand { .. }) && !may_end_checks(men, announcement.checks, m)
}

/// Whether the possible try `m` can answer the announced kinds of check, whatever the enemy pieces (rule 7 of RAND).
pub(super) fn may_end_checks(men: &OwnPieces, checks: Checks, m: Move) -> bool {
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
