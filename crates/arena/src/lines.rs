//! Files of JSON lines that grow: a line is there whole or not at all, whenever the program ends.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why a file is none of these.
#[derive(Debug, Error)]
pub enum LinesError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line that cannot be read.
    #[error("{}, line {number}: {words}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        number: usize,
        /// What is wrong.
        words: String,
    },
}

pub(crate) fn io_error(path: &Path, error: io::Error) -> LinesError {
    LinesError::Io { path: path.to_owned(), error }
}

pub(crate) fn line_error(path: &Path, number: usize, error: &impl Display) -> LinesError {
    LinesError::Line { path: path.to_owned(), number, words: error.to_string() }
}

/// Opens a file for more lines, and reads those it has. One that was half written is dropped.
///
/// # Errors
/// If it cannot be read or written, or a line is not what it should be.
pub fn open<L: DeserializeOwned>(path: &Path) -> Result<(File, Vec<L>), LinesError> {
    let (lines, whole) = read(path)?;
    let file = OpenOptions::new().append(true).create(true).open(path);
    let file = file.map_err(|error| io_error(path, error))?;
    file.set_len(whole).map_err(|error| io_error(path, error))?;
    Ok((file, lines))
}

/// The lines of a file, and how many bytes they are; one that was half written does not count. No file has no lines.
///
/// # Errors
/// If it cannot be read, or a line is not what it should be.
pub fn read<L: DeserializeOwned>(path: &Path) -> Result<(Vec<L>, u64), LinesError> {
    let (lines, whole) = each(path)?;
    Ok((lines.into_iter().collect::<Result<_, _>>()?, whole))
}

/// The lines of a file that can be read, for files that are no record.
pub(crate) fn readable<L: DeserializeOwned>(path: &Path) -> Result<Vec<L>, LinesError> {
    Ok(each(path)?.0.into_iter().flatten().collect())
}

/// The lines of a file, or why one is none, and how many bytes they are.
fn each<L: DeserializeOwned>(path: &Path) -> Result<(Vec<Result<L, LinesError>>, u64), LinesError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|error| io_error(path, error))?,
    };
    Ok(parse(path, &bytes))
}

/// The lines of these bytes, or why one is none, and how many bytes they are.
pub(crate) fn parse<L: DeserializeOwned>(path: &Path, bytes: &[u8]) -> (Vec<Result<L, LinesError>>, u64) {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let lines = (1..).zip(bytes[..whole].split_inclusive(|&byte| byte == b'\n'));
    let parse =
        |(number, line)| serde_json::from_slice(line).map_err(|error| line_error(path, number, &error));
    (lines.map(parse).collect(), whole as u64)
}

/// Adds a line.
///
/// # Errors
/// If it cannot be written.
pub fn append(file: &mut File, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    file.write_all(text.as_bytes())
}

/// Lines as a text.
pub(crate) fn text<'l, L: Serialize + 'l>(lines: impl Iterator<Item = &'l L>) -> String {
    // Plain data has a JSON.
    let lines = lines.filter_map(|line| serde_json::to_string(line).ok());
    lines.fold(String::new(), |text, line| text + &line + "\n")
}

/// Writes a file as a whole or not at all.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> Result<(), LinesError> {
    let draft = path.with_extension(format!("{}.draft", std::process::id()));
    let saved = fs::write(&draft, bytes).and_then(|()| fs::rename(&draft, path));
    saved.inspect_err(|_| drop(fs::remove_file(&draft))).map_err(|error| io_error(path, error))
}
