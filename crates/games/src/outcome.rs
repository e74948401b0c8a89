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
    /// Neither side has the men to win.
    Material,
    /// A player gave up.
    Resignation,
    /// A player's clock ran out.
    Timeout,
    /// The agreed number of turns has been played.
    TurnLimit,
    /// The agreed number of plies has passed without a capture or a pawn move.
    MoveLimit,
    /// A player's program ended, or closed its pipe.
    Crash,
    /// A player did what the umpire does not take.
    Illegal,
    /// A player said what cannot be understood.
    Garbage,
    /// The players agreed on a draw.
    Agreement,
}

/// The reasons with the word that data files use for them, and the words of a `Termination` tag.
const WORDS: [(Reason, &str, &str); 15] = [
    (Reason::KingCaptured, "king", "king captured"),
    (Reason::NoMove, "nomove", "no move"),
    (Reason::Repetition, "rep", "threefold repetition"),
    (Reason::FiftyMoves, "50", "fifty-move rule"),
    (Reason::Mate, "mate", "checkmate"),
    (Reason::Stalemate, "stalemate", "stalemate"),
    (Reason::Material, "material", "insufficient material"),
    (Reason::Resignation, "resignation", "resignation"),
    (Reason::Timeout, "timeout", "time forfeit"),
    (Reason::TurnLimit, "turns", "turn limit"),
    (Reason::MoveLimit, "moves", "move limit"),
    (Reason::Crash, "crash", "crash"),
    (Reason::Illegal, "illegal", "illegal move"),
    (Reason::Garbage, "garbage", "garbage"),
    (Reason::Agreement, "agreement", "draw agreed"),
];

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; WORDS.len()] = {
        let mut all = [Reason::KingCaptured; WORDS.len()];
        let mut i = 0;
        while i < WORDS.len() {
            all[i] = WORDS[i].0;
            i += 1;
        }
        all
    };

    /// The word of data files: `king`, `nomove`, `rep`, `50`, ...
    #[must_use]
    pub fn word(self) -> &'static str {
        WORDS[self as usize].1
    }

    /// The words of a record's `Termination` tag.
    #[must_use]
    pub fn termination(self) -> &'static str {
        WORDS[self as usize].2
    }

    /// Whether a game ends so by what the players do beside their moves, which a record of the moves does not show.
    #[must_use]
    pub fn is_forfeit(self) -> bool {
        matches!(
            self,
            Reason::Resignation
                | Reason::Timeout
                | Reason::Crash
                | Reason::Illegal
                | Reason::Garbage
                | Reason::Agreement
        )
    }

    /// The reason that a `Termination` tag names, if it is one of ours.
    #[must_use]
    pub fn from_termination(text: &str) -> Option<Reason> {
        WORDS.iter().find(|words| words.2.eq_ignore_ascii_case(text.trim())).map(|words| words.0)
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

/// For people: `White wins: king captured`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(color) => write!(f, "{} wins: {}", color_name(color), self.reason.termination()),
            None => write!(f, "Draw: {}", self.reason.termination()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_its_words() {
        for (i, (reason, _, termination)) in WORDS.into_iter().enumerate() {
            assert_eq!(reason as usize, i);
            assert_eq!(Reason::from_termination(termination), Some(reason));
        }
    }
}
