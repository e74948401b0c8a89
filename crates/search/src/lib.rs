//! The search, for any game. It never names chess.
//!
//! Now here: [`belief`], what a player can work out, and [`knowledge`], what one player knows that the other
//! knows. The other steps of a move decision will stand beside them: subgame, solve, grow, choose.

pub mod belief;
pub mod knowledge;
