//! The one source of chance. The generator is pinned by name, so that a seed replays on every machine.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of random numbers that is fixed by its seed.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The stream of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A whole random word.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound`, each equally likely.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "nothing to choose from");
        let bound = bound as u64;
        // A word times the bound, high half: unbiased once the low half is past the threshold.
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.word()) * u128::from(bound);
            if product as u64 >= threshold {
                return (product >> 64) as usize;
            }
        }
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number above 0 that is past `x` with probability `exp(-x)`, by comparisons alone (von Neumann): the platform's own
    /// logarithm differs from machine to machine.
    pub fn exponential(&mut self) -> f64 {
        let mut whole = 0.0;
        loop {
            let first = self.unit();
            // The length of a falling run that begins with it is odd with probability exp(-first).
            let (mut last, mut odd) = (first, true);
            loop {
                let next = self.unit();
                if next >= last {
                    break;
                }
                (last, odd) = (next, !odd);
            }
            if odd {
                return whole + first;
            }
            whole += 1.0;
        }
    }

    /// One of `items`, each equally likely; `None` if there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_replays() {
        let words = |seed| {
            let mut random = Random::new(seed);
            [random.word(), random.word(), random.word()]
        };
        assert_eq!(words(1), words(1));
        assert_ne!(words(1), words(2));
        assert_eq!(
            words(0)[0],
            0x53175d61490b23df,
            "the generator of the stream changed: games no longer replay"
        );
    }

    #[test]
    fn exponential_numbers_are() {
        let mut random = Random::new(4);
        let numbers: Vec<f64> = (0..40_000).map(|_| random.exponential()).collect();
        for x in [0.1, 0.5, 1.0, 2.0, 3.0] {
            let past = numbers.iter().filter(|&&number| number > x).count() as f64 / 40_000.0;
            assert!((past - f64::exp(-x)).abs() < 0.01, "{x}: {past}");
        }
    }

    #[test]
    fn below_is_even() {
        let mut random = Random::new(3);
        let mut counts = [0; 6];
        for _ in 0..60_000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|&n| (9_600..10_400).contains(&n)), "{counts:?}");
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.unit())));
    }
}
