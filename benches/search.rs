//! How fast a tree of each game grows and is solved, on one thread: new nodes a second, and child visits a second of the
//! solver on a tree of a million nodes. For Fog of War, with `--linear` the cost of an iteration and memory from ten thousand to ten
//! million nodes (some minutes, half a gigabyte), drawn to a file whose path counts from `crates/app`.
//!
//! `cargo bench --bench search [-- --linear ../../docs/linear_cost.svg]`

mod processor;

use std::error::Error;
use std::time::Instant;
use std::{env, fs, process};

use processor::processor_time;
use scuro_agents::bench::{Measured, MiddleGame, believe};
use scuro_agents::player::Playable;
use scuro_games::chess::Board;
use scuro_games::dark::Rules;
use scuro_games::fog::FogOfWar;
use scuro_games::picture::chart::{Axis, Chart, thousands};
use scuro_games::{Variant, with_game};

const NODES: usize = 1_000_000;
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    // Of this process, so that a busy machine counts less; of the clock where the system does not tell.
    let clock = || processor_time(process::id()).unwrap_or_else(|| start.elapsed().as_secs_f64());
    let arguments: Vec<String> = env::args().collect();
    let linear = arguments.iter().position(|argument| argument == "--linear");
    match linear.map(|place| arguments.get(place + 1)) {
        Some(file) => {
            let file = file.ok_or("--linear wants a file for the chart")?;
            // Better now than after minutes.
            fs::write(file, "")?;
            fs::write(file, linear_cost(clock)?)?;
        }
        None => {
            for game in Variant::DARK {
                let rules = Rules::new(game, Board::start(), Default::default()).ok_or("no rules")?;
                with_game!(rules, game => speed(game, clock)?);
            }
        }
    }
    Ok(())
}

fn speed<G: Playable>(game: G, clock: impl Fn() -> f64) -> Result<(), Box<dyn Error>> {
    println!("{} on one thread, medians of {ROUNDS} rounds, per second of processor time", G::VARIANT);
    let mut tree = MiddleGame::new(game.clone()).ok_or("no tree")?;
    for nodes in [NODES / 100, NODES / 10, NODES] {
        tree.grow(nodes);
        println!("{} nodes:", thousands(nodes));
        let rounds: Vec<Vec<Measured>> =
            (0..ROUNDS).map(|_| tree.measure(1000, 10_000_000 / nodes, &clock)).collect();
        report(&rounds);
    }
    let rounds = (0..ROUNDS).map(|_| Ok(vec![believe(&game, &clock).ok_or("no belief")?]));
    report(&rounds.collect::<Result<Vec<_>, Box<dyn Error>>>()?);
    Ok(())
}

/// Prints the median of each measure, and the least and the most.
fn report(rounds: &[Vec<Measured>]) {
    for (number, (name, _, unit)) in rounds[0].iter().enumerate() {
        let mut values: Vec<f64> = rounds.iter().map(|round| round[number].1).collect();
        values.sort_by(f64::total_cmp);
        let [least, median, most] = [values[0], values[ROUNDS / 2], values[ROUNDS - 1]];
        println!("  {name} {median:.1} {unit} ({least:.1} to {most:.1})");
    }
}

/// A table, and the chart of it.
fn linear_cost(clock: impl Fn() -> f64) -> Result<String, Box<dyn Error>> {
    let mut tree = MiddleGame::new(FogOfWar::default()).ok_or("no tree")?;
    let mut points = Vec::new();
    println!("| nodes | ms an iteration | ns a node | M visits/s | bytes a node | resident bytes a node |");
    println!("|---:|---:|---:|---:|---:|---:|");
    for nodes in [10_000, 100_000, 1_000_000, 10_000_000] {
        tree.grow(nodes);
        let iterations = (20_000_000 / nodes).clamp(10, 200);
        let measured = tree.measure(0, iterations, &clock);
        let of = |name: &str| measured.iter().find(|each| each.0 == name).map_or(f64::NAN, |each| each.1);
        let (count, time) = (tree.tree.nodes() as f64, of("iteration"));
        println!(
            "| {} | {time:.3} | {:.2} | {:.1} | {:.1} | {:.1} |",
            thousands(tree.tree.nodes()),
            1e6 * time / count,
            of("solver_visits") / 1e6,
            of("memory"),
            resident().unwrap_or(f64::NAN) / count
        );
        points.push((count, time));
    }
    let (least, each) = (points[0].0, points[0].1 / points[0].0);
    let line = points.iter().map(|&(nodes, _)| (nodes, nodes * each)).collect();
    let title = "An iteration of the solver on a growing tree of Fog of War".to_owned();
    let across = Axis::decades("nodes of the tree", [least, 1e7].into_iter());
    let up = Axis::decades("milliseconds an iteration", points.iter().map(|point| point.1));
    let lines = vec![("measured".to_owned(), points), ("in proportion to the first".to_owned(), line)];
    Ok(Chart { title, across, up, lines, bound: None }.svg())
}

/// The memory that this process has, in bytes.
fn resident() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(1024.0 * line.trim().trim_end_matches(" kB").parse::<f64>().ok()?)
}
