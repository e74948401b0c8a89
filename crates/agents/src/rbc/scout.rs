//! The shell of the players that keep all boards that may be: told what their side is told, they sense and request in a
//! style of their own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use scuro_core::Random;
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move, Piece, Square};
use scuro_games::player_of;
use scuro_games::rbc::{Answer, Phase, Position, Rbc, RbcAction, RbcView, Told};
use scuro_games::seat::Seat;
use scuro_games::umpire::Umpired;

use super::ahead::{after, ahead};
use super::matrix::{Row, near_best};
use super::pool::{Held, Pool, Step, Turns, Weights};
use super::windows::Window;
use crate::contestant::{Allowance, Contestant, Fault, Insight, Notes};
use crate::meter::Meter;
use crate::player::{Leaves, Playable, Rebuild, Whereabouts};

/// What boards are valued with.
pub type Values = Leaves<Box<dyn Evaluator + Send>>;

/// Evaluators, one a thread.
pub type Evaluators = Vec<Box<dyn Evaluator + Send>>;

/// The most boards that are kept if there is time for them.
pub const MOST_BOARDS: usize = 2_000_000;
/// However short the time, no fewer are kept.
const FEW_BOARDS: usize = 10_000;
/// Boards that are followed in a second, and those of them that are followed with care.
const PACE: f64 = 200_000.0;
const CAREFUL_PACE: f64 = 10_000.0;
/// Positions that are valued when a board is followed with care.
const CAREFUL_NODES: usize = 30;
/// No more boards are followed with care.
pub(super) const MOST_CAREFUL: usize = 20_000;
/// The share of a choice's time that following the next turn of the opponent may take.
const SHARE: f64 = 0.3;
/// The share of a choice's time after which no more boards are looked at.
const ENOUGH: f64 = 0.8;
/// Until told to stop is no longer than this.
const LONGEST: Duration = Duration::from_secs(5);

/// The way in which a player with a pool of boards chooses.
pub trait Style: Send {
    /// The weights of types at first.
    fn types(&self) -> Weights;

    /// How likely the opponent's turns are; the pool has so many boards.
    fn turns<'t>(&'t self, rules: &'t Rbc, leaves: &'t mut Values, boards: usize) -> Box<dyn Turns + 't>;

    /// Called after a turn of the opponent was taken in.
    fn settle(&mut self, _pool: &mut Pool) {}

    /// The square to sense, or none, with what was thought of each.
    fn sense(&mut self, scene: &mut Scene<'_>) -> (Option<Square>, Vec<Insight>);

    /// The request, by its place among the requests, with what was thought of each.
    fn request(&mut self, scene: &mut Scene<'_>) -> (usize, Vec<Insight>);
}

impl Turns for Box<dyn Turns + '_> {
    fn likelihoods(&mut self, board: &Board, turns: &[Option<Move>], careful: bool, out: &mut Vec<Weights>) {
        (**self).likelihoods(board, turns, careful, out);
    }
}

/// What a style has to choose by.
pub struct Scene<'s> {
    /// The boards that may be.
    pub pool: &'s Pool,
    /// What the player knows.
    pub view: &'s RbcView,
    /// What it may request in this turn.
    pub requests: &'s [Option<Move>],
    /// The player's turns since it last knew of a capture or moved a pawn.
    pub quiet_turns: u32,
    /// Random numbers.
    pub random: &'s mut Random,
    leaves: &'s mut Values,
    rows: &'s mut FxHashMap<u64, Row>,
    meter: Meter,
}

