//! `recon`: senses where the best move after the answer is worth most, and requests what is best in expectation, with a guard
//! for the worst.
//!
//! A request that takes the king with probability P is worth P + (1 - P) * (0.7 * mean + 0.3 * least) over the boards on
//! which play goes on. Values of the best requests are those of a search some plies ahead, as far as there is time, and
//! quiet requests are worth less the nearer the draw by the move limit is. A sense is worth what the best request is worth after each of its answers, weighted by how likely
//! the answer is, and a little for every nat that the answer tells.

use scuro_games::chess::{Piece, Square};
use scuro_games::rbc::Rbc;

use super::matrix::{Cell, MOST, near_best};
use super::name::{hundredths, on_or_off, set_to};
use super::pool::{Pool, Turns, Weights};
use super::scout::{Scene, Style, Values};
use super::turns::{FLOW, PRIOR, Typed};
use super::windows::Window;
use crate::contestant::Insight;
use crate::rbc::pool::Held;

/// The switches of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recon {
    /// The share of the worst case in what a request is worth, in hundredths.
    pub guard: u32,
    /// What a nat of the answer to a sense is worth, in hundredths.
    pub nat: u32,
    /// Requests so close to the best are as good, in hundredths.
    pub margin: u32,
    /// The most boards that are looked at by weight.
    pub boards: usize,
    /// How often they notice an attack on their king that was not announced, in hundredths.
    pub seen: u32,
    /// The most plies that are searched after the best requests, if there is time.
    pub plies: u32,
    /// Whether values fade towards the draw by the move limit.
    pub fade: bool,
}

impl Default for Recon {
    fn default() -> Recon {
        Recon { guard: 30, nat: 2, margin: 1, boards: 1_500, seen: 100, plies: 3, fade: true }
    }
}

/// The most boards that are looked at because the own king or queen is attacked there.
const ENDANGERED: usize = 500;

/// The most requests after which is searched.
const CANDIDATES: usize = 6;

/// The most plies that can be asked for.
const MOST_PLIES: u32 = 8;

/// The player's turns without a capture or a pawn's move from which on values fade, and after which the game is drawn.
const PATIENCE: f64 = 10.0;
const LAST_TURN: f64 = 50.0;

/// How much of a value is left of a position that is reached after so many quiet turns.
fn faded(quiet_turns: u32) -> f64 {
    1.0 - ((f64::from(quiet_turns) - PATIENCE) / (LAST_TURN - PATIENCE)).clamp(0.0, 1.0)
}

/// What a request is worth on several boards, as far as they are counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compound {
    weight: f64,
    takes_king: f64,
    sum: f64,
    least: f64,
}

impl Compound {
    pub(super) const NONE: Compound =
        Compound { weight: 0.0, takes_king: 0.0, sum: 0.0, least: f64::INFINITY };

    /// Counts a board on which the request is worth `value`.
    pub(super) fn add(&mut self, weight: f64, value: f64) {
        self.weight += weight;
        if value >= 1.0 {
            self.takes_king += weight;
            return;
        }
        self.sum += weight * value;
        self.least = self.least.min(value);
    }

    /// The chance to take the king, and the mean and the least over the boards where play goes on.
    pub(super) fn parts(&self) -> (f64, f64, f64) {
        let open = self.weight - self.takes_king;
        let mean = if open > 1e-12 * self.weight { self.sum / open } else { 1.0 };
        (self.takes_king / self.weight, mean, self.least.min(mean))
    }

    /// What the request is worth, with this share of the worst case.
    pub(super) fn score(&self, guard: f64) -> f64 {
        let (king, mean, least) = self.parts();
        king + (1.0 - king) * ((1.0 - guard) * mean + guard * least)
    }
}

