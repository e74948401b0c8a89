//! `scuro solve` and `scuro exploit` as they are run: values, documents, files, refusals, Ctrl-C.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use program::{done, interrupted, out, refused, scuro, scuro_reading, temporary};
use serde_json::Value;

const KEYS: [&str; 12] = [
    "game",
    "method",
    "value",
    "exploitability",
    "seats",
    "iterations",
    "seconds",
    "visits_per_second",
    "nodes",
    "infosets",
    "bytes_per_node",
    "game_value",
];

fn document(arguments: &[&str]) -> Value {
    serde_json::from_str(&done(arguments)).unwrap()
}

fn number(document: &Value, key: &str) -> f64 {
    document[key].as_f64().unwrap()
}

/// The keys of a JSON object in the order of the text: those that stand before it are elsewhere in the document.
fn are_in_order(text: &str, keys: &[&str]) -> bool {
    let places: Vec<usize> = keys.iter().map(|key| text.find(&format!("\"{key}\":")).unwrap()).collect();
    places.is_sorted()
}

#[test]
fn known_values_by_every_method() {
    for (game, value) in [("kuhn", -1.0 / 18.0), ("leduc", -0.0856)] {
        for method in ["pcfr+", "cfr+", "cfr", "dcfr", "lp"] {
            let text = done(&["solve", game, "--method", method, "--raw", "--json"]);
            assert!(text.lines().count() == 1 && are_in_order(&text, &KEYS), "{text}");
            let document: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(document.as_object().unwrap().len(), KEYS.len(), "{text}");
            assert_eq!((&document["game"], &document["method"]), (&game.into(), &method.into()));
            let close = if method == "lp" { 1e-6 + 5e-5 } else { 0.02 };
            assert!((number(&document, "value") - value).abs() < close, "{text}");
            let exploitability = number(&document, "exploitability");
            assert!((0.0..if method == "lp" { 1e-6 } else { 0.05 }).contains(&exploitability), "{text}");
            let [one, two] = [0, 1].map(|seat| document["seats"][seat].as_f64().unwrap());
            assert!(one >= 0.0 && two >= 0.0, "{text}");
            assert!((one / 2.0 + two / 2.0 - exploitability).abs() < 1e-9, "{text}");
            let [low, high] = [0, 1].map(|bound| document["game_value"][bound].as_f64().unwrap());
            // Without the linear program, which has its time only, the bounds are wider.
            assert!(low <= high && low - 5e-5 <= value && value <= high + 5e-5, "{text}");
            assert!(high - low < if method == "lp" { 1e-5 } else { 0.05 }, "{text}");
            assert_eq!(document["iterations"], if method == "lp" { 0 } else { 1000 });
        }
    }
}

/// Payoffs are in [-1, 1] unless they are wanted raw: the one are a multiple of the other.
#[test]
fn payoffs_are_normalised_unless_raw() {
    let (normalised, raw) =
        (document(&["solve", "leduc", "--json"]), document(&["solve", "leduc", "--raw", "--json"]));
    for key in ["value", "exploitability"] {
        assert!((13.0 * number(&normalised, key) - number(&raw, key)).abs() < 1e-12, "{key}");
    }
    let pennies = document(&["solve", "matching-pennies:100", "--method", "lp", "--raw", "--json"]);
    assert!((number(&pennies, "value") - 16.9975247525).abs() < 1e-4, "{pennies}");
}

#[test]
fn flags_choose_what_they_say() {
    let visits = |document: &Value| number(document, "visits_per_second") * number(document, "seconds");
    let run =
        |flags: &[&str]| document(&[&["solve", "leduc", "--iterations", "100", "--json"], flags].concat());
    let (plain, whole) = (run(&[]), run(&["--no-pruning"]));
    assert!(visits(&plain) < visits(&whole) && plain["exploitability"] == whole["exploitability"]);
    let others = [run(&["--iterate", "last"]), run(&["--updates", "simultaneous"])];
    assert!(others.iter().all(|other| other["exploitability"] != plain["exploitability"]));
    let until = document(&["solve", "leduc", "--until", "0.001", "--raw", "--json"]);
    assert!(number(&until, "exploitability") <= 0.001, "{until}");
    assert!((100.0..1500.0).contains(&number(&until, "iterations")), "{until}");
}

/// What is not reached is said, with what there is: the answer is no.
#[test]
fn until_gives_up() {
    let output = scuro(&["solve", "kuhn", "--method", "cfr", "--until", "1e-12", "--json"]);
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
    assert!(error.contains("1000000 iterations"), "{error}");
    let document: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(document["iterations"], 1_000_000);
}

