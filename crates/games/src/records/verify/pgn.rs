//! PGN files, replayed move by move.

use std::io::BufRead;

use super::{Report, VerifyError};
use crate::Variant;
use crate::chess::{Board, Chess, Move};
use crate::fog::{FogOfWar, FogState};
use crate::outcome::{Outcome, Reason};
use crate::rbc::{Rbc, RbcTurn};
use crate::records::pgn::{PgnGame, PgnReader, PgnResult};
use crate::records::rbc_pgn::read_turns;
use crate::records::record::{Record, RecordError, result_of};
use crate::records::transcript::{Replayed, Teller, Transcript, Tries};
use crate::umpire::{Umpire, Umpired};

pub(super) fn verify(
    games: PgnReader<impl BufRead>,
    progress: &mut dyn FnMut(),
) -> Result<Report, VerifyError> {
    let mut report = Report::default();
    for game in games {
        match game {
            Ok(game) => verify_game(&game, &mut report)?,
            Err(error) => {
                report.damage.get_or_insert_with(|| error.to_string());
            }
        }
        progress();
    }
    Ok(report)
}

fn verify_game(game: &PgnGame, report: &mut Report) -> Result<(), VerifyError> {
    let variant = Record::variant_of(game)?;
    let start = match Record::start_of(game) {
        Ok(start) => start,
        Err(error) => {
            report.disagree(error.to_string());
            return Ok(());
        }
    };
    match variant {
        Variant::Chess => replay(Chess { start }, |state| &state.board, variant, game, report),
        Variant::FogOfWar => replay(FogOfWar { start }, FogState::board, variant, game, report),
        Variant::Kriegspiel => replay_transcript(game, report)?,
        Variant::Reconnaissance => replay_turns(start, game, report),
    }
    Ok(())
}

/// A game of Kriegspiel. What one player tells alone cannot be replayed: her moves have to be possible.
fn replay_transcript(game: &PgnGame, report: &mut Report) -> Result<(), VerifyError> {
    let transcript = match Transcript::from_pgn(game) {
        Ok(transcript) => transcript,
        Err(error @ RecordError::Tag { .. }) => return Err(error.into()),
        Err(error) => {
            report.checked += 1;
            report.disagree(error.to_string());
            return Ok(());
        }
    };
    for turn in &transcript.turns {
        let tries = if let Tries::Listed(tries) = &turn.tries { tries.len() } else { 0 };
        report.checked += tries + usize::from(turn.made.is_some());
    }
    let end = match (Transcript::settled_pgn(game), transcript.replay()) {
        (Err(error), _) => Err(error.to_string()),
        (Ok(_), Ok(Replayed { state, .. })) => {
            let known = !matches!(transcript.teller, Teller::Player(_));
            check_end(Variant::Kriegspiel, state.outcome().filter(|_| known), known, &End::of(game))
                .map_err(|words| format!("line {}: {words}", game.line))
        }
        (Ok(_), Err((_, words))) => Err(words),
    };
    if let Err(words) = end {
        report.disagree(words);
    }
    Ok(())
}

/// A game of Reconnaissance Blind Chess: what was made of each request.
fn replay_turns(start: Board, game: &PgnGame, report: &mut Report) {
    let turns = match read_turns(game, &start) {
        Ok(turns) => turns,
        Err(error) => {
            report.checked += 1;
            return report.disagree(error.to_string());
        }
    };
    let rules = Rbc::endless(start, None);
    let mut state = rules.first();
    for (turn, written) in turns.iter().zip(&game.moves) {
        report.checked += 1;
        let played = rules.turn_played(&state, RbcTurn { sense: turn.sense, request: turn.request });
        let name = |m: Option<Move>| m.map_or("nothing".to_owned(), |m| m.to_string());
        let words = match played {
            Err(error) => error.to_string(),
            Ok(played) if played.moved.taken != turn.taken => {
                format!("the record makes {}, our rules {}", name(turn.taken), name(played.moved.taken))
            }
            Ok(played) => {
                state = played.after;
                continue;
            }
        };
        return report.disagree(format!("line {}, column {}: {words}", written.line, written.column));
    }
    // The limits of a game are not in its record: an end by them is believed. Resignation and a clock come
    // before what the last turn did.
    let reason = game.tag("Termination").and_then(Reason::from_termination);
    let by_limit = matches!(reason, Some(Reason::TurnLimit | Reason::MoveLimit));
    let outcome = match reason {
        Some(reason) if by_limit => Some(Outcome::draw(reason)),
        Some(reason) if reason.is_forfeit() => None,
        _ => state.outcome(),
    };
    if let Err(words) = check_end(Variant::Reconnaissance, outcome, true, &End::of(game)) {
        report.disagree(format!("line {}: {words}", game.line));
    }
}

fn replay<G: Umpired<Action = Move>>(
    rules: G,
    board: impl Fn(&G::State) -> &Board,
    variant: Variant,
    game: &PgnGame,
    report: &mut Report,
) {
    let mut umpire = Umpire::new(rules);
    for written in &game.moves {
        report.checked += 1;
        let board = board(umpire.state());
        let side = board.side();
        let played = match umpire.outcome() {
            Some(outcome) => Err(format!("'{}' after the game is over ({outcome})", written.text)),
            None => board
                .parse_san(&written.text, Record::move_rules(variant))
                .map_err(|error| error.to_string())
                .and_then(|m| umpire.play(side, m).map_err(|refusal| refusal.to_string())),
        };
        if let Err(words) = played {
            return report.disagree(format!("line {}, column {}: {words}", written.line, written.column));
        }
    }
    if let Err(words) = check_end(variant, umpire.outcome(), true, &End::of(game)) {
        report.disagree(format!("line {}: {words}", game.line));
    }
}

