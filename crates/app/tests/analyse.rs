//! `scuro analyse` as it is run: documents, the same answer every time, refusals.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use program::{done, refused};
use serde_json::Value;

const ASKED: [&str; 10] =
    ["analyse", "--game", "fog", "--side", "white", "--nodes", "3000", "--threads", "1", "--json"];

#[test]
fn the_same_question_has_the_same_answer() {
    let mut asked = ASKED.to_vec();
    asked.extend(["--moves", "c2c4 d7d5", "--gap", "--seed", "3"]);
    let text = done(&asked);
    assert_eq!(text, done(&asked));
    let document: Value = serde_json::from_str(&text).unwrap();
    for key in ["move", "value", "strategy", "belief", "squares", "tree", "pmax", "gap"] {
        assert!(!document[key].is_null(), "{key}: {text}");
    }
    let strategy = document["strategy"].as_array().unwrap();
    for column in ["probability", "played"] {
        let sum: f64 = strategy.iter().map(|entry| entry[column].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{column}: {sum}");
    }
    assert!(document["tree"]["nodes"].as_u64().unwrap() >= 3000, "{text}");
    assert!(document["gap"].as_f64().unwrap() >= 0.0);
    // After 1. c4 d5 White sees the pawn on d5: every position of the belief has it, by either measure.
    let pawn = &document["squares"]["d5"]["p"];
    assert!((pawn[0].as_f64().unwrap() - 1.0).abs() < 1e-9, "{pawn}");
    assert!((pawn[1].as_f64().unwrap() - 1.0).abs() < 1e-9, "{pawn}");
}

/// A king that can be taken is taken, and the game is worth all there is.
#[test]
fn it_takes_the_king() {
    let fen = "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1";
    let mut asked = ASKED.to_vec();
    asked.extend(["--fen", fen]);
    let document: Value = serde_json::from_str(&done(&asked)).unwrap();
    assert_eq!(document["move"], "e2e8");
    assert!(document["value"].as_f64().unwrap() > 0.999, "{document}");
    assert!(document["gap"].is_null());
}

#[test]
fn what_cannot_be_thought_about_is_refused() {
    refused(&["analyse", "--side", "black", "--nodes", "10"], "not the turn of --side");
    refused(&["analyse", "--side", "white"], "--movetime");
    refused(&["analyse", "--side", "white", "--movetime", "5"], "'5' is not a time");
    refused(&["analyse", "--side", "white", "--nodes", "10", "--moves", "e2e5"], "ply 1");
    refused(&["analyse", "--side", "white", "--nodes", "10", "--agent", "obscuro:order=9"], "order must be");
    let over = ["analyse", "--side", "black", "--nodes", "10", "--fen", "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1"];
    let mut over = over.to_vec();
    over.extend(["--moves", "e2e8"]);
    refused(&over, "over");
}
