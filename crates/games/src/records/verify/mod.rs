//! Replays records under our rules and counts where they disagree.

pub(super) mod fog;
pub(super) mod kriegspiel;
mod matched;
mod pgn;
pub(super) mod rbc;

use std::fmt;
use std::io::{BufRead, Read};

use serde_json::Value;
use thiserror::Error;

use super::game_history::HistoryError;
use super::json_lines::{Entry, Line, LinesError, LinesReader, Meta};
use super::match_lines::MatchLineError;
use super::record::RecordError;
use super::source::{Source, SourceError, open};
use crate::Variant;
use crate::chess::Board;
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
    /// Neither PGN nor JSON.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// PGN without meaning.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Not the JSON-lines format.
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// Not the lines of a match.
    #[error(transparent)]
    Match(#[from] MatchLineError),
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
    /// A playout that cannot be converted because our rules have it otherwise.
    #[error("{0}")]
    Disagreement(String),
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
    let mut games = 0;
    let mut count = || {
        games += 1;
        progress();
    };
    let report = match open(file)? {
        Source::Pgn(reader) => pgn::verify(reader, &mut count),
        Source::History(text) => rbc::verify_history(&text, &mut count),
        Source::Lines(lines) => verify_lines(lines, &mut count),
        Source::Match(lines) => matched::verify(lines, &mut count),
    }?;
    if games == 0 && report.damage.is_none() { Err(VerifyError::Empty) } else { Ok(report) }
}

fn verify_lines(lines: LinesReader<impl BufRead>, progress: &mut dyn FnMut()) -> Result<Report, VerifyError> {
    let meta = lines.meta.clone();
    let mut report = Report::default();
    for line in lines {
        verify_line(&line?, &meta, &mut report)?;
        progress();
    }
    Ok(report)
}

/// One game of a file of JSON lines.
pub(super) fn verify_line(line: &Line, meta: &Meta, report: &mut Report) -> Result<(), VerifyError> {
    let start = match line.text("s")?.parse::<Board>() {
        Ok(start) => start,
        Err(error) => {
            report.checked += 1;
            report.disagree(format!("line {}, s: {error}", line.number));
            return Ok(());
        }
    };
    match meta.variant.parse() {
        Ok(Variant::FogOfWar) => fog::verify_game(line, start, meta, report),
        Ok(Variant::Kriegspiel) => kriegspiel::verify_game(line, start, meta, report),
        Ok(Variant::Reconnaissance) => rbc::verify_game(line, start, meta, report),
        _ => Err(VerifyError::Variant { line: 1, variant: meta.variant.clone() }),
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