impl Recon {
    /// Sets a switch; `None` if it cannot be that.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "guard" => set_to(&mut self.guard, hundredths(value).filter(|&share| share <= 100)),
            "nat" => set_to(&mut self.nat, hundredths(value)),
            "margin" => set_to(&mut self.margin, hundredths(value)),
            "seen" => set_to(&mut self.seen, hundredths(value).filter(|&share| share <= 100)),
            "plies" => set_to(&mut self.plies, value.parse().ok().filter(|&plies| plies <= MOST_PLIES)),
            "fade" => set_to(&mut self.fade, on_or_off(value)),
            "boards" => set_to(&mut self.boards, value.parse().ok().filter(|&boards| boards > 0)),
            _ => None,
        }
    }

    /// The value of what comes of a request after so many quiet turns: an attack on their king that they do not notice wins.
    fn value(&self, cell: &Cell, quiet_turns: u32) -> f64 {
        let mut value = cell.value();
        if self.fade && cell.quiet && !cell.exposed {
            value *= faded(quiet_turns + 1);
        }
        if !cell.sneaks || cell.exposed {
            return value;
        }
        let seen = f64::from(self.seen) / 100.0;
        seen * value + (1.0 - seen) * MOST
    }

    fn score(&self, compound: &Compound) -> f64 {
        compound.score(f64::from(self.guard) / 100.0)
    }

    /// The boards to look at: the heaviest, and those on which the own king or queen is attacked.
    fn looked_at(&self, scene: &mut Scene<'_>) -> Vec<usize> {
        let order = scene.by_weight();
        let me = scene.me();
        let (first, rest) = order.split_at(self.boards.min(order.len()));
        let endangered = |held: &Held| {
            let board = held.board();
            let precious = board.men(me, Piece::King) | board.men(me, Piece::Queen);
            precious.into_iter().any(|square| board.attacked(square, !me))
        };
        let held = scene.pool.held();
        let rest = rest.iter().filter(|&&place| endangered(&held[place])).take(ENDANGERED);
        let wanted: Vec<usize> = first.iter().chain(rest).copied().collect();
        scene.look(wanted)
    }

    /// The weights of boards that were looked at, which sum to one, and what each request is worth on each.
    fn valued(&self, scene: &Scene<'_>, places: &[usize]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let held = scene.pool.held();
        let total: f64 = places.iter().map(|&place| held[place].weight()).sum();
        let weights = places.iter().map(|&place| held[place].weight() / total).collect();
        let values = |&place: &usize| {
            scene.row(place).cells.iter().map(|cell| self.value(cell, scene.quiet_turns)).collect()
        };
        (weights, places.iter().map(values).collect())
    }

    /// The requests with the best scores.
    fn candidates(&self, scores: &[f64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        order.truncate(CANDIDATES);
        order
    }

    /// Replaces the values of these requests by what a search finds after them, a ply deeper in every round and board by
    /// board, as long as there is time.
    fn deepen(&self, scene: &mut Scene<'_>, places: &[usize], requests: &[usize], values: &mut [Vec<f64>]) {
        for plies in 1..=self.plies {
            for (&place, values) in places.iter().zip(&mut *values) {
                if !scene.has_time() {
                    return;
                }
                for &request in requests {
                    let cell = scene.row(place).cells[request];
                    if !cell.takes_king && !cell.exposed {
                        let raw = scene.ahead(place, cell.taken, plies);
                        values[request] = self.value(&Cell { raw, ..cell }, scene.quiet_turns);
                    }
                }
            }
        }
    }

    /// What each request is worth after each answer of a window.
    fn after_answers(&self, window: &Window, weights: &[f64], values: &[Vec<f64>]) -> Vec<Vec<Compound>> {
        let requests = values.first().map_or(0, Vec::len);
        let mut compounds = vec![vec![Compound::NONE; requests]; window.answers];
        for ((&answer, &weight), row) in window.answer.iter().zip(weights).zip(values) {
            for (compound, &value) in compounds[answer].iter_mut().zip(row) {
                compound.add(weight, value);
            }
        }
        compounds
    }
}

/// What each request is worth on boards with these weights.
fn compounds(weights: &[f64], values: &[Vec<f64>]) -> Vec<Compound> {
    let mut compounds = vec![Compound::NONE; values.first().map_or(0, Vec::len)];
    for (&weight, row) in weights.iter().zip(values) {
        compounds.iter_mut().zip(row).for_each(|(compound, &value)| compound.add(weight, value));
    }
    compounds
}

impl Style for Recon {
    fn types(&self) -> Weights {
        PRIOR
    }

