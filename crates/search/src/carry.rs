//! Last turn's tree, carried over to this turn: as much of it as I know that they know.
//!
//! I made a move, they answered, and I know a little more. *I* are the nodes of the old tree at which I know exactly
//! that. Order 2 adds every node that they cannot tell from one of those, order 3 what I could not tell from these,
//! and so on. The subtrees below stay, with all that was learnt there; the rest is dropped. Every infoset of theirs
//! becomes a class of the new root: inside it a node weighs what chance and I did to come there, and what I expected
//! there, less what they gave away on the way, is its alternate value.

use rustc_hash::{FxHashMap, FxHashSet};
use scuro_core::{Game, Key, Node, Player, Turn};

use crate::gadget::Gadget;
use crate::knowledge::{History, KnowledgeGraph};
use crate::subgame::{ExpandedNode, NodeContext, Root, Subgame, SubgameSettings};
use crate::tree::{Event, InnerId, NodeId, NodeState};

/// How gifts, what they gave away on their way to an infoset, lower its alternate value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gift {
    /// Per chance to come to the decision at which it was given.
    Split,
    /// As the paper prints it: the gift times the chance to come to that decision, divided by the chance to come to
    /// the infoset. So the full gift is charged to every descendant.
    Unsplit,
    /// Not at all.
    Off,
}

/// The prior probabilities of their infosets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prior {
    /// Half as they were expected to play, half uniform.
    Mixed,
    /// Half as they were expected to play, half by the weights of their positions in the belief.
    Weighted,
    /// Uniform.
    Uniform,
}

/// What carried infosets keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All they have learnt.
    All,
    /// The strategy alone.
    Strategy,
}

/// How a tree is carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carrying {
    /// The order of knowledge; `None`: common knowledge.
    pub order: Option<u32>,
    /// How gifts are counted.
    pub gift: Gift,
    /// The prior of the classes.
    pub prior: Prior,
    /// What infosets keep.
    pub keep: Keep,
    /// The weight added to each class of the root per unit of its prior, in percent.
    pub prior_bonus: u8,
}

/// My last move.
#[derive(Clone, Copy, Debug)]
pub struct Moved<A> {
    /// What I knew when I moved.
    pub key: Key,
    /// The move.
    pub action: A,
}

/// A position that may be the true one but is not in the tree.
#[derive(Clone, Debug)]
pub struct Fresh<S> {
    /// The position.
    pub state: S,
    /// Its value to me.
    pub value: f64,
    /// Its weight in the belief.
    pub weight: f64,
}

/// What a belief adds to the positions that a tree has.
#[derive(Clone, Debug)]
pub struct FromBelief<S> {
    /// The weight in the belief of each position that the tree has; none if all are equally likely.
    pub known: Vec<f64>,
    /// Positions that the tree lacks.
    pub fresh: Vec<Fresh<S>>,
}

impl<S> Default for FromBelief<S> {
    fn default() -> FromBelief<S> {
        FromBelief { known: Vec::new(), fresh: Vec::new() }
    }
}

/// The least probability that the move I really made is taken to have had.
const LEAST: f64 = 0.1;

/// A node of the old tree at this turn.
#[derive(Clone, Debug)]
struct Found<S> {
    id: NodeId,
    node: Node<S>,
    way: Way,
}

/// The way of the old tree to a node.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The weight of its root, times the probabilities of chance and of my actions.
    weight: f64,
    /// The weight of its class, times the probabilities of their actions.
    theirs: f64,
    gift: f64,
    /// Whether I have moved on it.
    moved: bool,
}

/// What the roots of a new subgame depend on beside their nodes.
struct Entry {
    me: Player,
    /// What I know now.
    key: Key,
    carrying: Carrying,
    /// The value that I expected.
    expected: f64,
    settings: SubgameSettings,
}

