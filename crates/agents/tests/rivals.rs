//! The rivals at the board: whole games, within their rules, by their views alone.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_agents::contestant::{Allowance, Contestant};
use scuro_agents::name::Eval;
use scuro_agents::play::ply;
use scuro_agents::rivals::greedy::Greedy;
use scuro_agents::rivals::random::RandomMover;
use scuro_agents::rivals::shell::Rival;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::{FogOfWar, Told, View};
use scuro_games::umpire::Umpire;

/// Makes a player of this colour with this seed.
type Make = fn(Board, Color, u64) -> Box<dyn Contestant<FogOfWar>>;

const RIVALS: [(&str, Make); 3] = [
    ("greedy", |start, color, seed| Box::new(Greedy::new(start, color, seed))),
    ("baseline", |start, color, seed| {
        Box::new(Rival::baseline(FogOfWar { start }, color, &Eval::Simple, seed).unwrap())
    }),
    ("zs21", |start, color, seed| {
        Box::new(Rival::zs21(FogOfWar { start }, color, &Eval::Simple, seed).unwrap())
    }),
];

/// Plays a game of at most so many plies: what White gets, and the moves.
fn play(
    start: Board,
    players: [&mut dyn Contestant<FogOfWar>; 2],
    budget: Allowance,
    plies: usize,
) -> (f64, Vec<Move>) {
    let mut umpire = Umpire::new(FogOfWar { start });
    let [white, black] = players;
    let mut moves = Vec::new();
    while umpire.outcome().is_none() && moves.len() < plies {
        moves.push(ply(&mut umpire, [&mut *white, &mut *black], budget).unwrap());
    }
    (umpire.outcome().map_or(0.0, |outcome| outcome.payoff()), moves)
}

#[test]
fn whole_games_against_random_moves_are_won() {
    for (name, make) in RIVALS {
        let mut score = 0.0;
        for seed in 0..4 {
            let color = if seed % 2 == 0 { Color::White } else { Color::Black };
            let (mut rival, mut random) = (make(Board::start(), color, seed), RandomMover::new(seed));
            let players: [&mut dyn Contestant<FogOfWar>; 2] =
                if color == Color::White { [&mut *rival, &mut random] } else { [&mut random, &mut *rival] };
            let (payoff, _) = play(Board::start(), players, Allowance::Nodes(4_000), 300);
            score += if color == Color::White { payoff } else { -payoff };
        }
        assert!(score >= 2.0, "{name}: {score} of 4");
    }
}

/// Every kind of position that is hard to hold: few men, promotions, en passant, castling, a blocked king.
#[test]
fn odd_positions_are_played_on() {
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "k7/6P1/8/8/8/8/1p6/7K w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1",
        "8/8/8/1k6/1p6/pPp5/P1P5/KB6 w - - 0 1",
        "4k3/8/8/8/8/8/4q3/4K2R b K - 96 60",
    ] {
        let start: Board = fen.parse().unwrap();
        for (name, make) in RIVALS {
            let [mut white, mut black] = Color::ALL.map(|color| make(start, color, 7));
            let (_, moves) = play(start, [&mut *white, &mut *black], Allowance::Nodes(500), 24);
            assert!(!moves.is_empty(), "{name} {fen}");
        }
    }
}

#[test]
fn a_budget_of_nodes_replays_with_its_seed() {
    for (name, make) in RIVALS {
        let game = |seed| {
            let [mut white, mut black] = Color::ALL.map(|color| make(Board::start(), color, seed));
            play(Board::start(), [&mut *white, &mut *black], Allowance::Nodes(2_000), 16).1
        };
        assert_eq!(game(1), game(1), "{name}");
        assert!((2..6).any(|seed| game(seed) != game(1)), "{name}");
    }
}

/// A king that can be taken is taken.
#[test]
fn the_king_is_taken() {
    let start: Board = "4k3/8/8/8/8/8/8/K3R3 w - - 0 1".parse().unwrap();
    for (name, make) in RIVALS {
        let mut mover = RandomMover::new(1);
        let (payoff, moves) =
            play(start, [&mut *make(start, Color::White, 1), &mut mover], Allowance::Nodes(400), 1);
        assert_eq!((payoff, moves[0].to_string()), (1.0, "e1e8".to_owned()), "{name}");
    }
}

/// The belief holds the truth, and the report says what was done: a strategy over the moves there are, whatever was
/// carried over.
#[test]
fn zs21_reports_its_rounds() {
    let start = Board::start();
    for seed in 1..3 {
        let mut umpire = Umpire::new(FogOfWar { start });
        let mut white = Rival::zs21(FogOfWar { start }, Color::White, &Eval::Simple, seed).unwrap();
        let mut black = Greedy::new(start, Color::Black, seed);
        for _ in 0..12 {
            let (moves, mine) = (umpire.choices(), umpire.turn() == Some(Color::White));
            if ply(&mut umpire, [&mut white, &mut black], Allowance::Nodes(10_000)).is_err() {
                break;
            }
            let report = white.report().unwrap();
            assert!(report.rounds >= 1 && report.nodes <= 70_000 && report.roots >= 1, "{report:?}");
            assert!((report.strategy.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
            if mine {
                assert_eq!(report.strategy.iter().map(|(m, _)| *m).collect::<Vec<Move>>(), moves);
            }
            if umpire.outcome().is_none() {
                let truth = umpire.state().board().without_counters();
                assert!(white.believer().belief().contains(&truth));
            }
        }
    }
}

/// Of two games that look alike to them the rivals know no difference: the same moves.
#[test]
fn what_is_hidden_makes_no_difference() {
    let after = |hidden: &str| {
        let boards = ["a2a3", hidden].into_iter().scan(Board::start(), |board, m| {
            *board = board.play(m.parse().unwrap());
            Some(*board)
        });
        boards.collect::<Vec<Board>>()
    };
    let views =
        |hidden: &str| after(hidden).iter().map(|board| View::of(board, Color::White)).collect::<Vec<View>>();
    assert_eq!(views("a7a6"), views("g8f6"));
    for (name, make) in RIVALS {
        let answer = |hidden: &str| {
            let mut rival = make(Board::start(), Color::White, 3);
            for (view, own) in views(hidden).into_iter().zip([Some("a2a3".parse().unwrap()), None]) {
                rival.see(own, &Told { view, end: None });
            }
            let mut moves = Vec::new();
            after(hidden)[1].pseudo_legal(&mut moves);
            rival.choose(&moves, Allowance::Nodes(1_000)).unwrap()
        };
        assert_eq!(answer("a7a6"), answer("g8f6"), "{name}");
    }
}
