//! What the server has to know of a game: how its views are written, and what a ply tells whom.

mod fog;
mod kriegspiel;
mod rbc;

use scuro_arena::game::Arena;
use scuro_games::chess::{BitBoard, Board, Castling, Color, Piece, Square, letter};
use scuro_games::records::Ply;
use scuro_games::umpire::Umpire;
use serde::Serialize;

/// A game that people play here.
pub(crate) trait Hosted:
    Arena<Action: Send, View: Send, State: Send> + Clone + Send + Sync + 'static
{
    /// The action that a ply of a record is in this game.
    fn action(ply: Ply) -> Option<Self::Action>;

    /// Everything that the side to move may do, as her own information has it.
    fn moves(&self, umpire: &Umpire<Self>) -> Vec<Ply> {
        umpire.choices().into_iter().map(Self::ply).collect()
    }

    /// What `color` sees, as a fog FEN: what she knows of every square, the side to move, her own castling rights, the
    /// number of the move. Never the clock of the fifty moves.
    fn sight(state: &Self::State, color: Color) -> String;

    /// Her own men of each kind.
    fn men(view: &Self::View) -> [BitBoard; 6];

    /// The true position as FEN.
    fn truth(state: &Self::State) -> String;

    /// What the owner of the view has to do at her turn.
    fn phase(_view: &Self::View) -> Phase {
        Phase::Move
    }

    /// What she saw when she last sensed.
    fn sensed(_view: &Self::View) -> Option<Window> {
        None
    }

    /// What `color` is told of a ply; `None` if she must not notice that there was one.
    fn told(step: &Step<'_, Self>, color: Color) -> Option<Told>;

    /// A ply as the umpire sees it.
    fn whole(step: &Step<'_, Self>) -> Told;
}

/// What is to be done in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    Sense,
    Move,
}

/// What a sense showed: square and man, `None` where nothing stands.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Window {
    pub(crate) square: Option<String>,
    pub(crate) squares: serde_json::Map<String, serde_json::Value>,
}

/// A ply that the umpire has taken.
pub(crate) struct Step<'s, G: Hosted> {
    pub(crate) before: &'s G::State,
    pub(crate) action: G::Action,
    pub(crate) after: &'s G::State,
    pub(crate) side: Color,
}

/// What somebody is told of an action.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// Whether it is a ply as people count them: a refused try, a question and a sense are none.
    pub(crate) counts: bool,
    /// The move as it was made, the try or the question, if she knows it.
    pub(crate) word: Option<String>,
    /// The move in SAN, if it is known and a name of it tells nothing that is not.
    pub(crate) san: Option<String>,
    /// In words.
    pub(crate) text: String,
    /// A try that was refused.
    pub(crate) refused: bool,
    /// What a sense showed.
    pub(crate) window: Option<Window>,
    /// What the player took, `?` if she knows no more than that.
    pub(crate) taken: Option<char>,
}

/// The men of hers that a player misses since an earlier view.
pub(crate) fn losses(before: [BitBoard; 6], now: [BitBoard; 6]) -> Vec<(Piece, Square)> {
    let all = now.into_iter().fold(BitBoard::EMPTY, |all, men| all | men);
    let missing =
        |piece: Piece| (before[piece as usize] & !all).into_iter().map(move |square| (piece, square));
    Piece::ALL.into_iter().flat_map(missing).collect()
}

/// A fog FEN of her own men alone, in the games that show nothing else. It has no en passant square and no clock.
fn own_sight(men: [BitBoard; 6], color: Color, side: Color, castling: Castling, number: u16) -> String {
    let on = |square: Square| {
        let piece = Piece::ALL.into_iter().find(|&piece| men[piece as usize].has(square));
        piece.map_or('?', |piece| letter(piece, color))
    };
    let ranks =
        (0..8).rev().map(|rank| (0..8).map(|file| on(Square::index(rank * 8 + file))).collect::<String>());
    let placement = ranks.collect::<Vec<String>>().join("/");
    format!("{placement} {} {castling} - - {number}", char::from(side))
}

/// The man that the move of a step takes on the true board.
fn captured(board: &Board, m: scuro_games::chess::Move) -> Option<Piece> {
    board.captured_by(m).map(|(_, piece)| piece)
}
