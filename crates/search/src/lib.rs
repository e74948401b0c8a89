//! The search, for any game. It never names chess.
//!
//! Now here: [`knowledge`], what one player knows that the other knows. The steps of a move decision will
//! stand beside it in the order in which they run: belief, subgame, solve, grow, choose.

pub mod knowledge;