    fn turns<'t>(&'t self, rules: &'t Rbc, leaves: &'t mut Values, _: usize) -> Box<dyn Turns + 't> {
        Box::new(Typed::new(rules, leaves))
    }

    fn settle(&mut self, pool: &mut Pool) {
        pool.flow_back(FLOW, PRIOR);
    }

    fn sense(&mut self, scene: &mut Scene<'_>) -> (Option<Square>, Vec<Insight>) {
        if scene.pool.held().len() == 1 {
            return (None, Vec::new());
        }
        let places = self.looked_at(scene);
        let (weights, values) = self.valued(scene, &places);
        let held = scene.pool.held();
        let boards = places.iter().map(|&place| held[place].board());
        let windows = Window::all(boards.clone());
        let mut insights = Vec::new();
        for window in &windows {
            let chances = window.sums(&weights);
            let after = self.after_answers(window, &weights, &values);
            let best = |requests: &Vec<Compound>| {
                requests.iter().map(|compound| self.score(compound)).fold(f64::NEG_INFINITY, f64::max)
            };
            let outcome: f64 =
                chances.iter().zip(&after).map(|(chance, requests)| chance * best(requests)).sum();
            let nats: f64 = chances.iter().map(|chance| -chance * chance.max(1e-300).ln()).sum();
            insights.push(Insight {
                choice: window.square.to_string(),
                score: outcome + f64::from(self.nat) / 100.0 * nats,
                parts: vec![("outcome", outcome), ("nats", nats), ("answers", window.answers as f64)],
                answers: window.likeliest(&weights, boards.clone()),
                chosen: false,
            });
        }
        scene.best_window(&windows, insights, 1e-9)
    }

    fn request(&mut self, scene: &mut Scene<'_>) -> (usize, Vec<Insight>) {
        let places = self.looked_at(scene);
        let (weights, mut values) = self.valued(scene, &places);
        let mut compounds = compounds(&weights, &values);
        let mut scores: Vec<f64> = compounds.iter().map(|compound| self.score(compound)).collect();
        if self.plies > 0 {
            let candidates = self.candidates(&scores);
            self.deepen(scene, &places, &candidates, &mut values);
            compounds = self::compounds(&weights, &values);
            candidates.iter().for_each(|&request| scores[request] = self.score(&compounds[request]));
            // What was not looked at further cannot be known to be better than what was.
            let least = candidates.iter().map(|&request| scores[request]).fold(f64::INFINITY, f64::min);
            let others = (0..scores.len()).filter(|request| !candidates.contains(request));
            others.for_each(|request| scores[request] = scores[request].min(least));
        }
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Near 1 a pawn more is a smaller step of the value.
        let margin = f64::from(self.margin) / 100.0 * (1.0 - best * best);
        let chosen = near_best(&scores, margin, scene.random);
        let insight = |place: usize| {
            let (king, mean, least) = compounds[place].parts();
            scene.insight(place, scores[place], vec![("king", king), ("mean", mean), ("least", least)])
        };
        let mut insights: Vec<Insight> = (0..scores.len()).map(insight).collect();
        insights[chosen].chosen = true;
        (chosen, insights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half takes the king; on the rest the mean is 0.2 and the least -0.4.
    #[test]
    fn a_compound_by_hand() {
        let mut compound = Compound::NONE;
        for (weight, value) in [(0.5, 1.0), (0.25, 0.8), (0.25, -0.4)] {
            compound.add(weight, value);
        }
        let (king, mean, least) = compound.parts();
        assert!((king - 0.5).abs() < 1e-9 && (mean - 0.2).abs() < 1e-9 && (least + 0.4).abs() < 1e-9);
        assert!((compound.score(0.3) - (0.5 + 0.5 * (0.7 * 0.2 - 0.3 * 0.4))).abs() < 1e-9);
        let mut certain = Compound::NONE;
        certain.add(0.3, 1.0);
        assert!((certain.score(0.3) - 1.0).abs() < 1e-9);
    }

    /// Values last ten quiet turns, are halved after thirty and gone after fifty.
    #[test]
    fn values_fade() {
        for (turns, left) in [(0, 1.0), (10, 1.0), (30, 0.5), (50, 0.0), (70, 0.0)] {
            assert!((faded(turns) - left).abs() < 1e-9, "{turns}");
        }
        let cell =
            Cell { taken: None, takes_king: false, exposed: false, sneaks: false, quiet: true, raw: -0.5 };
        let recon = Recon::default();
        assert!((recon.value(&cell, 29) + 0.25).abs() < 1e-9);
        assert!((recon.value(&Cell { quiet: false, ..cell }, 29) + 0.5).abs() < 1e-9);
        assert!((recon.value(&Cell { exposed: true, ..cell }, 29) + 1.0).abs() < 1e-9);
        assert!((recon.value(&Cell { takes_king: true, quiet: false, ..cell }, 29) - 1.0).abs() < 1e-9);
    }
}
