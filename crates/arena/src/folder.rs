//! The folder of a match: its settings, and a line for every finished game, none for one that was interrupted.
//!
//! A line is written when its game ends, so that a match can be ended at any moment and continued. When all games are
//! there, the lines are put in order: the folder of a match is the same however often it was interrupted.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use thiserror::Error;

use crate::line::{GameLine, TimeLine};
use crate::lines::{self, LinesError};
use crate::settings::{FORMAT, Settings};

pub(crate) const SETTINGS: &str = "settings.json";
/// The file of the games in the folder of a match.
pub const GAMES: &str = "games.jsonl";
pub(crate) const TIMES: &str = "times.jsonl";
pub(crate) const PGN: &str = "games.pgn";
pub(crate) const PICTURE: &str = "score.svg";

/// The games of a match, in a folder that is open for writing or in memory alone.
#[derive(Debug, Default)]
pub struct Folder {
    files: Option<Files>,
    /// The finished games by number.
    pub games: BTreeMap<u64, GameLine>,
    /// How long they took.
    pub times: BTreeMap<u64, TimeLine>,
}

#[derive(Debug)]
struct Files {
    path: PathBuf,
    /// The folder itself, locked: it is let go when this program ends, however it ends.
    _lock: File,
    games: File,
    times: File,
}

/// Why a folder is not that of a match.
#[derive(Debug, Error)]
pub enum FolderError {
    /// Something cannot be read or written.
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// Games of this match, and nobody said to go on.
    #[error("{} has games already: --resume goes on with them", .0.display())]
    Games(PathBuf),
    /// Another program writes there.
    #[error("{} is in use: another match writes there", .0.display())]
    Busy(PathBuf),
    /// Files of nobody knows which match, or of none.
    #[error("{} has {name} but no {SETTINGS}: it is not the folder of a match", path.display())]
    NoSettings {
        /// The folder.
        path: PathBuf,
        /// The file that is there.
        name: &'static str,
    },
    /// The match of another time, or of another program.
    #[error("{}: {words}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        words: String,
    },
    /// Written by a newer program.
    #[error("{}: a match of format {format}: this program reads up to {FORMAT}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The format.
        format: u64,
    },
    /// Another match.
    #[error("{} holds another match: its {name} is {theirs}, not {ours}", path.display())]
    Settings {
        /// The folder.
        path: PathBuf,
        /// Which setting differs.
        name: String,
        /// What it is there.
        theirs: String,
        /// What it is here.
        ours: String,
    },
}

impl Folder {
    /// Opens the folder of a match, or begins it.
    ///
    /// # Errors
    /// If it holds games and they are not to be continued, or those of another match, or files of somebody else, or
    /// cannot be written.
    pub fn open(path: &Path, settings: &Settings, resume: bool) -> Result<Folder, FolderError> {
        fs::create_dir_all(path).map_err(|error| lines::io_error(path, error))?;
        let lock = lock(path)?;
        let is_there = |name: &str| fs::metadata(path.join(name)).is_ok_and(|file| file.len() > 0);
        let begun = is_there(GAMES);
        if begun && !resume {
            return Err(FolderError::Games(path.to_owned()));
        }
        match read_settings(path)? {
            Some(theirs) if begun => compare(path, &theirs, settings)?,
            theirs => {
                let foreign = [GAMES, TIMES, PGN, PICTURE].into_iter().find(|name| is_there(name));
                if let (None, Some(name)) = (theirs, foreign) {
                    return Err(FolderError::NoSettings { path: path.to_owned(), name });
                }
                let text = format!("{}\n", pretty(settings));
                lines::save(&path.join(SETTINGS), text.as_bytes())?;
            }
        }
        let (games_file, kept) = lines::open(&path.join(GAMES))?;
        let games = by_number(path, kept, settings)?;
        // Times of a match that never finished a game are nobody's.
        let times = if begun { read_times(path)? } else { BTreeMap::new() };
        lines::save(&path.join(TIMES), lines::text(times.values()).as_bytes())?;
        let (times_file, _) = lines::open::<TimeLine>(&path.join(TIMES))?;
        let files = Files { path: path.to_owned(), _lock: lock, games: games_file, times: times_file };
        Ok(Folder { files: Some(files), games, times })
    }

    /// The settings and games of a folder that is only read.
    ///
    /// # Errors
    /// If it is not the folder of a match.
    pub fn read(path: &Path) -> Result<(Settings, Folder), FolderError> {
        let settings = read_settings(path)?.ok_or_else(|| FolderError::Damaged {
            path: path.to_owned(),
            words: format!("there is no {SETTINGS}"),
        })?;
        let games = by_number(path, lines::read(&path.join(GAMES))?.0, &settings)?;
        Ok((settings, Folder { files: None, games, times: read_times(path)? }))
    }

