//! The player: carries the tree over, grows and solves it, and chooses.
//!
//! Between turns it keeps the tree with its strategies, its last action, and the value it expected. What it sees
//! arrives as a key, and what may be true as positions that the caller draws from a belief.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use scuro_core::{Game, Key, Node, Player, Random};

use crate::carry::{FromBelief, Moved};
use crate::choose::purified;
use crate::exact::ground::Ground;
use crate::grow::Evaluate;
pub use crate::settings::{Budget, Expect, Iterate, Opening, Settings};
use crate::strategy::Strategy;
use crate::subgame::{Root, Subgame, SubgameSettings};
use crate::think::Thinking;
use crate::tree::InfosetId;

/// An action, and what the search found out about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// The probability as solved.
    pub probability: f64,
    /// The probability with which it is played.
    pub played: f64,
    /// Its value to me.
    pub value: f64,
    /// Whether it was in the support throughout the second half of the search.
    pub stable: bool,
    /// A likely continuation: from the most likely position both sides play their most likely actions.
    pub line: Vec<A>,
}

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<A> {
    /// The actions in the game's order.
    pub candidates: Vec<Candidate<A>>,
    /// The value that I expect.
    pub value: f64,
    /// The largest probability with which Resolve enters a class.
    pub pmax: f64,
    /// The number of nodes of the tree.
    pub nodes: usize,
    /// The number of infosets of the tree.
    pub infosets: usize,
    /// The number of plies of its longest line.
    pub depth: usize,
    /// The number of leaves that were expanded in this search.
    pub expansions: u64,
    /// The number of iterations done.
    pub iterations: u64,
    /// The memory that the tree takes, in bytes.
    pub bytes: usize,
}

/// Is called now and then during a long search with what it has found so far.
pub type ProgressSink<A> = Arc<dyn Fn(&Thought<A>) + Send + Sync>;

/// The player.
#[derive(Clone)]
pub struct Agent<G: Game> {
    me: Player,
    settings: Settings,
    subgame: Option<Subgame<G>>,
    moved: Option<Moved<G::Action>>,
    expected: f64,
    random: Random,
    stop: Arc<AtomicBool>,
    progress: Option<ProgressSink<G::Action>>,
}

impl<G: Game<State: Send, Action: Send> + Sync> Agent<G> {
    /// Returns a player before the first move of a game.
    #[must_use]
    pub fn new(me: Player, settings: Settings) -> Agent<G> {
        let random = Random::new(settings.seed);
        let stop = Arc::default();
        Agent { me, settings, subgame: None, moved: None, expected: 1.0, random, stop, progress: None }
    }

