//! The player: carries the tree over, grows and solves it, and chooses.
//!
//! Between turns it keeps the tree with its strategies, what it did, and the value it expected. What it sees reaches
//! it as a key, and what may be true as positions that the caller draws from a belief.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use scuro_core::{Game, Key, Node, Player, Random};

use crate::carry::{Carrying, Fresh, Gift, Keep, Moved, Prior};
use crate::choose::{Purify, purified};
use crate::exact::ground::Ground;
use crate::explore::{Explore, Spread};
use crate::grow::{Evaluate, Growth, Root};
use crate::strategy::Strategy;
use crate::think::Thinking;
use crate::tree::InfosetId;

/// Which strategy is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterate {
    /// The last one.
    Last,
    /// The average of all.
    Average,
}

/// Where the first tree of a game starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// At the start of the game, with all that both players have seen since.
    Root,
    /// At the positions of the belief; at each of them the other player is assumed to know everything.
    Fresh,
}

/// Over which of their infosets the value that I expect is a mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// As likely as they come in by each at the root.
    Entered,
    /// As likely as they are before the search.
    Prior,
}

/// The parts of the player that can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Where the first tree starts.
    pub opening: Opening,
    /// How the tree is carried over.
    pub carrying: Carrying,
    /// Whether my infosets that I am certainly not in keep their strategies (KLSS).
    pub freeze: bool,
    /// Who explores.
    pub explore: Explore,
    /// How spread is measured.
    pub spread: Spread,
    /// Which strategy is played.
    pub iterate: Iterate,
    /// How much of it is mixed.
    pub purify: Purify,
    /// What the value that I expect is a mean over.
    pub expect: Expect,
    /// Random numbers.
    pub seed: u64,
    /// The most nodes that are made at a turn, whatever the budget.
    pub nodes: Option<usize>,
    /// The most iterations at a turn, whatever the budget.
    pub iterations: Option<u64>,
    /// The tree stops growing when it takes so much memory.
    pub bytes: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            opening: Opening::Root,
            carrying: Carrying {
                order: Some(2),
                gift: Gift::Split,
                prior: Prior::Mixed,
                keep: Keep::All,
                lean: 0,
            },
            freeze: false,
            explore: Explore::One,
            spread: Spread::Taken,
            iterate: Iterate::Last,
            purify: Purify::On,
            expect: Expect::Entered,
            seed: 1,
            nodes: None,
            iterations: None,
            bytes: usize::MAX,
        }
    }
}

/// How long to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// The whole subgame is grown, up to so many nodes, and then solved for so many iterations.
    Whole {
        /// The most nodes.
        nodes: usize,
        /// Iterations.
        iterations: u64,
    },
    /// Until so many nodes were made.
    Nodes(usize),
    /// For so long.
    Time(Duration),
    /// Until told to stop.
    Endless,
}

impl Budget {
    /// The time for a move on a clock with so much time left and so much more after each move.
    #[must_use]
    pub fn of_clock(left: Duration, increment: Duration) -> Budget {
        let share = left / 30 + increment * 3 / 4;
        // Never so much that the rest of the game, or a slow machine, has none.
        Budget::Time(share.min(left / 3).max(Duration::from_millis(5)))
    }
}

/// An action, and what is thought of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// As solved.
    pub probability: f64,
    /// As played.
    pub played: f64,
    /// What it is worth to me.
    pub value: f64,
    /// Whether it was in the support since half time.
    pub stable: bool,
    /// How play may go on: both sides do what they like best, in the position that is most likely.
    pub line: Vec<A>,
}

/// What the player thinks at a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<A> {
    /// The actions in the game's order.
    pub candidates: Vec<Candidate<A>>,
    /// The value that I expect.
    pub value: f64,
    /// How much Resolve is in use.
    pub pmax: f64,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Infosets of the tree.
    pub infosets: usize,
    /// Plies of its longest line.
    pub depth: usize,
    /// Leaves that were expanded in this search.
    pub expansions: u64,
    /// Iterations done.
    pub iterations: u64,
    /// How much memory the tree takes.
    pub bytes: usize,
}

/// Who hears now and then how a long thought goes.
pub type Hearer<A> = Arc<dyn Fn(&Thought<A>) + Send + Sync>;

