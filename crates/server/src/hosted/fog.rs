//! Fog of War at the server: her view tells a player all her moves, and what she takes.

use scuro_games::chess::{BitBoard, Color, Move, MoveRules, Piece, color_name, piece_name};
use scuro_games::fog::{FogOfWar, FogState, View};
use scuro_games::records::Ply;

use super::{Hosted, Step, Told, captured, losses};

impl Hosted for FogOfWar {
    fn action(ply: Ply) -> Option<Move> {
        if let Ply::Move(m) = ply { Some(m) } else { None }
    }

    fn sight(state: &FogState, color: Color) -> String {
        View::of(state.board(), color).to_string()
    }

    fn men(view: &View) -> [BitBoard; 6] {
        Piece::ALL.map(|piece| view.pieces(piece) & view.own())
    }

    fn truth(state: &FogState) -> String {
        state.board().to_string()
    }

    /// The SAN of an own move names it among the player's own moves, all of which she sees.
    fn told(step: &Step<'_, FogOfWar>, color: Color) -> Option<Told> {
        if step.side == color {
            return Some(FogOfWar::whole(step));
        }
        let view = |state: &FogState| FogOfWar::men(&View::of(state.board(), color));
        let lost = losses(view(step.before), view(step.after));
        let lost: String = lost
            .iter()
            .map(|(piece, square)| format!(" Your {} on {square} is gone.", piece_name(*piece)))
            .collect();
        let text = format!("{} has moved.{lost}", color_name(step.side));
        Some(Told { counts: true, text, ..Told::default() })
    }

    fn whole(step: &Step<'_, FogOfWar>) -> Told {
        let board = step.before.board();
        let taken = captured(board, step.action);
        let name = color_name(step.side);
        let text = match taken {
            Some(piece) => format!("{name} takes a {} on {}.", piece_name(piece), step.action.to()),
            None => format!("{name} moves {}.", step.action),
        };
        Told {
            counts: true,
            word: Some(step.action.to_string()),
            san: Some(board.san(step.action, MoveRules::PseudoLegal)),
            text,
            taken: taken.map(char::from),
            ..Told::default()
        }
    }
}
