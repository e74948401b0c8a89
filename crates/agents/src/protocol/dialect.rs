//! What a player is told, as lines of the dialect, and back.
//!
//! Each game writes its `Told` in lines and reads it from them, here alone: a program that is told a game, and one that
//! tells it, cannot disagree. What a line leaves out (in RBC their turn, if nothing is lost) is filled in when it is read.

use scuro_games::chess::{BitBoard, Color, Move, OwnPieces, Piece, Square};
use scuro_games::fog::{self, FogOfWar, View};
use scuro_games::kriegspiel::{
    self, Announcement, Capture, Checks, Kriegspiel, KriegspielView, PawnTries, Ruleset, Taken, Try,
};
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::rbc::{self, Phase, Rbc, RbcAction, RbcView, Sensed};
use scuro_games::records::transcript::Code;
use scuro_games::seat::Heard;

use super::{Answer, Choice, Command, Said, Window};
use crate::player::Playable;

/// One thing that a line says has happened.
pub type Step<G> = Heard<<G as scuro_core::Game>::Action, <G as scuro_core::Game>::Told>;

/// Everything that a line says has happened, in order.
pub type Steps<G> = Vec<Step<G>>;

/// What comes of a line.
pub enum Line<G: Playable> {
    /// What the player did, not yet answered.
    Done(G::Action),
    /// What it was told.
    Told(Steps<G>),
}

/// A game as it is spoken of.
pub trait Dialect: Playable {
    /// Its name in complaints.
    const NAME: &'static str;

    /// Whether a program is told `played` when something else was played than it chose. In RBC `sensed` and `moved` say
    /// what was done.
    const PLAYED: bool = true;

    /// What a line says to the owner of `view`, who has done `done` and not been answered yet.
    ///
    /// # Errors
    /// In words, if it says nothing in this game, or nothing that can be said now.
    fn hear(
        &self,
        view: &Self::View,
        done: Option<Self::Action>,
        line: &Command,
    ) -> Result<Line<Self>, String>;

    /// What a line says if nothing that is believed fits it because it ended the game: whoever plays may be told of a
    /// move before its end.
    fn at_the_end(&self, _view: &Self::View, _line: &Command) -> Option<Steps<Self>> {
        None
    }

    /// What goes without saying when the owner of `view` is asked to choose.
    fn unsaid(&self, _view: &Self::View) -> Steps<Self> {
        Vec::new()
    }

    /// What a program is told of a step, `own` being its action.
    fn say(own: Option<Self::Action>, told: &Self::Told) -> Option<Command>;

    /// Whether the owner of `view` may do this, though it is not among its choices.
    fn may_try(&self, _view: &Self::View, _action: Self::Action) -> bool {
        false
    }

    /// Whether a player that is told this of its own action chooses again without being asked.
    fn chooses_again(_line: &Command) -> bool {
        false
    }

    /// What a program is asked to choose.
    fn phase(_choices: &[Self::Action]) -> Option<Phase> {
        None
    }

    /// An action as it is chosen.
    fn answer(action: Self::Action) -> Answer;

    /// The action that an answer is, if it can be one when the program is asked for `phase`.
    fn chosen(answer: &Answer, phase: Option<Phase>) -> Option<Self::Action>;

    /// The owner of the view, the turn and what it was told last, in lines for people.
    fn describe(&self, view: &Self::View) -> Vec<String>;
}

/// The words for a line that another game has.
fn foreign<G: Dialect>(line: &Command) -> String {
    let text = line.to_string();
    format!("'{}' has no meaning in {}", text.split(' ').next().unwrap_or_default(), G::NAME)
}

/// The board field of a player's own pieces.
fn placement(pieces: &OwnPieces) -> String {
    let fen = pieces.alone().to_string();
    fen.split(' ').next().unwrap_or_default().to_owned()
}

/// `white` or `black`.
fn side_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl Dialect for FogOfWar {
    const NAME: &'static str = "Fog of War";

    fn hear(&self, view: &View, done: Option<Move>, line: &Command) -> Result<Line<FogOfWar>, String> {
        match line {
            Command::View(text) => {
                let seen = View::parse(text, view.player()).map_err(|error| error.to_string())?;
                if seen == *view {
                    return Ok(Line::Told(Vec::new()));
                }
                let own = done.filter(|_| view.side() == view.player());
                Ok(Line::Told(vec![Heard { own, told: fog::Told { view: seen, end: None } }]))
            }
            Command::Played(Choice::Move(m)) => Ok(Line::Done(*m)),
            Command::Played(choice) => Err(format!("{choice} is not a move of yours now")),
            line => Err(foreign::<FogOfWar>(line)),
        }
    }

    fn say(_: Option<Move>, told: &fog::Told) -> Option<Command> {
        Some(Command::View(told.view.to_string()))
    }

    fn answer(action: Move) -> Answer {
        Answer::BestMove(Choice::Move(action))
    }

    fn chosen(answer: &Answer, _: Option<Phase>) -> Option<Move> {
        if let Answer::BestMove(Choice::Move(m)) = answer { Some(*m) } else { None }
    }

    fn describe(&self, view: &View) -> Vec<String> {
        let (me, side) = (side_word(view.player()), side_word(view.side()));
        vec![format!("fogofwar {me}, {side} to move"), format!("view {view}")]
    }
}

