//! The shell of the players of Kriegspiel that value positions: told what their side is told, they choose tries in a style
//! of their own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use scuro_core::Random;
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Color, Move, OwnPieces, Piece};
use scuro_games::kriegspiel::{
    Announcement, Kriegspiel, KriegspielView, PawnCaptures, Position, Taken, Told, Try,
};
use scuro_games::seat::Seat;
use scuro_search::agent::Budget;
use scuro_search::belief::Belief;

use crate::contestant::{Allowance, Contestant, Fault, Insight, Notes};
use crate::meter::Meter;
use crate::player::{Believer, Leaves, Playable, Seen, Whereabouts};

/// What positions are valued with.
pub(crate) type Values = Leaves<Box<dyn Evaluator + Send>>;

/// Positions of the belief for each node of a budget, and the fewest that are kept.
const POSITIONS_A_NODE: usize = 2;
/// The share of a choice's time after which it ends.
const ENOUGH: f64 = 0.85;
/// Until told to stop is no longer than this.
const LONGEST: Duration = Duration::from_secs(5);
/// The number of positions that tell how likely a pawn capture is, where that may be asked.
const ASKED: usize = 1_000;
/// How likely a pawn capture has to be, and not to be, to be asked for.
const DOUBT: f64 = 0.1;

/// What it costs to come to the same placement of the own pieces again, each time.
const AGAIN: f64 = 0.03;
/// After so many moves without a capture or an own pawn's move the latter are worth more, each time by so much.
const PATIENCE: usize = 25;
const HURRY: f64 = 0.01;

/// The way in which a player chooses.
pub trait Style: Send {
    /// The try, by its place among the tries, with what was thought of each.
    fn choose(&mut self, scene: &mut Scene<'_>) -> (usize, Vec<Insight>);
}

/// What a style has to choose by.
pub struct Scene<'s> {
    /// The rules.
    pub rules: &'s Kriegspiel,
    /// What the player knows of the present.
    pub view: &'s KriegspielView,
    /// What it has done so far.
    pub past: &'s Past,
    /// What it has heard, latest first.
    pub heard: Vec<&'s Told>,
    /// The positions that may be, if it keeps any, and whether they had to be invented.
    pub belief: Option<(&'s Belief<Position>, bool)>,
    /// The moves that it may try, at least one.
    pub tries: &'s [Move],
    /// Random numbers.
    pub random: &'s mut Random,
    pub(crate) leaves: &'s mut Values,
    pub(crate) meter: Meter,
}

impl Scene<'_> {
    /// The player.
    #[must_use]
    pub fn me(&self) -> Color {
        self.view.pieces.color()
    }

    /// What is added to the value of a try so that the game is not drawn: less for a placement of the own pieces that was there
    /// before, more for the move of a pawn if nothing else has happened for long.
    pub(crate) fn bonus(&self, m: Move) -> f64 {
        let (pieces, Past { placements, .. }) = (&self.view.pieces, self.past);
        let after = pieces.moved(m);
        let again = placements.iter().filter(|placement| **placement == after).count();
        let late = placements.len().saturating_sub(PATIENCE);
        let pawn = pieces.pieces(Piece::Pawn).has(m.from());
        HURRY * if pawn { late as f64 } else { 0.0 } - AGAIN * again as f64
    }

    /// What turns a value to White into one to the player.
    pub(crate) fn sign(&self) -> f64 {
        if self.me() == Color::White { 1.0 } else { -1.0 }
    }
}

/// What is thought of a try, which is not chosen yet: what it is worth where it is legal, and how likely that is.
pub(crate) fn insight(m: Move, value: f64, legal: f64) -> Insight {
    let parts = vec![("value", value), ("legal", legal)];
    Insight { choice: m.to_string(), score: value, parts, answers: Vec::new(), chosen: false }
}

