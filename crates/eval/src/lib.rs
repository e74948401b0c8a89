//! What a position is worth, to the side asked, from -1 (lost) to 1 (won): `tanh(pawns / 6)`.
//!
//! [`features`] turns a position into the inputs of a [`network`], whose sums [`accumulator`] keeps up to date
//! from move to move with the loops of [`simd`]. [`quiescence`] follows captures under the [`rules`] of a game until an opinion
//! means something, in whole numbers ([`score`]), and drives bare kings ([`chase`]). [`evaluator`] is what the search
//! calls: the network, one of Stockfish ([`nnue`]), the [`simple`] evaluation or an external engine ([`uci`]).
//! [`quality`] measures it; [`training`] makes networks.

pub mod accumulator;
pub mod chase;
pub mod evaluator;
mod exchange;
pub mod features;
pub mod network;
pub mod nnue;
pub mod quality;
pub mod quiescence;
pub mod rules;
pub mod score;
pub mod simd;
pub mod simple;
pub mod training;
pub mod uci;

pub use evaluator::Evaluator;
pub use network::{Floats, Network, NetworkError};
pub use quiescence::Quiescence;
pub use rules::Rules;
