//! `darkboard`: the first complete player of Kriegspiel, by metapositions.
//!
//! A [`Metaposition`] is all that it believes. [`evolve`] and [`opponent`] change it by tries and turns, [`messages`] by the
//! umpire's words; [`predict`] says what the umpire will answer, [`maximax`] searches the moves and [`evaluate`] values
//! them, by [`weights`] that evolve. A [`book`] has first moves.

pub mod book;
pub mod evaluate;
pub mod evolve;
pub mod maximax;
pub mod messages;
pub mod metaposition;
pub mod opponent;
pub mod predict;
pub mod weights;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use scuro_core::Random;
use scuro_games::chess::{Color, Move, OwnPieces, Piece, Square};
use scuro_games::kriegspiel::{Announcement, Checks, Kriegspiel, PawnTries, Question, Told, Try};
use scuro_games::seat::Seat;
use scuro_search::agent::Budget;

use self::book::Book;
use self::evaluate::Evaluation;
use self::evolve::is_longer;
use self::maximax::{Judged, Limits, Search};
use self::metaposition::Metaposition;
use crate::contestant::{Allowance, Contestant, Fault, Insight, Notes};
use crate::player::Whereabouts;

/// The most metapositions of a choice if time alone limits it.
const POSITIONS: usize = 5000;
/// Metapositions that are surely made in a millisecond.
const PACE: usize = 100;
/// The share of a choice's time that is used.
const SHARE: f64 = 0.6;
/// Values that are closer than this are equal.
const EQUAL: f64 = 1e-9;

/// The player.
pub struct Darkboard {
    game: Kriegspiel,
    seat: Seat<Kriegspiel>,
    meta: Metaposition,
    evaluation: Evaluation,
    /// The moves of an opening that are still to be played.
    opening: Vec<Move>,
    /// Moves to take what stood in the way of a refused try of this turn.
    power: Vec<Move>,
    /// How often its pieces have stood so after a move since the last capture.
    arrived: FxHashMap<OwnPieces, u32>,
    random: Random,
    insights: Vec<Insight>,
    nodes: usize,
    depth: usize,
    stop: Option<Arc<AtomicBool>>,
}

impl Darkboard {
    /// At the start of a game, with this evaluation and these openings.
    #[must_use]
    pub fn new(
        game: Kriegspiel,
        color: Color,
        evaluation: Evaluation,
        book: Option<&Book>,
        seed: u64,
    ) -> Darkboard {
        let mut random = Random::new(seed);
        let opening = book.and_then(|book| random.pick(book.lines(color)).cloned()).unwrap_or_default();
        Darkboard {
            game,
            seat: Seat::new(&game, color),
            meta: Metaposition::start(&game, color),
            evaluation,
            opening: opening.into_iter().rev().collect(),
            power: Vec::new(),
            arrived: FxHashMap::default(),
            random,
            insights: Vec::new(),
            nodes: 0,
            depth: 0,
            stop: None,
        }
    }

    /// What it believes.
    #[must_use]
    pub fn metaposition(&self) -> &Metaposition {
        &self.meta
    }

    /// Takes in what it is told; `None` if nobody can be told that now.
    fn follow(&mut self, own: Option<Try>, told: &Told) -> Option<()> {
        self.seat.see(&self.game, own, told).ok()?;
        let in_check = self.in_check();
        match (own, told) {
            (Some(Try::Move(m)), Told::Made(said)) => {
                self.meta = self.meta.after_own(m, said);
                *self.arrived.entry(self.meta.own).or_default() += 1;
                if said.capture.is_some() {
                    self.arrived.clear();
                }
                if !is_silent(said) {
                    self.opening.clear();
                }
            }
            (Some(Try::Move(m)), Told::Refused { nonsense: false }) => {
                let (meta, power) = self.meta.after_refusal(m, in_check);
                self.meta = meta;
                self.power.extend(power);
            }
            (Some(Try::Any), Told::Answered(any)) => {
                self.meta.my_tries = PawnTries::Fact(*any);
                self.meta.hear_my_tries(in_check);
                self.meta.settle();
            }
            (None, Told::Made(said)) => {
                self.meta = self.meta.after_theirs(said);
                self.power.clear();
                if !is_silent(said) {
                    self.opening.clear();
                }
                if said.capture.is_some() {
                    self.arrived.clear();
                }
            }
            (None, Told::Answered(any)) => self.meta.their_tries = PawnTries::Fact(*any),
            _ => {}
        }
        Some(())
    }

    fn in_check(&self) -> bool {
        self.seat.view().announcement.checks != Checks::NONE
    }

    /// Its choice among these.
    fn think(&mut self, choices: &[Try], allowance: Allowance) -> Try {
        self.insights.clear();
        if let Some(m) = self.next_of_opening(choices) {
            return Try::Move(m);
        }
        if choices.contains(&Try::Any) && self.wants_to_ask() {
            return Try::Any;
        }
        let moves = self.moves(choices);
        if moves.is_empty() {
            return choices[0];
        }
        let said = self.seat.view().announcement;
        let limits = self.limits(allowance);
        let mut search = Search::new(&self.evaluation, &limits, &self.meta);
        let mut judged = search.judge(&self.meta, &moves, &self.power, !is_silent(&said));
        (self.nodes, self.depth) = (search.made, search.depth);
        for one in &mut judged {
            let times = self.arrived.get(&one.after.own).copied().unwrap_or(0);
            one.value -= self.evaluation.weights.repetition * f64::from(times);
        }
        Try::Move(self.pick(judged))
    }

