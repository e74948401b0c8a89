//! `scuro belief`: what beliefs are worth, and how the opponent is supposed to play.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand};
use scuro_agents::opponent::fit::{Fitted, Nats, Sample};
use scuro_agents::opponent::table;
use scuro_arena::beliefs::{
    AtPly, BeliefError, Bound, Compared, Findings, Sizes, add_moves, compare, compare_by_ply, on_all, turns,
};
use scuro_games::Variant;
use scuro_games::picture::chart::{Axis, Chart};
use scuro_games::records::Record;
use serde::Serialize;

use super::convert::games;
use super::{Answer, Interrupt, progress, save, writable};
use crate::arguments::{duration, game};

#[derive(Args)]
#[command(
    after_help = "Records are folders of scuro match or scripts/rbc_rivals, games.jsonl, PGN (also gzipped) or histories of reconchess.\n\n\
Example:\n  scuro match obscuro obscuro:seed=2 --games 200 --movetime 50ms --out self\n  scuro belief test self"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find the numbers of the model of the opponent on recorded moves
    Fit(Fit),
    /// Measure how well uniform and weighted beliefs predict the true position
    Test(Test),
}

/// Recorded games of one kind, and how they are worked on.
#[derive(Args)]
pub(super) struct Records {
    /// Match folders, games.jsonl, PGN or histories of reconchess
    #[arg(required = true, value_name = "RECORDS")]
    records: Vec<PathBuf>,
    /// The game [default: that of the records]
    #[arg(long, value_name = "GAME", value_parser = game())]
    game: Option<Variant>,
    /// Games at a time [default: all cores, or 1 where beliefs are bound by time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// One JSON document
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(
    after_help = "There are two models: a softmax over what moves are worth, divided by the temperature and mixed with uniform \
play, and a table over what a move looks like, which large beliefs use. nats are the log-loss a move, on other games than those it was fitted on, of the one that is better there (model); temperature and mix are of the softmax. Passes count as moves, refused tries do not.\n\nExample:\n  \
scuro belief fit self --game fog --json"
)]
struct Fit {
    #[command(flatten)]
    records: Records,
    /// Measure on these records [default: on every fifth game, which is then not fitted on]
    #[arg(long, value_name = "RECORDS", num_args = 1..)]
    test: Vec<PathBuf>,
    /// Write the table of the quick model here
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

#[derive(Args)]
#[command(
    after_help = "A turn is a side's first choice of it; in RBC the request, and size_before is before the sense. truth is the mean \
probability of the true position, 0 where it is not in; nats is the \
log-loss of the true position and rank its median rank by weight, ties at the middle, both over the turns at which both \
beliefs hold the truth; lost is the share of turns at which it is not in. refilled counts turns at which positions were \
found again that follow from earlier turns, empty those at which that failed too and positions were invented. plies count \
moves made before the turn. A weighted belief keeps at most 200000 positions. With --movetime sizes depend on the machine. Ctrl-C prints what there is; the exit code is 130.\n\nExamples:\n  \
scuro belief test self --positions 100000\n  scuro belief test self --movetime 50ms --json"
)]
struct Test {
    #[command(flatten)]
    records: Records,
    /// Positions that a belief keeps [default: as usual in the game]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// Bound beliefs as a player does that thinks so long about each choice
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "positions")]
    movetime: Option<Duration>,
    /// Draw the probability of the truth by turn here, as SVG
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    match &arguments.command {
        Command::Fit(arguments) => fit(arguments, out),
        Command::Test(arguments) => test(arguments, out),
    }
}

impl Records {
    /// All games of the records, which are of one kind.
    pub(super) fn read(&self) -> anyhow::Result<(Variant, Vec<Source>)> {
        let mut game = self.game;
        let records = read(&self.records, &mut game)?;
        let game = game.context("there is no game in the records")?;
        Ok((game, records))
    }

    pub(super) fn threads(&self, usual: usize) -> usize {
        self.threads.map_or(usual, usize::from)
    }
}

pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A game, and where it is written.
pub(super) struct Source {
    pub(super) record: Record,
    pub(super) place: String,
}

impl Source {
    /// The error of this game, with its place.
    pub(super) fn wrong(&self, error: &BeliefError) -> anyhow::Error {
        anyhow!("{}: {error}", self.place)
    }
}

