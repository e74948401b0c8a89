//! Solving a tree by regret: CFR and its children.
//!
//! Every infoset keeps how much each action would have gained so far (its regrets) and plays in proportion to
//! what is positive of them. *Alternating means alternating*: the side that was just traversed gets its new
//! strategy at once, before the other side's traversal. Refreshed later, each side would learn against a
//! stale one, and the last iterate would not converge.

use scuro_core::Player;

use crate::strategy::Strategy;
use crate::tree::{END, Inner, Tree};

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
    /// The infosets of each player, in the order of the tree.
    own: [Vec<u32>; 2],
    /// The infoset of the action before each infoset; its own number if there is none.
    parents: Vec<u32>,
    /// The iteration in which an infoset was last come to.
    met: Vec<u64>,
    /// How a player herself comes to each infoset.
    reaches: Vec<f64>,
    regrets: Vec<f64>,
    predictions: Vec<f64>,
    strategy: Strategy,
    /// The sum that becomes the average.
    sums: Vec<f64>,
    /// What each action brought in the present traversal, weighted by the others; entry 0 stands for what comes
    /// before a player's first action, and all others are one behind their place.
    gains: Vec<f64>,
    /// Inner nodes that a traversal has still to visit.
    waiting: Vec<Visit>,
    iterations: u64,
    visits: u64,
}

/// An inner node to visit, with the weight of the others there and the player's last own action, as an entry of the
/// gains.
#[derive(Clone, Copy, Debug)]
struct Visit {
    inner: u32,
    last: u32,
    reach: f64,
}

