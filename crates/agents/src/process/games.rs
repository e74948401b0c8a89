//! The three games as a program is told them.

use scuro_games::chess::Move;
use scuro_games::fog::{FogOfWar, View};
use scuro_games::kriegspiel::{Kriegspiel, KriegspielView, Question, Refusals, Try};
use scuro_games::outcome::Outcome;
use scuro_games::rbc::{Phase, Rbc, RbcAction, RbcView};
use scuro_games::records::transcript::Code;

use super::Process;
use crate::contestant::{Allowance, Contestant, Fault, Notes};
use crate::protocol::{Answer, Choice, Command, Go, Said, Window};

impl Contestant<FogOfWar> for Process {
    fn see(&mut self, own: Option<Move>, view: &View) {
        if let Some(m) = own {
            self.mention_played(Choice::Move(m));
        }
        if own.is_none() || self.own_views {
            self.mention(&Command::View(view.to_string()));
        }
    }

    fn choose(&mut self, _: &[Move], allowance: Allowance) -> Result<Move, Fault> {
        match self.ask_move(Process::go(allowance))? {
            Choice::Move(m) => Ok(m),
            other => self.wrong(&Answer::BestMove(other)),
        }
    }

    fn notes(&self) -> Notes {
        self.told()
    }

    fn over(&mut self, outcome: Outcome) {
        self.end(outcome);
    }
}

impl Contestant<Kriegspiel> for Process {
    fn see(&mut self, own: Option<Try>, view: &KriegspielView) {
        let again = own.is_some() && view.announcement.next == self.side;
        if let Some(tried) = own {
            self.mention_played(tried.into());
        }
        let line = Command::Umpire(self.said(own, view));
        let [mine, theirs] = [view.refusals, view.their_refusals.unwrap_or_default()];
        self.refusals = [mine, theirs];
        // After a refusal it chooses again without being asked: so it hears of it when it is to choose.
        if again {
            self.question = Some(line);
        } else {
            self.mention(&line);
        }
    }

    fn choose(&mut self, _: &[Try], allowance: Allowance) -> Result<Try, Fault> {
        match self.ask_move(Process::go(allowance))? {
            Choice::Move(m) => Ok(Try::Move(m)),
            Choice::Any => Ok(Try::Any),
            Choice::Pass => self.wrong(&Answer::BestMove(Choice::Pass)),
        }
    }

    fn notes(&self) -> Notes {
        self.told()
    }

    fn over(&mut self, outcome: Outcome) {
        self.end(outcome);
    }
}

impl Process {
    /// What the umpire has just said.
    fn said(&self, own: Option<Try>, view: &KriegspielView) -> Said {
        let moved = match own {
            Some(_) => view.announcement.next != self.side,
            None => view.announcement.next == self.side,
        };
        if moved {
            return Said::Made(Code::said_in(&view.announcement));
        }
        let [mine, theirs] = self.refusals;
        let (before, after) = match own {
            Some(_) => (mine, view.refusals),
            None => (theirs, view.their_refusals.unwrap_or_default()),
        };
        let count = |refusals: Refusals| u32::from(refusals.illegal) + u32::from(refusals.nonsense);
        let asked = own == Some(Try::Any) || own.is_none() && count(after) == count(before);
        if asked {
            Said::Answered(view.question != Question::Denied)
        } else {
            Said::Refused { nonsense: after.nonsense > before.nonsense }
        }
    }
}

impl Contestant<Rbc> for Process {
    fn see(&mut self, own: Option<RbcAction>, view: &RbcView) {
        match own {
            Some(RbcAction::Sense(_)) => {
                let nothing = Window { square: None, men: Vec::new() };
                self.mention(&Command::Sensed(view.sensed.as_ref().map_or(nothing, Window::from)));
            }
            Some(RbcAction::Request(_)) => {
                view.moved.into_iter().for_each(|moved| self.mention(&Command::Moved(moved)));
            }
            None if view.side == self.side && view.phase == Phase::Sense && view.notice.is_some() => {
                self.mention(&Command::Lost(view.notice));
            }
            None => {}
        }
    }

    fn choose(&mut self, choices: &[RbcAction], allowance: Allowance) -> Result<RbcAction, Fault> {
        let senses = matches!(choices.first(), Some(RbcAction::Sense(_)));
        let phase = Some(if senses { Phase::Sense } else { Phase::Move });
        match (senses, self.ask(Go { phase, ..Process::go(allowance) })?) {
            (true, Answer::BestSense(square)) => Ok(RbcAction::Sense(square)),
            (false, Answer::BestMove(Choice::Move(m))) => Ok(RbcAction::Request(Some(m))),
            (false, Answer::BestMove(Choice::Pass)) => Ok(RbcAction::Request(None)),
            (_, other) => self.wrong(&other),
        }
    }

    fn notes(&self) -> Notes {
        self.told()
    }

    fn over(&mut self, outcome: Outcome) {
        self.end(outcome);
    }
}
