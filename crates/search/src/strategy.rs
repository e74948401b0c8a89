//! What both players do at every infoset, what that is worth, and how well it can be answered.

use scuro_core::Player;

use crate::tree::{Event, NodeId, Tree};

/// The probabilities of all actions of both players, one entry a slot of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy(pub Vec<f64>);

impl Strategy {
    /// Every action of an infoset equally likely.
    #[must_use]
    pub fn uniform(tree: &Tree) -> Strategy {
        let mut probabilities = vec![0.0; tree.slots()];
        for infoset in tree.infosets() {
            probabilities[infoset.slots()].fill(1.0 / f64::from(infoset.actions));
        }
        Strategy(probabilities)
    }

    /// What the pair is worth to player one.
    #[must_use]
    pub fn value(&self, tree: &Tree) -> f64 {
        self.value_at(tree, tree.root())
    }

    /// What `node` is worth to player one.
    pub(crate) fn value_at(&self, tree: &Tree, node: NodeId) -> f64 {
        let weights = match tree.event(node) {
            Event::End(value) | Event::Leaf(value) => return value,
            Event::Chance(first) => tree.chances(first),
            Event::Choice(id) => &self.0[tree.infoset(id).slots()],
        };
        let children = tree.children(node).zip(weights).filter(|(_, weight)| **weight > 0.0);
        children.map(|(child, weight)| weight * self.value_at(tree, child)).sum()
    }

    /// What the best answer of `player` to the other one's part of this pair is worth to her.
    #[must_use]
    pub fn best_response(&self, tree: &Tree, player: Player) -> f64 {
        // What each of her actions brings, weighted by the others; slot 0 stands for before her first.
        let mut gains = vec![0.0; tree.slots() + 1];
        self.collect(tree, tree.root(), player, 1.0, 0, &mut gains);
        // Infosets stand behind those before them: from the last one on, each hands its best to its origin.
        for infoset in tree.infosets().iter().rev().filter(|infoset| infoset.player == player) {
            let best = infoset.slots().map(|slot| gains[slot + 1]).fold(f64::NEG_INFINITY, f64::max);
            gains[infoset.before.map_or(0, |slot| slot as usize + 1)] += best;
        }
        gains[0]
    }

    /// Adds the payoffs of all ends, weighted by all but `player`, to her last action before them.
    fn collect(&self, tree: &Tree, node: NodeId, player: Player, reach: f64, last: usize, gains: &mut [f64]) {
        match tree.event(node) {
            Event::End(value) | Event::Leaf(value) => {
                gains[last] += reach * if player == Player::One { value } else { -value };
            }
            Event::Chance(first) => {
                for (child, chance) in tree.children(node).zip(tree.chances(first)) {
                    self.collect(tree, child, player, reach * chance, last, gains);
                }
            }
            Event::Choice(id) => {
                let infoset = tree.infoset(id);
                for (child, slot) in tree.children(node).zip(infoset.slots()) {
                    if infoset.player == player {
                        self.collect(tree, child, player, reach, slot + 1, gains);
                    } else if self.0[slot] > 0.0 {
                        self.collect(tree, child, player, reach * self.0[slot], last, gains);
                    }
                }
            }
        }
    }

    /// Half of what both players together could gain by answering best.
    #[must_use]
    pub fn exploitability(&self, tree: &Tree) -> f64 {
        Player::BOTH.map(|player| self.best_response(tree, player)).iter().sum::<f64>() / 2.0
    }
}
