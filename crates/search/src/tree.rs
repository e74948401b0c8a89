//! The game tree that solvers work on: nodes in one array, the children of a node side by side.
//!
//! A node has a payoff and a link. The link says whether the node is an end, a leaf or an inner node (`NodeState`);
//! most nodes are ends or leaves and need no more. The link of an inner node leads to who acts there, at which infoset,
//! and where its children are. The actions of all infosets have *slots*: the numbers of an infoset are contiguous and
//! start at the slot [`Infoset::first`] of any table with one entry per action.

use rustc_hash::FxHashMap;
use scuro_core::game::Scale;
use scuro_core::{Game, Key, Node, Player, Turn};
use thiserror::Error;

/// A node of a [`Tree`], by its number. The root is number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// An infoset of a [`Tree`], by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InfosetId(u32);

impl NodeId {
    /// The node of this number.
    pub(crate) fn from_index(index: usize) -> NodeId {
        NodeId(index as u32)
    }

    /// The number, for tables with one entry per node.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl InfosetId {
    /// Stands where there is no infoset: nature draws.
    const NONE: InfosetId = InfosetId(u32::MAX);

    /// The number, for tables with one entry per infoset.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What happens at a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The game is over: the payoff to player one.
    End(f64),
    /// The game goes on, but the children are not in the tree: the estimated value to player one.
    Leaf(f64),
    /// Nature draws; the probabilities of the children start at this index of [`Tree::chances`].
    Chance(u32),
    /// The player of this infoset chooses.
    Choice(InfosetId),
}

/// An inner node of a [`Tree`], by its number among the inner nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct InnerId(u32);

impl InnerId {
    /// The number, for tables with one entry per inner node.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeState {
    /// The game is over.
    End,
    /// The game goes on, but the children are not in the tree.
    Leaf,
    /// A leaf whose children are being made.
    Busy,
    /// A node with children.
    Inner(InnerId),
}

/// A [`NodeState`] in one word: the number of an inner node, or one of three values above all numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link(u32);

impl Link {
    pub(crate) const END: Link = Link(u32::MAX);
    const BUSY: Link = Link(u32::MAX - 1);
    pub(crate) const LEAF: Link = Link(u32::MAX - 2);

    /// The link to the inner node of this number.
    pub(crate) fn to_inner(index: usize) -> Link {
        Link(index as u32)
    }

    /// The inner node, if this is one.
    #[inline]
    pub(crate) fn inner(self) -> Option<InnerId> {
        (self.0 < Link::LEAF.0).then_some(InnerId(self.0))
    }

    #[inline]
    pub(crate) fn state(self) -> NodeState {
        match self {
            Link::END => NodeState::End,
            Link::BUSY => NodeState::Busy,
            Link::LEAF => NodeState::Leaf,
            Link(number) => NodeState::Inner(InnerId(number)),
        }
    }
}

/// What a traversal needs at an inner node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inner {
    pub(crate) first_child: u32,
    /// Where the weights of the children start: an index of the chances, or a slot.
    pub(crate) first_weight: u32,
    pub(crate) infoset: InfosetId,
    pub(crate) children: u16,
    /// The player who chooses; `None` where nature draws.
    pub(crate) player: Option<Player>,
    /// Whether a child has children. Most inner nodes of a growing tree have leaves only: there a traversal need not
    /// look at the links.
    pub(crate) open: bool,
}

const _: () = assert!(size_of::<Inner>() == 16);

/// Where a walk over a tree starts: a whole game at its root, a subgame at many nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The node.
    pub node: NodeId,
    /// The class of the other side that it belongs to.
    pub class: u32,
    /// Its weight inside the class.
    pub weight: f64,
}

/// An infoset at which a player chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infoset {
    /// The player who chooses.
    pub player: Player,
    /// The number of actions.
    pub actions: u32,
    /// The slot of its first action.
    pub first: u32,
    /// The slot of the player's own action before this infoset; `None` if there is none.
    pub before: Option<u32>,
}

impl Infoset {
    /// Returns the slots of its actions.
    #[must_use]
    pub fn slots(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.actions) as usize
    }
}

/// A game that has been written out in full.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// By node: the payoff of an end, the value of a leaf, zero at an inner node.
    pub(crate) payoffs: Vec<f64>,
    /// By node.
    pub(crate) links: Vec<Link>,
    pub(crate) inners: Vec<Inner>,
    chances: Vec<f64>,
    /// An infoset comes after those that precede it in a play.
    infosets: Vec<Infoset>,
    slots: usize,
}

/// The most plies of a game that is written out. Trees are walked recursively: one of this depth takes a stack of some
/// megabytes.
pub const MOST_PLIES: usize = 10_000;

