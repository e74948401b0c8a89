//! What a player of Reconnaissance Blind Chess can work out, position by position.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use scuro_core::{Player, Positions};

use super::game::{Moved, Rbc, RbcState, make};
use super::observe::{Answer, RbcAction, Told};
use super::request::admit;
use crate::chess::{Board, Color, Piece, Square, en_passant_victim};
use crate::color_of;
use crate::outcome::Reason;

/// What a player has to guess: the men, the turn, the castling rights and the en passant square. Counters are
/// left out, so that the same position reached on two ways is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(Board);

impl Position {
    /// The position on `board`.
    #[must_use]
    pub fn new(board: &Board) -> Position {
        Position(board.without_counters())
    }

    /// The position as a board whose counters say nothing.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.0
    }
}

/// Equal positions have equal keys.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.key());
    }
}

/// By key: an order that means nothing, and is the same on every machine.
impl Ord for Position {
    fn cmp(&self, other: &Position) -> Ordering {
        let rest = |board: &Board| {
            let men = Piece::ALL.map(|piece| board.pieces(piece));
            (men, board.colors(Color::White), board.side() as u8, board.castling(), board.en_passant())
        };
        let (one, two) = (&self.0, &other.0);
        one.key().cmp(&two.key()).then_with(|| rest(one).cmp(&rest(two)))
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Position) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Positions for Rbc {
    type Position = Position;

    fn position(&self, state: &RbcState) -> Position {
        Position::new(state.board())
    }

    fn follow(
        &self,
        player: Player,
        own: Option<RbcAction>,
        told: &Told,
    ) -> impl Fn(&Position, &mut Vec<(Option<RbcAction>, Position)>) + Sync {
        let (color, answer) = (color_of(player), told.answer);
        let beheads = told.end.is_some_and(|end| end.reason == Reason::KingCaptured);
        move |position, out| match (own, answer) {
            (Some(RbcAction::Sense(_)), Answer::Sensed(sensed)) if sensed.fits(&position.0) => {
                out.push((None, *position));
            }
            (Some(RbcAction::Request(requested)), Answer::Moved { taken, captured }) => {
                let moved = Moved { requested, taken, captured };
                out.extend(
                    after_own_move(&position.0, color, moved, beheads).map(|position| (None, position)),
                );
            }
            // Their sense changes nothing.
            (None, Answer::Waited) => out.push((None, *position)),
            (None, Answer::Turn { lost: None }) => quiet_turns(&position.0, color, out),
            (None, Answer::Turn { lost: Some(square) }) => captures(&position.0, color, square, out),
            _ => {}
        }
    }
}

/// The position after my move, if the request leads to that move and that capture here, and the game goes on, or ends
/// as it is told by the capture of their king.
fn after_own_move(board: &Board, me: Color, moved: Moved, beheads: bool) -> Option<Position> {
    if let Some(square) = moved.captured {
        let could_be = board.colors(!me).has(square) && (board.king(!me) == Some(square)) == beheads;
        if !could_be {
            return None;
        }
    }
    let admitted = match moved.requested {
        Some(request) => Some(admit(board, request).ok()?),
        None => None,
    };
    let here = Moved::on(board, moved.requested, admitted);
    (here == moved).then(|| after(board, |board| make(board, moved.taken)))
}

/// Every turn of the opponent that captures nothing. She may always pass.
fn quiet_turns(board: &Board, me: Color, out: &mut Vec<(Option<RbcAction>, Position)>) {
    out.push((Some(RbcAction::Request(None)), after(board, Board::pass)));
    let mine = board.colors(me);
    board.each_pseudo_legal(|piece, m| {
        let in_passing = piece == Piece::Pawn && board.en_passant() == Some(m.to());
        if !mine.has(m.to()) && !in_passing {
            let theirs = Some(RbcAction::Request(Some(m)));
            out.push((theirs, after(board, |board| board.make_man(piece, m))));
        }
    });
}

/// Every turn of the opponent that captures my man on `square`.
fn captures(board: &Board, me: Color, square: Square, out: &mut Vec<(Option<RbcAction>, Position)>) {
    let in_passing = board.en_passant().filter(|&passed| en_passant_victim(passed) == square);
    let could_be = board.colors(me).has(square) && board.king(me) != Some(square);
    if !could_be || in_passing.is_none() && !board.attacked(square, !me) {
        return;
    }
    board.each_pseudo_legal(|piece, m| {
        if m.to() == square || piece == Piece::Pawn && in_passing == Some(m.to()) {
            let theirs = Some(RbcAction::Request(Some(m)));
            out.push((theirs, after(board, |board| board.make_man(piece, m))));
        }
    });
}

#[inline]
fn after(board: &Board, turn: impl FnOnce(&mut Board)) -> Position {
    let mut after = *board;
    turn(&mut after);
    Position(after.without_counters())
}
