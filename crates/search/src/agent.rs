//! The player: carries the tree over, grows and solves it, and chooses.
//!
//! Between turns it keeps the tree with its strategies, what it did, and the value it expected. What it sees reaches
//! it as a key, and what may be true as positions that the caller draws from a belief.

use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use scuro_core::{Game, Key, Node, Player, Random};

use crate::carry::{Carrying, Fresh, Gift, Keep, Moved, Prior};
use crate::choose::{Purify, purified};
use crate::exact::ground::Ground;
use crate::grow::{Evaluate, Explore, Growth, Leaf, Made, Root, Spread};
use crate::strategy::Strategy;
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
    /// Random numbers.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            opening: Opening::Root,
            carrying: Carrying { order: Some(2), gift: Gift::Split, prior: Prior::Mixed, keep: Keep::All },
            freeze: false,
            explore: Explore::One,
            spread: Spread::Variance,
            iterate: Iterate::Last,
            purify: Purify::On,
            seed: 1,
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
}

/// An action, and what is thought of it.
#[derive(Clone, Copy, Debug, PartialEq)]
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
}

/// The player.
#[derive(Clone)]
pub struct Agent<G: Game> {
    me: Player,
    settings: Settings,
    growth: Option<Growth<G>>,
    moved: Option<Moved<G::Action>>,
    expected: f64,
    random: Random,
}

impl<G: Game<State: Send, Action: Send> + Sync> Agent<G> {
    /// A player before the first move of a game.
    #[must_use]
    pub fn new(me: Player, settings: Settings) -> Agent<G> {
        let random = Random::new(settings.seed);
        Agent { me, settings, growth: None, moved: None, expected: 1.0, random }
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
        self.prepare(game, key, fresh).then(|| self.search(game, evaluators, key, budget))?
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

    /// Grows and solves the tree of this turn. With one evaluator growing and solving take turns; each further one
    /// grows on a thread of its own while this one solves. `None` if there is no tree.
    pub fn search(
        &mut self,
        game: &G,
        evaluators: &mut [impl Evaluate<G> + Send],
        key: Key,
        budget: Budget,
    ) -> Option<Thought<G::Action>> {
        let mut growth = self.growth.take()?;
        let search = Search::new(game, self.me, key, growth.nodes());
        let stable = search.run(&mut growth, evaluators, budget);
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
            Opening::Root => {
                let root = Root { node: Node::start(game), mine: true };
                Growth::new(self.me, vec![(root, 0, 1.0, 0.0)], None, 0)
            }
            Opening::Fresh => {
                Growth::of_fresh(self.me, key, fresh(&[]), self.settings.carrying, self.expected)?
            }
        };
        growth.freeze = self.settings.freeze;
        growth.explore = self.settings.explore;
        growth.spread = self.settings.spread;
        growth.random = Random::new(self.random.word());
        Some(growth)
    }

    fn thought(&self, growth: &Growth<G>, id: InfosetId, stable: &[bool]) -> Thought<G::Action> {
        let places = growth.solver.tree.infoset(id).places();
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
        });
        let candidates: Vec<_> = candidates.collect();
        let value = expected(growth)
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
}

/// Of the work of a search in turns, one expansion costs about as much as so many visits of the solver.
const VISITS_AN_EXPANSION: u64 = 3_000;

/// Growth stops when this much of the budget is used; the rest is for solving.
const GROWING: f64 = 0.9;

/// Leaves that wait at a grower, so that it has work during an iteration.
const QUEUE: usize = 64;

/// One search: grows and solves until its budget is used, and watches which actions stay in the support.
struct Search<'g, G> {
    game: &'g G,
    me: Player,
    key: Key,
    stable: Vec<bool>,
    /// Nodes when it began.
    since: usize,
    start: Instant,
    /// The longest iteration so far.
    longest: Duration,
    /// Iterations since the tree last grew.
    idle: u32,
}

impl<'g, G: Game<State: Send, Action: Send> + Sync> Search<'g, G> {
    fn new(game: &'g G, me: Player, key: Key, since: usize) -> Search<'g, G> {
        let (start, longest) = (Instant::now(), Duration::ZERO);
        Search { game, me, key, stable: Vec::new(), since, start, longest, idle: 0 }
    }

    fn run(
        mut self,
        growth: &mut Growth<G>,
        evaluators: &mut [impl Evaluate<G> + Send],
        budget: Budget,
    ) -> Vec<bool> {
        match (budget, evaluators) {
            (_, []) => {}
            (Budget::Whole { nodes, iterations }, [evaluator, ..]) => {
                growth.grow_all(self.game, evaluator, nodes);
                for iteration in 1..=iterations {
                    growth.iterate();
                    self.watch(growth, iteration as f64 / iterations as f64);
                }
            }
            (budget, [evaluator]) => self.in_turns(growth, evaluator, budget),
            (budget, [evaluator, growers @ ..]) => {
                self.enter(growth, evaluator);
                self.at_once(growth, growers, budget);
            }
        }
        self.stable
    }

    /// Makes sure that my infoset is in the tree: one of its nodes is expanded before anything is solved.
    fn enter(&self, growth: &mut Growth<G>, evaluator: &mut impl Evaluate<G>) {
        if !growth.infosets[self.me.index()].contains_key(&self.key) {
            growth.grow_root(self.game, evaluator);
        }
    }

    /// Notes which actions are in the support, in the second half of the search.
    fn watch(&mut self, growth: &Growth<G>, progress: f64) {
        let Some(id) = growth.infosets[self.me.index()].get(&self.key) else { return };
        let strategy = &growth.solver.strategy.0[growth.solver.tree.infoset(*id).places()];
        self.stable.resize(strategy.len(), true);
        if progress >= 0.5 {
            self.stable.iter_mut().zip(strategy).for_each(|(stable, share)| *stable &= *share > 0.0);
        }
    }

    /// How much of the budget is used.
    fn progress(&self, growth: &Growth<G>, budget: Budget) -> f64 {
        match budget {
            Budget::Nodes(nodes) => (growth.nodes() - self.since) as f64 / nodes as f64,
            Budget::Time(time) => self.start.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9),
            Budget::Whole { .. } => 1.0,
        }
    }

