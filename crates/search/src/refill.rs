//! A belief that has run thin is refilled from what was believed some turns ago.
//!
//! A sample loses positions for ever, and when little of it fits what the player is told, other positions must exist
//! that fit as well. They follow from positions of earlier turns by moves that were not kept then. So snapshots of the last
//! turns are replayed a few positions at a time: all that was told since is known now, and what does not fit it is dropped
//! before there is too much.

use std::collections::VecDeque;

use scuro_core::{Player, Positions, Random};

use crate::belief::{Belief, Weighted, scale};
use crate::weigh::{OpponentModel, follow_each, thin};

/// The number of turns that are remembered.
const TURNS: usize = 16;
/// The most positions of a turn that are remembered.
const REMEMBERED: usize = 20_000;
/// The number of positions that are replayed at a time.
const GROUP: usize = 16;
/// The most positions of a group that are kept on the way.
const WIDTH: usize = 512;

/// What was believed at the last turns.
#[derive(Clone, Debug)]
pub struct Snapshots<P> {
    turns: VecDeque<Snapshot<P>>,
}

/// The belief after a number of steps.
#[derive(Clone, Debug)]
struct Snapshot<P> {
    steps: usize,
    positions: Vec<Weighted<P>>,
}

/// What a refill may cost, and how much is wanted.
#[derive(Clone, Copy, Debug)]
pub struct RefillBounds {
    /// The number of positions at which the search ends.
    pub positions: usize,
    /// The most positions that are followed.
    pub followed: usize,
}

impl<P> Default for Snapshots<P> {
    fn default() -> Snapshots<P> {
        Snapshots { turns: VecDeque::new() }
    }
}

impl<P: Copy + Eq + Ord + std::hash::Hash + Send + Sync> Snapshots<P> {
    /// Remembers what is believed after so many steps, in place of what was believed long ago.
    pub fn remember(&mut self, steps: usize, belief: &Belief<P>, random: &mut Random) {
        // Positions that are equally likely are in a random order.
        let looked_at = if belief.weights().is_some() { usize::MAX } else { REMEMBERED };
        let mut positions = [belief.weighted().take(looked_at).collect::<Vec<_>>()];
        if positions[0].len() > REMEMBERED {
            thin(&mut positions, REMEMBERED, random.unit(), |held| &mut held.weight);
        }
        let [positions] = positions;
        if self.turns.len() == TURNS {
            self.turns.pop_front();
        }
        self.turns.push_back(Snapshot { steps, positions });
    }

    /// Positions that fit all `steps`: what `player` did, if a step was its own, and what it was told. The latest
    /// snapshots come first, and the weights of what follows from each sum to one; without a model all moves are equally
    /// likely.
    pub fn refill<G, M>(
        &self,
        game: &G,
        player: Player,
        steps: &[(Option<G::Action>, &G::Told)],
        mut model: Option<&mut M>,
        bounds: RefillBounds,
        random: &mut Random,
    ) -> Vec<Weighted<P>>
    where
        G: Positions<Position = P>,
        M: OpponentModel<G>,
    {
        let (mut found, mut left): (Vec<Weighted<P>>, usize) = (Vec::new(), bounds.followed);
        for (rest, snapshot) in self.turns.iter().rev().enumerate() {
            // Each may use up its share of what is left; the last all of it.
            let mut share = left / (self.turns.len() - rest);
            left -= share;
            let first = found.len();
            for group in drawn(&snapshot.positions, random).chunks(GROUP) {
                if found.len() >= bounds.positions || share == 0 {
                    break;
                }
                let mut held = [group.to_vec()];
                for (place, &(own, told)) in steps.iter().enumerate().skip(snapshot.steps) {
                    if held[0].len() > WIDTH {
                        thin(&mut held, WIDTH, random.unit(), |held| &mut held.weight);
                    }
                    share = share.saturating_sub(held[0].len());
                    let mut next = Vec::new();
                    if let Some(model) = model.as_deref_mut() {
                        model.listen(steps[..place].iter().rev().map(|(_, told)| *told));
                    }
                    follow_each(game, (player, own, told), &held[0], model.as_deref_mut(), &mut next);
                    held = [next];
                }
                found.append(&mut held[0]);
            }
            left += share;
            scale(&mut found[first..]);
            if found.len() >= bounds.positions {
                break;
            }
        }
        found
    }
}

/// The positions in a random order in which heavy ones come early.
fn drawn<P: Copy>(positions: &[Weighted<P>], random: &mut Random) -> Vec<Weighted<P>> {
    let mut order: Vec<(f64, Weighted<P>)> =
        positions.iter().map(|&held| (random.exponential() / held.weight, held)).collect();
    order.sort_unstable_by(|one, two| one.0.total_cmp(&two.0));
    order.into_iter().map(|(_, held)| held).collect()
}
