//! `scuro analyse` as it is run: documents in every game, the same answer every time, records, refusals.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use program::{done, refused, temporary};
use scuro_games::chess::{Board, Color, letter};
use scuro_games::dark::{DarkGame, Rules};
use scuro_games::records::Ply;
use scuro_games::umpire::Umpire;
use scuro_games::{Variant, with_game};
use serde_json::Value;

const ASKED: [&str; 10] =
    ["analyse", "--game", "fog", "--side", "white", "--nodes", "3000", "--threads", "1", "--json"];

/// The document of a small analysis.
fn analysed(arguments: &[&str]) -> Value {
    let usual = ["analyse", "--nodes", "300", "--threads", "1", "--agent", "obscuro:eval=simple", "--json"];
    serde_json::from_str(&done(&[&usual, arguments].concat())).unwrap()
}

/// Histories with captures, a refused try and senses, after which White is to move.
const HISTORIES: [(Variant, &str); 3] = [
    (Variant::FogOfWar, "e2e4 d7d5 e4d5 d8d5"),
    (Variant::Kriegspiel, "e2e4 d7d5 e4f5 e4d5 d8d5"),
    (Variant::Reconnaissance, "b7 e2e4 e3 d7d5 d6 e4d5 d4 d8d5"),
];

/// The true board after these plies.
fn board_after<G: DarkGame>(game: G, plies: &str) -> Board {
    let mut umpire = Umpire::new(game);
    for word in plies.split_whitespace() {
        let action = G::action(word.parse::<Ply>().unwrap()).unwrap();
        umpire.play(umpire.turn().unwrap(), action).unwrap();
    }
    *G::true_board(umpire.state())
}

#[test]
fn the_same_question_has_the_same_answer() {
    let mut asked = ASKED.to_vec();
    asked.extend(["--moves", "c2c4 d7d5", "--gap", "--seed", "3"]);
    let text = done(&asked);
    assert_eq!(text, done(&asked));
    let document: Value = serde_json::from_str(&text).unwrap();
    for key in ["game", "move", "value", "strategy", "belief", "squares", "tree", "pmax", "gap"] {
        assert!(!document[key].is_null(), "{key}: {text}");
    }
    assert!(document["tree"]["nodes"].as_u64().unwrap() >= 3000, "{text}");
    assert!(document["gap"].as_f64().unwrap() >= 0.0);
    // After 1. c4 d5 White sees the pawn on d5: every position of the belief has it, by either measure.
    let pawn = &document["squares"]["d5"]["p"];
    assert!((pawn[0].as_f64().unwrap() - 1.0).abs() < 1e-9, "{pawn}");
    assert!((pawn[1].as_f64().unwrap() - 1.0).abs() < 1e-9, "{pawn}");
}

#[test]
fn every_game_is_analysed() {
    for (game, plies) in HISTORIES {
        let document = analysed(&["--game", game.word(), "--moves", plies, "--gap"]);
        assert_eq!(document["game"], game.word());
        assert_eq!(document["belief"]["exact"], true);
        assert!(document["belief"]["size"].as_u64().unwrap() >= 1);
        assert!(document["value"].as_f64().unwrap().abs() <= 1.0 && !document["gap"].is_null());
        let strategy = document["strategy"].as_array().unwrap();
        assert!(strategy.iter().any(|entry| entry["move"] == document["move"]), "{document}");
        for column in ["probability", "played"] {
            let sum: f64 = strategy.iter().map(|entry| entry[column].as_f64().unwrap()).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{game}, {column}: {sum}");
        }
        // The truth is possible: each of Black's pieces may stand where it stands, and there is one king.
        let rules = Rules::new(game, Board::start(), Default::default()).unwrap();
        let board = with_game!(rules, game => board_after(game, plies));
        let squares = document["squares"].as_object().unwrap();
        for square in board.colors(Color::Black) {
            let letter = letter(board.piece_there(square), Color::Black).to_string();
            assert!(squares[&square.to_string()][&letter][0].as_f64().unwrap() > 0.0, "{game}: {square}");
        }
        let kings = squares.values().filter_map(|pieces| pieces.get("k")?[0].as_f64()).sum::<f64>();
        assert!((kings - 1.0).abs() < 1e-9, "{game}: {kings}");
    }
}

