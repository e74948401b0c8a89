//! The games: chess in the dark, its umpire and its records.
//!
//! [`chess`] is what all variants share, [`fog`] the rules and views of Fog of War, [`outcome`] how games
//! end. Nothing here knows of search: a game is what [`scuro_core::Game`] says it is.

pub mod chess;
pub mod fog;
pub mod outcome;
pub mod perft;
