//! Reconnaissance Blind Chess as a [`Game`]: what may be done, and what its players observe ply by ply.

use std::fmt;

use scuro_core::{Game, Observer, Player, Turn};

use super::game::{Moved, Phase, Rbc, RbcError, RbcState};
use super::request::each_request;
use super::sense::Sensed;
use crate::chess::{BitBoard, Castling, Color, File, Move, Piece, Rank, Square};
use crate::outcome::Outcome;
use crate::umpire::{Refusal, Umpired};
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

/// What one player is shown: her own men, and the answers she got last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RbcView {
    /// Whose view it is.
    pub player: Color,
    /// Whose turn it is.
    pub side: Color,
    /// What the side to move has to do next.
    pub phase: Phase,
    /// The number of the move.
    pub number: u16,
    /// Her own men of each kind.
    pub men: [BitBoard; 6],
    /// Her castling rights.
    pub castling: Castling,
    /// Where the opponent's last turn captured a man of hers.
    pub notice: Option<Square>,
    /// What she saw when she last sensed: it may be out of date.
    pub sensed: Option<Sensed>,
    /// What she was told of her last request.
    pub moved: Option<Moved>,
}

impl Game for Rbc {
    type State = RbcState;
    type Action = RbcAction;

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
        if state.outcome().is_some() {
            return;
        }
        match state.phase() {
            Phase::Sense => out.extend(inner_squares().map(|square| RbcAction::Sense(Some(square)))),
            Phase::Move => {
                each_request(state.board(), |m| out.push(RbcAction::Request(Some(m))));
                out.push(RbcAction::Request(None));
            }
        }
    }

    /// An action that is refused leaves the state as it was.
    fn play(&self, state: &RbcState, action: RbcAction) -> RbcState {
        let mut next = *state;
        let answer = self.act(&mut next, action);
        debug_assert!(answer.is_ok(), "{action} in {}: {answer:?}", state.board());
        next
    }

    /// Whether and how the game is over, and the answer to the player's own sense or request. Of the
    /// opponent's turn she learns that a ply has passed, and the notice.
    fn observe(&self, state: &RbcState, player: Player, observer: &mut impl Observer) {
        let color = color_of(player);
        observer.see(outcome_word(state.outcome()));
        let mover = state.board().side() == color;
        match (state.phase(), mover) {
            (Phase::Move, true) => {
                let sets = state.sensed(color).into_iter().flat_map(Sensed::sets);
                sets.for_each(|set| observer.see(set.0));
            }
            (Phase::Move, false) => {}
            (Phase::Sense, true) => observer.see(square_word(state.notice(color))),
            (Phase::Sense, false) => {
                if let Some(moved) = state.moved(color) {
                    observer.see(move_word(moved.taken));
                    observer.see(square_word(moved.captured));
                }
            }
        }
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

/// The squares that do not lie at the edge.
fn inner_squares() -> impl Iterator<Item = Square> {
    let edges = File::A.bitboard() | File::H.bitboard() | Rank::First.bitboard() | Rank::Eighth.bitboard();
    (!edges).into_iter()
}

fn outcome_word(outcome: Option<Outcome>) -> u64 {
    let Some(outcome) = outcome else { return 0 };
    let winner = outcome.winner.map_or(0, |color| 1 + color as u64);
    1 + winner + 3 * outcome.reason as u64
}

fn square_word(square: Option<Square>) -> u64 {
    square.map_or(64, |square| square as u64)
}

fn move_word(m: Option<Move>) -> u64 {
    let Some(m) = m else { return 0 };
    let becomes = m.promotion().map_or(0, |piece| piece as u64);
    1 + (m.from() as u64 | (m.to() as u64) << 6 | becomes << 12)
}

impl Umpired for Rbc {
    type View = RbcView;

    fn view(&self, state: &RbcState, color: Color) -> RbcView {
        let board = state.board();
        RbcView {
            player: color,
            side: board.side(),
            phase: state.phase(),
            number: board.number(),
            men: Piece::ALL.map(|piece| board.men(color, piece)),
            castling: board.castling().of(color),
            notice: state.notice(color),
            sensed: state.sensed(color).copied(),
            moved: state.moved(color),
        }
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
