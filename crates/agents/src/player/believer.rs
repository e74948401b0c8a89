//! What a player knows by what it was told: its seat, its belief and its memory.

use std::collections::HashSet;
use std::hash::Hash;
use std::time::{Duration, Instant};

use scuro_core::{Key, Random};
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::Color;
use scuro_games::player_of;
use scuro_games::seat::Seat;
use scuro_games::umpire::Impossible;
use scuro_search::agent::Budget;
use scuro_search::belief::{Belief, Contradiction, Weighted, scale};
use scuro_search::carry::{Fresh, FromBelief};
use scuro_search::refill::{RefillBounds, Snapshots};
use scuro_search::weigh::{OpponentModel, Weigher};

use super::imagined::{Imagined, Leaves, Supposed};
use super::{Playable, Rebuild};
use crate::name::{Believing, Obscuro};
use crate::opponent::models;

/// The positions of a uniform and of a weighted belief that are advanced in a second, until that has been measured.
const USUAL_PACE: f64 = 1e6;
const USUAL_WEIGHING_PACE: f64 = 2e5;

/// No belief that is weighed keeps more positions.
const MOST_WEIGHTED: usize = 200_000;
/// The positions that are weighed with care in a second.
const CAREFUL_PACE: f64 = 15_000.0;
/// The evaluations that weighing a position with care costs.
const CAREFUL_NODES: usize = 30;
/// The share of a budget that the next step of a belief may take.
const SHARE: f64 = 0.25;
/// The share that refilling an empty belief may take; a thin one half of that.
const REFILL_SHARE: f64 = 0.6;
/// The positions that are followed in a second to refill a belief, until a refill has followed enough to tell.
const USUAL_REFILL_PACE: f64 = 40_000.0;
const ENOUGH_TO_TELL: usize = 500;
/// A sample of less than this share of its bound has run thin.
const THIN: usize = 10;
/// To refill a thin belief so many times its bound is followed at most, within these numbers of positions.
const EFFORT: usize = 4;
const FEW_FOLLOWED: usize = 20_000;
const MANY_FOLLOWED: usize = 400_000;
/// To refill an empty belief may cost so many times as much, and on a budget of nodes so much for each of them.
const EMPTY: usize = 40;
const FOLLOWED_A_NODE: usize = 100;
/// The weight of an invented position, as a share of another's.
const INVENTED: f64 = 0.5;

/// What became of the belief when something was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It holds all positions that fit.
    Exact,
    /// It holds a sample of them.
    Sampled,
    /// Little or nothing that was believed fitted: positions were found again that follow from earlier turns. It is a
    /// sample.
    Refilled,
    /// Nothing fitted, also of earlier turns: positions were invented. It is a sample from now on.
    Invented,
}

/// What a player was told, and what it makes of it.
#[derive(Clone)]
pub struct Believer<G: Playable> {
    game: Imagined<G>,
    seat: Seat<G>,
    belief: Belief<G::Position>,
    memory: G::Memory,
    snapshots: Snapshots<G::Position>,
    random: Random,
    /// Random numbers of what is remembered and found again.
    chances: Random,
    /// Whether positions are weighed.
    weighted: bool,
    /// The number of the heaviest that are weighed with care.
    careful: usize,
    threads: usize,
    /// Time that the belief took since the last thought.
    spent: Duration,
    /// The positions of a belief that are advanced in a second.
    pace: f64,
    /// The positions that are followed in a second to refill it.
    refill_pace: f64,
    /// The budget of the last choice.
    budget: Budget,
    /// The positions that the belief keeps if there is time for them.
    positions: usize,
    /// Whether the last refill of a thin belief found nothing new.
    fruitless: bool,
    /// How often positions were found again.
    refilled: usize,
    /// How often positions were invented.
    invented: usize,
}

impl<G: Playable> Believer<G> {
    /// At the start of a game, which both know. The belief keeps at most so many `positions`, all equally likely.
    #[must_use]
    pub fn new(rules: G, color: Color, seed: u64, positions: usize, threads: usize) -> Believer<G> {
        let start = rules.position(&rules.start());
        let (random, mut chances) = (Random::new(seed), Random::new(!seed));
        let belief = Belief::certain(start, positions, seed).with_threads(threads);
        let mut snapshots = Snapshots::default();
        snapshots.remember(&rules, player_of(color), 0, &belief, &mut chances);
        Believer {
            seat: Seat::new(&rules, color),
            belief,
            memory: rules.first_memory(color),
            game: Imagined::new(rules.unlimited(), color),
            snapshots,
            random,
            chances,
            weighted: false,
            careful: G::CAREFUL,
            threads,
            spent: Duration::ZERO,
            pace: USUAL_PACE,
            refill_pace: USUAL_REFILL_PACE,
            budget: Budget::Endless,
            positions,
            fruitless: false,
            refilled: 0,
            invented: 0,
        }
    }