/// Why a game cannot be written out.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum TreeError {
    /// More nodes than allowed.
    #[error("the game has more than {limit} nodes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// More plies than allowed.
    #[error("the game has more than {MOST_PLIES} plies")]
    TooDeep,
    /// An end pays more than it may.
    #[error("an end pays {payoff}, which is not in [-1, 1]")]
    Payoff {
        /// The payoff.
        payoff: f64,
    },
    /// More children of one node than it has room for.
    #[error("a node has more than {} children", u16::MAX)]
    TooWide,
    /// Two histories of one infoset have different actions.
    #[error("two histories of one infoset of player {player:?} offer different actions")]
    Actions {
        /// The player of the infoset.
        player: Player,
    },
    /// A player forgets its own actions.
    #[error("player {player:?} does not remember its own actions")]
    Recall {
        /// The player.
        player: Player,
    },
}

impl Tree {
    /// Writes out `game`, which may have at most `limit` nodes. `name` is called once for every infoset, with a state of
    /// it.
    ///
    /// # Errors
    /// If the game is larger, deeper than [`MOST_PLIES`], or breaks a law that a solver relies on.
    pub fn of_game<G: Game>(
        game: &G,
        limit: usize,
        name: impl FnMut(InfosetId, &G::State, &[G::Action]),
    ) -> Result<Tree, TreeError> {
        let mut writer = Writer {
            game,
            limit,
            tree: Tree::default(),
            known: Default::default(),
            offered: Vec::new(),
            name,
        };
        writer.tree.grow(1);
        writer.write(0, &Node::start(game), [None; 2], 0)?;
        Ok(writer.tree)
    }

    /// Returns a tree of leaves with these values to player one: the roots of a subgame.
    #[must_use]
    pub(crate) fn of_leaves(values: &[f64]) -> Tree {
        let mut tree = Tree::default();
        tree.payoffs.extend(values);
        tree.links.resize(values.len(), Link::LEAF);
        tree
    }

    /// Adds an infoset.
    pub(crate) fn add_infoset(&mut self, player: Player, actions: usize, before: Option<u32>) -> InfosetId {
        let id = InfosetId(self.infosets.len() as u32);
        self.infosets.push(Infoset { player, actions: actions as u32, first: self.slots as u32, before });
        self.slots += actions;
        id
    }

    /// Gives a leaf children, each with its value to player one and whether the game is over there: those of an
    /// infoset, or if there is none, drawn with these chances. `above` is the inner node above the leaf. Returns the
    /// new inner node.
    pub(crate) fn expand(
        &mut self,
        leaf: NodeId,
        above: Option<InnerId>,
        infoset: Option<InfosetId>,
        chances: &[f64],
        children: &[(f64, bool)],
    ) -> InnerId {
        let (player, first_weight, infoset) = match infoset {
            Some(id) => (Some(self.infoset(id).player), self.infoset(id).first, id),
            None => (None, self.chances.len() as u32, InfosetId::NONE),
        };
        self.chances.extend(chances);
        let id = InnerId(self.inners.len() as u32);
        let first_child = self.links.len() as u32;
        let count = children.len() as u16;
        self.inners.push(Inner { first_child, first_weight, infoset, children: count, player, open: false });
        if let Some(above) = above {
            self.inners[above.index()].open = true;
        }
        self.payoffs.extend(children.iter().map(|(value, _)| value));
        self.links.extend(children.iter().map(|(_, over)| if *over { Link::END } else { Link::LEAF }));
        self.payoffs[leaf.index()] = 0.0;
        self.links[leaf.index()] = Link(id.0);
        id
    }

    /// Marks a leaf as busy: its children are being made.
    pub(crate) fn mark_busy(&mut self, leaf: NodeId) {
        self.links[leaf.index()] = Link::BUSY;
    }

    /// Turns all busy nodes into leaves again.
    pub(crate) fn release_busy(&mut self) {
        self.links.iter_mut().filter(|link| **link == Link::BUSY).for_each(|link| *link = Link::LEAF);
    }

    /// Returns the same tree with the payoffs of its ends converted by `scale`.
    #[must_use]
    pub fn in_payoffs_of(mut self, scale: Scale) -> Tree {
        for (payoff, _) in self.payoffs.iter_mut().zip(&self.links).filter(|(_, link)| **link == Link::END) {
            *payoff = scale.raw(*payoff);
        }
        self
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.links.len()
    }

    /// Returns the infosets, each after those that precede it in a play.
    #[must_use]
    pub fn infosets(&self) -> &[Infoset] {
        &self.infosets
    }

    /// Returns the numbers of all infosets, in the same order.
    pub fn infoset_ids(&self) -> impl DoubleEndedIterator<Item = InfosetId> + use<> {
        (0..self.infosets.len() as u32).map(InfosetId)
    }

