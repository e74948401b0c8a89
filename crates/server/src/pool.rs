//! Threads that think. Engine work never runs where requests are answered: it waits here, moves before studies, and no
//! more of it runs at a time than there are cores.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use scuro_core::STACK;
use tokio::sync::oneshot;

/// So many studies may wait: hints and the turns of analyses.
const MOST_STUDIES: usize = 64;

type Job = Box<dyn FnOnce() + Send>;

/// The threads and what they have to do.
#[derive(Clone)]
pub(crate) struct Pool(Arc<Shared>);

struct Shared {
    work: Mutex<Work>,
    changed: Condvar,
}

#[derive(Default)]
struct Work {
    moves: VecDeque<Job>,
    studies: VecDeque<Job>,
    /// How many studies are under way, and how many may be: one thread is left to moves where there are two.
    studying: usize,
    most_studying: usize,
    closed: bool,
}

impl Pool {
    /// So many threads.
    pub(crate) fn new(threads: usize) -> std::io::Result<Pool> {
        let work = Work { most_studying: threads.saturating_sub(1).max(1), ..Work::default() };
        let pool = Pool(Arc::new(Shared { work: Mutex::new(work), changed: Condvar::new() }));
        for number in 0..threads {
            let shared = Arc::clone(&pool.0);
            let builder = thread::Builder::new().name(format!("thinker {number}")).stack_size(STACK);
            builder.spawn(move || shared.run())?;
        }
        Ok(pool)
    }

    /// Chooses a move of a game; `None` if the work failed or the server ends. A game has one such job at a time, so
    /// as many wait as there are games.
    pub(crate) async fn choose<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (job, answer) = answering(job);
        self.0.add(|work| work.moves.push_back(job));
        answer.await.ok()
    }

    /// Studies a position; `Err` if too many wait already, `None` as above.
    pub(crate) async fn study<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>, Full> {
        let (job, answer) = answering(job);
        let room = self.0.add(|work| {
            let room = work.studies.len() < MOST_STUDIES;
            if room {
                work.studies.push_back(job);
            }
            room
        });
        if room { Ok(answer.await.ok()) } else { Err(Full) }
    }

    /// Whether nothing is thought about any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.lock().closed
    }

    /// What waits is dropped; what runs is not waited for.
    pub(crate) fn close(&self) {
        self.0.add(|work| {
            work.closed = true;
            work.moves.clear();
            work.studies.clear();
        });
    }
}

/// Too many studies wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;

fn answering<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> (Job, oneshot::Receiver<T>) {
    let (sender, receiver) = oneshot::channel();
    let job = Box::new(move || {
        // Whoever asked may be gone.
        if !sender.is_closed() {
            let _ = sender.send(job());
        }
    });
    (job, receiver)
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add<T>(&self, change: impl FnOnce(&mut Work) -> T) -> T {
        let changed = change(&mut self.lock());
        self.changed.notify_all();
        changed
    }

    fn run(&self) {
        let mut work = self.lock();
        while !work.closed {
            let study = work.studying < work.most_studying;
            let (job, studies) = match work.moves.pop_front() {
                Some(job) => (job, false),
                None if study && !work.studies.is_empty() => match work.studies.pop_front() {
                    Some(job) => (job, true),
                    None => continue,
                },
                None => {
                    work = self.changed.wait(work).unwrap_or_else(PoisonError::into_inner);
                    continue;
                }
            };
            work.studying += usize::from(studies);
            drop(work);
            // A job that panics drops the channel on which it would have answered.
            let _ = catch_unwind(AssertUnwindSafe(job));
            work = self.lock();
            work.studying -= usize::from(studies);
        }
    }
}
