//! One file a command: its flags, and how it talks. What it does is in the libraries.

pub(crate) mod agents;
pub(crate) mod analyse;
pub(crate) mod belief;
pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod endgame;
pub(crate) mod engine;
pub(crate) mod eval;
pub(crate) mod experiment;
pub(crate) mod exploit;
pub(crate) mod knowledge;
pub(crate) mod league;
pub(crate) mod man;
pub(crate) mod matches;
pub(crate) mod merge;
pub(crate) mod net;
pub(crate) mod perft;
pub(crate) mod play;
mod record;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod table;
mod toy;
pub(crate) mod verify;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scuro_agents::protocol::process::end_all;

/// What a command that ran to its end has to say to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Done, and nothing was found wrong.
    Yes,
    /// Done, and the answer is no: a disagreement, a failed check.
    No,
    /// Some of the input could not be read; that was said already.
    Unreadable,
    /// Ended early by Ctrl-C; what there was has been said.
    Interrupted,
}

/// Writes a line to stderr. If even that fails there is nobody left to tell.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A line on stderr that tells how far the work is; only where a person looks. Of `total` steps if known.
fn progress(what: &str, total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(5));
    let template = match total {
        Some(_) => "{prefix} [{bar:30}] {pos}/{len} {elapsed} {msg}",
        None => "{prefix} {spinner} {pos} {elapsed}",
    };
    // The template is a constant that the tests of every command draw: it cannot be wrong.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_prefix(what.to_owned())
}

/// Signals that follow the first one this closely are the same: a terminal and a script may both send it.
const ONE_SIGNAL: Duration = Duration::from_millis(300);

/// Whether somebody wants the program to end. Until it is watched for, Ctrl-C simply ends it.
#[derive(Clone)]
struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From here on Ctrl-C asks, and only the second time ends the program.
    fn watch() -> anyhow::Result<Interrupt> {
        let asked = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&asked);
        let mut first: Option<Instant> = None;
        ctrlc::set_handler(move || {
            if first.get_or_insert_with(Instant::now).elapsed() > ONE_SIGNAL {
                end_all();
                process::exit(130);
            }
            seen.store(true, Ordering::Relaxed);
        })
        .context("cannot watch for Ctrl-C")?;
        Ok(Interrupt(asked))
    }

    fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// From here on Ctrl-C ends the program at once, and with it those that it has started.
fn end_on_interrupt() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        end_all();
        process::exit(130);
    })
    .context("cannot watch for Ctrl-C")
}

/// Writes a file as a whole or not at all: beside its place first, then to it.
fn save(file: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> anyhow::Result<()> {
    let saved = || {
        let (place, draft) = places(file)?;
        let mut out = BufWriter::new(File::create(&draft)?);
        let written = write(&mut out).and_then(|()| out.flush());
        if draft != place {
            let moved = written.and_then(|()| fs::rename(&draft, &place));
            return moved.inspect_err(|_| drop(fs::remove_file(&draft)));
        }
        written
    };
    saved().with_context(|| format!("cannot write {}", file.display()))
}

/// Refuses a file that cannot be written before the work for it is done.
fn writable(file: &Path) -> anyhow::Result<()> {
    let tried = || {
        let (place, draft) = places(file)?;
        if draft != place {
            File::create(&draft)?;
            fs::remove_file(&draft)?;
        }
        io::Result::Ok(())
    };
    tried().with_context(|| format!("cannot write {}", file.display()))
}

/// Where a file stands, and where its draft goes: to itself if it is a device or a pipe.
fn places(file: &Path) -> io::Result<(PathBuf, PathBuf)> {
    // A link stays a link.
    let place = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    if place.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if place.exists() && !place.is_file() {
        return Ok((place.clone(), place));
    }
    let Some(name) = place.file_name() else { return Err(io::ErrorKind::InvalidFilename.into()) };
    let mut draft = name.to_owned();
    draft.push(format!(".{}.draft", process::id()));
    Ok((place.clone(), place.with_file_name(draft)))
}
