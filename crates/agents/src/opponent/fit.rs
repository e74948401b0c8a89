//! The numbers of a model, found on the moves of recorded games.

use scuro_games::chess::Move;

use super::table::{Captures, Look, NUMBERS};
use super::{Habits, TABLE_MIX, valued_replies};
use crate::player::{Leaves, Playable};
use scuro_eval::evaluator::Evaluator;

/// Moves of a game as the models see them.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    turns: Vec<Turn>,
}

/// A turn: all that could be done, and what was.
#[derive(Clone, Debug)]
struct Turn {
    /// What each move is worth to the side that makes it.
    values: Vec<f32>,
    /// The numbers of the table that each move looks like, one move after the other.
    looks: Vec<u16>,
    /// Where each move's numbers end.
    ends: Vec<u16>,
    played: usize,
}

/// What a fit found.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The softmax and its share.
    pub habits: Habits,
    /// The logarithms of the table.
    pub table: Vec<f64>,
}

/// How well a model foresees moves, in nats a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nats {
    /// The softmax.
    pub softmax: f64,
    /// The table.
    pub table: f64,
    /// All moves alike.
    pub uniform: f64,
}

impl Sample {
    /// How many moves there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Both together.
    #[must_use]
    pub fn and(mut self, mut other: Sample) -> Sample {
        self.turns.append(&mut other.turns);
        self
    }

    /// Adds a turn at which `played` was made (`None`: no move). Moves that the model does not know are left out.
    pub fn add<G: Playable, E: Evaluator>(
        &mut self,
        game: &G,
        position: &G::Position,
        played: Option<Move>,
        captures: Option<Captures>,
        leaves: &mut Leaves<E>,
    ) {
        let mut replies = Vec::new();
        valued_replies(game, position, leaves, &mut replies);
        let Some(played) = replies.iter().position(|(m, _)| *m == played) else { return };
        let board = G::board(position);
        let look = Look::of(board, captures);
        let (mut looks, mut ends) = (Vec::new(), Vec::new());
        for (m, _) in &replies {
            match m {
                Some(m) => look.each(board.piece_there(m.from()), *m, |number| looks.push(number as u16)),
                None => looks.push(Look::pass() as u16),
            }
            ends.push(looks.len() as u16);
        }
        let values = replies.iter().map(|(_, value)| *value as f32).collect();
        self.turns.push(Turn { values, looks, ends, played });
    }

    /// Nats a move of the softmax, mixed with uniform play.
    fn softmax_nats(&self, Habits { temperature, mix }: Habits) -> f64 {
        let nats = |turn: &Turn| {
            let best = turn.values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let weight = |value: f32| (f64::from(value - best) / temperature).exp();
            let total: f64 = turn.values.iter().map(|&value| weight(value)).sum();
            turn.nats(weight(turn.values[turn.played]) / total, mix)
        };
        self.mean(nats)
    }

    fn table_nats(&self, table: &[f64]) -> f64 {
        let mut shares = Vec::new();
        self.mean(|turn| {
            turn.shares(table, &mut shares);
            turn.nats(shares[turn.played], TABLE_MIX)
        })
    }

    fn mean(&self, nats: impl FnMut(&Turn) -> f64) -> f64 {
        self.turns.iter().map(nats).sum::<f64>() / self.turns.len().max(1) as f64
    }

    /// How well a model foresees these moves.
    #[must_use]
    pub fn nats(&self, fitted: &Fitted) -> Nats {
        Nats {
            softmax: self.softmax_nats(fitted.habits),
            table: self.table_nats(&fitted.table),
            uniform: self.mean(|turn| (turn.ends.len() as f64).ln()),
        }
    }

    /// The model under which these moves are likeliest. `tell` is called now and then with the share of the work that is done.
    #[must_use]
    pub fn fit(&self, mut tell: impl FnMut(f64)) -> Fitted {
        let habits = self.fit_softmax();
        tell(0.1);
        Fitted { habits, table: self.fit_table(|done| tell(0.1 + 0.9 * done)) }
    }

    /// The best temperature and share of uniform play: a grid, and finer grids around what is best in it.
    fn fit_softmax(&self) -> Habits {
        let mut best = (f64::INFINITY, Habits { temperature: 0.1, mix: 0.2 });
        let mut steps = (2.0, 0.2);
        for _ in 0..4 {
            let middle = best.1;
            for i in -4..=4 {
                for j in -4..=4 {
                    let temperature = middle.temperature * f64::powi(steps.0, i);
                    let mix = (middle.mix + steps.1 * f64::from(j)).clamp(0.005, 0.995);
                    let habits = Habits { temperature: temperature.clamp(0.001, 100.0), mix };
                    let nats = self.softmax_nats(habits);
                    if nats < best.0 {
                        best = (nats, habits);
                    }
                }
            }
            steps = (steps.0.powf(0.3), steps.1 * 0.3);
        }
        best.1
    }

    /// The table under which the moves are likeliest, less a little for every large number: gradient ascent with momentum
    /// and a step of its own for each number (Adam).
    fn fit_table(&self, mut tell: impl FnMut(f64)) -> Vec<f64> {
        let mut table = vec![0.0; NUMBERS];
        let (mut mean, mut square) = (vec![0.0; NUMBERS], vec![0.0; NUMBERS]);
        let decay = DECAY / self.turns.len().max(1) as f64;
        let mut shares = Vec::new();
        for step in 1..=STEPS {
            let mut gradient: Vec<f64> = table.iter().map(|number| -decay * number).collect();
            for turn in &self.turns {
                turn.shares(&table, &mut shares);
                let scale = 1.0 / self.turns.len() as f64;
                for (i, share) in shares.iter().enumerate() {
                    let slope = scale * (f64::from(u8::from(i == turn.played)) - share);
                    turn.looks_of(i).iter().for_each(|&number| gradient[usize::from(number)] += slope);
                }
            }
            for (i, slope) in gradient.into_iter().enumerate() {
                mean[i] = 0.9 * mean[i] + 0.1 * slope;
                square[i] = 0.99 * square[i] + 0.01 * slope * slope;
                let first = mean[i] / (1.0 - 0.9_f64.powi(step));
                let second: f64 = square[i] / (1.0 - 0.99_f64.powi(step));
                table[i] += RATE * first / (second.sqrt() + 1e-9);
            }
            tell(f64::from(step) / f64::from(STEPS));
        }
        table
    }
}

/// Steps of the fit of a table.
const STEPS: i32 = 300;
/// The length of a step.
const RATE: f64 = 0.05;
/// How much large numbers of a table cost.
const DECAY: f64 = 1.0;

impl Turn {
    fn looks_of(&self, i: usize) -> &[u16] {
        let first = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.looks[usize::from(first)..usize::from(self.ends[i])]
    }

    /// Writes over `out` the probability of each move by a table.
    fn shares(&self, table: &[f64], out: &mut Vec<f64>) {
        out.clear();
        let score = |i| self.looks_of(i).iter().map(|&number| table[usize::from(number)]).sum::<f64>();
        out.extend((0..self.ends.len()).map(|i| f64::exp(score(i))));
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|share| *share /= total);
    }

    /// Nats of the move that was made if the model gives it this share.
    fn nats(&self, share: f64, mix: f64) -> f64 {
        -((1.0 - mix) * share + mix / self.ends.len() as f64).ln()
    }
}
