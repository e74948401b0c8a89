//! `scuro show`: a position through both players' eyes.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use scuro_games::chess::{Board, Color, Move, MoveRules, color_name};
use scuro_games::fog::{FogState, View};
use scuro_games::picture::{Picture, beside, svg};
use serde::Serialize;

use super::Answer;
use crate::arguments::{Side, position};

#[derive(Args)]
#[command(after_help = "Unseen squares are shaded; a dot is a square seen to be empty.\n\nExamples:\n  \
scuro show --game fog --fen \"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1\"\n  \
scuro show --game fog --side black --svg black.svg")]
pub(crate) struct Arguments {
    /// The game
    #[arg(long, value_enum, default_value = "fog")]
    game: Dark,
    /// The position, as FEN
    #[arg(long, value_name = "FEN", default_value = "start", value_parser = position)]
    fen: Board,
    /// Only what this side sees (text and picture)
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// Also draw it to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// One JSON document: the FEN, both views as fog FEN, the moves of the side to move
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Dark {
    Fog,
}

#[derive(Serialize)]
struct Document {
    fen: String,
    white: String,
    black: String,
    moves: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let Dark::Fog = arguments.game;
    let board = &arguments.fen;
    let pictures = pictures(board, arguments.side.map(Side::color));
    if let Some(file) = &arguments.svg {
        std::fs::write(file, svg(&pictures)).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let outcome = FogState::new(*board).outcome();
    let mut moves: Vec<String> = match outcome {
        None => MoveRules::PseudoLegal.moves(board).iter().map(Move::to_string).collect(),
        Some(_) => Vec::new(),
    };
    moves.sort_unstable();
    if arguments.json {
        let [white, black] = [Color::White, Color::Black].map(|color| View::of(board, color).to_string());
        let document = Document { fen: board.to_string(), white, black, moves };
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
        return Ok(Answer::Yes);
    }
    write!(out, "{}", beside(&pictures))?;
    match outcome {
        Some(outcome) => writeln!(out, "\n{outcome}")?,
        None => writeln!(out, "\n{} to move", color_name(board.side()))?,
    }
    Ok(Answer::Yes)
}

/// The position and both views, or the view of one side alone.
fn pictures(board: &Board, only: Option<Color>) -> Vec<Picture> {
    let view =
        |color: Color| Picture::of_view(&format!("{} sees", color_name(color)), &View::of(board, color));
    match only {
        Some(color) => vec![view(color)],
        None => {
            vec![Picture::of_board("Position", board, Color::White), view(Color::White), view(Color::Black)]
        }
    }
}
