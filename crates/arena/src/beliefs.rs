//! Beliefs measured on recorded games: how likely players hold what is true, and how the opponent plays.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use scuro_agents::contestant::Allowance;
use scuro_agents::name::{Believing, Eval, EvalError, Obscuro};
use scuro_agents::opponent::captures;
use scuro_agents::opponent::fit::Sample;
use scuro_agents::opponent::table::Captures;
use scuro_agents::player::{Believer, Leaves, Playable};
use scuro_games::chess::{Board, Color, Move, Piece};
use scuro_games::dark::Rules;
use scuro_games::records::{Ply, Record};
use scuro_games::umpire::Umpire;
use scuro_games::with_game;
use serde::Serialize;
use thiserror::Error;

/// Why a record cannot be measured.
#[derive(Debug, Error)]
pub enum BeliefError {
    /// It breaks its own rules.
    #[error("{0}")]
    Record(String),
    /// There is no evaluator.
    #[error(transparent)]
    Eval(#[from] EvalError),
}

/// How many positions beliefs may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// As many as usual.
    Usual,
    /// So many.
    Positions(usize),
    /// As many as a player has that thinks so long about each choice.
    Time(Duration),
}

/// The beliefs that are compared, in the order of all pairs here.
const BELIEFS: [Believing; 2] = [Believing::Uniform, Believing::Weighted];

/// A turn of a side, with what both beliefs made of it.
#[derive(Clone, Debug)]
pub struct MeasuredTurn {
    /// Moves that were made before it, by both sides.
    ply: usize,
    beliefs: [MeasuredBelief; 2],
}

/// What a belief is like at a turn.
#[derive(Clone, Copy, Debug)]
struct MeasuredBelief {
    size: usize,
    /// Before the sense of this turn, if there is one.
    size_before: Option<usize>,
    /// The weight of the truth and its rank, if the truth is in it.
    truth: Option<(f64, f64)>,
    /// How often positions were invented, and found again, since the last turn.
    invented: usize,
    refilled: usize,
}

/// The turns of one record. Ends early, with what there is, once `stop` is true.
///
/// # Errors
/// If the record breaks its rules.
pub fn turns(record: &Record, bound: Bound, stop: &AtomicBool) -> Result<Vec<MeasuredTurn>, BeliefError> {
    let rules = Rules::of(record).map_err(BeliefError::Record)?;
    with_game!(rules, game => turns_of(&game, record, bound, stop))
}

/// One side of a record: its two beliefs, and how they were before its sense.
struct Watched<G: Playable> {
    color: Color,
    beliefs: [Believer<G>; 2],
    sizes_before: Option<[usize; 2]>,
    /// Positions invented and found again up to the last turn.
    counted: [[usize; 2]; 2],
}

impl<G: Playable> Watched<G> {
    fn new(game: &G, color: Color, bound: Bound) -> Watched<G> {
        let believer = |belief| {
            let positions = if let Bound::Positions(positions) = bound { Some(positions) } else { None };
            let name = Obscuro { belief: Some(belief), positions, ..Obscuro::default() };
            Believer::of(game.clone(), color, &name, 1)
        };
        Watched { color, beliefs: BELIEFS.map(believer), sizes_before: None, counted: [[0; 2]; 2] }
    }

    fn sizes(&self) -> [usize; 2] {
        self.beliefs.each_ref().map(|believer| believer.belief().positions().len())
    }

    /// What the beliefs are like now, at a turn at which this is true.
    fn measured(&mut self, truth: &G::Position) -> [MeasuredBelief; 2] {
        let before = self.sizes_before.take();
        [0, 1].map(|i| {
            let (believer, counted) = (&self.beliefs[i], &mut self.counted[i]);
            let belief = believer.belief();
            let now = [believer.invented(), believer.refilled()];
            let [invented, refilled] = [0, 1].map(|which| now[which] - counted[which]);
            *counted = now;
            let truth = belief.contains(truth).then(|| {
                let weight = belief.weight(truth);
                let of = |weigh: fn(f64, f64) -> bool| {
                    belief.weights().map_or(0, |all| all.iter().filter(|each| weigh(**each, weight)).count())
                };
                let alike = if belief.weights().is_some() {
                    of(|each, weight| each == weight)
                } else {
                    belief.positions().len()
                };
                (weight, of(|each, weight| each > weight) as f64 + (alike + 1) as f64 / 2.0)
            });
            MeasuredBelief {
                size: belief.positions().len(),
                size_before: before.map(|sizes| sizes[i]),
                truth,
                invented,
                refilled,
            }
        })
    }
}

