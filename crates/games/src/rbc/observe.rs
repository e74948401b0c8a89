//! Reconnaissance Blind Chess as a [`Game`]: what may be done, and what its players observe ply by ply.

use std::fmt;

use scuro_core::{Game, Player, Turn};

use super::game::{Phase, Rbc, RbcError, RbcState};
use super::request::each_request;
use super::sense::Sensed;
use super::view::RbcView;
use crate::chess::{Board, Color, File, Move, Rank, Square};
use crate::outcome::Outcome;
use crate::umpire::{Impossible, Refusal, Umpired};
use crate::{color_of, player_of};

/// One ply: half a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RbcAction {
    /// Look at a square and its neighbours, or at nothing.
    Sense(Option<Square>),
    /// Ask for a move, or pass.
    Request(Option<Move>),
}

/// `sense e4`, `sense nothing`, `e2e4`, `pass`.
impl fmt::Display for RbcAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RbcAction::Sense(Some(square)) => write!(f, "sense {square}"),
            RbcAction::Sense(None) => f.write_str("sense nothing"),
            RbcAction::Request(Some(m)) => write!(f, "{m}"),
            RbcAction::Request(None) => f.write_str("pass"),
        }
    }
}

impl fmt::Debug for RbcAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a player is told at a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Told {
    /// What it learns of the board.
    pub answer: Answer,
    /// The end of the game, if it is over.
    pub end: Option<Outcome>,
}

/// What a player learns of the board at a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Nothing: the opponent has sensed, or the game starts with the opponent's turn.
    Waited,
    /// What its sense showed.
    Sensed(Sensed),
    /// What became of its request.
    Moved {
        /// The move that was made, if any.
        taken: Option<Move>,
        /// Where it captured something.
        captured: Option<Square>,
    },
    /// The opponent's turn is over, or the game starts with its own.
    Turn {
        /// Where the opponent captured a piece of its own.
        lost: Option<Square>,
    },
}

impl Game for Rbc {
    type State = RbcState;
    type Action = RbcAction;
    type Told = Told;

    fn start(&self) -> RbcState {
        self.first()
    }

    fn turn(&self, state: &RbcState) -> Turn {
        match state.outcome() {
            Some(outcome) => Turn::Over(outcome.payoff()),
            None => Turn::Player(player_of(state.board().side())),
        }
    }

    /// The senses that show nine squares, for each of the others shows a part of what one of them shows; then
    /// every request of a different effect, and the pass. The umpire accepts the rest too.
    fn actions(&self, state: &RbcState, out: &mut Vec<RbcAction>) {
        if state.outcome().is_none() {
            actions_at(state.phase(), state.board(), out);
        }
    }

    /// An action that is refused leaves the state as it was.
    fn play(&self, state: &RbcState, action: RbcAction) -> RbcState {
        let mut next = *state;
        let answer = self.act(&mut next, action);
        debug_assert!(answer.is_ok(), "{action} in {}: {answer:?}", state.board());
        next
    }

    fn told(&self, state: &RbcState, player: Player) -> Option<Told> {
        Some(state.told(color_of(player)))
    }
}

impl Rbc {
    fn act(&self, state: &mut RbcState, action: RbcAction) -> Result<(), RbcError> {
        match action {
            RbcAction::Sense(square) => self.sense(state, square).map(|_| ()),
            RbcAction::Request(request) => self.request(state, request).map(|_| ()),
        }
    }
}

/// Appends the actions of the side to move on `board`. They depend on its own pieces alone.
fn actions_at(phase: Phase, board: &Board, out: &mut Vec<RbcAction>) {
    match phase {
        Phase::Sense => out.extend(inner_squares().map(|square| RbcAction::Sense(Some(square)))),
        Phase::Move => {
            each_request(board, |m| out.push(RbcAction::Request(Some(m))));
            out.push(RbcAction::Request(None));
        }
    }
}

/// The squares that do not lie at the edge: sensing one of them shows nine.
pub fn inner_squares() -> impl Iterator<Item = Square> {
    let edges = File::A.bitboard() | File::H.bitboard() | Rank::First.bitboard() | Rank::Eighth.bitboard();
    (!edges).into_iter()
}

impl Umpired for Rbc {
    type View = RbcView;

    fn first_view(&self, color: Color) -> RbcView {
        RbcView::of(&self.first(), color)
    }

    fn see(&self, view: &mut RbcView, own: Option<RbcAction>, told: &Told) -> Result<(), Impossible> {
        view.hear(own, told)
    }

    fn choices(&self, view: &RbcView, out: &mut Vec<RbcAction>) {
        if view.side == view.pieces.color() {
            actions_at(view.phase, &view.pieces.alone(), out);
        }
    }

    fn end(told: &Told) -> Option<Outcome> {
        told.end
    }

    fn outcome(&self, state: &RbcState) -> Option<Outcome> {
        state.outcome()
    }

    /// All that the rules allow: any square or none, and promotions without a letter.
    fn accept(&self, state: &RbcState, action: RbcAction) -> Result<(), Refusal> {
        let mut tried = *state;
        self.act(&mut tried, action).map_err(|error| Refusal::Rules(error.to_string()))
    }
}
