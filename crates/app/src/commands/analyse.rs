//! `scuro analyse`: what the player thinks at a turn, from her own views alone.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use scuro_agents::name::Obscuro;
use scuro_agents::player::FogPlayer;
use scuro_agents::watch::Seen;
use scuro_games::chess::{Board, Color, Move, Square, letter};
use scuro_games::fog::FogOfWar;
use scuro_games::umpire::Umpire;
use scuro_search::agent::{Budget, Candidate, Thought};
use serde::Serialize;

use super::{Answer, Interrupt, complain};
use crate::arguments::{Side, agent, duration, position};

#[derive(Args)]
#[command(
    after_help = "The moves are replayed from the first position, which both players know; the player is shown only \
her own views, and thinks at each of her turns. With --nodes, --threads 1 and a seed the answer is always the \
same. Ctrl-C ends the thought early and prints it.\n\nExamples:\n  \
scuro analyse --game fog --side white --movetime 5s\n  \
scuro analyse --game fog --moves \"c2c4 d7d5\" --side white --nodes 100000 --threads 1 --json"
)]
pub(crate) struct Arguments {
    /// The game
    #[arg(long, value_enum, default_value = "fog")]
    game: GameName,
    /// The first position, as FEN
    #[arg(long, value_name = "FEN", default_value = "start", value_parser = position)]
    fen: Board,
    /// The moves played since, in UCI
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// Whose thoughts
    #[arg(long, value_enum)]
    side: Side,
    /// How long to think, as in 500ms or 5s
    #[arg(long, value_name = "TIME", value_parser = duration, required_unless_present = "nodes")]
    movetime: Option<Duration>,
    /// How many nodes to make instead
    #[arg(long, value_name = "N", conflicts_with = "movetime", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Who thinks
    #[arg(long, default_value = "obscuro", value_parser = agent)]
    agent: Obscuro,
    /// How long to think at earlier turns, if --movetime is given
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "100ms")]
    history_movetime: Duration,
    /// Threads; with 1 growing and solving take turns [default: all cores, at least 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Random numbers
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Also measure how far the last iterate is from an equilibrium of the tree
    #[arg(long)]
    gap: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GameName {
    Fog,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document {
    #[serde(rename = "move")]
    chosen: String,
    value: f64,
    strategy: Vec<Entry>,
    belief: Size,
    squares: BTreeMap<String, BTreeMap<char, [f64; 2]>>,
    tree: TreeSize,
    pmax: f64,
    gap: Option<f64>,
}

#[derive(Serialize)]
struct Entry {
    #[serde(rename = "move")]
    action: String,
    probability: f64,
    played: f64,
    value: f64,
    stable: bool,
    /// How play may go on.
    line: Vec<String>,
}

#[derive(Serialize)]
struct Size {
    size: usize,
    exact: bool,
}

#[derive(Serialize)]
struct TreeSize {
    nodes: usize,
    infosets: usize,
    depth: usize,
    iterations: u64,
    expansions: u64,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let GameName::Fog = arguments.game;
    let side = arguments.side.color();
    let umpire = replay(arguments)?;
    if umpire.outcome().is_some() {
        bail!("the game is over after these moves");
    }
    if umpire.state().board().side() != side {
        bail!("it is not the turn of --side after these moves");
    }
    let interrupt = Interrupt::watch()?;
    let (player, thought) = think(arguments, side, umpire.actions(), &interrupt)?;
    let document = document(arguments, &player, &thought);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        print(&document, out)?;
    }
    Ok(if interrupt.asked() { Answer::Interrupted } else { Answer::Yes })
}

fn replay(arguments: &Arguments) -> anyhow::Result<Umpire<FogOfWar>> {
    let mut umpire = Umpire::new(FogOfWar { start: arguments.fen });
    for (ply, word) in arguments.moves.split_whitespace().enumerate() {
        let m: Move = word.parse().with_context(|| format!("--moves, ply {}", ply + 1))?;
        let side = umpire.state().board().side();
        umpire.play(side, m).with_context(|| format!("--moves, ply {}", ply + 1))?;
    }
    Ok(umpire)
}