/// All games of these places. They must be of `game`, or of one game if that is not known yet.
pub(super) fn read(places: &[PathBuf], game: &mut Option<Variant>) -> anyhow::Result<Vec<Source>> {
    let mut records = Vec::new();
    let files: Vec<Vec<PathBuf>> =
        places.iter().map(|place| record_files(place)).collect::<Result<_, _>>()?;
    for file in files.into_iter().flatten() {
        for (number, written) in (1..).zip(games(&file)?) {
            let found = written.variant();
            let wanted = *game.get_or_insert(found);
            if found != wanted {
                bail!("{}: a game of {found}, not of {wanted}", file.display());
            }
            let place = format!("{}: game {number}", file.display());
            records.push(Source { record: written.record().with_context(|| place.clone())?, place });
        }
    }
    Ok(records)
}

/// The games of a match folder, the histories of a match in reconchess, or the file itself.
fn record_files(place: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !place.is_dir() {
        return Ok(vec![place.to_owned()]);
    }
    let entries = place.read_dir().with_context(|| place.display().to_string())?;
    let mut histories: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| is_history(path)).collect();
    if !histories.is_empty() {
        histories.sort();
        return Ok(histories);
    }
    let files = ["games.jsonl", "games.jsonl.gz"].map(|name| place.join(name));
    let found = files.into_iter().find(|file| file.exists());
    let found = found
        .with_context(|| format!("{}: no games.jsonl and no game_*.json in this folder", place.display()))?;
    Ok(vec![found])
}

/// Whether a file is called as `scripts/rbc_rivals` calls the history of a game.
fn is_history(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy());
    name.is_some_and(|name| name.starts_with("game_") && name.ends_with(".json"))
}

/// What `fit --json` prints.
#[derive(Serialize)]
struct FitDocument {
    game: Variant,
    moves: usize,
    temperature: f64,
    mix: f64,
    /// Of the model that foresees the moves better.
    nats: f64,
    model: &'static str,
    uniform_nats: f64,
    softmax_nats: f64,
    table_nats: f64,
}

fn fit(arguments: &Fit, out: &mut impl Write) -> anyhow::Result<Answer> {
    arguments.table.iter().try_for_each(|file| writable(file))?;
    let (game, mut fitted_on) = arguments.records.read()?;
    let measured_on = if arguments.test.is_empty() {
        let mut number = 0;
        fitted_on
            .extract_if(.., |_| {
                number += 1;
                number % 5 == 0
            })
            .collect()
    } else {
        read(&arguments.test, &mut Some(game))?
    };
    let threads = arguments.records.threads(cores());
    let bar = progress("games", Some((fitted_on.len() + measured_on.len()) as u64));
    let sample = |records: &[Source]| {
        let one = |source: &Source| {
            let mut sample = Sample::default();
            add_moves(&mut sample, &source.record).map_err(|error| source.wrong(&error))?;
            anyhow::Ok(sample)
        };
        let samples = on_all(records, threads, one, || bar.inc(1))?;
        anyhow::Ok(samples.into_iter().fold(Sample::default(), Sample::and))
    };
    let (fitted_on, measured_on) = (sample(&fitted_on)?, sample(&measured_on)?);
    bar.finish_and_clear();
    if fitted_on.is_empty() || measured_on.is_empty() {
        bail!("too few moves: {} to fit on, {} to measure on", fitted_on.len(), measured_on.len());
    }
    let bar = progress("fit", Some(100));
    let fitted = fitted_on.fit(|done| bar.set_position((100.0 * done) as u64));
    bar.finish_and_clear();
    if let Some(file) = &arguments.table {
        save(file, |out| out.write_all(table::write(&fitted.table).as_bytes()))?;
    }
    let Nats { softmax, table, uniform } = measured_on.nats(&fitted);
    let Fitted { habits, .. } = fitted;
    let document = FitDocument {
        game,
        moves: fitted_on.len(),
        temperature: habits.temperature,
        mix: habits.mix,
        nats: softmax.min(table),
        model: if softmax <= table { "softmax" } else { "table" },
        uniform_nats: uniform,
        softmax_nats: softmax,
        table_nats: table,
    };
    if arguments.records.json {
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        writeln!(out, "game        {game}\nmoves       {}", document.moves)?;
        writeln!(out, "temperature {:.4}\nmix         {:.3}", document.temperature, document.mix)?;
        let FitDocument { nats, model, .. } = document;
        writeln!(
            out,
            "nats a move {nats:.3} by the {model} (softmax {softmax:.3}, table {table:.3}, uniform {uniform:.3})"
        )?;
    }
    Ok(Answer::Yes)
}

