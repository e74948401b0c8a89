//! StrangeFish (version 0) and Fianchetto (versions 1 to 5): one player, each step from the one to the other a switch.
//!
//! Every request has a score on every board. A set of boards gives a request the compound of mean and least score. A sense is
//! worth its impact, which is how much the compounds change with its answer, and the boards that it rules out; a request its
//! compound. Scores are centipawns in version 0 and logits of a policy later, values divided by the policy's temperature.

use scuro_games::chess::{Board, Move, Piece, Square};
use scuro_games::rbc::{Position, Rbc, inner_squares};

use super::ahead::after;
use super::incentives::Incentives;
use super::matrix::{Cell, Row, near_best};
use super::name::{hundredths, on_or_off, set_to};
use super::pool::{Turns, Weights};
use super::sample::Sample;
use super::scout::{Scene, Style, Values};
use super::turns::{Alike, ENGINE, ONE};
use super::windows::Window;
use crate::contestant::Insight;
use crate::opponent::valued_replies;

/// The player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fish {
    /// Scores are logits, all requests of a board at once; else centipawns.
    pub batch: bool,
    /// Weights are kept from turn to turn; else every board is as likely as its evaluation says.
    pub persist: bool,
    /// What is added to logits.
    pub incentives: Incentives,
    /// Large sets trust the policy less, and count more.
    pub size: bool,
    /// Moves that allow mate are avoided.
    pub mate: bool,
    /// The opponent passes more often in large sets.
    pub null: bool,
    /// The share of the least score in a compound, in hundredths.
    pub min: u32,
    /// What a request is scored by.
    pub score: Score,
    /// At most this part of the set is looked at: one board in so many.
    pub divide: usize,
}

/// What a request is scored by, if scores are not centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The logit of the policy.
    Logit,
    /// The value of what comes of it.
    State,
    /// The value after the best reply.
    Reply,
}

impl Fish {
    /// A version: 0 is StrangeFish, 1 to 5 are Fianchetto.
    #[must_use]
    pub fn version(version: u32) -> Fish {
        let after = |first: u32| version >= first;
        let third = after(3);
        Fish {
            batch: after(1),
            persist: after(2),
            incentives: Incentives { sneak: third, pawns: third, faraway: third },
            size: after(4),
            mate: after(5),
            null: after(5),
            min: if after(1) { 30 } else { 10 },
            score: if after(5) { Score::State } else { Score::Logit },
            divide: 1,
        }
    }

    /// Sets a switch; `None` if it cannot be that. A version sets all of them.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let on = on_or_off(value);
        match key {
            "version" => {
                let version = value.parse().ok().filter(|version| (1..=5).contains(version));
                set_to(self, version.map(Fish::version))
            }
            "batch" => set_to(&mut self.batch, on),
            "persist" => set_to(&mut self.persist, on),
            "sneak" => set_to(&mut self.incentives.sneak, on),
            "pawns" => set_to(&mut self.incentives.pawns, on),
            "faraway" => set_to(&mut self.incentives.faraway, on),
            "size" => set_to(&mut self.size, on),
            "mate" => set_to(&mut self.mate, on),
            "null" => set_to(&mut self.null, on),
            "min" => set_to(&mut self.min, hundredths(value).filter(|&share| share <= 100)),
            "score" => set_to(&mut self.score, Score::named(value)),
            "divide" => set_to(&mut self.divide, value.parse().ok().filter(|&divide| divide > 0)),
            _ => None,
        }
    }

    fn least_share(&self) -> f64 {
        f64::from(self.min) / 100.0
    }

    /// Boards that one unit of score is worth when a sense rules them out.
    fn divisor(&self) -> f64 {
        if self.batch { 800.0 } else { 25.0 }
    }

    /// The share of the best score that another may be below it and still be played.
    fn margin(&self) -> f64 {
        if self.batch { 0.1 } else { 0.01 }
    }
}

impl Score {
    fn named(value: &str) -> Option<Score> {
        match value {
            "logit" => Some(Score::Logit),
            "state" => Some(Score::State),
            "reply" => Some(Score::Reply),
            _ => None,
        }
    }
}

/// Centipawns of a value.
pub(super) fn centipawns(value: f32) -> f64 {
    600.0 * f64::from(value).clamp(-0.9999, 0.9999).atanh()
}

