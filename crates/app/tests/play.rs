//! `scuro play` beyond the first game: levels, hints, the other games, opponents that fail.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use program::{done, out, refused, scuro_reading, temporary};
use scuro_games::chess::Color;
use scuro_games::records::convert;
use scuro_games::review::{Upto, known};

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

/// A hint knows what the player knows: in games that it cannot tell apart all that it reads is the same.
#[test]
fn hints_do_not_tell_what_is_hidden() {
    for (game, input) in [("fog", "a3\n"), ("kriegspiel", "a3\n"), ("rbc", "none\na3\n")] {
        let read = |seed: &str| {
            let arguments = ["--game", game, "--opponent", "random", "--seed", seed];
            let printed = played(&arguments, &format!("{input}hint\nresign\n"));
            assert!(printed.contains("The engine would play "), "{printed}");
            let (told, hidden) = printed.split_once("Black wins").unwrap();
            let pgn = &hidden[hidden.find("1. a3").unwrap()..];
            (told.to_owned(), pgn.to_owned())
        };
        // No first move of Black is in sight of a pawn on a3, and these are different ones.
        let games = ["1", "2", "3"].map(read);
        assert!(games.iter().all(|game| game.0 == games[0].0), "{games:?}");
        assert!(games.iter().any(|game| game.1 != games[0].1), "{games:?}");
    }
}

/// The engine is the opponent in every game unless another is asked for, at a level or at full strength.
#[test]
fn the_engine_plays_every_game() {
    for (game, strongest, input) in
        [("kriegspiel", "particles", "e4\nhint\nresign\n"), ("rbc", "recon", "hint\nb7\ne4\nresign\n")]
    {
        let printed = played(&["--game", game, "--seed", "1"], input);
        assert!(printed.contains("against level3 (Casual)"), "{printed}");
        assert!(printed.contains("The engine would play "), "{printed}");
        assert!(printed.contains("[Black \"level3\"]"), "{printed}");
        let printed = played(&["--game", game, "--movetime", "5ms", "--side", "black"], "resign\n");
        assert!(printed.contains(&format!("you are Black against {strongest}")), "{printed}");
    }
}

#[test]
fn kriegspiel_is_tries_and_what_the_umpire_says() {
    let file = temporary("kriegspiel").join("game.pgn");
    let name = file.to_str().unwrap();
    let arguments = [
        &["--game", "kriegspiel", "--ruleset", "english", "--opponent", "random"][..],
        &["--seed", "4", "--save", name],
    ];
    let input = "help\nmoves\ne2e9\ne2e5\nany?\nany?\nexd3\nNf3\nresign\n0\n";
    let printed = played(&arguments.concat(), input);
    for words in [
        "Kriegspiel: you are White against a random mover",
        "any?         ask",
        "exd3",
        "'e2e9' is not a move",
        "none of your pieces could ever make the move e2e5",
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
    let arguments = ["--game", "rbc", "--opponent", "random", "--seed", "4", "--save", name];
    let printed = played(&arguments, input);
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

/// Until the end a person reads what its seat was told, in order, its own board, and nothing else.
#[test]
fn what_is_read_is_what_the_seat_was_told() {
    for (game, input) in [
        ("kriegspiel", "e4\nexd5\nd4\nd5\nNf3\nNc3\nBd3\nO-O\na3\nh3\n"),
        ("rbc", "b7\ne4\ne7\ne4e5\nc6\nQh5\nnone\npass\nf7\nQxf7\n"),
    ] {
        for seed in ["2", "5"] {
            let printed = played(&["--game", game, "--opponent", "random", "--seed", seed], input);
            let (until_the_end, rest) = printed.split_once("The input has ended").unwrap();
            let pgn = &rest[rest.find("[Event").unwrap()..];
            let record = convert::read(pgn.as_bytes()).unwrap()[0].record().unwrap();
            let known = known(&record, Upto::End, Color::White).unwrap();
            let told = known.told.iter().filter(|line| !line.starts_with("at the start"));
            let told: Vec<String> = told.map(|line| line.to_lowercase() + ".").collect();
            let complaints = ["'", "no move fits", "none of your pieces", "it is"];
            let read = until_the_end.lines().skip(2).filter(|line| {
                !line.is_empty()
                    && !line.starts_with("  ")
                    && !complaints.iter().any(|word| line.starts_with(word))
            });
            let read: Vec<String> = read.map(str::to_lowercase).collect();
            assert_eq!(read, told, "{game}, seed {seed}: {printed}");
            assert!(told.len() >= 6, "{game}, seed {seed}: {printed}");
        }
    }
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
        (
            &["play", "--game", "rbc", "--opponent", "greedy"],
            "greedy does not play Reconnaissance Blind Chess",
        ),
        (&["play", "--game", "kriegspiel", "--opponent", "zs21"], "zs21 does not play Kriegspiel"),
        (&["play", "--opponent", "fleeing"], "fleeing sees the whole board: it plays in matches alone"),
        (&["play", "--fen", "8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1"], "--fen: the game is over"),
        (&["play", "--game", "chess"], "'chess' for '--game <GAME>'"),
        (&["play", "--opponent", "nobody"], "unknown agent 'nobody'"),
        (&["play", "--ruleset", "house"], "unknown ruleset 'house'"),
        (
            &["play", "--game", "rbc", "--ruleset", "icc"],
            "--ruleset: Reconnaissance Blind Chess has no rulesets",
        ),
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