    /// At the start of a game, with the belief that a name asks for.
    #[must_use]
    pub fn of(rules: G, color: Color, name: &Obscuro, threads: usize) -> Believer<G> {
        // The belief, and the next one beside it, may take half of the memory.
        let room = (name.hash << 20) / 4 / size_of::<G::Position>();
        let positions = name.positions.unwrap_or(G::POSITIONS).min(room);
        let weighted = name.belief.unwrap_or(G::BELIEVING) == Believing::Weighted;
        let positions = if weighted { positions.min(MOST_WEIGHTED) } else { positions };
        let pace = if weighted { USUAL_WEIGHING_PACE } else { USUAL_PACE };
        Believer { weighted, pace, ..Believer::new(rules, color, name.settings.seed, positions, threads) }
    }

    /// The game, as this player searches it.
    #[must_use]
    pub fn game(&self) -> &Imagined<G> {
        &self.game
    }

    /// All that it was told, and what it may do.
    #[must_use]
    pub fn seat(&self) -> &Seat<G> {
        &self.seat
    }

    /// All that it knows.
    #[must_use]
    pub fn key(&self) -> Key {
        self.seat.key()
    }

    /// From the next step on the belief keeps at most so many positions.
    pub(crate) fn limit(&mut self, positions: usize) {
        self.belief.limit(self.positions.min(positions));
    }

    /// The positions that may be.
    #[must_use]
    pub fn belief(&self) -> &Belief<G::Position> {
        &self.belief
    }

    /// How often little or nothing that was believed fitted, and positions were found again.
    #[must_use]
    pub fn refilled(&self) -> usize {
        self.refilled
    }

    /// How often nothing fitted, also of earlier turns, and positions were invented.
    #[must_use]
    pub fn invented(&self) -> usize {
        self.invented
    }

    /// What it may do now.
    #[must_use]
    pub fn choices(&self) -> Vec<G::Action> {
        self.seat.choices(&self.game.rules)
    }

    /// Takes in what it is told after a ply; `own` is its action, if the ply was its own. If nothing that it believes
    /// fits, it believes what may be, unless that belief must not be doubted. Evaluators weigh the heaviest positions with
    /// care; there may be none.
    ///
    /// # Errors
    /// If nobody can be told that now, or no position fits that it believes and must not doubt; nothing has changed then.
    pub fn see<E: Evaluator + Send>(
        &mut self,
        own: Option<G::Action>,
        told: &G::Told,
        may_doubt: impl Fn(&Belief<G::Position>) -> bool,
        leaves: &mut [Leaves<E>],
    ) -> Result<Seen, Impossible> {
        let (began, believed) = (Instant::now(), self.belief.positions().len());
        let mut seat = self.seat.clone();
        seat.see(&self.game.rules, own, told)?;
        let plies = self.game.rules.plies(self.seat.view(), seat.view(), own);
        let opponent_acted = own.is_none() || plies > 1;
        let advanced = self.advance(own, told, leaves);
        if opponent_acted && believed >= G::FEW_POSITIONS {
            self.pace = believed as f64 / began.elapsed().as_secs_f64().max(1e-9);
        }
        let seen = match advanced {
            Err(Contradiction) if may_doubt(&self.belief) => self.recover(&seat, own, told, leaves)?,
            Err(Contradiction) => return Err(contradicts(Contradiction)),
            Ok(()) if self.may_refill() && self.refill(&seat, leaves, true) => Seen::Refilled,
            Ok(()) if self.belief.is_sample() => Seen::Sampled,
            Ok(()) => Seen::Exact,
        };
        self.refilled += usize::from(seen == Seen::Refilled);
        self.invented += usize::from(seen == Seen::Invented);
        self.seat = seat;
        // Their sense, question or refused try ends no turn.
        let to_move = G::board(&self.belief.positions()[0]).side();
        if opponent_acted && to_move == self.game.me {
            let (rules, me, steps) = (&self.game.rules, player_of(self.game.me), self.seat.heard().len());
            self.snapshots.remember(rules, me, steps, &self.belief, &mut self.chances);
        }
        self.memory = G::next_memory(&self.memory, plies, told);
        G::settle_memory(&mut self.memory);
        self.spent += began.elapsed();
        Ok(seen)
    }

