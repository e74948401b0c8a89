//! Weights: how likely each position of a belief is.
//!
//! A model says how likely the opponent takes an action at a position. The weight of a position is the sum, over all
//! positions that lead there, of their weights times the probability of the action; what a player is told rules positions
//! out, and the rest is scaled to sum to one. That is Bayes' rule, and exact until the belief passes its bound.
//!
//! Past the bound the heaviest positions stay as they are. Each of the others stays with a probability that grows with
//! the root of its weight, by one walk with equal steps over all of them, and is then as much heavier as it was unlikely to
//! stay: every weight is right on average.

use std::mem;

use scuro_core::{Player, Positions, Random};

use crate::belief::{Belief, Contradiction, Numbering, PORTION, Weighted, share};

/// Says how likely the opponent's actions are. One thread uses it at a time.
pub trait OpponentModel<G: Positions>: Send {
    /// Appends the probability of the action behind each of these `followers` of a position. `own` is the player's action,
    /// if the opponent answered it within the same step. A model that has a slower and better way uses it if `careful`.
    fn probabilities(
        &mut self,
        position: &G::Position,
        own: Option<G::Action>,
        followers: &[(Option<G::Action>, G::Position)],
        careful: bool,
        out: &mut Vec<f64>,
    );
}

/// Who weighs the positions of a belief.
#[derive(Debug)]
pub struct Weigher<'m, M> {
    /// The models, one a thread, all alike.
    pub models: &'m mut [M],
    /// So many of the heaviest positions are followed with care.
    pub careful: usize,
}

/// So many positions are followed before equal ones are put together.
const BATCH: usize = 64 * PORTION;
/// More heaps than two to this power cost more than they save.
const MOST_HEAP_BITS: u32 = 9;

impl<P: Copy + Eq + Ord + std::hash::Hash + Send + Sync> Belief<P> {
    /// Takes in what `player` was told in one step, as [`Belief::advance`] does, and weighs what follows.
    ///
    /// # Errors
    /// If no position fits. The belief stays as it was.
    pub fn weigh<G, M>(
        &mut self,
        game: &G,
        player: Player,
        own: Option<G::Action>,
        told: &G::Told,
        weigher: Weigher<'_, M>,
    ) -> Result<(), Contradiction>
    where
        G: Positions<Position = P>,
        M: OpponentModel<G>,
    {
        let mut random = self.random.clone();
        let numbering = Numbering(random.word());
        let follow = game.follow(player, own, told);
        let followed = Followed { follow, own, cutoff: cutoff(self.weights(), weigher.careful) };
        let mut next = Heaps::new(self.positions().len(), numbering);
        let held: Vec<Weighted<P>> = self.weighted().collect();
        let mut complete = true;
        for batch in held.chunks(BATCH) {
            next.gather(&followed, batch, weigher.models);
            if next.len() > 8 * self.bound {
                complete = false;
                thin(&mut next.heaps, 4 * self.bound, &mut random);
            }
        }
        if next.len() > self.bound {
            complete = false;
            thin(&mut next.heaps, self.bound, &mut random);
        }
        self.hold(next, random, !complete)
    }

    /// Gives up what was believed for these positions, of which there may be more.
    ///
    /// # Errors
    /// If there is none. The belief stays as it was.
    pub fn replace_weighted(&mut self, positions: Vec<Weighted<P>>) -> Result<(), Contradiction> {
        let mut random = self.random.clone();
        let mut next = Heaps::new(positions.len(), Numbering(random.word()));
        next.take(vec![next.sorted_by_heap(positions)], 1);
        if next.len() > self.bound {
            thin(&mut next.heaps, self.bound, &mut random);
        }
        self.hold(next, random, true)
    }

    /// Holds the positions of these heaps, whose weights are scaled to sum to one.
    fn hold(&mut self, next: Heaps<P>, random: Random, sample: bool) -> Result<(), Contradiction> {
        let total: f64 = next.heaps.iter().flatten().map(|held| held.weight).sum();
        if next.len() == 0 || total <= 0.0 {
            return Err(Contradiction);
        }
        let all = || next.heaps.iter().flatten();
        let weights = all().map(|held| held.weight / total).collect();
        let invented = all().map(|held| held.invented).collect();
        self.positions.clear();
        self.positions.extend(all().map(|held| held.position));
        self.weights = Some((weights, invented));
        self.numbering = next.numbering;
        self.random = random;
        self.sample |= sample;
        Ok(())
    }
}