    /// The folder itself, if there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.files.as_ref().map(|files| files.path.as_path())
    }

    /// Keeps a finished game. Its times come first: what counts is the line of the game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, game: GameLine, times: TimeLine) -> Result<(), FolderError> {
        if let Some(files) = &mut self.files {
            lines::append(&mut files.times, &times)
                .map_err(|error| lines::io_error(&files.path.join(TIMES), error))?;
            lines::append(&mut files.games, &game)
                .map_err(|error| lines::io_error(&files.path.join(GAMES), error))?;
        }
        self.times.insert(times.number, times);
        self.games.insert(game.number, game);
        Ok(())
    }

    /// Puts the lines in order, without those of games from `end` on.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(&mut self, end: u64) -> Result<(), FolderError> {
        self.games.retain(|&number, _| number < end);
        let games = &self.games;
        self.times.retain(|number, _| games.contains_key(number));
        self.add(TIMES, &lines::text(self.times.values()))?;
        self.add(GAMES, &lines::text(self.games.values()))
    }

    /// Writes another file into the folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&self, name: &str, text: &str) -> Result<(), FolderError> {
        self.path().map_or(Ok(()), |path| Ok(lines::save(&path.join(name), text.as_bytes())?))
    }
}

/// A process that was killed may hold its folder for a moment longer.
const LEAVING: Duration = Duration::from_secs(2);

/// Makes sure that nobody else writes to a folder. Where folders cannot be locked, nobody does.
fn lock(path: &Path) -> Result<File, FolderError> {
    let folder = File::open(path).map_err(|error| lines::io_error(path, error))?;
    let until = Instant::now() + LEAVING;
    loop {
        match folder.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Err(FolderError::Busy(path.to_owned())),
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(folder),
        }
    }
}

fn read_settings(path: &Path) -> Result<Option<Settings>, FolderError> {
    let path = path.join(SETTINGS);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| lines::io_error(&path, error))?,
    };
    let damaged = |error: serde_json::Error| FolderError::Damaged {
        path: path.clone(),
        words: format!("not the settings of a match: {error}"),
    };
    let value: Value = serde_json::from_str(&text).map_err(damaged)?;
    // Before anything else is looked at: the rest may mean something else by now.
    match value["format"].as_u64().filter(|&format| format > u64::from(FORMAT)) {
        Some(format) => Err(FolderError::Newer { path, format }),
        None => serde_json::from_value(value).map(Some).map_err(damaged),
    }
}

/// The games by number, if all are games of this match.
pub(crate) fn by_number(
    path: &Path,
    lines: Vec<GameLine>,
    settings: &Settings,
) -> Result<BTreeMap<u64, GameLine>, FolderError> {
    let mut games = BTreeMap::new();
    for (number, line) in (1..).zip(lines) {
        line.check(settings).map_err(|error| lines::line_error(&path.join(GAMES), number, &error))?;
        games.entry(line.number).or_insert(line);
    }
    Ok(games)
}

/// How long games took, as far as that can be read: it is no record.
fn read_times(path: &Path) -> Result<BTreeMap<u64, TimeLine>, LinesError> {
    let times: Vec<TimeLine> = lines::readable(&path.join(TIMES))?;
    Ok(times.into_iter().map(|line| (line.number, line)).collect())
}

/// Finds the first setting in which a folder differs. Settings that are left out are none.
fn compare(path: &Path, theirs: &Settings, ours: &Settings) -> Result<(), FolderError> {
    let [theirs, ours] = [theirs, ours].map(|settings| serde_json::to_value(settings).unwrap_or_default());
    let mut names = [&theirs, &ours].into_iter().filter_map(Value::as_object).flat_map(serde_json::Map::keys);
    match names.find(|&name| theirs[name] != ours[name]) {
        None => Ok(()),
        Some(name) => Err(FolderError::Settings {
            path: path.to_owned(),
            name: name.clone(),
            theirs: short(&theirs[name]),
            ours: short(&ours[name]),
        }),
    }
}

/// A value in a message.
fn short(value: &Value) -> String {
    let text = if value.is_null() { "none".to_owned() } else { value.to_string() };
    if text.len() > 80 { format!("{}...", text.chars().take(77).collect::<String>()) } else { text }
}

fn pretty(settings: &Settings) -> String {
    serde_json::to_string_pretty(settings).unwrap_or_default()
}
