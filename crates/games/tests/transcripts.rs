//! Records of Kriegspiel and RBC as PGN: nothing is lost on the way, each teller's account follows from the
//! fuller one, and a filtered record is what the umpire told that player and nothing else.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_core::Random;
use scuro_games::Variant;
use scuro_games::chess::{Board, Color, Move, OwnPieces, Square};
use scuro_games::kriegspiel::{Answer, KriegspielState, Ruleset, Told, Try};
use scuro_games::outcome::Outcome;
use scuro_games::rbc::{Rbc, RbcGame, RbcTurn, requests};
use scuro_games::records::convert;
use scuro_games::records::pgn::{PgnGame, PgnReader, PgnResult};
use scuro_games::records::transcript::{Teller, Transcript};
use scuro_games::records::verify::verify;
use scuro_games::records::{Ply, Record};
use scuro_games::seat::Heard;

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 9",
    "k7/6P1/8/8/8/8/1p6/7K w - - 0 1",
    "r3k2r/8/2N5/8/8/2n5/8/R3K2R b KQkq - 90 30",
];

/// What White and Black were told, message by message.
type BothHeard = [Vec<Heard<Try, Told>>; 2];

/// A random game: the record, and what its players were told.
fn play(ruleset: Ruleset, start: &str, seed: u64) -> (Record, BothHeard) {
    let mut random = Random::new(seed);
    let start: Board = start.parse().unwrap();
    let mut state = KriegspielState::new(ruleset, start);
    let mut plies = Vec::new();
    let mut told: BothHeard = [Vec::new(), Vec::new()];
    for _ in 0..40 + random.below(60) {
        let Some(attempt) = choose(&state, &mut random) else { break };
        let (answer, after) = state.attempt(attempt);
        // A try that is turned away is not part of the game.
        if let Answer::TurnedAway(_) = answer {
            continue;
        }
        plies.push(match attempt {
            Try::Move(m) => Ply::Move(m),
            Try::Any => Ply::Any,
        });
        for color in Color::ALL {
            let own = (state.board().side() == color).then_some(attempt);
            told[color as usize].extend(after.told(color).map(|told| Heard { own, told }));
        }
        state = after;
    }
    let tags = vec![("Event".to_owned(), "test".to_owned()), ("Ruleset".to_owned(), ruleset.to_string())];
    let mut record = Record {
        variant: Variant::Kriegspiel,
        tags,
        start,
        passed: None,
        plies,
        result: PgnResult::Unknown,
        termination: None,
    };
    record.finish(state.outcome());
    (record, told)
}

/// Mostly a try that makes sense, sometimes one that does not.
fn choose(state: &KriegspielState, random: &mut Random) -> Option<Try> {
    let mut offered = Vec::new();
    state.offered(&mut offered);
    if random.below(8) == 0 && state.outcome().is_none() {
        let squares = [random.below(64), random.below(64)].map(Square::index);
        let own = OwnPieces::of(state.board(), state.board().side()).all();
        let from = own.into_iter().nth(random.below(own.len() as usize))?;
        return Some(Try::Move(Move::new(if random.below(2) == 0 { from } else { squares[0] }, squares[1])));
    }
    random.pick(&offered).copied()
}

fn games() -> impl Iterator<Item = (Ruleset, Record, BothHeard)> {
    (0..160).map(|seed| {
        let ruleset = Ruleset::ALL[seed % 4];
        let (record, told) = play(ruleset, STARTS[seed / 4 % STARTS.len()], seed as u64);
        (ruleset, record, told)
    })
}

/// Through text and back.
fn reread(game: &PgnGame) -> PgnGame {
    PgnReader::new(game.to_string().as_bytes()).next().unwrap().unwrap()
}

#[test]
fn the_umpires_record_loses_nothing() {
    for (_, record, _) in games() {
        let written = record.to_pgn().unwrap();
        let again = Record::from_pgn(&reread(&written)).unwrap();
        assert_eq!(again.plies, record.plies, "{written}");
        assert_eq!((again.start, again.result), (record.start, record.result), "{written}");
        assert_eq!(again.termination, record.termination);
    }
}