/// Lets the player think at all her turns, the last time in full.
fn think(
    arguments: &Arguments,
    side: Color,
    moves: &[Move],
    interrupt: &Interrupt,
) -> anyhow::Result<(FogPlayer, Thought<Move>)> {
    let mut name = arguments.agent.clone();
    name.settings.seed = arguments.seed.unwrap_or(name.settings.seed);
    let threads = arguments.threads.map(usize::from);
    let mut player = FogPlayer::new(arguments.fen, side, &name, threads)?;
    player.stop_by(interrupt.0.clone());
    let mut umpire = Umpire::new(FogOfWar { start: arguments.fen });
    let full = match (arguments.nodes, arguments.movetime) {
        (Some(nodes), _) => Budget::Nodes(nodes as usize),
        (None, time) => Budget::Time(time.unwrap_or_default()),
    };
    let lost =
        || anyhow!("no position fits what {} saw", if side == Color::White { "White" } else { "Black" });
    for &m in moves {
        let mover = umpire.state().board().side();
        if mover == side {
            let budget =
                if arguments.nodes.is_some() { full } else { Budget::Time(arguments.history_movetime) };
            player.think(budget).ok_or_else(lost)?;
        }
        umpire.play(mover, m)?;
        let seen = player.see((mover == side).then_some(m), &umpire.view(side)).map_err(|_| lost())?;
        if seen == Seen::Rebuilt {
            complain("scuro: nothing that was believed fitted a view; the belief was made anew from it");
        }
    }
    let thought = player.think(full).ok_or_else(lost)?;
    Ok((player, thought))
}

fn document(arguments: &Arguments, player: &FogPlayer, thought: &Thought<Move>) -> Document {
    let best = thought.candidates.iter().rev().max_by(|a, b| a.played.total_cmp(&b.played));
    let entry = |candidate: &Candidate<Move>| Entry {
        action: candidate.action.to_string(),
        probability: candidate.probability,
        played: candidate.played,
        value: candidate.value,
        stable: candidate.stable,
        line: candidate.line.iter().map(Move::to_string).collect(),
    };
    Document {
        chosen: best.map(|best| best.action.to_string()).unwrap_or_default(),
        value: thought.value,
        strategy: thought.candidates.iter().map(entry).collect(),
        belief: Size { size: player.belief().positions().len(), exact: !player.belief().is_sample() },
        squares: squares(player, !arguments.side.color()),
        tree: TreeSize {
            nodes: thought.nodes,
            infosets: thought.infosets,
            depth: thought.depth,
            iterations: thought.iterations,
            expansions: thought.expansions,
        },
        pmax: thought.pmax,
        gap: player.tree().filter(|_| arguments.gap).map(|tree| tree.gap()),
    }
}

/// Where men of `color` may stand: under the belief, each position as likely as any other, and as they have played.
fn squares(player: &FogPlayer, color: Color) -> BTreeMap<String, BTreeMap<char, [f64; 2]>> {
    let mut squares: BTreeMap<String, BTreeMap<char, [f64; 2]>> = BTreeMap::new();
    let mut add = |board: &Board, share: f64, column: usize| {
        for square in board.colors(color) {
            let Some((_, piece)) = board.man_on(square) else { continue };
            let entry = squares.entry(Square::to_string(&square)).or_default();
            entry.entry(letter(piece, color)).or_default()[column] += share;
        }
    };
    let positions = player.belief().positions();
    positions.iter().for_each(|board| add(board, 1.0 / positions.len() as f64, 0));
    for (position, share) in player.tree().map(|tree| tree.positions()).unwrap_or_default() {
        add(&position.board, share, 1);
    }
    squares
}

fn print(document: &Document, out: &mut impl Write) -> anyhow::Result<()> {
    let Document { chosen, value, belief, tree, pmax, .. } = document;
    writeln!(out, "move {chosen}\nvalue {value:.3}")?;
    let exact = if belief.exact { "" } else { ", a sample" };
    writeln!(out, "belief {} positions{exact}", belief.size)?;
    let TreeSize { nodes, infosets, depth, iterations, expansions } = tree;
    writeln!(out, "tree {nodes} nodes, {infosets} infosets, depth {depth}")?;
    writeln!(out, "search {iterations} iterations, {expansions} expansions, pmax {pmax:.3}")?;
    if let Some(gap) = document.gap {
        writeln!(out, "gap {gap:.4}")?;
    }
    let mut strategy: Vec<&Entry> = document.strategy.iter().collect();
    strategy.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    writeln!(out, "move  solved played  value        line")?;
    for entry in strategy.into_iter().take_while(|entry| entry.probability > 0.0005).take(12) {
        let stable = if entry.stable { "stable" } else { "" };
        let Entry { action, probability, played, value, line, .. } = entry;
        let line = line[..line.len().min(8)].join(" ");
        writeln!(out, "{action:5} {probability:6.3} {played:6.3} {value:6.3} {stable:6} {line}")?;
    }
    Ok(())
}
