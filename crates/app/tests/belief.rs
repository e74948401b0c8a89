//! `scuro belief` as it is run: fits and tests on recorded games, and what it refuses.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use std::fs;
use std::path::PathBuf;

use program::{done, refused, temporary};
use scuro_games::Variant;
use serde_json::Value;

/// A few games of players that see little, and their folder.
fn games(game: Variant, folder: &str) -> PathBuf {
    let folder = temporary(folder);
    let line = format!("match level1 random --game {} --games 6 --nodes 50 --turns 12 --out", game.word());
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words.push(folder.to_str().unwrap());
    done(&words);
    folder
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&done(arguments)).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_fit_finds_numbers_and_foresees_better_than_uniform_play() {
    for game in Variant::DARK {
        let folder = games(game, &format!("belief-fit-{}", game.word()));
        let (place, table) = (folder.to_str().unwrap(), folder.join("table.txt"));
        let found = json(&["belief", "fit", place, "--json", "--table", table.to_str().unwrap()]);
        assert_eq!(found["game"], game.word());
        for name in ["moves", "temperature", "mix", "nats", "uniform_nats", "softmax_nats", "table_nats"] {
            assert!(found[name].as_f64().unwrap() > 0.0, "{found}");
        }
        let [by_values, by_looks] = ["softmax_nats", "table_nats"].map(|name| found[name].as_f64().unwrap());
        assert_eq!(found["nats"].as_f64().unwrap(), by_values.min(by_looks));
        assert_eq!(found["model"], if by_values <= by_looks { "softmax" } else { "table" });
        // Random movers play as uniform play does.
        assert!(found["nats"].as_f64().unwrap() < found["uniform_nats"].as_f64().unwrap() + 0.2, "{found}");
        let numbers = fs::read_to_string(&table).unwrap();
        assert!(numbers.split_whitespace().all(|word| word.parse::<i32>().is_ok()));
        let on_itself = json(&["belief", "fit", place, "--test", place, "--json"]);
        assert!(on_itself["moves"].as_u64().unwrap() > found["moves"].as_u64().unwrap());
        assert!(on_itself["nats"].as_f64().unwrap() <= on_itself["uniform_nats"].as_f64().unwrap());
        let text = done(&["belief", "fit", place]);
        assert!(text.contains("temperature") && text.contains("nats a move"), "{text}");
    }
}

/// A folder of `scripts/rbc_rivals` has histories, and lines of its own in games.jsonl.
#[test]
fn a_fit_reads_the_histories_of_a_match_in_reconchess() {
    let played = games(Variant::Reconnaissance, "belief-histories-played").join("games.jsonl");
    let folder = temporary("belief-histories");
    fs::create_dir_all(&folder).unwrap();
    for (number, line) in (1..).zip(fs::read_to_string(played).unwrap().lines()) {
        let [game, history] =
            [format!("{number}.jsonl"), format!("game_{number:04}.json")].map(|name| folder.join(name));
        fs::write(&game, line).unwrap();
        let [game, history] = [&game, &history].map(|path| path.to_str().unwrap());
        done(&["convert", game, "--to", "history", "--out", history]);
    }
    fs::write(folder.join("games.jsonl"), "{\"number\": 1}\n").unwrap();
    let found = json(&["belief", "fit", folder.to_str().unwrap(), "--game", "rbc", "--json"]);
    assert!(found["moves"].as_u64().unwrap() > 30, "{found}");
}

#[test]
fn a_test_compares_both_beliefs_turn_by_turn() {
    for game in Variant::DARK {
        let folder = games(game, &format!("belief-test-{}", game.word()));
        let place = folder.to_str().unwrap();
        let found = json(&["belief", "test", place, "--positions", "300", "--json"]);
        assert_eq!(keys(&found), ["both", "game", "plies", "turns", "uniform", "weighted"]);
        let turns = found["turns"].as_u64().unwrap();
        assert!(
            found["game"] == game.word() && turns > 100 && found["both"].as_u64().unwrap() > 30,
            "{found}"
        );
        for belief in ["uniform", "weighted"] {
            let mut known = vec!["empty", "lost", "nats", "rank", "refilled", "size"];
            known.extend((game == Variant::Reconnaissance).then_some("size_before"));
            known.push("truth");
            assert_eq!(keys(&found[belief]), known);
            assert_eq!(keys(&found[belief]["size"]), ["median", "p90", "p99"]);
            assert!(found[belief]["size"]["p99"].as_u64().unwrap() <= 300);
        }
        let plies = found["plies"].as_array().unwrap();
        assert_eq!(plies.iter().map(|ply| ply["turns"].as_u64().unwrap()).sum::<u64>(), turns);
        // At the start there is nothing to guess.
        assert_eq!((&plies[0]["ply"], &plies[0]["uniform"]["nats"]), (&0.into(), &0.0.into()));
        // The same games, one at a time and two at a time, and from the file.
        let file = folder.join("games.jsonl");
        let again = json(&[
            "belief",
            "test",
            file.to_str().unwrap(),
            "--positions",
            "300",
            "--threads",
            "2",
            "--json",
        ]);
        assert_eq!(again, found);
        let text = done(&["belief", "test", place, "--movetime", "5ms"]);
        assert!(text.contains("rank of the truth") && text.contains("weighted"), "{text}");
    }
}

#[test]
fn bad_input_is_one_line() {
    refused(&["belief", "test", "nowhere.pgn"], "cannot open nowhere.pgn");
    let empty = temporary("belief-empty");
    refused(&["belief", "fit", empty.to_str().unwrap()], "no games.jsonl and no game_*.json in this folder");
    let fog = games(Variant::FogOfWar, "belief-other");
    let place = fog.to_str().unwrap();
    refused(&["belief", "test", place, "--game", "rbc"], "not of Reconnaissance Blind Chess");
    refused(&["belief", "test", place, "--positions", "0"], "--positions");
    refused(&["belief", "test", place, "--positions", "9", "--movetime", "1s"], "--movetime");
    refused(&["belief", "test"], "RECORDS");
    refused(&["belief", "fit", place, "--table", "/nowhere/table.txt"], "/nowhere/table.txt");
    let file = fog.join("games.jsonl");
    let one = fs::read_to_string(&file).unwrap().lines().next().unwrap().to_owned();
    fs::write(&file, format!("{one}\n")).unwrap();
    refused(&["belief", "fit", place], "too few moves");
    fs::write(&file, one.replacen("\"moves\":\"", "\"moves\":\"e2e5 ", 1) + "\n").unwrap();
    refused(&["belief", "test", place], "games.jsonl: game 1: e2e5");
}