impl Scene<'_> {
    /// Values the boards with these numbers, in their order, as long as the budget lasts and at least one; those that
    /// were valued before cost nothing. Returns the numbers of the boards that are valued.
    pub fn look(&mut self, order: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut looked = Vec::new();
        for place in order {
            let board = self.pool.held()[place].board();
            if !self.rows.contains_key(&board.key()) {
                if !looked.is_empty() && self.meter.is_used_up() {
                    continue;
                }
                let row = Row::of(board, self.requests, self.leaves);
                self.meter.spend(row.valued());
                self.rows.insert(board.key(), row);
            }
            looked.push(place);
        }
        looked
    }

    /// The row of a board that was looked at.
    #[must_use]
    pub fn row(&self, place: usize) -> &Row {
        // Whoever asks has looked.
        &self.rows[&self.pool.held()[place].board().key()]
    }

    /// Whether a board was looked at in this turn.
    #[must_use]
    pub fn knows(&self, place: usize) -> bool {
        self.rows.contains_key(&self.pool.held()[place].board().key())
    }

    /// So many boards, drawn one after the other by these weights without replacement.
    pub fn draw(&mut self, count: usize, weight: impl Fn(&Held) -> f64) -> Vec<usize> {
        let held = self.pool.held();
        // The first for which a clock strikes that runs as fast as its weight.
        let strikes: Vec<f64> = held.iter().map(|held| self.random.exponential() / weight(held)).collect();
        let mut order: Vec<usize> = (0..held.len()).collect();
        order.sort_by(|&a, &b| strikes[a].total_cmp(&strikes[b]));
        order.truncate(count);
        order
    }

    /// Whether a request is made as it is asked on one of these boards, which were looked at.
    #[must_use]
    pub fn is_made(&self, places: &[usize], request: usize) -> bool {
        places.iter().any(|&place| self.row(place).cells[request].taken == self.requests[request])
    }

    /// A square to sense, with what was thought of each window: any whose score is at most `margin` below the best.
    pub(super) fn best_window(
        &mut self,
        windows: &[Window],
        mut insights: Vec<Insight>,
        margin: f64,
    ) -> (Option<Square>, Vec<Insight>) {
        let scores: Vec<f64> = insights.iter().map(|insight| insight.score).collect();
        let chosen = near_best(&scores, margin, self.random);
        insights[chosen].chosen = true;
        (Some(windows[chosen].square), insights)
    }

    /// What is thought of a request, which is not chosen yet.
    pub(super) fn insight(&self, request: usize, score: f64, parts: Vec<(&'static str, f64)>) -> Insight {
        let choice = self.requests[request].map_or("pass".to_owned(), |m| m.to_string());
        Insight { choice, score, parts, answers: Vec::new(), chosen: false }
    }

    /// The boards by weight, the heaviest first.
    #[must_use]
    pub fn by_weight(&self) -> Vec<usize> {
        let held = self.pool.held();
        let mut order: Vec<usize> = (0..held.len()).collect();
        order.sort_by(|&a, &b| held[b].weight().total_cmp(&held[a].weight()));
        order
    }

    /// The player.
    #[must_use]
    pub fn me(&self) -> Color {
        self.view.pieces.color()
    }

    /// What values boards.
    pub fn leaves(&mut self) -> &mut Values {
        self.leaves
    }

    /// The value to the player of the board with this number after `taken`, if both sides see it and look so many plies
    /// ahead.
    pub fn ahead(&mut self, place: usize, taken: Option<Move>, plies: u32) -> f32 {
        let board = after(self.pool.held()[place].board(), taken);
        let (value, nodes) = ahead(&board, plies, self.leaves.evaluator());
        self.spend(nodes);
        -value
    }

    /// Whether there is still time, or nodes.
    #[must_use]
    pub fn has_time(&self) -> bool {
        !self.meter.is_used_up()
    }

    /// So many more positions were valued.
    pub fn spend(&mut self, nodes: usize) {
        self.meter.spend(nodes);
    }
}

/// A player with a style.
pub struct Scout<S> {
    rules: Rbc,
    seat: Seat<Rbc>,
    pool: Pool,
    /// One for each thread that follows boards; the first values them when it chooses.
    leaves: Vec<Values>,
    random: Random,
    style: S,
    rows: FxHashMap<u64, Row>,
    /// The most boards that are kept.
    positions: usize,
    /// The most positions that are valued for a choice.
    most_nodes: usize,
    /// Time that following took since the last choice.
    spent: Duration,
    /// How many boards are followed with care.
    careful: usize,
    nodes: usize,
    /// How often no board fitted what was told.
    lost: usize,
    quiet_turns: u32,
    insights: Vec<Insight>,
    stop: Option<Arc<AtomicBool>>,
}

