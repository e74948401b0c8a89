//! Reconnaissance Blind Chess as PGN: the moves that were made, and in comments the rest.
//!
//! Every move is followed by a comment `{sense:request}`: the square that was sensed (`-` for none) and the
//! move that was asked for, in UCI, where it is not the move made. A turn without a move is `--`; with an
//! empty request it was a pass. A last sense without a request is a comment `{then sense:}`. A reader that
//! knows only PGN sees the moves.

use super::pgn::{PgnGame, PgnMove};
use super::record::{Ply, Record, RecordError};
use crate::chess::{Board, Move, MoveRules, Square};
use crate::rbc::{Rbc, RbcGame, RbcTurn};

/// The comments before the first move, and the moves.
pub(super) fn write(record: &Record) -> Result<(Vec<String>, Vec<PgnMove>), RecordError> {
    let game = RbcGame::from_record(record).map_err(|error| RecordError::Plies(error.to_string()))?;
    let mut written = Vec::new();
    for (turn, played) in game.turns.iter().zip(game.replay()) {
        let played = played.map_err(|error| RecordError::Plies(error.to_string()))?;
        let taken = played.moved.taken;
        let text = taken.map_or("--".to_owned(), |m| played.before.board().san(m, MoveRules::PseudoLegal));
        let request = turn.request.filter(|_| turn.request != taken).map(|m| m.to_string());
        let comment = format!("{}:{}", sense_name(turn.sense), request.unwrap_or_default());
        written.push(PgnMove { text, comments: vec![comment], ..PgnMove::default() });
    }
    let mut before = Vec::new();
    if let Some(sense) = game.unfinished {
        let place = written.last_mut().map_or(&mut before, |last| &mut last.comments);
        place.push(format!("then {}:", sense_name(sense)));
    }
    Ok((before, written))
}

fn sense_name(sense: Option<Square>) -> String {
    sense.map_or("-".to_owned(), |square| square.to_string())
}

/// A turn as it is written: what was sensed, what was asked for, what was made of it.
pub(super) struct WrittenTurn {
    pub(super) sense: Option<Square>,
    pub(super) request: Option<Move>,
    pub(super) taken: Option<Move>,
}

pub(super) fn read(game: &PgnGame, start: &Board) -> Result<Vec<Ply>, RecordError> {
    let mut plies = Vec::new();
    let rules = Rbc::endless(*start, None);
    let mut state = rules.first();
    for (turn, written) in read_turns(game, start)?.into_iter().zip(&game.moves) {
        let done = RbcTurn { sense: turn.sense, request: turn.request };
        let played = rules.turn_played(&state, done).map_err(|error| wrong(written, error.to_string()))?;
        if played.moved.taken != turn.taken {
            return Err(wrong(written, format!("'{}' is not what becomes of the request", written.text)));
        }
        state = played.after;
        plies.push(Ply::Sense(turn.sense));
        plies.push(turn.request.map_or(Ply::Pass, Ply::Move));
    }
    let comments = game.moves.last().map_or(&game.before, |last| &last.comments);
    if let Some(rest) = comments.iter().find_map(|comment| comment.strip_prefix("then ")) {
        let place = game.moves.last().cloned().unwrap_or_default();
        plies.push(Ply::Sense(read_comment(rest).map_err(|words| wrong(&place, words))?.0));
    }
    Ok(plies)
}

pub(super) fn read_turns(game: &PgnGame, start: &Board) -> Result<Vec<WrittenTurn>, RecordError> {
    let mut board = *start;
    let mut turns = Vec::new();
    for written in &game.moves {
        let told = written.comments.iter().find(|comment| is_told(comment));
        let (sense, request) = match told {
            Some(comment) => read_comment(comment).map_err(|words| wrong(written, words))?,
            None => (None, None),
        };
        let taken =
            match written.text.as_str() {
                "--" => None,
                text => Some(board.parse_san(text, MoveRules::PseudoLegal).map_err(|error| {
                    RecordError::Move { line: written.line, column: written.column, error }
                })?),
            };
        match taken {
            Some(m) => board.make(m),
            None => board.pass(),
        }
        turns.push(WrittenTurn { sense, request: request.or(taken), taken });
    }
    Ok(turns)
}

/// Whether a comment tells a sense and a request: one word before its colon.
fn is_told(comment: &str) -> bool {
    comment.split_once(':').is_some_and(|(sense, _)| sense.split_whitespace().count() <= 1)
}

fn wrong(written: &PgnMove, words: String) -> RecordError {
    RecordError::Comment { line: written.line, column: written.column, words }
}

/// Takes `sense:request` apart; in words, what is wrong with it.
fn read_comment(comment: &str) -> Result<(Option<Square>, Option<Move>), String> {
    let (sense, request) = comment.split_once(':').unwrap_or((comment, ""));
    let sense = match sense.trim() {
        "-" | "" => None,
        name => Some(name.parse().map_err(|_| format!("'{name}' is not a square to sense"))?),
    };
    let request = match request.trim() {
        "" => None,
        text => Some(text.parse().map_err(|error| format!("request: {error}"))?),
    };
    Ok((sense, request))
}
