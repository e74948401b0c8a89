//! Boards that may be, each with a weight for every type of opponent.
//!
//! What a player is told rules boards out; a turn of the opponent multiplies weights by how likely each type plays it, and
//! boards reached on several ways add up: Bayes' rule, exact until there are more boards than the bound. Past it the heaviest
//! stay and a few of the others, drawn alike, so that what looked like a bad move is not forgotten.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use rustc_hash::FxHashMap;
use scuro_core::{Player, Positions, Random};
use scuro_games::chess::{Board, Move};
use scuro_games::rbc::{Position, Rbc, RbcAction, Told};
use scuro_search::belief::Contradiction;

/// The number of types of opponents.
pub const TYPES: usize = 5;

/// A weight for each type.
pub type Weights = [f64; TYPES];

/// The share of a full pool that its heaviest boards take.
const HEAVIEST: f64 = 0.9;

/// The number of boards that a thread follows at a time.
const CHUNK: usize = 256;

/// The number of followed chunks that may wait to be taken from a thread.
const AHEAD: usize = 4;

/// Says how likely the opponent's turns are. One thread uses it at a time.
pub trait Turns: Send {
    /// Appends the probability of each of these turns on `board` for each type; `None` is a pass. A slower and better
    /// way is used if `careful`.
    fn likelihoods(&mut self, board: &Board, turns: &[Option<Move>], careful: bool, out: &mut Vec<Weights>);
}

/// A board with its weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// The position.
    pub position: Position,
    /// Its weights; those of all boards sum to one.
    pub weights: Weights,
}

impl Held {
    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.position.board()
    }

    /// The probability of the board, whatever the opponent's type.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.weights.iter().sum()
    }
}

/// One step of a pool: the own action, if the step was the player's, and what it was told.
#[derive(Clone, Copy, Debug)]
pub struct Step<'t> {
    /// The player.
    pub player: Player,
    /// Its action, if the step was its own.
    pub own: Option<RbcAction>,
    /// What it was told.
    pub told: &'t Told,
}

/// The boards.
#[derive(Clone, Debug)]
pub struct Pool {
    held: Vec<Held>,
    bound: usize,
    sample: bool,
    random: Random,
}

impl Pool {
    /// One board that is certain, with the weights of the types; at most `bound` boards are kept.
    #[must_use]
    pub fn certain(position: Position, types: Weights, bound: usize, seed: u64) -> Pool {
        let mut pool = Pool {
            held: vec![Held { position, weights: types }],
            bound,
            sample: false,
            random: Random::new(seed),
        };
        pool.scale();
        pool
    }

    /// The boards with their weights, in an order that means nothing.
    #[must_use]
    pub fn held(&self) -> &[Held] {
        &self.held
    }

    /// Whether boards may be missing that fit what was told.
    #[must_use]
    pub fn is_sample(&self) -> bool {
        self.sample
    }

    /// The probability of each type.
    #[must_use]
    pub fn types(&self) -> Weights {
        let mut types = [0.0; TYPES];
        for held in &self.held {
            types.iter_mut().zip(held.weights).for_each(|(sum, weight)| *sum += weight);
        }
        types
    }

    /// The board with the most weight.
    #[must_use]
    pub fn heaviest(&self) -> &Held {
        // There is always one.
        self.held.iter().max_by(|a, b| a.weight().total_cmp(&b.weight())).unwrap_or(&self.held[0])
    }

    /// Keeps at most so many boards from now on.
    pub fn limit(&mut self, bound: usize) {
        self.bound = bound.max(1);
        self.thin();
    }

    /// Takes in what the player was told. The heaviest boards, as many as `careful`, are followed with care. There is a thread
    /// for each of `turns`, which are all alike; what comes out does not depend on how many there are.
    ///
    /// # Errors
    /// If no board fits. The pool stays as it was.
    pub fn advance(
        &mut self,
        rules: &Rbc,
        step: Step<'_>,
        turns: &mut [impl Turns],
        careful: usize,
    ) -> Result<(), Contradiction> {
        let follow = rules.follow(step.player, step.own, step.told);
        let level = self.weight_of_rank(careful);
        let mut found = Found::default();
        if let ([turns], _) | ([turns, ..], ..=CHUNK) = (&mut *turns, self.held.len()) {
            followers(&follow, level, &self.held, turns, |held| found.add(held));
        } else {
            let work: Vec<&[Held]> = self.held.chunks(CHUNK).collect();
            let chunk = |turns: &mut _, held: &&[Held]| {
                let mut next = Vec::new();
                followers(&follow, level, held, turns, |held| next.push(held));
                next
            };
            in_order(turns, &work, chunk, |next| next.into_iter().for_each(|held| found.add(held)));
        }
        self.hold(found.held)
    }

    /// Believes these boards alike, of which there may be more; types are as likely as `types` says.
    ///
    /// # Errors
    /// If there is none. The pool stays as it was.
    pub fn replace(&mut self, positions: &[Position], types: Weights) -> Result<(), Contradiction> {
        let held = |&position| Held { position, weights: types };
        self.hold(positions.iter().map(held).collect())?;
        self.sample = true;
        Ok(())
    }

