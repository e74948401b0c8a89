//! How fast positions are valued: all children of a position in one call, on positions of games under fog.
//!
//! Opinions kept from move to move, then with captures played out, each against sums made from nothing; captures
//! under the rules of each game, on the legal moves of chess; and Stockfish at depth 1 over all moves, in the same
//! run, if it is installed. Per second of processor time. Captures are played out anew in every round: nothing is
//! remembered from the one before.
//!
//! `cargo bench --bench eval [-- --net FILE | --hidden N]`

mod processor;

use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use processor::processor_time;
use scuro_core::Random;
use scuro_eval::accumulator::{Accumulators, refreshed};
use scuro_eval::quiescence::{Opinion, Quiescence, Reach};
use scuro_eval::simd::Simd;
use scuro_eval::uci::Uci;
use scuro_eval::{Evaluator, Network, Rules};
use scuro_games::chess::{Board, Move, MoveRules};
use scuro_games::fog::FogState;
use scuro_games::kriegspiel::Ruleset;

const POSITIONS: usize = 2_000;
/// How many of them Stockfish is asked for in a round: it is slow.
const ASKED: usize = 400;
const ROUNDS: usize = 5;

/// A position and its moves.
type Parent = (Board, Vec<Move>);

fn main() -> Result<(), Box<dyn Error>> {
    let network = Arc::new(network()?);
    println!("{network:?}, thousand children a second of processor time, medians of {ROUNDS} rounds in turn");
    for (name, random) in [("games, 3 moves of 10 at random", 0.3), ("random games", 1.0)] {
        let parents = sample(&network, random);
        println!("{name}, {} positions:", parents.len());
        let chess = legal(&parents);
        let mut candidates = opinions(&network, &parents);
        candidates.extend(rules(&network, &chess));
        candidates.extend(stockfish(&parents));
        measure(candidates);
    }
    Ok(())
}

fn opinions<'a>(network: &'a Arc<Network>, parents: &'a [Parent]) -> Vec<Candidate<'a>> {
    let mut candidates: Vec<Candidate<'a>> = Vec::new();
    for simd in [Simd::detect(), Simd::portable()] {
        let new = move || Quiescence::new(Accumulators::new(Arc::clone(network), simd), Reach::default());
        let mut kept = new();
        candidates.push((format!("{} children", simd.name()), Box::new(move || glance(&mut kept, parents))));
        let name = format!("{} children with quiescence", simd.name());
        candidates.push((name, Box::new(move || play_out(new(), parents))));
    }
    let new = || Quiescence::new(Anew(Arc::clone(network)), Reach::default());
    let mut kept = new();
    candidates.push(("children, made anew".to_owned(), Box::new(move || glance(&mut kept, parents))));
    let name = "children with quiescence, made anew".to_owned();
    candidates.push((name, Box::new(move || play_out(new(), parents))));
    candidates
}

/// The same legal children under the rules of each game.
fn rules<'a>(network: &'a Arc<Network>, chess: &'a [Parent]) -> Vec<Candidate<'a>> {
    let games = [("Fog", Rules::Fog), ("RBC", Rules::Rbc), ("Kriegspiel", Rules::Kriegspiel(Ruleset::Icc))];
    let candidate = |(name, rules)| -> Candidate<'a> {
        let new = move || Quiescence::of_network(Arc::clone(network)).under(rules);
        (format!("legal children with quiescence, {name}"), Box::new(move || play_out(new(), chess)))
    };
    games.map(candidate).into()
}

fn stockfish(parents: &[Parent]) -> Option<Candidate<'_>> {
    let mut stockfish = Uci::stockfish();
    match stockfish.value(&Board::start()) {
        Ok(_) => Some(("Stockfish, depth 1".to_owned(), Box::new(move || ask(&mut stockfish, parents)))),
        Err(error) => {
            println!("{error}");
            None
        }
    }
}

/// Its name, and a run that tells its speed.
type Candidate<'a> = (String, Box<dyn FnMut() -> Speed + 'a>);

/// Children a second.
type Speed = f64;

