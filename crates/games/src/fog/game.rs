//! Fog of War as a [`Game`]: how it ends, and what its players observe ply by ply.

use scuro_core::{Game, Player, Turn};

use super::belief::Filter;
use super::view::View;
use crate::chess::{BitBoard, Board, Color, Move, OwnPieces, Piece};
use crate::outcome::{Outcome, Reason};
use crate::umpire::{Impossible, Umpired};
use crate::{color_of, player_of};

/// The rules of Fog of War chess from a given position.
#[derive(Clone, Copy, Debug, Default)]
pub struct FogOfWar {
    /// The position both players know at the start.
    pub start: Board,
}

/// A position of a game under way, with the past that repetition needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FogState {
    board: Board,
    /// Keys of the positions since the last capture or pawn move, the present one last. `None` in a state that a
    /// player supposes: nobody is told how near a draw is.
    past: Option<Vec<u64>>,
    outcome: Option<Outcome>,
}

/// What a player is told after every ply: its view, and how the game ended, if it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Told {
    /// What it sees.
    pub view: View,
    /// The end of the game, if it is over.
    pub end: Option<Outcome>,
}

impl FogState {
    /// The first state of a game: a position without a past.
    #[must_use]
    pub fn new(board: Board) -> FogState {
        FogState::arrive(board, Some(Vec::new()))
    }

    /// The state that a player supposes at a position of its belief: without counters, and no draw ends it.
    #[must_use]
    pub fn supposed(board: Board) -> FogState {
        FogState::arrive(board.without_counters(), None)
    }

    /// The true position.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The state after a move of the side to move.
    #[must_use]
    pub fn play(&self, m: Move) -> FogState {
        let board = self.board.play(m);
        match &self.past {
            None => FogState::supposed(board),
            Some(_) if board.clock() == 0 => FogState::new(board),
            Some(past) => FogState::arrive(board, Some(past.clone())),
        }
    }

    fn arrive(board: Board, mut past: Option<Vec<u64>>) -> FogState {
        let times = past.as_mut().map_or(1, |past| {
            past.push(board.key());
            past.iter().filter(|&&key| key == board.key()).count()
        });
        let outcome = won(&board).or_else(|| {
            if times >= 3 {
                Some(Outcome::draw(Reason::Repetition))
            } else if board.clock() >= 100 {
                Some(Outcome::draw(Reason::FiftyMoves))
            } else {
                None
            }
        });
        FogState { board, past, outcome }
    }
}

/// Who has won on `board`, if anybody has.
#[must_use]
pub fn won(board: &Board) -> Option<Outcome> {
    if let Some(color) = Color::ALL.into_iter().find(|&color| board.king(color).is_none()) {
        Some(Outcome::win(!color, Reason::KingCaptured))
    } else if !board.has_pseudo_legal() {
        Some(Outcome::win(!board.side(), Reason::NoMove))
    } else {
        None
    }
}

impl Game for FogOfWar {
    type State = FogState;
    type Action = Move;
    type Told = Told;

    fn start(&self) -> FogState {
        FogState::new(self.start)
    }

    fn turn(&self, state: &FogState) -> Turn {
        match state.outcome {
            Some(outcome) => Turn::Over(outcome.payoff()),
            None => Turn::Player(player_of(state.board.side())),
        }
    }

    fn actions(&self, state: &FogState, out: &mut Vec<Move>) {
        if state.outcome.is_none() {
            state.board.pseudo_legal(out);
        }
    }

    fn play(&self, state: &FogState, action: Move) -> FogState {
        state.play(action)
    }

    fn told(&self, state: &FogState, player: Player) -> Option<Told> {
        Some(Told { view: View::of(&state.board, color_of(player)), end: state.outcome })
    }
}

impl Umpired for FogOfWar {
    type View = View;

    fn first_view(&self, color: Color) -> View {
        View::of(&self.start, color)
    }

    fn see(&self, view: &mut View, own: Option<Move>, told: &Told) -> Result<(), Impossible> {
        let (before, after) = (*view, told.view);
        let mine = before.side() == before.player();
        if mine != own.is_some() {
            let text = if mine { "it is your turn, and nothing was played" } else { "it is not your turn" };
            return Err(Impossible(text.to_owned()));
        }
        if after.player() != before.player() {
            return Err(Impossible("that is what the opponent sees".to_owned()));
        }
        if !mine && after.side() != after.player() {
            return Err(Impossible("after their move it is your turn".to_owned()));
        }
        let mut choices = Vec::new();
        self.choices(view, &mut choices);
        if let Some(m) = own.filter(|m| !choices.contains(m)) {
            return Err(Impossible(format!("{m} is not one of your moves")));
        }
        check_own(&before, own, &after)?;
        *view = after;
        Ok(())
    }

    fn end(told: &Told) -> Option<Outcome> {
        told.end
    }

