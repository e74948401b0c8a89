//! The games of a match as PGN, with what the players thought as comments if that was kept.

use scuro_games::kriegspiel::KriegspielState;
use scuro_games::records::pgn::{PgnGame, PgnMove};
use scuro_games::records::{Record, RecordError};
use thiserror::Error;

use crate::line::{GameLine, LineError};
use crate::settings::{GameName, Settings};

/// Why a game has no PGN.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PgnExportError {
    /// Its line cannot be read.
    #[error("game {number}: {error}")]
    Line {
        /// Which.
        number: u64,
        /// What is wrong.
        error: LineError,
    },
    /// Its moves are not by the rules.
    #[error("game {number}: {error}")]
    Record {
        /// Which.
        number: u64,
        /// What is wrong.
        error: RecordError,
    },
}

/// All games, in the order given.
///
/// # Errors
/// If the moves of one are not by the rules.
pub fn write<'g>(
    settings: &Settings,
    games: impl Iterator<Item = &'g GameLine>,
) -> Result<String, PgnExportError> {
    let texts: Result<Vec<String>, PgnExportError> =
        games.map(|game| write_game(settings, game).map(|pgn| pgn.to_string())).collect();
    Ok(texts?.join("\n"))
}

fn write_game(settings: &Settings, game: &GameLine) -> Result<PgnGame, PgnExportError> {
    let number = game.number;
    let mut record = game.record().map_err(|error| PgnExportError::Line { number, error })?;
    let [white, black] = settings.controls(&settings.planned(number)).map(|control| control.to_string());
    let control = if white == black { white } else { format!("{white} v {black}") };
    record.tags.push(("TimeControl".to_owned(), control));
    record.tags.extend(game.fault.iter().map(|fault| ("Fault".to_owned(), tag_text(fault))));
    let mut pgn = record.to_pgn().map_err(|error| PgnExportError::Record { number, error })?;
    if !game.thoughts.is_empty() {
        comment(&mut pgn.moves, &game.thoughts, &turn_lengths(game.game, &record));
    }
    Ok(pgn)
}

/// A tag is one line.
fn tag_text(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}

/// How many plies each turn has.
fn turn_lengths(game: GameName, record: &Record) -> Vec<usize> {
    match game {
        GameName::Fog => vec![1; record.plies.len()],
        GameName::Rbc => vec![2; record.plies.len() / 2],
        GameName::Kriegspiel => {
            let ruleset = record.tag("Ruleset").and_then(|name| name.parse().ok()).unwrap_or_default();
            let mut state = KriegspielState::new(ruleset, record.start);
            let (mut lengths, mut length) = (Vec::new(), 0);
            for attempt in record.plies.iter().filter_map(|ply| ply.attempt()) {
                let before = state.board().side();
                state.take(attempt);
                length += 1;
                if state.board().side() != before {
                    lengths.push(std::mem::take(&mut length));
                }
            }
            lengths
        }
    }
}

/// Adds the thoughts of a turn to its move.
fn comment(moves: &mut [PgnMove], thoughts: &[String], lengths: &[usize]) {
    let mut rest = thoughts;
    for (written, &length) in moves.iter_mut().zip(lengths) {
        let (here, later) = rest.split_at(length.min(rest.len()));
        let words: Vec<&str> = here.iter().map(String::as_str).filter(|words| !words.is_empty()).collect();
        if !words.is_empty() {
            // A brace would end the comment.
            written.comments.push(words.join(" / ").replace(['{', '}', ':'], " "));
        }
        rest = later;
    }
}
