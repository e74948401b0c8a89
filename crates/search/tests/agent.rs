//! The player on small games, measured exactly.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_core::{Game, Player};
use scuro_games::toy::{DarkHex, Goofspiel, Kuhn, Leduc, LiarsDice, Prizes};
use scuro_search::agent::{Budget, Settings, whole_strategy};
use scuro_search::carry::Carrying;
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
        let mut count = 0;
        let strategy = whole_strategy(game, &ground, me, settings, &mut EndsOnly, budget, || count += 1);
        let answer = strategy.best_response(&ground.tree, me.other());
        let worth = if me == Player::One { value } else { -value };
        eprintln!("{me:?} {} after {count} questions", worth + answer);
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
    for loss in losses(&LiarsDice::new(3).unwrap(), common_knowledge(), 400) {
        assert!(loss < 0.01, "liar's dice: {loss}");
    }
}

#[test]
#[ignore = "minutes"]
fn leduc() {
    eprintln!("inf {:?}", losses(&Leduc::new(3, 2).unwrap(), common_knowledge(), 480));
    let two = Settings { purify: Purify::Raw, ..Settings::default() };
    eprintln!("two {:?}", losses(&Kuhn::new(3).unwrap(), two, 400));
    eprintln!("two {:?}", losses(&DarkHex::new(2, 2).unwrap(), two, 200));
    eprintln!("two {:?}", losses(&Leduc::new(3, 2).unwrap(), two, 120));
}
