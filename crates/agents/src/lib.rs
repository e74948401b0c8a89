//! The players by name, put together from the search, the evaluation and the rules.
//!
//! [`fog`] is what the search needs to know of Fog of War, [`draws`] what its player can know of draws, [`belief`]
//! the fast filter of positions, [`rebuild`] what to believe when nothing fits, [`player`] the player that sees nothing
//! but her own views, [`name`] how players are called, [`contestant`] who sits at a board and the opponents that a
//! player is measured against; [`zs21`], [`baseline`] and [`greedy`] are its rivals, of which the first two keep a
//! [`watch`]; [`mod@bench`] what she decides at fixed seeds and how fast.

pub mod baseline;
pub mod belief;
pub mod bench;
pub mod contestant;
pub mod draws;
pub mod fog;
pub mod greedy;
pub mod name;
pub mod player;
pub mod rebuild;
pub mod watch;
pub mod zs21;
