//! The subgame of a turn: its tree, its roots, its gadget and its solver.
//!
//! A subgame starts at many nodes. Each belongs to a *class*, an infoset of theirs by which they come in, and has a
//! weight there. How a subgame grows is in [`grow`](crate::grow), how it is carried over to the next turn in
//! [`carry`](crate::carry).

use rustc_hash::FxHashMap;
use scuro_core::{Game, Key, Node, Player, Random};

use crate::explore::{Explore, Spread, Visits};
use crate::gadget::Gadget;
use crate::solve::{Method, Solver, Updates};
use crate::tree::{InfosetId, InnerId, NodeId, Start, Tree};

/// How a subgame is grown and solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubgameSettings {
    /// Whether my infosets that are not below the one I am in keep their strategies.
    pub freeze: bool,
    /// Which side explores.
    pub explore: Explore,
    /// How the spread of values is measured.
    pub spread: Spread,
    /// Whether the average of all strategies is kept.
    pub averaging: bool,
    /// The seed of the descents.
    pub seed: u64,
}

/// Where a node is in a subgame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeContext {
    /// The slots of both players' last own actions.
    pub(crate) last: [Option<u32>; 2],
    pub(crate) class: u32,
    /// Whether it is below the infoset that I am in.
    pub(crate) mine: bool,
    pub(crate) depth: u16,
}

/// What is kept of an expanded node.
#[derive(Clone, Debug)]
pub(crate) struct ExpandedNode<S> {
    pub(crate) node: Node<S>,
    pub(crate) context: NodeContext,
    /// The number of iterations done when it was expanded.
    pub(crate) born: u64,
}

/// A root of a subgame.
#[derive(Clone, Debug)]
pub(crate) struct Root<S> {
    pub(crate) node: Node<S>,
    /// Whether it is in the infoset that I am in.
    pub(crate) mine: bool,
    /// The class it belongs to.
    pub(crate) class: u32,
    /// Its weight inside the class.
    pub(crate) weight: f64,
    /// Its value to player one, as long as it is not expanded.
    pub(crate) value: f64,
}

impl<S> Root<S> {
    /// The context of the root.
    pub(crate) fn context(&self) -> NodeContext {
        NodeContext { last: [None; 2], class: self.class, mine: self.mine, depth: 0 }
    }
}

/// A subgame with its solver.
#[derive(Clone)]
pub struct Subgame<G: Game> {
    pub(crate) me: Player,
    pub(crate) settings: SubgameSettings,
    pub(crate) solver: Solver<Tree>,
    /// `None` for a game that is searched from its start.
    pub(crate) gadget: Option<Gadget>,
    /// The roots, which are the first nodes of the tree.
    pub(crate) roots: Vec<Root<G::State>>,
    /// By class its roots.
    pub(crate) members: Vec<Vec<u32>>,
    /// By inner node.
    pub(crate) expanded: Vec<ExpandedNode<G::State>>,
    /// By player.
    pub(crate) infosets: [FxHashMap<Key, InfosetId>; 2],
    /// By slot.
    pub(crate) actions: Vec<G::Action>,
    /// What nature can draw at an inner node.
    pub(crate) draws: FxHashMap<InnerId, Vec<G::Action>>,
    /// By infoset.
    pub(crate) visits: Vec<Visits>,
    pub(crate) root_visits: Visits,
    /// By infoset its class.
    pub(crate) classes: Vec<u32>,
    /// The number of descents so far.
    pub(crate) descents: usize,
    pub(crate) random: Random,
    pub(crate) expansions: u64,
}

impl<G: Game> Subgame<G> {
    /// A subgame with these roots, of which none is expanded.
    pub(crate) fn new(
        me: Player,
        roots: Vec<Root<G::State>>,
        gadget: Option<Gadget>,
        settings: SubgameSettings,
    ) -> Subgame<G> {
        let classes = gadget.as_ref().map_or(1, |gadget| gadget.alternates.len());
        let mut members = vec![Vec::new(); classes];
        let mut starts = Vec::with_capacity(roots.len());
        for (number, root) in roots.iter().enumerate() {
            members[root.class as usize].push(number as u32);
            let node = NodeId::from_index(number);
            starts.push(Start { node, class: root.class, weight: root.weight });
        }
        let values: Vec<f64> = roots.iter().map(|root| root.value).collect();
        let tree = Tree::of_leaves(&values);
        let (method, updates) = (Method::PredictiveCfrPlus, Updates::Alternating);
        let mut solver = Solver::of_subgame(tree, method, updates, starts, classes);
        solver.averaging = settings.averaging;
        Subgame {
            me,
            settings,
            solver,
            gadget,
            roots,
            members,
            expanded: Vec::new(),
            infosets: Default::default(),
            actions: Vec::new(),
            draws: FxHashMap::default(),
            visits: Vec::new(),
            root_visits: Visits::default(),
            classes: Vec::new(),
            descents: 0,
            random: Random::new(settings.seed),
            expansions: 0,
        }
    }

    /// Returns the number of nodes of the tree.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.solver.tree.nodes()
    }

    /// Returns the memory that the subgame takes, in bytes: an estimate, rather too high than too low.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let (slots, infosets) = (self.solver.tree.slots(), self.solver.tree.infosets().len());
        self.solver.tree.bytes()
            + self.solver.bytes()
            + self.expanded.len() * (size_of::<ExpandedNode<G::State>>() + 128)
            + slots * (size_of::<G::Action>() + size_of::<[f64; 3]>())
            + infosets * (size_of::<Visits>() + 2 * size_of::<(Key, InfosetId)>())
    }

    /// Returns the number of nodes that the solver has visited.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.solver.visits()
    }

    /// Returns the number of leaves that were expanded.
    #[must_use]
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Returns the gadget; `None` for a game that is searched from its start.
    #[must_use]
    pub fn gadget(&self) -> Option<&Gadget> {
        self.gadget.as_ref()
    }

    /// Does one iteration of the solver: my side, theirs, then the gadget. Returns false if the time ran out.
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

    /// Adds an infoset, whose first node has this context.
    pub(crate) fn add_infoset(
        &mut self,
        player: Player,
        key: Key,
        actions: &[G::Action],
        context: NodeContext,
    ) -> InfosetId {
        let id = self.solver.tree.add_infoset(player, actions.len(), context.last[player.index()]);
        self.infosets[player.index()].insert(key, id);
        self.classes.push(context.class);
        self.visits.push(Visits::default());
        self.actions.extend(actions);
        let classes = &self.classes;
        self.solver.follow_tree(|id| classes[id]);
        self.solver.frozen[id.index()] = self.settings.freeze && player == self.me && !context.mine;
        id
    }

    /// Returns the value of `node` to player one if both follow their strategies.
    pub(crate) fn value(&self, node: NodeId) -> f64 {
        self.solver.strategy.value_at(&self.solver.tree, node)
    }

    /// Returns the weight of a class in the gadget's root strategy, 1 if there is no gadget.
    pub(crate) fn class_weight(&self, class: u32) -> f64 {
        self.gadget.as_ref().map_or(1.0, |gadget| gadget.weights[class as usize])
    }
}
