//! Playouts of Fog of War by other programs, replayed ply by ply.

use serde_json::{Map, Value};

use super::{Comparison, Report, VerifyError, result_text};
use crate::chess::{BitBoard, Board, Color, Move, Piece, ahead, diagonally_ahead, en_passant_victim};
use crate::fog::{FogOfWar, View};
use crate::outcome::Reason;
use crate::records::json_lines::{Entry, Line, Meta};
use crate::umpire::Umpire;

pub(super) fn verify_game(
    line: &Line,
    start: Board,
    meta: &Meta,
    report: &mut Report,
) -> Result<(), VerifyError> {
    let mut umpire = Umpire::new(FogOfWar { start });
    for entry in line.entries()? {
        let mut comparison = Comparison::new(entry, &meta.deviations);
        if let Err(words) = play(&mut umpire, entry)? {
            comparison.disagree(words);
            comparison.finish(report);
            return Ok(());
        }
        compare(&umpire, &mut comparison, entry);
        comparison.finish(report);
    }
    Ok(())
}

/// Plays the move of an entry; the first entry has none. In words, why that is not possible.
fn play(umpire: &mut Umpire<FogOfWar>, entry: Entry<'_>) -> Result<Result<(), String>, VerifyError> {
    let Some(text) = entry.text("m")? else {
        let first = entry.index == 0;
        return Ok(if first { Ok(()) } else { Err("m: no move".to_owned()) });
    };
    if entry.index == 0 {
        return Ok(Err(format!("m: {text} stands before the first position")));
    }
    let side = umpire.state().board().side();
    let played = text.parse::<Move>().map_err(|error| error.to_string());
    Ok(played
        .and_then(|m| umpire.play(side, m).map_err(|refusal| refusal.to_string()))
        .map_err(|e| format!("m: {e}")))
}

/// The entry that the present state deserves, `m` being the move that led there.
pub(crate) fn entry(umpire: &Umpire<FogOfWar>, m: Option<Move>) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut set = |name: &str, value: String| fields.insert(name.to_owned(), value.into());
    if let Some(m) = m {
        set("m", m.to_string());
    }
    set("f", umpire.state().board().to_string());
    let outcome = umpire.outcome();
    if outcome.is_none() {
        let mut moves: Vec<String> = umpire.choices().iter().map(Move::to_string).collect();
        moves.sort_unstable();
        set("l", moves.join(" "));
    }
    set("w", umpire.view(Color::White).placement());
    set("b", umpire.view(Color::Black).placement());
    if let Some(outcome) = outcome {
        set("r", result_text(outcome));
    }
    fields
}

fn compare(umpire: &Umpire<FogOfWar>, comparison: &mut Comparison<'_>, source: Entry<'_>) {
    let board = umpire.state().board();
    let ours = entry(umpire, None);
    let reason = umpire.outcome().map(|outcome| outcome.reason);
    let mut compare = |name: &str, is_deviation: &dyn Fn(&str, &str) -> bool| {
        comparison.field(name, ours.get(name).cloned(), |deviation, source| {
            source.and_then(Value::as_str).is_some_and(|source| is_deviation(deviation, source))
        });
    };
    compare("l", &|_, _| false);
    compare("r", &|deviation, source| {
        deviation == "stalemate-draw" && reason == Some(Reason::NoMove) && source == "draw nomove"
    });
    if reason != Some(Reason::KingCaptured) {
        compare("f", &|_, _| false);
        for (name, color) in [("w", Color::White), ("b", Color::Black)] {
            let view = umpire.view(color);
            compare(name, &|deviation, source| view_deviates(deviation, board, view, source));
        }
        return;
    }
    // What follows a king capture is free: only the placement and the side to move are compared.
    let two_fields = |text: &str| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let (fen, source) = (board.to_string(), source.source("f").and_then(Value::as_str).unwrap_or_default());
    if two_fields(source) != two_fields(&fen) {
        comparison.disagree(format!("f: record {source}, ours {fen}"));
    }
}

