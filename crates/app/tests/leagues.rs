//! `scuro league`, `experiment` and `stats` as they are run: recorded, reported, interrupted.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use std::fs;
use std::path::Path;

use program::{done, json, read, refused, scuro, temporary, with_out};
use serde_json::Value;

#[test]
fn a_league_rates_its_agents_and_goes_on() {
    let folder = temporary("arena_league");
    let file = folder.join("league.json");
    let text = r#"{"agents": ["random", "fleeing", "obscuro:eval=simple,positions=1000"], "games": 4, "control": "60 nodes"}"#;
    fs::write(&file, text).unwrap();
    let out = folder.join("games");
    let arguments = ["league", file.to_str().unwrap(), "--out", out.to_str().unwrap(), "--json"];
    let table = json(&done(&arguments));
    assert_eq!(table["rows"].as_array().unwrap().len(), 3);
    assert_eq!(table["rows"][2]["agent"], "random");
    assert_eq!(table["matches"].as_array().unwrap().len(), 3);
    refused(&arguments, "has games already");
    let mut resumed = arguments.to_vec();
    resumed.push("--resume");
    assert_eq!(json(&done(&resumed))["rows"], table["rows"]);
    // An agent more at the end plays the others, who keep their games.
    let games = read(&out.join("02-03"), "games.jsonl");
    fs::write(&file, text.replace("=1000\"", "=1000\", \"greedy\"")).unwrap();
    assert_eq!(json(&done(&resumed))["matches"].as_array().unwrap().len(), 6);
    assert_eq!(read(&out.join("02-03"), "games.jsonl"), games);
    // A report of a league without recorded games has its agents alone.
    let report = done(&["league", file.to_str().unwrap(), "--report"]);
    assert!(report.lines().count() == 6 && report.contains("| `greedy` |  | 50.0 % |\n"), "{report}");
    refused(&["league", file.to_str().unwrap(), "--report", "--stats"], "needs a league with \"against\"");
    let nowhere = folder.join("nowhere");
    for (wrong, words) in [
        (text.replace("fleeing", "random"), "in the league twice"),
        (text.replace("fleeing", "random:"), "'random:' is in the league twice"),
        (text.replace("=1000", "=none"), "positions must be a number"),
        (text.replace("\"games\"", "\"game\": \"rbc\", \"games\""), "does not play Reconnaissance"),
        (text.replace("fleeing", "nobody"), "unknown agent 'nobody'"),
        (text.replace("60 nodes", "60 pies"), "60 pies"),
        (text.replace("games", "rounds"), "rounds"),
        ("{".to_owned(), "EOF"),
    ] {
        fs::write(&file, wrong).unwrap();
        refused(&["league", file.to_str().unwrap(), "--out", nowhere.to_str().unwrap()], words);
        assert!(!nowhere.exists(), "{words}");
    }
}

/// A league of rows against columns is recorded, reported beside what was published, and goes on from its record.
#[test]
fn a_league_of_two_lists_is_recorded_and_reported() {
    let folder = temporary("arena_league_record");
    let file = folder.join("some.json");
    let text = r#"{"title": "Some", "agents": ["greedy", "random"], "against": ["random", "fleeing"], "games": 2,
        "control": "10 nodes", "paper": [["60-0", "1-59"]]}"#;
    fs::write(&file, text).unwrap();
    let [first, second] = ["first", "second"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let league = ["league", file.to_str().unwrap()];
    let with = |words: &[&str]| done(&[&league, words].concat());
    let empty = with(&["--report"]);
    assert!(empty.starts_with("### Some\n| 2 games at 10 nodes"), "{empty}");
    assert!(empty.contains("| `greedy` | 60-0, - | 1-59, - |  |\n"), "{empty}");
    let table = json(&with(&["--out", &first, "--record", "--json"]));
    assert_eq!(table["rows"].as_array().unwrap().len(), 3);
    assert_eq!(table["matches"].as_array().unwrap().len(), 4);
    let counts = |i: usize| {
        let results = &table["matches"][i];
        format!("{}-{}-{}", results["wins"], results["draws"], results["losses"])
    };
    let report = with(&["--report"]);
    assert!(
        report.contains(&format!("| `greedy` | 60-0, {} | 1-59, {} | ", counts(0), counts(1))),
        "{report}"
    );
    assert!(report.contains(&format!("| `random` | {} | {} | ", counts(2), counts(3))), "{report}");
    assert_eq!(report.lines().count(), 6, "{report}");
    assert_eq!(json(&with(&["--report", "--json"]))["rows"], table["rows"]);
    let stats = with(&["--report", "--stats"]);
    assert!(stats.starts_with(&report) && stats.lines().count() == 11, "{stats}");
    assert!(stats.contains("\n| `greedy` | -; "), "{stats}");
    // From the record the same league goes on elsewhere, and is the same one to the last byte.
    let more = text.replace("\"games\": 2", "\"games\": 3");
    assert_eq!(json(&with(&["--out", &second, "--from-record", "--json"]))["rows"], table["rows"]);
    fs::write(&file, more).unwrap();
    refused(
        &[&league[..], &["--out", &second, "--resume"]].concat(),
        "holds another match: its games is 2, not 3",
    );
    refused(&[&league[..], &["--report", "--out", &second]].concat(), "cannot be used with");
    refused(&[&league[..], &["--record"]].concat(), "--out");
    for (wrong, words) in [
        (
            text.replace("\"1-59\"", "\"1-59\", \"2-58\""),
            "a row for each of the first agents, empty or with 2",
        ),
        (text.replace("\"fleeing\"", "\"random:\""), "'random:' is in the league twice"),
        (text.replace("\"greedy\", \"random\"", ""), "at least two agents"),
    ] {
        fs::write(&file, wrong).unwrap();
        refused(&league, words);
    }
}

