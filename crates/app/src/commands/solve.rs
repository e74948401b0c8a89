//! `scuro solve`: plays a small game well, and tells how well.

use std::io::Write;
use std::path::{Path, PathBuf, absolute};
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::{Args, ValueEnum};
use scuro_games::picture::chart::{Axis, Chart};
use scuro_search::measure::{Bounds, Measure};
use scuro_search::solve::{self, Solver};
use scuro_search::strategy::Strategy;
use scuro_search::strategy_file;
use scuro_search::tree::Tree;
use serde::Serialize;

use super::toy::{self, QUICK_PROGRAM, Told, Written, row};
use super::{Answer, Interrupt, complain, places, progress, save, writable};

/// Iterations if nobody says how many.
const USUAL_ITERATIONS: u64 = 1_000;
/// Iterations after which --until gives up.
const MOST_ITERATIONS: u64 = 1_000_000;
/// How long the game's value is bounded at least, if that takes so long.
const SHORTEST_BUDGET: Duration = Duration::from_secs(5);

#[derive(Args)]
#[command(
    after_help = format!("{}\n\nExploitability is half the sum of both seats' losses; a seat's loss is the game's \
value less its worst case. The game's value is known as two bounds (in JSON game_value), which best responses certify: \
of a game with at most {QUICK_PROGRAM} nodes they are those of the linear program, or of more PCFR+ if that program \
takes longer than five seconds and than the iterations did; of a larger one those of the last and of the average iterate. \
Losses (in JSON seats) are counted from their middle: half their distance is the error of each. Seconds and node \
visits are those of the iterations alone.\n\n\
With --until exploitability is looked at ever more rarely; if {MOST_ITERATIONS} iterations do not reach it, the exit \
code is 1. Ctrl-C ends the iterations with what there is; the exit code is 130. With --method lp there is nothing to \
show before the end: Ctrl-C only ends it.\n\nExamples:\n  \
scuro solve kuhn --raw\n  \
scuro solve leduc --until 1e-4 --strategy leduc.json --plot leduc.svg\n  \
scuro solve goofspiel:4:random --method lp --json\n  \
scuro solve game.efg --method cfr+ --iterations 500 --iterate last", toy::games())
)]
pub(crate) struct Arguments {
    /// The game: a name, or a path to an .efg file
    #[arg(value_name = "GAME")]
    game: String,
    /// How to solve it
    #[arg(long, value_enum, default_value = "pcfr+")]
    method: Method,
    /// How many iterations [default: 1000]
    #[arg(long, value_name = "N", conflicts_with = "until")]
    #[arg(value_parser = whole_above_zero, allow_negative_numbers = true)]
    iterations: Option<u64>,
    /// Iterate until exploitability is at most this, in the payoffs shown
    #[arg(long, value_name = "EXPLOITABILITY", value_parser = above_zero, allow_negative_numbers = true)]
    until: Option<f64>,
    /// Which strategy to return [default: average]
    #[arg(long, value_enum)]
    iterate: Option<Iterate>,
    /// Whether the sides learn in turn or at once [default: alternating]
    #[arg(long, value_enum)]
    updates: Option<Updates>,
    /// Visit also what the other side never plays
    #[arg(long)]
    no_pruning: bool,
    /// Payoffs as the game usually counts them, not in [-1, 1]
    #[arg(long)]
    raw: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
    /// Also write the strategy to this file, as JSON: infoset, action, probability
    #[arg(long, value_name = "FILE")]
    strategy: Option<PathBuf>,
    /// Also draw exploitability over iterations to this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Predictive CFR+
    #[value(name = "pcfr+")]
    PredictiveCfrPlus,
    /// CFR+
    #[value(name = "cfr+")]
    CfrPlus,
    /// CFR
    Cfr,
    /// Discounted CFR
    #[value(name = "dcfr")]
    Discounted,
    /// The linear program: exact
    #[value(name = "lp")]
    Linear,
}

