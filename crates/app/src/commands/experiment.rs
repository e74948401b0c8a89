//! `scuro experiment`: the matches behind what is claimed, played again.

mod records;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use scuro_arena::contest::Match;
use scuro_arena::control::Control;
use scuro_arena::experiments::{EXPERIMENTS, Experiment, Scored};
use scuro_arena::packed;
use scuro_arena::report::{self, Row};
use scuro_arena::runner::Ended;
use scuro_arena::settings::Settings;
use serde_json::{Value, json};

use super::matches::{play, print, tell_how_to_resume};
use super::{Answer, Interrupt, complain};
use crate::arguments::{duration, margin};
use records::{Entry, Records};

#[derive(Args)]
#[command(
    after_help = "Without a name: the experiments, what the paper found, and what was recorded. With one: the match \
is played in experiments/NAME, or goes on there. --for plays a piece of it, the same command later the next. --record keeps \
the result in results/matches/NAME.json and the games in results/matches/NAME; from these --from-record goes on in \
another place. --report prints what was recorded as the tables of docs/results.md. Pieces that were played before with \
other random numbers (results/matches/earlier) count in the list and in the report.\n\n\
Examples:\n  \
scuro experiment\n  \
scuro experiment --report\n  \
scuro experiment purify --for 55m\n  \
scuro experiment purify --record\n  \
scuro experiment purify --from-record --for 55m --record"
)]
pub(crate) struct Arguments {
    /// Which
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// The folder of its games [default: experiments/NAME]
    #[arg(long, value_name = "DIR", requires = "name")]
    out: Option<PathBuf>,
    /// Stop after so long; the next time it goes on
    #[arg(long = "for", value_name = "TIME", allow_hyphen_values = true, value_parser = duration, requires = "name")]
    piece: Option<Duration>,
    /// Play so many games
    #[arg(long, value_name = "N", allow_negative_numbers = true, requires = "name", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: Option<u64>,
    /// Time for every move of both
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = duration, requires = "name")]
    movetime: Option<Duration>,
    /// Nodes for every move of both
    #[arg(long, value_name = "N", allow_negative_numbers = true, requires = "name", conflicts_with = "movetime", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: Option<u64>,
    /// A move is late only so long past its time
    #[arg(long, value_name = "TIME", default_value = "200ms", allow_hyphen_values = true, value_parser = margin)]
    margin: Duration,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Write the result and the games to the recorded ones
    #[arg(long, requires = "name")]
    record: bool,
    /// Begin with the recorded games, if there are none yet, and play what is missing
    #[arg(long, requires = "name")]
    from_record: bool,
    /// Print the recorded results as Markdown tables, beside those of the papers
    #[arg(long, conflicts_with = "name")]
    report: bool,
    /// Where results are recorded [default: results/matches; if it does not exist, list and report show the results built in]
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let Some(name) = &arguments.name else { return show(arguments, out) };
    let known = || EXPERIMENTS.map(|experiment| experiment.name).join(", ");
    let experiment = Experiment::named(name)
        .ok_or_else(|| anyhow!("unknown experiment '{name}': known are {}", known()))?;
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("experiments").join(name));
    let recorded = arguments.records.as_deref().unwrap_or(Path::new(records::FOLDER));
    if arguments.from_record {
        packed::unpack(&recorded.join(name), &folder)?;
    }
    let contest = Match::open(settings(experiment, arguments), Some(&folder), true)?;
    let interrupt = Interrupt::watch()?;
    let over = arguments.piece.map(|piece| stop_after(piece, &interrupt));
    let (summary, ended) = play(contest, usize::from(arguments.concurrency), &interrupt)?;
    if arguments.record && summary.played == 0 {
        complain("scuro: no game has ended: nothing is recorded");
    } else if arguments.record {
        records::record(experiment, &summary, recorded)?;
        packed::pack(&folder, &recorded.join(name))?;
    }
    let interrupted = ended == Ended::Stopped && !over.is_some_and(|over| over.load(Ordering::Relaxed));
    if interrupted {
        tell_how_to_resume(None);
    }
    print(&summary, arguments.json, out)?;
    Ok(if interrupted { Answer::Interrupted } else { Answer::Yes })
}

/// Stops after so long; tells then that it was not somebody else.
pub(super) fn stop_after(piece: Duration, interrupt: &Interrupt) -> Arc<AtomicBool> {
    let over = Arc::new(AtomicBool::new(false));
    let (ends, stop) = (Arc::clone(&over), Arc::clone(&interrupt.0));
    thread::spawn(move || {
        thread::sleep(piece);
        ends.store(true, Ordering::Relaxed);
        stop.store(true, Ordering::Relaxed);
    });
    over
}

fn settings(experiment: &Experiment, arguments: &Arguments) -> Settings {
    let mut settings = experiment.settings();
    settings.games = arguments.games.unwrap_or(settings.games);
    settings.margin = arguments.margin;
    let nodes = arguments.nodes.map(|nodes| Control::Nodes(nodes as usize));
    if let Some(control) = nodes.or(arguments.movetime.map(Control::Movetime)) {
        (settings.control, settings.second) = (control, None);
    }
    settings
}

/// Shows what was recorded: the list, or the report.
fn show(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let entries = Records::find(arguments.records.as_deref())?.entries()?;
    match (arguments.report, arguments.json) {
        (true, true) => {
            let rows: Vec<report::Entry> = entries.iter().map(|entry| entry.row.entry()).collect();
            writeln!(out, "{}", json!({ "rows": rows }))?;
        }
        (true, false) => {
            let rows: Vec<Row> = entries.into_iter().map(|entry| entry.row).collect();
            write!(out, "{}", report::markdown(&rows))?;
        }
        (false, true) => {
            let experiments: Vec<Value> = entries.iter().map(listed).collect();
            writeln!(out, "{}", json!({ "experiments": experiments }))?;
        }
        (false, false) => list(&entries, out)?,
    }
    Ok(Answer::Yes)
}

/// An experiment of the list, in JSON.
fn listed(entry: &Entry) -> Value {
    let experiment = entry.row.experiment;
    json!({
        "name": experiment.name, "what": experiment.what, "agents": experiment.agents, "games": experiment.games,
        "paper": records::paper(experiment), "recorded": entry.recorded, "earlier": entry.earlier,
    })
}

fn list(entries: &[Entry], out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{:13} {:7} {:30} what", "name", "paper", "recorded")?;
    for Entry { row, .. } in entries {
        let experiment = row.experiment;
        let paper = experiment.paper.map_or("-".to_owned(), |(score, _)| format!("{score:.1}%"));
        writeln!(out, "{:13} {paper:7} {:30} {}", experiment.name, said(row), experiment.what)?;
    }
    Ok(())
}

/// As in `84.8% (81.0..88.0) of 400`; of equals what White scored.
fn said(row: &Row) -> String {
    if row.is_empty() {
        return "-".to_owned();
    }
    let (score, games) = (100.0 * row.results.score(), row.results.games());
    if row.experiment.scored == Scored::White {
        return format!("White {score:.1}% of {games}");
    }
    let [low, high] = row.results.interval().map(|share| 100.0 * share);
    format!("{score:.1}% ({low:.1}..{high:.1}) of {games}")
}
