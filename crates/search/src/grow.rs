//! A subgame that is solved while it grows.
//!
//! A descent starts at the root and ends at a leaf, whose children are then made and valued. The exploring side
//! tosses a coin at each of its infosets: any action that it plays, or the one with the best value and spread; the
//! other side plays its strategy. A node that no traversal has passed yet is *new*, and nothing below it grows.
//!
//! Descents and the joining of what was made happen between iterations of the solver, so the solver shares nothing;
//! making and valuing children, nearly all of the work, needs only the leaf ([`Growth::make`]) and can be done
//! anywhere.

use rustc_hash::FxHashMap;
use scuro_core::{Game, Key, Node, Player, Random, Turn};

use crate::carry::Stand;
use crate::explore::{Explore, Spread, Visits, draw};
use crate::gadget::Gadget;
use crate::solve::{Method, Solver, Start, Updates};
use crate::tree::{BUSY, END, Event, InfosetId, LEAF, NodeId, Tree};

/// What positions are worth.
pub trait Evaluate<G: Game> {
    /// Appends for every action at `state` what its child is worth to player one, and whether the game is over there.
    fn children(&mut self, game: &G, state: &G::State, actions: &[G::Action], out: &mut Vec<(f64, bool)>);
}

/// Ends are worth their payoff, and everything else nothing: for games that are grown to their ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct EndsOnly;

impl<G: Game> Evaluate<G> for EndsOnly {
    fn children(&mut self, game: &G, state: &G::State, actions: &[G::Action], out: &mut Vec<(f64, bool)>) {
        out.extend(actions.iter().map(|&action| match game.turn(&game.play(state, action)) {
            Turn::Over(payoff) => (payoff, true),
            _ => (0.0, false),
        }));
    }
}

/// An expanded node.
#[derive(Clone, Debug)]
pub(crate) struct Place<S> {
    pub(crate) node: Node<S>,
    /// Both players' last own actions, as places of the tree.
    pub(crate) last: [Option<u32>; 2],
    pub(crate) class: u32,
    /// Whether it stands below the infoset that I am in.
    pub(crate) mine: bool,
    pub(crate) depth: u16,
    /// After how many iterations it was made.
    pub(crate) born: u64,
}

/// A root of the subgame.
#[derive(Clone, Debug)]
pub(crate) struct Root<S> {
    pub(crate) node: Node<S>,
    /// Whether it is in the infoset that I am in.
    pub(crate) mine: bool,
}

/// A leaf whose children shall be made.
#[derive(Clone)]
pub struct Leaf<G: Game> {
    id: NodeId,
    from: Origin<G>,
    last: [Option<u32>; 2],
    class: u32,
    mine: bool,
    depth: u16,
    above: Option<u32>,
}

/// How to come to a leaf.
#[derive(Clone)]
enum Origin<G: Game> {
    Root(Node<G::State>),
    Child(Node<G::State>, G::Action),
}

/// The inner node above another one, and which of its children that is.
type Above = (u32, usize);

/// A leaf with its children.
#[derive(Clone)]
pub struct Made<G: Game> {
    leaf: Leaf<G>,
    node: Node<G::State>,
    turn: Turn,
    actions: Vec<G::Action>,
    chances: Vec<f64>,
    children: Vec<(f64, bool)>,
}

/// A subgame with its solver.
#[derive(Clone)]
pub struct Growth<G: Game> {
    pub(crate) me: Player,
    pub(crate) solver: Solver<Tree>,
    /// `None` for a game that is looked at from its start.
    pub(crate) gadget: Option<Gadget>,
    pub(crate) roots: Vec<Root<G::State>>,
    /// The roots of each class.
    pub(crate) members: Vec<Vec<u32>>,
    /// By inner node.
    pub(crate) places: Vec<Place<G::State>>,
    pub(crate) infosets: [FxHashMap<Key, InfosetId>; 2],
    /// By place of the tree.
    pub(crate) actions: Vec<G::Action>,
    /// By inner node what chance can draw there.
    pub(crate) draws: FxHashMap<u32, Vec<G::Action>>,
    /// By infoset.
    pub(crate) visits: Vec<Visits>,
    root_visits: Visits,
    /// By infoset its class.
    pub(crate) classes: Vec<u32>,
    /// Whether my infosets that are not below the one I am in keep their strategies.
    pub(crate) freeze: bool,
    pub(crate) explore: Explore,
    pub(crate) spread: Spread,
    turn: usize,
    pub(crate) random: Random,
    pub(crate) expansions: u64,
}