impl<G: Game> Subgame<G> {
    /// Returns the subgame of this turn, at which I know `key`. `draw` is called with the states that the tree has and
    /// returns positions of the belief that it lacks; at each of them they are assumed to know everything. `expected`
    /// is the value that I expected. Returns `None` if nothing of the old tree fits and nothing is fresh.
    #[must_use]
    pub fn carry(
        &self,
        game: &G,
        moved: Moved<G::Action>,
        key: Key,
        carrying: Carrying,
        draw: impl FnOnce(&[&G::State]) -> FromBelief<G::State>,
        expected: f64,
    ) -> Option<Subgame<G>> {
        let found = self.at_this_turn(game, moved, key, carrying);
        let states: Vec<&G::State> = found
            .iter()
            .filter(|found| found.node.keys[self.me.index()] == key)
            .map(|f| &f.node.state)
            .collect();
        let drawn = draw(&states);
        // Subtrees below nodes at which the game might have been over are not carried over.
        let mut found = found;
        let voided: Vec<bool> =
            found.iter_mut().map(|found| game.confirm_ongoing(&mut found.node.state)).collect();
        let entry = Entry { me: self.me, key, carrying, expected, settings: self.settings };
        let mut next = Subgame::rooted(entry, Some(self), &found, drawn)?;
        next.random = self.random.clone();
        for (number, found) in found.iter().enumerate().filter(|(number, _)| !voided[*number]) {
            let (to, context) = (NodeId::from_index(number), next.roots[number].context());
            self.copy(&mut next, found.id, to, None, context, carrying.keep);
        }
        Some(next)
    }

    /// Returns the nodes of the order-k knowledge set of my infoset.
    fn at_this_turn(
        &self,
        game: &G,
        moved: Moved<G::Action>,
        key: Key,
        Carrying { order, gift, .. }: Carrying,
    ) -> Vec<Found<G::State>> {
        let chances = (gift == Gift::Unsplit).then(|| self.chances_to_come());
        let (prefixes, found) = (None, Vec::new());
        let mut seeker = Seeker { subgame: self, game, moved, only_mine: true, prefixes, chances, found };
        seeker.seek_all();
        let mine = seeker.found.iter().filter(|found| found.node.keys[self.me.index()] == key);
        if order == Some(1) || mine.clone().next().is_none() {
            return mine.cloned().collect();
        }
        if order == Some(2) {
            seeker.prefixes = Some(self.their_keys_above(&seeker.found));
        }
        seeker.only_mine = false;
        seeker.found.clear();
        seeker.seek_all();
        let found = seeker.found;
        let keys: Vec<[Key; 2]> = found.iter().map(|found| found.node.keys).collect();
        let set: Vec<History> = (0..found.len())
            .filter(|&number| keys[number][self.me.index()] == key)
            .map(History::from_index)
            .collect();
        let kept = KnowledgeGraph::new(&keys).knowledge_set(&set, order.unwrap_or(u32::MAX));
        let mut kept: Vec<usize> = kept.iter().map(|history| history.index()).collect();
        kept.sort_unstable();
        kept.into_iter().map(|number| found[number].clone()).collect()
    }

    /// Returns their keys at their decisions on the way to these nodes. A node of another infoset of mine that they
    /// cannot tell from one of these shares those keys.
    fn their_keys_above(&self, found: &[Found<G::State>]) -> FxHashSet<Key> {
        let wanted: FxHashSet<NodeId> = found.iter().map(|found| found.id).collect();
        let mut keys = FxHashSet::default();
        for start in &self.solver.starts {
            self.collect_keys(start.node, &wanted, &mut keys);
        }
        keys
    }

    fn collect_keys(&self, at: NodeId, wanted: &FxHashSet<NodeId>, keys: &mut FxHashSet<Key>) -> bool {
        if wanted.contains(&at) {
            return true;
        }
        let NodeState::Inner(inner) = self.solver.tree.state(at) else { return false };
        let mut leads = false;
        for child in self.solver.tree.children(at) {
            leads |= self.collect_keys(child, wanted, keys);
        }
        if leads && self.solver.tree.inner(inner).player == Some(self.me.other()) {
            keys.insert(self.expanded[inner.index()].node.keys[self.me.other().index()]);
        }
        leads
    }

