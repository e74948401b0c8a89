//! The board of tic-tac-toe, for its two dark cousins: which stones stand, who is to move, who has won.

use std::str::FromStr;

use scuro_core::Player;
use thiserror::Error;

use super::grid::cell_name;

/// A board of tic-tac-toe: the crosses of player one and the noughts of player two. Bit `n` is cell `n`, row by
/// row from the upper left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Noughts {
    stones: [u16; 2],
}

/// Why a text is not a board on which play can go on.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NoughtsError {
    /// Not nine characters.
    #[error("the board '{text}' has {found} cells, not nine characters of x, o and .")]
    Length {
        /// The text.
        text: String,
        /// How many characters it has.
        found: usize,
    },
    /// A character that is none of the three.
    #[error("the board '{text}' has '{found}' at {cell}: its characters are x, o and .")]
    Character {
        /// The text.
        text: String,
        /// The character.
        found: char,
        /// Where it stands.
        cell: String,
    },
    /// Numbers of stones that no play leads to.
    #[error("the board '{text}' has {crosses} x and {noughts} o: there are as many x as o, or one more")]
    Count {
        /// The text.
        text: String,
        /// How many crosses.
        crosses: u32,
        /// How many noughts.
        noughts: u32,
    },
    /// A board on which the game has ended.
    #[error("the game on the board '{0}' is over")]
    Over(String),
}

const ALL: u16 = 0b1_1111_1111;
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

impl Noughts {
    /// The stones of `player`.
    #[must_use]
    pub fn stones(self, player: Player) -> u16 {
        self.stones[player.index()]
    }

    /// The cells with a stone.
    #[must_use]
    pub fn occupied(self) -> u16 {
        self.stones[0] | self.stones[1]
    }

    /// Who is to move when every turn so far put a stone.
    #[must_use]
    pub fn side(self) -> Player {
        let [crosses, noughts] = self.stones.map(u16::count_ones);
        if crosses > noughts { Player::Two } else { Player::One }
    }

    /// The board with one more stone.
    #[must_use]
    pub fn with(mut self, player: Player, cell: u8) -> Noughts {
        self.stones[player.index()] |= 1 << cell;
        self
    }

    /// The payoff to player one where the game is over: by three in a row, or because the board is full.
    #[must_use]
    pub fn payoff(self) -> Option<f64> {
        let won = |stones: u16| LINES.iter().any(|line| stones & line == *line);
        match self.stones.map(won) {
            [true, _] => Some(1.0),
            [_, true] => Some(-1.0),
            _ => (self.occupied() == ALL).then_some(0.0),
        }
    }

    /// The cells outside `known`, in order.
    pub(super) fn cells_outside(known: u16) -> impl Iterator<Item = u8> {
        (0..9).filter(move |cell| known >> cell & 1 == 0)
    }
}

/// Reads nine characters of `x`, `o` and `.`, row by row; refuses a board on which nobody can go on.
impl FromStr for Noughts {
    type Err = NoughtsError;

    fn from_str(text: &str) -> Result<Noughts, NoughtsError> {
        let owned = || text.to_owned();
        let found = text.chars().count();
        if found != 9 {
            return Err(NoughtsError::Length { text: owned(), found });
        }
        let mut board = Noughts::default();
        for (cell, found) in (0u8..).zip(text.chars()) {
            board = match found {
                'x' => board.with(Player::One, cell),
                'o' => board.with(Player::Two, cell),
                '.' => board,
                _ => return Err(NoughtsError::Character { text: owned(), found, cell: cell_name(cell, 3) }),
            };
        }
        let [crosses, noughts] = board.stones.map(u16::count_ones);
        if crosses != noughts && crosses != noughts + 1 {
            return Err(NoughtsError::Count { text: owned(), crosses, noughts });
        }
        if board.payoff().is_some() { Err(NoughtsError::Over(owned())) } else { Ok(board) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_or_refused_by_name() {
        let board: Noughts = "x.o.o...x".parse().unwrap();
        assert_eq!(board.stones, [1 << 0 | 1 << 8, 1 << 2 | 1 << 4]);
        assert_eq!((board.side(), board.payoff()), (Player::One, None));
        assert_eq!("x........".parse::<Noughts>().unwrap().side(), Player::Two);
        for (text, message) in [
            ("x.o", "the board 'x.o' has 3 cells, not nine characters of x, o and ."),
            ("x...z....", "the board 'x...z....' has 'z' at b2: its characters are x, o and ."),
            ("xx.......", "the board 'xx.......' has 2 x and 0 o: there are as many x as o, or one more"),
            ("o........", "the board 'o........' has 0 x and 1 o: there are as many x as o, or one more"),
            ("xxxoo....", "the game on the board 'xxxoo....' is over"),
            ("xoxxoxoxo", "the game on the board 'xoxxoxoxo' is over"),
        ] {
            assert_eq!(text.parse::<Noughts>().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn three_in_a_row_wins() {
        for line in LINES {
            assert_eq!(line.count_ones(), 3);
            assert_eq!(Noughts { stones: [line, 0] }.payoff(), Some(1.0));
            assert_eq!(Noughts { stones: [0, line] }.payoff(), Some(-1.0));
        }
        assert_eq!(Noughts { stones: [0b011, 0b100] }.payoff(), None);
    }
}
