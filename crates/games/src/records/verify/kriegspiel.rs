//! Playouts of Kriegspiel by other programs, replayed try by try.

use serde_json::Value;
use std::collections::BTreeSet;

use super::{Comparison, Report, VerifyError, result_text};
use crate::chess::{Board, Color, Move, OwnPieces, Piece, Rank, diagonally_ahead};
use crate::kriegspiel::{
    Announcement, Answer, KriegspielState, PawnTries, Ruleset, Taken, Try, dead_material, square_names,
};
use crate::outcome::Reason;
use crate::records::json_lines::{Entry, Line, Meta};

/// The programs whose playouts we have. A deviation of the same name need not be the same in both.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Program {
    OpenSpiel,
    /// The Python package kriegspiel.
    Package,
}

pub(super) fn verify_game(
    line: &Line,
    start: Board,
    meta: &Meta,
    report: &mut Report,
) -> Result<(), VerifyError> {
    let open_spiel = meta.source.starts_with("open_spiel");
    let program = if open_spiel { Program::OpenSpiel } else { Program::Package };
    let ruleset = meta.ruleset.parse::<Ruleset>().map_err(|_| VerifyError::Variant {
        line: 1,
        variant: format!("Kriegspiel with the ruleset '{}'", meta.ruleset),
    })?;
    let mut state = KriegspielState::new(ruleset, start);
    let mut boards = vec![start];
    // What is said before the first turn, if the record tells.
    let first = tries_value(state.announcement().tries);
    if let Some(said) = line.value.get("n").filter(|&said| Some(said) != first.as_ref()) {
        report.disagree(format!("line {}, n: record {said}, ours {first:?}", line.number));
    }
    for entry in line.entries()? {
        let mut comparison = Comparison::new(entry, &meta.deviations);
        let attempt = match read_attempt(&state, entry)? {
            Ok(attempt) => attempt,
            Err(words) => {
                comparison.disagree(words);
                comparison.finish(report);
                return Ok(());
            }
        };
        let (answer, after) = state.attempt(attempt);
        if let (Try::Move(m), Answer::Made(_)) = (attempt, answer) {
            boards.push(state.board().play(m));
        }
        let ply = Ply { program, boards: &boards, before: &state, attempt, answer, after: &after };
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

/// The moves offered to the player to move, as data files list them.
pub(crate) fn offered(state: &KriegspielState) -> Value {
    let mut tries = Vec::new();
    state.offered(&mut tries);
    sorted(tries.into_iter().filter_map(|attempt| match attempt {
        Try::Move(m) => Some(m),
        Try::Any => None,
    }))
}

/// The texts of moves as data files list them, each once.
fn sorted(moves: impl IntoIterator<Item = Move>) -> Value {
    let texts: BTreeSet<String> = moves.into_iter().map(|m| m.to_string()).collect();
    Vec::from_iter(texts).join(" ").into()
}

/// The possible tries of the side to move.
fn possible(board: &Board) -> Vec<Move> {
    let mut tries = Vec::new();
    OwnPieces::of(board, board.side()).possible_tries(&mut tries);
    tries
}

/// The en passant captures of the side to move, whatever becomes of its king.
fn passing_captures(board: &Board) -> Vec<Move> {
    let Some(passed) = board.en_passant() else { return Vec::new() };
    let [left, right] = diagonally_ahead(passed.bitboard(), !board.side());
    let takers = (left | right) & board.men(board.side(), Piece::Pawn);
    takers.into_iter().map(|taker| Move::new(taker, passed)).collect()
}

/// One try and what came of it under our rules.
struct Ply<'g> {
    program: Program,
    /// All positions so far, each with the en passant square wherever a pawn stands ready to take there,
    /// legally or not. The last is that of `after`.
    boards: &'g [Board],
    before: &'g KriegspielState,
    attempt: Try,
    answer: Answer,
    after: &'g KriegspielState,
}

impl Ply<'_> {
    fn compare(&self, comparison: &mut Comparison<'_>, entry: Entry<'_>) -> Result<(), VerifyError> {
        if entry.source("q").is_some() {
            self.compare_offered(comparison);
        }
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

    /// The en passant captures of the player to move before the try, legal or not.
    fn passing_captures(&self) -> Vec<Move> {
        let made = usize::from(matches!(self.answer, Answer::Made(_)));
        self.boards.iter().rev().nth(made).map(passing_captures).unwrap_or_default()
    }

    /// The tries offered to a player at the start of her turn: by OpenSpiel all that are possible, whatever was
    /// announced.
    fn compare_offered(&self, comparison: &mut Comparison<'_>) {
        let mut offered = possible(self.before.board());
        if self.program == Program::Package {
            let mut sensible = Vec::new();
            self.before.offered(&mut sensible);
            offered.retain(|&m| sensible.contains(&Try::Move(m)));
        }
        comparison.field("q", Some(sorted(offered.iter().copied())), |deviation, source| {
            let more = offered.iter().copied().chain(self.passing_captures());
            deviation == "ep-offered" && self.program == Program::Package && source == Some(&sorted(more))
        });
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

    /// With a mate the package tells no checks. Nor does it with a draw by material, but not every file owns up
    /// to that.
    fn compare_checks(&self, announcement: &Announcement, comparison: &mut Comparison<'_>, entry: Entry<'_>) {
        let owns_up = comparison.known.iter().any(|name| name == "draw-kinds");
        let may_be_silent = match entry.source("e").and_then(Value::as_str) {
            Some("1-0 mate" | "0-1 mate") => true,
            Some("draw material") => !owns_up,
            _ => false,
        };
        let silent = entry.source("k").is_none() && entry.correction("k").is_none();
        if self.program == Program::Package && may_be_silent && silent {
            return;
        }
        let kinds: Vec<&str> = announcement.checks.kinds().map(|kind| kind.word()).collect();
        let ours = (!kinds.is_empty()).then(|| kinds.into());
        comparison.field("k", ours, |deviation, source| {
            let deviates = match deviation {
                "no-check-announced" => self.program == Program::OpenSpiel,
                "draw-kinds" => {
                    self.program == Program::Package && self.source_end() == Some("draw material".into())
                }
                _ => false,
            };
            deviates && source.is_none()
        });
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
        let Try::Move(m) = self.attempt else { return false };
        let rand = matches!(self.before.ruleset(), Ruleset::Rand { .. });
        let refused_before = self.before.refused().contains(&m);
        match (deviation, self.answer, source) {
            // A try that was refused before is nonsense.
            ("answer-nonsense-for-illegal", Answer::Illegal, "nonsense") => rand && refused_before,
            // That a try cannot answer the announced check is no reason to call it nonsense.
            ("answer-illegal-for-nonsense", Answer::Nonsense, "illegal") => {
                let men = OwnPieces::of(self.before.board(), self.before.board().side());
                let announced = self.before.announcement().tries.allow(m.from());
                let otherwise_sensible = men.is_possible(m) && (announced || !men.is_pawn_capture(m));
                rand && otherwise_sensible && !refused_before
            }
            // Nor is it nonsense to take en passant, announced or not.
            ("ep-offered", Answer::Nonsense, "illegal") => {
                self.program == Program::Package && !refused_before && self.passing_captures().contains(&m)
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

    /// What the source says of the end, by its own rules. (OpenSpiel says no more than "draw". The package's
    /// draw at a clock of 2000 is too far away.)
    fn source_end(&self) -> Option<Value> {
        let board = self.after.board();
        let ours = self.after.outcome();
        let stuck = ours.filter(|outcome| matches!(outcome.reason, Reason::Mate | Reason::Stalemate));
        match (self.program, stuck) {
            (Program::Package, Some(outcome)) => Some(result_text(outcome).into()),
            (Program::Package, None) => dead_material(board).then(|| "draw material".into()),
            // A player without a legal move has to find out by trying.
            (Program::OpenSpiel, Some(outcome)) if possible(board).is_empty() => {
                Some(result_text(outcome).into())
            }
            (Program::OpenSpiel, _) => {
                // An en passant capture makes another position of it, even if it is not legal.
                let key = self.boards.last().map(Board::key);
                let times = self.boards.iter().filter(|earlier| Some(earlier.key()) == key).count();
                (dead_material(board) || times >= 3 || board.clock() >= 50).then(|| "draw".into())
            }
        }
    }

    /// Whether a source with this deviation says this of the end where we say ours.
    fn end_deviates(&self, deviation: &str, source: Option<&Value>) -> bool {
        let cause = match self.after.outcome().map(|outcome| outcome.reason) {
            None => "end-extra",
            Some(Reason::Mate) => "end-mate",
            Some(Reason::Stalemate) => "end-stalemate",
            Some(Reason::Material) => "end-material",
            Some(Reason::Repetition) => "end-rep",
            Some(Reason::FiftyMoves) => "end-50",
            Some(_) => return false,
        };
        deviation == cause && source == self.source_end().as_ref()
    }

    /// Whether a source with this deviation says this of pawn captures where we say ours: it counts a capture
    /// that promotes four times, or goes on where we have ended, or has ended where we go on.
    fn tries_deviate(&self, deviation: &str, source: Option<&Value>, end: Option<&Value>) -> bool {
        let captures = self.after.pawn_captures();
        let promoting = captures.pairs().filter(|(_, to)| matches!(to.rank(), Rank::First | Rank::Eighth));
        let counted = match PawnTries::of(self.after.ruleset(), captures) {
            PawnTries::Count(count) if self.program == Program::OpenSpiel => {
                PawnTries::Count(count + 3 * promoting.count() as u8)
            }
            tries => tries,
        };
        let applies = match deviation {
            "promotion-tries-x4" => self.after.outcome().is_none(),
            _ => self.end_deviates(deviation, end),
        };
        let told = if end.is_some() { None } else { tries_value(counted) };
        applies && source == told.as_ref()
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
    use crate::chess::{Board, Move};
    use crate::records::verify::verify;

    /// Checked, disagreements and deviations of one game with these entries: of OpenSpiel (`spiel`), or of the
    /// package under this ruleset.
    fn counts(source: &str, known: &str, start: &str, entries: &str) -> (usize, usize, usize) {
        let (program, ruleset) =
            if source == "spiel" { ("open_spiel", "icc") } else { ("kriegspiel", source) };
        let ids: Vec<String> = known.split(' ').map(|id| format!(r#"{{"id":"{id}"}}"#)).collect();
        let meta = format!(
            r#"{{"meta":{{"variant":"kriegspiel","ruleset":"{ruleset}","source":"{program}","deviations":[{}]}}}}"#,
            ids.join(",")
        );
        let text = format!("{meta}\n{{\"s\":\"{start}\",\"p\":[{entries}]}}\n");
        let report = verify(text.as_bytes(), &mut || ()).unwrap();
        (report.checked, report.disagreements, report.deviations)
    }

    /// Entries of moves that are made; of the last one `said` is told, of the others that no pawn can take.
    fn made(start: &str, moves: &str, said: &str) -> String {
        let mut board: Board = start.parse().unwrap();
        let moves: Vec<&str> = moves.split(' ').collect();
        let entries = moves.iter().enumerate().map(|(i, m)| {
            board.make(m.parse::<Move>().unwrap());
            let said = if i + 1 == moves.len() { said } else { r#""n":0"# };
            format!(r#"{{"t":"{m}","a":"ok","f":"{board}",{said}}}"#)
        });
        entries.collect::<Vec<_>>().join(",")
    }

    /// Source, deviations, position, moves, what a source that deviates so says of the last, and what not.
    #[test]
    fn what_is_said_of_a_move_deviates_only_as_it_is_known_to() {
        let passing = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
        let knights = "8/8/3k4/8/3n4/2p5/8/3NK3 w - - 0 1";
        let bishops = "3b4/8/1b1k4/8/8/2p5/3K4/8 w - - 0 1";
        let check = "8/8/5k2/8/3p4/8/1B6/4K3 w - - 0 1";
        let long = r#""c":"d4","e":"draw material","x":{"k":["long"],"d":["draw-kinds"]}"#;
        let rook = |clock: u8| format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 60");
        let to_and_fro = "a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a1 e7e8";
        // After d7d5 the king on a5 forbids e5xd6. For OpenSpiel that position is unlike those that follow.
        let pinned = "6k1/3p4/8/K3P2r/8/8/8/8 b - - 0 1";
        let again = "d7d5 a5a4 g8g7 a4a5 g7g8 a5a4 g8g7 a4a5 g7g8";
        let mate = |clock: u8| format!("7k/R7/8/8/8/8/8/1R4K1 w - - {clock} 60");
        let mate_ids = "end-extra end-mate no-check-announced";
        let right =
            r#""x":{"e":"1-0 mate","k":["rank"],"n":null,"d":["end-extra","end-mate","no-check-announced"]}"#;
        let [drawn, goes_on] = [r#""e":"draw""#, r#""n":0"#].map(|said| format!("{said},{right}"));
        for (source, known, start, moves, said, unsaid) in [
            ("english", "ep-announcement", passing, "d4e3", r#""c":"e3","ep":1"#, r#""c":"d4","ep":1"#),
            ("spiel", "ep-announcement", passing, "d4e3", r#""n":0"#, r#""n":0,"c":"e3","ck":"pawn""#),
            ("icc", "end-50", &rook(99), "a1b1", r#""n":0"#, r#""n":1"#),
            ("icc", "end-rep", &rook(0), to_and_fro, r#""n":0"#, r#""e":"draw""#),
            ("spiel", "end-rep", pinned, again, r#""n":0"#, r#""e":"draw""#),
            (
                "icc",
                "end-material",
                knights,
                "d1c3",
                r#""c":"c3","ck":"pawn","n":0"#,
                r#""c":"c3","ck":"pawn","e":"draw rep""#,
            ),
            (
                "icc",
                "end-extra",
                bishops,
                "d2c3",
                r#""c":"c3","ck":"pawn","e":"draw material""#,
                r#""c":"c3","ck":"pawn","e":"draw""#,
            ),
            (
                "spiel",
                "end-extra",
                bishops,
                "d2c3",
                r#""c":"c3","ck":"pawn","e":"draw""#,
                r#""c":"c3","ck":"pawn","e":"draw material""#,
            ),
            ("spiel", "end-extra", &rook(49), "a1b1", r#""e":"draw""#, r#""e":"draw material""#),
            ("spiel", mate_ids, &mate(49), "b1b8", &drawn, &goes_on),
            ("spiel", mate_ids, &mate(48), "b1b8", &goes_on, &drawn),
            ("spiel", "end-stalemate", "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7", r#""n":0"#, r#""e":"draw""#),
            (
                "spiel",
                "promotion-tries-x4",
                "3r2k1/4P3/8/8/8/8/7K/8 b - - 0 1",
                "g8h8",
                r#""n":4"#,
                r#""n":3"#,
            ),
            (
                "spiel",
                "no-check-announced",
                "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
                "h1h8",
                r#""n":0"#,
                r#""n":0,"k":["file"]"#,
            ),
            ("english", "draw-kinds", check, "b2d4", long, r#""c":"d4","e":"draw material","k":["rank"]"#),
        ] {
            let entries = made(start, moves, said);
            let plies = moves.split(' ').count();
            assert_eq!(counts(source, known, start, &entries), (plies, 0, 1), "{known} {said}");
            assert_eq!(counts(source, "other", start, &entries), (plies, 1, 0), "{known} {said}");
            let entries = made(start, moves, unsaid);
            assert_eq!(counts(source, known, start, &entries), (plies, 1, 0), "{known} {unsaid}");
        }
        // What the package never sees, OpenSpiel does.
        let entries = made(&rook(0), to_and_fro, r#""n":0"#);
        assert_eq!(counts("spiel", "end-rep", &rook(0), &entries), (8, 1, 0));
        // Not every file admits to `draw-kinds`.
        let entries = made(check, "b2d4", r#""c":"d4","e":"draw material""#);
        assert_eq!(counts("english", "other", check, &entries), (1, 0, 0));
    }

    /// Ruleset, deviation, position, tries with a source's answers of which the last deviates so, and of which
    /// the last deviates otherwise.
    #[test]
    fn an_answer_deviates_only_as_it_is_known_to() {
        let check = "4k3/8/8/8/8/8/P3r3/4K3 w - - 0 1";
        let exposing = "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1";
        let entries = |answers: &str| {
            let answers = answers.split(' ').map(|answer| {
                let (m, word) = answer.split_once(':').unwrap();
                format!(r#"{{"t":"{m}","a":"{word}","o":1}}"#)
            });
            answers.collect::<Vec<_>>().join(",")
        };
        let offers = |captures: &str| {
            format!(r#"{{"q":"a5a4 a5a6 a5b4 a5b5 a5b6 {captures}e5e6","t":"e5e7","a":"nonsense","o":1}}"#)
        };
        for (ruleset, known, start, right, wrong) in [
            ("rand", "answer-illegal-for-nonsense", check, entries("a2a3:illegal"), entries("a2b3:illegal")),
            (
                "rand",
                "answer-nonsense-for-illegal",
                check,
                entries("e1f2:illegal e1f2:nonsense"),
                entries("e1f2:nonsense"),
            ),
            ("rand", "ep-offered", exposing, entries("e5d6:illegal"), entries("e5f6:illegal")),
            ("cincinnati", "ep-offered", exposing, entries("e5d6:illegal"), entries("e5e7:illegal")),
            ("cincinnati", "ep-offered", exposing, offers("e5d6 "), offers("e5d6 e5f6 ")),
            ("rand", "ep-offered", exposing, offers("e5d6 "), offers("e5f6 ")),
        ] {
            let tries = right.matches(r#""t":"#).count();
            assert_eq!(counts(ruleset, known, start, &right), (tries, 0, 1), "{known} {right}");
            assert_eq!(counts(ruleset, "other", start, &right), (tries, 1, 0), "{known} {right}");
            assert_eq!(counts(ruleset, known, start, &wrong), (1, 1, 0), "{known} {wrong}");
        }
        assert_eq!(counts("rand", "other", exposing, &offers("")), (1, 0, 0));
        // When it comes again, it is nonsense for the package too.
        let again = entries("e5d6:illegal e5d6:nonsense");
        assert_eq!(counts("cincinnati", "ep-offered", exposing, &again), (2, 0, 1));
        // A second question is turned away.
        let asked = r#"{"t":"any?","a":"no"},{"t":"any?","a":"refused"},{"t":"any?","a":"no"}"#;
        assert_eq!(counts("english", "other", exposing, asked), (3, 1, 0));
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
            r#"{"s":"w","t":"a1a2","a":"ok","n":0,"f":"4k3/8/8/8/8/8/R7/4K3 b - - 0 1"}"#,
        ] {
            assert_eq!(counts("icc", "none", start, entry), (1, 1, 0), "{entry}");
        }
        let meta = r#"{"meta":{"variant":"kriegspiel","ruleset":"berkeley"}}"#;
        let text = format!("{meta}\n{{\"s\":\"{start}\",\"p\":[]}}\n");
        let error = verify(text.as_bytes(), &mut || ()).unwrap_err().to_string();
        assert_eq!(error, "line 1: records of Kriegspiel with the ruleset 'berkeley' cannot be checked");
    }
}