    fn choices(&self, view: &View, out: &mut Vec<Move>) {
        if view.side() == view.player() {
            apparent_board(view).pseudo_legal(out);
        }
    }

    fn outcome(&self, state: &FogState) -> Option<Outcome> {
        state.outcome
    }
}

/// The player's own pieces, which it knows, must be where it left them, but for one if the opponent has moved.
fn check_own(before: &View, own: Option<Move>, after: &View) -> Result<(), Impossible> {
    let known = before.own_pieces();
    let known = own.map_or(known, |m| known.moved(m));
    let lost = known.all() & !after.own();
    let known = lost.into_iter().fold(known, OwnPieces::lost);
    let shown = after.own_pieces();
    let most = u32::from(after.side() == after.player());
    if lost.len() > most || Piece::ALL.into_iter().any(|piece| known.pieces(piece) != shown.pieces(piece)) {
        return Err(Impossible("your own pieces cannot stand like that".to_owned()));
    }
    if known.castling() != shown.castling() {
        return Err(Impossible(format!("your castling rights are '{}'", known.castling())));
    }
    Ok(())
}

/// A board on which the player has the moves that it has in the positions that give this view: what it sees, and some
/// piece on each unseen square that blocks a pawn.
#[must_use]
pub fn apparent_board(view: &View) -> Board {
    let filter = Filter::new(view);
    let seen = Piece::ALL.into_iter().flat_map(|piece| {
        let place = move |square| (view.man_on(square), square);
        view.pieces(piece).into_iter().map(place)
    });
    let seen = seen.filter_map(|(man, square)| man.map(|(color, piece)| (color, piece, square)));
    let blocked: BitBoard = filter.occupied;
    let blockers = blocked.into_iter().map(|square| (!view.player(), Piece::Knight, square));
    Board::set_up(view.side(), seen.chain(blockers), view.castling(), view.en_passant())
}

#[cfg(test)]
mod tests {
    use super::*;
    use scuro_core::laws::{Walk, check};

    fn play(fen: &str, moves: &str) -> FogState {
        moves
            .split_whitespace()
            .fold(FogState::new(fen.parse().unwrap()), |state, m| state.play(m.parse().unwrap()))
    }

    #[test]
    fn ends_by_the_rules_in_their_order() {
        use Color::{Black, White};
        let shuffle = "b1c3 b8c6 c3b1 c6b8 ";
        let start = Board::start().to_string();
        for (fen, moves, outcome) in [
            ("8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1", "", Some(Outcome::win(Black, Reason::NoMove))),
            ("4k3/8/8/8/8/8/8/4QK2 w - - 99 80", "e1e8", Some(Outcome::win(White, Reason::KingCaptured))),
            ("4k3/8/8/8/8/8/8/3QK3 w - - 99 80", "d1d2", Some(Outcome::draw(Reason::FiftyMoves))),
            ("4k3/8/8/8/8/8/4P3/3QK3 w - - 99 80", "e2e3", None),
            ("8/8/8/8/8/8/8/k1K5 w - - 0 1", "", None),
            (&start, shuffle, None),
            (&start, &shuffle.repeat(2), Some(Outcome::draw(Reason::Repetition))),
            // Castling rights lost on the way: the start itself never comes back.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1g1 e8d8 g1h1 d8e8 h1g1 e8d8 g1h1 d8e8", None),
        ] {
            assert_eq!(play(fen, moves).outcome(), outcome, "{fen} {moves}");
        }
    }

    #[test]
    fn both_reasons_at_once_are_repetition() {
        let state = play("4k3/8/8/8/8/8/8/4K2R w - - 92 80", "h1g1 e8d8 g1h1 d8e8 h1g1 e8d8 g1h1 d8e8");
        assert_eq!(state.outcome(), Some(Outcome::draw(Reason::Repetition)));
        assert_eq!(state.board().clock(), 100);
    }

    #[test]
    fn obeys_the_laws() {
        let walks = [Walk::All { plies: 3 }, Walk::Random { plays: 200, plies: 60, seed: 1 }];
        let checked = check(&FogOfWar::default(), &walks).unwrap();
        assert!(checked.histories > 9323 + 5000, "{checked:?}");
        for fen in [
            // En passant that shows in no square: the rooks see e3 and e4 anyway.
            "k3r3/8/8/8/r2p3r/8/4P3/K7 w - - 0 1",
            "8/8/8/1k6/1p6/pPp5/PRP5/KB6 b - - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 97 1",
            "k7/6P1/8/8/8/8/1p6/7K w - - 0 1",
        ] {
            let game = FogOfWar { start: fen.parse().unwrap() };
            check(&game, &[Walk::All { plies: 3 }, Walk::Random { plays: 100, plies: 40, seed: 2 }]).unwrap();
        }
    }
}
