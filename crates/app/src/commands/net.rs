//! `scuro net`: how our network is made, and how good one is.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use scuro_eval::Network;
use scuro_eval::features::{BUCKETS, FEATURES};
use scuro_eval::quality::{self, Table};
use scuro_eval::training::model::{LANES, Model};
use scuro_eval::training::train::{self, Samples, Settings, Training};
use scuro_eval::training::{Watch, data, label};
use scuro_eval::uci::Uci;

use super::{Answer, Interrupt, eval, progress, save, writable};

#[derive(Args)]
#[command(after_help = "Every step has an example of its own.\n\nExample:\n  scuro net info")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Play games under fog rules and label some of their positions
    Data(Data),
    /// Label some quiet positions again by a deeper search
    Label(Label),
    /// Train a network on labelled positions
    Train(Train),
    /// Measure a network on labelled positions
    Test(Test),
    /// Tell what a network file is
    Info(Info),
}

#[derive(Args)]
#[command(
    after_help = "The folder gets files of 500 games each, written whole: run the command again and it makes those \
that are missing. The teacher looks one ply deep at every move of a labelled position; it and some of its children \
are kept. Ctrl-C ends with what there is; the exit code is 130.\n\nExample:\n  scuro net data net-data --games 100000"
)]
struct Data {
    /// The folder for the records
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// How many games, rounded up to whole files
    #[arg(long, value_name = "N", default_value = "100000", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// What makes these games different from others
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    #[command(flatten)]
    teacher: TeacherArguments,
}

#[derive(Args)]
#[command(after_help = "Quiet positions of every game are chosen. One file for \
each file of records; run the command again and it makes those that are missing. Ctrl-C ends with what there is; the \
exit code is 130.\n\nExample:\n  scuro net label net-data net-deep --depth 8 --per-game 3")]
struct Label {
    /// The folder with the records
    #[arg(value_name = "FROM")]
    from: PathBuf,
    /// The folder for those labelled again
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// How deep the teacher searches
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: u8,
    /// How many positions of a game, on average
    #[arg(long, value_name = "N", default_value = "3", value_parser = not_negative)]
    per_game: f64,
    /// How much more often level positions are chosen than others
    #[arg(long, value_name = "WEIGHT", default_value = "1", value_parser = not_negative)]
    level: f64,
    /// What makes this choice of positions different from others
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    #[command(flatten)]
    teacher: TeacherArguments,
}

#[derive(Args)]
#[command(
    after_help = "Learns from the quiet positions; every 64th game is kept to be measured on. Beside the network stands \
the state of the training, NET.training: the same command takes it up again after Ctrl-C (exit code 130), and --from \
learns on from it on other data. A line every 2 million positions: positions, mean error on them, on other games, on \
level positions of other games.\n\nExamples:\n  \
scuro net train net-data --out first.net --curve first.svg\n  \
scuro net train net-deep --from first.training --rate 3e-4 --positions 6000000 --out second.net"
)]
struct Train {
    /// Folders with records
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Where the network goes
    #[arg(long, value_name = "NET")]
    out: PathBuf,
    /// Learn on from the state of another training
    #[arg(long, value_name = "STATE")]
    from: Option<PathBuf>,
    /// Hidden units of one side, a multiple of 32 [default: 256]
    #[arg(long, value_name = "N", conflicts_with = "from")]
    hidden: Option<usize>,
    /// How many positions to learn from, over and over
    #[arg(long, value_name = "N", default_value = "100000000", value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Positions a step
    #[arg(long, value_name = "N", default_value = "4096", value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// The highest rate; it falls along a cosine
    #[arg(long, value_name = "RATE", default_value = "2e-3", value_parser = not_negative)]
    rate: f64,
    /// How much more level positions weigh than decided ones
    #[arg(long, value_name = "WEIGHT", default_value = "0", value_parser = not_negative)]
    level: f64,
    /// What makes this training different from others
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// How many threads share a batch [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Draw the errors to this file
    #[arg(long, value_name = "FILE.svg")]
    curve: Option<PathBuf>,
}

