//! When a game is over, as far as the board alone tells: mate, stalemate, material.

use super::legality::Threats;
use super::ruleset::Ruleset;
use crate::chess::{BitBoard, Board, Color, Piece};
use crate::outcome::{Outcome, Reason};

/// The squares of one colour: a1 is one of them.
pub(super) const DARK: BitBoard = BitBoard(0xaa55_aa55_aa55_aa55);

impl Ruleset {
    /// The end that a position of chess itself shows: mate, stalemate, or men that cannot win. Repetition and the
    /// clock are not looked at.
    #[must_use]
    pub fn end_on_board(self, board: &Board) -> Option<Outcome> {
        end_on_board(self, board, &Threats::of(board))
    }
}

/// The end that `board` itself shows to the side to move, in the order of the rules.
#[inline]
pub(super) fn end_on_board(ruleset: Ruleset, board: &Board, threats: &Threats) -> Option<Outcome> {
    if !threats.has_move(board) {
        let winner = !board.side();
        return Some(if threats.in_check() {
            Outcome::win(winner, Reason::Mate)
        } else if ruleset.stalemate_loses() {
            Outcome::win(winner, Reason::Stalemate)
        } else {
            Outcome::draw(Reason::Stalemate)
        });
    }
    is_drawn_material(ruleset, board).then(|| Outcome::draw(Reason::Material))
}

fn is_drawn_material(ruleset: Ruleset, board: &Board) -> bool {
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !heavy.is_empty() {
        return false;
    }
    match ruleset {
        Ruleset::Icc => {
            let minor = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
            Color::ALL.into_iter().all(|color| (minor & board.colors(color)).len() <= 1)
        }
        _ => dead_material(board),
    }
}

/// Whether the men left cannot mate at all: bare kings, a single knight, or bishops that all stand on squares
/// of one colour.
pub(crate) fn dead_material(board: &Board) -> bool {
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    let others = board.occupied() & !(knights | bishops | board.pieces(Piece::King));
    others.is_empty()
        && match knights.len() {
            0 => bishops.is_subset(DARK) || bishops.is_disjoint(DARK),
            1 => bishops.is_empty(),
            _ => false,
        }
}
