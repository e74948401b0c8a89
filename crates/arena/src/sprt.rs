//! The sequential probability ratio test on pairs of games: is the first agent stronger by `elo1`, or only by `elo0`?
//!
//! The generalised test of Van den Bergh, as the chess world uses it: the likelihoods under both hypotheses are those of
//! the likeliest distribution over the five results of a pair that has the hypothesis's mean. Elo is logistic.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::statistics::score_of_elo;

/// The probability of a wrong answer, either way.
pub const ERROR: f64 = 0.05;

/// The two hypotheses, in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hypotheses {
    /// The first agent is stronger by so much only.
    pub elo0: f64,
    /// The first agent is stronger by so much.
    pub elo1: f64,
}

/// A text that is no pair of hypotheses.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{0}' is not two different Elo numbers such as 0,5, the lower first")]
pub struct HypothesesError(String);

impl FromStr for Hypotheses {
    type Err = HypothesesError;

    fn from_str(text: &str) -> Result<Hypotheses, HypothesesError> {
        let numbers = text.split_once(',').map(|(a, b)| (a.trim().parse::<f64>(), b.trim().parse::<f64>()));
        match numbers {
            Some((Ok(elo0), Ok(elo1))) if elo0 < elo1 && elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0 => {
                Ok(Hypotheses { elo0, elo1 })
            }
            _ => Err(HypothesesError(text.to_owned())),
        }
    }
}

impl fmt::Display for Hypotheses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.elo0, self.elo1)
    }
}

impl TryFrom<String> for Hypotheses {
    type Error = HypothesesError;

    fn try_from(text: String) -> Result<Hypotheses, HypothesesError> {
        text.parse()
    }
}

impl From<Hypotheses> for String {
    fn from(hypotheses: Hypotheses) -> String {
        hypotheses.to_string()
    }
}

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The second hypothesis.
    Accepted,
    /// The first hypothesis.
    Rejected,
    /// Nothing yet.
    Open,
}

impl Hypotheses {
    /// The logarithm of the ratio of likelihoods after results with these scores in [0, 1], each so often: of pairs,
    /// five of them. 0 if there are none.
    #[must_use]
    pub fn log_likelihood_ratio<const N: usize>(self, counts: [u64; N]) -> f64 {
        let total: u64 = counts.iter().sum();
        if total == 0 {
            return 0.0;
        }
        // A result that was not seen yet is not impossible.
        let counts = counts.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let weight: f64 = counts.iter().sum();
        let scores: [f64; N] = std::array::from_fn(|i| i as f64 / (N - 1) as f64);
        let shares = counts.map(|count| count / weight);
        let [under0, under1] =
            [self.elo0, self.elo1].map(|elo| likeliest(&scores, &shares, score_of_elo(elo)));
        weight * (0..N).map(|i| shares[i] * (under1[i] / under0[i]).ln()).sum::<f64>()
    }

    /// Below the first the first hypothesis is believed, above the second the second.
    #[must_use]
    pub fn bounds() -> [f64; 2] {
        [(ERROR / (1.0 - ERROR)).ln(), ((1.0 - ERROR) / ERROR).ln()]
    }

    /// What the ratio says.
    #[must_use]
    pub fn verdict(ratio: f64) -> Verdict {
        let [low, high] = Hypotheses::bounds();
        if ratio >= high {
            Verdict::Accepted
        } else if ratio <= low {
            Verdict::Rejected
        } else {
            Verdict::Open
        }
    }
}

/// The likeliest distribution with this mean, if these shares were seen: p = share / (1 + x·(score − mean)), where x makes
/// it a distribution.
fn likeliest<const N: usize>(scores: &[f64; N], shares: &[f64; N], mean: f64) -> [f64; N] {
    // All denominators are positive between these; the sum falls from +infinity to -infinity there.
    let mut low = -1.0 / (1.0 - mean);
    let mut high = 1.0 / mean;
    let excess = |x: f64| -> f64 {
        (0..N).map(|i| shares[i] * (scores[i] - mean) / (1.0 + x * (scores[i] - mean))).sum()
    };
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|i| shares[i] / (1.0 + x * (scores[i] - mean)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values of fastchess (app/tests/sprt_test.cpp, "logistic"): games as losses, draws, wins; pairs with
    /// 0, 1/2, 1, 3/2 and 2 points.
    #[test]
    fn ratios_agree_with_fastchess() {
        let two = |number: f64| (100.0 * number).round() / 100.0;
        let hypotheses = |elo0, elo1| Hypotheses { elo0, elo1 };
        for (ratio, published) in [
            (hypotheses(0.5, 2.5).log_likelihood_ratio([21184, 40708, 21404]), -1.57),
            (hypotheses(0.0, 2.0).log_likelihood_ratio([57030, 106_593, 57433]), -2.59),
            (hypotheses(0.5, 2.5).log_likelihood_ratio([223, 9863, 20279 + 1000, 10037, 246]), -3.07),
            (hypotheses(0.0, 2.0).log_likelihood_ratio([871, 26175, 55003 + 980, 26678, 821]), -4.98),
        ] {
            assert_eq!(two(ratio), published);
        }
    }

    /// "Logistic (exact)" and the bounds of a test of the fishtest family (montytest, test 69d3c8dc7c5b3724e29d2712),
    /// whose hypotheses are 0 and, to the digits that it prints, 2.716 Elo.
    #[test]
    fn ratios_agree_with_fishtest() {
        let ratio = Hypotheses { elo0: 0.0, elo1: 2.716 }.log_likelihood_ratio([13, 37, 50, 25, 3]);
        assert!((ratio - -0.53772).abs() < 1e-4, "{ratio}");
        assert_eq!(Hypotheses::bounds().map(|bound| (1e4 * bound).round() / 1e4), [-2.9444, 2.9444]);
    }

    #[test]
    fn verdicts_come_at_the_bounds() {
        let test = Hypotheses { elo0: 0.0, elo1: 10.0 };
        assert_eq!(test.log_likelihood_ratio([0; 5]), 0.0);
        for (pairs, verdict) in [
            ([0, 0, 1, 0, 0], Verdict::Open),
            ([10, 40, 200, 120, 60], Verdict::Accepted),
            ([60, 120, 200, 40, 10], Verdict::Rejected),
            ([0, 0, 0, 0, 400], Verdict::Accepted),
        ] {
            assert_eq!(Hypotheses::verdict(test.log_likelihood_ratio(pairs)), verdict, "{pairs:?}");
        }
    }

    #[test]
    fn hypotheses_read_as_they_are_written() {
        assert_eq!("-1.75, 0.25".parse::<Hypotheses>().unwrap().to_string(), "-1.75,0.25");
        for text in ["", "5", "5,0", "1,1", "a,b", "0,nan", "0,5000"] {
            assert!(text.parse::<Hypotheses>().is_err(), "{text}");
        }
    }
}
