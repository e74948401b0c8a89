//! The players by name, put together from the search, the evaluation and the rules.
//!
//! [`fog`] is what the search needs to know of Fog of War, [`belief`] its fast filter of positions, [`player`] the
//! player that sees nothing but her own views.

pub mod belief;
pub mod fog;
pub mod player;