fn turns_of<G: Playable>(
    game: &G,
    record: &Record,
    bound: Bound,
    stop: &AtomicBool,
) -> Result<Vec<MeasuredTurn>, BeliefError> {
    let mut leaves: Vec<_> =
        Eval::Net.evaluators(1, game.value_rules())?.into_iter().map(Leaves::new).collect();
    let mut sides = Color::ALL.map(|color| Watched::new(game, color, bound));
    let mut turns = Vec::new();
    let mut failed = None;
    let mut made = 0;
    each_ply(game, record, |ply| {
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        let watched = &mut sides[ply.mover as usize];
        let last = ply.before.seat(ply.mover).heard().last().and_then(|heard| heard.own).map(G::ply);
        if let Bound::Time(time) = bound {
            let budget = Allowance::Time(time).budget(ply.mover);
            watched.beliefs.iter_mut().for_each(|believer| _ = believer.budget(budget));
        }
        if matches!(G::ply(ply.action), Ply::Sense(_)) {
            watched.sizes_before = Some(watched.sizes());
        } else if last.is_none_or(|own| matches!(own, Ply::Sense(_))) {
            let truth = game.position(ply.before.state());
            turns.push(MeasuredTurn { ply: made, beliefs: watched.measured(&truth) });
        }
        made += usize::from(ply.ends_turn());
        for watched in &mut sides {
            let goes_on = ply.after.outcome().is_none();
            let Some(told) = ply.after.told(watched.color).filter(|_| goes_on) else { continue };
            let own = (ply.mover == watched.color).then_some(ply.action);
            for believer in &mut watched.beliefs {
                if let Err(error) = believer.see(own, told, |_| true, &mut leaves) {
                    failed = Some(BeliefError::Record(format!("{}: {error}", G::ply(ply.action))));
                    return false;
                }
            }
        }
        true
    })?;
    failed.map_or(Ok(turns), Err)
}

/// A ply of a record, with the game before and after it.
pub(crate) struct Replayed<'u, G: Playable> {
    pub(crate) before: &'u Umpire<G>,
    pub(crate) after: &'u Umpire<G>,
    pub(crate) mover: Color,
    pub(crate) action: G::Action,
}

impl<G: Playable> Replayed<'_, G> {
    pub(crate) fn ends_turn(&self) -> bool {
        G::true_board(self.after.state()).side() != self.mover
    }
}

/// Replays a record; `visit` is called with every ply and says whether to go on.
pub(crate) fn each_ply<G: Playable>(
    game: &G,
    record: &Record,
    mut visit: impl FnMut(Replayed<'_, G>) -> bool,
) -> Result<(), BeliefError> {
    let mut umpire = Umpire::new(game.clone());
    for ply in &record.plies {
        let wrong = |words: String| BeliefError::Record(format!("{ply}: {words}"));
        let action = G::action(*ply).ok_or_else(|| wrong("it is of another game".to_owned()))?;
        let Some(mover) = umpire.turn() else { return Err(wrong("the game is over".to_owned())) };
        if game.passes_over(umpire.state(), action) {
            continue;
        }
        let mut after = umpire.clone();
        after.play(mover, action).map_err(|refusal| wrong(refusal.to_string()))?;
        if !visit(Replayed { before: &umpire, after: &after, mover, action }) {
            break;
        }
        umpire = after;
    }
    Ok(())
}

/// Adds the moves of a record to a sample.
///
/// # Errors
/// If the record breaks its rules.
pub fn add_moves(sample: &mut Sample, record: &Record) -> Result<(), BeliefError> {
    let rules = Rules::of(record).map_err(BeliefError::Record)?;
    with_game!(rules, game => {
        let mut leaves = Eval::Net.evaluators(1, game.value_rules())?.into_iter().map(Leaves::new);
        let Some(mut leaves) = leaves.next() else { return Ok(()) };
        add_moves_of(&game, record, |position, m, captures| {
            sample.add(&game, position, m, captures, &mut leaves);
        })
    })
}

fn add_moves_of<G: Playable>(
    game: &G,
    record: &Record,
    mut add: impl FnMut(&G::Position, Option<Move>, Option<Captures>),
) -> Result<(), BeliefError> {
    each_ply(game, record, |ply| {
        if ply.ends_turn() {
            let position = game.position(ply.before.state());
            let (board, after) = (G::board(&position), G::true_board(ply.after.state()));
            let mut made = same_pieces(board, after).then_some(None);
            game.each_reply(&position, |_, m| {
                if same_pieces(&board.play(m), after) {
                    made = Some(Some(m));
                }
            });
            let heard = ply.before.seat(ply.mover).heard();
            let captures = captures::<G>(heard.iter().rev().map(|heard| &heard.told));
            made.into_iter().for_each(|m| add(&position, m, captures));
        }
        true
    })
}

fn same_pieces(one: &Board, two: &Board) -> bool {
    let same = |&piece: &Piece| one.pieces(piece) == two.pieces(piece);
    Piece::ALL.iter().all(same) && one.colors(Color::White) == two.colors(Color::White)
}

/// What many turns say of a belief.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// The mean probability of the true position, 0 where it is not in.
    pub truth: f64,
    /// Log-loss of the true position, over turns at which both beliefs hold it.
    pub nats: Option<f64>,
    /// The median rank of the truth by weight over the same turns, ties at the middle.
    pub rank: Option<f64>,
    /// The share of turns at which the truth is not in.
    pub lost: f64,
    /// Turns at which nothing fitted, also of earlier turns, and positions were invented.
    pub empty: usize,
    /// Turns at which positions were found again.
    pub refilled: usize,
    /// Positions.
    pub size: Sizes,
    /// Positions before the sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_before: Option<Sizes>,
}

