//! The players by name, put together from the search, the evaluation and the rules.
//!
//! [`fog`] is what the search needs to know of Fog of War, [`belief`] its fast filter of positions, [`player`] the
//! player that sees nothing but her own views, [`name`] how players are called, [`mod@bench`] what she decides at fixed
//! seeds and how fast.

pub mod belief;
pub mod bench;
pub mod fog;
pub mod name;
pub mod player;
