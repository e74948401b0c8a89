//! What results are worth: scores, intervals, Elo.

use serde::{Deserialize, Serialize};

/// How many standard errors lie on either side in 95 of 100 cases.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The Elo difference at which this score is expected; none for 0 or 1.
#[must_use]
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The score that is expected at an Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    /// Won games.
    pub wins: u64,
    /// Drawn ones.
    pub draws: u64,
    /// Lost ones.
    pub losses: u64,
}

impl Results {
    /// One game more, of this score in halves.
    pub fn add(&mut self, halves: u8) {
        match halves {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The results of both together.
    #[must_use]
    pub fn and(self, other: Results) -> Results {
        Results {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// The same games through the opponent's eyes.
    #[must_use]
    pub fn reversed(self) -> Results {
        Results { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// How many games.
    #[must_use]
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of points; one half if there are no games.
    #[must_use]
    pub fn score(self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64
    }

    /// Wilson's interval of the score, at 95 %. A drawn game counts as half a won one.
    #[must_use]
    pub fn interval(self) -> [f64; 2] {
        wilson(self.score(), self.games())
    }

    /// How likely it is that the true score is above one half, from won and lost games alone.
    #[must_use]
    pub fn superiority(self) -> f64 {
        let (wins, losses) = (self.wins as f64, self.losses as f64);
        // Without either there is no lead.
        normal_below((wins - losses) / (wins + losses).max(1.0).sqrt())
    }

    /// Losses, draws and wins: results in the order of their scores.
    #[must_use]
    pub fn counts(self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

/// Wilson's interval of a share of so many, at 95 %.
#[must_use]
pub fn wilson(share: f64, number: u64) -> [f64; 2] {
    if number == 0 {
        return [0.0, 1.0];
    }
    let (n, z2) = (number as f64, Z95 * Z95);
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // At the ends rounding would leave a little.
    let low = if share > 0.0 { (middle - half).max(0.0) } else { 0.0 };
    [low, if share < 1.0 { (middle + half).min(1.0) } else { 1.0 }]
}

/// The mean of results, and how far it may be from the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean score.
    pub score: f64,
    /// Its standard error.
    pub error: f64,
}

impl Mean {
    /// Of results with scores from 0 to 1 in equal steps, each so often: 3 of games, 5 of pairs. None if they are all
    /// the same: where there is no spread, it does not tell the error.
    #[must_use]
    pub fn of<const N: usize>(counts: [u64; N]) -> Option<Mean> {
        let total = counts.iter().sum::<u64>() as f64;
        let score = |i: usize| i as f64 / (N - 1) as f64;
        let sum = |of: &dyn Fn(f64) -> f64| (0..N).map(|i| counts[i] as f64 * of(score(i))).sum::<f64>();
        let mean = sum(&|score| score) / total;
        let variance = sum(&|score| (score - mean).powi(2)) / total;
        (variance > 0.0).then(|| Mean { score: mean, error: (variance / total).sqrt() })
    }

    /// The interval of the Elo difference at 95 %; an end is none where the score would leave (0, 1).
    #[must_use]
    pub fn elo_interval(self) -> [Option<f64>; 2] {
        [self.score - Z95 * self.error, self.score + Z95 * self.error].map(elo_of_score)
    }

    /// How likely it is that the true score is above one half.
    #[must_use]
    pub fn superiority(self) -> f64 {
        normal_below((self.score - 0.5) / self.error)
    }
}

/// How likely a standard normal number is below this.
#[must_use]
pub fn normal_below(x: f64) -> f64 {
    0.5 * complementary_error(-x / std::f64::consts::SQRT_2)
}

/// The complementary error function: the series near 0, the continued fraction further out.
fn complementary_error(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - complementary_error(-x);
    }
    let front = (-x * x).exp() / std::f64::consts::PI.sqrt();
    if x < 2.0 {
        let (mut term, mut sum) = (2.0 * x, 2.0 * x);
        let mut n = 1.0;
        while term > 1e-17 * sum {
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
            n += 1.0;
        }
        return 1.0 - front * sum;
    }
    let fraction = (1..=60).rev().fold(x, |below, k| x + f64::from(k) / 2.0 / below);
    front / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(ours: f64, published: f64, digits: i32) {
        assert!((ours - published).abs() <= 0.5 * 10f64.powi(-digits) + 1e-12, "{ours} is not {published}");
    }

    /// The Elo difference, and what stands behind `+/-`: half the length of its interval.
    fn near_elo(mean: Mean, elo: f64, error: f64) {
        near(elo_of_score(mean.score).unwrap(), elo, 2);
        let [low, high] = mean.elo_interval().map(Option::unwrap);
        near((high - low) / 2.0, error, 2);
    }

    /// The expected values of fastchess (app/tests/elo_test.cpp): losses, draws, wins; Elo, error, superiority in %.
    #[test]
    fn elo_and_superiority_agree_with_fastchess_on_games() {
        let mean = Mean::of([96, 111, 136]).unwrap();
        near_elo(mean, 40.70, 30.43);
        near(100.0 * mean.superiority(), 99.60, 2);
        near(100.0 * Mean::of([89, 123, 76]).unwrap().superiority(), 15.53, 2);
    }

    /// The same source: pairs with 0, 1/2, 1, 3/2 and 2 points.
    #[test]
    fn elo_and_superiority_agree_with_fastchess_on_pairs() {
        for (pairs, elo, error, superiority) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, Some(100.0)),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, Some(5.05)),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, None),
        ] {
            let mean = Mean::of(pairs).unwrap();
            near_elo(mean, elo, error);
            if let Some(superiority) = superiority {
                near(100.0 * mean.superiority(), superiority, 2);
            }
        }
    }

    /// "Expected value" and superiority of a test of the fishtest family (montytest, test 69d3c8dc7c5b3724e29d2712).
    #[test]
    fn scores_of_pairs_agree_with_fishtest() {
        let mean = Mean::of([13, 37, 50, 25, 3]).unwrap();
        near(mean.score, 0.43750, 5);
        near(elo_of_score(mean.score).unwrap(), -43.6578, 4);
        near(mean.error * mean.error * 128.0, 0.05762, 5);
        // It tells 0.00114 from a distribution with heavier tails; the normal one says a little more or less.
        assert!((mean.superiority() - 0.00114).abs() < 0.0006, "{}", mean.superiority());
    }

    /// Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, the score method without
    /// continuity correction.
    #[test]
    fn wilson_agrees_with_newcombe() {
        for (won, number, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let [ours_low, ours_high] = wilson(f64::from(won) / number as f64, number);
            near(ours_low, low, 4);
            near(ours_high, high, 4);
        }
    }

    #[test]
    fn results_without_games_or_without_doubt_are_said_plainly() {
        assert_eq!(Results::default().interval(), [0.0, 1.0]);
        // Results that are all the same have no spread that would tell an error.
        assert_eq!([[0; 3], [0, 0, 10], [0, 4, 0]].map(Mean::of), [None; 3]);
        assert_eq!([[0; 5], [0, 0, 0, 1, 0], [3, 0, 0, 0, 0]].map(Mean::of), [None; 3]);
        for (wins, draws, losses, superiority) in [
            (0, 0, 0, 0.5),
            (0, 4, 0, 0.5),
            (1, 0, 1, 0.5),
            (1, 1, 0, 0.841),
            (2, 0, 0, 0.921),
            (0, 9, 4, 0.023),
        ] {
            near(Results { wins, draws, losses }.superiority(), superiority, 3);
        }
        // All of any number are all: an end that is a little less would have an Elo difference.
        for number in 1..1000 {
            assert_eq!((wilson(0.0, number)[0], wilson(1.0, number)[1]), (0.0, 1.0), "{number}");
        }
        for elo in [-300.0, 0.0, 12.5] {
            near(elo_of_score(score_of_elo(elo)).unwrap(), elo, 9);
        }
        // From the tables of the normal distribution.
        for (x, below) in [(0.0, 0.5), (1.0, 0.841345), (1.959964, 0.975), (-3.0, 0.001350), (4.0, 0.999968)]
        {
            near(normal_below(x), below, 6);
        }
    }
}
