//! `scuro table` as it is run: rows against what the paper prints, documents, refusals.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use program::{done, interrupted, out, refused};
use serde_json::Value;

fn document(arguments: &[&str]) -> Value {
    serde_json::from_str(&done(arguments)).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// Whether a number, rounded or cut to as many digits as are printed, is what is printed: the paper does both.
fn is_printed(ours: f64, printed: &Value) -> bool {
    let printed = printed.to_string();
    let digits = printed.split_once('.').map_or(0, |(_, digits)| digits.len());
    let cut = (ours * 10f64.powi(digits as i32)).trunc() / 10f64.powi(digits as i32);
    [ours, cut].iter().any(|number| format!("{number:.digits$}") == printed)
}

/// Table 2 to the printed digits, table 1's blueprints too, and what follows inside what other programs found over
/// many tie-breaks.
#[test]
fn tables_1_and_2_are_those_of_the_paper() {
    let games = ["dark-hex:2x2", "goofspiel:4:increasing", "kuhn", "matching-pennies:100"];
    let mut arguments = vec!["table", "klss", "--json"];
    games.iter().for_each(|game| arguments.extend(["--game", game]));
    let tables = document(&arguments);
    let table2 = tables["table2"].as_array().unwrap();
    assert_eq!(table2.len(), games.len());
    for row in table2 {
        for count in ["nodes", "infosets", "diameter"] {
            assert_eq!(row[count], row[format!("paper_{count}")], "{row}");
        }
        for (ours, printed) in
            row["average"].as_array().unwrap().iter().zip(row["paper_average"].as_array().unwrap())
        {
            assert!((number(ours) - number(printed)).abs() <= 0.005 + 1e-9, "{row}");
        }
    }
    let known = [(0.02083, 0.0625), (0.0, 0.08907), (0.00149, 0.00496), (0.0, 0.00347), (0.00978, 0.00978)];
    let table1 = tables["table1"].as_array().unwrap();
    assert_eq!(table1.len(), known.len());
    for (row, (low, high)) in table1.iter().zip(known) {
        assert!(is_printed(number(&row["blueprint"]), &row["paper_blueprint"]), "{row}");
        assert!((low - 1e-5..high + 1e-5).contains(&number(&row["after"])), "{row}");
        let [least, most] = [0, 1].map(|end| number(&row["after_range"][end]));
        assert!(least <= number(&row["after"]) && number(&row["after"]) <= most, "{row}");
        let paper = number(&row["paper_after"]);
        assert!((least - 1e-4..most + 1e-4).contains(&paper), "{row}");
    }
}

/// Orders 1, 2, 3 and without bound, larger subgames for higher orders, and no worse than before with common
/// knowledge.
#[test]
fn higher_orders_look_at_more() {
    let table = document(&["table", "kluss", "--game", "kuhn", "--game", "dark-hex:2x2", "--json"]);
    let rows = table["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 12);
    for rows in rows.chunks(4) {
        let orders: Vec<_> = rows.iter().map(|row| row["order"].as_u64()).collect();
        assert_eq!(orders, [Some(1), Some(2), Some(3), None]);
        assert!(rows.is_sorted_by_key(|row| number(&row["average_nodes"])), "{rows:?}");
        assert_eq!(rows[1]["klss"], rows[1]["kluss"], "for an even order there is nothing to freeze");
        assert!(number(&rows[3]["klss"]) <= number(&rows[3]["blueprint"]) + 1e-9, "common knowledge is safe");
    }
}

/// On a board that o wins by force: greedy throws some of it away, mixture does not, and nothing beats the exact
/// strategies. No policy does better against another one than the best answer.
#[test]
fn exact_play_is_unbeaten_in_blind_tic_tac_toe() {
    let table = document(&["table", "rbt", "--game", "rbt:.ooxox.x.", "--json"]);
    assert_eq!(table["policies"], serde_json::json!(["greedy", "mixture", "exact"]));
    let row = &table["rows"][0];
    let [low, high] = [0, 1].map(|bound| number(&row["game_value"][bound]));
    assert!(low <= high && high - low <= 1e-6 && (low + 1.0).abs() <= 1e-6, "{row}");
    for one in 0..3 {
        for two in 0..3 {
            let value = number(&row["values"][one][two]);
            let [least, most] =
                [(0, one), (1, two)].map(|(seat, policy)| number(&row["worst"][seat][policy]));
            assert!(least - 1e-9 <= value && value <= most + 1e-9, "{row}");
        }
    }
    let loss = |seat: usize, policy: usize| number(&row["losses"][seat][policy]);
    assert!((0..2).all(|seat| loss(seat, 2) <= 1e-6), "{row}");
    assert!((loss(1, 0) - 0.25).abs() <= 1e-6 && loss(1, 1) <= 1e-6, "{row}");
}

#[test]
fn text_has_a_line_a_row() {
    let text = done(&["table", "klss", "--game", "kuhn"]);
    assert!(text.contains("Kuhn poker, bets bounded"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("printed")).count(), 2, "{text}");
    let text = done(&["table", "kluss", "--game", "kuhn"]);
    assert_eq!(text.lines().count(), 9, "{text}");
    let text = done(&["table", "rbt", "--game", "rbt:xoxxoxo.."]);
    assert_eq!(text.lines().count(), 6, "{text}");
    assert!(text.contains("o mixture") && text.contains("rbt:xoxxoxo..  greedy    -1.00000"), "{text}");
}

#[test]
fn unknown_tables_and_games_are_refused() {
    refused(&["table", "chess"], "'chess'");
    refused(&["table"], "<TABLE>");
    refused(&["table", "klss", "--game", "poker"], "'poker' is not in the tables: known are dark-hex:2x2,");
    refused(&["table", "rbt", "--game", "kuhn"], "'kuhn' is not in this table: its games are rbt:BOARD");
    refused(&["table", "rbt", "--game", "rbt:xxx......"], "the board 'xxx......' has 3 x and 0 o");
    refused(&["table", "rbt", "--game", "rbt"], "rbt is too large: about 6.18e15 nodes");
}

/// Ctrl-C ends a table with the rows that are done; the document says that others are missing.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_with_the_rows_that_are_done() {
    for (table, game, rows) in [
        ("klss", "goofspiel:4:random", "table1"),
        ("kluss", "goofspiel:4:random", "rows"),
        ("rbt", "rbt:x.o.o...x", "rows"),
    ] {
        let output = interrupted(&["table", table, "--game", game, "--json"]);
        assert_eq!((output.status.code(), output.stderr.is_empty()), (Some(130), true));
        let document: Value = serde_json::from_str(&out(&output)).unwrap();
        assert_eq!((&document["interrupted"], &document[rows]), (&true.into(), &Value::Array(Vec::new())));
    }
    let whole = document(&["table", "klss", "--game", "kuhn", "--json"]);
    assert!(whole.get("interrupted").is_none(), "{whole}");
}