impl<S: Style> Scout<S> {
    /// At the start of a game. There is an evaluator for each thread, and at least one.
    pub fn new(rules: Rbc, color: Color, evaluators: Evaluators, seed: u64, style: S) -> Scout<S> {
        let start = scuro_core::Positions::position(&rules, &rules.first());
        Scout {
            seat: Seat::new(&rules, color),
            pool: Pool::certain(start, style.types(), MOST_BOARDS, seed),
            leaves: evaluators.into_iter().map(Leaves::new).collect(),
            rules: rules.unlimited(),
            random: Random::new(!seed),
            style,
            rows: FxHashMap::default(),
            positions: MOST_BOARDS,
            most_nodes: usize::MAX,
            spent: Duration::ZERO,
            careful: MOST_CAREFUL,
            nodes: 0,
            lost: 0,
            quiet_turns: 0,
            insights: Vec::new(),
            stop: None,
        }
    }

    /// The same, holding these boards possible, all alike, if there is one.
    #[must_use]
    pub fn supposing(mut self, boards: &[Position]) -> Scout<S> {
        let _ = self.pool.replace(boards, self.style.types());
        self
    }

    /// The same, with at most so many boards.
    #[must_use]
    pub fn keeping(mut self, positions: usize) -> Scout<S> {
        self.positions = positions;
        self.pool.limit(positions);
        self
    }

    /// The same, valuing at most so many positions for a choice.
    #[must_use]
    pub fn valuing(mut self, nodes: usize) -> Scout<S> {
        self.most_nodes = nodes;
        self
    }

    /// The boards that may be.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// How often no board that it held possible fitted what it was told.
    #[must_use]
    pub fn lost(&self) -> usize {
        self.lost
    }

    /// Takes in what it is told; `None` if nobody can be told that now.
    fn follow(&mut self, own: Option<RbcAction>, told: &Told) -> Option<()> {
        let pieces = self.seat.view().pieces;
        self.seat.see(&self.rules, own, told).ok()?;
        let pawn_moved = |m: Move| pieces.pieces(Piece::Pawn).has(m.from());
        self.quiet_turns = match told.answer {
            Answer::Turn { lost: Some(_) } | Answer::Moved { captured: Some(_), .. } => 0,
            Answer::Moved { taken, .. } if taken.is_some_and(pawn_moved) => 0,
            Answer::Moved { .. } => self.quiet_turns + 1,
            _ => self.quiet_turns,
        };
        let step = Step { player: player_of(self.seat.color()), own, told };
        let boards = self.pool.held().len();
        let (style, rules) = (&self.style, &self.rules);
        let mut turns: Vec<_> =
            self.leaves.iter_mut().map(|leaves| style.turns(rules, leaves, boards)).collect();
        let fitted = self.pool.advance(&self.rules, step, &mut turns, self.careful);
        drop(turns);
        if fitted.is_err() {
            self.lost += 1;
            let believed: Vec<_> = self.pool.held().iter().map(|held| held.position).collect();
            let question = Rebuild { view: self.seat.view(), own, told, believed: &believed };
            let positions = self.rules.rebuild(&question, &mut self.random);
            // Where nothing can be made up what was believed stays.
            let _ = self.pool.replace(&positions, self.style.types());
        }
        if matches!(told.answer, Answer::Turn { .. }) {
            self.rows.clear();
            self.style.settle(&mut self.pool);
        }
        Some(())
    }

