//! Policies made from the fully observable game: the mixture policy of Sulyok and Karacs ("Towards using fully observable
//! policies for POMDPs", 2022), and the greedy one that it is compared with.
//!
//! The *fully observable game* has the same states, and nothing is hidden in it. Its moves are the actions that change the
//! state; where none does (a player only looks) all actions are alike. Its values are found by minimax. The *belief* of a
//! player at an infoset weighs every history by how likely an opponent that sees everything plays it: a best move, any of
//! them equally often, and with probability [`SLIP`] any action at all, so that no history is impossible.

use rustc_hash::FxHashMap;
use scuro_core::{Game, Player};

use crate::strategy::Strategy;
use crate::tree::{Event, InfosetId, NodeId, Tree};

/// How often the opponent is supposed to play any action, uniformly, in place of a best move.
pub const SLIP: f64 = 0.01;

/// Values and weights that differ by less, relative to the weight of the infoset, are equal.
const EQUAL: f64 = 1e-9;

/// How a player moves by its belief. Equally good actions are played equally often. Where a player only looks, it looks
/// where its own next move is worth most over the belief: the fully observable game has no opinion there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The best move if the most likely state were true; one of several such states is drawn.
    Greedy,
    /// The move with the best expectation over the belief of its value in the fully observable game.
    Mixture,
}

/// A game that is written out, as those would play it who see everything.
#[derive(Clone, Debug)]
pub struct Observable<'t> {
    tree: &'t Tree,
    /// The state at every node, as a number.
    states: Vec<u32>,
    /// The value of every node to player one if nothing were hidden.
    values: Vec<f64>,
}

