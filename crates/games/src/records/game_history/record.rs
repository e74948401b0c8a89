//! The same game as a [`Record`], which every review reads: each turn a sense and a request.

use thiserror::Error;

use super::under_its_limits;
use crate::Variant;
use crate::chess::{Color, Square};
use crate::outcome::Outcome;
use crate::rbc::{Rbc, RbcGame, RbcTurn};
use crate::records::pgn::PgnResult;
use crate::records::{Ply, Record};

/// Why a record is not a game of Reconnaissance Blind Chess.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PliesError {
    /// A record of another game.
    #[error("a record of {0} holds no senses")]
    Variant(Variant),
    /// A ply out of turn.
    #[error("ply {ply}: expected {expected}")]
    Ply {
        /// The place among the plies, from 0.
        ply: usize,
        /// What should stand there.
        expected: &'static str,
    },
}

impl RbcGame {
    /// The game as a record.
    #[must_use]
    pub fn to_record(&self) -> Record {
        let turn = |turn: &RbcTurn| [Ply::Sense(turn.sense), turn.request.map_or(Ply::Pass, Ply::Move)];
        let plies = self.turns.iter().flat_map(turn).chain(self.unfinished.map(Ply::Sense));
        let tags = ["White", "Black"].into_iter().zip(&self.names).filter(|(_, name)| !name.is_empty());
        let mut record = Record {
            variant: Variant::Reconnaissance,
            tags: tags.map(|(tag, name)| (tag.to_owned(), name.clone())).collect(),
            start: self.rules.start,
            passed: self.rules.passed,
            plies: plies.collect(),
            result: PgnResult::Unknown,
            termination: None,
        };
        record.finish(self.outcome);
        record
    }

    /// The game that a record holds, under the limits by which it ended.
    ///
    /// # Errors
    /// If it is a record of another game, or senses and requests do not alternate.
    pub fn from_record(record: &Record) -> Result<RbcGame, PliesError> {
        if record.variant != Variant::Reconnaissance {
            return Err(PliesError::Variant(record.variant));
        }
        let mut turns = Vec::new();
        let mut sensed: Option<Option<Square>> = None;
        for (ply, &done) in record.plies.iter().enumerate() {
            let request = match (sensed, done) {
                (None, Ply::Sense(square)) => {
                    sensed = Some(square);
                    continue;
                }
                (Some(_), Ply::Move(m)) => Some(m),
                (Some(_), Ply::Pass) => None,
                (None, _) => return Err(PliesError::Ply { ply, expected: "a sense" }),
                (Some(_), _) => return Err(PliesError::Ply { ply, expected: "a move or a pass" }),
            };
            turns.push(RbcTurn { sense: sensed.take().flatten(), request });
        }
        let name = |tag: &str| record.tags.iter().find(|(name, _)| name == tag).map(|(_, name)| name.clone());
        let mut game = under_its_limits(RbcGame {
            rules: Rbc::endless(record.start, record.passed),
            names: ["White", "Black"].map(|tag| name(tag).unwrap_or_default()),
            turns,
            unfinished: sensed,
            outcome: outcome_of(record),
        });
        // A record without an end may still show one.
        if let (None, Some(Ok(last))) = (game.outcome, game.replay().last()) {
            game.outcome = last.after.outcome();
        }
        Ok(game)
    }
}

fn outcome_of(record: &Record) -> Option<Outcome> {
    let winner = match record.result {
        PgnResult::White => Some(Color::White),
        PgnResult::Black => Some(Color::Black),
        _ => None,
    };
    record.reason().map(|reason| Outcome { winner, reason })
}
