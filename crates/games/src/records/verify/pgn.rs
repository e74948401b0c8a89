//! PGN files, replayed move by move.

use std::io::BufRead;

use super::{Report, VerifyError};
use crate::Variant;
use crate::chess::{Board, Chess, Move};
use crate::fog::{FogOfWar, FogState};
use crate::kriegspiel::{Answer, KriegspielState, Try};
use crate::outcome::{Outcome, Reason};
use crate::rbc::{Rbc, RbcTurn};
use crate::records::pgn::{PgnGame, PgnReader, PgnResult};
use crate::records::rbc_pgn::read_turns;
use crate::records::record::{Record, RecordError, result_of};
use crate::records::transcript::{Code, Made, Teller, ToldTurn, Transcript, Tries, codes_of};
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
    if let Teller::Player(_) = transcript.teller {
        report.checked += transcript.turns.len();
        return Ok(());
    }
    let mut state = KriegspielState::new(transcript.ruleset, transcript.start);
    for (i, turn) in transcript.turns.iter().enumerate() {
        let place = game.moves.get(i).map_or((game.line, 1), |written| (written.line, written.column));
        if let Err(words) = replay_turn(&mut state, turn, report) {
            report.disagree(format!("line {}, column {}: {words}", place.0, place.1));
            return Ok(());
        }
    }
    if let Err(words) = check_end(Variant::Kriegspiel, state.outcome(), game) {
        report.disagree(format!("line {}: {words}", game.line));
    }
    Ok(())
}

/// One turn: the tries are refused as told, the move is made, and the umpire says what is told.
fn replay_turn(state: &mut KriegspielState, turn: &ToldTurn, report: &mut Report) -> Result<(), String> {
    let asked = match state.attempt(Try::Any).0 {
        Answer::Yes => Some(true),
        Answer::No => Some(false),
        _ => None,
    };
    if let Tries::Listed(tries) = &turn.tries {
        for tried in tries {
            report.checked += 1;
            let answer = state.take(tried.attempt);
            let told = if tried.nonsense { Answer::Nonsense } else { Answer::Illegal };
            if tried.attempt != Try::Any && answer != told {
                return Err(format!(
                    "'{}' was refused by the record, our umpire says {answer}",
                    tried.attempt
                ));
            }
        }
    }
    let Some(Made::Known(m)) = turn.made else { return Ok(()) };
    report.checked += 1;
    // What the other side tried is not known here, and so not whether it still had to try a pawn capture.
    let mut before = if let Tries::Listed(_) = turn.tries { state.clone() } else { state.fresh_turn() };
    let Answer::Made(announcement) = before.take(Try::Move(m)) else {
        return Err(format!("'{m}' is not a legal move"));
    };
    *state = before;
    let said = turn.said.as_deref().map(|codes| {
        let asks = codes.iter().any(|code| matches!(code, Code::Asked(_)));
        let answer = asked.filter(|_| asks).map(Code::Asked);
        (codes, answer.into_iter().chain(codes_of(&announcement)).collect::<Vec<Code>>())
    });
    match said {
        Some((told, ours)) if told != ours.as_slice() => {
            let text = |codes: &[Code]| codes.iter().map(Code::to_string).collect::<Vec<_>>().join(",");
            Err(format!("the umpire said '{}' by the record, '{}' by our rules", text(told), text(&ours)))
        }
        _ => Ok(()),
    }
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
    let rules = Rbc { start, full_turn_limit: None, reversible_moves_limit: None };
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
    let outcome = match game.tag("Termination").and_then(Reason::from_termination) {
        Some(Reason::TurnLimit | Reason::MoveLimit) => return,
        Some(Reason::Resignation | Reason::Timeout) => None,
        _ => state.outcome(),
    };
    if let Err(words) = check_end(Variant::Reconnaissance, outcome, game) {
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
    if let Err(words) = check_end(variant, umpire.outcome(), game) {
        report.disagree(format!("line {}: {words}", game.line));
    }
}

/// The moves, the result, its tag and the reason have to fit each other. A result that the moves do not show
/// may come from resignation, a clock, an agreement or, in chess, a claim.
pub(super) fn check_end(variant: Variant, outcome: Option<Outcome>, game: &PgnGame) -> Result<(), String> {
    if let Some(tag) = game.tag("Result").filter(|tag| *tag != game.result.to_string()) {
        return Err(format!("tag Result says {tag}, the moves end with {}", game.result));
    }
    let reason = game.tag("Termination").and_then(Reason::from_termination);
    let words = reason.map_or("", Reason::termination);
    if matches!(reason, Some(Reason::Resignation | Reason::Timeout))
        && matches!(game.result, PgnResult::Draw | PgnResult::Unknown)
    {
        return Err(format!("tag Termination says {words}, the result is {}", game.result));
    }
    let shown = reason.filter(|&reason| match variant {
        Variant::Chess => matches!(reason, Reason::Mate | Reason::Stalemate),
        _ => !matches!(reason, Reason::Resignation | Reason::Timeout),
    });
    match outcome {
        Some(outcome) if game.result != PgnResult::Unknown && game.result != result_of(outcome) => {
            Err(format!("the record says {}, the moves {} ({outcome})", game.result, outcome.score()))
        }
        Some(outcome) if shown.is_some_and(|shown| shown != outcome.reason) => {
            Err(format!("tag Termination says {words}, the moves end by {}", outcome.reason.termination()))
        }
        None if shown.is_some() => Err(format!("tag Termination says {words}, but the moves do not")),
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
