//! One thought: the tree grows and is solved at once, until the budget is used.
//!
//! One thread solves. Growers make children on threads of their own and share nothing with it: a leaf goes out to
//! them, its children come back, between two iterations. With one thread the two take turns, always alike.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use scuro_core::{Game, Key};

use crate::agent::{Budget, Settings};
use crate::grow::{Evaluate, Growth, Leaf, Made};

/// Of the work of a search in turns, a new node costs about as much as so many visits of the solver.
const VISITS_A_NODE: u64 = 100;

/// And a descent, which may lead nowhere, about as much as so many.
const VISITS_A_DESCENT: u64 = 500;

/// Growth stops when this much of the budget is used; the rest is for solving.
const GROWING: f64 = 0.9;

/// What is left of the time when the last iteration is given up: for the growers to end, and the choice.
const REST: Duration = Duration::from_millis(2);

/// So often it is told how a thought goes, if it is not over sooner.
const TELLING: Duration = Duration::from_secs(1);

/// A search of a budget of nodes ends after so many iterations without growth. Growth makes good for a few of them only:
/// a tree that hardly grows any more is not waited for either.
const IDLE: u32 = 20;
const MADE_GOOD: u32 = 4;

/// Hears how it goes: the tree, and what has been in the support.
type Tell<'g, G> = &'g dyn Fn(&Growth<G>, &[bool]);

/// One search, which watches what actions stay in the support.
pub(crate) struct Thinking<'g, G: Game> {
    game: &'g G,
    settings: Settings,
    budget: Budget,
    key: Key,
    stop: &'g AtomicBool,
    stable: Vec<bool>,
    start: Instant,
    /// Nodes and iterations when it began.
    nodes: usize,
    iterations: u64,
    /// Iterations without growth that nothing has made good for.
    idle: u32,
    pub(crate) tell: Option<Tell<'g, G>>,
    told: Instant,
}

/// A grower's end of the line.
struct Hand<G: Game> {
    send: Sender<Leaf<G>>,
    /// Leaves that it has not brought back.
    waiting: usize,
    /// How many should wait there, so that it has work during an iteration.
    wanted: usize,
}

