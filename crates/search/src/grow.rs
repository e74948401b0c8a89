//! How a subgame grows while it is solved.
//!
//! A descent starts at a root and ends at a leaf, whose children are then made and evaluated. The exploring side tosses
//! a coin at each of its infosets: any action that it plays, or the one whose value and spread promise most; the other
//! side samples its strategy. A node that no traversal has passed yet is *new*, and nothing below it grows.
//!
//! Descents and the joining of new children happen between iterations of the solver, so the solver shares nothing.
//! Making and evaluating children, nearly all of the work, needs only the leaf ([`Subgame::make`]) and can be done on
//! any thread.

use scuro_core::{Game, Node, Player, Turn};

use crate::explore::{Explore, draw};
use crate::subgame::{ExpandedNode, NodeContext, Subgame};
use crate::tree::{Event, InfosetId, InnerId, NodeId, NodeState};

/// Evaluates positions.
pub trait Evaluate<G: Game> {
    /// Appends for every action at `state` the value of its child to player one, and whether the game is over there.
    fn children(&mut self, game: &G, state: &G::State, actions: &[G::Action], out: &mut Vec<(f64, bool)>);
}

/// Values ends by their payoff and everything else by 0: for games that are grown to their ends.
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

/// A leaf whose children are to be made.
#[derive(Clone)]
pub struct Leaf<G: Game> {
    id: NodeId,
    origin: Origin<G>,
    context: NodeContext,
    /// The inner node above it.
    above: Option<InnerId>,
}

/// How to get the position of a leaf.
#[derive(Clone)]
enum Origin<G: Game> {
    Root(Node<G::State>),
    Child(Node<G::State>, G::Action),
}

/// The inner node above another node, and the number of the child.
type Above = (InnerId, usize);

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

impl<G: Game> Subgame<G> {
    /// Looks for a leaf to expand, the sides exploring in turn. Returns `None` if the descent meets a node that is new,
    /// busy or ended.
    pub fn descend(&mut self) -> Option<Leaf<G>> {
        let explorer = Player::BOTH[self.descents % 2];
        self.descents += 1;
        let class = self.pick_class(explorer);
        let weights: Vec<f64> =
            self.members[class].iter().map(|&root| self.solver.starts[root as usize].weight).collect();
        let root = self.members[class][draw(&weights, &mut self.random)] as usize;
        let mut node = self.solver.starts[root].node;
        let mut above: Option<Above> = None;
        loop {
            match self.solver.tree.state(node) {
                NodeState::End | NodeState::Busy => return None,
                NodeState::Leaf => break,
                NodeState::Inner(id) if self.expanded[id.index()].born == self.solver.iterations() => {
                    return None;
                }
                NodeState::Inner(id) => {
                    let action = self.pick(node, explorer);
                    above = Some((id, action));
                    node = NodeId::from_index(self.solver.tree.inner(id).first_child as usize + action);
                }
            }
        }
        Some(self.claim(node, root, above))
    }

    /// Turns leaves whose children will not be joined into leaves again.
    pub(crate) fn give_back(&mut self) {
        self.solver.tree.release_busy();
    }

    /// Marks a leaf below a root as busy and returns it.
    fn claim(&mut self, id: NodeId, root: usize, above: Option<Above>) -> Leaf<G> {
        self.solver.tree.mark_busy(id);
        let Some((inner, number)) = above else {
            let root = &self.roots[root];
            return Leaf {
                id,
                origin: Origin::Root(root.node.clone()),
                context: root.context(),
                above: None,
            };
        };
        let parent = &self.expanded[inner.index()];
        let mut context = NodeContext { depth: parent.context.depth + 1, ..parent.context };
        let chooser = self.solver.tree.inner(inner);
        let action = match chooser.player {
            Some(player) => {
                context.last[player.index()] = Some(chooser.first_weight + number as u32);
                self.actions[chooser.first_weight as usize + number]
            }
            None => self.draws[&inner][number],
        };
        Leaf { id, origin: Origin::Child(parent.node.clone(), action), context, above: Some(inner) }
    }

    /// Picks the class that a descent enters. They explore it like an infoset of theirs; for me it is drawn by weight.
    fn pick_class(&mut self, explorer: Player) -> usize {
        let Some(gadget) = &self.gadget else { return 0 };
        let theirs = explorer != self.me || self.settings.explore == Explore::Two;
        if !theirs {
            return draw(&gadget.weights, &mut self.random);
        }
        self.root_visits.pick(&gadget.weights, &gadget.utilities, self.settings.spread, &mut self.random)
    }

    /// Picks the child that a descent goes to.
    fn pick(&mut self, node: NodeId, explorer: Player) -> usize {
        let tree = &self.solver.tree;
        match tree.event(node) {
            Event::Chance(first) => {
                let count = tree.children(node).len();
                draw(&tree.chances(first)[..count], &mut self.random)
            }
            Event::Choice(id) => {
                let infoset = tree.infoset(id);
                let strategy = &self.solver.strategy.0[infoset.slots()];
                if infoset.player != explorer && self.settings.explore == Explore::One {
                    return draw(strategy, &mut self.random);
                }
                let qualities = &self.solver.qualities[infoset.slots()];
                self.visits[id.index()].pick(strategy, qualities, self.settings.spread, &mut self.random)
            }
            Event::End(_) | Event::Leaf(_) => 0,
        }
    }

    /// Makes the children of a leaf and evaluates them.
    pub fn make(game: &G, evaluator: &mut impl Evaluate<G>, leaf: Leaf<G>) -> Made<G> {
        let node = match &leaf.origin {
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

    /// Adds the children of a leaf to the tree. A new infoset plays its best child until its first update.
    pub fn join(&mut self, made: Made<G>) {
        let Made { leaf: Leaf { id, context, above, .. }, node, turn, actions, chances, children } = made;
        let infoset = match turn {
            Turn::Player(player) => {
                let key = node.keys[player.index()];
                Some(self.infosets[player.index()].get(&key).copied().unwrap_or_else(|| {
                    let id = self.add_infoset(player, key, &actions, context);
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
        self.expanded.push(ExpandedNode { node, context, born: self.solver.iterations() });
        self.expansions += 1;
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

    /// Expands one root of my infoset, or the first root if none is mine.
    pub fn grow_root(&mut self, game: &G, evaluator: &mut impl Evaluate<G>) {
        let root = self.roots.iter().position(|root| root.mine).unwrap_or(0);
        let node = NodeId::from_index(root);
        if self.solver.tree.state(node) == NodeState::Leaf {
            let leaf = self.claim(node, root, None);
            self.join(Subgame::make(game, evaluator, leaf));
        }
    }

    /// Grows the whole subgame: expands every leaf until there are none or the tree has `most` nodes.
    pub fn grow_all(&mut self, game: &G, evaluator: &mut impl Evaluate<G>, most: usize) {
        let mut open: Vec<(NodeId, usize, Option<Above>)> =
            (0..self.roots.len()).map(|root| (NodeId::from_index(root), root, None)).collect();
        while let Some((node, root, above)) = open.pop() {
            if self.solver.tree.state(node) == NodeState::Leaf && self.nodes() < most {
                let leaf = self.claim(node, root, above);
                self.join(Subgame::make(game, evaluator, leaf));
            }
            if let NodeState::Inner(inner) = self.solver.tree.state(node) {
                let children = self.solver.tree.children(node).enumerate();
                open.extend(children.map(|(number, child)| (child, root, Some((inner, number)))));
            }
        }
    }
}
