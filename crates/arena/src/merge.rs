//! Joins the shards of a match into exactly what one machine would have recorded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::folder::{Folder, FolderError};
use crate::line::{GameLine, TimeLine};
use crate::settings::{Settings, Shard};

/// Why folders cannot be joined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// One is not the folder of a match.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// There is a match already where the whole one should go.
    #[error("{} has games already: what is joined goes into a folder of its own", .0.display())]
    Taken(PathBuf),
    /// One is not a part.
    #[error("{} is a whole match, not a shard", .0.display())]
    Whole(PathBuf),
    /// One is of another match.
    #[error("{} and {} are parts of different matches", first.display(), other.display())]
    Other {
        /// The first.
        first: PathBuf,
        /// The one that differs.
        other: PathBuf,
    },
    /// One is there twice.
    #[error("{} and {} are both shard {shard}", first.display(), other.display())]
    Twice {
        /// The first.
        first: PathBuf,
        /// The other.
        other: PathBuf,
        /// Which.
        shard: Shard,
    },
    /// Games are missing.
    #[error("{missing} of {games} games are missing, the first is game {first} of shard {shard}")]
    Missing {
        /// How many.
        missing: usize,
        /// Of how many.
        games: u64,
        /// The first of them.
        first: u64,
        /// Whose it is.
        shard: Shard,
    },
    /// Nothing to join.
    #[error("there is no shard to join")]
    None,
}

/// The whole match.
#[derive(Debug)]
pub struct Whole {
    /// Its settings.
    pub settings: Settings,
    /// Its games by number.
    pub games: BTreeMap<u64, GameLine>,
    /// How long they took.
    pub times: BTreeMap<u64, TimeLine>,
}

/// Reads all shards of a match.
///
/// # Errors
/// If they are not all there, or not all of one match.
pub fn read(folders: &[PathBuf]) -> Result<Whole, MergeError> {
    let mut shards: BTreeMap<Shard, &Path> = BTreeMap::new();
    let mut whole: Option<(Whole, &Path, u64)> = None;
    for folder in folders {
        let (settings, part) = Folder::read(folder)?;
        let shard = settings.shard.ok_or_else(|| MergeError::Whole(folder.clone()))?;
        let settings = Settings { shard: None, ..settings };
        if let Some(first) = shards.insert(shard, folder) {
            let first = first.to_owned();
            return Err(MergeError::Twice { first, other: folder.clone(), shard });
        }
        let empty = Whole { settings: settings.clone(), games: BTreeMap::new(), times: BTreeMap::new() };
        let (all, first, count) = whole.get_or_insert((empty, folder, shard.count));
        if all.settings != settings || *count != shard.count {
            return Err(MergeError::Other { first: first.to_owned(), other: folder.clone() });
        }
        all.games.extend(part.games);
        all.times.extend(part.times);
    }
    let (whole, _, count) = whole.ok_or(MergeError::None)?;
    let missing = || (0..whole.settings.games).filter(|number| !whole.games.contains_key(number));
    match missing().next() {
        None => Ok(whole),
        Some(first) => Err(MergeError::Missing {
            missing: missing().count(),
            games: whole.settings.games,
            first,
            shard: Shard { index: first / 2 % count, count },
        }),
    }
}

/// Writes the whole match into a folder of its own.
///
/// # Errors
/// If it holds games already, or cannot be written.
pub fn write(whole: Whole, path: &Path) -> Result<Folder, MergeError> {
    let mut folder = Folder::open(path, &whole.settings, false).map_err(|error| match error {
        FolderError::Games(path) => MergeError::Taken(path),
        error => error.into(),
    })?;
    folder.games = whole.games;
    folder.times = whole.times;
    folder.finish(whole.settings.games)?;
    Ok(folder)
}
