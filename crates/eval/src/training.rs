//! How our network is made: positions from self-play, a teacher's labels, and training on them.
//!
//! [`data`] plays games under fog rules and labels a few positions of each; [`label`] labels some of these again by a
//! deeper search; [`train`] fits a network to the labels. All keep their work in files that are written whole, so that
//! every step can be interrupted and taken up again.

pub mod data;
pub mod label;
pub mod model;
pub mod quiet;
pub mod records;
pub mod train;

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use scuro_core::Random;
use scuro_games::chess::Board;
use thiserror::Error;

use crate::uci::{Thought, Uci, UciError};

/// Why a step of the training cannot go on.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// A file cannot be read or written.
    #[error("{0}")]
    File(PathBuf, #[source] io::Error),
    /// A file of records is damaged.
    #[error("{0}")]
    Records(PathBuf, #[source] records::RecordsError),
    /// The teacher does not work.
    #[error(transparent)]
    Teacher(#[from] UciError),
    /// The state of a training cannot be taken up.
    #[error("{0}")]
    State(PathBuf, #[source] train::StateError),
    /// There is nothing to learn from.
    #[error("{0}: no records in this folder; scuro net data makes them")]
    Nothing(PathBuf),
}

/// How a long piece of work talks to the one who started it.
pub struct Watch<'w> {
    /// Whether to stop soon.
    pub stop: &'w (dyn Fn() -> bool + Sync),
    /// Told how many steps more are done.
    pub done: &'w (dyn Fn(u64) + Sync),
}

/// What the teacher thinks of a position: nothing if it died on it, for it is started again on the next.
fn ask(teacher: &mut Uci, board: &Board, moves: usize) -> Result<Vec<Thought>, UciError> {
    match teacher.think(board, moves) {
        Err(error @ UciError::Start { .. }) => Err(error),
        answer => Ok(answer.unwrap_or_default()),
    }
}

/// Lets `threads` threads do pieces of work in turn until there are none. The first error stops all.
fn in_parallel(
    threads: usize,
    pieces: u64,
    watch: &Watch<'_>,
    work: impl Fn(u64, &Watch<'_>) -> Result<(), TrainingError> + Sync,
) -> Result<(), TrainingError> {
    let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
    let first_error = Mutex::new(None);
    let stop = || failed.load(Ordering::Relaxed) || (watch.stop)();
    let watch = Watch { stop: &stop, done: watch.done };
    let run = || {
        while !(watch.stop)() {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                break;
            }
            if let Err(error) = work(piece, &watch) {
                failed.store(true, Ordering::Relaxed);
                if let Ok(mut first) = first_error.lock() {
                    first.get_or_insert(error);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(run);
        }
    });
    first_error.into_inner().ok().flatten().map_or(Ok(()), Err)
}

/// Two numbers as one that looks random.
fn mix(a: u64, b: u64) -> u64 {
    Random::new(a.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(b)).word()
}