#[test]
fn an_experiment_is_played_in_pieces_and_recorded() {
    let folder = temporary("arena_experiment");
    let [out, records] = ["games", "records"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let arguments = [
        "experiment",
        "simple",
        "--out",
        &out,
        "--records",
        &records,
        "--games",
        "2",
        "--nodes",
        "40",
        "--record",
    ];
    assert!(scuro(&arguments).status.success());
    assert!(scuro(&arguments).status.success(), "it goes on without being told");
    let recorded = json(&fs::read_to_string(Path::new(&records).join("simple.json")).unwrap());
    assert_eq!((&recorded["experiment"], &recorded["played"]), (&Value::from("simple"), &Value::from(2)));
    let games = fs::read(Path::new(&out).join("games.jsonl")).unwrap();
    fs::remove_dir_all(&out).unwrap();
    let more = [&arguments[..], &["--from-record"]].concat();
    for _ in 0..2 {
        assert!(done(&more).contains("played        2 of 2"), "it goes on from the recorded games");
        assert_eq!(fs::read(Path::new(&out).join("games.jsonl")).unwrap(), games);
    }
    let list = done(&["experiment", "--records", &records]);
    assert!(list.lines().any(|line| line.starts_with("simple ") && line.contains("of 2")), "{list}");
    let list = json(&done(&["experiment", "--records", &records, "--json"]));
    assert_eq!(list["experiments"][0]["name"], "zs21");
    // Tests run in a folder without records: the program knows those of its clone.
    let list = json(&done(&["experiment", "--json"]));
    assert!(list["experiments"][0]["recorded"]["played"].as_u64().unwrap() > 0, "{list}");
}

/// An experiment goes on by itself: the command that is printed is taken as it is.
#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_experiment_goes_on_as_it_says() {
    let folder = temporary("arena_experiment_interrupted");
    let output = program::interrupted(&with_out("experiment self --nodes 60", &folder, &[]));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{error}");
    let (_, command) = error.trim_end().rsplit_once("go on with: ").unwrap();
    let mut again: Vec<&str> = command.split(' ').skip(1).collect();
    again.extend(["--for", "1ms"]);
    done(&again);
}

#[test]
fn stats_tell_how_games_went() {
    let folder = temporary("arena_stats");
    for game in ["fog", "kriegspiel", "rbc"] {
        let place = folder.join(game);
        let line = format!("match level1 random --game {game} --games 4 --nodes 20 --turns 30");
        let results = json(&done(&with_out(&line, &place, &["--json"])));
        let place = place.to_str().unwrap();
        let stats = json(&done(&["stats", place, "--json"]));
        let pair = &stats["pairs"][0];
        assert_eq!((&stats["game"], &pair["played"]), (&game.into(), &4.into()));
        for name in ["wins", "draws", "losses", "agents"] {
            assert_eq!(pair[name], results[name], "{game}: {name}");
        }
        let (turns, moves) =
            (pair["leads"].as_array().unwrap().len(), pair["moves"]["mean"].as_f64().unwrap());
        assert!(moves > 0.0 && 2.0 * moves <= turns as f64 && turns <= 60, "{pair}");
        let together = &stats["together"];
        let outcomes = together["outcomes"].as_object().unwrap().values();
        assert_eq!(outcomes.filter_map(Value::as_u64).sum::<u64>(), 4, "{together}");
        assert!(together["tries"]["mean"].as_f64().unwrap() >= 1.0, "{together}");
        let text = done(&["stats", place]);
        assert!(text.starts_with("level1 v random: ") && text.contains("\n  White first  "), "{text}");
        assert_eq!(text.contains("people"), game == "kriegspiel", "{text}");
    }
    refused(&["stats", folder.to_str().unwrap()], "no games.jsonl");
}
