//! PGN as text: tags, moves with their annotations, a result.
//!
//! Nothing here knows a board. Records of games in the dark hold moves that no board can check (`??` for a
//! move the teller did not see), so the text is read first and its meaning found elsewhere. What is read
//! keeps its line and column, so that whoever finds a move to be impossible can say where it stands.
//!
//! [`PgnReader`] reads game after game from a stream; a [`PgnGame`] prints itself in PGN's export layout.

mod read;
#[cfg(test)]
mod tests;
mod write;

use std::{fmt, io};

use thiserror::Error;

pub use read::PgnReader;
pub use write::date;

/// How deep variations may be nested.
pub const MAX_DEPTH: usize = 64;

/// One game of a PGN file. Games are equal if they say the same, wherever they stand in their files.
///
/// It prints as a PGN game that ends with a line feed; games of a file want an empty line between them. Tag
/// names and the texts of moves are printed as they are, so it is up to their maker that they are words.
#[derive(Clone, Debug, Default)]
pub struct PgnGame {
    /// Names and values of the tags, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The comments before the first move.
    pub before: Vec<String>,
    /// The moves of the game itself.
    pub moves: Vec<PgnMove>,
    /// How the movetext says that the game ended; the tag `Result` is not consulted.
    pub result: PgnResult,
    /// The line of the first tag, or of the first move if there is no tag; from 1.
    pub line: usize,
}

impl PgnGame {
    /// The value of the first tag of exactly this name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl PartialEq for PgnGame {
    fn eq(&self, other: &PgnGame) -> bool {
        self.tags == other.tags
            && self.before == other.before
            && self.moves == other.moves
            && self.result == other.result
    }
}

impl Eq for PgnGame {}

/// A move and all that is said about it. Moves are equal if they say the same, wherever they stand.
#[derive(Clone, Debug, Default)]
pub struct PgnMove {
    /// The move as written, without suffixes such as `!?`. A move the teller does not know is `??`.
    pub text: String,
    /// Numeric annotations; the suffixes `!`, `?`, `!!`, `??`, `!?`, `?!` are 1 to 6.
    pub nags: Vec<u8>,
    /// The comments on this move, each with single blanks between its words.
    pub comments: Vec<String>,
    /// What could have been played in place of this move; none is empty when read from a file.
    pub variations: Vec<Vec<PgnMove>>,
    /// The line of the text, from 1.
    pub line: usize,
    /// The column of the text in characters, from 1.
    pub column: usize,
}

impl PartialEq for PgnMove {
    fn eq(&self, other: &PgnMove) -> bool {
        self.text == other.text
            && self.nags == other.nags
            && self.comments == other.comments
            && self.variations == other.variations
    }
}

impl Eq for PgnMove {}

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PgnResult {
    /// White won.
    White,
    /// Black won.
    Black,
    /// Nobody won.
    Draw,
    /// The game goes on, or its end is not known.
    #[default]
    Unknown,
}

impl PgnResult {
    /// The result that is written so, if any is.
    #[must_use]
    pub fn parse(text: &str) -> Option<PgnResult> {
        match text {
            "1-0" => Some(PgnResult::White),
            "0-1" => Some(PgnResult::Black),
            "1/2-1/2" => Some(PgnResult::Draw),
            "*" => Some(PgnResult::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for PgnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            PgnResult::White => "1-0",
            PgnResult::Black => "0-1",
            PgnResult::Draw => "1/2-1/2",
            PgnResult::Unknown => "*",
        })
    }
}

/// A text that is no PGN, or a reader that failed.
#[derive(Debug, Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: PgnErrorKind,
}

/// What is wrong with a text.
#[derive(Debug, Error)]
pub enum PgnErrorKind {
    /// Something that cannot stand here.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What could stand here.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A comment or variation that starts here does not end before the text or the game does.
    #[error("this {what} is not closed before {found}")]
    Unclosed {
        /// What is open.
        what: &'static str,
        /// What came before its end.
        found: String,
    },
    /// A variation inside [`MAX_DEPTH`] others.
    #[error("variations are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// The reader failed; nothing more is read from it.
    #[error("cannot read on: {0}")]
    Io(io::Error),
}
