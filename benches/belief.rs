//! How fast a belief of about a million positions takes in a move of the opponent, with one thread and with two, by the
//! clock and in processor time; and how long the beliefs of whole games take.
//!
//! `cargo bench --bench belief`

use std::env::consts::OS;
use std::error::Error;
use std::fs;
use std::time::Instant;

use scuro_agents::name::{EvalError, Obscuro};
use scuro_agents::player::{Playable, Player};
use scuro_core::{Positions, Random};
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::{FogOfWar, Told, candidates};
use scuro_games::player_of;
use scuro_games::umpire::Umpire;
use scuro_search::agent::{Budget, Thought};
use scuro_search::belief::Belief;
use scuro_search::choose::Purify;

/// Random games in which a belief grows to a million.
const SEEDS: [u64; 4] = [13, 17, 21, 23];
/// Beliefs of about a million positions.
const SIZES: std::ops::Range<usize> = 800_000..1_600_000;
const ROUNDS: usize = 5;
const GAMES: u64 = 10;
const NODES: usize = 500;

fn main() -> Result<(), Box<dyn Error>> {
    for seed in SEEDS {
        random_game(seed)?;
    }
    whole_games()
}

/// Measures every step of a random game in which their move meets a belief of about a million positions.
fn random_game(seed: u64) -> Result<(), Box<dyn Error>> {
    let mut random = Random::new(seed);
    let mut umpire = Umpire::new(FogOfWar::default());
    let game = *umpire.game();
    let start = game.position(umpire.state());
    let mut beliefs = Color::ALL.map(|_| Belief::certain(start, FogOfWar::POSITIONS, seed).with_threads(2));
    while let Some(side) = umpire.turn().filter(|_| beliefs.iter().all(|belief| !belief.is_sample())) {
        let moves = umpire.choices();
        let m = moves[random.below(moves.len())];
        umpire.play(side, m)?;
        if umpire.outcome().is_some() {
            break;
        }
        for (color, belief) in Color::ALL.into_iter().zip(&mut beliefs) {
            let told = umpire.told(color).ok_or("nothing was told")?;
            if side != color && SIZES.contains(&belief.positions().len()) {
                measure(&game, color, belief, told)?;
            }
            belief.advance(&game, player_of(color), (side == color).then_some(m), told)?;
        }
    }
    Ok(())
}

/// Takes in one move of theirs with one thread and with two, in turn; medians.
fn measure(game: &FogOfWar, color: Color, belief: &Belief<Board>, told: &Told) -> Result<(), Box<dyn Error>> {
    let threads = [1, 2];
    let mut times = threads.map(|_| (Vec::new(), Vec::new()));
    let mut reached = 0;
    for _ in 0..ROUNDS {
        for (threads, (clock, processor)) in threads.into_iter().zip(&mut times) {
            let mut belief = belief.clone().with_threads(threads);
            let (start, before) = (Instant::now(), processor_time());
            belief.advance(game, player_of(color), None, told)?;
            clock.push(start.elapsed().as_secs_f64());
            processor.push(processor_time() - before);
            reached = belief.positions().len();
        }
    }
    let (positions, candidates) = (belief.positions().len(), candidates(belief.positions()));
    println!("{positions} positions, {candidates} candidates, {reached} positions after:");
    for (threads, (clock, processor)) in threads.into_iter().zip(times) {
        let [clock, processor] = [clock, processor].map(median);
        println!(
            "  {threads} threads: {clock:.3} s, {:.2} M positions/s, {:.1} M candidates/s; {processor:.2} s of processor",
            positions as f64 / clock / 1e6,
            candidates as f64 / clock / 1e6,
        );
    }
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The seconds of processor that all threads of this program have used, in steps of a hundredth; 0 where that is not
/// told.
fn processor_time() -> f64 {
    let told = if OS == "linux" { fs::read_to_string("/proc/self/stat") } else { Ok(String::new()) };
    let told = told.unwrap_or_default();
    let ticks = told.rsplit(')').next().map(|rest| rest.split_whitespace().skip(11).take(2));
    ticks.into_iter().flatten().filter_map(|word| word.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Games of the player against itself: what its beliefs cost a move.
fn whole_games() -> Result<(), Box<dyn Error>> {
    let (mut costs, mut largest) = (Vec::new(), 0);
    for seed in 0..GAMES {
        let mut umpire = Umpire::new(FogOfWar::default());
        let mut players = [player(Color::White, seed)?, player(Color::Black, seed)?];
        let mut random = Random::new(seed);
        while let Some(side) = umpire.turn().filter(|_| umpire.actions().len() < 300) {
            let thought = players[side as usize].think(Budget::Nodes(NODES)).ok_or("no move")?;
            let m = drawn(thought, &mut random).ok_or("no move")?;
            umpire.play(side, m)?;
            if umpire.outcome().is_none() {
                for (color, player) in Color::ALL.into_iter().zip(&mut players) {
                    let start = Instant::now();
                    player
                        .see((side == color).then_some(m), umpire.told(color).ok_or("nothing was told")?)?;
                    costs.push(start.elapsed().as_secs_f64());
                    largest = largest.max(player.belief().positions().len());
                }
            }
        }
    }
    // Two views a move.
    let mean = 2.0 * costs.iter().sum::<f64>() / costs.len() as f64;
    println!(
        "{GAMES} games of the player against itself, {NODES} nodes a move: {:.2} ms of belief a move, {:.2} % of a \
         second; longest step {:.0} ms; largest belief {largest}",
        mean * 1e3,
        mean * 100.0,
        costs.iter().fold(0.0, |most: f64, &cost| most.max(cost)) * 1e3,
    );
    Ok(())
}

fn player(color: Color, seed: u64) -> Result<Player<FogOfWar>, EvalError> {
    let mut name = Obscuro::default();
    (name.settings.seed, name.settings.purify) = (seed, Purify::Off);
    Player::new(FogOfWar::default(), color, &name, Some(2))
}

/// A move by the strategy.
fn drawn(thought: &Thought<Move>, random: &mut Random) -> Option<Move> {
    let mut rest = random.unit();
    let passed = |played: f64| {
        rest -= played;
        rest < 0.0
    };
    let found = thought.candidates.iter().map(|candidate| candidate.played).position(passed);
    thought.candidates.get(found.unwrap_or(0)).map(|candidate| candidate.action)
}
