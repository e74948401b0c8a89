//! How fast the players of this game choose.

use scuro_games::chess::Color;
use scuro_games::kriegspiel::Kriegspiel;
use scuro_games::umpire::Umpire;

use super::darkboard::Darkboard;
use super::darkboard::evaluate::Evaluation;
use super::darkboard::weights::Weights;
use crate::bench::Measured;
use crate::contestant::{Allowance, Contestant};

/// Choices that are measured, and the metapositions of each.
const CHOICES: usize = 101;
const METAPOSITIONS: usize = 5_000;

/// The median of the milliseconds that Darkboard takes for a choice, against itself.
pub(crate) fn darkboard(clock: impl Fn() -> f64) -> Option<Measured> {
    let rules = Kriegspiel::default();
    let mut umpire = Umpire::new(rules);
    let player = |color| Darkboard::new(rules, color, Evaluation::new(Weights::default(), true), None, 1);
    let mut players = [Color::White, Color::Black].map(player);
    let mut times = Vec::new();
    for _ in 0..CHOICES {
        let side = umpire.turn()?;
        let begun = clock();
        let attempt =
            players[side as usize].choose(&umpire.choices(), Allowance::Nodes(METAPOSITIONS)).ok()?;
        times.push(1e3 * (clock() - begun));
        umpire.play(side, attempt).ok()?;
        for color in [Color::White, Color::Black] {
            if let Some(told) = umpire.told(color) {
                players[color as usize].see((color == side).then_some(attempt), told);
            }
        }
    }
    times.sort_by(f64::total_cmp);
    Some(("darkboard_5000", times[CHOICES / 2], "ms"))
}
