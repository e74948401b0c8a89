//! Playouts of Kriegspiel by other programs, replayed try by try.

use std::io::BufRead;

use serde_json::Value;

use super::{Comparison, Report, VerifyError, result_text};
use crate::chess::{Board, Color, Move, Rank};
use crate::kriegspiel::{
    Announcement, Answer, KriegspielState, OwnMen, PawnTries, Ruleset, Taken, Try, dead_material,
    square_names,
};
use crate::outcome::Reason;
use crate::records::json_lines::{Entry, Line, LinesReader};

pub(super) fn verify(
    lines: LinesReader<impl BufRead>,
    progress: &mut dyn FnMut(),
) -> Result<Report, VerifyError> {
    let mut report = Report::default();
    let known = lines.meta.deviations.clone();
    let ruleset = lines.meta.ruleset.parse::<Ruleset>().map_err(|_| VerifyError::Variant {
        line: 1,
        variant: format!("Kriegspiel with the ruleset '{}'", lines.meta.ruleset),
    })?;
    for line in lines {
        verify_game(&line?, ruleset, &known, &mut report)?;
        progress();
    }
    Ok(report)
}

fn verify_game(
    line: &Line,
    ruleset: Ruleset,
    known: &[String],
    report: &mut Report,
) -> Result<(), VerifyError> {
    let mut state = match line.text("s")?.parse::<Board>() {
        Ok(start) => KriegspielState::new(ruleset, start),
        Err(error) => {
            report.checked += 1;
            report.disagree(format!("line {}, s: {error}", line.number));
            return Ok(());
        }
    };
    // What is said before the first turn, if the record tells.
    let first = tries_value(state.announcement().tries);
    if let Some(said) = line.value.get("n").filter(|&said| Some(said) != first.as_ref()) {
        report.disagree(format!("line {}, n: record {said}, ours {first:?}", line.number));
    }
    for entry in line.entries()? {
        let mut comparison = Comparison::new(entry, known);
        let attempt = match read_attempt(&state, entry)? {
            Ok(attempt) => attempt,
            Err(words) => {
                comparison.disagree(words);
                comparison.finish(report);
                return Ok(());
            }
        };
        if let Some(source) = entry.text("q")? {
            compare_offered(&state, source, &mut comparison);
        }
        let (answer, after) = state.attempt(attempt);
        let ply = Ply { known, before: &state, attempt, answer, after: &after };
        ply.compare(&mut comparison, entry)?;
        comparison.finish(report);
        state = after;
    }
    Ok(())
}

/// The attempt of an entry; in words, why there is none.
fn read_attempt(state: &KriegspielState, entry: Entry<'_>) -> Result<Result<Try, String>, VerifyError> {
    let side = if state.board().side() == Color::White { "w" } else { "b" };
    if let Some(source) = entry.text("s")?.filter(|&source| source != side) {
        return Ok(Err(format!("s: record {source}, ours {side}")));
    }
    let text = entry.text("t")?.ok_or_else(|| entry.wrong("t", "a move or any?"))?;
    Ok(text.parse().map_err(|error| format!("t: {error}")))
}

/// The tries offered to a player at the start of her turn. On the ICC, where nothing is nonsense, a source may
/// offer pawn captures that are announced not to be there.
fn compare_offered(state: &KriegspielState, source: &str, comparison: &mut Comparison<'_>) {
    let offered = offered(state);
    let mut possible = Vec::new();
    OwnMen::of(state.board(), state.board().side()).possible_tries(&mut possible);
    let accepted = source == offered || state.ruleset() == Ruleset::Icc && source == sorted(possible);
    if !accepted {
        comparison.disagree(format!("q: record {source}, ours {offered}"));
    }
}

/// The moves offered to the player to move, as data files list them.
pub(crate) fn offered(state: &KriegspielState) -> String {
    let mut tries = Vec::new();
    state.offered(&mut tries);
    sorted(tries.into_iter().filter(|&attempt| attempt != Try::Any))
}

/// The texts of moves as data files list them.
fn sorted(moves: impl IntoIterator<Item = impl ToString>) -> String {
    let mut texts: Vec<String> = moves.into_iter().map(|m| m.to_string()).collect();
    texts.sort_unstable();
    texts.join(" ")
}

/// One try and what came of it under our rules.
struct Ply<'g> {
    known: &'g [String],
    before: &'g KriegspielState,
    attempt: Try,
    answer: Answer,
    after: &'g KriegspielState,
}

