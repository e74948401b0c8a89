//! The recorded playouts of independent programs in `oracles/`, replayed under our rules, and each known
//! deviation of a source as a position that shows what is right.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::File;
use std::path::Path;

use scuro_games::chess::Color;
use scuro_games::fog::{FogState, View};
use scuro_games::kriegspiel::{
    Announcement, Answer, CheckKind, KriegspielState, PawnTries, Taken, Told, Try,
};
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::rbc::{Rbc, RbcError};
use scuro_games::records::verify::{Report, verify};

fn replay(name: &str) -> Report {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles").join(name);
    verify(File::open(file).unwrap(), &mut || ()).unwrap()
}

/// File, entries, and entries in which the source deviates from the rules as it is known to.
#[test]
fn all_playouts_agree() {
    for (name, entries, deviations) in [
        ("fog_pyffish", 15_800, 122),
        ("fog_openspiel", 15_836, 66),
        ("kriegspiel_pypi_icc", 6_131, 54),
        ("kriegspiel_pypi_cincinnati", 6_023, 46),
        ("kriegspiel_pypi_rand", 5_906, 308),
        ("kriegspiel_pypi_english", 7_821, 47),
        ("kriegspiel_openspiel_icc", 5_385, 439),
        ("rbc_reconchess", 6_363, 0),
    ] {
        let report = replay(&format!("{name}.jsonl.gz"));
        assert_eq!(report.kept, [""; 0], "{name}");
        assert_eq!(
            (report.checked, report.disagreements, report.deviations),
            (entries, 0, deviations),
            "{name}"
        );
    }
}

/// pyffish, `ep-victim-hidden`: the pawn that can be taken en passant has to be seen.
#[test]
fn the_pawn_to_be_taken_en_passant_is_seen() {
    let view = View::of(&"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1".parse().unwrap(), Color::Black);
    assert!(view.man_on("e4".parse().unwrap()).is_some());
}

/// OpenSpiel, and pyffish unless told otherwise, `stalemate-draw`: a side without a move has lost.
#[test]
fn a_side_without_a_move_loses() {
    let state = FogState::new("8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1".parse().unwrap());
    assert_eq!(state.outcome(), Some(Outcome::win(Color::Black, Reason::NoMove)));
}

/// OpenSpiel, `pusher-sees-ep`: the side that stepped twice does not see the square it stepped over.
#[test]
fn the_side_that_stepped_gains_no_square() {
    let state =
        FogState::new("4k3/8/8/8/3p4/8/3PP3/4K3 w - - 0 1".parse().unwrap()).play("e2e4".parse().unwrap());
    let view = View::of(state.board(), Color::White);
    assert!(!view.lit().has("e3".parse().unwrap()));
}

/// pyffish, `draw-optional`: repetition and fifty moves end the game without a claim.
#[test]
fn draws_need_no_claim() {
    let fifty =
        FogState::new("4k3/8/8/8/8/8/8/3QK3 w - - 99 80".parse().unwrap()).play("d1d2".parse().unwrap());
    assert_eq!(fifty.outcome(), Some(Outcome::draw(Reason::FiftyMoves)));
}

const RULESETS: [&str; 4] = ["icc", "cincinnati", "rand", "english"];

/// The state after these tries, and the answer to the last.
fn tried(ruleset: &str, fen: &str, tries: &str) -> (KriegspielState, Answer) {
    let mut state = KriegspielState::new(ruleset.parse().unwrap(), fen.parse().unwrap());
    let mut take = |attempt: &str| state.take(attempt.parse().unwrap());
    let answer = tries.split(' ').map(&mut take).last().unwrap();
    (state, answer)
}

/// What is announced after these moves.
fn said(ruleset: &str, fen: &str, moves: &str) -> Announcement {
    match tried(ruleset, fen, moves) {
        (_, Answer::Made(announcement)) => announcement,
        (_, answer) => panic!("{moves} is answered with {}", answer.word()),
    }
}

/// How the game ends after these moves.
fn end(ruleset: &str, fen: &str, moves: &str) -> Option<Outcome> {
    said(ruleset, fen, moves).end
}

fn kinds(announcement: &Announcement) -> Vec<CheckKind> {
    announcement.checks.kinds().collect()
}

