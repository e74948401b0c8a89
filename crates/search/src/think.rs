//! One search: the tree grows and is solved at once, until the budget is used.
//!
//! One thread solves. Growers make children on threads of their own and share nothing with it: between two iterations
//! leaves are sent to them, and children come back. With one thread the two take turns, which is deterministic.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use scuro_core::{Game, Key};

use crate::grow::{Evaluate, Leaf, Made};
use crate::settings::{Budget, Settings};
use crate::subgame::Subgame;

/// The cost of a new node, in visits of the solver, when growing and solving take turns.
const VISITS_A_NODE: u64 = 100;

/// The cost of a descent, which may lead nowhere, in visits of the solver.
const VISITS_A_DESCENT: u64 = 500;

/// The share of the budget after which the tree stops growing; the rest is for solving.
const GROWING: f64 = 0.9;

/// The time left when the last iteration is given up: for the growers to end, and for the choice.
const REST: Duration = Duration::from_millis(2);

/// The time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// The number of iterations without growth after which a search with a budget of nodes ends.
const STALL_LIMIT: u32 = 20;

/// The number of such iterations that one iteration with growth makes up for: a tree that hardly grows any more is not
/// waited for either.
const STALL_CREDIT: u32 = 4;

/// Is called with the tree, and which actions have been in the support.
type OnProgress<'g, G> = &'g dyn Fn(&Subgame<G>, &[bool]);

/// One search, which watches which actions stay in the support.
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
    /// The number of iterations without growth that later growth has not made up for.
    stalled: u32,
    pub(crate) on_progress: Option<OnProgress<'g, G>>,
    reported: Instant,
}

