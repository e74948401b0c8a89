//! `scuro bench`: the signature of the player's decisions, and how fast they are made.

use std::io::Write;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use scuro_agents::bench::{self, Decision, Measured, MiddleGame};
use scuro_eval::simd::Simd;
use scuro_games::chess::{Color, color_name};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Answer, progress};

#[derive(Args)]
#[command(
    after_help = "The player makes some decisions of Fog of War: seeds, histories and nodes are fixed, and there is one \
thread. The signature is a hash over all that she decided: moves, probabilities, values, the sizes of tree and belief. \
It is the same in every run and on every machine, also without AVX2 (SCURO_SIMD=portable in the environment switches \
that off); a change that should not change play must not change it.\n\nSpeeds are of one thread and of the moment; \
compare them only within one run of a machine.\n\nExamples:\n  \
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
    signature: String,
    /// How the network's sums are made here.
    simd: &'static str,
    /// New nodes a decision.
    nodes: usize,
    positions: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<Map<String, Value>>,
}

/// A decision.
#[derive(Serialize)]
struct Entry {
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
    fn of(decision: &Decision) -> Entry {
        let moves: Vec<String> = decision.moves.iter().map(ToString::to_string).collect();
        Entry {
            name: decision.name,
            fen: decision.start,
            moves: moves.join(" "),
            side: if decision.color == Color::White { "white" } else { "black" },
            chosen: decision.chosen.to_string(),
            value: decision.thought.value,
            nodes: decision.thought.nodes,
            belief: decision.belief,
        }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let bar = progress("decisions", None);
    let mut decisions = Vec::new();
    let signature = bench::decide(|decision| {
        bar.inc(1);
        decisions.push(decision);
    });
    bar.finish_and_clear();
    let signature = signature.context("the player has no answer")?;
    let measured =
        arguments.speed.then(|| measure(arguments.size).context("the player has no tree")).transpose()?;
    if arguments.json {
        let speed = measured.map(|measured| {
            let entry =
                |(name, value, unit): Measured| (name.to_owned(), json!({ "value": value, "unit": unit }));
            measured.into_iter().map(entry).collect()
        });
        let (signature, simd) = (format!("{signature:016x}"), Simd::detect().name());
        let positions = decisions.iter().map(Entry::of).collect();
        let document = Document { signature, simd, nodes: bench::NODES, positions, speed };
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        print(&decisions, &measured.unwrap_or_default(), out)?;
        writeln!(out, "signature {signature:016x}")?;
    }
    Ok(Answer::Yes)
}

/// How fast this machine is now, on one thread; the tree has so many nodes.
fn measure(nodes: usize) -> Option<Vec<Measured>> {
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    let mut tree = MiddleGame::new()?;
    tree.grow(nodes);
    let mut measured = tree.measure(2000, 20, clock);
    measured.push(bench::believe(clock)?);
    Some(measured)
}

fn print(decisions: &[Decision], measured: &[Measured], out: &mut impl Write) -> anyhow::Result<()> {
    for decision in decisions {
        let Decision { name, moves, color, chosen, thought, belief, .. } = decision;
        let (ply, side) = (moves.len(), color_name(*color));
        let (value, nodes) = (thought.value, thought.nodes);
        writeln!(out, "{name}, ply {ply}, {side}: {chosen} {value:.4}, {nodes} nodes, belief {belief}")?;
    }
    for (name, value, unit) in measured {
        writeln!(out, "{name} {value:.1} {unit}")?;
    }
    Ok(())
}
