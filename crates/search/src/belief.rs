//! Belief: all positions that fit everything a player was told, each once, all equally likely unless they were
//! [weighed](crate::weigh).
//!
//! The set is exact until it passes its bound. Then it becomes a uniform sample of the exact set and says so:
//! the positions with the smallest values of a random function stay. Which positions those are does not
//! depend on how often or in which order a position was found, so no position is favoured. In the steps after
//! that the set is a uniform sample of what follows from the *kept* positions: a position that many positions
//! lead to is then more likely to be among them than one that few lead to.
//!
//! The same random function makes the work parallel: its high bits say into which of many heaps a position goes, and
//! every heap is sorted and rid of duplicates by itself, small enough for a core's own memory. The heaps one after
//! the other are the set in order, so that neither depends on the number of threads.
//!
//! Most of what is found is found many times, and memory is slow: numbers met of late are remembered, and a position
//! whose number is among them is dropped at once. So two positions under one number of 64 bits may count as one; among
//! four million positions that happens once in two million steps.

use std::hash::{Hash, Hasher};
use std::mem;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use rustc_hash::FxHasher;
use scuro_core::{Player, Positions, Random};
use thiserror::Error;

/// The number of positions that are followed at a time; fewer are not worth another thread, nor another heap.
pub(crate) const PORTION: usize = 1024;
/// More heaps than two to this power cost more than they save.
const MOST_HEAP_BITS: u32 = 10;
/// The most numbers that are remembered: 64 megabytes.
const MOST_NUMBERS: usize = 1 << 23;

/// What a player believes.
#[derive(Clone, Debug)]
pub struct Belief<P> {
    pub(crate) positions: Vec<P>,
    /// The weight of each position, and whether it was invented; none if all are equally likely.
    pub(crate) weights: Option<(Vec<f64>, Vec<bool>)>,
    pub(crate) bound: usize,
    threads: usize,
    pub(crate) sample: bool,
    pub(crate) numbering: Numbering,
    pub(crate) random: Random,
}

/// A position with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighted<P> {
    /// The position.
    pub position: P,
    /// Its weight.
    pub weight: f64,
    /// Whether it was invented, or follows from invented positions alone.
    pub invented: bool,
}

/// Scales weights so that they sum to one, if they can.
pub fn scale<P>(positions: &mut [Weighted<P>]) {
    let total: f64 = positions.iter().map(|held| held.weight).sum();
    if total > 0.0 {
        positions.iter_mut().for_each(|held| held.weight /= total);
    }
}

/// No position fits what the player was told.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("no position fits what the player was told")]
pub struct Contradiction;

impl<P: Copy + Eq + Ord + Hash + Send + Sync> Belief<P> {
    /// The belief of a player who knows the position. At most `bound` positions, at least one, are kept;
    /// `seed` fixes which ones once there are more.
    #[must_use]
    pub fn certain(position: P, bound: usize, seed: u64) -> Belief<P> {
        Belief {
            positions: vec![position],
            weights: None,
            bound: bound.max(1),
            threads: 1,
            sample: false,
            numbering: Numbering(0),
            random: Random::new(seed),
        }
    }

