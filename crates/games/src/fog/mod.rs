//! Fog of War chess: every move the men can make is legal, taking the king wins, and each player sees only
//! her own men and the squares they could move to.

mod belief;
mod game;
mod view;

pub use belief::{Filter, candidates};
pub use game::{FogOfWar, FogState, Told, apparent_board, won};
pub use view::{View, ViewError, lit};