#[test]
fn the_text_tells_where_their_pieces_may_stand() {
    let (game, plies) = HISTORIES[2];
    let text =
        done(&["analyse", "--game", game.word(), "--moves", plies, "--nodes", "300", "--threads", "1"]);
    for words in ["move ", "value ", "belief ", "their king e8 1.00", "their pawn ", "tree ", "solved played"]
    {
        assert!(text.lines().any(|line| line.contains(words)), "{words}: {text}");
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Checks a list of choices: the best first, each with these parts, one chosen.
fn check_choices(choices: &Value, parts: &[&str]) {
    let choices = choices.as_array().unwrap();
    let scores: Vec<f64> = choices.iter().map(|choice| number(&choice["score"])).collect();
    assert!(scores.is_sorted_by(|one, next| one >= next), "{scores:?}");
    assert_eq!(choices.iter().filter(|choice| choice["chosen"] == true).count(), 1);
    for choice in choices {
        let names: Vec<&String> = choice["parts"].as_object().unwrap().keys().collect();
        assert!(
            names.len() == parts.len() && parts.iter().all(|part| choice["parts"][part].is_number()),
            "{choice}"
        );
    }
}

/// Two turns of RBC; the second move of Black was not seen.
const UNSEEN: &str = "b7 e2e4 e3 d7d5 d6 g1f3 d4 c8g4";

/// In RBC recon judges beside obscuro: senses with what they may show, then requests.
#[test]
fn every_choice_of_rbc_has_a_score_with_its_parts() {
    let asked = ["--game", "rbc", "--moves", UNSEEN];
    let sensing = analysed(&asked);
    assert_eq!(sensing, analysed(&asked));
    check_choices(&sensing["choices"], &["outcome", "nats", "answers"]);
    assert_eq!(sensing["choices"].as_array().unwrap().len(), 36);
    for choice in sensing["choices"].as_array().unwrap() {
        let answers = choice["answers"].as_array().unwrap();
        let total: f64 = answers.iter().map(|answer| number(&answer["probability"])).sum();
        assert!((total - 1.0).abs() < 1e-9 && answers.len() <= 7, "{choice}");
        assert_eq!(answers[0]["text"].as_str().unwrap().len(), "rnb/ppp/...".len(), "{choice}");
    }
    // The first turn began with what both know.
    assert_eq!(sensing["turns"][0], serde_json::json!({ "turn": 1, "before": 1, "after": 1 }));
    let last = &sensing["turns"][2];
    assert_eq!((&last["before"], &last["after"]), (&sensing["belief"]["size"], &Value::Null));
    let requesting = analysed(&["--game", "rbc", "--moves", &format!("{UNSEEN} c6")]);
    check_choices(&requesting["choices"], &["king", "mean", "least"]);
    assert_eq!(requesting["choices"][0]["answers"], serde_json::json!([]));
    let last = &requesting["turns"][2];
    assert_eq!(
        (&last["before"], &last["after"]),
        (&sensing["belief"]["size"], &requesting["belief"]["size"])
    );
    // In Kriegspiel particles judges: what a try is worth where it is legal, and how likely it is.
    let trying = analysed(&["--game", "kriegspiel", "--moves", "e2e4 d7d5"]);
    check_choices(&trying["choices"], &["value", "legal"]);
    let legal = |word: &str| {
        let choices = trying["choices"].as_array().unwrap();
        number(&choices.iter().find(|choice| choice["choice"] == word).unwrap()["parts"]["legal"])
    };
    assert!((legal("g1f3") - 1.0).abs() < 1e-9 && legal("e4d5") < 1.0, "{trying}");
    // Fog of War has nobody who judges so.
    let fog = analysed(&["--game", "fog"]);
    assert!(fog["choices"].is_null() && fog["turns"].is_null());
}

/// Any agent that says what it thinks is asked, and prints no mixed strategy.
#[test]
fn other_agents_say_what_they_think() {
    for (agent, parts) in [
        ("recon", &["outcome", "nats", "answers"]),
        ("fianchetto:eval=simple", &["impact", "prey", "ruled_out"]),
        ("strangefish:eval=simple", &["impact", "prey", "ruled_out"]),
    ] {
        let asked = ["analyse", "--game", "rbc", "--moves", UNSEEN, "--agent", agent, "--nodes", "300"];
        let json = |seed| done(&[&asked[..], &["--json", "--seed", seed]].concat());
        let text = json("3");
        assert_eq!(text, json("3"), "{agent}");
        let document: Value = serde_json::from_str(&text).unwrap();
        check_choices(&document["choices"], parts);
        let chosen = document["choices"].as_array().unwrap().iter().find(|choice| choice["chosen"] == true);
        assert_eq!(document["move"], chosen.unwrap()["choice"]);
        assert!(document["strategy"].is_null() && document["tree"].is_null(), "{text}");
        assert_eq!(document["belief"]["size"], document["turns"][2]["before"]);
        let squares = document["squares"].as_object().unwrap();
        let kings: f64 = squares.values().filter_map(|pieces| pieces.get("k")?[0].as_f64()).sum();
        assert!((kings - 1.0).abs() < 1e-9, "{agent}: {kings}");
        let text = done(&asked);
        for words in ["their king ", "score", "* ", " may show, in rows from above", "belief by turn, "] {
            assert!(text.lines().any(|line| line.contains(words)), "{words}: {text}");
        }
        assert!(!text.contains("solved"), "{text}");
    }
    // Where one board is left there is nothing to compare; levels have no scores.
    let first = done(&["analyse", "--game", "rbc", "--agent", "recon", "--nodes", "10"]);
    assert!(first.contains("recon scored no choice here"), "{first}");
    let level = done(&["analyse", "--game", "kriegspiel", "--agent", "level1", "--nodes", "10"]);
    assert!(level.contains("their king e8 1.00"), "{level}");
}

/// A king that can be taken is taken, and the game is worth all there is.
#[test]
fn it_takes_the_king() {
    let fen = "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1";
    let mut asked = ASKED.to_vec();
    asked.extend(["--fen", fen]);
    let document: Value = serde_json::from_str(&done(&asked)).unwrap();
    assert_eq!(document["move"], "e2e8");
    assert!(document["value"].as_f64().unwrap() > 0.999, "{document}");
    assert!(document["gap"].is_null());
    // In RBC too, once it has sensed where the king is.
    let document = analysed(&["--game", "rbc", "--fen", fen, "--moves", "e7"]);
    assert_eq!(document["move"], "e2e8");
}

/// Six plies, of which each side noticed five: 2. exd5 and 2... gxf6 were refused.
const TRIES: &str = "[Variant \"Kriegspiel\"]\n\n1. e4 {:} f5 {P1:} 2. exf5 {Xf5:exd5} h6 {:gxf6} *\n";

#[test]
fn plies_of_a_side_are_those_that_it_noticed() {
    let file = temporary("analyse_record").join("tries.pgn");
    std::fs::write(&file, TRIES).unwrap();
    let record = ["--game", "kriegspiel", "--record", file.to_str().unwrap()];
    let at = |more: &[&str]| analysed(&[&record, more].concat());
    // Without a side the plies are those of the record, and the side to move thinks.
    for (true_ply, side, noticed) in [
        ("0", "white", "0"),
        ("1", "black", "1"),
        ("3", "white", "3"),
        ("4", "black", "3"),
        ("5", "black", "4"),
    ] {
        let by_side = at(&["--side", side, "--ply", noticed]);
        assert_eq!(by_side, at(&["--ply", true_ply]), "{side} {noticed}");
    }
    // What was refused is not tried again, and White's belief is the same as by --moves.
    let black = at(&["--side", "black", "--ply", "4"]);
    let tried = |document: &Value, word: &str| {
        document["strategy"].as_array().unwrap().iter().any(|entry| entry["move"] == word)
    };
    assert!(tried(&at(&["--side", "black", "--ply", "3"]), "h7h6"));
    assert!(tried(&black, "h7h6") && !tried(&black, "g7f6"), "{black}");
    let by_moves = analysed(&["--game", "kriegspiel", "--moves", "e2e4 f7f5 e4d5"]);
    assert_eq!(by_moves, at(&["--side", "white", "--ply", "3"]));
    for (more, words) in [
        (&["--ply", "7"][..], "ply 7: the record has 6 plies"),
        (&["--side", "white", "--ply", "6"], "ply 6: White noticed 5 plies"),
        (&["--side", "black", "--ply", "2"], "it is not the turn of --side black"),
        (&["--side", "white", "--ply", "x"], "'x'"),
        (&["--number", "2"], "--number 2: the file has 1 games"),
    ] {
        refused(&[&["analyse", "--nodes", "10"], &record[..], more].concat(), words);
    }
    let other = ["analyse", "--nodes", "10", "--game", "rbc", "--record", record[3]];
    refused(&other, "is Kriegspiel, not Reconnaissance Blind Chess");
}

#[test]
fn what_cannot_be_thought_about_is_refused() {
    for (arguments, words) in [
        (&["--side", "black", "--nodes", "10"][..], "not the turn of --side black"),
        (&["--side", "white"], "--movetime"),
        (&["--side", "white", "--movetime", "5"], "'5' is not a time"),
        (&["--nodes", "10", "--moves", "e2e5"], "--moves, ply 1: e2e5 is not a move here"),
        (&["--nodes", "10", "--moves", "e2e4 e7e9"], "--moves, ply 2: 'e7e9' is not a move"),
        (&["--nodes", "10", "--moves", "e2"], "--moves, ply 1: e2 is no ply of Fog of War"),
        (&["--nodes", "10", "--game", "rbc", "--moves", "e2e4"], "--moves, ply 1: "),
        (&["--nodes", "10", "--game", "kriegspiel", "--moves", "e2e4 --"], "--moves, ply 2: "),
        (&["--nodes", "10", "--agent", "obscuro:order=9"], "order must be"),
        (&["--nodes", "10", "--agent", "random"], "'random' has no search"),
        (&["--nodes", "10", "--agent", "recon"], "recon does not play Fog of War"),
        (&["--nodes", "10", "--agent", "fleeing"], "fleeing sees the whole board"),
        (&["--nodes", "10", "--game", "rbc", "--agent", "trout"], "'trout' has no search"),
        (&["--nodes", "10", "--game", "chess"], "'chess' for '--game <GAME>'"),
        (&["--nodes", "10", "--ruleset", "icc"], "--ruleset: Fog of War has no rulesets"),
        (&["--nodes", "10", "--game", "kriegspiel", "--ruleset", "house"], "unknown ruleset 'house'"),
        (&["--nodes", "10", "--fen", "8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1"], "--fen: the game is over"),
        (
            &["--nodes", "10", "--game", "kriegspiel", "--fen", "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1"],
            "--fen: the king of the side that is not to move is in check",
        ),
        (&["--nodes", "10", "--ply", "3"], "--record <FILE>"),
        (&["--nodes", "10", "--record", "x.pgn", "--moves", "e2e4"], "cannot be used with"),
        (&["--nodes", "10", "--record", "/no/such/file"], "cannot open /no/such/file"),
        (&["--nodes", "10", "--fen", "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1", "--moves", "e2e8"], "over"),
    ] {
        refused(&[&["analyse"], arguments].concat(), words);
    }
}
