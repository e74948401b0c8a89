//! The teacher: a chess engine that speaks UCI, in a process of its own. It may die on a position; then it is started
//! again, and that position stays without a label.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use scuro_games::chess::{Board, Move};
use thiserror::Error;

use super::records::Score;

/// Why the teacher does not work.
#[derive(Debug, Error)]
pub enum TeacherError {
    /// It cannot be started.
    #[error("cannot start the teacher '{path}': {error}; install stockfish or name it with --stockfish")]
    Start {
        /// The program.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// It starts but does not speak UCI.
    #[error("the teacher '{0}' does not answer as a UCI engine")]
    Mute(String),
}

/// A move with what the teacher expects of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The move.
    pub first: Move,
    /// The score, for the side to move.
    pub score: Score,
}

struct Process {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A chess engine that labels positions.
pub struct Teacher {
    path: PathBuf,
    lines: usize,
    process: Option<Process>,
    text: String,
}

impl Teacher {
    /// Starts the program at `path`, to tell of up to `lines` moves a position.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(path: &Path, lines: usize) -> Result<Teacher, TeacherError> {
        let mut teacher = Teacher { path: path.to_owned(), lines, process: None, text: String::new() };
        teacher.restart()?;
        Ok(teacher)
    }

    fn restart(&mut self) -> Result<(), TeacherError> {
        self.process = None;
        let name = || self.path.display().to_string();
        let started = Command::new(&self.path).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = started.map_err(|error| TeacherError::Start { path: name(), error })?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(TeacherError::Mute(name()));
        };
        let mut process = Process { child, to, from: BufReader::with_capacity(1 << 16, from) };
        let hello = format!(
            "uci\nsetoption name Hash value 16\nsetoption name MultiPV value {}\nisready\n",
            self.lines
        );
        let ready = process.to.write_all(hello.as_bytes()).is_ok()
            && read_until(&mut process, &mut self.text, "readyok", |_| ());
        if !ready {
            return Err(TeacherError::Mute(name()));
        }
        self.process = Some(process);
        Ok(())
    }

    /// Forgets all positions before.
    ///
    /// # Errors
    /// If the teacher is dead and does not start.
    pub fn forget(&mut self) -> Result<(), TeacherError> {
        let told = self.process.as_mut().is_some_and(|process| process.to.write_all(b"ucinewgame\n").is_ok());
        if told { Ok(()) } else { self.restart() }
    }

    /// The lines of a position searched to `depth`, best first: none if the teacher died on it or sees no move.
    ///
    /// # Errors
    /// If the teacher is dead and does not start.
    pub fn lines(&mut self, fen: &str, depth: u8, lines: &mut Vec<Line>) -> Result<(), TeacherError> {
        lines.clear();
        if self.process.is_none() {
            self.restart()?;
        }
        let Some(process) = &mut self.process else { return Ok(()) };
        let question = format!("position fen {fen}\ngo depth {depth}\n");
        let answered = process.to.write_all(question.as_bytes()).is_ok()
            && read_until(process, &mut self.text, "bestmove", |text| {
                if let Some((number, line)) = parse_line(text) {
                    lines.truncate(number - 1);
                    lines.push(line);
                }
            });
        if !answered {
            lines.clear();
            self.process = None;
        }
        Ok(())
    }
}

/// Reads lines until one starts with `last`; whether it came.
fn read_until(process: &mut Process, text: &mut String, last: &str, mut visit: impl FnMut(&str)) -> bool {
    loop {
        text.clear();
        if !process.from.read_line(text).is_ok_and(|bytes| bytes > 0) {
            return false;
        }
        if text.starts_with(last) {
            return true;
        }
        visit(text);
    }
}

/// The number and the content of a line with a score.
fn parse_line(text: &str) -> Option<(usize, Line)> {
    let mut words = text.split_ascii_whitespace();
    let (mut number, mut score) = (1, None);
    if words.next() != Some("info") {
        return None;
    }
    while let Some(word) = words.next() {
        match word {
            "multipv" => number = words.next()?.parse().ok()?,
            "score" => {
                let kind = words.next()?;
                let count: i32 = words.next()?.parse().ok()?;
                score = Some(if kind == "mate" { Score::Mate(count > 0) } else { Score::Centipawns(count) });
            }
            "lowerbound" | "upperbound" | "string" => return None,
            "pv" => {
                let first = words.next()?.parse().ok()?;
                return (number > 0).then_some((number, Line { first, score: score? }));
            }
            _ => {}
        }
    }
    None
}

/// Whether a chess engine can be asked of a position: both kings stand, the waiting one is not attacked, and there is
/// a legal move of chess.
#[must_use]
pub fn askable(board: &Board) -> bool {
    let (side, mut moves) = (board.side(), Vec::with_capacity(64));
    if board.king(side).is_none() || board.king(!side).is_none() || board.in_check(!side) {
        return false;
    }
    board.legal(&mut moves);
    !moves.is_empty()
}