    /// The best move, any of several, with what was thought of all.
    fn pick(&mut self, mut judged: Vec<Judged>) -> Move {
        judged.sort_by(|a, b| b.value.total_cmp(&a.value));
        let best = judged[0].value;
        let equal = judged.iter().take_while(|one| one.value >= best - EQUAL).count();
        let chosen = self.random.below(equal);
        let insight = |(place, one): (usize, &Judged)| Insight {
            choice: one.m.to_string(),
            score: one.value,
            parts: self.parts(one),
            answers: Vec::new(),
            chosen: place == chosen,
        };
        self.insights = judged.iter().enumerate().map(insight).collect();
        judged[chosen].m
    }

    /// What a try's own value is made of, and how likely it is to be legal.
    fn parts(&self, one: &Judged) -> Vec<(&'static str, f64)> {
        let piece = self.meta.own.man_on(one.m.from()).unwrap_or(Piece::Pawn);
        let mut parts = one.parts.named();
        parts.push(("legal", self.meta.chance_to_be_legal(piece, one.m)));
        parts
    }

    /// The next move of the opening, if it can be tried.
    fn next_of_opening(&mut self, choices: &[Try]) -> Option<Move> {
        let next = self.opening.pop().filter(|&m| choices.contains(&Try::Move(m)));
        if next.is_none() {
            self.opening.clear();
        }
        next
    }

    /// Whether it asks for pawn captures: one may be there, and is not certain.
    fn wants_to_ask(&self) -> bool {
        let targets = self.meta.any_but_king();
        let pawns = self.meta.own.pieces(Piece::Pawn);
        self.seat.view().question == Question::Unasked
            && pawns.into_iter().any(|pawn| !(self.meta.reach(Piece::Pawn, pawn) & targets).is_empty())
    }

    /// The moves among these that may be legal; if none seems to be, all of them.
    fn moves(&self, choices: &[Try]) -> Vec<(Piece, Move)> {
        let (view, in_check) = (self.seat.view(), self.in_check());
        let refused = |m: Move| !in_check && view.refused.iter().any(|&refused| is_longer(m, refused));
        let mut moves = Vec::new();
        self.meta.each_move(|piece, m| {
            if choices.contains(&Try::Move(m)) && !refused(m) && view.may_end_checks(m) {
                moves.push((piece, m));
            }
        });
        if moves.is_empty() {
            let piece = |m: Move| view.pieces.man_on(m.from()).unwrap_or(Piece::Pawn);
            let all = choices.iter().filter_map(|choice| match choice {
                Try::Move(m) => Some((piece(*m), *m)),
                Try::Any => None,
            });
            moves.extend(all);
        }
        moves
    }

    /// What this choice may cost.
    fn limits(&self, allowance: Allowance) -> Limits {
        let (positions, time) = match allowance.budget(self.seat.color()) {
            Budget::Nodes(nodes) => (nodes, None),
            Budget::Time(time) => {
                let time = time.mul_f64(SHARE);
                (POSITIONS.min(PACE * time.as_millis().max(1) as usize), Some(time))
            }
            Budget::Whole { .. } | Budget::Endless => (POSITIONS, None),
        };
        let deadline = time.map(|time: Duration| Instant::now() + time);
        Limits { positions, deadline, stop: self.stop.clone() }
    }
}

/// Whether nothing was announced but whose turn it is.
fn is_silent(said: &Announcement) -> bool {
    let tries = match said.tries {
        PawnTries::Count(count) => count > 0,
        PawnTries::Fact(fact) => fact,
        PawnTries::From(squares) => !squares.is_empty(),
        PawnTries::Unsaid => false,
    };
    said.capture.is_none() && said.checks == Checks::NONE && !said.promotion && !tries
}

impl Contestant<Kriegspiel> for Darkboard {
    fn see(&mut self, own: Option<Try>, told: &Told) {
        // What nobody can be told changes nothing.
        let _ = self.follow(own, told);
    }

    fn choose(&mut self, choices: &[Try], allowance: Allowance) -> Result<Try, Fault> {
        Ok(self.think(choices, allowance))
    }

    fn notes(&self) -> Notes {
        let chosen = self.insights.iter().find(|insight| insight.chosen);
        Notes {
            value: chosen.map(|insight| insight.score),
            nodes: Some(self.nodes),
            depth: Some(self.depth),
            ..Notes::default()
        }
    }

    fn insights(&self) -> &[Insight] {
        &self.insights
    }

    /// What certainly stands somewhere does; else a square is the likelier the longer ago anything was learnt of it.
    fn whereabouts(&self) -> Option<Whereabouts> {
        let meta = &self.meta;
        let weight = |square: Square| 1.0 + f64::from(meta.ages[square as usize]);
        let totals = Piece::ALL.map(|piece| meta.may(piece).into_iter().map(weight).sum::<f64>());
        Some(Whereabouts::from_shares(|square, piece| {
            let kinds = Piece::ALL.into_iter().filter(|&kind| meta.may(kind).has(square)).count();
            match (meta.may(piece).has(square), kinds) {
                (false, _) => 0.0,
                (true, 1) if meta.sure().has(square) => 1.0,
                _ => weight(square) / totals[piece as usize],
            }
        }))
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.stop = Some(stop);
    }
}