impl<G: Game> Growth<G> {
    /// A subgame that starts in these nodes, each in a class, with a weight there, and with a value to player one.
    pub(crate) fn new(
        me: Player,
        roots: Vec<(Root<G::State>, u32, f64, f64)>,
        gadget: Option<Gadget>,
        seed: u64,
    ) -> Growth<G> {
        let classes = gadget.as_ref().map_or(1, |gadget| gadget.alternates.len());
        let values: Vec<f64> = roots.iter().map(|root| root.3).collect();
        let starts = roots.iter().enumerate().map(|(number, &(_, class, weight, _))| Start {
            node: NodeId::from_index(number),
            class,
            weight,
        });
        let starts: Vec<Start> = starts.collect();
        let mut members = vec![Vec::new(); classes];
        starts
            .iter()
            .enumerate()
            .for_each(|(number, start)| members[start.class as usize].push(number as u32));
        let tree = Tree::of_leaves(&values);
        let (method, updates) = (Method::PredictiveCfrPlus, Updates::Alternating);
        Growth {
            me,
            solver: Solver::of_subgame(tree, method, updates, starts, classes),
            gadget,
            roots: roots.into_iter().map(|root| root.0).collect(),
            members,
            places: Vec::new(),
            infosets: Default::default(),
            actions: Vec::new(),
            draws: FxHashMap::default(),
            visits: Vec::new(),
            root_visits: Visits::default(),
            classes: Vec::new(),
            freeze: false,
            explore: Explore::One,
            spread: Spread::Variance,
            turn: 0,
            random: Random::new(seed),
            expansions: 0,
        }
    }

