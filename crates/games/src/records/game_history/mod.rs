//! `GameHistory`: the JSON in which the reference implementation of Reconnaissance Blind Chess keeps a game.
//!
//! A file holds what was done and what was told, list by list. [`GameHistory::read`] takes the file as it
//! stands and fails only on damage; [`GameHistory::game`] is the game it tells of; and
//! [`GameHistory::disagreements`] is where its answers differ from ours.

mod read;
mod record;
#[cfg(test)]
mod tests;
mod write;

use thiserror::Error;

use crate::chess::{Board, Color, FenError, Move, Piece, Square, color_name, letter};
use crate::outcome::{Outcome, Reason};
use crate::rbc::{Moved, Played, Rbc, RbcGame, RbcTurn, ReplayError, Sensed};

pub use read::is_game_history;
pub use record::PliesError;

/// The squares of a sense with their content, in the order they were shown.
pub type SenseResult = Vec<(Square, Option<(Color, Piece)>)>;

/// One turn as a file tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryTurn {
    /// What was sensed.
    pub sense: Option<Square>,
    /// What it showed.
    pub sense_result: SenseResult,
    /// What was requested and what became of it.
    pub moved: Moved,
    /// The true position before the move.
    pub fen_before: String,
    /// The true position after it.
    pub fen_after: String,
}

/// A sense that no request followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfinishedTurn {
    /// Whose turn it was.
    pub side: Color,
    /// What was sensed.
    pub sense: Option<Square>,
    /// What it showed.
    pub sense_result: SenseResult,
}

/// A file as it stands: read without damage, its answers not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHistory {
    /// The names of White and of Black; empty if unknown.
    pub names: [String; 2],
    /// The turns of White and of Black.
    pub turns: [Vec<HistoryTurn>; 2],
    /// The turn in which the game broke off.
    pub unfinished: Option<UnfinishedTurn>,
    /// Who won.
    pub winner: Option<Color>,
    /// What ended the game; `None` if it was cut.
    pub reason: Option<Reason>,
}

/// Why a file is not a `GameHistory`: it is damaged.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum HistoryError {
    /// Not JSON.
    #[error("line {line}, column {column}: not JSON: {what}")]
    Json {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The parser's words.
        what: String,
    },
    /// A value that is missing or of the wrong kind.
    #[error("{path}: expected {expected}")]
    Value {
        /// Where, such as `taken_moves.true[3]`.
        path: String,
        /// What should stand there.
        expected: String,
    },
    /// A first position that is none.
    #[error("{path}: {error}")]
    Fen {
        /// Where.
        path: String,
        /// What is wrong.
        error: FenError,
    },
    /// The turns of the two sides do not alternate.
    #[error("requested_moves: {white} turns of White and {black} of Black cannot alternate")]
    Turns {
        /// The turns of White.
        white: usize,
        /// The turns of Black.
        black: usize,
    },
}

/// A turn, or the end, in which a file and our rules differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The place among the turns of both sides, from 0; the number of turns stands for the end.
    pub turn: usize,
    /// Where in the file and what, such as `taken_moves.true[3]: record d1d8, ours d1d4`.
    pub words: String,
}

/// The names of the reasons in a file.
const REASONS: [(Reason, &str); 5] = [
    (Reason::KingCaptured, "KING_CAPTURE"),
    (Reason::Timeout, "TIMEOUT"),
    (Reason::Resignation, "RESIGN"),
    (Reason::TurnLimit, "TURN_LIMIT"),
    (Reason::MoveLimit, "MOVE_LIMIT"),
];

/// The name of a reason in the files of the reference implementation, if it has one.
#[must_use]
pub fn reason_name(reason: Reason) -> Option<&'static str> {
    REASONS.iter().find(|pair| pair.0 == reason).map(|pair| pair.1)
}

/// The name under which a colour's lists stand.
fn side_name(color: Color) -> &'static str {
    if color == Color::White { "true" } else { "false" }
}

fn path(list: &str, color: Color, index: usize) -> String {
    format!("{list}.{}[{index}]", side_name(color))
}

