//! Weighed maximax: the value of a move is its own, weighed against that of the best move after it.
//!
//! The opponent's turns have one answer each, so that a level of the tree is a full move and nobody minimises.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use scuro_games::chess::{Move, Piece};

use super::evaluate::{Evaluation, Parts, Step, WON, balance};
use super::metaposition::Metaposition;

/// Moves not seen before in a choice that are looked into at a node.
const NEW_MOVES: usize = 5;
/// Moves seen before in a choice that are looked into at a node.
const OLD_MOVES: usize = 3;
/// The deepest search of all moves.
const DEPTH: usize = 2;
/// Who is ahead by so much takes more risk.
const AHEAD: f64 = 3.0;

/// What a choice may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most metapositions.
    pub positions: usize,
    /// When to end, whatever is done by then.
    pub deadline: Option<Instant>,
    /// Whether somebody wants it to end.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    fn is_late(&self) -> bool {
        let stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A move at the root and what was found of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The move.
    pub m: Move,
    /// Its value.
    pub value: f64,
    /// What its own value is made of.
    pub parts: Parts,
    /// The metaposition after it, as expected.
    pub after: Metaposition,
}

/// A search from one metaposition.
pub struct Search<'s> {
    evaluation: &'s Evaluation,
    limits: &'s Limits,
    risk: f64,
    /// What each move gained over its parent when it was first seen in this choice; NaN if it was not.
    gains: Vec<f32>,
    /// How many metapositions were made.
    pub made: usize,
    /// The most own moves in a row.
    pub depth: usize,
}

/// A move with its metaposition and value.
struct Node {
    piece: Piece,
    m: Move,
    after: Metaposition,
    parts: Parts,
    value: f64,
}

