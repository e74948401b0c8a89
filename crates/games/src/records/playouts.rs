//! Records as JSON lines, and back: the format in which playouts of other programs are kept.

use std::io::BufRead;

use serde_json::{Map, Value, json};

use super::game_history::reason_name;
use super::json_lines::{Line, LinesError, LinesReader, Meta};
use super::record::{Ply, Record, RecordError};
use super::transcript::ruleset_of;
use super::verify::{fog, kriegspiel, rbc, result_text};
use crate::Variant;
use crate::chess::{Board, Color, Move};
use crate::fog::FogOfWar;
use crate::kriegspiel::{Answer, KriegspielState, Taken, Try};
use crate::outcome::Outcome;
use crate::rbc::{Played, RbcGame};
use crate::umpire::Umpire;

/// The records of a file of JSON lines.
pub(super) fn read(lines: LinesReader<impl BufRead>) -> Result<Vec<Record>, LinesError> {
    let meta = lines.meta.clone();
    let variant: Variant = meta.variant.parse().map_err(|_| LinesError::Value {
        line: 1,
        path: "meta.variant".to_owned(),
        expected: "fog, kriegspiel or rbc".to_owned(),
    })?;
    lines.map(|line| read_game(&line?, variant, &meta)).collect()
}

fn read_game(line: &Line, variant: Variant, meta: &Meta) -> Result<Record, LinesError> {
    let wrong = |path: &str, expected: String| LinesError::Value {
        line: line.number,
        path: path.to_owned(),
        expected,
    };
    let start: Board =
        line.text("s")?.parse().map_err(|error| wrong("s", format!("a position ({error})")))?;
    let mut plies = Vec::new();
    for entry in line.entries()? {
        let moved = |name: &str| -> Result<Option<Move>, LinesError> {
            match entry.source(name) {
                None | Some(Value::Null) => Ok(None),
                Some(_) => {
                    let text = entry.text(name)?.unwrap_or_default();
                    text.parse().map(Some).map_err(|_| entry.wrong(name, "a move"))
                }
            }
        };
        match variant {
            Variant::Kriegspiel if entry.text("t")? == Some("any?") => plies.push(Ply::Any),
            Variant::Kriegspiel => plies.extend(moved("t")?.map(Ply::Move)),
            Variant::Reconnaissance => {
                let sense = match entry.source("q") {
                    None | Some(Value::Null) => None,
                    Some(square) => {
                        let square = square.as_str().and_then(|text| text.parse().ok());
                        Some(square.ok_or_else(|| entry.wrong("q", "a square or null"))?)
                    }
                };
                plies.push(Ply::Sense(sense));
                plies.push(moved("m")?.map_or(Ply::Pass, Ply::Move));
            }
            Variant::FogOfWar | Variant::Chess => plies.extend(moved("m")?.map(Ply::Move)),
        }
    }
    let tags = match variant {
        Variant::Kriegspiel => vec![("Ruleset".to_owned(), meta.ruleset.clone())],
        _ => Vec::new(),
    };
    let mut record = Record { variant, tags, start, plies, result: Default::default(), termination: None };
    let outcome = match variant {
        Variant::Reconnaissance => rbc::told_outcome(line),
        _ => end_of(&record).map_err(|error| wrong("p", format!("plies of the game ({error})")))?,
    };
    record.finish(outcome);
    Ok(record)
}

/// How a record ends by the rules.
fn end_of(record: &Record) -> Result<Option<Outcome>, RecordError> {
    let wrong = |words: String| RecordError::Plies(words);
    if record.variant == Variant::Kriegspiel {
        let mut state = kriegspiel_start(record)?;
        for attempt in tries(record)? {
            state.take(attempt);
        }
        return Ok(state.outcome());
    }
    let mut umpire = Umpire::new(FogOfWar { start: record.start });
    for m in record.moves() {
        let side = umpire.state().board().side();
        umpire.play(side, m).map_err(|refusal| wrong(refusal.to_string()))?;
    }
    Ok(umpire.outcome())
}

fn kriegspiel_start(record: &Record) -> Result<KriegspielState, RecordError> {
    let tag = record.tags.iter().find(|(name, _)| name == "Ruleset").map(|(_, value)| value.as_str());
    let ruleset = ruleset_of(tag).map_err(|error| RecordError::Plies(error.to_string()))?;
    Ok(KriegspielState::new(ruleset, record.start))
}

fn tries(record: &Record) -> Result<Vec<Try>, RecordError> {
    let attempt = |ply: &Ply| match ply {
        Ply::Move(m) => Ok(Try::Move(*m)),
        Ply::Any => Ok(Try::Any),
        Ply::Sense(_) | Ply::Pass => Err(RecordError::Plies("not a try".to_owned())),
    };
    record.plies.iter().map(attempt).collect()
}