    /// How many nodes the tree has.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.solver.tree.nodes()
    }

    /// How much memory the tree takes with all that belongs to it, in bytes; a little more rather than less.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let (places, infosets) = (self.solver.tree.slots(), self.solver.tree.infosets().len());
        self.solver.tree.bytes()
            + self.solver.bytes()
            + self.places.len() * (size_of::<Place<G::State>>() + 128)
            + places * (size_of::<G::Action>() + size_of::<[f64; 3]>())
            + infosets * (size_of::<Visits>() + 2 * size_of::<(Key, InfosetId)>())
    }

    /// How many nodes the solver has visited.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.solver.visits()
    }

    /// How many leaves were expanded.
    #[must_use]
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The root; `None` for a game that is looked at from its start.
    #[must_use]
    pub fn gadget(&self) -> Option<&Gadget> {
        self.gadget.as_ref()
    }

    /// One iteration of the solver: my side, theirs, then the root. False if its time ran out.
    pub fn iterate(&mut self) -> bool {
        let them = self.me.other();
        if let Some(gadget) = &self.gadget {
            self.solver.entries[self.me.index()].copy_from_slice(&gadget.weights);
        }
        self.solver.begin();
        if !(self.solver.side(self.me) && self.solver.side(them)) {
            return false;
        }
        if let Some(gadget) = &mut self.gadget {
            gadget.update(self.solver.worth[them.index()].iter().map(|worth| -worth));
        }
        true
    }

    /// Looks for a leaf to expand, the sides exploring in turn; `None` if the descent meets a node that is new, busy
    /// or ended.
    pub fn descend(&mut self) -> Option<Leaf<G>> {
        let explorer = Player::BOTH[self.turn % 2];
        self.turn += 1;
        let class = self.pick_class(explorer);
        let weights: Vec<f64> =
            self.members[class].iter().map(|&root| self.solver.starts[root as usize].weight).collect();
        let root = self.members[class][draw(&weights, &mut self.random)];
        let mut node = self.solver.starts[root as usize].node;
        let mut above: Option<Above> = None;
        loop {
            match self.solver.tree.links[node.index()] {
                END | BUSY => return None,
                LEAF => break,
                inner if self.places[inner as usize].born == self.solver.iterations() => return None,
                inner => {
                    let action = self.pick(node, explorer);
                    above = Some((inner, action));
                    node = NodeId::from_index(
                        self.solver.tree.inners[inner as usize].first_child as usize + action,
                    );
                }
            }
        }
        Some(self.claim(node, root, above))
    }

    /// Leaves whose children will not come are leaves again.
    pub(crate) fn give_back(&mut self) {
        self.solver.tree.links.iter_mut().filter(|link| **link == BUSY).for_each(|link| *link = LEAF);
    }

    /// Marks a leaf as busy and tells how to come to it.
    fn claim(&mut self, id: NodeId, root: u32, above: Option<Above>) -> Leaf<G> {
        self.solver.tree.links[id.index()] = BUSY;
        let Some((inner, number)) = above else {
            let Root { node, mine } = &self.roots[root as usize];
            let class = self.solver.starts[root as usize].class;
            let from = Origin::Root(node.clone());
            return Leaf { id, from, last: [None; 2], class, mine: *mine, depth: 0, above: None };
        };
        let place = &self.places[inner as usize];
        let mut last = place.last;
        let (player, first) =
            (self.solver.tree.inners[inner as usize].player, self.solver.tree.inners[inner as usize].place);
        let action = match player {
            Some(player) => {
                last[player.index()] = Some(first + number as u32);
                self.actions[first as usize + number]
            }
            None => self.draws[&inner][number],
        };
        let from = Origin::Child(place.node.clone(), action);
        let (class, mine, depth) = (place.class, place.mine, place.depth + 1);
        Leaf { id, from, last, class, mine, depth, above: Some(inner) }
    }

    /// The class that a descent goes to. They explore it as an infoset of theirs; I take it as it comes.
    fn pick_class(&mut self, explorer: Player) -> usize {
        let Some(gadget) = &self.gadget else { return 0 };
        let theirs = explorer != self.me || self.explore == Explore::Two;
        if !theirs {
            return draw(&gadget.weights, &mut self.random);
        }
        self.root_visits.pick(&gadget.weights, &gadget.utilities, self.spread, &mut self.random)
    }

    /// The child that a descent goes to.
    fn pick(&mut self, node: NodeId, explorer: Player) -> usize {
        let tree = &self.solver.tree;
        match tree.event(node) {
            Event::Chance(place) => {
                let count = tree.children(node).len();
                draw(&tree.chances(place)[..count], &mut self.random)
            }
            Event::Choice(id) => {
                let infoset = tree.infoset(id);
                let strategy = &self.solver.strategy.0[infoset.slots()];
                if infoset.player != explorer && self.explore == Explore::One {
                    return draw(strategy, &mut self.random);
                }
                let qualities = &self.solver.qualities[infoset.slots()];
                self.visits[id.index()].pick(strategy, qualities, self.spread, &mut self.random)
            }
            Event::End(_) => 0,
        }
    }

    /// Makes the children of a leaf and values them.
    pub fn make(game: &G, evaluator: &mut impl Evaluate<G>, leaf: Leaf<G>) -> Made<G> {
        let node = match &leaf.from {
            Origin::Root(node) => node.clone(),
            Origin::Child(above, action) => above.play(game, *action),
        };
        let turn = game.turn(&node.state);
        let (mut actions, mut chances, mut children) = (Vec::new(), Vec::new(), Vec::new());
        game.actions(&node.state, &mut actions);
        if turn == Turn::Chance {
            game.chances(&node.state, &mut chances);
        }
        evaluator.children(game, &node.state, &actions, &mut children);
        Made { leaf, node, turn, actions, chances, children }
    }

    /// Takes the children of a leaf into the tree. A new infoset plays its best child until it has learnt.
    pub fn join(&mut self, made: Made<G>) {
        let Made { leaf, node, turn, actions, chances, children } = made;
        let Leaf { id, last, class, mine, depth, above, .. } = leaf;
        let stand = Stand { last, class, mine, depth, above };
        let infoset = match turn {
            Turn::Player(player) => {
                let key = node.keys[player.index()];
                Some(self.infosets[player.index()].get(&key).copied().unwrap_or_else(|| {
                    let frozen = self.freeze && player == self.me && !mine;
                    let id = self.add_infoset(player, key, &actions, stand, frozen);
                    self.start_on_best_child(id, &children);
                    id
                }))
            }
            _ => None,
        };
        let inner = self.solver.tree.expand(id, above, infoset, &chances, &children);
        if infoset.is_none() {
            self.draws.insert(inner, actions);
        }
        self.places.push(Place { node, last, class, mine, depth, born: self.solver.iterations() });
        self.expansions += 1;
    }

    /// A new infoset, whose first node stands there.
    pub(crate) fn add_infoset(
        &mut self,
        player: Player,
        key: Key,
        actions: &[G::Action],
        stand: Stand,
        frozen: bool,
    ) -> InfosetId {
        let id = self.solver.tree.add_infoset(player, actions.len(), stand.last[player.index()]);
        self.infosets[player.index()].insert(key, id);
        self.classes.push(stand.class);
        self.visits.push(Visits::default());
        self.actions.extend(actions);
        let classes = &self.classes;
        self.solver.follow_tree(|id| classes[id]);
        self.solver.frozen[id.index()] = frozen;
        id
    }

    fn start_on_best_child(&mut self, id: InfosetId, children: &[(f64, bool)]) {
        let infoset = self.solver.tree.infoset(id);
        let sign = if infoset.player == Player::One { 1.0 } else { -1.0 };
        let mut best = 0;
        for (number, (value, _)) in children.iter().enumerate() {
            self.solver.qualities[infoset.slots().start + number] = sign * value;
            if sign * value > sign * children[best].0 {
                best = number;
            }
        }
        self.solver.strategy.0[infoset.slots().start + best] = 1.0;
    }

    /// Expands one root of my infoset, or if none is mine the first.
    pub fn grow_root(&mut self, game: &G, evaluator: &mut impl Evaluate<G>) {
        let root = self.roots.iter().position(|root| root.mine).unwrap_or(0);
        let node = NodeId::from_index(root);
        if self.solver.tree.links[root] == LEAF {
            let leaf = self.claim(node, root as u32, None);
            self.join(Growth::make(game, evaluator, leaf));
        }
    }

    /// Grows the whole subgame: every leaf gets its children, until there are none or the tree has `most` nodes.
    pub fn grow_all(&mut self, game: &G, evaluator: &mut impl Evaluate<G>, most: usize) {
        let mut open: Vec<(NodeId, u32, Option<Above>)> =
            (0..self.roots.len()).map(|root| (NodeId::from_index(root), root as u32, None)).collect();
        while let Some((node, root, above)) = open.pop() {
            let inner = match self.solver.tree.links[node.index()] {
                END | BUSY => continue,
                LEAF if self.nodes() >= most => continue,
                LEAF => {
                    let leaf = self.claim(node, root, above);
                    self.join(Growth::make(game, evaluator, leaf));
                    self.places.len() as u32 - 1
                }
                inner => inner,
            };
            let children = self.solver.tree.children(node).enumerate();
            open.extend(children.map(|(number, child)| (child, root, Some((inner, number)))));
        }
    }

    /// What `node` is worth to player one if both follow their strategies.
    pub(crate) fn value(&self, node: NodeId) -> f64 {
        self.solver.strategy.value_at(&self.solver.tree, node)
    }
}
