//! Reconnaissance Blind Chess by the reference implementation, replayed turn by turn: its recorded playouts
//! and its own files.

use serde_json::Value;

use super::{Comparison, Report, VerifyError};
use crate::chess::{Board, Color, Move, Square};
use crate::outcome::{Outcome, Reason};
use crate::rbc::{Rbc, RbcAction, RbcState, requests, sense_square};
use crate::records::game_history::{GameHistory, reason_name, without_castling};
use crate::records::json_lines::{Entry, Line, LinesError, Meta};
use crate::umpire::Umpire;

/// A file of the reference implementation.
pub(super) fn verify_history(text: &str, progress: &mut dyn FnMut()) -> Result<Report, VerifyError> {
    let history = GameHistory::read(text)?;
    let unfinished = usize::from(history.unfinished.is_some());
    let turns = history.turns.iter().map(Vec::len).sum::<usize>() + unfinished;
    let mut report = Report { checked: turns, ..Report::default() };
    for disagreement in history.disagreements()? {
        report.disagree(disagreement.words);
    }
    progress();
    Ok(report)
}

pub(super) fn verify_game(
    line: &Line,
    start: Board,
    meta: &Meta,
    report: &mut Report,
) -> Result<(), VerifyError> {
    let rules = Rbc {
        start,
        passed: None,
        full_turn_limit: limit(line, "full_turn_limit", None)?,
        reversible_moves_limit: limit(line, "reversible_moves_limit", Some(100))?,
    };
    let mut umpire = Umpire::new(rules);
    let entries = line.entries()?;
    for (i, &entry) in entries.iter().enumerate() {
        let mut comparison = Comparison::new(entry, &meta.deviations);
        let played = play(&mut umpire, &mut comparison, entry)?;
        match &played {
            Ok(()) if i + 1 == entries.len() => compare_end(&rules, umpire.state(), line, &mut comparison)?,
            Ok(()) => {}
            Err(words) => comparison.disagree(words.clone()),
        }
        comparison.finish(report);
        if played.is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// A limit of the game's options: absent, the default; `null`, none.
fn limit(line: &Line, name: &str, default: Option<u16>) -> Result<Option<u16>, LinesError> {
    match line.value.get("o").and_then(|options| options.get(name)) {
        None => Ok(default),
        Some(Value::Null) => Ok(None),
        Some(value) => match value.as_u64().and_then(|limit| u16::try_from(limit).ok()) {
            Some(limit) => Ok(Some(limit)),
            None => Err(LinesError::Value {
                line: line.number,
                path: format!("o.{name}"),
                expected: "a number up to 65535 or null".to_owned(),
            }),
        },
    }
}

/// Plays one turn and compares all that is told in it. In words, why it cannot be played.
fn play(
    umpire: &mut Umpire<Rbc>,
    comparison: &mut Comparison<'_>,
    entry: Entry<'_>,
) -> Result<Result<(), String>, VerifyError> {
    let side = umpire.state().board().side();
    let same = |comparison: &mut Comparison<'_>, name: &str, ours: Value| {
        comparison.field(name, Some(ours), |_, _| false);
    };
    same(comparison, "s", char::from(side).to_string().into());
    same(comparison, "h", text(umpire.view(side).notice));
    if entry.source("a").is_some() {
        same(comparison, "a", listed(umpire.state().board()).into());
    }
    let sense = word(entry, "q", |word| word.parse::<Square>().ok(), "a square or null")?;
    let request = word(entry, "m", |word| word.parse::<Move>().ok(), "a move or null")?;
    let refused = refused(entry)?;
    compare_refusals(umpire, comparison, &refused, "sense");
    if let Err(refusal) = umpire.play(side, RbcAction::Sense(sense)) {
        return Ok(Err(format!("q: {refusal}")));
    }
    let shown = umpire.view(side).sensed.map(|sensed| sensed.to_string());
    same(comparison, "g", shown.unwrap_or_default().into());
    compare_refusals(umpire, comparison, &refused, "move");
    if let Err(refusal) = umpire.play(side, RbcAction::Request(request)) {
        return Ok(Err(format!("m: {refusal}")));
    }
    let moved = umpire.view(side).moved;
    same(comparison, "t", text(moved.and_then(|moved| moved.taken)));
    same(comparison, "c", text(moved.and_then(|moved| moved.captured)));
    compare_fen(umpire.state(), comparison, entry)?;
    Ok(Ok(()))
}

pub(crate) fn text(value: Option<impl ToString>) -> Value {
    value.map_or(Value::Null, |value| value.to_string().into())
}

/// The requests as the source lists them.
fn listed(board: &Board) -> String {
    let mut list = Vec::new();
    requests(board, &mut list);
    let mut list: Vec<String> = list.iter().map(Move::to_string).collect();
    list.sort_unstable();
    list.join(" ")
}

/// A word of an entry that `read` understands; `null` is none.
fn word<T>(
    entry: Entry<'_>,
    name: &str,
    read: impl Fn(&str) -> Option<T>,
    expected: &str,
) -> Result<Option<T>, LinesError> {
    match entry.source(name) {
        Some(Value::Null) => Ok(None),
        value => {
            let value = value.and_then(Value::as_str).and_then(read);
            value.map(Some).ok_or_else(|| entry.wrong(name, expected))
        }
    }
}

/// The calls that the source refused in this turn: which, and with what.
fn refused<'l>(entry: Entry<'l>) -> Result<Vec<(&'l str, &'l str)>, LinesError> {
    let Some(list) = entry.source("e") else { return Ok(Vec::new()) };
    let pairs = list.as_array().map(|list| {
        list.iter().map(|pair| Some((pair.get(0)?.as_str()?, pair.get(1)?.as_str()?))).collect::<Option<_>>()
    });
    pairs.flatten().ok_or_else(|| entry.wrong("e", "a list of pairs such as [\"move\", \"d2d5\"]"))
}

