//! What a record means: a variant, a first position, moves, an end.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::pgn::{PgnGame, PgnMove, PgnResult};
use super::rbc_pgn;
use super::transcript::Transcript;
use crate::chess::{Board, FenError, Move, MoveError, MoveRules, SanError, Square};
use crate::kriegspiel::Try;
use crate::outcome::{Outcome, Reason};
use crate::rbc::{Rbc, RbcAction};
use crate::variant::{Variant, VariantError};

/// One thing a player did. What came of it follows by replaying the record under its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ply {
    /// A move: made, tried (Kriegspiel) or requested (RBC).
    Move(Move),
    /// The question "any?" of English Kriegspiel.
    Any,
    /// A look at a square and its neighbours, or at nothing (RBC).
    Sense(Option<Square>),
    /// No move (RBC).
    Pass,
}

impl Ply {
    /// The try that it is in a game of Kriegspiel.
    #[must_use]
    pub fn attempt(self) -> Option<Try> {
        match self {
            Ply::Move(m) => Some(Try::Move(m)),
            Ply::Any => Some(Try::Any),
            Ply::Sense(_) | Ply::Pass => None,
        }
    }

    /// The action that it is in a game of RBC.
    #[must_use]
    pub fn rbc(self) -> Option<RbcAction> {
        match self {
            Ply::Sense(square) => Some(RbcAction::Sense(square)),
            Ply::Move(m) => Some(RbcAction::Request(Some(m))),
            Ply::Pass => Some(RbcAction::Request(None)),
            Ply::Any => None,
        }
    }
}

/// A word of UCI (`e2e4`), `any?`, the square that was sensed (`e4`, `-` for none), `--` for no move.
impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ply::Move(m) => m.fmt(f),
            Ply::Any => f.write_str("any?"),
            Ply::Sense(Some(square)) => square.fmt(f),
            Ply::Sense(None) => f.write_str("-"),
            Ply::Pass => f.write_str("--"),
        }
    }
}

impl FromStr for Ply {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Ply, MoveError> {
        match (text, text.parse()) {
            ("any?", _) => Ok(Ply::Any),
            ("-", _) => Ok(Ply::Sense(None)),
            ("--", _) => Ok(Ply::Pass),
            (_, Ok(square)) => Ok(Ply::Sense(Some(square))),
            _ => text.parse().map(Ply::Move),
        }
    }
}

/// A game that was played, with all its secrets: what every review reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The rules it was played by.
    pub variant: Variant,
    /// The tags that do not follow from the other fields (Event, Site, names and so on).
    pub tags: Vec<(String, String)>,
    /// The first position.
    pub start: Board,
    /// The square over which a pawn has just stepped there, which only records of RBC keep if nobody can take.
    pub passed: Option<Square>,
    /// What the players did.
    pub plies: Vec<Ply>,
    /// The result as recorded.
    pub result: PgnResult,
    /// What ended the game, as recorded in the `Termination` tag.
    pub termination: Option<String>,
}

/// Why a game of a PGN file has no meaning. Line and column are those of the file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RecordError {
    /// The `Variant` tag names no game.
    #[error("line {line}: {error}")]
    Variant {
        /// Where the game starts.
        line: usize,
        /// What is wrong.
        error: VariantError,
    },
    /// The `FEN` tag is no position.
    #[error("line {line}: tag FEN: {error}")]
    Fen {
        /// Where the game starts.
        line: usize,
        /// What is wrong.
        error: FenError,
    },
    /// `SetUp` announces a position and no `FEN` tag gives it.
    #[error("line {line}: tag SetUp is \"1\" but there is no tag FEN")]
    SetUp {
        /// Where the game starts.
        line: usize,
    },
    /// Plies that the rules do not allow.
    #[error("{0}")]
    Plies(String),
    /// Another tag that cannot be understood.
    #[error("line {line}: {words}")]
    Tag {
        /// Where the game starts.
        line: usize,
        /// What is wrong.
        words: String,
    },
    /// A comment that should tell more about a move and does not.
    #[error("line {line}, column {column}: {words}")]
    Comment {
        /// The line of the move.
        line: usize,
        /// Where the move stands in it.
        column: usize,
        /// What is wrong.
        words: String,
    },
    /// A move that cannot be made.
    #[error("line {line}, column {column}: {error}")]
    Move {
        /// Where.
        line: usize,
        /// Where in the line.
        column: usize,
        /// What is wrong.
        error: SanError,
    },
}

impl Record {
    /// The variant that the tags of `game` name.
    ///
    /// # Errors
    /// If they name one that we do not know.
    pub fn variant_of(game: &PgnGame) -> Result<Variant, RecordError> {
        let tag = game.tag("Variant").unwrap_or("chess");
        tag.parse().map_err(|error| RecordError::Variant { line: game.line, error })
    }

    /// The first position of `game`.
    ///
    /// # Errors
    /// If the tags `SetUp` and `FEN` contradict each other or give no position.
    pub fn start_of(game: &PgnGame) -> Result<Board, RecordError> {
        let line = game.line;
        match (game.tag("SetUp"), game.tag("FEN")) {
            (Some("0"), _) | (None, None) => Ok(Board::start()),
            (_, Some(fen)) => fen.parse().map_err(|error| RecordError::Fen { line, error }),
            (Some(_), None) => Err(RecordError::SetUp { line }),
        }
    }

    /// The value of the tag `name`, if it does not follow from another field.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Which moves count in `variant`.
    #[must_use]
    pub fn move_rules(variant: Variant) -> MoveRules {
        match variant {
            Variant::Chess | Variant::Kriegspiel => MoveRules::Legal,
            Variant::FogOfWar | Variant::Reconnaissance => MoveRules::PseudoLegal,
        }
    }

