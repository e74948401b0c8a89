//! `scuro show`: a position through both players' eyes, or what the players of a record knew.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use scuro_games::chess::{Board, Color, Move, MoveRules, color_name};
use scuro_games::dark::{DarkGame, Rules};
use scuro_games::fog::{FogState, View};
use scuro_games::picture::{Picture, beside, svg};
use scuro_games::records::Record;
use scuro_games::review::{Known, Upto, known, replay};
use scuro_games::seat::Seat;
use scuro_games::{Variant, player_of, with_game};
use scuro_search::belief::Belief;
use serde::Serialize;

use super::record::{chosen, upto};
use super::{Answer, progress};
use crate::arguments::{Side, game, position};

/// Up to this many positions are worked out for a player of a record.
const MOST_POSITIONS: usize = 100_000;

#[derive(Args)]
#[command(
    after_help = "Unseen squares are shaded; a dot is a square seen to be empty. With --record: what a player \
was told and knows after --ply plies (a refused try and a sense are plies), and how many positions fit that. With --side \
those plies count that this side noticed.\n\n\
Examples:\n  scuro show --game fog --fen \"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1\"\n  \
scuro show --game fog --side black --svg black.svg\n  \
scuro show --game kriegspiel --record game.pgn --ply 12 --side white"
)]
pub(crate) struct Arguments {
    /// The game
    #[arg(long, value_name = "GAME", default_value = Variant::FogOfWar.word(), value_parser = game())]
    game: Variant,
    /// The position, as FEN (Fog of War)
    #[arg(long, value_name = "FEN", default_value = "start", value_parser = position, conflicts_with = "record")]
    fen: Board,
    /// A record of the game: PGN, JSON lines or a history of reconchess
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Which game of the record, from 1
    #[arg(long, value_name = "K", default_value = "1", requires = "record")]
    number: usize,
    /// After how many plies; with --side of those that it noticed [default: all]
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

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    match (&arguments.record, arguments.game) {
        (Some(file), _) => show_record(file, arguments, out),
        (None, Variant::FogOfWar) => show_position(arguments, out),
        (None, game) => bail!("--game {} needs --record FILE", game.word()),
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

/// What `--record --json` prints.
#[derive(Serialize)]
struct RecordDocument {
    game: String,
    /// How many plies were looked at; those that it noticed if only one side is shown.
    ply: usize,
    /// Absent if only one side is shown: the length of the record may tell what it did not hear.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    #[serde(flatten)]
    sides: BTreeMap<&'static str, SideDocument>,
}

#[derive(Serialize)]
struct SideDocument {
    /// What it was told, oldest first.
    told: Vec<String>,
    /// The board field of what it sees.
    board: String,
    /// How many positions fit.
    positions: usize,
    /// Whether `positions` is all of them, and not a bound.
    exact: bool,
}

/// What a side of a record knows.
struct Knowing {
    color: Color,
    known: Known,
    /// How many plies it noticed.
    noticed: usize,
    fitting: Fitting,
}

/// How many positions fit what a player was told, and whether that is all of them.
struct Fitting {
    positions: usize,
    exact: bool,
}

fn show_record(file: &Path, arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let record = chosen(file, arguments.game, arguments.number)?;
    let only = arguments.side.map(Side::color);
    let upto = upto(arguments.ply, only);
    let mut sides = Vec::new();
    for color in only.map_or(Color::ALL.to_vec(), |color| vec![color]) {
        sides.push(knowing(&record, upto, color).with_context(|| file.display().to_string())?);
    }
    let pictures: Vec<Picture> = sides.iter().map(|side| side.known.picture.clone()).collect();
    draw(arguments.svg.as_deref(), &pictures)?;
    let ply = match (&sides[..], only) {
        ([side], Some(_)) => side.noticed,
        _ => arguments.ply.unwrap_or(record.plies.len()),
    };
    if arguments.json {
        let document = RecordDocument {
            game: record.variant.to_string(),
            ply,
            plies: only.is_none().then_some(record.plies.len()),
            sides: sides.into_iter().map(side_document).collect(),
        };
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
        return Ok(Answer::Yes);
    }
    match (only, arguments.ply) {
        (None, _) => writeln!(out, "{}, ply {ply} of {}\n", record.variant, record.plies.len())?,
        (Some(_), Some(_)) => writeln!(out, "{}, ply {ply}\n", record.variant)?,
        (Some(_), None) => writeln!(out, "{}, at the end\n", record.variant)?,
    }
    write!(out, "{}", beside(&pictures))?;
    sides.iter().try_for_each(|side| print_side(side, out))?;
    Ok(Answer::Yes)
}

fn side_document(side: Knowing) -> (&'static str, SideDocument) {
    let name = if side.color == Color::White { "white" } else { "black" };
    let Known { told, placement, .. } = side.known;
    let Fitting { positions, exact } = side.fitting;
    (name, SideDocument { told, board: placement, positions, exact })
}

fn print_side(side: &Knowing, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "\n{} was told:", color_name(side.color))?;
    side.known.told.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    match side.fitting {
        Fitting { positions: 1, exact: true } => writeln!(out, "  1 position fits")?,
        Fitting { positions, exact: true } => writeln!(out, "  {positions} positions fit")?,
        Fitting { positions, .. } => writeln!(out, "  more than {positions} positions fitted at some ply")?,
    }
    Ok(())
}

/// What `color` knows at some ply of a record.
fn knowing(record: &Record, upto: Upto, color: Color) -> anyhow::Result<Knowing> {
    let known = known(record, upto, color)?;
    let rules = Rules::of(record).map_err(|words| anyhow!(words))?;
    with_game!(rules, game => {
        let umpire = replay(&game, record, upto)?;
        let seat = umpire.seat(color);
        Ok(Knowing { color, known, noticed: seat.heard().len(), fitting: fitting(&game, seat)? })
    })
}

/// Follows the belief of a player who knows the start and was told what its seat was.
fn fitting<G: DarkGame>(game: &G, seat: &Seat<G>) -> anyhow::Result<Fitting> {
    let bar = progress("positions that fit, ply", Some(seat.heard().len() as u64));
    let mut belief = Belief::certain(game.position(&game.start()), MOST_POSITIONS, 0);
    for heard in seat.heard() {
        belief.advance(game, player_of(seat.color()), heard.own, &heard.told)?;
        bar.inc(1);
        if belief.is_sample() {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(Fitting { positions: belief.positions().len(), exact: !belief.is_sample() })
}
