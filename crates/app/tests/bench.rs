//! `scuro bench` as it is run: the same signatures in every run, with and without AVX2.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use std::process::Command;

use program::{done, out, refused};
use scuro_games::Variant;
use serde_json::Value;

/// The signature of each game. A change of play changes them, and says so in its commit.
const SIGNATURES: [(Variant, &str); 3] = [
    (Variant::FogOfWar, "d79353fed5f1939f"),
    (Variant::Kriegspiel, "ddb22a59d05eaf43"),
    (Variant::Reconnaissance, "32b26c082950b610"),
];

/// Of all games together.
const SIGNATURE: &str = "b82a15ab6b263cf8";

/// What `--speed` measures of each game.
const SPEEDS: [&str; 9] = [
    "expansions",
    "new_nodes",
    "grower_nodes",
    "solver_visits",
    "iteration",
    "memory",
    "belief_candidates",
    "weigh_20000_network",
    "weigh_100000_table",
];

/// What it measures of the players of one game alone.
const KRIEGSPIEL_SPEEDS: [&str; 1] = ["darkboard_5000"];
const RBC_SPEEDS: [&str; 2] = ["matrix_values", "notice_1000000"];

#[test]
fn the_signatures_are_the_same_in_every_run_and_without_avx2() {
    let text = done(&["bench"]);
    let (decided, signed): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| !line.starts_with("signature "));
    let expected = SIGNATURES.map(|(game, signature)| format!("signature {} {signature}", game.word()));
    let expected: Vec<String> = expected.into_iter().chain([format!("signature {SIGNATURE}")]).collect();
    assert_eq!(signed, expected);
    assert_eq!(text.lines().last(), expected.last().map(String::as_str));

    let document: Value = serde_json::from_str(&done(&["bench", "--json"])).unwrap();
    check_document(&document, &decided);
    assert!(document.get("speed").is_none());

    let plain = Command::new(env!("CARGO_BIN_EXE_scuro"))
        .args(["bench", "--json", "--speed", "--size", "20000"])
        .env("SCURO_SIMD", "portable")
        .output()
        .unwrap();
    assert!(plain.status.success() && plain.stderr.is_empty(), "{plain:?}");
    let plain: Value = serde_json::from_str(&out(&plain)).unwrap();
    assert_eq!(plain["simd"], "portable");
    for key in ["signature", "signatures", "nodes", "positions"] {
        assert_eq!(plain[key], document[key], "{key}");
    }
    let speed = plain["speed"].as_object().unwrap();
    assert_eq!(speed.len(), Variant::DARK.len());
    for game in Variant::DARK {
        let own: &[&str] = match game {
            Variant::Kriegspiel => &KRIEGSPIEL_SPEEDS,
            Variant::Reconnaissance => &RBC_SPEEDS,
            _ => &[],
        };
        assert_eq!(speed[game.word()].as_object().unwrap().len(), SPEEDS.len() + own.len(), "{game}");
        for &name in SPEEDS.iter().chain(own) {
            assert!(speed[game.word()][name].as_f64().unwrap() > 0.0, "{game} {name}: {speed:?}");
        }
    }
}

/// One document: the signatures, and the decisions that the text has in these lines.
fn check_document(document: &Value, lines: &[&str]) {
    assert_eq!(document["signature"], SIGNATURE);
    let signatures = document["signatures"].as_object().unwrap();
    assert_eq!(signatures.len(), SIGNATURES.len());
    for (game, signature) in SIGNATURES {
        assert_eq!(signatures[game.word()], signature, "{game}");
    }
    let positions = document["positions"].as_array().unwrap();
    assert_eq!(positions.len(), lines.len());
    for (position, line) in positions.iter().zip(lines) {
        for key in ["game", "name", "fen", "moves", "side", "move"] {
            assert!(position[key].is_string(), "{key}: {position}");
        }
        assert!(position["value"].as_f64().unwrap().abs() <= 1.0, "{position}");
        assert!(position["nodes"].as_u64().unwrap() > 0, "{position}");
        assert!(line.starts_with(position["game"].as_str().unwrap()), "{line}: {position}");
        assert!(line.contains(position["move"].as_str().unwrap()), "{line}: {position}");
    }
    for game in Variant::DARK {
        let of_game = || positions.iter().filter(|position| position["game"] == game.word());
        for side in ["white", "black"] {
            assert!(of_game().any(|position| position["side"] == side), "{game} {side}");
        }
        assert!(
            of_game().any(|position| position["belief"].as_u64() > Some(256)),
            "{game}: a sample is drawn"
        );
    }
}

#[test]
fn what_is_no_flag_is_refused() {
    refused(&["bench", "--fast"], "--fast");
    let help = done(&["bench", "--help"]);
    assert!(help.contains("scuro bench --speed --json"));
    SPEEDS.iter().chain(&RBC_SPEEDS).for_each(|name| assert!(help.contains(name), "{name}"));
}