    /// The same belief, worked on by so many threads. What it holds, and in which order, stays the same.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Belief<P> {
        Belief { threads: threads.max(1), ..self }
    }

    /// From the next step on at most so many positions are kept, and at least one.
    pub fn limit(&mut self, bound: usize) {
        self.bound = bound.max(1);
    }

    /// The most positions that are kept from the next step on.
    #[must_use]
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// The positions, in an order that the seed and what was told fix.
    #[must_use]
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// Whether `position` is among the positions.
    #[must_use]
    pub fn contains(&self, position: &P) -> bool {
        self.place(position).is_some()
    }

    fn place(&self, position: &P) -> Option<usize> {
        let rank = |position: &P| (self.numbering.of(position), *position);
        self.positions.binary_search_by_key(&rank(position), rank).ok()
    }

    /// The weights of the positions, which sum to one; `None` if all are equally likely.
    #[must_use]
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_ref().map(|(weights, _)| weights.as_slice())
    }

    /// The weight of `position`; 0 if it is not among the positions.
    #[must_use]
    pub fn weight(&self, position: &P) -> f64 {
        let weight =
            |place: usize| self.weights().map_or(1.0 / self.positions.len() as f64, |all| all[place]);
        self.place(position).map_or(0.0, weight)
    }

    /// The positions with their weights.
    pub fn weighted(&self) -> impl Iterator<Item = Weighted<P>> {
        let alike = 1.0 / self.positions.len() as f64;
        self.positions.iter().enumerate().map(move |(place, &position)| match &self.weights {
            Some((weights, invented)) => {
                Weighted { position, weight: weights[place], invented: invented[place] }
            }
            None => Weighted { position, weight: alike, invented: false },
        })
    }

    /// The weight of all positions that were invented, or follow from invented ones alone.
    #[must_use]
    pub fn invented(&self) -> f64 {
        self.weighted().filter(|held| held.invented).map(|held| held.weight).sum()
    }

    /// Whether the set may lack positions that fit: it has passed its bound at some time, or was replaced.
    #[must_use]
    pub fn is_sample(&self) -> bool {
        self.sample
    }

    /// Takes in what `player` was told in one step; `own` is its action, if the step was its own. What follows is equally
    /// likely.
    ///
    /// # Errors
    /// If no position fits. The belief stays as it was.
    pub fn advance<G>(
        &mut self,
        game: &G,
        player: Player,
        own: Option<G::Action>,
        told: &G::Told,
    ) -> Result<(), Contradiction>
    where
        G: Positions<Position = P>,
    {
        let mut random = self.random.clone();
        let numbering = Numbering(random.word());
        let next = Distinct::new(self.bound, self.positions.len(), self.threads, numbering);
        let follow = game.follow(player, own, told);
        self.take(next.all(&self.positions, follow), random)
    }

    /// Gives up what was believed for these positions, which are a sample of all that fit.
    ///
    /// # Errors
    /// If there is none. The belief stays as it was.
    pub fn replace(&mut self, positions: &[P]) -> Result<(), Contradiction> {
        let mut random = self.random.clone();
        let next = Distinct::new(self.bound, positions.len(), self.threads, Numbering(random.word()));
        let stay = |position: &P, out: &mut Vec<(Option<()>, P)>| out.push((None, *position));
        self.take(next.all(positions, stay), random)?;
        self.sample = true;
        Ok(())
    }

    /// Takes the next positions, and the random numbers after those that they used.
    fn take(&mut self, next: Distinct<P>, random: Random) -> Result<(), Contradiction> {
        if next.len() == 0 {
            return Err(Contradiction);
        }
        self.random = random;
        self.sample |= !next.complete;
        self.numbering = next.numbering;
        self.weights = None;
        next.write(&mut self.positions);
        Ok(())
    }
}

/// A random function of positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbering(pub(crate) u64);

impl Numbering {
    pub(crate) fn of<P: Hash>(self, position: &P) -> u64 {
        let mut hasher = FxHasher::default();
        position.hash(&mut hasher);
        scramble(hasher.finish() ^ self.0)
    }
}

/// Collects positions without duplicates, and hardly more than twice the bound at any time.
struct Distinct<P> {
    bound: usize,
    numbering: Numbering,
    /// Positions whose number is above this are left out.
    highest: u64,
    complete: bool,
    /// The number of high bits of a position's number that say in which heap it lies.
    heap_bits: u32,
    /// The positions so far, by their numbers: in order, each once.
    heaps: Vec<Vec<P>>,
    /// What each thread has found since, by the same heaps.
    found: Vec<Vec<Vec<P>>>,
    met: Met,
}

impl<P: Copy + Eq + Ord + Hash + Send + Sync> Distinct<P> {
    /// Room for what follows from so many positions.
    fn new(bound: usize, positions: usize, threads: usize, numbering: Numbering) -> Distinct<P> {
        let portions = positions.div_ceil(PORTION).max(1);
        let heap_bits = portions.ilog2().min(MOST_HEAP_BITS);
        let heaps = || vec![Vec::new(); 1 << heap_bits];
        let found = vec![heaps(); threads.min(portions)];
        let met = Met::new(positions);
        Distinct {
            bound,
            numbering,
            highest: u64::MAX,
            complete: true,
            heap_bits,
            heaps: heaps(),
            found,
            met,
        }
    }

    /// With all that follows from `positions`.
    fn all<A>(
        mut self,
        positions: &[P],
        follow: impl Fn(&P, &mut Vec<(Option<A>, P)>) + Sync,
    ) -> Distinct<P> {
        let mut portions = positions.chunks(PORTION);
        while portions.len() > 0 {
            self.gather(&mut portions, &follow);
            self.tidy();
        }
        self
    }