impl GameHistory {
    /// The file that the reference implementation would have written of `game`.
    ///
    /// # Errors
    /// If the rules do not allow one of the turns.
    pub fn of(game: &RbcGame) -> Result<GameHistory, ReplayError> {
        let mut turns = [Vec::new(), Vec::new()];
        let mut last = game.rules.first();
        for played in game.replay() {
            let played = played?;
            turns[played.side as usize].push(HistoryTurn {
                sense: played.sensed.square(),
                sense_result: played.sensed.squares().collect(),
                moved: played.moved,
                fen_before: played.before.fen(),
                fen_after: played.after.fen(),
            });
            last = played.after;
        }
        let unfinished = game.unfinished.map(|sense| UnfinishedTurn {
            side: last.board().side(),
            sense,
            sense_result: Sensed::of(last.board(), sense).squares().collect(),
        });
        Ok(GameHistory {
            names: game.names.clone(),
            turns,
            unfinished,
            winner: game.outcome.and_then(|outcome| outcome.winner),
            reason: game.outcome.map(|outcome| outcome.reason),
        })
    }

    /// The game that the file tells of. Its limits are not written down: they are those under which the game
    /// ended as it says.
    ///
    /// # Errors
    /// If the turns do not alternate, or the first position is none.
    pub fn game(&self) -> Result<RbcGame, HistoryError> {
        let (start, passed) = self.start()?;
        let rules = Rbc::endless(start, passed);
        let turns = self.in_order(start.side())?;
        let turns =
            turns.iter().map(|(_, _, turn)| RbcTurn { sense: turn.sense, request: turn.moved.requested });
        let outcome = self.reason.map(|reason| Outcome { winner: self.winner, reason });
        let unfinished = self.unfinished.as_ref().map(|turn| turn.sense);
        Ok(under_its_limits(RbcGame {
            rules,
            names: self.names.clone(),
            turns: turns.collect(),
            unfinished,
            outcome,
        }))
    }

    /// The position before the first turn. Which side had it follows from the numbers of turns and, if they
    /// are equal, from the move numbers.
    fn start(&self) -> Result<(Board, Option<Square>), HistoryError> {
        let board = |color: Color| {
            let path = path("fens_before_move", color, 0);
            let Some(turn) = self.turns[color as usize].first() else { return Ok(None) };
            let first = Board::parse_keeping_passed(&turn.fen_before)
                .map_err(|error| HistoryError::Fen { path: path.clone(), error })?;
            let expected = format!("a position with {} to move", color_name(color));
            if first.0.side() == color {
                Ok(Some(first))
            } else {
                Err(HistoryError::Value { path, expected })
            }
        };
        let [white, black] = [&self.turns[0], &self.turns[1]].map(Vec::len);
        Ok(match (board(Color::White)?, board(Color::Black)?) {
            (None, None) => (Board::start(), None),
            (Some(first), None) | (None, Some(first)) => first,
            (Some(first), Some(_)) if white > black => first,
            (Some(_), Some(first)) if black > white => first,
            (Some(first), Some(second)) if first.0.number() <= second.0.number() => first,
            (Some(_), Some(first)) => first,
        })
    }

    /// The turns of both sides with their place in the lists of their side.
    fn in_order(&self, first: Color) -> Result<Vec<(Color, usize, &HistoryTurn)>, HistoryError> {
        let [white, black] = [&self.turns[0], &self.turns[1]].map(Vec::len);
        let (mine, theirs) = if first == Color::White { (white, black) } else { (black, white) };
        if mine != theirs && mine != theirs + 1 {
            return Err(HistoryError::Turns { white, black });
        }
        let side = |turn: usize| if turn.is_multiple_of(2) { first } else { !first };
        if let Some(turn) = self.unfinished.as_ref().filter(|turn| turn.side != side(white + black)) {
            let path = format!("senses.{}", side_name(turn.side));
            let expected = format!("as many entries as requested_moves.{} has", side_name(turn.side));
            return Err(HistoryError::Value { path, expected });
        }
        let turns = (0..white + black).map(|turn| {
            let (color, index) = (side(turn), turn / 2);
            (color, index, &self.turns[color as usize][index])
        });
        Ok(turns.collect())
    }

    /// Replays the game under our rules and compares every answer, one entry a turn.
    ///
    /// # Errors
    /// As for [`GameHistory::game`].
    pub fn disagreements(&self) -> Result<Vec<Disagreement>, HistoryError> {
        let game = self.game()?;
        let recorded = self.in_order(game.rules.start.side())?;
        let mut found = Vec::new();
        let mut end = game.rules.first();
        for ((turn, &(color, index, entry)), played) in recorded.iter().enumerate().zip(game.replay()) {
            let wrong = match played {
                Ok(played) => {
                    end = played.after;
                    differences(color, index, entry, &played)
                }
                Err(refused) => {
                    let path = path("requested_moves", color, index);
                    found.push(Disagreement { turn, words: format!("{path}: {}", refused.error) });
                    return Ok(found);
                }
            };
            if !wrong.is_empty() {
                found.push(Disagreement { turn, words: wrong.join("; ") });
            }
        }
        let turn = recorded.len();
        let mut wrong = self.unfinished_differs(end.board());
        wrong.extend(self.end_differs(&game.rules, end.board()));
        if !wrong.is_empty() {
            found.push(Disagreement { turn, words: wrong.join("; ") });
        }
        Ok(found)
    }

