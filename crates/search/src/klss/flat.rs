//! A trunk of one ply, whose leaves are valued ever more deeply instead of being expanded: the yardstick of the paper.

use std::time::{Duration, Instant};

use scuro_core::Game;

use super::trunk::Trunk;
use super::{Insight, Klss, Report, equilibrium, grow};
use crate::exact::sequence_form::Entry;
use crate::settings::Budget;

/// Time that is kept for the equilibrium.
const RESERVE: u32 = 8;

/// Is told how many nodes were made, and returns whether to stop.
pub type Stop<'s> = &'s mut dyn FnMut(usize) -> bool;

impl<G: Game> Klss<G> {
    /// Thinks about a subgame one ply deep and forgets it. After the roots are expanded, `deepen` is asked, root by root
    /// and round by round, what each action is worth to me if one looks so many plies further; it tells its last
    /// argument how many nodes it makes, and returns false if that says stop.
    pub fn solve_flat<I: Insight<G>>(
        &mut self,
        game: &G,
        insight: &mut I,
        mut trunk: Trunk<G>,
        budget: Budget,
        since: Instant,
        mut deepen: impl FnMut(&mut I, &G::State, &[G::Action], usize, &mut Vec<f64>, Stop<'_>) -> bool,
    ) -> Option<Report<G::Action>> {
        let (limits, _) = self.limits(budget, since, trunk.points());
        let reserve = limits.left().map_or(Duration::ZERO, |left| left / RESERVE);
        let leaves: Vec<usize> = trunk.roots.iter().map(|(root, _)| *root as usize).collect();
        let mut rounds =
            usize::from(grow(game, insight, &mut trunk, &leaves, limits, reserve) == leaves.len());
        let mut nodes = trunk.points();
        let mut stop = |made: usize| {
            nodes += made;
            nodes >= limits.nodes || limits.lacks(reserve)
        };
        'rounds: while (1..self.tuning.rounds).contains(&rounds) {
            for &root in &leaves {
                let mut values = Vec::new();
                let Some(inner) = trunk.inner(root) else { continue };
                let state = &inner.node.state;
                if stop(0) || !deepen(insight, state, &inner.actions, rounds, &mut values, &mut stop) {
                    break 'rounds;
                }
                for (child, value) in inner.children().zip(values) {
                    trunk.points[child].value = value;
                }
            }
            rounds += 1;
        }
        trunk.expect_the_best();
        let began = Instant::now();
        let (plans, entry) = equilibrium(&trunk, Entry::Maxmargin, None, None)?;
        let mut report = self.report(&trunk, &plans, entry, [rounds, 0], began.elapsed());
        report.nodes = nodes;
        Some(report)
    }
}

impl<G: Game> Trunk<G> {
    /// The alternate value of every class is what its best action is worth.
    fn expect_the_best(&mut self) {
        for class in 0..self.classes.len() {
            let root = self.roots[class].0 as usize;
            let Some(inner) = self.inner(root) else { continue };
            let best =
                inner.children().map(|child| self.points[child].value).fold(f64::NEG_INFINITY, f64::max);
            self.classes[class].alternate = best;
        }
    }
}
