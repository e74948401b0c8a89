//! Records as JSON lines, and back: the format in which playouts of other programs are kept.

use std::io::BufRead;

use serde_json::{Map, Value, json};

use super::game_history::reason_name;
use super::json_lines::{FORMAT, Line, LinesReader, Meta};
use super::pgn::PgnResult;
use super::record::{Ply, Record, RecordError};
use super::transcript::ruleset_of;
use super::verify::{Report, VerifyError, fog, kriegspiel, rbc, result_text, verify_line};
use crate::chess::{Board, Color, FenError, Move};
use crate::fog::FogOfWar;
use crate::kriegspiel::{Answer, KriegspielState, Taken, Try};
use crate::outcome::Outcome;
use crate::rbc::{Played, RbcGame};
use crate::umpire::Umpire;
use crate::{Variant, VariantError};

/// The records of a file of JSON lines. Only what our rules agree with is a record; what a known deviation of
/// the source put there is left as our rules have it.
pub(super) fn read(lines: LinesReader<impl BufRead>) -> Result<Vec<Record>, VerifyError> {
    let meta = lines.meta.clone();
    let mut records = Vec::new();
    for line in lines {
        let line = line?;
        let mut report = Report::default();
        verify_line(&line, &meta, &mut report)?;
        if let Some(words) = report.kept.into_iter().next() {
            return Err(VerifyError::Disagreement(words));
        }
        records.push(read_game(&line, &meta)?);
    }
    Ok(records)
}

/// The record of a line that has been verified: its entries are as they should be.
fn read_game(line: &Line, meta: &Meta) -> Result<Record, VerifyError> {
    let wrong = |words: String| VerifyError::Disagreement(format!("line {}: {words}", line.number));
    let (start, passed) =
        Board::parse_keeping_passed(line.text("s")?).map_err(|error: FenError| wrong(error.to_string()))?;
    let variant: Variant = meta.variant.parse().map_err(|error: VariantError| wrong(error.to_string()))?;
    let mut plies = Vec::new();
    for entry in line.entries()? {
        let word = |name: &str| entry.source(name).and_then(Value::as_str);
        let moved = |name: &str| word(name).and_then(|text| text.parse::<Move>().ok());
        match variant {
            Variant::Kriegspiel if word("t") == Some("any?") => plies.push(Ply::Any),
            Variant::Kriegspiel => plies.extend(moved("t").map(Ply::Move)),
            Variant::Reconnaissance => {
                plies.push(Ply::Sense(word("q").and_then(|text| text.parse().ok())));
                plies.push(moved("m").map_or(Ply::Pass, Ply::Move));
            }
            Variant::FogOfWar | Variant::Chess => plies.extend(moved("m").map(Ply::Move)),
        }
    }
    if let Some(sense) = line.value.get("unfinished") {
        plies.push(Ply::Sense(sense.as_str().and_then(|text| text.parse().ok())));
    }
    let mut tags: Vec<(String, String)> = match line.value.get("tags").cloned() {
        Some(tags) => serde_json::from_value(tags).map_err(|error| wrong(format!("tags: {error}")))?,
        None => Vec::new(),
    };
    if variant == Variant::Kriegspiel {
        tags.push(("Ruleset".to_owned(), meta.ruleset.clone()));
    }
    let mut record = Record {
        variant,
        tags,
        start,
        passed: passed.filter(|_| variant == Variant::Reconnaissance),
        plies,
        result: PgnResult::default(),
        termination: None,
    };
    let outcome = match variant {
        Variant::Reconnaissance => rbc::told_outcome(line),
        _ => end_of(&record).map_err(|error| wrong(error.to_string()))?,
    };
    record.finish(outcome);
    // An end that the plies do not show stands beside them.
    if let (None, Some(result)) = (outcome, line.value.get("result").and_then(Value::as_str)) {
        record.result = PgnResult::parse(result).ok_or_else(|| wrong(format!("result: '{result}'")))?;
        record.termination = line.value.get("termination").and_then(Value::as_str).map(str::to_owned);
    }
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
    let ruleset = ruleset_of(record.tag("Ruleset")).map_err(|error| RecordError::Plies(error.to_string()))?;
    Ok(KriegspielState::new(ruleset, record.start))
}

fn tries(record: &Record) -> Result<Vec<Try>, RecordError> {
    let attempts: Option<Vec<Try>> = record.plies.iter().map(|ply| ply.attempt()).collect();
    attempts.ok_or_else(|| RecordError::Plies("not a try".to_owned()))
}

/// The first line of a file that holds these records, all of one game and ruleset.
pub(super) fn meta(records: &[Record]) -> Result<Value, RecordError> {
    let Some(first) = records.first() else { return Err(RecordError::Plies("there is no game".to_owned())) };
    let ruleset = |record: &Record| -> Result<String, RecordError> {
        Ok(match record.variant {
            Variant::FogOfWar => "fog-of-war".to_owned(),
            Variant::Reconnaissance => "rbc".to_owned(),
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
        "format": FORMAT, "variant": name, "ruleset": common, "source": "scuro",
        "games": records.len(), "deviations": [],
    }}))
}

/// The line of a record: everything that was shown and said, as our rules have it; and, which other readers
/// pass over, the tags and the end.
pub(super) fn write(record: &Record) -> Result<Value, RecordError> {
    let mut line = write_playout(record)?;
    let tags: Vec<_> = record.tags.iter().filter(|(name, _)| name != "Ruleset").collect();
    if !tags.is_empty() {
        line["tags"] = json!(tags);
    }
    line["result"] = record.result.to_string().into();
    if let Some(termination) = &record.termination {
        line["termination"] = termination.as_str().into();
    }
    Ok(line)
}

fn write_playout(record: &Record) -> Result<Value, RecordError> {
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
    let mut line = json!({
        "k": "record", "s": record.start_fen(), "o": options, "p": entries,
        "w": rbc::text(winner.map(|color: Color| char::from(color).to_string())), "y": rbc::text(reason),
    });
    if let Some(sense) = game.unfinished {
        line["unfinished"] = rbc::text(sense);
    }
    Ok(line)
}