impl Method {
    /// As it is written on the command line.
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The method as the solver has it; none for the linear program.
    fn solver(self) -> Option<solve::Method> {
        match self {
            Method::PredictiveCfrPlus => Some(solve::Method::PredictiveCfrPlus),
            Method::CfrPlus => Some(solve::Method::CfrPlus),
            Method::Cfr => Some(solve::Method::Cfr),
            Method::Discounted => Some(solve::Method::Discounted),
            Method::Linear => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Iterate {
    Average,
    Last,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Updates {
    Alternating,
    Simultaneous,
}

fn above_zero(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number.filter(|number| *number > 0.0 && number.is_finite()).ok_or("not a number above 0".to_owned())
}

fn whole_above_zero(text: &str) -> Result<u64, String> {
    let number: Option<u64> = text.parse().ok();
    number.filter(|number| *number > 0).ok_or("not a whole number above 0".to_owned())
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document {
    game: String,
    method: String,
    value: f64,
    exploitability: f64,
    seats: [f64; 2],
    iterations: u64,
    seconds: f64,
    visits_per_second: f64,
    nodes: usize,
    infosets: usize,
    bytes_per_node: f64,
    /// Between what the game's value certainly lies.
    game_value: [f64; 2],
}

/// What a method has come to.
struct Solved {
    strategy: Strategy,
    measure: Measure,
    bounds: Bounds,
    iterations: u64,
    time: Duration,
    visits: u64,
    /// Exploitability after so many iterations, where it was looked at.
    curve: Vec<(u64, f64)>,
    /// Memory of the tree and of the solver's tables.
    bytes: usize,
    answer: Answer,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    check_flags(arguments)?;
    check_files(arguments)?;
    let game = toy::written(
        &toy::find(&arguments.game)?,
        &arguments.game,
        arguments.raw,
        arguments.strategy.is_some(),
    )?;
    let interrupt = Interrupt::watch()?;
    let solved = match arguments.method.solver() {
        Some(method) => Run::new(&game, arguments, method, interrupt).finish()?,
        None => match linear(&game, &interrupt)? {
            Some(solved) => solved,
            None => {
                complain("scuro: interrupted: the linear program has nothing to show");
                return Ok(Answer::Interrupted);
            }
        },
    };
    if let Some(file) = &arguments.plot {
        save(file, |out| out.write_all(plot(&game.name, arguments, &solved.curve).as_bytes()))?;
    }
    if let Some(file) = &arguments.strategy {
        save_strategy(&game, &solved.strategy, file)?;
    }
    report(&game, arguments, &solved, out)?;
    if let (Answer::No, Some(until)) = (solved.answer, arguments.until) {
        out.flush()?;
        complain(&format!("scuro: exploitability {until} was not reached in {MOST_ITERATIONS} iterations"));
    }
    Ok(solved.answer)
}

/// Refuses flags that say nothing about the linear program.
fn check_flags(arguments: &Arguments) -> anyhow::Result<()> {
    let idle = [
        ("--iterations", arguments.iterations.is_some()),
        ("--until", arguments.until.is_some()),
        ("--iterate", arguments.iterate.is_some()),
        ("--updates", arguments.updates.is_some()),
        ("--no-pruning", arguments.no_pruning),
        ("--plot", arguments.plot.is_some()),
    ];
    match idle.iter().find(|(_, given)| *given && arguments.method == Method::Linear) {
        Some((flag, _)) => bail!("{flag} says nothing with --method lp, which does not iterate"),
        None => Ok(()),
    }
}

/// Refuses files that cannot be written, or not both.
fn check_files(arguments: &Arguments) -> anyhow::Result<()> {
    let files = [("--strategy", &arguments.strategy), ("--plot", &arguments.plot)];
    for (flag, file) in files.into_iter().filter_map(|(flag, file)| file.as_ref().map(|file| (flag, file))) {
        if file == Path::new("-") {
            bail!("{flag} writes to a file, not to standard output");
        }
        if flag == "--plot" && file.extension().is_none_or(|extension| extension != "svg") {
            bail!("--plot draws SVG: '{}' does not end in .svg", file.display());
        }
        writable(file)?;
    }
    match (&arguments.strategy, &arguments.plot) {
        (Some(strategy), Some(plot)) if absolute(places(strategy)?.0)? == absolute(places(plot)?.0)? => {
            bail!("--strategy and --plot are the same file");
        }
        _ => Ok(()),
    }
}

/// The solution of the linear program, unless somebody interrupts.
fn linear(game: &Written, interrupt: &Interrupt) -> anyhow::Result<Option<Solved>> {
    let start = Instant::now();
    let Some(solved) = toy::equilibrium(game, interrupt)? else { return Ok(None) };
    let strategy = solved.strategy;
    let time = start.elapsed();
    let measure = Measure::of(&game.tree, &strategy);
    let bounds = Bounds::of(&measure);
    let bytes = game.tree.bytes();
    Ok(Some(Solved {
        strategy,
        measure,
        bounds,
        iterations: 0,
        time,
        visits: 0,
        curve: Vec::new(),
        bytes,
        answer: Answer::Yes,
    }))
}

/// A solver at work.
struct Run<'a> {
    game: &'a Written,
    arguments: &'a Arguments,
    solver: Solver<&'a Tree>,
    interrupt: Interrupt,
    time: Duration,
    /// Exploitability after so many iterations, where it was looked at.
    curve: Vec<(u64, f64)>,
}

impl<'a> Run<'a> {
    fn new(
        game: &'a Written,
        arguments: &'a Arguments,
        method: solve::Method,
        interrupt: Interrupt,
    ) -> Run<'a> {
        let updates = match arguments.updates {
            None | Some(Updates::Alternating) => solve::Updates::Alternating,
            Some(Updates::Simultaneous) => solve::Updates::Simultaneous,
        };
        let mut solver = Solver::new(&*game.tree, method, updates);
        solver.pruning = !arguments.no_pruning;
        let (time, curve) = (Duration::ZERO, Vec::new());
        Run { game, arguments, solver, interrupt, time, curve }
    }

    fn strategy(&self) -> Strategy {
        match self.arguments.iterate {
            None | Some(Iterate::Average) => self.solver.average(),
            Some(Iterate::Last) => self.solver.last().clone(),
        }
    }

    fn finish(mut self) -> anyhow::Result<Solved> {
        let answer = self.iterate();
        let strategy = self.strategy();
        let tree = &self.game.tree;
        let measure = Measure::of(tree, &strategy);
        let other = match self.arguments.iterate {
            Some(Iterate::Last) => Measure::of(tree, &self.solver.average()),
            _ => Measure::of(tree, self.solver.last()),
        };
        let mut bounds = Bounds::of(&measure).and(Bounds::of(&other));
        if tree.nodes() <= QUICK_PROGRAM {
            toy::narrow(tree, &mut bounds, &self.interrupt, self.time.max(SHORTEST_BUDGET))?;
        }
        let iterations = self.solver.iterations();
        if self.curve.last().is_none_or(|&(last, _)| last < iterations) {
            self.curve.push((iterations, measure.exploitability() * self.game.scale.scale));
        }
        Ok(Solved {
            strategy,
            measure,
            bounds,
            iterations,
            time: self.time,
            visits: self.solver.visits(),
            curve: self.curve,
            bytes: tree.bytes() + self.solver.bytes(),
            answer: if self.interrupt.asked() { Answer::Interrupted } else { answer },
        })
    }

    /// Iterates to the end, or until somebody interrupts.
    fn iterate(&mut self) -> Answer {
        let until = self.arguments.until;
        let goal = match (until, self.arguments.iterations) {
            (Some(_), _) => MOST_ITERATIONS,
            (None, iterations) => iterations.unwrap_or(USUAL_ITERATIONS),
        };
        let bar = progress("iterations", until.is_none().then_some(goal));
        // As many iterations at a stretch as take some milliseconds: a clock and a bar cost time too.
        let stretch = (1_000_000 / self.game.tree.nodes() as u64).max(1);
        let mut look = if until.is_some() || self.arguments.plot.is_some() { 1 } else { goal + 1 };
        let mut reached = until.is_none();
        while self.before(goal) {
            self.advance(goal.min(look).min(self.solver.iterations() + stretch));
            let iterations = self.solver.iterations();
            bar.set_position(iterations);
            if iterations == look {
                // One look costs about an iteration.
                look = iterations + 1 + iterations / 8;
                let exploitability = self.exploitability();
                if until.is_some_and(|until| exploitability <= until) {
                    reached = true;
                    break;
                }
            }
        }
        bar.finish_and_clear();
        if reached { Answer::Yes } else { Answer::No }
    }

    /// Whether there is more to do before so many iterations; the first one is done in any case, so that there is
    /// something to show.
    fn before(&self, end: u64) -> bool {
        let done = self.solver.iterations();
        done < end && (done == 0 || !self.interrupt.asked())
    }

    fn advance(&mut self, end: u64) {
        let start = Instant::now();
        while self.before(end) {
            self.solver.iterate();
        }
        self.time += start.elapsed();
    }

    /// Looks at exploitability, and remembers it.
    fn exploitability(&mut self) -> f64 {
        let exploitability = self.strategy().exploitability(&self.game.tree) * self.game.scale.scale;
        self.curve.push((self.solver.iterations(), exploitability));
        exploitability
    }
}

/// Exploitability over iterations, both in powers of ten.
fn plot(game: &str, arguments: &Arguments, curve: &[(u64, f64)]) -> String {
    // Nothing has no logarithm: it is drawn where rounding begins.
    let points: Vec<(f64, f64)> = curve.iter().map(|&(t, y)| (t as f64, y.max(1e-16))).collect();
    let iterate = if arguments.iterate == Some(Iterate::Last) { "last iterate" } else { "average" };
    let counted = if arguments.raw { "raw payoffs" } else { "payoffs in [-1, 1]" };
    Chart {
        title: format!("{game}: exploitability of {}", arguments.method.name()),
        across: Axis::decades("iterations", points.iter().map(|point| point.0)),
        up: Axis::decades(&format!("exploitability, {counted}"), points.iter().map(|point| point.1)),
        lines: vec![(iterate.to_owned(), points)],
        bound: None,
    }
    .svg()
}

fn save_strategy(game: &Written, strategy: &Strategy, file: &Path) -> anyhow::Result<()> {
    let Some(names) = &game.names else { bail!("the infosets have no names") };
    save(file, |out| strategy_file::write(&game.tree, names, strategy, out))
}

fn report(
    game: &Written,
    arguments: &Arguments,
    solved: &Solved,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let told = Told::of(&solved.measure, solved.bounds, game.scale);
    let seconds = solved.time.as_secs_f64();
    let document = Document {
        game: game.name.clone(),
        method: arguments.method.name(),
        value: told.value,
        exploitability: told.exploitability,
        seats: told.losses,
        iterations: solved.iterations,
        seconds,
        visits_per_second: if solved.visits > 0 { solved.visits as f64 / seconds.max(1e-9) } else { 0.0 },
        nodes: game.tree.nodes(),
        infosets: game.tree.infosets().len(),
        bytes_per_node: solved.bytes as f64 / game.tree.nodes() as f64,
        game_value: told.game_value,
    };
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
        return Ok(());
    }
    row(out, "game", &document.game)?;
    row(out, "method", &document.method)?;
    told.write(out)?;
    if solved.iterations > 0 {
        row(out, "iterations", &solved.iterations.to_string())?;
    }
    row(out, "time", &duration(solved.time))?;
    if solved.visits > 0 {
        let millions = document.visits_per_second / 1e6;
        row(out, "speed", &format!("{millions:.1} million node visits a second"))?;
    }
    row(out, "nodes", &format!("{}, {:.0} bytes each", document.nodes, document.bytes_per_node))?;
    row(out, "infosets", &document.infosets.to_string())?;
    Ok(())
}

/// As in `62ms` or `5s`.
fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        ..1e-3 => "<1ms".to_owned(),
        seconds if seconds < 1.0 => format!("{}ms", time.as_millis()),
        seconds => format!("{seconds:.0}s"),
    }
}
