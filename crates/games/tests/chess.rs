//! The promises of the board: known perft counts, a slow twin for moves, incremental fields that equal
//! recomputation, and notation that round-trips.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod slow;

use scuro_core::Random;
use scuro_games::chess::{Board, Color, Move, MoveRules, Piece, Square};
use scuro_games::perft::{divide, perft};
use slow::slow_moves;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Positions that bring every special rule within a few plies.
const POSITIONS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/8/1k6/1p6/pPp5/PRP5/KB6 b - - 0 1",
    "QQQQQQQQ/8/8/3kK3/8/8/8/qqqqqqqq b - - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 95 1",
];

/// Published counts of ordinary chess.
#[test]
fn chess_perft_is_as_published() {
    for (fen, counts) in [
        (POSITIONS[0], &[20, 400, 8902, 197_281, 4_865_609][..]),
        (KIWIPETE, &[48, 2039, 97_862, 4_085_603]),
        (POSITIONS[2], &[14, 191, 2812, 43_238, 674_624]),
        (POSITIONS[3], &[6, 264, 9467, 422_333]),
        (POSITIONS[4], &[44, 1486, 62_379, 2_103_487]),
    ] {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&fen.parse().unwrap(), MoveRules::Legal, depth), count, "{fen} depth {depth}");
        }
    }
}

fn slow_fog_perft(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ if board.king(board.side()).is_none() => 0,
        _ => slow_moves(board, board.side())
            .into_iter()
            .map(|m| slow_fog_perft(&board.play(m), depth - 1))
            .sum(),
    }
}

#[test]
fn fog_perft_equals_the_slow_twin() {
    for (depth, count) in (1..).zip([20, 400, 8902, 197_742]) {
        assert_eq!(perft(&Board::start(), MoveRules::PseudoLegal, depth), count);
    }
    for fen in POSITIONS {
        let board = fen.parse().unwrap();
        let depth = if board == Board::start() { 4 } else { 3 };
        let count = perft(&board, MoveRules::PseudoLegal, depth);
        assert_eq!(count, slow_fog_perft(&board, depth), "{fen}");
        let split = divide(&board, MoveRules::PseudoLegal, depth, 2, |_| ());
        assert_eq!(split.iter().map(|(_, count)| count).sum::<u64>(), count, "{fen}");
    }
    assert_eq!(divide(&Board::start(), MoveRules::Legal, 0, 1, |_| ()), []);
}

/// Random play from `fen` until a king falls or no move is left; `visit` sees every board.
fn wander(fen: &str, seed: u64, plies: usize, mut visit: impl FnMut(&Board)) {
    let mut random = Random::new(seed);
    let mut board: Board = fen.parse().unwrap();
    for _ in 0..plies {
        visit(&board);
        let moves = MoveRules::PseudoLegal.moves(&board);
        let Some(&m) = random.pick(&moves) else { return };
        board = board.play(m);
        if Color::ALL.into_iter().any(|color| board.king(color).is_none()) {
            return;
        }
    }
}

#[test]
fn moves_equal_the_slow_twin_in_random_play() {
    for (seed, fen) in (0..).zip(POSITIONS.iter().cycle().take(180)) {
        wander(fen, seed, 120, |board| {
            let (mut fast, mut slow) = (MoveRules::PseudoLegal.moves(board), slow_moves(board, board.side()));
            assert_eq!(board.count_pseudo_legal(), slow.len() as u64, "{board}");
            assert_eq!(board.has_pseudo_legal(), !slow.is_empty(), "{board}");
            fast.sort_unstable();
            slow.sort_unstable();
            assert_eq!(fast, slow, "{board}");
        });
    }
}

/// Every move that can be written, on boards of random play: only the slow twin's are pseudo-legal.
#[test]
fn no_other_move_is_pseudo_legal() {
    let promotions = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::King];
    for (seed, fen) in (500..).zip(POSITIONS) {
        wander(fen, seed, 20, |board| {
            let slow = slow_moves(board, board.side());
            for from in Square::ALL {
                for to in Square::ALL {
                    let plain = [Move::new(from, to)];
                    for m in plain.into_iter().chain(promotions.map(|p| Move::promoting(from, to, p))) {
                        assert_eq!(board.is_pseudo_legal(m), slow.contains(&m), "{board} {m}");
                    }
                }
            }
        });
    }
}

/// In ordinary chess a king is never taken, not even where a position offers it.
#[test]
fn chess_takes_no_king() {
    let board = "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1".parse().unwrap();
    assert_eq!(MoveRules::PseudoLegal.moves(&board).len(), MoveRules::Legal.moves(&board).len() + 1);
}

#[test]
fn incremental_fields_equal_recomputation() {
    for (seed, fen) in (1000..).zip(POSITIONS.iter().cycle().take(180)) {
        // A board read from its own FEN has every field, the key included, computed from nothing.
        wander(fen, seed, 120, |board| assert_eq!(board.to_string().parse::<Board>().as_ref(), Ok(board)));
    }
}

#[test]
fn san_and_uci_round_trip() {
    for (seed, fen) in (2000..).zip(POSITIONS.iter().cycle().take(45)) {
        wander(fen, seed, 60, |board| {
            for rules in [MoveRules::Legal, MoveRules::PseudoLegal] {
                for m in rules.moves(board) {
                    let san = board.san(m, rules);
                    assert_eq!(board.parse_san(&san, rules), Ok(m), "{board} {san}");
                    assert_eq!(m.to_string().parse(), Ok(m));
                }
            }
        });
    }
}
