//! What a player of Fog of War knows: her key, her exact belief and her past, kept up to date by her views alone.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use scuro_core::{Key, Observer, Random};
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::View;
use scuro_games::player_of;
use scuro_search::agent::Budget;
use scuro_search::belief::{Belief, Contradiction};
use scuro_search::carry::Fresh;

use crate::belief::{Filter, Told};
use crate::draws::Past;
use crate::fog::{Fog, Leaves, Position, show};
use crate::rebuild::rebuild;

/// A belief of so many positions takes hardly any time.
const FEW_POSITIONS: usize = 20_000;

/// How many positions of a belief are advanced in a second, until that has been seen.
const USUAL_PACE: f64 = 1e6;

/// Stands in a key for a view that she was not shown.
const UNSEEN: u64 = 1;

/// What became of the belief when a view was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It holds all positions that fit.
    Exact,
    /// It holds a sample of them.
    Sampled,
    /// Nothing that was believed fitted: it was made anew from this view, and is a sample from now on.
    Rebuilt,
}

/// What a player has seen, and what she makes of it.
#[derive(Clone, Debug)]
pub struct Watch {
    game: Fog,
    key: Key,
    belief: Belief<Board>,
    past: Arc<Past>,
    random: Random,
    /// Time that the belief took since the last thought.
    spent: Duration,
    /// How many positions of a belief are advanced in a second.
    pace: f64,
    /// How many positions the belief keeps if there is time for them.
    positions: usize,
}

impl Watch {
    /// At the start of a game that begins with a position known to both. The belief keeps at most so many `positions`.
    #[must_use]
    pub fn new(start: Board, color: Color, seed: u64, positions: usize, threads: usize) -> Watch {
        let view = View::of(&start, color);
        Watch {
            game: Fog { start, me: color },
            key: Key::START.next(None::<Move>, |mixer| show(&view, None, mixer)),
            belief: Belief::certain(start.without_counters(), positions, seed).with_threads(threads),
            past: Past::first(&view, start.clock()),
            random: Random::new(seed),
            spent: Duration::ZERO,
            pace: USUAL_PACE,
            positions,
        }
    }

    /// The game, as this player looks at it.
    #[must_use]
    pub fn game(&self) -> Fog {
        self.game
    }

    /// All that she knows.
    #[must_use]
    pub fn key(&self) -> Key {
        self.key
    }

    /// The positions that may be.
    #[must_use]
    pub fn belief(&self) -> &Belief<Board> {
        &self.belief
    }

    /// She sees this after a ply; `own` is her move, if the ply was hers. If she is to move again after a move of her
    /// own, their answer has passed too, and she was not shown what came between. If nothing that she believes fits,
    /// she believes what may be, unless that belief must not be doubted.
    ///
    /// # Errors
    /// If no position at all gives the view, or none that she believes and must not doubt; nothing has changed then.
    pub fn see(
        &mut self,
        own: Option<Move>,
        view: &View,
        may_rebuild: impl Fn(&Belief<Board>) -> bool,
    ) -> Result<Seen, Contradiction> {
        let (began, believed) = (Instant::now(), self.belief.positions().len());
        let told = Told { own, filter: Filter::new(view) };
        let seen = match self.belief.advance(&self.game, player_of(self.game.me), &told) {
            Err(Contradiction) if may_rebuild(&self.belief) => {
                let positions = rebuild(view, own, self.belief.positions(), &mut self.random);
                self.belief.replace(&positions).map(|()| Seen::Rebuilt)?
            }
            Err(Contradiction) => return Err(Contradiction),
            Ok(()) if self.belief.is_sample() => Seen::Sampled,
            Ok(()) => Seen::Exact,
        };
        let both = own.is_some() && view.side() == self.game.me;
        self.key = match own {
            // No history has this key: what she was not shown is not known to be anything.
            Some(_) if both => self.key.next(own, |mixer| mixer.see(UNSEEN)).next(None::<Move>, |mixer| {
                show(view, None, mixer);
            }),
            _ => self.key.next(own, |mixer| show(view, None, mixer)),
        };
        self.past = self.past.after(if both { 2 } else { 1 }, view).known_to_go_on();
        let spent = began.elapsed();
        self.spent += spent;
        if (own.is_none() || both) && believed >= FEW_POSITIONS {
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
                self.belief.limit(self.positions.min(timely.max(FEW_POSITIONS)));
                Budget::Time(time.saturating_sub(std::mem::take(&mut self.spent)))
            }
            budget => budget,
        }
    }

    /// Positions that may be and are not among the known ones, so that with those there are `wanted`, drawn without
    /// replacement and valued to this player.
    pub fn fresh<E: Evaluator>(
        &mut self,
        known: &[&Position],
        wanted: usize,
        leaves: &mut Leaves<E>,
    ) -> Vec<Fresh<Position>> {
        let known: HashSet<&Board> = known.iter().map(|position| &position.board).collect();
        let positions = self.belief.positions();
        let lacking = wanted.min(positions.len()).saturating_sub(known.len());
        let sign = if self.game.me == Color::White { 1.0 } else { -1.0 };
        let drawn = draw(positions, known, lacking, &mut self.random).into_iter();
        let fresh = |board: &Board| Fresh {
            state: Position { board: *board, past: self.past.clone() },
            value: sign * leaves.value(board),
        };
        drawn.map(fresh).collect()
    }
}

/// So many positions that are not known, without replacement.
fn draw<'b>(
    positions: &'b [Board],
    mut known: HashSet<&'b Board>,
    wanted: usize,
    random: &mut Random,
) -> Vec<&'b Board> {
    if positions.len() > 4 * (wanted + known.len()) {
        let mut drawn = Vec::with_capacity(wanted);
        while drawn.len() < wanted {
            drawn.extend(Some(&positions[random.below(positions.len())]).filter(|board| known.insert(board)));
        }
        return drawn;
    }
    let mut open: Vec<&Board> = positions.iter().filter(|board| !known.contains(board)).collect();
    let wanted = wanted.min(open.len());
    (0..wanted).map(|_| open.swap_remove(random.below(open.len()))).collect()
}

/// One of these moves, as likely as `strategy` says; any of them if it says nothing of them.
pub(crate) fn sample(strategy: &[(Move, f64)], moves: &[Move], random: &mut Random) -> Move {
    let open: Vec<&(Move, f64)> = strategy.iter().filter(|(m, p)| *p > 0.0 && moves.contains(m)).collect();
    let mut rest = random.unit() * open.iter().map(|(_, p)| p).sum::<f64>();
    let drawn = open.iter().find(|(_, p)| {
        rest -= p;
        rest < 0.0
    });
    drawn.or(open.last()).map_or_else(|| moves[random.below(moves.len())], |(m, _)| *m)
}
