//! `scuro experiment`: the matches behind what is claimed, played again.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Context, anyhow};
use clap::Args;
use scuro_arena::contest::Match;
use scuro_arena::control::Control;
use scuro_arena::experiments::{EXPERIMENTS, Experiment};
use scuro_arena::packed;
use scuro_arena::runner::Ended;
use scuro_arena::settings::Settings;
use scuro_arena::summary::Summary;
use scuro_games::records::pgn::date;
use serde_json::{Value, json};

use super::matches::{play, print, tell_how_to_resume};
use super::{Answer, Interrupt, complain, save};
use crate::arguments::{duration, margin};
use crate::version;

#[derive(Args)]
#[command(
    after_help = "Without a name: the experiments, what the paper found, and what was recorded last. With one: the match \
is played in experiments/NAME, or goes on there. --for plays a piece of it, the same command later the next. --record keeps \
the result in docs/experiments/NAME.json and the games in docs/experiments/NAME; from these --from-record goes on in \
another place.\n\n\
Examples:\n  \
scuro experiment\n  \
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
    /// Where results are recorded [default: docs/experiments; where that is not, the list is of those known to this program]
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// Where results are recorded in a clone.
const RECORDS: &str = "docs/experiments";

/// What was recorded when this program was built, by name.
const RECORDED: &str = include_str!(concat!(env!("OUT_DIR"), "/recorded.json"));

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let Some(name) = &arguments.name else { return list(arguments, out) };
    let known = || EXPERIMENTS.map(|experiment| experiment.name).join(", ");
    let experiment = Experiment::named(name)
        .ok_or_else(|| anyhow!("unknown experiment '{name}': known are {}", known()))?;
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("experiments").join(name));
    let records = arguments.records.as_deref().unwrap_or(Path::new(RECORDS));
    if arguments.from_record {
        packed::unpack(&records.join(name), &folder)?;
    }
    let contest = Match::open(settings(experiment, arguments), Some(&folder), true)?;
    let interrupt = Interrupt::watch()?;
    let over = arguments.piece.map(|piece| stop_after(piece, &interrupt));
    let (summary, ended) = play(contest, usize::from(arguments.concurrency), &interrupt)?;
    if arguments.record && summary.played == 0 {
        complain("scuro: no game has ended: nothing is recorded");
    } else if arguments.record {
        record(experiment, &summary, records)?;
        packed::pack(&folder, &records.join(name))?;
    }
    let interrupted = ended == Ended::Stopped && !over.is_some_and(|over| over.load(Ordering::Relaxed));
    if interrupted {
        tell_how_to_resume(None);
    }
    print(&summary, arguments.json, out)?;
    Ok(if interrupted { Answer::Interrupted } else { Answer::Yes })
}

/// Stops after so long; tells then that it was not somebody else.
fn stop_after(piece: Duration, interrupt: &Interrupt) -> Arc<AtomicBool> {
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

fn place(experiment: &Experiment, records: &Path) -> PathBuf {
    records.join(format!("{}.json", experiment.name))
}

fn record(experiment: &Experiment, summary: &Summary, records: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(records).with_context(|| records.display().to_string())?;
    let mut document = json!({ "experiment": experiment.name, "what": experiment.what, "paper": paper(experiment),
            "date": date(SystemTime::now()), "version": version::text() });
    if let (Value::Object(document), Value::Object(summary)) = (&mut document, serde_json::to_value(summary)?)
    {
        document.extend(summary);
    }
    save(&place(experiment, records), |file| {
        serde_json::to_writer_pretty(&mut *file, &document)?;
        writeln!(file)
    })
}

fn paper(experiment: &Experiment) -> Value {
    experiment.paper.map_or(Value::Null, |(score, games)| json!({ "score": score / 100.0, "games": games }))
}

/// What was last recorded of an experiment.
fn recorded(experiment: &Experiment, records: &Path) -> anyhow::Result<Option<Value>> {
    let path = place(experiment, records);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(serde_json::from_str(&text).with_context(|| path.display().to_string())?)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

/// All experiments with their last recorded results.
fn list(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let records = arguments.records.as_deref().unwrap_or(Path::new(RECORDS));
    let mut known: Value =
        serde_json::from_str(RECORDED).context("what this program knows of its experiments")?;
    let mut all = Vec::new();
    for experiment in &EXPERIMENTS {
        let elsewhere = arguments.records.is_none() && !records.exists();
        let recorded = if elsewhere {
            known.get_mut(experiment.name).map(Value::take)
        } else {
            recorded(experiment, records)?
        };
        all.push((experiment, recorded));
    }
    if arguments.json {
        let entry = |(experiment, recorded): &(&Experiment, Option<Value>)| {
            json!({
                "name": experiment.name, "what": experiment.what, "agents": experiment.agents,
                "games": experiment.games, "paper": paper(experiment), "recorded": recorded,
            })
        };
        let entries: Vec<Value> = all.iter().map(entry).collect();
        writeln!(out, "{}", json!({ "experiments": entries }))?;
        return Ok(Answer::Yes);
    }
    writeln!(out, "{:13} {:7} {:30} what", "name", "paper", "recorded")?;
    for (experiment, recorded) in &all {
        let paper = experiment.paper.map_or("-".to_owned(), |(score, _)| format!("{score:.1}%"));
        let recorded = recorded.as_ref().and_then(said).unwrap_or_else(|| "-".to_owned());
        writeln!(out, "{:13} {paper:7} {recorded:30} {}", experiment.name, experiment.what)?;
    }
    Ok(Answer::Yes)
}

/// As in `84.8% (81.0..88.0) of 400`; of equals what White scored.
fn said(recorded: &Value) -> Option<String> {
    let percent = |value: &Value| value.as_f64().map(|share| 100.0 * share);
    if recorded["experiment"] == "self" {
        return Some(format!("White {:.1}% of {}", percent(&recorded["white_score"])?, recorded["played"]));
    }
    let score = percent(&recorded["score"])?;
    let (low, high) = (percent(&recorded["interval"][0])?, percent(&recorded["interval"][1])?);
    Some(format!("{score:.1}% ({low:.1}..{high:.1}) of {}", recorded["played"]))
}