/// The weight of a board by its evaluation, in centipawns to the side that has just moved.
pub(super) fn plausibility(evaluation: f64, scale: f64) -> f64 {
    1.0 / (1.0 + 9f64.powf(-evaluation / scale))
}

/// The score of a request that takes the king, and of one after which the own king can be taken, if scores are logits.
const TAKES_KING: f64 = 200.0;
const EXPOSED: f64 = -160.0;

/// How fast plausibility falls.
const SCALE: f64 = 10_000.0;

/// Version 0: the score of a request in centipawns, by what becomes of the evaluation.
pub(super) fn centipawn_score(row: &Row, cell: &Cell) -> f64 {
    if cell.takes_king {
        return 50_000.0;
    }
    if cell.exposed {
        return -40_000.0;
    }
    if cell.raw.abs() >= 1.0 {
        return 30_000.0 * f64::from(cell.raw);
    }
    centipawns(cell.raw) - centipawns(row.before) + if cell.sneaks { 300.0 } else { 0.0 }
}

impl Fish {
    /// The scores of all requests on a board.
    fn scores(&self, board: &Board, row: &Row, requests: &[Option<Move>]) -> Vec<f64> {
        if !self.batch {
            return row.cells.iter().map(|cell| centipawn_score(row, cell)).collect();
        }
        let logits: Vec<f64> = row.cells.iter().map(|cell| self.logit(board, cell)).collect();
        if self.score != Score::Logit {
            return row.cells.iter().zip(&logits).map(|(cell, logit)| self.state(cell, *logit)).collect();
        }
        let least = logits.iter().copied().fold(f64::INFINITY, f64::min);
        let stuck = row.cells.iter().all(|cell| cell.taken.is_none() || cell.exposed);
        let score = |(i, cell): (usize, &Cell)| {
            let fails = cell.taken.is_none() && requests[i].is_some();
            match cell {
                cell if cell.takes_king => TAKES_KING,
                cell if cell.exposed => EXPOSED,
                cell if cell.raw >= 1.0 => 120.0,
                _ if stuck => {
                    if requests[i].is_none() {
                        10.0
                    } else {
                        0.0
                    }
                }
                _ if fails => -2.0 * least.abs(),
                cell if self.mate && cell.raw <= -1.0 => logits[i] - 200.0,
                _ => logits[i],
            }
        };
        row.cells.iter().enumerate().map(score).collect()
    }

    /// The logit of what comes of a request.
    fn logit(&self, board: &Board, cell: &Cell) -> f64 {
        let bonus = cell.taken.map_or(0.0, |m| self.incentives.of(board, m));
        f64::from(cell.raw) / ENGINE.temperature + bonus
    }

    /// The value of what comes of a request, on the scale of logits.
    fn state(&self, cell: &Cell, logit: f64) -> f64 {
        let bonus = logit - f64::from(cell.raw) / ENGINE.temperature;
        match (cell.takes_king, cell.exposed) {
            (true, _) => TAKES_KING,
            (false, true) => EXPOSED,
            (false, false) => cell.value() / ENGINE.temperature + bonus,
        }
    }
}

/// The boards that are drawn first, one in so many of all, and those that were looked at before.
fn one_in(divide: usize, order: Vec<usize>, knows: impl Fn(usize) -> bool) -> Vec<usize> {
    let most = order.len().div_ceil(divide);
    let kept = order.into_iter().enumerate().filter(|&(i, place)| i < most || knows(place));
    kept.map(|(_, place)| place).collect()
}

/// How much a large set counts.
pub(super) fn size_factor(boards: usize) -> f64 {
    match boards {
        ..=5_000 => 1.0,
        50_000.. => 50.0,
        _ => 1.0 + 49.0 * (boards as f64 - 5_000.0) / 45_000.0,
    }
}

/// How much the policy is trusted in a set of so many boards.
pub(super) fn trust(boards: usize) -> f64 {
    match boards {
        0..5_000 => 0.8,
        5_000..20_000 => 0.5,
        _ => 0.0,
    }
}

/// How much likelier than another turn a pass becomes in a set of so many boards.
pub(super) fn null_boost(boards: usize) -> f64 {
    0.5 / (1.0 + (-(boards as f64 - 4_500.0) / 700.0).exp())
}