/// The queue of a grower.
struct Queue<G: Game> {
    send: Sender<Leaf<G>>,
    /// The number of leaves sent to it that have not come back.
    waiting: usize,
    /// The number that should wait there, so that it has work during an iteration.
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
        subgame: &Subgame<G>,
    ) -> Thinking<'g, G> {
        let (nodes, iterations) = (subgame.nodes(), subgame.solver.iterations());
        let (stable, stalled, on_progress, reported) = (Vec::new(), 0, None, Instant::now());
        Thinking {
            game,
            settings,
            budget,
            key,
            stop,
            stable,
            start,
            nodes,
            iterations,
            stalled,
            on_progress,
            reported,
        }
    }

    /// Searches, and returns which actions were in the support throughout the second half.
    pub(crate) fn run(
        mut self,
        subgame: &mut Subgame<G>,
        evaluators: &mut [impl Evaluate<G> + Send],
    ) -> Vec<bool> {
        subgame.solver.deadline = match self.budget {
            Budget::Time(time) => (self.start + time).checked_sub(REST),
            _ => None,
        };
        match (self.budget, evaluators) {
            (_, []) => {}
            (Budget::Whole { nodes, iterations }, [evaluator, ..]) => {
                subgame.grow_all(self.game, evaluator, self.settings.nodes.unwrap_or(nodes));
                let iterations = self.settings.iterations.unwrap_or(iterations);
                for iteration in 1..=iterations {
                    subgame.iterate();
                    self.watch(subgame, iteration as f64 / iterations as f64);
                }
            }
            (_, [evaluator]) => self.in_turns(subgame, evaluator),
            (_, [evaluator, growers @ ..]) => {
                self.enter(subgame, evaluator);
                self.at_once(subgame, growers);
            }
        }
        self.watch(subgame, 0.0);
        self.stable
    }

    /// Makes sure that my infoset is in the tree by expanding one of its nodes before anything is solved.
    fn enter(&self, subgame: &mut Subgame<G>, evaluator: &mut impl Evaluate<G>) {
        if !subgame.infosets[subgame.me.index()].contains_key(&self.key) {
            subgame.grow_root(self.game, evaluator);
        }
    }

    /// Notes which actions are in the support, in the second half of the search.
    fn watch(&mut self, subgame: &Subgame<G>, progress: f64) {
        let Some(id) = subgame.infosets[subgame.me.index()].get(&self.key) else { return };
        let strategy = &subgame.solver.strategy.0[subgame.solver.tree.infoset(*id).slots()];
        self.stable.resize(strategy.len(), true);
        if progress >= 0.5 {
            self.stable.iter_mut().zip(strategy).for_each(|(stable, share)| *stable &= *share > 0.0);
        }
    }

    /// Returns the share of the budget that is used.
    fn progress(&self, subgame: &Subgame<G>) -> f64 {
        let nodes = (subgame.nodes() - self.nodes) as f64;
        let iterations = (subgame.solver.iterations() - self.iterations) as f64;
        let budget = match self.budget {
            Budget::Nodes(most) => nodes / most as f64,
            Budget::Time(time) => self.start.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9),
            Budget::Whole { .. } | Budget::Endless => 0.0,
        };
        let nodes = self.settings.nodes.map_or(0.0, |most| nodes / most as f64);
        budget.max(nodes).max(self.settings.iterations.map_or(0.0, |most| iterations / most as f64))
    }

    /// Does one iteration. Returns whether the tree may still grow; `None` if the budget is used, or growth has stalled.
    fn step(&mut self, subgame: &mut Subgame<G>) -> Option<bool> {
        let progress = self.progress(subgame);
        if !subgame.iterate() {
            return None;
        }
        self.watch(subgame, progress);
        self.report(subgame);
        let counted =
            !matches!(self.budget, Budget::Time(_) | Budget::Endless) || self.settings.nodes.is_some();
        let ended =
            progress >= 1.0 || counted && self.stalled >= STALL_LIMIT || self.stop.load(Ordering::Relaxed);
        (!ended).then(|| (progress < GROWING || counted) && subgame.bytes() < self.settings.bytes)
    }

    /// Reports progress now and then, unless the budget is one of nodes, which is used up soon.
    fn report(&mut self, subgame: &Subgame<G>) {
        let timed = matches!(self.budget, Budget::Time(_) | Budget::Endless);
        let due = timed && self.reported.elapsed() >= REPORT_INTERVAL;
        if let Some(on_progress) = self.on_progress.filter(|_| due) {
            on_progress(subgame, &self.stable);
            self.reported = Instant::now();
        }
    }

    /// Counts an iteration in which the tree grew, or did not.
    fn note_growth(&mut self, grew: bool) {
        self.stalled = if grew { self.stalled.saturating_sub(STALL_CREDIT) } else { self.stalled + 1 };
    }

    fn in_turns(&mut self, subgame: &mut Subgame<G>, evaluator: &mut impl Evaluate<G>) {
        self.enter(subgame, evaluator);
        let mut visits = subgame.solver.visits();
        while let Some(growing) = self.step(subgame) {
            let visited = subgame.solver.visits() - std::mem::replace(&mut visits, subgame.solver.visits());
            let before = subgame.expansions;
            let enough = subgame.nodes() + (visited / VISITS_A_NODE) as usize;
            for _ in 0..if growing { 1 + visited / VISITS_A_DESCENT } else { 0 } {
                if let Some(leaf) = subgame.descend() {
                    subgame.join(Subgame::make(self.game, evaluator, leaf));
                }
                if subgame.nodes() > enough {
                    break;
                }
            }
            self.note_growth(subgame.expansions > before);
        }
        self.settle(subgame);
    }

    /// A last stretch of solving, if the budget counts nodes and none is left for it.
    fn settle(&mut self, subgame: &mut Subgame<G>) {
        if matches!(self.budget, Budget::Nodes(_)) || self.settings.nodes.is_some() {
            for _ in 0..(subgame.solver.iterations() - self.iterations) / 10 {
                if subgame.iterate() {
                    self.watch(subgame, 1.0);
                }
            }
        }
    }

    /// Every grower makes children on a thread of its own; this one descends, joins and solves.
    fn at_once(&mut self, subgame: &mut Subgame<G>, growers: &mut [impl Evaluate<G> + Send]) {
        let (game, ended) = (self.game, &AtomicBool::new(false));
        thread::scope(|scope| {
            let (done, made) = channel::<(usize, Made<G>)>();
            let mut queues: Vec<Queue<G>> = Vec::new();
            for (number, evaluator) in growers.iter_mut().enumerate() {
                let (send, leaves) = channel::<Leaf<G>>();
                let done = done.clone();
                scope.spawn(move || {
                    for leaf in leaves.iter().take_while(|_| !ended.load(Ordering::Relaxed)) {
                        if done.send((number, Subgame::make(game, evaluator, leaf))).is_err() {
                            return;
                        }
                    }
                });
                queues.push(Queue { send, waiting: 0, wanted: 8 });
            }
            drop(done);
            while let Some(growing) = self.step(subgame) {
                let mut moved = take_in(subgame, &mut queues, made.try_iter());
                if growing {
                    moved |= hand_out(subgame, &mut queues);
                }
                self.note_growth(moved || queues.iter().any(|queue| queue.waiting > 0));
            }
            ended.store(true, Ordering::Relaxed);
            queues.clear();
            made.iter().for_each(|(_, made)| subgame.join(made));
        });
        subgame.give_back();
        self.settle(subgame);
    }
}

/// Joins what the growers have made. Returns whether there was anything.
fn take_in<G: Game>(
    subgame: &mut Subgame<G>,
    queues: &mut [Queue<G>],
    made: impl Iterator<Item = (usize, Made<G>)>,
) -> bool {
    let before = subgame.expansions;
    let mut brought = vec![0; queues.len()];
    for (number, made) in made {
        brought[number] += 1;
        subgame.join(made);
    }
    for (queue, brought) in queues.iter_mut().zip(brought) {
        queue.waiting -= brought;
        // Twice what it makes during an iteration: it never runs dry, and leaves are chosen late.
        queue.wanted = (2 * brought).clamp(queue.wanted / 2, 1_000).max(8);
    }
    subgame.expansions > before
}

/// Fills the queues of the growers. Returns whether a leaf was found.
fn hand_out<G: Game>(subgame: &mut Subgame<G>, queues: &mut [Queue<G>]) -> bool {
    let mut moved = false;
    for Queue { send, waiting, wanted } in queues {
        let mut attempts = 2 * *wanted;
        while *waiting < *wanted && attempts > 0 {
            attempts -= 1;
            if let Some(leaf) = subgame.descend() {
                moved = true;
                *waiting += usize::from(send.send(leaf).is_ok());
            }
        }
    }
    moved
}
