//! Scores: whole numbers that are searched, and the values that they stand for.
//!
//! A score is the argument of the tanh, in steps of 1/4096; so a pawn in the sense of `tanh(pawns / 6)` is about
//! 683. Scores are compared and negated as integers, and only what leaves the search becomes a value.

use std::sync::LazyLock;

/// What a whole 1 in the argument of the tanh is as a score.
pub const UNIT: i32 = 4096;

/// The largest score that is an opinion and not a fact; its value is a little below 1.
pub const MOST: i32 = 8 * UNIT;

/// The game is won: the value is exactly 1.
pub const WON: i32 = MOST + 1;

/// The values of the scores from 0 to [`WON`]. Built from sums, products and quotients only, which are the same
/// on every machine; the platform's own tanh is not.
static VALUES: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let opinions = (0..=MOST).map(|score| tanh(f64::from(score) / f64::from(UNIT)) as f32);
    opinions.chain([1.0]).collect()
});

/// The value of a score, in [-1, 1].
#[must_use]
pub fn value(score: i32) -> f32 {
    let value = VALUES[score.abs().min(WON) as usize];
    if score < 0 { -value } else { value }
}

/// tanh for `x >= 0`.
fn tanh(x: f64) -> f64 {
    let power = exp(-2.0 * x);
    (1.0 - power) / (1.0 + power)
}

/// The exponential of `x`, by the series of a small part of it, squared back up. The platform's own differs from machine to
/// machine.
#[must_use]
pub fn exp(x: f64) -> f64 {
    // Beyond this it is 0 or infinite.
    let x = x.clamp(-1000.0, 1000.0);
    let (mut part, mut halvings) = (x / 256.0, 8);
    while part.abs() > 0.0625 {
        part /= 2.0;
        halvings += 1;
    }
    let (mut power, mut term) = (1.0, 1.0);
    for n in 1..16 {
        term *= part / f64::from(n);
        power += term;
    }
    for _ in 0..halvings {
        power *= power;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_tanh() {
        for score in -MOST..=MOST {
            let expected = (f64::from(score) / f64::from(UNIT)).tanh();
            assert!((f64::from(value(score)) - expected).abs() < 1e-7, "{score}");
            assert_eq!(value(-score), -value(score));
        }
    }

    #[test]
    fn exp_is_the_exponential() {
        for step in -7000..=700 {
            let x = f64::from(step) / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-10, "{x}");
        }
        assert_eq!((exp(0.0), exp(-5000.0)), (1.0, 0.0));
    }

    #[test]
    fn only_a_won_game_is_worth_one() {
        assert!(value(MOST) < 1.0 && value(-MOST) > -1.0);
        assert_eq!([value(WON), value(-WON), value(i32::MAX), value(0)], [1.0, -1.0, 1.0, 0.0]);
    }

    #[test]
    fn the_table_is_the_same_everywhere() {
        let sum = (0..=WON).fold(0u64, |sum, s| sum.rotate_left(5) ^ u64::from(value(s).to_bits()));
        assert_eq!(sum, 0x5f95_a702_95b4_4c17, "{sum:#x}");
    }
}
