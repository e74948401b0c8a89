//! A running program: lines to it and from it, none of which can make us wait longer than we want.
//!
//! One thread writes and one reads, so that a program that does not read, or says nothing, holds up nobody else. What it
//! says and nobody has heard yet is bounded: then it waits, as at any full pipe.

use std::fmt;
use std::io::{BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::running;
use crate::contestant::Fault;
use crate::protocol::{self, Line, Lines};

/// So many lines may wait to be read by the program.
const UNREAD: usize = 256;
/// So many lines of the program may wait to be heard.
const UNHEARD: usize = 256;
/// How often it is looked at whether a program has ended, and for how long after it fell silent for good.
const LOOK: Duration = Duration::from_millis(5);
const ENDING: Duration = Duration::from_millis(500);
/// So long a program that is no longer needed may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);

/// What becomes of what a program says on its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// It goes where ours goes.
    Shown,
    /// Nobody sees it.
    Hidden,
}

/// A running program. When it is no longer needed it is told to quit, and killed if it does not soon; with it goes
/// whatever it has started.
pub struct Program {
    child: Child,
    /// `None` once its input is closed.
    input: Option<SyncSender<String>>,
    lines: Receiver<Line>,
}

impl Program {
    /// Starts `PROGRAM ARGS`.
    ///
    /// # Errors
    /// If that names nothing that can be started.
    pub fn start(command: &str, errors: Errors) -> Result<Program, Fault> {
        let cannot = |why: &dyn fmt::Display| Fault::Missing(format!("cannot start '{command}': {why}"));
        let words = words(command).ok_or_else(|| cannot(&"a quotation has no end"))?;
        let (program, arguments) = words.split_first().ok_or_else(|| cannot(&"no program is named"))?;
        let mut command = Command::new(program);
        let errors = if errors == Errors::Shown { Stdio::inherit() } else { Stdio::null() };
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
        let mut child = running::start(&mut command).map_err(|error| cannot(&error))?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(cannot(&"it has no pipes"));
        };
        let (input, unread) = sync_channel::<String>(UNREAD);
        thread::spawn(move || {
            for line in unread {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let (said, lines) = sync_channel(UNHEARD);
        thread::spawn(move || {
            for line in Lines::new(BufReader::new(stdout)) {
                if said.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Program { child, input: Some(input), lines })
    }

    /// Tells it a line.
    ///
    /// # Errors
    /// If it reads no more.
    pub fn tell(&mut self, line: &impl fmt::Display) -> Result<(), Fault> {
        match self.input.as_ref().map(|input| input.try_send(format!("{line}\n"))) {
            Some(Ok(())) => Ok(()),
            Some(Err(TrySendError::Full(_))) => Err(Fault::Silent),
            Some(Err(TrySendError::Disconnected(_))) | None => Err(self.gone()),
        }
    }

    /// Its next line.
    ///
    /// # Errors
    /// If there is none until then, or will be none any more.
    pub fn hear(&mut self, until: Instant) -> Result<Line, Fault> {
        let left = until.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(Fault::Silent),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
        }
    }

    /// Nobody will tell it anything more.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// How it ended, if it does until then.
    pub fn ended(&mut self, until: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    running::end(self.child.id());
                    return Some(status);
                }
                Ok(None) if Instant::now() < until => thread::sleep(LOOK),
                _ => return None,
            }
        }
    }

    fn gone(&mut self) -> Fault {
        match self.ended(Instant::now() + ENDING) {
            Some(status) => Fault::Gone(format!("the program has ended ({status})")),
            None => Fault::Gone("the program has closed its pipe".to_owned()),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Who reads no more is not told.
        let _ = self.input.take().map(|input| input.try_send(format!("{}\n", protocol::Command::Quit)));
        let until = Instant::now() + FAREWELL;
        while self.ended(Instant::now()).is_none() && Instant::now() < until {
            // What it still has to say is taken from it, or it could wait for us.
            if self.lines.recv_timeout(LOOK) == Err(RecvTimeoutError::Disconnected) {
                thread::sleep(LOOK);
            }
        }
        running::end(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The words of a command line; a word with blanks stands between quotation marks, `'` or `"`. `None` if one is left
/// open.
#[must_use]
pub fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut open: Option<char> = None;
    for c in text.chars() {
        match open {
            Some(mark) if c == mark => open = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                word.get_or_insert_default();
                open = Some(c);
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    open.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_at_blanks_outside_quotations() {
        for (text, wanted) in [
            ("scuro engine", Some(vec!["scuro", "engine"])),
            ("  a\tb ", Some(vec!["a", "b"])),
            ("'my bot' --name=\"a b\" ''", Some(vec!["my bot", "--name=a b", ""])),
            ("", Some(vec![])),
            ("'open", None),
        ] {
            assert_eq!(words(text), wanted.map(|wanted| wanted.iter().map(|&w| w.to_owned()).collect()));
        }
    }
}
