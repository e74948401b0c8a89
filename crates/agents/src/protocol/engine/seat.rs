//! A player at a game, told line by line.

use std::sync::Arc;

use scuro_games::chess::{Color, Piece, letter};
use scuro_games::rbc::Phase;
use scuro_games::seat;

use crate::contestant::{Allowance, Fault};
use crate::player::Whereabouts;
use crate::protocol::dialect::{Dialect, Line, Step};
use crate::protocol::{Answer, Command, Go};

/// What comes of a line that told something.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Heard {
    /// It was taken in, and these are the answers.
    Noted(Vec<Answer>),
    /// It was taken in, these are the answers, and the player chooses again.
    Again(Vec<Answer>),
}

/// Says something at once, if it can be said without waiting.
pub(super) type Say = Arc<dyn Fn(Answer) + Send + Sync>;

/// A player at a game: what it was told, and how it chooses. Errors are the words after `error`, and change nothing.
pub(super) trait Seat: Send {
    /// Takes in what it was told.
    fn hear(&mut self, told: &Command) -> Result<Heard, String>;

    /// Whether anything has happened in this game.
    fn has_begun(&self) -> bool;

    /// Whether there is something to choose now. What goes without saying is taken in first.
    fn can_choose(&mut self, go: Go) -> Result<(), String>;

    /// Chooses: thoughts first, the choice last. What it thinks on the way it may `say`.
    fn choose(&mut self, go: Go, say: Say) -> Vec<Answer>;

    /// Whether there is something to think about on their time.
    fn can_ponder(&self) -> bool;

    /// Thinks on their time until told to stop.
    fn ponder(&mut self);

    /// What it believes, in lines for people.
    fn describe(&self) -> Vec<String>;
}

/// Who sits there: it knows what it was told, and chooses.
pub(super) trait Sitter<G: Dialect>: Send {
    /// What it was told.
    fn seat(&self) -> &seat::Seat<G>;

    /// Takes in all of these steps, or none; what there is to say of it.
    fn take_in(&mut self, steps: &[Step<G>]) -> Result<Vec<Answer>, String>;

    /// Its choice, and its thoughts of it. What it thinks on the way it may `say`.
    fn choose(
        &mut self,
        choices: &[G::Action],
        allowance: Allowance,
        say: Say,
    ) -> Result<(G::Action, Vec<Answer>), Fault>;

    /// Whether it has something to think about on their time.
    fn can_ponder(&self) -> bool {
        false
    }

    /// Thinks on their time until told to stop.
    fn ponder(&mut self) {}

    /// What it believes beyond its view, in lines for people.
    fn believes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The number of the likeliest squares of a piece that are told.
const LIKELIEST: usize = 8;

/// Where each piece of `them` probably stands, a line each.
pub(super) fn likely_squares(whereabouts: &Whereabouts, them: Color) -> impl Iterator<Item = String> {
    Piece::ALL.into_iter().rev().filter_map(move |piece| {
        let squares = whereabouts.likeliest(piece);
        let words = squares.iter().take(LIKELIEST).map(|(at, share)| format!(" {at} {share:.3}"));
        let words: String = words.collect();
        (!words.is_empty()).then(|| format!("{}{words}", letter(piece, them)))
    })
}

/// The seat of anybody.
pub(super) struct SeatOf<G: Dialect, S> {
    game: G,
    sitter: S,
    /// What it has done and not been answered yet.
    done: Option<G::Action>,
    begun: bool,
    /// What is to be said with the next choice.
    notes: Vec<Answer>,
}

impl<G: Dialect, S: Sitter<G>> SeatOf<G, S> {
    pub(super) fn new(game: G, sitter: S) -> SeatOf<G, S> {
        SeatOf { game, sitter, done: None, begun: false, notes: Vec::new() }
    }

    fn view(&self) -> &G::View {
        self.sitter.seat().view()
    }

    fn is_mine(&self) -> bool {
        !self.sitter.seat().choices(&self.game).is_empty()
    }

