//! Playing a whole game by subgame solving, and the ways to do that safely.
//!
//! [`Nested::play`] solves a subgame at every infoset in turn: what it finds at an infoset is played there, and what it
//! finds below is the context of the infosets that come next. Two ways keep that safe: [`update`] puts the solution
//! into the blueprint before the next one is looked for (algorithm 13 of the paper), [`independent_set`] picks
//! infosets whose solutions do not meet in any infoset of theirs (algorithm 14).

use rustc_hash::FxHashSet;
use scuro_core::{Key, Player, Random};

use super::ground::Ground;
use super::matrix::LinearError;
use super::sequence_form::TieBreak;
use super::subgame::{Cut, ExactSubgame};
use crate::strategy::Strategy;
use crate::tree::InfosetId;

/// Nested subgame solving with its settings.
pub struct Nested<'g, L, A> {
    /// The game.
    pub ground: &'g Ground,
    /// The subgame that is cut out at each infoset.
    pub cut: Cut,
    /// Which of several best plans is taken.
    pub tie_break: TieBreak,
    /// By slot the least probability of an action below the infoset that is being solved.
    pub least: L,
    /// Asked before each infoset whether to solve there; if not, the context is played from there on.
    pub ask: A,
    /// The number and the sizes of the subgames solved so far.
    pub solved: Solved,
}

/// The cost of subgame solving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Solved {
    /// The number of subgames.
    pub subgames: usize,
    /// The number of nodes at and below their roots, in all.
    pub nodes: usize,
    /// The largest number of nodes of one.
    pub most_nodes: usize,
}

impl<L: Fn(usize) -> f64, A: FnMut(InfosetId) -> bool> Nested<'_, L, A> {
    /// Returns what `me` plays if it starts from `blueprint` and solves a subgame at every infoset that it comes to.
    ///
    /// # Errors
    /// If a linear program cannot be solved.
    pub fn play(&mut self, blueprint: &Strategy, me: Player) -> Result<Strategy, LinearError> {
        let mut played = blueprint.clone();
        for infoset in self.ground.topmost(me) {
            self.visit(infoset, blueprint, &mut played)?;
        }
        Ok(played)
    }

    fn visit(
        &mut self,
        infoset: InfosetId,
        context: &Strategy,
        played: &mut Strategy,
    ) -> Result<(), LinearError> {
        let slots = self.ground.tree.infoset(infoset).slots();
        let wanted = (self.ask)(infoset);
        let subgame = wanted.then(|| ExactSubgame::new(self.ground, context, infoset, self.cut)).flatten();
        let Some(subgame) = subgame else {
            self.follow(infoset, context, played);
            return Ok(());
        };
        let nodes = subgame.nodes();
        self.solved.subgames += 1;
        self.solved.nodes += nodes;
        self.solved.most_nodes = self.solved.most_nodes.max(nodes);
        let (_, next) = subgame.solve(&self.least, self.tie_break)?;
        played.0[slots.clone()].copy_from_slice(&next.0[slots]);
        for &after in self.ground.next(infoset) {
            self.visit(after, &next, played)?;
        }
        Ok(())
    }

    /// From `infoset` on the context is played.
    fn follow(&self, infoset: InfosetId, context: &Strategy, played: &mut Strategy) {
        let slots = self.ground.tree.infoset(infoset).slots();
        played.0[slots.clone()].copy_from_slice(&context.0[slots]);
        for &after in self.ground.next(infoset) {
            self.follow(after, context, played);
        }
    }
}

/// Solves the subgame at one infoset and puts the solution into the blueprint: exploitability never grows by it.
/// Where the solution is, by rounding, worse than the blueprint itself, the blueprint stays.
///
/// # Errors
/// If the linear program cannot be solved.
pub fn update(
    ground: &Ground,
    blueprint: &mut Strategy,
    infoset: InfosetId,
    cut: Cut,
    tie_break: TieBreak,
) -> Result<(), LinearError> {
    let Some(subgame) = ExactSubgame::new(ground, blueprint, infoset, cut) else { return Ok(()) };
    let (_, solution) = subgame.solve(|_| 0.0, tie_break)?;
    let worst = |strategy| subgame.margins(strategy).into_iter().fold(f64::INFINITY, f64::min);
    if worst(&solution) >= worst(blueprint) {
        *blueprint = solution;
    }
    Ok(())
}

/// Infosets of `me`, at random as many as fit, no two of which have nodes that the other player cannot tell apart,
/// and with each infoset those before it.
#[must_use]
pub fn independent_set(ground: &Ground, me: Player, random: &mut Random) -> FxHashSet<InfosetId> {
    let mut chosen = FxHashSet::default();
    let mut taken: FxHashSet<Key> = FxHashSet::default();
    let mut open = ground.topmost(me);
    while !open.is_empty() {
        let infoset = open.swap_remove(random.below(open.len()));
        let nodes = ground.nodes(infoset);
        let keys: Vec<Key> = nodes.into_iter().map(|node| ground.key(me.other(), node)).collect();
        if keys.iter().all(|key| !taken.contains(key)) {
            taken.extend(keys);
            chosen.insert(infoset);
            open.extend(ground.next(infoset));
        }
    }
    chosen
}
