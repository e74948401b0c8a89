//! What the umpire says after a move, to both players. It holds for the coming turn only.

use std::fmt;

use super::legality::PawnCaptures;
use super::ruleset::Ruleset;
use crate::chess::{BitBoard, Board, Color, Move, Piece, Square, color_name};
use crate::outcome::Outcome;

/// What was captured, as far as the umpire tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Taken {
    /// A pawn.
    Pawn,
    /// Any other man; a promoted pawn is one.
    Piece,
}

/// A capture, as the umpire tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Capture {
    /// Where the captured man stood.
    pub square: Square,
    /// What it was, if the ruleset tells.
    pub taken: Option<Taken>,
}

impl Capture {
    /// What the umpire will tell of the capture that `m` makes on `board`.
    #[inline]
    pub(super) fn of(ruleset: Ruleset, board: &Board, m: Move) -> Option<Capture> {
        let (square, piece) = board.captured_by(m)?;
        Some(Capture::told(ruleset, square, piece == Piece::Pawn))
    }

    /// What the umpire tells when a man was taken on `square`.
    pub(super) fn told(ruleset: Ruleset, square: Square, pawn: bool) -> Capture {
        let taken = if pawn { Taken::Pawn } else { Taken::Piece };
        Capture { square, taken: ruleset.names_taken().then_some(taken) }
    }
}

impl Capture {
    /// Whether this capture may be what was told: whoever tells may leave out what was captured.
    pub(super) fn fits(self, told: Capture) -> bool {
        self.square == told.square && (told.taken.is_none() || self.taken == told.taken)
    }
}

/// From where a check comes, seen from the checked king. In the order in which they are said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckKind {
    /// Along the file.
    File,
    /// By a knight.
    Knight,
    /// Along the longer of the two diagonals through the king's square.
    Long,
    /// Along the rank.
    Rank,
    /// Along the shorter of the two diagonals.
    Short,
}

impl CheckKind {
    /// All kinds, in order.
    pub const ALL: [CheckKind; 5] =
        [CheckKind::File, CheckKind::Knight, CheckKind::Long, CheckKind::Rank, CheckKind::Short];

    /// The kind of a check that a man on `from` gives to a king on `king`.
    #[must_use]
    pub fn between(king: Square, from: Square) -> CheckKind {
        let files = king.file() as i8 - from.file() as i8;
        let ranks = king.rank() as i8 - from.rank() as i8;
        if files == 0 {
            CheckKind::File
        } else if ranks == 0 {
            CheckKind::Rank
        } else if files.abs() != ranks.abs() {
            CheckKind::Knight
        } else if (files == ranks) == rising_is_long(king) {
            CheckKind::Long
        } else {
            CheckKind::Short
        }
    }

    /// The word of data files.
    #[must_use]
    pub fn word(self) -> &'static str {
        ["file", "knight", "long", "rank", "short"][self as usize]
    }
}

/// Whether the diagonal that rises towards the h-file is the longer one through `square`. The two never have
/// the same length: f - r and f + r - 7 are of different parity.
fn rising_is_long(square: Square) -> bool {
    let (file, rank) = (square.file() as i8, square.rank() as i8);
    (file - rank).abs() < (file + rank - 7).abs()
}

/// The kinds of check that are given at once: none, one or two.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Checks(u8);

impl Checks {
    /// No check.
    pub const NONE: Checks = Checks(0);

    /// The checks that men on `checkers` give to a king on `king`.
    #[must_use]
    pub fn from(king: Square, checkers: BitBoard) -> Checks {
        checkers.into_iter().fold(Checks::NONE, |checks, from| checks.with(CheckKind::between(king, from)))
    }

    /// These and one more.
    #[must_use]
    pub fn with(self, kind: CheckKind) -> Checks {
        Checks(self.0 | 1 << kind as u8)
    }

    /// Whether a check of this kind is among them.
    #[must_use]
    pub fn has(self, kind: CheckKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// The kinds, in the order in which they are said.
    pub fn kinds(self) -> impl Iterator<Item = CheckKind> {
        CheckKind::ALL.into_iter().filter(move |&kind| self.has(kind))
    }
}

impl fmt::Debug for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.kinds()).finish()
    }
}

