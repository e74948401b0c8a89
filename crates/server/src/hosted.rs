//! What the server has to know of a game: how it writes what a player is told.
//!
//! A player's [`Account`] of a ply is made of its own seat and what it was told there. Only the umpire's looks at the
//! true state.

mod fog;
mod kriegspiel;
mod rbc;

use scuro_agents::seat::Seats;
use scuro_games::chess::{Color, Move, OwnPieces, Piece, Square, letter};
use scuro_games::dark::DarkGame;
use scuro_games::records::Ply;
use scuro_games::seat::Seat;
use serde::Serialize;

/// A game that people play here.
pub(crate) trait Hosted: Seats {
    /// Everything that the owner of a seat may do now.
    fn moves(&self, seat: &Seat<Self>) -> Vec<Ply> {
        seat.choices(self).into_iter().map(Self::ply).collect()
    }

    /// What the owner of a seat sees, as a fog FEN: what it knows of every square, the side to move, its own castling
    /// rights, the number of the move. Never the clock of the fifty moves.
    fn sight(&self, seat: &Seat<Self>) -> String;

    /// The pieces of the owner of a view.
    fn own_pieces(view: &Self::View) -> OwnPieces;

    /// What the owner of a view has to do at its turn.
    fn duty(_view: &Self::View) -> Phase {
        Phase::Move
    }

    /// What the owner of a view saw when it last sensed.
    fn sensed(_view: &Self::View) -> Option<Window> {
        None
    }

    /// A ply as a player was told of it; `None` if it must not notice that there was one.
    fn account(&self, notice: &Notice<'_, Self>) -> Option<Account>;

    /// A ply as the umpire sees it.
    fn full_account(&self, step: &Step<'_, Self>) -> Account;

    /// The true position as FEN.
    fn truth(state: &Self::State) -> String {
        Self::true_board(state).to_string()
    }
}

/// What is to be done in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    Sense,
    Move,
}

/// What a sense showed: square and piece, `None` where nothing stands.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Window {
    pub(crate) square: Option<String>,
    pub(crate) squares: serde_json::Map<String, serde_json::Value>,
}

/// A ply as one player noticed it.
pub(crate) struct Notice<'n, G: Hosted> {
    /// What the player knew before.
    pub(crate) before: &'n G::View,
    /// What it knows now.
    pub(crate) seat: &'n Seat<G>,
    /// Its action, if the ply was its own.
    pub(crate) own: Option<G::Action>,
    /// What it was told.
    pub(crate) told: &'n G::Told,
}

impl<G: Hosted> Notice<'_, G> {
    /// Who acted.
    pub(crate) fn side(&self) -> Color {
        if self.own.is_some() { self.seat.color() } else { !self.seat.color() }
    }

    /// The pieces of the player that the opponent has captured with this ply.
    pub(crate) fn losses(&self) -> Vec<(Piece, Square)> {
        if self.own.is_some() {
            return Vec::new();
        }
        let (before, now) = (G::own_pieces(self.before), G::own_pieces(self.seat.view()));
        let missing = |piece: Piece| {
            let squares = before.pieces(piece) & !now.all();
            squares.into_iter().map(move |square| (piece, square))
        };
        Piece::ALL.into_iter().flat_map(missing).collect()
    }
}

/// A ply as the umpire has taken it.
pub(crate) struct Step<'s, G: DarkGame> {
    pub(crate) before: &'s G::State,
    pub(crate) action: G::Action,
    pub(crate) after: &'s G::State,
    pub(crate) side: Color,
}

impl<G: DarkGame> Step<'_, G> {
    /// The letter of the piece that a move captures on the true board.
    fn captured_by(&self, m: Move) -> Option<char> {
        G::true_board(self.before).captured_by(m).map(|(_, piece)| char::from(piece))
    }
}

/// What somebody knows of a ply.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    /// Whether it is a ply as people count them: a refused try, a question and a sense are none.
    pub(crate) counts: bool,
    /// The move as it was made, the try or the question, if it is known.
    pub(crate) word: Option<String>,
    /// The move in SAN, if it is known and a name of it tells nothing that is not.
    pub(crate) san: Option<String>,
    /// In words.
    pub(crate) text: String,
    /// A try that was refused.
    pub(crate) refused: bool,
    /// What a sense showed.
    pub(crate) window: Option<Window>,
    /// What the player captured, `?` if it knows no more than that.
    pub(crate) taken: Option<char>,
}

/// A fog FEN of own pieces alone, in the games that show nothing else. It has no en passant square and no clock.
fn own_sight(pieces: &OwnPieces, side: Color, number: u16) -> String {
    let on = |square: Square| pieces.man_on(square).map_or('?', |piece| letter(piece, pieces.color()));
    let ranks =
        (0..8).rev().map(|rank| (0..8).map(|file| on(Square::index(rank * 8 + file))).collect::<String>());
    let placement = ranks.collect::<Vec<String>>().join("/");
    format!("{placement} {} {} - - {number}", char::from(side), pieces.castling())
}
