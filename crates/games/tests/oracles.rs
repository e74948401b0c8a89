//! The recorded playouts of independent programs in `oracles/`, replayed under our rules, and each known
//! deviation of a source as a position that shows what is right.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::File;
use std::path::Path;

use scuro_games::chess::Color;
use scuro_games::fog::{FogState, View};
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::records::verify::{Report, verify};

fn replay(name: &str) -> Report {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles").join(name);
    verify(File::open(file).unwrap(), &mut || ()).unwrap()
}

/// File, entries, and entries in which the source deviates from the rules as it is known to.
#[test]
fn all_playouts_agree() {
    for (name, entries, deviations) in
        [("fog_pyffish.jsonl.gz", 15_800, 122), ("fog_openspiel.jsonl.gz", 15_836, 66)]
    {
        let report = replay(name);
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
