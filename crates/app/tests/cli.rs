//! What a user reads: every command as it is run, its last lines, its errors in one line, its exit codes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use program::{done, out, refused, scuro, scuro_reading, temporary};
use scuro_core::Random;
use scuro_games::chess::Color;
use scuro_games::fog::FogOfWar;
use scuro_games::picture::{Picture, beside};
use scuro_games::records::Record;
use scuro_games::records::pgn::PgnReader;
use scuro_games::umpire::Umpire;

const EN_PASSANT: &str = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";

#[test]
fn perft_ends_with_nodes() {
    for (game, depth, nodes) in [
        ("fog", "0", 1),
        ("fog", "1", 20),
        ("fog", "2", 400),
        ("fog", "3", 8902),
        ("fog", "4", 197_742),
        ("chess", "4", 197_281),
    ] {
        let printed = done(&["perft", "--game", game, "--depth", depth]);
        assert_eq!(printed.lines().last(), Some(format!("nodes {nodes}").as_str()), "{game} {depth}");
    }
    let divided =
        done(&["perft", "--game", "fog", "--depth", "2", "--divide", "--threads", "2", "--fen", EN_PASSANT]);
    assert_eq!(divided, "d4d3: 6\nd4e3: 5\ne8d7: 6\ne8d8: 6\ne8e7: 6\ne8f7: 6\ne8f8: 6\nnodes 41\n");
}

#[test]
fn show_draws_both_views() {
    let printed = done(&["show", "--game", "fog", "--fen", EN_PASSANT]);
    assert!(
        printed.starts_with("    Position                White sees              Black sees\n"),
        "{printed}"
    );
    assert!(
        printed.contains("  4 · · · p P · · ·       4 ░░░░░░░░P ░░░░░░      5 ░░░░░░░░░░░░░░░░\n"),
        "{printed}"
    );
    let one = done(&["show", "--game", "fog", "--fen", EN_PASSANT, "--side", "black"]);
    assert!(one.contains("Black sees") && !one.contains("White sees") && !one.contains("Position"), "{one}");
}

