//! Positions of random games under fog, and networks of random numbers.

#![allow(dead_code, reason = "not every test uses all of it")]

use scuro_core::Random;
use scuro_eval::features::{BUCKETS, FEATURES};
use scuro_eval::{Floats, Network};
use scuro_games::chess::{Board, MoveRules};
use scuro_games::fog::FogState;

/// The first `count` positions of random games that go on.
pub(crate) fn each_random_position(seed: u64, count: usize, mut visit: impl FnMut(&Board)) {
    let mut random = Random::new(seed);
    let mut state = FogState::new(Board::start());
    for _ in 0..count {
        visit(state.board());
        let moves = MoveRules::PseudoLegal.moves(state.board());
        state = state.play(moves[random.below(moves.len())]);
        if state.outcome().is_some() {
            state = FogState::new(Board::start());
        }
    }
}

/// A network whose units are often partly full, so that every weight counts.
pub(crate) fn random_network(hidden: usize, seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut floats = |count: usize, most: f64| -> Vec<f32> {
        (0..count).map(|_| ((2.0 * random.unit() - 1.0) * most) as f32).collect()
    };
    let floats = Floats {
        feature_weights: &floats(FEATURES * hidden, 0.3),
        feature_biases: &floats(hidden, 1.0),
        output_weights: &floats(BUCKETS * 2 * hidden, 0.5),
        output_biases: &floats(BUCKETS, 0.5),
        scale: 0.7,
    };
    Network::from_floats(&floats, "random").unwrap()
}
