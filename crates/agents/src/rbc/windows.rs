//! What the windows of senses would show on boards that may be.

use rustc_hash::FxHashMap;
use scuro_games::chess::{Board, Square};
use scuro_games::rbc::{Sensed, inner_squares};

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
}
