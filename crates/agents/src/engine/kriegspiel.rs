//! Kriegspiel: a random try of those that what she was told leaves open.

use scuro_core::Random;
use scuro_games::chess::{BitBoard, Board, Color};
use scuro_games::kriegspiel::{
    Announcement, Capture, Checks, KriegspielState, KriegspielView, PawnTries, Question, Ruleset, Try,
};
use scuro_games::records::transcript::Code;

use super::options::Options;
use super::seat::{Heard, Say, Seat, can_take, foreign, placement, side_word};
use crate::protocol::{Answer, Choice, Command, Go, Said};

pub(super) struct KriegspielSeat {
    /// What she knows: her own men, and what was said for this turn.
    view: KriegspielView,
    /// What she has tried and not been answered.
    tried: Option<Try>,
    random: Random,
    begun: bool,
}

impl KriegspielSeat {
    /// The start is known to both, and so is what the umpire says there.
    pub(super) fn new(start: Board, side: Color, options: &Options) -> KriegspielSeat {
        let view = KriegspielView::of(&KriegspielState::new(options.ruleset, start), side);
        KriegspielSeat { view, tried: None, random: Random::new(options.seed()), begun: false }
    }

    fn me(&self) -> Color {
        self.view.men.color()
    }

    fn is_mine(&self) -> bool {
        self.view.announcement.next == self.me()
    }

    fn offered(&self) -> Vec<Try> {
        let mut offered = Vec::new();
        self.view.offered(&mut offered);
        offered
    }

    fn hear_umpire(&mut self, said: &Said) -> Result<Heard, String> {
        let heard = match said {
            Said::Made(codes) => self.made(codes).map(|()| Heard::Noted),
            Said::Refused { nonsense } => self.refused(*nonsense),
            Said::Answered(any) => self.answered(*any),
        }?;
        self.begun = true;
        Ok(heard)
    }

    /// A move was made: hers, or theirs.
    fn made(&mut self, codes: &[Code]) -> Result<(), String> {
        let announcement = announced(self.view.ruleset, codes, !self.view.announcement.next)?;
        let captured = announcement.capture.map(|capture| capture.square);
        let men = if self.is_mine() {
            let Some(Try::Move(m)) = self.tried else {
                return Err("umpire: it is your turn, and nothing was tried".to_owned());
            };
            match captured {
                Some(square) if !can_take(&self.view.men, m, square) => {
                    return Err(format!("umpire: {m} captures nothing on {square}"));
                }
                _ => self.view.men.moved(m),
            }
        } else {
            match captured {
                Some(square) if self.view.men.man_on(square).is_none() => {
                    return Err(format!("umpire: you have no man on {square}"));
                }
                Some(square) => self.view.men.lost(square),
                None => self.view.men,
            }
        };
        let question = Question::Unasked;
        self.view = KriegspielView { men, announcement, question, refused: Vec::new(), ..self.view.clone() };
        self.tried = None;
        Ok(())
    }

    fn refused(&mut self, nonsense: bool) -> Result<Heard, String> {
        let ruleset = self.view.ruleset;
        if nonsense && !ruleset.knows_nonsense() {
            return Err(format!("umpire: nobody says nonsense under the ruleset {ruleset}"));
        }
        if !self.is_mine() {
            return if ruleset.refusals_are_heard() {
                Ok(Heard::Noted)
            } else {
                Err(format!("umpire: their tries are not heard under the ruleset {ruleset}"))
            };
        }
        let Some(Try::Move(m)) = self.tried else {
            return Err("umpire: nothing was tried".to_owned());
        };
        self.tried = None;
        if !self.view.refused.contains(&m) {
            self.view.refused.push(m);
        }
        if self.view.question == Question::Obliged {
            self.view.question = Question::Free;
        }
        Ok(Heard::Again)
    }

