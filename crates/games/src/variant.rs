//! The names of the games, as records and commands write them.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
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
    /// The games in the dark, in the order in which they are listed.
    pub const DARK: [Variant; 3] = [Variant::FogOfWar, Variant::Kriegspiel, Variant::Reconnaissance];

    /// The word of commands and files: `fog`, `kriegspiel`, `rbc`; `chess` for what hides nothing.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Variant::Chess => "chess",
            Variant::FogOfWar => "fog",
            Variant::Kriegspiel => "kriegspiel",
            Variant::Reconnaissance => "rbc",
        }
    }

    /// Whether it is played by different rulesets.
    #[must_use]
    pub fn has_rulesets(self) -> bool {
        self == Variant::Kriegspiel
    }

    /// Whether its positions keep a square that a pawn has just passed over though nobody can take there.
    #[must_use]
    pub fn keeps_passed(self) -> bool {
        self == Variant::Reconnaissance
    }

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

/// As the word of files.
impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// One of the games in the dark, by its word.
impl<'de> Deserialize<'de> for Variant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Variant, D::Error> {
        let word = String::deserialize(deserializer)?;
        let known = Variant::DARK.into_iter().find(|variant| variant.word() == word);
        let words = Variant::DARK.map(Variant::word).join(", ");
        known.ok_or_else(|| D::Error::custom(format!("'{word}' is not a game: known are {words}")))
    }
}