impl Dialect for Kriegspiel {
    const NAME: &'static str = "Kriegspiel";

    fn hear(
        &self,
        view: &KriegspielView,
        done: Option<Try>,
        line: &Command,
    ) -> Result<Line<Kriegspiel>, String> {
        let mine = view.announcement.next == view.pieces.color();
        match line {
            Command::Umpire(said) => {
                let told = match said {
                    Said::Made { codes, taken } => {
                        let next = !view.announcement.next;
                        let mut announcement = announced(self.ruleset, codes, *taken, next)?;
                        if let Some(lost) = announcement.capture.as_mut().filter(|_| !mine) {
                            lost.taken = lost.taken.or_else(|| own_kind(self.ruleset, view, lost.square));
                        }
                        kriegspiel::Told::Made(announcement)
                    }
                    Said::Refused { nonsense } => kriegspiel::Told::Refused { nonsense: *nonsense },
                    Said::Answered(any) => kriegspiel::Told::Answered(*any),
                };
                Ok(Line::Told(vec![Heard { own: done.filter(|_| mine), told }]))
            }
            Command::Played(_) if !mine => Err("it is not your turn".to_owned()),
            Command::Played(choice) => {
                let tried = match choice {
                    Choice::Move(m) => Some(Try::Move(*m)).filter(|_| view.pieces.is_possible(*m)),
                    Choice::Any => Some(Try::Any).filter(|_| self.ruleset.may_ask()),
                    Choice::Pass => None,
                };
                tried.map(Line::Done).ok_or_else(|| format!("{choice} is not a try of yours now"))
            }
            line => Err(foreign::<Kriegspiel>(line)),
        }
    }

    /// The umpire answers any try.
    fn may_try(&self, view: &KriegspielView, _: Try) -> bool {
        view.announcement.next == view.pieces.color()
    }

    /// After a refusal, and after the answer to its question.
    fn chooses_again(line: &Command) -> bool {
        matches!(line, Command::Umpire(Said::Refused { .. } | Said::Answered(_)))
    }

    fn say(_: Option<Try>, told: &kriegspiel::Told) -> Option<Command> {
        Some(Command::Umpire(match told {
            kriegspiel::Told::Made(announcement) => Said::Made {
                codes: Code::said_in(announcement),
                taken: announcement.capture.and_then(|capture| capture.taken),
            },
            kriegspiel::Told::Refused { nonsense } => Said::Refused { nonsense: *nonsense },
            kriegspiel::Told::Answered(any) => Said::Answered(*any),
        }))
    }

    fn answer(action: Try) -> Answer {
        Answer::BestMove(action.into())
    }

    fn chosen(answer: &Answer, _: Option<Phase>) -> Option<Try> {
        match answer {
            Answer::BestMove(Choice::Move(m)) => Some(Try::Move(*m)),
            Answer::BestMove(Choice::Any) => Some(Try::Any),
            _ => None,
        }
    }

    fn describe(&self, view: &KriegspielView) -> Vec<String> {
        let KriegspielView { ruleset, pieces, announcement, refused, .. } = view;
        let refused: String = refused.iter().map(|m| format!(" {m}")).collect();
        let (me, side) = (side_word(pieces.color()), side_word(announcement.next));
        vec![
            format!("kriegspiel {ruleset} {me}, {side} to move"),
            format!("pieces {} {}", placement(pieces), pieces.castling()),
            format!("announced {announcement}"),
            format!("refused{refused}"),
        ]
    }
}

/// What the umpire says of an own piece that is captured on `square`: its owner knows what it is.
fn own_kind(ruleset: Ruleset, view: &KriegspielView, square: Square) -> Option<Taken> {
    let piece = view.pieces.man_on(square).filter(|_| ruleset.names_taken())?;
    Some(if piece == Piece::Pawn { Taken::Pawn } else { Taken::Piece })
}

