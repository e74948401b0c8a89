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
use crate::grow::{Growth, Place, Root};
use crate::knowledge::{History, KnowledgeGraph};
use crate::tree::{BUSY, END, Event, LEAF, NodeId};

/// What they gave away on their way to an infoset lowers its alternate value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gift {
    /// Per chance to come to the decision at which it was given.
    Split,
    /// As the paper prints it: the gift times the chance to come to that decision, divided by the chance to come to
    /// the infoset. So every infoset below has the whole of it.
    Unsplit,
    /// Not at all.
    Off,
}

/// How likely their infosets are before the new search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prior {
    /// Half as they were expected to play, half all alike.
    Mixed,
    /// All alike.
    Uniform,
}

/// What is kept of what infosets have learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All of it.
    All,
    /// The strategy alone.
    Strategy,
}

/// How a tree is carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carrying {
    /// The order of knowledge; `None`: common knowledge.
    pub order: Option<u32>,
    /// Gifts.
    pub gift: Gift,
    /// Priors.
    pub prior: Prior,
    /// What infosets keep.
    pub keep: Keep,
    /// How much of its prior each class of the root counts besides, in percent.
    pub lean: u8,
}

/// What I did since the old tree was made.
#[derive(Clone, Copy, Debug)]
pub struct Moved<A> {
    /// What I knew when I moved.
    pub key: Key,
    /// The move.
    pub action: A,
}

/// A position that may be the true one but is not in the tree, and what it is worth to me.
#[derive(Clone, Debug)]
pub struct Fresh<S> {
    /// The position.
    pub state: S,
    /// Its value.
    pub value: f64,
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

/// How the old tree comes to a node.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// What chance and I did, from the old weight on.
    weight: f64,
    /// What they did.
    theirs: f64,
    gift: f64,
    /// Whether I have moved on it.
    moved: bool,
}

impl<G: Game> Growth<G> {
    /// The tree for this turn, at which I know `key`. Positions of the belief that the tree lacks come in as
    /// `fresh`, when told the states that it has; at each of them they are assumed to know everything. `expected` is
    /// the value that I expected. `None` if nothing of the old tree fits and nothing is fresh.
    #[must_use]
    pub fn carry(
        &self,
        game: &G,
        moved: Moved<G::Action>,
        key: Key,
        carrying: Carrying,
        fresh: impl FnOnce(&[&G::State]) -> Vec<Fresh<G::State>>,
        expected: f64,
    ) -> Option<Growth<G>> {
        let found = self.at_this_turn(game, moved, key, carrying);
        let states: Vec<&G::State> = found
            .iter()
            .filter(|found| found.node.keys[self.me.index()] == key)
            .map(|f| &f.node.state)
            .collect();
        let fresh = fresh(&states);
        // Where the game was doubted and is now known to go on, all is open again.
        let mut found = found;
        let voided: Vec<bool> = found.iter_mut().map(|found| game.confirm_ongoing(&mut found.node.state)).collect();
        let mut next = Growth::rooted(Some(self), self.me, key, &found, fresh, carrying, expected)?;
        (next.freeze, next.explore, next.spread) = (self.freeze, self.explore, self.spread);
        next.random = self.random.clone();
        next.solver.averaging = self.solver.averaging;
        for (number, found) in found.iter().enumerate().filter(|(number, _)| !voided[*number]) {
            let (class, mine) = (next.solver.starts[number].class, next.roots[number].mine);
            let to = NodeId::from_index(number);
            self.copy(
                &mut next,
                found.id,
                to,
                Stand { last: [None; 2], class, mine, depth: 0, above: None },
                carrying.keep,
            );
        }
        Some(next)
    }

    /// The nodes of the order-k set of what I know.
    fn at_this_turn(
        &self,
        game: &G,
        moved: Moved<G::Action>,
        key: Key,
        Carrying { order, gift, .. }: Carrying,
    ) -> Vec<Found<G::State>> {
        let chances = (gift == Gift::Unsplit).then(|| self.chances_to_come());
        let (prefixes, found) = (None, Vec::new());
        let mut seeker = Seeker { growth: self, game, moved, only_mine: true, prefixes, chances, found };
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

    /// What they knew at their decisions on the way to these nodes. A node of another infoset of mine that they
    /// cannot tell from one of these has been one with it there.
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
        let inner = self.solver.tree.links[at.index()];
        if inner >= LEAF {
            return false;
        }
        let mut leads = false;
        for child in self.solver.tree.children(at) {
            leads |= self.collect_keys(child, wanted, keys);
        }
        if leads && self.solver.tree.inners[inner as usize].player == Some(self.me.other()) {
            keys.insert(self.places[inner as usize].node.keys[self.me.other().index()]);
        }
        leads
    }

