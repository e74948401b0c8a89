//! The games: chess in the dark, its umpire and its records.
//!
//! [`chess`] is what all variants share, [`fog`] the rules and views of Fog of War, [`kriegspiel`] those of
//! Kriegspiel, [`rbc`] those of Reconnaissance Blind Chess, [`outcome`] how games end, [`umpire`] who runs
//! them, [`seat`] what one player knows of them, [`records`] how they are written down and checked, [`picture`] how a board looks to a person, [`dark`] the list of the games; [`toy`]
//! holds the small games on which a search is proven. Nothing here knows of search: a game is what
//! [`scuro_core::Game`] says it is.

pub mod chess;
pub mod dark;
pub mod fog;
pub mod kriegspiel;
pub mod outcome;
pub mod perft;
pub mod picture;
pub mod rbc;
pub mod records;
pub mod review;
pub mod seat;
pub mod toy;
pub mod umpire;
mod variant;

pub use variant::{Variant, VariantError};

use chess::Color;
use scuro_core::Player;

/// The player of a colour: White is player one.
#[must_use]
pub fn player_of(color: Color) -> Player {
    match color {
        Color::White => Player::One,
        Color::Black => Player::Two,
    }
}

/// The colour of a player.
#[must_use]
pub fn color_of(player: Player) -> Color {
    match player {
        Player::One => Color::White,
        Player::Two => Color::Black,
    }
}
