//! A small game as commands take it: found by its name or in a file, checked for size, written out; and how much is
//! said about a strategy of it.

use std::fs;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use scuro_core::game::Scale;
use scuro_core::{Game, STACK};
use scuro_games::toy::efg;
use scuro_games::toy::{FORMS, ToyError, ToyGame, Visit, parse};
use scuro_search::exact::{self, Equilibrium, LinearError};
use scuro_search::measure::{Bounds, Measure};
use scuro_search::names::Names;
use scuro_search::size::{BYTES_A_NODE, estimate, needed};
use scuro_search::solve::{Method, Solver, Updates};
use scuro_search::tree::{Tree, TreeError};

use super::{Interrupt, progress};

/// What a system that does not tell how much memory is free is taken to have.
const USUAL_MEMORY: f64 = 4e9;

/// The part of the help that tells how games are written.
pub(crate) fn games() -> String {
    format!("GAME is one of {}, or the path of a Gambit .efg file.", FORMS.join(", "))
}

/// A game written out.
pub(crate) struct Written {
    pub(crate) name: String,
    pub(crate) tree: Arc<Tree>,
    /// From payoffs in [-1, 1] to those that are shown.
    pub(crate) scale: Scale,
    /// Present if they were wanted.
    pub(crate) names: Option<Names>,
}

/// The game that is called `name`.
pub(crate) fn find(name: &str) -> anyhow::Result<ToyGame> {
    if name.ends_with(".efg") || name.contains(std::path::is_separator) {
        let text = fs::read_to_string(name).with_context(|| format!("cannot read {name}"))?;
        return Ok(ToyGame::Tree(efg::read(&text).with_context(|| name.to_owned())?));
    }
    parse(name).map_err(|error| match error {
        ToyError::Unknown(_) => anyhow!("{error}, or the path of an .efg file"),
        error => error.into(),
    })
}

/// A game written out. With `raw` its payoffs are shown as they usually are; with `named` the infosets and actions
/// get names.
pub(crate) fn written(game: &ToyGame, name: &str, raw: bool, named: bool) -> anyhow::Result<Written> {
    game.visit(Writer { name, raw, named })
}

struct Writer<'a> {
    name: &'a str,
    raw: bool,
    named: bool,
}

impl Visit for Writer<'_> {
    type Output = anyhow::Result<Written>;

    fn game<G: Game>(self, game: &G) -> anyhow::Result<Written> {
        let name = self.name.to_owned();
        let room = Room::of(game, &name)?;
        let tree = Tree::of_game(game, room.nodes() as usize, |_, _, _| ()).map_err(|error| match error {
            TreeError::TooLarge { limit } => {
                room.too_large(&name, "more than ", limit as f64, limit as f64 * BYTES_A_NODE)
            }
            error => anyhow!("{name}: {error}"),
        })?;
        let needed = needed(&tree) as f64;
        if needed > room.free {
            return Err(room.too_large(&name, "", tree.nodes() as f64, needed));
        }
        let names = self.named.then(|| Names::of(game, &tree)).transpose().with_context(|| name.clone())?;
        let scale = if self.raw { game.raw() } else { Scale::default() };
        Ok(Written { name, tree: Arc::new(tree), scale, names })
    }
}

/// The memory for a game.
pub(crate) struct Room {
    /// In bytes.
    free: f64,
}

impl Room {
    /// The memory that is free, if the game that is called `name` will probably fit.
    pub(crate) fn of<G: Game>(game: &G, name: &str) -> anyhow::Result<Room> {
        let room = Room { free: free_memory().unwrap_or(USUAL_MEMORY) };
        let nodes = estimate(game);
        if nodes > room.nodes() {
            return Err(room.too_large(name, "about ", nodes, nodes * BYTES_A_NODE));
        }
        Ok(room)
    }

    /// The most nodes that fit.
    fn nodes(&self) -> f64 {
        (self.free / BYTES_A_NODE).min(f64::from(u32::MAX))
    }

    fn too_large(&self, name: &str, words: &str, nodes: f64, needed: f64) -> anyhow::Error {
        let (needed, free) = (bytes(needed), bytes(self.free));
        anyhow!("{name} is too large: {words}{nodes:.2e} nodes, {needed}; {free} are free")
    }
}

/// How many bytes this process may still take: what the system has left, or its group, whichever is less.
fn free_memory() -> Option<f64> {
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<f64>().ok();
    let system = fs::read_to_string("/proc/meminfo").ok()?;
    let line = system.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let system = 1024.0 * line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()?;
    let group = number("/sys/fs/cgroup/memory.max").zip(number("/sys/fs/cgroup/memory.current"));
    Some(group.map_or(system, |(most, now)| system.min(most - now)))
}

/// As in `1.2 TB` or `3.4e6 TB`.
fn bytes(count: f64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let unit = ((count.max(1.0).log10() / 3.0) as usize).min(units.len() - 1);
    let number = count / 1000f64.powi(unit as i32);
    match number {
        ..10.0 => format!("{number:.1} {}", units[unit]),
        ..1000.0 => format!("{number:.0} {}", units[unit]),
        _ => format!("{number:.1e} {}", units[unit]),
    }
}

