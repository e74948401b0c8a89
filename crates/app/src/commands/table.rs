//! `scuro table`: the tables of the paper on knowledge-limited subgames, made anew, and one that it leaves open.

mod rows;

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use scuro_core::{Game, Player};
use scuro_games::toy::{Visit, parse};
use scuro_search::exact::ground::Ground;
use scuro_search::exact::nested::{Nested, Solved};
use scuro_search::exact::sequence_form::TieBreak;
use scuro_search::exact::subgame::Cut;
use scuro_search::exact::{LinearError, best_plan};
use scuro_search::strategy::Strategy;
use scuro_search::tree::{Tree, TreeError};
use serde::Serialize;

use super::{Answer, progress, watch_interrupts};
use rows::{BLUEPRINTS, Blueprint, GAMES, PaperGame};

/// How weak the blueprints are: every bounded action is played at least this share of uniformly.
const EPSILON: f64 = 0.25;

/// Larger games than those of the tables do not come here.
const MOST_NODES: usize = 1_000_000;

#[derive(Args)]
#[command(
    after_help = "klss: tables 1 and 2 of \"Subgame solving without common knowledge\", printed and ours side by side. \
Where a subgame has several best plans the loss after it depends on which one is taken: ours are the least and the \
largest over several tie-breaks. kluss: the same blueprints solved with knowledge of order 1, 2, 3 and without \
bound, with the rest of the game frozen (KLSS) or dropped (KLUSS). Losses are those of player one, payoffs in [-1, \
1].\n\nExamples:\n  scuro table klss\n  scuro table kluss --json"
)]
pub(crate) struct Arguments {
    /// Which table
    table: Table,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Table {
    Klss,
    Kluss,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let stop = watch_interrupts()?;
    let stopped = match (arguments.table, arguments.json) {
        (Table::Klss, json) => klss(json, &stop, out)?,
        (Table::Kluss, json) => kluss(json, &stop, out)?,
    };
    Ok(if stopped { Answer::Interrupted } else { Answer::Yes })
}

/// Why a row is missing.
enum Missing {
    /// The user has seen enough.
    Stopped,
    /// The linear program failed.
    Failed(anyhow::Error),
}

impl From<LinearError> for Missing {
    fn from(error: LinearError) -> Missing {
        Missing::Failed(error.into())
    }
}

impl From<TreeError> for Missing {
    fn from(error: TreeError) -> Missing {
        Missing::Failed(error.into())
    }
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
    after_min: f64,
    after_max: f64,
    /// By tie-break, in the order of [`TIE_BREAKS`].
    after: Vec<f64>,
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
#[derive(Default, Serialize)]
struct Klss {
    epsilon: f64,
    table1: Vec<BlueprintRow>,
    table2: Vec<GraphRow>,
}

fn klss(json: bool, stop: &AtomicBool, out: &mut impl Write) -> anyhow::Result<bool> {
    let mut tables = Klss { epsilon: EPSILON, ..Klss::default() };
    let mut stopped = false;
    if !json {
        writeln!(out, "table 2: knowledge sets\n{}", GraphRow::head())?;
    }
    for game in GAMES {
        match parse(game.game)?.visit(MeasureGraph { game, stop }) {
            Ok(row) if json => tables.table2.push(row),
            Ok(row) => row.print(out)?,
            Err(Missing::Stopped) => stopped = true,
            Err(Missing::Failed(error)) => return Err(error.context(game.game)),
        }
    }
    if !json {
        writeln!(out, "\ntable 1: loss before and after 1-KLSS at every infoset\n{}", BlueprintRow::head())?;
    }
    for blueprint in BLUEPRINTS {
        match parse(blueprint.game)?.visit(MeasureBlueprint { blueprint, stop }) {
            Ok(row) if json => tables.table1.push(row),
            Ok(row) => row.print(out)?,
            Err(Missing::Stopped) => stopped = true,
            Err(Missing::Failed(error)) => return Err(error.context(blueprint.name)),
        }
    }
    if json {
        writeln!(out, "{}", serde_json::to_string(&tables)?)?;
    }
    Ok(stopped)
}

/// What `kluss --json` prints.
#[derive(Serialize)]
struct Kluss {
    epsilon: f64,
    rows: Vec<OrderRow>,
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

fn kluss(json: bool, stop: &AtomicBool, out: &mut impl Write) -> anyhow::Result<bool> {
    let mut table = Kluss { epsilon: EPSILON, rows: Vec::new() };
    let mut stopped = false;
    if !json {
        writeln!(out, "{}", OrderRow::head())?;
    }
    for blueprint in BLUEPRINTS {
        for order in [Some(1), Some(2), Some(3), None] {
            match parse(blueprint.game)?.visit(MeasureOrder { blueprint, order, stop }) {
                Ok(row) if json => table.rows.push(row),
                Ok(row) => row.print(out)?,
                Err(Missing::Stopped) => stopped = true,
                Err(Missing::Failed(error)) => return Err(error.context(blueprint.name)),
            }
        }
    }
    if json {
        writeln!(out, "{}", serde_json::to_string(&table)?)?;
    }
    Ok(stopped)
}

/// Measures one game for table 2.
struct MeasureGraph<'a> {
    game: &'static PaperGame,
    stop: &'a AtomicBool,
}

impl Visit for MeasureGraph<'_> {
    type Output = Result<GraphRow, Missing>;

