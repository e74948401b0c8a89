//! What a game is.
//!
//! Everything else in Scuro speaks through this crate: [`Game`] is the contract that a set of rules
//! fulfils, [`Key`] is a player's whole information as one number, [`laws`] checks that a game keeps
//! the contract, [`Labels`] are what players know as text, and [`Random`] is the one source of chance, so that every run can be replayed.

pub mod belief;
pub mod game;
pub mod key;
pub mod label;
pub mod laws;
pub mod random;

pub use belief::{Positions, Successors};
pub use game::{Game, Node, Player, Scale, Turn};
pub use key::Key;
pub use label::Labels;
pub use random::Random;

/// The stack of a thread that walks game trees: enough for the deepest.
pub const STACK: usize = 64 << 20;

/// The example of `docs/adding-a-game.md` is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/adding-a-game.md")]
pub struct AddingAGame;
