//! How fast the rules are, as ratios in one run: Fog perft 5 against the legal perft 5 of cozy-chess, with
//! and without bulk counting, and the views of both players.
//!
//! `cargo bench --bench rules`

use std::hint::black_box;
use std::time::{Duration, Instant};

use scuro_core::Random;
use scuro_games::chess::{Board, Color, MoveRules};
use scuro_games::fog::lit;
use scuro_games::perft::perft;

const DEPTH: u32 = 5;
const ROUNDS: usize = 15;

fn main() {
    println!("fog perft {DEPTH} against cozy-chess legal perft {DEPTH}, {ROUNDS} rounds in turn, medians");
    for (name, ours, theirs) in [
        ("without bulk counting", fog_perft as fn() -> u64, cozy_perft as fn() -> u64),
        ("with bulk counting", fog_perft_bulk, cozy_perft_bulk),
    ] {
        let [(our_nodes, our_time), (their_nodes, their_time)] = measure_in_turn([ours, theirs]);
        let (our_speed, their_speed) = (speed(our_nodes, our_time), speed(their_nodes, their_time));
        println!(
            "{name}: scuro {our_nodes} nodes, {:.1} M/s; cozy-chess {their_nodes} nodes, {:.1} M/s; \
             ratio {:.2} (whole time {:.2})",
            our_speed / 1e6,
            their_speed / 1e6,
            our_speed / their_speed,
            their_time.as_secs_f64() / our_time.as_secs_f64(),
        );
    }
    let boards = sample();
    let views = || boards.iter().map(lit_of_both).sum();
    let [(_, time)] = measure_in_turn([&views]);
    println!("views of both players: {:.1} M positions/s", speed(boards.len() as u64, time) / 1e6);
}

fn speed(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

/// Runs the candidates in turn, so that a slow spell of the machine meets all of them; answer and median time.
fn measure_in_turn<const N: usize>(candidates: [impl Fn() -> u64; N]) -> [(u64, Duration); N] {
    let mut times: [Vec<Duration>; N] = std::array::from_fn(|_| Vec::new());
    let mut answers = [0; N];
    for _ in 0..ROUNDS {
        for (i, candidate) in candidates.iter().enumerate() {
            let start = Instant::now();
            answers[i] = black_box(candidate());
            times[i].push(start.elapsed());
        }
    }
    std::array::from_fn(|i| {
        times[i].sort_unstable();
        (answers[i], times[i][ROUNDS / 2])
    })
}

fn fog_perft_bulk() -> u64 {
    perft(&Board::start(), MoveRules::PseudoLegal, DEPTH)
}

fn fog_perft() -> u64 {
    fn count(board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut sum = 0;
        if board.king(board.side()).is_some() {
            board.each_pseudo_legal(|piece, m| {
                let mut after = *board;
                after.make_man(piece, m);
                sum += count(&after, depth - 1);
            });
        }
        sum
    }
    count(&Board::start(), DEPTH)
}

fn cozy_perft_bulk() -> u64 {
    fn count(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut sum = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                sum += moves.len() as u64;
            } else {
                for m in moves {
                    let mut after = board.clone();
                    after.play_unchecked(m);
                    sum += count(&after, depth - 1);
                }
            }
            false
        });
        sum
    }
    count(&cozy_chess::Board::default(), DEPTH)
}

fn cozy_perft() -> u64 {
    fn count(board: &cozy_chess::Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut sum = 0;
        board.generate_moves(|moves| {
            for m in moves {
                let mut after = board.clone();
                after.play_unchecked(m);
                sum += count(&after, depth - 1);
            }
            false
        });
        sum
    }
    count(&cozy_chess::Board::default(), DEPTH)
}

/// Boards of random games, as a search would meet them.
fn sample() -> Vec<Board> {
    let mut random = Random::new(7);
    let mut boards = Vec::new();
    while boards.len() < 200_000 {
        let mut board = Board::start();
        for _ in 0..80 {
            let moves = MoveRules::PseudoLegal.moves(&board);
            let Some(&m) = random.pick(&moves) else { break };
            board = board.play(m);
            if board.king(board.side()).is_none() {
                break;
            }
            boards.push(board);
        }
    }
    boards
}

fn lit_of_both(board: &Board) -> u64 {
    u64::from((lit(board, Color::White) ^ lit(board, Color::Black)).len())
}
