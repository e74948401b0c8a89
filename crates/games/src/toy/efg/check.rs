//! What a tree must keep, and what its players can be told: checked once, when it is read.

use std::collections::HashMap;

use scuro_core::Player;

use super::token::Place;
use super::tree::{Branch, Kind, Node, NodeId, word};

/// Where a node stands in the file, and by which branch one comes to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) place: Place,
    pub(super) parent: Option<(NodeId, Branch)>,
}

/// The first node at which `player` has forgotten something, and its infoset: with perfect recall all nodes of an
/// infoset have the same last infoset and action of hers before them.
pub(super) fn forgets(nodes: &[Node], origins: &[Origin], player: Player) -> Option<(NodeId, usize)> {
    type Memory = Option<(usize, Branch)>;
    let mut memories: Vec<Memory> = Vec::with_capacity(nodes.len());
    let mut first: HashMap<usize, Memory> = HashMap::new();
    for (number, (node, origin)) in (0..).zip(nodes.iter().zip(origins)) {
        let memory = origin.parent.and_then(|(parent, branch)| match nodes[parent.index()].kind {
            Kind::Player(actor, infoset) if actor == player => Some((infoset, branch)),
            _ => memories[parent.index()],
        });
        memories.push(memory);
        if let Kind::Player(actor, infoset) = node.kind
            && actor == player
            && *first.entry(infoset).or_insert(memory) != memory
        {
            return Some((NodeId(number), infoset));
        }
    }
    None
}

/// Whether `player` may be told of every ply who is to move: whether all nodes of each of her infosets have the
/// same turns before them.
pub(super) fn told_of_every_ply(nodes: &[Node], origins: &[Origin], player: Player) -> bool {
    let mut pasts: Vec<usize> = Vec::with_capacity(nodes.len());
    let mut known: HashMap<(Option<usize>, u64), usize> = HashMap::new();
    let mut first: HashMap<usize, usize> = HashMap::new();
    for (node, origin) in nodes.iter().zip(origins) {
        let before = origin.parent.map(|(parent, _)| pasts[parent.index()]);
        let new = known.len();
        let past = *known.entry((before, word(&node.kind, player))).or_insert(new);
        pasts.push(past);
        if let Kind::Player(actor, infoset) = node.kind
            && actor == player
            && *first.entry(infoset).or_insert(past) != past
        {
            return false;
        }
    }
    true
}