/// A strategy is read back to the last bit, also from the input.
#[test]
fn strategies_go_to_files_and_back() {
    let folder = temporary("strategies");
    for game in
        ["leduc", "appendix-c", "matching-pennies:4", "goofspiel:4:increasing", "phantom-ttt:xoxoxo..."]
    {
        let file = folder.join("strategy.json");
        let name = file.to_str().unwrap();
        let solved = document(&["solve", game, "--iterations", "20", "--json", "--strategy", name]);
        let text = done(&["exploit", game, name, "--json"]);
        let keys = ["game", "value", "exploitability", "seats", "nodes", "infosets", "game_value"];
        assert!(are_in_order(&text, &keys), "{text}");
        let exploited: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(exploited.as_object().unwrap().len(), keys.len(), "{text}");
        // How well the game's value is known depends on how fast the machine is; these do not.
        for key in ["game", "value", "exploitability", "nodes", "infosets"] {
            assert_eq!(exploited[key], solved[key], "{game} {key}");
        }
        let piped = scuro_reading(&["exploit", game, "-", "--json"], &std::fs::read(&file).unwrap());
        let piped: Value = serde_json::from_str(&out(&piped)).unwrap();
        assert_eq!(piped["exploitability"], exploited["exploitability"]);
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "drafts were left behind");
}

/// Where both players have an infoset of the same label, all labels tell their player.
#[test]
fn labels_are_plain_unless_shared() {
    let folder = temporary("labels");
    let file = folder.join("strategy.json");
    let labels = |game: &str| {
        done(&["solve", game, "--iterations", "1", "--strategy", file.to_str().unwrap()]);
        let strategy: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let names = strategy.as_object().unwrap().keys().filter(|name| *name != "format");
        names.cloned().collect::<Vec<String>>()
    };
    let plain = labels("leduc");
    assert!(plain.len() == 936 && plain.contains(&"Js".to_owned()), "{plain:?}");
    let efg = folder.join("shared.efg");
    std::fs::write(&efg, SHARED).unwrap();
    assert_eq!(labels(efg.to_str().unwrap()), ["1:hidden", "2:hidden"]);
}

/// Matching pennies in which heads pay three times as much: both play heads with 1/3.
const SHARED: &str = r#"EFG 2 R "pennies" { "A" "B" }
p "" 1 1 "hidden" { "h" "t" } 0
p "" 2 1 "hidden" { "h" "t" } 0
t "" 1 "" { 3, -3 }
t "" 2 "" { -1, 1 }
p "" 2 1 0
t "" 2
t "" 3 "" { 1, -1 }
"#;

#[test]
fn gambit_files_are_games() {
    let file = temporary("gambit").join("shared.efg");
    let name = file.to_str().unwrap();
    std::fs::write(&file, SHARED).unwrap();
    let raw = document(&["solve", name, "--method", "lp", "--raw", "--json"]);
    assert!((number(&raw, "value") - 1.0 / 3.0).abs() < 1e-9, "{raw}");
    let normalised = document(&["solve", name, "--method", "lp", "--json"]);
    assert!((number(&normalised, "value") + 1.0 / 3.0).abs() < 1e-9, "{normalised}");
    std::fs::write(&file, SHARED.replace("t \"\" 2\n", "t \"\" 9\n")).unwrap();
    refused(&["solve", name], &format!("{name}: line 7, column"));
    std::fs::write(&file, SHARED.replace("{ 3, -3 }", "{ 3, 3 }")).unwrap();
    refused(&["exploit", name, "-"], &format!("{name}: line 4, column"));
    refused(&["solve", "no/such/game.efg"], "cannot read no/such/game.efg");
}

