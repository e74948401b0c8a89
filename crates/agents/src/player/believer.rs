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
use scuro_search::belief::{Belief, Contradiction};
use scuro_search::carry::Fresh;

use super::imagined::{Imagined, Leaves, Supposed};
use super::{Playable, Rebuild};

/// How many positions of a belief are advanced in a second, until that has been seen.
const USUAL_PACE: f64 = 1e6;

/// What became of the belief when something was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It holds all positions that fit.
    Exact,
    /// It holds a sample of them.
    Sampled,
    /// Nothing that was believed fitted: it was made anew, and is a sample from now on.
    Rebuilt,
}

/// What a player was told, and what it makes of it.
#[derive(Clone)]
pub struct Believer<G: Playable> {
    game: Imagined<G>,
    seat: Seat<G>,
    belief: Belief<G::Position>,
    memory: G::Memory,
    random: Random,
    /// Time that the belief took since the last thought.
    spent: Duration,
    /// How many positions of a belief are advanced in a second.
    pace: f64,
    /// How many positions the belief keeps if there is time for them.
    positions: usize,
    /// How often nothing that was believed fitted.
    rebuilt: usize,
}

impl<G: Playable> Believer<G> {
    /// At the start of a game, which both know. The belief keeps at most so many `positions`.
    #[must_use]
    pub fn new(rules: G, color: Color, seed: u64, positions: usize, threads: usize) -> Believer<G> {
        let start = rules.position(&rules.start());
        Believer {
            seat: Seat::new(&rules, color),
            belief: Belief::certain(start, positions, seed).with_threads(threads),
            memory: rules.first_memory(color),
            game: Imagined::new(rules.unlimited(), color),
            random: Random::new(seed),
            spent: Duration::ZERO,
            pace: USUAL_PACE,
            positions,
            rebuilt: 0,
        }
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

    /// The positions that may be.
    #[must_use]
    pub fn belief(&self) -> &Belief<G::Position> {
        &self.belief
    }

    /// How often nothing that was believed fitted what it was told.
    #[must_use]
    pub fn rebuilt(&self) -> usize {
        self.rebuilt
    }

    /// What it may do now.
    #[must_use]
    pub fn choices(&self) -> Vec<G::Action> {
        self.seat.choices(&self.game.rules)
    }

    /// Takes in what it is told after a ply; `own` is its action, if the ply was its own. If nothing that it believes
    /// fits, it believes what may be, unless that belief must not be doubted.
    ///
    /// # Errors
    /// If nobody can be told that now, or no position fits that it believes and must not doubt; nothing has changed then.
    pub fn see(
        &mut self,
        own: Option<G::Action>,
        told: &G::Told,
        may_rebuild: impl Fn(&Belief<G::Position>) -> bool,
    ) -> Result<Seen, Impossible> {
        let (began, believed, rules) = (Instant::now(), self.belief.positions().len(), &self.game.rules);
        let mut seat = self.seat.clone();
        seat.see(rules, own, told)?;
        let seen = match self.belief.advance(rules, player_of(self.game.me), own, told) {
            Err(Contradiction) if may_rebuild(&self.belief) => {
                let question = Rebuild { view: seat.view(), own, told, believed: self.belief.positions() };
                let mut random = self.random.clone();
                let positions = rules.rebuild(&question, &mut random);
                self.belief.replace(&positions).map_err(contradicts)?;
                (self.random, self.rebuilt) = (random, self.rebuilt + 1);
                Seen::Rebuilt
            }
            Err(Contradiction) => return Err(contradicts(Contradiction)),
            Ok(()) if self.belief.is_sample() => Seen::Sampled,
            Ok(()) => Seen::Exact,
        };
        let plies = rules.plies(self.seat.view(), seat.view(), own);
        self.seat = seat;
        self.memory = G::next_memory(&self.memory, plies, told);
        G::settle_memory(&mut self.memory);
        let spent = began.elapsed();
        self.spent += spent;
        if (own.is_none() || plies > 1) && believed >= G::FEW_POSITIONS {
            self.pace = believed as f64 / spent.as_secs_f64().max(1e-9);
        }
        Ok(seen)
    }

    /// What is left of a budget of time after what the belief took since the last thought. At the next turn the belief
    /// may take a quarter of the time, and is a sample if that is too little.
    pub fn budget(&mut self, budget: Budget) -> Budget {
        match budget {
            Budget::Time(time) => {
                let timely = (self.pace * time.as_secs_f64() / 4.0) as usize;
                self.belief.limit(self.positions.min(timely.max(G::FEW_POSITIONS)));
                Budget::Time(time.saturating_sub(std::mem::take(&mut self.spent)))
            }
            budget => budget,
        }
    }

    /// Looks at the belief for what is worth considering at this turn.
    pub fn focus(&mut self) {
        self.game.focus = self.game.rules.focus(self.seat.view(), self.belief.positions());
    }

    /// Positions that may be and are not among the known ones, so that with those there are `wanted`, drawn without
    /// replacement and valued to this player.
    pub fn fresh<E: Evaluator>(
        &mut self,
        known: &[&Supposed<G>],
        wanted: usize,
        leaves: &mut Leaves<E>,
    ) -> Vec<Fresh<Supposed<G>>> {
        let (rules, view) = (&self.game.rules, self.seat.view());
        let known: HashSet<G::Position> =
            known.iter().map(|supposed| rules.position(&supposed.state)).collect();
        let positions = self.belief.positions();
        let lacking = wanted.min(positions.len()).saturating_sub(known.len());
        let sign = if self.game.me == Color::White { 1.0 } else { -1.0 };
        let drawn = draw(positions, known, lacking, &mut self.random).into_iter();
        let fresh = |position: &G::Position| Fresh {
            state: Supposed { state: rules.supposed(view, position), memory: self.memory.clone() },
            value: sign * leaves.value(G::board(position)),
        };
        drawn.map(fresh).collect()
    }
}

fn contradicts(error: Contradiction) -> Impossible {
    Impossible(error.to_string())
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
