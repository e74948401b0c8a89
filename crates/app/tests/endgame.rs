//! `scuro endgame` as it is run: games, values, and what it refuses.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use program::{done, refused};
use serde_json::Value;

#[test]
fn games_end_in_one_line_and_are_the_same_with_the_same_seed() {
    for ending in ["KRK", "kqk"] {
        for against in ["random", "worst", "fleeing"] {
            let line = done(&["endgame", ending, "--play", "8", "--against", against]);
            assert!(line.starts_with("won 8 of 8, drawn 0, lost 0, mean "), "{line}");
            assert_eq!(line, done(&["endgame", ending, "--play", "8", "--against", against]));
            assert_ne!(line, done(&["endgame", ending, "--play", "8", "--against", against, "--seed", "5"]));
        }
    }
}

#[test]
fn documents_have_the_same_numbers() {
    let arguments = ["endgame", "KRK", "--play", "5", "--by", "metapositions"];
    let found: Value = serde_json::from_str(&done(&[&arguments[..], &["--json"]].concat())).unwrap();
    let number = |name: &str| found[name].as_f64().unwrap();
    assert_eq!(found["by"], "metapositions");
    assert_eq!((&found["ending"], &found["game"]), (&"KRK".into(), &"kriegspiel".into()));
    let line = format!(
        "won {} of 5, drawn {}, lost {}, mean {:.1} moves, longest {}\n",
        number("won"),
        number("drawn"),
        number("lost"),
        number("mean"),
        number("longest")
    );
    assert_eq!(done(&arguments), line);
}

#[test]
fn king_and_pawn_have_a_value() {
    let value: Value = serde_json::from_str(&done(&["endgame", "KPK", "--prove", "--json"])).unwrap();
    let value = value["value"].as_f64().unwrap();
    assert_eq!(done(&["endgame", "KPK", "--prove"]), format!("value {value:.4}\n"));
    let line = done(&["endgame", "KPK", "--play", "20"]);
    assert!(line.starts_with("won ") && line.contains(" of 20, drawn "), "{line}");
}

#[test]
fn in_fog_obscuro_plays() {
    let arguments =
        ["endgame", "KQK", "--game", "fog", "--play", "1", "--against", "random", "--movetime", "10ms"];
    let line = done(&arguments);
    assert!(line.contains(" of 1, drawn ") && line.contains(", longest "), "{line}");
}

#[test]
fn what_does_not_go_together_is_refused_by_name() {
    for (words, said) in [
        ("KXK --prove", "KXK"),
        ("KRK", "--play"),
        ("KRK --prove --game fog", "--prove: proofs are of Kriegspiel"),
        ("KRK --play 1 --game fog --against worst", "--against worst: Fog of War"),
        ("KRK --play 1 --game fog --by proof", "--by: in Fog of War"),
        ("KRK --play 1 --by patterns", "--by patterns"),
        ("KPK --play 1 --by proof", "--by: KPK is played by patterns"),
        ("KRK --play 1 --movetime 1s", "--movetime: only obscuro"),
        ("KRK --play 0", "'0'"),
        ("KRK --play 1 --against nobody", "nobody"),
        ("KPK --prove --out /dev/null", "--out: KPK"),
        ("KRK --prove --out /nowhere/file", "/nowhere/file"),
        ("KRK --play 1 --out file", "--prove"),
    ] {
        let arguments: Vec<&str> = ["endgame"].into_iter().chain(words.split(' ')).collect();
        refused(&arguments, said);
    }
}

/// What is proved by then is kept.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_proof_is_kept() {
    let file = program::temporary("endgame-interrupted").join("KBBK.table");
    let output = program::interrupted(&["endgame", "KBBK", "--prove", "--out", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(130));
    assert!(program::out(&output).contains(" placements, longest "), "{output:?}");
    assert!(file.metadata().unwrap().len() > 0);
}
