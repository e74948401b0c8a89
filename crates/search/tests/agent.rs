//! The player on small games, measured exactly.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_core::{Game, Player};
use scuro_games::toy::{DarkHex, Goofspiel, Kuhn, Leduc, LiarsDice, Prizes};
use scuro_search::agent::{Agent, Budget, Settings, whole_strategy};
use scuro_search::carry::Carrying;
use scuro_search::carry::FromBelief;
use scuro_search::choose::Purify;
use scuro_search::exact::equilibrium;
use scuro_search::exact::ground::Ground;
use scuro_search::grow::EndsOnly;
use scuro_search::tree::Tree;

/// What each seat loses to a best response.
fn losses<G: Game<State: Send, Action: Send> + Clone + Sync>(
    game: &G,
    settings: Settings,
    iterations: u64,
) -> [f64; 2] {
    let ground = Ground::of_game(game, Tree::of_game(game, 1_000_000, |_, _, _| ()).unwrap());
    let value = equilibrium(&ground.tree).unwrap().value;
    let budget = Budget::Whole { nodes: 1_000_000, iterations };
    Player::BOTH.map(|me| {
        let strategy = whole_strategy(game, &ground, me, settings, &mut EndsOnly, budget, || ());
        let answer = strategy.best_response(&ground.tree, me.other());
        let worth = if me == Player::One { value } else { -value };
        worth + answer
    })
}

fn common_knowledge() -> Settings {
    let usual = Settings::default();
    Settings { carrying: Carrying { order: None, ..usual.carrying }, purify: Purify::Raw, ..usual }
}

#[test]
fn with_common_knowledge_it_is_hardly_exploitable() {
    for loss in losses(&Kuhn::new(3).unwrap(), common_knowledge(), 1000) {
        assert!(loss < 0.01, "kuhn: {loss}");
    }
    for loss in losses(&DarkHex::new(2, 2).unwrap(), common_knowledge(), 300) {
        assert!(loss < 0.01, "dark hex: {loss}");
    }
    for loss in losses(&Goofspiel::new(4, Prizes::Increasing).unwrap(), common_knowledge(), 300) {
        assert!(loss < 0.01, "goofspiel: {loss}");
    }
    for loss in losses(&Leduc::new(3, 2).unwrap(), common_knowledge(), 480) {
        assert!(loss < 0.01, "leduc: {loss}");
    }
    for loss in losses(&LiarsDice::new(3).unwrap(), common_knowledge(), 400) {
        assert!(loss < 0.01, "liar's dice: {loss}");
    }
}

/// Order 2 is unsafe by nature: what it loses on Leduc is far from nothing, and far from all.
#[test]
fn order_two_loses_a_little() {
    let two = Settings { purify: Purify::Raw, ..Settings::default() };
    for loss in losses(&Leduc::new(3, 2).unwrap(), two, 120) {
        assert!((0.001..0.06).contains(&loss), "{loss}");
    }
}

/// The gap is zero at an equilibrium of the grown tree and positive before; with and without a gadget.
#[test]
fn the_gap_closes() {
    let game = Kuhn::new(3).unwrap();
    let ground = Ground::of_game(&game, Tree::of_game(&game, 1_000, |_, _, _| ()).unwrap());
    let mut agent = Agent::new(Player::One, common_knowledge());
    let first = ground.topmost(Player::One)[0];
    let key = ground.key(Player::One, ground.nodes(first)[0]);
    let mut gaps = Vec::new();
    for iterations in [3, 2000] {
        let mut agent = agent.clone();
        let budget = Budget::Whole { nodes: 1_000, iterations };
        agent.think(&game, &mut [EndsOnly], key, |_| FromBelief::default(), budget).unwrap();
        gaps.push(agent.subgame().unwrap().gap());
    }
    assert!(gaps[0] > 0.01 && gaps[1] < 1e-4, "{gaps:?}");
    let budget = Budget::Whole { nodes: 1_000, iterations: 200 };
    let thought = agent.think(&game, &mut [EndsOnly], key, |_| FromBelief::default(), budget).unwrap();
    agent.play(key, thought.candidates[0].action);
    let next = ground.next(first)[0];
    let key = ground.key(Player::One, ground.nodes(next)[0]);
    let budget = Budget::Whole { nodes: 1_000, iterations: 2000 };
    let thought = agent.think(&game, &mut [EndsOnly], key, |_| FromBelief::default(), budget).unwrap();
    let gap = agent.subgame().unwrap().gap();
    assert!((0.0..1e-3).contains(&gap), "{gap} {thought:?}");
}
