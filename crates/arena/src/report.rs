//! The recorded experiments as tables: what the paper found beside what our games say.
//!
//! A match may be recorded in several pieces, with games that differ; all of them count.

use std::collections::BTreeSet;
use std::fmt::Write;

use scuro_games::Variant;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::experiments::{Experiment, Scored};
use crate::statistics::Results;

/// A recorded piece of a match, as far as a report needs it.
#[derive(Clone, Debug, Deserialize)]
pub struct Piece {
    /// Results of the first agent.
    #[serde(flatten)]
    pub results: Results,
    /// Those of its games with White.
    pub as_white: Option<Results>,
    /// Those of its games with Black.
    pub as_black: Option<Results>,
    /// What a move may cost.
    pub control: String,
    /// The day of the last game.
    pub date: Option<String>,
}

/// Why recorded results make no row.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A record of another form.
    #[error("the record of '{0}' is not one of a match: {1}")]
    Form(&'static str, serde_json::Error),
    /// A record that does not tell White's results where they are the score.
    #[error("the record of '{0}' lacks as_white or as_black, from which White's share is counted")]
    Colours(&'static str),
}

/// An experiment with all that was recorded of it.
#[derive(Clone, Debug)]
pub struct Row {
    /// The experiment.
    pub experiment: &'static Experiment,
    /// All recorded games together: those of the first agent, or of White where that is the score.
    pub results: Results,
    controls: BTreeSet<String>,
    dates: BTreeSet<String>,
}

impl Row {
    /// The row of an experiment and of what was recorded of it.
    ///
    /// # Errors
    /// If a record is of another form.
    pub fn new<'v>(
        experiment: &'static Experiment,
        records: impl IntoIterator<Item = &'v Value>,
    ) -> Result<Row, ReportError> {
        let mut row = Row {
            experiment,
            results: Results::default(),
            controls: BTreeSet::new(),
            dates: BTreeSet::new(),
        };
        for record in records {
            let piece =
                Piece::deserialize(record).map_err(|error| ReportError::Form(experiment.name, error))?;
            let results = piece.scored(experiment.scored).ok_or(ReportError::Colours(experiment.name))?;
            row.results = row.results.and(results);
            row.controls.insert(piece.control);
            row.dates.extend(piece.date.map(|date| date.replace('.', "-")));
        }
        Ok(row)
    }

    /// Whether anything was recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.results.games() == 0
    }

    /// The command that plays the match.
    #[must_use]
    pub fn command(&self) -> String {
        format!("scuro experiment {}", self.experiment.name)
    }

    /// Whether the score is told from one half, and how it stands to the paper's; both by the interval.
    #[must_use]
    pub fn finding(&self) -> String {
        let [low, high] = self.results.interval();
        let lead = match (low > 0.5, high < 0.5) {
            (true, _) => "ahead",
            (_, true) => "behind",
            _ => "not resolved",
        };
        let paper = self.experiment.paper.map(|(score, _)| match score / 100.0 {
            score if score < low => "above the paper",
            score if score > high => "below the paper",
            _ => "compatible with the paper",
        });
        paper.map_or(lead.to_owned(), |paper| format!("{lead}; {paper}"))
    }

    /// The row as one of JSON.
    #[must_use]
    pub fn entry(&self) -> Entry {
        let experiment = self.experiment;
        let recorded = (!self.is_empty()).then(|| Recorded {
            results: self.results,
            played: self.results.games(),
            score: self.results.score(),
            interval: self.results.interval(),
            finding: self.finding(),
            control: joined(&self.controls, "; "),
            date: joined(&self.dates, ", "),
        });
        Entry {
            experiment: experiment.name,
            game: experiment.game.word(),
            what: experiment.what,
            agents: experiment.agents,
            games: experiment.games,
            scored: if experiment.scored == Scored::White { "white" } else { "first" },
            paper: experiment.paper.map(|(score, games)| Paper { score: score / 100.0, games }),
            recorded,
            command: self.command(),
        }
    }

    /// The row of a Markdown table.
    fn markdown(&self) -> String {
        let Experiment { name, what, games, paper, .. } = self.experiment;
        let paper =
            paper.map_or(String::new(), |(score, games)| format!("{score:.1} % of {}", grouped(games)));
        let ours = if self.is_empty() { [const { String::new() }; 6] } else { self.cells() };
        let [score, counts, played, control, date, finding] = ours;
        let played = if self.is_empty() { format!("0 of {games}") } else { format!("{played} of {games}") };
        let command = self.command();
        format!(
            "| `{name}` | {what} | {paper} | {score} | {counts} | {played} | {control} | {date} | {finding} | `{command}` |"
        )
    }

    /// Score with interval, counts, games, control, date and finding.
    fn cells(&self) -> [String; 6] {
        let Results { wins, draws, losses } = self.results;
        [
            self.score_text(),
            format!("{wins}-{draws}-{losses}"),
            self.results.games().to_string(),
            joined(&self.controls, "; "),
            joined(&self.dates, ", "),
            self.finding(),
        ]
    }

    /// As in `84.8 % (81.0 to 88.0)`.
    #[must_use]
    pub fn score_text(&self) -> String {
        let [low, high] = self.results.interval().map(|share| 100.0 * share);
        format!("{:.1} % ({low:.1} to {high:.1})", 100.0 * self.results.score())
    }
}

