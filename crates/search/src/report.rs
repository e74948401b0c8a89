//! What a subgame says after a search: its distance from an equilibrium, where I may be, how play may go on.

use scuro_core::{Game, Player};

use crate::response::best_responses;
use crate::solve::Solver;
use crate::subgame::Subgame;
use crate::tree::{Event, InfosetId, NodeId, NodeState};

impl<G: Game> Subgame<G> {
    /// Returns for each class its value to `player` if it answers best and the other one follows its strategy; classes
    /// are weighted by `entries`.
    fn best_answers(&self, player: Player, entries: &[f64]) -> Vec<f64> {
        let Solver { tree, strategy, starts, .. } = &self.solver;
        best_responses(&strategy.0, tree, player, starts, entries, |infoset| self.classes[infoset] as usize)
    }

    /// Returns the Nash gap: how much both players together could gain by best responses in this subgame, gadget
    /// included. Never negative, and zero at an equilibrium.
    #[must_use]
    pub fn gap(&self) -> f64 {
        let them = self.me.other();
        let Some(gadget) = &self.gadget else {
            return Player::BOTH
                .map(|player| self.best_answers(player, &[1.0])[0])
                .iter()
                .sum::<f64>()
                .max(0.0);
        };
        let best: f64 = self.best_answers(self.me, &gadget.weights).iter().sum();
        let expected: f64 =
            gadget.weights.iter().zip(&gadget.alternates).map(|(w, alternate)| w * alternate).sum();
        let entries = vec![1.0; gadget.alternates.len()];
        let answers = self.best_answers(them, &entries);
        (best - expected + gadget.gain(&answers)).max(0.0)
    }

    /// Returns the roots that I may be at, with the weights that their classes give them.
    fn my_roots(&self) -> impl Iterator<Item = (NodeId, &G::State, f64)> {
        let roots = self.solver.starts.iter().zip(&self.roots).filter(|(_, root)| root.mine);
        roots.map(|(start, root)| {
            (start.node, &root.node.state, self.class_weight(start.class) * start.weight)
        })
    }

    /// Returns the positions that I may be in, as far as the tree has them, and the probability of each if they have
    /// followed the gadget's root strategy.
    #[must_use]
    pub fn positions(&self) -> Vec<(&G::State, f64)> {
        let weighed: Vec<_> = self.my_roots().map(|(_, state, weight)| (state, weight)).collect();
        let total: f64 = weighed.iter().map(|each| each.1).sum();
        let share = |weight: f64| if total > 0.0 { weight / total } else { 1.0 / weighed.len() as f64 };
        weighed.iter().map(|&(state, weight)| (state, share(weight))).collect()
    }

    /// Returns a likely continuation after an action of mine at an infoset: from the most likely root both play their
    /// most likely actions. It is the action alone if they do not lead to the infoset.
    pub(crate) fn line(&self, at: InfosetId, action: usize) -> Vec<G::Action> {
        let tree = &self.solver.tree;
        let expanded = self.my_roots().filter(|(node, ..)| matches!(tree.state(*node), NodeState::Inner(_)));
        let likely = expanded.max_by(|(.., a), (.., b)| a.total_cmp(b));
        let mut line = Vec::new();
        let mut next = likely.map(|(node, ..)| node);
        while let Some(node) = next {
            let NodeState::Inner(id) = tree.state(node) else { break };
            let (weights, here) = match tree.event(node) {
                Event::Choice(id) => (&self.solver.strategy.0[tree.infoset(id).slots()], id == at),
                Event::Chance(first) => (&tree.chances(first)[..tree.children(node).len()], false),
                Event::End(_) | Event::Leaf(_) => break,
            };
            let likely = (0..weights.len()).rev().max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
            let taken = if here { action } else { likely.unwrap_or_default() };
            if here || !line.is_empty() {
                let inner = tree.inner(id);
                line.push(match inner.player {
                    Some(_) => self.actions[inner.first_weight as usize + taken],
                    None => self.draws[&id][taken],
                });
            }
            next = tree.children(node).nth(taken);
        }
        if line.is_empty() {
            line.push(self.actions[tree.infoset(at).slots().start + action]);
        }
        line
    }

    /// Returns the number of plies of the longest line of the tree.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.expanded.iter().map(|node| usize::from(node.context.depth) + 1).max().unwrap_or_default()
    }
}
