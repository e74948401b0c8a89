//! Nested knowledge-limited subgame solving of order 1 with only an evaluation: the player of ZS21 (*Subgame
//! solving without common knowledge*, algorithm 15), which solves its trunk exactly, for any game.
//!
//! At every turn the subgame is cut out of the last [`Trunk`] (`cut.rs`); positions that may be but that the trunk has lost come
//! in with a class each. Then, round after round, an equilibrium is found and the trunk deepened (`sweep.rs`) where
//! somebody plays. After every equilibrium Maxmargin gives way to Resolve if I cannot keep all margins, and comes back
//! when I can.
//!
//! Readings where the paper is silent:
//! - Round 1 expands the roots, whose depth is 1; round d comes to depth d.
//! - The most interesting leaf is looked for among those that somebody plays to (the literal text picks one that may
//!   then be turned away, and the point would never grow).
//! - A round that is not expected to fit what is left of the budget does not start. What is left goes into short rounds,
//!   which expand only what both play, as the text of the appendix has it ("we start by only expanding those children
//!   that are in the support of both"); they do not count as completed. One that runs out of budget all the same is
//!   taken back, and the last equilibrium is played.
//! - All starts that were expanded are kept, and of those that were not, which can be thousands, no more than make up
//!   the number of particles.
//! - What I expected at an infoset that they do not play to: as if they played to all of it alike.
//! - The observation whose entropy counts is what I see right after my own action.
//! - Ties of the linear program are left to the simplex method.

mod cut;
mod flat;
mod sweep;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
mod trunk;

use std::hash::Hash;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use scuro_core::{Game, Key, Node, Player, Random};

use crate::carry::Fresh;
use crate::exact::matrix::Plans;
use crate::exact::sequence_form::Entry;
use crate::grow::Evaluate;
use crate::settings::Budget;
use cut::Cut;
pub use flat::Stop;
pub use trunk::Trunk;

/// Knowledge of a game that the search needs beside values.
pub trait Insight<G: Game>: Evaluate<G> {
    /// The part of a state that decides its future.
    type Place: Eq + Hash;

    /// The place of a state: two states of one infoset with the same place have the same future.
    fn place(&self, state: &G::State) -> Self::Place;

    /// Whether an action is to be looked at before others.
    fn forcing(&self, game: &G, state: &G::State, action: G::Action) -> bool;
}

/// Parameters that the paper leaves open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// The most positions that are looked at.
    pub particles: usize,
    /// The information fee of an action is |I| / this, halved for every bit that it tells.
    pub information: f64,
    /// After this round the trunk is deep enough.
    pub rounds: usize,
    /// Random numbers.
    pub seed: u64,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning { particles: 200, information: 1e7, rounds: 64, seed: 1 }
    }
}

/// The outcome of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<A> {
    /// My actions, and how likely I take each.
    pub strategy: Vec<(A, f64)>,
    /// The value of the gadget, without information fees.
    pub value: f64,
    /// The gadget of the last equilibrium.
    pub entry: Entry,
    /// The number of rounds of deepening that were completed.
    pub rounds: usize,
    /// The number of nodes of the trunk.
    pub nodes: usize,
    /// The number of roots.
    pub roots: usize,
    /// The number of roots that were carried over.
    pub carried: usize,
    /// Time that went into equilibria.
    pub solving: Duration,
}

/// The player's memory from turn to turn.
#[derive(Clone)]
pub struct Klss<G: Game> {
    me: Player,
    tuning: Tuning,
    random: Random,
    /// The last trunk, and what both sides play in it.
    last: Option<(Trunk<G>, Plans)>,
    /// My keys at its roots and since.
    path: Vec<Key>,
}

/// The clock of a turn.
#[derive(Clone, Copy, Debug)]
struct Limits {
    nodes: usize,
    until: Option<Instant>,
}

impl Limits {
    fn left(self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// Whether so many expansions are likely to fit and leave so much time, if one takes as long as `pace`.
    fn fit<G: Game>(self, trunk: &Trunk<G>, expansions: usize, pace: Duration, reserve: Duration) -> bool {
        let grown = expansions as f64 / trunk.inners.len().max(1) as f64;
        let nodes = trunk.points() as f64 * (1.0 + grown);
        nodes <= self.nodes as f64 && !self.lacks(pace.mul_f64(expansions as f64) + reserve)
    }

    /// Whether so much more time is not there.
    fn lacks(self, time: Duration) -> bool {
        self.left().is_some_and(|left| left <= time)
    }
}

/// The error that a test for zero allows.
const ROUNDING: f64 = 1e-9;

impl<G: Game> Klss<G> {
    /// At the start of a game.
    #[must_use]
    pub fn new(me: Player, tuning: Tuning) -> Klss<G> {
        Klss { me, tuning, random: Random::new(tuning.seed), last: None, path: Vec::new() }
    }

