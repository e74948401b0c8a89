//! The Fog-of-War player: its belief against the slow definition, and games in which it sees only its own views.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_agents::belief::Filter;
use scuro_agents::name::Obscuro;
use scuro_agents::player::FogPlayer;
use scuro_core::Random;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::{FogOfWar, View};
use scuro_games::umpire::Umpire;
use scuro_search::agent::{Budget, Settings, Thought};

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

fn player(start: Board, color: Color, seed: u64) -> FogPlayer {
    let settings = Settings { seed, ..Settings::default() };
    FogPlayer::new(start, color, &Obscuro { settings, ..Obscuro::default() }, Some(1)).unwrap()
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
                choose(&me.think(Budget::Nodes(1_000)).unwrap(), &mut random)
            } else {
                random_move(umpire.state().board(), &mut random)
            };
            umpire.play(side, m).unwrap();
            if umpire.outcome().is_none() {
                me.see((side == color).then_some(m), &umpire.view(color)).unwrap();
            }
        }
        wins += usize::from(umpire.outcome().is_some_and(|outcome| outcome.winner == Some(color)));
    }
    assert!(wins >= 2, "{wins} of 3");
}
