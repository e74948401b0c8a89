//! How good an evaluation is: its distance to a teacher's deep search on labelled positions.
//!
//! Positions come as JSON lines, plain or gzipped: `fen`, `value` to the side to move, and where the children were
//! labelled too `children`, a list of `[move, cp, mate, value]` to the side that moves.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use scuro_games::chess::{Board, Move};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::evaluator::Evaluator;
use crate::uci::UciError;

/// A position with its value, and perhaps those of its children.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The position.
    pub board: Board,
    /// Its value to the side to move.
    pub value: f64,
    /// Moves with what they are worth to the side that makes them.
    pub children: Vec<(Move, f64)>,
}

/// Why a file of positions cannot be read.
#[derive(Debug, Error)]
pub enum PositionsError {
    /// The reader failed.
    #[error("line {0}: cannot read on: {1}")]
    Io(usize, io::Error),
    /// A line that is not what it should be.
    #[error("line {line}: {what}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// There is no position at all.
    #[error("no positions")]
    Nothing,
}

/// Reads labelled positions.
///
/// # Errors
/// If any line is wrong, or there is none.
pub fn read(file: impl Read) -> Result<Vec<Labelled>, PositionsError> {
    let mut packed = BufReader::new(file);
    let gzipped = packed.fill_buf().map_err(|error| PositionsError::Io(1, error))?.starts_with(&[0x1f, 0x8b]);
    if gzipped { read_lines(BufReader::new(MultiGzDecoder::new(packed))) } else { read_lines(packed) }
}

fn read_lines(reader: impl BufRead) -> Result<Vec<Labelled>, PositionsError> {
    let mut positions = Vec::new();
    for (i, text) in reader.lines().enumerate() {
        let line = i + 1;
        let text = text.map_err(|error| PositionsError::Io(line, error))?;
        if !text.trim().is_empty() {
            positions.push(parse(&text).map_err(|what| PositionsError::Line { line, what })?);
        }
    }
    if positions.is_empty() { Err(PositionsError::Nothing) } else { Ok(positions) }
}

fn parse(text: &str) -> Result<Labelled, String> {
    let object: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    let fen = object.get("fen").and_then(Value::as_str).ok_or("expected a text 'fen'")?;
    let board: Board = fen.parse().map_err(|error: scuro_games::chess::FenError| error.to_string())?;
    let value = object.get("value").and_then(in_range).ok_or("expected a number 'value' from -1 to 1")?;
    let children = match object.get("children") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(children)) => {
            children.iter().map(|child| parse_child(&board, child)).collect::<Result<_, _>>()?
        }
        Some(_) => return Err("expected a list 'children'".to_owned()),
    };
    Ok(Labelled { board, value, children })
}

fn in_range(value: &Value) -> Option<f64> {
    value.as_f64().filter(|value| (-1.0..=1.0).contains(value))
}

fn parse_child(board: &Board, child: &Value) -> Result<(Move, f64), String> {
    let wrong = || format!("expected a child as [move, cp, mate, value], found {child}");
    let m: Move =
        child.get(0).and_then(Value::as_str).and_then(|text| text.parse().ok()).ok_or_else(wrong)?;
    let value = child.get(3).and_then(in_range).ok_or_else(wrong)?;
    if board.is_pseudo_legal(m) { Ok((m, value)) } else { Err(format!("{m} is not a move in {board}")) }
}

/// A mean, and of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    sum: f64,
    /// Of how many.
    pub count: usize,
}

impl Mean {
    fn add(&mut self, number: f64) {
        self.sum += number;
        self.count += 1;
    }

    /// The mean; not a number if of none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }
}

/// Mean distances to the labels by kind of position: at a glance, and once captures are played out.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// All positions in which no king can be taken.
    pub all: [Mean; 2],
    /// Those whose value is nearer than 0.3 to even.
    pub level: [Mean; 2],
    /// Those between.
    pub between: [Mean; 2],
    /// Those at 0.7 or more from even.
    pub decided: [Mean; 2],
    /// Those in which the mover's king is attacked.
    pub in_check: [Mean; 2],
    /// What the child valued highest is worth less than the best.
    pub lost: Mean,
    /// The share of the positions in which the king can be taken that is valued exactly 1.
    pub king_takes: Mean,
}

impl Table {
    /// Values a position and adds its errors.
    ///
    /// # Errors
    /// If the evaluator is an external engine that fails.
    pub fn add(&mut self, evaluator: &mut dyn Evaluator, position: &Labelled) -> Result<(), UciError> {
        let Labelled { board, value: label, children } = position;
        let value = f64::from(evaluator.value(board)?);
        if board.in_check(!board.side()) {
            self.king_takes.add(f64::from(value == 1.0));
            return Ok(());
        }
        let glance = f64::from(evaluator.static_value(board)?);
        let group = match label.abs() {
            size if size < 0.3 => &mut self.level,
            size if size < 0.7 => &mut self.between,
            _ => &mut self.decided,
        };
        let check = board.in_check(board.side()).then_some(&mut self.in_check);
        for means in [Some(&mut self.all), Some(group), check].into_iter().flatten() {
            means[0].add((glance - label).abs());
            means[1].add((value - label).abs());
        }
        if !children.is_empty() {
            self.lost.add(value_lost(evaluator, board, children)?);
        }
        Ok(())
    }
}

/// What the child that the evaluator values highest is worth less than the best one.
fn value_lost(
    evaluator: &mut dyn Evaluator,
    board: &Board,
    children: &[(Move, f64)],
) -> Result<f64, UciError> {
    let moves: Vec<Move> = children.iter().map(|(m, _)| *m).collect();
    let mut values = Vec::with_capacity(moves.len());
    evaluator.evaluate(board, &moves, &mut values)?;
    let best = children.iter().map(|(_, label)| *label).fold(-1.0, f64::max);
    let chosen = values.iter().zip(children).max_by(|(a, _), (b, _)| a.total_cmp(b));
    Ok(chosen.map_or(0.0, |(_, (_, label))| best - label))
}

impl Table {
    /// The table as one JSON object.
    #[must_use]
    pub fn json(&self) -> Value {
        let pair = |means: &[Mean; 2]| json!({"positions": means[0].count, "static": means[0].mean(), "value": means[1].mean()});
        let single = |mean: &Mean| json!({"positions": mean.count, "value": mean.mean()});
        json!({
            "all": pair(&self.all),
            "level": pair(&self.level),
            "between": pair(&self.between),
            "decided": pair(&self.decided),
            "in_check": pair(&self.in_check),
            "lost": single(&self.lost),
            "king_takes": single(&self.king_takes),
        })
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<22}{:>10}{:>10}{:>10}", "mean error", "positions", "static", "value")?;
        for (name, means) in [
            ("all", &self.all),
            ("|v| < 0.3", &self.level),
            ("0.3 <= |v| < 0.7", &self.between),
            ("|v| >= 0.7", &self.decided),
            ("in check", &self.in_check),
        ] {
            if means[0].count > 0 {
                let [glance, value] = [means[0].mean(), means[1].mean()];
                writeln!(f, "{name:<22}{:>10}{glance:>10.4}{value:>10.4}", means[0].count)?;
            }
        }
        for (name, mean) in [("lost by best child", &self.lost), ("king takes, exactly 1", &self.king_takes)]
        {
            if mean.count > 0 {
                writeln!(f, "{name:<22}{:>10}{:>10}{:>10.4}", mean.count, "", mean.mean())?;
            }
        }
        Ok(())
    }
}