/// The package, `ep-offered`: an en passant capture that exposes the king is no capture at all.
#[test]
fn en_passant_that_exposes_the_king_is_neither_announced_nor_offered() {
    let fen = "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1";
    for (ruleset, word) in RULESETS.into_iter().zip(["illegal", "nonsense", "nonsense", "illegal"]) {
        let state = KriegspielState::new(ruleset.parse().unwrap(), fen.parse().unwrap());
        let mut offered = Vec::new();
        state.offered(&mut offered);
        // In English nothing is announced that could rule it out.
        assert_eq!(offered.contains(&"e5d6".parse::<Try>().unwrap()), ruleset == "english", "{ruleset}");
        assert_eq!(tried(ruleset, fen, "e5d6").1.word(), word, "{ruleset}");
    }
}

/// The package, `answer-illegal-for-nonsense`: what cannot answer the announced check is nonsense under RAND.
#[test]
fn a_try_that_cannot_answer_the_check_is_nonsense() {
    assert_eq!(tried("rand", "4k3/8/8/8/8/8/P3r3/4K3 w - - 0 1", "a2a3").1, Answer::Nonsense);
}

/// The package, `answer-nonsense-for-illegal`: under RAND a refused try is refused again in the same words.
#[test]
fn a_repeated_try_gets_the_same_answer() {
    assert_eq!(tried("rand", "4k3/8/8/8/8/4r3/4P3/4K3 w - - 0 1", "e2e3 e2e3").1, Answer::Illegal);
}