/// How a record says that its game ended.
pub(super) struct End<'g> {
    pub(super) result: PgnResult,
    /// What a tag says of the same.
    pub(super) tag: Option<&'g str>,
    pub(super) reason: Option<Reason>,
}

impl End<'_> {
    fn of(game: &PgnGame) -> End<'_> {
        let reason = game.tag("Termination").and_then(Reason::from_termination);
        End { result: game.result, tag: game.tag("Result"), reason }
    }
}

/// The moves, the result, its tag and the reason have to fit each other. A result that the moves do not show
/// may come from resignation, a clock, a failing program, an agreement or, in chess, a claim; if not all moves are
/// known, from anything. How many turns were agreed on is not in a record: an end by them is believed.
pub(super) fn check_end(
    variant: Variant,
    outcome: Option<Outcome>,
    all_known: bool,
    end: &End<'_>,
) -> Result<(), String> {
    let &End { result, tag, reason } = end;
    if let Some(tag) = tag.filter(|tag| *tag != result.to_string()) {
        return Err(format!("tag Result says {tag}, the moves end with {result}"));
    }
    let words = reason.map_or("", Reason::termination);
    // A clock may run out against a bare king, which draws; nobody resigns for a draw.
    if reason == Some(Reason::Resignation) && matches!(result, PgnResult::Draw | PgnResult::Unknown) {
        return Err(format!("tag Termination says {words}, the result is {result}"));
    }
    let by_turns = reason == Some(Reason::TurnLimit) && result == PgnResult::Draw;
    let shown = reason.filter(|&reason| match variant {
        Variant::Chess => matches!(reason, Reason::Mate | Reason::Stalemate),
        _ => !reason.is_forfeit(),
    });
    match outcome {
        Some(outcome) if result != PgnResult::Unknown && result != result_of(outcome) => {
            Err(format!("the record says {result}, the moves {} ({outcome})", outcome.score()))
        }
        Some(outcome) if shown.is_some_and(|shown| shown != outcome.reason) => {
            Err(format!("tag Termination says {words}, the moves end by {}", outcome.reason.termination()))
        }
        None if all_known && !by_turns && shown.is_some() => {
            Err(format!("tag Termination says {words}, but the moves do not"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disagreements(text: &str) -> Vec<String> {
        verify(PgnReader::new(text.as_bytes()), &mut || ()).unwrap().kept
    }

    /// Tags and movetext, and the words of the disagreement if there is one.
    #[test]
    fn ends_have_to_fit() {
        let won = "1. e4 f5 2. Qh5 a6 3. Qxe8";
        let shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
        let fog = "[Variant \"Fog of War\"]\n";
        for (text, words) in [
            (format!("{fog}\n{won} 1-0"), None),
            (format!("{fog}\n{won} *"), None),
            (format!("{fog}\n{won} 1/2-1/2"), Some("the record says 1/2-1/2, the moves 1-0")),
            (format!("{fog}[Result \"0-1\"]\n\n{won} 1-0"), Some("tag Result says 0-1")),
            (format!("{fog}[Termination \"king captured\"]\n\n{won} 1-0"), None),
            (format!("{fog}[Termination \"resignation\"]\n\n{won} 1-0"), None),
            (format!("{fog}[Termination \"no move\"]\n\n{won} 1-0"), Some("the moves end by king captured")),
            (format!("{fog}\n{won} a5 1-0"), Some("'a5' after the game is over")),
            (format!("{fog}\n1. e4 0-1"), None),
            (format!("{fog}[Termination \"time forfeit\"]\n\n1. e4 0-1"), None),
            (format!("{fog}[Termination \"resignation\"]\n\n1. e4 1/2-1/2"), Some("the result is 1/2-1/2")),
            (format!("{fog}[Termination \"king captured\"]\n\n1. e4 0-1"), Some("but the moves do not")),
            (format!("{fog}[Termination \"threefold repetition\"]\n\n{shuffle} 1/2-1/2"), None),
            (format!("{fog}[Termination \"turn limit\"]\n\n1. e4 1/2-1/2"), None),
            (format!("{fog}[Termination \"turn limit\"]\n\n1. e4 1-0"), Some("but the moves do not")),
            (format!("{fog}[Termination \"crash\"]\n\n1. e4 1-0"), None),
            (format!("{fog}\n{shuffle} 1-0"), Some("the moves 1/2-1/2")),
            (format!("[Termination \"threefold repetition\"]\n\n{shuffle} 1/2-1/2"), None),
            ("[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1".to_owned(), None),
            ("[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 1-0".to_owned(), Some("the moves 0-1")),
            ("[Event \"?\"]\n\n1. f3 e5 2. Kf3 *".to_owned(), Some("no move fits 'Kf3'")),
        ] {
            let found = disagreements(&text);
            match words {
                None => assert!(found.is_empty(), "{text}: {found:?}"),
                Some(words) => assert!(found.len() == 1 && found[0].contains(words), "{text}: {found:?}"),
            }
        }
    }
}
