//! Records.
pub mod pgn;