/// What a player remembers of a game beside its seat.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// How many moves it has made.
    pub moves: usize,
    /// Its pieces after each of its moves since something was captured or a pawn of its own moved.
    pub placements: Vec<OwnPieces>,
    /// How many pieces it has taken: pawns, others, and such of which it was not told.
    pub taken: [usize; 3],
}

impl Past {
    /// Takes in a ply after which its pieces are these; `own` is its try, if the ply was its own.
    fn note(&mut self, before: &OwnPieces, after: &OwnPieces, own: Option<Try>, told: &Told) {
        let Told::Made(Announcement { capture, .. }) = told else { return };
        if capture.is_some() {
            self.placements.clear();
        }
        let Some(Try::Move(m)) = own else { return };
        self.moves += 1;
        if let Some(capture) = capture {
            let kind = match capture.taken {
                Some(Taken::Pawn) => 0,
                Some(Taken::Piece) => 1,
                None => 2,
            };
            self.taken[kind] += 1;
        }
        if before.pieces(Piece::Pawn).has(m.from()) {
            self.placements.clear();
        }
        self.placements.push(*after);
    }
}

/// What a player keeps of what it was told.
enum Mind {
    /// Its own side alone.
    Seat(Box<Seat<Kriegspiel>>),
    /// A belief too.
    Believer(Box<Believer<Kriegspiel>>),
}

impl Mind {
    fn seat(&self) -> &Seat<Kriegspiel> {
        match self {
            Mind::Seat(seat) => seat,
            Mind::Believer(believer) => believer.seat(),
        }
    }
}

/// A player with a style.
pub struct Prober<S> {
    rules: Kriegspiel,
    mind: Mind,
    past: Past,
    /// Whether what is believed was invented.
    invented: bool,
    leaves: Vec<Values>,
    random: Random,
    style: S,
    /// The most nodes of a choice.
    most_nodes: usize,
    nodes: usize,
    insights: Vec<Insight>,
    stop: Option<Arc<AtomicBool>>,
}

impl<S: Style> Prober<S> {
    /// At the start of a game, without a belief. There is at least one evaluator.
    #[must_use]
    pub fn new(
        rules: Kriegspiel,
        color: Color,
        evaluators: Vec<Box<dyn Evaluator + Send>>,
        seed: u64,
        style: S,
    ) -> Prober<S> {
        Prober {
            mind: Mind::Seat(Box::new(Seat::new(&rules, color))),
            past: Past::default(),
            invented: false,
            leaves: evaluators.into_iter().map(Leaves::new).collect(),
            random: Random::new(!seed),
            rules,
            style,
            most_nodes: usize::MAX,
            nodes: 0,
            insights: Vec::new(),
            stop: None,
        }
    }

    /// The same with a belief.
    #[must_use]
    pub fn believing(self, believer: Believer<Kriegspiel>) -> Prober<S> {
        Prober { mind: Mind::Believer(Box::new(believer)), ..self }
    }

    /// The same with at most so many nodes a choice.
    #[must_use]
    pub fn valuing(self, nodes: usize) -> Prober<S> {
        Prober { most_nodes: nodes, ..self }
    }

    /// The positions that may be, if it keeps any.
    #[must_use]
    pub fn belief(&self) -> Option<&Belief<Position>> {
        if let Mind::Believer(believer) = &self.mind { Some(believer.belief()) } else { None }
    }

    /// What this choice may cost.
    fn meter(&mut self, allowance: Allowance) -> Meter {
        let (now, color) = (Instant::now(), self.mind.seat().color());
        let budget = match allowance.budget(color) {
            Budget::Endless | Budget::Whole { .. } => Budget::Time(LONGEST),
            Budget::Nodes(nodes) => Budget::Nodes(nodes.min(self.most_nodes)),
            budget => budget,
        };
        let budget = match &mut self.mind {
            Mind::Seat(_) => budget,
            Mind::Believer(believer) => {
                if let Budget::Nodes(nodes) = budget {
                    believer.limit(positions_for(nodes));
                }
                believer.budget(budget)
            }
        };
        match budget {
            Budget::Time(time) => {
                Meter::until(now + time.mul_f64(ENOUGH), self.stop.clone()).at_most(self.most_nodes)
            }
            Budget::Nodes(nodes) => Meter::of_nodes(nodes, self.stop.clone()),
            Budget::Endless | Budget::Whole { .. } => Meter::of_nodes(0, self.stop.clone()),
        }
    }

