//! The surroundings of every node of a game that is written out: both players' keys, the probability of chance, and the
//! own actions that led to it.

use scuro_core::{Game, Key, Node, Player};

use crate::knowledge::{History, KnowledgeGraph};
use crate::strategy::Strategy;
use crate::tree::{Event, InfosetId, NodeId, Tree};

/// The ground that subgames are cut from. Tables have one entry per node unless they say otherwise.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The game.
    pub tree: Tree,
    keys: Vec<[Key; 2]>,
    /// The nodes that a player cannot tell apart. A history is a node; an ended one is alone.
    graph: KnowledgeGraph,
    /// The probability of chance on the way to a node.
    chances: Vec<f64>,
    /// The last own action of both players, as slots.
    last: Vec<[Option<u32>; 2]>,
    /// The number of nodes at and below a node.
    sizes: Vec<u32>,
    /// Whether both players can still act, at a node or below.
    acting: Vec<[bool; 2]>,
    /// For every infoset one of its nodes.
    somewhere: Vec<NodeId>,
    /// For every infoset the infosets of the same player that come next.
    next: Vec<Vec<InfosetId>>,
    /// For every slot its infoset.
    infoset_of: Vec<InfosetId>,
}

impl Ground {
    /// The ground of `game`, which `tree` is written from.
    #[must_use]
    pub fn of_game<G: Game>(game: &G, tree: Tree) -> Ground {
        let nodes = tree.nodes();
        let mut walk = Walk {
            game,
            tree: &tree,
            keys: vec![[Key::START; 2]; nodes],
            chances: vec![0.0; nodes],
            last: vec![[None; 2]; nodes],
            sizes: vec![1; nodes],
            acting: vec![[false; 2]; nodes],
            somewhere: vec![tree.root(); tree.infosets().len()],
        };
        walk.descend(tree.root(), &Node::start(game), 1.0, [None; 2]);
        let mut infoset_of = Vec::with_capacity(tree.slots());
        let mut next = vec![Vec::new(); tree.infosets().len()];
        for id in tree.infoset_ids() {
            let infoset = tree.infoset(id);
            infoset_of.extend(infoset.slots().map(|_| id));
            if let Some(before) = infoset.before {
                let before: InfosetId = infoset_of[before as usize];
                next[before.index()].push(id);
            }
        }
        let Walk { keys, chances, last, sizes, acting, somewhere, .. } = walk;
        let graph = KnowledgeGraph::new(&keys);
        Ground { tree, keys, graph, chances, last, sizes, acting, somewhere, next, infoset_of }
    }

    /// The nodes of an infoset.
    #[must_use]
    pub fn nodes(&self, id: InfosetId) -> Vec<NodeId> {
        let history = History::from_index(self.somewhere[id.index()].index());
        nodes(self.graph.infoset(self.tree.infoset(id).player, history))
    }

    /// The nodes that `player` cannot tell from `node`, whoever acts there.
    #[must_use]
    pub fn alike(&self, player: Player, node: NodeId) -> Vec<NodeId> {
        nodes(self.graph.infoset(player, History::from_index(node.index())))
    }

    /// The order-k knowledge set of an infoset, in the order of the nodes; without an order the set of all
    /// nodes that common knowledge leaves.
    #[must_use]
    pub fn knowledge_set(&self, id: InfosetId, order: Option<u32>) -> Vec<NodeId> {
        let set: Vec<History> = self.nodes(id).iter().map(|node| History::from_index(node.index())).collect();
        let mut found = nodes(&self.graph.knowledge_set(&set, order.unwrap_or(u32::MAX)));
        found.sort_unstable();
        found
    }

    /// Returns the key of `player` at `node`.
    #[must_use]
    pub fn key(&self, player: Player, node: NodeId) -> Key {
        self.keys[node.index()][player.index()]
    }

    /// Returns the probability of chance on the way to `node`.
    #[must_use]
    pub fn chance(&self, node: NodeId) -> f64 {
        self.chances[node.index()]
    }

    /// Returns the number of nodes at and below `node`.
    #[must_use]
    pub fn size(&self, node: NodeId) -> usize {
        self.sizes[node.index()] as usize
    }

    /// The last own action of `player` before `node`: its infoset and its number there.
    #[must_use]
    pub fn last_action(&self, player: Player, node: NodeId) -> Option<(InfosetId, usize)> {
        self.last[node.index()][player.index()].map(|slot| self.action(slot))
    }

    /// Returns the player's own action before one of its infosets.
    #[must_use]
    pub fn action_before(&self, id: InfosetId) -> Option<(InfosetId, usize)> {
        self.tree.infoset(id).before.map(|slot| self.action(slot))
    }