/// What is said of the pawn captures of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PawnTries {
    /// Nothing: English, and after the end of the game.
    Unsaid,
    /// ICC: how many there are. A capture that promotes counts once. Nothing is heard if there is none.
    Count(u8),
    /// Cincinnati: whether there is one.
    Fact(bool),
    /// RAND: the squares of the pawns that have one.
    From(BitBoard),
}

impl PawnTries {
    /// What `ruleset` lets the umpire say of these captures.
    #[must_use]
    pub fn of(ruleset: Ruleset, captures: PawnCaptures) -> PawnTries {
        match ruleset {
            // Eight pawns a side have at most sixteen captures.
            Ruleset::Icc => PawnTries::Count(captures.count() as u8),
            Ruleset::Cincinnati => PawnTries::Fact(!captures.is_empty()),
            Ruleset::Rand { .. } => PawnTries::From(captures.origins()),
            Ruleset::English => PawnTries::Unsaid,
        }
    }

    /// Whether a pawn on `from` may have a capture as far as this tells.
    #[must_use]
    #[inline]
    pub fn allow(self, from: Square) -> bool {
        match self {
            PawnTries::Unsaid => true,
            PawnTries::Count(count) => count > 0,
            PawnTries::Fact(fact) => fact,
            PawnTries::From(squares) => squares.has(from),
        }
    }
}

/// Everything the umpire says after a move, or before the first.
///
/// Its text is what a person hears, sentence by sentence in one line; [`Announcement::sentences`] gives them
/// one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Announcement {
    /// Who is to move now.
    pub next: Color,
    /// What was captured, and where.
    pub capture: Option<Capture>,
    /// Whether a promotion is said.
    pub promotion: bool,
    /// The kinds of check to the player to move.
    pub checks: Checks,
    /// The end of the game, if it is over.
    pub end: Option<Outcome>,
    /// What is said of the pawn captures of the player to move.
    pub tries: PawnTries,
}

impl Announcement {
    /// The sentences that are heard, in the order of the rules.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if self.end.is_none() {
            sentences.push(format!("{} to move", color_name(self.next)));
        }
        if let Some(Capture { square, taken }) = self.capture {
            let what = match taken {
                Some(Taken::Pawn) => "Pawn captured",
                Some(Taken::Piece) => "Piece captured",
                None => "Capture",
            };
            sentences.push(format!("{what} on {square}"));
        }
        if self.promotion {
            sentences.push("Promotion".to_owned());
        }
        sentences.extend(self.checks.kinds().map(|kind| kind.to_string()));
        sentences.extend(self.end.map(|outcome| outcome.to_string()));
        sentences.extend(self.tries_sentence());
        sentences
    }

    fn tries_sentence(&self) -> Option<String> {
        match self.tries {
            PawnTries::Unsaid | PawnTries::Count(0) | PawnTries::Fact(false) => None,
            PawnTries::Count(1) => Some("1 pawn try".to_owned()),
            PawnTries::Count(count) => Some(format!("{count} pawn tries")),
            PawnTries::Fact(true) => Some("Pawn capture".to_owned()),
            PawnTries::From(BitBoard::EMPTY) => None,
            PawnTries::From(squares) => {
                Some(format!("Pawn captures from {}", square_names(squares).join(", ")))
            }
        }
    }
}

/// The names of squares, sorted.
pub(crate) fn square_names(squares: BitBoard) -> Vec<String> {
    let mut names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    names.sort_unstable();
    names
}

/// For people: `Check on the long diagonal`.
impl fmt::Display for CheckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CheckKind::File => "Check on the file",
            CheckKind::Knight => "Check by a knight",
            CheckKind::Long => "Check on the long diagonal",
            CheckKind::Rank => "Check on the rank",
            CheckKind::Short => "Check on the short diagonal",
        })
    }
}

impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentences().join(". "))
    }
}