    /// Its choice among these.
    fn think(&mut self, choices: &[Try], allowance: Allowance) -> Try {
        let meter = self.meter(allowance);
        if choices.contains(&Try::Any) && self.belief().is_none_or(in_doubt) {
            self.insights.clear();
            return Try::Any;
        }
        let tries: Vec<Move> = choices
            .iter()
            .filter_map(|attempt| if let Try::Move(m) = attempt { Some(*m) } else { None })
            .collect();
        let Prober { rules, mind, past, invented, leaves, random, style, .. } = self;
        let (mind, seat) = (&*mind, mind.seat());
        let belief =
            if let Mind::Believer(believer) = mind { Some((believer.belief(), *invented)) } else { None };
        let mut scene = Scene {
            rules,
            view: seat.view(),
            past,
            heard: seat.heard().iter().rev().map(|heard| &heard.told).collect(),
            belief,
            tries: &tries,
            random,
            leaves: &mut leaves[0],
            meter,
        };
        let (place, insights) = style.choose(&mut scene);
        self.nodes = scene.meter.nodes();
        self.insights = insights;
        self.insights.sort_by(|a, b| b.score.total_cmp(&a.score));
        tries.get(place).map_or(choices[0], |&m| Try::Move(m))
    }
}

/// The positions of a belief that are worth their time on a budget of nodes.
pub(crate) fn positions_for(nodes: usize) -> usize {
    nodes.saturating_mul(POSITIONS_A_NODE).max(Kriegspiel::FEW_POSITIONS)
}

/// Whether it is neither certain that a pawn can capture nor that none can.
fn in_doubt(belief: &Belief<Position>) -> bool {
    let (mut with, mut all) = (0.0, 0.0);
    for held in belief.weighted().take(ASKED) {
        all += held.weight;
        if !PawnCaptures::of(held.position.board()).is_empty() {
            with += held.weight;
        }
    }
    (DOUBT..=1.0 - DOUBT).contains(&(with / all))
}

impl<S: Style> Contestant<Kriegspiel> for Prober<S> {
    fn see(&mut self, own: Option<Try>, told: &Told) {
        let before = self.mind.seat().view().pieces;
        // What nobody can be told changes nothing.
        let heard = match &mut self.mind {
            Mind::Seat(seat) => seat.see(&self.rules, own, told).map(|()| Seen::Exact),
            Mind::Believer(believer) => believer.see(own, told, |_| true, &mut self.leaves),
        };
        if let Ok(seen) = heard {
            self.invented = seen == Seen::Invented || self.invented && seen != Seen::Refilled;
            self.past.note(&before, &self.mind.seat().view().pieces, own, told);
        }
    }

    fn choose(&mut self, choices: &[Try], allowance: Allowance) -> Result<Try, Fault> {
        Ok(self.think(choices, allowance))
    }

    fn notes(&self) -> Notes {
        let chosen = self.insights.iter().find(|insight| insight.chosen);
        Notes {
            value: chosen.map(|insight| insight.score),
            belief: self.belief().map(|belief| belief.positions().len()),
            nodes: Some(self.nodes),
            ..Notes::default()
        }
    }

    fn insights(&self) -> &[Insight] {
        &self.insights
    }

    fn whereabouts(&self) -> Option<Whereabouts> {
        let held: Vec<_> = self.belief()?.weighted().collect();
        let boards = held.iter().map(|held| (held.position.board(), held.weight));
        Some(Whereabouts::of(boards, !self.mind.seat().color()))
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.stop = Some(stop);
    }
}