    /// I know this after one more ply.
    pub fn see(&mut self, key: Key) {
        self.path.push(key);
    }

    /// The trunk of the last turn.
    #[must_use]
    pub fn trunk(&self) -> Option<&Trunk<G>> {
        self.last.as_ref().map(|(trunk, _)| trunk)
    }

    /// The subgame at a turn at which I know `key`. `fresh` is asked for positions that may be, when told which the
    /// trunk has and how many there should be in all; `believed` is how many may be in all. `None` if there are none at all.
    pub fn prepare<I: Insight<G>>(
        &mut self,
        game: &G,
        insight: &mut I,
        key: Key,
        believed: usize,
        fresh: impl FnOnce(&[&G::State], usize, &mut I) -> Vec<Fresh<G::State>>,
    ) -> Option<Trunk<G>> {
        let (mut trunk, hoped) = match &self.last {
            Some((old, plans)) => {
                let cut = Cut::new(game, old, plans);
                cut.next(insight, &self.path, self.tuning.particles, &mut self.random)
            }
            None => (Trunk::new(self.me), f64::INFINITY),
        };
        self.path = vec![key];
        let known: Vec<&G::State> = trunk
            .roots
            .iter()
            .filter(|(root, _)| !trunk.points[*root as usize].frozen)
            .map(|(_, node)| &node.state)
            .collect();
        let fresh = fresh(&known, self.tuning.particles, insight);
        for (number, fresh) in fresh.into_iter().enumerate() {
            let mut keys = [key; 2];
            keys[self.me.other().index()] = key.apart(number as u64);
            let class = trunk.add_class(hoped.min(fresh.value), 0.0);
            trunk.add_root(Node { state: fresh.state, keys }, class, 1.0, fresh.value);
        }
        if trunk.roots.is_empty() {
            return None;
        }
        trunk.fees = self.fees(game, &trunk, key, believed);
        Some(trunk)
    }

    /// By action at the roots what it costs.
    fn fees(&self, game: &G, trunk: &Trunk<G>, key: Key, believed: usize) -> Vec<f64> {
        let roots = trunk.roots.iter().filter(|(root, _)| !trunk.points[*root as usize].frozen);
        let states: Vec<&G::State> = roots.map(|(_, node)| &node.state).collect();
        let mut actions = Vec::new();
        states.first().iter().for_each(|state| game.actions(state, &mut actions));
        let shown = |state: &G::State, action: G::Action| {
            let after = game.play(state, action);
            key.next(Some(action), game.told(&after, self.me).as_ref())
        };
        let fee = |&action: &G::Action| {
            let entropy = entropy(states.iter().map(|state| shown(state, action)));
            (-entropy).exp2() * believed as f64 / self.tuning.information
        };
        actions.iter().map(fee).collect()
    }

    /// Thinks about a subgame and remembers it.
    pub fn solve<I: Insight<G>>(
        &mut self,
        game: &G,
        insight: &mut I,
        mut trunk: Trunk<G>,
        budget: Budget,
        since: Instant,
    ) -> Option<Report<G::Action>> {
        let (limits, most_rounds) = self.limits(budget, since, trunk.points());
        let (carried, old) = (trunk.expanded_roots(), trunk.inners.len());
        let (mut entry, mut solved) = (Entry::Maxmargin, trunk.mark());
        let (mut best, mut rounds, mut solving) = (None, 0, Duration::ZERO);
        let leaves = trunk.unexpanded_roots();
        let mut whole = grow(game, insight, &mut trunk, &leaves, limits, Duration::ZERO) == leaves.len();
        loop {
            let began = Instant::now();
            let left = best.as_ref().and_then(|_| limits.left());
            let Some((plans, with)) = equilibrium(&trunk, entry, best.as_ref(), left) else { break };
            let spent = began.elapsed();
            solving += spent;
            rounds += usize::from(whole);
            let wanted = trunk.next_wanted(game, insight, &plans, rounds);
            (best, entry, solved) = (Some(plans), with, trunk.mark());
            if rounds >= most_rounds || trunk.points() >= limits.nodes || limits.lacks(spent) {
                break;
            }
            // The next equilibrium may take twice as long as this one.
            let (growing, reserve) = (since.elapsed().saturating_sub(solving), 2 * spent);
            let pace = growing.div_f64((trunk.inners.len() - old).max(1) as f64);
            whole = limits.fit(&trunk, wanted.len(), pace, reserve);
            let leaves = wanted.iter().filter(|wanted| whole || !wanted.one_sided);
            let leaves: Vec<usize> = leaves.map(|wanted| wanted.point).collect();
            if leaves.is_empty() || grow(game, insight, &mut trunk, &leaves, limits, reserve) < leaves.len() {
                break;
            }
        }
        let plans = best?;
        trunk.back_to(solved);
        let report = self.report(&trunk, &plans, entry, [rounds, carried], solving);
        self.last = Some((trunk, plans));
        Some(report)
    }

