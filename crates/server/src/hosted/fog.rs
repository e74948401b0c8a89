//! Fog of War at the server: a view tells its owner all its moves, and what they capture.

use scuro_games::chess::{Board, Move, MoveRules, OwnPieces, color_name, piece_name};
use scuro_games::fog::{FogOfWar, View, apparent_board};
use scuro_games::seat::Seat;

use super::{Account, Hosted, Notice, Step};

impl Hosted for FogOfWar {
    fn sight(&self, seat: &Seat<FogOfWar>) -> String {
        seat.view().to_string()
    }

    fn own_pieces(view: &View) -> OwnPieces {
        view.own_pieces()
    }

    /// The SAN of an own move names it among the player's own moves, all of which it sees.
    fn account(&self, notice: &Notice<'_, FogOfWar>) -> Option<Account> {
        if let Some(m) = notice.own {
            return Some(moved(&apparent_board(notice.before), m));
        }
        let gone = notice.losses().into_iter();
        let gone: String =
            gone.map(|(piece, square)| format!(" Your {} on {square} is gone.", piece_name(piece))).collect();
        let text = format!("{} has moved.{gone}", color_name(notice.side()));
        Some(Account { counts: true, text, ..Account::default() })
    }

    fn full_account(&self, step: &Step<'_, FogOfWar>) -> Account {
        moved(step.before.board(), step.action)
    }
}

/// A move of the side to move on `board`, all of whose moves are known.
fn moved(board: &Board, m: Move) -> Account {
    let (name, taken) = (color_name(board.side()), board.captured_by(m).map(|(_, piece)| piece));
    let text = match taken {
        Some(piece) => format!("{name} takes a {} on {}.", piece_name(piece), m.to()),
        None => format!("{name} moves {m}."),
    };
    Account {
        counts: true,
        word: Some(m.to_string()),
        san: Some(board.san(m, MoveRules::PseudoLegal)),
        text,
        taken: taken.map(char::from),
        ..Account::default()
    }
}
