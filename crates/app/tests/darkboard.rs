//! `scuro book` and `scuro tune` as they are run: from games to openings, and weights that evolve.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use std::fs;
use std::path::Path;
use std::process::Command;

use program::{done, out, refused, temporary};
use serde_json::Value;

const TUNE: [&str; 8] = ["tune", "darkboard", "--generations", "2", "--games", "1", "--nodes", "1"];

fn tune<'a>(folder: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    [&TUNE[..], &["--out", folder.to_str().unwrap()], more].concat()
}

/// Which individuals won what, without the folder.
fn rankings(text: &str, folder: &Path) -> String {
    text.replace(folder.to_str().unwrap(), "")
}

#[test]
fn openings_are_made_from_won_games_and_played() {
    let folder = temporary("darkboard_book");
    let (games, book) = (folder.join("games"), folder.join("book"));
    let (games, book) = (games.to_str().unwrap(), book.to_str().unwrap());
    let play = ["match", "darkboard", "random", "--game", "kriegspiel", "--games", "24", "--nodes", "20"];
    done(&[&play[..], &["--out", games]].concat());
    let document: Value =
        serde_json::from_str(&done(&["book", "make", games, "--out", book, "--json"])).unwrap();
    assert_eq!(document["games"], 24);
    assert_eq!(document["players"][0], "darkboard");
    let text = fs::read_to_string(book).unwrap();
    let of = |side: &str| text.lines().filter(|line| line.starts_with(side)).count();
    assert_eq!(
        (of("white").into(), of("black").into()),
        (document["white"].clone(), document["black"].clone())
    );
    assert!(text.lines().count() > 0 && text.lines().all(|line| line.split(' ').count() >= 8), "{text}");
    let agent = format!("darkboard:book={book}");
    done(&["match", &agent, "random", "--game", "kriegspiel", "--games", "2", "--nodes", "20"]);
    refused(
        &[
            "match",
            "darkboard:book=missing",
            "random",
            "--game",
            "kriegspiel",
            "--games",
            "1",
            "--nodes",
            "1",
        ],
        "book=missing",
    );
    refused(&["book", "make", "missing", "--out", book], "missing");
}

#[test]
fn evolution_goes_on_where_it_was_interrupted_and_can_be_shared() {
    let whole = temporary("darkboard_tune");
    let expected = rankings(&done(&tune(&whole, &[])), &whole);
    assert_eq!(expected.lines().count(), 2);
    // What is done already is said again.
    assert_eq!(rankings(&done(&tune(&whole, &[])), &whole), expected);
    let stopped = temporary("darkboard_tune_stopped");
    #[cfg(target_os = "linux")]
    {
        // So many generations that it cannot be done when the signal comes.
        let mut long = tune(&stopped, &[]);
        long[3] = "999";
        let output = program::interrupted(&long);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(130), "{error}");
        assert!(error.contains("go on with: "), "{error}");
    }
    assert_eq!(rankings(&done(&tune(&stopped, &[])), &stopped), expected);
    let shared = temporary("darkboard_tune_shared");
    let shards = ["1/2", "2/2"].map(|shard| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scuro"));
        command.args(tune(&shared, &["--shard", shard])).stdout(std::process::Stdio::piped()).spawn().unwrap()
    });
    for shard in shards {
        assert_eq!(rankings(&out(&shard.wait_with_output().unwrap()), &shared), expected);
    }
    refused(&["tune", "random", "--generations", "1", "--out", "x"], "random");
}
