//! `scuro perft`: counts move sequences.

use std::io::Write;
use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};
use scuro_games::chess::{Board, MoveRules};
use scuro_games::perft::divide;

use super::{Answer, progress};
use crate::arguments::position;

#[derive(Args)]
#[command(after_help = "Under fog a captured king ends a line, so it counts at full depth only; draws end \
nothing.\n\nExample:\n  scuro perft --game fog --depth 4 --divide")]
pub(crate) struct Arguments {
    /// Whose moves: those of ordinary chess, or every move the pieces can make
    #[arg(long, value_enum)]
    game: Rules,
    /// How many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    /// The first position, as FEN
    #[arg(long, value_name = "FEN", default_value = "start", value_parser = position)]
    fen: Board,
    /// Also the count of each first move
    #[arg(long)]
    divide: bool,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "T")]
    threads: Option<NonZeroUsize>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Rules {
    Chess,
    Fog,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let rules = match arguments.game {
        Rules::Chess => MoveRules::Legal,
        Rules::Fog => MoveRules::PseudoLegal,
    };
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok());
    let bar = progress("first moves", Some(rules.moves(&arguments.fen).len() as u64));
    let mut counts =
        divide(&arguments.fen, rules, arguments.depth, threads.map_or(1, NonZeroUsize::get), |_| bar.inc(1));
    bar.finish_and_clear();
    if arguments.divide {
        counts.sort_by_key(|(m, _)| m.to_string());
        for (m, count) in &counts {
            writeln!(out, "{m}: {count}")?;
        }
    }
    let nodes = if arguments.depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
    writeln!(out, "nodes {nodes}")?;
    Ok(Answer::Yes)
}
