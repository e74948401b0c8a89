//! Plays the games of a match, several at a time. A game depends on its number alone, not on who plays it when.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use scuro_agents::name::Agent;
use scuro_agents::seat::SeatError;
use scuro_core::STACK;
use scuro_games::chess::Color;
use thiserror::Error;

use crate::folder::FolderError;
use crate::game::{self, Costs};
use crate::line::{GameLine, TimeLine};
use crate::settings::Settings;

/// Why a match ended before its end.
#[derive(Debug, Error)]
pub enum RunError {
    /// An agent could not sit down.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// A game could not be kept.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The machine has no thread left.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// A thread ended without a word.
    #[error("a game ended without a result")]
    Lost,
}

/// How the playing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All games are played, or enough of them.
    Done,
    /// It was stopped.
    Stopped,
}

/// What all threads share.
struct Work {
    settings: Settings,
    agents: [Agent; 2],
    left: Mutex<Box<dyn Iterator<Item = u64> + Send>>,
    stop: Arc<AtomicBool>,
}

type Finished = Result<(GameLine, TimeLine), SeatError>;

/// How often somebody who wants to stop is listened to.
const PATIENCE: Duration = Duration::from_millis(50);

/// Plays the games of these numbers, so many at a time; `finished` hears of each as it ends, and says whether that is
/// enough. Games that are under way when `stop` is set are given up.
///
/// # Errors
/// If an agent cannot sit down, or `finished` fails.
pub fn run(
    settings: &Settings,
    agents: &[Agent; 2],
    numbers: Vec<u64>,
    concurrency: usize,
    stop: &Arc<AtomicBool>,
    mut finished: impl FnMut(GameLine, TimeLine) -> Result<ControlFlow<()>, FolderError>,
) -> Result<Ended, RunError> {
    let games = numbers.len();
    // Those who play may stop for another reason than those who watch.
    let enough = Arc::new(AtomicBool::new(false));
    let work = Arc::new(Work {
        settings: settings.clone(),
        agents: agents.clone(),
        left: Mutex::new(Box::new(numbers.into_iter())),
        stop: Arc::clone(&enough),
    });
    let (sender, receiver) = mpsc::channel();
    for _ in 0..concurrency.min(games) {
        let (work, sender) = (Arc::clone(&work), sender.clone());
        let thread = thread::Builder::new().stack_size(STACK).spawn(move || play_games(&work, &sender));
        // Nobody waits for the threads: they end with their games, or with the program.
        drop(thread.map_err(RunError::Thread)?);
    }
    drop(sender);
    let ended = watch(&receiver, games, stop, &mut finished);
    enough.store(true, Ordering::Relaxed);
    ended
}

/// Waits for so many games, or for the end.
fn watch(
    receiver: &Receiver<Finished>,
    games: usize,
    stop: &AtomicBool,
    finished: &mut impl FnMut(GameLine, TimeLine) -> Result<ControlFlow<()>, FolderError>,
) -> Result<Ended, RunError> {
    let mut seen = 0;
    while seen < games {
        match receiver.recv_timeout(PATIENCE) {
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(RunError::Lost),
            Ok(game) => {
                let (game, times) = game?;
                seen += 1;
                if finished(game, times)?.is_break() {
                    return Ok(Ended::Done);
                }
            }
        }
        if seen < games && stop.load(Ordering::Relaxed) {
            return Ok(Ended::Stopped);
        }
    }
    Ok(Ended::Done)
}

fn play_games(work: &Work, sender: &Sender<Finished>) {
    loop {
        let next = work.left.lock().map_or(None, |mut left| left.next());
        let Some(number) = next.filter(|_| !work.stop.load(Ordering::Relaxed)) else { return };
        let Some(finished) = play(work, number).transpose() else { return };
        if sender.send(finished).is_err() {
            return;
        }
    }
}

/// The game of a number; `None` if it was stopped.
fn play(work: &Work, number: u64) -> Result<Option<(GameLine, TimeLine)>, SeatError> {
    let Work { settings, agents, .. } = work;
    let planned = settings.planned(number);
    let rules = settings.rules(planned.start)?;
    let costs =
        Costs { controls: settings.controls(&planned), margin: settings.margin, thoughts: settings.thoughts };
    let seats = [planned.white, 1 - planned.white].map(|agent| &agents[agent]);
    let [white, black] = Color::ALL.map(|color| (seats[color as usize], planned.seed_of(color)));
    let played = game::play(rules, settings.turns, costs, [white, black], &work.stop)?;
    Ok(played.map(|played| {
        let times = TimeLine { number, times: played.times };
        (GameLine::of(settings, &planned, played), times)
    }))
}
