//! A match from its settings to its files: what is missing is played, what is there is kept.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use scuro_agents::name::Agent;
use thiserror::Error;

use crate::control::Control;
use crate::folder::{Folder, FolderError, PGN, PICTURE};
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
        let mut contest = Match::new(settings)?;
        folder.map_or(Ok(()), |folder| contest.keep_in(folder, resume))?;
        Ok(contest)
    }

    /// A match in memory alone.
    ///
    /// # Errors
    /// If it cannot be played.
    pub fn new(settings: Settings) -> Result<Match, MatchError> {
        let agents = settings.check()?;
        let (folder, results, test) = Default::default();
        Ok(Match { settings, agents, folder, results, test })
    }

    /// Takes the games that a folder has, and keeps those to come there too.
    ///
    /// # Errors
    /// If the folder holds something else.
    pub fn keep_in(&mut self, folder: &Path, resume: bool) -> Result<(), MatchError> {
        self.folder = Folder::open(folder, &self.settings, resume)?;
        self.folder.games.values().for_each(|game| self.results.add(game.score_of_first()));
        Ok(())
    }

    /// What it is.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many threads so many games at a time keep busy, if there are that many. Only one side of a game thinks at a
    /// time.
    #[must_use]
    pub fn threads(&self, concurrency: usize) -> usize {
        let threads = self.agents.iter().map(Agent::threads).max().unwrap_or(1);
        threads * concurrency.min(self.missing().count())
    }

    /// Whether an agent has a budget of nodes, and threads beside each other that do not spend it always alike.
    #[must_use]
    pub fn spends_nodes_in_threads(&self) -> bool {
        let controls = self.settings.controls(&self.settings.planned(0));
        let mut sides = self.agents.iter().zip(controls);
        sides.any(|(agent, control)| matches!(control, Control::Nodes(_)) && agent.threads() > 1)
    }

    /// The numbers of the games that are not played yet.
    fn missing(&self) -> impl Iterator<Item = u64> {
        self.settings.numbers().filter(|number| !self.folder.games.contains_key(number))
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
        let (settings, agents) = (self.settings.clone(), self.agents.clone());
        let numbers: Vec<u64> = self.missing().collect();
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

/// Writes the games as PGN and a picture of the score, beside the lines.
///
/// # Errors
/// If something cannot be written.
pub fn export(settings: &Settings, folder: &Folder) -> Result<(), MatchError> {
    folder.add(PGN, &pgn::write(settings, folder.games.values())?)?;
    folder.add(PICTURE, &summary::picture(settings, &folder.games))?;
    Ok(())
}