    fn answered(&mut self, any: bool) -> Result<Heard, String> {
        let ruleset = self.view.ruleset;
        if !ruleset.may_ask() || self.view.question != Question::Unasked {
            return Err("umpire: nobody may ask \"any?\" now".to_owned());
        }
        if self.is_mine() && self.tried != Some(Try::Any) {
            return Err("umpire: you have not asked".to_owned());
        }
        self.view.question = if any { Question::Obliged } else { Question::Denied };
        self.tried = None;
        Ok(if self.is_mine() { Heard::Again } else { Heard::Noted })
    }
}

/// What the codes mean under these rules.
fn announced(ruleset: Ruleset, codes: &[Code], next: Color) -> Result<Announcement, String> {
    let tries = match ruleset {
        Ruleset::Icc => PawnTries::Count(0),
        Ruleset::Cincinnati => PawnTries::Fact(false),
        Ruleset::Rand { .. } => PawnTries::From(BitBoard::EMPTY),
        Ruleset::English => PawnTries::Unsaid,
    };
    let mut said =
        Announcement { next, capture: None, promotion: false, checks: Checks::NONE, end: None, tries };
    for &code in codes {
        match (code, said.tries) {
            (Code::Capture(square), _) if said.capture.is_none() => {
                said.capture = Some(Capture { square, taken: None });
            }
            (Code::Promotion, _) if ruleset.says_promotions() => said.promotion = true,
            (Code::Check(kind), _) => said.checks = said.checks.with(kind),
            (Code::Tries(count), PawnTries::Count(0)) => said.tries = PawnTries::Count(count),
            (Code::SomeTry, PawnTries::Fact(false)) => said.tries = PawnTries::Fact(true),
            (Code::TryFrom(square), PawnTries::From(squares)) => {
                said.tries = PawnTries::From(squares | square.bitboard());
            }
            (code, _) => {
                return Err(format!("umpire: '{code}' is not said here under the ruleset {ruleset}"));
            }
        }
    }
    Ok(said)
}

impl Seat for KriegspielSeat {
    fn hear(&mut self, told: &Command) -> Result<Heard, String> {
        match told {
            Command::Umpire(said) => self.hear_umpire(said),
            Command::Played(choice) if self.is_mine() => {
                let tried = match choice {
                    Choice::Move(m) => Some(Try::Move(*m)).filter(|_| self.view.men.is_possible(*m)),
                    Choice::Any => Some(Try::Any).filter(|_| self.view.ruleset.may_ask()),
                    Choice::Pass => None,
                };
                self.tried = Some(tried.ok_or_else(|| format!("{choice} is not a try of yours now"))?);
                self.begun = true;
                Ok(Heard::Noted)
            }
            Command::Played(_) => Err("it is not your turn".to_owned()),
            told => Err(foreign(told, "Kriegspiel")),
        }
    }

    fn has_begun(&self) -> bool {
        self.begun
    }

    fn can_choose(&self, go: Go) -> Result<(), String> {
        if go.phase.is_some() {
            return Err("nothing is sensed in Kriegspiel".to_owned());
        }
        if !self.is_mine() {
            return Err("it is not your turn".to_owned());
        }
        if self.offered().is_empty() { Err("nothing is left to try".to_owned()) } else { Ok(()) }
    }

    fn choose(&mut self, _: Go, _: Say) -> Vec<Answer> {
        self.begun = true;
        self.tried = self.random.pick(&self.offered()).copied();
        self.tried.map(|tried| Answer::BestMove(tried.into())).into_iter().collect()
    }

    fn describe(&self) -> Vec<String> {
        let KriegspielView { ruleset, men, announcement, refused, .. } = &self.view;
        let refused: String = refused.iter().map(|m| format!(" {m}")).collect();
        vec![
            format!(
                "kriegspiel {ruleset} {}, {} to move",
                side_word(self.me()),
                side_word(announcement.next)
            ),
            format!("men {} {}", placement(men), men.castling()),
            format!("announced {announcement}"),
            format!("refused{refused}"),
        ]
    }
}
