//! One file a command: its flags, and how it talks. What it does is in the libraries.

pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod knowledge;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod show;
pub(crate) mod table;
pub(crate) mod verify;

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What a command that ran to its end has to say to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Done, and nothing was found wrong.
    Yes,
    /// Done, and the answer is no: a disagreement, a failed check.
    No,
    /// Some of the input could not be read; that was said already.
    Unreadable,
    /// The user stopped it; what there is was said.
    Interrupted,
}

/// Becomes true when the user presses Ctrl-C: time to say what there is and leave.
fn watch_interrupts() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    ctrlc::set_handler(move || told.store(true, Ordering::Relaxed)).context("cannot watch for Ctrl-C")?;
    Ok(stop)
}

/// Writes a line to stderr. If even that fails there is nobody left to tell.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A line on stderr that tells how far the work is; only where a person looks. Of `total` steps if known.
fn progress(what: &str, total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(5));
    let template = match total {
        Some(_) => "{prefix} [{bar:30}] {pos}/{len} {elapsed}",
        None => "{prefix} {spinner} {pos} {elapsed}",
    };
    // The template is a constant that the tests of every command draw: it cannot be wrong.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_prefix(what.to_owned())
}
