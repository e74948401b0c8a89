//! Making a matrix small before its linear program is solved, without changing what the game is worth.
//!
//! Three steps, for either side, until none of them finds anything:
//! - of two last actions of an infoset the one that is never better is dropped, whatever the other side does;
//! - an infoset with one action left is no choice: what is behind the action moves to the sequence before;
//! - so what only one sequence of the other side leads to, as where both see everything, is worked out backwards.
//!
//! A plan for the small matrix is one for the whole: what was dropped is not played, and what was no choice is done.

use super::matrix::{Choice, Matrix, Plans};

/// Infosets with more actions than this are not searched for actions that are never better: that takes a comparison
/// of every two, and pays where actions are moves, not where they are classes of a gadget.
const MANY: usize = 100;

/// The most passes over both sides.
const PASSES: usize = 6;

/// What is left of one side's infosets.
#[derive(Clone, Debug)]
struct Side {
    /// By infoset the sequence before it, as it is now.
    before: Vec<usize>,
    /// By infoset the sequences that are left.
    left: Vec<Vec<usize>>,
    /// Whether the infoset is no choice any more.
    gone: Vec<bool>,
}

impl Side {
    fn new(choices: &[Choice]) -> Side {
        Side {
            before: choices.iter().map(|choice| choice.before).collect(),
            left: choices.iter().map(|choice| choice.sequences().collect()).collect(),
            gone: vec![false; choices.len()],
        }
    }

    /// One pass over the infosets, the last first, of the side that wants small entries. Whether it found anything.
    fn pass(&mut self, columns: &mut [Vec<(usize, f64)>]) -> bool {
        let mut behind: Vec<Vec<usize>> = vec![Vec::new(); columns.len()];
        for (infoset, &before) in self.before.iter().enumerate().filter(|(i, _)| !self.gone[*i]) {
            behind[before].push(infoset);
        }
        let mut found = false;
        for infoset in (0..self.left.len()).rev() {
            if self.gone[infoset] {
                continue;
            }
            found |= self.drop_never_better(infoset, columns, &behind);
            if let [only] = self.left[infoset][..] {
                found = true;
                self.gone[infoset] = true;
                let before = self.before[infoset];
                let entries = std::mem::take(&mut columns[only]);
                columns[before] = sum(&columns[before], &entries);
                behind[before].retain(|&other| other != infoset);
                for next in std::mem::take(&mut behind[only]) {
                    self.before[next] = before;
                    behind[before].push(next);
                }
            }
        }
        found
    }

    fn drop_never_better(
        &mut self,
        infoset: usize,
        columns: &mut [Vec<(usize, f64)>],
        behind: &[Vec<usize>],
    ) -> bool {
        let left = &mut self.left[infoset];
        if left.len() > MANY {
            return false;
        }
        let before = left.len();
        let mut kept: Vec<usize> = Vec::with_capacity(before);
        for &sequence in left.iter() {
            if !behind[sequence].is_empty() {
                kept.push(sequence);
                continue;
            }
            let last = |other: usize| behind[other].is_empty();
            if kept.iter().any(|&other| last(other) && never_more(&columns[other], &columns[sequence])) {
                columns[sequence].clear();
                continue;
            }
            kept.retain(|&other| {
                let worse = last(other) && never_more(&columns[sequence], &columns[other]);
                if worse {
                    columns[other].clear();
                }
                !worse
            });
            kept.push(sequence);
        }
        kept.sort_unstable();
        *left = kept;
        left.len() < before
    }

    /// The infosets and the number of sequences that are left, and for every old sequence its new number.
    fn compact(&self, sequences: usize) -> (Vec<Choice>, usize, Vec<Option<usize>>) {
        let mut numbers = vec![None; sequences];
        numbers[0] = Some(0);
        let (mut choices, mut next) = (Vec::new(), 1);
        for (infoset, left) in self.left.iter().enumerate().filter(|(i, _)| !self.gone[*i]) {
            // A sequence that was dropped has nothing behind it, so the one before is left.
            let Some(before) = numbers[self.before[infoset]] else { continue };
            choices.push(Choice { first: next, actions: left.len(), before });
            for &sequence in left {
                numbers[sequence] = Some(next);
                next += 1;
            }
        }
        (choices, next, numbers)
    }

    /// The plan of the whole that a plan of the small matrix stands for.
    fn whole(&self, choices: &[Choice], numbers: &[Option<usize>], small: &[f64]) -> Vec<f64> {
        let mut plan = vec![0.0; numbers.len()];
        plan[0] = 1.0;
        for (infoset, choice) in choices.iter().enumerate() {
            for &sequence in &self.left[infoset] {
                plan[sequence] = match numbers[sequence] {
                    Some(number) if !self.gone[infoset] => small[number],
                    _ => plan[choice.before],
                };
            }
        }
        plan
    }
}

