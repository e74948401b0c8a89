//! The game tree that solvers work on: nodes in one array, the children of a node side by side.
//!
//! A node has a payoff and a link. An end needs no more, and most nodes are ends; the link of any other leads to
//! who acts there, at which infoset, and where its children are. What players choose is kept by infoset: all
//! numbers of an infoset are contiguous, at the place `Infoset::first` of any table that has one entry an action.

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

    /// The number, for tables with one entry a node.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl InfosetId {
    /// The number, for tables with one entry an infoset.
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
    /// Nature draws; the probabilities of the children start at this place of [`Tree::chances`].
    Chance(u32),
    /// The player of this infoset chooses.
    Choice(InfosetId),
}

/// What a traversal needs at a node that is not an end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inner {
    pub(crate) first_child: u32,
    /// Where the weights of the children start: among the chances, or among the places of the actions.
    pub(crate) place: u32,
    pub(crate) infoset: InfosetId,
    pub(crate) children: u16,
    /// Who chooses; nobody at a draw of nature.
    pub(crate) player: Option<Player>,
    /// Whether a child has children. Most nodes of a tree that grows have none: a traversal ends there without looking
    /// at their links.
    pub(crate) open: bool,
}

const _: () = assert!(size_of::<Inner>() == 16);

/// The link of an end.
pub(crate) const END: u32 = u32::MAX;

/// The link of a node whose children are being made.
pub(crate) const BUSY: u32 = u32::MAX - 1;

/// The link of a node at which the game goes on, but whose children are not there; links below lead to inner nodes.
pub(crate) const LEAF: u32 = u32::MAX - 2;

/// An infoset at which a player chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infoset {
    /// Who chooses.
    pub player: Player,
    /// How many actions there are.
    pub actions: u32,
    /// Where its numbers start in tables with one entry an action.
    pub first: u32,
    /// The player's own action before this infoset, as a place in such a table; `None` if this is her first.
    pub before: Option<u32>,
}

impl Infoset {
    /// The places of its actions.
    #[must_use]
    pub fn slots(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.actions) as usize
    }
}

/// A game that has been written out in full.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The payoffs of the ends, zero for all other nodes.
    pub(crate) payoffs: Vec<f64>,
    /// For each node its number among the inner nodes, or [`END`].
    pub(crate) links: Vec<u32>,
    pub(crate) inners: Vec<Inner>,
    chances: Vec<f64>,
    /// Infosets stand behind those that come before them in a play.
    infosets: Vec<Infoset>,
    places: usize,
}

/// How many plies a game that is written out has at most. Trees are walked recursively: one of this depth takes a
/// stack of some megabytes.
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
    /// A history of the infoset has other actions than the first one.
    #[error("two histories of one infoset of player {player:?} offer different actions")]
    Actions {
        /// Whose infoset.
        player: Player,
    },
    /// A player forgets what she did.
    #[error("player {player:?} does not remember her own actions")]
    Recall {
        /// Who.
        player: Player,
    },
}

impl Tree {
    /// Writes out `game`, of at most `limit` nodes. `name` is shown every infoset when it is first met, with a
    /// state in it.
    ///
    /// # Errors
    /// If it is larger, deeper than [`MOST_PLIES`], or breaks a law that a solver relies on.
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

    /// Nodes without children, of these values to player one: the roots of a subgame.
    #[must_use]
    pub(crate) fn of_leaves(values: &[f64]) -> Tree {
        let mut tree = Tree::default();
        tree.payoffs.extend(values);
        tree.links.resize(values.len(), LEAF);
        tree
    }

    /// A new infoset.
    pub(crate) fn add_infoset(&mut self, player: Player, actions: usize, before: Option<u32>) -> InfosetId {
        let id = InfosetId(self.infosets.len() as u32);
        self.infosets.push(Infoset { player, actions: actions as u32, first: self.places as u32, before });
        self.places += actions;
        id
    }

    /// Gives a leaf below an inner node children: of an infoset, or drawn by these chances; each with its value to
    /// player one and whether the game is over there. Returns the number of the new inner node.
    pub(crate) fn expand(
        &mut self,
        leaf: NodeId,
        above: Option<u32>,
        infoset: Option<InfosetId>,
        chances: &[f64],
        children: &[(f64, bool)],
    ) -> u32 {
        let (player, place, infoset) = match infoset {
            Some(id) => (Some(self.infoset(id).player), self.infoset(id).first, id),
            None => (None, self.chances.len() as u32, InfosetId(END)),
        };
        self.chances.extend(chances);
        let number = self.inners.len() as u32;
        let first_child = self.links.len() as u32;
        let count = children.len() as u16;
        self.inners.push(Inner { first_child, place, infoset, children: count, player, open: false });
        if let Some(above) = above {
            self.inners[above as usize].open = true;
        }
        self.payoffs.extend(children.iter().map(|(value, _)| value));
        self.links.extend(children.iter().map(|(_, over)| if *over { END } else { LEAF }));
        self.payoffs[leaf.index()] = 0.0;
        self.links[leaf.index()] = number;
        number
    }