    fn game<G: Game>(self, game: &G) -> Result<GraphRow, Missing> {
        let tree = Tree::of_game(game, MOST_NODES, |_, _, _| ())?;
        let (graph, left_out) = Ground::of_game(game, &tree).decisions();
        let counted: Vec<_> =
            graph.all().zip(left_out).filter(|(_, out)| !out).map(|(node, _)| node).collect();
        let bar = progress(self.game.name, Some(counted.len() as u64));
        let mut sums = [0; 5];
        for &node in &counted {
            if self.stop.load(Ordering::Relaxed) {
                bar.finish_and_clear();
                return Err(Missing::Stopped);
            }
            // A set at distance at most k is one of order k + 1.
            for (sum, order) in sums.iter_mut().zip([2, 3, 4, 5, u32::MAX]) {
                *sum += graph.knowledge_set(&[node], order).len();
            }
            bar.inc(1);
        }
        let diameter = graph.diameter(|_, _| ()).map_or(0, |diameter| diameter.distance);
        bar.finish_and_clear();
        let paper = self.game;
        Ok(GraphRow {
            name: paper.name,
            game: paper.game,
            nodes: tree.nodes(),
            infosets: tree.infosets().len(),
            diameter,
            average: sums.map(|sum| sum as f64 / counted.len() as f64),
            paper_nodes: paper.nodes,
            paper_infosets: paper.infosets,
            paper_diameter: paper.diameter,
            paper_average: paper.average,
        })
    }
}

/// A game with its weak blueprint.
struct Weakened<'t> {
    ground: Ground<'t>,
    /// What each action is played at least, by place.
    least: Vec<f64>,
    value: f64,
    strategy: Strategy,
}

impl<'t> Weakened<'t> {
    /// The least exploitable strategy of player one that keeps to the bounds.
    fn new<G: Game>(game: &G, tree: &'t Tree, least: Vec<f64>) -> Result<Weakened<'t>, LinearError> {
        let (value, _) = best_plan(tree, Player::One, |_| 0.0, TieBreak::Vertex)?;
        let (_, strategy) = best_plan(tree, Player::One, |place| least[place], TieBreak::Vertex)?;
        Ok(Weakened { ground: Ground::of_game(game, tree), least, value, strategy })
    }

    /// How much less than the game's value `strategy` is sure of.
    fn loss(&self, strategy: &Strategy) -> f64 {
        self.value + strategy.best_response(self.ground.tree, Player::Two)
    }

    /// The loss after a subgame was solved at every infoset, and what that took.
    fn after(
        &self,
        cut: Cut,
        tie_break: TieBreak,
        stop: &AtomicBool,
        bar: &ProgressBar,
    ) -> Result<(f64, Solved), Missing> {
        let ask = |_| {
            bar.inc(1);
            !stop.load(Ordering::Relaxed)
        };
        let least = |place: usize| self.least[place];
        let mut nested =
            Nested { ground: &self.ground, cut, tie_break, least, ask, solved: Solved::default() };
        let played = nested.play(&self.strategy, Player::One)?;
        if stop.load(Ordering::Relaxed) {
            return Err(Missing::Stopped);
        }
        Ok((self.loss(&played), nested.solved))
    }
}

/// Writes out a game, and how often its blueprint plays each action at least.
fn bounded_tree<G: Game>(game: &G, blueprint: &Blueprint) -> Result<(Tree, Vec<f64>), TreeError> {
    let mut named: Vec<Vec<String>> = Vec::new();
    let tree = Tree::of_game(game, MOST_NODES, |_, state, actions| {
        named.push(actions.iter().map(|&action| game.action_name(state, action)).collect());
    })?;
    let mut least = vec![0.0; tree.places()];
    for (infoset, names) in tree.infosets().iter().zip(&named) {
        for (place, name) in infoset.places().zip(names) {
            if infoset.player == Player::One && blueprint.bounded.holds(name) {
                least[place] = EPSILON / f64::from(infoset.actions);
            }
        }
    }
    Ok((tree, least))
}

/// Measures one blueprint for table 1.
struct MeasureBlueprint<'a> {
    blueprint: &'static Blueprint,
    stop: &'a AtomicBool,
}

