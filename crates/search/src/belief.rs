//! Belief: all positions that fit everything a player was told, each once, all equally likely.
//!
//! The set is exact until it passes its bound. Then it becomes a uniform sample of the exact set and says so:
//! the positions with the smallest values of a random function stay. Which positions those are does not
//! depend on how often or in which order a position was found, so no position is favoured. In the steps after
//! that the set is a uniform sample of what follows from the *kept* positions: a position that many positions
//! lead to is then more likely to be among them than one that few lead to.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use scuro_core::{Player, Positions, Random};
use thiserror::Error;

/// What a player believes.
#[derive(Clone, Debug)]
pub struct Belief<P> {
    positions: Vec<P>,
    bound: usize,
    sample: bool,
    random: Random,
}

/// No position fits what the player was told.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("no position fits what the player was told")]
pub struct Contradiction;

impl<P: Copy + Eq + Ord + Hash> Belief<P> {
    /// The belief of a player who knows the position. At most `bound` positions, at least one, are kept;
    /// `seed` fixes which ones once there are more.
    #[must_use]
    pub fn certain(position: P, bound: usize, seed: u64) -> Belief<P> {
        Belief { positions: vec![position], bound: bound.max(1), sample: false, random: Random::new(seed) }
    }

    /// The positions, in order.
    #[must_use]
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// Whether the set has passed its bound at some time, so that it may lack positions that fit.
    #[must_use]
    pub fn is_sample(&self) -> bool {
        self.sample
    }

    /// Takes in what `player` was told in one step.
    ///
    /// # Errors
    /// If no position fits. The belief stays as it was.
    pub fn advance<G>(&mut self, game: &G, player: Player, told: &G::Told) -> Result<(), Contradiction>
    where
        G: Positions<Position = P>,
    {
        let mut next = Distinct::new(self.bound, self.random.word());
        let mut found = Vec::new();
        for position in &self.positions {
            game.follow(position, player, told, &mut found);
            for position in found.drain(..) {
                next.add(position);
            }
        }
        let (positions, complete) = next.finish();
        if positions.is_empty() {
            return Err(Contradiction);
        }
        self.positions = positions;
        self.sample |= !complete;
        Ok(())
    }
}

/// Collects positions without duplicates, and no more than twice the bound at any time.
struct Distinct<P> {
    bound: usize,
    salt: u64,
    /// Positions whose number is above this are left out.
    highest: u64,
    numbered: Vec<(u64, P)>,
    complete: bool,
    /// When the list is this long it is time to remove duplicates.
    full: usize,
}

impl<P: Copy + Eq + Ord + Hash> Distinct<P> {
    fn new(bound: usize, salt: u64) -> Distinct<P> {
        Distinct {
            bound,
            salt,
            highest: u64::MAX,
            numbered: Vec::new(),
            complete: true,
            full: bound.saturating_mul(2).max(1024),
        }
    }

    fn add(&mut self, position: P) {
        let mut hasher = FxHasher::default();
        position.hash(&mut hasher);
        let number = scramble(hasher.finish() ^ self.salt);
        if number <= self.highest {
            self.numbered.push((number, position));
            if self.numbered.len() >= self.full {
                self.tidy();
            }
        }
    }

    fn tidy(&mut self) {
        self.numbered.sort_unstable();
        self.numbered.dedup();
        if self.numbered.len() > self.bound {
            self.numbered.truncate(self.bound);
            self.complete = false;
            self.highest = self.numbered[self.bound - 1].0;
        }
    }

    fn finish(mut self) -> (Vec<P>, bool) {
        self.tidy();
        let mut positions: Vec<P> = self.numbered.into_iter().map(|(_, position)| position).collect();
        positions.sort_unstable();
        (positions, self.complete)
    }
}

/// A bijection that spreads equal steps all over the range.
fn scramble(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token on a line. It moves one or two steps either way; the player is told its place modulo three.
    struct Line;

    impl Positions for Line {
        type Position = i32;
        type Told = Option<i32>;

        fn follow(&self, &position: &i32, _: Player, told: &Option<i32>, out: &mut Vec<i32>) {
            let reached = [-2, -1, 1, 2].map(|step| position + step);
            // Every place twice: the belief has to remove duplicates.
            for place in reached.into_iter().chain(reached) {
                if told.is_none_or(|told| place.rem_euclid(3) == told) {
                    out.push(place);
                }
            }
        }
    }

    #[test]
    fn the_exact_set_is_kept_without_duplicates() {
        let mut belief = Belief::certain(0, 1000, 1);
        belief.advance(&Line, Player::One, &None).unwrap();
        assert_eq!(belief.positions(), [-2, -1, 1, 2]);
        belief.advance(&Line, Player::One, &Some(0)).unwrap();
        assert_eq!(belief.positions(), [-3, 0, 3]);
        assert!(!belief.is_sample());
        assert_eq!(belief.advance(&Line, Player::One, &Some(7)), Err(Contradiction));
        assert_eq!(belief.positions(), [-3, 0, 3]);
    }

    /// With a bound of 10 out of 81 places, every place is kept about equally often.
    #[test]
    fn past_the_bound_it_is_a_uniform_sample_and_says_so() {
        let mut counts = [0u32; 81];
        for seed in 0..4000 {
            let mut exact = Belief::certain(0, 1000, seed);
            for _ in 0..20 {
                exact.advance(&Line, Player::One, &None).unwrap();
            }
            assert_eq!(exact.positions().len(), 81);
            exact.bound = 10;
            let told = None;
            exact.positions.retain(|place| place.abs() <= 38);
            exact.advance(&Line, Player::One, &told).unwrap();
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
