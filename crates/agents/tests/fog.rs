//! The Fog-of-War player: its belief against the slow definition, and games in which it sees only its own views.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_agents::name::Obscuro;
use scuro_agents::player::Player;
use scuro_core::Random;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::{Filter, FogOfWar, Told, View};
use scuro_games::umpire::Umpire;
use scuro_search::agent::{Budget, Opening, Settings, Thought};

fn random_move(board: &Board, random: &mut Random) -> Move {
    let mut moves = Vec::new();
    board.pseudo_legal(&mut moves);
    *random.pick(&moves).unwrap()
}

/// The filter keeps exactly the positions that give the view: successors of a position that differ in one unseen
/// move, over random games.
#[test]
fn the_filter_is_the_view() {
    let mut random = Random::new(7);
    let (mut fits, mut not) = (0, 0);
    for _ in 0..60 {
        let mut board = Board::start();
        for _ in 0..80 {
            if Color::ALL.into_iter().any(|color| board.king(color).is_none()) || !board.has_pseudo_legal() {
                break;
            }
            let mut moves = Vec::new();
            board.pseudo_legal(&mut moves);
            let children: Vec<Board> = moves.iter().map(|&m| board.play(m)).collect();
            for color in Color::ALL {
                let truth = View::of(random.pick(&children).unwrap(), color);
                let filter = Filter::new(&truth);
                for child in &children {
                    let view = View::of(child, color);
                    let slow = view.lit() == truth.lit()
                        && view.own() == truth.own()
                        && view.placement() == truth.placement()
                        && view.en_passant() == truth.en_passant();
                    assert_eq!(filter.fits(child), slow, "{child}");
                    if slow { fits += 1 } else { not += 1 }
                }
            }
            board = *random.pick(&children).unwrap();
        }
    }
    assert!(fits > 10_000 && not > 10_000, "{fits} {not}");
}

fn told(board: &Board, color: Color) -> Told {
    Told { view: View::of(board, color), end: None }
}

fn player(start: Board, color: Color, seed: u64) -> Player<FogOfWar> {
    let settings = Settings { seed, ..Settings::default() };
    Player::new(FogOfWar { start }, color, &Obscuro { settings, ..Obscuro::default() }, Some(1)).unwrap()
}

/// A view without the own king comes from no position in which the game goes on; nor does one after a move that takes
/// theirs.
#[test]
fn a_taken_king_is_not_believed() {
    let board: Board = "4k3/8/8/8/8/8/4q3/4K3 b - - 0 1".parse().unwrap();
    let taken = board.play("e2e1".parse().unwrap());
    let mut white = player(board, Color::White, 1);
    assert!(white.see(None, &told(&taken, Color::White)).is_err());
    let mut black = player(board, Color::Black, 1);
    assert!(black.see(Some("e2e1".parse().unwrap()), &told(&taken, Color::Black)).is_err());
    assert!(white.see(None, &told(&board.play("e2d2".parse().unwrap()), Color::White)).is_ok());
}

/// Whoever has a queen more thinks so, in either seat: at once, at fresh positions, and by the tree.
#[test]
fn values_are_to_the_player() {
    for (fen, color, up) in [
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Color::White, 1.0),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", Color::White, -1.0),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1", Color::Black, 1.0),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", Color::Black, -1.0),
    ] {
        let start: Board = fen.parse().unwrap();
        for opening in [Opening::Root, Opening::Fresh] {
            let name = Obscuro { opening: Some(opening), ..Obscuro::default() };
            let mut me = Player::new(FogOfWar { start }, color, &name, Some(1)).unwrap();
            let thought = me.think(Budget::Nodes(2_000)).unwrap();
            assert!(up * thought.value > 0.3, "{fen} {opening:?}: {}", thought.value);
            assert!(
                thought.candidates.iter().all(|candidate| up * candidate.value > 0.0),
                "{fen} {thought:?}"
            );
            let alternates = me.tree().unwrap().gadget().map_or(&[][..], |gadget| &gadget.alternates);
            assert!(alternates.iter().all(|alternate| up * alternate > 0.3), "{fen} {alternates:?}");
        }
    }
}

fn choose(thought: &Thought<Move>, random: &mut Random) -> Move {
    let mut rest = random.unit();
    for candidate in &thought.candidates {
        rest -= candidate.played;
        if rest < 0.0 {
            return candidate.action;
        }
    }
    thought.candidates.iter().max_by(|a, b| a.played.total_cmp(&b.played)).unwrap().action
}

/// Against a random mover it wins, seeing only its views; the truth is in its belief at every turn.
#[test]
fn it_beats_a_random_mover() {
    let mut wins = 0;
    for game in 0..3 {
        let mut random = Random::new(game);
        let color = if game % 2 == 0 { Color::White } else { Color::Black };
        let start = Board::start();
        let mut me = player(start, color, game);
        let mut umpire = Umpire::new(FogOfWar { start });
        while umpire.outcome().is_none() && umpire.actions().len() < 200 {
            let side = umpire.state().board().side();
            let m = if side == color {
                let truth = umpire.state().board().without_counters();
                let believed = me.belief().positions().contains(&truth);
                assert!(believed || me.belief().is_sample(), "game {game}: the truth is not believed");
                choose(me.think(Budget::Nodes(1_000)).unwrap(), &mut random)
            } else {
                random_move(umpire.state().board(), &mut random)
            };
            umpire.play(side, m).unwrap();
            if umpire.outcome().is_none() {
                me.see((side == color).then_some(m), umpire.told(color).unwrap()).unwrap();
            }
        }
        wins += usize::from(umpire.outcome().is_some_and(|outcome| outcome.winner == Some(color)));
    }
    assert!(wins >= 2, "{wins} of 3");
}