/// Both, `ep-announcement`: a capture en passant is a capture, on the square of the taken pawn.
#[test]
fn en_passant_is_announced_with_the_square_of_the_pawn() {
    for ruleset in RULESETS {
        let capture = said(ruleset, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3").capture.unwrap();
        let taken = (ruleset != "english").then_some(Taken::Pawn);
        assert_eq!((capture.square.to_string().as_str(), capture.taken), ("e4", taken), "{ruleset}");
    }
}

/// Both, `end-rep`: the third occurrence is a draw, and an en passant capture that is not legal makes no
/// other position.
#[test]
fn the_third_occurrence_is_a_draw() {
    for (fen, moves) in [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a1 e7e8"),
        ("6k1/3p4/8/K3P2r/8/8/8/8 b - - 0 1", "d7d5 a5a4 g8g7 a4a5 g7g8 a5a4 g8g7 a4a5 g7g8"),
    ] {
        for ruleset in RULESETS {
            assert_eq!(end(ruleset, fen, moves), Some(Outcome::draw(Reason::Repetition)), "{ruleset} {fen}");
        }
    }
}

/// The package, `end-50`, and OpenSpiel, `end-extra`: a draw at a clock of 100, not of 50, and never with a mate.
#[test]
fn fifty_moves_are_a_hundred_plies() {
    let fifty = Some(Outcome::draw(Reason::FiftyMoves));
    let mate = Some(Outcome::win(Color::White, Reason::Mate));
    for ruleset in RULESETS {
        for (clock, drawn) in [(49, None), (98, None), (99, fifty)] {
            let fen = format!("4k3/8/8/8/8/8/8/3QK3 w - - {clock} 80");
            assert_eq!(end(ruleset, &fen, "d1d2"), drawn, "{ruleset} {clock}");
            let fen = format!("7k/R7/8/8/8/8/8/1R4K1 w - - {clock} 80");
            assert_eq!(end(ruleset, &fen, "b1b8"), mate, "{ruleset} {clock}");
        }
    }
}

/// Both, `end-material` and `end-extra`: on the ICC a minor piece a side is drawn, and no more than that.
#[test]
fn on_the_icc_one_minor_piece_a_side_is_a_draw() {
    let draw = Some(Outcome::draw(Reason::Material));
    for (fen, moves, icc, others) in [
        ("8/8/3k4/8/3n4/2p5/8/3NK3 w - - 0 1", "d1c3", draw, None),
        ("8/7b/2N5/4K3/b7/4k3/8/8 b - - 0 1", "a4c6", None, draw),
    ] {
        for ruleset in RULESETS {
            let right = if ruleset == "icc" { icc } else { others };
            assert_eq!(end(ruleset, fen, moves), right, "{ruleset} {fen}");
        }
    }
}

/// The package, `draw-kinds` and `mate-kinds`: a check is announced even if the game ends.
#[test]
fn checks_are_announced_with_the_end() {
    for (fen, moves, kind) in [
        ("8/8/5k2/8/3p4/8/1B6/4K3 w - - 0 1", "b2d4", CheckKind::Long),
        ("7k/R7/8/8/8/8/8/1R4K1 w - - 0 1", "b1b8", CheckKind::Rank),
    ] {
        for ruleset in RULESETS {
            let said = said(ruleset, fen, moves);
            assert_eq!((kinds(&said), said.end.is_some()), (vec![kind], true), "{ruleset} {fen}");
        }
    }
}

/// OpenSpiel, `no-check-announced`.
#[test]
fn checks_are_announced() {
    let said = said("icc", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1h8");
    assert_eq!(kinds(&said), [CheckKind::Rank]);
}

/// OpenSpiel, `promotion-tries-x4`: a capture that promotes counts once.
#[test]
fn a_capture_that_promotes_is_one_try() {
    let said = said("icc", "3r4/4P1k1/8/8/8/8/8/4K2R b - - 0 1", "g7g6");
    assert_eq!(said.tries, PawnTries::Count(1));
}

/// OpenSpiel, `end-mate` and `end-stalemate`: the game ends at once, tries or no tries.
#[test]
fn mate_and_stalemate_end_the_game_at_once() {
    let mate = end("icc", "7k/R7/8/8/8/8/8/1R4K1 w - - 0 1", "b1b8");
    assert_eq!(mate, Some(Outcome::win(Color::White, Reason::Mate)));
    let stalemate = end("icc", "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7");
    assert_eq!(stalemate, Some(Outcome::draw(Reason::Stalemate)));
}

/// OpenSpiel, `heard`: on the ICC the opponent does not hear of a refused try.
#[test]
fn on_the_icc_a_refusal_is_private() {
    for ruleset in RULESETS {
        let (state, answer) = tried(ruleset, "4k3/8/8/8/8/4r3/4P3/4K3 w - - 0 1", "e2e3");
        assert_eq!(answer, Answer::Illegal);
        let refusal = Some(Told::Refused { nonsense: false });
        assert_eq!(state.told(Color::White), refusal);
        assert_eq!(state.told(Color::Black), refusal.filter(|_| ruleset != "icc"), "{ruleset}");
    }
}

/// reconchess is the law where the paper says less or something else: `sense-edge`, `no-sense`, `bad-request`,
/// `limits`, `resign`. (`increment` is a matter of clocks.)
#[test]
fn reconnaissance_is_played_as_the_reference_implementation_does() {
    let rules = Rbc { full_turn_limit: Some(1), ..Rbc::default() };
    let mut state = rules.first();
    let corner = rules.sense(&mut state, Some("a1".parse().unwrap())).unwrap();
    assert_eq!(corner.to_string(), "a2=P b2=P a1=R b1=N");
    let before = state;
    let refused = rules.request(&mut state, Some("d2d5".parse().unwrap()));
    assert!(matches!(refused, Err(RbcError::Request(_))));
    assert_eq!(state, before, "the turn goes on");
    rules.request(&mut state, Some("d2d4".parse().unwrap())).unwrap();
    let nothing = rules.sense(&mut state, None).unwrap();
    assert_eq!(nothing.squares().count(), 0);
    assert_eq!(state.outcome(), None);
    rules.request(&mut state, None).unwrap();
    assert_eq!(state.outcome(), Some(Outcome::draw(Reason::TurnLimit)));
    let resigned = rules.end(state.board(), Some(Color::Black), [false, true]);
    assert_eq!(resigned, Some(Outcome::win(Color::White, Reason::Resignation)));

    let reversible = Rbc { start: "4k3/8/8/8/8/8/8/4K3 w - - 99 80".parse().unwrap(), ..Rbc::default() };
    let mut state = reversible.first();
    reversible.sense(&mut state, None).unwrap();
    reversible.request(&mut state, None).unwrap();
    assert_eq!(state.outcome(), Some(Outcome::draw(Reason::MoveLimit)));
}
