//! The file of a trial: a line for every finished game, and none for a game that was interrupted.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::ProgressBar;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a file holds, by number.
pub(super) struct Book<R> {
    settings: String,
    file: File,
    records: BTreeMap<u64, R>,
}

#[derive(Serialize, Deserialize)]
struct Line<R> {
    game: u64,
    settings: String,
    #[serde(flatten)]
    record: R,
}

impl<R: Serialize + DeserializeOwned> Book<R> {
    /// Opens the file of a trial with these settings, or begins it.
    pub(super) fn open(path: &Path, settings: String) -> anyhow::Result<Book<R>> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.with_context(|| path.display().to_string())?,
        };
        // A line that was being written when the trial was stopped is written again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut records = BTreeMap::new();
        for (number, line) in (1..).zip(text[..whole].lines()) {
            let place = || format!("{}, line {number}", path.display());
            let line: Line<R> = serde_json::from_str(line).with_context(place)?;
            if line.settings != settings {
                bail!("{}: it is of '{}', not of '{settings}'", place(), line.settings);
            }
            records.insert(line.game, line.record);
        }
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.with_context(|| path.display().to_string())?;
        file.set_len(whole as u64)?;
        Ok(Book { settings, file, records })
    }

    /// Plays the games that are missing of the first so many, and returns these.
    pub(super) fn fill(
        mut self,
        games: u64,
        mut play: impl FnMut(u64) -> anyhow::Result<R>,
    ) -> anyhow::Result<Vec<R>> {
        let bar = ProgressBar::new(games);
        bar.enable_steady_tick(Duration::from_millis(500));
        for game in 0..games {
            if !self.records.contains_key(&game) {
                let line = Line { game, settings: self.settings.clone(), record: play(game)? };
                writeln!(self.file, "{}", serde_json::to_string(&line)?)?;
                self.records.insert(game, line.record);
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(self.records.into_iter().filter(|(game, _)| *game < games).map(|(_, record)| record).collect())
    }
}
