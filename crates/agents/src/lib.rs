//! The players by name, put together from the search, the evaluation and the rules.
//!
//! [`fog`] is what the search needs to know of Fog of War, [`draws`] what its player can know of draws, [`belief`]
//! the fast filter of positions, [`rebuild`] what to believe when nothing fits, [`watch`] what a player knows by her own
//! views alone, [`player`] the player who has nothing else, [`name`] how players are called, [`contestant`] who sits at a board and the opponents that a
//! player is measured against, [`level`] how well she plays against people, [`seat`] how a name gets there, [`protocol`] the lines in which programs play,
//! [`engine`] the program that hears them, [`process`] a contestant that is such a program, [`selftest`] whether a
//! program speaks like that; [`zs21`] and [`baseline`], in one shell ([`rival`]), and [`greedy`] are her rivals;
//! [`mod@bench`] is what she decides at fixed seeds and how fast.

pub mod baseline;
pub mod belief;
pub mod bench;
pub mod contestant;
pub mod draws;
pub mod engine;
pub mod fog;
pub mod greedy;
pub mod level;
pub mod name;
pub mod player;
pub mod process;
pub mod protocol;
pub mod rebuild;
pub mod rival;
pub mod seat;
pub mod selftest;
pub mod watch;
pub mod zs21;
