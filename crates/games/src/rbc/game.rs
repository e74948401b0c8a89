//! The rules turn by turn: sense, request, what is told of it, and how the game ends.

use thiserror::Error;

use super::observe::{Answer, Told};
use super::request::{RequestError, admit, resolve};
use super::sense::Sensed;
use super::view::RbcView;
use crate::chess::{Board, Color, Move, Piece, Square, en_passant_victim};
use crate::outcome::{Outcome, Reason};

/// The rules of Reconnaissance Blind Chess from a given position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rbc {
    /// The position both players know at the start.
    pub start: Board,
    /// The square over which a pawn has just stepped there, also if nobody can take: FENs of this game tell it.
    pub passed: Option<Square>,
    /// The last move number that is played; the game is drawn after it.
    pub full_turn_limit: Option<u16>,
    /// The number of plies without a capture or a pawn move at which the game is drawn. Passes count.
    pub reversible_moves_limit: Option<u16>,
}

/// From the usual position, drawn after a hundred plies without a capture or a pawn move.
impl Default for Rbc {
    fn default() -> Rbc {
        Rbc { reversible_moves_limit: Some(100), ..Rbc::endless(Board::start(), None) }
    }
}

impl Rbc {
    /// From `start`, over whose square `passed` a pawn may just have stepped, without any limit.
    #[must_use]
    pub fn endless(start: Board, passed: Option<Square>) -> Rbc {
        Rbc { start, passed, full_turn_limit: None, reversible_moves_limit: None }
    }
}

/// The two plies of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The player names a square to look at.
    Sense,
    /// The player requests a move.
    Move,
}

/// What a player is told of her own request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moved {
    /// What she asked for; `None` is a pass.
    pub requested: Option<Move>,
    /// The move that was made, if any.
    pub taken: Option<Move>,
    /// Where it captured something.
    pub captured: Option<Square>,
}

impl Moved {
    /// What becomes of a request on `board`; `admitted` is the request as it is understood.
    #[inline]
    pub(super) fn on(board: &Board, requested: Option<Move>, admitted: Option<Move>) -> Moved {
        let taken = admitted.and_then(|request| resolve(board, request));
        let captured = taken.and_then(|m| board.captured_by(m)).map(|(square, _)| square);
        Moved { requested, taken, captured }
    }
}

/// Why a sense or a request is refused. Nothing changes then, and the turn is not used up.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum RbcError {
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// A request before the sense, or a second sense.
    #[error("{}", match .0 { Phase::Sense => "first choose what to sense", Phase::Move => "you have sensed, now request a move" })]
    Phase(Phase),
    /// A number that no square has.
    #[error("{0} is not a square: the squares are 0 (a1) to 63 (h8)")]
    Square(i64),
    /// A request that the player's own men rule out.
    #[error("{0}")]
    Request(#[from] RequestError),
}

/// A position of a game under way, with what was last told to each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RbcState {
    board: Board,
    /// The square that the last move, a double step, passed over.
    passed: Option<Square>,
    phase: Phase,
    sensed: [Option<Sensed>; 2],
    moved: [Option<Moved>; 2],
    outcome: Option<Outcome>,
}

impl RbcState {
    /// The true position.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What the player whose turn it is has to do next.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// What `color` saw when she last sensed.
    #[must_use]
    pub fn sensed(&self, color: Color) -> Option<&Sensed> {
        self.sensed[color as usize].as_ref()
    }

    /// What `color` was told of her last request.
    #[must_use]
    pub fn moved(&self, color: Color) -> Option<Moved> {
        self.moved[color as usize]
    }

    /// The notice that `color` last got: where the opponent's last turn captured something. The end of the
    /// game comes before the notice of the turn that brought it.
    #[must_use]
    pub fn notice(&self, color: Color) -> Option<Square> {
        let ended_before = self.outcome.is_some() && color == self.board.side();
        self.moved(!color).filter(|_| !ended_before)?.captured
    }

    /// What `color` is told on arriving here: the answer to its own sense or request; of the opponent's turn that a
    /// ply has passed, and the notice.
    #[must_use]
    pub fn told(&self, color: Color) -> Told {
        let mover = self.board.side() == color;
        let answer = match self.phase {
            Phase::Move if mover => self.sensed(color).copied().map_or(Answer::Waited, Answer::Sensed),
            Phase::Move => Answer::Waited,
            Phase::Sense if mover => Answer::Turn { lost: self.notice(color) },
            Phase::Sense => self.moved(color).map_or(Answer::Waited, |moved| Answer::Moved {
                taken: moved.taken,
                captured: moved.captured,
            }),
        };
        Told { answer, end: self.outcome }
    }