/// A long chain is solved or refused; it does not run out of stack.
#[test]
fn deep_games_are_refused() {
    let folder = temporary("deep");
    let (file, strategy) = (folder.join("chain.efg"), folder.join("chain.json"));
    let (name, strategy) = (file.to_str().unwrap(), strategy.to_str().unwrap());
    let write = |plies: usize| {
        let mut text = "EFG 2 R \"chain\" { \"A\" \"B\" }\n".to_owned();
        for ply in 0..plies {
            text += &format!("p \"\" {} {ply} \"\" {{ \"go\" \"stop\" }} 0\n", 1 + ply % 2);
        }
        text += "t \"\" 1 \"\" { 1, -1 }\n";
        text += &"t \"\" 2 \"\" { -1, 1 }\n".repeat(plies);
        std::fs::write(&file, text).unwrap();
    };
    write(10_000);
    let solved = document(&["solve", name, "--iterations", "2", "--strategy", strategy, "--json"]);
    assert_eq!((&solved["nodes"], &solved["infosets"]), (&20_001.into(), &10_000.into()));
    assert_eq!(document(&["exploit", name, strategy, "--json"])["exploitability"], solved["exploitability"]);
    for plies in [10_001, 200_000] {
        write(plies);
        refused(&["solve", name], &format!("{name}: the game has more than 10000 plies"));
    }
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for (arguments, words) in [
        (&["solve"][..], "<GAME>"),
        (&["solve"], "(see scuro solve --help)"),
        (&["solve", "chess"], "unknown game 'chess': known are kuhn[:CARDS], leduc"),
        (&["solve", "chess"], "strategy-fusion[:WORLDS], or the path of an .efg file"),
        (&["solve", "kuhn:x"], "CARDS of kuhn must be a whole number, not 'x'"),
        (
            &["solve", "phantom-ttt:xxx"],
            "scuro: the board 'xxx' has 3 cells, not nine characters of x, o and .\n",
        ),
        (&["solve", "kuhn", "--method", "magic"], "[possible values: pcfr+, cfr+, cfr, dcfr, lp]"),
        (&["solve", "kuhn", "--iterate", "first"], "'first'"),
        (&["solve", "kuhn", "--updates", "late"], "'late'"),
        (&["solve", "kuhn", "--iterations", "0"], "not a whole number above 0"),
        (&["solve", "kuhn", "--iterations", "-1"], "not a whole number above 0 (see scuro solve --help)"),
        (&["solve", "kuhn", "--iterations", "5", "--until", "0.1"], "cannot be used with"),
        (&["solve", "kuhn", "--until", "0"], "not a number above 0"),
        (&["solve", "kuhn", "--until", "-0.5"], "not a number above 0"),
        (&["solve", "kuhn", "--until", "NaN"], "not a number above 0"),
        (&["solve", "kuhn", "--until", "soon"], "not a number above 0"),
        (
            &["solve", "kuhn", "--method", "lp", "--iterations", "5"],
            "--iterations says nothing with --method lp",
        ),
        (&["solve", "kuhn", "--method", "lp", "--until", "0.1"], "--until says nothing"),
        (&["solve", "kuhn", "--method", "lp", "--iterate", "last"], "--iterate says nothing"),
        (&["solve", "kuhn", "--method", "lp", "--updates", "simultaneous"], "--updates says nothing"),
        (&["solve", "kuhn", "--method", "lp", "--no-pruning"], "--no-pruning says nothing"),
        (&["solve", "kuhn", "--method", "lp", "--plot", "a.svg"], "--plot says nothing"),
        (&["solve", "kuhn", "--strategy", "no/such/folder/a.json"], "cannot write no/such/folder/a.json"),
        (&["solve", "kuhn", "--strategy", "."], "cannot write ."),
        (&["solve", "kuhn", "--plot", "no/such/folder/a.svg"], "cannot write no/such/folder/a.svg"),
        (&["solve", "kuhn", "--plot", "-"], "--plot writes to a file, not to standard output"),
        (&["solve", "kuhn", "--strategy", "-"], "--strategy writes to a file, not to standard output"),
        (&["solve", "kuhn", "--plot", "a.png"], "--plot draws SVG: 'a.png' does not end in .svg"),
        (
            &["solve", "kuhn", "--plot", "a.svg", "--strategy", "./a.svg"],
            "--strategy and --plot are the same file",
        ),
        (&["solve", "phantom-ttt"], "phantom-ttt is too large: about 2.0"),
        (&["solve", "rbt"], "rbt is too large: about 6.18e15 nodes, 3.1e5 TB; "),
        (&["solve", "liars-dice:7", "--method", "lp"], "too large for --method lp: "),
        (&["exploit", "kuhn"], "<STRATEGY-FILE>"),
        (&["exploit", "kuhn", "no/such/file.json"], "cannot read no/such/file.json"),
    ] {
        refused(arguments, words);
    }
}

