//! What the windows of senses would show on boards that may be.

use rustc_hash::FxHashMap;
use scuro_games::chess::{Board, Square};
use scuro_games::rbc::{Sensed, inner_squares};

use crate::contestant::LikelyAnswer;

/// So many answers of a window are told apart when somebody looks inside.
const MOST_ANSWERS: usize = 6;

/// What sensing one square shows on several boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The square.
    pub square: Square,
    /// By board, the number of its answer: boards that look alike have the same.
    pub answer: Vec<usize>,
    /// The number of different answers.
    pub answers: usize,
}

impl Window {
    /// What sensing `square` shows.
    pub fn of<'b>(square: Square, boards: impl Iterator<Item = &'b Board>) -> Window {
        let mut numbers: FxHashMap<Sensed, usize> = FxHashMap::default();
        let answer = boards.map(|board| {
            let next = numbers.len();
            *numbers.entry(Sensed::of(board, Some(square))).or_insert(next)
        });
        let answer: Vec<usize> = answer.collect();
        Window { square, answer, answers: numbers.len() }
    }

    /// The windows of all squares that show nine.
    pub fn all<'b>(boards: impl Iterator<Item = &'b Board> + Clone) -> Vec<Window> {
        inner_squares().map(|square| Window::of(square, boards.clone())).collect()
    }

    /// Whether the answer of the other window follows from that of this one.
    #[must_use]
    pub fn tells(&self, other: &Window) -> bool {
        let mut follows = vec![None; self.answers];
        let mut pairs = self.answer.iter().zip(&other.answer);
        pairs.all(|(&answer, &theirs)| *follows[answer].get_or_insert(theirs) == theirs)
    }

    /// The sum of `weights` by answer.
    #[must_use]
    pub fn sums(&self, weights: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.answers];
        self.answer.iter().zip(weights).for_each(|(&answer, weight)| sums[answer] += weight);
        sums
    }

    /// The likeliest answers as rows of pieces, and the others as one, by boards whose weights sum to one.
    pub fn likeliest<'b>(
        &self,
        weights: &[f64],
        boards: impl Iterator<Item = &'b Board> + Clone,
    ) -> Vec<LikelyAnswer> {
        let chances = self.sums(weights);
        let mut order: Vec<usize> = (0..self.answers).collect();
        order.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]));
        let (likely, others) = order.split_at(MOST_ANSWERS.min(order.len()));
        let shown = |&number: &usize| {
            let place = self.answer.iter().position(|&answer| answer == number)?;
            let board = boards.clone().nth(place)?;
            let text = Sensed::of(board, Some(self.square)).rows();
            Some(LikelyAnswer { text, probability: chances[number] })
        };
        let rest = (!others.is_empty()).then(|| LikelyAnswer {
            text: format!("{} others", others.len()),
            probability: others.iter().map(|&number| chances[number]).sum(),
        });
        likely.iter().filter_map(shown).chain(rest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards(placements: &[&str]) -> Vec<Board> {
        placements.iter().map(|placement| format!("{placement} w - - 0 1").parse().unwrap()).collect()
    }

    /// Of three boards two look alike from d7.
    #[test]
    fn answers_by_hand() {
        let boards = boards(&["3k4/3p4/8/8/8/8/8/K7", "3k4/8/3p4/8/8/8/8/K7", "3k4/3p4/8/8/8/8/7p/K7"]);
        let window = Window::of(Square::D7, boards.iter());
        let answers = window.likeliest(&[0.25, 0.4, 0.35], boards.iter());
        let found: Vec<(&str, f64)> = answers.iter().map(|each| (&each.text[..], each.probability)).collect();
        assert_eq!(found, [(".k./.p./...", 0.6), (".k./.../.p.", 0.4)]);
    }

    /// A queen on each of eight squares that e5 shows: six answers, and the two least likely as one.
    #[test]
    fn answers_past_the_bound_count_as_one() {
        let ranks = ["3q4", "4q3", "5q2"];
        let place = |rank: usize, queen: &str| {
            let mut rows = ["8"; 8];
            (rows[0], rows[7], rows[2 + rank]) = ("k7", "K7", queen);
            rows.join("/")
        };
        let placements: Vec<String> = (0..9).map(|i| place(i / 3, ranks[i % 3])).take(8).collect();
        let boards = boards(&placements.iter().map(String::as_str).collect::<Vec<_>>());
        let weights: Vec<f64> = (1..=8).map(|weight| f64::from(weight) / 36.0).collect();
        let answers = Window::of(Square::E5, boards.iter()).likeliest(&weights, boards.iter());
        assert_eq!(answers.len(), MOST_ANSWERS + 1);
        assert_eq!((&answers[0].text[..], &answers[6].text[..]), (".../.../.q.", "2 others"));
        assert!((answers[0].probability - 8.0 / 36.0).abs() < 1e-12);
        assert!((answers[6].probability - 3.0 / 36.0).abs() < 1e-12);
        let total: f64 = answers.iter().map(|answer| answer.probability).sum();
        assert!((total - 1.0).abs() < 1e-12, "{total}");
    }
}
