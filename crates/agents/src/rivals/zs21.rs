//! `zs21`: the dark chess player of *Subgame solving without common knowledge*, appendix D and algorithm 15.
//!
//! The search is [`scuro_search::klss`], which says how it reads the paper. What is of Fog of War is in
//! [`shell`](super::shell): the exact belief, which moves are interesting, and the evaluation, which is that
//! of our own player. Draws are capped as there. The strategy is sampled as it was solved.

use scuro_games::chess::Color;
use scuro_games::fog::FogOfWar;

use super::shell::Rival;
use crate::name::{Eval, EvalError};

impl Rival {
    /// `zs21` at the start of a game that begins with a position known to both.
    ///
    /// # Errors
    /// If there is no such evaluator.
    pub fn zs21(game: FogOfWar, color: Color, eval: &Eval, seed: u64) -> Result<Rival, EvalError> {
        Rival::new(game, color, eval, seed, |klss, game, leaves, trunk, budget, since| {
            klss.solve(game, leaves, trunk, budget, since)
        })
    }
}
