//! `scuro show`: a position through both players' eyes, or what the players of a record knew.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use scuro_core::{Player, Positions};
use scuro_games::chess::{Board, Color, Move, MoveRules, color_name};
use scuro_games::fog::{FogState, View};
use scuro_games::kriegspiel::{self, KriegspielState};
use scuro_games::picture::{Picture, beside, svg};
use scuro_games::records::Record;
use scuro_games::review::{Known, Messages, known};
use scuro_games::{Variant, player_of, rbc};
use scuro_search::belief::Belief;
use serde::Serialize;

use super::convert::games;
use super::{Answer, progress};
use crate::arguments::{Side, position};

/// Up to this many positions are worked out for a player of a record.
const MOST_POSITIONS: usize = 100_000;

#[derive(Args)]
#[command(
    after_help = "Unseen squares are shaded; a dot is a square seen to be empty. With --record: what a player \
was told and knows after --ply plies (a refused try and a sense are plies), and how many positions fit that.\n\n\
Examples:\n  scuro show --game fog --fen \"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1\"\n  \
scuro show --game fog --side black --svg black.svg\n  \
scuro show --game kriegspiel --record game.pgn --ply 12 --side white"
)]
pub(crate) struct Arguments {
    /// The game
    #[arg(long, value_enum, default_value = "fog")]
    game: Dark,
    /// The position, as FEN (Fog of War)
    #[arg(long, value_name = "FEN", default_value = "start", value_parser = position, conflicts_with = "record")]
    fen: Board,
    /// A record of the game: PGN, JSON lines or a history of reconchess
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Which game of the record, from 1
    #[arg(long, value_name = "K", default_value = "1", requires = "record")]
    number: usize,
    /// After how many plies [default: all]
    #[arg(long, value_name = "N", requires = "record")]
    ply: Option<usize>,
    /// Only this side: text and picture, and for a record the JSON too
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// Also draw it to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// One JSON document: of a position the FEN, both views as fog FEN and the moves of the side to move; of a
    /// record, for each side, what it was told, what it sees and how many positions fit
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Dark {
    Fog,
    Kriegspiel,
    Rbc,
}

impl Dark {
    fn variant(self) -> Variant {
        match self {
            Dark::Fog => Variant::FogOfWar,
            Dark::Kriegspiel => Variant::Kriegspiel,
            Dark::Rbc => Variant::Reconnaissance,
        }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    match (&arguments.record, arguments.game) {
        (Some(file), game) => show_record(file, game.variant(), arguments, out),
        (None, Dark::Fog) => show_position(arguments, out),
        (None, game) => bail!("--game for {} needs --record FILE", game.variant()),
    }
}

#[derive(Serialize)]
struct PositionDocument {
    fen: String,
    white: String,
    black: String,
    moves: Vec<String>,
}

fn show_position(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let board = &arguments.fen;
    let pictures = pictures(board, arguments.side.map(Side::color));
    draw(arguments.svg.as_deref(), &pictures)?;
    let outcome = FogState::new(*board).outcome();
    let mut moves: Vec<String> = match outcome {
        None => MoveRules::PseudoLegal.moves(board).iter().map(Move::to_string).collect(),
        Some(_) => Vec::new(),
    };
    moves.sort_unstable();
    if arguments.json {
        let [white, black] = [Color::White, Color::Black].map(|color| View::of(board, color).to_string());
        let document = PositionDocument { fen: board.to_string(), white, black, moves };
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

fn draw(file: Option<&Path>, pictures: &[Picture]) -> anyhow::Result<()> {
    match file {
        None => Ok(()),
        Some(file) => {
            std::fs::write(file, svg(pictures)).with_context(|| format!("cannot write {}", file.display()))
        }
    }
}

#[derive(Serialize)]
struct RecordDocument {
    game: String,
    ply: usize,
    /// Absent if only one side is shown: how long the record is may tell what she did not hear.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    #[serde(flatten)]
    sides: BTreeMap<&'static str, SideDocument>,
}

#[derive(Serialize)]
struct SideDocument {
    /// What she was told, oldest first.
    told: Vec<String>,
    /// The board field of what she sees.
    board: String,
    /// How many positions fit; absent where nobody has worked that out.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<usize>,
    /// Whether `positions` is all of them, and not a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<bool>,
}

fn show_record(
    file: &Path,
    variant: Variant,
    arguments: &Arguments,
    out: &mut impl Write,
) -> anyhow::Result<Answer> {
    let record = chosen(file, variant, arguments.number)?;
    let ply = arguments.ply.unwrap_or(record.plies.len());
    let sides = match arguments.side {
        Some(side) => vec![side.color()],
        None => vec![Color::White, Color::Black],
    };
    let mut known_by = Vec::new();
    for color in sides {
        let known = known(&record, ply, color).with_context(|| file.display().to_string())?;
        let fitting = fitting(&known, color)?;
        known_by.push((color, known, fitting));
    }
    let pictures: Vec<Picture> = known_by.iter().map(|(_, known, _)| known.picture.clone()).collect();
    draw(arguments.svg.as_deref(), &pictures)?;
    if arguments.json {
        let side = |(color, known, fitting): (Color, Known, Option<(usize, bool)>)| {
            let name = if color == Color::White { "white" } else { "black" };
            let Known { told, placement, .. } = known;
            let (positions, exact) = (fitting.map(|fitting| fitting.0), fitting.map(|fitting| fitting.1));
            (name, SideDocument { told, board: placement, positions, exact })
        };
        let document = RecordDocument {
            game: variant.to_string(),
            ply,
            plies: arguments.side.is_none().then_some(record.plies.len()),
            sides: known_by.into_iter().map(side).collect(),
        };
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
        return Ok(Answer::Yes);
    }
    match (arguments.side, arguments.ply) {
        (None, _) => writeln!(out, "{variant}, ply {ply} of {}\n", record.plies.len())?,
        (Some(_), Some(ply)) => writeln!(out, "{variant}, ply {ply}\n")?,
        (Some(_), None) => writeln!(out, "{variant}, at the end\n")?,
    }
    write!(out, "{}", beside(&pictures))?;
    for (color, known, fitting) in known_by {
        writeln!(out, "\n{} was told:", color_name(color))?;
        known.told.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
        match fitting {
            Some((1, true)) => writeln!(out, "  1 position fits")?,
            Some((count, true)) => writeln!(out, "  {count} positions fit")?,
            Some((count, false)) => writeln!(out, "  more than {count} positions fitted at some ply")?,
            None => {}
        }
    }
    Ok(Answer::Yes)
}

/// The record to look at: the umpire's, or there is nothing to look up.
fn chosen(file: &Path, variant: Variant, number: usize) -> anyhow::Result<Record> {
    let games = games(file)?;
    let Some(game) = number.checked_sub(1).and_then(|index| games.get(index)) else {
        bail!("{}: --number {number}: the file has {} games", file.display(), games.len());
    };
    if game.variant() != variant {
        bail!("{}: game {number} is {}, not {variant}", file.display(), game.variant());
    }
    game.record().with_context(|| file.display().to_string())
}

/// How many positions fit what a player was told, and whether that is all of them.
fn fitting(known: &Known, color: Color) -> anyhow::Result<Option<(usize, bool)>> {
    let player = player_of(color);
    match &known.messages {
        Messages::Views => Ok(None),
        Messages::Kriegspiel(game, told) => {
            let first = kriegspiel::Position::of(&KriegspielState::new(game.ruleset, game.start));
            follow(game, first, player, told).map(Some)
        }
        Messages::Rbc(game, told) => follow(game, rbc::Position::new(&game.start), player, told).map(Some),
    }
}

fn follow<G: Positions>(
    game: &G,
    first: G::Position,
    player: Player,
    told: &[G::Told],
) -> anyhow::Result<(usize, bool)> {
    let bar = progress("positions that fit, ply", Some(told.len() as u64));
    let mut belief = Belief::certain(first, MOST_POSITIONS, 0);
    for message in told {
        belief.advance(game, player, message)?;
        bar.inc(1);
        if belief.is_sample() {
            break;
        }
    }
    bar.finish_and_clear();
    Ok((belief.positions().len(), !belief.is_sample()))
}