/// Whether `source` is what a program with this deviation shows where we show `view`.
fn view_deviates(deviation: &str, board: &Board, view: &View, source: &str) -> bool {
    let Some(passed) = board.en_passant() else { return false };
    let player = view.player();
    match deviation {
        // The pawn that can be taken en passant is not shown, the square behind it is.
        "ep-victim-hidden" => {
            let victim = en_passant_victim(passed);
            player == board.side() && source == placement(board, player, view.lit() ^ victim.bitboard())
        }
        // The side that stepped sees where it stepped over and where it came from, if one of its pawns stands
        // diagonally behind.
        "pusher-sees-ep" => {
            let [left, right] = diagonally_ahead(passed.bitboard(), !player);
            let behind = (left | right) & board.men(player, Piece::Pawn);
            let origin = ahead(passed.bitboard(), !player);
            let more = view.lit() | passed.bitboard() | origin;
            player != board.side() && !behind.is_empty() && source == placement(board, player, more)
        }
        _ => false,
    }
}

/// The board field of what `player` would be shown if she saw exactly `lit`.
fn placement(board: &Board, player: Color, lit: BitBoard) -> String {
    View::showing(board, player, lit).placement()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;
    use crate::records::verify::verify as verify_file;

    const META: &str = r#"{"meta":{"variant":"fog","ruleset":"fog-of-war","deviations":[{"id":"ep-victim-hidden"},{"id":"stalemate-draw"},{"id":"pusher-sees-ep"}]}}"#;

    fn counts(meta: &str, lines: &[&str]) -> (usize, usize, usize) {
        let text = format!("{meta}\n{}\n", lines.join("\n"));
        let report = verify_file(text.as_bytes(), &mut || ()).unwrap();
        (report.checked, report.disagreements, report.deviations)
    }

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    #[test]
    fn a_named_deviation_is_excused_only_where_it_is_that_deviation() {
        let without = META.replace("stalemate-draw", "other");
        let board: Board = "8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1".parse().unwrap();
        let line = |result: &str| {
            let views = [Color::White, Color::Black].map(|color| View::of(&board, color).placement());
            format!(
                r#"{{"s":"{board}","p":[{{"f":"{board}","w":"{}","b":"{}","r":"{result}"}}]}}"#,
                views[0], views[1]
            )
        };
        assert_eq!(counts(META, &[&line("0-1 nomove")]), (1, 0, 0));
        assert_eq!(counts(META, &[&line("draw nomove")]), (1, 0, 1));
        assert_eq!(counts(&without, &[&line("draw nomove")]), (1, 1, 0));
        assert_eq!(counts(META, &[&line("1-0 nomove")]), (1, 1, 0));
        assert_eq!(counts(META, &[&line("draw rep")]), (1, 1, 0));
    }

    #[test]
    fn en_passant_deviations_are_recognised_by_their_squares() {
        let board: Board = "4k3/8/8/8/3pP3/8/3P4/4K3 b - e3 0 1".parse().unwrap();
        let white = View::of(&board, Color::White);
        let black = View::of(&board, Color::Black);
        let hidden = placement(&board, Color::Black, black.lit() ^ square("e4").bitboard());
        assert!(view_deviates("ep-victim-hidden", &board, &black, &hidden));
        assert!(!view_deviates("ep-victim-hidden", &board, &black, &black.placement().replace('p', "?")));
        assert!(!view_deviates("pusher-sees-ep", &board, &black, &hidden));
        let more =
            placement(&board, Color::White, white.lit() | square("e3").bitboard() | square("e2").bitboard());
        assert!(view_deviates("pusher-sees-ep", &board, &white, &more));
        let too_much = placement(&board, Color::White, white.lit() | square("a8").bitboard());
        assert!(!view_deviates("pusher-sees-ep", &board, &white, &too_much));
    }
}