/// What `test --json` prints.
#[derive(Serialize)]
struct TestDocument {
    game: Variant,
    #[serde(flatten)]
    compared: Compared,
    plies: Vec<AtPly>,
    /// Whether not all turns were looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

fn test(arguments: &Test, out: &mut impl Write) -> anyhow::Result<Answer> {
    arguments.chart.iter().try_for_each(|file| writable(file))?;
    let (game, records) = arguments.records.read()?;
    let bound = match (arguments.positions, arguments.movetime) {
        (Some(positions), _) => Bound::Positions(positions as usize),
        (None, Some(time)) => Bound::Time(time),
        (None, None) => Bound::Usual,
    };
    let threads = arguments.records.threads(if arguments.movetime.is_some() { 1 } else { cores() });
    let interrupt = Interrupt::watch()?;
    let bar = progress("games", Some(records.len() as u64));
    let one =
        |source: &Source| turns(&source.record, bound, &interrupt.0).map_err(|error| source.wrong(&error));
    let all = on_all(&records, threads, one, || bar.inc(1));
    bar.finish_and_clear();
    let all: Vec<_> = all?.into_iter().flatten().collect();
    let interrupted = interrupt.asked();
    let document = TestDocument { game, compared: compare(&all), plies: compare_by_ply(&all), interrupted };
    if interrupted {
        eprintln!("interrupted: these are the turns looked at so far");
    }
    if let Some(file) = arguments.chart.as_ref().filter(|_| !interrupted) {
        save(file, |out| out.write_all(chart(game, &document.plies).svg().as_bytes()))?;
    }
    if arguments.records.json {
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        print(&document, out)?;
    }
    Ok(if interrupted { Answer::Interrupted } else { Answer::Yes })
}

/// A turn of which there are fewer is not drawn: a few games say little.
const FEWEST: usize = 20;

/// The probability of the truth by the number of moves made before.
fn chart(game: Variant, plies: &[AtPly]) -> Chart {
    let plies: Vec<&AtPly> = plies.iter().filter(|at| at.turns >= FEWEST).collect();
    let line = |name: &str, of: fn(&AtPly) -> &Findings| {
        (name.to_owned(), plies.iter().map(|at| (at.ply as f64, of(at).truth)).collect())
    };
    let last = plies.last().map_or(1, |at| at.ply.max(1));
    let step = 10 * (1 + last / 100);
    Chart {
        title: format!("{game}: probability of the true position"),
        across: Axis {
            label: "moves made before (of both sides)".to_owned(),
            logarithmic: false,
            low: 0.0,
            high: last as f64,
            ticks: (0..=last).step_by(step).map(|ply| (ply as f64, ply.to_string())).collect(),
        },
        up: Axis {
            label: "mean probability".to_owned(),
            logarithmic: false,
            low: 0.0,
            high: 1.0,
            ticks: (0..=5).map(|fifth| 0.2 * f64::from(fifth)).map(|at| (at, format!("{at:.1}"))).collect(),
        },
        lines: vec![line("weighted", |at| &at.weighted), line("uniform", |at| &at.uniform)],
        bound: None,
    }
}

fn print(TestDocument { game, compared, .. }: &TestDocument, out: &mut impl Write) -> anyhow::Result<()> {
    let Compared { turns, both, uniform, weighted } = compared;
    writeln!(out, "{game}: {turns} turns, at {both} of them both beliefs hold the truth\n")?;
    let sizes = |Sizes { median, p90, p99 }: Sizes| format!("{median} / {p90} / {p99}");
    let number = |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{number:.3}"));
    writeln!(out, "{:24} {:>24} {:>24}", "", "uniform", "weighted")?;
    let mut line = |what: &str, text: &dyn Fn(&Findings) -> String| {
        writeln!(out, "{what:24} {:>24} {:>24}", text(uniform), text(weighted))
    };
    line("truth", &|found| format!("{:.3}", found.truth))?;
    line("nats", &|found| number(found.nats))?;
    line("rank of the truth", &|found| number(found.rank))?;
    line("lost", &|found| format!("{:.1}%", 100.0 * found.lost))?;
    line("empty", &|found| found.empty.to_string())?;
    line("refilled", &|found| found.refilled.to_string())?;
    line("size (50/90/99 %)", &|found| sizes(found.size))?;
    if uniform.size_before.is_some() {
        line("size before the sense", &|found| found.size_before.map_or(String::new(), sizes))?;
    }
    Ok(())
}