    /// Returns by infoset of theirs the probability that chance and I allow them to reach it.
    fn chances_to_come(&self) -> Vec<f64> {
        let tree = &self.solver.tree;
        let mut chances = vec![0.0; tree.infosets().len()];
        let mut open: Vec<(NodeId, f64)> =
            self.solver.starts.iter().map(|start| (start.node, start.weight)).collect();
        while let Some((node, chance)) = open.pop() {
            let weights = match tree.event(node) {
                Event::End(_) | Event::Leaf(_) => continue,
                Event::Chance(first) => tree.chances(first),
                Event::Choice(id) if tree.infoset(id).player == self.me => {
                    &self.solver.strategy.0[tree.infoset(id).slots()]
                }
                Event::Choice(id) => {
                    chances[id.index()] += chance;
                    open.extend(tree.children(node).map(|child| (child, chance)));
                    continue;
                }
            };
            open.extend(tree.children(node).zip(weights).map(|(child, weight)| (child, chance * weight)));
        }
        chances
    }

    /// Returns a subgame of fresh positions alone; `None` if there are none.
    #[must_use]
    pub fn of_fresh(
        me: Player,
        key: Key,
        drawn: FromBelief<G::State>,
        carrying: Carrying,
        expected: f64,
        settings: SubgameSettings,
    ) -> Option<Subgame<G>> {
        Subgame::rooted(Entry { me, key, carrying, expected, settings }, None, &[], drawn)
    }

    /// Returns a subgame whose roots are not expanded, with its gadget; `old` is the one that the nodes were found in.
    fn rooted(
        Entry { me, key, carrying, expected, settings }: Entry,
        old: Option<&Subgame<G>>,
        found: &[Found<G::State>],
        drawn: FromBelief<G::State>,
    ) -> Option<Subgame<G>> {
        let them = me.other();
        let sign = if me == Player::One { 1.0 } else { -1.0 };
        let mut numbers: FxHashMap<Key, usize> = FxHashMap::default();
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for (number, found) in found.iter().enumerate() {
            let class = *numbers.entry(found.node.keys[them.index()]).or_insert(classes.len());
            classes.resize(classes.len().max(class + 1), Vec::new());
            classes[class].push(number);
        }
        let mut roots = vec![None; found.len()];
        let (mut alternates, mut reaches) = (Vec::new(), Vec::new());
        // The nodes at which I may be, in their order, have these weights.
        let mut known = drawn.known.into_iter();
        let mine = |found: &Found<G::State>| found.node.keys[me.index()] == key;
        let likely: Vec<f64> =
            found.iter().map(|found| if mine(found) { known.next().unwrap_or(1.0) } else { 0.0 }).collect();
        let mut weights: Vec<f64> =
            classes.iter().map(|members| members.iter().map(|&number| likely[number]).sum()).collect();
        for (class, members) in classes.iter().enumerate() {
            let total: f64 = members.iter().map(|&number| found[number].way.weight).sum();
            let mut value = 0.0;
            for &number in members {
                let Found { id, node, way } = &found[number];
                let weight = if total > 0.0 { way.weight / total } else { 1.0 / members.len() as f64 };
                let worth = old.map_or(0.0, |old| old.value(*id));
                value += weight * sign * worth;
                let (mine, class) = (mine(&found[number]), class as u32);
                roots[number] = Some(Root { node: node.clone(), mine, class, weight, value: worth });
            }
            let gift = match carrying.gift {
                Gift::Off => 0.0,
                Gift::Split => found[members[0]].way.gift,
                Gift::Unsplit if total > 0.0 => found[members[0]].way.gift / total,
                Gift::Unsplit => 0.0,
            };
            alternates.push((value - gift).clamp(-1.0, 1.0));
            reaches.push(found[members[0]].way.theirs);
        }
        let mut roots: Vec<_> = roots.into_iter().flatten().collect();
        for (number, Fresh { state, value, weight }) in drawn.fresh.into_iter().enumerate() {
            weights.push(weight);
            let mut keys = [key; 2];
            keys[them.index()] = key.apart(number as u64);
            let (node, class) = (Node { state, keys }, alternates.len() as u32);
            roots.push(Root { node, mine: true, class, weight: 1.0, value: sign * value });
            alternates.push(value.min(expected));
            reaches.push(0.0);
        }
        if roots.is_empty() {
            return None;
        }
        let bonus = f64::from(carrying.prior_bonus) / 100.0;
        let gadget = Gadget::new(alternates, priors(&reaches, &weights, carrying.prior), bonus);
        Some(Subgame::new(me, roots, Some(gadget), settings))
    }

