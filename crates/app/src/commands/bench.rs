//! `scuro bench`: the signatures of the player's decisions, and how fast they are made.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use scuro_agents::bench::{self, Decision, Measured, Signatures};
use scuro_eval::simd::Simd;
use scuro_games::Variant;
use scuro_games::chess::{Color, color_name};
use serde::Serialize;

use super::{Answer, progress};

#[derive(Args)]
#[command(
    after_help = "The player makes some decisions in every game: seeds, histories and nodes are fixed, and there is \
one thread. The signature of a game is a hash over all that it decided there: moves, probabilities, values, the sizes \
of tree and belief; the last one is over those of the games. They are the same in every run and on every machine, also \
without AVX2 (SCURO_SIMD=portable in the environment switches that off); a change that should not change play must not \
change them.\n\nSpeeds are of one thread and of the moment; compare them only within one run of a machine. In JSON they \
are plain numbers: expansions, new_nodes, grower_nodes, solver_visits and belief_candidates a second, iteration in \
milliseconds, memory in bytes a node; weigh_20000_network and weigh_100000_table are milliseconds of two threads for a \
turn of the opponent. Kriegspiel has darkboard_5000, the median milliseconds of a choice of darkboard at 5,000 metapositions. \
RBC has two more, of its own players: matrix_values, the values of requests on boards a second, and \
notice_1000000, the milliseconds of two threads for a turn of the opponent that takes 100,000 boards to \
1,000,000.\n\nExamples:\n  \
scuro bench\n  \
scuro bench --speed --json"
)]
pub(crate) struct Arguments {
    /// Also measure how fast trees grow and are solved, how fast beliefs are filtered, and memory
    #[arg(long)]
    speed: bool,
    /// Nodes of the tree that is measured
    #[arg(long, value_name = "N", default_value_t = 1_000_000, hide = true)]
    size: usize,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document {
    /// Of all games together.
    signature: String,
    signatures: BTreeMap<&'static str, String>,
    /// How the network's sums are made here.
    simd: &'static str,
    /// New nodes a decision.
    nodes: usize,
    positions: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<BTreeMap<&'static str, BTreeMap<&'static str, f64>>>,
}

/// A decision.
#[derive(Serialize)]
struct Entry {
    game: Variant,
    name: &'static str,
    fen: &'static str,
    moves: String,
    side: &'static str,
    #[serde(rename = "move")]
    chosen: String,
    value: f64,
    nodes: usize,
    belief: usize,
}

impl Entry {
    fn of(decision: Decision) -> Entry {
        Entry {
            game: decision.game,
            name: decision.name,
            fen: decision.start,
            moves: decision.plies.join(" "),
            side: if decision.color == Color::White { "white" } else { "black" },
            chosen: decision.chosen,
            value: decision.value,
            nodes: decision.nodes,
            belief: decision.belief,
        }
    }
}

/// How fast each game is.
type Speeds = Vec<(Variant, Vec<Measured>)>;

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let bar = progress("decisions", None);
    let mut decisions = Vec::new();
    let signatures = bench::decide(|decision| {
        bar.inc(1);
        decisions.push(decision);
    });
    bar.finish_and_clear();
    let signatures = signatures.context("the player has no answer")?;
    let speeds = arguments.speed.then(|| measure(arguments.size)).transpose()?;
    if arguments.json {
        let document = document(&signatures, decisions, speeds);
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        print(&signatures, &decisions, &speeds.unwrap_or_default(), out)?;
    }
    Ok(Answer::Yes)
}

/// How fast this machine is now, on one thread; the trees have so many nodes.
fn measure(nodes: usize) -> anyhow::Result<Speeds> {
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    let measured = |game| {
        let measured = bench::measure(game, nodes, clock);
        Ok((game, measured.with_context(|| format!("the player of {game} has no tree"))?))
    };
    Variant::DARK.into_iter().map(measured).collect()
}

fn document(signatures: &Signatures, decisions: Vec<Decision>, speeds: Option<Speeds>) -> Document {
    let speed_of = |(game, measured): (Variant, Vec<Measured>)| {
        (game.word(), measured.into_iter().map(|(name, value, _)| (name, value)).collect())
    };
    let of_game = |(game, signature): &(Variant, u64)| (game.word(), hex(*signature));
    Document {
        signature: hex(signatures.total()),
        signatures: signatures.games.iter().map(of_game).collect(),
        simd: Simd::detect().name(),
        nodes: bench::NODES,
        positions: decisions.into_iter().map(Entry::of).collect(),
        speed: speeds.map(|speeds| speeds.into_iter().map(speed_of).collect()),
    }
}

fn hex(signature: u64) -> String {
    format!("{signature:016x}")
}

fn print(
    signatures: &Signatures,
    decisions: &[Decision],
    speeds: &Speeds,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    for Decision { game, name, plies, color, chosen, value, nodes, belief, .. } in decisions {
        let (game, ply, side) = (game.word(), plies.len(), color_name(*color));
        writeln!(
            out,
            "{game} {name}, ply {ply}, {side}: {chosen} {value:.4}, {nodes} nodes, belief {belief}"
        )?;
    }
    for (game, measured) in speeds {
        for (name, value, unit) in measured {
            writeln!(out, "{} {name} {value:.1} {unit}", game.word())?;
        }
    }
    for (game, signature) in &signatures.games {
        writeln!(out, "signature {} {}", game.word(), hex(*signature))?;
    }
    writeln!(out, "signature {}", hex(signatures.total()))?;
    Ok(())
}
