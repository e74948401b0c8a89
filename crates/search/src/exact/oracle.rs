//! An equilibrium of a matrix found from below: by ever larger games in which each side knows only a few of its actions.
//!
//! Both start with one action an infoset. The equilibrium of that small game is found by linear programs; then each
//! side looks for its best answer among *all* its actions, which takes one walk over the matrix, and learns what it
//! lacked. When neither side finds a better answer the equilibrium is one of the whole. Nearly all infosets of a trunk
//! are played purely, and an infoset with one action is no choice (see [`fold`](super::fold)), so the programs stay
//! tiny however large the trunk is. What was played in a trunk before it grew is where the next one starts.
//!
//! Measured against the programs of the same folded matrices, in one game of Fog of War on a busy core (rows x columns
//! of the trunk, folded, program, this): 13432 x 10732, 288 x 239, 52 ms, 1.7 ms; 4742 x 2560, 155 x 336, 80 ms,
//! 9.8 ms; 8214 x 3388, 256 x 181, 61 ms, 34 ms; 16997 x 8261, 379 x 235, 7.2 ms, 0.12 ms. On matrices of a few dozen
//! rows both take about a millisecond, and now and then this is the slower. The values were equal up to 1e-16.

use std::time::{Duration, Instant};

use super::fold::Fold;
use super::matrix::{Choice, LinearError, Matrix, Plans};

/// An answer that is better by less than this is no better.
const SLIGHT: f64 = 1e-10;

/// What one side knows of its actions.
struct Known {
    choices: Vec<Choice>,
    /// By sequence.
    known: Vec<bool>,
}

impl Known {
    /// What is played in `hint`, if anything is.
    fn new(choices: &[Choice], sequences: usize, hint: Option<&[f64]>) -> Known {
        let mut known = vec![false; sequences];
        if let Some(hint) = hint {
            known.iter_mut().zip(hint).for_each(|(known, &played)| *known = played > 0.0);
        }
        known[0] = true;
        Known { choices: choices.to_vec(), known }
    }

    /// Learns the best answer, of which `worth` tells by sequence how good it is (less is better), and at least one
    /// action wherever there is none. Whether that was anything that helps.
    fn learn(&mut self, worth: &[f64]) -> bool {
        let mut learnt = false;
        let mut reached = vec![false; self.known.len()];
        reached[0] = true;
        for choice in &self.choices {
            if !self.known[choice.before] {
                continue;
            }
            let least = |known: &dyn Fn(usize) -> bool| {
                let open = choice.sequences().filter(|&sequence| known(sequence));
                open.min_by(|&one, &two| worth[one].total_cmp(&worth[two]))
            };
            let Some(best) = least(&|_| true) else { continue };
            let so_far = least(&|sequence| self.known[sequence]);
            let better = so_far.is_none_or(|so_far| worth[best] < worth[so_far] - SLIGHT);
            if reached[choice.before] && better || so_far.is_none() {
                self.known[best] = true;
                learnt = true;
            }
            if reached[choice.before] {
                reached[if better { best } else { so_far.unwrap_or(best) }] = true;
            }
        }
        learnt
    }

    /// The infosets that are met with what is known, the new number of every sequence, and how many there are.
    fn part(&self) -> (Vec<Choice>, Vec<Option<usize>>, usize) {
        let mut numbers = vec![None; self.known.len()];
        numbers[0] = Some(0);
        let (mut choices, mut next) = (Vec::new(), 1);
        for choice in &self.choices {
            let Some(before) = numbers[choice.before] else { continue };
            let first = next;
            for sequence in choice.sequences().filter(|&sequence| self.known[sequence]) {
                numbers[sequence] = Some(next);
                next += 1;
            }
            choices.push(Choice { first, actions: next - first, before });
        }
        (choices, numbers, next)
    }
}

/// The game in which both know only part of their actions, and its equilibrium in the numbers of the whole.
fn part(
    whole: &Matrix,
    mine: &Known,
    theirs: &Known,
    time: Option<Duration>,
) -> Result<Option<Plans>, LinearError> {
    let (my_choices, row_numbers, rows) = mine.part();
    let (their_choices, column_numbers, columns) = theirs.part();
    let mut part =
        Matrix { rows, mine: my_choices, theirs: their_choices, columns: vec![Vec::new(); columns] };
    for (entries, number) in whole.columns.iter().zip(&column_numbers) {
        if let Some(number) = *number {
            let kept = entries.iter().filter_map(|&(row, entry)| row_numbers[row].map(|row| (row, entry)));
            part.columns[number] = kept.collect();
        }
    }
    let fold = Fold::new(&part);
    let Some(small) = fold.small.equilibrium(time)? else { return Ok(None) };
    let plans = fold.unfold(&small);
    let spread = |numbers: &[Option<usize>], plan: &[f64]| {
        numbers.iter().map(|number| number.map_or(0.0, |number| plan[number])).collect()
    };
    Ok(Some(Plans {
        value: plans.value,
        rows: spread(&row_numbers, &plans.rows),
        columns: spread(&column_numbers, &plans.columns),
    }))
}

/// An equilibrium of the whole, unless it takes longer than `time`: then nothing. `hint` is what both sides played in a
/// game like this one.
///
/// # Errors
/// If a linear program cannot be solved.
pub fn equilibrium(
    whole: &Matrix,
    hint: Option<[&[f64]; 2]>,
    time: Option<Duration>,
) -> Result<Option<Plans>, LinearError> {
    let until = time.map(|time| Instant::now() + time);
    let turned = whole.turned();
    let mut mine = Known::new(&whole.mine, whole.rows, hint.map(|hint| hint[0]));
    let mut theirs = Known::new(&whole.theirs, whole.columns.len(), hint.map(|hint| hint[1]));
    let even = |known: &Known| {
        let mut plan = vec![0.0; known.known.len()];
        plan[0] = 1.0;
        for choice in &known.choices {
            choice.sequences().for_each(|s| plan[s] = plan[choice.before] / choice.actions as f64);
        }
        plan
    };
    let (mut my_plan, mut their_plan) = match hint {
        Some([mine, theirs]) => (mine.to_vec(), theirs.to_vec()),
        None => (even(&mine), even(&theirs)),
    };
    let mut plans: Option<Plans> = None;
    loop {
        let learnt_by_me = mine.learn(&turned.worst_cases(&their_plan));
        let learnt_by_them = theirs.learn(&whole.worst_cases(&my_plan));
        if let (Some(plans), false, false) = (&plans, learnt_by_me, learnt_by_them) {
            return Ok(Some(plans.clone()));
        }
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(None);
        }
        let Some(next) = part(whole, &mine, &theirs, left)? else { return Ok(None) };
        (my_plan, their_plan) = (next.rows.clone(), next.columns.clone());
        plans = Some(next);
    }
}
