//! How large a game is, before it is written out.

use scuro_core::{Game, Random, Turn};

/// What solving takes at most, in bytes for each node of the tree: the node itself, its share of the infosets, of the
/// tables of a solver and of what writing the tree keeps. A game in which nothing is hidden needs that much, one with
/// many nodes an infoset a fifth of it.
pub const BYTES_A_NODE: f64 = 140.0;

/// Plays that are looked at; the estimate is the same at every call.
const PROBES: usize = 5_000;

/// About how many nodes the tree of `game` has (Knuth 1975): in a random play, every node stands for as many as
/// the choices before it multiply to. Right on average; games whose plays differ much in length scatter most.
pub fn estimate<G: Game>(game: &G) -> f64 {
    let mut random = Random::new(0);
    let mut total = 0.0;
    let mut actions = Vec::new();
    for _ in 0..PROBES {
        let mut state = game.start();
        let mut weight = 1.0;
        loop {
            total += weight;
            actions.clear();
            if !matches!(game.turn(&state), Turn::Over(_)) {
                game.actions(&state, &mut actions);
            }
            let Some(&action) = random.pick(&actions) else { break };
            weight *= actions.len() as f64;
            state = game.play(&state, action);
        }
    }
    total / PROBES as f64
}
