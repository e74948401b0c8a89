//! From one format to another, where the game allows it.

use std::io::Read;

use thiserror::Error;

use super::game_history::{GameHistory, HistoryError};
use super::json_lines::LinesError;
use super::match_lines::{self, MatchLineError};
use super::pgn::{PgnError, PgnGame};
use super::playouts;
use super::record::{Record, RecordError};
use super::source::{Source, SourceError, open};
use super::transcript::{Teller, Transcript, TranscriptError};
use super::verify::VerifyError;
use crate::Variant;
use crate::rbc::RbcGame;

/// A game as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// With everything that was done.
    Whole(Record),
    /// A game of Kriegspiel as somebody tells it.
    Told(Transcript),
}

/// Why a file cannot be read, or its games not be written so.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// Neither PGN nor JSON.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Not PGN.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// Without meaning.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Not JSON lines.
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// Not the lines of a match.
    #[error(transparent)]
    Match(#[from] MatchLineError),
    /// A playout that is not as the rules have it.
    #[error(transparent)]
    Playout(#[from] VerifyError),
    /// A damaged history.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// Somebody cannot tell so much.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// A filter for a game that has none.
    #[error("--filter is for Kriegspiel: a record of {0} cannot be filtered")]
    Filter(Variant),
    /// A history of another game.
    #[error("a history holds Reconnaissance Blind Chess, not {0}")]
    NoHistory(Variant),
    /// A history of several games.
    #[error("a history holds one game, this file has {0}")]
    OneGame(usize),
    /// Nothing to convert.
    #[error("there is no game in this file")]
    Empty,
}

impl Written {
    /// Which game it is.
    #[must_use]
    pub fn variant(&self) -> Variant {
        match self {
            Written::Whole(record) => record.variant,
            Written::Told(_) => Variant::Kriegspiel,
        }
    }

    /// The whole game.
    ///
    /// # Errors
    /// If who tells it does not know the whole.
    pub fn record(&self) -> Result<Record, ConvertError> {
        match self {
            Written::Whole(record) => Ok(record.clone()),
            Written::Told(transcript) => Ok(transcript.record()?),
        }
    }

    /// The game as PGN, told by `teller` if that is asked for.
    ///
    /// # Errors
    /// If it cannot be told so.
    pub fn to_pgn(&self, teller: Option<Teller>) -> Result<PgnGame, ConvertError> {
        let transcript = match self {
            Written::Told(transcript) => transcript.clone(),
            Written::Whole(record) if record.variant == Variant::Kriegspiel => Transcript::of(record)?,
            Written::Whole(record) => {
                return match teller {
                    Some(Teller::Semi(_) | Teller::Player(_)) => Err(ConvertError::Filter(record.variant)),
                    Some(Teller::Umpire) | None => Ok(record.to_pgn()?),
                };
            }
        };
        Ok(transcript.told_by(teller.unwrap_or(transcript.teller))?.to_pgn())
    }
}

/// The games of a file: PGN, JSON lines or a history of reconchess, plain or gzipped.
///
/// # Errors
/// If it is none of these, or damaged, or empty.
pub fn read(file: impl Read) -> Result<Vec<Written>, ConvertError> {
    let games: Vec<Written> = match open(file)? {
        Source::Pgn(reader) => reader.map(|game| read_pgn(&game?)).collect::<Result<_, ConvertError>>()?,
        Source::Lines(lines) => playouts::read(lines)?.into_iter().map(Written::Whole).collect(),
        Source::Match(lines) => {
            let records = match_lines::read(lines).map(|line| Ok(Written::Whole(line?.record)));
            records.collect::<Result<_, MatchLineError>>()?
        }
        Source::History(text) => vec![Written::Whole(GameHistory::read(&text)?.game()?.to_record())],
    };
    if games.is_empty() { Err(ConvertError::Empty) } else { Ok(games) }
}

fn read_pgn(game: &PgnGame) -> Result<Written, ConvertError> {
    Ok(match Record::variant_of(game)? {
        Variant::Kriegspiel => Written::Told(Transcript::settled_pgn(game)?),
        _ => Written::Whole(Record::from_pgn(game)?),
    })
}

/// The games as one text of PGN.
///
/// # Errors
/// If one of them cannot be told so.
pub fn to_pgn(games: &[Written], teller: Option<Teller>) -> Result<String, ConvertError> {
    let texts: Result<Vec<String>, ConvertError> =
        games.iter().map(|game| Ok(game.to_pgn(teller)?.to_string())).collect();
    Ok(texts?.join("\n"))
}

/// The games as JSON lines.
///
/// # Errors
/// If they are not of one kind, hide nothing, or are not told whole.
pub fn to_json_lines(games: &[Written]) -> Result<String, ConvertError> {
    let records: Vec<Record> = games.iter().map(Written::record).collect::<Result<_, _>>()?;
    let mut text = format!("{}\n", playouts::meta(&records)?);
    for record in &records {
        text.push_str(&format!("{}\n", playouts::write(record)?));
    }
    Ok(text)
}

/// The game as a history of reconchess.
///
/// # Errors
/// If it is not one game of Reconnaissance Blind Chess.
pub fn to_history(games: &[Written]) -> Result<String, ConvertError> {
    let [game] = games else { return Err(ConvertError::OneGame(games.len())) };
    if game.variant() != Variant::Reconnaissance {
        return Err(ConvertError::NoHistory(game.variant()));
    }
    let game = RbcGame::from_record(&game.record()?);
    let game = game.map_err(|error| RecordError::Plies(error.to_string()))?;
    let history = GameHistory::of(&game).map_err(|error| RecordError::Plies(error.to_string()))?;
    Ok(history.to_json())
}
