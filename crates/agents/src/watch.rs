//! What a rival knows: its key, its exact belief and its past, kept up to date by its views alone.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use scuro_core::{Key, Random};
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::View;
use scuro_games::player_of;
use scuro_search::agent::Budget;
use scuro_search::belief::{Belief, Contradiction};
use scuro_search::carry::Fresh;
use scuro_search::exact::sequence_form::Entry;
use scuro_search::klss::Report;

use crate::belief::{Filter, Told};
use crate::contestant::Notes;
use crate::draws::Past;
use crate::fog::{Fog, Leaves, Position, show};
use crate::player::draw;
use crate::rebuild::rebuild;

/// The most positions that a belief keeps.
const MOST_POSITIONS: usize = 4_000_000;
/// A belief of so many positions takes hardly any time.
const FEW_POSITIONS: usize = 20_000;
/// How many positions of a belief are advanced in a second, until that has been seen.
const USUAL_PACE: f64 = 1e6;

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
}

impl Watch {
    /// At the start of a game that begins with a position known to both.
    #[must_use]
    pub fn new(start: Board, color: Color, seed: u64) -> Watch {
        let view = View::of(&start, color);
        Watch {
            game: Fog { start, me: color },
            key: Key::START.next(None::<Move>, |mixer| show(&view, None, mixer)),
            belief: Belief::certain(start.without_counters(), MOST_POSITIONS, seed),
            past: Past::first(&view, start.clock()),
            random: Random::new(seed),
            spent: Duration::ZERO,
            pace: USUAL_PACE,
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

    /// She sees this after a ply; `own` is her move, if the ply was hers. If nothing that she believes fits, she
    /// believes what may be.
    pub fn see(&mut self, own: Option<Move>, view: &View) {
        let (began, believed) = (Instant::now(), self.belief.positions().len());
        self.key = self.key.next(own, |mixer| show(view, None, mixer));
        self.past = self.past.next(view).known_to_go_on();
        let told = Told { own, filter: Filter::new(view) };
        if let Err(Contradiction) = self.belief.advance(&self.game, player_of(self.game.me), &told) {
            let positions = rebuild(view, own, self.belief.positions(), &mut self.random);
            // If no position at all gives the view, the old belief is all there is.
            let _ = self.belief.replace(&positions);
        }
        let spent = began.elapsed();
        self.spent += spent;
        if own.is_none() && believed >= FEW_POSITIONS {
            self.pace = believed as f64 / spent.as_secs_f64().max(1e-9);
        }
    }

    /// What is left of a budget of time after what the belief took and what it takes to come to an end. At the next
    /// turn the belief may take a quarter of the time, and is a sample if that is too little.
    pub fn budget(&mut self, budget: Budget) -> Budget {
        let spent = std::mem::take(&mut self.spent);
        match budget {
            Budget::Time(time) => {
                let timely = (self.pace * time.as_secs_f64() / 4.0) as usize;
                self.belief.limit(MOST_POSITIONS.min(timely.max(FEW_POSITIONS)));
                Budget::Time((time - time / 20).saturating_sub(spent))
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

/// What a rival can tell of its last turn.
pub(crate) fn notes(report: Option<&Report<Move>>, watch: &Watch) -> Notes {
    let belief = Some(watch.belief().positions().len());
    let Some(report) = report else { return Notes { belief, ..Notes::default() } };
    let best = report.strategy.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    Notes {
        value: Some(report.value),
        belief,
        nodes: Some(report.nodes),
        rounds: Some(report.rounds),
        resolving: Some(report.entry == Entry::Resolve),
        line: best.map(|(m, _)| m.to_string()).into_iter().collect(),
        ..Notes::default()
    }
}
