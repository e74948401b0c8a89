//! `scuro table`: the tables of the paper on knowledge-limited subgames, made anew, and one that it leaves open; policies
//! for reconnaissance blind tic-tac-toe.

mod rbt;
mod rows;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use scuro_core::{Game, Player};
use scuro_games::toy::{Visit, parse};
use scuro_search::exact::best_plan;
use scuro_search::exact::ground::Ground;
use scuro_search::exact::nested::{Nested, Solved};
use scuro_search::exact::sequence_form::TieBreak;
use scuro_search::exact::subgame::Cut;
use scuro_search::strategy::Strategy;
use scuro_search::tree::{Tree, TreeError};
use serde::Serialize;

use super::{Answer, Interrupt, progress};
use rows::{BLUEPRINTS, Blueprint, GAMES, PaperGame};

/// How weak the blueprints are: every bounded action is played at least this share of uniformly.
const EPSILON: f64 = 0.25;

/// Larger games than those of the tables do not come here.
const MOST_NODES: usize = 1_000_000;

#[derive(Args)]
#[command(
    after_help = "klss: tables 1 and 2 of \"Subgame solving without common knowledge\", printed and ours side by side. \
Where a subgame has several best plans the loss after it depends on which one is taken: after is that of the plan at \
which the simplex method stops, beside it stand the least and the largest over several tie-breaks. kluss: the same \
blueprints solved with knowledge of order 1, 2, 3 and without bound, with the rest of the game frozen (KLSS) or \
dropped (KLUSS). Losses are those of player one, payoffs in [-1, 1].\n\n\
rbt: reconnaissance blind tic-tac-toe from three boards, or from those of --game rbt:BOARD. greedy plays the best \
move if the most likely board were true, mixture (Sulyok and Karacs 2022) the best on average over the belief, both \
by the values of tic-tac-toe with nothing hidden; both believe that the opponent sees everything and plays a best move \
but for one time in a hundred, and look where their own next move is worth most. exact is an equilibrium. Rows are \
x's policies, columns o's; values are payoffs to x. worst is against the best answer, loss its distance from the \
game's value.\n\n\
On two cores klss takes about two minutes, kluss about ten, rbt less than one. Ctrl-C ends it with the rows that are \
done; the exit code is 130, and the JSON document says \"interrupted\".\n\nExamples:\n  scuro table klss\n  \
scuro table klss --game kuhn --game leduc\n  scuro table kluss --json\n  scuro table rbt\n  \
scuro table rbt --game rbt:.ooxox.x. --json"
)]
pub(crate) struct Arguments {
    /// Which table
    table: Table,
    /// Only the rows of this game, for rbt any rbt:BOARD; may be given several times
    #[arg(long, value_name = "GAME")]
    game: Vec<String>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Table {
    Klss,
    Kluss,
    Rbt,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let known: Vec<&str> = GAMES.iter().map(|game| game.game).collect();
    let unknown = arguments.game.iter().find(|game| !known.contains(&game.as_str()));
    if let Some(unknown) = unknown.filter(|_| arguments.table != Table::Rbt) {
        bail!("'{unknown}' is not in the tables: known are {}", known.join(", "));
    }
    let stop = Interrupt::watch()?;
    match arguments.table {
        Table::Klss => klss(arguments, &stop, out)?,
        Table::Kluss => kluss(arguments, &stop, out)?,
        Table::Rbt => rbt::run(arguments, &stop, out)?,
    }
    Ok(if stop.asked() { Answer::Interrupted } else { Answer::Yes })
}

impl Arguments {
    fn wants(&self, game: &str) -> bool {
        self.game.is_empty() || self.game.iter().any(|wanted| wanted == game)
    }
}

/// A row that can be printed.
trait Row {
    fn head() -> String;
    fn line(&self) -> String;
}

/// Measures all rows, on all cores, and hands them over in order: to `out` as lines, and as a list. If the user has
/// seen enough, what is done is handed over at once; what is not is left behind.
fn rows<J: Send + Sync + 'static, R: Row + Send + 'static>(
    jobs: Vec<J>,
    measure: impl Fn(&J, &ProgressBar) -> anyhow::Result<R> + Send + Sync + 'static,
    stop: &Interrupt,
    mut out: Option<&mut impl Write>,
) -> anyhow::Result<Vec<R>> {
    let bar = progress("rows", Some(jobs.len() as u64));
    if let Some(out) = &mut out {
        writeln!(out, "{}", R::head())?;
    }
    let (count, (send, receive)) = (jobs.len(), mpsc::channel());
    let shared = Arc::new((jobs, measure, AtomicUsize::new(0)));
    for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
        let (shared, send, bar) = (Arc::clone(&shared), send.clone(), bar.clone());
        thread::spawn(move || {
            let (jobs, measure, next) = &*shared;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(number) else { return };
                if send.send((number, measure(job, &bar))).is_err() {
                    return;
                }
            }
        });
    }
    drop(send);
    let mut done = Vec::new();
    let mut waiting: BTreeMap<usize, R> = BTreeMap::new();
    while done.len() < count {
        match receive.recv_timeout(Duration::from_millis(20)) {
            Ok((number, row)) => {
                waiting.insert(number, row?);
                bar.inc(1);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("a row could not be measured"),
        }
        let stopped = stop.asked();
        while let Some(row) = waiting.first_entry().filter(|first| stopped || *first.key() == done.len()) {
            let row = row.remove();
            if let Some(out) = &mut out {
                bar.suspend(|| writeln!(out, "{}", row.line()).and_then(|()| out.flush()))?;
            }
            done.push(row);
        }
        if stopped {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(done)
}

/// A row of table 1.
#[derive(Serialize)]
struct BlueprintRow {
    name: &'static str,
    game: &'static str,
    bounded: &'static str,
    value: f64,
    blueprint: f64,
    paper_blueprint: f64,
    /// With the plan that the simplex method finds.
    after: f64,
    /// Over all tie-breaks.
    after_range: [f64; 2],
    paper_after: f64,
}

const TIE_BREAKS: [TieBreak; 5] =
    [TieBreak::Vertex, TieBreak::Margins, TieBreak::Random(1), TieBreak::Random(2), TieBreak::Random(3)];

/// A row of table 2.
#[derive(Serialize)]
struct GraphRow {
    name: &'static str,
    game: &'static str,
    nodes: usize,
    infosets: usize,
    diameter: u32,
    /// For k = 1, 2, 3, 4 and without bound.
    average: [f64; 5],
    paper_nodes: usize,
    paper_infosets: usize,
    paper_diameter: u32,
    paper_average: &'static [f64],
}

/// What `klss --json` prints.
#[derive(Serialize)]
struct Klss {
    epsilon: f64,
    table1: Vec<BlueprintRow>,
    table2: Vec<GraphRow>,
    /// Whether rows are missing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

fn klss(arguments: &Arguments, stop: &Interrupt, out: &mut impl Write) -> anyhow::Result<()> {
    let games: Vec<_> = GAMES.iter().filter(|game| arguments.wants(game.game)).collect();
    let blueprints: Vec<_> = BLUEPRINTS.iter().filter(|row| arguments.wants(row.game)).collect();
    if !arguments.json {
        writeln!(out, "table 2: knowledge sets")?;
    }
    let measure = |&game: &&'static PaperGame, _: &_| measure_graph(game);
    let table2 = rows(games, measure, stop, (!arguments.json).then_some(&mut *out))?;
    if !arguments.json {
        if stop.asked() {
            return Ok(());
        }
        writeln!(out, "\ntable 1: loss of player one before and after 1-KLSS at every infoset")?;
    }
    let measure = |&blueprint: &&'static Blueprint, bar: &_| {
        measure_blueprint(blueprint, &Weakened::new(blueprint, bar)?)
    };
    let table1 = rows(blueprints, measure, stop, (!arguments.json).then_some(&mut *out))?;
    if arguments.json {
        let document = Klss { epsilon: EPSILON, table1, table2, interrupted: stop.asked() };
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    }
    Ok(())
}

/// What `kluss --json` prints.
#[derive(Serialize)]
struct Kluss {
    epsilon: f64,
    rows: Vec<OrderRow>,
    /// Whether rows are missing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

/// A blueprint solved with knowledge of one order.
#[derive(Serialize)]
struct OrderRow {
    name: &'static str,
    game: &'static str,
    bounded: &'static str,
    /// `null`: common knowledge.
    order: Option<u32>,
    blueprint: f64,
    klss: f64,
    kluss: f64,
    subgames: usize,
    average_nodes: f64,
    most_nodes: usize,
    all_nodes: usize,
}

fn kluss(arguments: &Arguments, stop: &Interrupt, out: &mut impl Write) -> anyhow::Result<()> {
    let blueprints = BLUEPRINTS.iter().filter(|row| arguments.wants(row.game));
    let jobs: Vec<(&'static Blueprint, Option<u32>)> = blueprints
        .flat_map(|blueprint| [Some(1), Some(2), Some(3), None].map(|order| (blueprint, order)))
        .collect();
    let measure = |&(blueprint, order): &(&'static Blueprint, _), bar: &_| {
        measure_order(blueprint, order, &Weakened::new(blueprint, bar)?)
    };
    let rows = rows(jobs, measure, stop, (!arguments.json).then_some(&mut *out))?;
    if arguments.json {
        let document = Kluss { epsilon: EPSILON, rows, interrupted: stop.asked() };
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    }
    Ok(())
}

/// A game of the tables, and by infoset what its actions are called.
struct Written {
    ground: Ground,
    names: Vec<Vec<String>>,
}

/// Writes out a game.
struct WriteOut;

impl Visit for WriteOut {
    type Output = Result<Written, TreeError>;

    fn game<G: Game>(self, game: &G) -> Result<Written, TreeError> {
        let mut names: Vec<Vec<String>> = Vec::new();
        let tree = Tree::of_game(game, MOST_NODES, |_, state, actions| {
            names.push(actions.iter().map(|&action| game.action_name(state, action)).collect());
        })?;
        Ok(Written { ground: Ground::of_game(game, tree), names })
    }
}

/// A row of table 2.
fn measure_graph(paper: &'static PaperGame) -> anyhow::Result<GraphRow> {
    let Written { ground, .. } = parse(paper.game)?.visit(WriteOut)?;
    let (graph, left_out) = ground.decisions();
    let counted: Vec<_> = graph.all().zip(left_out).filter(|(_, out)| !out).map(|(node, _)| node).collect();
    let mut sums = [0; 5];
    for &node in &counted {
        // A set at distance at most k is one of order k + 1.
        for (sum, order) in sums.iter_mut().zip([2, 3, 4, 5, u32::MAX]) {
            *sum += graph.knowledge_set(&[node], order).len();
        }
    }
    Ok(GraphRow {
        name: paper.name,
        game: paper.game,
        nodes: ground.tree.nodes(),
        infosets: ground.tree.infosets().len(),
        diameter: graph.diameter(|_, _| ()).map_or(0, |diameter| diameter.distance),
        average: sums.map(|sum| sum as f64 / counted.len() as f64),
        paper_nodes: paper.nodes,
        paper_infosets: paper.infosets,
        paper_diameter: paper.diameter,
        paper_average: paper.average,
    })
}

/// A game with its weak blueprint.
struct Weakened<'a> {
    ground: Ground,
    /// What each action is played at least, by place.
    least: Vec<f64>,
    value: f64,
    strategy: Strategy,
    bar: &'a ProgressBar,
}

impl<'a> Weakened<'a> {
    /// The least exploitable strategy of player one that keeps to the bounds.
    fn new(paper: &Blueprint, bar: &'a ProgressBar) -> anyhow::Result<Weakened<'a>> {
        let Written { ground, names } = parse(paper.game)?.visit(WriteOut)?;
        let tree = &ground.tree;
        let mut least = vec![0.0; tree.slots()];
        for (infoset, names) in tree.infosets().iter().zip(&names) {
            for (place, name) in infoset.slots().zip(names) {
                if infoset.player == Player::One && paper.bounded.holds(name) {
                    least[place] = EPSILON / f64::from(infoset.actions);
                }
            }
        }
        let (value, _) = best_plan(tree, Player::One, |_| 0.0, TieBreak::Vertex)?;
        let (_, strategy) = best_plan(tree, Player::One, |place| least[place], TieBreak::Vertex)?;
        Ok(Weakened { ground, least, value, strategy, bar })
    }

    /// How much less than the game's value `strategy` is sure of; rounding can make that a little negative.
    fn loss(&self, strategy: &Strategy) -> f64 {
        (self.value + strategy.best_response(&self.ground.tree, Player::Two)).max(0.0)
    }

    /// The loss after a subgame was solved at every infoset, and what that took.
    fn after(&self, cut: Cut, tie_break: TieBreak) -> anyhow::Result<(f64, Solved)> {
        let ask = |_| {
            self.bar.tick();
            true
        };
        let least = |place: usize| self.least[place];
        let mut nested =
            Nested { ground: &self.ground, cut, tie_break, least, ask, solved: Solved::default() };
        let played = nested.play(&self.strategy, Player::One)?;
        Ok((self.loss(&played), nested.solved))
    }
}

/// A row of table 1.
fn measure_blueprint(paper: &'static Blueprint, weakened: &Weakened<'_>) -> anyhow::Result<BlueprintRow> {
    let after = TIE_BREAKS
        .into_iter()
        .map(|tie_break| Ok(weakened.after(Cut::klss(Some(1)), tie_break)?.0))
        .collect::<anyhow::Result<Vec<f64>>>()?;
    Ok(BlueprintRow {
        name: paper.name,
        game: paper.game,
        bounded: paper.bounded.name(),
        value: weakened.value,
        blueprint: weakened.loss(&weakened.strategy),
        paper_blueprint: paper.loss,
        after: after[0],
        after_range: [
            after.iter().copied().fold(f64::INFINITY, f64::min),
            after.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        ],
        paper_after: paper.after,
    })
}

/// A blueprint solved with knowledge of one order.
fn measure_order(
    paper: &'static Blueprint,
    order: Option<u32>,
    weakened: &Weakened<'_>,
) -> anyhow::Result<OrderRow> {
    let (kluss, solved) = weakened.after(Cut::kluss(order), TieBreak::Vertex)?;
    let klss = match order {
        Some(order) if order % 2 == 1 => weakened.after(Cut::klss(Some(order)), TieBreak::Vertex)?.0,
        // The roots hold all that they cannot tell from them: there is nothing to freeze.
        _ => kluss,
    };
    Ok(OrderRow {
        name: paper.name,
        game: paper.game,
        bounded: paper.bounded.name(),
        order,
        blueprint: weakened.loss(&weakened.strategy),
        klss,
        kluss,
        subgames: solved.subgames,
        average_nodes: solved.nodes as f64 / solved.subgames.max(1) as f64,
        most_nodes: solved.most_nodes,
        all_nodes: weakened.ground.tree.nodes(),
    })
}

impl Row for BlueprintRow {
    fn head() -> String {
        format!(
            "{:36} {:>9} {:>9}  {:>9} {:>9}  {}",
            "game", "printed", "blueprint", "printed", "after", "over tie-breaks"
        )
    }

    fn line(&self) -> String {
        let BlueprintRow { name, paper_blueprint, blueprint, paper_after, after, after_range, .. } = self;
        let range = after_range.map(|loss| format!("{loss:.5}")).join(" to ");
        format!("{name:36} {paper_blueprint:>9} {blueprint:>9.5}  {paper_after:>9} {after:>9.5}  {range}")
    }
}

impl Row for GraphRow {
    fn head() -> String {
        format!(
            "{:36} {:>8} {:>8} {:>8}  {}",
            "game", "nodes", "infosets", "diameter", "average size for k = 1, 2, 3, 4, without bound"
        )
    }

    fn line(&self) -> String {
        let line = |name: &str, counts: [usize; 2], diameter: u32, average: &[f64]| {
            let average: Vec<String> = average.iter().map(|size| format!("{size:>6.2}")).collect();
            let [nodes, infosets] = counts;
            format!("{name:36} {nodes:>8} {infosets:>8} {diameter:>8}  {}", average.join(" "))
        };
        let ours = line(self.name, [self.nodes, self.infosets], self.diameter, &self.average);
        let counts = [self.paper_nodes, self.paper_infosets];
        format!("{ours}\n{}", line("  printed", counts, self.paper_diameter, self.paper_average))
    }
}

impl Row for OrderRow {
    fn head() -> String {
        format!(
            "{:36} {:>5} {:>9} {:>9} {:>9}  {:>8} {:>10} {:>8}",
            "game", "order", "blueprint", "KLSS", "KLUSS", "subgames", "mean nodes", "largest"
        )
    }

    fn line(&self) -> String {
        let order = self.order.map_or("inf".to_owned(), |order| order.to_string());
        let OrderRow { name, blueprint, klss, kluss, subgames, average_nodes, most_nodes, .. } = self;
        format!(
            "{name:36} {order:>5} {blueprint:>9.5} {klss:>9.5} {kluss:>9.5}  {subgames:>8} {average_nodes:>10.1} \
             {most_nodes:>8}"
        )
    }
}