#[derive(Args)]
#[command(
    after_help = "Positions are JSON lines, plain or gzipped: fen, value (to the side to move), and where known \
children: [[move, cp, mate, value], ...] to the side that moves. Errors are mean distances to these values, at a glance \
(static) and once captures are played out (value). Positions in which the king can be taken count in their own line \
alone.\n\nExample:\n  scuro net test --net my.net positions.jsonl.gz"
)]
struct Test {
    /// Labelled positions
    #[arg(required = true, value_name = "POSITIONS")]
    files: Vec<PathBuf>,
    /// Who values: a network file, `simple` or `stockfish` [default: our network]
    #[arg(long, value_name = "FILE|simple|stockfish")]
    net: Option<String>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
#[command(after_help = "Example:\n  scuro net info my.net")]
struct Info {
    /// The network [default: the one in the program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

#[derive(Args)]
struct TeacherArguments {
    /// The chess engine that labels [default: stockfish]
    #[arg(long, value_name = "PROGRAM")]
    stockfish: Option<OsString>,
    /// How many of it work at once [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl TeacherArguments {
    fn program(&self) -> OsString {
        self.stockfish.clone().unwrap_or_else(Uci::stockfish_program)
    }

    fn threads(&self) -> usize {
        threads(self.threads)
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number.filter(|number| (0.0..=1e6).contains(number)).ok_or("not a number from 0 to 1,000,000".to_owned())
}

/// As many as asked for, else one a core.
fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    match &arguments.step {
        Step::Data(arguments) => make_data(arguments, out),
        Step::Label(arguments) => make_labels(arguments, out),
        Step::Train(arguments) => make_network(arguments, out),
        Step::Test(arguments) => test(arguments, out),
        Step::Info(arguments) => info(arguments, out),
    }
}

fn make_data(arguments: &Data, out: &mut impl Write) -> anyhow::Result<Answer> {
    let shards = arguments.games.div_ceil(data::GAMES);
    let wanted = data::Wanted {
        folder: arguments.folder.clone(),
        shards,
        seed: arguments.seed,
        threads: arguments.teacher.threads(),
        teacher: arguments.teacher.program(),
    };
    let interrupt = Interrupt::watch()?;
    let bar = progress("games", Some(shards * data::GAMES));
    let watch = Watch { stop: &|| interrupt.asked(), done: &|games| bar.inc(games) };
    let made = data::generate(&wanted, &watch);
    bar.finish_and_clear();
    made?;
    finished(&interrupt, out, &arguments.folder)
}

fn make_labels(arguments: &Label, out: &mut impl Write) -> anyhow::Result<Answer> {
    let wanted = label::Wanted {
        from: arguments.from.clone(),
        folder: arguments.folder.clone(),
        depth: arguments.depth,
        per_game: arguments.per_game,
        level: arguments.level,
        seed: arguments.seed,
        threads: arguments.teacher.threads(),
        teacher: arguments.teacher.program(),
    };
    let interrupt = Interrupt::watch()?;
    let bar = progress("files", None);
    let watch = Watch { stop: &|| interrupt.asked(), done: &|files| bar.inc(files) };
    let made = label::label(&wanted, &watch);
    bar.finish_and_clear();
    made?;
    finished(&interrupt, out, &arguments.folder)
}

/// Says what there is in a folder of records.
fn finished(interrupt: &Interrupt, out: &mut impl Write, folder: &Path) -> anyhow::Result<Answer> {
    writeln!(out, "{}", scuro_eval::training::records::count(folder)?)?;
    Ok(if interrupt.asked() { Answer::Interrupted } else { Answer::Yes })
}

/// How often a training is measured and kept, in positions.
const EVERY: u64 = 2_000_000;

fn make_network(arguments: &Train, out: &mut impl Write) -> anyhow::Result<Answer> {
    [Some(&arguments.out), arguments.curve.as_ref()]
        .into_iter()
        .flatten()
        .try_for_each(|file| writable(file))?;
    let from = arguments.from.as_deref().map(train::model_of).transpose()?;
    let hidden = from.as_ref().map_or(arguments.hidden.unwrap_or(256), Model::hidden);
    if hidden == 0 || !hidden.is_multiple_of(LANES) || hidden > 1024 {
        bail!("--hidden: expected a multiple of {LANES} up to 1024, found {hidden}");
    }
    let settings = Settings {
        hidden,
        positions: arguments.positions,
        batch: arguments.batch as usize,
        rate: arguments.rate,
        level: arguments.level as f32,
        seed: arguments.seed,
        threads: threads(arguments.threads),
    };
    let samples = Samples::load(&arguments.folders)?;
    let state = arguments.out.with_extension("training");
    let mut training = match fs::read(&state) {
        Ok(bytes) => {
            Training::resume(&bytes, &settings, &samples).with_context(|| state.display().to_string())?
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Training::new(&settings, from, &samples),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", state.display())),
    };
    writeln!(out, "{} positions, {} of other games", samples.training.len(), samples.validation.len())?;
    let interrupt = Interrupt::watch()?;
    let bar = progress("positions", Some(settings.steps() * settings.batch as u64));
    bar.set_position(training.positions());
    let watch = Watch { stop: &|| interrupt.asked(), done: &|positions| bar.inc(positions) };
    let every = EVERY.div_ceil(settings.batch as u64);
    training.run(&samples, every, &watch, |training| {
        if let Some(point) = training.curve.last() {
            let millions = point.positions as f64 / 1e6;
            writeln!(
                out,
                "{millions:8.1} M {:.5} {:.5} {:.5}",
                point.training, point.validation, point.level
            )?;
            out.flush()?;
        }
        training.save(&state).with_context(|| state.display().to_string())
    })?;
    bar.finish_and_clear();
    training.save(&state).with_context(|| state.display().to_string())?;
    let network = training.model.network(&description(arguments, &settings, samples.training.len()))?;
    save(&arguments.out, |out| out.write_all(&network.write()))?;
    if let Some(file) = &arguments.curve {
        let title = format!("Training of {}", arguments.out.display());
        save(file, |out| out.write_all(train::chart(&title, &training.curve).svg().as_bytes()))?;
    }
    Ok(if training.finished() { Answer::Yes } else { Answer::Interrupted })
}

/// What the network file says of how it was made.
fn description(arguments: &Train, settings: &Settings, samples: usize) -> String {
    let from = if arguments.from.is_some() { "learned on: " } else { "" };
    let Settings { hidden, positions, batch, rate, level, seed, .. } = settings;
    format!(
        "{from}2 x {hidden}, {positions} positions of {samples}, batch {batch}, rate {rate}, level {level}, seed {seed}"
    )
}

fn test(arguments: &Test, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut evaluator = eval::evaluator(arguments.net.as_deref())?;
    let mut positions = Vec::new();
    for file in &arguments.files {
        let opened = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
        positions.extend(quality::read(opened).with_context(|| file.display().to_string())?);
    }
    let interrupt = Interrupt::watch()?;
    let bar = progress("positions", Some(positions.len() as u64));
    let mut table = Table::default();
    for position in &positions {
        if interrupt.asked() {
            break;
        }
        table.add(&mut *evaluator, position)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    if arguments.json {
        writeln!(out, "{}", table.json())?;
    } else {
        write!(out, "{table}")?;
    }
    Ok(if interrupt.asked() { Answer::Interrupted } else { Answer::Yes })
}

fn info(arguments: &Info, out: &mut impl Write) -> anyhow::Result<Answer> {
    let network = match &arguments.file {
        Some(file) => {
            let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            Arc::new(Network::read(&bytes).with_context(|| file.display().to_string())?)
        }
        None => Network::embedded(),
    };
    for (name, value) in [
        ("inputs", format!("{FEATURES} a side")),
        ("hidden units", format!("{} a side", network.hidden())),
        ("output buckets", BUCKETS.to_string()),
        ("scale", format!("value = tanh({:.4} z)", network.scale())),
        ("bytes", network.write().len().to_string()),
        ("hash", format!("{:016x}", network.hash())),
        ("made", network.description().to_owned()),
    ] {
        writeln!(out, "{name:<16}{value}")?;
    }
    Ok(Answer::Yes)
}