impl Piece {
    fn scored(&self, scored: Scored) -> Option<Results> {
        match scored {
            Scored::First => Some(self.results),
            Scored::White => Some(self.as_white?.and(self.as_black?.reversed())),
        }
    }
}

/// A number with commas between its thousands.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        (0..digits.len()).rev().step_by(3).map(|last| &digits[last.saturating_sub(2)..=last]).rev().collect();
    groups.join(",")
}

fn joined(words: &BTreeSet<String>, between: &str) -> String {
    words.iter().map(String::as_str).collect::<Vec<_>>().join(between)
}

/// A row in JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// The name of the experiment.
    pub experiment: &'static str,
    /// Which game.
    pub game: &'static str,
    /// What it compares.
    pub what: &'static str,
    /// The agents.
    pub agents: [&'static str; 2],
    /// How many games it asks for.
    pub games: u64,
    /// Whose points are the score: `first` or `white`.
    pub scored: &'static str,
    /// What the paper found.
    pub paper: Option<Paper>,
    /// What we found.
    pub recorded: Option<Recorded>,
    /// The command that plays it.
    pub command: String,
}

/// A published score.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Paper {
    /// The share of points.
    pub score: f64,
    /// In how many games.
    pub games: u32,
}

/// All recorded games of an experiment.
#[derive(Clone, Debug, Serialize)]
pub struct Recorded {
    /// Wins, draws and losses.
    #[serde(flatten)]
    pub results: Results,
    /// How many games.
    pub played: u64,
    /// The share of points.
    pub score: f64,
    /// Wilson's interval of it, at 95 %.
    pub interval: [f64; 2],
    /// [`Row::finding`].
    pub finding: String,
    /// What a move may cost.
    pub control: String,
    /// When it was recorded.
    pub date: String,
}

const HEAD: &str = "\
| experiment | match | paper | ours (95 %) | won-drawn-lost | games | control | date | finding | command |
|---|---|---:|---:|---:|---:|---|---|---|---|
";

/// The rows as Markdown, a table for each game that has some.
#[must_use]
pub fn markdown(rows: &[Row]) -> String {
    let mut text = String::new();
    for game in Variant::DARK {
        let mut rows = rows.iter().filter(|row| row.experiment.game == game).peekable();
        if rows.peek().is_none() {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "### {game}\n{HEAD}");
        for row in rows {
            let _ = writeln!(text, "{}", row.markdown());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::experiments::EXPERIMENTS;

    fn row(name: &str, records: &[Value]) -> Result<Row, ReportError> {
        Row::new(Experiment::named(name).unwrap(), records)
    }

    fn record(wins: u64, draws: u64, losses: u64) -> Value {
        json!({ "wins": wins, "draws": draws, "losses": losses, "control": "500ms", "date": "2026.11.17" })
    }

    #[test]
    fn all_pieces_count() {
        let row = row("zs21", &[record(28, 0, 4), record(63, 0, 10)]).unwrap();
        assert_eq!(row.score_text(), "86.7 % (78.9 to 91.9)");
        let line = "| `zs21` | against the player of the paper before | 85.1 % of 1,000 | 86.7 % (78.9 to 91.9) | \
             91-0-14 | 105 of 400 | 500ms | 2026-11-17 | ahead; compatible with the paper | \
             `scuro experiment zs21` |";
        assert_eq!(row.markdown(), line);
    }

    #[test]
    fn findings_are_told_by_the_interval() {
        for (name, record, finding) in [
            ("purify", record(113, 3, 78), "ahead; below the paper"),
            ("explore", record(99, 6, 53), "ahead; above the paper"),
            ("kluss", record(100, 2, 89), "not resolved; compatible with the paper"),
            ("greedy", record(134, 0, 0), "ahead"),
            ("greedy", record(0, 0, 134), "behind"),
        ] {
            assert_eq!(row(name, &[record]).unwrap().finding(), finding, "{name}");
        }
    }

    #[test]
    fn against_itself_white_is_counted() {
        let mut record = record(32, 3, 38);
        let (white, black) = (
            json!({ "wins": 18, "draws": 2, "losses": 17 }),
            json!({ "wins": 14, "draws": 1, "losses": 21 }),
        );
        assert!(matches!(row("self", &[record.clone()]), Err(ReportError::Colours("self"))));
        (record["as_white"], record["as_black"]) = (white, black);
        assert_eq!(row("self", &[record]).unwrap().results, Results { wins: 39, draws: 3, losses: 31 });
    }

    #[test]
    fn what_is_not_a_record_is_refused() {
        let error = row("zs21", &[json!({ "wins": 3 })]).unwrap_err().to_string();
        assert!(error.starts_with("the record of 'zs21' is not one of a match: missing field"), "{error}");
    }

    #[test]
    fn every_experiment_has_its_row_in_some_table() {
        let rows: Vec<Row> = EXPERIMENTS.iter().map(|experiment| Row::new(experiment, []).unwrap()).collect();
        let text = markdown(&rows);
        for experiment in &EXPERIMENTS {
            let begin = format!("| `{}` | {} |", experiment.name, experiment.what);
            assert_eq!(text.lines().filter(|line| line.starts_with(&begin)).count(), 1, "{begin}");
        }
        let columns = |line: &str| line.matches('|').count();
        assert!(text.lines().filter(|line| line.starts_with('|')).all(|line| columns(line) == 11), "{text}");
    }
}
