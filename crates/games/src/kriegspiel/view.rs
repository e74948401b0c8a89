//! What a player sees and knows at one moment: her own men and what she was told in this turn.

use super::announcement::{Announcement, PawnTries};
use super::ruleset::Ruleset;
use super::state::{KriegspielState, Question, Refusals};
use super::tries::{OwnMen, Try};
use crate::chess::{Color, Move};

/// What one player is shown of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KriegspielView {
    /// The rules of the game.
    pub ruleset: Ruleset,
    /// Her men and castling rights.
    pub men: OwnMen,
    /// Whose turn it is, what was captured, the checks, the end and the pawn captures, as announced.
    pub announcement: Announcement,
    /// Where the question "any?" of the player to move stands: both hear it.
    pub question: Question,
    /// Her own tries refused in this turn. Empty when the opponent is to move.
    pub refused: Vec<Move>,
    /// How many of her tries were refused in this turn, repeated ones too. None when the opponent is to move.
    pub refusals: Refusals,
    /// The opponent's refused tries in her present turn, or in her last; `None` where they are not heard.
    pub their_refusals: Option<Refusals>,
}

impl KriegspielView {
    /// What `color` is shown at `state`.
    #[must_use]
    pub fn of(state: &KriegspielState, color: Color) -> KriegspielView {
        let to_move = state.board().side() == color;
        KriegspielView {
            ruleset: state.ruleset(),
            men: OwnMen::of(state.board(), color),
            announcement: *state.announcement(),
            question: state.question(),
            refused: if to_move { state.refused().to_vec() } else { Vec::new() },
            refusals: if to_move { state.refusals(color) } else { Refusals::default() },
            their_refusals: state.ruleset().refusals_are_heard().then(|| state.refusals(!color)),
        }
    }

    /// Appends the tries that make sense to her: none if she is not to move.
    pub fn offered(&self, out: &mut Vec<Try>) {
        if self.announcement.next == self.men.color() && self.announcement.end.is_none() {
            let turn = OpenTurn {
                ruleset: self.ruleset,
                men: &self.men,
                tries: self.announcement.tries,
                question: self.question,
                refused: &self.refused,
            };
            turn.offered(out);
        }
    }
}

/// What a player to move knows of her choices.
pub(super) struct OpenTurn<'t> {
    ruleset: Ruleset,
    men: &'t OwnMen,
    tries: PawnTries,
    question: Question,
    refused: &'t [Move],
}

impl OpenTurn<'_> {
    /// Appends the possible tries less those refused in this turn and less the pawn captures that were
    /// announced, or answered, not to be there; under an obligation pawn captures alone. "any?" comes last.
    fn offered(&self, out: &mut Vec<Try>) {
        let obliged = self.question == Question::Obliged;
        let denied = self.question == Question::Denied;
        self.men.each_possible(|m| {
            let captures = self.men.is_pawn_capture(m);
            let in_vain = captures && (denied || !self.tries.allow(m.from()));
            if !in_vain && (captures || !obliged) && !self.refused.contains(&m) {
                out.push(Try::Move(m));
            }
        });
        if self.ruleset.may_ask() && self.question == Question::Unasked {
            out.push(Try::Any);
        }
    }
}

impl KriegspielState {
    /// Appends the tries that make sense to the player to move: what her own information does not rule out.
    /// They are the actions of the game, and every legal move is among them. None when the game is over.
    pub fn offered(&self, out: &mut Vec<Try>) {
        if self.outcome().is_none() {
            let turn = OpenTurn {
                ruleset: self.ruleset(),
                men: &OwnMen::of(self.board(), self.board().side()),
                tries: self.announcement().tries,
                question: self.question(),
                refused: self.refused(),
            };
            turn.offered(out);
        }
    }
}