impl Fish {
    /// Looks at boards: at those that were looked at before, and at others in the order in which they are drawn.
    fn sample(&self, scene: &mut Scene<'_>) -> Sample {
        let persist = self.persist;
        let order = scene.draw(usize::MAX, |held| if persist { held.weight() } else { 1.0 });
        let mut order = one_in(self.divide, order, |place| scene.knows(place));
        order.sort_by_key(|&place| !scene.knows(place));
        let places = scene.look(order);
        let held = scene.pool.held();
        let weight = |&place: &usize| {
            if self.persist {
                held[place].weight()
            } else {
                plausibility(-centipawns(scene.row(place).before), SCALE)
            }
        };
        let weights = places.iter().map(weight).collect();
        let mut scores: Vec<Vec<f64>> = places
            .iter()
            .map(|&place| self.scores(held[place].board(), scene.row(place), scene.requests))
            .collect();
        if self.score == Score::Reply && self.batch {
            self.look_at_replies(scene, &places, &mut scores);
        }
        Sample::new(places, weights, scores)
    }

    /// Replaces scores by what is left after the best reply, the first boards first, as long as there is time.
    fn look_at_replies(&self, scene: &mut Scene<'_>, places: &[usize], scores: &mut [Vec<f64>]) {
        for (&place, scores) in places.iter().zip(scores) {
            let cells = scene.row(place).cells.clone();
            for (cell, score) in
                cells.iter().zip(scores).filter(|(cell, _)| !cell.takes_king && !cell.exposed)
            {
                if !scene.has_time() {
                    return;
                }
                let raw = scene.ahead(place, cell.taken, 1);
                *score = self.state(&Cell { raw, ..*cell }, f64::from(raw) / ENGINE.temperature);
            }
        }
    }

    /// What is added to the impact of senses: towards a queen or king of theirs that may be attacked on one square on half
    /// of the boards.
    fn towards_prey(&self, scene: &Scene<'_>, sample: &Sample, impacts: &[f64]) -> Vec<f64> {
        let most = impacts.iter().copied().fold(f64::NEG_INFINITY, f64::max).min(40.0);
        let mut bonus = vec![0.0; impacts.len()];
        for piece in [Piece::Queen, Piece::King] {
            let mut counts = [0; 64];
            for &place in &sample.places {
                let board = scene.pool.held()[place].board();
                let prey = board.men(!scene.me(), piece).into_iter();
                prey.filter(|&square| board.attacked(square, scene.me()))
                    .for_each(|square| counts[square as usize] += 1);
            }
            let common =
                Square::ALL.into_iter().filter(|&square| 2 * counts[square as usize] >= sample.places.len());
            for square in common.filter(|&square| counts[square as usize] > 0).map(super::senses::inner) {
                let place = inner_squares().position(|inner| inner == square);
                place.into_iter().for_each(|place| bonus[place] = 0.6 * (most - impacts[place]).abs());
            }
        }
        bonus
    }

    /// The square after whose answer their king has the fewest places left, if it can be taken on every board.
    fn hunt(&self, scene: &Scene<'_>, sample: &Sample, windows: &[Window]) -> Option<Square> {
        let takes = |&place: &usize| scene.row(place).cells.iter().any(|cell| cell.takes_king);
        if !sample.places.iter().all(takes) {
            return None;
        }
        let king = |&place: &usize| scene.pool.held()[place].board().king(!scene.me());
        let kings: Vec<Option<Square>> = sample.places.iter().map(king).collect();
        let places = |window: &Window| {
            let mut seen: Vec<(usize, Option<Square>)> =
                window.answer.iter().copied().zip(kings.iter().copied()).collect();
            seen.sort_unstable();
            seen.dedup();
            seen.iter().map(|(answer, _)| window.sums(&sample.weights)[*answer]).sum::<f64>()
        };
        let least = windows.iter().map(|window| (places(window), window.square));
        least.min_by(|one, two| one.0.total_cmp(&two.0)).map(|(_, square)| square)
    }
}

/// Version 0 gives up where its boards would take too long to score.
const EMERGENCY: usize = 1_000_000 / 33;

impl Style for Fish {
    fn types(&self) -> Weights {
        ONE
    }