/// What the source refuses we refuse too, and nothing changes. A square off the board has no name; it is asked
/// for by the numbers around the board.
fn compare_refusals(
    umpire: &mut Umpire<Rbc>,
    comparison: &mut Comparison<'_>,
    refused: &[(&str, &str)],
    call: &str,
) {
    let before = *umpire.state();
    for &(_, what) in refused.iter().filter(|(refused, _)| *refused == call) {
        let accepted = match call {
            "sense" => sense_square(64).is_ok() || sense_square(-1).is_ok(),
            _ => what.parse::<Move>().is_ok_and(|request| {
                umpire.play(before.board().side(), RbcAction::Request(Some(request))).is_ok()
            }),
        };
        if accepted || *umpire.state() != before {
            comparison.disagree(format!("e: record refuses {call} {what}, we accept it"));
        }
    }
}

/// After the capture of a king the castling field is free.
fn compare_fen(
    state: &RbcState,
    comparison: &mut Comparison<'_>,
    entry: Entry<'_>,
) -> Result<(), LinesError> {
    let source = entry.text("f")?.unwrap_or_default();
    let ours = state.fen();
    let king_captured = state.outcome().is_some_and(|end| end.reason == Reason::KingCaptured);
    if !king_captured {
        comparison.field("f", Some(ours.into()), |_, _| false);
    } else if without_castling(source) != without_castling(&ours) {
        comparison.disagree(format!("f: record {source}, ours {ours}"));
    }
    Ok(())
}

/// The end as the line tells it.
pub(crate) fn told_outcome(line: &Line) -> Option<Outcome> {
    let name = line.value.get("y").and_then(Value::as_str)?;
    let reason = Reason::ALL.into_iter().find(|&reason| reason_name(reason) == Some(name))?;
    let winner = line.value.get("w").and_then(Value::as_str);
    let winner = Color::ALL.into_iter().find(|&color| winner == Some(char::from(color).to_string().as_str()));
    Some(Outcome { winner, reason })
}