/// The player.
#[derive(Clone)]
pub struct Agent<G: Game> {
    me: Player,
    settings: Settings,
    growth: Option<Growth<G>>,
    moved: Option<Moved<G::Action>>,
    expected: f64,
    random: Random,
    stop: Arc<AtomicBool>,
    hearer: Option<Hearer<G::Action>>,
}

impl<G: Game<State: Send, Action: Send> + Sync> Agent<G> {
    /// A player before the first move of a game.
    #[must_use]
    pub fn new(me: Player, settings: Settings) -> Agent<G> {
        let random = Random::new(settings.seed);
        let stop = Arc::default();
        Agent { me, settings, growth: None, moved: None, expected: 1.0, random, stop, hearer: None }
    }

    /// Thoughts end soon after this becomes true. Whoever sets it clears it.
    pub fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }

    /// Tells somebody, or nobody any more, how thoughts go that take longer than a second.
    pub fn tell(&mut self, hearer: Option<Hearer<G::Action>>) {
        self.hearer = hearer;
    }

    /// The tree of the next thoughts stops growing when it takes so much memory.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.settings.bytes = bytes;
    }

    /// Thinks at a turn at which all that I know is `key`: [`Agent::prepare`], then [`Agent::search`].
    pub fn think(
        &mut self,
        game: &G,
        evaluators: &mut [impl Evaluate<G> + Send],
        key: Key,
        fresh: impl FnOnce(&[&G::State]) -> Vec<Fresh<G::State>>,
        budget: Budget,
    ) -> Option<Thought<G::Action>> {
        let since = Instant::now();
        self.prepare(game, key, fresh).then(|| self.search(game, evaluators, key, budget, since))?
    }

    /// Carries the tree over to a turn at which all that I know is `key`. `fresh` draws positions of the belief that
    /// are not among those shown to it. False if nothing fits.
    pub fn prepare(
        &mut self,
        game: &G,
        key: Key,
        fresh: impl FnOnce(&[&G::State]) -> Vec<Fresh<G::State>>,
    ) -> bool {
        self.growth = match (self.growth.take(), self.moved) {
            (Some(growth), Some(moved)) => {
                growth.carry(game, moved, key, self.settings.carrying, fresh, self.expected)
            }
            _ => self.opening(game, key, fresh),
        };
        self.growth.is_some()
    }

    /// Grows and solves the tree of this turn; time counts from `since` on. With one evaluator growing and solving
    /// take turns; each further one grows on a thread of its own while this one solves. `None` if there is no tree.
    pub fn search(
        &mut self,
        game: &G,
        evaluators: &mut [impl Evaluate<G> + Send],
        key: Key,
        budget: Budget,
        since: Instant,
    ) -> Option<Thought<G::Action>> {
        let mut growth = self.growth.take()?;
        let tell = |growth: &Growth<G>, stable: &[bool]| {
            let id = growth.infosets[self.me.index()].get(&key);
            if let (Some(hearer), Some(&id)) = (&self.hearer, id) {
                hearer(&self.thought(growth, id, stable));
            }
        };
        let mut thinking = Thinking::new(game, self.settings, budget, key, since, &self.stop, &growth);
        thinking.tell = Some(&tell);
        let stable = thinking.run(&mut growth, evaluators);
        let id = *growth.infosets[self.me.index()].get(&key)?;
        let thought = self.thought(&growth, id, &stable);
        self.expected = thought.value;
        self.growth = Some(growth);
        Some(thought)
    }

    /// The tree of a first decision.
    fn opening(
        &mut self,
        game: &G,
        key: Key,
        fresh: impl FnOnce(&[&G::State]) -> Vec<Fresh<G::State>>,
    ) -> Option<Growth<G>> {
        let mut growth = match self.settings.opening {
            // Who has played without thinking is past the start of the game, and has no tree that leads here.
            Opening::Root if self.moved.is_none() => {
                let root = Root { node: Node::start(game), mine: true };
                Growth::new(self.me, vec![(root, 0, 1.0, 0.0)], None, 0)
            }
            Opening::Root | Opening::Fresh => {
                Growth::of_fresh(self.me, key, fresh(&[]), self.settings.carrying, self.expected)?
            }
        };
        growth.freeze = self.settings.freeze;
        growth.explore = self.settings.explore;
        growth.spread = self.settings.spread;
        growth.solver.averaging = self.settings.iterate == Iterate::Average;
        growth.random = Random::new(self.random.word());
        Some(growth)
    }

    fn thought(&self, growth: &Growth<G>, id: InfosetId, stable: &[bool]) -> Thought<G::Action> {
        let places = growth.solver.tree.infoset(id).slots();
        let strategy = match self.settings.iterate {
            Iterate::Last => growth.solver.strategy.0[places.clone()].to_vec(),
            Iterate::Average => growth.solver.average().0[places.clone()].to_vec(),
        };
        let pmax = growth.gadget.as_ref().map_or(0.0, |gadget| gadget.pmax);
        let played = purified(&strategy, stable, pmax, self.settings.purify);
        let candidates = places.enumerate().map(|(i, place)| Candidate {
            action: growth.actions[place],
            probability: strategy[i],
            played: played[i],
            value: growth.solver.qualities[place],
            stable: stable[i],
            line: growth.line(id, i),
        });
        let candidates: Vec<_> = candidates.collect();
        let value = expected(growth, self.settings.expect)
            .unwrap_or_else(|| candidates.iter().map(|each| each.probability * each.value).sum());
        Thought {
            candidates,
            value,
            pmax,
            nodes: growth.nodes(),
            infosets: growth.solver.tree.infosets().len(),
            depth: growth.depth(),
            expansions: growth.expansions,
            iterations: growth.solver.iterations(),
            bytes: growth.bytes(),
        }
    }

    /// The tree of this turn.
    #[must_use]
    pub fn growth(&self) -> Option<&Growth<G>> {
        self.growth.as_ref()
    }

    /// I do this, knowing `key`.
    pub fn play(&mut self, key: Key, action: G::Action) {
        self.moved = Some(Moved { key, action });
    }

    /// Goes on with the tree of the last thought while they think, until told to stop or the memory is full. What I
    /// did at the move just made stays as it is.
    pub fn ponder(&mut self, game: &G, evaluators: &mut [impl Evaluate<G> + Send]) {
        let (Some(mut growth), Some(Moved { key, .. })) = (self.growth.take(), self.moved) else { return };
        if let Some(id) = growth.infosets[self.me.index()].get(&key) {
            growth.solver.frozen[id.index()] = true;
            let since = Instant::now();
            let thinking =
                Thinking::new(game, self.settings, Budget::Endless, key, since, &self.stop, &growth);
            thinking.run(&mut growth, evaluators);
        }
        self.growth = Some(growth);
    }
}