    fn turns<'t>(&'t self, rules: &'t Rbc, leaves: &'t mut Values, boards: usize) -> Box<dyn Turns + 't> {
        if self.persist {
            Box::new(FishTurns { fish: *self, rules, leaves, boards, replies: Vec::new() })
        } else {
            Box::new(Alike)
        }
    }

    fn sense(&mut self, scene: &mut Scene<'_>) -> (Option<Square>, Vec<Insight>) {
        let boards = scene.pool.held().len();
        if boards == 1 || !self.batch && boards > EMERGENCY {
            return (None, Vec::new());
        }
        let sample = self.sample(scene);
        let held = scene.pool.held();
        let seen = sample.places.iter().map(|&place| held[place].board());
        let windows = Window::all(seen.clone());
        if let Some(square) = self.hunt(scene, &sample, &windows) {
            return (Some(square), Vec::new());
        }
        let impacts = sample.impacts(&windows, self.least_share());
        let bonus = if self.incentives.sneak {
            self.towards_prey(scene, &sample, &impacts)
        } else {
            vec![0.0; impacts.len()]
        };
        let factor = if self.size { size_factor(boards) } else { 1.0 };
        let insight = |(window, (impact, bonus)): (&Window, (&f64, &f64))| {
            let ruled_out = boards as f64 * sample.reduction(|i| window.answer[i], window.answers);
            Insight {
                choice: window.square.to_string(),
                score: impact + bonus + factor * ruled_out / self.divisor(),
                parts: vec![("impact", *impact), ("prey", *bonus), ("ruled_out", ruled_out)],
                answers: window.likeliest(&sample.weights, seen.clone()),
                chosen: false,
            }
        };
        let insights = windows.iter().zip(impacts.iter().zip(&bonus)).map(insight).collect();
        scene.best_window(&windows, insights, 1e-5)
    }

    fn request(&mut self, scene: &mut Scene<'_>) -> (usize, Vec<Insight>) {
        if !self.batch && scene.pool.held().len() > EMERGENCY {
            return (on_heaviest(scene), Vec::new());
        }
        let sample = self.sample(scene);
        let compounds = sample.compounds(self.least_share());
        let ruled_out = |request: usize| {
            if self.batch {
                return 0.0;
            }
            let outcome = |&place: &usize| {
                let board = scene.pool.held()[place].board();
                let taken = scene.row(place).cells[request].taken;
                (taken, taken.is_some_and(|m| board.captured_by(m).is_some()))
            };
            let outcomes: Vec<_> = sample.places.iter().map(outcome).collect();
            let mut kinds = outcomes.clone();
            kinds.sort_unstable();
            kinds.dedup();
            let class = |i: usize| kinds.binary_search(&outcomes[i]).unwrap_or_default();
            scene.pool.held().len() as f64 * sample.reduction(class, kinds.len())
        };
        let insight = |place: usize| {
            let (compound, ruled_out) = (compounds[place], ruled_out(place));
            let score = compound + ruled_out / self.divisor();
            scene.insight(place, score, vec![("compound", compound), ("ruled_out", ruled_out)])
        };
        let mut insights: Vec<Insight> = (0..compounds.len()).map(insight).collect();
        let score = |place: usize| {
            if scene.is_made(&sample.places, place) { insights[place].score } else { f64::NEG_INFINITY }
        };
        let scores: Vec<f64> = (0..insights.len()).map(score).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let chosen = near_best(&scores, self.margin() * best.abs(), scene.random);
        insights[chosen].chosen = true;
        (chosen, insights)
    }
}

/// The best request on the board with the most weight.
fn on_heaviest(scene: &mut Scene<'_>) -> usize {
    let first = scene.by_weight()[0];
    scene.look([first]);
    let values: Vec<f64> = scene.row(first).cells.iter().map(Cell::value).collect();
    near_best(&values, 0.0, scene.random)
}

/// How likely turns are, as this player supposes.
struct FishTurns<'t> {
    fish: Fish,
    rules: &'t Rbc,
    leaves: &'t mut Values,
    boards: usize,
    replies: Vec<(Option<Move>, f64)>,
}

/// The weight of a turn that leaves the king where it can be taken, beside that of others.
const FOOLISH: f64 = 1e-4;

