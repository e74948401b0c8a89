//! Abrupt Dark Hex: Hex in which neither sees the other's stones, and a ply onto one of them is lost.

use std::fmt;

use scuro_core::{Game, Player, Turn};

use super::ToyTold;
use super::grid::cell_name;
use super::name::{ToyError, within};

/// The rules of Abrupt Dark Hex on a board of some size.
///
/// Player one joins the first row to the last, player two the first column to the last. Whoever tries a cell that
/// the other holds learns of the stone there and loses the turn; the other learns nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DarkHex {
    rows: u8,
    columns: u8,
}

/// A stone put, or tried to put, on a cell; cells are numbered row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HexCell(pub u8);

impl fmt::Debug for HexCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cell {}", self.0)
    }
}

/// The stones, and what each player has found out about the other's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DarkHexState {
    stones: [u64; 2],
    /// Stones of the other that each player has run into.
    found: [u64; 2],
    mover: Player,
    /// Whether the last ply put a stone on the board; nothing before the first.
    placed: Option<bool>,
    winner: Option<Player>,
}

impl DarkHex {
    /// Abrupt Dark Hex with `rows` rows and `columns` columns.
    ///
    /// # Errors
    /// If there are none or more than 8 of either.
    pub fn new(rows: u32, columns: u32) -> Result<DarkHex, ToyError> {
        let rows = within("dark-hex", "ROWS", rows, 1..=8)? as u8;
        let columns = within("dark-hex", "COLS", columns, 1..=8)? as u8;
        Ok(DarkHex { rows, columns })
    }

    /// The cells that touch a cell.
    fn neighbours(self, cell: u8) -> impl Iterator<Item = u8> {
        let (row, column) = ((cell / self.columns) as i8, (cell % self.columns) as i8);
        let near = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)].into_iter();
        let near = near.map(move |(down, right)| (row + down, column + right));
        let inside = near.filter(move |&(row, column)| {
            (0..self.rows as i8).contains(&row) && (0..self.columns as i8).contains(&column)
        });
        inside.map(move |(row, column)| row as u8 * self.columns + column as u8)
    }

    /// Whether the stones of `player` that hang together with the one on `cell` join her two edges.
    fn joins(self, stones: u64, player: Player, cell: u8) -> bool {
        let (mut group, mut edge) = (1u64 << cell, vec![cell]);
        while let Some(cell) = edge.pop() {
            for next in self.neighbours(cell).filter(|next| stones >> next & 1 == 1) {
                if group >> next & 1 == 0 {
                    group |= 1 << next;
                    edge.push(next);
                }
            }
        }
        let place = |cell: u8| match player {
            Player::One => cell / self.columns,
            Player::Two => cell % self.columns,
        };
        let last = if player == Player::One { self.rows } else { self.columns } - 1;
        let touches = |edge: u8| self.cells().any(|cell| group >> cell & 1 == 1 && place(cell) == edge);
        touches(0) && touches(last)
    }

    fn cells(self) -> impl Iterator<Item = u8> {
        0..self.rows * self.columns
    }
}

impl Game for DarkHex {
    type State = DarkHexState;
    type Action = HexCell;
    type Told = ToyTold;

    fn start(&self) -> DarkHexState {
        DarkHexState { stones: [0; 2], found: [0; 2], mover: Player::One, placed: None, winner: None }
    }

    fn turn(&self, state: &DarkHexState) -> Turn {
        match state.winner {
            Some(Player::One) => Turn::Over(1.0),
            Some(Player::Two) => Turn::Over(-1.0),
            None => Turn::Player(state.mover),
        }
    }

    /// The cells on which the player knows of no stone.
    fn actions(&self, state: &DarkHexState, out: &mut Vec<HexCell>) {
        if state.winner.is_none() {
            let known = state.stones[state.mover.index()] | state.found[state.mover.index()];
            out.extend(self.cells().filter(|cell| known >> cell & 1 == 0).map(HexCell));
        }
    }

    fn play(&self, state: &DarkHexState, HexCell(cell): HexCell) -> DarkHexState {
        let mut next = *state;
        let (me, they) = (state.mover, state.mover.other());
        if state.stones[they.index()] >> cell & 1 == 1 {
            next.found[me.index()] |= 1 << cell;
            next.placed = Some(false);
        } else {
            next.stones[me.index()] |= 1 << cell;
            next.placed = Some(true);
            next.winner = self.joins(next.stones[me.index()], me, cell).then_some(me);
        }
        next.mover = they;
        next
    }

    /// Whether her own stone found its place; of the other's ply only that it is over.
    fn told(&self, state: &DarkHexState, player: Player) -> Option<ToyTold> {
        let ply = match state.placed {
            None => None,
            Some(placed) if state.mover != player => Some(1 + u64::from(placed)),
            Some(_) => Some(0),
        };
        ToyTold::new(ply, self.turn(state))
    }

    fn action_name(&self, _: &DarkHexState, HexCell(cell): HexCell) -> String {
        cell_name(cell, self.columns)
    }

    fn view_name(&self, state: &DarkHexState, player: Player) -> String {
        let refused = state.mover != player && state.placed == Some(false);
        if refused { "taken" } else { "" }.to_owned()
    }
}
