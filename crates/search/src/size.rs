//! Estimates of the size of a game before it is written out.

use scuro_core::{Game, Random, Turn};

use crate::tree::Tree;

/// The memory of solving, in bytes per node of the tree: the node itself, its share of the infosets, of the tables
/// of a solver and of what writing the tree keeps. Large games with hidden information take 20 to 36; this is half as
/// much again. One in which nothing is hidden may take more, which [`needed`] tells once it is written out.
pub const BYTES_A_NODE: f64 = 50.0;

/// The number of plays that are sampled; the estimate is the same at every call.
const PROBES: usize = 5_000;

/// The most plies that are sampled, in all plays.
const MOST_PLIES: usize = 10_000_000;

/// Returns the memory of a tree with the tables of a solver and two more strategies, in bytes.
#[must_use]
pub fn needed(tree: &Tree) -> usize {
    tree.bytes() + 37 * tree.infosets().len() + 68 * tree.slots()
}

/// Returns an estimate of the number of nodes of the tree of `game` (Knuth 1975): in a random play, every node stands
/// for as many as the choices before it multiply to. Right on average; games whose plays differ much in length scatter
/// most.
pub fn estimate<G: Game>(game: &G) -> f64 {
    let mut random = Random::new(0);
    let mut total = 0.0;
    let mut actions = Vec::new();
    let (mut probes, mut plies) = (0, 0);
    while probes < PROBES && plies < MOST_PLIES {
        probes += 1;
        let mut state = game.start();
        let mut weight = 1.0;
        loop {
            total += weight;
            plies += 1;
            actions.clear();
            if !matches!(game.turn(&state), Turn::Over(_)) {
                game.actions(&state, &mut actions);
            }
            let Some(&action) = random.pick(&actions) else { break };
            weight *= actions.len() as f64;
            state = game.play(&state, action);
        }
    }
    total / probes as f64
}
