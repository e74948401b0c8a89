//! What is kept of a game: a line of JSON that says what was played, and, apart from it, how long that took. A match
//! on a budget of nodes is played again to the same lines; times are never the same.

use std::collections::BTreeMap;
use std::time::Duration;

use scuro_agents::contestant::Notes;
use scuro_games::Variant;
use scuro_games::chess::{Board, Color};
use scuro_games::outcome::Reason;
use scuro_games::records::match_lines::FORMAT;
use scuro_games::records::pgn::PgnResult;
use scuro_games::records::{Ply, Record};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game::Played;
use crate::settings::{Planned, Settings};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// [`FORMAT`]; the first lines did not have it.
    #[serde(default = "first_format")]
    pub format: u32,
    /// Its number in the match, from 0.
    pub number: u64,
    /// Which game.
    pub game: Variant,
    /// The rules of Kriegspiel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<String>,
    /// Who had White.
    pub white: String,
    /// Who had Black.
    pub black: String,
    /// Random numbers.
    pub seed: u64,
    /// The first position, as FEN.
    pub start: String,
    /// What was played, in UCI.
    pub moves: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// What ended it.
    pub reason: String,
    /// What the loser did wrong, if that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// What White and Black told of their choices.
    pub sides: [Side; 2],
    /// What they thought, ply by ply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<String>,
}

fn first_format() -> u32 {
    1
}

/// What a side told of its choices in a game, summed up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// How many choices it made.
    pub choices: usize,
    /// Sum and count of the sizes of its belief.
    #[serde(default, skip_serializing_if = "Sum::is_empty")]
    pub belief: Sum,
    /// Of the nodes of its tree.
    #[serde(default, skip_serializing_if = "Sum::is_empty")]
    pub nodes: Sum,
    /// Of the plies of its longest line.
    #[serde(default, skip_serializing_if = "Sum::is_empty")]
    pub depth: Sum,
    /// Choices with Resolve in use, of those that tell.
    #[serde(default, skip_serializing_if = "Sum::is_empty")]
    pub resolving: Sum,
    /// How many choices had so many rounds of deepening.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rounds: BTreeMap<usize, usize>,
}

/// A sum, and of how many numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sum(pub u64, pub u64);

impl Sum {
    fn add(&mut self, number: Option<usize>) {
        if let Some(number) = number {
            *self = Sum(self.0 + number as u64, self.1 + 1);
        }
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Sum) -> Sum {
        Sum(self.0 + other.0, self.1 + other.1)
    }

    /// The mean, if there is one.
    #[must_use]
    pub fn mean(self) -> Option<f64> {
        (self.1 > 0).then(|| self.0 as f64 / self.1 as f64)
    }

    /// Whether nothing was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.1 == 0
    }
}

impl Side {
    /// One choice more.
    pub fn add(&mut self, notes: &Notes) {
        self.choices += 1;
        self.belief.add(notes.belief);
        self.nodes.add(notes.nodes);
        self.depth.add(notes.depth);
        self.resolving.add(notes.resolving.map(usize::from));
        if let Some(rounds) = notes.rounds {
            *self.rounds.entry(rounds).or_default() += 1;
        }
    }

    /// Both together.
    #[must_use]
    pub fn and(mut self, other: &Side) -> Side {
        self.choices += other.choices;
        self.belief = self.belief.and(other.belief);
        self.nodes = self.nodes.and(other.nodes);
        self.depth = self.depth.and(other.depth);
        self.resolving = self.resolving.and(other.resolving);
        for (rounds, count) in &other.rounds {
            *self.rounds.entry(*rounds).or_default() += count;
        }
        self
    }
}

/// How long a side took in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// For how many choices.
    pub choices: usize,
    /// All together, in seconds.
    pub total: f64,
    /// The longest.
    pub longest: f64,
    /// How many came too late.
    pub late: usize,
}

impl Times {
    /// One choice more.
    pub fn add(&mut self, time: Duration, late: bool) {
        // To the microsecond: more digits say nothing.
        let seconds = time.as_micros() as f64 / 1e6;
        self.choices += 1;
        self.total = ((self.total + seconds) * 1e6).round() / 1e6;
        self.longest = self.longest.max(seconds);
        self.late += usize::from(late);
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Times) -> Times {
        Times {
            choices: self.choices + other.choices,
            total: self.total + other.total,
            longest: self.longest.max(other.longest),
            late: self.late + other.late,
        }
    }
}

/// The times of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeLine {
    /// The number of the game.
    pub number: u64,
    /// Of White and Black.
    pub times: [Times; 2],
}