    /// Takes the belief a step on.
    fn advance<E: Evaluator + Send>(
        &mut self,
        own: Option<G::Action>,
        told: &G::Told,
        leaves: &mut [Leaves<E>],
    ) -> Result<(), Contradiction> {
        let (rules, player) = (&self.game.rules, player_of(self.game.me));
        if !self.weighted {
            return self.belief.advance(rules, player, own, told);
        }
        let mut models = models(rules, leaves, self.threads);
        for model in &mut models {
            model.listen(self.seat.heard().iter().rev().map(|heard| &heard.told));
        }
        let weigher = Weigher { models: &mut models, careful: self.careful };
        self.belief.weigh(rules, player, own, told, weigher)
    }

    /// Whether few positions are left though more must exist: the last refill, if the belief has been thin since, found
    /// some.
    fn may_refill(&mut self) -> bool {
        let thin = self.belief.is_sample() && self.belief.positions().len() < self.belief.bound() / THIN;
        self.fruitless &= thin;
        thin && !self.fruitless
    }

    /// Believes what may be, since nothing that was believed fits.
    fn recover<E: Evaluator + Send>(
        &mut self,
        seat: &Seat<G>,
        own: Option<G::Action>,
        told: &G::Told,
        leaves: &mut [Leaves<E>],
    ) -> Result<Seen, Impossible> {
        if self.refill(seat, leaves, false) {
            return Ok(Seen::Refilled);
        }
        let question = Rebuild { view: seat.view(), own, told, believed: self.belief.positions() };
        let mut random = self.random.clone();
        let positions = self.game.rules.rebuild(&question, &mut random);
        let invented = |&position| Weighted { position, weight: 1.0, invented: true };
        let positions: Vec<Weighted<G::Position>> = positions.iter().map(invented).collect();
        self.replace(positions).map_err(contradicts)?;
        self.random = random;
        Ok(Seen::Invented)
    }

    /// Finds positions again that follow from those of earlier turns, and whether there are any. What is believed already
    /// stays if it `fits` what was told.
    fn refill<E: Evaluator + Send>(&mut self, seat: &Seat<G>, leaves: &mut [Leaves<E>], fits: bool) -> bool {
        let (began, rules) = (Instant::now(), &self.game.rules);
        let steps: Vec<_> = seat.heard().iter().map(|heard| (heard.own, &heard.told)).collect();
        let mut models = if self.weighted { models(rules, leaves, 1) } else { Vec::new() };
        let bound = self.belief.bound();
        let (times, share) = if fits { (1, REFILL_SHARE / 2.0) } else { (EMPTY, REFILL_SHARE) };
        let bearable = match self.budget {
            Budget::Time(time) => (self.refill_pace * share * time.as_secs_f64()) as usize,
            Budget::Nodes(nodes) => FEW_FOLLOWED.max(FOLLOWED_A_NODE * nodes),
            Budget::Endless | Budget::Whole { .. } => usize::MAX,
        };
        let followed = bearable.min(times * (EFFORT * bound).clamp(FEW_FOLLOWED, MANY_FOLLOWED));
        let bounds = RefillBounds { empty: !fits, positions: (bound / 2).max(1), followed };
        let player = player_of(self.game.me);
        let (mut found, followed) =
            self.snapshots.refill(rules, player, &steps, models.first_mut(), bounds, &mut self.chances);
        drop(models);
        if followed >= ENOUGH_TO_TELL {
            self.refill_pace = followed as f64 / began.elapsed().as_secs_f64().max(1e-9);
        }
        scale(&mut found);
        let first_meeting = self.belief.invented() > 1.0 - 1e-9;
        if fits {
            found.extend(self.belief.weighted());
        }
        for held in found.iter_mut().filter(|held| held.invented && first_meeting) {
            held.weight *= INVENTED;
        }
        let new = found.iter().any(|held| !fits || !self.belief.contains(&held.position));
        self.fruitless = fits && !new;
        new && self.replace(found).is_ok()
    }

    /// Believes these positions, which are a sample.
    fn replace(&mut self, positions: Vec<Weighted<G::Position>>) -> Result<(), Contradiction> {
        if self.weighted {
            let (rules, me) = (&self.game.rules, player_of(self.game.me));
            return self.belief.replace_weighted(rules, me, positions);
        }
        let positions: Vec<G::Position> = positions.into_iter().map(|held| held.position).collect();
        self.belief.replace(&positions)
    }