/// Every way in which a file is no strategy: the offending part is named.
#[test]
fn bad_strategies_are_refused_by_their_part() {
    let folder = temporary("bad");
    let file = folder.join("strategy.json");
    let name = file.to_str().unwrap();
    done(&["solve", "appendix-c", "--iterations", "1", "--strategy", name]);
    // Without the number of its format a file is one of the first ones.
    let good = std::fs::read_to_string(&file).unwrap().replace("\n  \"format\": 1,", "");
    std::fs::write(&file, &good).unwrap();
    done(&["exploit", "appendix-c", name]);
    let mut lines: Vec<&str> = good.lines().collect();
    let (label, action) = {
        let words: Vec<&str> = lines[1].split('"').collect();
        (words[1], words[3])
    };
    let first = lines[1].to_owned();
    lines.remove(1);
    let others = lines[1..].join("\n");
    let at = |first: &str| format!("{{{first},\n{others}");
    let rest = first.split_once(", ").unwrap().1.trim_end_matches(',');
    let entry = |probability: &str| at(&format!("\"{label}\": {{\"{action}\": {probability}, {rest}"));
    for (text, words) in [
        ("not json".to_owned(), "not a strategy".to_owned()),
        ("[1]".to_owned(), "expected an object at line 1 column 0".to_owned()),
        (format!("{{{others}"), format!("the infoset '{label}' is missing")),
        (at("\"format\": 2"), "a strategy of format 2: this program reads up to 1".to_owned()),
        (at("\"nowhere\": 2"), "'nowhere' is 2, not an object".to_owned()),
        (at("\"nowhere\": {}"), "the game has no infoset 'nowhere'".to_owned()),
        (
            at(&format!("{first}\n{}", first.trim_end_matches(','))),
            format!("infoset '{label}' is there twice"),
        ),
        (at(&format!("\"{label}\": {{\"{action}\": 1.0}}")), format!("infoset '{label}': the action '")),
        (
            at(&format!("\"{label}\": {{\"jump\": 1.0}}")),
            format!("infoset '{label}': there is no action 'jump', only {action}"),
        ),
        (
            at(&format!("\"{label}\": {{\"{action}\": 0.5, \"{action}\": 0.5}}")),
            format!("the action '{action}' is there twice"),
        ),
        (entry("-0.5"), format!("infoset '{label}': the action '{action}' has probability -0.5")),
        (entry("1.5"), format!("the action '{action}' has probability 1.5")),
        (entry("1e308"), format!("the action '{action}' has probability 1e308, not")),
        (entry("NaN"), "not a strategy".to_owned()),
        (entry("null"), "not a strategy".to_owned()),
        (entry("1e999"), "number out of range".to_owned()),
        (entry("0.2"), "the probabilities sum to".to_owned()),
    ] {
        std::fs::write(&file, &text).unwrap();
        refused(&["exploit", "appendix-c", name], &words);
    }
    std::fs::write(&file, b"\xff\xfe").unwrap();
    refused(&["exploit", "appendix-c", name], "cannot read");
}

/// A curve in a picture that stands alone.
#[test]
fn plots_are_drawn() {
    let file = temporary("plot").join("leduc.svg");
    done(&["solve", "leduc", "--iterations", "200", "--raw", "--plot", file.to_str().unwrap()]);
    let picture = std::fs::read_to_string(&file).unwrap();
    for words in ["<svg", "leduc", "exploitability", "iterations", "0.01", "100", "</svg>"] {
        assert!(picture.contains(words), "{words}: {picture}");
    }
    // Two looks, two marks, and one beside the name; a long line has none, and its name neither.
    let marks = |iterations: &str| {
        done(&["solve", "kuhn", "--iterations", iterations, "--plot", file.to_str().unwrap()]);
        std::fs::read_to_string(&file).unwrap().matches("<circle").count()
    };
    assert_eq!((marks("2"), marks("10000")), (3, 0));
}

/// Ctrl-C ends the iterations: everything that was asked for is written from what there is.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_with_what_there_is() {
    let file = temporary("interrupted").join("kuhn.json");
    let name = file.to_str().unwrap();
    let output =
        interrupted(&["solve", "kuhn", "--iterations", "1000000000000", "--json", "--strategy", name]);
    assert_eq!(output.status.code(), Some(130));
    let solved: Value = serde_json::from_str(&out(&output)).unwrap();
    assert!(number(&solved, "iterations") >= 1.0, "{solved}");
    assert_eq!(document(&["exploit", "kuhn", name, "--json"])["exploitability"], solved["exploitability"]);
}

/// A linear program has nothing to show before its end; that is said, and nothing else.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_linear_program_says_so() {
    let output = interrupted(&["solve", "goofspiel:5:increasing", "--method", "lp", "--json"]);
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(130), ""));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "scuro: interrupted: the linear program has nothing to show\n");
}

/// The player itself, asked at every infoset: with common knowledge and as solved she is hardly exploitable.
#[test]
fn a_player_is_measured_exactly() {
    let asked = ["exploit", "kuhn", "--agent", "obscuro:order=inf,purify=raw,opening=root", "--json"];
    let document = document(&asked);
    assert!(number(&document, "exploitability") < 0.01, "{document}");
    refused(&["exploit", "kuhn"], "STRATEGY-FILE");
    refused(&["exploit", "kuhn", "x.json", "--agent", "obscuro"], "--agent");
    refused(&["exploit", "kuhn", "--agent", "stockfish"], "unknown agent");
}