/// A thought as a comment: without a colon, for in records of two games a colon means something.
#[must_use]
pub fn thought(notes: &Notes) -> String {
    let mut words = Vec::new();
    words.extend(notes.value.map(|value| format!("value {value:+.3}")));
    words.extend(notes.belief.map(|belief| format!("belief {belief}")));
    words.extend(notes.nodes.map(|nodes| format!("nodes {nodes}")));
    words.extend(notes.depth.map(|depth| format!("depth {depth}")));
    words.extend(notes.rounds.map(|rounds| format!("rounds {rounds}")));
    words.extend(notes.resolving.filter(|resolving| *resolving).map(|_| "resolving".to_owned()));
    if !notes.line.is_empty() {
        words.push(format!("line {}", notes.line.join(" ")));
    }
    words.join(", ")
}

/// Why a line is no game of this match.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LineError {
    /// It is another game.
    #[error("{0} is not that of the game of this number")]
    Other(&'static str),
    /// It belongs to another match, or to another shard.
    #[error("game {0} is not played here")]
    Elsewhere(u64),
    /// Written by a newer program.
    #[error("a game of format {0}: this program reads up to {FORMAT}")]
    Newer(u32),
    /// A value that cannot be.
    #[error("'{0}' cannot be read")]
    Value(String),
}

/// The name of the ruleset of a match, if its game has several.
fn ruleset(settings: &Settings) -> Option<String> {
    settings.game.has_rulesets().then(|| settings.ruleset.to_string())
}

impl GameLine {
    /// The line of a game.
    #[must_use]
    pub fn of(settings: &Settings, planned: &Planned, played: Played) -> GameLine {
        let [white, black] = [planned.white, 1 - planned.white].map(|agent| settings.agents[agent].clone());
        let moves: Vec<String> = played.plies.iter().map(Ply::to_string).collect();
        GameLine {
            format: FORMAT,
            number: planned.number,
            game: settings.game,
            ruleset: ruleset(settings),
            white,
            black,
            seed: planned.seed,
            start: planned.start.to_string(),
            moves: moves.join(" "),
            result: played.outcome.score().to_owned(),
            reason: played.outcome.reason.termination().to_owned(),
            fault: played.fault,
            sides: played.sides,
            thoughts: played.thoughts,
        }
    }

    /// Checks that it is the game that the match has under its number.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check(&self, settings: &Settings) -> Result<(), LineError> {
        if self.format > FORMAT {
            return Err(LineError::Newer(self.format));
        }
        if !settings.plays(self.number) {
            return Err(LineError::Elsewhere(self.number));
        }
        let planned = settings.planned(self.number);
        let names = [planned.white, 1 - planned.white].map(|agent| settings.agents[agent].as_str());
        if [self.white.as_str(), self.black.as_str()] != names {
            return Err(LineError::Other("white or black"));
        }
        if self.ruleset != ruleset(settings) {
            return Err(LineError::Other("ruleset"));
        }
        if self.seed != planned.seed || self.start != planned.start.to_string() {
            return Err(LineError::Other("seed or start"));
        }
        if Reason::from_termination(&self.reason).is_none() || self.score().is_none() {
            return Err(LineError::Value(format!("{} {}", self.result, self.reason)));
        }
        Ok(())
    }

    /// White's score in halves: 0, 1 or 2.
    fn score(&self) -> Option<u8> {
        match PgnResult::parse(&self.result)? {
            PgnResult::White => Some(2),
            PgnResult::Draw => Some(1),
            PgnResult::Black => Some(0),
            PgnResult::Unknown => None,
        }
    }

    /// The score of the match's first agent in halves: 0, 1 or 2.
    #[must_use]
    pub fn score_of_first(&self) -> u8 {
        let white = self.score().unwrap_or(1);
        if self.color_of_first() == Color::White { white } else { 2 - white }
    }

    /// The colour of the match's first agent.
    #[must_use]
    pub fn color_of_first(&self) -> Color {
        if self.number.is_multiple_of(2) { Color::White } else { Color::Black }
    }

    /// How many plies it has; refused tries and senses count.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// The record of the game.
    ///
    /// # Errors
    /// If a value cannot be read.
    pub fn record(&self) -> Result<Record, LineError> {
        let wrong = |text: &str| LineError::Value(text.to_owned());
        let start: Board = self.start.parse().map_err(|_| wrong(&self.start))?;
        let plies: Result<Vec<Ply>, _> = self.moves.split_whitespace().map(str::parse).collect();
        let mut tags: Vec<(String, String)> = Vec::new();
        let mut tag = |name: &str, value: String| tags.push((name.to_owned(), value));
        tag("Event", "match".to_owned());
        tag("Round", (self.number + 1).to_string());
        tag("White", self.white.clone());
        tag("Black", self.black.clone());
        tag("Seed", self.seed.to_string());
        if let Some(ruleset) = &self.ruleset {
            tag("Ruleset", ruleset.clone());
        }
        Ok(Record {
            variant: self.game,
            tags,
            start,
            passed: None,
            plies: plies.map_err(|_| wrong(&self.moves))?,
            result: PgnResult::parse(&self.result).ok_or_else(|| wrong(&self.result))?,
            termination: Some(self.reason.clone()),
        })
    }
}
