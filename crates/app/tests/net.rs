//! `scuro net` as it is run: a whole pipeline in small, tables, and what is refused.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use std::fs;
use std::path::Path;

use program::{done, refused, scuro, temporary};
use scuro_eval::training::records::{Record, Score, Shard};
use scuro_games::chess::Board;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A folder of records: positions along two games, one of them kept for validation.
fn records(folder: &Path) {
    let mut shard = Shard { depth: 1, records: Vec::new() };
    for game in [64, 65] {
        let mut board = Board::start();
        for step in 0..40 {
            shard.records.extend(Record::new(&board, Score::Centipawns(step * 10), true, game));
            let mut moves = Vec::new();
            board.legal(&mut moves);
            board = board.play(moves[(step as usize * 7 + game as usize) % moves.len()]);
        }
    }
    fs::write(folder.join("000000.records"), shard.bytes()).unwrap();
}

#[test]
fn a_small_training_makes_a_network_that_can_be_tested() {
    let folder = temporary("net_train");
    records(&folder);
    let (net, curve) = (folder.join("small.net"), folder.join("small.svg"));
    let train = [
        "net",
        "train",
        text(&folder),
        "--out",
        text(&net),
        "--hidden",
        "32",
        "--positions",
        "400",
        "--batch",
        "40",
    ];
    let more = ["--threads", "1", "--curve", text(&curve)];
    let printed = done(&[&train[..], &more[..]].concat());
    assert!(printed.starts_with("40 positions, 40 of other games\n"), "{printed}");
    assert!(fs::read_to_string(&curve).unwrap().starts_with("<svg"));
    let info = done(&["net", "info", text(&net)]);
    assert!(info.contains("hidden units    32 a side") && info.contains("400 positions of 40"), "{info}");
    // It is finished: the same command changes nothing, another rate is refused.
    let before = fs::read(&net).unwrap();
    done(&[&train[..], &more[..]].concat());
    assert_eq!(fs::read(&net).unwrap(), before);
    refused(&[&train[..], &more[..], &["--rate", "0.1"]].concat(), "other settings");
    let state = folder.join("small.training");
    let next = folder.join("next.net");
    done(&["net", "train", text(&folder), "--from", text(&state), "--positions", "40", "--out", text(&next)]);
    let positions = folder.join("positions.jsonl");
    let lines = [
        r#"{"fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","value":0.5,"children":[["e2e4",10,null,0.2],["e1d1",0,null,-0.1]]}"#,
        r#"{"fen":"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1","value":1.0}"#,
    ];
    fs::write(&positions, lines.join("\n")).unwrap();
    for net in [text(&net), "simple"] {
        let table = done(&["net", "test", "--net", net, text(&positions)]);
        for row in [
            "all                            1",
            "lost by best child             1",
            "king takes, exactly 1          1              1.0000",
        ] {
            assert!(table.contains(row), "{table}");
        }
    }
    let json = done(&["net", "test", text(&positions), "--json"]);
    assert!(json.contains(r#""king_takes":{"positions":1,"value":1.0}"#), "{json}");
    assert!(json.contains(r#""level":{"positions":0,"static":null,"value":null}"#), "{json}");
}

#[test]
fn wrong_input_is_refused_in_one_line() {
    let folder = temporary("net_wrong");
    let missing = folder.join("missing");
    let out = folder.join("out.net");
    let data = folder.join("data");
    refused(&["net", "data", text(&data), "--stockfish", text(&missing)], "cannot start the engine");
    refused(&["net", "train", text(&missing), "--out", text(&out)], "missing");
    refused(&["net", "train", text(&folder), "--out", text(&out)], "no records in this folder");
    records(&folder);
    refused(
        &["net", "label", text(&folder), text(&data), "--stockfish", text(&missing)],
        "cannot start the engine",
    );
    refused(&["net", "train", text(&folder), "--out", text(&out), "--hidden", "33"], "multiple of 32");
    refused(&["net", "label", text(&folder), text(&data), "--per-game", "nan"], "not a number from 0");
    let shard = folder.join("000000.records");
    let bytes = fs::read(&shard).unwrap();
    fs::write(&shard, &bytes[..bytes.len() - 3]).unwrap();
    refused(&["net", "train", text(&folder), "--out", text(&out)], "damaged: the header tells of 80 records");
    refused(&["net", "info", text(&shard)], "not a network of Scuro");
    refused(&["net", "test", text(&shard)], "line 1");
    fs::write(&shard, "{\"fen\":\"4k3/8/8/8/8/8/4P3/8 w - - 0 1\",\"value\":0}").unwrap();
    refused(&["net", "test", text(&shard)], "king");
}

/// Needs Stockfish: without it there is nothing to see here.
#[test]
fn data_are_made_and_labelled_by_a_teacher() {
    let teacher = scuro_eval::uci::Uci::stockfish_program();
    if std::process::Command::new(&teacher).stdin(std::process::Stdio::null()).output().is_err() {
        return;
    }
    let folder = temporary("net_data");
    let (data, deep) = (folder.join("data"), folder.join("deep"));
    let printed = done(&["net", "data", text(&data), "--games", "20", "--threads", "1"]);
    assert!(printed.contains(" records in 1 files, "), "{printed}");
    // All is there already.
    assert_eq!(done(&["net", "data", text(&data), "--games", "20"]), printed);
    let output = scuro(&["net", "label", text(&data), text(&deep), "--depth", "2", "--per-game", "1"]);
    assert!(output.status.success());
    let labelled = Shard::load(&deep.join("000000.records")).unwrap();
    assert!(
        labelled.depth == 2 && labelled.records.iter().all(Record::quiet) && !labelled.records.is_empty()
    );
}
