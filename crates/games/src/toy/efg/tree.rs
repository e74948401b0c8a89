//! A game that is nothing but its tree.

use scuro_core::{Game, Player, Scale, Turn};

use crate::toy::ToyTold;

/// A game given by its tree, as [`read`](super::read) finds it in a file.
///
/// The file says which nodes a player who is to move cannot tell apart, and nothing about the nodes where she is
/// not. There a player knows what she knew and did before. She is also told who is to move, ply by ply, unless that
/// would tell apart nodes that the file says she cannot.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeGame {
    pub(super) title: String,
    pub(super) players: [String; 2],
    /// In the order of the file: parents before children.
    pub(super) nodes: Vec<Node>,
    pub(super) draws: Vec<Draw>,
    pub(super) infosets: [Vec<Infoset>; 2],
    /// Whether each player is told of every ply.
    pub(super) told: [bool; 2],
    pub(super) scale: Scale,
}

/// A node of the tree: what happens there, and where that leads.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) children: Vec<NodeId>,
}

/// What happens at a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// Chance draws; the number of the draw.
    Chance(usize),
    /// A player chooses; the number of the infoset among hers.
    Player(Player, usize),
    /// The end, with the raw payoff to player one.
    Over(f64),
}

impl Node {
    /// The raw payoff to player one, if the game is over.
    pub(super) fn payoff(&self) -> Option<f64> {
        match self.kind {
            Kind::Over(payoff) => Some(payoff),
            _ => None,
        }
    }
}

/// What chance can do at a node, and how likely that is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draw {
    pub(super) names: Vec<String>,
    pub(super) chances: Vec<f64>,
}

/// Nodes that the player who acts there cannot tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Infoset {
    /// What the file counts it by.
    pub(super) number: u64,
    pub(super) name: String,
    pub(super) actions: Vec<String>,
}

/// A node of a [`TreeGame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// One of the branches at a node, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch(pub u32);

impl TreeGame {
    /// What the file calls the game.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What the file calls `player`.
    #[must_use]
    pub fn player_name(&self, player: Player) -> &str {
        &self.players[player.index()]
    }

    /// How many nodes the tree has.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many infosets `player` acts in.
    #[must_use]
    pub fn infoset_count(&self, player: Player) -> usize {
        self.infosets[player.index()].len()
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    /// The infoset in which `player` acts at a node, if she does.
    fn infoset(&self, node: NodeId, player: Player) -> Option<&Infoset> {
        match self.node(node).kind {
            Kind::Player(actor, number) if actor == player => Some(&self.infosets[player.index()][number]),
            _ => None,
        }
    }
}

/// The word of a node where chance draws.
pub(super) const CHANCE: u64 = 0;
/// The word of a node where the other player acts.
pub(super) const OTHER: u64 = 1;
/// The word of a node where the game is over.
pub(super) const OVER: u64 = 2;

/// What happens at a node, in a word: what `player` is told there if she is told of every ply.
pub(super) fn word(kind: &Kind, player: Player) -> u64 {
    match *kind {
        Kind::Chance(_) => CHANCE,
        Kind::Player(actor, infoset) if actor == player => 3 + infoset as u64,
        Kind::Player(..) => OTHER,
        Kind::Over(_) => OVER,
    }
}

impl Game for TreeGame {
    type State = NodeId;
    type Action = Branch;
    type Told = ToyTold;

    fn start(&self) -> NodeId {
        NodeId(0)
    }

    fn turn(&self, node: &NodeId) -> Turn {
        match self.node(*node).kind {
            Kind::Chance(_) => Turn::Chance,
            Kind::Player(player, _) => Turn::Player(player),
            Kind::Over(payoff) => Turn::Over(self.scale.normalised(payoff).clamp(-1.0, 1.0)),
        }
    }

    fn actions(&self, node: &NodeId, out: &mut Vec<Branch>) {
        out.extend((0..self.node(*node).children.len() as u32).map(Branch));
    }

    fn chances(&self, node: &NodeId, out: &mut Vec<f64>) {
        if let Kind::Chance(draw) = self.node(*node).kind {
            out.extend(&self.draws[draw].chances);
        }
    }

    fn play(&self, node: &NodeId, Branch(branch): Branch) -> NodeId {
        self.node(*node).children[branch as usize]
    }

    /// The infoset where the player is to move, and the end; elsewhere who is to move, if the player is told that.
    fn told(&self, node: &NodeId, player: Player) -> Option<ToyTold> {
        let kind = &self.node(*node).kind;
        let word = Some(word(kind, player)).filter(|&word| word >= OVER || self.told[player.index()]);
        // The payoff as the file has it: two that differ may be one when normalised.
        let end = if let Kind::Over(payoff) = kind { Turn::Over(*payoff) } else { Turn::Chance };
        ToyTold::new(word, end)
    }

    fn timeable(&self) -> bool {
        self.told == [true; 2]
    }

    fn action_name(&self, node: &NodeId, Branch(branch): Branch) -> String {
        let names = match &self.node(*node).kind {
            Kind::Chance(draw) => &self.draws[*draw].names,
            Kind::Player(player, infoset) => &self.infosets[player.index()][*infoset].actions,
            Kind::Over(_) => return String::new(),
        };
        names[branch as usize].clone()
    }

    fn view_name(&self, node: &NodeId, player: Player) -> String {
        self.infoset(*node, player).map_or_else(String::new, |infoset| infoset.name.clone())
    }

    /// The name of the infoset in the file, which needs no past.
    fn label(&self, before: &str, own: Option<&str>, node: &NodeId, player: Player) -> String {
        match (self.infoset(*node, player), own) {
            (Some(infoset), _) => infoset.name.clone(),
            (None, Some(own)) => format!("{before}:{own}"),
            (None, None) => before.to_owned(),
        }
    }

    fn raw(&self) -> Scale {
        self.scale
    }
}