/// Up to this many nodes a linear program may be done within seconds.
pub(crate) const QUICK_PROGRAM: usize = 60_000;
/// And up to this many within minutes.
const LONGEST_PROGRAM: usize = 300_000;

/// The linear program of a game, at work on a thread of its own. It cannot be stopped: who does not want to wait for it
/// leaves it behind.
fn linear_program(tree: &Arc<Tree>) -> anyhow::Result<Receiver<Result<Equilibrium, LinearError>>> {
    let (sender, receiver) = channel();
    let tree = Arc::clone(tree);
    let work = move || drop(sender.send(exact::equilibrium(&tree)));
    thread::Builder::new().stack_size(STACK).spawn(work).context("cannot start a thread")?;
    Ok(receiver)
}

/// The equilibrium of the linear program, unless somebody interrupts.
pub(crate) fn equilibrium(game: &Written, interrupt: &Interrupt) -> anyhow::Result<Option<Equilibrium>> {
    let nodes = game.tree.nodes();
    if nodes > LONGEST_PROGRAM {
        bail!(
            "{} is too large for --method lp: {nodes} nodes, with more than {LONGEST_PROGRAM} that takes hours; use \
             --method pcfr+",
            game.name
        );
    }
    let program = linear_program(&game.tree)?;
    let spinner = progress("solving the linear program, nodes", None);
    spinner.set_position(nodes as u64);
    loop {
        match program.recv_timeout(Duration::from_millis(20)) {
            Ok(solved) => return Ok(Some(solved?)),
            Err(RecvTimeoutError::Timeout) if interrupt.asked() => return Ok(None),
            Err(RecvTimeoutError::Timeout) => spinner.tick(),
            Err(RecvTimeoutError::Disconnected) => bail!("the linear program failed"),
        }
    }
}

/// Narrows bounds on the game's value, for as long as `budget` at most: by the linear program if the game is small
/// enough for it, and by PCFR+ until that is done.
pub(crate) fn narrow(
    tree: &Arc<Tree>,
    bounds: &mut Bounds,
    interrupt: &Interrupt,
    budget: Duration,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut program = (tree.nodes() <= QUICK_PROGRAM).then(|| linear_program(tree)).transpose()?;
    let spinner = progress("bounding the game's value", None);
    let mut solver = Solver::new(&**tree, Method::PredictiveCfrPlus, Updates::Alternating);
    let mut and = |strategy: &_| *bounds = bounds.and(Bounds::of(&Measure::of(tree, strategy)));
    while start.elapsed() < budget && !interrupt.asked() {
        match program.as_ref().map(Receiver::try_recv) {
            Some(Ok(Ok(solved))) => {
                and(&solved.strategy);
                return Ok(());
            }
            Some(Ok(Err(_)) | Err(TryRecvError::Disconnected)) => program = None,
            Some(Err(TryRecvError::Empty)) | None => {}
        }
        solver.iterate();
        spinner.set_position(solver.iterations());
    }
    and(&solver.average());
    and(solver.last());
    Ok(())
}

/// What is said about a strategy, in the payoffs that are shown.
pub(crate) struct Told {
    pub(crate) value: f64,
    pub(crate) exploitability: f64,
    pub(crate) losses: [f64; 2],
    pub(crate) game_value: [f64; 2],
}

impl Told {
    pub(crate) fn of(measure: &Measure, bounds: Bounds, scale: Scale) -> Told {
        Told {
            // Adding zero makes a negative zero a plain one.
            value: scale.raw(measure.value) + 0.0,
            exploitability: measure.exploitability() * scale.scale,
            losses: measure.losses(bounds.middle()).map(|loss| loss * scale.scale),
            game_value: [bounds.low, bounds.high].map(|bound| scale.raw(bound) + 0.0),
        }
    }

    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let [one, two] = self.losses.map(number);
        let [low, high] = self.game_value;
        row(out, "value", &format!("{} to player one", number(self.value)))?;
        row(out, "exploitability", &number(self.exploitability))?;
        let unsure = (high - low) / 2.0;
        let sure = if unsure > 1e-6 { format!(" (each to {})", number(unsure)) } else { String::new() };
        row(out, "losses", &format!("{one} of player one, {two} of player two{sure}"))?;
        let [low, high] = [low, high].map(number);
        let value = if low == high { low } else { format!("from {low} to {high}") };
        row(out, "game value", &value)
    }
}

/// A line of a table: what, and how much.
pub(crate) fn row(out: &mut impl Write, what: &str, words: &str) -> io::Result<()> {
    writeln!(out, "{what:<15} {words}")
}

/// Six digits after the point; small numbers as powers of ten.
pub(crate) fn number(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        size if size < 1e-4 => format!("{number:.1e}"),
        _ => format!("{number:.6}"),
    }
}