    /// Searches end soon after `stop` becomes true. Whoever sets it clears it.
    pub fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }

    /// Reports the progress of searches that take longer than a second to `sink`, or no more.
    pub fn on_progress(&mut self, sink: Option<ProgressSink<G::Action>>) {
        self.progress = sink;
    }

    /// Sets the memory at which the trees of the next searches stop growing.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.settings.bytes = bytes;
    }

    /// Searches at a turn at which all that I know is `key`: [`Agent::prepare`], then [`Agent::search`].
    pub fn think(
        &mut self,
        game: &G,
        evaluators: &mut [impl Evaluate<G> + Send],
        key: Key,
        draw: impl FnOnce(&[&G::State]) -> FromBelief<G::State>,
        budget: Budget,
    ) -> Option<Thought<G::Action>> {
        let since = Instant::now();
        self.prepare(game, key, draw).then(|| self.search(game, evaluators, key, budget, since))?
    }

    /// Carries the tree over to a turn at which all that I know is `key`. `draw` is called with the positions that the
    /// tree has and draws others from the belief. Returns false if there is no position at all.
    pub fn prepare(
        &mut self,
        game: &G,
        key: Key,
        draw: impl FnOnce(&[&G::State]) -> FromBelief<G::State>,
    ) -> bool {
        self.subgame = match (self.subgame.take(), self.moved) {
            (Some(subgame), Some(moved)) => {
                subgame.carry(game, moved, key, self.settings.carrying, draw, self.expected)
            }
            _ => self.opening(game, key, draw),
        };
        self.subgame.is_some()
    }

    /// Grows and solves the tree of this turn; time counts from `since` on. With one evaluator growing and solving take
    /// turns; each further one grows on a thread of its own while this one solves. Returns `None` if there is no tree.
    pub fn search(
        &mut self,
        game: &G,
        evaluators: &mut [impl Evaluate<G> + Send],
        key: Key,
        budget: Budget,
        since: Instant,
    ) -> Option<Thought<G::Action>> {
        let mut subgame = self.subgame.take()?;
        let on_progress = |subgame: &Subgame<G>, stable: &[bool]| {
            let id = subgame.infosets[self.me.index()].get(&key);
            if let (Some(sink), Some(&id)) = (&self.progress, id) {
                sink(&self.thought(subgame, id, stable));
            }
        };
        let mut thinking = Thinking::new(game, self.settings, budget, key, since, &self.stop, &subgame);
        thinking.on_progress = Some(&on_progress);
        let stable = thinking.run(&mut subgame, evaluators);
        let id = *subgame.infosets[self.me.index()].get(&key)?;
        let thought = self.thought(&subgame, id, &stable);
        self.expected = thought.value;
        self.subgame = Some(subgame);
        Some(thought)
    }

    /// Returns the tree of a first decision.
    fn opening(
        &mut self,
        game: &G,
        key: Key,
        draw: impl FnOnce(&[&G::State]) -> FromBelief<G::State>,
    ) -> Option<Subgame<G>> {
        match self.settings.opening {
            // A player that has moved without a search is past the start, and has no tree that leads here.
            Opening::Root if self.moved.is_none() => {
                let root = Root { node: Node::start(game), mine: true, class: 0, weight: 1.0, value: 0.0 };
                let settings = self.subgame_settings();
                Some(Subgame::new(self.me, vec![root], None, settings))
            }
            Opening::Root | Opening::Fresh => {
                let drawn = draw(&[]);
                if drawn.fresh.is_empty() {
                    return None;
                }
                let settings = self.subgame_settings();
                Subgame::of_fresh(self.me, key, drawn, self.settings.carrying, self.expected, settings)
            }
        }
    }

    /// Draws the seed of a new subgame.
    fn subgame_settings(&mut self) -> SubgameSettings {
        self.settings.subgame(self.random.word())
    }

    fn thought(&self, subgame: &Subgame<G>, id: InfosetId, stable: &[bool]) -> Thought<G::Action> {
        let slots = subgame.solver.tree.infoset(id).slots();
        let strategy = match self.settings.iterate {
            Iterate::Last => subgame.solver.strategy.0[slots.clone()].to_vec(),
            Iterate::Average => subgame.solver.average().0[slots.clone()].to_vec(),
        };
        let pmax = subgame.gadget.as_ref().map_or(0.0, |gadget| gadget.pmax);
        let played = purified(&strategy, stable, pmax, self.settings.purify);
        let candidates = slots.enumerate().map(|(i, slot)| Candidate {
            action: subgame.actions[slot],
            probability: strategy[i],
            played: played[i],
            value: subgame.solver.qualities[slot],
            stable: stable[i],
            line: subgame.line(id, i),
        });
        let candidates: Vec<_> = candidates.collect();
        let value = expected(subgame, self.settings.expect)
            .unwrap_or_else(|| candidates.iter().map(|each| each.probability * each.value).sum());
        Thought {
            candidates,
            value,
            pmax,
            nodes: subgame.nodes(),
            infosets: subgame.solver.tree.infosets().len(),
            depth: subgame.depth(),
            expansions: subgame.expansions,
            iterations: subgame.solver.iterations(),
            bytes: subgame.bytes(),
        }
    }

    /// Returns the subgame of this turn.
    #[must_use]
    pub fn subgame(&self) -> Option<&Subgame<G>> {
        self.subgame.as_ref()
    }

    /// Notes that I take `action`, knowing `key`.
    pub fn play(&mut self, key: Key, action: G::Action) {
        self.moved = Some(Moved { key, action });
    }

    /// Goes on with the tree of the last search while they think, until told to stop or the memory is full. My strategy
    /// at the move just made stays as it is.
    pub fn ponder(&mut self, game: &G, evaluators: &mut [impl Evaluate<G> + Send]) {
        let (Some(mut subgame), Some(Moved { key, .. })) = (self.subgame.take(), self.moved) else { return };
        if let Some(id) = subgame.infosets[self.me.index()].get(&key) {
            subgame.solver.frozen[id.index()] = true;
            let since = Instant::now();
            let thinking =
                Thinking::new(game, self.settings, Budget::Endless, key, since, &self.stop, &subgame);
            thinking.run(&mut subgame, evaluators);
        }
        self.subgame = Some(subgame);
    }
}

