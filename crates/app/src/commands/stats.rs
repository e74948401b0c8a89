//! `scuro stats`: how recorded games went.

use std::io::Write;

use clap::Args;
use scuro_arena::beliefs::on_all;
use scuro_arena::statistics::Results;
use scuro_arena::stats::{Average, Course, Stats};
use serde_json::json;

use super::belief::{Records, cores};
use super::{Answer, progress};

/// Leads are told after so many moves, and their multiples.
const STEP: usize = 10;

#[derive(Args)]
#[command(
    after_help = "A line for every two players, as the first sees it: of two with one name that is White. A move is a turn of \
both sides. The lead is in points of material (1, 3, 3, 5, 9), the mean after all turns, then after so many moves over the \
games that go on so long. --json has the lead after each turn.\n\nExamples:\n  \
scuro stats results/beliefs/kriegspiel\n  scuro stats results/matches/recon-* --json"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    records: Records,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let (game, sources) = arguments.records.read()?;
    let bar = progress("games", Some(sources.len() as u64));
    let course =
        |source: &super::belief::Source| Course::of(&source.record).map_err(|error| source.wrong(&error));
    let courses = on_all(&sources, arguments.records.threads(cores()), course, || bar.inc(1));
    bar.finish_and_clear();
    let pairs = Stats::by_pair(&courses?);
    if arguments.records.json {
        writeln!(out, "{}", json!({ "game": game, "pairs": pairs }))?;
    } else {
        pairs.iter().try_for_each(|stats| print(stats, out))?;
    }
    Ok(Answer::Yes)
}

fn print(stats: &Stats, out: &mut impl Write) -> anyhow::Result<()> {
    let Stats { agents: [first, second], played, results, moves, lead, leads, first_moves } = stats;
    let Results { wins, draws, losses } = results;
    let Average { mean, deviation } = moves;
    writeln!(out, "{first} v {second}: {wins}-{draws}-{losses} of {played}")?;
    writeln!(out, "  moves        {mean:.1} on average (deviation {deviation:.1})")?;
    let after = (1..=leads.len() / 2).filter(|moves| moves % STEP == 0);
    let after: Vec<String> =
        after.map(|moves| format!("{:+.1} after {moves}", leads[2 * moves - 1])).collect();
    let after = if after.is_empty() { String::new() } else { format!("; {}", after.join(", ")) };
    writeln!(out, "  lead         {lead:+.1} on average{after}")?;
    for (color, counts) in ["White", "Black"].iter().zip(first_moves) {
        let mut counts: Vec<(&String, &u64)> = counts.iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let words: Vec<String> = counts.iter().map(|(word, count)| format!("{word} {count}")).collect();
        writeln!(out, "  {color} first  {}", words.join(", "))?;
    }
    Ok(())
}
