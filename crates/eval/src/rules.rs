//! The rules that captures are played out under: what ends a game, and what a king in check may do.

use scuro_games::chess::Board;
use scuro_games::kriegspiel::Ruleset;

use crate::score::WON;

/// The rules of a game, as far as a search that sees both armies needs them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// Fog of War: a king is taken, and a side without a move has lost.
    #[default]
    Fog,
    /// Reconnaissance Blind Chess: a king is taken, and a side without a move passes.
    Rbc,
    /// Kriegspiel: the legal moves of chess. Mate, stalemate and material end a game as the umpire has it.
    Kriegspiel(Ruleset),
}

impl Rules {
    /// Whether a king that is attacked may castle.
    pub(crate) fn castles_out_of_check(self) -> bool {
        !matches!(self, Rules::Kriegspiel(_))
    }

    /// The score to the side to move where no opinion is needed: it can take the king, or the game is over.
    ///
    /// A king that can be taken is one that a move has left or put in check. Chess forbids that move, and taking
    /// the king makes it the worst of all, so that under either rule it is never chosen.
    #[inline]
    pub(crate) fn decided(self, board: &Board) -> Option<i32> {
        let drawn = board.clock() >= 100;
        let takes_king = || board.in_check(!board.side());
        match self {
            Rules::Fog | Rules::Rbc if !drawn && takes_king() => Some(WON),
            Rules::Fog if !board.has_pseudo_legal() => Some(-WON),
            Rules::Fog | Rules::Rbc => drawn.then_some(0),
            Rules::Kriegspiel(_) if takes_king() => Some(WON),
            Rules::Kriegspiel(ruleset) => shown(ruleset, board).or(drawn.then_some(0)),
        }
    }
}

/// The score of the end that the board shows to the side to move.
#[inline(never)]
fn shown(ruleset: Ruleset, board: &Board) -> Option<i32> {
    let outcome = ruleset.end_on_board(board)?;
    Some(match outcome.winner {
        None => 0,
        Some(winner) if winner == board.side() => WON,
        Some(_) => -WON,
    })
}
