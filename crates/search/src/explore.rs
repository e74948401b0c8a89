//! The choice of actions in descents of the growing tree.
//!
//! The exploring side tosses a coin: any action that it plays, or the one whose value and spread promise most.

use scuro_core::Random;

/// Which side explores in a descent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explore {
    /// One side, in turn.
    One,
    /// Both at once.
    Two,
}

/// How the spread of an action's value is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// As its variance.
    Variance,
    /// As its standard deviation.
    Deviation,
    /// As its variance over the descents that took the action alone. What was never tried keeps its spread, so that
    /// in the end everything is tried.
    Taken,
}

/// Statistics of the descents through an infoset, or through the root of the gadget.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visits {
    descents: f64,
    /// By action the number of times it was taken, the sum of its values and that of their squares.
    taken: Vec<[f64; 3]>,
}

impl Visits {
    /// Picks either any action that is played, or the one whose value and spread promise most.
    pub(crate) fn pick(
        &mut self,
        strategy: &[f64],
        qualities: &[f64],
        spread: Spread,
        random: &mut Random,
    ) -> usize {
        self.taken.resize(strategy.len(), [0.0; 3]);
        self.descents += 1.0;
        if spread != Spread::Taken {
            self.taken.iter_mut().zip(qualities).for_each(|(action, quality)| sample(action, *quality));
        }
        let chosen = if random.word() & 1 == 0 {
            let played = strategy.iter().filter(|share| **share > 0.0).count();
            let nth = random.below(played.max(1));
            strategy.iter().enumerate().filter(|(_, share)| **share > 0.0).nth(nth).map_or(0, |(a, _)| a)
        } else {
            self.most_promising(qualities, spread)
        };
        if spread == Spread::Taken {
            sample(&mut self.taken[chosen], qualities[chosen]);
        }
        self.taken[chosen][0] += 1.0;
        chosen
    }

    fn most_promising(&self, qualities: &[f64], spread: Spread) -> usize {
        let promise = |([taken, sum, squares], quality): (&[f64; 3], &f64)| {
            // Two samples, -1 and 1, stand before all others.
            let samples = 2.0 + if spread == Spread::Taken { *taken } else { self.descents };
            let variance = ((squares + 2.0) / samples - (sum / samples) * (sum / samples)).max(0.0);
            let spread = if spread == Spread::Deviation { variance.sqrt() } else { variance };
            quality + spread * self.descents.sqrt() / (1.0 + taken)
        };
        let promises = self.taken.iter().zip(qualities).map(promise);
        let best = promises.enumerate().fold((0, f64::NEG_INFINITY), |best, (action, promise)| {
            if promise > best.1 { (action, promise) } else { best }
        });
        best.0
    }
}

/// Adds a value of an action.
fn sample([_, sum, squares]: &mut [f64; 3], quality: f64) {
    *sum += quality;
    *squares += quality * quality;
}

/// Draws a number in proportion to the weights; if all are zero, uniformly.
pub(crate) fn draw(weights: &[f64], random: &mut Random) -> usize {
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return random.below(weights.len());
    }
    let mut rest = random.unit() * total;
    let mut last = 0;
    for (number, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        last = number;
        if rest < weight {
            return number;
        }
        rest -= weight;
    }
    last
}