    /// Lets a share of every board's weight flow back to what was thought of types at first.
    pub fn flow_back(&mut self, share: f64, types: Weights) {
        for held in &mut self.held {
            let total = held.weight();
            held.weights =
                std::array::from_fn(|i| (1.0 - share) * held.weights[i] + share * total * types[i]);
        }
    }

    fn hold(&mut self, held: Vec<Held>) -> Result<(), Contradiction> {
        let total: f64 = held.iter().map(Held::weight).sum();
        if held.is_empty() || total.is_nan() || total <= 0.0 {
            return Err(Contradiction);
        }
        self.held = held;
        self.thin();
        self.scale();
        Ok(())
    }

    /// Scales the weights to sum to one.
    fn scale(&mut self) {
        let total: f64 = self.held.iter().map(Held::weight).sum();
        self.held.iter_mut().flat_map(|held| &mut held.weights).for_each(|weight| *weight /= total);
    }

    /// The weight from which on a board is among the `count` heaviest.
    fn weight_of_rank(&self, count: usize) -> f64 {
        if count == 0 || count >= self.held.len() {
            return if count == 0 { f64::INFINITY } else { 0.0 };
        }
        let mut weights: Vec<f64> = self.held.iter().map(Held::weight).collect();
        let (_, level, _) = weights.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a));
        *level
    }

    /// Leaves no more boards than the bound: the heaviest, and a few of the others, which count for all of these.
    fn thin(&mut self) {
        if self.held.len() <= self.bound {
            return;
        }
        let certain = (self.bound as f64 * HEAVIEST) as usize;
        self.held.select_nth_unstable_by(certain, |a, b| b.weight().total_cmp(&a.weight()));
        let (drawn, rest) = (self.bound - certain, self.held.len() - certain);
        for place in certain..self.bound {
            let other = place + self.random.below(self.held.len() - place);
            self.held.swap(place, other);
        }
        self.held.truncate(self.bound);
        let heavier = rest as f64 / drawn.max(1) as f64;
        self.held[certain..]
            .iter_mut()
            .flat_map(|held| &mut held.weights)
            .for_each(|weight| *weight *= heavier);
        self.sample = true;
        self.scale();
    }
}

/// Boards that were found, each once. Two boards under one key of 64 bits count as one.
#[derive(Default)]
struct Found {
    held: Vec<Held>,
    places: FxHashMap<u64, u32>,
}

impl Found {
    /// Adds a board; one that is there already gets heavier.
    fn add(&mut self, held: Held) {
        let next = self.held.len() as u32;
        let place = *self.places.entry(held.board().key()).or_insert(next) as usize;
        match self.held.get_mut(place) {
            Some(same) => same.weights.iter_mut().zip(held.weights).for_each(|(sum, weight)| *sum += weight),
            None => self.held.push(held),
        }
    }
}

/// Calls `visit` with all that follows each of `held`; those that weigh `level` or more are followed with care.
fn followers(
    follow: &impl Fn(&Position, &mut Vec<(Option<RbcAction>, Position)>),
    level: f64,
    held: &[Held],
    turns: &mut impl Turns,
    mut visit: impl FnMut(Held),
) {
    let (mut followers, mut moves, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    let made = |(action, _): &(Option<RbcAction>, Position)| match action {
        Some(RbcAction::Request(request)) => Some(*request),
        _ => None,
    };
    for held in held {
        followers.clear();
        follow(&held.position, &mut followers);
        moves.clear();
        shares.clear();
        moves.extend(followers.iter().filter_map(made));
        if moves.is_empty() {
            shares.resize(followers.len(), [1.0; TYPES]);
        } else {
            turns.likelihoods(held.board(), &moves, held.weight() >= level, &mut shares);
        }
        for (&(_, position), share) in followers.iter().zip(&shares) {
            visit(Held { position, weights: std::array::from_fn(|i| held.weights[i] * share[i]) });
        }
    }
}

/// Does each piece of work, on one thread for each of `states`, and takes what comes of them in their order.
fn in_order<S: Send, W: Sync, R: Send>(
    states: &mut [S],
    work: &[W],
    act: impl Fn(&mut S, &W) -> R + Sync,
    mut take: impl FnMut(R),
) {
    let (act, threads) = (&act, states.len());
    thread::scope(|scope| {
        let lanes: Vec<Receiver<R>> = states
            .iter_mut()
            .enumerate()
            .map(|(first, state)| {
                let (sender, receiver) = sync_channel(AHEAD);
                let mut mine = work.iter().skip(first).step_by(threads);
                scope.spawn(move || mine.all(|piece| sender.send(act(state, piece)).is_ok()));
                receiver
            })
            .collect();
        // A lane ends early only if its thread fails, which ends the scope with that failure.
        (0..work.len()).map_while(|i| lanes[i % threads].recv().ok()).for_each(&mut take);
    });
}
