//! A game, or a part of one, as a matrix, and the linear program that plays it best.
//!
//! A row is an action of mine, a column an action of theirs; row 0 stands for before my first action and the
//! first columns, the *classes*, for before theirs. An entry is the payoff to me of the ends that the two
//! actions lead to, weighted by all that is not chosen here. A whole game has one class. A gadget has one for
//! every infoset of theirs that the subgame starts in, and the worst of them counts.
//!
//! The variables of the program are my realisation plan (how likely I make all my actions up to and including
//! one) and what each infoset of theirs holds me to.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOptions, Variable};
use rustc_hash::FxHashMap;
use scuro_core::{Player, Random};

use super::matrix::{Choice, LinearError, answer};
use crate::strategy::Strategy;
use crate::tree::{Event, InfosetId, NodeId, Tree};

/// Which of several best plans is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieBreak {
    /// The corner at which the simplex method stops.
    Vertex,
    /// The one with the largest sum of margins, each in proportion to how likely I come to its class.
    Margins,
    /// One that is best for random weights of my actions.
    Random(u64),
}

/// The way they come into the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// They choose the class that is worst for me.
    Maxmargin,
    /// Each class is as likely as the others, and they may stay out: then the class is worth 0.
    Resolve,
}

/// The matrix. See the module's text.
#[derive(Clone, Debug)]
pub struct SequenceForm<'t> {
    tree: &'t Tree,
    me: Player,
    /// My infosets, each behind those before it.
    mine: Vec<InfosetId>,
    theirs: Vec<Choice>,
    numbers: FxHashMap<InfosetId, usize>,
    /// The weight of each class where classes are added up.
    weights: Vec<f64>,
    /// By column the entries, by row.
    columns: Vec<FxHashMap<usize, f64>>,
}

/// A best plan, and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The value to me: of the worst class, or by what they cannot stay out of.
    pub value: f64,
    /// The probability of each of my actions, as slots of the tree.
    pub actions: Vec<(usize, f64)>,
}

impl Plan {
    /// Writes the probabilities into `strategy`.
    pub fn write(&self, strategy: &mut Strategy) {
        for &(slot, probability) in &self.actions {
            strategy.0[slot] = probability;
        }
    }
}

