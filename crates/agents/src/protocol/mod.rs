//! The dialect of UCI in which any program can play in the dark, as data.
//!
//! [`Command`] is what a program hears, [`Answer`] what it says; both are read and written here alone, whichever side
//! one is on. It keeps UCI's framing and options, and tells what a player is told instead of the position: nothing in
//! it holds the truth of the board. `docs/protocol.md` is the contract.

mod answer;
mod command;
pub mod dialect;
pub mod engine;
mod lines;
mod parts;
pub mod process;
pub mod selftest;

pub use answer::{Answer, Info, Kind, Offer};
pub use command::{Command, Said};
pub use lines::{LONGEST, Line, Lines};
pub use parts::{Choice, Go, Window, variant_word};

use thiserror::Error;

/// The version of the dialect, as in the line `scuro 1`.
pub const VERSION: u32 = 1;

/// The option of programs that want to be told what was captured in Kriegspiel, `pawn` or `piece`.
pub const CAPTURE_KINDS: &str = "CaptureKinds";

/// Why a line cannot be understood.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LineError {
    /// No line begins like this.
    #[error("unknown line '{0}'")]
    Unknown(String),
    /// Something is missing, or there is too much.
    #[error("expected '{0}'")]
    Shape(&'static str),
    /// A part that says nothing that it could.
    #[error("'{found}' is not {wanted}")]
    Part {
        /// What could stand there.
        wanted: &'static str,
        /// What stands there.
        found: String,
    },
    /// A part that its own reader refuses.
    #[error("{0}")]
    Refused(String),
}

impl LineError {
    fn part(wanted: &'static str, found: &str) -> LineError {
        LineError::Part { wanted, found: found.to_owned() }
    }

    fn refused(error: impl ToString) -> LineError {
        LineError::Refused(error.to_string())
    }
}