/// The first line of a file that holds these records, all of one game and ruleset.
pub(super) fn meta(records: &[Record]) -> Result<Value, RecordError> {
    let Some(first) = records.first() else { return Err(RecordError::Plies("there is no game".to_owned())) };
    let ruleset = |record: &Record| -> Result<String, RecordError> {
        Ok(match record.variant {
            Variant::FogOfWar => "fog-of-war".to_owned(),
            Variant::Reconnaissance => "reconchess".to_owned(),
            Variant::Kriegspiel => kriegspiel_start(record)?.ruleset().to_string(),
            Variant::Chess => return Err(RecordError::Plies("playouts of chess hide nothing".to_owned())),
        })
    };
    let name = match first.variant {
        Variant::FogOfWar => "fog",
        Variant::Kriegspiel => "kriegspiel",
        Variant::Reconnaissance => "rbc",
        Variant::Chess => "chess",
    };
    let common = ruleset(first)?;
    for record in records {
        if record.variant != first.variant || ruleset(record)? != common {
            return Err(RecordError::Plies(
                "a file of JSON lines holds one game under one ruleset".to_owned(),
            ));
        }
    }
    Ok(json!({"meta": {
        "format": 1, "variant": name, "ruleset": common, "source": "scuro",
        "games": records.len(), "deviations": [],
    }}))
}

/// The line of a record: everything that was shown and said, as our rules have it.
pub(super) fn write(record: &Record) -> Result<Value, RecordError> {
    let start = record.start.to_string();
    match record.variant {
        Variant::FogOfWar => Ok(json!({"k": "record", "s": start, "p": fog_entries(record)?})),
        Variant::Kriegspiel => {
            let first = kriegspiel::tries_value(kriegspiel_start(record)?.announcement().tries);
            let mut line = json!({"k": "record", "s": start, "p": kriegspiel_entries(record)?});
            if let Some(tries) = first {
                line["n"] = tries;
            }
            Ok(line)
        }
        Variant::Reconnaissance => rbc_line(record),
        Variant::Chess => Err(RecordError::Plies("playouts of chess hide nothing".to_owned())),
    }
}

fn fog_entries(record: &Record) -> Result<Vec<Value>, RecordError> {
    let mut umpire = Umpire::new(FogOfWar { start: record.start });
    let mut entries = vec![Value::Object(fog::entry(&umpire, None))];
    for m in record.moves() {
        let side = umpire.state().board().side();
        umpire.play(side, m).map_err(|refusal| RecordError::Plies(refusal.to_string()))?;
        entries.push(Value::Object(fog::entry(&umpire, Some(m))));
    }
    Ok(entries)
}

fn kriegspiel_entries(record: &Record) -> Result<Vec<Value>, RecordError> {
    let mut state = kriegspiel_start(record)?;
    let mut entries = Vec::new();
    let mut turn_starts = true;
    for attempt in tries(record)? {
        let (answer, after) = state.attempt(attempt);
        let mut entry = Map::new();
        let mut set = |name: &str, value: Value| entry.insert(name.to_owned(), value);
        set("s", char::from(state.board().side()).to_string().into());
        if turn_starts {
            set("q", kriegspiel::offered(&state));
        }
        set("t", attempt.to_string().into());
        set("a", answer.word().into());
        turn_starts = false;
        if let Answer::Made(announcement) = answer {
            turn_starts = true;
            if let Some(capture) = announcement.capture {
                set("c", capture.square.to_string().into());
                if let Some(taken) = capture.taken {
                    set("ck", if taken == Taken::Pawn { "pawn" } else { "piece" }.into());
                }
            }
            if announcement.promotion {
                set("pr", 1.into());
            }
            let kinds: Vec<&str> = announcement.checks.kinds().map(|kind| kind.word()).collect();
            if !kinds.is_empty() {
                set("k", kinds.into());
            }
            if let Some(tries) = kriegspiel::tries_value(announcement.tries) {
                set("n", tries);
            }
            if let Some(end) = announcement.end {
                set("e", result_text(end).into());
            }
            set("f", after.board().to_string().into());
        } else if answer.is_refusal() {
            set("o", u8::from(state.ruleset().refusals_are_heard()).into());
        }
        entries.push(Value::Object(entry));
        state = after;
    }
    Ok(entries)
}

fn rbc_line(record: &Record) -> Result<Value, RecordError> {
    let wrong = |words: String| RecordError::Plies(words);
    let game = RbcGame::from_record(record).map_err(|error| wrong(error.to_string()))?;
    let mut entries = Vec::new();
    for (turn, played) in game.turns.iter().zip(game.replay()) {
        let played = played.map_err(|error| wrong(error.to_string()))?;
        let Played { side, before, sensed, moved, after } = &played;
        entries.push(json!({
            "s": char::from(*side).to_string(),
            "h": rbc::text(before.notice(*side)),
            "q": rbc::text(turn.sense),
            "g": sensed.to_string(),
            "m": rbc::text(turn.request),
            "t": rbc::text(moved.taken),
            "c": rbc::text(moved.captured),
            "f": after.fen(),
        }));
    }
    let mut options = Map::new();
    options.insert("full_turn_limit".to_owned(), json!(game.rules.full_turn_limit));
    options.insert("reversible_moves_limit".to_owned(), json!(game.rules.reversible_moves_limit));
    let reason = game.outcome.and_then(|outcome| reason_name(outcome.reason));
    let winner = game.outcome.and_then(|outcome| outcome.winner);
    if let (Some(winner), Some(name @ ("TIMEOUT" | "RESIGN"))) = (winner, reason) {
        let option = if name == "TIMEOUT" { "flag" } else { "resign" };
        options.insert(option.to_owned(), char::from(!winner).to_string().into());
    }
    Ok(json!({
        "k": "record", "s": record.start.to_string(), "o": options, "p": entries,
        "w": rbc::text(winner.map(|color: Color| char::from(color).to_string())), "y": rbc::text(reason),
    }))
}
