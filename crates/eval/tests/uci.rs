//! Engines that answer, die, stay silent or are not there.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use scuro_eval::Evaluator;
use scuro_eval::uci::{Uci, UciError};
use scuro_games::chess::{Board, MoveRules};

/// A shell script that plays the engine.
fn engine(name: &str, on_go: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in uci) echo uciok;; \
         eval) echo 'Final evaluation       +1.20 (white side)';; go*) {on_go};; esac; done\n"
    );
    // Another process writes it: a child that another test starts meanwhile would keep our file open, and what is open
    // for writing cannot be run.
    let write = r#"printf %s "$1" > "$0" && chmod 755 "$0""#;
    let written = Command::new("sh").args(["-c", write]).arg(&file).arg(script).status().unwrap();
    assert!(written.success());
    file
}

const BLACK: &str = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";

#[test]
fn answers_become_values() {
    let go = "echo 'info depth 1 multipv 1 score cp 60 nodes 1 pv e8e7'; \
              echo 'info depth 1 multipv 2 score mate -3 nodes 1 pv e8d8'; echo 'bestmove e8e7'";
    let mut uci = Uci::new(engine("answers", go), 1);
    let board: Board = BLACK.parse().unwrap();
    assert!((f64::from(uci.value(&board).unwrap()) - 0.1f64.tanh()).abs() < 1e-3);
    assert!((f64::from(uci.static_value(&board).unwrap()) + 0.2f64.tanh()).abs() < 1e-3);
    let mut values = Vec::new();
    uci.evaluate(&board, &["e8e7".parse().unwrap(), "e8d8".parse().unwrap()], &mut values).unwrap();
    assert_eq!(values[1], -1.0);
    // Positions that fog decides are never asked.
    let taken: Board = "4k3/8/8/8/8/8/8/4RK2 w - - 0 1".parse().unwrap();
    assert_eq!(Uci::new("no-such-engine", 1).value(&taken), Ok(1.0));
}

#[test]
fn a_dead_engine_is_reported_and_started_again() {
    let mut uci = Uci::new(engine("dies", "exit 11"), 1);
    let board: Board = BLACK.parse().unwrap();
    for _ in 0..2 {
        assert_eq!(uci.value(&board), Err(UciError::Died(board.to_string())));
        assert!(uci.static_value(&board).is_ok());
    }
}

#[test]
fn a_silent_engine_is_ended() {
    let mut uci = Uci::new(engine("silent", ":"), 1).with_patience(Duration::from_millis(200));
    let board: Board = BLACK.parse().unwrap();
    assert_eq!(uci.value(&board), Err(UciError::Silent(board.to_string())));
}

#[test]
fn a_missing_engine_is_named() {
    let said = Uci::new("no-such-engine", 1).value(&BLACK.parse().unwrap()).unwrap_err().to_string();
    assert!(said.starts_with("cannot start the engine 'no-such-engine': "), "{said}");
    let said = Uci::new(engine("ends", ":"), 1);
    drop(said);
    let said = Uci::new("true", 1).value(&BLACK.parse().unwrap()).unwrap_err().to_string();
    assert!(said.contains("it ended at once"), "{said}");
}

/// Only where Stockfish is installed: all children of positions that chess knows have values.
#[test]
fn stockfish_values_all_children() {
    if !Path::new("/usr/games/stockfish").exists() {
        return;
    }
    let mut uci = Uci::stockfish();
    for fen in
        ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1"]
    {
        let board: Board = fen.parse().unwrap();
        let moves = MoveRules::PseudoLegal.moves(&board);
        let mut values = Vec::new();
        uci.evaluate(&board, &moves, &mut values).unwrap();
        assert_eq!(values.len(), moves.len());
    }
}
