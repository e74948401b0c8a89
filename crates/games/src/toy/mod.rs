//! Small games, on which a search can be proven right: their values are known, or a linear program finds them.
//!
//! [`Kuhn`] and [`Leduc`] are poker, [`LiarsDice`] and [`Goofspiel`] are bidding, [`DarkHex`] is Hex unseen,
//! [`Pennies`] are the examples of the literature on subgame solving, [`PhantomTicTacToe`] and
//! [`BlindTicTacToe`] the small cousins of Kriegspiel and of Reconnaissance Blind Chess, [`Fusion`] is where samplers of
//! worlds go wrong. [`parse`] finds a game by
//! its name, [`efg`] reads any other from Gambit's file format and writes all of them to it.

mod blind;
mod dark_hex;
pub mod efg;
mod fusion;
mod goofspiel;
mod grid;
mod kuhn;
mod leduc;
mod liars_dice;
mod name;
mod noughts;
mod pennies;
mod phantom;

pub use blind::{BlindAction, BlindState, BlindTicTacToe};
pub use dark_hex::{DarkHex, DarkHexState, HexCell};
pub use fusion::{Fusion, FusionAction, FusionState};
pub use goofspiel::{Goofspiel, GoofspielAction, GoofspielState, Prizes};
pub use kuhn::{Kuhn, KuhnAction, KuhnState};
pub use leduc::{Leduc, LeducAction, LeducState};
pub use liars_dice::{LiarsDice, LiarsDiceAction, LiarsDiceState};
pub use name::{FORMS, ToyError, ToyGame, Visit, parse};
pub use noughts::{Noughts, NoughtsError};
pub use pennies::{Pennies, PennyAction, PennyRules, PennyState};
pub use phantom::{Cell, PhantomState, PhantomTicTacToe};

use std::fmt;

use scuro_core::Turn;

/// What a player of a small game is told: a word for the last ply, if it notices it, and how the game ended, if it
/// has.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ToyTold {
    ply: Option<u64>,
    end: Option<u64>,
}

impl ToyTold {
    /// A word, if there is one, and the end, if `turn` is one; `None` if there is neither.
    fn new(ply: Option<u64>, turn: Turn) -> Option<ToyTold> {
        let end = if let Turn::Over(payoff) = turn { Some(payoff.to_bits()) } else { None };
        (ply.is_some() || end.is_some()).then_some(ToyTold { ply, end })
    }
}

/// The words in hexadecimal, with points between them.
impl fmt::Debug for ToyTold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> =
            self.ply.into_iter().chain(self.end).map(|word| format!("{word:x}")).collect();
        f.write_str(&words.join("."))
    }
}
