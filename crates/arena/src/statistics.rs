//! What results are worth: scores, intervals, Elo.

use serde::Serialize;

/// How many standard errors lie on either side in 95 of 100 cases.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The Elo difference at which this score is expected; none for 0 or 1.
#[must_use]
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

/// The score that is expected at an Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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

    /// Losses, draws and wins: results in the order of their scores.
    #[must_use]
    pub fn counts(self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// How likely it is that the first is the stronger one: by wins and losses alone, as if these were normal.
    #[must_use]
    pub fn superiority(self) -> f64 {
        let (wins, losses) = (self.wins as f64, self.losses as f64);
        if wins + losses == 0.0 {
            return 0.5;
        }
        normal_below((wins - losses) / (wins + losses).sqrt())
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
    [(middle - half).max(0.0), (middle + half).min(1.0)]
}

/// Elo with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference; none if all was won or lost.
    pub difference: Option<f64>,
    /// At 95 %; an end is none where the score would leave (0, 1).
    pub interval: [Option<f64>; 2],
}

impl Elo {
    /// From results with scores from 0 to 1 in equal steps, each so often: 3 of games, 5 of pairs.
    #[must_use]
    pub fn of<const N: usize>(counts: [u64; N]) -> Elo {
        let total = counts.iter().sum::<u64>() as f64;
        if total == 0.0 {
            return Elo { difference: None, interval: [None; 2] };
        }
        let score = |i: usize| i as f64 / (N - 1) as f64;
        let sum = |of: &dyn Fn(f64) -> f64| (0..N).map(|i| counts[i] as f64 * of(score(i))).sum::<f64>();
        let mean = sum(&|score| score) / total;
        let variance = sum(&|score| (score - mean).powi(2)) / total;
        let half = Z95 * (variance / total).sqrt();
        Elo { difference: elo_of_score(mean), interval: [mean - half, mean + half].map(elo_of_score) }
    }

    /// Half the length of the interval: what stands behind `+/-`.
    #[must_use]
    pub fn error(self) -> Option<f64> {
        let [low, high] = self.interval;
        Some((high? - low?) / 2.0)
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
