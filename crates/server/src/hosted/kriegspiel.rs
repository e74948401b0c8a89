//! Kriegspiel at the server: her own men, and what the umpire says.
//!
//! No move is named in SAN before the end: how much of the origin a name needs would tell which of the other men are
//! pinned.

use scuro_games::chess::{BitBoard, Color, MoveRules, Piece};
use scuro_games::kriegspiel::{
    self, Answer, Kriegspiel, KriegspielState, KriegspielView, OwnMen, Taken, Try,
};
use scuro_games::records::Ply;
use scuro_games::review::kriegspiel_line;

use super::{Hosted, Step, Told, own_sight};

impl Hosted for Kriegspiel {
    fn action(ply: Ply) -> Option<Try> {
        ply.attempt()
    }

    fn sight(state: &KriegspielState, color: Color) -> String {
        let (men, board) = (OwnMen::of(state.board(), color), state.board());
        let pieces = Piece::ALL.map(|piece| men.pieces(piece));
        own_sight(pieces, color, board.side(), men.castling(), board.number())
    }

    fn men(view: &KriegspielView) -> [BitBoard; 6] {
        Piece::ALL.map(|piece| view.men.pieces(piece))
    }

    fn truth(state: &KriegspielState) -> String {
        state.board().to_string()
    }

    fn told(step: &Step<'_, Kriegspiel>, color: Color) -> Option<Told> {
        let answer = step.before.attempt(step.action).0;
        let message = kriegspiel::Told::of(step.before, step.action, answer, color)?;
        let text = kriegspiel_line(&message, step.before.ruleset(), color);
        let taken = match message {
            kriegspiel::Told::MyMove(_, said) => said.capture.map(|capture| match capture.taken {
                Some(Taken::Pawn) => 'p',
                Some(Taken::Piece) | None => '?',
            }),
            _ => None,
        };
        Some(Told { san: None, text, taken })
    }

    fn whole(step: &Step<'_, Kriegspiel>) -> Told {
        let answer = step.before.attempt(step.action).0;
        let board = step.before.board();
        let san = match (step.action, answer) {
            (Try::Move(m), Answer::Made(_)) => Some(board.san(m, MoveRules::Legal)),
            _ => None,
        };
        Told { san, text: answer.to_string(), taken: None }
    }
}
