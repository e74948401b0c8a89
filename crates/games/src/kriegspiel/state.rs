//! The umpire at work: the true board, the tries of the present turn, and the answer to any try.

use std::fmt;

use thiserror::Error;

use super::announcement::{Announcement, Capture, PawnTries};
use super::ending::end_on_board;
use super::game::Told;
use super::legality::{PawnCaptures, Threats};
use super::nonsense::{is_called_nonsense, may_end_checks};
use super::ruleset::Ruleset;
use super::tries::Try;
use super::view::KriegspielView;
use crate::chess::{Board, Color, Move, OwnPieces};
use crate::outcome::{Outcome, Reason};

/// What the umpire answers to a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was legal and has been made.
    Made(Announcement),
    /// It is not legal: "illegal" or "no".
    Illegal,
    /// It is not legal and the player should have known: "nonsense" or "hell, no".
    Nonsense,
    /// "any?": a pawn has a legal capture, and the player must try one.
    Yes,
    /// "any?": no pawn has a legal capture.
    No,
    /// It was not taken as a try at all: nothing was said, nothing has changed.
    TurnedAway(TurnedAway),
}

/// Why the umpire does not take a try.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TurnedAway {
    /// After the answer "yes" a pawn capture has to be tried first.
    #[error("after \"yes\" a pawn capture that has not been refused yet must be tried")]
    Obliged,
    /// Only English players ask "any?".
    #[error("\"any?\" is not asked under the ruleset {0}")]
    NoQuestion(Ruleset),
    /// `px` is an input of the ICC.
    #[error("\"px\" is not known under the ruleset {0}")]
    NoPawnInput(Ruleset),
    /// "any?" may be asked once a turn.
    #[error("\"any?\" was already asked in this turn")]
    AskedAlready,
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(Outcome),
}

impl Answer {
    /// The word of data files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Answer::Made(_) => "ok",
            Answer::Illegal => "illegal",
            Answer::Nonsense => "nonsense",
            Answer::Yes => "yes",
            Answer::No => "no",
            Answer::TurnedAway(_) => "refused",
        }
    }

    /// Whether it is the refusal of a move, heard as such.
    #[must_use]
    pub fn is_refusal(self) -> bool {
        matches!(self, Answer::Illegal | Answer::Nonsense)
    }
}

/// Where the question "any?" stands in the present turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Not asked.
    Unasked,
    /// Asked, and there is no pawn capture.
    Denied,
    /// Asked, there is a pawn capture, and one has to be tried now.
    Obliged,
    /// Asked, there is a pawn capture, and one was tried in vain: the player is free again.
    Free,
}

/// How many tries were refused in one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Refusals {
    /// With "illegal" or "no".
    pub illegal: u16,
    /// As nonsense.
    pub nonsense: u16,
}

impl Refusals {
    /// Counts one more.
    pub(super) fn add(&mut self, nonsense: bool) {
        let count = if nonsense { &mut self.nonsense } else { &mut self.illegal };
        *count = count.saturating_add(1);
    }
}

/// A game of Kriegspiel under way, as the umpire sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KriegspielState {
    ruleset: Ruleset,
    board: Board,
    /// Keys of the positions since the last capture or pawn move, the present one last. `None` in a state that a
    /// player supposes: nobody is told how near a draw is.
    past: Option<Vec<u64>>,
    announcement: Announcement,
    threats: Threats,
    captures: PawnCaptures,
    refused: Vec<Move>,
    question: Question,
    /// The refused tries of this turn, repeated ones included, and those of the turn before.
    refusals: [Refusals; 2],
    /// What was last said, to those who hear it.
    said: Told,
}

impl KriegspielState {
    /// The first state of a game: a position without a past.
    #[must_use]
    pub fn new(ruleset: Ruleset, board: Board) -> KriegspielState {
        let (board, threats, captures) = arrive(board);
        let end = end_on_board(ruleset, &board, &threats).or_else(|| end_by_clock(&board));
        let announcement = Announcement {
            next: board.side(),
            capture: None,
            promotion: false,
            checks: threats.checks(),
            end,
            tries: tries(ruleset, captures, end),
        };
        KriegspielState {
            ruleset,
            board,
            past: Some(vec![board.key()]),
            announcement,
            threats,
            captures,
            refused: Vec::new(),
            question: Question::Unasked,
            refusals: [Refusals::default(); 2],
            said: Told::Made(announcement),
        }
    }