    /// The same tree with its payoffs counted as `scale` says.
    #[must_use]
    pub fn in_payoffs_of(mut self, scale: Scale) -> Tree {
        for (payoff, _) in self.payoffs.iter_mut().zip(&self.links).filter(|(_, link)| **link == END) {
            *payoff = scale.raw(*payoff);
        }
        self
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.links.len()
    }

    /// The infosets, each behind those that come before it in a play.
    #[must_use]
    pub fn infosets(&self) -> &[Infoset] {
        &self.infosets
    }

    /// All infosets, by number, in the same order.
    pub fn infoset_ids(&self) -> impl Iterator<Item = InfosetId> + use<> {
        (0..self.infosets.len() as u32).map(InfosetId)
    }

    /// All nodes; a node stands behind those that lead to it.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.links.len() as u32).map(NodeId)
    }

    /// How many entries a table with one entry an action has.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.places
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// What happens at `node`.
    #[must_use]
    #[inline]
    pub fn event(&self, node: NodeId) -> Event {
        match self.inner(node) {
            None => Event::End(self.payoffs[node.index()]),
            Some(Inner { place, player: None, .. }) => Event::Chance(*place),
            Some(Inner { infoset, .. }) => Event::Choice(*infoset),
        }
    }

    fn inner(&self, node: NodeId) -> Option<&Inner> {
        self.inners.get(self.links[node.index()] as usize)
    }

    /// The children of `node`, in the order of the actions.
    #[inline]
    pub fn children(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        let (first, count) =
            self.inner(node).map_or((0, 0), |inner| (inner.first_child, u32::from(inner.children)));
        (first..first + count).map(NodeId)
    }

    /// Adds `nodes` nodes, ends for now.
    fn grow(&mut self, nodes: usize) {
        let size = self.links.len() + nodes;
        self.payoffs.resize(size, 0.0);
        self.links.resize(size, END);
    }

    /// The infoset of this number.
    #[must_use]
    #[inline]
    pub fn infoset(&self, id: InfosetId) -> Infoset {
        self.infosets[id.index()]
    }

    /// The probabilities of the children of a chance node whose event is at `place`.
    #[must_use]
    #[inline]
    pub fn chances(&self, place: u32) -> &[f64] {
        &self.chances[place as usize..]
    }

    /// How much memory the tree takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.payoffs[..])
            + size_of_val(&self.links[..])
            + size_of_val(&self.inners[..])
            + size_of_val(&self.chances[..])
            + size_of_val(&self.infosets[..])
    }
}

/// Writes the nodes of a game, the children of each side by side.
struct Writer<'g, G: Game, N> {
    game: &'g G,
    limit: usize,
    tree: Tree,
    known: [FxHashMap<Key, InfosetId>; 2],
    offered: Vec<Vec<G::Action>>,
    name: N,
}

impl<G: Game, N: FnMut(InfosetId, &G::State, &[G::Action])> Writer<'_, G, N> {
    /// Fills in the node of number `place`; `before` are both players' last own actions, and so many plies.
    fn write(
        &mut self,
        place: usize,
        node: &Node<G::State>,
        before: [Option<u32>; 2],
        plies: usize,
    ) -> Result<(), TreeError> {
        let turn = self.game.turn(&node.state);
        if let Turn::Over(payoff) = turn {
            if payoff.is_nan() || payoff.abs() > 1.0 {
                return Err(TreeError::Payoff { payoff });
            }
            self.tree.payoffs[place] = payoff;
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
        let (player, infoset, weights) = if let Turn::Player(player) = turn {
            let id = self.infoset(player, node, &actions, before[player.index()])?;
            (Some(player), id, self.tree.infoset(id).first)
        } else {
            let weights = self.tree.chances.len() as u32;
            self.game.chances(&node.state, &mut self.tree.chances);
            (None, InfosetId(END), weights)
        };
        let first = first_child as u32;
        let inner = Inner { first_child: first, place: weights, infoset, children, player, open: false };
        let number = self.tree.inners.len();
        self.tree.links[place] = number as u32;
        self.tree.inners.push(inner);
        self.tree.grow(actions.len());
        for (i, &action) in actions.iter().enumerate() {
            let mut own = before;
            if let Some(player) = player {
                own[player.index()] = Some(weights + i as u32);
            }
            self.write(first_child + i, &node.play(self.game, action), own, plies + 1)?;
            self.tree.inners[number].open |= self.tree.links[first_child + i] != END;
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
            let infoset =
                Infoset { player, actions: actions.len() as u32, first: tree.places as u32, before };
            tree.infosets.push(infoset);
            tree.places += actions.len();
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
