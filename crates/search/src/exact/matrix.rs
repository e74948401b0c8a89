//! A game as a bare matrix of sequences, and an equilibrium of it for both players.
//!
//! A row is an action of mine together with all of mine before it, a column the same of theirs; row 0 and column 0
//! stand for having done nothing yet. An entry is the payoff to me of the ends that the two lead to, weighted by
//! chance. Unlike [`SequenceForm`](super::sequence_form::SequenceForm) the matrix knows no tree: a trunk that grows
//! between two equilibria writes it anew, gadget included, and needs to know what *both* sides play.
//!
//! A linear program finds my plan, and another one theirs. Both are given [`fold`](super::fold)ed matrices.

use std::time::{Duration, Instant};

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOptions, Variable};
use thiserror::Error;

use crate::response::back_up;

/// The linear program could not be solved.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the linear program was not solved: {0}")]
pub struct LinearError(String);

impl LinearError {
    pub(super) fn new(reason: String) -> LinearError {
        LinearError(reason)
    }
}

/// An infoset of either side: its sequences, side by side, and the one that leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its first sequence.
    pub first: usize,
    /// The number of its sequences.
    pub actions: usize,
    /// The sequence before it.
    pub before: usize,
}

impl Choice {
    /// Its sequences.
    #[must_use]
    pub fn sequences(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.actions
    }
}

/// The matrix. Infosets stand behind those that come before them in a play.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// The number of rows.
    pub rows: usize,
    /// My infosets.
    pub mine: Vec<Choice>,
    /// Theirs.
    pub theirs: Vec<Choice>,
    /// By column the entries that are not zero: row and payoff, in the order of rows, each row once.
    pub columns: Vec<Vec<(usize, f64)>>,
}

/// The plans of both sides, and their value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plans {
    /// The value of the game to me.
    pub value: f64,
    /// The probability of each row under my plan.
    pub rows: Vec<f64>,
    /// The probability of each column under theirs.
    pub columns: Vec<f64>,
}

/// Lets them answer best: `worth` has by column what the ends right behind it are worth to me, and gets what is behind
/// it in all.
pub(super) fn answer(theirs: &[Choice], worth: &mut [f64]) {
    let choices = theirs.iter().rev().map(|choice| (choice.sequences(), choice.before));
    back_up(choices, worth, f64::INFINITY, f64::min);
}

/// A probability below this is rounding.
const NEVER: f64 = 1e-9;

impl Matrix {
    /// Returns the same matrix seen from the other side.
    #[must_use]
    pub fn turned(&self) -> Matrix {
        let mut columns = vec![Vec::new(); self.rows];
        for (column, entries) in self.columns.iter().enumerate() {
            entries.iter().for_each(|&(row, entry)| columns[row].push((column, -entry)));
        }
        let (mine, theirs) = (self.theirs.clone(), self.mine.clone());
        Matrix { rows: self.columns.len(), mine, theirs, columns }
    }

    /// Returns the value of each column to me if I follow `plan` and they answer best from there on.
    #[must_use]
    pub fn worst_cases(&self, plan: &[f64]) -> Vec<f64> {
        let sum = |column: &Vec<(usize, f64)>| column.iter().map(|&(row, entry)| plan[row] * entry).sum();
        let mut worth: Vec<f64> = self.columns.iter().map(sum).collect();
        answer(&self.theirs, &mut worth);
        worth
    }

    /// Returns the value of the plans against each other.
    #[must_use]
    pub fn value(&self, rows: &[f64], columns: &[f64]) -> f64 {
        let sum =
            |column: &Vec<(usize, f64)>| column.iter().map(|&(row, entry)| rows[row] * entry).sum::<f64>();
        self.columns.iter().zip(columns).filter(|(_, played)| **played > 0.0).map(|(c, p)| p * sum(c)).sum()
    }

