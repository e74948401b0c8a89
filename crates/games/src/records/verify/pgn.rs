//! PGN files, replayed move by move.

use std::io::BufRead;

use super::{Report, VerifyError};
use crate::Variant;
use crate::chess::{Board, Chess, Move};
use crate::fog::FogOfWar;
use crate::outcome::Reason;
use crate::records::pgn::{PgnGame, PgnReader, PgnResult};
use crate::records::record::{Record, result_of};
use crate::umpire::{Umpire, Umpired};

pub(super) fn verify(reader: impl BufRead, progress: &mut dyn FnMut()) -> Result<Report, VerifyError> {
    let mut report = Report::default();
    for game in PgnReader::new(reader).skip_variations() {
        let game = game?;
        let start = Record::start_of(&game)?;
        match Record::variant_of(&game)? {
            Variant::Chess => replay(Chess { start }, start, Variant::Chess, &game, &mut report),
            Variant::FogOfWar => replay(FogOfWar { start }, start, Variant::FogOfWar, &game, &mut report),
            variant => return Err(VerifyError::Variant { line: game.line, variant: variant.to_string() }),
        }
        progress();
    }
    Ok(report)
}

fn replay<G: Umpired<Action = Move>>(
    rules: G,
    start: Board,
    variant: Variant,
    game: &PgnGame,
    report: &mut Report,
) {
    let mut umpire = Umpire::new(rules);
    let mut board = start;
    for written in &game.moves {
        report.checked += 1;
        let side = board.side();
        let m =
            board.parse_san(&written.text, Record::move_rules(variant)).map_err(|error| error.to_string());
        let played = match umpire.outcome() {
            Some(outcome) => Err(format!("'{}' after the game is over ({outcome})", written.text)),
            None => m.and_then(|m| umpire.play(side, m).map(|()| m).map_err(|refusal| refusal.to_string())),
        };
        match played {
            Ok(m) => board = board.play(m),
            Err(words) => {
                return report.disagree(format!("line {}, column {}: {words}", written.line, written.column));
            }
        }
    }
    if let Err(words) = check_end(&umpire, game) {
        report.disagree(format!("line {}: {words}", game.line));
    }
}

/// The moves, the result, its tag and the reason have to fit each other. A result that the moves do not show
/// may come from resignation, a clock or an agreement.
fn check_end<G: Umpired>(umpire: &Umpire<G>, game: &PgnGame) -> Result<(), String> {
    if let Some(tag) = game.tag("Result").filter(|tag| *tag != game.result.to_string()) {
        return Err(format!("tag Result says {tag}, the moves end with {}", game.result));
    }
    let reason = game.tag("Termination").and_then(Reason::from_termination);
    match umpire.outcome() {
        Some(outcome) if game.result != PgnResult::Unknown && game.result != result_of(outcome) => {
            Err(format!("the record says {}, the moves {} ({outcome})", game.result, outcome.score()))
        }
        Some(outcome) if reason.is_some_and(|reason| reason != outcome.reason) => Err(format!(
            "tag Termination says {}, the moves end by {}",
            reason.map_or("", Reason::termination),
            outcome.reason.termination()
        )),
        None if reason.is_some_and(Reason::shows_on_the_board) => Err(format!(
            "tag Termination says {}, but the moves do not",
            reason.map_or("", Reason::termination)
        )),
        _ => Ok(()),
    }
}