/// What I expect over the roots that I may be at; without a gadget that is for the infoset to say.
fn expected<G: Game>(growth: &Growth<G>, expect: Expect) -> Option<f64> {
    let gadget = growth.gadget.as_ref()?;
    let sign = if growth.me == Player::One { 1.0 } else { -1.0 };
    let mine = || growth.solver.starts.iter().zip(&growth.roots).filter(|(_, root)| root.mine);
    let mean = |weights: &[f64]| {
        let (mut sum, mut total) = (0.0, 0.0);
        for (start, _) in mine() {
            let weight = weights[start.class as usize] * start.weight;
            total += weight;
            sum += weight * sign * growth.value(start.node);
        }
        (total > 0.0).then(|| sum / total)
    };
    let entered = if expect == Expect::Entered { mean(&gadget.weights) } else { None };
    entered.or_else(|| mean(&gadget.priors))
}

/// What the player does at every infoset of a small game that she can come to, by asking her at each of them. The
/// other player's part is uniform, and so is what she never comes to. `asked` hears of every question.
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
    // Her tree may be large: those who go on from the same thought share it until their turn comes.
    let beginner = Rc::new(Agent::new(me, settings));
    let mut open: Vec<(Rc<_>, Option<Moved<_>>, InfosetId)> =
        ground.topmost(me).into_iter().map(|id| (Rc::clone(&beginner), None, id)).collect();
    while let Some((agent, moved, id)) = open.pop() {
        let mut agent = Rc::unwrap_or_clone(agent);
        agent.moved = moved;
        let key = ground.key(me, ground.nodes(id)[0]);
        asked();
        let Some(thought) = agent.think(game, std::slice::from_mut(evaluator), key, |_| Vec::new(), budget)
        else {
            continue;
        };
        let places = ground.tree.infoset(id).slots();
        for (place, candidate) in places.clone().zip(&thought.candidates) {
            strategy.0[place] = candidate.played;
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
