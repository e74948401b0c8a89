//! What a grown tree tells: how far from an equilibrium it is, where I may be, how play may go on.

use scuro_core::{Game, Player};

use crate::grow::Growth;
use crate::solve::Start;
use crate::tree::{Event, InfosetId, LEAF, NodeId};

impl<G: Game> Growth<G> {
    /// What each class is worth to `player` if she answers best and the other one follows her strategy; classes count
    /// as `entries` says.
    fn best_answers(&self, player: Player, entries: &[f64]) -> Vec<f64> {
        let (tree, classes) = (&self.solver.tree, entries.len());
        let mut gains = vec![0.0; classes + tree.slots()];
        let sign = if player == Player::One { 1.0 } else { -1.0 };
        let mut open: Vec<(NodeId, f64, usize)> = Vec::new();
        for start in &self.solver.starts {
            let class = start.class as usize;
            open.push((start.node, sign * start.weight * entries[class], class));
        }
        while let Some((node, reach, last)) = open.pop() {
            match tree.event(node) {
                Event::End(payoff) => gains[last] += reach * payoff,
                Event::Chance(place) => {
                    let children = tree.children(node).zip(tree.chances(place));
                    open.extend(children.map(|(child, chance)| (child, reach * chance, last)));
                }
                Event::Choice(id) => {
                    let infoset = tree.infoset(id);
                    for (child, place) in tree.children(node).zip(infoset.slots()) {
                        let share = self.solver.strategy.0[place];
                        if infoset.player == player {
                            open.push((child, reach, classes + place));
                        } else if share > 0.0 {
                            open.push((child, reach * share, last));
                        }
                    }
                }
            }
        }
        for id in tree.infoset_ids().collect::<Vec<_>>().into_iter().rev() {
            let infoset = tree.infoset(id);
            if infoset.player == player {
                let best = infoset.slots().map(|place| gains[classes + place]);
                let best = best.fold(f64::NEG_INFINITY, f64::max);
                let origin =
                    infoset.before.map_or(self.classes[id.index()] as usize, |p| classes + p as usize);
                gains[origin] += best;
            }
        }
        gains.truncate(classes);
        gains
    }

    /// How far both players together are from the best they could do on this tree, its root included: never
    /// negative, and zero at an equilibrium.
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

    /// The positions that I may be in, as far as the tree has them, and how likely each is as they have played.
    #[must_use]
    pub fn positions(&self) -> Vec<(&G::State, f64)> {
        let weight = |class: u32| self.gadget.as_ref().map_or(1.0, |gadget| gadget.weights[class as usize]);
        let mine = self.solver.starts.iter().zip(&self.roots).filter(|(_, root)| root.mine);
        let weighed: Vec<_> =
            mine.map(|(start, root)| (&root.node.state, weight(start.class) * start.weight)).collect();
        let total: f64 = weighed.iter().map(|each| each.1).sum();
        let share = |weight: f64| if total > 0.0 { weight / total } else { 1.0 / weighed.len() as f64 };
        weighed.iter().map(|&(state, weight)| (state, share(weight))).collect()
    }

    /// How play may go on after an action of mine at an infoset: from the most likely root both do what they like
    /// best. The action alone if that does not lead to the infoset.
    pub(crate) fn line(&self, at: InfosetId, action: usize) -> Vec<G::Action> {
        let tree = &self.solver.tree;
        let weight = |class: u32| self.gadget.as_ref().map_or(1.0, |gadget| gadget.weights[class as usize]);
        let expanded = |start: &Start| tree.links[start.node.index()] < LEAF;
        let mine =
            self.solver.starts.iter().zip(&self.roots).filter(|(start, root)| root.mine && expanded(start));
        let likely = mine
            .max_by(|(a, _), (b, _)| (weight(a.class) * a.weight).total_cmp(&(weight(b.class) * b.weight)));
        let mut line = Vec::new();
        let mut next = likely.map(|(start, _)| start.node);
        while let Some(node) = next {
            let (weights, here) = match tree.event(node) {
                Event::Choice(id) => (&self.solver.strategy.0[tree.infoset(id).slots()], id == at),
                Event::Chance(place) => (&tree.chances(place)[..tree.children(node).len()], false),
                Event::End(_) => break,
            };
            let liked = (0..weights.len()).rev().max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
            let taken = if here { action } else { liked.unwrap_or_default() };
            let link = tree.links[node.index()];
            let inner = tree.inners[link as usize];
            if here || !line.is_empty() {
                line.push(match inner.player {
                    Some(_) => self.actions[inner.place as usize + taken],
                    None => self.draws[&link][taken],
                });
            }
            next = tree.children(node).nth(taken);
        }
        if line.is_empty() {
            line.push(self.actions[tree.infoset(at).slots().start + action]);
        }
        line
    }

    /// How many plies the longest line of the tree has.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.places.iter().map(|place| usize::from(place.depth) + 1).max().unwrap_or_default()
    }
}
