//! Solving a tree by regret: CFR and its children.
//!
//! Every infoset keeps how much each action would have gained so far (its regrets) and plays in proportion to
//! what is positive of them. *Alternating means alternating*: the side that was just traversed gets its new
//! strategy at once, before the other side's traversal. Refreshed later, each side would learn against a
//! stale one, and the last iterate would not converge.

use std::borrow::Borrow;
use std::time::Instant;

use scuro_core::Player;

pub use crate::regret::Method;
use crate::regret::{Update, match_regrets, mean};
use crate::strategy::Strategy;
use crate::tree::{Inner, Start, Tree};

/// Which side is updated after a traversal.
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

/// A tree, owned or borrowed, with the regrets and strategies of both players.
#[derive(Clone, Debug)]
pub struct Solver<T> {
    pub(crate) tree: T,
    method: Method,
    updates: Updates,
    /// Where traversals start.
    pub(crate) starts: Vec<Start>,
    /// By player the weight of each class in a traversal.
    pub(crate) entries: [Vec<f64>; 2],
    /// By player the value of each class to it in its last traversal.
    pub(crate) worth: [Vec<f64>; 2],
    /// Whether actions that the other side never plays are skipped.
    pub pruning: bool,
    /// Whether the average is kept.
    pub(crate) averaging: bool,
    /// The time at which a traversal is given up.
    pub(crate) deadline: Option<Instant>,
    /// The infosets of each player, in the order of the tree.
    own: [Vec<u32>; 2],
    /// The infoset of the action before each infoset; its own number if there is none.
    parents: Vec<u32>,
    /// The infoset of each slot.
    owners: Vec<u32>,
    /// By infoset the entry of the gains that gets its value.
    origins: Vec<u32>,
    /// Infosets that keep the strategy they have.
    pub(crate) frozen: Vec<bool>,
    /// By infoset the reach of everybody else, in the present traversal.
    others: Vec<f64>,
    /// The value of each action at the last visit of its infoset, given that everybody else comes there.
    pub(crate) qualities: Vec<f64>,
    /// The iteration in which each infoset was last visited.
    met: Vec<u64>,
    /// The reach of each infoset by its player's own actions.
    reaches: Vec<f64>,
    pub(crate) regrets: Vec<f64>,
    pub(crate) predictions: Vec<f64>,
    pub(crate) strategy: Strategy,
    /// The sum that becomes the average.
    sums: Vec<f64>,
    /// What each action brought in the present traversal, weighted by everybody else. The first entries, one per class,
    /// stand for what comes before a player's first action; those of the slots follow.
    gains: Vec<f64>,
    /// Inner nodes that a traversal has still to visit.
    waiting: Vec<Visit>,
    iterations: u64,
    visits: u64,
}

/// The number of inner nodes after which a traversal looks at the time.
const BETWEEN_LOOKS: u32 = 1 << 12;

/// An inner node to visit, with the weight of the others there and the player's last own action, as an entry of the
/// gains. It is looked up when it is noted, together with its siblings: alone, later, each would be waited for.
#[derive(Clone, Copy, Debug)]
struct Visit {
    inner: Inner,
    last: u32,
    reach: f64,
}

impl<T: Borrow<Tree>> Solver<T> {
    /// Returns a solver that has not done any iteration: all actions are equally likely.
    #[must_use]
    pub fn new(tree: T, method: Method, updates: Updates) -> Solver<T> {
        let start = Start { node: tree.borrow().root(), class: 0, weight: 1.0 };
        Solver::of_subgame(tree, method, updates, vec![start], 1)
    }

    /// Returns the same for a subgame with so many classes. Infosets of the tree before which nobody acted belong to
    /// class 0 for now.
    pub(crate) fn of_subgame(
        tree: T,
        method: Method,
        updates: Updates,
        starts: Vec<Start>,
        classes: usize,
    ) -> Solver<T> {
        let strategy = Strategy::uniform(tree.borrow());
        let mut solver = Solver {
            tree,
            method,
            updates,
            starts,
            entries: [vec![1.0; classes], vec![1.0; classes]],
            worth: [vec![0.0; classes], vec![0.0; classes]],
            pruning: true,
            averaging: true,
            deadline: None,
            own: [Vec::new(), Vec::new()],
            parents: Vec::new(),
            owners: Vec::new(),
            origins: Vec::new(),
            frozen: Vec::new(),
            others: Vec::new(),
            qualities: Vec::new(),
            met: Vec::new(),
            reaches: Vec::new(),
            regrets: Vec::new(),
            predictions: Vec::new(),
            strategy,
            sums: Vec::new(),
            gains: vec![0.0; classes],
            waiting: Vec::new(),
            iterations: 0,
            visits: 0,
        };
        solver.follow_tree(|_| 0);
        solver
    }

