//! Solving a tree by regret: CFR and its children.
//!
//! Every infoset keeps how much each action would have gained so far (its regrets) and plays in proportion to
//! what is positive of them. *Alternating means alternating*: the side that was just traversed gets its new
//! strategy at once, before the other side's traversal. Refreshed later, each side would learn against a
//! stale one, and the last iterate would not converge.

use scuro_core::Player;

use crate::strategy::Strategy;
use crate::tree::{Event, Infoset, NodeId, Tree};

/// How regrets are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Regrets as they are, plain average.
    Cfr,
    /// Regrets never below zero, the average weighted by the iteration.
    CfrPlus,
    /// CFR+ that expects the last regret once more; the average weighted by the square of the iteration.
    PredictiveCfrPlus,
    /// Old regrets fade: positive ones as t^1.5, negative ones by half, the average as t^2.
    Discounted,
}

/// Who is updated after a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Updates {
    /// The side traversed, before the other side's traversal.
    Alternating,
    /// Both sides after both traversals.
    Simultaneous,
    /// The side traversed, but its new strategy is used only from its own next traversal on. This looks like
    /// alternating and is not: the last iterate does not converge. Kept to show that.
    Late,
}

/// A tree with the regrets and strategies of both players.
#[derive(Clone, Debug)]
pub struct Solver<'t> {
    tree: &'t Tree,
    method: Method,
    updates: Updates,
    /// Whether what the other side never plays is skipped.
    pub pruning: bool,
    regrets: Vec<f64>,
    predictions: Vec<f64>,
    strategy: Strategy,
    /// The sum that becomes the average.
    sums: Vec<f64>,
    /// What each action brought in the present traversal, weighted by the others.
    values: Vec<f64>,
    /// How the player herself comes to each action.
    reaches: Vec<f64>,
    iterations: u64,
    visits: u64,
}

impl<'t> Solver<'t> {
    /// A solver that has not seen anything: all actions are equally likely.
    #[must_use]
    pub fn new(tree: &'t Tree, method: Method, updates: Updates) -> Solver<'t> {
        let zeros = || vec![0.0; tree.places()];
        Solver {
            tree,
            method,
            updates,
            pruning: true,
            regrets: zeros(),
            predictions: zeros(),
            strategy: Strategy::uniform(tree),
            sums: zeros(),
            values: zeros(),
            reaches: zeros(),
            iterations: 0,
            visits: 0,
        }
    }

    /// How many iterations were done.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// How many nodes were visited.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// How much memory the tables take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Solver { regrets, predictions, strategy, sums, values, reaches, .. } = self;
        [regrets, predictions, &strategy.0, sums, values, reaches]
            .map(|table| size_of_val(&table[..]))
            .iter()
            .sum()
    }

    /// The strategies as they are now.
    #[must_use]
    pub fn last(&self) -> &Strategy {
        &self.strategy
    }

    /// The average of all strategies so far, in the method's weights.
    #[must_use]
    pub fn average(&self) -> Strategy {
        let mut average = Strategy::uniform(self.tree);
        for infoset in self.tree.infosets() {
            let sum: f64 = self.sums[infoset.places()].iter().sum();
            if sum > 0.0 {
                infoset.places().for_each(|place| average.0[place] = self.sums[place] / sum);
            }
        }
        average
    }

    /// One iteration: a traversal for each side.
    pub fn iterate(&mut self) {
        self.iterations += 1;
        for player in Player::BOTH {
            if self.updates == Updates::Late {
                self.refresh(player);
            }
            self.traverse(self.tree.root(), player, 1.0);
            if self.updates != Updates::Simultaneous {
                self.update(player);
            }
            if self.updates == Updates::Alternating {
                self.refresh(player);
            }
        }
        if self.updates == Updates::Simultaneous {
            for player in Player::BOTH {
                self.update(player);
                self.refresh(player);
            }
        }
    }

    /// What `node` is worth to `player`, who is reached there with weight `reach` of the others; on the way the
    /// values of her actions are collected.
    fn traverse(&mut self, node: NodeId, player: Player, reach: f64) -> f64 {
        self.visits += 1;
        let tree = self.tree;
        match tree.event(node) {
            Event::End(payoff) => {
                if player == Player::One {
                    payoff
                } else {
                    -payoff
                }
            }
            Event::Chance(place) => tree
                .children(node)
                .zip(tree.chances(place))
                .map(|(child, chance)| chance * self.traverse(child, player, reach * chance))
                .sum(),
            Event::Choice(id) => {
                let infoset = tree.infoset(id);
                let mine = infoset.player == player;
                let mut value = 0.0;
                for (child, place) in tree.children(node).zip(infoset.places()) {
                    let probability = self.strategy.0[place];
                    if mine {
                        let gain = self.traverse(child, player, reach);
                        self.values[place] += reach * gain;
                        value += probability * gain;
                    } else if probability > 0.0 || !self.pruning {
                        value += probability * self.traverse(child, player, reach * probability);
                    }
                }
                value
            }
        }
    }

    /// New regrets and a larger average for `player`, from the values just collected.
    fn update(&mut self, player: Player) {
        let time = self.iterations as f64;
        let weight = match self.method {
            Method::Cfr => 1.0,
            Method::CfrPlus => time,
            Method::PredictiveCfrPlus | Method::Discounted => time * time,
        };
        let tree = self.tree;
        for infoset in tree.infosets().iter().filter(|infoset| infoset.player == player) {
            // The infoset before it stands before it in the list: its reaches are this iteration's already.
            let reach = infoset.before.map_or(1.0, |place| self.reaches[place as usize]);
            for place in infoset.places() {
                self.reaches[place] = reach * self.strategy.0[place];
                self.sums[place] += weight * self.reaches[place];
            }
            self.learn(infoset, time);
            self.values[infoset.places()].fill(0.0);
        }
    }

    /// The method itself, at one infoset.
    fn learn(&mut self, infoset: &Infoset, time: f64) {
        let places = infoset.places();
        let value: f64 = places.clone().map(|place| self.strategy.0[place] * self.values[place]).sum();
        for place in places {
            let regret = self.values[place] - value;
            let sum = self.regrets[place] + regret;
            self.regrets[place] = match self.method {
                Method::Cfr => sum,
                Method::CfrPlus | Method::PredictiveCfrPlus => sum.max(0.0),
                Method::Discounted if sum > 0.0 => sum * time.powf(1.5) / (time.powf(1.5) + 1.0),
                Method::Discounted => sum / 2.0,
            };
            self.predictions[place] = if self.method == Method::PredictiveCfrPlus { regret } else { 0.0 };
        }
    }

    /// The strategy of `player` that her regrets, and the last one once more, call for.
    fn refresh(&mut self, player: Player) {
        for infoset in self.tree.infosets().iter().filter(|infoset| infoset.player == player) {
            let places = infoset.places();
            let expected = |place: usize| (self.regrets[place] + self.predictions[place]).max(0.0);
            let total: f64 = places.clone().map(expected).sum();
            if total > 0.0 {
                for place in places {
                    self.strategy.0[place] = (self.regrets[place] + self.predictions[place]).max(0.0) / total;
                }
            } else if self.method != Method::PredictiveCfrPlus {
                // Without a positive regret CFR plays anything; the predictive method keeps what it has.
                self.strategy.0[places].fill(1.0 / f64::from(infoset.actions));
            }
        }
    }
}
