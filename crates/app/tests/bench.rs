//! `scuro bench` as it is run: one signature in every run, with and without AVX2.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use std::process::Command;

use program::{done, out, refused};
use serde_json::Value;

#[test]
fn the_signature_is_the_same_in_every_run_and_without_avx2() {
    let text = done(&["bench"]);
    let signature = text.lines().last().unwrap().strip_prefix("signature ").unwrap();
    assert!(signature.len() == 16 && signature.chars().all(|c| c.is_ascii_hexdigit()), "{text}");

    let document: Value = serde_json::from_str(&done(&["bench", "--json"])).unwrap();
    assert_eq!(document["signature"], signature);
    assert!(document.get("speed").is_none());
    let positions = document["positions"].as_array().unwrap();
    assert_eq!(positions.len() + 1, text.lines().count());
    for (position, line) in positions.iter().zip(text.lines()) {
        for key in ["name", "fen", "moves", "side", "move"] {
            assert!(position[key].is_string(), "{key}: {position}");
        }
        assert!(position["value"].as_f64().unwrap().abs() <= 1.0, "{position}");
        assert!(position["nodes"].as_u64().unwrap() >= document["nodes"].as_u64().unwrap(), "{position}");
        assert!(line.contains(position["move"].as_str().unwrap()), "{line}: {position}");
    }
    for side in ["white", "black"] {
        assert!(positions.iter().any(|position| position["side"] == side));
    }
    assert!(positions.iter().any(|position| position["belief"].as_u64() > Some(256)), "a sample is drawn");

    let plain = Command::new(env!("CARGO_BIN_EXE_scuro"))
        .args(["bench", "--json", "--speed", "--size", "20000"])
        .env("SCURO_SIMD", "portable")
        .output()
        .unwrap();
    assert!(plain.status.success() && plain.stderr.is_empty(), "{plain:?}");
    let plain: Value = serde_json::from_str(&out(&plain)).unwrap();
    assert_eq!(plain["simd"], "portable");
    assert_eq!(plain["signature"], signature);
    assert_eq!(plain["positions"], document["positions"]);
    let speed = plain["speed"].as_object().unwrap();
    for name in [
        "expansions",
        "new_nodes",
        "grower_nodes",
        "solver_visits",
        "iteration",
        "memory",
        "belief_candidates",
    ] {
        assert!(speed[name]["value"].as_f64().unwrap() > 0.0 && speed[name]["unit"].is_string(), "{name}");
    }
}

#[test]
fn what_is_no_flag_is_refused() {
    refused(&["bench", "--fast"], "--fast");
    assert!(done(&["bench", "--help"]).contains("scuro bench --speed --json"));
}