impl Ply<'_> {
    fn compare(&self, comparison: &mut Comparison<'_>, entry: Entry<'_>) -> Result<(), VerifyError> {
        comparison.field("a", Some(self.answer.word().into()), |deviation, source| {
            source.and_then(Value::as_str).is_some_and(|source| self.answer_deviates(deviation, source))
        });
        match (self.attempt, self.answer) {
            (Try::Move(m), Answer::Made(announcement)) => {
                self.compare_announcement(m, &announcement, comparison, entry);
                self.compare_board(comparison, entry)?;
            }
            // Not every source says who hears a refusal.
            (_, Answer::Illegal | Answer::Nonsense) if entry.source("o").is_some() => {
                let heard = u8::from(self.before.ruleset().refusals_are_heard());
                comparison.field("o", Some(heard.into()), |_, _| false);
            }
            _ => {}
        }
        Ok(())
    }

    fn compare_announcement(
        &self,
        m: Move,
        announcement: &Announcement,
        comparison: &mut Comparison<'_>,
        entry: Entry<'_>,
    ) {
        let capture = announcement.capture;
        let square = capture.map(|capture| capture.square.to_string().into());
        comparison.field("c", square, |deviation, source| self.passing_deviates(deviation, m, source));
        let taken = capture.and_then(|capture| capture.taken).map(|taken| match taken {
            Taken::Pawn => "pawn".into(),
            Taken::Piece => "piece".into(),
        });
        comparison.field("ck", taken, |deviation, source| {
            source.is_none() && self.passing_deviates(deviation, m, source)
        });
        comparison.field("ep", None, |deviation, source| {
            source == Some(&1.into()) && self.passing_deviates(deviation, m, entry.source("c"))
        });
        comparison.field("pr", announcement.promotion.then(|| 1.into()), |_, _| false);
        self.compare_checks(announcement, comparison, entry);
        let end = announcement.end.map(|outcome| result_text(outcome).into());
        comparison.field("e", end, |deviation, source| self.end_deviates(deviation, source));
        let ours = tries_value(announcement.tries);
        comparison
            .field("n", ours, |deviation, source| self.tries_deviate(deviation, source, entry.source("e")));
    }

    /// A source that announces the end need not tell the checks as well.
    fn compare_checks(&self, announcement: &Announcement, comparison: &mut Comparison<'_>, entry: Entry<'_>) {
        let ended = entry.source("e").is_some() && entry.source("k").is_none();
        let never_says = self.known.iter().any(|name| name == "no-check-announced");
        if ended && !never_says && entry.correction("k").is_none() {
            return;
        }
        let kinds: Vec<&str> = announcement.checks.kinds().map(|kind| kind.word()).collect();
        let ours = (!kinds.is_empty()).then(|| kinds.into());
        comparison
            .field("k", ours, |deviation, source| deviation == "no-check-announced" && source.is_none());
    }

    /// The FEN without its en passant field: sources differ in when they write it.
    fn compare_board(&self, comparison: &mut Comparison<'_>, entry: Entry<'_>) -> Result<(), VerifyError> {
        let without_passing = |fen: &str| {
            fen.split(' ')
                .enumerate()
                .filter(|&(i, _)| i != 3)
                .map(|(_, field)| field.to_owned())
                .collect::<Vec<_>>()
        };
        let source = entry.text("f")?.unwrap_or_default();
        let ours = self.after.board().to_string();
        if without_passing(source) != without_passing(&ours) {
            comparison.disagree(format!("f: record {source}, ours {ours}"));
        }
        Ok(())
    }

    /// Whether a source with this deviation gives this answer where we give ours.
    fn answer_deviates(&self, deviation: &str, source: &str) -> bool {
        let (Try::Move(m), Ruleset::Rand { .. }) = (self.attempt, self.before.ruleset()) else {
            return false;
        };
        let refused_before = self.before.refused().contains(&m);
        match deviation {
            // A try that was refused before is nonsense.
            "answer-nonsense-for-illegal" => {
                refused_before && self.answer == Answer::Illegal && source == "nonsense"
            }
            // That a try cannot answer the announced check is no reason to call it nonsense.
            "answer-illegal-for-nonsense" => {
                let men = OwnMen::of(self.before.board(), self.before.board().side());
                let announced = self.before.announcement().tries.allow(m.from());
                let otherwise_sensible = men.is_possible(m) && (announced || !men.is_pawn_capture(m));
                otherwise_sensible
                    && !refused_before
                    && self.answer == Answer::Nonsense
                    && source == "illegal"
            }
            _ => false,
        }
    }

    /// Whether a source with this deviation tells the square of an en passant capture like this: not at all
    /// (OpenSpiel), or the square the pawn moves to (the package, English).
    fn passing_deviates(&self, deviation: &str, m: Move, source: Option<&Value>) -> bool {
        let passing = self.before.board().captured_by(m).is_some_and(|(square, _)| square != m.to());
        let told = match self.before.ruleset() {
            Ruleset::English => Some(m.to().to_string().into()),
            _ => None,
        };
        deviation == "ep-announcement" && passing && source == told.as_ref()
    }

    /// Whether a source with this deviation says this of the end where we say ours.
    fn end_deviates(&self, deviation: &str, source: Option<&Value>) -> bool {
        let board = self.after.board();
        let ended_by =
            |reason| source.is_none() && self.after.outcome().is_some_and(|outcome| outcome.reason == reason);
        match deviation {
            "end-rep" => ended_by(Reason::Repetition),
            "end-50" => ended_by(Reason::FiftyMoves),
            "end-mate" => ended_by(Reason::Mate),
            "end-stalemate" => ended_by(Reason::Stalemate),
            // Only what is dead by any rules is drawn.
            "end-material" => ended_by(Reason::Material) && !dead_material(board),
            // Dead material that the ICC plays on, or a clock of 50.
            "end-extra" => {
                self.after.outcome().is_none()
                    && match source.and_then(Value::as_str) {
                        Some("draw material") => dead_material(board),
                        Some("draw") => board.clock() >= 50,
                        _ => false,
                    }
            }
            _ => false,
        }
    }

    /// Whether a source with this deviation says this of pawn captures where we say ours: it counts a capture
    /// that promotes four times, or goes on where we have ended, or has ended where we go on.
    fn tries_deviate(&self, deviation: &str, source: Option<&Value>, end: Option<&Value>) -> bool {
        let captures = self.after.pawn_captures();
        let promoting = captures.pairs().filter(|(_, to)| matches!(to.rank(), Rank::First | Rank::Eighth));
        let counted_four_times = tries_value(match PawnTries::of(self.after.ruleset(), captures) {
            PawnTries::Count(count) => PawnTries::Count(count + 3 * promoting.count() as u8),
            tries => tries,
        });
        let counted_once = tries_value(PawnTries::of(self.after.ruleset(), captures));
        match deviation {
            "promotion-tries-x4" => self.after.outcome().is_none() && counted_four_times.as_ref() == source,
            _ if !self.end_deviates(deviation, end) => false,
            "end-extra" => source.is_none(),
            _ if self.known.iter().any(|name| name == "promotion-tries-x4") => {
                counted_four_times.as_ref() == source
            }
            _ => counted_once.as_ref() == source,
        }
    }
}