    /// What this choice may cost. The next turn of the opponent may take a share of it.
    fn meter(&mut self, allowance: Allowance) -> Meter {
        let (now, sensing) = (Instant::now(), self.seat.view().phase == Phase::Sense);
        let time = match allowance {
            Allowance::Nodes(nodes) => {
                let nodes = nodes.min(self.most_nodes);
                self.pool.limit(self.positions.min(nodes.max(FEW_BOARDS)));
                self.careful = MOST_CAREFUL.min(nodes / CAREFUL_NODES);
                return Meter::of_nodes(nodes, self.stop.clone());
            }
            Allowance::Time(time) => time,
            Allowance::Clock { left, increment } => {
                let side = self.seat.color() as usize;
                of_clock(left[side].unwrap_or_default(), increment[side], sensing)
            }
            Allowance::Endless => LONGEST,
        };
        let seconds = SHARE * time.as_secs_f64();
        self.pool.limit(self.positions.min(((PACE * seconds) as usize).max(FEW_BOARDS)));
        self.careful =
            (MOST_CAREFUL.min(self.most_nodes / CAREFUL_NODES)).min((CAREFUL_PACE * seconds) as usize);
        let left = time.mul_f64(ENOUGH).saturating_sub(std::mem::take(&mut self.spent));
        Meter::until(now + left, self.stop.clone()).at_most(self.most_nodes)
    }

    /// Its choice among these.
    fn think(&mut self, choices: &[RbcAction], allowance: Allowance) -> RbcAction {
        let meter = self.meter(allowance);
        let requests = requests(&self.rules, self.seat.view());
        let view = *self.seat.view();
        let Scout { pool, leaves, random, rows, style, quiet_turns, .. } = self;
        let leaves = &mut leaves[0];
        let quiet_turns = *quiet_turns;
        let mut scene =
            Scene { pool, view: &view, requests: &requests, quiet_turns, random, leaves, rows, meter };
        let (action, insights) = match view.phase {
            Phase::Sense => {
                let (square, insights) = style.sense(&mut scene);
                (RbcAction::Sense(square), insights)
            }
            Phase::Move => {
                let (place, insights) = style.request(&mut scene);
                (RbcAction::Request(requests[place]), insights)
            }
        };
        self.nodes = scene.meter.nodes();
        self.insights = insights;
        self.insights.sort_by(|a, b| b.score.total_cmp(&a.score));
        // No sense at all is never offered, and always taken.
        if choices.contains(&action) || action == RbcAction::Sense(None) { action } else { choices[0] }
    }
}

/// What may be requested, promotions to queens alone, and the pass.
pub(super) fn requests(rules: &Rbc, view: &RbcView) -> Vec<Option<Move>> {
    let mut choices = Vec::new();
    rules.choices(&RbcView { phase: Phase::Move, ..*view }, &mut choices);
    let queens = |m: &Move| m.promotion().is_none_or(|becomes| becomes == Piece::Queen);
    let request = |choice| if let RbcAction::Request(request) = choice { Some(request) } else { None };
    choices.into_iter().filter_map(request).filter(|request| request.as_ref().is_none_or(queens)).collect()
}

/// What a choice takes of a clock: three fifths of a turn's share for the sense, the rest for the request. Ten seconds are
/// kept in reserve.
fn of_clock(left: Duration, increment: Duration, sensing: bool) -> Duration {
    let open = left.saturating_sub(RESERVE).max(left / 10);
    let turn = (open / 25 + increment * 4 / 5).min(open / 4);
    turn.mul_f64(if sensing { 0.6 } else { 0.4 })
}

/// What is never planned to be used of a clock.
const RESERVE: Duration = Duration::from_secs(10);

impl<S: Style> Contestant<Rbc> for Scout<S> {
    fn see(&mut self, own: Option<RbcAction>, told: &Told) {
        let began = Instant::now();
        // What nobody can be told changes nothing.
        let _ = self.follow(own, told);
        self.spent += began.elapsed();
    }

    fn choose(&mut self, choices: &[RbcAction], allowance: Allowance) -> Result<RbcAction, Fault> {
        Ok(self.think(choices, allowance))
    }

    fn notes(&self) -> Notes {
        let chosen = self.insights.iter().find(|insight| insight.chosen);
        Notes {
            value: chosen.map(|insight| insight.score),
            belief: Some(self.pool.held().len()),
            nodes: Some(self.nodes),
            ..Notes::default()
        }
    }

    fn insights(&self) -> &[Insight] {
        &self.insights
    }

    fn whereabouts(&self) -> Option<Whereabouts> {
        let boards = self.pool.held().iter().map(|held| (held.board(), held.weight()));
        Some(Whereabouts::of(boards, !self.seat.color()))
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.stop = Some(stop);
    }
}
