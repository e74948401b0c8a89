//! A match from its settings to its files: what is missing is played, what is there is kept.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use scuro_agents::name::Agent;
use thiserror::Error;

use crate::folder::{Folder, FolderError};
use crate::pgn::{self, PgnExportError};
use crate::runner::{self, Ended, RunError};
use crate::settings::{Settings, SettingsError};
use crate::statistics::Results;
use crate::summary::{self, Progress, Summary};

/// Why a match cannot begin, or go on.
#[derive(Debug, Error)]
pub enum MatchError {
    /// It cannot be played.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Its folder is not right.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// It ended too early.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A game cannot be written.
    #[error(transparent)]
    Pgn(#[from] PgnExportError),
}

/// A match, with the games that are played already.
#[derive(Debug)]
pub struct Match {
    settings: Settings,
    agents: [Agent; 2],
    folder: Folder,
    results: Results,
    test: Progress,
}

impl Match {
    /// A match that is to be kept in a folder, or in memory alone.
    ///
    /// # Errors
    /// If it cannot be played, or the folder holds something else. Nothing was written then.
    pub fn open(settings: Settings, folder: Option<&Path>, resume: bool) -> Result<Match, MatchError> {
        let agents = settings.check()?;
        let folder = match folder {
            Some(path) => Folder::open(path, &settings, resume)?,
            None => Folder::default(),
        };
        let mut results = Results::default();
        folder.games.values().for_each(|game| results.add(game.score_of_first()));
        Ok(Match { settings, agents, folder, results, test: Progress::default() })
    }

    /// What it is.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many threads so many games at a time keep busy. Only one side of a game thinks at a time.
    #[must_use]
    pub fn threads(&self, concurrency: usize) -> usize {
        concurrency * self.agents.iter().map(Agent::threads).max().unwrap_or(1)
    }

    /// Plays what is missing; `progress` hears how it stands.
    ///
    /// # Errors
    /// If an agent cannot play, or a game cannot be kept.
    pub fn play(
        &mut self,
        concurrency: usize,
        stop: &Arc<AtomicBool>,
        mut progress: impl FnMut(&Match),
    ) -> Result<Ended, MatchError> {
        progress(self);
        if self.end_by_test().is_some() {
            return Ok(Ended::Done);
        }
        let missing = self.settings.numbers().filter(|number| !self.folder.games.contains_key(number));
        let (settings, agents) = (self.settings.clone(), self.agents.clone());
        let numbers: Vec<u64> = missing.collect();
        let ended = runner::run(&settings, &agents, numbers, concurrency, stop, |game, times| {
            self.results.add(game.score_of_first());
            self.folder.keep(game, times)?;
            progress(self);
            let enough = self.end_by_test().is_some();
            Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(ended)
    }

    /// Where the test ends the match, if it does.
    fn end_by_test(&mut self) -> Option<u64> {
        self.settings.sprt.and_then(|sprt| self.test.advance(sprt, &self.folder.games))
    }

    /// How it stands, in short.
    #[must_use]
    pub fn results(&self) -> Results {
        self.results
    }

    /// How it stands.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary::of(&self.settings, &self.folder.games, &self.folder.times)
    }

    /// Puts the games in order and writes them as PGN, and a picture of the score.
    ///
    /// # Errors
    /// If something cannot be written.
    pub fn finish(&mut self) -> Result<(), MatchError> {
        let end = self.end_by_test().unwrap_or(self.settings.games);
        self.folder.finish(end)?;
        export(&self.settings, &self.folder)
    }
}

/// Writes the games as PGN, the summary, and a picture of the score, beside the lines.
///
/// # Errors
/// If something cannot be written.
pub fn export(settings: &Settings, folder: &Folder) -> Result<(), MatchError> {
    folder.add("games.pgn", &pgn::write(settings, folder.games.values())?)?;
    folder.add("score.svg", &summary::picture(settings, &folder.games))?;
    Ok(())
}
