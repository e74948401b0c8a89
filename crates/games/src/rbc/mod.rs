//! Reconnaissance Blind Chess: a player sees only her own men, looks at one square and its neighbours each
//! turn, and requests a move that the umpire makes as far as the true board allows. Taking the king wins.
//!
//! [`Sensed`] is what a look shows, [`requests`] and [`resolve`] are what may be asked for and what becomes of
//! it, [`Rbc`] is the game, [`Told`] what its players are told, [`RbcView`] what they know by that, [`RbcGame`] a game that was played.

mod belief;
mod game;
mod observe;
mod played;
mod request;
mod sense;
mod view;

pub use belief::Position;
pub use game::{Moved, Phase, Rbc, RbcError, RbcState};
pub use observe::{Answer, RbcAction, Told, inner_squares};
pub use played::{Played, RbcGame, RbcTurn, ReplayError};
pub use request::{RequestError, admit, requests, resolve};
pub use sense::{Sensed, sense_square};
pub use view::RbcView;