/// Sizes of beliefs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sizes {
    /// Half are smaller.
    pub median: usize,
    /// Nine of ten are.
    pub p90: usize,
    /// 99 of 100 are.
    pub p99: usize,
}

/// Two beliefs on the same turns.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// How many turns.
    pub turns: usize,
    /// At how many of them both hold the truth.
    pub both: usize,
    /// All positions equally likely.
    pub uniform: Findings,
    /// Weighed.
    pub weighted: Findings,
}

/// Two beliefs on the turns at one ply.
#[derive(Clone, Debug, Serialize)]
pub struct AtPly {
    /// Moves made before.
    pub ply: usize,
    /// How many turns.
    pub turns: usize,
    /// All positions equally likely.
    pub uniform: Findings,
    /// Weighed.
    pub weighted: Findings,
}

/// Compares both beliefs on these turns.
#[must_use]
pub fn compare(turns: &[MeasuredTurn]) -> Compared {
    let both: Vec<&MeasuredTurn> =
        turns.iter().filter(|turn| turn.beliefs.iter().all(|held| held.truth.is_some())).collect();
    let findings = |i: usize| {
        let beliefs = || turns.iter().map(move |turn| turn.beliefs[i]);
        let truths: Vec<(f64, f64)> = both.iter().filter_map(|turn| turn.beliefs[i].truth).collect();
        let count = truths.len() as f64;
        let nats = truths.iter().map(|(weight, _)| weight.recip().ln()).sum::<f64>() / count;
        let mut ranks: Vec<f64> = truths.iter().map(|(_, rank)| *rank).collect();
        ranks.sort_unstable_by(f64::total_cmp);
        let before: Vec<usize> = beliefs().filter_map(|held| held.size_before).collect();
        let truth: f64 = beliefs().filter_map(|held| held.truth).map(|(weight, _)| weight).sum();
        Findings {
            truth: truth / turns.len().max(1) as f64,
            nats: (count > 0.0).then_some(nats),
            rank: ranks.get(ranks.len() / 2).copied(),
            lost: beliefs().filter(|held| held.truth.is_none()).count() as f64 / turns.len().max(1) as f64,
            empty: beliefs().filter(|held| held.invented > 0).count(),
            refilled: beliefs().filter(|held| held.refilled > 0).count(),
            size: sizes(beliefs().map(|held| held.size).collect()),
            size_before: (!before.is_empty()).then(|| sizes(before)),
        }
    };
    Compared { turns: turns.len(), both: both.len(), uniform: findings(0), weighted: findings(1) }
}

/// Compares both beliefs ply by ply.
#[must_use]
pub fn compare_by_ply(turns: &[MeasuredTurn]) -> Vec<AtPly> {
    let mut turns = turns.to_vec();
    turns.sort_by_key(|turn| turn.ply);
    let at = |turns: &[MeasuredTurn]| {
        let Compared { uniform, weighted, .. } = compare(turns);
        AtPly { ply: turns[0].ply, turns: turns.len(), uniform, weighted }
    };
    turns.chunk_by(|one, two| one.ply == two.ply).map(at).collect()
}

fn sizes(mut sizes: Vec<usize>) -> Sizes {
    sizes.sort_unstable();
    let at = |percent: usize| sizes.get(sizes.len() * percent / 100).copied().unwrap_or_default();
    Sizes { median: at(50), p90: at(90), p99: at(99) }
}

/// Does `work` on all records, on so many threads; the results in the order of the records. `done` is called after each.
///
/// # Errors
/// The first that a record gave.
pub fn on_all<R: Sync, T: Send, E: Send>(
    records: &[R],
    threads: usize,
    work: impl Fn(&R) -> Result<T, E> + Sync,
    done: impl Fn() + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some((number, record)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, records.get(i)?)))
                {
                    let result = work(record);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
                    done();
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