/// What the codes mean under these rules.
fn announced(
    ruleset: Ruleset,
    codes: &[Code],
    taken: Option<Taken>,
    next: Color,
) -> Result<Announcement, String> {
    if taken.is_some() && !ruleset.names_taken() {
        return Err(format!("umpire: what was captured is not said under the ruleset {ruleset}"));
    }
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
                said.capture = Some(Capture { square, taken });
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

impl Dialect for Rbc {
    const NAME: &'static str = "RBC";
    const PLAYED: bool = false;

    fn hear(&self, view: &RbcView, _: Option<RbcAction>, line: &Command) -> Result<Line<Rbc>, String> {
        let told = |answer| rbc::Told { answer, end: None };
        let step = |action, answer| Heard { own: Some(action), told: told(answer) };
        let steps = match line {
            Command::Sensed(window) => {
                let sensed = Sensed::shown(window.square, window.men.iter().copied());
                let action = RbcAction::Sense(window.square);
                let mut steps = self.unsaid(view);
                steps.push(step(action, rbc::Answer::Sensed(sensed)));
                steps
            }
            Command::Moved(moved) => {
                let answer = rbc::Answer::Moved { taken: moved.taken, captured: moved.captured };
                vec![step(RbcAction::Request(moved.requested), answer)]
            }
            // Whoever is told nothing of a turn has been told that nothing was lost.
            Command::Lost(None) if view.side == view.pieces.color() && view.phase == Phase::Sense => {
                Vec::new()
            }
            Command::Lost(_) if view.side == view.pieces.color() => {
                return Err("lost: it is your turn, and they have not moved since".to_owned());
            }
            Command::Lost(lost) => their_turn(view, *lost),
            line => return Err(foreign::<Rbc>(line)),
        };
        Ok(Line::Told(steps))
    }

    /// A capture of the king.
    fn at_the_end(&self, view: &RbcView, line: &Command) -> Option<Steps<Rbc>> {
        let Command::Moved(rbc::Moved { requested, taken, captured: Some(square) }) = *line else {
            return None;
        };
        let answer = rbc::Answer::Moved { taken, captured: Some(square) };
        let end = Some(Outcome::win(view.pieces.color(), Reason::KingCaptured));
        Some(vec![Heard { own: Some(RbcAction::Request(requested)), told: rbc::Told { answer, end } }])
    }

    /// Their turn passes without a word, if nothing is lost.
    fn unsaid(&self, view: &RbcView) -> Steps<Rbc> {
        if view.side == view.pieces.color() { Vec::new() } else { their_turn(view, None) }
    }

    /// Their sense, and a turn in which nothing is lost, go without saying.
    fn say(own: Option<RbcAction>, told: &rbc::Told) -> Option<Command> {
        match (own, told.answer) {
            (Some(RbcAction::Request(requested)), rbc::Answer::Moved { taken, captured }) => {
                Some(Command::Moved(rbc::Moved { requested, taken, captured }))
            }
            (_, rbc::Answer::Sensed(sensed)) => Some(Command::Sensed(Window::from(&sensed))),
            (_, rbc::Answer::Turn { lost: Some(square) }) => Some(Command::Lost(Some(square))),
            _ => None,
        }
    }

    fn phase(choices: &[RbcAction]) -> Option<Phase> {
        let senses = matches!(choices.first(), Some(RbcAction::Sense(_)));
        Some(if senses { Phase::Sense } else { Phase::Move })
    }

    fn answer(action: RbcAction) -> Answer {
        match action {
            RbcAction::Sense(square) => Answer::BestSense(square),
            RbcAction::Request(request) => Answer::BestMove(request.into()),
        }
    }

    fn chosen(answer: &Answer, phase: Option<Phase>) -> Option<RbcAction> {
        match (phase, answer) {
            (Some(Phase::Sense), Answer::BestSense(square)) => Some(RbcAction::Sense(*square)),
            (Some(Phase::Move), Answer::BestMove(Choice::Move(m))) => Some(RbcAction::Request(Some(*m))),
            (Some(Phase::Move), Answer::BestMove(Choice::Pass)) => Some(RbcAction::Request(None)),
            _ => None,
        }
    }

    fn describe(&self, view: &RbcView) -> Vec<String> {
        let next = match view.phase {
            Phase::Move if view.side == view.pieces.color() => "move",
            _ => "sense",
        };
        let sensed = view.sensed.as_ref().map_or("-".to_owned(), |sensed| Window::from(sensed).to_string());
        vec![
            format!("rbc {}, next a {next}", side_word(view.pieces.color())),
            format!("pieces {} {}", placement(&view.pieces), view.pieces.castling()),
            format!("sensed {sensed}"),
        ]
    }
}

/// The opponent's turn, of which only the end is told.
fn their_turn(view: &RbcView, lost: Option<Square>) -> Steps<Rbc> {
    let step = |answer| Heard { own: None, told: rbc::Told { answer, end: None } };
    let sense = (view.phase == Phase::Sense).then(|| step(rbc::Answer::Waited));
    sense.into_iter().chain([step(rbc::Answer::Turn { lost })]).collect()
}
