//! The four sets of rules, and in what they differ.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// What a stalemate is worth under [`Ruleset::Rand`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stalemate {
    /// The side that cannot move loses.
    #[default]
    Loss,
    /// Nobody wins, as everywhere else.
    Draw,
}

/// Whose Kriegspiel: what the umpire says, and to whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ruleset {
    /// The Internet Chess Club: the number of pawn captures is said, refused tries are heard by nobody else.
    #[default]
    Icc,
    /// Cincinnati: that there is a pawn capture is said, and what a player should have known is nonsense.
    Cincinnati,
    /// RAND: the pawns that can capture are named, promotions are said, nonsense counts checks too.
    Rand {
        /// What a stalemate is worth.
        stalemate: Stalemate,
    },
    /// English: nothing is said of pawn captures, but the player may ask "any?" and must then try one.
    English,
}

impl Ruleset {
    /// RAND as its text has it: the stalemated side loses.
    pub const RAND: Ruleset = Ruleset::Rand { stalemate: Stalemate::Loss };

    /// All four, with their usual options.
    pub const ALL: [Ruleset; 4] = [Ruleset::Icc, Ruleset::Cincinnati, Ruleset::RAND, Ruleset::English];

    /// Whether the umpire says if a pawn or a piece was captured.
    #[must_use]
    pub fn names_taken(self) -> bool {
        self != Ruleset::English
    }

    /// Whether the umpire says that a pawn was promoted.
    #[must_use]
    pub fn says_promotions(self) -> bool {
        matches!(self, Ruleset::Rand { .. })
    }

    /// Whether a try that the player should have known to be impossible gets an answer of its own.
    #[must_use]
    pub fn knows_nonsense(self) -> bool {
        matches!(self, Ruleset::Cincinnati | Ruleset::Rand { .. })
    }

    /// Whether the opponent hears that a try was refused.
    #[must_use]
    pub fn refusals_are_heard(self) -> bool {
        self != Ruleset::Icc
    }

    /// Whether a player may ask "any?".
    #[must_use]
    pub fn may_ask(self) -> bool {
        self == Ruleset::English
    }

    /// Whether the side that is stalemated loses.
    #[must_use]
    pub fn stalemate_loses(self) -> bool {
        self == Ruleset::RAND
    }

    /// The umpire's word for a refused try.
    #[must_use]
    pub fn refusal(self, nonsense: bool) -> &'static str {
        match (self, nonsense) {
            (Ruleset::Icc | Ruleset::English, _) => "illegal",
            (_, false) => "no",
            (Ruleset::Cincinnati, true) => "nonsense",
            (Ruleset::Rand { .. }, true) => "hell, no",
        }
    }
}

/// The name: `icc`, `cincinnati`, `rand`, `rand:stalemate=draw` or `english`.
impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ruleset::Icc => "icc",
            Ruleset::Cincinnati => "cincinnati",
            Ruleset::Rand { stalemate: Stalemate::Loss } => "rand",
            Ruleset::Rand { stalemate: Stalemate::Draw } => "rand:stalemate=draw",
            Ruleset::English => "english",
        })
    }
}

/// Why a text names no ruleset.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RulesetError {
    /// No ruleset has this name.
    #[error("unknown ruleset '{0}': known are icc, cincinnati, rand and english")]
    Name(String),
    /// The ruleset does not have this option.
    #[error("ruleset '{name}' has no option '{option}'{}", if name == "rand" { ": known are stalemate=loss and stalemate=draw" } else { "" })]
    Option {
        /// The ruleset.
        name: String,
        /// The option.
        option: String,
    },
}

/// Reads a name, whatever the case of its letters, and after a colon its option.
impl FromStr for Ruleset {
    type Err = RulesetError;

    fn from_str(text: &str) -> Result<Ruleset, RulesetError> {
        let lower = text.to_lowercase();
        let (name, option) = match lower.split_once(':') {
            Some((name, option)) => (name, Some(option)),
            None => (lower.as_str(), None),
        };
        let ruleset = match name {
            "icc" | "wild16" | "wild 16" => Ruleset::Icc,
            "cincinnati" => Ruleset::Cincinnati,
            "rand" => Ruleset::RAND,
            "english" => Ruleset::English,
            _ => return Err(RulesetError::Name(text.to_owned())),
        };
        match (ruleset, option) {
            (_, None) | (Ruleset::Rand { .. }, Some("stalemate=loss")) => Ok(ruleset),
            (Ruleset::Rand { .. }, Some("stalemate=draw")) => {
                Ok(Ruleset::Rand { stalemate: Stalemate::Draw })
            }
            (_, Some(option)) => {
                Err(RulesetError::Option { name: name.to_owned(), option: option.to_owned() })
            }
        }
    }
}

/// As its name.
impl Serialize for Ruleset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ruleset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ruleset, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_wrong_ones_are_named() {
        for ruleset in Ruleset::ALL.into_iter().chain([Ruleset::Rand { stalemate: Stalemate::Draw }]) {
            assert_eq!(ruleset.to_string().parse(), Ok(ruleset));
            assert_eq!(ruleset.to_string().to_uppercase().parse(), Ok(ruleset));
            let text = serde_json::to_string(&ruleset).unwrap();
            assert_eq!(
                (text.as_str(), serde_json::from_str(&text).unwrap()),
                (&*format!("\"{ruleset}\""), ruleset)
            );
        }
        for (text, words) in [
            ("", "unknown ruleset ''"),
            ("berkeley", "unknown ruleset 'berkeley'"),
            ("icc:stalemate=draw", "ruleset 'icc' has no option 'stalemate=draw'"),
            ("rand:stalemate", "'rand' has no option 'stalemate': known are"),
        ] {
            let error = text.parse::<Ruleset>().unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
