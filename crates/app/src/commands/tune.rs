//! `scuro tune`: weights that evolve by matches.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use clap::builder::PossibleValuesParser;
use scuro_arena::contest::Match;
use scuro_arena::runner::Ended;
use scuro_arena::settings::Shard;
use scuro_arena::statistics::Results;
use scuro_arena::tune::{Evolution, POPULATION, Pairing};
use serde::Serialize;

use super::matches::{play, tell_how_to_resume};
use super::{Answer, Interrupt};

#[derive(Args)]
#[command(
    after_help = format!("{POPULATION} sets of weights play a knockout in every generation. The winner has 8 children, itself among them, \
the finalist 4, and the two that they beat 2 each; in a child a fifth of the weights are changed. --out keeps the \
weights of every generation and every pairing as a match. The same command goes on where it was interrupted, also \
with more generations; with --shard several of them share a folder and wait for each other.\n\n\
Examples:\n  \
scuro tune darkboard --generations 5 --out evolution\n  \
scuro match darkboard:weights=evolution/generation-005/01.weights darkboard --game kriegspiel --nodes 500 --games 100")
)]
pub(crate) struct Arguments {
    /// The agent whose weights evolve
    #[arg(value_name = "AGENT", value_parser = PossibleValuesParser::new(["darkboard"]))]
    agent: String,
    /// How many generations
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=999))]
    generations: u32,
    /// Where weights and games are kept
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Games of a pairing
    #[arg(long, value_name = "N", default_value_t = 8, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    games: u64,
    /// Metapositions for every choice
    #[arg(long, value_name = "N", default_value_t = 500, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    nodes: u64,
    /// Random numbers
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Play only every N-th pairing of a round, from the I-th on; other programs with the same --out play the others
    #[arg(long, value_name = "I/N", allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document {
    agent: String,
    generations: Vec<Generation>,
}

/// A generation that has played.
#[derive(Serialize)]
struct Generation {
    generation: u32,
    /// The winner, the finalist and the two that they beat.
    ranking: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let evolution = Evolution {
        folder: arguments.out.clone(),
        games: arguments.games,
        nodes: arguments.nodes as usize,
        seed: arguments.seed,
        shard: arguments.shard,
    };
    let interrupt = Interrupt::watch()?;
    let mut document = Document { agent: arguments.agent.clone(), generations: Vec::new() };
    let mut parents = None;
    for generation in 1..=arguments.generations {
        evolution.begin(generation, parents.as_ref())?;
        parents = evolution.tournament(generation, |pairing| {
            results(pairing, usize::from(arguments.concurrency), &interrupt)
        })?;
        let Some(ranking) = parents else {
            tell_how_to_resume(None);
            break;
        };
        let ranking = ranking.map(|individual| evolution.weights_file(generation, individual)).to_vec();
        if !arguments.json {
            let names: Vec<String> = ranking.iter().map(|file| file.display().to_string()).collect();
            writeln!(out, "generation {generation:3}  {}", names.join("  "))?;
            out.flush()?;
        }
        document.generations.push(Generation { generation, ranking });
    }
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&document).context("cannot write JSON")?)?;
    }
    Ok(if parents.is_some() { Answer::Yes } else { Answer::Interrupted })
}

/// The results of a pairing: played here, or waited for.
fn results(pairing: &Pairing, concurrency: usize, interrupt: &Interrupt) -> anyhow::Result<Option<Results>> {
    if interrupt.asked() {
        return Ok(None);
    }
    if !pairing.is_here {
        return Ok(pairing.wait(&interrupt.0)?);
    }
    let contest = Match::open(pairing.settings.clone(), Some(&pairing.folder), true)?;
    let (summary, ended) = play(contest, concurrency, interrupt)?;
    Ok((ended == Ended::Done).then_some(summary.results))
}
