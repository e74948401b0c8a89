//! Which leaves a round of deepening expands.
//!
//! Below a point that both sides play to, all children; below one that only one side plays to, the most interesting
//! child alone; where neither plays, none. In round d nothing deeper than d is expanded unless both play there, so that
//! new roots catch up with what was carried over.

use scuro_core::Game;

use super::Insight;
use super::trunk::{Acts, Trunk};
use crate::exact::matrix::Plans;
use crate::tree::NodeState;

/// A leaf to expand; the first are the most wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wanted {
    /// Whether only one side plays there.
    pub(super) one_sided: bool,
    pub(super) point: usize,
}

impl<G: Game> Trunk<G> {
    /// The leaves to expand in the next round that has any.
    pub(super) fn next_wanted(
        &self,
        game: &G,
        insight: &impl Insight<G>,
        plans: &Plans,
        rounds: usize,
    ) -> Vec<Wanted> {
        let deepest = self.points.iter().map(|point| usize::from(point.depth)).max().unwrap_or(0);
        let mut rounds = (rounds + 1)..=deepest.max(rounds + 1);
        let wanted = rounds.find_map(|round| {
            let wanted = self.wanted(game, insight, plans, round);
            (!wanted.is_empty()).then_some(wanted)
        });
        wanted.unwrap_or_default()
    }

    /// The leaves to expand in round `round`, those that both play first.
    pub(super) fn wanted(
        &self,
        game: &G,
        insight: &impl Insight<G>,
        plans: &Plans,
        round: usize,
    ) -> Vec<Wanted> {
        let mut wanted = Vec::new();
        for here in (0..self.points.len()).filter(|&point| !self.points[point].frozen) {
            let Some(inner) = self.inner(here) else { continue };
            let open = inner.children().filter_map(|child| self.allowed(child, plans, round));
            if self.played(here, plans) == [true, true] {
                wanted.extend(open);
            } else if self.played(here, plans) != [false, false] {
                let rank = |leaf: &Wanted| self.interest(game, insight, here, leaf.point);
                wanted.extend(
                    open.max_by(|one, two| rank(one).partial_cmp(&rank(two)).unwrap_or(two.cmp(one))),
                );
            }
        }
        wanted.sort_unstable();
        wanted
    }

    /// Who plays to a point, I and they.
    fn played(&self, point: usize, plans: &Plans) -> [bool; 2] {
        let point = &self.points[point];
        [plans.rows[point.row as usize] > 0.0, plans.columns[point.column as usize] > 0.0]
    }

    /// A leaf, if somebody plays to it and it is not too deep for this round.
    fn allowed(&self, point: usize, plans: &Plans, round: usize) -> Option<Wanted> {
        let played = self.played(point, plans);
        let both = played == [true, true];
        let leaf = self.points[point].link.state() == NodeState::Leaf && played != [false, false];
        let near = both || usize::from(self.points[point].depth) <= round;
        (leaf && near).then_some(Wanted { one_sided: !both, point })
    }

    /// How interesting a leaf is to who chooses it: forcing actions first, then the best.
    fn interest(&self, game: &G, insight: &impl Insight<G>, here: usize, leaf: usize) -> (bool, f64) {
        let (Some(inner), leaf) = (self.inner(here), self.points[leaf]) else { return (false, 0.0) };
        let forcing = insight.forcing(game, &inner.node.state, inner.actions[leaf.number as usize]);
        let sign = if matches!(inner.acts, Acts::Them(_)) { -1.0 } else { 1.0 };
        (forcing, sign * leaf.value)
    }
}
