//! The belief of a player of Fog of War: masks and threads against the slow definition, what all its positions share,
//! and how it is made anew when nothing fits.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use scuro_agents::name::Obscuro;
use scuro_agents::player::{Playable, Player, Rebuild, Seen};
use scuro_core::Random;
use scuro_games::chess::{Board, Color, Move, Piece};
use scuro_games::fog::{Filter, FogOfWar, Told, View, candidates};
use scuro_games::player_of;
use scuro_search::agent::Budget;
use scuro_search::belief::Belief;

/// Starts that bring castling, en passant, promotion and pieces without moves within a few plies.
const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "4k3/1pp2p1p/8/P2P2P1/p2p2p1/8/1PP2P1P/4K3 w - - 0 1",
    "4k3/1P4P1/8/8/8/8/1p4p1/4K3 w - - 0 1",
    "7k/6pp/5P1P/8/8/p1p5/PP6/K7 w - - 0 1",
];

fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.pseudo_legal(&mut moves);
    moves
}

fn goes_on(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| board.king(color).is_some()) && board.has_pseudo_legal()
}

/// All that can follow, by making every move and comparing the whole view.
fn slow_follow(positions: &[Board], own: Option<Move>, view: &View) -> BTreeSet<Board> {
    let after = |board: &Board| -> Vec<Board> {
        own.map_or_else(|| moves(board), |m| vec![m]).into_iter().map(|m| board.play(m)).collect()
    };
    let after = positions.iter().flat_map(after);
    let fitting = after.filter(|board| goes_on(board) && View::of(board, view.player()) == *view);
    fitting.map(|board| board.without_counters()).collect()
}

/// A random game: `visit` is told each move and the board after it while the game goes on.
fn wander(start: Board, seed: u64, plies: usize, mut visit: impl FnMut(Color, Move, &Board) -> bool) {
    let mut random = Random::new(seed);
    let mut board = start;
    for _ in 0..plies {
        let (side, m) = (board.side(), *random.pick(&moves(&board)).unwrap());
        board.make(m);
        if !goes_on(&board) || !visit(side, m, &board) {
            return;
        }
    }
}

/// What `color` is told on arriving at `board`.
fn told(board: &Board, color: Color) -> Told {
    Told { view: View::of(board, color), end: None }
}

/// Any number of threads gives the same set in the same order, and it is the set of the slow definition. The truth is
/// in it; every position in it goes on, and gives the player to move the same moves.
#[test]
fn masks_and_threads_are_the_slow_definition() {
    let (mut compared, mut shared) = (0, 0);
    for seed in 0..12 {
        let start: Board = STARTS[seed as usize % STARTS.len()].parse().unwrap();
        let game = FogOfWar { start };
        for color in Color::ALL {
            let belief = Belief::certain(start.without_counters(), 1_000_000, seed);
            let mut beliefs = [1, 2, 5].map(|threads| belief.clone().with_threads(threads));
            wander(start, seed, 60, |side, m, board| {
                let (told, own) = (told(board, color), (side == color).then_some(m));
                let before = beliefs[0].positions().to_vec();
                for belief in &mut beliefs {
                    belief.advance(&game, player_of(color), own, &told).unwrap();
                }
                let [one, two, five] = &beliefs;
                assert!(one.positions() == two.positions() && one.positions() == five.positions());
                shared += usize::from(before.len() > 1_024);
                if before.len() <= 2_000 {
                    let slow = slow_follow(&before, own, &told.view);
                    assert_eq!(slow, one.positions().iter().copied().collect(), "game {seed}, {board}");
                    assert_eq!(slow.len(), one.positions().len());
                    compared += 1;
                }
                assert!(one.contains(&board.without_counters()));
                assert!(one.positions().iter().all(goes_on));
                let mine = moves(board);
                assert!(side == color || one.positions().iter().all(|board| moves(board) == mine));
                one.positions().len() < 15_000
            });
        }
    }
    assert!(compared > 400 && shared > 15, "{compared} {shared}");
}

/// A player that is not shown what comes of its own moves believes all that fits what it is shown.
#[test]
fn views_after_own_moves_may_be_left_out() {
    let (mut compared, mut wider) = (0, 0);
    for seed in 0..12 {
        let start: Board = STARTS[seed as usize % STARTS.len()].parse().unwrap();
        for color in Color::ALL {
            let name = Obscuro { positions: Some(100_000), ..Obscuro::default() };
            let mut player = Player::new(FogOfWar { start }, color, &name, Some(2)).unwrap();
            let mut shown = player_of_views(start, color);
            let mut own = None;
            wander(start, seed, 40, |side, m, board| {
                let told = told(board, color);
                shown.see((side == color).then_some(m), &told).unwrap();
                if side == color {
                    own = Some(m);
                    return true;
                }
                let before = player.belief().positions().to_vec();
                assert_eq!(player.see(own, &told), Ok(Seen::Exact));
                if before.len() <= 500 {
                    let between = |board: &Board| own.map_or(*board, |m| board.play(m));
                    let between: Vec<Board> = before.iter().map(between).filter(goes_on).collect();
                    let slow = slow_follow(&between, None, &told.view);
                    assert_eq!(
                        slow,
                        player.belief().positions().iter().copied().collect(),
                        "{seed}, {board}"
                    );
                    assert_eq!(slow.len(), player.belief().positions().len());
                    compared += 1;
                }
                // What fits more views fits fewer.
                assert!(shown.belief().positions().iter().all(|board| player.belief().contains(board)));
                wider += usize::from(shown.belief().positions().len() < player.belief().positions().len());
                own = None;
                player.belief().positions().len() < 15_000
            });
        }
    }
    assert!(compared > 60 && wider > 10, "{compared} {wider}");
}