impl<'t> Solver<'t> {
    /// A solver that has not seen anything: all actions are equally likely.
    #[must_use]
    pub fn new(tree: &'t Tree, method: Method, updates: Updates) -> Solver<'t> {
        let zeros = || vec![0.0; tree.places()];
        let infosets = tree.infosets();
        let mut own = [Vec::new(), Vec::new()];
        let mut owners = vec![0; tree.places()];
        let mut parents = Vec::with_capacity(infosets.len());
        for (id, infoset) in (0..).zip(infosets) {
            own[infoset.player.index()].push(id);
            owners[infoset.places()].fill(id);
            parents.push(infoset.before.map_or(id, |place| owners[place as usize]));
        }
        Solver {
            tree,
            method,
            updates,
            pruning: true,
            own,
            parents,
            met: vec![0; infosets.len()],
            reaches: vec![1.0; infosets.len()],
            regrets: zeros(),
            predictions: zeros(),
            strategy: Strategy::uniform(tree),
            sums: zeros(),
            gains: vec![0.0; tree.places() + 1],
            waiting: Vec::new(),
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

    /// How much memory the tables take beside the tree, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tables =
            [&self.reaches, &self.regrets, &self.predictions, &self.strategy.0, &self.sums, &self.gains];
        let lists = [&self.own[0], &self.own[1], &self.parents];
        tables.iter().map(|table| size_of_val(&table[..])).sum::<usize>()
            + lists.iter().map(|list| size_of_val(&list[..])).sum::<usize>()
            + size_of_val(&self.met[..])
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
            self.traverse(player);
            if self.updates != Updates::Simultaneous {
                self.learn(player);
            }
            if self.updates == Updates::Alternating {
                self.refresh(player);
            }
        }
        if self.updates == Updates::Simultaneous {
            for player in Player::BOTH {
                self.learn(player);
                self.refresh(player);
            }
        }
    }

    /// Adds the payoffs of all ends, weighted by all but `player`, to her last action before them. Ends are visited
    /// in the loop of their parent; a node that is not one adds a payoff of zero there.
    fn traverse(&mut self, player: Player) {
        let (tree, pruning) = (self.tree, self.pruning);
        let (gains, met, waiting) = (&mut self.gains[..], &mut self.met[..], &mut self.waiting);
        let strategy = &self.strategy.0[..];
        let mut visits = 1;
        if !tree.inners.is_empty() {
            let reach = if player == Player::One { 1.0 } else { -1.0 };
            waiting.push(Visit { inner: 0, last: 0, reach });
        }
        while let Some(Visit { inner, last, reach }) = waiting.pop() {
            let Inner { first_child, place, infoset, children, player: chooser } =
                tree.inners[inner as usize];
            let (first, place, count) = (first_child as usize, place as usize, usize::from(children));
            let payoffs = &tree.payoffs[first..first + count];
            let links = &tree.links[first..first + count];
            if chooser == Some(player) {
                met[infoset.index()] = self.iterations;
                for (gain, payoff) in gains[place + 1..place + 1 + count].iter_mut().zip(payoffs) {
                    *gain += reach * payoff;
                }
                for (last, &inner) in (place as u32 + 1..).zip(links) {
                    if inner != END {
                        waiting.push(Visit { inner, last, reach });
                    }
                }
                visits += u64::from(children);
            } else {
                let table = if chooser.is_some() { strategy } else { tree.chances(0) };
                let weights = &table[place..place + count];
                let mut sum = 0.0;
                for ((payoff, &inner), weight) in payoffs.iter().zip(links).zip(weights) {
                    if pruning && *weight <= 0.0 {
                        continue;
                    }
                    visits += 1;
                    sum += weight * payoff;
                    if inner != END {
                        waiting.push(Visit { inner, last, reach: reach * weight });
                    }
                }
                gains[last as usize] += reach * sum;
            }
        }
        self.visits += visits;
    }

    /// Whether an infoset is as another update would leave it: nobody came there this time or the two times before,
    /// so that its regrets do not change, its prediction is gone, and a late refresh has seen that.
    fn rests(&self, infoset: usize) -> bool {
        self.method != Method::Discounted && self.met[infoset] + 2 < self.iterations
    }

    /// New regrets and a larger average for `player`, from the gains just collected.
    fn learn(&mut self, player: Player) {
        let time = self.iterations as f64;
        let weight = match self.method {
            Method::Cfr => 1.0,
            Method::CfrPlus => time,
            Method::PredictiveCfrPlus | Method::Discounted => time * time,
        };
        let fading = time.powf(1.5) / (time.powf(1.5) + 1.0);
        let infosets = self.tree.infosets();
        for id in self.own[player.index()].iter().map(|&id| id as usize) {
            let infoset = &infosets[id];
            // The infoset before it stands before it in the list: its reach is this iteration's already.
            if let Some(before) = infoset.before {
                self.reaches[id] = self.reaches[self.parents[id] as usize] * self.strategy.0[before as usize];
            }
            let weight = weight * self.reaches[id];
            if weight > 0.0 {
                let places = infoset.places();
                for (sum, probability) in self.sums[places.clone()].iter_mut().zip(&self.strategy.0[places]) {
                    *sum += weight * probability;
                }
            }
        }
        for id in self.own[player.index()].iter().rev().map(|&id| id as usize) {
            if self.rests(id) {
                continue;
            }
            let infoset = &infosets[id];
            let places = infoset.places();
            let strategy = &self.strategy.0[places.clone()];
            let (before, gains) = self.gains.split_at_mut(infoset.first as usize + 1);
            let gains = &mut gains[..strategy.len()];
            let value: f64 = gains.iter().zip(strategy).map(|(gain, probability)| gain * probability).sum();
            before[infoset.before.map_or(0, |place| place as usize + 1)] += value;
            let learnt = self.regrets[places.clone()].iter_mut().zip(&mut self.predictions[places]);
            for ((total, prediction), gain) in learnt.zip(gains) {
                let regret = *gain - value;
                let sum = *total + regret;
                *total = match self.method {
                    Method::Cfr => sum,
                    Method::CfrPlus | Method::PredictiveCfrPlus => sum.max(0.0),
                    Method::Discounted if sum > 0.0 => sum * fading,
                    Method::Discounted => sum / 2.0,
                };
                *prediction = if self.method == Method::PredictiveCfrPlus { regret } else { 0.0 };
                *gain = 0.0;
            }
        }
        self.gains[0] = 0.0;
    }

    /// The strategy of `player` that her regrets, and the last one once more, call for.
    fn refresh(&mut self, player: Player) {
        for id in self.own[player.index()].iter().map(|&id| id as usize) {
            if self.rests(id) {
                continue;
            }
            let infoset = &self.tree.infosets()[id];
            let places = infoset.places();
            let strategy = &mut self.strategy.0[places.clone()];
            let known = || self.regrets[places.clone()].iter().zip(&self.predictions[places.clone()]);
            let expected = || known().map(|(regret, prediction)| (regret + prediction).max(0.0));
            let total: f64 = expected().sum();
            if total > 0.0 {
                strategy
                    .iter_mut()
                    .zip(expected())
                    .for_each(|(probability, part)| *probability = part / total);
            } else if self.method != Method::PredictiveCfrPlus {
                // Without a positive regret CFR plays anything; the predictive method keeps what it has.
                strategy.fill(1.0 / f64::from(infoset.actions));
            }
        }
    }
}
