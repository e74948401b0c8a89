//! Which programs run now: whoever ends this one ends them too, with all that they have started.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The programs that run, by the process that leads the group of each.
static RUNNING: Mutex<Running> = Mutex::new(Running { leaders: BTreeSet::new(), over: false });

struct Running {
    leaders: BTreeSet<u32>,
    /// Whether no more are started.
    over: bool,
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every program that runs, at once and with all that it has started, and lets no other start: for the way out,
/// where nobody waits for those who play.
pub fn end_all() {
    let mut running = running();
    running.over = true;
    running.leaders.iter().for_each(|&leader| kill(leader));
}

/// Starts a program as the leader of a group of its own.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    apart(command);
    // Held until the program is in the list: none slips through while all are ended.
    let mut running = running();
    if running.over {
        return Err(io::Error::other("nothing is started any more"));
    }
    let child = command.spawn()?;
    running.leaders.insert(child.id());
    Ok(child)
}

/// Ends what is left of a program. A number is used but once: another group may have it later.
pub(super) fn end(leader: u32) {
    if running().leaders.remove(&leader) {
        kill(leader);
    }
}

/// Ctrl-C is for us: what it means for a game under way is not for the program to decide.
#[cfg(unix)]
fn apart(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(unix)]
fn kill(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(leader) = i32::try_from(leader) {
        // A group of which nobody is left needs no end.
        let _ = killpg(Pid::from_raw(leader), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn apart(_: &mut Command) {}

#[cfg(not(unix))]
fn kill(_: u32) {}