fn player_of_views(start: Board, color: Color) -> Player<FogOfWar> {
    Player::new(FogOfWar { start }, color, &Obscuro::default(), Some(2)).unwrap()
}

/// Past the bound too the set is the same for any number of threads.
#[test]
fn threads_draw_the_same_sample() {
    let mut samples = 0;
    for seed in 0..6 {
        let game = FogOfWar::default();
        let belief = Belief::certain(game.start, 3_000, seed);
        let (mut one, mut three) = (belief.clone(), belief.with_threads(3));
        wander(game.start, seed, 60, |side, m, board| {
            let (told, own) = (told(board, Color::White), (side == Color::White).then_some(m));
            let [first, second] = [&mut one, &mut three]
                .map(|belief| belief.advance(&game, player_of(Color::White), own, &told));
            assert_eq!(first, second);
            assert!(one.positions() == three.positions() && one.positions().len() <= 3_000);
            assert_eq!(one.is_sample(), three.is_sample());
            samples += usize::from(one.is_sample());
            first.is_ok()
        });
    }
    assert!(samples > 30, "{samples}");
}

/// Where their side has no move the game is over, and I would be told: once my king has walled them in, they have a
/// knight somewhere.
#[test]
fn a_position_without_a_move_is_not_believed() {
    let walled: Board = "8/8/2k5/8/1p6/pPp5/PRP5/KB6 b - - 0 1".parse().unwrap();
    let knight: Board = "7N/8/2k5/8/1p6/pPp5/PRP5/KB6 b - - 0 1".parse().unwrap();
    let m = "c6b5".parse().unwrap();
    assert!(goes_on(&walled) && !goes_on(&walled.play(m)));
    let mut belief = Belief::certain(walled, 10, 1);
    belief.replace(&[walled, knight, walled]).unwrap();
    assert_eq!(belief.positions().len(), 2);
    let truth = knight.play(m).without_counters();
    let told = told(&truth, Color::Black);
    belief.advance(&FogOfWar::default(), player_of(Color::Black), Some(m), &told).unwrap();
    assert_eq!(belief.positions(), [truth]);
}

#[test]
fn every_move_is_a_candidate() {
    let start = Board::start();
    assert_eq!(candidates(&[start]), 20);
    assert_eq!(candidates(&[start, start.play("e2e4".parse().unwrap())]), 40);
}

/// What is made up for this view when `believed` was believed before.
fn rebuild(view: &View, own: Option<Move>, believed: &[Board], seed: u64) -> Vec<Board> {
    let question = Rebuild { view, own, told: &Told { view: *view, end: None }, believed };
    FogOfWar::default().rebuild(&question, &mut Random::new(seed))
}

/// Views of random games, and positions believed of another time in the same game: what is rebuilt fits, gives the
/// player its moves, is the same for the same seed, and is never nothing.
#[test]
fn what_is_rebuilt_fits() {
    let mut sizes = Vec::new();
    for seed in 0..24 {
        let start: Board = STARTS[seed as usize % STARTS.len()].parse().unwrap();
        let mut past = vec![start];
        wander(start, seed, 60, |side, m, board| {
            for color in Color::ALL {
                let (view, own) = (View::of(board, color), (side == color).then_some(m));
                let found = rebuild(&view, own, &past, seed);
                assert!(!found.is_empty(), "{board}");
                assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
                let mine = moves(board);
                for position in &found {
                    assert!(Filter::new(&view).fits(position) && View::of(position, color) == view);
                    assert!(goes_on(position) && *position == position.without_counters());
                    assert!(Color::ALL.into_iter().all(|color| position.men(color, Piece::King).len() == 1));
                    assert!(side == color || moves(position) == mine, "{position}");
                    assert_eq!(position.to_string().parse::<Board>().as_ref(), Ok(position));
                }
                assert_eq!(found, rebuild(&view, own, &past, seed));
                sizes.push(found.len());
            }
            if past.len() < 8 {
                past.push(board.without_counters());
            }
            sizes.len() % 8 < 6
        });
    }
    assert!(sizes.len() > 60 && sizes.iter().all(|&size| size > 10), "{sizes:?}");
}

/// What no position can give is told.
#[test]
fn nothing_is_rebuilt_from_nonsense() {
    // The white rook sees b1 but not c1, though b1 is empty.
    let text = "????????/????????/????????/????????/????????/1???????/1???????/R1??K??? w - - - 1";
    let view = View::parse(text, Color::White).unwrap();
    assert!(rebuild(&view, None, &[Board::start()], 1).is_empty());
}

/// After 1. e4 a knight on d5 cannot be. The player says so, believes what may be, and goes on.
#[test]
fn a_contradiction_is_reported_and_survived() {
    let start = Board::start();
    let mut me = Player::new(FogOfWar { start }, Color::White, &Obscuro::default(), Some(1)).unwrap();
    let see = |me: &mut Player<FogOfWar>, own: Option<&str>, fen: &str| {
        me.see(own.map(|m| m.parse().unwrap()), &told(&fen.parse().unwrap(), Color::White))
    };
    assert!(me.think(Budget::Nodes(200)).is_some());
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(see(&mut me, Some("e2e4"), after), Ok(Seen::Exact));
    let impossible = "r1bqkbnr/pppppppp/8/3n4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(see(&mut me, None, impossible), Ok(Seen::Invented));
    assert!(me.belief().is_sample() && me.belief().positions().len() > 1_000);
    let thought = me.think(Budget::Nodes(200)).unwrap();
    let board: Board = impossible.parse().unwrap();
    assert!(thought.candidates.iter().all(|candidate| board.is_pseudo_legal(candidate.action)));
    let taken = "r1bqkbnr/pppppppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    assert_eq!(see(&mut me, Some("e4d5"), taken), Ok(Seen::Sampled));
}
