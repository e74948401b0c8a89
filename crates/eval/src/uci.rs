//! Stockfish, or another engine that speaks UCI, as an external reference: a process of its own.
//!
//! Engines of chess know no fog: they die on most positions in which a king can be taken. Such positions are
//! decided here without them. A process that dies or stays silent is an error of that one question, and the next
//! question starts a new one.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use scuro_games::chess::{Board, Color, Move, MoveRules};
use thiserror::Error;

use crate::evaluator::Evaluator;
use crate::score::{UNIT, WON, value};

/// Why an engine gave no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum UciError {
    /// There is no such program, or it may not be run.
    #[error("cannot start the engine '{program}': {reason}")]
    Start {
        /// Its name.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// It ended in the middle of a question.
    #[error("the engine died on '{0}'")]
    Died(String),
    /// It said nothing for too long and was ended.
    #[error("the engine gave no answer to '{0}' in time")]
    Silent(String),
    /// It said something that is not an answer.
    #[error("the engine has no value for '{0}'")]
    NoValue(String),
}

/// One line of thought of the engine: a first move, and its score to the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The move.
    pub m: Move,
    /// Centipawns, or [`Thought::MATE`] and its negative.
    pub centipawns: i32,
}

impl Thought {
    /// What stands for any mate.
    pub const MATE: i32 = i32::MAX;

    /// The value of a number of centipawns.
    #[must_use]
    pub fn value(self) -> f32 {
        value_of(self.centipawns)
    }
}

fn value_of(centipawns: i32) -> f32 {
    match centipawns {
        Thought::MATE => value(WON),
        centipawns if centipawns == -Thought::MATE => value(-WON),
        centipawns => value((i64::from(centipawns) * i64::from(UNIT) / 600).clamp(-32768, 32768) as i32),
    }
}

/// A running process and what it says.
struct Running {
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be gone already; either way it is not left behind.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An engine that is started when it is first asked.
pub struct Uci {
    program: OsString,
    depth: u32,
    patience: Duration,
    running: Option<Running>,
}

impl Uci {
    /// The engine `program`, which searches to `depth` and has ten seconds for each answer.
    #[must_use]
    pub fn new(program: impl Into<OsString>, depth: u32) -> Uci {
        Uci { program: program.into(), depth, patience: Duration::from_secs(10), running: None }
    }

    /// Stockfish, where it is usually installed, at depth 1.
    #[must_use]
    pub fn stockfish() -> Uci {
        Uci::new(Uci::stockfish_program(), 1)
    }

    /// Where Stockfish is usually installed.
    #[must_use]
    pub fn stockfish_program() -> OsString {
        let usual = "/usr/games/stockfish";
        if std::path::Path::new(usual).exists() { usual } else { "stockfish" }.into()
    }

    /// The same engine with another limit on the time for an answer.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Uci {
        self.patience = patience;
        self
    }

    /// The id of the process, if it runs.
    #[must_use]
    pub fn process(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.process.id())
    }

    /// What the engine thinks of the best `count` moves, best first; none where it sees no move.
    pub fn think(&mut self, board: &Board, count: usize) -> Result<Vec<Thought>, UciError> {
        let question = [
            format!("setoption name MultiPV value {}", count.clamp(1, 500)),
            format!("position fen {board}"),
            format!("go depth {}", self.depth),
        ];
        let mut thoughts: Vec<Option<Thought>> = Vec::new();
        self.ask(board, &question, |line| {
            if let Some((rank, thought)) = thought(line) {
                thoughts.resize(thoughts.len().max(rank), None);
                thoughts[rank - 1] = Some(thought);
            }
            line.starts_with("bestmove")
        })?;
        Ok(thoughts.into_iter().flatten().collect())
    }

    /// What the engine thinks of the position without a search, in centipawns; `None` if it will not say.
    pub fn glance(&mut self, board: &Board) -> Result<Option<i32>, UciError> {
        let mut found = None;
        self.ask(board, &[format!("position fen {board}"), "eval".to_owned()], |line| {
            let Some(rest) = line.strip_prefix("Final evaluation") else { return false };
            let pawns = rest.trim_start_matches([':', ' ']).split_whitespace().next();
            found =
                pawns.and_then(|pawns| pawns.parse::<f64>().ok()).map(|pawns| (pawns * 100.0).round() as i32);
            true
        })?;
        let sign = if board.side() == Color::White { 1 } else { -1 };
        Ok(found.map(|centipawns| sign * centipawns))
    }

    /// Sends lines and reads until `last` says that the answer is whole.
    fn ask(
        &mut self,
        board: &Board,
        question: &[String],
        last: impl FnMut(&str) -> bool,
    ) -> Result<(), UciError> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        exchange(&mut running, question, self.patience, last).map_err(|silent| {
            if silent { UciError::Silent(board.to_string()) } else { UciError::Died(board.to_string()) }
        })?;
        // Only a process that gave a whole answer is asked again.
        self.running = Some(running);
        Ok(())
    }

    fn start(&self) -> Result<Running, UciError> {
        let program = self.program.to_string_lossy().into_owned();
        let fail = |reason: &str| UciError::Start { program: program.clone(), reason: reason.to_owned() };
        let mut process = Command::new(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| fail(&error.to_string()))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(fail("it has no input or output"));
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut running = Running { process, input, lines };
        exchange(&mut running, &["uci".to_owned()], self.patience, |line| line == "uciok")
            .map_err(|silent| fail(if silent { "it does not answer 'uci'" } else { "it ended at once" }))?;
        Ok(running)
    }
}

