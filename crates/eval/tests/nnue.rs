//! Networks of Stockfish against Stockfish itself, where it is installed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod positions;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use positions::each_random_position;
use scuro_eval::evaluator::of_file;
use scuro_eval::nnue::Nnue;
use scuro_eval::{NetworkError, Rules};
use scuro_games::chess::{Board, Color};

const STOCKFISH: &str = "/usr/games/stockfish";

fn stockfish(input: &str) -> String {
    let mut process = Command::new(STOCKFISH).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    String::from_utf8(process.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn its_network_gives_what_stockfish_says() {
    if !Path::new(STOCKFISH).exists() {
        return;
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stockfish.nnue");
    stockfish(&format!("export_net {}\nquit\n", file.display()));
    let nnue = Nnue::read(&std::fs::read(&file).unwrap()).unwrap();
    let mut boards: Vec<Board> = Vec::new();
    each_random_position(21, 3_000, |board| {
        let quiet = Color::ALL.into_iter().all(|color| !board.in_check(color));
        if quiet && boards.len() < 60 && board.number() % 7 == 0 {
            boards.push(*board);
        }
    });
    let questions: String = boards.iter().map(|board| format!("position fen {board}\neval\n")).collect();
    let said = stockfish(&format!("{questions}quit\n"));
    let answers = said.lines().filter_map(|line| line.strip_prefix("NNUE evaluation"));
    let answers: Vec<f64> =
        answers.map(|rest| rest.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert_eq!(answers.len(), boards.len());
    for (board, answer) in boards.iter().zip(answers) {
        let sign = if board.side() == Color::White { 1.0 } else { -1.0 };
        let ours = sign * f64::from(nnue.internal(board)) / 361.0;
        assert!((ours - answer).abs() < 0.0051, "{board}: {ours}, Stockfish says {answer}");
    }
}

#[test]
fn other_networks_of_stockfish_are_refused() {
    let mut file = [0x20, 0x2f, 0xf3, 0x7a, 1, 2, 3, 4, 0, 0, 0, 0].to_vec();
    let said = of_file(&file, Rules::Fog).err().unwrap();
    assert_eq!(said, NetworkError::Size { expected: 47_001_424, found: 12 });
    file.resize(47_001_424, 0);
    let said = of_file(&file, Rules::Fog).err().unwrap().to_string();
    assert!(said.contains("architecture 04030201, expected 1c102ef2"), "{said}");
}
