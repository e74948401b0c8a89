//! A file of the reference implementation, files of our own, damage and disagreement.

use scuro_core::Random;
use serde_json::{Value, json};

use super::*;
use crate::Variant;
use crate::rbc::requests;
use crate::records::Ply;
use crate::records::verify::verify;

/// Written by reconchess 1.6.9: twenty turns with en passant, castling, a slide cut short, a pass, a capture of
/// nothing, and the capture of White's king.
const REFERENCE: &str = include_str!("../../../tests/data/game_history.json");

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_file_of_the_reference_is_read_replayed_and_written_again() {
    let history = GameHistory::read(REFERENCE).unwrap();
    assert_eq!(history.disagreements(), Ok(vec![]));
    assert_eq!(value(&history.to_json()), value(REFERENCE));
    let game = history.game().unwrap();
    assert_eq!(game.names, ["reference", "reconchess 1.6.9"]);
    assert_eq!(game.turns.len(), 20);
    assert_eq!(game.outcome, Some(Outcome::win(Color::Black, Reason::KingCaptured)));
    assert_eq!(GameHistory::of(&game), Ok(history));
}

#[test]
fn a_file_may_take_several_lines() {
    let pretty = serde_json::to_string_pretty(&value(REFERENCE)).unwrap();
    for text in [REFERENCE, pretty.as_str(), &format!("\n {pretty}")] {
        let report = verify(text.as_bytes(), &mut || ()).unwrap();
        assert_eq!((report.checked, report.disagreements), (20, 0));
    }
}

/// A random game that ends as `end` says, if its turns do not end it before.
fn random_game(seed: u64, turns: usize, end: Option<Outcome>) -> RbcGame {
    let mut random = Random::new(seed);
    let start = ["4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 9", &Board::start().to_string()]
        [seed as usize % 2]
        .parse()
        .unwrap();
    let limit = if seed.is_multiple_of(3) { Some(6) } else { Some(100) };
    let rules = Rbc { full_turn_limit: Some(30), reversible_moves_limit: limit, ..Rbc::endless(start, None) };
    let mut game =
        RbcGame { rules, names: Default::default(), turns: vec![], unfinished: None, outcome: None };
    let mut state = rules.first();
    while state.outcome().is_none() && game.turns.len() < turns {
        let mut list = Vec::new();
        requests(state.board(), &mut list);
        let turn = RbcTurn {
            sense: Square::try_index(random.below(70)),
            request: list.get(random.below(list.len() + 2)).copied(),
        };
        state = rules.turn_played(&state, turn).unwrap().after;
        game.turns.push(turn);
    }
    game.outcome = state.outcome().or(end);
    if state.outcome().is_none() {
        game.unfinished = [None, Some(None), Some(Some(Square::E4))][seed as usize % 3];
    }
    game
}

#[test]
fn files_of_our_own_tell_the_same_game() {
    let mut limits = 0;
    for seed in 0..120 {
        let end = [None, Some(Outcome::win(Color::White, Reason::Timeout))][seed as usize / 2 % 2];
        let game = random_game(seed, 5 + seed as usize, end);
        let history = GameHistory::of(&game).unwrap();
        let again = GameHistory::read(&history.to_json()).unwrap();
        assert_eq!(again, history);
        assert_eq!(again.disagreements(), Ok(vec![]), "{seed}");
        // The limits are not written down; those that ended the game come out again.
        let told = again.game().unwrap();
        let rules = Rbc { full_turn_limit: None, reversible_moves_limit: None, ..game.rules };
        let rules = match game.outcome.map(|outcome| outcome.reason) {
            Some(Reason::TurnLimit) => Rbc { full_turn_limit: Some(30), ..rules },
            Some(Reason::MoveLimit) => {
                Rbc { reversible_moves_limit: game.rules.reversible_moves_limit, ..rules }
            }
            _ => rules,
        };
        limits += usize::from(rules.full_turn_limit.or(rules.reversible_moves_limit).is_some());
        let game = RbcGame { rules, ..game };
        assert_eq!(told, game);
        assert_eq!(RbcGame::from_record(&game.to_record()), Ok(game));
    }
    assert!(limits > 10, "{limits}");
}

/// Who began shows in the numbers: of turns, or of moves.
#[test]
fn black_may_begin() {
    for turns in 0..4 {
        let game = random_game(6, turns, None);
        assert_eq!(game.rules.start.side(), Color::Black);
        let told = GameHistory::of(&game).unwrap().game().unwrap();
        let start = if turns == 0 { Board::start() } else { game.rules.start };
        assert_eq!((told.rules.start, told.turns), (start, game.turns));
    }
}

/// The reference file with one value replaced; the place is a path such as `/senses/true/0`.
fn with(pointer: &str, new: Value) -> String {
    let mut file = value(REFERENCE);
    *file.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = new;
    file.to_string()
}

