//! Whoever sits at a game: told what its side is told, it chooses.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use scuro_core::Random;
use scuro_games::chess::Color;
use scuro_games::outcome::Outcome;
use scuro_games::umpire::Umpired;
use scuro_search::agent::Budget;
use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::player::Whereabouts;

/// One side of a game under an umpire.
pub trait Contestant<G: Umpired> {
    /// It is told this after a ply that it notices and that did not end the game; `own` is its action, if the ply was
    /// its own.
    fn see(&mut self, own: Option<G::Action>, told: &G::Told);

    /// Its choice among what it may do, of which there is at least one.
    ///
    /// # Errors
    /// If it makes none: only another program can fail.
    fn choose(&mut self, choices: &[G::Action], allowance: Allowance) -> Result<G::Action, Fault>;

    /// What it can tell of its last choice.
    fn notes(&self) -> Notes {
        Notes::default()
    }

    /// What it thought of each choice when it last chose, the best first, if it can tell.
    fn insights(&self) -> &[Insight] {
        &[]
    }

    /// Where it believes the opponent's pieces to stand, if it can tell.
    fn whereabouts(&self) -> Option<Whereabouts> {
        None
    }

    /// Its choices end soon after this becomes true, if it can be stopped. Whoever sets it clears it.
    fn stop_by(&mut self, _stop: Arc<AtomicBool>) {}

    /// The game is over.
    fn over(&mut self, _outcome: Outcome) {}
}

/// What a choice may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// So much time.
    Time(Duration),
    /// So many nodes.
    Nodes(usize),
    /// What White and Black have left on their clocks, and what a move adds.
    Clock {
        /// White, Black; `None` for a side whose time is not kept by a clock.
        left: [Option<Duration>; 2],
        /// White, Black, for every move.
        increment: [Duration; 2],
    },
    /// Until told to stop.
    Endless,
}

impl Allowance {
    /// What `color` spends of it now: no time if there are clocks and it has none.
    #[must_use]
    pub fn budget(self, color: Color) -> Budget {
        match self {
            Allowance::Time(time) => Budget::Time(time),
            Allowance::Nodes(nodes) => Budget::Nodes(nodes),
            Allowance::Clock { left, increment } => {
                Budget::of_clock(left[color as usize].unwrap_or_default(), increment[color as usize])
            }
            Allowance::Endless => Budget::Endless,
        }
    }
}

/// How a contestant fails to choose.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// There is no such program.
    #[error("{0}")]
    Missing(String),
    /// It does not speak the dialect, or does not play the game.
    #[error("{0}")]
    Foreign(String),
    /// It has ended, or closed its pipe.
    #[error("{0}")]
    Gone(String),
    /// It gave no answer in time.
    #[error("no answer in time")]
    Silent,
    /// It said what cannot be understood.
    #[error("it said '{0}'")]
    Nonsense(String),
}

/// What a contestant can tell of its last choice, for statistics and comments; nothing by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// What it expects, to itself.
    pub value: Option<f64>,
    /// How many positions it holds possible.
    pub belief: Option<usize>,
    /// Nodes of its tree.
    pub nodes: Option<usize>,
    /// Plies of its longest line.
    pub depth: Option<usize>,
    /// Rounds of deepening that it completed, if it deepens in rounds.
    pub rounds: Option<usize>,
    /// Whether Resolve was in use, if it has such a thing.
    pub resolving: Option<bool>,
    /// How play may go on, in UCI.
    pub line: Vec<String>,
}

/// What a contestant thought of one choice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Insight {
    /// The choice: a square to sense, a move, or `pass`.
    pub choice: String,
    /// Its score; the best has the most.
    pub score: f64,
    /// What the score is made of, by name.
    #[serde(serialize_with = "by_name")]
    pub parts: Vec<(&'static str, f64)>,
    /// What the choice may show, the likeliest first, if it is a look. The probabilities sum to one.
    pub answers: Vec<LikelyAnswer>,
    /// Whether it was chosen.
    pub chosen: bool,
}

/// Something that a look may show.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LikelyAnswer {
    /// What is shown, or how many others there are.
    pub text: String,
    /// How likely it is.
    pub probability: f64,
}

fn by_name<S: Serializer>(parts: &[(&'static str, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(parts.iter().copied())
}

/// A random one of those whose score is at most `margin` below the best; the first of them all if there is none.
pub(crate) fn near_best(scores: &[f64], margin: f64, random: &mut Random) -> usize {
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let near: Vec<usize> = (0..scores.len()).filter(|&i| scores[i] >= best - margin).collect();
    random.pick(&near).copied().unwrap_or_default()
}
