//! Small games, on which a search can be proven right: their values are known, or a linear program finds them.
//!
//! [`Kuhn`] and [`Leduc`] are poker, [`LiarsDice`] and [`Goofspiel`] are bidding, [`DarkHex`] is Hex unseen,
//! [`Pennies`] are the examples of the literature on subgame solving, [`PhantomTicTacToe`] and
//! [`BlindTicTacToe`] the small cousins of Kriegspiel and of Reconnaissance Blind Chess. [`parse`] finds a game by
//! its name, [`efg`] reads any other from Gambit's file format and writes all of them to it.

mod blind;
mod dark_hex;
pub mod efg;
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
pub use goofspiel::{Goofspiel, GoofspielAction, GoofspielState, Prizes};
pub use kuhn::{Kuhn, KuhnAction, KuhnState};
pub use leduc::{Leduc, LeducAction, LeducState};
pub use liars_dice::{LiarsDice, LiarsDiceAction, LiarsDiceState};
pub use name::{FORMS, ToyError, ToyGame, Visit, parse};
pub use noughts::{Noughts, NoughtsError};
pub use pennies::{Pennies, PennyAction, PennyRules, PennyState};
pub use phantom::{Cell, PhantomState, PhantomTicTacToe};

use scuro_core::{Observer, Turn};

/// Shows how the game ended where it has: a word more than a state has at which it goes on.
fn see_end(turn: Turn, observer: &mut impl Observer) {
    if let Turn::Over(payoff) = turn {
        observer.see(payoff.to_bits());
    }
}