impl<'s> Search<'s> {
    /// At the root.
    #[must_use]
    pub fn new(evaluation: &'s Evaluation, limits: &'s Limits, root: &Metaposition) -> Search<'s> {
        let weights = &evaluation.weights;
        let risk = weights.risk[usize::from(balance(weights, root) >= AHEAD)];
        Search { evaluation, limits, risk, gains: Vec::new(), made: 0, depth: 1 }
    }

    /// Judges these moves, of which `power` are to take what stood in the way of another. A search of few moves goes
    /// deeper; all moves are searched if anything was just announced.
    pub fn judge(
        &mut self,
        root: &Metaposition,
        moves: &[(Piece, Move)],
        power: &[Move],
        all: bool,
    ) -> Vec<Judged> {
        let entropy = self.evaluation.entropy(root);
        let mut nodes: Vec<Node> =
            moves.iter().map(|&(piece, m)| self.step(root, entropy, piece, m, power.contains(&m))).collect();
        if all {
            // Later turns have all moves, this one may have few left.
            let mut moves = 0_usize;
            root.each_move(|_, _| moves += 1);
            let fits = |depth: &usize| nodes.len() * moves.pow(*depth as u32) <= self.limits.positions;
            let depth = (1..=DEPTH).rev().find(fits).unwrap_or(0);
            nodes.iter_mut().for_each(|node| node.value = self.deepen(node, depth));
        } else {
            self.gains = vec![f32::NAN; 64 * 64 * 6];
            // The root has no value of its own: the mean of its moves stands for it.
            let mean = nodes.iter().map(|node| node.value).sum::<f64>() / nodes.len().max(1) as f64;
            for node in &nodes {
                self.gains[index(node.piece, node.m)] = (node.value - mean) as f32;
            }
            nodes.sort_by(|a, b| b.value.total_cmp(&a.value));
            let share = self.limits.positions.saturating_sub(nodes.len()) / (NEW_MOVES + OLD_MOVES);
            let looked_into = nodes.len().min(NEW_MOVES + OLD_MOVES);
            let mut least = f64::INFINITY;
            for node in &mut nodes[..looked_into] {
                node.value = self.explore(node, share);
                least = least.min(node.value);
            }
            // What is not looked into is no better than what is.
            nodes[looked_into..].iter_mut().for_each(|node| node.value = node.value.min(least - 0.01));
        }
        let judged =
            |node: Node| Judged { m: node.m, value: node.value, parts: node.parts, after: node.after };
        nodes.into_iter().map(judged).collect()
    }

    /// The move with the metaposition that is expected of it and its own value.
    fn step(&mut self, before: &Metaposition, entropy: f64, piece: Piece, m: Move, power: bool) -> Node {
        let said = before.predict_own(piece, m, power);
        let after = before.expect_own(m, &said);
        let taken = said.capture.and_then(|capture| capture.taken);
        let step = Step { before, entropy, after: &after, to: m.to(), taken };
        let parts = self.evaluation.value(&step);
        self.made += 1;
        Node { piece, m, after, parts, value: parts.sum() }
    }

    /// The value of a node by a search of all moves of so many levels.
    fn deepen(&mut self, node: &Node, levels: usize) -> f64 {
        if levels == 0 || node.value.abs() >= WON / 2.0 || self.limits.is_late() {
            return node.value;
        }
        let (next, moves) = self.next(node);
        let entropy = self.evaluation.entropy(&next);
        let values = moves.into_iter().map(|(piece, m)| {
            let child = self.step(&next, entropy, piece, m, false);
            self.deepen(&child, levels - 1)
        });
        let best = values.max_by(f64::total_cmp);
        self.weigh(node.value, best)
    }

    /// The value of a node by a search of the best moves within so many metapositions.
    fn explore(&mut self, node: &Node, positions: usize) -> f64 {
        if positions <= 1 || node.value.abs() >= WON / 2.0 || self.limits.is_late() {
            return node.value;
        }
        let (next, moves) = self.next(node);
        let entropy = self.evaluation.entropy(&next);
        let (mut new, mut old) = (Vec::new(), Vec::new());
        for (piece, m) in moves {
            let place = index(piece, m);
            if self.gains[place].is_nan() {
                let child = self.step(&next, entropy, piece, m, false);
                self.gains[place] = (child.value - node.value) as f32;
                new.push(child);
            } else {
                old.push((self.gains[place], piece, m));
            }
        }
        let made = new.len() + old.len().min(OLD_MOVES);
        let left = positions.saturating_sub(made);
        new.sort_by(|a, b| b.value.total_cmp(&a.value));
        new.truncate(NEW_MOVES);
        old.sort_by(|a, b| b.0.total_cmp(&a.0));
        old.truncate(OLD_MOVES);
        let old = old.into_iter().map(|(_, piece, m)| self.step(&next, entropy, piece, m, false));
        let selected: Vec<Node> = old.collect::<Vec<_>>().into_iter().chain(new).collect();
        let share = left / selected.len().max(1);
        let values: Vec<f64> = selected.iter().map(|child| self.explore(child, share)).collect();
        self.weigh(node.value, values.into_iter().max_by(f64::total_cmp))
    }

    /// The metaposition after the opponent's turn, and the moves there.
    fn next(&mut self, node: &Node) -> (Metaposition, Vec<(Piece, Move)>) {
        let mut next = node.after.after_theirs(&node.after.predict_theirs());
        next.depth = next.depth.saturating_add(1);
        self.depth = self.depth.max(usize::from(next.depth) + 1);
        let mut moves = Vec::with_capacity(64);
        next.each_move(|piece, m| moves.push((piece, m)));
        (next, moves)
    }

    /// What is at hand, weighed against the best of what may come.
    fn weigh(&self, value: f64, best: Option<f64>) -> f64 {
        best.map_or(value, |best| self.risk * value + (1.0 - self.risk) * best)
    }
}

/// Where the gain of a move is kept.
fn index(piece: Piece, m: Move) -> usize {
    (piece as usize * 64 + m.from() as usize) * 64 + m.to() as usize
}