impl<'g, G: Game<State: Send, Action: Send> + Sync> Thinking<'g, G> {
    pub(crate) fn new(
        game: &'g G,
        settings: Settings,
        budget: Budget,
        key: Key,
        start: Instant,
        stop: &'g AtomicBool,
        growth: &Growth<G>,
    ) -> Thinking<'g, G> {
        let (nodes, iterations) = (growth.nodes(), growth.solver.iterations());
        let (stable, idle, tell, told) = (Vec::new(), 0, None, Instant::now());
        Thinking { game, settings, budget, key, stop, stable, start, nodes, iterations, idle, tell, told }
    }

    /// Thinks, and tells which actions were in the support at every iteration since half time.
    pub(crate) fn run(
        mut self,
        growth: &mut Growth<G>,
        evaluators: &mut [impl Evaluate<G> + Send],
    ) -> Vec<bool> {
        growth.solver.deadline = match self.budget {
            Budget::Time(time) => (self.start + time).checked_sub(REST),
            _ => None,
        };
        match (self.budget, evaluators) {
            (_, []) => {}
            (Budget::Whole { nodes, iterations }, [evaluator, ..]) => {
                growth.grow_all(self.game, evaluator, self.settings.nodes.unwrap_or(nodes));
                let iterations = self.settings.iterations.unwrap_or(iterations);
                for iteration in 1..=iterations {
                    growth.iterate();
                    self.watch(growth, iteration as f64 / iterations as f64);
                }
            }
            (_, [evaluator]) => self.in_turns(growth, evaluator),
            (_, [evaluator, growers @ ..]) => {
                self.enter(growth, evaluator);
                self.at_once(growth, growers);
            }
        }
        self.watch(growth, 0.0);
        self.stable
    }

    /// Makes sure that my infoset is in the tree: one of its nodes is expanded before anything is solved.
    fn enter(&self, growth: &mut Growth<G>, evaluator: &mut impl Evaluate<G>) {
        if !growth.infosets[growth.me.index()].contains_key(&self.key) {
            growth.grow_root(self.game, evaluator);
        }
    }

    /// Notes which actions are in the support, in the second half of the search.
    fn watch(&mut self, growth: &Growth<G>, progress: f64) {
        let Some(id) = growth.infosets[growth.me.index()].get(&self.key) else { return };
        let strategy = &growth.solver.strategy.0[growth.solver.tree.infoset(*id).slots()];
        self.stable.resize(strategy.len(), true);
        if progress >= 0.5 {
            self.stable.iter_mut().zip(strategy).for_each(|(stable, share)| *stable &= *share > 0.0);
        }
    }

    /// How much of the budget is used.
    fn progress(&self, growth: &Growth<G>) -> f64 {
        let nodes = (growth.nodes() - self.nodes) as f64;
        let iterations = (growth.solver.iterations() - self.iterations) as f64;
        let budget = match self.budget {
            Budget::Nodes(most) => nodes / most as f64,
            Budget::Time(time) => self.start.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9),
            Budget::Whole { .. } | Budget::Endless => 0.0,
        };
        let nodes = self.settings.nodes.map_or(0.0, |most| nodes / most as f64);
        budget.max(nodes).max(self.settings.iterations.map_or(0.0, |most| iterations / most as f64))
    }

    /// One iteration. Tells whether the tree may still grow; `None` if the budget is used, or nothing grows any more.
    fn step(&mut self, growth: &mut Growth<G>) -> Option<bool> {
        let progress = self.progress(growth);
        if !growth.iterate() {
            return None;
        }
        self.watch(growth, progress);
        self.tell(growth);
        let counted =
            !matches!(self.budget, Budget::Time(_) | Budget::Endless) || self.settings.nodes.is_some();
        let ended = progress >= 1.0 || counted && self.idle >= IDLE || self.stop.load(Ordering::Relaxed);
        (!ended).then(|| (progress < GROWING || counted) && growth.bytes() < self.settings.bytes)
    }

    /// Tells how it goes, now and then. A budget of nodes is over soon, however long that takes.
    fn tell(&mut self, growth: &Growth<G>) {
        let timed = matches!(self.budget, Budget::Time(_) | Budget::Endless);
        if let Some(tell) = self.tell.filter(|_| timed && self.told.elapsed() >= TELLING) {
            tell(growth, &self.stable);
            self.told = Instant::now();
        }
    }

    /// Counts an iteration in which the tree grew, or did not.
    fn rest(&mut self, grew: bool) {
        self.idle = if grew { self.idle.saturating_sub(MADE_GOOD) } else { self.idle + 1 };
    }

    fn in_turns(&mut self, growth: &mut Growth<G>, evaluator: &mut impl Evaluate<G>) {
        self.enter(growth, evaluator);
        let mut visits = growth.solver.visits();
        while let Some(growing) = self.step(growth) {
            let visited = growth.solver.visits() - std::mem::replace(&mut visits, growth.solver.visits());
            let before = growth.expansions;
            let enough = growth.nodes() + (visited / VISITS_A_NODE) as usize;
            for _ in 0..if growing { 1 + visited / VISITS_A_DESCENT } else { 0 } {
                if let Some(leaf) = growth.descend() {
                    growth.join(Growth::make(self.game, evaluator, leaf));
                }
                if growth.nodes() > enough {
                    break;
                }
            }
            self.rest(growth.expansions > before);
        }
        self.settle(growth);
    }

    /// A last stretch of solving, if the budget counts nodes and none is left for it.
    fn settle(&mut self, growth: &mut Growth<G>) {
        if matches!(self.budget, Budget::Nodes(_)) || self.settings.nodes.is_some() {
            for _ in 0..(growth.solver.iterations() - self.iterations) / 10 {
                if growth.iterate() {
                    self.watch(growth, 1.0);
                }
            }
        }
    }

    /// Every grower makes children on a thread of its own; this one descends, joins and solves.
    fn at_once(&mut self, growth: &mut Growth<G>, growers: &mut [impl Evaluate<G> + Send]) {
        let (game, ended) = (self.game, &AtomicBool::new(false));
        thread::scope(|scope| {
            let (done, made) = channel::<(usize, Made<G>)>();
            let mut hands: Vec<Hand<G>> = Vec::new();
            for (number, evaluator) in growers.iter_mut().enumerate() {
                let (send, leaves) = channel::<Leaf<G>>();
                let done = done.clone();
                scope.spawn(move || {
                    for leaf in leaves.iter().take_while(|_| !ended.load(Ordering::Relaxed)) {
                        if done.send((number, Growth::make(game, evaluator, leaf))).is_err() {
                            return;
                        }
                    }
                });
                hands.push(Hand { send, waiting: 0, wanted: 8 });
            }
            drop(done);
            while let Some(growing) = self.step(growth) {
                let mut moved = take_in(growth, &mut hands, made.try_iter());
                if growing {
                    moved |= hand_out(growth, &mut hands);
                }
                self.rest(moved || hands.iter().any(|hand| hand.waiting > 0));
            }
            ended.store(true, Ordering::Relaxed);
            hands.clear();
            made.iter().for_each(|(_, made)| growth.join(made));
        });
        growth.give_back();
        self.settle(growth);
    }
}

/// Joins what the growers have made; tells whether there was anything.
fn take_in<G: Game>(
    growth: &mut Growth<G>,
    hands: &mut [Hand<G>],
    made: impl Iterator<Item = (usize, Made<G>)>,
) -> bool {
    let before = growth.expansions;
    let mut brought = vec![0; hands.len()];
    for (number, made) in made {
        brought[number] += 1;
        growth.join(made);
    }
    for (hand, brought) in hands.iter_mut().zip(brought) {
        hand.waiting -= brought;
        // Twice what it makes during an iteration: it never runs dry, and leaves are chosen late.
        hand.wanted = (2 * brought).clamp(hand.wanted / 2, 1_000).max(8);
    }
    growth.expansions > before
}

/// Fills the lines to the growers; tells whether there was a leaf for one.
fn hand_out<G: Game>(growth: &mut Growth<G>, hands: &mut [Hand<G>]) -> bool {
    let mut moved = false;
    for Hand { send, waiting, wanted } in hands {
        let mut attempts = 2 * *wanted;
        while *waiting < *wanted && attempts > 0 {
            attempts -= 1;
            if let Some(leaf) = growth.descend() {
                moved = true;
                *waiting += usize::from(send.send(leaf).is_ok());
            }
        }
    }
    moved
}