    /// Returns an equilibrium, or `None` if finding it takes longer than `time`.
    ///
    /// # Errors
    /// If a linear program cannot be solved.
    pub fn equilibrium(&self, time: Option<Duration>) -> Result<Option<Plans>, LinearError> {
        let until = time.map(|time| Instant::now() + time);
        let left = || until.map(|until| until.saturating_duration_since(Instant::now()));
        let Some((value, rows)) = self.best_plan(left())? else { return Ok(None) };
        let theirs = self.turned().best_plan(left())?;
        Ok(theirs.map(|(_, columns)| Plans { value, rows, columns }))
    }

    /// Returns my best worst case, and a plan that has it.
    fn best_plan(&self, time: Option<Duration>) -> Result<Option<(f64, Vec<f64>)>, LinearError> {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let plan = self.add_plan(&mut problem);
        let held = self.add_answers(&mut problem, &plan);
        let mut options = SolveOptions::default();
        options.time_limit = time;
        let usual = options.clone();
        options.tolerances.feasibility = 1e-10;
        let failed = |error: microlp::Error| LinearError::new(error.to_string());
        let outcome = problem.solve_with(options).or_else(|_| problem.solve_with(usual));
        let Ok(solution) = outcome.map_err(failed)?.into_solution() else { return Ok(None) };
        let value = solution.var_value(held);
        let played = |variable: &Option<Variable>| variable.map_or(1.0, |it| solution.var_value(it));
        Ok(Some((value, self.cleaned(plan.iter().map(played).collect()))))
    }

    /// A variable for every row, except that the first is certain.
    fn add_plan(&self, problem: &mut Problem) -> Vec<Option<Variable>> {
        let mut plan = vec![None; self.rows];
        for choice in &self.mine {
            let mut terms = Vec::with_capacity(choice.actions + 1);
            for row in choice.sequences() {
                let variable = problem.add_var(0.0, (0.0, 1.0));
                plan[row] = Some(variable);
                terms.push((variable, 1.0));
            }
            let before: Option<Variable> = plan[choice.before];
            terms.extend(before.map(|before| (before, -1.0)));
            let total = if before.is_some() { 0.0 } else { 1.0 };
            problem.add_constraint(&terms[..], ComparisonOp::Eq, total);
        }
        plan
    }

    /// Every column holds me to the ends behind it and to what their next infosets hold me to. The one before all
    /// others is the goal.
    fn add_answers(&self, problem: &mut Problem, plan: &[Option<Variable>]) -> Variable {
        let free = (f64::NEG_INFINITY, f64::INFINITY);
        let goal = problem.add_var(1.0, free);
        let mut holder = vec![goal; self.columns.len()];
        let mut next: Vec<Vec<Variable>> = vec![Vec::new(); self.columns.len()];
        for choice in &self.theirs {
            let held = problem.add_var(0.0, free);
            next[choice.before].push(held);
            holder[choice.sequences()].fill(held);
        }
        for ((entries, held), next) in self.columns.iter().zip(holder).zip(next) {
            let mut terms = vec![(held, 1.0)];
            terms.extend(next.iter().map(|&next| (next, -1.0)));
            let mut constant = 0.0;
            for &(row, entry) in entries {
                match plan[row] {
                    Some(variable) => terms.push((variable, -entry)),
                    None => constant += entry,
                }
            }
            problem.add_constraint(&terms[..], ComparisonOp::Le, constant);
        }
        goal
    }

    /// The plan without what is there by rounding.
    fn cleaned(&self, raw: Vec<f64>) -> Vec<f64> {
        let mut plan = vec![0.0; raw.len()];
        plan[0] = 1.0;
        for choice in &self.mine {
            let kept =
                |row: usize| if raw[row] < NEVER * raw[choice.before].max(NEVER) { 0.0 } else { raw[row] };
            let total: f64 = choice.sequences().map(kept).sum();
            if plan[choice.before] > 0.0 && total > 0.0 {
                choice.sequences().for_each(|row| plan[row] = plan[choice.before] * kept(row) / total);
            } else if plan[choice.before] > 0.0 {
                plan[choice.first] = plan[choice.before];
            }
        }
        plan
    }
}
