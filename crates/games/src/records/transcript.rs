//! The extended PGN of Kriegspiel: a game as the umpire or one of the players tells it.
//!
//! Every move is followed by a comment `{said:tries}`: what the umpire said after it, and which tries were
//! refused before it. Who tells decides what is there. The umpire tells everything; a *semi-filtered* record
//! leaves out what the opponent tried; a *filtered* one leaves out the opponent's moves too (`??`). Each can
//! be made from the fuller one.

mod codes;
mod names;
mod read;
mod write;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::pgn::PgnResult;
use super::record::{Ply, Record};
use crate::Variant;
use crate::chess::{Board, Color, Move};
use crate::kriegspiel::{Answer, KriegspielState, Refusals, Ruleset, RulesetError, Told, Try};
use crate::seat::Heard;

pub use codes::{Code, CodeError};
pub use names::{name as try_name, read_possible as read_try};

/// Who tells the game: the value of the tag `Filtered`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Teller {
    /// The umpire, who knows everything.
    Umpire,
    /// A player who was shown the moves after the game, but not what her opponent tried.
    Semi(Color),
    /// A player who knows what she was told.
    Player(Color),
}

impl fmt::Display for Teller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Teller::Umpire => "no",
            Teller::Semi(Color::White) => "semi-White",
            Teller::Semi(Color::Black) => "semi-Black",
            Teller::Player(Color::White) => "white",
            Teller::Player(Color::Black) => "black",
        })
    }
}

/// A value that the tag `Filtered` does not have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{0}' tells no teller: expected no, white, black, semi-White or semi-Black")]
pub struct TellerError(String);

impl FromStr for Teller {
    type Err = TellerError;

    fn from_str(text: &str) -> Result<Teller, TellerError> {
        let tellers = [Color::White, Color::Black].map(|color| [Teller::Semi(color), Teller::Player(color)]);
        let known = |teller: &&Teller| teller.to_string().eq_ignore_ascii_case(text);
        let found = [Teller::Umpire].iter().chain(tellers.as_flattened()).find(known).copied();
        found.ok_or_else(|| TellerError(text.to_owned()))
    }
}

/// What is told of the tries that were refused in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tries {
    /// All of them, in order, with "any?" where it was asked.
    Listed(Vec<Tried>),
    /// How many there were: all that an opponent hears.
    Counted(Refusals),
    /// Nothing: not heard.
    Untold,
}

/// One try that did not become a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The try.
    pub attempt: Try,
    /// Whether it was refused as nonsense.
    pub nonsense: bool,
}

/// The move that ended a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// This one.
    Known(Move),
    /// One that the teller was not shown.
    Unknown,
}

/// A turn as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldTurn {
    /// Whose turn it was.
    pub side: Color,
    /// What was tried in vain.
    pub tries: Tries,
    /// The move; `None` if the game ended before there was one.
    pub made: Option<Made>,
    /// What the umpire said; `None` if the record does not tell.
    pub said: Option<Vec<Code>>,
}

/// A game of Kriegspiel as somebody tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// Who tells.
    pub teller: Teller,
    /// The rules of the game.
    pub ruleset: Ruleset,
    /// The tags that do not follow from the other fields.
    pub tags: Vec<(String, String)>,
    /// The first position, known to both.
    pub start: Board,
    /// The turns.
    pub turns: Vec<ToldTurn>,
    /// The result.
    pub result: PgnResult,
    /// What ended the game.
    pub termination: Option<String>,
}

/// A game played again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What the umpire says in each turn.
    pub said: Vec<Vec<Code>>,
    /// The state at the end.
    pub state: KriegspielState,
}

