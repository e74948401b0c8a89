//! The promises of Reconnaissance Blind Chess: every example of its rules, requests against a slow twin, the
//! laws, and beliefs that hold the truth and equal their definition.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod slow;

use std::collections::{BTreeSet, HashMap};

use scuro_core::laws::{Walk, check};
use scuro_core::{Game, Key, Node, Player, Positions, Random, Turn};
use scuro_games::chess::{Board, Color, Move, Piece, Square};
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::rbc::{
    Answer, Moved, Phase, Position, Rbc, RbcAction, RbcError, RbcState, RequestError, Sensed, Told, admit,
    requests, resolve, sense_square,
};
use scuro_games::seat::Heard;
use scuro_games::umpire::{Umpire, Umpired};
use scuro_games::{color_of, player_of};
use slow::slow_moves;

fn from(fen: &str) -> Rbc {
    Rbc { start: fen.parse().unwrap(), ..Rbc::default() }
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

fn request(text: &str) -> Option<Move> {
    (!text.is_empty()).then(|| text.parse().unwrap())
}

/// The state after one turn without a sense.
fn turn(rules: &Rbc, state: &RbcState, text: &str) -> Result<RbcState, RbcError> {
    let mut state = *state;
    rules.sense(&mut state, None)?;
    rules.request(&mut state, request(text))?;
    Ok(state)
}

#[test]
fn senses_of_the_rules() {
    for (text, shown) in [
        ("a1", "a2=P b2=P a1=R b1=N"),
        ("e1", "d2=P e2=P f2=P d1=Q e1=K f1=B"),
        ("b7", "a8=r b8=n c8=b a7=p b7=p c7=p a6=. b6=. c6=."),
        ("h5", "g6=. h6=. g5=. h5=. g4=. h4=."),
    ] {
        let sensed = Sensed::of(&Board::start(), Some(square(text)));
        assert_eq!(sensed.to_string(), shown);
        assert!(sensed.fits(&Board::start()));
    }
    assert_eq!(Sensed::of(&Board::start(), None).squares().count(), 0);
    let counts = Square::ALL.map(|s| Sensed::of(&Board::start(), Some(s)).squares().count());
    assert_eq!([4, 6, 9].map(|n| counts.iter().filter(|&&count| count == n).count()), [4, 24, 36]);
    assert_eq!((sense_square(0), sense_square(63)), (Ok(Square::A1), Ok(Square::H8)));
    assert_eq!((sense_square(64), sense_square(-1)), (Err(RbcError::Square(64)), Err(RbcError::Square(-1))));
}

/// Position, request, the move made, the capture square. `""` is none.
const RESOLVED: [(&str, &str, &str, &str); 20] = [
    ("4k3/8/8/8/8/8/8/4K1bR w K - 0 1", "e1g1", "", ""),
    ("4k3/8/8/8/8/8/8/Rn2K3 w Q - 0 1", "e1c1", "", ""),
    ("3rkr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "e1g1", ""),
    ("3rkr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "e1c1", ""),
    ("4k3/8/8/8/3n4/8/8/3QK3 w - - 0 1", "d1d8", "d1d4", "d4"),
    ("3q3k/8/8/8/3N4/3n4/8/4K3 b - - 0 1", "d8d5", "d8d5", ""),
    ("3q3k/8/8/8/3N4/8/8/4K3 b - - 0 1", "d8d1", "d8d4", "d4"),
    ("7k/6p1/8/8/8/2B5/8/4K3 w - - 0 1", "c3h8", "c3g7", "g7"),
    ("4k3/8/8/8/3n4/8/3P4/4K3 w - - 0 1", "d2d4", "d2d3", ""),
    ("4k3/8/8/8/8/3n4/3P4/4K3 w - - 0 1", "d2d4", "", ""),
    ("4k3/8/8/8/8/3n4/3P4/4K3 w - - 0 1", "d2d3", "", ""),
    ("r3k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "", ""),
    ("r3k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8", "", ""),
    ("rn2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "a7b8n", "b8"),
    ("4k3/8/8/8/8/3n4/3P4/4K3 w - - 0 1", "d2e3", "", ""),
    ("4k3/8/8/8/8/4n3/3P4/4K3 w - - 0 1", "d2e3", "d2e3", "e3"),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", "d4e3", "e4"),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", "d4e3", "", ""),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "a7a8q", ""),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "", ""),
];

#[test]
fn requests_are_resolved_as_the_rules_say() {
    for (fen, asked, taken, captured) in RESOLVED {
        let rules = from(fen);
        let before = rules.start();
        let after = turn(&rules, &before, asked).unwrap();
        let side = before.board().side();
        let captured = (!captured.is_empty()).then(|| square(captured));
        let moved = Moved { requested: request(asked), taken: request(taken), captured };
        assert_eq!(after.moved(side), Some(moved), "{fen} {asked}");
        assert_eq!(after.notice(!side), captured, "{fen} {asked}");
        if taken.is_empty() {
            let mut passed = *before.board();
            passed.pass();
            assert_eq!(*after.board(), passed, "{fen} {asked}");
        }
    }
}

#[test]
fn a_failed_castling_keeps_the_right() {
    let rules = from("4k3/8/8/8/8/8/8/4K1bR w K - 0 1");
    let after = turn(&rules, &rules.start(), "e1g1").unwrap();
    assert_eq!(after.fen(), "4k3/8/8/8/8/8/8/4K1bR b K - 1 1");
}

#[test]
fn inadmissible_requests_are_refused_with_the_reason() {
    let two_squares = "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1";
    for (fen, text, words) in [
        (two_squares, "d2d5", "d2d5: a pawn does not move like that"),
        (two_squares, "d2d4q", "d2d4q: only a pawn that reaches the last rank"),
        (two_squares, "e1e2q", "only a pawn"),
        (two_squares, "e4e5", "you have no man on e4"),
        (two_squares, "e8e7", "you have no man on e8"),
        (two_squares, "e1d2", "a man of your own is in the way"),
        (two_squares, "e1g1", "the right to castle is gone"),
        ("4k3/8/8/8/8/8/8/4KN1R w K - 0 1", "e1g1", "a man of your own is in the way"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "the right to castle is gone"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", "a king does not move like that"),
        ("4k3/8/8/8/3R4/8/8/3RK3 w - - 0 1", "d1d8", "a man of your own is in the way"),
        ("4k3/8/8/8/8/3N4/3P4/4K3 w - - 0 1", "d2d4", "a man of your own is in the way"),
    ] {
        let rules = from(fen);
        let mut umpire = Umpire::new(rules);
        umpire.play(Color::White, RbcAction::Sense(None)).unwrap();
        let before = *umpire.state();
        let refusal = umpire.play(Color::White, RbcAction::Request(request(text))).unwrap_err().to_string();
        assert!(refusal.contains(words), "{fen} {text}: {refusal}");
        assert_eq!(*umpire.state(), before);
    }
}

#[test]
fn a_turn_is_a_sense_and_then_a_request() {
    let rules = Rbc::default();
    let mut state = rules.start();
    assert_eq!(rules.request(&mut state, None), Err(RbcError::Phase(Phase::Sense)));
    assert_eq!(state, rules.start());
    assert_eq!(rules.sense(&mut state, Some(Square::A1)).unwrap().to_string(), "a2=P b2=P a1=R b1=N");
    let sensed = state;
    assert_eq!(rules.sense(&mut state, None), Err(RbcError::Phase(Phase::Move)));
    let no_move = RequestError::Geometry { request: request("e2e5").unwrap(), piece: Piece::Pawn };
    assert_eq!(rules.request(&mut state, request("e2e5")), Err(RbcError::Request(no_move)));
    assert_eq!(state, sensed);
}

#[test]
fn the_fen_has_the_square_of_every_double_step() {
    let rules = Rbc::default();
    let mut state = rules.start();
    for (text, fen) in [
        ("e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        ("", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"),
        ("e4e5", "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"),
        ("d7d5", "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"),
    ] {
        state = turn(&rules, &state, text).unwrap();
        assert_eq!(state.fen(), fen);
    }
}

/// Position, turn limit, move limit, requests, the end.
#[test]
fn ends_by_the_rules_in_their_order() {
    use Color::{Black, White};
    let start = Board::start().to_string();
    let passes = " -".repeat(100);
    let pair = "4k3/8/8/8/8/8/8/4QK2 w - - 98 80";
    for (fen, turns, moves, text, outcome) in [
        (start.as_str(), Some(1), None, "-", None),
        (&start, Some(1), None, "- -", Some(Outcome::draw(Reason::TurnLimit))),
        (&start, Some(10), None, &passes[..38], None),
        (&start, Some(10), None, &passes[..40], Some(Outcome::draw(Reason::TurnLimit))),
        (&start, None, Some(100), &passes[..198], None),
        (&start, None, Some(100), &passes, Some(Outcome::draw(Reason::MoveLimit))),
        (&start, Some(50), Some(100), &passes, Some(Outcome::draw(Reason::TurnLimit))),
        (&start, None, None, &passes, None),
        (pair, None, Some(100), "e1d1 e8e7", Some(Outcome::draw(Reason::MoveLimit))),
        (pair, None, Some(99), "e1e8", Some(Outcome::win(White, Reason::KingCaptured))),
        (
            "3qk3/8/8/8/8/8/8/3K4 b - - 0 1",
            Some(1),
            None,
            "d8d1",
            Some(Outcome::win(Black, Reason::KingCaptured)),
        ),
        ("3qk3/8/8/8/8/8/8/3K4 b - - 5 9", Some(8), Some(5), "", Some(Outcome::draw(Reason::TurnLimit))),
    ] {
        let rules = Rbc {
            full_turn_limit: turns,
            reversible_moves_limit: moves,
            ..Rbc::endless(fen.parse().unwrap(), None)
        };
        let end = text.split_whitespace().fold(rules.start(), |state, text| {
            turn(&rules, &state, if text == "-" { "" } else { text }).unwrap()
        });
        assert_eq!(end.outcome(), outcome, "{fen} {turns:?} {moves:?} {text}");
        if let Some(outcome) = outcome {
            assert_eq!(turn(&rules, &end, ""), Err(RbcError::Over(outcome)));
        }
    }
}

#[test]
fn players_and_clocks_end_a_game_before_the_board_does() {
    let mut board: Board = "4k3/8/8/8/8/8/8/4QK2 w - - 0 1".parse().unwrap();
    let rules = from("4k3/8/8/8/8/8/8/4QK2 w - - 0 1");
    board.make("e1e8".parse().unwrap());
    for (resigned, flagged, outcome) in [
        (None, [false, false], Outcome::win(Color::White, Reason::KingCaptured)),
        (None, [true, false], Outcome::win(Color::Black, Reason::Timeout)),
        (None, [false, true], Outcome::win(Color::White, Reason::Timeout)),
        (None, [true, true], Outcome::win(Color::Black, Reason::Timeout)),
        (Some(Color::White), [false, true], Outcome::win(Color::Black, Reason::Resignation)),
    ] {
        assert_eq!(rules.end(&board, resigned, flagged), Some(outcome));
    }
}

/// The loser hears of the end, not where her king was taken; before that, of every capture.
#[test]
fn notices() {
    let rules = from("4k3/8/8/8/3pP3/8/3Q4/4K3 b - e3 0 1");
    let start = rules.start();
    assert_eq!((start.notice(Color::White), start.notice(Color::Black)), (None, None));
    let state = turn(&rules, &start, "d4e3").unwrap();
    assert_eq!(state.notice(Color::White), Some(Square::E4));
    let state = turn(&rules, &state, "d2d8").unwrap();
    assert_eq!(state.notice(Color::Black), None);
    let state = turn(&rules, &state, "e3e2").unwrap();
    let state = turn(&rules, &state, "d8e8").unwrap();
    assert_eq!(state.outcome(), Some(Outcome::win(Color::White, Reason::KingCaptured)));
    assert_eq!(state.notice(Color::Black), None);
    assert_eq!(state.moved(Color::White).unwrap().captured, Some(Square::E8));
}

/// The umpire takes what the game does not offer, and shows a player only her own.
#[test]
fn the_umpire_takes_all_that_the_rules_allow() {
    let mut umpire = Umpire::new(from("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"));
    assert_eq!(umpire.choices().len(), 36);
    umpire.play(Color::White, RbcAction::Sense(Some(Square::A8))).unwrap();
    let view = umpire.view(Color::White);
    assert_eq!(view.sensed.unwrap().to_string(), "a8=. b8=. a7=P b7=.");
    assert!(!umpire.choices().contains(&RbcAction::Request(request("a7a8"))));
    umpire.play(Color::White, RbcAction::Request(request("a7a8"))).unwrap();
    assert_eq!(umpire.view(Color::White).moved.unwrap().taken, request("a7a8q"));
    let black = umpire.view(Color::Black);
    assert_eq!((black.sensed, black.moved, black.notice), (None, None, None));
    assert_eq!(black.pieces.all(), Square::E8.bitboard());
    assert_eq!(
        umpire.play(Color::Black, RbcAction::Request(None)).unwrap_err().to_string(),
        "first choose what to sense"
    );
}

/// Positions that bring every special case within a few turns.
const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/8/8/1k6/1p6/pPp5/PRP5/KB6 b - - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 95 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
];

/// Plays a random game and shows every state to `visit`, which says whether to go on.
fn wander(rules: &Rbc, seed: u64, plies: usize, mut visit: impl FnMut(&RbcState, Option<Done>) -> bool) {
    let mut random = Random::new(seed);
    let (mut state, mut done) = (rules.start(), None);
    let mut actions = Vec::new();
    for _ in 0..plies {
        if !visit(&state, done) || matches!(rules.turn(&state), Turn::Over(_)) {
            return;
        }
        actions.clear();
        rules.actions(&state, &mut actions);
        let action = *random.pick(&actions).unwrap();
        done = Some(Done { side: state.board().side(), action });
        state = rules.play(&state, action);
    }
}

/// The ply that led to a state.
#[derive(Clone, Copy)]
struct Done {
    side: Color,
    action: RbcAction,
}

impl Done {
    /// The action, if it was `color`'s own.
    fn own(self, color: Color) -> Option<RbcAction> {
        (self.side == color).then_some(self.action)
    }
}

/// The board without the men of the side that is not to move, and the requests by definition: the moves there,
/// castling by its own rule, and diagonal pawn steps wherever no own man stands.
fn slow_requests(board: &Board) -> BTreeSet<String> {
    let side = board.side();
    let fen = board.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let enemy = |c: char| if side == Color::White { c.is_ascii_lowercase() } else { c.is_ascii_uppercase() };
    let king = if side == Color::White { 'k' } else { 'K' };
    let mut requests = BTreeSet::new();
    // A FEN needs both kings: the enemy's is put where none of the own men stands, everywhere in turn, and
    // what is possible with it on some square and no capture of it, is possible.
    let rows: Vec<Vec<char>> = fields[0]
        .split('/')
        .map(|row| {
            row.chars().flat_map(|c| c.to_digit(10).map_or(vec![c], |n| vec!['.'; n as usize])).collect()
        })
        .collect();
    let rows: Vec<Vec<char>> =
        rows.iter().map(|row| row.iter().map(|&c| if enemy(c) { '.' } else { c }).collect()).collect();
    for (rank, file) in (0..8).flat_map(|rank| (0..8).map(move |file| (rank, file))) {
        if rows[rank][file] != '.' {
            continue;
        }
        let mut with_king = rows.clone();
        with_king[rank][file] = king;
        let text = with_king.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/");
        let text = text.replace('.', "1");
        let text = (2..=8).rev().fold(text, |text, n| text.replace(&"1".repeat(n), &n.to_string()));
        let castling: String = fields[2].chars().filter(|&c| !enemy(c)).collect();
        let castling = if castling.is_empty() { "-" } else { &castling };
        let blind: Board = format!("{text} {} {castling} - 0 1", fields[1]).parse().unwrap();
        let moves = slow_moves(&blind, side);
        requests.extend(moves.iter().filter(|m| blind.captured_by(**m).is_none()).map(Move::to_string));
    }
    let forward = if side == Color::White { 1 } else { -1 };
    for pawn in board.men(side, Piece::Pawn) {
        for to in [-1, 1].into_iter().filter_map(|file| pawn.try_offset(file, forward)) {
            if board.colors(side).has(to) {
                continue;
            }
            requests.insert(Move::new(pawn, to).to_string());
            if matches!(to.rank() as usize, 0 | 7) {
                requests.extend(["q", "r", "b", "n"].map(|letter| format!("{pawn}{to}{letter}")));
            }
        }
    }
    requests
}

#[test]
fn requests_equal_the_slow_twin() {
    for (seed, fen) in (0..).zip(POSITIONS.iter().cycle().take(40)) {
        wander(&from(fen), seed, 80, |state, _| {
            let board = state.board();
            if state.outcome().is_some() {
                return false;
            }
            let slow = slow_requests(board);
            let mut fast = Vec::new();
            requests(board, &mut fast);
            assert_eq!(fast.len(), slow.len(), "{board}");
            assert_eq!(fast.iter().map(Move::to_string).collect::<BTreeSet<_>>(), slow, "{board}");
            // Admissible are these, and the pawn moves to the last rank without a letter.
            for from in Square::ALL {
                for to in Square::ALL {
                    let m = Move::new(from, to);
                    let listed = slow.contains(&m.to_string()) || slow.contains(&format!("{m}q"));
                    assert_eq!(admit(board, m).is_ok(), listed, "{board} {m}");
                }
            }
            true
        });
    }
}

/// What becomes of a request by its definition: the longest part of it that is a move of the true board.
fn slow_resolve(board: &Board, request: Move) -> Option<Move> {
    let moves = slow_moves(board, board.side());
    let (_, piece) = board.man_on(request.from())?;
    let (from, to) = (request.from(), request.to());
    let step = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
    let longest = step.0.abs().max(step.1.abs());
    let slides = matches!(piece, Piece::Pawn | Piece::Rook | Piece::Bishop | Piece::Queen);
    (1..=longest).rev().find_map(|length| {
        let part = from.try_offset(step.0.signum() * length, step.1.signum() * length)?;
        let m = if part == to { request } else { Move::new(from, part) };
        (moves.contains(&m) && (part == to || slides)).then_some(m)
    })
}

#[test]
fn requests_come_to_what_the_slow_twin_says() {
    for (seed, fen) in (100..).zip(POSITIONS.iter().cycle().take(64)) {
        wander(&from(fen), seed, 120, |state, _| {
            let mut list = Vec::new();
            requests(state.board(), &mut list);
            for m in list {
                let m = admit(state.board(), m).unwrap();
                let slow = if matches!(state.board().man_on(m.from()), Some((_, Piece::Knight))) {
                    Some(m)
                } else {
                    slow_resolve(state.board(), m)
                };
                assert_eq!(resolve(state.board(), m), slow, "{} {m}", state.board());
            }
            true
        });
    }
}

#[test]
fn obeys_the_laws() {
    let walks = [Walk::All { plies: 3 }, Walk::Random { plays: 150, plies: 120, seed: 1 }];
    let checked = check(&Rbc::default(), &walks).unwrap();
    assert!(checked.histories > 46_000, "{checked:?}");
    for fen in POSITIONS {
        check(&from(fen), &[Walk::All { plies: 2 }, Walk::Random { plays: 60, plies: 80, seed: 2 }]).unwrap();
    }
    let short = Rbc { full_turn_limit: Some(2), reversible_moves_limit: Some(3), ..Rbc::default() };
    let checked = check(&short, &[Walk::Random { plays: 300, plies: 20, seed: 3 }]).unwrap();
    assert!(checked.ended > 250, "{checked:?}");
}

/// Every position that can follow by the definition: try everything, keep what would be told in the same words.
fn slow_follow(position: &Position, me: Color, own: Option<RbcAction>, told: &Told) -> BTreeSet<Position> {
    let endless = Rbc::endless(*position.board(), None);
    let start = endless.start();
    let after = |sense: Option<Square>, request: Option<Option<Move>>| {
        let mut state = start;
        endless.sense(&mut state, sense).unwrap();
        if let Some(request) = request {
            endless.request(&mut state, request).ok()?;
        }
        let same = state.outcome().is_none() && state.told(me) == *told;
        same.then(|| Position::new(state.board()))
    };
    match (own, told.answer) {
        (Some(RbcAction::Sense(square)), _) => after(square, None).into_iter().collect(),
        (Some(RbcAction::Request(request)), _) => after(None, Some(request)).into_iter().collect(),
        (None, Answer::Waited) => after(None, None).into_iter().collect(),
        (None, _) => {
            let mut all = Vec::new();
            requests(start.board(), &mut all);
            let all = all.into_iter().map(Some).chain([None]);
            all.filter_map(|request| after(None, Some(request))).collect()
        }
    }
}

const MOST_POSITIONS: usize = 50_000;

/// The belief one step later, or nothing once it has grown too large to be followed.
fn step(
    rules: &Rbc,
    belief: &[Position],
    me: Player,
    heard: &Heard<RbcAction, Told>,
) -> Option<Vec<Position>> {
    let follow = rules.follow(me, heard.own, &heard.told);
    let mut next = Vec::new();
    for position in belief {
        follow(position, &mut next);
        if next.len() > 10 * MOST_POSITIONS {
            return None;
        }
    }
    let mut next: Vec<Position> = next.into_iter().map(|(_, position)| position).collect();
    next.sort_unstable();
    next.dedup();
    (next.len() <= MOST_POSITIONS).then_some(next)
}

/// Own men and own rights are no secret: what can be requested is the same in every position of a belief.
fn same_own_men(one: &Position, two: &Position, me: Color) -> bool {
    let own = |position: &Position| {
        let board = position.board();
        (Piece::ALL.map(|piece| board.men(me, piece)), board.castling().of(me), board.side())
    };
    own(one) == own(two)
}

/// All that happened in the histories of one infoset: where they lead, and what was told on the way.
struct Infoset {
    truths: BTreeSet<Position>,
    heard: Vec<Heard<RbcAction, Told>>,
}

/// Every history of `plies` plies, sorted into the infosets of `me`.
fn infosets(
    rules: &Rbc,
    node: &Node<RbcState>,
    heard: &[Heard<RbcAction, Told>],
    me: Player,
    plies: usize,
    found: &mut HashMap<Key, Infoset>,
) {
    if rules.outcome(&node.state).is_some() {
        return;
    }
    if plies == 0 {
        let infoset = found
            .entry(node.keys[me.index()])
            .or_insert_with(|| Infoset { truths: BTreeSet::new(), heard: heard.to_vec() });
        assert_eq!(infoset.heard, heard);
        infoset.truths.insert(Position::new(node.state.board()));
        return;
    }
    let mut actions = Vec::new();
    rules.actions(&node.state, &mut actions);
    for action in actions {
        let own = (rules.turn(&node.state) == Turn::Player(me)).then_some(action);
        let next = node.play(rules, action);
        let told = next.state.told(color_of(me));
        infosets(rules, &next, &[heard, &[Heard { own, told }]].concat(), me, plies - 1, found);
    }
}

/// A belief is exactly where the histories lead that a player cannot tell apart.
#[test]
fn beliefs_equal_infosets() {
    for (fen, plies) in [
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", 4),
        ("8/8/8/8/8/1k6/6p1/K6R w - - 0 1", 4),
        ("4k3/8/8/8/8/8/8/R3K1r1 b Q - 0 1", 3),
    ] {
        let rules = from(fen);
        for me in Player::BOTH {
            let mut found = HashMap::new();
            infosets(&rules, &Node::start(&rules), &[], me, plies, &mut found);
            assert!(found.len() > 20, "{fen}");
            for infoset in found.values() {
                let start = vec![Position::new(&rules.start)];
                let heard = infoset.heard.iter();
                let belief = heard.fold(start, |belief, heard| step(&rules, &belief, me, heard).unwrap());
                assert_eq!(
                    belief,
                    infoset.truths.iter().copied().collect::<Vec<_>>(),
                    "{fen} {:?}",
                    infoset.heard
                );
            }
        }
    }
}

#[test]
fn the_truth_is_in_both_beliefs() {
    let mut followed = 0;
    for (seed, fen) in (500..).zip(POSITIONS.iter().cycle().take(40)) {
        let rules = from(fen);
        let mut beliefs = [0, 1].map(|_| Some(vec![Position::new(&rules.start)]));
        wander(&rules, seed, 120, |state, done| {
            if state.outcome().is_some() {
                return false;
            }
            for me in Player::BOTH {
                let Some(mut belief) = beliefs[me.index()].take() else { continue };
                if let Some(done) = done {
                    let heard = Heard { own: done.own(color_of(me)), told: state.told(color_of(me)) };
                    let Some(next) = step(&rules, &belief, me, &heard) else { continue };
                    belief = next;
                }
                followed += 1;
                let truth = Position::new(state.board());
                assert!(belief.binary_search(&truth).is_ok(), "{} {me:?}", state.board());
                assert!(belief.iter().all(|position| same_own_men(position, &truth, color_of(me))));
                beliefs[me.index()] = Some(belief);
            }
            beliefs.iter().any(Option::is_some)
        });
    }
    assert!(followed > 1500, "only {followed} steps");
}

#[test]
fn beliefs_equal_the_slow_definition() {
    let mut random = Random::new(7);
    let mut compared = 0;
    for (seed, fen) in (700..).zip(POSITIONS.iter().cycle().take(32)) {
        let rules = from(fen);
        // What is told in one game is asked of positions of another that has gone as far.
        let mut elsewhere = Vec::new();
        wander(&rules, seed + 1000, 60, |state, _| {
            elsewhere.push(*state.board());
            true
        });
        let mut before: Option<Board> = None;
        wander(&rules, seed, 60, |state, done| {
            if state.outcome().is_some() {
                return false;
            }
            for me in Color::ALL {
                let (Some(done), Some(before)) = (done, before) else { continue };
                let (own, told) = (done.own(me), state.told(me));
                let follow = rules.follow(player_of(me), own, &told);
                let mut candidates = vec![Position::new(&before)];
                let as_far = elsewhere.iter().filter(|board| board.side() == before.side());
                candidates.extend(as_far.filter(|_| random.below(4) == 0).map(Position::new));
                for position in candidates {
                    let mut fast = Vec::new();
                    if position.board().king(Color::White).and(position.board().king(Color::Black)).is_none()
                    {
                        continue;
                    }
                    follow(&position, &mut fast);
                    let fast: BTreeSet<Position> = fast.into_iter().map(|(_, position)| position).collect();
                    let slow = slow_follow(&position, me, own, &told);
                    assert_eq!(fast, slow, "{} {told:?}", position.board());
                    compared += 1;
                }
            }
            before = Some(*state.board());
            true
        });
    }
    assert!(compared > 10_000, "only {compared}");
}

/// Resigning is the umpire's business, and both sides see the same end.
#[test]
fn resignation_ends_the_game() {
    let mut umpire = Umpire::new(Rbc::default());
    umpire.resign(Color::Black).unwrap();
    assert_eq!(umpire.outcome(), Some(Outcome::win(Color::White, Reason::Resignation)));
    let rules = Rbc::default();
    assert_eq!(rules.outcome(&rules.start()), None);
}