/// Returns the value that I expect, a mean over the roots that I may be at. Without a gadget there is none: the infoset
/// has it.
fn expected<G: Game>(subgame: &Subgame<G>, expect: Expect) -> Option<f64> {
    let gadget = subgame.gadget.as_ref()?;
    let sign = if subgame.me == Player::One { 1.0 } else { -1.0 };
    let mine = || subgame.solver.starts.iter().zip(&subgame.roots).filter(|(_, root)| root.mine);
    let mean = |weights: &[f64]| {
        let (mut sum, mut total) = (0.0, 0.0);
        for (start, _) in mine() {
            let weight = weights[start.class as usize] * start.weight;
            total += weight;
            sum += weight * sign * subgame.value(start.node);
        }
        (total > 0.0).then(|| sum / total)
    };
    let entered = if expect == Expect::Entered { mean(&gadget.weights) } else { None };
    entered.or_else(|| mean(&gadget.priors))
}

/// Returns what the player does at every infoset of a small game that it can reach, by asking it at each of them. The
/// opponent's part is uniform, and so are infosets that the player never reaches. `asked` is called at every question.
pub fn whole_strategy<G: Game<State: Send, Action: Send> + Clone + Sync>(
    game: &G,
    ground: &Ground,
    me: Player,
    settings: Settings,
    evaluator: &mut (impl Evaluate<G> + Send),
    budget: Budget,
    mut asked: impl FnMut(),
) -> Strategy {
    let mut strategy = Strategy::uniform(&ground.tree);
    // The tree may be large: players that go on from the same search share it until their turn comes.
    let beginner = Rc::new(Agent::new(me, settings));
    let mut open: Vec<(Rc<_>, Option<Moved<_>>, InfosetId)> =
        ground.topmost(me).into_iter().map(|id| (Rc::clone(&beginner), None, id)).collect();
    while let Some((agent, moved, id)) = open.pop() {
        let mut agent = Rc::unwrap_or_clone(agent);
        agent.moved = moved;
        let key = ground.key(me, ground.nodes(id)[0]);
        asked();
        let Some(thought) =
            agent.think(game, std::slice::from_mut(evaluator), key, |_| FromBelief::default(), budget)
        else {
            continue;
        };
        let slots = ground.tree.infoset(id).slots();
        for (slot, candidate) in slots.clone().zip(&thought.candidates) {
            strategy.0[slot] = candidate.played;
        }
        let agent = Rc::new(agent);
        for &next in ground.next(id) {
            let before = ground.action_before(next).map_or(0, |(_, action)| action);
            if thought.candidates[before].played > 0.0 {
                let action = thought.candidates[before].action;
                open.push((Rc::clone(&agent), Some(Moved { key, action }), next));
            }
        }
    }
    strategy
}