#[test]
fn show_json_is_one_document() {
    let printed = done(&["show", "--game", "fog", "--fen", EN_PASSANT, "--json"]);
    let expected = r#"{"fen":"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1","white":"????????/????????/????????/????1???/????P???/????????/???3??/???1K1?? b - - - 1","black":"???1k1??/???3??/????????/????????/???pP???/???2???/????????/???????? b - e3 - 1","moves":["d4d3","d4e3","e8d7","e8d8","e8e7","e8f7","e8f8"]}"#;
    assert_eq!(printed.trim_end(), expected);
    let over = done(&["show", "--fen", "8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1", "--json"]);
    assert!(over.contains(r#""moves":[]"#), "{over}");
}

#[test]
fn show_writes_a_picture() {
    let file = temporary("svg").join("view.svg");
    done(&["show", "--game", "fog", "--svg", file.to_str().unwrap()]);
    let picture = std::fs::read_to_string(file).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert_eq!(picture.matches("url(#fog)").count(), 64);
}

#[test]
fn knowledge_of_the_paper() {
    let pair = ["knowledge", "--moves", "b1c3 g7g5 g1h3 d7d5", "--moves", "g1f3 e7e5 h2h3 d8h4"];
    assert_eq!(done(&pair), "distance 9\n");
    assert_eq!(done(&[&pair[..], &["--json"]].concat()), "{\"distance\":9}\n");
    assert_eq!(done(&["knowledge", "--moves", "e2e4", "--moves", "e2e4 e7e5"]), "distance -1\n");
    assert_eq!(done(&["knowledge", "--moves", "", "--moves", ""]), "distance 0\n");
    assert_eq!(
        done(&["knowledge", "--diameter", "4", "--json"]).trim_end(),
        r#"{"histories":197742,"white_infosets":20961,"black_infosets":18836,"components":4177,"diameter":10}"#
    );
    let words = done(&["knowledge", "--diameter", "2"]);
    assert!(
        words.starts_with("histories 400\nwhite infosets 62\nblack infosets 62\ncomponents 23\n"),
        "{words}"
    );
    assert!(words.ends_with("\ndiameter 4\n"), "{words}");
}

#[test]
fn verify_tells_agreement_from_disagreement_from_damage() {
    let folder = temporary("verify");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let good = write("good.pgn", "[Variant \"Fog of War\"]\n\n1. e4 f5 2. Qh5 a6 3. Qxe8 1-0\n");
    assert_eq!(done(&["verify", &good]), format!("{good}: checked 5, disagreements 0, known deviations 0\n"));

    let wrong = write(
        "wrong.pgn",
        "[Variant \"fogofwar\"]\n\n1. e4 f5 2. Qh5 a6 3. Qxe8 0-1\n\n[Event \"?\"]\n\n1. e4 e4 *\n",
    );
    let output = scuro(&["verify", &wrong]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        out(&output),
        format!(
            "{wrong}: line 1: the record says 0-1, the moves 1-0 (White wins: king captured)\n\
             {wrong}: line 7, column 7: no move fits 'e4'\n\
             {wrong}: checked 7, disagreements 2, known deviations 0\n"
        )
    );

    let damaged = write("damaged.pgn", "1. e4 {never closed\n\n[Event \"?\"]\n\n1. d4 *\n");
    let comment = write("comment.pgn", "{ hello }\n[Event \"?\"]\n\n1. d4 *\n");
    assert_eq!(
        done(&["verify", &comment]),
        format!("{comment}: checked 1, disagreements 0, known deviations 0\n")
    );
    let empty = write("empty.pgn", "% nothing\n");
    let not_lines = write("lines.jsonl", "{\"meta\":{\"variant\":\"fog\",\"deviations\":\"x\"}}\n");
    let unclosed =
        format!("scuro: {damaged}: line 1, column 7: this comment is not closed before the next game\n");
    for (files, error) in [
        (vec![damaged.as_str()], unclosed.clone()),
        (
            vec!["no-such-file.pgn"],
            "scuro: cannot open no-such-file.pgn: No such file or directory (os error 2)\n".to_owned(),
        ),
        (vec![good.as_str(), damaged.as_str(), good.as_str()], unclosed),
        (vec![empty.as_str()], format!("scuro: {empty}: there is no game in this file\n")),
        (vec![not_lines.as_str()], format!("scuro: {not_lines}: line 1, meta.deviations: expected a list\n")),
    ] {
        let output = scuro(&[vec!["verify"], files].concat());
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), error);
    }
}

const TRIES: &str = "[Variant \"Kriegspiel\"]\n\n1. e4 {:} f5 {P1:} 2. exf5 {Xf5:exd5} h6 {:gxf6} *\n";

/// There and back between all formats that hold a game.
#[test]
fn convert_loses_nothing_on_the_way() {
    let folder = temporary("convert");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let games = [
        ("fog", "[Variant \"Fog of War\"]\n\n1. e4 f5 2. Qh5 a6 3. Qxe8 1-0\n", &["jsonl"][..]),
        ("kriegspiel", TRIES, &["jsonl"]),
        (
            "rbc",
            "[Variant \"RBC\"]\n\n1. e4 {e7:} -- {-:d7e6} 2. -- {b2:} Nf6 {e4:} *\n",
            &["jsonl", "history"],
        ),
    ];
    for (name, text, formats) in games {
        let (first, again) = (file(&format!("{name}.pgn")), file(&format!("{name}.again.pgn")));
        std::fs::write(&first, text).unwrap();
        let canonical = done(&["convert", &first, "--to", "pgn"]);
        for format in formats {
            let between = file(&format!("{name}.{format}"));
            assert_eq!(done(&["convert", &first, "--to", format, "--out", &between]), "");
            assert!(done(&["verify", &between]).ends_with("disagreements 0, known deviations 0\n"));
            done(&["convert", &between, "--to", "pgn", "--out", &again]);
            let movetext = |text: &str| text.split("\n\n").nth(1).map(str::to_owned);
            assert_eq!(
                movetext(&std::fs::read_to_string(&again).unwrap()),
                movetext(&canonical),
                "{name} {format}"
            );
        }
    }
}