    fn action(&self, slot: u32) -> (InfosetId, usize) {
        let id = self.infoset_of[slot as usize];
        (id, (slot - self.tree.infoset(id).first) as usize)
    }

    /// The infosets that come next after `id`, for its player.
    #[must_use]
    pub fn next(&self, id: InfosetId) -> &[InfosetId] {
        &self.next[id.index()]
    }

    /// Returns the infosets of `player` before which it has not acted.
    #[must_use]
    pub fn topmost(&self, player: Player) -> Vec<InfosetId> {
        let top = |&id: &InfosetId| {
            let infoset = self.tree.infoset(id);
            infoset.player == player && infoset.before.is_none()
        };
        self.tree.infoset_ids().filter(top).collect()
    }

    /// Returns the probability of the own actions of `player` on the way to `node`, by `strategy`.
    #[must_use]
    pub fn reach(&self, strategy: &Strategy, player: Player, node: NodeId) -> f64 {
        let mut slot = self.last[node.index()][player.index()];
        let mut reach = 1.0;
        while let Some(at) = slot {
            reach *= strategy.0[at as usize];
            slot = self.tree.infoset(self.infoset_of[at as usize]).before;
        }
        reach
    }

    /// Returns the probability of the own actions on the way to an infoset of their player.
    #[must_use]
    pub fn infoset_reach(&self, strategy: &Strategy, id: InfosetId) -> f64 {
        self.reach(strategy, self.tree.infoset(id).player, self.somewhere[id.index()])
    }

    /// Table 2 of the paper on knowledge-limited subgames: the graph of the decision nodes, with the ties of
    /// players who can still act, and which of the nodes its averages leave out (alone in the infoset of the
    /// player to move, and with one action).
    #[must_use]
    pub fn decisions(&self) -> (KnowledgeGraph, Vec<bool>) {
        let (mut keys, mut left_out) = (Vec::new(), Vec::new());
        for node in self.tree.node_ids() {
            let Event::Choice(id) = self.tree.event(node) else { continue };
            keys.push(Player::BOTH.map(|player| {
                let key = self.key(player, node);
                let acting = self.acting[node.index()][player.index()];
                if acting { key } else { key.apart(node.index() as u64) }
            }));
            left_out.push(self.tree.infoset(id).actions == 1 && self.nodes(id).len() == 1);
        }
        (KnowledgeGraph::new(&keys), left_out)
    }
}

fn nodes(histories: &[History]) -> Vec<NodeId> {
    histories.iter().map(|history| NodeId::from_index(history.index())).collect()
}

/// Fills the tables by a walk over game and tree side by side.
struct Walk<'g, 't, G> {
    game: &'g G,
    tree: &'t Tree,
    keys: Vec<[Key; 2]>,
    chances: Vec<f64>,
    last: Vec<[Option<u32>; 2]>,
    sizes: Vec<u32>,
    acting: Vec<[bool; 2]>,
    somewhere: Vec<NodeId>,
}

impl<G: Game> Walk<'_, '_, G> {
    fn descend(&mut self, id: NodeId, node: &Node<G::State>, chance: f64, last: [Option<u32>; 2]) {
        let (tree, at) = (self.tree, id.index());
        self.chances[at] = chance;
        self.last[at] = last;
        self.keys[at] = node.keys;
        let mut actions = Vec::new();
        self.game.actions(&node.state, &mut actions);
        let event = tree.event(id);
        match event {
            Event::End(_) | Event::Leaf(_) => self.keys[at] = node.keys.map(|key| key.apart(at as u64)),
            Event::Chance(_) => {}
            Event::Choice(infoset) => {
                self.somewhere[infoset.index()] = id;
                self.acting[at][tree.infoset(infoset).player.index()] = true;
            }
        }
        for (i, (child, &action)) in tree.children(id).zip(&actions).enumerate() {
            let (mut chance, mut last) = (chance, last);
            match event {
                Event::Chance(first) => chance *= tree.chances(first)[i],
                Event::Choice(infoset) => {
                    let infoset = tree.infoset(infoset);
                    last[infoset.player.index()] = Some(infoset.first + i as u32);
                }
                Event::End(_) | Event::Leaf(_) => {}
            }
            self.descend(child, &node.play(self.game, action), chance, last);
            self.sizes[at] += self.sizes[child.index()];
            for player in Player::BOTH {
                self.acting[at][player.index()] |= self.acting[child.index()][player.index()];
            }
        }
    }
}