    /// Copies what is below a node of this tree to a leaf of another one.
    fn copy(
        &self,
        next: &mut Subgame<G>,
        from: NodeId,
        to: NodeId,
        above: Option<InnerId>,
        context: NodeContext,
        keep: Keep,
    ) {
        let tree = &self.solver.tree;
        let NodeState::Inner(inner) = tree.state(from) else { return };
        let node = &self.expanded[inner.index()].node;
        let infoset = match tree.event(from) {
            Event::Choice(id) => {
                let old = tree.infoset(id);
                let key = node.keys[old.player.index()];
                let new = next.infosets[old.player.index()].get(&key).copied().unwrap_or_else(|| {
                    next.add_infoset(old.player, key, &self.actions[old.slots()], context)
                });
                let into = next.solver.tree.infoset(new).slots();
                next.solver.strategy.0[into.clone()].copy_from_slice(&self.solver.strategy.0[old.slots()]);
                next.solver.qualities[into.clone()].copy_from_slice(&self.solver.qualities[old.slots()]);
                if keep == Keep::All {
                    next.solver.regrets[into.clone()].copy_from_slice(&self.solver.regrets[old.slots()]);
                    next.solver.predictions[into].copy_from_slice(&self.solver.predictions[old.slots()]);
                    next.visits[new.index()] = self.visits[id.index()].clone();
                }
                Some(new)
            }
            _ => None,
        };
        let chances = match tree.event(from) {
            Event::Chance(first) => tree.chances(first)[..tree.children(from).len()].to_vec(),
            _ => Vec::new(),
        };
        let over = |child: NodeId| tree.state(child) == NodeState::End;
        let children: Vec<(f64, bool)> =
            tree.children(from).map(|child| (tree.payoffs[child.index()], over(child))).collect();
        let copied = next.solver.tree.expand(to, above, infoset, &chances, &children);
        if let Some(draws) = self.draws.get(&inner) {
            next.draws.insert(copied, draws.clone());
        }
        next.expanded.push(ExpandedNode { node: node.clone(), context, born: u64::MAX });
        let below: Vec<(NodeId, NodeId)> = tree.children(from).zip(next.solver.tree.children(to)).collect();
        for (i, (from, to)) in below.into_iter().enumerate() {
            let mut context = NodeContext { depth: context.depth + 1, ..context };
            if let Some(infoset) = infoset.map(|id| next.solver.tree.infoset(id)) {
                context.last[infoset.player.index()] = Some(infoset.first + i as u32);
            }
            self.copy(next, from, to, Some(copied), context, keep);
        }
    }
}

/// Returns the prior of every class, given the probability with which they were expected to come there, and its weight
/// in the belief.
fn priors(reaches: &[f64], weights: &[f64], prior: Prior) -> Vec<f64> {
    let (total, count) = (reaches.iter().sum::<f64>(), reaches.len() as f64);
    let whole: f64 = weights.iter().sum();
    let share = |weight: &f64| match prior {
        Prior::Weighted if whole > 0.0 => weight / whole,
        _ => 1.0 / count,
    };
    if prior == Prior::Uniform || total <= 0.0 {
        return weights.iter().map(share).collect();
    }
    reaches.iter().zip(weights).map(|(reach, weight)| 0.5 * reach / total + 0.5 * share(weight)).collect()
}

/// Finds the nodes at which it is my turn again.
struct Seeker<'a, G: Game> {
    subgame: &'a Subgame<G>,
    game: &'a G,
    moved: Moved<G::Action>,
    /// Whether only the move that I really made is followed.
    only_mine: bool,
    /// If there, their key at each of their decisions must be one of these.
    prefixes: Option<FxHashSet<Key>>,
    /// If there, a gift is weighted by the probability that chance and I allow the infoset where it was given.
    chances: Option<Vec<f64>>,
    found: Vec<Found<G::State>>,
}

