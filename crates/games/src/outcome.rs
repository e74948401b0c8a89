//! How a game ended: who won, and why.

use std::fmt;

use crate::chess::{Color, color_name};

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Color>,
    /// What ended the game.
    pub reason: Reason,
}

/// What ends a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A king was captured.
    KingCaptured,
    /// The side to move has no move at all: under fog it loses.
    NoMove,
    /// A position occurred for the third time.
    Repetition,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// Mate in ordinary chess.
    Mate,
    /// Stalemate in ordinary chess.
    Stalemate,
    /// A player gave up.
    Resignation,
}

impl Reason {
    /// All reasons with the word records use for them.
    const WORDS: [(Reason, &'static str); 7] = [
        (Reason::KingCaptured, "king"),
        (Reason::NoMove, "nomove"),
        (Reason::Repetition, "rep"),
        (Reason::FiftyMoves, "50"),
        (Reason::Mate, "mate"),
        (Reason::Stalemate, "stalemate"),
        (Reason::Resignation, "resignation"),
    ];

    /// The word of records: `king`, `nomove`, `rep`, `50`, ...
    #[must_use]
    pub fn word(self) -> &'static str {
        Reason::WORDS.iter().find(|(reason, _)| *reason == self).map_or("", |(_, word)| word)
    }

    /// The reason as a sentence's end.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Reason::KingCaptured => "the king was captured",
            Reason::NoMove => "the side to move has no move",
            Reason::Repetition => "the position occurred three times",
            Reason::FiftyMoves => "fifty moves without a capture or a pawn move",
            Reason::Mate => "mate",
            Reason::Stalemate => "stalemate",
            Reason::Resignation => "resignation",
        }
    }
}

impl Outcome {
    /// `winner` wins.
    #[must_use]
    pub fn win(winner: Color, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    /// Nobody wins.
    #[must_use]
    pub fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }

    /// The payoff to White.
    #[must_use]
    pub fn payoff(self) -> f64 {
        match self.winner {
            Some(Color::White) => 1.0,
            Some(Color::Black) => -1.0,
            None => 0.0,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub fn score(self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// A sentence for people: `White wins: the king was captured`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(color) => write!(f, "{} wins: {}", color_name(color), self.reason.sentence()),
            None => write!(f, "Draw: {}", self.reason.sentence()),
        }
    }
}
