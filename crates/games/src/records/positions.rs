//! Lists of positions: a FEN a line, or JSON lines that hold one under `fen`.

use std::io::{self, BufRead, Read};

use serde_json::Value;
use thiserror::Error;

use super::source::unpacked;
use crate::chess::{Board, FenError};

/// What a line of the list holds.
pub struct Listed {
    /// The FEN as it was given, or the whole line where there is none.
    pub fen: String,
    /// The position.
    pub board: Result<Board, ListedError>,
}

/// Why a line is not a position.
#[derive(Debug, Error)]
pub enum ListedError {
    /// It starts like JSON, and does not go on like it.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// No text under `fen`.
    #[error("no text under 'fen'")]
    NoFen,
    /// A text that is no position.
    #[error(transparent)]
    Fen(#[from] FenError),
}

impl Listed {
    /// Reads a line.
    #[must_use]
    pub fn of_line(line: &str) -> Listed {
        let line = line.trim();
        if !line.starts_with('{') {
            return Listed { fen: line.to_owned(), board: line.parse().map_err(ListedError::Fen) };
        }
        let found = serde_json::from_str::<Value>(line).map_err(ListedError::Json);
        match found.map(|value| value.get("fen").and_then(Value::as_str).map(str::to_owned)) {
            Ok(Some(fen)) => Listed { board: fen.parse().map_err(ListedError::Fen), fen },
            Ok(None) => Listed { fen: line.to_owned(), board: Err(ListedError::NoFen) },
            Err(error) => Listed { fen: line.to_owned(), board: Err(error) },
        }
    }
}

/// The positions of a file, which may be gzipped, in their order. Blank lines are none.
pub fn positions<'f>(file: impl Read + 'f) -> io::Result<impl Iterator<Item = io::Result<Listed>> + 'f> {
    let lines = unpacked(file)?.split(b'\n').map(|line| {
        line.map(|line| {
            let text = String::from_utf8_lossy(&line).into_owned();
            (!text.trim_start_matches('\u{feff}').trim().is_empty())
                .then(|| Listed::of_line(text.trim_start_matches('\u{feff}')))
        })
    });
    Ok(lines.filter_map(Result::transpose))
}
