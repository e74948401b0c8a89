//! Weights: how likely each position of a belief is.
//!
//! A model says how likely the opponent takes an action at a position. The weight of a position is the sum, over all
//! positions that lead there, of their weights times the probability of the action; what a player is told rules positions
//! out, and the rest is scaled to sum to one. That is Bayes' rule, and exact until the belief passes its bound.
//!
//! Past the bound the belief is a sample (`thin`) in which every weight is right on average.

use std::mem;

use scuro_core::{Player, Positions};

use crate::belief::{Belief, Contradiction, Numbering, PORTION, Weighted, share};
use crate::thin::{kinds, thin, thin_positions};

/// Says how likely the opponent's actions are. One thread uses it at a time.
pub trait OpponentModel<G: Positions>: Send {
    /// Takes in all that the player was told before the opponent acts, latest first.
    fn listen<'t>(&mut self, _told: impl Iterator<Item = &'t G::Told>)
    where
        G::Told: 't,
    {
    }

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

/// The models that weigh the positions of a belief.
#[derive(Debug)]
pub struct Weigher<'m, M> {
    /// The models, one a thread, all alike.
    pub models: &'m mut [M],
    /// The number of the heaviest positions that are followed with care.
    pub careful: usize,
}

/// The number of positions that a thread follows at a time.
const CHUNK: usize = PORTION / 8;
/// More heaps than two to this power cost more than they save.
const MOST_HEAP_BITS: u32 = 9;

impl<P: Copy + Eq + Ord + std::hash::Hash + Send + Sync> Belief<P> {
    /// Takes in what `player` was told in one step, as [`Belief::advance`] does, and weighs what follows. Two positions
    /// under one number of 64 bits count as one.
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
        let held: Vec<Weighted<P>> = self.weighted().collect();
        let followed = Followed { follow, own, careful: heaviest(&held, weigher.careful) };
        let mut heaps = gather::<G, M, _>(&followed, &held, weigher.models, numbering);
        let count: usize = heaps.iter().map(Vec::len).sum();
        if count > self.bound {
            // Hardly any move changes the kind.
            let kinds = kinds(game, player, &held);
            let kinds: Vec<u32> = heaps.iter().flatten().map(|found| kinds[found.from as usize]).collect();
            thin(&mut heaps, &kinds, self.bound, random.unit(), |found| &mut found.weight);
        }
        let found: Vec<Found> = heaps.into_iter().flatten().collect();
        let positions = positions(&followed.follow, &held, &found, weigher.models.len());
        let weights = found.iter().map(|found| (found.weight, found.invented));
        self.hold(positions, weights, numbering)?;
        self.random = random;
        self.sample |= count > self.bound;
        Ok(())
    }

    /// Gives up what was believed for these positions, of which there may be more.
    ///
    /// # Errors
    /// If there is none. The belief stays as it was.
    pub fn replace_weighted<G>(
        &mut self,
        game: &G,
        player: Player,
        positions: Vec<Weighted<P>>,
    ) -> Result<(), Contradiction>
    where
        G: Positions<Position = P>,
    {
        let mut random = self.random.clone();
        let numbering = Numbering(random.word());
        let mut next = merged(positions, numbering);
        thin_positions(game, player, &mut next, self.bound, &mut random);
        let weights = next.iter().map(|held| (held.weight, held.invented));
        self.hold(next.iter().map(|held| held.position).collect(), weights, numbering)?;
        self.random = random;
        self.sample = true;
        Ok(())
    }

    /// Holds these positions, which are in the order of their numbers, with weights that are scaled to sum to one.
    fn hold(
        &mut self,
        positions: Vec<P>,
        weights: impl Iterator<Item = (f64, bool)>,
        numbering: Numbering,
    ) -> Result<(), Contradiction> {
        let (mut weights, invented): (Vec<f64>, Vec<bool>) = weights.unzip();
        let total: f64 = weights.iter().sum();
        if positions.is_empty() || total.is_nan() || total <= 0.0 {
            return Err(Contradiction);
        }
        weights.iter_mut().for_each(|weight| *weight /= total);
        (self.positions, self.weights, self.numbering) = (positions, Some((weights, invented)), numbering);
        Ok(())
    }
}

/// Whether each position is among the `count` heaviest; of equally heavy ones the first come first.
fn heaviest<P>(held: &[Weighted<P>], count: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..held.len()).collect();
    if count > 0 && count < held.len() {
        let heavier = |&a: &usize, &b: &usize| held[b].weight.total_cmp(&held[a].weight).then(a.cmp(&b));
        order.select_nth_unstable_by(count - 1, heavier);
    }
    let mut heaviest = vec![false; held.len()];
    order.into_iter().take(count).for_each(|place| heaviest[place] = true);
    heaviest
}

/// The way in which positions are followed in a step.
struct Followed<F, A> {
    follow: F,
    own: Option<A>,
    /// Whether each position is followed with care; none is if there are fewer of these.
    careful: Vec<bool>,
}

