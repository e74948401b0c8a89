//! Reconnaissance Blind Chess at the server: her own men, her windows, and what became of her requests.

use scuro_arena::game::Arena;
use scuro_games::chess::{BitBoard, Color, MoveRules, Piece, Square, letter};
use scuro_games::rbc::{self, Rbc, RbcAction, RbcState, RbcView, Sensed};
use scuro_games::records::Ply;
use scuro_games::review::rbc_line;
use scuro_games::umpire::Umpire;
use serde_json::Value;

use super::{Hosted, Phase, Step, Told, Window, own_sight};

impl Hosted for Rbc {
    fn action(ply: Ply) -> Option<RbcAction> {
        ply.rbc()
    }

    /// Any square may be sensed, or none.
    fn moves(&self, umpire: &Umpire<Rbc>) -> Vec<Ply> {
        match umpire.state().phase() {
            _ if umpire.outcome().is_some() => Vec::new(),
            rbc::Phase::Sense => {
                let squares = Square::ALL.into_iter().map(|square| Ply::Sense(Some(square)));
                squares.chain([Ply::Sense(None)]).collect()
            }
            rbc::Phase::Move => umpire.choices().into_iter().map(<Rbc as Arena>::ply).collect(),
        }
    }

    fn sight(state: &RbcState, color: Color) -> String {
        let board = state.board();
        let men = Piece::ALL.map(|piece| board.men(color, piece));
        own_sight(men, color, board.side(), board.castling().of(color), board.number())
    }

    fn men(view: &RbcView) -> [BitBoard; 6] {
        view.men
    }

    fn truth(state: &RbcState) -> String {
        state.fen()
    }

    /// Whether the opponent has sensed yet is her own business: before her turn a player is always about to sense.
    fn phase(view: &RbcView) -> Phase {
        match view.phase {
            rbc::Phase::Move if view.side == view.player => Phase::Move,
            _ => Phase::Sense,
        }
    }

    fn sensed(view: &RbcView) -> Option<Window> {
        view.sensed.as_ref().map(window)
    }

    fn told(step: &Step<'_, Rbc>, color: Color) -> Option<Told> {
        let over = || step.after.outcome().map(|outcome| outcome.to_string());
        let text = rbc_line(step.after, Rbc::ply(step.action), step.side, color).or_else(over)?;
        if step.side == color {
            // How much of the origin a name needs would tell which ways are blocked.
            return Some(Told { text, san: None, ..Rbc::whole(step) });
        }
        Some(Told { counts: true, text, ..Told::default() })
    }

    fn whole(step: &Step<'_, Rbc>) -> Told {
        let sensed = step.after.sensed(step.side);
        let RbcAction::Request(request) = step.action else {
            let text = step.action.to_string();
            return Told { text, window: sensed.map(window), ..Told::default() };
        };
        let moved = step.after.moved(step.side);
        let made = moved.and_then(|moved| moved.taken);
        let text = match (request, made) {
            (Some(asked), Some(made)) if asked != made => format!("asked for {asked}: {made} was made"),
            (Some(asked), None) => format!("asked for {asked}: no move could be made of it"),
            _ => String::new(),
        };
        // What she has just sensed there is what she took.
        let known = |square: Square| sensed.and_then(|sensed| sensed.man_on(square));
        let letter = |square| known(square).map_or('?', |(_, piece)| char::from(piece));
        Told {
            counts: true,
            word: Some(made.map_or("pass".to_owned(), |m| m.to_string())),
            san: made.map(|m| step.before.board().san(m, MoveRules::PseudoLegal)),
            text,
            taken: moved.and_then(|moved| moved.captured).map(letter),
            ..Told::default()
        }
    }
}

fn window(sensed: &Sensed) -> Window {
    let content = |man: Option<(Color, _)>| match man {
        Some((color, piece)) => Value::from(letter(piece, color).to_string()),
        None => Value::Null,
    };
    let squares = sensed.squares().map(|(square, man)| (square.to_string(), content(man))).collect();
    Window { square: sensed.square().map(|square| square.to_string()), squares }
}