/// Why a record is not a game of Kriegspiel, or a game cannot be told so.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TranscriptError {
    /// A record of another game.
    #[error("a record of {0} holds no tries")]
    Variant(Variant),
    /// The tag `Ruleset` names no ruleset.
    #[error("tag Ruleset: {0}")]
    Ruleset(String),
    /// A ply that the umpire does not take.
    #[error("ply {ply}: {words}")]
    Ply {
        /// The place among the plies, from 1.
        ply: usize,
        /// Why.
        words: String,
    },
    /// A teller who knows less cannot tell more.
    #[error("a record with Filtered \"{from}\" does not hold what Filtered \"{to}\" tells")]
    Filter {
        /// Who told it.
        from: Teller,
        /// Who should.
        to: Teller,
    },
}

/// The ruleset that the tag `Ruleset` names; without one the ICC's.
pub(crate) fn ruleset_of(tag: Option<&str>) -> Result<Ruleset, TranscriptError> {
    match tag {
        None => Ok(Ruleset::default()),
        Some(text) => text.parse().map_err(|error: RulesetError| TranscriptError::Ruleset(error.to_string())),
    }
}

impl Transcript {
    /// The umpire's own account of a record. A try that he turned away has no place in it.
    ///
    /// # Errors
    /// If it is not a record of Kriegspiel, or he does not take one of its plies.
    pub fn of(record: &Record) -> Result<Transcript, TranscriptError> {
        if record.variant != Variant::Kriegspiel {
            return Err(TranscriptError::Variant(record.variant));
        }
        let ruleset = ruleset_of(record.tag("Ruleset"))?;
        let mut state = KriegspielState::new(ruleset, record.start);
        let mut account = Account::new(Teller::Umpire, ruleset);
        for (ply, &done) in record.plies.iter().enumerate() {
            let wrong = |words: String| TranscriptError::Ply { ply: ply + 1, words };
            let attempt = done.attempt().ok_or_else(|| wrong("not a try".to_owned()))?;
            let side = state.board().side();
            match (attempt, state.take(attempt)) {
                (Try::Move(m), Answer::Made(announcement)) => {
                    account.end_turn(side, Made::Known(m), Code::said_in(&announcement));
                }
                (_, Answer::TurnedAway(crate::kriegspiel::TurnedAway::Obliged)) => {}
                (_, Answer::TurnedAway(reason)) => return Err(wrong(reason.to_string())),
                (_, answer) => account.note(attempt, answer),
            }
        }
        account.leave(state.board().side());
        let tags = record.tags.iter().filter(|(name, _)| name != "Ruleset").cloned().collect();
        Ok(Transcript {
            teller: Teller::Umpire,
            ruleset,
            tags,
            start: record.start,
            turns: account.turns,
            result: record.result,
            termination: record.termination.clone(),
        })
    }

    /// The turns as `color` can tell them from what it was told, message by message, and nothing else.
    #[must_use]
    pub fn turns_heard(
        ruleset: Ruleset,
        color: Color,
        first: Color,
        heard: &[Heard<Try, Told>],
    ) -> Vec<ToldTurn> {
        let mut account = Account::new(Teller::Player(color), ruleset);
        let refused = |nonsense| if nonsense { Answer::Nonsense } else { Answer::Illegal };
        let answered = |yes| if yes { Answer::Yes } else { Answer::No };
        let mut side = first;
        for Heard { own, told } in heard {
            match (own, *told) {
                (_, Told::Answered(yes)) => account.note(Try::Any, answered(yes)),
                (Some(attempt), Told::Refused { nonsense }) => account.note(*attempt, refused(nonsense)),
                (None, Told::Refused { nonsense }) => account.count(nonsense),
                (_, Told::Made(said)) => {
                    let made = if let Some(Try::Move(m)) = own { Made::Known(*m) } else { Made::Unknown };
                    account.end_turn(side, made, Code::said_in(&said));
                    side = !side;
                }
            }
        }
        account.leave(side);
        account.turns
    }

