//! How fast small games are solved: node visits a second of PCFR+, whole iterations of plain CFR without pruning,
//! the time to an exploitability of 0.001 in raw payoffs on Leduc, and memory. `scripts/bench_solvers` sets it
//! against the libraries of others.
//!
//! `cargo bench --bench solve [-- --json]`

use std::env;
use std::time::Instant;

use scuro_core::Game;
use scuro_core::game::Scale;
use scuro_games::toy::{ToyError, Visit, parse};
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
        let (tree, scale) = parse(name).map_err(|error: ToyError| error)?.visit(Written)?;
        let nodes = tree.nodes() as f64;
        let predictive = rate(&tree, Method::PredictiveCfrPlus, Updates::Alternating, true);
        let plain = rate(&tree, Method::Cfr, Updates::Simultaneous, false);
        let bytes =
            (tree.bytes() + Solver::new(&tree, Method::Cfr, Updates::Simultaneous).bytes()) as f64 / nodes;
        let mut result =
            json!({ "nodes": tree.nodes(), "pcfr+": predictive, "cfr": plain, "bytes_per_node": bytes });
        println!("{name}: {} nodes, {bytes:.1} bytes a node", tree.nodes());
        for (method, run) in [("PCFR+", &predictive), ("CFR, no pruning", &plain)] {
            println!(
                "{name}: {method}: {:.1} M visits/s, {:.0} iterations/s",
                run["visits_per_second"].as_f64().unwrap_or_default() / 1e6,
                run["iterations_per_second"].as_f64().unwrap_or_default(),
            );
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
fn rate(tree: &Tree, method: Method, updates: Updates, pruning: bool) -> Value {
    let mut solver = Solver::new(tree, method, updates);
    solver.pruning = pruning;
    let start = Instant::now();
    let mut seconds = 0.0;
    while seconds < SECONDS {
        (0..10).for_each(|_| solver.iterate());
        seconds = start.elapsed().as_secs_f64();
    }
    let visits_per_iteration = solver.visits() as f64 / solver.iterations() as f64;
    json!({
        "visits_per_second": solver.visits() as f64 / seconds,
        "iterations_per_second": solver.iterations() as f64 / seconds,
        "visits_per_iteration": visits_per_iteration,
    })
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