/// Runs the candidates in turn, so that a slow spell of the machine meets all of them.
fn measure(mut candidates: Vec<Candidate<'_>>) {
    let mut speeds = vec![Vec::new(); candidates.len()];
    for _ in 0..ROUNDS {
        for ((_, run), speeds) in candidates.iter_mut().zip(&mut speeds) {
            speeds.push(run());
        }
    }
    for ((name, _), speeds) in candidates.iter().zip(&mut speeds) {
        speeds.sort_by(f64::total_cmp);
        let [least, median, most] =
            [speeds[0], speeds[ROUNDS / 2], speeds[ROUNDS - 1]].map(|speed| speed / 1e3);
        println!("  {name}: {median:.0} k/s ({least:.0} to {most:.0})");
    }
}

fn glance(search: &mut Quiescence<impl Opinion>, parents: &[Parent]) -> Speed {
    let mut scores = Vec::new();
    timed(std::process::id(), || {
        parents.iter().fold(0, |count, (board, moves)| {
            scores.clear();
            search.static_scores(board, moves, &mut scores);
            count + black_box(&scores).len()
        })
    })
}

fn play_out(mut search: Quiescence<impl Opinion>, parents: &[Parent]) -> Speed {
    let mut values = Vec::new();
    timed(std::process::id(), || {
        parents.iter().fold(0, |count, (board, moves)| {
            values.clear();
            // Only an external engine can fail.
            let _ = search.evaluate(board, moves, &mut values);
            count + black_box(&values).len()
        })
    })
}

fn ask(stockfish: &mut Uci, parents: &[Parent]) -> Speed {
    let process = stockfish.process().unwrap_or(0);
    timed(process, || {
        parents[..ASKED]
            .iter()
            .map(|(board, _)| stockfish.think(board, 500).map_or(0, |found| found.len()))
            .sum()
    })
}

/// Counts a second of processor time of a process; of the clock where the system does not tell.
fn timed(process: u32, run: impl FnOnce() -> usize) -> Speed {
    let (clock, before) = (Instant::now(), processor_time(process));
    let count = run() as f64;
    let used = before.and_then(|before| Some(processor_time(process)? - before)).filter(|&used| used > 0.0);
    count / used.unwrap_or_else(|| clock.elapsed().as_secs_f64())
}

fn network() -> Result<Network, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let after = |name: &str| arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1));
    Ok(match (after("--net"), after("--hidden")) {
        (Some(file), _) => Network::read(&fs::read(file)?)?,
        (_, Some(hidden)) => Network::material(hidden.parse()?)?,
        _ => Network::clone(&Network::embedded()),
    })
}

/// Positions of games in which moves are made at random at this rate and are the best otherwise. No king can be
/// taken, and chess has a move: Stockfish knows them too.
fn sample(network: &Arc<Network>, rate: f64) -> Vec<Parent> {
    let mut evaluator = Quiescence::of_network(Arc::clone(network));
    let mut random = Random::new(7);
    let mut parents = Vec::new();
    let mut state = FogState::new(Board::start());
    while parents.len() < POSITIONS {
        let board = *state.board();
        let moves = MoveRules::PseudoLegal.moves(&board);
        let m = if random.unit() < rate {
            moves[random.below(moves.len())]
        } else {
            let mut scores = Vec::new();
            evaluator.scores(&board, &moves, &mut scores);
            // The game goes on, so there is a move.
            scores.into_iter().zip(&moves).max().map_or(moves[0], |(_, &m)| m)
        };
        if !board.in_check(!board.side()) && !MoveRules::Legal.moves(&board).is_empty() {
            parents.push((board, moves));
        }
        state = state.play(m);
        if state.outcome().is_some() {
            state = FogState::new(Board::start());
        }
    }
    parents
}

/// The same positions with the moves that are legal in chess.
fn legal(parents: &[Parent]) -> Vec<Parent> {
    parents.iter().map(|&(board, _)| (board, MoveRules::Legal.moves(&board))).collect()
}

/// The network's opinion with all sums made from nothing.
struct Anew(Arc<Network>);

impl Opinion for Anew {
    fn moved(&mut self, _: &[Board], _: Move) {}

    fn score(&mut self, line: &[Board]) -> i32 {
        line.last().map_or(0, |board| refreshed(&self.0, Simd::detect(), board))
    }
}