    fn unfinished_differs(&self, board: &Board) -> Vec<String> {
        let Some(turn) = &self.unfinished else { return Vec::new() };
        let ours = Sensed::of(board, turn.sense);
        let index = self.turns[turn.side as usize].len();
        let path = path("sense_results", turn.side, index);
        differs(&path, &sense_text(&turn.sense_result), &ours.to_string()).into_iter().collect()
    }

    /// Who resigned and whose clock ran out the file alone knows; the rest has to follow from the board.
    fn end_differs(&self, rules: &Rbc, board: &Board) -> Vec<String> {
        let loser = self.winner.map(|winner| !winner);
        let resigned = loser.filter(|_| self.reason == Some(Reason::Resignation));
        let out_of_time = loser.filter(|_| self.reason == Some(Reason::Timeout));
        let flagged = Color::ALL.map(|color| out_of_time == Some(color));
        let ours = rules.end(board, resigned, flagged);
        let winner = |winner: Option<Color>| winner.map_or("nobody", color_name);
        let reason = |reason: Option<Reason>| reason.and_then(reason_name).unwrap_or("null");
        let (our_winner, our_reason) =
            (ours.and_then(|outcome| outcome.winner), ours.map(|outcome| outcome.reason));
        let winner = differs("winner_color", winner(self.winner), winner(our_winner));
        let reason = differs("win_reason", reason(self.reason), reason(our_reason));
        winner.into_iter().chain(reason).collect()
    }
}

/// Sets the limit that ended the game, which no file tells: the one that was reached after its last turn.
fn under_its_limits(mut game: RbcGame) -> RbcGame {
    let played = game.replay().filter_map(Result::ok).last();
    let end = played.map_or(game.rules.start, |played| *played.after.board());
    match game.outcome.map(|outcome| outcome.reason) {
        Some(Reason::TurnLimit) => game.rules.full_turn_limit = Some(end.number().saturating_sub(1)),
        Some(Reason::MoveLimit) => game.rules.reversible_moves_limit = Some(end.clock()),
        _ => {}
    }
    game
}

fn differs(path: &str, record: &str, ours: &str) -> Option<String> {
    (record != ours).then(|| format!("{path}: record {record}, ours {ours}"))
}

/// What one turn of a file says otherwise than we do. The castling field after the capture of a king is free.
fn differences(color: Color, index: usize, entry: &HistoryTurn, played: &Played) -> Vec<String> {
    let text = |m: Option<Move>| m.map_or("null".to_owned(), |m| m.to_string());
    let place = |square: Option<Square>| square.map_or("null".to_owned(), |square| square.to_string());
    let king_captured = played.after.outcome().is_some_and(|end| end.reason == Reason::KingCaptured);
    let fen = |fen: &str| if king_captured { without_castling(fen) } else { fen.to_owned() };
    let (was, is) = (&entry.moved, &played.moved);
    [
        ("sense_results", sense_text(&entry.sense_result), played.sensed.to_string()),
        ("taken_moves", text(was.taken), text(is.taken)),
        ("capture_squares", place(was.captured), place(is.captured)),
        ("fens_before_move", entry.fen_before.clone(), played.before.fen()),
        ("fens_after_move", fen(&entry.fen_after), fen(&played.after.fen())),
    ]
    .into_iter()
    .filter_map(|(list, record, ours)| differs(&path(list, color, index), &record, &ours))
    .collect()
}

/// A FEN without its castling field.
pub(super) fn without_castling(fen: &str) -> String {
    let fields = fen.split(' ').enumerate().filter(|(i, _)| *i != 2).map(|(_, field)| field);
    fields.collect::<Vec<_>>().join(" ")
}

fn sense_text(result: &SenseResult) -> String {
    let square = |&(square, man): &(Square, Option<(Color, Piece)>)| {
        format!("{square}={}", man.map_or('.', |(color, piece)| letter(piece, color)))
    };
    result.iter().map(square).collect::<Vec<_>>().join(" ")
}