    /// The same game as `teller` tells it.
    ///
    /// # Errors
    /// If the present teller knows less.
    pub fn told_by(&self, teller: Teller) -> Result<Transcript, TranscriptError> {
        let color = match (self.teller, teller) {
            _ if self.teller == teller => return Ok(self.clone()),
            (Teller::Umpire, Teller::Semi(color) | Teller::Player(color)) => color,
            (Teller::Semi(owner), Teller::Player(color)) if owner == color => color,
            (from, to) => return Err(TranscriptError::Filter { from, to }),
        };
        let mut told = Transcript { teller, ..self.clone() };
        for turn in told.turns.iter_mut().filter(|turn| turn.side != color) {
            turn.tries = heard(self.ruleset, &turn.tries);
            if let (Teller::Player(_), Some(_)) = (teller, turn.made) {
                turn.made = Some(Made::Unknown);
            }
        }
        told.turns.retain(|turn| !turn.is_empty());
        Ok(told)
    }

    /// Plays the game again under its rules, as far as the teller knows it: what the umpire says after each
    /// turn, and the state at the end. Of a player's own account nothing can be replayed.
    ///
    /// # Errors
    /// The turn, from 0, at which the account cannot be true, and why.
    pub fn replay(&self) -> Result<Replayed, (usize, String)> {
        let mut state = KriegspielState::new(self.ruleset, self.start);
        let mut said = Vec::new();
        if let Teller::Player(_) = self.teller {
            return Ok(Replayed { said, state });
        }
        for (number, turn) in self.turns.iter().enumerate() {
            said.push(turn.replay(&mut state).map_err(|words| (number, words))?);
        }
        Ok(Replayed { said, state })
    }

    /// The same account with everything that the umpire said, also where the record left it out.
    ///
    /// # Errors
    /// As [`Transcript::replay`].
    pub fn settled(mut self) -> Result<Transcript, (usize, String)> {
        let Replayed { said, .. } = self.replay()?;
        for (turn, said) in self.turns.iter_mut().zip(said) {
            turn.said = Some(said);
        }
        Ok(self)
    }

    /// The record that the umpire's account stands for.
    ///
    /// # Errors
    /// If somebody else tells: she does not know all plies.
    pub fn record(&self) -> Result<Record, TranscriptError> {
        if self.teller != Teller::Umpire {
            return Err(TranscriptError::Filter { from: self.teller, to: Teller::Umpire });
        }
        let mut plies = Vec::new();
        for turn in &self.turns {
            if let Tries::Listed(tries) = &turn.tries {
                plies.extend(tries.iter().map(|tried| match tried.attempt {
                    Try::Move(m) => Ply::Move(m),
                    Try::Any => Ply::Any,
                }));
            }
            if let Some(Made::Known(m)) = turn.made {
                plies.push(Ply::Move(m));
            }
        }
        let mut tags = self.tags.clone();
        tags.push(("Ruleset".to_owned(), self.ruleset.to_string()));
        Ok(Record {
            variant: Variant::Kriegspiel,
            tags,
            start: self.start,
            passed: None,
            plies,
            result: self.result,
            termination: self.termination.clone(),
        })
    }
}

impl ToldTurn {
    /// Plays the turn: the tries are refused as told, the move is made, and the umpire says what is told, in
    /// whatever order. What he says.
    fn replay(&self, state: &mut KriegspielState) -> Result<Vec<Code>, String> {
        let told: &[Code] = self.said.as_deref().unwrap_or_default();
        let asks = told.iter().any(|code| matches!(code, Code::Asked(_)));
        let mut said = Vec::new();
        if asks {
            let answer = state.fresh_turn().take(Try::Any);
            match answer {
                Answer::Yes | Answer::No => said.push(Code::Asked(answer == Answer::Yes)),
                answer => return Err(format!("\"any?\": {answer}")),
            }
        }
        if let Tries::Listed(tries) = &self.tries {
            for tried in tries {
                let answer = state.take(tried.attempt);
                let told = match tried.attempt {
                    Try::Any => matches!(answer, Answer::Yes | Answer::No),
                    Try::Move(_) if tried.nonsense => answer == Answer::Nonsense,
                    Try::Move(_) => answer == Answer::Illegal,
                };
                if !told {
                    return Err(format!(
                        "'{}' is told as refused, our umpire answers: {answer}",
                        tried.attempt
                    ));
                }
            }
        } else {
            // What was tried is not known, and so not whether a pawn capture still has to be tried.
            *state = state.fresh_turn();
        }
        if let Some(Made::Known(m)) = self.made {
            match state.take(Try::Move(m)) {
                Answer::Made(announcement) => said.extend(Code::said_in(&announcement)),
                answer => return Err(format!("'{m}' is told as made, our umpire answers: {answer}")),
            }
        }
        let sorted = |codes: &[Code]| {
            let mut codes: Vec<String> = codes.iter().map(Code::to_string).collect();
            codes.sort_unstable();
            codes
        };
        if self.said.is_some() && sorted(told) != sorted(&said) {
            let text = |codes: &[Code]| codes.iter().map(Code::to_string).collect::<Vec<_>>().join(",");
            return Err(format!(
                "the umpire said '{}' by the record, '{}' by our rules",
                text(told),
                text(&said)
            ));
        }
        Ok(said)
    }

