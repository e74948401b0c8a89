//! `scuro knowledge`: distances between histories that some player cannot tell apart.

use std::io::Write;

use anyhow::{Context, bail};
use clap::Args;
use scuro_core::Player;
use scuro_games::chess::{Board, Move};
use scuro_games::fog::FogOfWar;
use scuro_games::umpire::Umpire;
use scuro_search::knowledge::{History, KnowledgeGraph};
use serde::Serialize;
use serde_json::json;

use super::{Answer, progress};
use crate::arguments::position;

/// All histories of five plies from the start fit, with half a gigabyte; those of six are a hundred million.
const MOST_HISTORIES: usize = 6_000_000;

#[derive(Args)]
#[command(
    after_help = "Two histories are one step apart when White or Black cannot tell them apart. All histories of \
that length are looked at, six million at most: five plies from the start. Histories in which the game is over do not \
count.\n\nExamples:\n  \
scuro knowledge --moves \"b1c3 g7g5 g1h3 d7d5\" --moves \"g1f3 e7e5 h2h3 d8h4\"\n  \
scuro knowledge --diameter 4 --json"
)]
pub(crate) struct Arguments {
    /// The first position, as FEN
    #[arg(long, value_name = "FEN", default_value = "start", value_parser = position)]
    fen: Board,
    /// A history as moves in UCI; give it twice, and get the distance (-1: not connected)
    #[arg(long, value_name = "MOVES", required_unless_present = "diameter", conflicts_with = "diameter")]
    moves: Vec<String>,
    /// The graph of all histories of this many plies: its size and its largest distance
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u16).range(0..=10))]
    diameter: Option<u16>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let game = FogOfWar { start: arguments.fen };
    match (arguments.diameter, &arguments.moves[..]) {
        (Some(plies), _) => diameter(game, usize::from(plies), arguments.json, out),
        (None, [first, second]) => {
            let distance = distance(game, [first, second])?.map_or(-1, i64::from);
            if arguments.json {
                writeln!(out, "{}", json!({"distance": distance}))?;
            } else {
                writeln!(out, "distance {distance}")?;
            }
            Ok(Answer::Yes)
        }
        (None, moves) => bail!("--moves has to be given twice, not {} times", moves.len()),
    }
}

fn distance(game: FogOfWar, texts: [&String; 2]) -> anyhow::Result<Option<u32>> {
    let [first, second] = texts.map(|text| parse_history(game, text));
    let (first, second) = (first.context("first --moves")?, second.context("second --moves")?);
    if first.len() != second.len() {
        // Both players count the plies.
        return Ok(None);
    }
    if first == second {
        return Ok(Some(0));
    }
    let mut found: [Option<History>; 2] = [None; 2];
    let graph = KnowledgeGraph::of_game(&game, first.len(), MOST_HISTORIES, |history, moves| {
        for (wanted, found) in [&first, &second].into_iter().zip(&mut found) {
            if moves == wanted.as_slice() {
                *found = Some(history);
            }
        }
    })?;
    let [Some(first), Some(second)] = found else {
        bail!("the game is over at the end of one of the histories")
    };
    Ok(graph.distance(first, second))
}

fn parse_history(game: FogOfWar, text: &str) -> anyhow::Result<Vec<Move>> {
    let mut umpire = Umpire::new(game);
    for (ply, word) in text.split_whitespace().enumerate() {
        let m: Move = word.parse().with_context(|| format!("ply {}", ply + 1))?;
        let side = umpire.state().board().side();
        umpire.play(side, m).with_context(|| format!("ply {}", ply + 1))?;
    }
    Ok(umpire.actions().to_vec())
}

/// What `--diameter --json` prints.
#[derive(Serialize)]
struct GraphSize {
    histories: usize,
    white_infosets: usize,
    black_infosets: usize,
    components: usize,
    diameter: i64,
}

fn diameter(game: FogOfWar, plies: usize, json: bool, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut played: Vec<Move> = Vec::new();
    let graph = KnowledgeGraph::of_game(&game, plies, MOST_HISTORIES, |_, moves| played.extend(moves))?;
    let components = graph.component_sizes().len();
    let bar = progress("histories settled", Some(graph.histories() as u64));
    let diameter = graph.diameter(|settled, _| bar.set_position(settled as u64));
    bar.finish_and_clear();
    let [white, black] = Player::BOTH.map(|player| graph.infosets(player));
    let graph_size = GraphSize {
        histories: graph.histories(),
        white_infosets: white,
        black_infosets: black,
        components,
        diameter: diameter.map_or(-1, |diameter| i64::from(diameter.distance)),
    };
    if json {
        writeln!(out, "{}", serde_json::to_string(&graph_size)?)?;
        return Ok(Answer::Yes);
    }
    writeln!(out, "histories {}", graph_size.histories)?;
    writeln!(out, "white infosets {white}")?;
    writeln!(out, "black infosets {black}")?;
    writeln!(out, "components {}", graph_size.components)?;
    if let Some(diameter) = diameter.filter(|_| plies > 0) {
        let moves = |history: History| {
            let moves = &played[history.index() * plies..(history.index() + 1) * plies];
            moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
        };
        writeln!(out, "farthest \"{}\" from \"{}\"", moves(diameter.pair.0), moves(diameter.pair.1))?;
    }
    writeln!(out, "diameter {}", graph_size.diameter)?;
    Ok(Answer::Yes)
}
