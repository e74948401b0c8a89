//! Reading a file: every value is checked for its kind, and an error names where it stands.

use serde_json::{Map, Value};

use super::{GameHistory, HistoryError, HistoryTurn, REASONS, SenseResult, UnfinishedTurn, side_name};
use crate::chess::{Color, Move, Piece, Square};
use crate::rbc::{Moved, sense_square};

/// A value of a file and where it stands.
struct At<'v> {
    path: String,
    value: &'v Value,
}

impl<'v> At<'v> {
    fn wrong(&self, expected: &str) -> HistoryError {
        HistoryError::Value { path: self.path.clone(), expected: expected.to_owned() }
    }

    fn items(&self) -> Result<Vec<At<'v>>, HistoryError> {
        let items = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        let at = |(i, value)| At { path: format!("{}[{i}]", self.path), value };
        Ok(items.iter().enumerate().map(at).collect())
    }

    fn text(&self) -> Result<String, HistoryError> {
        self.value.as_str().map(str::to_owned).ok_or_else(|| self.wrong("a text"))
    }

    /// What `read` makes of the value; `null` is nothing.
    fn or_null<T>(
        &self,
        expected: &str,
        read: impl Fn(&'v Value) -> Option<T>,
    ) -> Result<Option<T>, HistoryError> {
        if self.value.is_null() {
            return Ok(None);
        }
        read(self.value).map(Some).ok_or_else(|| self.wrong(&format!("{expected} or null")))
    }

    fn square(&self) -> Result<Option<Square>, HistoryError> {
        self.or_null("a square from 0 to 63", square_of)
    }

    fn chess_move(&self) -> Result<Option<Move>, HistoryError> {
        self.or_null(r#"a move such as {"type": "Move", "value": "e2e4"}"#, |value| {
            tagged(value, "Move").and_then(|text| text.parse().ok())
        })
    }

    fn sense_result(&self) -> Result<SenseResult, HistoryError> {
        let shown = |at: At<'v>| {
            let expected = r#"a square and null or a man such as {"type": "Piece", "value": "P"}"#;
            let pair = at.value.as_array().filter(|pair| pair.len() == 2);
            let pair = pair.and_then(|pair| Some((square_of(&pair[0])?, man_of(&pair[1])?)));
            pair.ok_or_else(|| at.wrong(expected))
        };
        self.items()?.into_iter().map(shown).collect()
    }
}

fn square_of(value: &Value) -> Option<Square> {
    value.as_i64().and_then(|number| sense_square(number).ok())
}

/// The man on a square, `Some(None)` if there is none.
fn man_of(value: &Value) -> Option<Option<(Color, Piece)>> {
    if value.is_null() {
        return Some(None);
    }
    let mut letters = tagged(value, "Piece")?.chars();
    let (letter, None) = (letters.next()?, letters.next()) else { return None };
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    Some(Some((color, Piece::try_from(letter.to_ascii_lowercase()).ok()?)))
}

/// The text of a value of this type.
fn tagged<'v>(value: &'v Value, kind: &str) -> Option<&'v str> {
    (value.get("type")?.as_str()? == kind).then(|| value.get("value")?.as_str()).flatten()
}

/// Whether JSON is a file of this format, damaged or not.
#[must_use]
pub fn is_game_history(value: &Value) -> bool {
    value.get("type").and_then(Value::as_str) == Some("GameHistory")
}

impl GameHistory {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is damaged: not JSON, or a value is missing or of the wrong kind.
    pub fn read(text: &str) -> Result<GameHistory, HistoryError> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let what = error.to_string();
            let what = what.split(" at line ").next().unwrap_or_default().to_owned();
            HistoryError::Json { line: error.line(), column: error.column(), what }
        })?;
        let file = value.as_object().filter(|_| is_game_history(&value));
        let expected = "\"GameHistory\"".to_owned();
        let file = file.ok_or(HistoryError::Value { path: "type".to_owned(), expected })?;
        let (white, white_rest) = turns_of(file, Color::White)?;
        let (black, black_rest) = turns_of(file, Color::Black)?;
        let unfinished = match (white_rest, black_rest) {
            (Some(_), Some(_)) => {
                let expected = "an unfinished turn of one side at most".to_owned();
                return Err(HistoryError::Value { path: "senses".to_owned(), expected });
            }
            (white, black) => white.or(black),
        };
        let name =
            |key| Ok(field(file, key)?.or_null("a text", Value::as_str)?.unwrap_or_default().to_owned());
        let winner = field(file, "winner_color")?.or_null("true, false", Value::as_bool)?;
        let reason = field(file, "win_reason")?.or_null("a reason such as KING_CAPTURE", |value| {
            let name = tagged(value, "WinReason")?;
            REASONS.iter().find(|pair| pair.1 == name).map(|pair| pair.0)
        })?;
        Ok(GameHistory {
            names: [name("white_name")?, name("black_name")?],
            turns: [white, black],
            unfinished,
            winner: winner.map(|white| if white { Color::White } else { Color::Black }),
            reason,
        })
    }
}

fn field<'v>(file: &'v Map<String, Value>, key: &str) -> Result<At<'v>, HistoryError> {
    let path = key.to_owned();
    match file.get(key) {
        Some(value) => Ok(At { path, value }),
        None => Err(HistoryError::Value { path, expected: "a value".to_owned() }),
    }
}

/// The turns of one side, and the sense that no request followed.
fn turns_of(
    file: &Map<String, Value>,
    color: Color,
) -> Result<(Vec<HistoryTurn>, Option<UnfinishedTurn>), HistoryError> {
    let list = |key: &str| -> Result<Vec<At<'_>>, HistoryError> {
        let path = format!("{key}.{}", side_name(color));
        let value = field(file, key)?.value.get(side_name(color));
        value
            .ok_or_else(|| HistoryError::Value { path: path.clone(), expected: "a list".to_owned() })
            .and_then(|value| At { path, value }.items())
    };
    let requested = list("requested_moves")?;
    let finished = requested.len();
    let same = |key: &str, more: usize| -> Result<Vec<At<'_>>, HistoryError> {
        let items = list(key)?;
        if (finished..=finished + more).contains(&items.len()) {
            return Ok(items);
        }
        let path = format!("{key}.{}", side_name(color));
        let expected = format!("{finished} entries as in requested_moves, found {}", items.len());
        Err(HistoryError::Value { path, expected })
    };
    let senses = same("senses", 1)?;
    let results = same("sense_results", 1)?;
    if results.len() != senses.len() {
        let path = format!("sense_results.{}", side_name(color));
        let expected = format!("{} entries as in senses, found {}", senses.len(), results.len());
        return Err(HistoryError::Value { path, expected });
    }
    let (taken, captured) = (same("taken_moves", 0)?, same("capture_squares", 0)?);
    let (before, after) = (same("fens_before_move", 0)?, same("fens_after_move", 0)?);
    let turn = |i: usize| {
        Ok(HistoryTurn {
            sense: senses[i].square()?,
            sense_result: results[i].sense_result()?,
            moved: Moved {
                requested: requested[i].chess_move()?,
                taken: taken[i].chess_move()?,
                captured: captured[i].square()?,
            },
            fen_before: before[i].text()?,
            fen_after: after[i].text()?,
        })
    };
    let turns = (0..finished).map(turn).collect::<Result<Vec<_>, HistoryError>>()?;
    let rest = match (senses.get(finished), results.get(finished)) {
        (Some(sense), Some(result)) => {
            Some(UnfinishedTurn { side: color, sense: sense.square()?, sense_result: result.sense_result()? })
        }
        _ => None,
    };
    Ok((turns, rest))
}
