//! The search of captures: the rules it must know, and the same search written plainly.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod positions;

use std::sync::Arc;

use positions::{each_random_position, random_network};
use scuro_eval::accumulator::{Accumulators, refreshed};
use scuro_eval::chase::led;
use scuro_eval::quiescence::Reach;
use scuro_eval::score::WON;
use scuro_eval::simd::Simd;
use scuro_eval::{Evaluator, Network, Quiescence, Rules};
use scuro_games::chess::{Board, Color, Move, MoveRules, Piece};
use scuro_games::fog::FogState;
use scuro_games::kriegspiel::Ruleset;

/// No pruning, no check: what the plain twin does.
const PLAIN: Reach =
    Reach { evasions: 2, checks: 0, exchanges: usize::MAX, recaptures: usize::MAX, margin: i32::MAX };

/// Every move tried in the order it is generated, every score made from nothing, nothing cut off.
fn plain(network: &Network, rules: Rules, board: &Board, ply: usize) -> i32 {
    let side = board.side();
    if board.king(side).is_none() {
        return -WON;
    }
    let moves = match rules {
        Rules::Kriegspiel(_) => MoveRules::Legal.moves(board),
        Rules::Fog | Rules::Rbc => MoveRules::PseudoLegal.moves(board),
    };
    match rules {
        Rules::Fog if moves.is_empty() => return -WON,
        Rules::Kriegspiel(_) if moves.is_empty() && board.in_check(side) => return -WON,
        Rules::Kriegspiel(ruleset) if moves.is_empty() => {
            return if ruleset.stalemate_loses() { -WON } else { 0 };
        }
        Rules::Kriegspiel(ruleset) if material_draws(ruleset, board) => return 0,
        _ => {}
    }
    if board.clock() >= 100 {
        return 0;
    }
    let takes_king = |m: &Move| board.captured_by(*m).is_some_and(|(_, piece)| piece == Piece::King);
    if moves.iter().any(takes_king) {
        return WON;
    }
    let saves_king = board.in_check(side) && ply <= PLAIN.evasions;
    let mut best = if saves_king { -WON } else { led(refreshed(network, Simd::portable(), board), board) };
    for m in moves {
        let loud =
            board.captured_by(m).is_some() && m.promotion().is_none() || m.promotion() == Some(Piece::Queen);
        if saves_king || loud {
            best = best.max(-plain(network, rules, &board.play(m), ply + 1));
        }
    }
    best
}

/// On the ICC no side has more than one knight or bishop; elsewhere there is one knight, or bishops of one colour.
fn material_draws(ruleset: Ruleset, board: &Board) -> bool {
    let [knights, bishops, kings] =
        [Piece::Knight, Piece::Bishop, Piece::King].map(|piece| board.pieces(piece));
    let few = |color| board.colors(color).len() <= 2;
    let on_dark =
        bishops.into_iter().filter(|&at| (at.rank() as u32 + at.file() as u32).is_multiple_of(2)).count();
    board.occupied().is_subset(knights | bishops | kings)
        && match ruleset {
            Ruleset::Icc => Color::ALL.into_iter().all(few),
            _ if knights.is_empty() => on_dark == 0 || on_dark == bishops.len() as usize,
            _ => board.occupied().len() == 3,
        }
}

#[test]
fn the_search_equals_its_plain_twin() {
    let network = Arc::new(random_network(32, 11));
    for rules in [Rules::Fog, Rules::Rbc, Rules::Kriegspiel(Ruleset::Icc), Rules::Kriegspiel(Ruleset::RAND)] {
        let opinion = Accumulators::new(Arc::clone(&network), Simd::detect());
        let mut search = Quiescence::new(opinion, PLAIN).under(rules);
        let mut compared = 0;
        each_random_position(12, 30_000, |board| {
            let possible = !matches!(rules, Rules::Kriegspiel(_)) || !board.in_check(!board.side());
            // Without few men the twin takes for ever.
            if possible && board.occupied().len() <= 13 {
                assert_eq!(search.score(board), plain(&network, rules, board, 0), "{rules:?} {board}");
                compared += 1;
            }
        });
        assert!(compared > 2_000, "{rules:?} {compared}");
    }
}

