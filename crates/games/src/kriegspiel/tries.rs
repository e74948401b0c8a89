//! What a player can put to the umpire.

use std::fmt;
use std::str::FromStr;

use crate::chess::{Move, MoveError};

/// What a player can put to the umpire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Try {
    /// A move: if it is legal chess it is made.
    Move(Move),
    /// The question whether any of her pawns has a legal capture (English).
    Any,
}

/// UCI, or `any?`.
impl fmt::Display for Try {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Try::Move(m) => m.fmt(f),
            Try::Any => f.write_str("any?"),
        }
    }
}

impl fmt::Debug for Try {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Try {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Try, MoveError> {
        match text {
            "any?" | "any" => Ok(Try::Any),
            _ => text.parse().map(Try::Move),
        }
    }
}