    /// Whether the player may do this now.
    fn may_do(&self, action: G::Action) -> bool {
        self.sitter.seat().choices(&self.game).contains(&action) || self.game.may_try(self.view(), action)
    }

    /// The view after these steps; nothing changes.
    fn view_after(&self, steps: &[Step<G>]) -> Result<G::View, String> {
        let mut view = self.view().clone();
        for step in steps {
            self.game.see(&mut view, step.own, &step.told).map_err(|error| error.to_string())?;
        }
        Ok(view)
    }

    /// Takes in all of these steps, or none; what there is to say of it.
    fn take_in(&mut self, steps: &[Step<G>]) -> Result<Vec<Answer>, String> {
        // What the view refuses has a better reason than what the belief refuses.
        self.view_after(steps)?;
        self.sitter.take_in(steps)
    }
}

impl<G: Dialect, S: Sitter<G>> Seat for SeatOf<G, S> {
    fn hear(&mut self, told: &Command) -> Result<Heard, String> {
        let line = told.to_string();
        let word = line.split(' ').next().unwrap_or_default();
        match self.game.hear(self.view(), self.done, told)? {
            Line::Done(action) => {
                if !self.may_do(action) {
                    return Err(format!("{} is not a move of yours now", G::ply(action)));
                }
                (self.done, self.begun) = (Some(action), true);
                Ok(Heard::Noted(Vec::new()))
            }
            Line::Told(steps) if steps.is_empty() => Ok(Heard::Noted(Vec::new())),
            Line::Told(steps) => {
                let mine = steps.last().is_some_and(|step| step.own.is_some());
                let taken = self.take_in(&steps).or_else(|why| {
                    let ended = self.game.at_the_end(self.view(), told);
                    ended.and_then(|steps| self.take_in(&steps).ok()).ok_or(why)
                });
                let answers = taken.map_err(|why| format!("{word}: {why}"))?;
                // What was done is answered.
                (self.begun, self.done) = (true, None);
                let again = mine && G::chooses_again(told);
                Ok(if again { Heard::Again(answers) } else { Heard::Noted(answers) })
            }
        }
    }

    fn has_begun(&self) -> bool {
        self.begun
    }

    fn can_choose(&mut self, go: Go) -> Result<(), String> {
        let unsaid = self.game.unsaid(self.view());
        let mut choices = Vec::new();
        self.game.choices(&self.view_after(&unsaid)?, &mut choices);
        match (go.phase, G::phase(&choices)) {
            (Some(_), None) => Err(format!("nothing is sensed in {}", G::NAME)),
            _ if choices.is_empty() => Err("it is not your turn, or you have nothing to choose".to_owned()),
            (Some(Phase::Sense), Some(Phase::Move)) => {
                Err("go sense: you have sensed in this turn".to_owned())
            }
            (Some(Phase::Move), Some(Phase::Sense)) => {
                Err("go move: first comes what you sensed, as in 'sensed a2=P ...'".to_owned())
            }
            _ => {
                self.notes = self.take_in(&unsaid).map_err(|why| format!("go: {why}"))?;
                Ok(())
            }
        }
    }

    fn choose(&mut self, go: Go, say: Say) -> Vec<Answer> {
        self.begun = true;
        let seat = self.sitter.seat();
        let (choices, allowance) = (seat.choices(&self.game), go.allowance(seat.color()));
        let mut answers = std::mem::take(&mut self.notes);
        match self.sitter.choose(&choices, allowance, say) {
            Ok((chosen, thoughts)) => {
                answers.extend(thoughts);
                answers.push(G::answer(chosen));
                self.done = Some(chosen);
            }
            Err(fault) => answers.push(Answer::Error(fault.to_string())),
        }
        answers
    }

    fn can_ponder(&self) -> bool {
        self.begun && !self.is_mine() && self.sitter.can_ponder()
    }

    fn ponder(&mut self) {
        self.sitter.ponder();
    }

    fn describe(&self) -> Vec<String> {
        let mut lines = self.game.describe(self.view());
        lines.extend(self.sitter.believes());
        lines
    }
}