#[test]
fn damage_is_named_by_its_place() {
    for (text, words) in [
        (String::new(), "line 1, column 0: not JSON"),
        (REFERENCE[..900].to_owned(), "line 1, column 900: not JSON"),
        ("{}".to_owned(), "type: expected \"GameHistory\""),
        ("[]".to_owned(), "type: expected"),
        (with("/type", json!("Game")), "type: expected \"GameHistory\""),
        (r#"{"type": "GameHistory"}"#.to_owned(), "requested_moves: expected a value"),
        (with("/white_name", json!(3)), "white_name: expected a text or null"),
        (
            with("/senses", json!({"true": []})),
            "senses.true: expected 10 entries as in requested_moves, found 0",
        ),
        (with("/senses/false", json!(1)), "senses.false: expected a list"),
        (with("/senses/true/3", json!(64)), "senses.true[3]: expected a square from 0 to 63 or null"),
        (with("/senses/true/3", json!(-1)), "senses.true[3]: expected a square"),
        (with("/senses/true/3", json!("e4")), "senses.true[3]: expected a square"),
        (
            with("/sense_results/false/2/1", json!([57, "n"])),
            "sense_results.false[2][1]: expected a square and",
        ),
        (with("/sense_results/false/2/1/1/value", json!("x")), "sense_results.false[2][1]"),
        (with("/sense_results/false/2/1/1/type", json!("Move")), "sense_results.false[2][1]"),
        (with("/requested_moves/true/0/value", json!("e2e9")), "requested_moves.true[0]: expected a move"),
        (with("/taken_moves/true/3/type", json!("Piece")), "taken_moves.true[3]: expected a move"),
        (with("/taken_moves/true/3", json!("e5f6")), "taken_moves.true[3]: expected a move"),
        (with("/capture_squares/false/9", json!(true)), "capture_squares.false[9]: expected a square"),
        (with("/fens_after_move/false/9", Value::Null), "fens_after_move.false[9]: expected a text"),
        (
            with("/fens_before_move/true/0", json!("8/8 w")),
            "fens_before_move.true[0]: FEN: expected 6 fields",
        ),
        (
            with("/fens_before_move/true/0", json!("4k3/8/8/8/8/8/8/4K3 b - - 0 1")),
            "fens_before_move.true[0]: expected a position with White to move",
        ),
        (with("/winner_color", json!("White")), "winner_color: expected true, false or null"),
        (
            with("/win_reason/value", json!("BOREDOM")),
            "win_reason: expected a reason such as KING_CAPTURE or null",
        ),
    ] {
        let damage = GameHistory::read(&text).and_then(|history| history.disagreements());
        let error = damage.unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
    }
    let mut history = GameHistory::read(REFERENCE).unwrap();
    history.turns[1].truncate(7);
    assert_eq!(history.game(), Err(HistoryError::Turns { white: 10, black: 7 }));
}

#[test]
fn disagreement_is_not_damage() {
    let uci = |m: &str| json!({"type": "Move", "value": m});
    let reason = |name: &str| json!({"type": "WinReason", "value": name});
    for (pointer, new, turn, words) in [
        ("/taken_moves/false/6", uci("h3f1"), 13, "taken_moves.false[6]: record h3f1, ours h3g2"),
        ("/taken_moves/true/8", uci("d2c3"), 16, "taken_moves.true[8]: record d2c3, ours null"),
        ("/capture_squares/true/2", json!(45), 4, "capture_squares.true[2]: record f6, ours f5"),
        ("/sense_results/true/1/4/1", Value::Null, 2, "sense_results.true[1]: record c6=."),
        ("/fens_after_move/true/0", json!("x"), 0, "fens_after_move.true[0]: record x, ours rnbqkbnr"),
        ("/fens_before_move/true/4", json!("x"), 8, "fens_before_move.true[4]: record x"),
        ("/requested_moves/true/1", uci("e4e6"), 2, "requested_moves.true[1]: e4e6: a pawn does not move"),
        ("/winner_color", json!(true), 20, "winner_color: record White, ours Black"),
        ("/win_reason", reason("TURN_LIMIT"), 20, "win_reason: record TURN_LIMIT, ours KING_CAPTURE"),
        ("/win_reason", Value::Null, 20, "win_reason: record null, ours KING_CAPTURE"),
    ] {
        let found = GameHistory::read(&with(pointer, new)).unwrap().disagreements().unwrap();
        assert_eq!(found.len(), 1, "{pointer}: {found:?}");
        assert_eq!(found[0].turn, turn, "{pointer}");
        assert!(found[0].words.contains(words), "{pointer}: {}", found[0].words);
    }
    // A resignation ends a game whatever stands on the board.
    assert_eq!(
        GameHistory::read(&with("/win_reason", reason("RESIGN"))).unwrap().disagreements(),
        Ok(vec![])
    );
}

#[test]
fn a_record_has_to_sense_and_request_in_turn() {
    let mut record = GameHistory::read(REFERENCE).unwrap().game().unwrap().to_record();
    assert_eq!(record.plies.len(), 40);
    record.plies.remove(6);
    let error = RbcGame::from_record(&record).unwrap_err();
    assert_eq!(error.to_string(), "ply 6: expected a sense");
    record.plies.insert(6, Ply::Sense(None));
    record.plies.insert(6, Ply::Sense(None));
    let error = RbcGame::from_record(&record).unwrap_err();
    assert_eq!(error.to_string(), "ply 7: expected a move or a pass");
    record.variant = Variant::FogOfWar;
    assert_eq!(RbcGame::from_record(&record), Err(PliesError::Variant(Variant::FogOfWar)));
}

/// A limit that ended the game must not have been passed before.
#[test]
fn a_limit_holds_throughout_the_game() {
    let mut history = GameHistory::read(REFERENCE).unwrap();
    for side in &mut history.turns {
        side.truncate(8);
    }
    (history.winner, history.reason) = (None, Some(Reason::TurnLimit));
    assert_eq!(history.disagreements(), Ok(vec![]));
    history.reason = Some(Reason::MoveLimit);
    let words = &history.disagreements().unwrap()[0].words;
    assert!(words.contains("the game is over: Draw: move limit"), "{words}");
}