#[test]
fn convert_filters_kriegspiel_and_refuses_the_rest() {
    let file = temporary("filter").join("tries.pgn");
    std::fs::write(&file, TRIES).unwrap();
    let name = file.to_str().unwrap();
    let last = |filter: &str| {
        done(&["convert", name, "--to", "pgn", "--filter", filter]).lines().last().unwrap().to_owned()
    };
    assert_eq!(last("white"), "1. e4 {:} 1... ?? {P1:} 2. exf5 {Xf5:exd5} 2... ?? {:} *");
    assert_eq!(last("semi-black"), "1. e4 {:} 1... f5 {P1:} 2. exf5 {Xf5:} 2... h6 {:gxf6} *");
    assert_eq!(last("none"), "1. e4 {:} 1... f5 {P1:} 2. exf5 {Xf5:exd5} 2... h6 {:gxf6} *");
    let filtered = done(&["convert", name, "--to", "pgn", "--filter", "white"]);
    std::fs::write(&file, filtered).unwrap();
    for (arguments, words) in [
        (&["--to", "jsonl"][..], "Filtered \"white\" does not hold what Filtered \"no\" tells"),
        (&["--to", "pgn", "--filter", "black"], "does not hold what Filtered \"black\" tells"),
        (&["--to", "history"], "a history holds Reconnaissance Blind Chess, not Kriegspiel"),
        (&["--to", "jsonl", "--filter", "white"], "only PGN can be filtered"),
    ] {
        let output = scuro(&[&["convert", name], arguments].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn show_tells_what_the_player_of_a_record_knows() {
    let file = temporary("record").join("tries.pgn");
    std::fs::write(&file, TRIES).unwrap();
    let name = file.to_str().unwrap();
    let show = |more: &[&str]| done(&[&["show", "--game", "kriegspiel", "--record", name], more].concat());
    let white = show(&["--ply", "4", "--side", "white"]);
    assert!(white.starts_with("Kriegspiel, ply 4\n") && white.contains("you tried e4d5: illegal"), "{white}");
    assert!(white.contains("Black moved: White to move. 1 pawn try"), "{white}");
    assert!(white.contains("you moved e4f5: Black to move. Pawn captured on f5"), "{white}");
    assert!(!white.contains("f7f5") && !white.contains("Black knows"), "{white}");
    // Black heard nothing of the refused try, and does not see White's pieces.
    let black = show(&["--ply", "4", "--side", "black"]);
    assert!(!black.contains("d5") && !black.contains("e4"), "{black}");
    // Each side noticed five of the six plies.
    for side in ["white", "black"] {
        let last: serde_json::Value = serde_json::from_str(&show(&["--side", side, "--json"])).unwrap();
        assert_eq!(last["ply"], 5, "{last}");
        assert!(last.get("plies").is_none(), "{last}");
        assert_eq!(
            last,
            serde_json::from_str::<serde_json::Value>(&show(&["--side", side, "--ply", "5", "--json"]))
                .unwrap()
        );
    }
    assert!(show(&["--ply", "3", "--side", "black"]).contains("Pawn captured on f5"));
    let document: serde_json::Value = serde_json::from_str(&show(&["--ply", "2", "--json"])).unwrap();
    assert_eq!(document["white"]["told"].as_array().unwrap().len(), 3);
    assert_eq!(
        document["white"]["board"],
        "????????/????????/????????/????????/????P???/????????/PPPP?PPP/RNBQKBNR"
    );
    assert_eq!((&document["white"]["positions"], &document["white"]["exact"]), (&2.into(), &true.into()));
    let picture = file.with_extension("svg");
    show(&["--svg", picture.to_str().unwrap()]);
    assert!(std::fs::read_to_string(picture).unwrap().contains("Black knows"));
    for (arguments, words) in [
        (&["--game", "kriegspiel"][..], "needs --record FILE"),
        (&["--game", "rbc", "--record", name], "is Kriegspiel, not Reconnaissance Blind Chess"),
        (&["--game", "kriegspiel", "--record", name, "--ply", "7"], "ply 7: the record has 6 plies"),
        (
            &["--game", "kriegspiel", "--record", name, "--ply", "6", "--side", "black"],
            "ply 6: Black noticed 5 plies",
        ),
        (&["--game", "chess"], "'chess' for '--game <GAME>'"),
        (&["--game", "kriegspiel", "--record", name, "--number", "2"], "the file has 1 games"),
    ] {
        refused(&[&["show"], arguments].concat(), words);
    }
}

/// A wrong part is named in one line on stderr, the exit code is 2, and nothing is printed.
#[test]
fn bad_input_is_one_line_and_exit_2() {
    for (arguments, words) in [
        (&["frobnicate"][..], "unrecognized subcommand 'frobnicate'"),
        (&["perft"], "--game <GAME> --depth <N>"),
        (&["perft", "--game", "checkers", "--depth", "1"], "'checkers'"),
        (&["perft", "--game", "fog", "--depth", "-1"], "'-1'"),
        (&["perft", "--game", "fog", "--depth", "99"], "99"),
        (&["perft", "--game", "fog", "--depth", "1", "--threads", "0"], "'0'"),
        (
            &["perft", "--game", "fog", "--depth", "1", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
            "White has 0 kings",
        ),
        (&["show", "--game", "fog", "--fen", "4k3/8/8/8/8/8/8/4K2X w - - 0 1"], "'X' at h1"),
        (&["show", "--svg", "/no/such/folder/a.svg"], "/no/such/folder/a.svg"),
        (&["show", "--side", "green"], "'green'"),
        (&["show", "--side", "x\n\ny"], "'x y'"),
        (&["verify", "a\nb"], "cannot open a b"),
        (&["knowledge"], "--moves <MOVES>"),
        (&["knowledge", "--moves", "e2e4"], "--moves has to be given twice"),
        (
            &["knowledge", "--moves", "e2e4", "--moves", "e2e5"],
            "second --moves: ply 1: e2e5 is not a move here",
        ),
        (&["knowledge", "--moves", "z", "--moves", "e2e4"], "first --moves: ply 1: 'z' is not a move"),
        (&["knowledge", "--diameter", "2", "--moves", "e2e4"], "cannot be used with"),
        (&["knowledge", "--diameter", "9"], "more than 6000000 histories of 9 plies"),
        (&["verify"], "<FILE>"),
        (&["play", "--save", "/no/such/folder/a.pgn"], "/no/such/folder/a.pgn"),
        (&["completions", "tcl"], "'tcl'"),
    ] {
        refused(arguments, words);
    }
}

/// In Fog of War too it is told how many positions fit.
#[test]
fn show_counts_positions_in_the_fog() {
    let file = temporary("record_fog").join("game.pgn");
    std::fs::write(&file, "[Variant \"Fog of War\"]\n\n1. e4 d5 2. exd5 *\n").unwrap();
    let show = |more: &[&str]| {
        let text = done(&[&["show", "--record", file.to_str().unwrap(), "--json"], more].concat());
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    };
    // White sees the pawn that has come to d5.
    let document = show(&["--ply", "2"]);
    assert_eq!((&document["white"]["positions"], &document["white"]["exact"]), (&1.into(), &true.into()));
    assert_eq!(document["plies"], 3);
    assert_eq!(document["white"]["told"].as_array().unwrap().len(), 3);
    assert_eq!(show(&["--ply", "2", "--side", "white"])["white"], document["white"]);
}

/// Who plays what is one list.
#[test]
fn agents_are_listed_with_their_games_and_switches() {
    let document: serde_json::Value = serde_json::from_str(&done(&["agents", "--json"])).unwrap();
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&document), ["agents", "levels"]);
    let agents = document["agents"].as_array().unwrap();
    let text = done(&["agents"]);
    let help = done(&["match", "--help"]);
    for agent in agents {
        assert_eq!(keys(agent), ["games", "name", "switches", "text"]);
        let name = agent["name"].as_str().unwrap();
        assert!(text.contains(&format!("  {name:10} ")) && help.contains(name), "{name}: {text}");
        for switch in agent["switches"].as_array().unwrap() {
            assert_eq!(keys(switch), ["key", "values", "what"]);
            assert!(text.contains(switch["what"].as_str().unwrap()), "{switch}");
        }
    }
    let games = |name: &str| agents.iter().find(|agent| agent["name"] == name).unwrap()["games"].to_string();
    let all = r#"["fog","kriegspiel","rbc"]"#;
    for (name, plays) in [("obscuro", all), ("random", all), ("cmd", all), ("zs21", r#"["fog"]"#)] {
        assert_eq!(games(name), plays, "{name}");
    }
    let levels = document["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 8);
    for level in levels {
        assert_eq!(keys(level), ["agent", "games", "name", "number", "text"]);
        assert_eq!(level["games"].to_string(), all);
        assert!(text.contains(level["text"].as_str().unwrap()), "{level}");
    }
    refused(&["agents", "--game", "fog"], "--game");
}

#[test]
fn every_command_has_help_with_an_example() {
    let overview = done(&["--help"]);
    for command in
        ["play", "show", "verify", "convert", "perft", "knowledge", "solve", "exploit", "completions"]
    {
        assert!(overview.contains(command), "{overview}");
        let help = done(&[command, "--help"]);
        assert!(help.contains("Example") && help.contains(&format!("scuro {command}")), "{help}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(done(&["completions", shell]).contains("knowledge"), "{shell}");
    }
}

/// A game to its end through a pipe: wrong input is answered, the record is saved and verifies.
#[test]
fn play_through_a_pipe() {
    let file = temporary("play").join("game.pgn");
    let name = file.to_str().unwrap();
    let arguments = ["play", "--seed", "1", "--fen", "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1", "--save", name];
    let output = scuro_reading(&arguments, b"help\nmoves\nQe9\ne2e8\n7\n0\n");
    let printed = out(&output);
    assert!(output.status.success(), "{printed}");
    for words in [
        "you are White",
        "list your moves",
        "Qxe8",
        "'Qe9' is not a move",
        "White wins: king captured",
        "After 1. Qxe8",
        "'7' is not n, b or a number from 0 to 1",
        "Before the first move",
        "1. Qxe8 1-0",
    ] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    assert_eq!(done(&["verify", name]), format!("{name}: checked 1, disagreements 0, known deviations 0\n"));
}

/// The end of the input ends a game.
#[test]
fn play_alone_is_a_game() {
    let output = scuro_reading(&["play"], b"e4\n");
    let printed = out(&output);
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("Black has moved."), "{printed}");
    assert!(printed.contains("The game was left unfinished."), "{printed}");
    assert!(printed.contains("1. e4 "), "{printed}");
}

/// Until the game is over exactly this is printed: who moved, what is missing, and the views. The record at the
/// end says what was played; from it the views are drawn again.
#[test]
fn play_shows_the_views_and_nothing_else() {
    for (seed, side, color) in [("3", "white", Color::White), ("8", "black", Color::Black)] {
        let input = b"a3\nh3\nNc3\nNc6\na6\nh6\nNf6\nb5\n";
        let arguments = ["play", "--opponent", "random", "--seed", seed, "--side", side];
        let printed = out(&scuro_reading(&arguments, input));
        let (until_the_end, rest) = printed.split_once("The input has ended").unwrap();
        let pgn = &rest[rest.find("[Event").unwrap()..];
        let game = PgnReader::new(pgn.as_bytes()).next().unwrap().unwrap();
        let mut umpire = Umpire::new(FogOfWar::default());
        let mut expected = Vec::new();
        let mut before = *umpire.view(color);
        if color == Color::White {
            expected.push(beside(&[Picture::of_view("You see", &before)]));
        }
        for m in Record::from_pgn(&game).unwrap().moves() {
            let mover = umpire.turn().unwrap();
            umpire.play(mover, m).unwrap();
            let now = *umpire.view(color);
            if mover != color {
                expected.push(beside(&[
                    Picture::of_view("You saw", &before),
                    Picture::of_view("You see now", &now),
                ]));
            }
            before = now;
        }
        let boards: Vec<&str> = until_the_end.lines().filter(|line| line.starts_with("  ")).collect();
        let expected: String = expected.concat();
        assert_eq!(boards, expected.lines().collect::<Vec<_>>(), "seed {seed}");
        for line in until_the_end.lines().filter(|line| !line.starts_with("  ") && !line.is_empty()) {
            let known = [
                "Fog of War: you are ",
                "Take the king to win.",
                "White has moved.",
                "Black has moved.",
                "'",
                "no move fits",
            ];
            assert!(known.iter().any(|known| line.starts_with(known)), "{line}");
        }
    }
}

/// Ctrl-C saves the game as far as it went; the end of a pipe does too; nothing is saved twice.
#[cfg(unix)]
#[test]
fn an_interrupted_game_is_saved_once() {
    let file = temporary("interrupt").join("game.pgn");
    let name = file.to_str().unwrap();
    std::fs::write(&file, "[Event \"older\"]\n\n1. e4 *").unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_scuro"))
        .args(["play", "--seed", "2", "--save", name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Held until the end: the program must not leave because its input has ended.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"d4\n").unwrap();
    // The reply has been printed: both moves are on record.
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("has moved") {
        line.clear();
        assert!(reader.read_line(&mut line).unwrap() > 0);
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(stdin);
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.starts_with("[Event \"older\"]\n\n1. e4 *\n\n[Event \"Scuro"), "{saved}");
    assert_eq!(saved.matches("[Event ").count(), 2, "{saved}");
    assert!(saved.contains("\n1. d4 "), "{saved}");
}

/// Any words on the command line or at the prompt: never a panic, always a known exit code.
#[test]
fn random_words_never_panic() {
    let words = [
        "play",
        "show",
        "verify",
        "perft",
        "knowledge",
        "solve",
        "exploit",
        "kuhn",
        "--until",
        "--fen",
        "--game",
        "fog",
        "chess",
        "--depth",
        "2",
        "-1",
        "",
        "--moves",
        "e2e4 e7e5",
        "--diameter",
        "--json",
        "--side",
        "white",
        "--svg",
        "/",
        "\u{fffd}",
        "e2e4",
        "--seed",
        "7",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "--help",
        "moves",
        "resign",
        "O-O",
        "Nf3",
        "e4",
        "99999999999999999999",
        "help",
        "\u{0}",
    ];
    let mut random = Random::new(17);
    for _ in 0..150 {
        let count = random.below(6);
        let mut picked: Vec<&str> = (0..count)
            .filter_map(|_| random.pick(&words).copied())
            .filter(|word| !word.contains('\0'))
            .collect();
        if picked.is_empty() {
            // No word at all is the server, which does not end.
            picked.push("play");
        }
        let input: Vec<u8> = (0..8)
            .flat_map(|_| {
                let word = random.pick(&words).copied().unwrap_or_default();
                let mut line = word.as_bytes().to_vec();
                line.push(if random.below(4) == 0 { 0xff } else { b'\n' });
                line
            })
            .collect();
        let output = scuro_reading(&picked, &input);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(0..=2)), "{picked:?}: {error}");
        assert!(!error.contains("panicked"), "{picked:?}: {error}");
    }
}