    /// What is left of a budget after what the belief took since the last thought. At the next turn the belief may take a
    /// quarter of the time, and is a sample if that is too little.
    pub fn budget(&mut self, budget: Budget) -> Budget {
        self.budget = budget;
        match budget {
            Budget::Time(time) => {
                let time_for_belief = SHARE * time.as_secs_f64();
                let timely = (self.pace * time_for_belief) as usize;
                self.belief.limit(self.positions.min(timely.max(G::FEW_POSITIONS)));
                self.careful = G::CAREFUL.min((CAREFUL_PACE * time_for_belief) as usize);
                Budget::Time(time.saturating_sub(std::mem::take(&mut self.spent)))
            }
            Budget::Nodes(nodes) => {
                self.careful = G::CAREFUL.min((SHARE * nodes as f64) as usize / CAREFUL_NODES);
                budget
            }
            budget => budget,
        }
    }

    /// Looks at the belief for what is worth considering at this turn.
    pub fn focus(&mut self) {
        self.game.focus = self.game.rules.focus(self.seat.view(), self.belief.positions());
    }

    /// Positions that may be and are not among the known ones, so that with those there are `wanted`, drawn without
    /// replacement, the heavier the likelier, and valued to this player.
    pub fn fresh<E: Evaluator>(
        &mut self,
        known: &[&Supposed<G>],
        wanted: usize,
        leaves: &mut Leaves<E>,
    ) -> FromBelief<Supposed<G>> {
        let (rules, view) = (&self.game.rules, self.seat.view());
        let known: Vec<G::Position> = known.iter().map(|supposed| rules.position(&supposed.state)).collect();
        let weights = if self.weighted {
            known.iter().map(|position| self.belief.weight(position)).collect()
        } else {
            Vec::new()
        };
        let known: HashSet<G::Position> = known.into_iter().collect();
        let positions = self.belief.positions();
        let lacking = wanted.min(positions.len()).saturating_sub(known.len());
        let sign = if self.game.me == Color::White { 1.0 } else { -1.0 };
        let drawn = match self.belief.weights() {
            Some(_) => draw_weighted(&self.belief, &known, lacking, &mut self.random),
            None => draw(positions, known, lacking, &mut self.random),
        };
        let fresh = |position: &G::Position| Fresh {
            state: Supposed { state: rules.supposed(view, position), memory: self.memory.clone() },
            value: sign * leaves.value(G::board(position)),
            weight: if self.weighted { self.belief.weight(position) } else { 1.0 },
        };
        FromBelief { known: weights, fresh: drawn.into_iter().map(fresh).collect() }
    }
}

fn contradicts(error: Contradiction) -> Impossible {
    Impossible(error.to_string())
}

/// Returns `wanted` positions that are not known, drawn one after the other by their weights, without replacement: those for
/// which a clock that runs as fast as their weight strikes first.
fn draw_weighted<'b, P: Copy + Eq + Ord + Hash + Send + Sync>(
    belief: &'b Belief<P>,
    known: &HashSet<P>,
    wanted: usize,
    random: &mut Random,
) -> Vec<&'b P> {
    let weights = belief.weights().unwrap_or_default();
    let open = belief.positions().iter().zip(weights).filter(|(position, _)| !known.contains(position));
    let mut strikes: Vec<(f64, &P)> =
        open.map(|(position, weight)| (random.exponential() / weight, position)).collect();
    let wanted = wanted.min(strikes.len());
    if wanted < strikes.len() {
        strikes.select_nth_unstable_by(wanted, |one, two| one.0.total_cmp(&two.0));
    }
    strikes.truncate(wanted);
    strikes.sort_unstable_by(|one, two| one.0.total_cmp(&two.0));
    strikes.into_iter().map(|(_, position)| position).collect()
}

/// So many positions that are not known, without replacement.
fn draw<'b, P: Copy + Eq + Hash>(
    positions: &'b [P],
    mut known: HashSet<P>,
    wanted: usize,
    random: &mut Random,
) -> Vec<&'b P> {
    if positions.len() > 4 * (wanted + known.len()) {
        let mut drawn = Vec::with_capacity(wanted);
        while drawn.len() < wanted {
            let position = &positions[random.below(positions.len())];
            drawn.extend(Some(position).filter(|position| known.insert(**position)));
        }
        return drawn;
    }
    let mut open: Vec<&P> = positions.iter().filter(|position| !known.contains(position)).collect();
    let wanted = wanted.min(open.len());
    (0..wanted).map(|_| open.swap_remove(random.below(open.len()))).collect()
}
