//! Draws as a player can know them.
//!
//! She is told neither how often a position has come nor how long ago the last capture was. As far as she knows a
//! game may be drawn where she sees the same for the third time, or where for fifty moves she has seen no capture,
//! no loss and no move of a pawn. There she hopes for nothing better than a draw, in what follows too. That holds
//! ahead of her only: where she is, the game is known to go on.

use std::sync::Arc;

use scuro_core::Key;
use scuro_games::chess::{BitBoard, Color, Piece};
use scuro_games::fog::View;

/// After so many plies without progress a game is drawn.
const QUIET: u16 = 100;

/// What a player has seen that bears on draws, back to the last progress that she saw.
#[derive(Debug)]
pub struct Past {
    /// What she sees, and whose turn it is.
    sight: Key,
    lit: BitBoard,
    own: BitBoard,
    /// All that she sees of men that are not hers.
    theirs: BitBoard,
    pawns: BitBoard,
    /// Plies without progress.
    quiet: u16,
    /// Whether she has seen something twice.
    twice: bool,
    /// Whether the game may be drawn here, or was it before.
    drawn: bool,
    before: Option<Arc<Past>>,
}

impl Past {
    /// The past of a game whose first position has this view and clock.
    #[must_use]
    pub fn first(view: &View, clock: u16) -> Arc<Past> {
        let own = view.own();
        let men = Piece::ALL.into_iter().fold(BitBoard::EMPTY, |men, piece| men | view.pieces(piece));
        let side = u64::from(view.side() == Color::White);
        let sight = Key::START.next(Some(view.castling()), Some(&(*view, side)));
        Arc::new(Past {
            sight,
            lit: view.lit(),
            own,
            theirs: men & !own,
            pawns: view.pieces(Piece::Pawn),
            quiet: clock,
            twice: false,
            drawn: false,
            before: None,
        })
    }

    /// The past after one more view.
    #[must_use]
    pub fn next(self: &Arc<Past>, view: &View) -> Arc<Past> {
        self.after(1, view)
    }

    /// The past after so many plies of which only the last is shown.
    #[must_use]
    pub fn after(self: &Arc<Past>, plies: u16, view: &View) -> Arc<Past> {
        let after = Past::first(view, 0);
        if self.progress_to(&after) {
            return if self.drawn { after.with(|after| after.drawn = true) } else { after };
        }
        let earlier = std::iter::successors(Some(self), |past| past.before.as_ref());
        let times = 1 + earlier.filter(|past| past.sight == after.sight).count();
        let quiet = self.quiet.saturating_add(plies);
        after.with(|after| {
            after.quiet = quiet;
            after.twice = self.twice || times >= 2;
            after.drawn = self.drawn || times >= 3 || quiet >= QUIET;
            after.before = Some(self.clone());
        })
    }

    /// Whether she sees between two views that a pawn moved or a man was taken.
    fn progress_to(&self, after: &Past) -> bool {
        let lost = after.own.len() < self.own.len();
        let took = !(after.own & self.theirs).is_empty();
        let stepped = self.pawns & self.own != after.pawns & after.own;
        let theirs_stepped =
            !(after.pawns & after.theirs & self.lit & !(self.pawns & self.theirs)).is_empty();
        lost || took || stepped || theirs_stepped
    }

    fn with(mut self: Arc<Past>, change: impl FnOnce(&mut Past)) -> Arc<Past> {
        Arc::get_mut(&mut self).map(change);
        self
    }

    /// Whether the game may be drawn here, or may have been before.
    #[must_use]
    pub fn drawn(&self) -> bool {
        self.drawn
    }

    /// Whether the game may be drawn after the next ply.
    #[must_use]
    pub fn near(&self) -> bool {
        self.twice || self.quiet + 1 >= QUIET
    }

    /// The same past, now that the game is known to go on.
    #[must_use]
    pub fn known_to_go_on(&self) -> Arc<Past> {
        let Past { sight, lit, own, theirs, pawns, quiet, twice, ref before, .. } = *self;
        Arc::new(Past { sight, lit, own, theirs, pawns, quiet, twice, drawn: false, before: before.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scuro_games::chess::Board;

    /// What White has seen after these moves.
    fn past(fen: &str, moves: &str) -> Arc<Past> {
        let mut board: Board = fen.parse().unwrap();
        let mut past = Past::first(&View::of(&board, Color::White), board.clock());
        for m in moves.split_whitespace() {
            board = board.play(m.parse().unwrap());
            past = past.next(&View::of(&board, Color::White));
        }
        past
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_third_time_may_be_a_draw() {
        let there_and_back = "g1f3 b8c6 f3g1 c6b8 ";
        assert!(!past(START, there_and_back).near() || past(START, there_and_back).twice);
        assert!(past(START, there_and_back).near() && !past(START, there_and_back).drawn());
        assert!(past(START, &there_and_back.repeat(2)).drawn());
        // Black's hidden knight may have gone elsewhere: White cannot know.
        assert!(past(START, "g1f3 b8c6 f3g1 g8f6 g1f3 c6b8 f3g1 f6g8").drawn());
        // A pawn move that White makes, or sees, is progress.
        assert!(!past(START, "g1f3 b8c6 f3g1 c6b8 e2e3 b8c6 g1f3 c6b8 f3g1").drawn());
        let open = "4k3/4p3/8/8/8/8/8/R3K3 w - - 0 1";
        assert!(past(open, "a1a5 e8d8 a5a1 d8e8 a1a5 e8d8 a5a1 d8e8").drawn());
        assert!(!past(open, "a1a5 e8d8 a5a1 d8e8 a1a5 e7e5 a5a1 e8d8 a1a5").drawn());
    }

    #[test]
    fn fifty_moves_without_progress_may_be_a_draw() {
        assert!(past("4k3/8/8/8/8/8/8/3QK3 w - - 99 80", "d1d2").drawn());
        assert!(!past("4k3/8/8/8/8/8/8/3QK3 w - - 98 80", "d1d2").drawn());
        assert!(!past("4k3/8/8/8/8/8/3p4/3QK3 w - - 99 80", "d1d2").drawn());
    }

    /// What may have been a draw before the root was none; the next time it may be one again.
    #[test]
    fn at_the_root_the_game_goes_on() {
        let there_and_back = "g1f3 b8c6 f3g1 c6b8 ";
        let root = past(START, &there_and_back.repeat(2)).known_to_go_on();
        assert!(!root.drawn() && root.near());
        let mut board = Board::start();
        let mut ahead = root;
        for m in ["b1c3", "g8f6", "c3b1", "f6g8"] {
            board = board.play(m.parse().unwrap());
            ahead = ahead.next(&View::of(&board, Color::White));
        }
        assert!(ahead.drawn());
        // And so is all that follows, whatever is seen there.
        board = board.play("e2e4".parse().unwrap());
        assert!(ahead.next(&View::of(&board, Color::White)).drawn());
    }
}