#[test]
fn a_filtered_record_is_what_the_umpire_told_that_player() {
    for (ruleset, record, told) in games() {
        let umpire = Transcript::of(&record).unwrap();
        for color in Color::ALL {
            let filtered = umpire.told_by(Teller::Player(color)).unwrap();
            let first = record.start.side();
            let heard = Transcript::turns_heard(ruleset, color, first, &told[color as usize]);
            let told = Transcript { turns: heard, ..filtered.clone() };
            assert_eq!(filtered.to_pgn().to_string(), told.to_pgn().to_string());
            assert_eq!(filtered, told);
        }
    }
}

#[test]
fn each_account_follows_from_the_fuller_one() {
    for (_, record, _) in games() {
        let umpire = Transcript::of(&record).unwrap();
        for color in Color::ALL {
            let semi = umpire.told_by(Teller::Semi(color)).unwrap();
            let semi_read = Transcript::from_pgn(&reread(&semi.to_pgn())).unwrap();
            let direct = umpire.told_by(Teller::Player(color)).unwrap();
            let by_way_of_semi = semi_read.told_by(Teller::Player(color)).unwrap();
            assert_eq!(by_way_of_semi.to_pgn().to_string(), direct.to_pgn().to_string());
            // A filtered record is read with nothing but the player's own men.
            let read = Transcript::from_pgn(&reread(&direct.to_pgn())).unwrap();
            assert_eq!(read.turns, direct.turns, "{}", direct.to_pgn());
            for other in [Teller::Umpire, Teller::Semi(color), Teller::Player(!color)] {
                assert!(read.told_by(other).is_err());
            }
        }
    }
}

#[test]
fn written_records_verify() {
    for (_, record, _) in games() {
        let umpire = Transcript::of(&record).unwrap();
        for teller in [Teller::Umpire, Teller::Semi(Color::White), Teller::Player(Color::Black)] {
            let text = umpire.told_by(teller).unwrap().to_pgn().to_string();
            let report = verify(text.as_bytes(), &mut || ()).unwrap();
            assert_eq!(report.kept, [""; 0], "{text}");
            assert!(report.checked > 0, "{text}");
        }
    }
}

/// The example of the notation, and records that say what is not so.
#[test]
fn what_the_record_tells_is_checked() {
    let game = |moves: &str| format!("[Variant \"Kriegspiel\"]\n[Result \"*\"]\n\n{moves} *\n");
    for (moves, words) in [
        ("1. e4 {:} f5 {P1:} 2. exf5 {Xf5:exd5} h6 {:}", None),
        ("1. e4 f5 2. exf5 h6", None),
        ("1. e4 {a remark} f5 {P1:} 2. exf5 {Xf5: exd5} {well: done}", None),
        ("1. e4 {:} f5 {P2:}", Some("said 'P2' by the record, 'P1' by our rules")),
        ("1. e4 {:} f5 {P1:} 2. exf5 {:exd5}", Some("said '' by the record, 'Xf5' by our rules")),
        ("1. e4 { : } f5 { P1 : } 2. exf5 { Xf5 : exd5 }", None),
        ("1. e4 { : } f5 { P7 : }", Some("said 'P7' by the record, 'P1' by our rules")),
        ("1. e4 {:} f5 {P1:} 2. d3 {:exf5}", Some("'e4f5' is told as refused")),
        ("1. e4 {:} f5 {P1:} 2. d3 {:exd5!}", Some("our umpire answers: illegal")),
        ("1. e4 {:any?}", Some("\"any?\" is not asked under the ruleset icc")),
        ("1. e4 {:} {then P3:gxf6}", Some("said 'P3' by the record, '' by our rules")),
        ("1. e4 {:} f5 {P9x:}", Some("'P9x' is nothing an umpire says")),
        ("1. e4 {:} f5 {P1:} 2. d3 {:Qz9}", Some("'Qz9' is not a move")),
        ("1. e4 {:} f5 {P1:} 2. e5 {:} Kf6 {:}", Some("no move fits 'Kf6'")),
    ] {
        let report = verify(game(moves).as_bytes(), &mut || ()).unwrap();
        match words {
            None => assert_eq!(report.kept, [""; 0], "{moves}"),
            Some(words) => {
                assert!(
                    report.disagreements == 1 && report.kept[0].contains(words),
                    "{moves}: {:?}",
                    report.kept
                );
            }
        }
    }
}

