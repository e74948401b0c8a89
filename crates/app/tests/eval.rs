//! `scuro eval` as a user runs it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use program::{done, out, refused, scuro_reading, temporary};
use serde_json::Value;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_position_has_two_values_and_children_in_uci_order() {
    let text = done(&["eval", "--fen", START, "--children"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("static ") && lines[1].starts_with("value "), "{text}");
    assert_eq!(lines.len(), 22, "{text}");
    let moves: Vec<&str> = lines[2..].iter().map(|line| line.split_once(' ').unwrap().0).collect();
    assert!(moves.is_sorted() && moves[0] == "a2a3", "{text}");

    let document = json(&done(&["eval", "--fen", START, "--children", "--json"]));
    assert_eq!(document["fen"], START);
    for key in ["static", "value"] {
        assert!(document[key].as_f64().unwrap().abs() <= 1.0);
    }
    let children = document["children"].as_array().unwrap();
    assert_eq!(children.len(), 20);
    for (child, line) in children.iter().zip(&lines[2..]) {
        assert_eq!(format!("{} {}", child[0].as_str().unwrap(), child[1]), **line);
    }
    let document = json(&done(&["eval", "--fen", START, "--json"]));
    assert!(document.get("children").is_none());
}

#[test]
fn a_king_that_can_be_taken_is_worth_one() {
    for net in [&[][..], &["--net", "simple"]] {
        let fen = "4k3/8/8/8/8/8/8/4RK2 w - - 0 1";
        let document = json(&done(&[&["eval", "--fen", fen, "--json", "--children"], net].concat()));
        assert_eq!(document["value"], 1.0);
        let taken = document["children"].as_array().unwrap().iter().find(|child| child[0] == "e1e8").unwrap();
        assert_eq!(taken[1], 1.0);
    }
}

#[test]
fn many_positions_are_answered_in_order_and_bad_lines_say_why() {
    let lines = format!("{START}\n{{\"fen\": \"{START}\", \"ply\": 3}}\n\n");
    let output = scuro_reading(&["eval", "--fens", "-"], lines.as_bytes());
    assert!(output.status.success());
    let text = out(&output);
    let answers: Vec<&str> = text.lines().collect();
    assert_eq!((answers.len(), answers[0]), (2, answers[1]));
    assert_eq!(json(answers[0])["fen"], START);

    let bad = format!("nonsense\n{START}\n{{\"fen\": 3}}\n{{\"fen\n8/8/8/8/8/8/8/K7 w - - 0 1\n\u{0}\n");
    let output = scuro_reading(&["eval", "--fens", "-", "--children", "--json"], bad.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let answers: Vec<Value> = out(&output).lines().map(json).collect();
    assert_eq!(answers.len(), 6);
    assert!(answers[1].get("error").is_none() && answers[1]["children"].is_array());
    for (answer, words) in answers.iter().zip(["6 fields", "", "'fen'", "not JSON", "Black has 0 kings", ""])
    {
        assert!(answer["fen"].is_string());
        assert!(answer["error"].as_str().unwrap_or_default().contains(words), "{answer}");
    }
}

#[test]
fn a_file_may_be_a_network_and_a_broken_one_is_refused() {
    let folder = temporary("eval-networks");
    let file = folder.join("some.net");
    let name = file.to_str().unwrap();
    let whole = scuro_eval::Network::material(64).unwrap().write();
    std::fs::write(&file, &whole).unwrap();
    let text = done(&["eval", "--fen", "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", "--net", name]);
    assert!(text.starts_with("static 0.99"), "{text}");

    let mut damaged = whole.clone();
    damaged[1000] ^= 1;
    for (bytes, words) in [
        (&damaged[..], "damaged network: its hash is"),
        (&whole[..500], "network of 500 bytes, expected"),
        (b"\x7fELF and so on", "not a network of Scuro: expected it to begin with 'SCURONET'"),
        (b"", "found ''"),
    ] {
        std::fs::write(&file, bytes).unwrap();
        refused(&["eval", "--fen", START, "--net", name], words);
    }
    refused(&["eval", "--fen", START, "--net", folder.join("none").to_str().unwrap()], "cannot read");
    refused(&["eval", "--fen", START, "--net", folder.to_str().unwrap()], "cannot read");
}

#[test]
fn bad_input_is_refused() {
    refused(&["eval"], "--fen");
    refused(&["eval", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"], "Black has 0 kings");
    refused(&["eval", "--fen", START, "--fens", "-"], "cannot be used with");
    refused(&["eval", "--fens", "no-such-file"], "cannot open no-such-file");
}
