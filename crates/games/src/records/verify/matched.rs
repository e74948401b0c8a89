//! Games of matches, replayed ply by ply under the umpire.

use std::io::BufRead;

use super::pgn::{End, check_end};
use super::{Report, VerifyError};
use crate::Variant;
use crate::chess::Chess;
use crate::fog::FogOfWar;
use crate::kriegspiel::Kriegspiel;
use crate::outcome::{Outcome, Reason};
use crate::rbc::{Rbc, RbcGame};
use crate::records::match_lines::{self, MatchLine};
use crate::records::record::{Ply, Record};
use crate::records::transcript::ruleset_of;
use crate::umpire::{Umpire, Umpired};

pub(super) fn verify(lines: impl BufRead, progress: &mut dyn FnMut()) -> Result<Report, VerifyError> {
    let mut report = Report::default();
    for line in match_lines::read(lines) {
        verify_line(&line?, &mut report);
        progress();
    }
    Ok(report)
}

fn verify_line(MatchLine { number, record }: &MatchLine, report: &mut Report) {
    let outcome = match replay_record(record, report) {
        Ok(outcome) => outcome,
        Err(words) => return report.disagree(format!("line {number}, moves: {words}")),
    };
    let Some(reason) = record.reason() else {
        let words = record.termination.as_deref().unwrap_or_default();
        return report.disagree(format!("line {number}, reason: '{words}' ends no game"));
    };
    let end = End { result: record.result, tag: None, reason: Some(reason) };
    if let Err(words) = check_end(record.variant, outcome, true, &end) {
        report.disagree(format!("line {number}: {words}"));
    }
}

/// How the game ends by its moves; in words, what is wrong with them.
fn replay_record(record: &Record, report: &mut Report) -> Result<Option<Outcome>, String> {
    let start = record.start;
    let only_move = |ply: Ply| if let Ply::Move(m) = ply { Some(m) } else { None };
    match record.variant {
        Variant::Chess => replay(Chess { start }, record, only_move, report),
        Variant::FogOfWar => replay(FogOfWar { start }, record, only_move, report),
        Variant::Kriegspiel => {
            let ruleset = ruleset_of(record.tag("Ruleset")).map_err(|error| error.to_string())?;
            replay(Kriegspiel { start, ruleset }, record, Ply::attempt, report)
        }
        Variant::Reconnaissance => {
            // An end by its limits tells what they were.
            let limited = matches!(record.reason(), Some(Reason::TurnLimit | Reason::MoveLimit));
            let endless = Rbc::endless(start, record.passed);
            let rules = RbcGame::from_record(record).map(|game| game.rules).ok().filter(|_| limited);
            replay(rules.unwrap_or(endless), record, Ply::rbc, report)
        }
    }
}

fn replay<G: Umpired>(
    rules: G,
    record: &Record,
    action: impl Fn(Ply) -> Option<G::Action>,
    report: &mut Report,
) -> Result<Option<Outcome>, String> {
    let mut umpire = Umpire::new(rules);
    for (place, &ply) in (1..).zip(&record.plies) {
        report.checked += 1;
        let wrong = |words: String| format!("ply {place} ({ply}): {words}");
        let action = action(ply).ok_or_else(|| wrong("it is of another game".to_owned()))?;
        let Some(side) = umpire.turn() else { return Err(wrong("the game is over".to_owned())) };
        umpire.play(side, action).map_err(|refusal| wrong(refusal.to_string()))?;
    }
    Ok(umpire.outcome())
}

#[cfg(test)]
mod tests {
    use crate::records::verify::verify;

    /// Lines, how many plies are checked, and the words of the disagreement if there is one.
    #[test]
    fn moves_and_ends_have_to_fit() {
        let line = |game: &str, moves: &str, result: &str, reason: &str| {
            let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
            format!(
                "{{\"game\":\"{game}\",\"white\":\"a\",\"black\":\"b\",\"start\":\"{start}\",\"moves\":\"{moves}\",\
                 \"result\":\"{result}\",\"reason\":\"{reason}\"}}\n"
            )
        };
        for (text, checked, words) in [
            (line("fog", "e2e4 f7f5 d1h5 a7a6 h5e8", "1-0", "king captured"), 5, None),
            (line("fog", "e2e4 f7f5 d1h5 a7a6 h5e8", "0-1", "king captured"), 5, Some("the record says 0-1")),
            (line("fog", "e2e4 f7f5", "0-1", "crash"), 2, None),
            (line("fog", "e2e4 f7f5", "1/2-1/2", "turn limit"), 2, None),
            (line("fog", "e2e4 f7f5", "0-1", "boredom"), 2, Some("'boredom' ends no game")),
            (line("fog", "e2e4 e4", "0-1", "crash"), 2, Some("ply 2 (e4): it is of another game")),
            (line("fog", "e2e4 e2e4", "0-1", "crash"), 2, Some("ply 2 (e2e4)")),
            (line("fog", "", "0-1", "time forfeit"), 0, None),
            (line("kriegspiel", "e2e4 e7d6 f7f6", "1-0", "illegal move"), 3, None),
            (line("rbc", "- e2e4 b7 -- e4 f1b5 - d7d6 - b5e8", "1-0", "king captured"), 10, None),
            (line("rbc", "- e2e4 b7", "1-0", "time forfeit"), 3, None),
        ] {
            let report = verify(text.as_bytes(), &mut || ()).unwrap();
            assert_eq!(report.checked, checked, "{text}");
            match words {
                None => assert!(report.kept.is_empty(), "{text}: {:?}", report.kept),
                Some(words) => assert!(report.kept[0].contains(words), "{:?}", report.kept),
            }
        }
        let damaged = line("fog", "e2e4", "1-0", "crash") + "{\"game\":\"fo";
        assert!(verify(damaged.as_bytes(), &mut || ()).unwrap_err().to_string().starts_with("line 2"));
    }
}