/// Sends lines and reads the answer; an error says whether the process is silent, or else dead.
fn exchange(
    running: &mut Running,
    question: &[String],
    patience: Duration,
    mut last: impl FnMut(&str) -> bool,
) -> Result<(), bool> {
    let text = question.join("\n") + "\n";
    running.input.write_all(text.as_bytes()).and_then(|()| running.input.flush()).map_err(|_| false)?;
    loop {
        match running.lines.recv_timeout(patience) {
            Ok(line) if last(line.trim()) => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(error == RecvTimeoutError::Timeout),
        }
    }
}

/// Reads `info ... multipv N ... score cp X ... pv MOVE`: which rank, and what.
fn thought(line: &str) -> Option<(usize, Thought)> {
    let words: Vec<&str> = line.strip_prefix("info ")?.split_whitespace().collect();
    let after = |name: &str, step: usize| {
        words.iter().position(|&word| word == name).and_then(|i| words.get(i + step)).copied()
    };
    let rank = after("multipv", 1)
        .map_or(Some(1), |rank| rank.parse().ok())
        .filter(|rank| (1..=500).contains(rank))?;
    let number: i32 = after("score", 2)?.parse().ok()?;
    let centipawns = match after("score", 1)? {
        "cp" => number,
        "mate" if number > 0 => Thought::MATE,
        "mate" => -Thought::MATE,
        _ => return None,
    };
    Some((rank, Thought { m: after("pv", 1)?.parse().ok()?, centipawns }))
}

/// What the rules of fog decide: a king is gone or can be taken, or every move loses it.
fn decided(board: &Board) -> Option<f32> {
    let side = board.side();
    if board.king(side).is_none() {
        return Some(-1.0);
    }
    if board.king(!side).is_none() || board.in_check(!side) {
        return Some(1.0);
    }
    MoveRules::Legal.moves(board).is_empty().then_some(-1.0)
}

impl Evaluator for Uci {
    fn static_value(&mut self, board: &Board) -> Result<f32, UciError> {
        match decided(board) {
            Some(value) => Ok(value),
            None if board.in_check(board.side()) => self.value(board),
            None => match self.glance(board)? {
                Some(centipawns) => Ok(value_of(centipawns)),
                None => Err(UciError::NoValue(board.to_string())),
            },
        }
    }

    fn value(&mut self, board: &Board) -> Result<f32, UciError> {
        match decided(board) {
            Some(value) => Ok(value),
            None => match self.think(board, 1)?.first() {
                Some(thought) => Ok(thought.value()),
                None => Err(UciError::NoValue(board.to_string())),
            },
        }
    }

    /// One question for all moves of chess. The others lose the king, but for castling through an attack, which
    /// is asked on its own.
    fn evaluate(&mut self, board: &Board, children: &[Move], values: &mut Vec<f32>) -> Result<(), UciError> {
        let asked = decided(board).is_none() && !children.is_empty();
        let thoughts = if asked { self.think(board, 500)? } else { Vec::new() };
        for &m in children {
            let known = thoughts.iter().find(|thought| thought.m == m).map(|thought| thought.value());
            let value = match known {
                Some(value) => value,
                None => -self.value(&board.play(m))?,
            };
            values.push(value);
        }
        Ok(())
    }
}

/// An engine of chess where it can answer, and another evaluator where it cannot: where a king can be taken or no move is
/// legal, and where the engine dies or stays silent.
pub struct OrElse<E> {
    engine: Uci,
    other: E,
}

impl<E: Evaluator> OrElse<E> {
    /// This engine, or else the other evaluator.
    #[must_use]
    pub fn new(engine: Uci, other: E) -> OrElse<E> {
        OrElse { engine, other }
    }

    fn ask<T>(
        &mut self,
        board: &Board,
        of_engine: impl FnOnce(&mut Uci) -> Result<T, UciError>,
        of_other: impl FnOnce(&mut E) -> Result<T, UciError>,
    ) -> Result<T, UciError> {
        if decided(board).is_none()
            && let Ok(answer) = of_engine(&mut self.engine)
        {
            return Ok(answer);
        }
        of_other(&mut self.other)
    }
}

impl<E: Evaluator> Evaluator for OrElse<E> {
    fn static_value(&mut self, board: &Board) -> Result<f32, UciError> {
        self.ask(board, |engine| engine.static_value(board), |other| other.static_value(board))
    }

    fn value(&mut self, board: &Board) -> Result<f32, UciError> {
        self.ask(board, |engine| engine.value(board), |other| other.value(board))
    }

    fn evaluate(&mut self, board: &Board, children: &[Move], values: &mut Vec<f32>) -> Result<(), UciError> {
        let of_engine = |engine: &mut Uci| {
            let mut values = Vec::new();
            engine.evaluate(board, children, &mut values).map(|()| values)
        };
        let of_other = |other: &mut E| {
            let mut values = Vec::new();
            other.evaluate(board, children, &mut values).map(|()| values)
        };
        values.extend(self.ask(board, of_engine, of_other)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quiescence;

    #[test]
    fn where_the_engine_is_silent_the_other_answers() {
        let mut either = OrElse::new(Uci::new("no-such-engine", 1), Quiescence::simple());
        let mut other = Quiescence::simple();
        for fen in ["4k3/8/8/8/8/8/8/K3R3 b - - 0 1", "4k3/8/8/8/8/8/8/K3R3 w - - 0 1"] {
            let board: Board = fen.parse().unwrap();
            assert_eq!(either.value(&board), other.value(&board));
            let (mut moves, mut values, mut expected) = (Vec::new(), vec![0.5], vec![0.5]);
            board.pseudo_legal(&mut moves);
            either.evaluate(&board, &moves, &mut values).unwrap();
            other.evaluate(&board, &moves, &mut expected).unwrap();
            assert_eq!(values, expected);
        }
    }
}
