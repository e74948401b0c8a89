//! Reconnaissance Blind Chess at the server: own pieces, windows, and what became of requests.

use scuro_games::chess::{Color, Move, MoveRules, OwnPieces, Square, letter};
use scuro_games::dark::DarkGame;
use scuro_games::rbc::{self, Answer, Rbc, RbcAction, RbcState, RbcView, Sensed};
use scuro_games::records::Ply;
use scuro_games::seat::Seat;
use serde_json::Value;

use super::{Account, Hosted, Notice, Phase, Step, Window, own_sight};

impl Hosted for Rbc {
    /// Any square may be sensed, or none.
    fn moves(&self, seat: &Seat<Rbc>) -> Vec<Ply> {
        let choices = seat.choices(self);
        if !matches!(choices.first(), Some(RbcAction::Sense(_))) {
            return choices.into_iter().map(Rbc::ply).collect();
        }
        let squares = Square::ALL.into_iter().map(|square| Ply::Sense(Some(square)));
        squares.chain([Ply::Sense(None)]).collect()
    }

    fn sight(&self, seat: &Seat<Rbc>) -> String {
        let view = seat.view();
        own_sight(&view.pieces, view.side, view.number)
    }

    fn own_pieces(view: &RbcView) -> OwnPieces {
        view.pieces
    }

    /// Whether the opponent has sensed yet is its own business: before its turn a player is always about to sense.
    fn duty(view: &RbcView) -> Phase {
        match view.phase {
            rbc::Phase::Move if view.side == view.pieces.color() => Phase::Move,
            _ => Phase::Sense,
        }
    }

    fn sensed(view: &RbcView) -> Option<Window> {
        view.sensed.as_ref().map(window)
    }

    /// An own move has no SAN: how much of the origin a name needs would tell which ways are blocked.
    fn account(&self, notice: &Notice<'_, Rbc>) -> Option<Account> {
        let said = self.sentences(notice.seat.color(), notice.own, notice.told);
        let text = said.into_iter().next()?;
        Some(match notice.told.answer {
            Answer::Sensed(sensed) => Account { text, window: Some(window(&sensed)), ..Account::default() },
            Answer::Moved { taken, captured } => {
                // What the player has just sensed there is what it captured.
                let known = |square| notice.seat.view().sensed.and_then(|sensed| sensed.man_on(square));
                let letter = |square| known(square).map_or('?', |(_, piece)| char::from(piece));
                Account { text, taken: captured.map(letter), ..made(taken) }
            }
            Answer::Waited | Answer::Turn { .. } => Account { counts: true, text, ..Account::default() },
        })
    }

    fn full_account(&self, step: &Step<'_, Rbc>) -> Account {
        let RbcAction::Request(request) = step.action else {
            let (text, window) = (step.action.to_string(), step.after.sensed(step.side).map(window));
            return Account { text, window, ..Account::default() };
        };
        let taken = step.after.moved(step.side).and_then(|moved| moved.taken);
        let text = match (request, taken) {
            (Some(asked), Some(made)) if asked != made => format!("asked for {asked}: {made} was made"),
            (Some(asked), None) => format!("asked for {asked}: no move could be made of it"),
            _ => String::new(),
        };
        let san = taken.map(|m| step.before.board().san(m, MoveRules::PseudoLegal));
        Account { san, text, taken: taken.and_then(|m| step.captured_by(m)), ..made(taken) }
    }

    fn truth(state: &RbcState) -> String {
        state.fen()
    }
}

/// The move that came of a request.
fn made(taken: Option<Move>) -> Account {
    let word = Some(taken.map_or("pass".to_owned(), |m| m.to_string()));
    Account { counts: true, word, ..Account::default() }
}

fn window(sensed: &Sensed) -> Window {
    let content = |piece: Option<(Color, _)>| match piece {
        Some((color, piece)) => Value::from(letter(piece, color).to_string()),
        None => Value::Null,
    };
    let squares = sensed.squares().map(|(square, piece)| (square.to_string(), content(piece))).collect();
    Window { square: sensed.square().map(|square| square.to_string()), squares }
}