/// The least weight that is among the `careful` largest.
fn cutoff(weights: Option<&[f64]>, careful: usize) -> f64 {
    match weights {
        _ if careful == 0 => f64::INFINITY,
        Some(weights) if careful < weights.len() => {
            let mut weights = weights.to_vec();
            *weights.select_nth_unstable_by(careful - 1, |a, b| b.total_cmp(a)).1
        }
        _ => 0.0,
    }
}

/// How positions are followed in a step.
struct Followed<F, A> {
    follow: F,
    own: Option<A>,
    /// Positions at least so heavy are followed with care.
    cutoff: f64,
}

impl<F, A: Copy> Followed<F, A> {
    /// Calls `visit` with all that follows a position.
    fn each<G, M>(
        &self,
        held: &Weighted<G::Position>,
        model: &mut M,
        scratch: &mut Scratch<A, G::Position>,
        mut visit: impl FnMut(Weighted<G::Position>),
    ) where
        G: Positions<Action = A>,
        F: Fn(&G::Position, &mut Vec<(Option<A>, G::Position)>),
        M: OpponentModel<G>,
    {
        let Scratch { followers, probabilities } = scratch;
        followers.clear();
        probabilities.clear();
        (self.follow)(&held.position, followers);
        if followers.iter().any(|(action, _)| action.is_some()) {
            let careful = held.weight >= self.cutoff;
            model.probabilities(&held.position, self.own, followers, careful, probabilities);
        } else {
            probabilities.resize(followers.len(), 1.0);
        }
        for (&(_, position), probability) in followers.iter().zip(&*probabilities) {
            visit(Weighted { position, weight: held.weight * probability, ..*held });
        }
    }
}

/// Lists that are used again.
struct Scratch<A, P> {
    followers: Vec<(Option<A>, P)>,
    probabilities: Vec<f64>,
}

impl<A, P> Default for Scratch<A, P> {
    fn default() -> Scratch<A, P> {
        Scratch { followers: Vec::new(), probabilities: Vec::new() }
    }
}

/// All that follows one position after another, as long as the caller wants.
pub(crate) fn follow_each<G, M>(
    game: &G,
    step: (Player, Option<G::Action>, &G::Told),
    from: &[Weighted<G::Position>],
    model: Option<&mut M>,
    out: &mut Vec<Weighted<G::Position>>,
) where
    G: Positions,
    M: OpponentModel<G>,
{
    let (player, own, told) = step;
    let follow = game.follow(player, own, told);
    match model {
        Some(model) => {
            let followed = Followed { follow, own, cutoff: f64::INFINITY };
            let mut scratch = Scratch::default();
            for held in from {
                followed.each::<G, M>(held, model, &mut scratch, |next| out.push(next));
            }
        }
        None => {
            let mut followers = Vec::new();
            for held in from {
                followers.clear();
                follow(&held.position, &mut followers);
                out.extend(followers.iter().map(|&(_, position)| Weighted { position, ..*held }));
            }
        }
    }
}

/// Positions by their numbers, each once.
struct Heaps<P> {
    numbering: Numbering,
    /// The number of high bits of a position's number that say in which heap it lies.
    bits: u32,
    heaps: Vec<Vec<Weighted<P>>>,
}

impl<P: Copy + Eq + Ord + std::hash::Hash + Send + Sync> Heaps<P> {
    fn new(positions: usize, numbering: Numbering) -> Heaps<P> {
        let bits = positions.div_ceil(PORTION / 8).max(1).ilog2().min(MOST_HEAP_BITS);
        Heaps { numbering, bits, heaps: vec![Vec::new(); 1 << bits] }
    }

    fn len(&self) -> usize {
        self.heaps.iter().map(Vec::len).sum()
    }

    fn heap_of(&self, position: &P) -> usize {
        // Two shifts: a shift by all 64 bits is none.
        (self.numbering.of(position) >> 1 >> (63 - self.bits)) as usize
    }

    fn sorted_by_heap(&self, positions: Vec<Weighted<P>>) -> Vec<Vec<Weighted<P>>> {
        let mut found = vec![Vec::new(); self.heaps.len()];
        positions.into_iter().for_each(|held| found[self.heap_of(&held.position)].push(held));
        found
    }