    /// Follows portion after portion until none is left or it is time to remove duplicates.
    fn gather<'p, A>(
        &mut self,
        portions: &mut (impl Iterator<Item = &'p [P]> + Send),
        follow: &(impl Fn(&P, &mut Vec<(Option<A>, P)>) + Sync),
    ) where
        P: 'p,
    {
        let (numbering, highest, heap_bits, met) = (self.numbering, self.highest, self.heap_bits, &self.met);
        let full = self.bound.saturating_mul(2).max(PORTION);
        let held = AtomicUsize::new(self.len());
        let more = std::iter::from_fn(|| (held.load(Ordering::Relaxed) < full).then(|| portions.next())?);
        share(&mut self.found, more, |heaps, portion: &[P]| {
            let (mut list, mut numbers, mut kept) = (Vec::new(), Vec::new(), 0);
            for position in portion {
                list.clear();
                follow(position, &mut list);
                numbers.clear();
                numbers.extend(list.iter().map(|(_, position)| numbering.of(position)));
                // Where only one position follows, as after an own move, hardly any is found twice.
                let is_new = |number| numbers.len() == 1 || met.is_new(number);
                for ((_, position), &number) in list.iter().zip(&numbers) {
                    if number <= highest && is_new(number) {
                        // Two shifts: a shift by all 64 bits is none.
                        heaps[(number >> 1 >> (63 - heap_bits)) as usize].push(*position);
                        kept += 1;
                    }
                }
            }
            held.fetch_add(kept, Ordering::Relaxed);
        });
    }

    /// Removes duplicates, and what is past the bound.
    fn tidy(&mut self) {
        let numbering = self.numbering;
        let mut scratch = vec![(); self.found.len()];
        let found = &mut self.found;
        let work = self.heaps.iter_mut().enumerate().map(|(i, heap)| {
            let parts: Vec<Vec<P>> = found.iter_mut().map(|heaps| mem::take(&mut heaps[i])).collect();
            (heap, parts)
        });
        share(&mut scratch, work, |(), (heap, parts)| {
            if parts.iter().any(|part| !part.is_empty()) {
                *heap = merged(mem::take(heap), parts, numbering);
            }
        });
        if self.len() > self.bound {
            self.complete = false;
            self.truncate();
        }
    }

    fn len(&self) -> usize {
        self.heaps.iter().map(Vec::len).sum()
    }

    /// Keeps the positions with the smallest numbers.
    fn truncate(&mut self) {
        let mut rest = self.bound;
        for heap in &mut self.heaps {
            heap.truncate(rest);
            rest -= heap.len();
            self.highest = heap.last().map_or(self.highest, |last| self.numbering.of(last));
        }
    }

    /// Writes the positions over `out`.
    fn write(mut self, out: &mut Vec<P>) {
        let Some(&any) = self.heaps.iter().flatten().next() else { return out.clear() };
        out.resize(self.len(), any);
        let mut rest = out.as_mut_slice();
        let work = self.heaps.iter_mut().map(|heap| {
            let (place, after) = mem::take(&mut rest).split_at_mut(heap.len());
            rest = after;
            (place, mem::take(heap))
        });
        let mut scratch = vec![(); self.found.len()];
        share(&mut scratch, work, |(), (place, heap)| place.copy_from_slice(&heap));
    }
}

/// Numbers that were met of late.
struct Met {
    bits: u32,
    numbers: OnceLock<Vec<AtomicU64>>,
}

impl Met {
    fn new(positions: usize) -> Met {
        let places = positions.saturating_mul(8).min(MOST_NUMBERS);
        Met { bits: places.max(1).ilog2(), numbers: OnceLock::new() }
    }

    /// Whether the number is not remembered. It is from now on, in place of another.
    fn is_new(&self, number: u64) -> bool {
        // At first every place holds a number that belongs elsewhere.
        let numbers =
            self.numbers.get_or_init(|| (0..1 << self.bits).map(|i: u64| AtomicU64::new(!i)).collect());
        let place = &numbers[number as usize & (numbers.len() - 1)];
        let new = place.load(Ordering::Relaxed) != number;
        if new {
            place.store(number, Ordering::Relaxed);
        }
        new
    }
}

/// All positions of a heap in order, each once. Sorts the hashes, which are smaller than positions.
fn merged<P: Copy + Eq + Ord + Hash>(mut all: Vec<P>, parts: Vec<Vec<P>>, numbering: Numbering) -> Vec<P> {
    parts.into_iter().for_each(|mut part| if all.is_empty() { all = part } else { all.append(&mut part) });
    let mut numbers: Vec<(u64, usize)> = all.iter().map(|p| numbering.of(p)).zip(0..).collect();
    numbers.sort_unstable();
    let mut out: Vec<P> = Vec::with_capacity(all.len());
    for same in numbers.chunk_by(|one, two| one.0 == two.0) {
        let first = out.len();
        for &(_, i) in same {
            if !out[first..].contains(&all[i]) {
                out.push(all[i]);
            }
        }
        // Different positions under one number are an accident, but not one that the order may depend on.
        out[first..].sort_unstable();
    }
    out.shrink_to_fit();
    out
}