/// The end as our rules have it. The options tell who resigned or ran out of time. In the last turn, her own,
/// that ends the game if nothing else did; otherwise, or in the turn that was not finished, the reason tells
/// whether it came to that.
fn compare_end(
    rules: &Rbc,
    state: &RbcState,
    line: &Line,
    comparison: &mut Comparison<'_>,
) -> Result<(), LinesError> {
    let mover = !state.board().side();
    let reason = line.value.get("y").and_then(Value::as_str);
    let gave_up = |name: &str, when: &str, color: Color| {
        let side = line.value.get("o").and_then(|options| options.get(name));
        side == Some(&char::from(color).to_string().into())
            && (reason == Some(when) || color == mover && state.outcome().is_none())
    };
    let resigned = Color::ALL.into_iter().find(|&color| gave_up("resign", "RESIGN", color));
    let flagged = Color::ALL.map(|color| gave_up("flag", "TIMEOUT", color));
    let outcome = rules.end(state.board(), resigned, flagged);
    let winner = outcome.and_then(|outcome| outcome.winner).map(char::from);
    let ours = [("w", text(winner)), ("y", text(outcome.and_then(|end| reason_name(end.reason))))];
    for (name, ours) in ours {
        let source = line.value.get(name).unwrap_or(&Value::Null);
        if *source != ours {
            comparison.disagree(format!("{name}: record {source}, ours {ours}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::records::verify::verify as verify_file;

    const META: &str = r#"{"meta":{"variant":"rbc","ruleset":"rbc"}}"#;

    /// Two turns with everything an entry can hold, and the end by the turn limit.
    const GAME: &str = r#"{"s":"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1","o":{"full_turn_limit":1,"reversible_moves_limit":null},"p":[{"s":"w","h":null,"a":"e1d1 e1d2 e1f1 e1f2 e2d3 e2e3 e2e4 e2f3","q":"e8","g":"d8=. e8=k f8=. d7=. e7=. f7=.","e":[["sense","off board"],["move","e2e5"]],"m":"e2e4","t":"e2e4","c":null,"f":"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"},{"s":"b","h":null,"q":null,"g":"","m":"d4e3","t":"d4e3","c":"e4","f":"4k3/8/8/8/8/4p3/8/4K3 w - - 0 2"}],"w":null,"y":"TURN_LIMIT"}"#;

    fn kept(game: &str) -> Vec<String> {
        let report = verify_file(format!("{META}\n{game}\n").as_bytes(), &mut || ()).unwrap();
        assert_eq!(report.kept.len(), report.disagreements);
        report.kept
    }

    #[test]
    fn every_field_is_compared() {
        assert_eq!(kept(GAME), [""; 0]);
        for (right, wrong, words) in [
            (r#""s":"b""#, r#""s":"w""#, "p[1]: s: record w, ours b"),
            (r#"{"s":"b","h":null"#, r#"{"s":"b","h":"e4""#, "p[1]: h: record e4, ours null"),
            (" e2f3", "", "p[0]: a: record"),
            ("e8=k", "e8=.", "p[0]: g: record"),
            (r#"["move","e2e5"]"#, r#"["move","e2e3"]"#, "p[0]: e: record refuses move e2e3, we accept it"),
            (r#""t":"d4e3""#, r#""t":null"#, "p[1]: t: record null, ours d4e3"),
            (r#""c":"e4""#, r#""c":"e3""#, "p[1]: c: record e3, ours e4"),
            ("b - e3 0 1", "b - - 0 1", "p[0]: f: record"),
            (r#""m":"d4e3""#, r#""m":"d4d2""#, "p[1]: m: d4d2: a pawn does not move like that"),
            (r#""w":null"#, r#""w":"b""#, "p[1]: w: record \"b\", ours null"),
            ("TURN_LIMIT", "MOVE_LIMIT", "p[1]: y: record \"MOVE_LIMIT\", ours \"TURN_LIMIT\""),
            (r#"limit":1"#, r#"limit":2"#, "p[1]: y: record \"TURN_LIMIT\", ours null"),
            (r#"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"#, "4k3", "line 2, s: FEN"),
        ] {
            assert!(GAME.contains(right), "{right}");
            let found = kept(&GAME.replacen(right, wrong, 1));
            assert!(found.len() <= 2 && found[0].contains(words), "{wrong}: {found:?}");
        }
    }

    /// Options, winner and reason of the game, which its turn limit of 1 or 2 ends or leaves open.
    #[test]
    fn giving_up_counts_where_it_ended_the_game() {
        for (limit, option, winner, reason, agrees) in [
            (2, r#""resign":"b""#, r#""w""#, r#""RESIGN""#, true),
            (2, r#""flag":"b""#, r#""w""#, r#""TIMEOUT""#, true),
            (2, r#""flag":"b""#, r#""b""#, r#""TIMEOUT""#, false),
            (2, r#""flag":"w""#, r#""b""#, r#""TIMEOUT""#, true),
            (2, r#""flag":"w""#, "null", "null", true),
            (2, r#""flag":"b""#, "null", "null", false),
            (2, r#""resign":"b""#, r#""w""#, r#""TIMEOUT""#, false),
            (1, r#""resign":"b""#, r#""w""#, r#""RESIGN""#, true),
            (1, r#""flag":"b""#, "null", r#""TURN_LIMIT""#, true),
        ] {
            let game = GAME
                .replace(r#"limit":1"#, &format!(r#"limit":{limit},{option}"#))
                .replace(r#""w":null,"y":"TURN_LIMIT""#, &format!(r#""w":{winner},"y":{reason}"#));
            assert_eq!(kept(&game).is_empty(), agrees, "{limit} {option} {winner} {reason}");
        }
    }

    #[test]
    fn damage_is_named_by_its_place() {
        for (right, wrong, words) in [
            (r#""q":"e8""#, r#""q":"e9""#, "line 2, p[0].q: expected a square or null"),
            (r#""q":"e8","#, "", "line 2, p[0].q: expected a square or null"),
            (r#""m":"d4e3""#, r#""m":7"#, "line 2, p[1].m: expected a move or null"),
            (r#"[["sense","off board"],"#, r#"[["sense"],"#, "line 2, p[0].e: expected a list of pairs"),
            (
                r#"limit":1"#,
                r#"limit":"x""#,
                "line 2, o.full_turn_limit: expected a number up to 65535 or null",
            ),
        ] {
            let text = format!("{META}\n{}\n", GAME.replacen(right, wrong, 1));
            let error = verify_file(text.as_bytes(), &mut || ()).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
