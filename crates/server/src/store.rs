//! The database: one thread has it, and everything that waits is written in one commit.
//!
//! What was committed survives the end of the program and of the machine (WAL, `synchronous=FULL`). What was deleted
//! leaves the file (`secure_delete`, and the log is cut). No other program may have the file at the same time.

mod rows;
mod schema;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use thiserror::Error;
use tokio::sync::oneshot;

use crate::answer::Failure;

pub(crate) use rows::{Kept, Listing, Page, Progress, Saved, SeatRow};

/// The name of the database in its folder.
const FILE: &str = "scuro.db";

/// So many requests are written in one commit at most.
const MOST_TOGETHER: usize = 256;

/// Why there is no database.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The folder cannot be made, or a file not be copied.
    #[error("{}", path.display())]
    File {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no database, or damaged, or full.
    #[error("{}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// Somebody else has it.
    #[error("{}: another scuro uses it (stop that one, or give --data DIR or --no-save)", .0.display())]
    Used(PathBuf),
    /// Written by a later version.
    #[error("{}: format {found} is newer than this version of scuro reads ({known})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// Ours.
        known: u32,
    },
}

/// The database, from any thread.
#[derive(Clone)]
pub(crate) struct Store(Sender<Request>);

/// The thread that has the database.
pub(crate) struct Keeper {
    requests: Sender<Request>,
    thread: JoinHandle<()>,
}

/// What is to be done.
enum Request {
    /// Something, and whether the log is to be cut before that is said to be done: what was deleted may stand there.
    Work { work: Work, cut: bool },
    /// The file is closed; whoever asks later is told that.
    End,
}

/// Does something with the database; what it returns is called when that was committed, or was not.
type Work = Box<dyn FnOnce(&Connection) -> Done + Send>;
type Done = Box<dyn FnOnce(Result<(), &rusqlite::Error>) + Send>;

impl Store {
    /// The database of a folder; without one, a database in memory that nobody else sees.
    pub(crate) fn open(folder: Option<&Path>) -> Result<(Store, Keeper), StoreError> {
        let connection = match folder {
            Some(folder) => {
                std::fs::create_dir_all(folder)
                    .map_err(|source| StoreError::File { path: folder.to_owned(), source })?;
                schema::open(&folder.join(FILE))?
            }
            None => schema::in_memory()?,
        };
        let (sender, receiver) = channel();
        let thread = thread::Builder::new().name("database".to_owned());
        let path = folder.map_or_else(PathBuf::new, |folder| folder.join(FILE));
        let thread = thread
            .spawn(move || serve(&connection, &receiver))
            .map_err(|source| StoreError::File { path, source })?;
        Ok((Store(sender.clone()), Keeper { requests: sender, thread }))
    }

    /// Does `work` with the database; the answer comes when it has been committed.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Failure> {
        self.request(work, false).await
    }

    /// Deletes something so that nothing of it stays in a file.
    pub(crate) async fn erase(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<()> + Send + 'static,
    ) -> Result<(), Failure> {
        self.request(work, true).await
    }

    async fn request<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
        cut: bool,
    ) -> Result<T, Failure> {
        let (sender, receiver) = oneshot::channel();
        let work: Work = Box::new(move |connection| {
            let done = guarded(connection, work);
            Box::new(move |committed| {
                let answer = match (done, committed) {
                    (Ok(done), Ok(())) => Ok(done),
                    (Err(error), _) => Err(failure(&error)),
                    (_, Err(error)) => Err(failure(error)),
                };
                // Whoever asked may be gone: it is written all the same.
                let _ = sender.send(answer);
            })
        });
        let gone = || Failure::Internal("the database has ended".to_owned());
        self.0.send(Request::Work { work, cut }).map_err(|_| gone())?;
        receiver.await.map_err(|_| gone())?
    }
}

fn failure(error: &rusqlite::Error) -> Failure {
    Failure::Internal(format!("database: {error}"))
}

/// What fails half-way leaves nothing behind, and does not harm what is written with it.
fn guarded<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    connection.execute_batch("SAVEPOINT work")?;
    let done = work(connection);
    let end = if done.is_ok() { "RELEASE work" } else { "ROLLBACK TO work; RELEASE work" };
    connection.execute_batch(end)?;
    done
}

impl Keeper {
    /// Everything that was asked for is written, and the file closed.
    pub(crate) fn end(self) {
        if self.requests.send(Request::End).is_ok() {
            // It does not panic; and if it did there would be nothing left to end.
            let _ = self.thread.join();
        }
    }
}

fn serve(connection: &Connection, requests: &Receiver<Request>) {
    while let Ok(first) = requests.recv() {
        let together = std::iter::once(first).chain(requests.try_iter().take(MOST_TOGETHER - 1));
        let begun = connection.execute_batch("BEGIN IMMEDIATE");
        let (mut cuts, mut done, mut ends) = (false, Vec::new(), false);
        for request in together {
            match request {
                Request::Work { work, cut } => {
                    cuts |= cut;
                    done.push(work(connection));
                }
                Request::End => ends = true,
            }
        }
        let committed = begun.and_then(|()| connection.execute_batch("COMMIT"));
        if committed.is_err() {
            // Nothing is left of it; whoever asked is told.
            let _ = connection.execute_batch("ROLLBACK");
        }
        let committed = match committed {
            Ok(()) if cuts => connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)"),
            committed => committed,
        };
        done.into_iter().for_each(|done| done(committed.as_ref().map(|_| ())));
        if ends {
            return;
        }
    }
}