    /// The state in which the owner of `view` would be if `board` were the true one, without a past.
    #[must_use]
    pub fn supposed(view: &RbcView, board: &Board) -> RbcState {
        let board = board.without_counters();
        let (passed, phase) = (board.en_passant(), view.phase);
        RbcState { board, passed, phase, sensed: [None; 2], moved: [None; 2], outcome: None }
    }

    /// The FEN as the reference implementation writes it: with the en passant square after every double step,
    /// whether or not a pawn could take there.
    #[must_use]
    pub fn fen(&self) -> String {
        let fen = self.board.to_string();
        match self.passed {
            Some(square) if self.board.en_passant().is_none() => {
                let fields: Vec<&str> = fen.split(' ').collect();
                let [placement, side, castling, _, clock, number] = fields[..] else { return fen };
                format!("{placement} {side} {castling} {square} {clock} {number}")
            }
            _ => fen,
        }
    }

    fn check_phase(&self, wanted: Phase) -> Result<(), RbcError> {
        match self.outcome {
            Some(outcome) => Err(RbcError::Over(outcome)),
            None if self.phase == wanted => Ok(()),
            None => Err(RbcError::Phase(self.phase)),
        }
    }
}

impl Rbc {
    /// The state before the first turn.
    #[must_use]
    pub fn first(&self) -> RbcState {
        RbcState {
            board: self.start,
            passed: self.passed.or(self.start.en_passant()),
            phase: Phase::Sense,
            sensed: [None; 2],
            moved: [None; 2],
            outcome: self.end(&self.start, None, [false; 2]),
        }
    }

    /// The player whose turn it is senses `square`, or nothing; what she sees.
    ///
    /// # Errors
    /// If the game is over, or she has sensed already. Nothing changes then.
    pub fn sense(&self, state: &mut RbcState, square: Option<Square>) -> Result<Sensed, RbcError> {
        state.check_phase(Phase::Sense)?;
        let sensed = Sensed::of(&state.board, square);
        state.sensed[state.board.side() as usize] = Some(sensed);
        state.phase = Phase::Move;
        Ok(sensed)
    }

    /// The player whose turn it is requests a move, or passes; what becomes of it.
    ///
    /// # Errors
    /// If the game is over, she has not sensed yet, or her own men rule the request out. Nothing changes then.
    pub fn request(&self, state: &mut RbcState, requested: Option<Move>) -> Result<Moved, RbcError> {
        state.check_phase(Phase::Move)?;
        let admitted = requested.map(|request| admit(&state.board, request)).transpose()?;
        let moved = Moved::on(&state.board, requested, admitted);
        state.passed = moved.taken.and_then(|m| passed_over(&state.board, m));
        state.phase = Phase::Sense;
        state.moved[state.board.side() as usize] = Some(moved);
        make(&mut state.board, moved.taken);
        state.outcome = self.end(&state.board, None, [false; 2]);
        Ok(moved)
    }

    /// How the game ends before a turn on `board`, if it does: who resigned and whose clock ran out (White,
    /// Black) come first, then the king, then the limits.
    #[must_use]
    pub fn end(&self, board: &Board, resigned: Option<Color>, flagged: [bool; 2]) -> Option<Outcome> {
        let lost = |color: Color, reason| Outcome::win(!color, reason);
        let flagged = Color::ALL.into_iter().find(|&color| flagged[color as usize]);
        let beheaded = Color::ALL.into_iter().find(|&color| board.king(color).is_none());
        let turns = self.full_turn_limit.is_some_and(|limit| board.number() > limit);
        let moves = self.reversible_moves_limit.is_some_and(|limit| board.clock() >= limit);
        let by_player = resigned.map(|color| lost(color, Reason::Resignation));
        let by_clock = flagged.map(|color| lost(color, Reason::Timeout));
        let by_king = beheaded.map(|color| lost(color, Reason::KingCaptured));
        let by_turns = turns.then(|| Outcome::draw(Reason::TurnLimit));
        let by_moves = moves.then(|| Outcome::draw(Reason::MoveLimit));
        by_player.or(by_clock).or(by_king).or(by_turns).or(by_moves)
    }
}

/// Makes the taken move, or lets the turn go over.
#[inline]
pub(super) fn make(board: &mut Board, taken: Option<Move>) {
    match taken {
        Some(m) => board.make(m),
        None => board.pass(),
    }
}

/// The square that a double step passes over.
fn passed_over(board: &Board, m: Move) -> Option<Square> {
    let double = board.piece_there(m.from()) == Piece::Pawn && (m.from() as u8).abs_diff(m.to() as u8) == 16;
    double.then(|| en_passant_victim(m.to()))
}
