//! What a player knows at one moment by what it was told: its own pieces, and the answers it got last.

use super::game::{Moved, Phase, RbcState};
use super::observe::{Answer, RbcAction, Told};
use super::request::admit;
use super::sense::Sensed;
use crate::chess::{Color, Move, OwnPieces, Piece, Square, between, castles};
use crate::outcome::{Outcome, Reason};
use crate::umpire::Impossible;

/// What one player knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RbcView {
    /// Its pieces and castling rights.
    pub pieces: OwnPieces,
    /// Whose turn it is.
    pub side: Color,
    /// What the side to move has to do next.
    pub phase: Phase,
    /// The number of the move.
    pub number: u16,
    /// Where the opponent's last turn captured a piece of its own.
    pub notice: Option<Square>,
    /// What it saw when it last sensed: it may be out of date.
    pub sensed: Option<Sensed>,
    /// What it was told of its last request.
    pub moved: Option<Moved>,
}

impl RbcView {
    /// What `color` knows at `state`.
    #[must_use]
    pub fn of(state: &RbcState, color: Color) -> RbcView {
        let board = state.board();
        RbcView {
            pieces: OwnPieces::of(board, color),
            side: board.side(),
            phase: state.phase(),
            number: board.number(),
            notice: state.notice(color),
            sensed: state.sensed(color).copied(),
            moved: state.moved(color),
        }
    }

    /// Takes in what its owner is told; `own` is the owner's action, if the ply was its own.
    pub(super) fn hear(&mut self, own: Option<RbcAction>, told: &Told) -> Result<(), Impossible> {
        let mine = self.side == self.pieces.color();
        match (own, told.answer) {
            (Some(_), _) if !mine => Err(Impossible("it is not your turn".to_owned())),
            (None, _) if mine => Err(Impossible("it is your turn, and nothing was done".to_owned())),
            (Some(RbcAction::Sense(square)), Answer::Sensed(sensed)) => self.hear_sense(square, sensed),
            (Some(RbcAction::Request(requested)), Answer::Moved { taken, captured }) => {
                self.hear_move(Moved { requested, taken, captured })
            }
            (None, Answer::Waited) if self.phase == Phase::Sense => {
                self.phase = Phase::Move;
                Ok(())
            }
            (None, Answer::Turn { lost }) if self.phase == Phase::Move => self.hear_turn(lost, told.end),
            _ => Err(Impossible("that is not what is told now".to_owned())),
        }
    }

    fn hear_sense(&mut self, square: Option<Square>, sensed: Sensed) -> Result<(), Impossible> {
        if self.phase == Phase::Move {
            return Err(Impossible("you have sensed in this turn".to_owned()));
        }
        if sensed.square() != square {
            return Err(Impossible("you sensed another square".to_owned()));
        }
        for (square, man) in sensed.squares() {
            let shown = man.filter(|&(color, _)| color == self.pieces.color()).map(|(_, piece)| piece);
            if shown != self.pieces.man_on(square) {
                return Err(Impossible(format!("your own pieces do not stand like that on {square}")));
            }
        }
        (self.phase, self.sensed) = (Phase::Move, Some(sensed));
        Ok(())
    }

    fn hear_move(&mut self, moved: Moved) -> Result<(), Impossible> {
        if self.phase == Phase::Sense {
            return Err(Impossible("first comes what you sensed".to_owned()));
        }
        let request = moved.requested.map(|request| admit(&self.pieces.alone(), request)).transpose();
        let request = request.map_err(|error| Impossible(error.to_string()))?;
        match (moved.taken, moved.captured) {
            (None, Some(square)) => {
                return Err(Impossible(format!("nothing moved, and nothing was captured on {square}")));
            }
            (None, None) => {
                if let Some(request) = request.filter(|&request| !self.may_fail(request)) {
                    return Err(Impossible(format!("something must come of {request}")));
                }
            }
            (Some(m), captured) => {
                if !request.is_some_and(|request| self.may_become(request, m, captured)) {
                    let what = captured.map_or(String::new(), |square| format!(" and captured on {square}"));
                    return Err(Impossible(format!("you cannot have made {m}{what}")));
                }
                self.pieces = self.pieces.moved(m);
            }
        }
        self.moved = Some(moved);
        self.end_turn();
        Ok(())
    }

    /// Whether nothing may come of a request: castling, or the move of a pawn.
    fn may_fail(&self, request: Move) -> bool {
        self.pieces
            .man_on(request.from())
            .is_some_and(|piece| piece == Piece::Pawn || castles(piece, request))
    }

    /// Whether a request may become the move `m` with this capture: as it is, or ended by what stands in the way. A
    /// pawn stops before that, a line piece captures it.
    fn may_become(&self, request: Move, m: Move, captured: Option<Square>) -> bool {
        if m == request {
            return self.pieces.may_capture(m, captured);
        }
        let ended = m.from() == request.from()
            && m.promotion().is_none()
            && between(request.from(), request.to()).has(m.to());
        ended
            && match self.pieces.man_on(m.from()) {
                Some(Piece::Pawn) => captured.is_none(),
                Some(Piece::Bishop | Piece::Rook | Piece::Queen) => captured == Some(m.to()),
                Some(Piece::Knight | Piece::King) | None => false,
            }
    }

    fn hear_turn(&mut self, lost: Option<Square>, end: Option<Outcome>) -> Result<(), Impossible> {
        let color = self.pieces.color();
        if let Some(square) = lost {
            if end.is_some() {
                return Err(Impossible("the end of the game comes before the notice".to_owned()));
            }
            if matches!(self.pieces.man_on(square), None | Some(Piece::King)) {
                return Err(Impossible(format!("you have no piece to lose on {square}")));
            }
        }
        // Where the king was captured need not be said.
        let king = self.pieces.pieces(Piece::King).next_square();
        let king = king.filter(|_| end == Some(Outcome::win(!color, Reason::KingCaptured)));
        self.pieces = king.or(lost).map_or(self.pieces, |square| self.pieces.lost(square));
        self.notice = lost;
        self.end_turn();
        Ok(())
    }

    fn end_turn(&mut self) {
        self.number = self.number.saturating_add(u16::from(self.side == Color::Black));
        (self.side, self.phase) = (!self.side, Phase::Sense);
    }
}
