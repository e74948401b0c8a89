//! What a position is worth, to the side asked, from -1 (lost) to 1 (won): `tanh(pawns / 6)`.
//!
//! [`features`] turns a position into the inputs of a network; [`training`] makes networks.

pub mod features;
pub mod training;