/// What the umpire said follows from the moves: a record without comments is told no worse.
#[test]
fn what_a_record_leaves_out_is_filled_in() {
    let plain = "[Variant \"Kriegspiel\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ *\n";
    let games = convert::read(plain.as_bytes()).unwrap();
    let black = convert::to_pgn(&games, Some(Teller::Player(Color::Black))).unwrap();
    let moves = black.split("\n\n").nth(1).unwrap().replace('\n', " ");
    assert_eq!(moves, "1. ?? {:} 1... d5 {P1:} 2. ?? {Xd5:} 2... Qxd5 {Xd5:} 3. ?? {:} 3... Qe5+ {CF:} * ");
}

/// A record that cannot be true is not converted into another game.
#[test]
fn what_cannot_be_true_is_refused_with_its_place() {
    for (text, words) in [
        ("[Variant \"Kriegspiel\"]\n\n1. e4 {:d4} f5 *\n", "line 3, column 4: 'd2d4' is told as refused"),
        ("[Variant \"Kriegspiel\"]\n\n1. e4 {P16,=,CF:} *\n", "line 3, column 4: the umpire said 'P16,=,CF'"),
        (
            "[Variant \"Kriegspiel\"]\n[Filtered \"white\"]\n\n1. e2e5 *\n",
            "line 4, column 4: no move fits 'e2e5'",
        ),
        (
            "[Variant \"RBC\"]\n\n1. Nc3 {e4:b1a3} *\n",
            "line 3, column 4: 'Nc3' is not what becomes of the request",
        ),
        ("[Variant \"RBC\"]\n\n1. Nc3 {e9:} *\n", "'e9' is not a square to sense"),
        (
            "{\"meta\":{\"variant\":\"kriegspiel\",\"ruleset\":\"icc\"}}\n{\"s\":\"4k3/8/8/8/8/8/8/4K2R w - - 0 1\",\"p\":[{\"s\":\"b\",\"t\":\"e8e7\",\"a\":\"ok\"}]}\n",
            "line 2, p[0]: s: record b, ours w",
        ),
        (
            "{\"meta\":{\"variant\":\"rbc\"}}\n{\"s\":\"4k3/8/8/8/8/8/8/4K2R w - - 0 1\",\"p\":[{\"s\":\"w\"}]}\n",
            "line 2, p[0].q: expected a square or null",
        ),
    ] {
        let error = convert::read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

/// The worked example of the rules page, told by White.
#[test]
fn filtered_for_white() {
    let text = "[Variant \"Kriegspiel\"]\n\n1. e4 {:} f5 {P1:} 2. exf5 {Xf5:exd5} h6 {:gxf6,exd6} *\n";
    let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
    let transcript = Transcript::from_pgn(&game).unwrap();
    let moves = |teller| {
        let text = transcript.told_by(teller).unwrap().to_pgn().to_string();
        text.lines().last().unwrap().to_owned()
    };
    assert_eq!(moves(Teller::Umpire), "1. e4 {:} 1... f5 {P1:} 2. exf5 {Xf5:exd5} 2... h6 {:gxf6,exd6} *");
    assert_eq!(moves(Teller::Semi(Color::White)), "1. e4 {:} 1... f5 {P1:} 2. exf5 {Xf5:exd5} 2... h6 {:} *");
    assert_eq!(
        moves(Teller::Player(Color::White)),
        "1. e4 {:} 1... ?? {P1:} 2. exf5 {Xf5:exd5} 2... ?? {:} *"
    );
    assert_eq!(
        moves(Teller::Player(Color::Black)),
        "1. ?? {:} 1... f5 {P1:} 2. ?? {Xf5:} 2... h6 {:gxf6,exd6} *"
    );
}

fn random_rbc_game(seed: u64) -> RbcGame {
    let mut random = Random::new(seed);
    let start: Board = STARTS[seed as usize % STARTS.len()].parse().unwrap();
    let rules = Rbc { start, ..Rbc::default() };
    let mut state = rules.first();
    let mut turns = Vec::new();
    let mut outcome: Option<Outcome> = None;
    for _ in 0..80 {
        outcome = state.outcome();
        if outcome.is_some() {
            break;
        }
        let mut moves = Vec::new();
        requests(state.board(), &mut moves);
        let sense = (random.below(8) > 0).then(|| Square::index(random.below(64)));
        let request = random.pick(&moves).copied().filter(|_| random.below(10) > 0);
        let turn = RbcTurn { sense, request };
        state = rules.turn_played(&state, turn).unwrap().after;
        turns.push(turn);
    }
    RbcGame { rules, names: ["a".to_owned(), "b".to_owned()], turns, unfinished: None, outcome }
}

/// The FENs of RBC tell every double step, also the one just before a game starts from a position.
#[test]
fn rbc_keeps_an_en_passant_square_that_nobody_can_use() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let text = format!("[Variant \"RBC\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1... e5 {{e4:}} *\n");
    let games = convert::read(text.as_bytes()).unwrap();
    let formats = [
        convert::to_pgn(&games, None).unwrap(),
        convert::to_json_lines(&games).unwrap(),
        convert::to_history(&games).unwrap(),
    ];
    for format in formats {
        assert!(format.contains(fen), "{format}");
        let again = convert::read(format.as_bytes()).unwrap();
        assert!(convert::to_history(&again).unwrap().contains(fen), "{format}");
        assert_eq!(verify(format.as_bytes(), &mut || ()).unwrap().disagreements, 0);
    }
}

/// Names, results and unfinished turns survive every format that holds the game.
#[test]
fn ends_and_names_survive_conversion() {
    let kriegspiel = "[White \"Ada\"]\n[Variant \"Kriegspiel\"]\n[Termination \"resignation\"]\n\n1. e4 {:} {then :gxf6,exd6} 0-1\n";
    let rbc =
        "[White \"Ada\"]\n[Variant \"RBC\"]\n[Termination \"time forfeit\"]\n\n1. e4 {e7:} {then d2:} 1-0\n";
    let first_sense = "[Variant \"RBC\"]\n[Termination \"resignation\"]\n\n{then d2:} 0-1\n";
    for text in [kriegspiel, rbc, first_sense] {
        let games = convert::read(text.as_bytes()).unwrap();
        let pgn = convert::to_pgn(&games, None).unwrap();
        let lines = convert::to_json_lines(&games).unwrap();
        let report = verify(lines.as_bytes(), &mut || ()).unwrap();
        assert_eq!(report.kept, [""; 0], "{lines}");
        assert_eq!(convert::to_pgn(&convert::read(lines.as_bytes()).unwrap(), None).unwrap(), pgn, "{lines}");
        let report = verify(pgn.as_bytes(), &mut || ()).unwrap();
        assert_eq!(report.kept, [""; 0], "{pgn}");
    }
}

#[test]
fn rbc_records_lose_nothing_and_verify() {
    for seed in 0..120 {
        let record = random_rbc_game(seed).to_record();
        let written = record.to_pgn().unwrap();
        let again = Record::from_pgn(&reread(&written)).unwrap();
        assert_eq!(again.plies, record.plies, "{written}");
        let report = verify(written.to_string().as_bytes(), &mut || ()).unwrap();
        assert_eq!(report.kept, [""; 0], "{written}");
        assert_eq!(report.checked, record.plies.len() / 2);
    }
}