impl Turns for FishTurns<'_> {
    fn likelihoods(&mut self, board: &Board, turns: &[Option<Move>], careful: bool, out: &mut Vec<Weights>) {
        let trust = if self.fish.size { trust(self.boards) } else { 1.0 - ENGINE.mix };
        let trust = if careful { trust } else { 0.0 };
        let mut policy = Vec::new();
        if trust > 0.0 {
            valued_replies(self.rules, &Position::new(board), self.leaves, &mut self.replies);
            self.fish.soften(board, &self.replies, &mut policy);
        } else {
            self.replies.clear();
            board.each_pseudo_legal(|_, m| self.replies.push((Some(m), 0.0)));
            self.replies.push((None, 0.0));
            policy.resize(self.replies.len(), 0.0);
        }
        let mut plain: Vec<f64> = self.replies.iter().map(|(turn, _)| self.plain(board, *turn)).collect();
        let total: f64 = plain.iter().sum();
        plain.iter_mut().for_each(|share| *share /= total);
        out.extend(turns.iter().map(|turn| {
            let place = self.replies.iter().position(|(reply, _)| reply == turn);
            let share = place.map_or(0.0, |place| trust * policy[place] + (1.0 - trust) * plain[place]);
            ONE.map(|one| one * share)
        }));
    }
}

impl FishTurns<'_> {
    /// The weight of a turn where the policy is not trusted.
    fn plain(&self, board: &Board, turn: Option<Move>) -> f64 {
        let foolish = self.fish.size && after(board, turn).in_check(board.side());
        let boost = if self.fish.null && turn.is_none() { null_boost(self.boards) } else { 0.0 };
        let uniform = 1.0 / self.replies.len() as f64;
        if foolish { FOOLISH * uniform } else { uniform + boost }
    }
}

impl Fish {
    /// Writes the softmax of the logits of these turns.
    fn soften(&self, board: &Board, replies: &[(Option<Move>, f64)], out: &mut Vec<f64>) {
        let logit = |(turn, value): &(Option<Move>, f64)| {
            value / ENGINE.temperature + turn.map_or(0.0, |m| self.incentives.of(board, m))
        };
        out.clear();
        out.extend(replies.iter().map(logit));
        let best = out.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        out.iter_mut().for_each(|logit| *logit = scuro_eval::score::exp(*logit - best));
        let total: f64 = out.iter().sum();
        out.iter_mut().for_each(|share| *share /= total);
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }

    #[test]
    fn constants_of_sets() {
        for (boards, factor) in [(1, 1.0), (5_000, 1.0), (27_500, 25.5), (50_000, 50.0), (400_000, 50.0)] {
            near(size_factor(boards), factor);
        }
        for (boards, share) in [(4_999, 0.8), (5_000, 0.5), (19_999, 0.5), (20_000, 0.0)] {
            near(trust(boards), share);
        }
        near(null_boost(4_500), 0.25);
        near(null_boost(5_200), 0.5 / (1.0 + (-1.0f64).exp()));
        near(plausibility(0.0, 10_000.0), 0.5);
        near(plausibility(10_000.0, 10_000.0), 0.9);
        near(plausibility(-10_000.0, 10_000.0), 0.1);
        near(centipawns(0.0), 0.0);
    }

    #[test]
    fn one_board_in_so_many_is_looked_at() {
        let order = vec![4, 1, 3, 0, 2];
        for (divide, known, kept) in [
            (1, vec![], vec![4, 1, 3, 0, 2]),
            (2, vec![], vec![4, 1, 3]),
            (25, vec![], vec![4]),
            (25, vec![0, 4], vec![4, 0]),
        ] {
            assert_eq!(one_in(divide, order.clone(), |place| known.contains(&place)), kept, "{divide}");
        }
    }

    #[test]
    fn centipawn_scores_by_hand() {
        let row = Row { before: 0.5, cells: Vec::new() };
        let cell = |text: &str, raw: f32| Cell {
            taken: Some(text.parse().unwrap()),
            takes_king: false,
            exposed: false,
            sneaks: text == "h2e2",
            quiet: true,
            raw,
        };
        near(centipawn_score(&row, &cell("h2h3", 0.5)), 0.0);
        near(centipawn_score(&row, &cell("h2e2", 0.5)), 300.0);
        near(centipawn_score(&row, &cell("h2h3", 1.0)), 30_000.0);
        near(centipawn_score(&row, &Cell { takes_king: true, ..cell("h2h8", 1.0) }), 50_000.0);
        near(centipawn_score(&row, &Cell { exposed: true, ..cell("h2h3", 0.1) }), -40_000.0);
    }
}