    /// The meaning of a game as read from a file. Comments of readers and variations are left behind: keep the
    /// [`PgnGame`] if they matter.
    ///
    /// # Errors
    /// If a tag, a move or a comment that belongs to the game cannot be understood, or if it is not the
    /// umpire who tells a game of Kriegspiel.
    pub fn from_pgn(game: &PgnGame) -> Result<Record, RecordError> {
        let mut record = Record::of_tags(game)?;
        match record.variant {
            Variant::Chess | Variant::FogOfWar => record.plies = read_moves(game, &record)?,
            Variant::Kriegspiel => {
                let record = Transcript::from_pgn(game)?.record();
                return record
                    .map_err(|error| RecordError::Tag { line: game.line, words: error.to_string() });
            }
            Variant::Reconnaissance => record.plies = rbc_pgn::read(game, &record.start)?,
        }
        Ok(record)
    }

    /// The record of a game of which only the tags and the result were read.
    pub(super) fn of_tags(game: &PgnGame) -> Result<Record, RecordError> {
        let (variant, start) = (Record::variant_of(game)?, Record::start_of(game)?);
        let passed = game.tag("FEN").and_then(|fen| Board::parse_keeping_passed(fen).ok()?.1);
        let passed = passed.filter(|_| variant == Variant::Reconnaissance);
        let own = ["Variant", "SetUp", "FEN", "Result", "Termination"];
        let tags = game.tags.iter().filter(|(name, _)| !own.contains(&name.as_str())).cloned().collect();
        let termination = game.tag("Termination").map(str::to_owned);
        Ok(Record { variant, tags, start, passed, plies: Vec::new(), result: game.result, termination })
    }

    /// The game as PGN: the seven tags of the roster, the variant, the first position if it is not the usual
    /// one, the reason of the end, the moves, and in comments what else the players did.
    ///
    /// # Errors
    /// If the plies cannot be replayed under the rules.
    pub fn to_pgn(&self) -> Result<PgnGame, RecordError> {
        let (before, moves) = match self.variant {
            Variant::Chess | Variant::FogOfWar => (Vec::new(), write_moves(self)),
            Variant::Kriegspiel => {
                let transcript =
                    Transcript::of(self).map_err(|error| RecordError::Plies(error.to_string()))?;
                return Ok(transcript.to_pgn());
            }
            Variant::Reconnaissance => rbc_pgn::write(self)?,
        };
        let tags =
            pgn_tags(self.variant, &self.tags, &self.start_fen(), self.result, self.termination.as_deref());
        Ok(PgnGame { before, moves, result: self.result, tags, ..PgnGame::default() })
    }

    /// The FEN of the first position, as the records of its game write it.
    pub(super) fn start_fen(&self) -> String {
        match self.variant {
            Variant::Reconnaissance => Rbc::endless(self.start, self.passed).first().fen(),
            _ => self.start.to_string(),
        }
    }

    /// The moves, where every ply is one: Fog of War and ordinary chess.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.plies.iter().filter_map(|ply| match ply {
            Ply::Move(m) => Some(*m),
            _ => None,
        })
    }

    /// Sets result and reason from the end of a game.
    pub fn finish(&mut self, outcome: Option<Outcome>) {
        self.result = outcome.map_or(PgnResult::Unknown, result_of);
        let reason = outcome.map_or("unterminated", |outcome| outcome.reason.termination());
        self.termination = Some(reason.to_owned());
    }

    /// The reason of the end, if the `Termination` tag names one of ours.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        self.termination.as_deref().and_then(Reason::from_termination)
    }
}

fn read_moves(game: &PgnGame, record: &Record) -> Result<Vec<Ply>, RecordError> {
    let mut board = record.start;
    let mut plies = Vec::new();
    for written in &game.moves {
        let m = board
            .parse_san(&written.text, Record::move_rules(record.variant))
            .map_err(|error| RecordError::Move { line: written.line, column: written.column, error })?;
        board = board.play(m);
        plies.push(Ply::Move(m));
    }
    Ok(plies)
}

fn write_moves(record: &Record) -> Vec<PgnMove> {
    let mut board = record.start;
    let written = record.moves().map(|m| {
        let text = board.san(m, Record::move_rules(record.variant));
        board = board.play(m);
        PgnMove { text, ..PgnMove::default() }
    });
    written.collect()
}

/// The tags of a record: the seven of the roster, those that follow from its fields, the others.
pub(super) fn pgn_tags(
    variant: Variant,
    tags: &[(String, String)],
    start: &str,
    result: PgnResult,
    termination: Option<&str>,
) -> Vec<(String, String)> {
    const ROSTER: [(&str, &str); 6] = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "-"),
        ("White", "?"),
        ("Black", "?"),
    ];
    let known = |name: &str| tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str());
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: &str| all.push((name.to_owned(), value.to_owned()));
    for (name, unknown) in ROSTER {
        add(name, known(name).unwrap_or(unknown));
    }
    add("Result", &result.to_string());
    if let Some(variant) = variant.tag() {
        add("Variant", variant);
    }
    if start != Board::start().to_string() {
        add("SetUp", "1");
        add("FEN", start);
    }
    if let Some(termination) = termination {
        add("Termination", termination);
    }
    for (name, value) in tags.iter().filter(|(name, _)| ROSTER.iter().all(|(known, _)| known != name)) {
        add(name, value);
    }
    all
}

/// The result that an outcome is written as.
pub(crate) fn result_of(outcome: Outcome) -> PgnResult {
    use crate::chess::Color;
    match outcome.winner {
        Some(Color::White) => PgnResult::White,
        Some(Color::Black) => PgnResult::Black,
        None => PgnResult::Draw,
    }
}
