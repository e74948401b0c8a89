//! `scuro stats`: how recorded games went.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;

use clap::Args;
use scuro_arena::beliefs::on_all;
use scuro_arena::statistics::Results;
use scuro_arena::stats::{Average, Course, Stats, Together};
use scuro_games::Variant;
use serde_json::json;

use super::belief::{Records, cores};
use super::{Answer, progress};

/// Leads and tries are told after so many moves, and their multiples.
const STEP: usize = 10;
/// Of what was left at the end the most frequent are told.
const MOST: usize = 20;

/// How 11,911 games of people on the Internet Chess Club ended, in percent, as far as our games can end so (Favini 2010,
/// table 5.1).
const PEOPLE: [(&str, f64); 9] = [
    ("White won, checkmate", 19.56),
    ("Black won, checkmate", 19.39),
    ("White won, time forfeit", 11.38),
    ("Black won, time forfeit", 11.99),
    ("drawn, stalemate", 6.21),
    ("drawn, insufficient material", 4.57),
    ("drawn, agreement", 0.98),
    ("drawn, fifty-move rule", 0.32),
    ("drawn, threefold repetition", 0.18),
];
/// What was left then in won, mated and drawn games (tables 5.2 and 5.3).
const LEFT: [&str; 3] = [
    "KQ v K 347, KQQ v K 180, KQR v K 162, KR v K 138, KQRP v K 92",
    "KQ v K 184, KQQ v K 144, KQR v K 118, KR v K 54, KQRP v K 54",
    "K v K 273, KB v K 121, KQ v K 121, KN v K 103, KP v K 44",
];
/// And how many tries they had, and moves.
const ABOUT: &str =
    "people: about 40 tries in the middle game, 30 to 50 as a rule; 52 moves in mated games (deviation 20)";

#[derive(Args)]
#[command(
    after_help = "A line for every two players, as the first sees it: of two with one name that is White. A move is a turn of \
both sides. The lead is in points of material (1, 3, 3, 5, 9), the mean after all turns, then after so many moves over the \
games that go on so long. Then all games together: the choices at hand at the beginning of a turn (in RBC at its request), of \
both sides and of the one that won and the one that lost, how games ended, and what was left; in Kriegspiel beside what people \
did on the Internet Chess Club. --json has the lead after each turn.\n\nExamples:\n  \
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
    let courses = courses?;
    let (pairs, together) = (Stats::by_pair(&courses), Together::of(&courses));
    if arguments.records.json {
        writeln!(out, "{}", json!({ "game": game, "pairs": pairs, "together": together }))?;
    } else {
        pairs.iter().try_for_each(|stats| print(stats, out))?;
        print_together(&together, game == Variant::Kriegspiel, out)?;
    }
    Ok(Answer::Yes)
}

fn print_together(together: &Together, beside_people: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let Together { played, tries, tries_by_move, outcomes, endings } = together;
    writeln!(out, "all {played} games")?;
    writeln!(out, "  tries        {:.1} on average (deviation {:.1})", tries.mean, tries.deviation)?;
    for (moves, [won, lost, all]) in (1..).zip(tries_by_move).filter(|(moves, _)| moves % STEP == 0) {
        let word = |mean: &Option<f64>| mean.map_or("-".to_owned(), |mean| format!("{mean:.1}"));
        let [won, lost, all] = [won, lost, all].map(word);
        writeln!(out, "    at move {moves:<4} {all} (won {won}, lost {lost})")?;
    }
    if beside_people {
        writeln!(out, "  {ABOUT}")?;
    }
    writeln!(out, "  ended")?;
    let known = PEOPLE.iter().filter(|_| beside_people).map(|(outcome, _)| (*outcome).to_owned());
    let others =
        outcomes.keys().filter(|outcome| !PEOPLE.iter().any(|(known, _)| known == outcome) || !beside_people);
    for outcome in known.chain(others.cloned()) {
        let count = outcomes.get(&outcome).copied().unwrap_or_default();
        let share = 100.0 * count as f64 / (*played).max(1) as f64;
        let people = PEOPLE.iter().filter(|_| beside_people).find(|(known, _)| *known == outcome);
        let people = people.map_or(String::new(), |(_, share)| format!("   people {share:5.2} %"));
        writeln!(out, "    {outcome:<30} {count:>6} {share:6.2} %{people}")?;
    }
    let kinds = [("won", &endings.won), ("mated", &endings.mated), ("drawn", &endings.drawn)];
    for ((kind, counts), people) in kinds.into_iter().zip(LEFT) {
        writeln!(out, "  left, {kind:<6} {}", by_number(counts, MOST))?;
        if beside_people {
            writeln!(out, "       people {people}")?;
        }
    }
    Ok(())
}

/// The most frequent first.
fn by_number(counts: &BTreeMap<String, u64>, most: usize) -> String {
    let mut counts: Vec<(&String, &u64)> = counts.iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(**count));
    let words: Vec<String> =
        counts.iter().take(most).map(|(word, count)| format!("{word} {count}")).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
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
        writeln!(out, "  {color} first  {}", by_number(counts, usize::MAX))?;
    }
    Ok(())
}