    /// The state in which the owner of `view` would be if `board` were the true one: its tries and what was
    /// said in this turn as they are, without a past, and no draw by repetition or the clock ends it.
    #[must_use]
    pub fn supposed(view: &KriegspielView, board: Board) -> KriegspielState {
        KriegspielState {
            announcement: view.announcement,
            question: view.question,
            refused: view.refused.clone(),
            past: None,
            ..KriegspielState::new(view.ruleset, board.without_counters())
        }
    }

    /// The same state as if nothing had been tried or asked in this turn.
    #[must_use]
    pub(crate) fn fresh_turn(&self) -> KriegspielState {
        KriegspielState {
            refused: Vec::new(),
            question: Question::Unasked,
            refusals: [Refusals::default(), self.refusals[1]],
            said: Told::Made(self.announcement),
            ..self.clone()
        }
    }

    /// The rules of the game.
    #[must_use]
    pub fn ruleset(&self) -> Ruleset {
        self.ruleset
    }

    /// The true position. Its en passant square is there only if the capture is legal.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What was announced for the present turn.
    #[must_use]
    pub fn announcement(&self) -> &Announcement {
        &self.announcement
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.announcement.end
    }

    /// The tries refused in the present turn, each once, in order.
    #[must_use]
    pub fn refused(&self) -> &[Move] {
        &self.refused
    }

    /// Where the question "any?" stands.
    #[must_use]
    pub fn question(&self) -> Question {
        self.question
    }

    /// The legal pawn captures of the player to move.
    #[must_use]
    pub fn pawn_captures(&self) -> PawnCaptures {
        self.captures
    }

    /// How many tries of `color` were refused in her present turn, or in her last if she is not to move.
    #[must_use]
    pub fn refusals(&self, color: Color) -> Refusals {
        self.refusals[usize::from(color != self.board.side())]
    }

    /// What `color` is told on arriving here; `None` if it cannot notice that anything happened.
    #[must_use]
    pub fn told(&self, color: Color) -> Option<Told> {
        let unheard = matches!(self.said, Told::Refused { .. })
            && color != self.board.side()
            && !self.ruleset.refusals_are_heard();
        (!unheard).then_some(self.said)
    }

    /// The answer to any try, possible or not, and the state after it.
    #[must_use]
    pub fn attempt(&self, attempt: Try) -> (Answer, KriegspielState) {
        let mut next = self.clone();
        let answer = next.take(attempt);
        (answer, next)
    }

    /// Takes a try in place and answers it.
    pub fn take(&mut self, attempt: Try) -> Answer {
        match (self.outcome(), attempt) {
            (Some(outcome), _) => Answer::TurnedAway(TurnedAway::Over(outcome)),
            (None, Try::Any) => self.take_question(),
            (None, Try::Move(m)) => self.take_move(m),
        }
    }

    /// The input `px` of the ICC: makes the only pawn capture if there is exactly one, as a queen if it
    /// promotes; otherwise it is an illegal try.
    pub fn take_pawn_capture(&mut self) -> Answer {
        match (self.outcome(), self.captures.only()) {
            _ if self.ruleset != Ruleset::Icc => Answer::TurnedAway(TurnedAway::NoPawnInput(self.ruleset)),
            (Some(outcome), _) => Answer::TurnedAway(TurnedAway::Over(outcome)),
            (None, Some(m)) => self.take_move(m),
            (None, None) => {
                self.note_refusal(false);
                Answer::Illegal
            }
        }
    }

