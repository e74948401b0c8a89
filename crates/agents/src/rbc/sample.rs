//! What scores say on boards that were looked at: compounds of mean and least score, what answers change of them, and how many
//! boards they rule out.

use super::windows::Window;

/// Boards that were looked at, with weights that sum to one and the scores of all requests.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) places: Vec<usize>,
    pub(super) weights: Vec<f64>,
    pub(super) scores: Vec<Vec<f64>>,
}

/// Sum and least of the scores of one request over a class of boards.
type Part = (f64, f64);

impl Sample {
    /// These boards; the weights are scaled.
    pub(super) fn new(places: Vec<usize>, mut weights: Vec<f64>, scores: Vec<Vec<f64>>) -> Sample {
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= total);
        Sample { places, weights, scores }
    }

    /// By class, its weight and the parts of all requests; `class` says which each board is in.
    pub(super) fn parts(&self, class: impl Fn(usize) -> usize, classes: usize) -> (Vec<f64>, Vec<Part>) {
        let requests = self.scores.first().map_or(0, Vec::len);
        let (mut totals, mut parts) = (vec![0.0; classes], vec![(0.0, f64::INFINITY); classes * requests]);
        for (i, (weight, scores)) in self.weights.iter().zip(&self.scores).enumerate() {
            let class = class(i);
            totals[class] += weight;
            for ((sum, smallest), &score) in parts[class * requests..].iter_mut().zip(scores) {
                *sum += weight * score;
                *smallest = score.min(*smallest);
            }
        }
        (totals, parts)
    }

    /// The compounds of all requests over all boards.
    pub(super) fn compounds(&self, least: f64) -> Vec<f64> {
        let (totals, parts) = self.parts(|_| 0, 1);
        parts.iter().map(|(sum, smallest)| (1.0 - least) * sum / totals[0] + least * smallest).collect()
    }

    /// The expected share of the boards that an answer rules out, if boards are told apart by `class`.
    pub(super) fn reduction(&self, class: impl Fn(usize) -> usize, classes: usize) -> f64 {
        let (mut counts, mut sums) = (vec![0.0; classes], vec![0.0; classes]);
        for (i, weight) in self.weights.iter().enumerate() {
            counts[class(i)] += 1.0;
            sums[class(i)] += weight;
        }
        let kept: f64 = counts.iter().zip(&sums).map(|(count, sum)| count * sum).sum();
        1.0 - kept / self.weights.len() as f64
    }

    /// How much the compounds of requests change with the answer of each window, on average.
    pub(super) fn impacts(&self, windows: &[Window], least: f64) -> Vec<f64> {
        let (totals, whole) = self.parts(|_| 0, 1);
        let impact = |window: &Window| {
            if window.answers < 2 {
                return 0.0;
            }
            let (chances, parts) = self.parts(|i| window.answer[i], window.answers);
            let (mut means, mut leasts) = (0.0, 0.0);
            for (chance, part) in chances.iter().zip(parts.chunks(whole.len())) {
                let pairs = || part.iter().zip(&whole);
                let mean: f64 = pairs().map(|(one, all)| (one.0 / chance - all.0 / totals[0]).abs()).sum();
                let smallest: f64 = pairs().map(|(one, all)| (one.1 - all.1).abs()).sum();
                means += chance * (mean / whole.len() as f64);
                leasts += chance * (smallest / whole.len() as f64);
            }
            (1.0 - least) * means + least * leasts
        };
        windows.iter().map(impact).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use scuro_games::chess::Square;

    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }

    /// Three boards, two requests; the window tells the first from the others.
    fn sample() -> (Sample, Window) {
        let weights = vec![0.5, 0.25, 0.25];
        let scores = vec![vec![4.0, 0.0], vec![0.0, 2.0], vec![-4.0, 6.0]];
        let window = Window { square: Square::D5, answer: vec![0, 1, 1], answers: 2 };
        (Sample { places: vec![0, 1, 2], weights, scores }, window)
    }

    #[test]
    fn impact_and_reduction_by_hand() {
        let (sample, window) = sample();
        // Means 1 and 2, least -4 and 0; after the answers 4 and 0 (least 4, 0), and -2 and 4 (least -4, 2).
        near(sample.compounds(0.1)[0], 0.9 - 0.4);
        near(sample.compounds(0.1)[1], 1.8);
        let means = 0.5 * (3.0 + 2.0) / 2.0 + 0.5 * (3.0 + 2.0) / 2.0;
        let leasts = 0.5 * (8.0 + 0.0) / 2.0 + 0.5 * (0.0 + 2.0) / 2.0;
        near(sample.impacts(slice::from_ref(&window), 0.1)[0], 0.9 * means + 0.1 * leasts);
        near(sample.impacts(slice::from_ref(&window), 0.3)[0], 0.7 * means + 0.3 * leasts);
        near(sample.reduction(|i| window.answer[i], 2), 1.0 - (1.0 * 0.5 + 2.0 * 0.5) / 3.0);
        let blind = Window { answer: vec![0; 3], answers: 1, ..window };
        near(sample.impacts(&[blind], 0.3)[0], 0.0);
        near(sample.reduction(|_| 0, 1), 0.0);
    }
}
