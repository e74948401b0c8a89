//! Reconnaissance blind tic-tac-toe, the small cousin of Reconnaissance Blind Chess: neither sees the other's
//! stones, but before every move a player looks at one of the four 2x2 windows.

use std::fmt;

use scuro_core::{Game, Player, Turn};

use super::ToyTold;
use super::grid::cell_name;
use super::noughts::Noughts;

/// The rules of reconnaissance blind tic-tac-toe from a given board.
///
/// A move onto a stone is answered to the mover alone, and her turn is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlindTicTacToe {
    /// The board both players know at the start.
    pub start: Noughts,
}

/// One ply: half a turn. Cells are numbered row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlindAction {
    /// Look at the window whose upper left cell this is.
    Look(u8),
    /// Put a stone on this cell.
    Move(u8),
}

/// `look a1b2`, `c3`.
impl fmt::Debug for BlindAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BlindAction::Look(corner) => {
                write!(f, "look {}{}", cell_name(corner, 3), cell_name(corner + 4, 3))
            }
            BlindAction::Move(cell) => f.write_str(&cell_name(cell, 3)),
        }
    }
}

/// What the last ply told the player who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The other's stones in the window.
    Seen(u16),
    Placed,
    Taken,
}

/// The board, and what each player has found out about the other's stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlindState {
    board: Noughts,
    /// The cells on which each player knows of a stone.
    known: [u16; 2],
    mover: Player,
    /// What was last answered, and to whom.
    last: Option<(Player, Answer)>,
}

/// The upper left cells of the windows.
const CORNERS: [u8; 4] = [0, 1, 3, 4];
/// The cells of the window whose upper left cell is 0.
const WINDOW: u16 = 0b000_011_011;

impl BlindState {
    /// The true board.
    #[must_use]
    pub fn board(&self) -> Noughts {
        self.board
    }

    fn looks_next(&self) -> bool {
        !matches!(self.last, Some((_, Answer::Seen(_))))
    }
}

impl Game for BlindTicTacToe {
    type State = BlindState;
    type Action = BlindAction;
    type Told = ToyTold;

    fn start(&self) -> BlindState {
        let known = [self.start.occupied(); 2];
        BlindState { board: self.start, known, mover: self.start.side(), last: None }
    }

    fn turn(&self, state: &BlindState) -> Turn {
        state.board.payoff().map_or(Turn::Player(state.mover), Turn::Over)
    }

    /// Every window; then the cells on which the player knows of no stone. Stones stay, so a move onto one that is
    /// known would only give the turn away, again and again.
    fn actions(&self, state: &BlindState, out: &mut Vec<BlindAction>) {
        match self.turn(state) {
            Turn::Player(_) if state.looks_next() => out.extend(CORNERS.map(BlindAction::Look)),
            Turn::Player(player) => {
                out.extend(Noughts::cells_outside(state.known[player.index()]).map(BlindAction::Move));
            }
            _ => {}
        }
    }

    fn play(&self, state: &BlindState, action: BlindAction) -> BlindState {
        let (me, they) = (state.mover, state.mover.other());
        let mut next = *state;
        let answer = match action {
            BlindAction::Look(corner) => {
                let seen = state.board.stones(they) & WINDOW << corner;
                next.known[me.index()] |= seen;
                Answer::Seen(seen)
            }
            BlindAction::Move(cell) => {
                next.known[me.index()] |= 1 << cell;
                next.mover = they;
                if state.board.occupied() >> cell & 1 == 1 {
                    Answer::Taken
                } else {
                    next.board = state.board.with(me, cell);
                    Answer::Placed
                }
            }
        };
        next.last = Some((me, answer));
        next
    }

    /// The answer to her own look or move; of the other's plies only that they are over.
    fn told(&self, state: &BlindState, player: Player) -> Option<ToyTold> {
        let ply = match state.last {
            None => None,
            Some((told, answer)) if told == player => Some(match answer {
                Answer::Seen(stones) => 3 + u64::from(stones),
                Answer::Placed => 1,
                Answer::Taken => 2,
            }),
            Some(_) => Some(0),
        };
        ToyTold::new(ply, self.turn(state))
    }

    fn view_name(&self, state: &BlindState, player: Player) -> String {
        match state.last {
            Some((told, Answer::Seen(0))) if told == player => "empty".to_owned(),
            Some((told, Answer::Seen(stones))) if told == player => {
                let cells = Noughts::cells_outside(!stones);
                cells.map(|cell| cell_name(cell, 3)).collect::<Vec<_>>().join(" ")
            }
            Some((told, Answer::Taken)) if told == player => "taken".to_owned(),
            _ => String::new(),
        }
    }
}
