//! The rules that captures are played out under: what each of them decides exactly.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod positions;

use std::sync::Arc;

use positions::random_network;
use scuro_core::Random;
use scuro_eval::evaluator::of_file;
use scuro_eval::{Evaluator, Network, Quiescence, Rules};
use scuro_games::chess::{Board, Move, MoveRules};
use scuro_games::kriegspiel::Ruleset;

const ICC: Rules = Rules::Kriegspiel(Ruleset::Icc);
const RAND: Rules = Rules::Kriegspiel(Ruleset::RAND);

/// An opinion, not a fact.
const OPEN: f32 = f32::NAN;

/// What a position is worth to its side to move.
#[rustfmt::skip]
const DECIDED: &[(&str, &str, [f32; 4])] = &[
    //                                                                      Fog   RBC   ICC   RAND
    ("mate", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",                          [-1.0, -1.0, -1.0, -1.0]),
    ("mate by a covered queen", "4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1",         [-1.0, -1.0, -1.0, -1.0]),
    ("mate, clock at its end", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80",     [0.0,  0.0,  -1.0, -1.0]),
    ("castling out of check", "4r1k1/8/b7/8/8/8/3P1P2/3RK2R w K - 0 1",    [OPEN, OPEN, -1.0, -1.0]),
    ("stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",                        [OPEN, OPEN, 0.0,  -1.0]),
    ("stalemate, pawn blocked", "7k/5Q2/6K1/p7/P7/8/8/8 b - - 0 1",        [OPEN, OPEN, 0.0,  -1.0]),
    ("stalemate, bishop pinned", "R5bk/8/6K1/8/8/8/8/8 b - - 0 1",         [OPEN, OPEN, 0.0,  -1.0]),
    ("stalemate, pawn covered", "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1",         [OPEN, OPEN, 0.0,  -1.0]),
    ("stalemate, clock at its end", "7k/5Q2/6K1/8/8/8/8/8 b - - 100 80",   [0.0,  0.0,  0.0,  -1.0]),
    ("no move at all", "8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1",            [-1.0, OPEN, 0.0,  -1.0]),
    ("king to take", "4k3/8/8/8/8/8/8/q3R1K1 w - - 0 1",                   [1.0,  1.0,  1.0,  1.0]),
    ("king beside a king", "8/8/8/8/8/8/3kK3/8 b - - 0 1",                 [1.0,  1.0,  1.0,  1.0]),
    ("king to take, clock at its end", "4k3/8/8/8/8/8/4R3/4K3 w - - 100 80", [0.0, 0.0, 1.0,  1.0]),
    ("rook to take, clock at its end", "4k3/8/8/8/8/8/4r3/4K3 w - - 100 80", [0.0, 0.0, 0.0,  0.0]),
    ("a lone knight", "4k3/8/8/8/8/8/8/3NK3 w - - 0 1",                    [OPEN, OPEN, 0.0,  0.0]),
    ("bishops of one colour", "4k3/8/8/8/8/4B3/8/2B1K3 w - - 0 1",         [OPEN, OPEN, OPEN, 0.0]),
    ("the last rook is taken", "8/8/8/3k4/3R4/8/7n/K7 b - - 0 1",          [OPEN, OPEN, 0.0,  0.0]),
    ("forced: en passant", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",            [OPEN, OPEN, OPEN, OPEN]),
    ("mate to give", "8/8/8/k1K5/8/8/8/7R w - - 0 1",                      [1.0,  1.0,  1.0,  1.0]),
];

#[test]
fn each_game_ends_by_its_own_rules() {
    let network = Arc::new(Network::material(32).unwrap());
    for (column, rules) in [Rules::Fog, Rules::Rbc, ICC, RAND].into_iter().enumerate() {
        let mut search = Quiescence::of_network(Arc::clone(&network)).under(rules);
        for (name, fen, expected) in DECIDED {
            let found = search.value(&fen.parse().unwrap()).unwrap();
            if expected[column].is_nan() {
                assert!(found.abs() < 1.0 && found != 0.0, "{name} {rules:?} {found}");
            } else {
                assert_eq!(found, expected[column], "{name} {rules:?}");
            }
        }
    }
}

/// What the position is worth in pawns once captures are played out, by material alone.
#[test]
fn only_moves_of_the_game_are_tried() {
    let network = Arc::new(Network::material(32).unwrap());
    for (name, rules, fen, pawns) in [
        (
            "the knight that could take the queen is pinned",
            ICC,
            "4r1k1/5q1p/8/4N3/8/8/7P/4K3 w - - 0 1",
            -11.0,
        ),
        ("the knight is not pinned, and retaken", ICC, "3r2k1/5q1p/8/4N3/8/8/7P/4K3 w - - 0 1", -5.0),
        ("the king cannot take a covered rook", ICC, "6k1/7p/8/8/8/6b1/5r2/4K2R w - - 0 1", -4.0),
        ("en passant opens a rank", ICC, "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", -5.0),
        ("en passant opens nothing", ICC, "7r/8/8/K2pP3/8/8/8/7k w - d6 0 1", -4.0),
        ("a fork is answered, and the queen is lost", ICC, "q3k3/2N5/7p/8/8/7P/8/4K3 b - - 0 1", -3.0),
        ("who cannot move in RBC waits", Rules::Rbc, "8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1", 8.0),
    ] {
        let value = Quiescence::of_network(Arc::clone(&network)).under(rules).value(&fen.parse().unwrap());
        assert_eq!((f64::from(value.unwrap()).atanh() * 6.0).round(), pawns, "{name}");
    }
}

/// Where random games of chess begin: the second half soon gets to mates and stalemates.
const BEGINNINGS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/R2QK2R w KQ - 0 1",
    "4k3/pppp4/8/8/8/8/8/QQ2K3 w - - 0 1",
    "7k/8/8/8/8/8/PPP5/KQ6 w - - 0 1",
    "rr5k/8/8/8/8/8/2BN4/K7 w - - 0 1",
];

/// Positions of random games of chess that go on, with their moves.
fn each_chess_position(seed: u64, count: usize, mut visit: impl FnMut(&Board, &[Move])) {
    let mut random = Random::new(seed);
    let mut games = BEGINNINGS.into_iter().cycle();
    let mut board: Board = games.next().unwrap().parse().unwrap();
    for _ in 0..count {
        let moves = MoveRules::Legal.moves(&board);
        visit(&board, &moves);
        board = board.play(moves[random.below(moves.len())]);
        if board.clock() >= 100 || Ruleset::Icc.end_on_board(&board).is_some() {
            board = games.next().unwrap().parse().unwrap();
        }
    }
}

/// The boards after all legal moves, by cozy-chess.
fn reference_children(board: &cozy_chess::Board) -> Vec<cozy_chess::Board> {
    let mut children = Vec::new();
    board.generate_moves(|moves| {
        children.extend(moves.into_iter().map(|m| {
            let mut child = board.clone();
            child.play_unchecked(m);
            child
        }));
        false
    });
    children
}

/// Whether the side to move mates by checks alone.
fn reference_mates(board: &cozy_chess::Board, plies: usize) -> bool {
    plies > 0 && reference_children(board).iter().any(|child| reference_is_mated(child, plies - 1))
}

/// Whether the side to move is mated, or in check and mated by checks alone whatever it does.
fn reference_is_mated(board: &cozy_chess::Board, plies: usize) -> bool {
    let saved = |child| plies == 0 || !reference_mates(child, plies - 1);
    !board.checkers().is_empty() && !reference_children(board).iter().any(saved)
}

/// The ends of Kriegspiel are found exactly, and nothing else is exact but what checks force.
#[test]
fn children_are_decided_as_cozy_chess_says() {
    let mut search = Quiescence::of_network(Arc::new(random_network(32, 21))).under(ICC);
    let (mut mates, mut stalemates, mut forced, mut drawn) = (0, 0, 0, 0);
    let mut values = Vec::new();
    each_chess_position(22, 20_000, |board, moves| {
        values.clear();
        search.evaluate(board, moves, &mut values).unwrap();
        for (&m, &value) in moves.iter().zip(&values) {
            let child = board.play(m);
            let reference = cozy_chess::Board::from_fen(&child.to_string(), false).unwrap();
            let can_move = reference.generate_moves(|_| true);
            let expected = match (can_move, reference.checkers().is_empty()) {
                (false, false) => Some((1.0, &mut mates)),
                (false, true) => Some((0.0, &mut stalemates)),
                _ if child.clock() >= 100 || Ruleset::Icc.end_on_board(&child).is_some() => {
                    Some((0.0, &mut drawn))
                }
                _ if value == 1.0 => reference_is_mated(&reference, 8).then_some((1.0, &mut forced)),
                _ if value == -1.0 => reference_mates(&reference, 8).then_some((-1.0, &mut forced)),
                _ => continue,
            };
            let (expected, count) = expected.unwrap_or_else(|| panic!("{board} {m}: {value} is not forced"));
            assert_eq!(value, expected, "{board} {m}");
            *count += 1;
        }
    });
    let counts = [mates, stalemates, forced, drawn];
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// The same question has the same answer under the same rules, whatever was asked before and under what rules.
#[test]
fn a_batch_equals_single_questions_under_all_rules() {
    let network = Arc::new(random_network(32, 23));
    for rules in [Rules::Fog, Rules::Rbc, ICC, RAND] {
        let mut search = Quiescence::of_network(Arc::clone(&network));
        let mut fresh = Quiescence::of_network(Arc::clone(&network)).under(rules);
        each_chess_position(24, 300, |board, moves| {
            search.evaluate(board, moves, &mut Vec::new()).unwrap();
        });
        search = search.under(rules);
        each_chess_position(24, 300, |board, moves| {
            let mut values = Vec::new();
            search.evaluate(board, moves, &mut values).unwrap();
            let singly: Vec<f32> = moves.iter().map(|&m| -fresh.value(&board.play(m)).unwrap()).collect();
            assert_eq!(values, singly, "{rules:?} {board}");
        });
    }
}

#[test]
fn a_taken_king_wins_at_once() {
    let board: Board = "4k3/8/8/8/8/8/8/q3R1K1 w - - 99 80".parse().unwrap();
    for rules in [Rules::Fog, Rules::Rbc] {
        let mut values = Vec::new();
        Quiescence::simple().under(rules).evaluate(&board, &["e1e8".parse().unwrap()], &mut values).unwrap();
        assert_eq!(values, [1.0], "{rules:?}");
    }
}

#[test]
fn every_opinion_plays_by_every_rule() {
    let stalemate: Board = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
    let file = Network::material(32).unwrap().write();
    for (rules, expected) in [(ICC, Some(0.0)), (RAND, Some(-1.0)), (Rules::Fog, None), (Rules::Rbc, None)] {
        let mut simple = Quiescence::simple().under(rules);
        let mut read = of_file(&file, rules).unwrap();
        for value in [simple.value(&stalemate).unwrap(), read.value(&stalemate).unwrap()] {
            assert!(expected.map_or(-1.0 < value && value < 0.0, |expected| value == expected), "{rules:?}");
        }
    }
}

/// No game of Kriegspiel gets to positions in which a king can be taken; asked for, they have a value.
#[test]
fn impossible_positions_are_no_matter() {
    for rules in [Rules::Fog, Rules::Rbc, ICC] {
        let mut search = Quiescence::of_network(Arc::new(random_network(32, 25))).under(rules);
        positions::each_random_position(26, 2_000, |board| {
            let moves = MoveRules::PseudoLegal.moves(board);
            let mut values = vec![search.value(board).unwrap()];
            search.evaluate(board, &moves, &mut values).unwrap();
            assert!(values.iter().all(|value| value.abs() <= 1.0), "{rules:?} {board}");
        });
    }
}