    /// Makes room for infosets that the tree has gained. `class` tells that of an infoset before which its player
    /// has not acted.
    pub(crate) fn follow_tree(&mut self, class: impl Fn(usize) -> u32) {
        let tree = self.tree.borrow();
        let classes = self.entries[0].len() as u32;
        for (id, infoset) in tree.infosets().iter().enumerate().skip(self.parents.len()) {
            self.own[infoset.player.index()].push(id as u32);
            self.owners.extend(infoset.slots().map(|_| id as u32));
            self.parents.push(infoset.before.map_or(id as u32, |slot| self.owners[slot as usize]));
            self.origins.push(infoset.before.map_or_else(|| class(id), |slot| classes + slot));
        }
        let (infosets, slots) = (tree.infosets().len(), tree.slots());
        self.met.resize(infosets, 0);
        self.frozen.resize(infosets, false);
        self.reaches.resize(infosets, 1.0);
        self.others.resize(infosets, 0.0);
        for table in [&mut self.regrets, &mut self.predictions, &mut self.sums, &mut self.qualities] {
            table.resize(slots, 0.0);
        }
        self.strategy.0.resize(slots, 0.0);
        self.gains.resize(classes as usize + slots, 0.0);
    }

    /// Returns the number of iterations done.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Returns the number of nodes visited.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Returns the memory that the tables take beside the tree, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tables = [
            &self.reaches,
            &self.others,
            &self.regrets,
            &self.predictions,
            &self.strategy.0,
            &self.sums,
            &self.gains,
            &self.qualities,
        ];
        let lists = [&self.own[0], &self.own[1], &self.parents, &self.owners, &self.origins];
        tables.iter().map(|table| size_of_val(&table[..])).sum::<usize>()
            + lists.iter().map(|list| size_of_val(&list[..])).sum::<usize>()
            + size_of_val(&self.met[..])
            + size_of_val(&self.frozen[..])
    }

    /// Returns the strategies as they are now.
    #[must_use]
    pub fn last(&self) -> &Strategy {
        &self.strategy
    }

    /// Returns the average of all strategies so far, in the method's weights.
    #[must_use]
    pub fn average(&self) -> Strategy {
        let mut average = Strategy::uniform(self.tree.borrow());
        for infoset in self.tree.borrow().infosets() {
            let sum: f64 = self.sums[infoset.slots()].iter().sum();
            if sum > 0.0 {
                infoset.slots().for_each(|slot| average.0[slot] = self.sums[slot] / sum);
            }
        }
        average
    }

    /// Does one iteration: a traversal for each side.
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

    /// Begins the next iteration; each side's part of it is [`Solver::side`].
    pub(crate) fn begin(&mut self) {
        self.iterations += 1;
    }

    /// Does a traversal for one side, which gets its new strategy at once. Returns false, and changes nothing, if there
    /// was no time for it.
    pub(crate) fn side(&mut self, player: Player) -> bool {
        let done = self.traverse(player);
        if done {
            self.learn(player);
            self.refresh(player);
        } else {
            self.waiting.clear();
            self.gains.fill(0.0);
            self.others.fill(0.0);
        }
        done
    }

    /// Adds the payoffs of all ends, weighted by all but `player`, to its last own action before them. Ends are visited
    /// in the loop of their parent; a node that is not one adds a payoff of zero there. False if the time ran out.
    fn traverse(&mut self, player: Player) -> bool {
        let (tree, pruning, classes) = (self.tree.borrow(), self.pruning, self.entries[0].len());
        let (gains, met, waiting) = (&mut self.gains[..], &mut self.met[..], &mut self.waiting);
        let (strategy, others) = (&self.strategy.0[..], &mut self.others[..]);
        let mut visits = self.starts.len() as u64;
        let sign = if player == Player::One { 1.0 } else { -1.0 };
        for start in &self.starts {
            let reach = sign * start.weight * self.entries[player.index()][start.class as usize];
            gains[start.class as usize] += reach * tree.payoffs[start.node.index()];
            if let Some(id) = tree.links[start.node.index()].inner().filter(|_| reach != 0.0 || !pruning) {
                waiting.push(Visit { inner: *tree.inner(id), last: start.class, reach });
            }
        }
        let mut inners = 0u32;
        while let Some(Visit { inner, last, reach }) = waiting.pop() {
            inners = inners.wrapping_add(1);
            if inners.is_multiple_of(BETWEEN_LOOKS)
                && self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            {
                return false;
            }
            let Inner { first_child, first_weight, infoset, children, player: chooser, open } = inner;
            let (first, first_weight, count) =
                (first_child as usize, first_weight as usize, usize::from(children));
            let payoffs = &tree.payoffs[first..first + count];
            let links = &tree.links[first..first + count];
            if chooser == Some(player) {
                met[infoset.index()] = self.iterations;
                others[infoset.index()] += reach;
                let entry = classes + first_weight;
                for (gain, payoff) in gains[entry..entry + count].iter_mut().zip(payoffs) {
                    *gain += reach * payoff;
                }
                visits += u64::from(children);
                if !open {
                    continue;
                }
                for (last, link) in (entry as u32..).zip(links) {
                    if let Some(id) = link.inner() {
                        waiting.push(Visit { inner: *tree.inner(id), last, reach });
                    }
                }
            } else {
                let table = if chooser.is_some() { strategy } else { tree.chances(0) };
                let weights = &table[first_weight..first_weight + count];
                let mut sum = 0.0;
                for ((payoff, link), weight) in payoffs.iter().zip(links).zip(weights) {
                    if pruning && *weight <= 0.0 {
                        continue;
                    }
                    visits += 1;
                    sum += weight * payoff;
                    if let Some(id) = link.inner().filter(|_| open) {
                        waiting.push(Visit { inner: *tree.inner(id), last, reach: reach * weight });
                    }
                }
                gains[last as usize] += reach * sum;
            }
        }
        self.visits += visits;
        self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    /// Whether another update would leave an infoset as it is: it was not visited this time or the two times before, so
    /// its regrets do not change, its prediction is gone, and a late refresh has seen that.
    fn rests(&self, infoset: usize) -> bool {
        self.method != Method::Discounted && self.met[infoset] + 2 < self.iterations
    }

    /// Updates the regrets and the average of `player` with the gains just collected.
    fn learn(&mut self, player: Player) {
        let weight = self.method.average_weight(self.iterations);
        let update = Update::new(self.method, self.iterations);
        let infosets = self.tree.borrow().infosets();
        let averaged = if self.averaging { &self.own[player.index()][..] } else { &[] };
        for id in averaged.iter().map(|&id| id as usize) {
            let infoset = &infosets[id];
            // The infoset before it stands before it in the list: its reach is this iteration's already.
            if let Some(before) = infoset.before {
                self.reaches[id] = self.reaches[self.parents[id] as usize] * self.strategy.0[before as usize];
            }
            let weight = weight * self.reaches[id];
            if weight > 0.0 {
                let slots = infoset.slots();
                for (sum, probability) in self.sums[slots.clone()].iter_mut().zip(&self.strategy.0[slots]) {
                    *sum += weight * probability;
                }
            }
        }
        for id in self.own[player.index()].iter().rev().map(|&id| id as usize) {
            if self.rests(id) {
                continue;
            }
            let infoset = &infosets[id];
            let slots = infoset.slots();
            let strategy = &self.strategy.0[slots.clone()];
            let (before, gains) = self.gains.split_at_mut(self.entries[0].len() + infoset.first as usize);
            let gains = &mut gains[..strategy.len()];
            let value = mean(gains, strategy);
            before[self.origins[id] as usize] += value;
            let others = std::mem::take(&mut self.others[id]).abs();
            if others > 0.0 {
                let qualities = &mut self.qualities[slots.clone()];
                qualities.iter_mut().zip(&*gains).for_each(|(quality, gain)| *quality = gain / others);
            }
            update.learn(gains, value, &mut self.regrets[slots.clone()], &mut self.predictions[slots]);
            gains.fill(0.0);
        }
        let classes = self.entries[0].len();
        self.worth[player.index()].copy_from_slice(&self.gains[..classes]);
        self.gains[..classes].fill(0.0);
    }

    /// Sets the strategy of `player` by its regrets and predictions.
    fn refresh(&mut self, player: Player) {
        for id in self.own[player.index()].iter().map(|&id| id as usize) {
            if self.rests(id) || self.frozen[id] {
                continue;
            }
            let infoset = &self.tree.borrow().infosets()[id];
            let slots = infoset.slots();
            let strategy = &mut self.strategy.0[slots.clone()];
            let (regrets, predictions) = (&self.regrets[slots.clone()], &self.predictions[slots]);
            if !match_regrets(regrets, predictions, strategy) && self.method != Method::PredictiveCfrPlus {
                // Without a positive regret CFR plays anything; the predictive method keeps what it has.
                strategy.fill(1.0 / f64::from(infoset.actions));
            }
        }
    }
}
