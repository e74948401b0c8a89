//! The strategies of both players, their value, and their exploitability.

use scuro_core::Player;

use crate::response::best_responses;
use crate::tree::{Event, NodeId, Start, Tree};

/// The probabilities of all actions of both players, one entry per slot of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy(pub Vec<f64>);

impl Strategy {
    /// Returns the strategies that play every action of an infoset equally often.
    #[must_use]
    pub fn uniform(tree: &Tree) -> Strategy {
        let mut probabilities = vec![0.0; tree.slots()];
        for infoset in tree.infosets() {
            probabilities[infoset.slots()].fill(1.0 / f64::from(infoset.actions));
        }
        Strategy(probabilities)
    }

    /// Returns the value of the pair to player one.
    #[must_use]
    pub fn value(&self, tree: &Tree) -> f64 {
        self.value_at(tree, tree.root())
    }

    /// Returns the value of `node` to player one.
    pub(crate) fn value_at(&self, tree: &Tree, node: NodeId) -> f64 {
        let weights = match tree.event(node) {
            Event::End(value) | Event::Leaf(value) => return value,
            Event::Chance(first) => tree.chances(first),
            Event::Choice(id) => &self.0[tree.infoset(id).slots()],
        };
        let children = tree.children(node).zip(weights).filter(|(_, weight)| **weight > 0.0);
        children.map(|(child, weight)| weight * self.value_at(tree, child)).sum()
    }

    /// Returns the value, to `player`, of its best response to the other player's part of this pair.
    #[must_use]
    pub fn best_response(&self, tree: &Tree, player: Player) -> f64 {
        let start = Start { node: tree.root(), class: 0, weight: 1.0 };
        best_responses(&self.0, tree, player, &[start], &[1.0], |_| 0)[0]
    }

    /// Returns half of what both players together could gain by best responses.
    #[must_use]
    pub fn exploitability(&self, tree: &Tree) -> f64 {
        Player::BOTH.map(|player| self.best_response(tree, player)).iter().sum::<f64>() / 2.0
    }
}
