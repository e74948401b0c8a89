//! The games of a match: one JSON object a line, with the moves as words of UCI.
//!
//! A line has at least `game` (which game), `white`, `black`, `start` (FEN), `moves`, `result` and `reason`; in games of
//! Kriegspiel also `ruleset`. `format` is [`FORMAT`]; the first lines did not have it. Refused tries and senses stand among the moves, as [`Ply`] writes them.

use std::io::{self, BufRead};

use serde_json::Value;
use thiserror::Error;

use super::pgn::PgnResult;
use super::record::{Ply, Record};
use crate::chess::Board;
use crate::{Variant, VariantError};

/// The number of the format in which games of matches are written; newer ones are refused.
pub const FORMAT: u32 = 1;

/// A line and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchLine {
    /// The number of the line, from 1.
    pub number: usize,
    /// The game.
    pub record: Record,
}

/// Why a line is no game of a match.
#[derive(Debug, Error)]
pub enum MatchLineError {
    /// The reader failed.
    #[error("line {line}: cannot read on: {error}")]
    Io {
        /// The line, from 1.
        line: usize,
        /// Why.
        error: io::Error,
    },
    /// Not JSON.
    #[error("line {line}: not JSON: {error}")]
    Json {
        /// The line, from 1.
        line: usize,
        /// The parser's words.
        error: serde_json::Error,
    },
    /// Written by a newer program.
    #[error("line {line}: a game of format {format}: this program reads up to {FORMAT}")]
    Newer {
        /// The line, from 1.
        line: usize,
        /// The format.
        format: u64,
    },
    /// A value that is missing or cannot be understood.
    #[error("line {line}, {name}: {words}")]
    Value {
        /// The line, from 1.
        line: usize,
        /// Which value.
        name: &'static str,
        /// What is wrong.
        words: String,
    },
}

/// Whether the first line of a file is a game of a match.
pub(super) fn is_match_line(text: &str) -> bool {
    let value: Option<Value> = serde_json::from_str(text).ok();
    value.is_some_and(|value| ["moves", "start", "result"].iter().all(|name| value[name].is_string()))
}

/// The games of a file, in its order. Blank lines are none.
pub fn read(lines: impl BufRead) -> impl Iterator<Item = Result<MatchLine, MatchLineError>> {
    let numbered = (1..).zip(lines.lines());
    numbered.filter_map(|(line, text)| match text {
        Err(error) => Some(Err(MatchLineError::Io { line, error })),
        Ok(text) if text.trim().is_empty() => None,
        Ok(text) => Some(parse(line, &text).map(|record| MatchLine { number: line, record })),
    })
}

fn parse(line: usize, text: &str) -> Result<Record, MatchLineError> {
    let value: Value = serde_json::from_str(text).map_err(|error| MatchLineError::Json { line, error })?;
    if let Some(format) = value["format"].as_u64().filter(|&format| format > u64::from(FORMAT)) {
        return Err(MatchLineError::Newer { line, format });
    }
    let wrong = |name: &'static str, words: String| MatchLineError::Value { line, name, words };
    let word =
        |name: &'static str| value[name].as_str().ok_or_else(|| wrong(name, "expected a text".to_owned()));
    let variant: Variant =
        word("game")?.parse().map_err(|error: VariantError| wrong("game", error.to_string()))?;
    let (start, passed) =
        Board::parse_keeping_passed(word("start")?).map_err(|error| wrong("start", error.to_string()))?;
    let plies = word("moves")?.split_whitespace().map(str::parse::<Ply>).collect::<Result<_, _>>();
    let result = word("result")?;
    let mut tags = Vec::new();
    for (tag, name) in [("White", "white"), ("Black", "black"), ("Ruleset", "ruleset")] {
        tags.extend(value[name].as_str().map(|value| (tag.to_owned(), value.to_owned())));
    }
    Ok(Record {
        variant,
        tags,
        start,
        passed: passed.filter(|_| variant == Variant::Reconnaissance),
        plies: plies.map_err(|error| wrong("moves", error.to_string()))?,
        result: PgnResult::parse(result).ok_or_else(|| wrong("result", format!("'{result}' is none")))?,
        termination: Some(word("reason")?.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_newer_is_refused_by_its_number() {
        let parsed = |format: &str| {
            let start = Board::start();
            let line = format!(
                "{{{format}\"game\": \"fog\", \"start\": \"{start}\", \"moves\": \"e2e4\", \
                 \"result\": \"1-0\", \"reason\": \"resignation\"}}"
            );
            let found = read(line.as_bytes()).next().unwrap();
            found.map(|line| line.record.plies.len()).map_err(|error| error.to_string())
        };
        assert_eq!((parsed(""), parsed("\"format\": 1, ")), (Ok(1), Ok(1)));
        let newer = "line 1: a game of format 2: this program reads up to 1".to_owned();
        assert_eq!(parsed("\"format\": 2, "), Err(newer));
    }
}
