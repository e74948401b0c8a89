//! Exact values of small games, and the equilibria that have them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_core::game::Scale;
use scuro_core::{Game, Player};
use scuro_games::toy::{Visit, parse};
use scuro_search::exact::sequence_form::TieBreak;
use scuro_search::exact::{best_plan, equilibrium};
use scuro_search::tree::Tree;

/// Games and their values to player one, in raw payoffs.
const VALUES: [(&str, f64); 10] = [
    ("kuhn", -0.0555555555556),
    ("leduc", -0.085606424078),
    ("goofspiel:4:increasing", 0.0),
    ("dark-hex:2x2", 0.5),
    ("matching-pennies:100", 16.9975247525),
    ("matching-pennies:100:text", 16.6625),
    ("proposition3:10", 0.0),
    ("proposition3:100", 0.0),
    ("appendix-c", 0.76),
    ("strategy-fusion", 1.0),
];

struct Written;

impl Visit for Written {
    type Output = (Tree, Scale);

    fn game<G: Game>(self, game: &G) -> (Tree, Scale) {
        (Tree::of_game(game, 10_000_000, |_, _, _| ()).unwrap(), game.raw())
    }
}

/// Raw values: Kuhn's is known in closed form, the others were certified by two programs.
#[test]
fn values_are_exact() {
    for (game, value) in VALUES {
        let (tree, raw) = parse(game).unwrap().visit(Written);
        let solved = equilibrium(&tree).unwrap();
        let found = raw.raw(solved.value);
        assert!((found - value).abs() < 1e-6, "{game}: {found}");
        let exploitability = solved.strategy.exploitability(&tree);
        assert!(exploitability.abs() < 1e-6, "{game}: {exploitability}");
    }
}

/// A bound on an action costs what it costs, and is kept.
#[test]
fn lower_bounds_hold() {
    let (tree, _) = parse("kuhn").unwrap().visit(Written);
    let mut bounds = vec![0.0; tree.slots()];
    for infoset in tree.infosets().iter().filter(|infoset| infoset.player == Player::One) {
        bounds[infoset.slots()].fill(0.25 / f64::from(infoset.actions));
    }
    let (free, _) = best_plan(&tree, Player::One, |_| 0.0, TieBreak::Vertex).unwrap();
    let (bound, strategy) = best_plan(&tree, Player::One, |slot| bounds[slot], TieBreak::Vertex).unwrap();
    // The blueprint column of the paper's table 1: 0.0124.
    assert!((free - bound - 0.0124).abs() < 0.00005, "{}", free - bound);
    for infoset in tree.infosets().iter().filter(|infoset| infoset.player == Player::One) {
        assert!(infoset.slots().all(|slot| strategy.0[slot] > bounds[slot] - 1e-9));
    }
    let worst = -strategy.best_response(&tree, Player::Two);
    assert!((worst - bound).abs() < 1e-9, "{worst} {bound}");
}
