//! `scuro play` beyond the first game: levels, hints, the other games, opponents that fail.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use program::{done, out, refused, scuro_reading, temporary};

/// What a game through a pipe prints.
fn played(arguments: &[&str], input: &str) -> String {
    let arguments = [&["play"], arguments].concat();
    let output = scuro_reading(&arguments, input.as_bytes());
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && error.is_empty(), "{arguments:?}: {error}");
    out(&output)
}

#[test]
fn the_engine_plays_at_a_level_and_gives_hints() {
    let printed = played(&["--seed", "1"], "hint\ne4\nhint\nresign\n");
    assert!(printed.contains("you are White against level3 (Casual)"), "{printed}");
    assert_eq!(printed.matches("The engine would play ").count(), 2, "{printed}");
    assert!(printed.contains("[Black \"level3\"]"), "{printed}");
    let printed = played(&["--level", "1", "--side", "black", "--seed", "1"], "resign\n");
    assert!(printed.contains("you are Black against level1 (First steps)"), "{printed}");
    assert!(printed.contains("White has moved."), "{printed}");
    let printed = played(&["--opponent", "greedy", "--movetime", "5ms", "--seed", "1"], "e4\nresign\n");
    assert!(printed.contains("against greedy"), "{printed}");
}

/// A hint knows what the player knows: in games that she cannot tell apart all that she reads is the same.
#[test]
fn hints_do_not_tell_what_is_hidden() {
    let read = |seed: &str| {
        let arguments = ["--opponent", "random", "--seed", seed];
        let printed = played(&arguments, "a3\nhint\nresign\n");
        let (told, hidden) = printed.split_once("Black wins").unwrap();
        let pgn = &hidden[hidden.find("1. a3").unwrap()..];
        (told.to_owned(), pgn.to_owned())
    };
    // No first move of Black is in sight of a pawn on a3, and these are different ones.
    let games = ["1", "2", "3"].map(read);
    assert!(games.iter().all(|game| game.0 == games[0].0), "{games:?}");
    assert!(games.iter().any(|game| game.1 != games[0].1), "{games:?}");
}

#[test]
fn kriegspiel_is_tries_and_what_the_umpire_says() {
    let file = temporary("kriegspiel").join("game.pgn");
    let name = file.to_str().unwrap();
    let arguments = ["--game", "kriegspiel", "--ruleset", "english", "--seed", "4", "--save", name];
    let printed = played(&arguments, "help\nmoves\nhint\ne2e9\ne2e5\nany?\nany?\nexd3\nNf3\nresign\n0\n");
    for words in [
        "Kriegspiel: you are White against a random mover",
        "any?         ask",
        "exd3",
        "There are no hints in Kriegspiel yet.",
        "'e2e9' is not a move",
        "none of your men could ever make the move e2e5",
        "You asked \"any?\": no.",
        "You tried e2d3: illegal.",
        "Black moved: White to move",
        "Black wins: resignation",
        "[Ruleset \"english\"]",
    ] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    assert!(done(&["verify", name]).contains("disagreements 0"));
}

#[test]
fn rbc_is_a_sense_and_a_move() {
    let file = temporary("rbc").join("game.pgn");
    let name = file.to_str().unwrap();
    let input = "e2e4\nsense e7\ne4\nd2\npass\nnone\nQh5\nresign\n0\n";
    let printed = played(&["--game", "rbc", "--seed", "4", "--save", name], input);
    for words in [
        "Reconnaissance Blind Chess: you are White against a random mover",
        "'e2e4' is not a square: first sense one",
        "You sensed e7: d8=q e8=k f8=b d7=p e7=p f7=p d6=. e6=. f6=..",
        "You moved e2e4.",
        "Black's turn: nothing of yours was captured.",
        "You passed.",
        "You sensed nothing.",
        "You moved d1h5.",
        "Black wins: resignation",
    ] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    assert!(done(&["verify", name]).contains("disagreements 0"));
}

/// Whoever fails loses, and the person is told why.
#[cfg(unix)]
#[test]
fn an_opponent_that_fails_loses() {
    let arguments = ["play", "--opponent", "cmd:sh -c 'exit 3'"];
    let output = scuro_reading(&arguments, b"e4\n");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    for (arguments, words) in [
        (&["play", "--level", "9"][..], "'9' is not a level from 1 to 8"),
        (&["play", "--level", "3", "--movetime", "1s"], "cannot be used with"),
        (&["play", "--level", "3", "--opponent", "random"], "cannot be used with"),
        (&["play", "--game", "rbc", "--level", "3"], "level3 does not play Reconnaissance Blind Chess"),
        (&["play", "--game", "kriegspiel", "--opponent", "obscuro"], "obscuro does not play Kriegspiel"),
        (&["play", "--opponent", "nobody"], "unknown agent 'nobody'"),
        (&["play", "--ruleset", "house"], "unknown ruleset 'house'"),
    ] {
        refused(arguments, words);
    }
}

/// The version says what the program is made of, and the manual pages are written.
#[test]
fn the_version_and_the_manual() {
    let version = done(&["--version"]);
    assert!(version.starts_with("scuro 0.") && version.contains(" (commit "), "{version}");
    let described = done(&["net", "info"]);
    let hash = described.lines().find_map(|line| line.strip_prefix("hash")).unwrap().trim().to_owned();
    assert!(version.contains(&format!("network {hash})")), "{version} {described}");
    let folder = temporary("man").join("man1");
    done(&["man", folder.to_str().unwrap()]);
    let page = std::fs::read_to_string(folder.join("scuro-play.1")).unwrap();
    assert!(page.contains(".TH scuro-play 1") && page.contains("kriegspiel"), "{page}");
}