impl<'t> SequenceForm<'t> {
    /// A matrix without ends, of classes that count as much as `weights` says.
    #[must_use]
    pub fn new(tree: &'t Tree, me: Player, weights: Vec<f64>) -> SequenceForm<'t> {
        let columns = vec![FxHashMap::default(); weights.len()];
        let (mine, theirs, numbers) = (Vec::new(), Vec::new(), FxHashMap::default());
        SequenceForm { tree, me, mine, theirs, numbers, weights, columns }
    }

    /// The whole game.
    #[must_use]
    pub fn whole(tree: &'t Tree, me: Player) -> SequenceForm<'t> {
        let mut form = SequenceForm::new(tree, me, vec![1.0]);
        form.add(tree.root(), 0, 1.0, None);
        form
    }

    /// Adds what is below `node` to a class, weighted. With a `frozen` strategy I follow that there; else I
    /// choose.
    pub fn add(&mut self, node: NodeId, class: usize, weight: f64, frozen: Option<&Strategy>) {
        self.walk(node, weight, [0, class], frozen);
    }

    fn walk(&mut self, node: NodeId, weight: f64, last: [usize; 2], frozen: Option<&Strategy>) {
        let tree = self.tree;
        match tree.event(node) {
            Event::End(value) | Event::Leaf(value) => {
                let value = if self.me == Player::One { value } else { -value };
                *self.columns[last[1]].entry(last[0]).or_default() += weight * value;
            }
            Event::Chance(first) => {
                for (child, chance) in tree.children(node).zip(tree.chances(first)) {
                    self.walk(child, weight * chance, last, frozen);
                }
            }
            Event::Choice(id) if tree.infoset(id).player != self.me => {
                let first = self.theirs(id, last[1]);
                for (i, child) in tree.children(node).enumerate() {
                    self.walk(child, weight, [last[0], first + i], frozen);
                }
            }
            Event::Choice(id) => {
                if frozen.is_none() {
                    self.numbers.entry(id).or_insert_with(|| {
                        self.mine.push(id);
                        0
                    });
                }
                for (child, slot) in tree.children(node).zip(tree.infoset(id).slots()) {
                    match frozen {
                        None => self.walk(child, weight, [slot + 1, last[1]], frozen),
                        Some(strategy) if strategy.0[slot] > 0.0 => {
                            self.walk(child, weight * strategy.0[slot], last, frozen);
                        }
                        Some(_) => {}
                    }
                }
            }
        }
    }

    /// The first column of an infoset of theirs, which gets its columns when it is first met.
    fn theirs(&mut self, id: InfosetId, before: usize) -> usize {
        let next = self.theirs.len();
        let number = *self.numbers.entry(id).or_insert(next);
        if number == next {
            let (first, actions) = (self.columns.len(), self.tree.infoset(id).actions as usize);
            self.theirs.push(Choice { first, actions, before });
            self.columns.resize_with(first + actions, FxHashMap::default);
        }
        self.theirs[number].first
    }

    /// Raises what a class is worth to me.
    pub fn raise(&mut self, class: usize, by: f64) {
        *self.columns[class].entry(0).or_default() += by;
    }

    /// My infosets in it, each behind those before it.
    #[must_use]
    pub fn mine(&self) -> &[InfosetId] {
        &self.mine
    }

    /// The column of an action of theirs, if their infoset is in it.
    #[must_use]
    pub fn column(&self, id: InfosetId, action: usize) -> Option<usize> {
        self.numbers.get(&id).map(|&number| self.theirs[number].first + action)
    }

    /// The entry of an action of mine (a slot; `None`: before my first) and a column.
    #[must_use]
    pub fn entry(&self, mine: Option<usize>, column: usize) -> f64 {
        self.columns[column].get(&mine.map_or(0, |slot| slot + 1)).copied().unwrap_or_default()
    }

    /// Returns the value of each column to me if I follow `strategy` and they answer best; the classes come first.
    #[must_use]
    pub fn worst_cases(&self, strategy: &Strategy) -> Vec<f64> {
        let mut plan: FxHashMap<usize, f64> = FxHashMap::from_iter([(0, 1.0)]);
        for &id in &self.mine {
            let infoset = self.tree.infoset(id);
            let before = infoset.before.and_then(|slot| plan.get(&(slot as usize + 1)).copied());
            for slot in infoset.slots() {
                plan.insert(slot + 1, before.unwrap_or(1.0) * strategy.0[slot]);
            }
        }
        let mut worth: Vec<f64> = self
            .columns
            .iter()
            .map(|column| {
                let mut entries: Vec<(usize, f64)> = column.iter().map(|(&row, &e)| (row, e)).collect();
                entries.sort_unstable_by_key(|&(row, _)| row);
                entries.iter().map(|(row, entry)| plan[row] * entry).sum()
            })
            .collect();
        answer(&self.theirs, &mut worth);
        worth
    }

    /// A best plan, in which I play every action at least as often as `least` says of its slot.
    ///
    /// # Errors
    /// If the linear program cannot be solved, as when the bounds of an infoset sum to more than one.
    pub fn solve(
        &self,
        entry: Entry,
        least: impl Fn(usize) -> f64,
        tie_break: TieBreak,
    ) -> Result<Plan, LinearError> {
        let program = Program::new(self, entry, &least, None);
        let (value, plan) = program.solve(entry)?;
        if tie_break == TieBreak::Vertex {
            return Ok(Plan { value, actions: plan });
        }
        let program = Program::new(self, entry, &least, Some((value - TIE, tie_break)));
        // Rounding may leave nothing within the tie: then the first plan stands.
        let plan = program.solve(entry).map_or(plan, |(_, plan)| plan);
        Ok(Plan { value, actions: plan })
    }
}

/// The difference from the best up to which a plan counts as equally good.
const TIE: f64 = 1e-9;

/// A probability below this is rounding.
const NEVER: f64 = 1e-9;

/// The linear program of a matrix.
struct Program<'f, 't> {
    form: &'f SequenceForm<'t>,
    problem: Problem,
    /// By slot.
    plan: FxHashMap<usize, Variable>,
    /// The value that each class is held to.
    classes: Vec<Variable>,
    /// The worst class, or for every class what it is worth if they may stay out.
    goals: Vec<Variable>,
}

impl<'f, 't> Program<'f, 't> {
    /// With `beyond`, only plans worth at least so much are allowed, and the tie-break decides between them.
    fn new(
        form: &'f SequenceForm<'t>,
        entry: Entry,
        least: &impl Fn(usize) -> f64,
        beyond: Option<(f64, TieBreak)>,
    ) -> Program<'f, 't> {
        let problem = Problem::new(OptimizationDirection::Maximize);
        let mut program =
            Program { form, problem, plan: FxHashMap::default(), classes: Vec::new(), goals: Vec::new() };
        let tie_break = beyond.map(|(_, tie_break)| tie_break);
        program.add_plan(least, tie_break);
        program.add_classes(tie_break);
        program.add_goals(entry, beyond.map(|(least, _)| least));
        program.add_answers();
        program
    }

    fn free(&mut self, gain: f64) -> Variable {
        self.problem.add_var(gain, (f64::NEG_INFINITY, f64::INFINITY))
    }

    /// The variables of the realisation plan, and what makes them one.
    fn add_plan(&mut self, least: &impl Fn(usize) -> f64, tie_break: Option<TieBreak>) {
        let mut random = match tie_break {
            Some(TieBreak::Random(seed)) => Some(Random::new(seed)),
            _ => None,
        };
        for &id in &self.form.mine {
            let infoset = self.form.tree.infoset(id);
            let before = infoset.before.and_then(|slot| self.plan.get(&(slot as usize)).copied());
            let mut sum = Vec::new();
            for slot in infoset.slots() {
                let gain = random.as_mut().map_or(0.0, |random| random.unit() - 0.5);
                let variable = self.problem.add_var(gain, (0.0, 1.0));
                self.plan.insert(slot, variable);
                sum.push((variable, 1.0));
                let bound = least(slot);
                match before {
                    _ if bound <= 0.0 => {}
                    Some(before) => {
                        let terms = [(variable, 1.0), (before, -bound)];
                        self.problem.add_constraint(&terms[..], ComparisonOp::Ge, 0.0);
                    }
                    None => self.problem.add_constraint(&[(variable, 1.0)][..], ComparisonOp::Ge, bound),
                }
            }
            sum.extend(before.map(|before| (before, -1.0)));
            let total = if before.is_some() { 0.0 } else { 1.0 };
            self.problem.add_constraint(&sum[..], ComparisonOp::Eq, total);
        }
    }

    fn add_classes(&mut self, tie_break: Option<TieBreak>) {
        for &weight in &self.form.weights {
            let gain = if tie_break == Some(TieBreak::Margins) { weight } else { 0.0 };
            let class = self.free(gain);
            self.classes.push(class);
        }
    }

    fn add_goals(&mut self, entry: Entry, beyond: Option<f64>) {
        let count = self.classes.len() as f64;
        let goal = if beyond.is_some() { 0.0 } else { 1.0 };
        match entry {
            Entry::Maxmargin => {
                let worst = self.free(goal);
                for &class in &self.classes {
                    self.problem.add_constraint(&[(worst, 1.0), (class, -1.0)][..], ComparisonOp::Le, 0.0);
                }
                self.goals = vec![worst];
            }
            Entry::Resolve => {
                for class in self.classes.clone() {
                    let held = self.problem.add_var(goal / count, (f64::NEG_INFINITY, 0.0));
                    self.problem.add_constraint(&[(held, 1.0), (class, -1.0)][..], ComparisonOp::Le, 0.0);
                    self.goals.push(held);
                }
            }
        }
        if let Some(least) = beyond {
            let share = 1.0 / self.goals.len() as f64;
            let terms: Vec<(Variable, f64)> = self.goals.iter().map(|&goal| (goal, share)).collect();
            self.problem.add_constraint(&terms[..], ComparisonOp::Ge, least);
        }
    }

    /// Every action of theirs holds me to the ends behind it and to what their next infosets hold me to.
    fn add_answers(&mut self) {
        let form = self.form;
        let mut held_by: Vec<Option<Variable>> = self.classes.iter().copied().map(Some).collect();
        held_by.resize(form.columns.len(), None);
        let mut next: Vec<Vec<Variable>> = vec![Vec::new(); form.columns.len()];
        for theirs in &form.theirs {
            let held = self.free(0.0);
            next[theirs.before].push(held);
            held_by[theirs.sequences()].fill(Some(held));
        }
        for ((column, held), next) in form.columns.iter().zip(held_by).zip(next) {
            let Some(held) = held else { continue };
            let mut terms = vec![(held, 1.0)];
            terms.extend(next.iter().map(|&next| (next, -1.0)));
            let row = |row: usize| row.checked_sub(1).map(|slot| self.plan[&slot]);
            terms.extend(column.iter().filter_map(|(&r, &entry)| row(r).map(|variable| (variable, -entry))));
            terms.sort_by_key(|(variable, _)| variable.idx());
            let constant = column.get(&0).copied().unwrap_or_default();
            self.problem.add_constraint(&terms[..], ComparisonOp::Le, constant);
        }
    }

    /// The value, and the probability of each of my actions.
    fn solve(&self, entry: Entry) -> Result<(f64, Vec<(usize, f64)>), LinearError> {
        let mut options = SolveOptions::default();
        options.tolerances.feasibility = 1e-10;
        let failed = |error: microlp::Error| LinearError::new(error.to_string());
        let outcome = self.problem.solve_with(options).or_else(|_| self.problem.solve()).map_err(failed)?;
        let solution = outcome.into_solution().map_err(|_| LinearError::new("interrupted".to_owned()))?;
        let goals = self.goals.iter().map(|&goal| solution.var_value(goal));
        let value = match entry {
            Entry::Maxmargin => goals.sum(),
            Entry::Resolve => goals.sum::<f64>() / self.goals.len() as f64,
        };
        let mut actions = Vec::new();
        for &id in &self.form.mine {
            let slots = self.form.tree.infoset(id).slots();
            let realised = |slot: usize| solution.var_value(self.plan[&slot]).max(0.0);
            let sum: f64 = slots.clone().map(realised).sum();
            let count = slots.len() as f64;
            let kept = |slot: usize| {
                let share = if sum > NEVER { realised(slot) / sum } else { 1.0 / count };
                if share < NEVER { 0.0 } else { share }
            };
            let total: f64 = slots.clone().map(kept).sum();
            actions.extend(slots.map(|slot| (slot, kept(slot) / total)));
        }
        Ok((value, actions))
    }
}
