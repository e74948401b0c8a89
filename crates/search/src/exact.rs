//! Exact solutions of small games, by linear programming in sequence form.
//!
//! The variables are the maximiser's realisation plan (how likely she herself makes all her actions up to and
//! including one) and, for every infoset of the minimiser, what he can hold her to from there. An action of
//! his holds her to the payoffs of the ends behind it and to what his next infosets hold her to.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use rustc_hash::FxHashMap;
use scuro_core::Player;
use thiserror::Error;

use crate::strategy::Strategy;
use crate::tree::{Event, NodeId, Tree};

/// The linear program could not be solved.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the linear program was not solved: {0}")]
pub struct LinearError(String);

/// An equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// What the game is worth to player one.
    pub value: f64,
    /// What both players do.
    pub strategy: Strategy,
}

/// An equilibrium of the game.
///
/// # Errors
/// If the linear program cannot be solved.
pub fn equilibrium(tree: &Tree) -> Result<Equilibrium, LinearError> {
    let free = vec![0.0; tree.places()];
    let (value, mut strategy) = best_plan(tree, Player::One, &free)?;
    let (_, other) = best_plan(tree, Player::Two, &free)?;
    for infoset in tree.infosets().iter().filter(|infoset| infoset.player == Player::Two) {
        strategy.0[infoset.places()].copy_from_slice(&other.0[infoset.places()]);
    }
    Ok(Equilibrium { value, strategy })
}

/// The best worst case of `player`, and a strategy that has it, if she plays every action at least as often as
/// `bounds` says (one entry a place; 0 is no bound). The other player's part of the strategy is uniform.
///
/// # Errors
/// If the linear program cannot be solved, as when the bounds of an infoset sum to more than one.
pub fn best_plan(tree: &Tree, player: Player, bounds: &[f64]) -> Result<(f64, Strategy), LinearError> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let plan: Vec<Option<Variable>> = plan_variables(tree, player, bounds, &mut problem);
    let goal = problem.add_var(1.0, (f64::NEG_INFINITY, f64::INFINITY));
    let held: Vec<Option<Variable>> = tree
        .infosets()
        .iter()
        .map(|infoset| {
            let theirs = infoset.player != player;
            theirs.then(|| problem.add_var(0.0, (f64::NEG_INFINITY, f64::INFINITY)))
        })
        .collect();
    // For each of their actions, and for before their first (place 0): payoffs by the player's last action.
    let mut payoffs: Vec<FxHashMap<usize, f64>> = vec![FxHashMap::default(); tree.places() + 1];
    collect(tree, tree.root(), player, 1.0, [0, 0], &mut payoffs);
    let mut next: Vec<Vec<Variable>> = vec![Vec::new(); tree.places() + 1];
    for (infoset, variable) in tree.infosets().iter().zip(&held) {
        let before = infoset.before.map_or(0, |place| place as usize + 1);
        next[before].extend(variable);
    }
    let mut hold = |variable: Variable, place: usize| {
        let mut terms = vec![(variable, 1.0)];
        terms.extend(next[place].iter().map(|&held| (held, -1.0)));
        let mut constant = 0.0;
        for (&own, &payoff) in &payoffs[place] {
            match own.checked_sub(1).and_then(|own| plan[own]) {
                Some(variable) => terms.push((variable, -payoff)),
                None => constant += payoff,
            }
        }
        terms.sort_by_key(|(variable, _)| variable.idx());
        problem.add_constraint(&terms[..], ComparisonOp::Le, constant);
    };
    hold(goal, 0);
    for (infoset, variable) in tree.infosets().iter().zip(&held) {
        if let Some(variable) = variable {
            infoset.places().for_each(|place| hold(*variable, place + 1));
        }
    }
    let solution = problem.solve().map_err(|error| LinearError(error.to_string()))?;
    let solution = solution.into_solution().map_err(|_| LinearError("interrupted".to_owned()))?;
    let value = solution.var_value(goal);
    let realised: Vec<f64> = plan.iter().map(|v| v.map_or(0.0, |v| solution.var_value(v).max(0.0))).collect();
    let value = if player == Player::One { value } else { -value };
    Ok((value, behaviour(tree, player, &realised)))
}

/// The variables of a realisation plan, and what makes them one.
fn plan_variables(
    tree: &Tree,
    player: Player,
    bounds: &[f64],
    problem: &mut Problem,
) -> Vec<Option<Variable>> {
    let mut plan: Vec<Option<Variable>> = vec![None; tree.places()];
    for infoset in tree.infosets().iter().filter(|infoset| infoset.player == player) {
        let before = infoset.before.and_then(|place| plan[place as usize]);
        let mut terms = Vec::new();
        for place in infoset.places() {
            let variable = problem.add_var(0.0, (0.0, 1.0));
            plan[place] = Some(variable);
            terms.push((variable, 1.0));
            match before {
                _ if bounds[place] <= 0.0 => {}
                Some(before) => {
                    let least = [(variable, 1.0), (before, -bounds[place])];
                    problem.add_constraint(&least[..], ComparisonOp::Ge, 0.0);
                }
                None => problem.add_constraint(&[(variable, 1.0)][..], ComparisonOp::Ge, bounds[place]),
            }
        }
        match before {
            Some(before) => {
                terms.push((before, -1.0));
                problem.add_constraint(&terms[..], ComparisonOp::Eq, 0.0);
            }
            None => problem.add_constraint(&terms[..], ComparisonOp::Eq, 1.0),
        }
    }
    plan
}

/// Adds the payoff of every end to `player`, weighted by chance, to the pair of last own actions before it:
/// `last` is hers and the other's, as places from 1, 0 for none.
fn collect(
    tree: &Tree,
    node: NodeId,
    player: Player,
    chance: f64,
    last: [usize; 2],
    payoffs: &mut [FxHashMap<usize, f64>],
) {
    match tree.event(node) {
        Event::End(payoff) => {
            let payoff = if player == Player::One { payoff } else { -payoff };
            *payoffs[last[1]].entry(last[0]).or_default() += chance * payoff;
        }
        Event::Chance(place) => {
            for (child, probability) in tree.children(node).zip(tree.chances(place)) {
                collect(tree, child, player, chance * probability, last, payoffs);
            }
        }
        Event::Choice(id) => {
            let infoset = tree.infoset(id);
            for (child, place) in tree.children(node).zip(infoset.places()) {
                let mut last = last;
                last[usize::from(infoset.player != player)] = place + 1;
                collect(tree, child, player, chance, last, payoffs);
            }
        }
    }
}

/// The strategy of a realisation plan: where the player does not come by it, uniform.
fn behaviour(tree: &Tree, player: Player, realised: &[f64]) -> Strategy {
    let mut strategy = Strategy::uniform(tree);
    for infoset in tree.infosets().iter().filter(|infoset| infoset.player == player) {
        let sum: f64 = realised[infoset.places()].iter().sum();
        if sum > 1e-12 {
            infoset.places().for_each(|place| strategy.0[place] = realised[place] / sum);
        }
    }
    strategy
}
