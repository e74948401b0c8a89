//! The games of a match packed for a repository, and unpacked where the match goes on.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::folder::{FolderError, GAMES, SETTINGS, TIMES, by_number};
use crate::line::GameLine;
use crate::lines::{self, io_error};
use crate::settings::Settings;

/// Packs what is needed to go on with the match of a folder. The same games are packed to the same bytes.
///
/// # Errors
/// If something cannot be read or written.
pub fn pack(folder: &Path, to: &Path) -> Result<(), FolderError> {
    fs::create_dir_all(to).map_err(|error| io_error(to, error))?;
    for name in [GAMES, TIMES, SETTINGS] {
        let bytes = read(&folder.join(name))?;
        if name == SETTINGS {
            lines::save(&to.join(name), &bytes)?;
        } else {
            let packed = gzipped(&bytes).map_err(|error| io_error(to, error))?;
            lines::save(&to.join(gz(name)), &packed)?;
        }
    }
    Ok(())
}

/// Unpacks a match into a folder. One that has begun there stays as it is.
///
/// # Errors
/// If something cannot be read or written.
pub fn unpack(from: &Path, folder: &Path) -> Result<(), FolderError> {
    if folder.join(GAMES).exists() {
        return Ok(());
    }
    let settings = read(&from.join(SETTINGS))?;
    fs::create_dir_all(folder).map_err(|error| io_error(folder, error))?;
    lines::save(&folder.join(SETTINGS), &settings)?;
    // The games come last: a match has begun when they are there.
    for name in [TIMES, GAMES] {
        lines::save(&folder.join(name), &unpacked(&from.join(gz(name)))?)?;
    }
    Ok(())
}

/// The games of a packed match with these settings; none if there is no such match.
///
/// # Errors
/// If they cannot be read, or are those of another match.
pub fn games(from: &Path, settings: &Settings) -> Result<BTreeMap<u64, GameLine>, FolderError> {
    let path = from.join(gz(GAMES));
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let (lines, _) = lines::parse(&path, &unpacked(&path)?);
    by_number(from, lines.into_iter().collect::<Result<_, _>>()?, settings)
}

fn unpacked(path: &Path) -> Result<Vec<u8>, FolderError> {
    let mut bytes = Vec::new();
    GzDecoder::new(&read(path)?[..]).read_to_end(&mut bytes).map_err(|error| io_error(path, error))?;
    Ok(bytes)
}

fn read(path: &Path) -> Result<Vec<u8>, FolderError> {
    Ok(fs::read(path).map_err(|error| io_error(path, error))?)
}

fn gz(name: &str) -> String {
    format!("{name}.gz")
}

fn gzipped(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}
