//! The file of a trial: a line for every finished game, and none for a game that was interrupted.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use indicatif::ProgressBar;
use scuro_arena::lines;
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
        let (file, lines) = lines::open::<Line<R>>(path)?;
        let mut records = BTreeMap::new();
        for (number, line) in (1..).zip(lines) {
            if line.settings != settings {
                let place = format!("{}, line {number}", path.display());
                bail!("{place}: it is of '{}', not of '{settings}'", line.settings);
            }
            records.insert(line.game, line.record);
        }
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
                lines::append(&mut self.file, &line)?;
                self.records.insert(game, line.record);
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(self.records.into_iter().filter(|(game, _)| *game < games).map(|(_, record)| record).collect())
    }
}
