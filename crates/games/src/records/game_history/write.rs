//! Writing a file, key by key in the order of the reference implementation.

use serde_json::{Value, json};

use super::{GameHistory, HistoryTurn, SenseResult, reason_name};
use crate::chess::{Color, Move, Piece, Square, letter};

impl GameHistory {
    /// The file as JSON, on one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let reason = self.reason.and_then(reason_name).map_or(Value::Null, |name| tagged("WinReason", name));
        let fields = [
            ("type", "GameHistory".into()),
            ("white_name", self.names[0].as_str().into()),
            ("black_name", self.names[1].as_str().into()),
            ("senses", self.senses(|sense, _| number(sense))),
            ("sense_results", self.senses(|_, result| men(result))),
            ("requested_moves", self.lists(|turn| uci(turn.moved.requested))),
            ("taken_moves", self.lists(|turn| uci(turn.moved.taken))),
            ("capture_squares", self.lists(|turn| number(turn.moved.captured))),
            ("fens_before_move", self.lists(|turn| turn.fen_before.as_str().into())),
            ("fens_after_move", self.lists(|turn| turn.fen_after.as_str().into())),
            ("winner_color", self.winner.map(|winner| winner == Color::White).into()),
            ("win_reason", reason),
        ];
        let fields = fields.map(|(name, value): (&str, Value)| format!("\"{name}\": {value}"));
        format!("{{{}}}\n", fields.join(", "))
    }

    /// One entry a turn, White's turns under `true`.
    fn lists(&self, entry: impl Fn(&HistoryTurn) -> Value) -> Value {
        let [white, black] = [0, 1].map(|side| self.turns[side].iter().map(&entry).collect::<Vec<Value>>());
        json!({ "true": white, "false": black })
    }

    /// As [`GameHistory::lists`], with the sense that no request followed.
    fn senses(&self, entry: impl Fn(Option<Square>, &SenseResult) -> Value) -> Value {
        let [white, black] = Color::ALL.map(|side| {
            let turns = self.turns[side as usize].iter().map(|turn| entry(turn.sense, &turn.sense_result));
            let rest = self.unfinished.iter().filter(|turn| turn.side == side);
            turns.chain(rest.map(|turn| entry(turn.sense, &turn.sense_result))).collect::<Vec<Value>>()
        });
        json!({ "true": white, "false": black })
    }
}

/// A value that the reference implementation turns into an object of its own.
fn tagged(kind: &str, value: &str) -> Value {
    json!({ "type": kind, "value": value })
}

fn number(square: Option<Square>) -> Value {
    square.map(|square| square as u8).into()
}

fn uci(m: Option<Move>) -> Value {
    m.map_or(Value::Null, |m| tagged("Move", &m.to_string()))
}

fn men(result: &SenseResult) -> Value {
    let square = |&(square, man): &(Square, Option<(Color, Piece)>)| {
        let man =
            man.map_or(Value::Null, |(color, piece)| tagged("Piece", &letter(piece, color).to_string()));
        json!([square as u8, man])
    };
    result.iter().map(square).collect()
}