impl<'t> Observable<'t> {
    /// The fully observable game of `game`, which `tree` is written from. `state` numbers what the future depends on for
    /// those who see everything.
    #[must_use]
    pub fn of_game<G: Game>(game: &G, tree: &'t Tree, state: impl Fn(&G::State) -> u32) -> Observable<'t> {
        let mut states = vec![0; tree.nodes()];
        let mut open = vec![(tree.root(), game.start())];
        let mut actions = Vec::new();
        while let Some((node, at)) = open.pop() {
            states[node.index()] = state(&at);
            actions.clear();
            game.actions(&at, &mut actions);
            open.extend(
                tree.children(node).zip(&actions).map(|(child, &action)| (child, game.play(&at, action))),
            );
        }
        let mut observable = Observable { tree, states, values: vec![0.0; tree.nodes()] };
        for number in (0..tree.nodes()).rev() {
            observable.values[number] = observable.minimax(NodeId::from_index(number));
        }
        observable
    }

    /// Returns the value of `node` to player one if nothing were hidden.
    #[must_use]
    pub fn value(&self, node: NodeId) -> f64 {
        self.values[node.index()]
    }

    /// Returns the strategies of both players by `policy`.
    #[must_use]
    pub fn strategy(&self, policy: Policy) -> Strategy {
        let mut strategy = Strategy::uniform(self.tree);
        for me in Player::BOTH {
            let beliefs = Beliefs::of(self, me);
            let likely = if policy == Policy::Greedy { self.likely(me, &beliefs) } else { Vec::new() };
            self.decide(me, &beliefs, &likely, &mut strategy);
        }
        strategy
    }

    /// The value of a node from those of its children.
    fn minimax(&self, node: NodeId) -> f64 {
        match self.tree.event(node) {
            Event::End(value) | Event::Leaf(value) => value,
            Event::Chance(first) => {
                let children = self.tree.children(node).zip(self.tree.chances(first));
                children.map(|(child, chance)| chance * self.value(child)).sum()
            }
            Event::Choice(id) => {
                let sign = sign(self.tree.infoset(id).player);
                sign * self
                    .moves(node)
                    .map(|child| sign * self.value(child))
                    .fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    fn changes(&self, node: NodeId, child: NodeId) -> bool {
        self.states[node.index()] != self.states[child.index()]
    }

    /// The children that moves of the fully observable game lead to.
    fn moves(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let all = !self.tree.children(node).any(|child| self.changes(node, child));
        self.tree.children(node).filter(move |&child| all || self.changes(node, child))
    }

    /// Writes the numbers of the best moves at a choice of `player` to `best`.
    fn best_moves(&self, node: NodeId, player: Player, best: &mut Vec<usize>) {
        let value = |child| sign(player) * self.value(child);
        let most = self.moves(node).map(value).fold(f64::NEG_INFINITY, f64::max);
        let first = self.tree.children(node).next().map_or(0, NodeId::index);
        best.clear();
        let moves = self.moves(node).filter(|&child| value(child) >= most - EQUAL);
        best.extend(moves.map(|child| child.index() - first));
    }

    /// The most likely states of every infoset of `me`, each by one of its nodes.
    fn likely(&self, me: Player, beliefs: &Beliefs) -> Vec<Vec<NodeId>> {
        let mut states: FxHashMap<(InfosetId, u32), (f64, NodeId)> = FxHashMap::default();
        let mut most = vec![0.0; self.tree.infosets().len()];
        for node in self.tree.node_ids() {
            let Event::Choice(id) = self.tree.event(node) else { continue };
            if self.tree.infoset(id).player == me {
                let state = states.entry((id, self.states[node.index()])).or_insert((0.0, node));
                state.0 += beliefs.weights[node.index()];
                most[id.index()] = state.0.max(most[id.index()]);
            }
        }
        let mut likely = vec![Vec::new(); most.len()];
        for ((id, _), (weight, node)) in states {
            if weight >= most[id.index()] * (1.0 - EQUAL) {
                likely[id.index()].push(node);
            }
        }
        likely
    }

    /// Fills in what `me` plays; `likely` is empty for the mixture policy.
    fn decide(&self, me: Player, beliefs: &Beliefs, likely: &[Vec<NodeId>], strategy: &mut Strategy) {
        // What the next own move is worth after an action that only looks.
        let mut after = vec![0.0; self.tree.slots()];
        let mut best = Vec::new();
        for id in self.tree.infoset_ids().rev() {
            let infoset = self.tree.infoset(id);
            if infoset.player != me {
                continue;
            }
            let looks = beliefs.looks[id.index()];
            let worth = if looks { &after } else { &beliefs.worth };
            let played = &mut strategy.0[infoset.slots()];
            played.fill(0.0);
            if looks || likely.is_empty() {
                let worth = &worth[infoset.slots()];
                let most = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let least = most - EQUAL * beliefs.totals[id.index()];
                best.clear();
                best.extend((0..worth.len()).filter(|&action| worth[action] >= least));
                share(&best, 1.0, played);
            } else {
                let states = &likely[id.index()];
                for &node in states {
                    self.best_moves(node, me, &mut best);
                    share(&best, 1.0 / states.len() as f64, played);
                }
            }
            let value: f64 = played.iter().zip(&worth[infoset.slots()]).map(|(p, worth)| p * worth).sum();
            if let Some(before) = infoset.before {
                after[before as usize] += value;
            }
        }
    }
}

/// Adds `weight` to the entries `best` of `to`, in equal parts.
fn share(best: &[usize], weight: f64, to: &mut [f64]) {
    best.iter().for_each(|&action| to[action] += weight / best.len() as f64);
}

fn sign(player: Player) -> f64 {
    if player == Player::One { 1.0 } else { -1.0 }
}

/// What one player believes. Weights are those of chance and of the opponent, so they add up along its own actions.
struct Beliefs {
    /// By node.
    weights: Vec<f64>,
    /// The sum of the weights, by infoset.
    totals: Vec<f64>,
    /// The values of actions in the fully observable game, to the player, times the weights; by slot.
    worth: Vec<f64>,
    /// By infoset, whether none of its actions ever changes the state.
    looks: Vec<bool>,
}

impl Beliefs {
    fn of(observable: &Observable<'_>, me: Player) -> Beliefs {
        let tree = observable.tree;
        let infosets = tree.infosets().len();
        let mut beliefs = Beliefs {
            weights: vec![0.0; tree.nodes()],
            totals: vec![0.0; infosets],
            worth: vec![0.0; tree.slots()],
            looks: vec![true; infosets],
        };
        beliefs.weights[tree.root().index()] = 1.0;
        let (mut best, mut model) = (Vec::new(), Vec::new());
        for node in tree.node_ids() {
            let weight = beliefs.weights[node.index()];
            model.clear();
            match tree.event(node) {
                Event::End(_) | Event::Leaf(_) => {}
                Event::Chance(first) => model.extend(&tree.chances(first)[..tree.children(node).len()]),
                Event::Choice(id) if tree.infoset(id).player == me => {
                    beliefs.own(observable, node, id);
                    model.resize(tree.children(node).len(), 1.0);
                }
                Event::Choice(_) => {
                    let actions = tree.children(node).len();
                    model.resize(actions, SLIP / actions as f64);
                    observable.best_moves(node, me.other(), &mut best);
                    share(&best, 1.0 - SLIP, &mut model);
                }
            }
            for (child, probability) in tree.children(node).zip(&model) {
                beliefs.weights[child.index()] = weight * probability;
            }
        }
        beliefs
    }

    /// Adds a node at which the player acts to its infoset.
    fn own(&mut self, observable: &Observable<'_>, node: NodeId, id: InfosetId) {
        let infoset = observable.tree.infoset(id);
        let weight = self.weights[node.index()];
        self.totals[id.index()] += weight;
        for (child, slot) in observable.tree.children(node).zip(infoset.slots()) {
            self.worth[slot] += weight * sign(infoset.player) * observable.value(child);
            self.looks[id.index()] &= !observable.changes(node, child);
        }
    }
}