/// Does all the work, one thread for each of `states`.
pub(crate) fn share<S: Send, W>(
    states: &mut [S],
    work: impl Iterator<Item = W> + Send,
    act: impl Fn(&mut S, W) + Sync,
) {
    let work = Mutex::new(work);
    let next = || work.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = |state: &mut S| {
        while let Some(piece) = next() {
            act(state, piece);
        }
    };
    let Some((mine, others)) = states.split_first_mut() else { return };
    thread::scope(|scope| {
        for state in others {
            scope.spawn(|| run(state));
        }
        run(mine);
    });
}

/// A bijection that spreads equal steps all over the range.
fn scramble(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use scuro_core::{Game, Turn};

    /// A token on a line. It moves one or two steps either way; the player is told its place modulo three.
    pub(crate) struct Line;

    impl Game for Line {
        type State = i32;
        type Action = i32;
        type Told = Option<i32>;

        fn start(&self) -> i32 {
            0
        }
        fn turn(&self, _: &i32) -> Turn {
            Turn::Player(Player::Two)
        }
        fn actions(&self, _: &i32, out: &mut Vec<i32>) {
            out.extend([-2, -1, 1, 2]);
        }
        fn play(&self, place: &i32, step: i32) -> i32 {
            place + step
        }
        fn told(&self, place: &i32, _: Player) -> Option<Option<i32>> {
            Some(Some(place.rem_euclid(3)))
        }
    }

    impl Positions for Line {
        type Position = i32;

        fn position(&self, place: &i32) -> i32 {
            *place
        }

        fn follow(
            &self,
            _: Player,
            _: Option<i32>,
            told: &Option<i32>,
        ) -> impl Fn(&i32, &mut Vec<(Option<i32>, i32)>) + Sync {
            |position, out| {
                let reached = [-2, -1, 1, 2].map(|step| (Some(step), position + step));
                // Every place twice: the belief has to remove duplicates.
                for (step, place) in reached.into_iter().chain(reached) {
                    if told.is_none_or(|told| place.rem_euclid(3) == told) {
                        out.push((step, place));
                    }
                }
            }
        }
    }

    fn sorted(belief: &Belief<i32>) -> Vec<i32> {
        let mut places = belief.positions().to_vec();
        places.sort_unstable();
        places
    }

    #[test]
    fn the_exact_set_is_kept_without_duplicates() {
        let mut belief = Belief::certain(0, 1000, 1);
        belief.advance(&Line, Player::One, None, &None).unwrap();
        assert_eq!(sorted(&belief), [-2, -1, 1, 2]);
        belief.advance(&Line, Player::One, None, &Some(0)).unwrap();
        assert_eq!(sorted(&belief), [-3, 0, 3]);
        assert!(belief.contains(&-3) && !belief.contains(&1));
        assert!(!belief.is_sample());
        assert_eq!(belief.advance(&Line, Player::One, None, &Some(7)), Err(Contradiction));
        assert_eq!(sorted(&belief), [-3, 0, 3]);
    }

    /// With a bound of 10 out of 81 places, every place is kept about equally often.
    #[test]
    fn past_the_bound_it_is_a_uniform_sample_and_says_so() {
        let mut counts = [0u32; 81];
        for seed in 0..4000 {
            let mut exact = Belief::certain(0, 1000, seed);
            for _ in 0..20 {
                exact.advance(&Line, Player::One, None, &None).unwrap();
            }
            assert_eq!(exact.positions().len(), 81);
            exact.bound = 10;
            let told = None;
            exact.positions.retain(|place| place.abs() <= 38);
            exact.advance(&Line, Player::One, None, &told).unwrap();
            assert!(exact.is_sample());
            assert_eq!(exact.positions().len(), 10);
            exact.positions().iter().for_each(|place| counts[(place + 40) as usize] += 1);
        }
        let expected = 4000.0 * 10.0 / 81.0;
        let chi_squared: f64 = counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        // 80 degrees of freedom: the mean is 80, 140 is far beyond any luck.
        assert!(chi_squared < 140.0, "{chi_squared} {counts:?}");
    }
}
