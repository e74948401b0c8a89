//! `scuro table rbt`: policies for reconnaissance blind tic-tac-toe against each other, and against their best answers.

use std::io::Write;

use anyhow::bail;
use indicatif::ProgressBar;
use scuro_core::Player;
use scuro_games::toy::{BlindState, BlindTicTacToe, ToyGame};
use scuro_search::measure::{Bounds, Measure};
use scuro_search::observable::{Observable, Policy, SLIP};
use scuro_search::solve::{Method, Solver, Updates};
use scuro_search::strategy::Strategy;
use scuro_search::tree::Tree;
use serde::Serialize;

use super::super::{Interrupt, toy};
use super::{Arguments, Row, rows};

/// The games of the table unless others are asked for.
const GAMES: [&str; 3] = ["rbt:x.o.o...x", "rbt:..xoxo.x.", "rbt:.ooxox.x."];

/// The policies, in the order of the table.
const POLICIES: [&str; 3] = ["greedy", "mixture", "exact"];

/// How exploitable the exact strategies may be at most.
const EXACT: f64 = 1e-7;
/// So many iterations are more than enough for that.
const MOST_ITERATIONS: u64 = 100_000;
/// Exploitability is looked at every so many iterations.
const LOOK: u64 = 20;

/// What `rbt --json` prints.
#[derive(Serialize)]
struct Document {
    policies: [&'static str; 3],
    /// How often an opponent that sees everything is supposed to slip.
    slip: f64,
    rows: Vec<BoardRow>,
    /// Whether rows are missing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

/// The policies on one board. All values are payoffs to player one, the crosses.
#[derive(Serialize)]
struct BoardRow {
    game: String,
    nodes: usize,
    infosets: usize,
    /// Between these the game's value certainly lies.
    game_value: [f64; 2],
    /// The value if nothing were hidden.
    observable_value: f64,
    /// By the policy of player one, then by that of player two.
    values: [[f64; 3]; 3],
    /// Against the best answer: by seat, then by policy.
    worst: [[f64; 3]; 2],
    /// The game's value to the seat less its worst case: by seat, then by policy.
    losses: [[f64; 3]; 2],
}

/// Prints the table.
pub(super) fn run(arguments: &Arguments, stop: &Interrupt, out: &mut impl Write) -> anyhow::Result<()> {
    let names =
        if arguments.game.is_empty() { GAMES.map(str::to_owned).to_vec() } else { arguments.game.clone() };
    let games = names.into_iter().map(Board::find).collect::<anyhow::Result<Vec<Board>>>()?;
    let rows = rows(games, measure, stop, (!arguments.json).then_some(&mut *out))?;
    if arguments.json {
        let document = Document { policies: POLICIES, slip: SLIP, rows, interrupted: stop.asked() };
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    }
    Ok(())
}

/// A game of the table.
struct Board {
    name: String,
    game: BlindTicTacToe,
}

impl Board {
    fn find(name: String) -> anyhow::Result<Board> {
        let ToyGame::Blind(game) = toy::find(&name)? else {
            bail!("'{name}' is not in this table: its games are rbt:BOARD");
        };
        toy::Room::of(&game, &name)?;
        Ok(Board { name, game })
    }
}

fn measure(board: &Board, bar: &ProgressBar) -> anyhow::Result<BoardRow> {
    let name = &board.name;
    let tree = toy::written(&ToyGame::Blind(board.game), name, false, false)?.tree;
    let (observable_value, [greedy, mixture]) = policies(&board.game, &tree);
    let exact = solve(name, &tree, bar)?;
    let bounds = Bounds::of(&Measure::of(&tree, &exact));
    let seats = [greedy, mixture, exact];
    let measures = seats.each_ref().map(|strategy| Measure::of(&tree, strategy));
    let losses = measures.map(|measure| measure.losses(bounds.middle()));
    Ok(BoardRow {
        game: name.clone(),
        nodes: tree.nodes(),
        infosets: tree.infosets().len(),
        game_value: [bounds.low, bounds.high].map(plain),
        observable_value,
        values: seats
            .each_ref()
            .map(|one| seats.each_ref().map(|two| plain(pair(&tree, one, two).value(&tree)))),
        worst: [
            measures.map(|measure| plain(-measure.answers[1])),
            measures.map(|measure| plain(measure.answers[0])),
        ],
        losses: [losses.map(|loss| loss[0]), losses.map(|loss| loss[1])],
    })
}

/// The value if nothing were hidden; the greedy and the mixture policy.
fn policies(game: &BlindTicTacToe, tree: &Tree) -> (f64, [Strategy; 2]) {
    let number = |state: &BlindState| {
        let [crosses, noughts] = Player::BOTH.map(|player| u32::from(state.board().stones(player)));
        crosses | noughts << 16
    };
    let observable = Observable::of_game(game, tree, number);
    (
        observable.value(tree.root()),
        [Policy::Greedy, Policy::Mixture].map(|policy| observable.strategy(policy)),
    )
}

/// An equilibrium, as nearly as `EXACT`.
fn solve(name: &str, tree: &Tree, bar: &ProgressBar) -> anyhow::Result<Strategy> {
    let mut solver = Solver::new(tree, Method::PredictiveCfrPlus, Updates::Alternating);
    while solver.iterations() < MOST_ITERATIONS {
        for _ in 0..LOOK {
            solver.iterate();
            bar.tick();
        }
        let average = solver.average();
        if average.exploitability(tree) <= EXACT {
            return Ok(average);
        }
    }
    bail!("{name} was not solved in {MOST_ITERATIONS} iterations");
}

/// The strategies of player one from `one` and of player two from `two`.
fn pair(tree: &Tree, one: &Strategy, two: &Strategy) -> Strategy {
    let mut both = one.clone();
    for infoset in tree.infosets().iter().filter(|infoset| infoset.player == Player::Two) {
        both.0[infoset.slots()].copy_from_slice(&two.0[infoset.slots()]);
    }
    both
}

/// Adding zero makes a negative zero a plain one.
fn plain(value: f64) -> f64 {
    value + 0.0
}

impl Row for BoardRow {
    fn head() -> String {
        line("game", "x plays", &["o greedy", "o mixture", "o exact", "worst", "loss"].map(str::to_owned))
    }

    fn line(&self) -> String {
        let digits = |value: f64| {
            // What is nothing but for rounding has no sign.
            let value = if value.abs() < 5e-6 { 0.0 } else { value };
            format!("{value:.5}")
        };
        let policies = (0..3).map(|policy| {
            let [one, two, three] = self.values[policy];
            let numbers = [one, two, three, self.worst[0][policy], self.losses[0][policy]].map(digits);
            line(if policy == 0 { &self.game } else { "" }, POLICIES[policy], &numbers)
        });
        let seat = |what, numbers: [f64; 3]| line("", what, &numbers.map(digits));
        let [worst, loss] = [seat("worst", self.worst[1]), seat("loss", self.losses[1])];
        policies.chain([worst, loss]).collect::<Vec<_>>().join("\n")
    }
}

fn line(game: &str, policy: &str, numbers: &[String]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:>9}")).collect();
    format!("{game:14} {policy:8} {}", numbers.join(" "))
}
