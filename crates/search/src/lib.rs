//! The search, for any game. It never names chess.
//!
//! Now here: [`belief`], what a player can work out; [`knowledge`], what one player knows that the other knows;
//! [`tree`], a game written out, [`strategy`], what players do there and how well that can be answered, and
//! [`solve`], how to do better; [`exact`], what cannot be done better. The other steps of a move decision will
//! stand beside them.

pub mod belief;
pub mod exact;
pub mod knowledge;
pub mod solve;
pub mod strategy;
pub mod tree;
