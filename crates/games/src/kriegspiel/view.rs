//! What a player knows at one moment by what it was told: its own pieces and what was said in this turn.

use super::announcement::{Announcement, Capture, PawnTries};
use super::game::Told;
use super::nonsense::{is_called_nonsense, may_end_checks};
use super::ruleset::Ruleset;
use super::state::{KriegspielState, Question, Refusals, TurnedAway};
use super::tries::Try;
use crate::chess::{Color, Move, OwnPieces, Piece};
use crate::umpire::Impossible;

/// What one player is shown of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KriegspielView {
    /// The rules of the game.
    pub ruleset: Ruleset,
    /// The owner's pieces and castling rights.
    pub pieces: OwnPieces,
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
            pieces: OwnPieces::of(state.board(), color),
            announcement: *state.announcement(),
            question: state.question(),
            refused: if to_move { state.refused().to_vec() } else { Vec::new() },
            refusals: if to_move { state.refusals(color) } else { Refusals::default() },
            their_refusals: state.ruleset().refusals_are_heard().then(|| state.refusals(!color)),
        }
    }

    /// Takes in what its owner is told; `own` is the owner's try, if it was its own.
    pub(super) fn hear(&mut self, own: Option<Try>, told: &Told) -> Result<(), Impossible> {
        let mine = self.announcement.next == self.pieces.color();
        match (mine, own) {
            (true, None) => return Err(Impossible("it is your turn, and nothing was tried".to_owned())),
            (false, Some(_)) => return Err(Impossible("it is not your turn".to_owned())),
            _ => {}
        }
        match *told {
            Told::Made(announcement) => self.hear_move(own, announcement),
            Told::Refused { nonsense } => self.hear_refusal(own, nonsense),
            Told::Answered(any) => self.hear_answer(own, any),
        }
    }

    fn hear_move(&mut self, own: Option<Try>, announcement: Announcement) -> Result<(), Impossible> {
        if announcement.next == self.announcement.next {
            return Err(Impossible("after a move it is the other side's turn".to_owned()));
        }
        self.check_words(&announcement)?;
        self.pieces = match own {
            Some(Try::Any) => return Err(Impossible("you asked, and no move was made".to_owned())),
            Some(Try::Move(m)) => self.after_own(m, &announcement)?,
            None => self.after_theirs(announcement.capture)?,
        };
        // A turn of theirs begins: none of its tries has been refused yet.
        if own.is_some() {
            self.their_refusals = self.their_refusals.map(|_| Refusals::default());
        }
        (self.announcement, self.question) = (announcement, Question::Unasked);
        (self.refused, self.refusals) = (Vec::new(), Refusals::default());
        Ok(())
    }

    /// The umpire says no more than the ruleset lets him.
    fn check_words(&self, announcement: &Announcement) -> Result<(), Impossible> {
        let ruleset = self.ruleset;
        // What was captured may be left out.
        let named = announcement.capture.is_some_and(|capture| capture.taken.is_some());
        if named && !ruleset.names_taken() {
            return Err(Impossible(format!("no capture is named under the ruleset {ruleset}")));
        }
        if announcement.promotion && !ruleset.says_promotions() {
            return Err(Impossible(format!("no promotion is said under the ruleset {ruleset}")));
        }
        Ok(())
    }

    /// The owner's pieces after its own move.
    fn after_own(&self, m: Move, announcement: &Announcement) -> Result<OwnPieces, Impossible> {
        if !self.offers(m) {
            return Err(Impossible(format!("{m} is not one of your moves")));
        }
        let captured = announcement.capture.map(|capture| capture.square);
        if !self.pieces.may_capture(m, captured) {
            let what = captured.map_or("something".to_owned(), |square| format!("nothing on {square}"));
            return Err(Impossible(format!("{m} captures {what}")));
        }
        if announcement.promotion != (m.promotion().is_some() && self.ruleset.says_promotions()) {
            let what = if announcement.promotion { "is no promotion" } else { "is a promotion" };
            return Err(Impossible(format!("{m} {what}")));
        }
        Ok(self.pieces.moved(m))
    }

    /// The owner's pieces after a move of the opponent.
    fn after_theirs(&self, capture: Option<Capture>) -> Result<OwnPieces, Impossible> {
        let Some(capture) = capture else {
            return match self.question {
                Question::Obliged => Err(Impossible(TurnedAway::Obliged.to_string())),
                _ => Ok(self.pieces),
            };
        };
        let square = capture.square;
        match self.pieces.man_on(square) {
            None | Some(Piece::King) => Err(Impossible(format!("you have no piece to lose on {square}"))),
            Some(piece) if !Capture::told(self.ruleset, square, piece == Piece::Pawn).fits(capture) => {
                Err(Impossible(format!("your piece on {square} is of another kind")))
            }
            Some(_) => Ok(self.pieces.lost(square)),
        }
    }

    fn hear_refusal(&mut self, own: Option<Try>, nonsense: bool) -> Result<(), Impossible> {
        let ruleset = self.ruleset;
        if nonsense && !ruleset.knows_nonsense() {
            return Err(Impossible(format!("nobody says nonsense under the ruleset {ruleset}")));
        }
        match (own, &mut self.their_refusals) {
            (Some(Try::Any), _) => return Err(Impossible("you asked, and nothing was tried".to_owned())),
            (Some(Try::Move(m)), _) => {
                self.check_refusal(m, nonsense)?;
                if !self.refused.contains(&m) {
                    self.refused.push(m);
                }
                self.refusals.add(nonsense);
            }
            (None, Some(theirs)) => theirs.add(nonsense),
            (None, None) => {
                return Err(Impossible(format!("their tries are not heard under the ruleset {ruleset}")));
            }
        }
        if self.question == Question::Obliged {
            self.question = Question::Free;
        }
        Ok(())
    }

    /// The umpire refuses an own try in this way, if he refuses it.
    fn check_refusal(&self, m: Move, nonsense: bool) -> Result<(), Impossible> {
        if self.question == Question::Obliged && !self.offers(m) {
            return Err(Impossible(TurnedAway::Obliged.to_string()));
        }
        let known = is_called_nonsense(self.ruleset, &self.pieces, &self.announcement, &self.refused, m);
        if nonsense != known {
            return Err(Impossible(format!(
                "{m} is not refused with \"{}\"",
                self.ruleset.refusal(nonsense)
            )));
        }
        Ok(())
    }

    fn hear_answer(&mut self, own: Option<Try>, any: bool) -> Result<(), Impossible> {
        if !self.ruleset.may_ask() || self.question != Question::Unasked {
            return Err(Impossible("nobody may ask \"any?\" now".to_owned()));
        }
        if own.is_some_and(|own| own != Try::Any) {
            return Err(Impossible("you have not asked".to_owned()));
        }
        self.question = if any { Question::Obliged } else { Question::Denied };
        Ok(())
    }

    /// Whether a possible try `m` of its owner may answer the announced checks.
    #[must_use]
    pub fn may_end_checks(&self, m: Move) -> bool {
        may_end_checks(&self.pieces, self.announcement.checks, m)
    }

    /// Whether the move is among the tries that make sense: every legal move is.
    fn offers(&self, m: Move) -> bool {
        let mut offered = Vec::new();
        self.offered(&mut offered);
        offered.contains(&Try::Move(m))
    }

    /// Appends the tries that make sense to her: none if she is not to move.
    pub fn offered(&self, out: &mut Vec<Try>) {
        if self.announcement.next == self.pieces.color() && self.announcement.end.is_none() {
            let turn = OpenTurn {
                ruleset: self.ruleset,
                men: &self.pieces,
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
    men: &'t OwnPieces,
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
                men: &OwnPieces::of(self.board(), self.board().side()),
                tries: self.announcement().tries,
                question: self.question(),
                refused: self.refused(),
            };
            turn.offered(out);
        }
    }
}