    /// One iteration. Tells whether the tree may still grow; `None` if the budget is used, or nothing grows any more.
    fn step(&mut self, growth: &mut Growth<G>, budget: Budget) -> Option<bool> {
        let progress = self.progress(growth, budget);
        let began = Instant::now();
        growth.iterate();
        self.longest = self.longest.max(began.elapsed());
        self.watch(growth, progress);
        let over = matches!(budget, Budget::Time(time) if self.start.elapsed() + self.longest >= time);
        let ended = over || progress >= 1.0 || self.idle >= 20;
        (!ended).then_some(progress < GROWING || matches!(budget, Budget::Nodes(_)))
    }

    fn in_turns(&mut self, growth: &mut Growth<G>, evaluator: &mut impl Evaluate<G>, budget: Budget) {
        self.enter(growth, evaluator);
        let mut visits = growth.solver.visits();
        while let Some(growing) = self.step(growth, budget) {
            let visited = growth.solver.visits() - std::mem::replace(&mut visits, growth.solver.visits());
            if !growing {
                continue;
            }
            let expansions = 1 + visited / VISITS_AN_EXPANSION;
            let before = growth.expansions;
            for _ in 0..expansions {
                if let Some(leaf) = growth.descend() {
                    growth.join(Growth::make(self.game, evaluator, leaf));
                }
            }
            self.idle = if growth.expansions == before { self.idle + 1 } else { 0 };
        }
        self.settle(growth, budget);
    }

    /// A last stretch of solving, if the budget counts nodes and none is left for it.
    fn settle(&mut self, growth: &mut Growth<G>, budget: Budget) {
        if matches!(budget, Budget::Nodes(_)) {
            for _ in 0..growth.solver.iterations() / 10 {
                growth.iterate();
                self.watch(growth, 1.0);
            }
        }
    }

    /// Every grower makes children on a thread of its own; this one descends, joins and solves.
    fn at_once(&mut self, growth: &mut Growth<G>, growers: &mut [impl Evaluate<G> + Send], budget: Budget) {
        let game = self.game;
        thread::scope(|scope| {
            let (done, made) = channel::<(usize, Made<G>)>();
            let mut hands: Vec<(Sender<Leaf<G>>, usize)> = Vec::new();
            for (number, evaluator) in growers.iter_mut().enumerate() {
                let (send, leaves) = channel::<Leaf<G>>();
                let done = done.clone();
                scope.spawn(move || {
                    for leaf in leaves {
                        if done.send((number, Growth::make(game, evaluator, leaf))).is_err() {
                            return;
                        }
                    }
                });
                hands.push((send, 0));
            }
            while let Some(growing) = self.step(growth, budget) {
                let mut moved = false;
                for (number, made) in made.try_iter() {
                    hands[number].1 -= 1;
                    growth.join(made);
                    moved = true;
                }
                if growing {
                    moved |= hand_out(growth, &mut hands);
                }
                self.idle = if moved || hands.iter().any(|hand| hand.1 > 0) { 0 } else { self.idle + 1 };
            }
            drop(hands);
            drop(done);
            // What is on its way still belongs to the tree.
            made.iter().for_each(|(_, made)| growth.join(made));
        });
        self.settle(growth, budget);
    }
}

/// Fills the queues of the growers; tells whether there was a leaf for one.
fn hand_out<G: Game>(growth: &mut Growth<G>, hands: &mut [(Sender<Leaf<G>>, usize)]) -> bool {
    let mut moved = false;
    for (send, waiting) in hands {
        let mut attempts = 2 * QUEUE;
        while *waiting < QUEUE && attempts > 0 {
            attempts -= 1;
            if let Some(leaf) = growth.descend() {
                moved = true;
                if send.send(leaf).is_ok() {
                    *waiting += 1;
                }
            }
        }
    }
    moved
}

/// What I expect over the roots that I may be at; without a gadget that is for the infoset to say.
fn expected<G: Game>(growth: &Growth<G>) -> Option<f64> {
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
    mean(&gadget.weights).or_else(|| mean(&gadget.priors))
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
    let mut open: Vec<(Agent<G>, InfosetId)> =
        ground.topmost(me).into_iter().map(|id| (Agent::new(me, settings), id)).collect();
    while let Some((mut agent, id)) = open.pop() {
        let key = ground.key(me, ground.nodes(id)[0]);
        asked();
        let Some(thought) = agent.think(game, std::slice::from_mut(evaluator), key, |_| Vec::new(), budget)
        else {
            continue;
        };
        let places = ground.tree.infoset(id).places();
        for (place, candidate) in places.clone().zip(&thought.candidates) {
            strategy.0[place] = candidate.played;
        }
        for &next in ground.next(id) {
            let before = ground.action_before(next).map_or(0, |(_, action)| action);
            if thought.candidates[before].played > 0.0 {
                let mut agent = agent.clone();
                agent.play(key, thought.candidates[before].action);
                open.push((agent, next));
            }
        }
    }
    strategy
}
