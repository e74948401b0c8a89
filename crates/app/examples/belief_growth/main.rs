//! How exact beliefs grow in random games of Kriegspiel (ICC) and of Reconnaissance Blind Chess from the usual
//! position: a table ply by ply, and a chart of each game.
//!
//! `cargo run --release -p scuro-app --example belief_growth [-- --games 200 --bound 100000 --seed 10 --out docs]`

mod chart;

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use indicatif::ProgressBar;
use scuro_core::{Player, Positions, Random, Turn};
use scuro_games::kriegspiel::Kriegspiel;
use scuro_games::rbc::Rbc;
use scuro_search::belief::{Belief, Contradiction};

/// How exact beliefs grow in random games
#[derive(Parser)]
struct Arguments {
    /// Random games of each kind
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// A belief past this many positions is no longer followed
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    bound: usize,
    /// The first game's seed; the others follow
    #[arg(long, value_name = "N", default_value_t = 10)]
    seed: u64,
    /// Where the charts go
    #[arg(long, value_name = "FOLDER", default_value = "docs")]
    out: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    fs::create_dir_all(&arguments.out)?;
    report(&Kriegspiel::default(), "kriegspiel", "Kriegspiel (ICC)", &arguments)?;
    report(&Rbc::default(), "rbc", "Reconnaissance Blind Chess", &arguments)
}

/// The table and the chart of one game.
fn report(game: &impl Positions, name: &str, title: &str, arguments: &Arguments) -> anyhow::Result<()> {
    let bar = ProgressBar::new(arguments.games).with_message(title.to_owned());
    bar.enable_steady_tick(Duration::from_millis(500));
    let mut plies = Vec::new();
    for seed in (arguments.seed..).take(arguments.games as usize) {
        follow_game(game, seed, arguments.bound, &mut plies)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let growth: Vec<Ply> = plies.into_iter().map(Ply::of).take_while(|ply| ply.exact > 0.0).collect();
    println!("{title}: {} random games, what the player to move believes", arguments.games);
    println!(
        "{:>4} {:>8} {:>10} {:>10} {:>10} {:>7}",
        "ply", "beliefs", "median", "90 %", "largest", "exact"
    );
    for (number, ply) in (1..).zip(&growth) {
        let [median, ninth, largest] = ply.sizes.map(|size| size.to_string());
        let exact = 100.0 * ply.exact;
        println!("{number:>4} {:>8} {median:>10} {ninth:>10} {largest:>10} {exact:>5.1} %", ply.beliefs);
    }
    println!();
    let path = arguments.out.join(format!("belief_{name}.svg"));
    let words = format!("{title}: positions that fit what a player was told");
    fs::write(&path, chart::svg(&words, &growth, arguments.bound)).with_context(|| path.display().to_string())
}

/// How many positions a player believes in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    Exact(usize),
    /// More than the bound; how many is not known from here on.
    Past,
}

/// A number, or `past`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Exact(size) => write!(f, "{size}"),
            Size::Past => f.write_str("past"),
        }
    }
}

/// What the players to move believe after one ply, over all games that still go on.
struct Ply {
    beliefs: usize,
    /// The median, the 90th percentile and the largest.
    sizes: [Size; 3],
    /// The share of beliefs that never passed the bound.
    exact: f64,
}

impl Ply {
    fn of(mut sizes: Vec<Size>) -> Ply {
        sizes.sort_unstable();
        let beliefs = sizes.len();
        let exact = sizes.partition_point(|&size| size < Size::Past);
        // The smallest size that at least this share of the beliefs does not exceed.
        let percentile = |percent: usize| sizes[(beliefs * percent).div_ceil(100) - 1];
        Ply { beliefs, sizes: [50, 90, 100].map(percentile), exact: exact as f64 / beliefs as f64 }
    }
}

/// A random game, with the beliefs of both players; the size of the one to move joins those of the ply. What
/// passed the bound is followed no further.
fn follow_game<G: Positions>(
    game: &G,
    seed: u64,
    bound: usize,
    plies: &mut Vec<Vec<Size>>,
) -> Result<(), Contradiction> {
    let mut random = Random::new(seed);
    let mut state = game.start();
    let mut beliefs = Player::BOTH.map(|_| Belief::certain(game.position(&state), bound, seed));
    let mut actions = Vec::new();
    let mut ply = 0;
    loop {
        actions.clear();
        game.actions(&state, &mut actions);
        let Some(&action) = random.pick(&actions) else { return Ok(()) };
        let turn = game.turn(&state);
        state = game.play(&state, action);
        let Turn::Player(next) = game.turn(&state) else { return Ok(()) };
        for (player, belief) in Player::BOTH.into_iter().zip(&mut beliefs) {
            let own = (turn == Turn::Player(player)).then_some(action);
            if let Some(told) = game.told(&state, player).filter(|_| !belief.is_sample()) {
                belief.advance(game, player, own, &told)?;
            }
        }
        if turn != Turn::Player(next) {
            let belief = &beliefs[next.index()];
            let size = if belief.is_sample() { Size::Past } else { Size::Exact(belief.positions().len()) };
            if ply == plies.len() {
                plies.push(Vec::new());
            }
            plies[ply].push(size);
            ply += 1;
        }
    }
}