impl<G: Game> Seeker<'_, G> {
    fn seek_all(&mut self) {
        let subgame = self.subgame;
        for (number, start) in subgame.solver.starts.iter().enumerate() {
            let theirs = subgame.class_weight(start.class);
            let way = Way { weight: start.weight, theirs, gift: 0.0, moved: false };
            self.seek(start.node, || subgame.roots[number].node.clone(), way);
        }
    }

    fn seek(&mut self, at: NodeId, node: impl FnOnce() -> Node<G::State>, way: Way) {
        let subgame = self.subgame;
        match subgame.solver.tree.state(at) {
            NodeState::End => {}
            NodeState::Leaf | NodeState::Busy => {
                // I may be there if it is my turn. Before my move it leads nowhere.
                if way.moved {
                    let node = node();
                    if self.game.turn(&node.state) == Turn::Player(subgame.me) {
                        self.found.push(Found { id: at, node, way });
                    }
                }
            }
            NodeState::Inner(inner) => {
                let mover = subgame.solver.tree.inner(inner).player;
                if mover == Some(subgame.me) && way.moved {
                    let node = subgame.expanded[inner.index()].node.clone();
                    self.found.push(Found { id: at, node, way });
                } else {
                    self.seek_below(at, inner, mover, way);
                }
            }
        }
    }

    fn seek_below(&mut self, at: NodeId, inner: InnerId, mover: Option<Player>, way: Way) {
        let subgame = self.subgame;
        let tree = &subgame.solver.tree;
        let node = &subgame.expanded[inner.index()].node;
        let first = tree.inner(inner).first_weight as usize;
        let them = subgame.me.other();
        if mover == Some(them)
            && self.prefixes.as_ref().is_some_and(|keys| !keys.contains(&node.keys[them.index()]))
        {
            return;
        }
        let here = mover == Some(subgame.me) && node.keys[subgame.me.index()] == self.moved.key;
        if mover == Some(subgame.me) && self.only_mine && !here {
            return;
        }
        for (i, child) in tree.children(at).enumerate() {
            let mut way = way;
            let action = match mover {
                None => {
                    way.weight *= tree.chances(0)[first + i];
                    subgame.draws[&inner][i]
                }
                Some(player) => {
                    let probability = subgame.solver.strategy.0[first + i];
                    if player == subgame.me {
                        let really = here && subgame.actions[first + i] == self.moved.action;
                        if self.only_mine && !really {
                            continue;
                        }
                        way.moved = true;
                        way.weight *= if here { self.raised(first, i, at, really) } else { probability };
                    } else {
                        way.theirs *= probability;
                        let infoset = tree.inner(inner).infoset;
                        let chance = self.chances.as_ref().map_or(1.0, |chances| chances[infoset.index()]);
                        way.gift += chance * self.gift(first, i, at);
                    }
                    subgame.actions[first + i]
                }
            };
            self.seek(child, || node.play(self.game, action), way);
        }
    }

    /// Returns my probability of an action at the infoset where I moved, after that of the move I really made is raised.
    fn raised(&self, first: usize, action: usize, at: NodeId, really: bool) -> f64 {
        let subgame = self.subgame;
        let count = subgame.solver.tree.children(at).len();
        let made = (0..count).find(|i| subgame.actions[first + i] == self.moved.action);
        let probability = subgame.solver.strategy.0[first + action];
        let Some(made) = made else { return probability };
        let old = subgame.solver.strategy.0[first + made];
        if old >= LEAST {
            probability
        } else if really {
            LEAST
        } else {
            probability * (1.0 - LEAST) / (1.0 - old)
        }
    }

    /// Returns what they gave away by an action: their expected value at the infoset less that of the action.
    fn gift(&self, first: usize, action: usize, at: NodeId) -> f64 {
        let solver = &self.subgame.solver;
        let slots = first..first + solver.tree.children(at).len();
        let expected = slots.map(|slot| solver.strategy.0[slot] * solver.qualities[slot]);
        (expected.sum::<f64>() - solver.qualities[first + action]).max(0.0)
    }
}