    fn limits(&self, budget: Budget, since: Instant, points: usize) -> (Limits, usize) {
        let endless = Limits { nodes: usize::MAX, until: None };
        match budget {
            Budget::Nodes(nodes) => (Limits { nodes: points + nodes, ..endless }, self.tuning.rounds),
            Budget::Time(time) => (Limits { until: Some(since + time), ..endless }, self.tuning.rounds),
            Budget::Whole { nodes, .. } => (Limits { nodes: points + nodes, ..endless }, usize::MAX),
            _ => (endless, self.tuning.rounds),
        }
    }

    fn report(
        &self,
        trunk: &Trunk<G>,
        plans: &Plans,
        entry: Entry,
        [rounds, carried]: [usize; 2],
        solving: Duration,
    ) -> Report<G::Action> {
        let here = trunk.here().into_iter().flat_map(|here| here.sequences());
        let actions = trunk.actions_here();
        let strategy = actions.iter().zip(here).map(|(&action, row)| (action, plans.rows[row])).collect();
        Report {
            strategy,
            value: plans.value + trunk.cost(&plans.rows),
            entry,
            rounds,
            nodes: trunk.points(),
            roots: trunk.roots.len(),
            carried,
            solving,
        }
    }
}

/// Expands these leaves in order as long as nodes last and so much time is left. How many it did.
fn grow<G: Game, I: Insight<G>>(
    game: &G,
    insight: &mut I,
    trunk: &mut Trunk<G>,
    leaves: &[usize],
    limits: Limits,
    reserve: Duration,
) -> usize {
    for (number, &leaf) in leaves.iter().enumerate() {
        // One root at least, or there is nothing to choose from.
        let first = number == 0 && trunk.inners.is_empty();
        if !first && (trunk.points() >= limits.nodes || limits.lacks(reserve)) {
            return number;
        }
        trunk.expand(game, insight, leaf);
    }
    leaves.len()
}

/// An equilibrium with the gadget that fits: Maxmargin if all margins can be kept, else Resolve. The one that served
/// last is tried first. `None` if there is no time for it.
fn equilibrium<G: Game>(
    trunk: &Trunk<G>,
    entry: Entry,
    hint: Option<&Plans>,
    time: Option<Duration>,
) -> Option<(Plans, Entry)> {
    let until = time.map(|time| Instant::now() + time);
    let solve = |entry, hint| {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        trunk.equilibrium(entry, hint, left).ok().flatten()
    };
    let plans = solve(entry, hint)?;
    let kept = plans.value + trunk.cost(&plans.rows) >= -ROUNDING;
    let fitting = if kept { Entry::Maxmargin } else { Entry::Resolve };
    if fitting == entry {
        return Some((plans, entry));
    }
    let other = solve(fitting, Some(&plans))?;
    Some((other, fitting))
}

/// Returns the entropy of a uniform draw among these, in bits.
fn entropy<T: Eq + Hash>(draws: impl Iterator<Item = T>) -> f64 {
    let mut counts: FxHashMap<T, u32> = FxHashMap::default();
    draws.for_each(|draw| *counts.entry(draw).or_default() += 1);
    let mut counts: Vec<u32> = counts.into_values().collect();
    counts.sort_unstable();
    let total = f64::from(counts.iter().sum::<u32>());
    counts.iter().map(|&count| f64::from(count) / total).map(|share| -share * share.log2()).sum()
}