    /// Adds all that follows `batch`.
    fn gather<G, M, F>(&mut self, followed: &Followed<F, G::Action>, batch: &[Weighted<P>], models: &mut [M])
    where
        G: Positions<Position = P>,
        M: OpponentModel<G>,
        F: Fn(&P, &mut Vec<(Option<G::Action>, P)>) + Sync,
    {
        let portions = batch.chunks(PORTION / 8);
        let threads = models.len().min(portions.len());
        let empty = || vec![Vec::new(); self.heaps.len()];
        let mut states: Vec<_> =
            models.iter_mut().take(threads).map(|model| (model, Scratch::default(), empty())).collect();
        let this = &*self;
        share(&mut states, portions, |(model, scratch, heaps), portion: &[Weighted<P>]| {
            for held in portion {
                followed.each::<G, M>(held, model, scratch, |next| {
                    heaps[this.heap_of(&next.position)].push(next);
                });
            }
        });
        let found: Vec<Vec<Vec<Weighted<P>>>> = states.into_iter().map(|(_, _, heaps)| heaps).collect();
        self.take(found, threads);
    }

    /// Takes in what was found, by heaps, and puts equal positions together.
    fn take(&mut self, mut found: Vec<Vec<Vec<Weighted<P>>>>, threads: usize) {
        let numbering = self.numbering;
        let mut scratch = vec![(); threads.max(1)];
        let work = self.heaps.iter_mut().enumerate().map(|(i, heap)| {
            let parts: Vec<Vec<Weighted<P>>> =
                found.iter_mut().map(|heaps| mem::take(&mut heaps[i])).collect();
            (heap, parts)
        });
        share(&mut scratch, work, |(), (heap, parts)| {
            if parts.iter().any(|part| !part.is_empty()) {
                *heap = merged(mem::take(heap), parts, numbering);
            }
        });
    }
}

/// All positions of a heap in order, each once, with the sum of its weights. The sum does not depend on which thread found
/// what: equal positions are added in the order of their weights.
fn merged<P: Copy + Eq + Ord + std::hash::Hash>(
    mut all: Vec<Weighted<P>>,
    parts: Vec<Vec<Weighted<P>>>,
    numbering: Numbering,
) -> Vec<Weighted<P>> {
    parts.into_iter().for_each(|mut part| all.append(&mut part));
    let mut order: Vec<(u64, u32)> = all.iter().map(|held| numbering.of(&held.position)).zip(0..).collect();
    order.sort_unstable();
    let mut out: Vec<Weighted<P>> = Vec::with_capacity(all.len());
    for same in order.chunk_by_mut(|one, two| one.0 == two.0) {
        let first = out.len();
        same.sort_unstable_by(|one, two| all[one.1 as usize].weight.total_cmp(&all[two.1 as usize].weight));
        for &mut (_, i) in same {
            let held = all[i as usize];
            match out[first..].iter_mut().find(|known| known.position == held.position) {
                Some(known) => {
                    known.weight += held.weight;
                    known.invented &= held.invented;
                }
                None => out.push(held),
            }
        }
        // Different positions under one number are an accident, but not one that the order may depend on.
        out[first..].sort_unstable_by_key(|held| held.position);
    }
    out.shrink_to_fit();
    out
}

/// Leaves about `wanted` positions, and at least one: the heaviest, and of the others a sample that keeps the expected
/// weight of each. A position stays with a probability that grows with the root of its weight: in proportion to the
/// weight nearly all that stay would be likely ones, and alike they would be drawn blindly.
pub(crate) fn thin<P>(heaps: &mut [Vec<Weighted<P>>], wanted: usize, random: &mut Random) {
    let scores: Vec<f64> = heaps.iter().flatten().map(|held| held.weight.sqrt()).collect();
    let level = level(&scores, wanted);
    // A walk with steps of length one over the probabilities to stay, from a random place on.
    let (mut place, mut scores) = (random.unit(), scores.into_iter());
    for heap in heaps {
        heap.retain_mut(|held| {
            let chance = (scores.next().unwrap_or_default() / level).min(1.0);
            place += chance;
            let stays = chance >= 1.0 || place >= 1.0;
            if place >= 1.0 {
                place -= 1.0;
            }
            if stays {
                held.weight /= chance;
            }
            stays
        });
    }
}

/// The score from which on a position certainly stays, if it stays with a probability in proportion to its score below
/// and `wanted` are to stay.
fn level(scores: &[f64], wanted: usize) -> f64 {
    let wanted = wanted.max(1) as f64;
    let mut level = scores.iter().sum::<f64>() / wanted;
    loop {
        let (mut certain, mut rest) = (0.0, 0.0);
        for &score in scores {
            if score >= level {
                certain += 1.0;
            } else {
                rest += score;
            }
        }
        let next = if certain < wanted { rest / (wanted - certain) } else { level };
        if next >= level * (1.0 - 1e-9) {
            return level;
        }
        level = next;
    }
}
