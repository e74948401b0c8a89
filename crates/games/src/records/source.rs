//! Files of games, whatever their format: told apart by how they begin, and unpacked if they are gzipped.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use serde_json::Value;
use thiserror::Error;

use super::game_history::is_game_history;
use super::json_lines::{LinesError, LinesReader};
use super::match_lines::is_match_line;
use super::pgn::PgnReader;

/// A file that has been opened.
pub(super) enum Source<'f> {
    /// PGN, game by game.
    Pgn(PgnReader<Box<dyn BufRead + 'f>>),
    /// JSON lines, game by game.
    Lines(LinesReader<Box<dyn BufRead + 'f>>),
    /// Games of a match, one a line.
    Match(Box<dyn BufRead + 'f>),
    /// The whole text of a `GameHistory`.
    History(String),
}

/// Why a file cannot be opened as any of these.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It starts like JSON lines, and does not go on like it.
    #[error(transparent)]
    Lines(#[from] LinesError),
}

/// The content of a file, unpacked if it is gzipped.
pub(super) fn unpacked<'f>(file: impl Read + 'f) -> io::Result<Box<dyn BufRead + 'f>> {
    let mut packed = BufReader::with_capacity(1 << 16, file);
    let gzipped = packed.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if gzipped { Box::new(BufReader::new(MultiGzDecoder::new(packed))) } else { Box::new(packed) })
}

/// Finds out what `file` holds.
pub(super) fn open<'f>(file: impl Read + 'f) -> Result<Source<'f>, SourceError> {
    let mut reader = unpacked(file)?;
    if !starts_json(&mut reader)? {
        return Ok(Source::Pgn(PgnReader::new(reader).skip_variations()));
    }
    let mut text = String::new();
    reader.read_line(&mut text)?;
    if begins_game_history(&text) {
        reader.read_to_string(&mut text)?;
        return Ok(Source::History(text));
    }
    let matched = is_match_line(&text);
    let whole: Box<dyn BufRead + 'f> = Box::new(Cursor::new(text).chain(reader));
    if matched {
        return Ok(Source::Match(whole));
    }
    Ok(Source::Lines(LinesReader::new(whole)?))
}

/// Whether a text starts like a JSON object. In PGN a brace opens a comment, which hardly starts with a quote.
fn starts_json(reader: &mut impl BufRead) -> io::Result<bool> {
    if reader.fill_buf()?.starts_with("\u{feff}".as_bytes()) {
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
fn begins_game_history(line: &str) -> bool {
    match serde_json::from_str::<Value>(line) {
        Ok(value) => is_game_history(&value),
        Err(error) => error.is_eof() && !line.contains("\"meta\""),
    }
}
