//! `scuro eval`: what positions are worth.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use scuro_eval::evaluator::of_file;
use scuro_eval::uci::{Uci, UciError};
use scuro_eval::{Evaluator, Network, Quiescence, Rules};
use scuro_games::chess::{Board, MoveRules};
use scuro_games::records::positions::positions;
use serde::Serialize;
use serde_json::json;

use super::Answer;
use crate::arguments::position;

#[derive(Args)]
#[command(
    after_help = "Values are those of Fog of War with both armies in sight, in [-1, 1] from the view of the side to \
move: tanh(pawns / 6). `static` is what the position looks like, `value` what it is worth once captures are played \
out; a king that can be taken is worth exactly 1.\n\nThe file of --fens has a FEN a line, or JSON lines with a key \
`fen`, and may be gzipped; the answer is a JSON line each. A line that cannot be read is answered with an error, and \
the exit code is 2 at the end.\n\nExamples:\n  \
scuro eval --fen start --children\n  \
scuro eval --fens positions.jsonl --net simple"
)]
pub(crate) struct Arguments {
    /// The position
    #[arg(long, value_name = "FEN", value_parser = position, required_unless_present = "fens")]
    fen: Option<Board>,
    /// Many positions; - reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    fens: Option<PathBuf>,
    /// Who values: a network file (ours, or Stockfish 15.1's), `simple` (material and squares seen) or `stockfish` [default: our network]
    #[arg(long, value_name = "FILE|simple|stockfish")]
    net: Option<String>,
    /// Also every child, in UCI order
    #[arg(long)]
    children: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// What is said of one position.
#[derive(Serialize)]
struct Valued {
    fen: String,
    #[serde(rename = "static")]
    at_a_glance: f32,
    value: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    children: Option<Vec<(String, f32)>>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut evaluator = evaluator(arguments.net.as_deref())?;
    match (&arguments.fen, &arguments.fens) {
        (_, Some(file)) => many(file, &mut *evaluator, arguments.children, out),
        (Some(board), None) => {
            let valued = valued(&mut *evaluator, board, board.to_string(), arguments.children)?;
            if arguments.json {
                writeln!(out, "{}", serde_json::to_string(&valued)?)?;
            } else {
                writeln!(out, "static {}\nvalue {}", valued.at_a_glance, valued.value)?;
                for (m, value) in valued.children.into_iter().flatten() {
                    writeln!(out, "{m} {value}")?;
                }
            }
            Ok(Answer::Yes)
        }
        // The parser asks for one of the two.
        (None, None) => Ok(Answer::Unreadable),
    }
}

/// The evaluator of this name; our network if there is none.
pub(crate) fn evaluator(name: Option<&str>) -> anyhow::Result<Box<dyn Evaluator>> {
    Ok(match name {
        None => Box::new(Quiescence::of_network(Network::embedded())),
        Some("simple") => Box::new(Quiescence::simple()),
        Some("stockfish") => {
            let mut stockfish = Uci::stockfish();
            // An engine that does not start is no matter of single positions.
            stockfish.value(&Board::start())?;
            Box::new(stockfish)
        }
        Some(file) => {
            let bytes = fs::read(file).with_context(|| format!("cannot read {file}"))?;
            of_file(&bytes, Rules::Fog).with_context(|| file.to_owned())?
        }
    })
}

/// One JSON line for every position of a file.
fn many(
    file: &Path,
    evaluator: &mut dyn Evaluator,
    children: bool,
    out: &mut impl Write,
) -> anyhow::Result<Answer> {
    let input: Box<dyn Read> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(file).with_context(|| format!("cannot open {}", file.display()))?)
    };
    let context = || format!("cannot read {}", file.display());
    let mut answer = Answer::Yes;
    for listed in positions(input).with_context(context)? {
        let listed = listed.with_context(context)?;
        let found = match listed.board {
            Ok(board) => {
                valued(evaluator, &board, listed.fen.clone(), children).map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        match found {
            Ok(valued) => writeln!(out, "{}", serde_json::to_string(&valued)?)?,
            Err(error) => {
                writeln!(out, "{}", json!({ "fen": listed.fen, "error": error }))?;
                answer = Answer::Unreadable;
            }
        }
    }
    Ok(answer)
}

fn valued(
    evaluator: &mut dyn Evaluator,
    board: &Board,
    fen: String,
    children: bool,
) -> Result<Valued, UciError> {
    let (at_a_glance, value) = (evaluator.static_value(board)?, evaluator.value(board)?);
    let children = if children {
        let mut moves: Vec<_> =
            MoveRules::PseudoLegal.moves(board).into_iter().map(|m| (m.to_string(), m)).collect();
        moves.sort();
        let (names, moves): (Vec<_>, Vec<_>) = moves.into_iter().unzip();
        let mut values = Vec::new();
        evaluator.evaluate(board, &moves, &mut values)?;
        Some(names.into_iter().zip(values).collect())
    } else {
        None
    };
    Ok(Valued { fen, at_a_glance, value, children })
}
