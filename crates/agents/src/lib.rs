//! The players by name, put together from the search, the evaluation and the rules.
//!
//! [`player`] is the player of the paper for any game that says what differs there ([`fog`], [`kriegspiel`], [`rbc`]);
//! [`opponent`] is how it supposes
//! that the other side plays. [`rivals`] are the opponents that it is measured against. A [`contestant`] is whoever sits at a game, [`play`] the one
//! place where the umpire plays and contestants are told. [`name`] is who plays what, by name, [`level`] how well for
//! people, [`seat`] how a name gets to a board. [`protocol`] is the language of programs: as data, as an engine that hears
//! it, as a contestant that is another program, and its test. [`mod@bench`] is what players decide at fixed seeds, and how
//! fast.

pub mod bench;
pub mod contestant;
pub mod fog;
pub mod kriegspiel;
pub mod level;
pub(crate) mod meter;
pub mod name;
pub mod opponent;
pub mod play;
pub mod player;
pub mod protocol;
pub mod rbc;
pub mod rivals;
pub mod seat;

/// The example of `docs/adding-a-player.md` is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/adding-a-player.md")]
pub struct AddingAPlayer;
