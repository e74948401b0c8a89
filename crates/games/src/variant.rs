//! The names of the games, as records and commands write them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A game that records can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Ordinary chess.
    Chess,
    /// Fog of War chess.
    FogOfWar,
    /// Kriegspiel.
    Kriegspiel,
    /// Reconnaissance Blind Chess.
    Reconnaissance,
}

impl Variant {
    /// The value of a record's `Variant` tag. Ordinary chess needs none.
    #[must_use]
    pub fn tag(self) -> Option<&'static str> {
        match self {
            Variant::Chess => None,
            Variant::FogOfWar => Some("Fog of War"),
            Variant::Kriegspiel => Some("Kriegspiel"),
            Variant::Reconnaissance => Some("Reconnaissance Blind Chess"),
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag().unwrap_or("chess"))
    }
}

/// A name that no variant has.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("unknown variant '{0}': known are chess, Fog of War, Kriegspiel and Reconnaissance Blind Chess")]
pub struct VariantError(String);

/// Reads what a `Variant` tag says, whatever the case of its letters.
impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(text: &str) -> Result<Variant, VariantError> {
        match text.to_lowercase().as_str() {
            "chess" | "standard" => Ok(Variant::Chess),
            "fog of war" | "fogofwar" | "fog" | "dark chess" => Ok(Variant::FogOfWar),
            "kriegspiel" => Ok(Variant::Kriegspiel),
            "reconnaissance blind chess" | "rbc" => Ok(Variant::Reconnaissance),
            _ => Err(VariantError(text.to_owned())),
        }
    }
}