/// A matrix made small.
#[derive(Clone, Debug)]
pub struct Fold<'m> {
    whole: &'m Matrix,
    mine: Side,
    theirs: Side,
    rows: Vec<Option<usize>>,
    columns: Vec<Option<usize>>,
    /// What is left.
    pub small: Matrix,
}

impl<'m> Fold<'m> {
    /// Makes `whole` small.
    #[must_use]
    pub fn new(whole: &'m Matrix) -> Fold<'m> {
        let (mut mine, mut theirs) = (Side::new(&whole.mine), Side::new(&whole.theirs));
        let mut columns = whole.columns.clone();
        for _ in 0..PASSES {
            let by_them = theirs.pass(&mut columns);
            let mut rows = turned(&columns, whole.rows);
            let by_me = mine.pass(&mut rows);
            columns = turned(&rows, columns.len());
            if !by_them && !by_me {
                break;
            }
        }
        let (my_choices, row_count, row_numbers) = mine.compact(whole.rows);
        let (their_choices, column_count, column_numbers) = theirs.compact(columns.len());
        let mut small = Matrix {
            rows: row_count,
            mine: my_choices,
            theirs: their_choices,
            columns: vec![Vec::new(); column_count],
        };
        for (entries, number) in columns.iter().zip(&column_numbers) {
            if let Some(number) = *number {
                let numbered =
                    entries.iter().filter_map(|&(row, entry)| row_numbers[row].map(|row| (row, entry)));
                small.columns[number] = numbered.collect();
                small.columns[number].sort_unstable_by_key(|&(row, _)| row);
            }
        }
        Fold { whole, mine, theirs, rows: row_numbers, columns: column_numbers, small }
    }

    /// What is left of plans of the whole matrix, as far as they go.
    #[must_use]
    pub fn folded(&self, [rows, columns]: [&[f64]; 2]) -> [Vec<f64>; 2] {
        let kept = |numbers: &[Option<usize>], count: usize, plan: &[f64]| {
            let mut small = vec![0.0; count];
            for (number, &played) in numbers.iter().zip(plan) {
                number.iter().for_each(|&number| small[number] = played);
            }
            small
        };
        let Matrix { rows: row_count, columns: small_columns, .. } = &self.small;
        [kept(&self.rows, *row_count, rows), kept(&self.columns, small_columns.len(), columns)]
    }

    /// The plans of the whole matrix that plans of the small one stand for.
    #[must_use]
    pub fn unfold(&self, small: &Plans) -> Plans {
        Plans {
            value: small.value,
            rows: self.mine.whole(&self.whole.mine, &self.rows, &small.rows),
            columns: self.theirs.whole(&self.whole.theirs, &self.columns, &small.columns),
        }
    }
}

/// Columns as rows, with the other sign.
fn turned(columns: &[Vec<(usize, f64)>], rows: usize) -> Vec<Vec<(usize, f64)>> {
    let mut turned = vec![Vec::new(); rows];
    for (column, entries) in columns.iter().enumerate() {
        entries.iter().for_each(|&(row, entry)| turned[row].push((column, -entry)));
    }
    turned
}

/// Both columns added.
fn sum(one: &[(usize, f64)], another: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let mut out = Vec::with_capacity(one.len() + another.len());
    each_row(one, another, |row, a, b| {
        out.push((row, a + b));
        true
    });
    out
}

/// Whether no entry of the one is more than that of the other.
fn never_more(one: &[(usize, f64)], another: &[(usize, f64)]) -> bool {
    each_row(one, another, |_, a, b| a <= b)
}

/// Calls `visit` with every row that either has, in order, until it says no.
fn each_row(
    one: &[(usize, f64)],
    another: &[(usize, f64)],
    mut visit: impl FnMut(usize, f64, f64) -> bool,
) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < one.len() || j < another.len() {
        let row = |list: &[(usize, f64)], k: usize| list.get(k).map_or(usize::MAX, |entry| entry.0);
        let next = row(one, i).min(row(another, j));
        let take = |list: &[(usize, f64)], k: &mut usize| {
            let here = row(list, *k) == next;
            let entry = if here { list[*k].1 } else { 0.0 };
            *k += usize::from(here);
            entry
        };
        let (a, b) = (take(one, &mut i), take(another, &mut j));
        if !visit(next, a, b) {
            return false;
        }
    }
    true
}
