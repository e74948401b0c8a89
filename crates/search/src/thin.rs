//! Samples of weighted positions, for beliefs past their bound.
//!
//! The heaviest positions stay as they are. Each of the others stays with a probability that grows with the root of its
//! weight, by one walk with equal steps over all of them, and is then as much heavier as it was unlikely to stay: every
//! weight is right on average.
//!
//! A kind of position that is lost never comes back, since moves hardly change it, and one day what the player is told fits
//! no other. So a part of the sample is shared equally by all kinds, however unlikely.

use std::slice;

use rustc_hash::FxHashMap;
use scuro_core::{Player, Positions, Random};

use crate::belief::Weighted;

/// The part of a sample that is shared equally by all kinds.
const SHARED: f64 = 0.25;

/// The kinds of these positions, as numbers from 0 on.
pub(crate) fn kinds<G: Positions>(game: &G, player: Player, held: &[Weighted<G::Position>]) -> Vec<u32> {
    let mut numbers = FxHashMap::default();
    let number = |held: &Weighted<G::Position>| {
        let next = numbers.len() as u32;
        *numbers.entry(game.kind(player, &held.position)).or_insert(next)
    };
    held.iter().map(number).collect()
}

/// Leaves about `wanted` of the positions if there are more.
pub(crate) fn thin_positions<G: Positions>(
    game: &G,
    player: Player,
    held: &mut Vec<Weighted<G::Position>>,
    wanted: usize,
    random: &mut Random,
) {
    if held.len() > wanted {
        let kinds = kinds(game, player, held);
        thin(slice::from_mut(held), &kinds, wanted, random.unit(), |held| &mut held.weight);
    }
}

/// Leaves about `wanted` entries, and at least one: the heaviest, and of the others a sample that keeps the expected weight
/// of each. An entry stays with a probability that grows with the root of its weight: in proportion to the weight nearly all
/// that stay would be likely ones, and alike they would be drawn blindly. `kinds` has the kind of each entry, and `start`,
/// in [0, 1), says which stay.
pub(crate) fn thin<T>(
    heaps: &mut [Vec<T>],
    kinds: &[u32],
    wanted: usize,
    start: f64,
    weight: impl Fn(&mut T) -> &mut f64,
) {
    let mut scores: Vec<f64> = heaps.iter_mut().flatten().map(|entry| weight(entry).sqrt()).collect();
    favour_rare(&mut scores, kinds);
    let level = level(&scores, wanted);
    // A walk with steps of length one over the probabilities to stay.
    let (mut place, mut scores) = (start, scores.into_iter());
    for heap in heaps {
        heap.retain_mut(|entry| {
            let chance = (scores.next().unwrap_or_default() / level).min(1.0);
            place += chance;
            let stays = chance >= 1.0 || place >= 1.0;
            if place >= 1.0 {
                place -= 1.0;
            }
            if stays {
                *weight(entry) /= chance;
            }
            stays
        });
    }
}

/// Raises the scores of every kind that has less than its equal part of what is shared.
fn favour_rare(scores: &mut [f64], kinds: &[u32]) {
    let count = kinds.iter().max().map_or(0, |&last| last as usize + 1);
    if count < 2 {
        return;
    }
    let mut sums = vec![0.0; count];
    for (score, &kind) in scores.iter().zip(kinds) {
        sums[kind as usize] += score;
    }
    let least = SHARED * sums.iter().sum::<f64>() / count as f64;
    let raise = |sum: f64| if sum > 0.0 { (least / sum).max(1.0) } else { 1.0 };
    let raised: Vec<f64> = sums.into_iter().map(raise).collect();
    for (score, &kind) in scores.iter_mut().zip(kinds) {
        *score *= raised[kind as usize];
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A thousand likely entries, and after them a hundred of another kind that are a million times less likely.
    #[test]
    fn a_rare_kind_stays_and_weights_are_right_on_average() {
        let weight = |entry: usize| if entry < 1_000 { (1 + entry % 7) as f64 } else { 1e-6 };
        let kinds: Vec<u32> = (0..1_100).map(|entry| u32::from(entry >= 1_000)).collect();
        let (times, wanted) = (4_000, 200);
        let mut sums = vec![0.0; 1_100];
        for time in 0..times {
            let mut heaps = [0..700, 700..1_100].map(|heap| heap.map(|i| (i, weight(i))).collect::<Vec<_>>());
            let start = f64::from(time) / f64::from(times);
            thin(&mut heaps, &kinds, wanted, start, |(_, weight)| weight);
            let rare = heaps[1].iter().filter(|(entry, _)| *entry >= 1_000).count();
            // An eighth of the sample: two kinds share a quarter. What the others are raised against is a little more.
            assert!((20..=26).contains(&rare), "{rare}");
            assert!(heaps.iter().flatten().count().abs_diff(wanted) <= 1);
            heaps.iter().flatten().for_each(|(entry, weight)| sums[*entry] += weight / f64::from(times));
        }
        for (entry, sum) in sums.iter().enumerate() {
            assert!((sum / weight(entry) - 1.0).abs() < 0.02, "{entry}: {sum} instead of {}", weight(entry));
        }
    }
}