    /// Whether nothing is told of it.
    fn is_empty(&self) -> bool {
        let tried = match &self.tries {
            Tries::Listed(tries) => !tries.is_empty(),
            Tries::Counted(refusals) => *refusals != Refusals::default(),
            Tries::Untold => false,
        };
        self.made.is_none() && !tried && self.said.as_ref().is_none_or(Vec::is_empty)
    }
}

/// What the opponent hears of these tries.
fn heard(ruleset: Ruleset, tries: &Tries) -> Tries {
    match tries {
        _ if !ruleset.refusals_are_heard() => Tries::Untold,
        Tries::Listed(list) => {
            let moves = list.iter().filter(|tried| tried.attempt != Try::Any);
            let mut refusals = Refusals::default();
            for tried in moves {
                let count = if tried.nonsense { &mut refusals.nonsense } else { &mut refusals.illegal };
                *count = count.saturating_add(1);
            }
            Tries::Counted(refusals)
        }
        other => other.clone(),
    }
}

/// Turns as they are written down, one message after the other.
struct Account {
    teller: Teller,
    ruleset: Ruleset,
    turns: Vec<ToldTurn>,
    tried: Vec<Tried>,
    counted: Refusals,
    asked: Option<bool>,
}

impl Account {
    fn new(teller: Teller, ruleset: Ruleset) -> Account {
        Account {
            teller,
            ruleset,
            turns: Vec::new(),
            tried: Vec::new(),
            counted: Refusals::default(),
            asked: None,
        }
    }

    /// A try and its answer, which was not that it is made.
    fn note(&mut self, attempt: Try, answer: Answer) {
        if attempt == Try::Any {
            self.asked = Some(answer == Answer::Yes);
        }
        self.tried.push(Tried { attempt, nonsense: answer == Answer::Nonsense });
    }

    /// A refusal of which nothing but its kind is heard.
    fn count(&mut self, nonsense: bool) {
        let count = if nonsense { &mut self.counted.nonsense } else { &mut self.counted.illegal };
        *count = count.saturating_add(1);
    }

    fn end_turn(&mut self, side: Color, made: Made, said: Vec<Code>) {
        self.push(side, Some(made), said);
    }

    /// The game ends, perhaps in the middle of a turn.
    fn leave(&mut self, side: Color) {
        self.push(side, None, Vec::new());
        if self.turns.last().is_some_and(ToldTurn::is_empty) {
            self.turns.pop();
        }
    }

    fn push(&mut self, side: Color, made: Option<Made>, mut said: Vec<Code>) {
        if let Some(yes) = self.asked.take() {
            said.insert(0, Code::Asked(yes));
        }
        let tried = Tries::Listed(std::mem::take(&mut self.tried));
        let tries = match self.teller {
            Teller::Player(color) if color != side && self.ruleset.refusals_are_heard() => {
                Tries::Counted(self.counted)
            }
            Teller::Player(color) if color != side => Tries::Untold,
            _ => tried,
        };
        self.counted = Refusals::default();
        self.turns.push(ToldTurn { side, tries, made, said: Some(said) });
    }
}
