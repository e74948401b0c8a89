//! The players by name, put together from the search, the evaluation and the rules.
//!
//! [`fog`] is what the search needs to know of Fog of War, [`belief`] its fast filter of positions, [`rebuild`]
//! what to believe when nothing fits, [`player`] the player that sees nothing but her own views, [`name`] how players
//! are called.

pub mod belief;
pub mod fog;
pub mod name;
pub mod player;
pub mod rebuild;
