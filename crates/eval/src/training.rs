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
pub mod teacher;
pub mod train;

use std::io;
use std::path::PathBuf;

use thiserror::Error;

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
    Teacher(#[from] teacher::TeacherError),
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
