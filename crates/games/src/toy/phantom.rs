//! Phantom tic-tac-toe, the small cousin of Kriegspiel: neither sees the other's stones; a try onto one of them is
//! refused, and the player tries again.

use scuro_core::{Game, Player, Turn};

use super::ToyTold;
use super::grid::cell_name;
use super::noughts::Noughts;

/// The rules of phantom tic-tac-toe from a given board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhantomTicTacToe {
    /// The board both players know at the start.
    pub start: Noughts,
}

/// A stone put, or tried to put, on a cell; cells are numbered row by row.
pub type Cell = u8;

/// The board, and what each player has found out about the other's stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhantomState {
    board: Noughts,
    /// The cells on which each player knows of a stone.
    known: [u16; 2],
    mover: Player,
    /// Whether the last try put a stone on the board; nothing before the first.
    placed: Option<bool>,
}

impl Game for PhantomTicTacToe {
    type State = PhantomState;
    type Action = Cell;
    type Told = ToyTold;

    fn start(&self) -> PhantomState {
        let known = [self.start.occupied(); 2];
        PhantomState { board: self.start, known, mover: self.start.side(), placed: None }
    }

    fn turn(&self, state: &PhantomState) -> Turn {
        state.board.payoff().map_or(Turn::Player(state.mover), Turn::Over)
    }

    /// The cells on which the player knows of no stone. Stones stay: what was refused once is never tried again.
    fn actions(&self, state: &PhantomState, out: &mut Vec<Cell>) {
        if let Turn::Player(player) = self.turn(state) {
            out.extend(Noughts::cells_outside(state.known[player.index()]));
        }
    }

    fn play(&self, state: &PhantomState, cell: Cell) -> PhantomState {
        let mut next = *state;
        let placed = state.board.occupied() >> cell & 1 == 0;
        next.known[state.mover.index()] |= 1 << cell;
        next.placed = Some(placed);
        if placed {
            next.board = state.board.with(state.mover, cell);
            next.mover = state.mover.other();
        }
        next
    }

    /// The answer to her own try; of the other's tries only the one that succeeds.
    fn told(&self, state: &PhantomState, player: Player) -> Option<ToyTold> {
        let ply = match (state.placed, state.mover == player) {
            (None, _) | (Some(false), false) => None,
            (Some(false), true) => Some(1),
            (Some(true), false) => Some(2),
            (Some(true), true) => Some(0),
        };
        ToyTold::new(ply, self.turn(state))
    }

    /// A player does not notice the other's refused tries.
    fn timeable(&self) -> bool {
        false
    }

    fn action_name(&self, _: &PhantomState, cell: Cell) -> String {
        cell_name(cell, 3)
    }

    fn view_name(&self, state: &PhantomState, player: Player) -> String {
        let refused = state.placed == Some(false) && state.mover == player;
        if refused { "taken" } else { "" }.to_owned()
    }
}