    /// Returns all nodes, each after those that lead to it.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.links.len() as u32).map(NodeId)
    }

    /// Returns the number of slots: the length of a table with one entry per action.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Returns the root.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Returns what happens at `node`.
    #[must_use]
    #[inline]
    pub fn event(&self, node: NodeId) -> Event {
        match self.state(node) {
            NodeState::End => Event::End(self.payoffs[node.index()]),
            NodeState::Leaf | NodeState::Busy => Event::Leaf(self.payoffs[node.index()]),
            NodeState::Inner(id) => {
                let inner = self.inner(id);
                inner.player.map_or(Event::Chance(inner.first_weight), |_| Event::Choice(inner.infoset))
            }
        }
    }

    /// Returns the kind of `node`.
    #[inline]
    pub(crate) fn state(&self, node: NodeId) -> NodeState {
        self.links[node.index()].state()
    }

    /// Returns the inner node of this number.
    #[inline]
    pub(crate) fn inner(&self, id: InnerId) -> &Inner {
        &self.inners[id.index()]
    }

    /// Returns the children of `node`, in the order of the actions.
    #[inline]
    pub fn children(
        &self,
        node: NodeId,
    ) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<> {
        let inner = self.links[node.index()].inner().map(|id| self.inner(id));
        let (first, count) = inner.map_or((0, 0), |inner| (inner.first_child, u32::from(inner.children)));
        (first..first + count).map(NodeId)
    }

    /// Adds `nodes` nodes, ends for now.
    fn grow(&mut self, nodes: usize) {
        let size = self.links.len() + nodes;
        self.payoffs.resize(size, 0.0);
        self.links.resize(size, Link::END);
    }

    /// Returns the infoset of this number.
    #[must_use]
    #[inline]
    pub fn infoset(&self, id: InfosetId) -> Infoset {
        self.infosets[id.index()]
    }

    /// Returns the probabilities of the children of a chance node, of which the event says the `first`, and whatever
    /// comes after them.
    #[must_use]
    #[inline]
    pub fn chances(&self, first: u32) -> &[f64] {
        &self.chances[first as usize..]
    }

    /// Returns the memory that the tree takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.payoffs[..])
            + size_of_val(&self.links[..])
            + size_of_val(&self.inners[..])
            + size_of_val(&self.chances[..])
            + size_of_val(&self.infosets[..])
    }
}

/// Writes the nodes of a game, the children of a node side by side.
struct Writer<'g, G: Game, N> {
    game: &'g G,
    limit: usize,
    tree: Tree,
    known: [FxHashMap<Key, InfosetId>; 2],
    offered: Vec<Vec<G::Action>>,
    name: N,
}

impl<G: Game, N: FnMut(InfosetId, &G::State, &[G::Action])> Writer<'_, G, N> {
    /// Fills in the node number `number`, after so many plies; `before` are the slots of both players' last own
    /// actions.
    fn write(
        &mut self,
        number: usize,
        node: &Node<G::State>,
        before: [Option<u32>; 2],
        plies: usize,
    ) -> Result<(), TreeError> {
        let turn = self.game.turn(&node.state);
        if let Turn::Over(payoff) = turn {
            if payoff.is_nan() || payoff.abs() > 1.0 {
                return Err(TreeError::Payoff { payoff });
            }
            self.tree.payoffs[number] = payoff;
            return Ok(());
        }
        if plies == MOST_PLIES {
            return Err(TreeError::TooDeep);
        }
        let mut actions = Vec::new();
        self.game.actions(&node.state, &mut actions);
        let first_child = self.tree.links.len();
        if first_child + actions.len() > self.limit {
            return Err(TreeError::TooLarge { limit: self.limit });
        }
        let children = u16::try_from(actions.len()).map_err(|_| TreeError::TooWide)?;
        let (player, infoset, first_weight) = if let Turn::Player(player) = turn {
            let id = self.infoset(player, node, &actions, before[player.index()])?;
            (Some(player), id, self.tree.infoset(id).first)
        } else {
            let first = self.tree.chances.len() as u32;
            self.game.chances(&node.state, &mut self.tree.chances);
            (None, InfosetId::NONE, first)
        };
        let first = first_child as u32;
        let inner = Inner { first_child: first, first_weight, infoset, children, player, open: false };
        let inners = self.tree.inners.len();
        self.tree.links[number] = Link::to_inner(inners);
        self.tree.inners.push(inner);
        self.tree.grow(actions.len());
        for (i, &action) in actions.iter().enumerate() {
            let mut own = before;
            if let Some(player) = player {
                own[player.index()] = Some(first_weight + i as u32);
            }
            self.write(first_child + i, &node.play(self.game, action), own, plies + 1)?;
            self.tree.inners[inners].open |= self.tree.links[first_child + i] != Link::END;
        }
        Ok(())
    }

    fn infoset(
        &mut self,
        player: Player,
        node: &Node<G::State>,
        actions: &[G::Action],
        before: Option<u32>,
    ) -> Result<InfosetId, TreeError> {
        let tree = &mut self.tree;
        let fresh = InfosetId(tree.infosets.len() as u32);
        let id = *self.known[player.index()].entry(node.keys[player.index()]).or_insert(fresh);
        if id == fresh {
            let infoset = Infoset { player, actions: actions.len() as u32, first: tree.slots as u32, before };
            tree.infosets.push(infoset);
            tree.slots += actions.len();
            self.offered.push(actions.to_vec());
            (self.name)(id, &node.state, actions);
        } else if self.offered[id.index()] != actions {
            return Err(TreeError::Actions { player });
        } else if tree.infosets[id.index()].before != before {
            return Err(TreeError::Recall { player });
        }
        Ok(id)
    }
}