impl<F, A: Copy> Followed<F, A> {
    /// Calls `visit` with all that follows a position.
    fn each<G, M>(
        &self,
        place: usize,
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
            let careful = self.careful.get(place).copied().unwrap_or_default();
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
            let followed = Followed { follow, own, careful: Vec::new() };
            let mut scratch = Scratch::default();
            for (place, held) in from.iter().enumerate() {
                followed.each::<G, M>(place, held, model, &mut scratch, |next| out.push(next));
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

/// A position that was found: the one before it, and which of its followers it is. Most are dropped again, so the position
/// itself is not kept.
#[derive(Clone, Copy)]
struct Found {
    number: u64,
    weight: f64,
    from: u32,
    follower: u16,
    invented: bool,
}

/// All that follows from `held`, in heaps by the high bits of their numbers: in order, each once.
fn gather<G, M, F>(
    followed: &Followed<F, G::Action>,
    held: &[Weighted<G::Position>],
    models: &mut [M],
    numbering: Numbering,
) -> Vec<Vec<Found>>
where
    G: Positions,
    M: OpponentModel<G>,
    F: Fn(&G::Position, &mut Vec<(Option<G::Action>, G::Position)>) + Sync,
{
    let chunks = (0..).step_by(CHUNK).zip(held.chunks(CHUNK));
    let bits = held.len().div_ceil(CHUNK).max(1).ilog2().min(MOST_HEAP_BITS);
    let threads = models.len().min(held.len().div_ceil(CHUNK));
    let empty = || vec![Vec::new(); 1 << bits];
    let mut states: Vec<_> =
        models.iter_mut().take(threads).map(|model| (model, Scratch::default(), empty())).collect();
    share(&mut states, chunks, |(model, scratch, heaps), (first, chunk): (u32, &[Weighted<_>])| {
        for (from, held) in (first..).zip(chunk) {
            let mut follower = 0;
            followed.each::<G, M>(from as usize, held, model, scratch, |next| {
                let Weighted { weight, invented, .. } = next;
                let number = numbering.of(&next.position);
                // Two shifts: a shift by all 64 bits is none.
                heaps[(number >> 1 >> (63 - bits)) as usize].push(Found {
                    number,
                    weight,
                    from,
                    follower,
                    invented,
                });
                follower += 1;
            });
        }
    });
    let mut parts: Vec<Vec<Vec<Found>>> = states.into_iter().map(|(_, _, heaps)| heaps).collect();
    let mut heaps = empty();
    let work = heaps.iter_mut().enumerate().map(|(i, heap)| {
        let parts: Vec<Vec<Found>> = parts.iter_mut().map(|heaps| mem::take(&mut heaps[i])).collect();
        (heap, parts)
    });
    share(&mut vec![(); threads], work, |(), (heap, parts)| *heap = summed(parts.concat()));
    heaps
}

/// What was found, in order, each position once with the sum of its weights. The sum does not depend on which thread found
/// what: equal positions are added in the order of their weights.
fn summed(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_unstable_by_key(|found| (found.number, found.weight.to_bits(), found.from));
    found.dedup_by(|next, sum| {
        let same = next.number == sum.number;
        if same {
            sum.weight += next.weight;
            sum.invented &= next.invented;
        }
        same
    });
    found
}

/// The positions that were found, by following those before them once more.
fn positions<P: Copy + Send + Sync, A>(
    follow: &(impl Fn(&P, &mut Vec<(Option<A>, P)>) + Sync),
    held: &[Weighted<P>],
    found: &[Found],
    threads: usize,
) -> Vec<P> {
    let mut order: Vec<u32> = (0..found.len() as u32).collect();
    order.sort_unstable_by_key(|&place| found[place as usize].from);
    let mut parts = vec![Vec::new(); threads.min(order.len().div_ceil(CHUNK))];
    share(&mut parts, order.chunks(CHUNK), |part: &mut Vec<(u32, P)>, places: &[u32]| {
        let mut followers = Vec::new();
        for same in places.chunk_by(|&one, &two| found[one as usize].from == found[two as usize].from) {
            followers.clear();
            follow(&held[found[same[0] as usize].from as usize].position, &mut followers);
            let position = |place: u32| followers[usize::from(found[place as usize].follower)].1;
            part.extend(same.iter().map(|&place| (place, position(place))));
        }
    });
    let mut positions: Vec<(u32, P)> = parts.concat();
    positions.sort_unstable_by_key(|(place, _)| *place);
    positions.into_iter().map(|(_, position)| position).collect()
}

/// Positions in the order of their numbers, each once with the sum of its weights.
pub(crate) fn merged<P: Copy + Eq + Ord + std::hash::Hash>(
    mut all: Vec<Weighted<P>>,
    numbering: Numbering,
) -> Vec<Weighted<P>> {
    all.sort_by_cached_key(|held| (numbering.of(&held.position), held.position));
    all.dedup_by(|next, sum| {
        let same = next.position == sum.position;
        if same {
            sum.weight += next.weight;
            sum.invented &= next.invented;
        }
        same
    });
    all
}
