//! How fast small games are solved: node visits and iterations a second of PCFR+ with and without pruning and of
//! plain CFR, the time to an exploitability of 0.001 in raw payoffs on Leduc, and memory. `scripts/bench_solvers` sets it
//! against the libraries of others.
//!
//! `cargo bench --bench solve [-- --json]`

use std::env;
use std::time::Instant;

use scuro_core::Game;
use scuro_core::game::Scale;
use scuro_games::toy::{Visit, parse};
use scuro_search::solve::{Method, Solver, Updates};
use scuro_search::tree::{Tree, TreeError};
use serde_json::{Map, Value, json};

const SECONDS: f64 = 1.0;
const TARGET: f64 = 1e-3;

struct Written;

impl Visit for Written {
    type Output = Result<(Tree, Scale), TreeError>;

    fn game<G: Game>(self, game: &G) -> Self::Output {
        Ok((Tree::of_game(game, 10_000_000, |_, _, _| ())?, game.raw()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut results = Map::new();
    for name in ["kuhn", "leduc", "liars-dice:6"] {
        let (tree, scale) = parse(name)?.visit(Written)?;
        let tables = Solver::new(&tree, Method::PredictiveCfrPlus, Updates::Alternating).bytes();
        let bytes = (tree.bytes() + tables) as f64 / tree.nodes() as f64;
        println!("{name}: {} nodes, {bytes:.1} bytes a node", tree.nodes());
        let mut result = json!({ "nodes": tree.nodes(), "bytes_per_node": bytes });
        for (label, method, updates, pruning) in [
            ("pcfr+", Method::PredictiveCfrPlus, Updates::Alternating, false),
            ("pcfr+ pruned", Method::PredictiveCfrPlus, Updates::Alternating, true),
            ("cfr", Method::Cfr, Updates::Simultaneous, false),
        ] {
            let (visits, iterations) = rate(&tree, method, updates, pruning);
            println!("{name}: {label}: {:.1} M visits/s, {iterations:.0} iterations/s", visits / 1e6);
            result[label] = json!({ "visits_per_second": visits, "iterations_per_second": iterations });
        }
        if name == "leduc" {
            let (iterations, seconds) = time_to(&tree, TARGET / scale.scale);
            println!("{name}: PCFR+: exploitability {TARGET} after {iterations} iterations, {seconds:.4} s");
            result["iterations_to_target"] = json!(iterations);
            result["seconds_to_target"] = json!(seconds);
        }
        results.insert(name.to_owned(), result);
    }
    if env::args().any(|argument| argument == "--json") {
        println!("{}", Value::Object(results));
    }
    Ok(())
}

/// Node visits and iterations a second, by about a second of solving from the start.
fn rate(tree: &Tree, method: Method, updates: Updates, pruning: bool) -> (f64, f64) {
    let mut solver = Solver::new(tree, method, updates);
    solver.pruning = pruning;
    let start = Instant::now();
    let mut seconds = 0.0;
    while seconds < SECONDS {
        (0..10).for_each(|_| solver.iterate());
        seconds = start.elapsed().as_secs_f64();
    }
    (solver.visits() as f64 / seconds, solver.iterations() as f64 / seconds)
}

/// Iterations and seconds of PCFR+ until the average is exploitable by less than `target`, looked at every ten
/// iterations. Looking is not counted.
fn time_to(tree: &Tree, target: f64) -> (u64, f64) {
    let mut solver = Solver::new(tree, Method::PredictiveCfrPlus, Updates::Alternating);
    let mut seconds = 0.0;
    while solver.iterations() == 0 || solver.average().exploitability(tree) >= target {
        let start = Instant::now();
        (0..10).for_each(|_| solver.iterate());
        seconds += start.elapsed().as_secs_f64();
    }
    (solver.iterations(), seconds)
}
