//! Replays records under our rules and counts where they disagree.

pub(super) mod fog;
pub(super) mod kriegspiel;
mod pgn;
pub(super) mod rbc;

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use serde_json::Value;
use thiserror::Error;

use super::game_history::{HistoryError, is_game_history};
use super::json_lines::{Entry, LinesError, LinesReader};
use super::record::RecordError;
use crate::Variant;
use crate::outcome::Outcome;

/// How many disagreements a report keeps word for word.
pub const KEPT: usize = 10;

/// What came out of replaying one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries looked at: plies of a game, or tries, or turns.
    pub checked: usize,
    /// Entries in which the record and our rules disagree.
    pub disagreements: usize,
    /// Entries in which the record differs from the rules in a way its first line admits to.
    pub deviations: usize,
    /// The first [`KEPT`] disagreements in words.
    pub kept: Vec<String>,
    /// The first place that could not be read. What stands before and behind it is counted above.
    pub damage: Option<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { checked, disagreements, deviations, .. } = self;
        write!(f, "checked {checked}, disagreements {disagreements}, known deviations {deviations}")
    }
}

impl Report {
    /// Counts a disagreement; `words` say where and what.
    pub(crate) fn disagree(&mut self, words: String) {
        self.disagreements += 1;
        if self.kept.len() < KEPT {
            self.kept.push(words);
        }
    }
}

/// Why a file cannot be checked at all.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// PGN without meaning.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Not the JSON-lines format.
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// A damaged file of Reconnaissance Blind Chess.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A game that we cannot check.
    #[error("line {line}: records of {variant} cannot be checked")]
    Variant {
        /// Where.
        line: usize,
        /// Which game.
        variant: String,
    },
    /// Neither PGN nor JSON lines.
    #[error("there is no game in this file")]
    Empty,
}

/// Replays all games of a file: PGN, JSON lines or a `GameHistory`, plain or gzipped, told apart by how they
/// begin. `progress` hears of every game.
///
/// # Errors
/// If the file cannot be read as any of them.
pub fn verify(file: impl Read, progress: &mut dyn FnMut()) -> Result<Report, VerifyError> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let gzipped = reader.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    if gzipped {
        verify_text(BufReader::new(MultiGzDecoder::new(reader)), progress)
    } else {
        verify_text(reader, progress)
    }
}

fn verify_text(mut reader: impl BufRead, progress: &mut dyn FnMut()) -> Result<Report, VerifyError> {
    let mut games = 0;
    let mut count = || {
        games += 1;
        progress();
    };
    let report = if starts_json(&mut reader)? {
        verify_json(reader, &mut count)
    } else {
        pgn::verify(reader, &mut count)
    }?;
    if games == 0 && report.damage.is_none() { Err(VerifyError::Empty) } else { Ok(report) }
}

fn verify_json(mut reader: impl BufRead, progress: &mut dyn FnMut()) -> Result<Report, VerifyError> {
    let mut text = String::new();
    reader.read_line(&mut text)?;
    if begins_game_history(&text) {
        reader.read_to_string(&mut text)?;
        return rbc::verify_history(&text, progress);
    }
    let lines = LinesReader::new(text.as_bytes().chain(reader))?;
    match lines.meta.variant.parse() {
        Ok(Variant::FogOfWar) => fog::verify(lines, progress),
        Ok(Variant::Kriegspiel) => kriegspiel::verify(lines, progress),
        Ok(Variant::Reconnaissance) => rbc::verify(lines, progress),
        _ => Err(VerifyError::Variant { line: 1, variant: lines.meta.variant }),
    }
}

/// Whether a text starts like a JSON object. In PGN a brace opens a comment, which hardly starts with a quote.
pub(super) fn starts_json(reader: &mut impl BufRead) -> io::Result<bool> {
    let buffer = reader.fill_buf()?;
    if buffer.starts_with("\u{feff}".as_bytes()) {
        reader.consume(3);
    }
    loop {
        let buffer = reader.fill_buf()?;
        let mut rest = buffer.iter().filter(|byte| !byte.is_ascii_whitespace());
        match (rest.next(), rest.next()) {
            (Some(b'{'), second) => return Ok(matches!(second, Some(b'"' | b'}'))),
            (None, _) if !buffer.is_empty() => {
                let blank = buffer.len();
                reader.consume(blank);
            }
            _ => return Ok(false),
        }
    }
}

/// Whether the first line of a file is a `GameHistory`, or the beginning of one that takes several lines.
pub(super) fn begins_game_history(line: &str) -> bool {
    match serde_json::from_str::<Value>(line) {
        Ok(value) => is_game_history(&value),
        Err(error) => error.is_eof() && !line.contains("\"meta\""),
    }
}

/// An end as data files write it: `1-0 king`, `draw rep`.
pub(super) fn result_text(outcome: Outcome) -> String {
    let score = if outcome.winner.is_some() { outcome.score() } else { "draw" };
    format!("{score} {}", outcome.reason.word())
}

/// The comparison of one entry: collects what disagrees, and what is a known deviation.
pub(crate) struct Comparison<'l> {
    entry: Entry<'l>,
    known: &'l [String],
    wrong: Vec<String>,
    deviates: bool,
}

impl<'l> Comparison<'l> {
    /// Starts with nothing wrong. `known` are the deviations that the file's first line names.
    pub(crate) fn new(entry: Entry<'l>, known: &'l [String]) -> Comparison<'l> {
        Comparison { entry, known, wrong: Vec::new(), deviates: false }
    }

    /// Says that something disagrees.
    pub(crate) fn disagree(&mut self, words: String) {
        self.wrong.push(words);
    }

    /// Compares one field with `ours`. `is_deviation` is asked, for each deviation that may apply, whether
    /// it turns our value into the source's: a difference is excused only where it really is that one.
    pub(crate) fn field(
        &mut self,
        name: &str,
        ours: Option<Value>,
        is_deviation: impl Fn(&str, Option<&Value>) -> bool,
    ) {
        let source = self.entry.source(name);
        let say = |value: Option<&Value>| match value {
            None => "nothing".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
        };
        let correction = self.entry.correction(name);
        if let Some(right) = correction.filter(|right| *right != ours.as_ref()) {
            self.disagree(format!(
                "{name}: record says {} is right, we say {}",
                say(right),
                say(ours.as_ref())
            ));
        } else if source != ours.as_ref() {
            let admitted: Vec<&str> = self.entry.deviations().collect();
            let applies = |name: &&String| correction.is_none() || admitted.contains(&name.as_str());
            if self.known.iter().filter(applies).any(|deviation| is_deviation(deviation, source)) {
                self.deviates = true;
            } else {
                self.disagree(format!("{name}: record {}, ours {}", say(source), say(ours.as_ref())));
            }
        }
    }

    /// Adds the entry to the report.
    pub(crate) fn finish(mut self, report: &mut Report) {
        if let Some(unknown) =
            self.entry.deviations().find(|name| !self.known.iter().any(|known| known == name))
        {
            self.disagree(format!("x.d: the first line names no deviation '{unknown}'"));
        }
        report.checked += 1;
        if !self.wrong.is_empty() {
            let place = format!("line {}, p[{}]", self.entry.line, self.entry.index);
            report.disagree(format!("{place}: {}", self.wrong.join("; ")));
        } else if self.deviates {
            report.deviations += 1;
        }
    }
}
