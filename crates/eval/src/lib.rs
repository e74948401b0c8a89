//! What a position is worth, to the side asked, from -1 (lost) to 1 (won): `tanh(pawns / 6)`.
//!
//! [`features`] turns a position into the inputs of a [`network`], whose sums [`accumulator`] keeps up to date
//! from move to move with the loops of [`simd`]. [`quiescence`] follows captures until an opinion means something,
//! in whole numbers ([`score`]). [`evaluator`] is what the search calls: the network, the [`simple`] evaluation
//! or an external engine ([`uci`]).

pub mod accumulator;
pub mod evaluator;
mod exchange;
pub mod features;
pub mod network;
pub mod quiescence;
pub mod score;
pub mod simd;
pub mod simple;
pub mod uci;

pub use evaluator::Evaluator;
pub use network::{Floats, Network, NetworkError};
pub use quiescence::Quiescence;