    /// Whether `m` is a legal move.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        self.threats.is_legal(&self.board, m)
    }

    /// Whether a possible try `m` may answer the announced checks, as far as the player to move can know.
    #[must_use]
    pub fn may_end_checks(&self, m: Move) -> bool {
        may_end_checks(&self.men(), self.announcement.checks, m)
    }

    /// Why the umpire would not even take this try; `None` if he answers it.
    #[must_use]
    pub fn turns_away(&self, attempt: Try) -> Option<TurnedAway> {
        match (self.outcome(), attempt) {
            (Some(outcome), _) => Some(TurnedAway::Over(outcome)),
            (None, Try::Any) if !self.ruleset.may_ask() => Some(TurnedAway::NoQuestion(self.ruleset)),
            (None, Try::Any) => (self.question != Question::Unasked).then_some(TurnedAway::AskedAlready),
            (None, Try::Move(m)) => (self.question == Question::Obliged && !self.meets_obligation(m))
                .then_some(TurnedAway::Obliged),
        }
    }

    /// Whether `m` is a possible pawn capture that was not refused in this turn.
    fn meets_obligation(&self, m: Move) -> bool {
        let men = self.men();
        men.is_pawn_capture(m) && men.is_possible(m) && !self.refused.contains(&m)
    }

    /// The men of the player to move.
    fn men(&self) -> OwnPieces {
        OwnPieces::of(&self.board, self.board.side())
    }

    fn take_question(&mut self) -> Answer {
        if let Some(reason) = self.turns_away(Try::Any) {
            return Answer::TurnedAway(reason);
        }
        let any = !self.captures.is_empty();
        self.said = Told::Answered(any);
        self.question = if any { Question::Obliged } else { Question::Denied };
        if any { Answer::Yes } else { Answer::No }
    }

    fn take_move(&mut self, m: Move) -> Answer {
        if let Some(reason) = self.turns_away(Try::Move(m)) {
            return Answer::TurnedAway(reason);
        }
        if self.is_legal(m) {
            self.make(m);
            return Answer::Made(self.announcement);
        }
        let nonsense = is_called_nonsense(self.ruleset, &self.men(), &self.announcement, &self.refused, m);
        if !self.refused.contains(&m) {
            self.refused.push(m);
        }
        if self.question == Question::Obliged {
            self.question = Question::Free;
        }
        self.note_refusal(nonsense);
        if nonsense { Answer::Nonsense } else { Answer::Illegal }
    }

    fn note_refusal(&mut self, nonsense: bool) {
        self.refusals[0].add(nonsense);
        self.said = Told::Refused { nonsense };
    }

    /// Makes a legal move: what is known of the turn that ends is forgotten.
    fn make(&mut self, m: Move) {
        let capture = Capture::of(self.ruleset, &self.board, m);
        self.board.make(m);
        (self.board, self.threats, self.captures) = arrive(self.board);
        let end = end_on_board(self.ruleset, &self.board, &self.threats).or_else(|| self.end_by_counting());
        self.announcement = Announcement {
            next: self.board.side(),
            capture,
            promotion: m.promotion().is_some() && self.ruleset.says_promotions(),
            checks: self.threats.checks(),
            end,
            tries: tries(self.ruleset, self.captures, end),
        };
        self.refused.clear();
        self.question = Question::Unasked;
        self.refusals = [Refusals::default(), self.refusals[0]];
        self.said = Told::Made(self.announcement);
    }

    /// The draw by repetition or by the clock, if it is one. A state that is only supposed counts neither.
    fn end_by_counting(&mut self) -> Option<Outcome> {
        let past = self.past.as_mut()?;
        if self.board.clock() == 0 {
            past.clear();
        }
        let key = self.board.key();
        past.push(key);
        let times = past.iter().filter(|&&earlier| earlier == key).count();
        let repeated = (times >= 3).then(|| Outcome::draw(Reason::Repetition));
        repeated.or_else(|| end_by_clock(&self.board))
    }
}

/// The board without an en passant square that no pawn can legally use, so that equal keys are equal
/// positions; and what the side to move has to fear and can take there.
#[inline]
fn arrive(board: Board) -> (Board, Threats, PawnCaptures) {
    let threats = Threats::of(&board);
    let captures = threats.pawn_captures(&board);
    match board.en_passant() {
        Some(passed) if !captures.reach(passed) => (board.without_en_passant(), threats, captures),
        _ => (board, threats, captures),
    }
}

fn end_by_clock(board: &Board) -> Option<Outcome> {
    (board.clock() >= 100).then(|| Outcome::draw(Reason::FiftyMoves))
}

/// Nothing is said of pawn captures once the game is over.
fn tries(ruleset: Ruleset, captures: PawnCaptures, end: Option<Outcome>) -> PawnTries {
    if end.is_some() { PawnTries::Unsaid } else { PawnTries::of(ruleset, captures) }
}

/// For people: what the umpire says, in the words of no ruleset in particular.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Made(announcement) => announcement.fmt(f),
            Answer::TurnedAway(reason) => reason.fmt(f),
            answer => f.write_str(answer.word()),
        }
    }
}
