//! How fast the umpires of Kriegspiel and of Reconnaissance Blind Chess are: random play from the usual
//! position, choosing and answering together. `scripts/bench_peers` sets it against the programs their players
//! use.
//!
//! `cargo bench --bench umpires [-- --json]`

use std::env;
use std::time::Instant;

use scuro_core::Random;
use scuro_games::chess::{Board, Square};
use scuro_games::kriegspiel::{Answer, KriegspielState, Ruleset};
use scuro_games::rbc::{Moved, Rbc, Sensed, requests};
use serde::Serialize;
use serde_json::json;

const RBC_GAMES: usize = 8_000;
const KRIEGSPIEL_GAMES: usize = 5_000;
/// A game of Kriegspiel is broken off after so many tries: the peers disagree on when it is drawn.
const MOST_TRIES: usize = 300;

/// What was played, and in how many seconds.
#[derive(Serialize)]
struct Run {
    games: usize,
    /// Turns of RBC, answers of Kriegspiel.
    steps: usize,
    /// Moves that were made.
    made: usize,
    seconds: f64,
}

fn main() {
    let rbc = timed(RBC_GAMES, rbc_game);
    let kriegspiel = timed(KRIEGSPIEL_GAMES, kriegspiel_game);
    println!("rbc games/s {:.0}", rbc.games as f64 / rbc.seconds);
    println!("kriegspiel answers/s {:.0}", kriegspiel.steps as f64 / kriegspiel.seconds);
    if env::args().any(|argument| argument == "--json") {
        println!("{}", json!({ "rbc": rbc, "kriegspiel": kriegspiel }));
    }
}

/// Plays `games` games; each tells its steps and the moves that were made.
fn timed(games: usize, mut game: impl FnMut(&mut Random) -> (usize, usize)) -> Run {
    let mut random = Random::new(10);
    let mut run = Run { games, steps: 0, made: 0, seconds: 0.0 };
    let start = Instant::now();
    for _ in 0..games {
        let (steps, made) = game(&mut random);
        run.steps += steps;
        run.made += made;
    }
    run.seconds = start.elapsed().as_secs_f64();
    run
}

/// A whole game, with the record of all that was told. Any square is sensed, any listed move or a pass asked for.
fn rbc_game(random: &mut Random) -> (usize, usize) {
    let rules = Rbc::default();
    let mut state = rules.first();
    let mut record: Vec<(Sensed, Moved)> = Vec::new();
    let mut list = Vec::new();
    while state.outcome().is_none() {
        list.clear();
        requests(state.board(), &mut list);
        let square = Square::try_index(random.below(Square::NUM));
        let request = list.get(random.below(list.len() + 1)).copied();
        // A sense comes first in a turn, and every request of the list is admissible.
        let Ok(sensed) = rules.sense(&mut state, square) else { break };
        let Ok(moved) = rules.request(&mut state, request) else { break };
        record.push((sensed, moved));
    }
    (record.len(), record.iter().filter(|(_, moved)| moved.taken.is_some()).count())
}

/// A game of tries as they are offered at the start of each turn; what was refused is not tried again.
fn kriegspiel_game(random: &mut Random) -> (usize, usize) {
    let mut state = KriegspielState::new(Ruleset::Icc, Board::start());
    let mut answers = Vec::new();
    let mut made = 0;
    let mut offered = Vec::new();
    state.offered(&mut offered);
    while answers.len() < MOST_TRIES && !offered.is_empty() {
        let attempt = offered.swap_remove(random.below(offered.len()));
        let answer = state.take(attempt);
        answers.push(answer);
        if matches!(answer, Answer::Made(_)) {
            made += 1;
            offered.clear();
            state.offered(&mut offered);
        }
    }
    (answers.len(), made)
}