    /// How likely chance and I make each of their infosets, if they want to come there.
    fn chances_to_come(&self) -> Vec<f64> {
        let tree = &self.solver.tree;
        let mut chances = vec![0.0; tree.infosets().len()];
        let mut open: Vec<(NodeId, f64)> =
            self.solver.starts.iter().map(|start| (start.node, start.weight)).collect();
        while let Some((node, chance)) = open.pop() {
            let weights = match tree.event(node) {
                Event::End(_) => continue,
                Event::Chance(place) => tree.chances(place),
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

    /// A tree of fresh positions alone. `None` if there are none.
    #[must_use]
    pub fn of_fresh(
        me: Player,
        key: Key,
        fresh: Vec<Fresh<G::State>>,
        carrying: Carrying,
        expected: f64,
    ) -> Option<Growth<G>> {
        Growth::rooted(None, me, key, &[], fresh, carrying, expected)
    }

    /// The roots of the new tree and its gadget; `old` is the tree that the nodes were found in.
    fn rooted(
        old: Option<&Growth<G>>,
        me: Player,
        key: Key,
        found: &[Found<G::State>],
        fresh: Vec<Fresh<G::State>>,
        carrying: Carrying,
        expected: f64,
    ) -> Option<Growth<G>> {
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
        for (class, members) in classes.iter().enumerate() {
            let total: f64 = members.iter().map(|&number| found[number].way.weight).sum();
            let mut value = 0.0;
            for &number in members {
                let Found { id, node, way } = &found[number];
                let weight = if total > 0.0 { way.weight / total } else { 1.0 / members.len() as f64 };
                let worth = old.map_or(0.0, |old| old.value(*id));
                value += weight * sign * worth;
                let mine = node.keys[me.index()] == key;
                let root = Root { node: node.clone(), mine };
                roots[number] = Some((root, class as u32, weight, worth));
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
        for (number, Fresh { state, value }) in fresh.into_iter().enumerate() {
            let mut keys = [key; 2];
            keys[them.index()] = key.apart(number as u64);
            let root = Root { node: Node { state, keys }, mine: true };
            roots.push((root, alternates.len() as u32, 1.0, sign * value));
            alternates.push(value.min(expected));
            reaches.push(0.0);
        }
        if roots.is_empty() {
            return None;
        }
        let gadget =
            Gadget::new(alternates, priors(&reaches, carrying.prior), f64::from(carrying.lean) / 100.0);
        Some(Growth::new(me, roots, Some(gadget), 0))
    }

    /// Copies what is below a node of this tree to a leaf of another one.
    fn copy(&self, next: &mut Growth<G>, from: NodeId, to: NodeId, stand: Stand, keep: Keep) {
        let tree = &self.solver.tree;
        let inner = tree.links[from.index()];
        if inner >= LEAF {
            return;
        }
        let place = &self.places[inner as usize];
        let infoset = match tree.event(from) {
            Event::Choice(id) => {
                let old = tree.infoset(id);
                let key = place.node.keys[old.player.index()];
                let new = next.infosets[old.player.index()].get(&key).copied().unwrap_or_else(|| {
                    let frozen = next.freeze && old.player == next.me && !stand.mine;
                    next.add_infoset(old.player, key, &self.actions[old.slots()], stand, frozen)
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
        let over = |child: NodeId| tree.links[child.index()] == END;
        let children: Vec<(f64, bool)> =
            tree.children(from).map(|child| (tree.payoffs[child.index()], over(child))).collect();
        let number = next.solver.tree.expand(to, stand.above, infoset, &chances, &children);
        if let Some(draws) = self.draws.get(&inner) {
            next.draws.insert(number, draws.clone());
        }
        let Stand { last, class, mine, depth, .. } = stand;
        next.places.push(Place { node: place.node.clone(), last, class, mine, depth, born: u64::MAX });
        let below: Vec<(NodeId, NodeId)> = tree.children(from).zip(next.solver.tree.children(to)).collect();
        for (i, (from, to)) in below.into_iter().enumerate() {
            let mut stand = Stand { depth: depth + 1, above: Some(number), ..stand };
            if let Some(infoset) = infoset.map(|id| next.solver.tree.infoset(id)) {
                stand.last[infoset.player.index()] = Some(infoset.first + i as u32);
            }
            self.copy(next, from, to, stand, keep);
        }
    }
}

/// Where a node stands in a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand {
    pub(crate) last: [Option<u32>; 2],
    pub(crate) class: u32,
    pub(crate) mine: bool,
    pub(crate) depth: u16,
    /// The inner node above it.
    pub(crate) above: Option<u32>,
}

/// How likely the classes are, by how likely they were expected to come there.
fn priors(reaches: &[f64], prior: Prior) -> Vec<f64> {
    let (total, count) = (reaches.iter().sum::<f64>(), reaches.len() as f64);
    if prior == Prior::Uniform || total <= 0.0 {
        return vec![1.0 / count; reaches.len()];
    }
    reaches.iter().map(|reach| 0.5 * reach / total + 0.5 / count).collect()
}

/// Looks for the nodes at which it is my turn again.
struct Seeker<'a, G: Game> {
    growth: &'a Growth<G>,
    game: &'a G,
    moved: Moved<G::Action>,
    /// Whether only the move that I really made is followed.
    only_mine: bool,
    /// If there, they must know one of these at their decisions.
    prefixes: Option<FxHashSet<Key>>,
    /// If there, gifts count as often as chance and I make the infoset where they were given.
    chances: Option<Vec<f64>>,
    found: Vec<Found<G::State>>,
}

impl<G: Game> Seeker<'_, G> {
    fn seek_all(&mut self) {
        let growth = self.growth;
        for (number, start) in growth.solver.starts.iter().enumerate() {
            let class = start.class as usize;
            let theirs = growth.gadget.as_ref().map_or(1.0, |gadget| gadget.weights[class]);
            let way = Way { weight: start.weight, theirs, gift: 0.0, moved: false };
            self.seek(start.node, || growth.roots[number].node.clone(), way);
        }
    }

    fn seek(&mut self, at: NodeId, node: impl FnOnce() -> Node<G::State>, way: Way) {
        let growth = self.growth;
        match growth.solver.tree.links[at.index()] {
            END => {}
            LEAF | BUSY => {
                // A node that I could be at, if it is my turn there. Before I have moved it leads nowhere.
                if way.moved {
                    let node = node();
                    if self.game.turn(&node.state) == Turn::Player(growth.me) {
                        self.found.push(Found { id: at, node, way });
                    }
                }
            }
            inner => {
                let mover = growth.solver.tree.inners[inner as usize].player;
                if mover == Some(growth.me) && way.moved {
                    let node = growth.places[inner as usize].node.clone();
                    self.found.push(Found { id: at, node, way });
                } else {
                    self.seek_below(at, inner, mover, way);
                }
            }
        }
    }

    fn seek_below(&mut self, at: NodeId, inner: u32, mover: Option<Player>, way: Way) {
        let growth = self.growth;
        let tree = &growth.solver.tree;
        let place = &growth.places[inner as usize];
        let first = tree.inners[inner as usize].place as usize;
        let them = growth.me.other();
        if mover == Some(them)
            && self.prefixes.as_ref().is_some_and(|keys| !keys.contains(&place.node.keys[them.index()]))
        {
            return;
        }
        let here = mover == Some(growth.me) && place.node.keys[growth.me.index()] == self.moved.key;
        if mover == Some(growth.me) && self.only_mine && !here {
            return;
        }
        for (i, child) in tree.children(at).enumerate() {
            let mut way = way;
            let action = match mover {
                None => {
                    way.weight *= tree.chances(0)[first + i];
                    growth.draws[&inner][i]
                }
                Some(player) => {
                    let probability = growth.solver.strategy.0[first + i];
                    if player == growth.me {
                        let really = here && growth.actions[first + i] == self.moved.action;
                        if self.only_mine && !really {
                            continue;
                        }
                        way.moved = true;
                        way.weight *= if here { self.raised(first, i, at, really) } else { probability };
                    } else {
                        way.theirs *= probability;
                        let infoset = tree.inners[inner as usize].infoset;
                        let chance = self.chances.as_ref().map_or(1.0, |chances| chances[infoset.index()]);
                        way.gift += chance * self.gift(first, i, at);
                    }
                    growth.actions[first + i]
                }
            };
            self.seek(child, || place.node.play(self.game, action), way);
        }
    }

    /// My probability of an action where I moved, after that of the move I really made is raised.
    fn raised(&self, first: usize, action: usize, at: NodeId, really: bool) -> f64 {
        let growth = self.growth;
        let count = growth.solver.tree.children(at).len();
        let made = (0..count).find(|i| growth.actions[first + i] == self.moved.action);
        let probability = growth.solver.strategy.0[first + action];
        let Some(made) = made else { return probability };
        let old = growth.solver.strategy.0[first + made];
        if old >= LEAST {
            probability
        } else if really {
            LEAST
        } else {
            probability * (1.0 - LEAST) / (1.0 - old)
        }
    }

    /// What they gave away by an action: what they could expect at the infoset less what the action is worth.
    fn gift(&self, first: usize, action: usize, at: NodeId) -> f64 {
        let solver = &self.growth.solver;
        let places = first..first + solver.tree.children(at).len();
        let expected = places.map(|place| solver.strategy.0[place] * solver.qualities[place]);
        (expected.sum::<f64>() - solver.qualities[first + action]).max(0.0)
    }
}