/// The value of a child in a batch is minus the value of the position after the move, whatever came before.
#[test]
fn a_batch_equals_single_questions() {
    let network = Arc::new(random_network(32, 13));
    let mut search = Quiescence::of_network(Arc::clone(&network));
    let mut fresh = Quiescence::of_network(network);
    each_random_position(14, 500, |board| {
        let moves = MoveRules::PseudoLegal.moves(board);
        let mut values = Vec::new();
        search.evaluate(board, &moves, &mut values).unwrap();
        assert_eq!(values.len(), moves.len());
        for (&m, &value) in moves.iter().zip(&values) {
            let state = FogState::new(board.play(m));
            assert_eq!(value, -fresh.value(state.board()).unwrap(), "{board} {m}");
            if let Some(outcome) = state.outcome().filter(|outcome| outcome.payoff() != 0.0) {
                assert_eq!(value.abs(), 1.0, "{board} {m} {outcome:?}");
            }
        }
    });
}

#[test]
fn the_rules_of_fog_decide() {
    let mut search = Quiescence::of_network(Arc::new(Network::material(32).unwrap()));
    for (fen, value) in [
        // The king can be taken, by any man, en passant of no matter.
        ("4k3/8/8/8/8/8/8/q3R1K1 w - - 0 1", Some(1.0)),
        ("8/8/8/8/8/8/3kK3/8 b - - 0 1", Some(1.0)),
        ("8/8/3k4/4P3/8/8/8/K7 w - - 0 1", Some(1.0)),
        // Both kings attacked: who moves wins.
        ("4k3/8/8/8/8/4R3/8/r5K1 w - - 0 1", Some(1.0)),
        ("4k3/8/8/8/8/4R3/8/r5K1 b - - 0 1", Some(1.0)),
        // Mate, and what chess calls stalemate: the king is lost either way.
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Some(-1.0)),
        // No move at all.
        ("8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1", Some(-1.0)),
        // Drawn by the clock, though a rook could be taken or a king.
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 100 80", Some(0.0)),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 100 80", Some(0.0)),
        // An attacked king castles out of it.
        ("4r1k1/8/8/8/8/8/3PPP2/R3K2R w KQ - 0 1", None),
    ] {
        let found = search.value(&fen.parse().unwrap()).unwrap();
        match value {
            Some(value) => assert_eq!(found, value, "{fen}"),
            None => assert!(found.abs() < 1.0, "{fen}"),
        }
    }
}

#[test]
fn what_hangs_is_taken_and_what_is_covered_is_not() {
    let mut search = Quiescence::of_network(Arc::new(Network::material(32).unwrap()));
    let mut pawns = |fen: &str| {
        let value = search.value(&fen.parse().unwrap()).unwrap();
        (f64::from(value).atanh() * 6.0).round()
    };
    // A rook takes a queen for nothing; a queen does not take a covered pawn; a pawn becomes a queen.
    assert_eq!(pawns("3q2k1/7p/8/8/8/8/7P/3RK3 w - - 0 1"), 5.0);
    assert_eq!(pawns("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1"), 7.0);
    assert_eq!(pawns("8/P6k/7p/8/8/7P/8/K7 w - - 0 1"), 9.0);
    // A fork is answered: the king steps away and the queen is lost.
    assert_eq!(pawns("q3k3/2N5/7p/8/8/7P/8/4K3 b - - 0 1"), -3.0);
    // A pawn taken in passing.
    assert_eq!(pawns("4k3/8/7p/8/3pP3/7P/8/4K3 b - e3 0 1"), 1.0);
}