impl Visit for MeasureBlueprint<'_> {
    type Output = Result<BlueprintRow, Missing>;

    fn game<G: Game>(self, game: &G) -> Result<BlueprintRow, Missing> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Missing::Stopped);
        }
        let paper = self.blueprint;
        let (tree, least) = bounded_tree(game, paper)?;
        let weakened = Weakened::new(game, &tree, least)?;
        let mine = tree.infosets().iter().filter(|infoset| infoset.player == Player::One).count();
        let bar = progress(paper.name, Some((mine * TIE_BREAKS.len()) as u64));
        let after = TIE_BREAKS.map(|tie_break| {
            weakened.after(Cut::klss(Some(1)), tie_break, self.stop, &bar).map(|(loss, _)| loss)
        });
        bar.finish_and_clear();
        let after = after.into_iter().collect::<Result<Vec<f64>, Missing>>()?;
        Ok(BlueprintRow {
            name: paper.name,
            game: paper.game,
            bounded: paper.bounded.name(),
            value: weakened.value,
            blueprint: weakened.loss(&weakened.strategy),
            paper_blueprint: paper.loss,
            after_min: after.iter().copied().fold(f64::INFINITY, f64::min),
            after_max: after.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            after,
            paper_after: paper.after,
        })
    }
}

/// Measures one blueprint with knowledge of one order.
struct MeasureOrder<'a> {
    blueprint: &'static Blueprint,
    order: Option<u32>,
    stop: &'a AtomicBool,
}

impl Visit for MeasureOrder<'_> {
    type Output = Result<OrderRow, Missing>;

    fn game<G: Game>(self, game: &G) -> Result<OrderRow, Missing> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Missing::Stopped);
        }
        let paper = self.blueprint;
        let (tree, least) = bounded_tree(game, paper)?;
        let weakened = Weakened::new(game, &tree, least)?;
        let bar = progress(paper.name, None);
        let measure = |cut| weakened.after(cut, TieBreak::Vertex, self.stop, &bar);
        let unfrozen = measure(Cut::kluss(self.order));
        // Where the roots hold all that they cannot tell from them, there is nothing to freeze.
        let frozen = match self.order {
            Some(order) if order % 2 == 1 => measure(Cut::klss(self.order)).map(|(loss, _)| loss),
            _ => unfrozen.as_ref().map(|(loss, _)| *loss).map_err(|_| Missing::Stopped),
        };
        bar.finish_and_clear();
        let (kluss, solved) = unfrozen?;
        Ok(OrderRow {
            name: paper.name,
            game: paper.game,
            bounded: paper.bounded.name(),
            order: self.order,
            blueprint: weakened.loss(&weakened.strategy),
            klss: frozen?,
            kluss,
            subgames: solved.subgames,
            average_nodes: solved.nodes as f64 / solved.subgames.max(1) as f64,
            most_nodes: solved.most_nodes,
            all_nodes: tree.nodes(),
        })
    }
}

impl BlueprintRow {
    fn head() -> String {
        format!(
            "{:36} {:>9} {:>9}  {:>7} {:>9}    {:>9}",
            "game", "printed", "blueprint", "printed", "after", "up to"
        )
    }

    fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let BlueprintRow { name, paper_blueprint, blueprint, paper_after, after_min, after_max, .. } = self;
        writeln!(
            out,
            "{name:36} {paper_blueprint:>9} {blueprint:>9.5}  {paper_after:>7} {:>9.5} .. {:>9.5}",
            after_min.max(0.0),
            after_max.max(0.0)
        )?;
        Ok(out.flush()?)
    }
}

impl GraphRow {
    fn head() -> String {
        format!(
            "{:36} {:>8} {:>8} {:>8}  {}",
            "game", "nodes", "infosets", "diameter", "average size for k = 1, 2, 3, 4, without bound"
        )
    }

    fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let average =
            |values: &[f64]| values.iter().map(|value| format!("{value:>6.2}")).collect::<Vec<_>>().join(" ");
        let GraphRow { name, nodes, infosets, diameter, .. } = self;
        let ours = average(&self.average);
        writeln!(out, "{name:36} {nodes:>8} {infosets:>8} {diameter:>8}  {ours}")?;
        let GraphRow { paper_nodes, paper_infosets, paper_diameter, .. } = self;
        let printed = average(self.paper_average);
        writeln!(
            out,
            "{:36} {paper_nodes:>8} {paper_infosets:>8} {paper_diameter:>8}  {printed}",
            "  printed"
        )?;
        Ok(out.flush()?)
    }
}

impl OrderRow {
    fn head() -> String {
        format!(
            "{:36} {:>5} {:>9} {:>9} {:>9}  {:>8} {:>10} {:>8}",
            "game", "order", "blueprint", "KLSS", "KLUSS", "subgames", "mean nodes", "largest"
        )
    }

    fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let order = self.order.map_or("inf".to_owned(), |order| order.to_string());
        let OrderRow { name, blueprint, klss, kluss, subgames, average_nodes, most_nodes, .. } = self;
        writeln!(
            out,
            "{name:36} {order:>5} {blueprint:>9.5} {klss:>9.5} {kluss:>9.5}  {subgames:>8} {average_nodes:>10.1} \
             {most_nodes:>8}"
        )?;
        Ok(out.flush()?)
    }
}