/// What is said of pawn captures, as data files write it.
pub(crate) fn tries_value(tries: PawnTries) -> Option<Value> {
    match tries {
        PawnTries::Unsaid => None,
        PawnTries::Count(count) => Some(count.into()),
        PawnTries::Fact(fact) => Some(fact.into()),
        PawnTries::From(squares) => Some(square_names(squares).into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::records::verify::verify;

    const PASSING: &str = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    const PASSED: &str = "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2";
    const FILE_CHECK: &str = "4k3/8/8/8/8/8/P3r3/4K3 w - - 0 1";
    const PROMOTING: &str = "3r2k1/4P3/8/8/8/8/7K/8 b - - 0 1";
    const PROMOTING_NEXT: &str = "3r3k/4P3/8/8/8/8/7K/8 w - - 1 2";

    /// Checked, disagreements and deviations of one game with these entries.
    fn counts(ruleset: &str, known: &str, start: &str, entries: &str) -> (usize, usize, usize) {
        let meta = format!(
            r#"{{"meta":{{"variant":"kriegspiel","ruleset":"{ruleset}","deviations":[{{"id":"{known}"}}]}}}}"#
        );
        let text = format!("{meta}\n{{\"s\":\"{start}\",\"p\":[{entries}]}}\n");
        let report = verify(text.as_bytes(), &mut || ()).unwrap();
        (report.checked, report.disagreements, report.deviations)
    }

    /// Ruleset, deviation, position, an entry that deviates so, and one that deviates otherwise.
    #[test]
    fn a_deviation_is_excused_only_where_it_is_that_deviation() {
        let made = |m: &str, rest: &str, fen: &str| format!(r#"{{"t":"{m}","a":"ok",{rest}"f":"{fen}"}}"#);
        let answer = |m: &str, word: &str| format!(r#"{{"t":"{m}","a":"{word}","o":1}}"#);
        let knights = "8/8/3k4/8/3n4/2p5/8/3NK3 w - - 0 1";
        let knights_after = "8/8/3k4/8/3n4/2N5/8/4K3 b - - 0 1";
        let bishops = "3b4/8/1b1k4/8/8/2p5/3K4/8 w - - 0 1";
        let bishops_after = "3b4/8/1b1k4/8/8/2K5/8/8 b - - 0 1";
        let rook = "4k3/8/8/8/8/8/8/R3K3 w - - 49 60";
        let rook_after = "4k3/8/8/8/8/8/8/1R2K3 b - - 50 60";
        for (ruleset, known, start, right, wrong) in [
            (
                "english",
                "ep-announcement",
                PASSING,
                made("d4e3", r#""c":"e3","ep":1,"#, PASSED),
                made("d4e3", r#""c":"d4","ep":1,"#, PASSED),
            ),
            (
                "icc",
                "ep-announcement",
                PASSING,
                made("d4e3", r#""n":0,"#, PASSED),
                made("d4e3", r#""n":0,"c":"e3","ck":"pawn","#, PASSED),
            ),
            (
                "rand",
                "answer-illegal-for-nonsense",
                FILE_CHECK,
                answer("a2a3", "illegal"),
                answer("a2b3", "illegal"),
            ),
            (
                "rand",
                "answer-nonsense-for-illegal",
                FILE_CHECK,
                [answer("e1f2", "illegal"), answer("e1f2", "nonsense")].join(","),
                answer("e1f2", "nonsense"),
            ),
            (
                "icc",
                "end-material",
                knights,
                made("d1c3", r#""c":"c3","ck":"pawn","n":0,"#, knights_after),
                made("d1c3", r#""c":"c3","ck":"pawn","e":"draw rep","#, knights_after),
            ),
            (
                "icc",
                "end-extra",
                bishops,
                made("d2c3", r#""c":"c3","ck":"pawn","e":"draw material","#, bishops_after),
                made("d2c3", r#""c":"c3","ck":"pawn","e":"draw","#, bishops_after),
            ),
            (
                "icc",
                "end-extra",
                rook,
                made("a1b1", r#""e":"draw","#, rook_after),
                made("a1b1", r#""e":"draw material","#, rook_after),
            ),
            (
                "icc",
                "end-50",
                "4k3/8/8/8/8/8/8/R3K3 w - - 99 60",
                made("a1b1", r#""n":0,"#, "4k3/8/8/8/8/8/8/1R2K3 b - - 100 60"),
                made("a1b1", r#""n":1,"#, "4k3/8/8/8/8/8/8/1R2K3 b - - 100 60"),
            ),
            (
                "icc",
                "promotion-tries-x4",
                PROMOTING,
                made("g8h8", r#""n":4,"#, PROMOTING_NEXT),
                made("g8h8", r#""n":3,"#, PROMOTING_NEXT),
            ),
            (
                "icc",
                "no-check-announced",
                "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
                made("h1h8", r#""n":0,"#, "4k2R/8/8/8/8/8/8/4K3 b - - 1 1"),
                made("h1h8", r#""n":0,"k":["file"],"#, "4k2R/8/8/8/8/8/8/4K3 b - - 1 1"),
            ),
        ] {
            let entries = right.matches(r#""t":"#).count();
            assert_eq!(counts(ruleset, known, start, &right), (entries, 0, 1), "{known} {right}");
            assert_eq!(counts(ruleset, "other", start, &right), (entries, 1, 0), "{known} {right}");
            assert_eq!(counts(ruleset, known, start, &wrong).1, 1, "{known} {wrong}");
        }
    }

    #[test]
    fn what_cannot_be_replayed_disagrees_and_an_unknown_ruleset_is_an_error() {
        let start = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        for entry in [
            r#"{"s":"b","t":"e8e7","a":"ok"}"#,
            r#"{"s":"w","t":"e9e7","a":"ok"}"#,
            r#"{"s":"w","t":"any?","a":"no"}"#,
            r#"{"s":"w","q":"a1a2","t":"a1a9","a":"illegal"}"#,
            r#"{"s":"w","q":"a1a2","t":"e1e3","a":"illegal","o":0}"#,
            r#"{"s":"w","t":"e1e3","a":"illegal","o":1}"#,
        ] {
            assert_eq!(counts("icc", "none", start, entry), (1, 1, 0), "{entry}");
        }
        let text = r#"{"meta":{"variant":"kriegspiel","ruleset":"berkeley"}}"#;
        let error = verify(text.as_bytes(), &mut || ()).unwrap_err().to_string();
        assert_eq!(error, "line 1: records of Kriegspiel with the ruleset 'berkeley' cannot be checked");
    }
}
