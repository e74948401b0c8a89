//! A contestant that is another program, over the [`protocol`](crate::protocol).
//!
//! A program may die, hang, flood, speak nonsense or answer what it was not asked. Whatever it does, it is waited for no
//! longer than the caller's patience, and what is taken as an answer comes after the question: before every question
//! the program says that it has heard all before it.

mod program;
mod running;

use std::time::{Duration, Instant};

use scuro_games::chess::Color;
use scuro_games::dark::{DarkGame, Rules};
use scuro_games::outcome::Outcome;
use scuro_games::records::pgn::PgnResult;
use scuro_games::umpire::Umpired;
use scuro_games::{Variant, with_game};

pub use self::program::{Errors, Program, words};
pub use self::running::end_all;
use crate::contestant::{Allowance, Contestant, Fault, Notes};
use crate::protocol::dialect::Dialect;
use crate::protocol::{
    Answer, CAPTURE_KINDS, Command, Go, Info, Kind, Line, Offer, Said, VERSION, variant_word,
};

/// After so many lines without a meaning a program is not listened to any more.
const MOST_NONSENSE: usize = 1_000;
/// So much of a line is repeated in a complaint.
const MOST_QUOTED: usize = 200;

/// Another program at a board.
pub struct Process {
    program: Program,
    /// How long it may take to answer, past the time that it is allowed to think.
    pub patience: Duration,
    /// How long it may think on a budget of nodes, which says nothing of time.
    pub nodes_time: Duration,
    /// Whether it is shown what comes of its own moves, in Fog of War.
    pub own_views: bool,
    /// How it was started.
    command: String,
    name: String,
    offers: Vec<Offer>,
    side: Color,
    /// What it last chose.
    chosen: Option<Answer>,
    /// A line to which the next choice is the answer, in place of `go`.
    question: Option<Command>,
    info: Info,
    /// Why it plays no more.
    fault: Option<Fault>,
}

/// What a program has to know before a game.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// Which game, and from where.
    pub rules: Rules,
    /// Which side the program has.
    pub side: Color,
    /// Options by name; those that it does not have are left out.
    pub options: Vec<(String, String)>,
}

impl GameSetup {
    /// A game without options.
    #[must_use]
    pub fn new(rules: Rules, side: Color) -> GameSetup {
        GameSetup { rules, side, options: Vec::new() }
    }
}

impl Process {
    /// Starts `PROGRAM ARGS` and shakes hands.
    ///
    /// # Errors
    /// If it cannot be started, does not answer in time, or speaks another language.
    pub fn start(command: &str, patience: Duration, errors: Errors) -> Result<Process, Fault> {
        let mut process = Process {
            program: Program::start(command, errors)?,
            patience,
            nodes_time: Duration::ZERO,
            own_views: true,
            command: command.to_owned(),
            name: command.to_owned(),
            offers: Vec::new(),
            side: Color::White,
            chosen: None,
            question: None,
            info: Info::default(),
            fault: None,
        };
        process.shake_hands()?;
        Ok(process)
    }

    fn shake_hands(&mut self) -> Result<(), Fault> {
        let mut version = None;
        for answer in self.tell_until(&Command::Uci, &Answer::UciOk)? {
            match answer {
                Answer::Name(name) => self.name = name,
                Answer::Version(spoken) => version = Some(spoken),
                Answer::Offer(offer) => self.offers.push(offer),
                _ => {}
            }
        }
        match version {
            Some(VERSION) => Ok(()),
            Some(other) => {
                Err(self.foreign(&format!("speaks version {other} of the dialect, not {VERSION}")))
            }
            None => Err(self.foreign(&format!("does not speak the dialect: no line 'scuro {VERSION}'"))),
        }
    }

    fn foreign(&self, what: &str) -> Fault {
        Fault::Foreign(format!("'{}' {what}", self.command))
    }

    /// What it calls itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options that it has.
    #[must_use]
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// The running program.
    pub fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn offer(&self, name: &str) -> Option<&Offer> {
        self.offers.iter().find(|offer| offer.name.eq_ignore_ascii_case(name))
    }

    /// Whether it plays a game. Who does not say plays Fog of War.
    #[must_use]
    pub fn plays(&self, variant: Variant) -> bool {
        match self.offer("UCI_Variant").map(|offer| &offer.kind) {
            Some(Kind::Combo { words, .. }) => words.iter().any(|word| word == variant_word(variant)),
            _ => variant == Variant::FogOfWar,
        }
    }

    /// A seed as its option takes one, if it has that: what is beyond the bounds comes round again.
    #[must_use]
    pub fn seed(&self, seed: u64) -> Option<u64> {
        let Kind::Spin { min, max, .. } = self.offer("Seed")?.kind else { return None };
        let least = u64::try_from(min).unwrap_or(0);
        let most = u64::try_from(max).unwrap_or(0).max(least);
        Some(least + seed % (most - least + 1))
    }

    /// Begins a game.
    ///
    /// # Errors
    /// If it does not play that, or complains.
    pub fn begin(&mut self, setup: &GameSetup) -> Result<(), Fault> {
        let variant = setup.rules.variant();
        if !self.plays(variant) {
            return Err(self.foreign(&format!("does not play {variant}")));
        }
        let mut options = setup.options.clone();
        options.push(("UCI_Variant".to_owned(), variant_word(variant).to_owned()));
        if let Rules::Kriegspiel(game) = setup.rules {
            options.push(("Ruleset".to_owned(), game.ruleset.to_string()));
        }
        options.push((CAPTURE_KINDS.to_owned(), "true".to_owned()));
        options.retain(|(name, _)| self.offer(name).is_some());
        let mut lines: Vec<Command> =
            options.into_iter().map(|(name, value)| Command::SetOption { name, value }).collect();
        let start = with_game!(&setup.rules, game => *game.first_board());
        lines.extend([Command::NewGame, Command::Start(start), Command::Side(setup.side)]);
        if let Rules::Fog(game) = setup.rules {
            lines.push(Command::View(game.first_view(setup.side).to_string()));
        }
        self.side = setup.side;
        (self.chosen, self.question, self.fault) = (None, None, None);
        self.info = Info::default();
        for line in &lines {
            self.program.tell(line)?;
        }
        let answers = self.ready()?;
        match answers.into_iter().find(|answer| matches!(answer, Answer::Error(_))) {
            Some(error) => Err(Fault::Nonsense(error.to_string())),
            None => Ok(()),
        }
    }

    /// What it says until it is ready.
    ///
    /// # Errors
    /// If it does not get ready in time.
    pub fn ready(&mut self) -> Result<Vec<Answer>, Fault> {
        self.tell_until(&Command::IsReady, &Answer::ReadyOk)
    }

    /// Tells it any line but `uci` and `isready`; what it says until it is ready again.
    ///
    /// # Errors
    /// If it does not get ready in time.
    pub fn exchange(&mut self, line: &str) -> Result<Vec<Answer>, Fault> {
        self.program.tell(&line)?;
        self.ready()
    }

    /// Waits until it has chosen.
    ///
    /// # Errors
    /// If it does not in time.
    pub fn hear_choice(&mut self, allowed: Duration) -> Result<Answer, Fault> {
        let until = Instant::now() + allowed.min(LONGEST) + self.patience;
        self.hear(until, |answer| match answer {
            Answer::BestMove(_) | Answer::BestSense(_) => Some(answer),
            _ => None,
        })
    }

    /// What it says between a line and the answer that ends it. It may say much: only so much is kept.
    fn tell_until(&mut self, line: &Command, last: &Answer) -> Result<Vec<Answer>, Fault> {
        self.program.tell(line)?;
        let until = Instant::now() + self.patience;
        let mut answers = Vec::new();
        self.hear(until, |answer| {
            if answer == *last {
                return Some(());
            }
            if answers.len() < MOST_NONSENSE {
                answers.push(answer);
            }
            None
        })?;
        Ok(answers)
    }

    /// Listens until something will do. What has no meaning is passed over, but not for ever.
    fn hear<T>(&mut self, until: Instant, mut will_do: impl FnMut(Answer) -> Option<T>) -> Result<T, Fault> {
        let mut nonsense: Option<String> = None;
        let mut times = 0;
        loop {
            let line = match self.program.hear(until) {
                Ok(Line::Text(line)) => line,
                Ok(Line::TooLong) => "a line without an end".to_owned(),
                Err(Fault::Silent) => return Err(nonsense.map_or(Fault::Silent, Fault::Nonsense)),
                Err(fault) => return Err(fault),
            };
            // A program that never stops talking is heard no longer than a silent one.
            let late = Instant::now() > until;
            match line.parse::<Answer>() {
                Ok(Answer::Info(info)) => self.info = info,
                Ok(answer) => {
                    if let Some(found) = will_do(answer) {
                        return Ok(found);
                    }
                }
                // A choice that cannot be read is one.
                Err(_) if line.starts_with("best") => return Err(Fault::Nonsense(quoted(&line))),
                Err(_) if line.is_empty() => {}
                Err(_) => {
                    times += 1;
                    nonsense.get_or_insert_with(|| quoted(&line));
                }
            }
            if late || times > MOST_NONSENSE {
                return Err(nonsense.map_or(Fault::Silent, Fault::Nonsense));
            }
        }
    }

    /// Tells it something between its turns. If that fails it will be noticed when it has to choose.
    fn mention(&mut self, line: &Command) {
        if self.fault.is_none() {
            self.fault = self.program.tell(line).err();
        }
    }

    /// What it does now: the answer to `go`, or to the line that takes its place.
    fn ask(&mut self, go: Go) -> Result<Answer, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let asked = self.put(go);
        self.fault = asked.as_ref().err().cloned();
        asked
    }

    fn put(&mut self, go: Go) -> Result<Answer, Fault> {
        // What it says before it is ready answers nothing that it is asked now; but what it complained of first tells
        // best why it has no answer.
        let complaint = self.ready()?.into_iter().find(|answer| matches!(answer, Answer::Error(_)));
        self.info = Info::default();
        let question = self.question.take().unwrap_or(Command::Go(go));
        self.program.tell(&question)?;
        let until = Instant::now() + self.allowed(go).min(LONGEST) + self.patience;
        let answer = self.hear(until, |answer| match answer {
            Answer::BestMove(_) | Answer::BestSense(_) | Answer::Error(_) => Some(answer),
            _ => None,
        })?;
        match answer {
            Answer::Error(_) => Err(Fault::Nonsense(complaint.unwrap_or(answer).to_string())),
            answer => Ok(answer),
        }
    }

    /// The time that it may think.
    fn allowed(&self, go: Go) -> Duration {
        match go.limit {
            Some(Allowance::Time(time)) => time,
            Some(Allowance::Clock { left, .. }) => left[self.side as usize].unwrap_or_default(),
            Some(Allowance::Nodes(_)) => self.nodes_time,
            Some(Allowance::Endless) | None => Duration::ZERO,
        }
    }

    /// Says what was really played, if it was not what the program chose.
    fn mention_played(&mut self, played: &Answer) {
        if let (Answer::BestMove(choice), true) = (played, self.chosen.take().as_ref() != Some(played)) {
            self.mention(&Command::Played(*choice));
        }
    }

    fn end(&mut self, outcome: Outcome) {
        let result = match outcome.winner {
            Some(Color::White) => PgnResult::White,
            Some(Color::Black) => PgnResult::Black,
            None => PgnResult::Draw,
        };
        // It hears of it also if it has lost by a fault. If it does not, that changes nothing any more.
        let _ = self.program.tell(&Command::GameOver(result, outcome.reason.termination().to_owned()));
    }

    /// From its last line of `info`.
    fn told(&self) -> Notes {
        Notes {
            value: self.info.value(),
            belief: self.info.belief,
            nodes: self.info.nodes,
            depth: self.info.depth,
            line: self.info.line.clone(),
            ..Notes::default()
        }
    }
}

impl<G: Dialect> Contestant<G> for Process {
    fn see(&mut self, own: Option<G::Action>, told: &G::Told) {
        if let Some(action) = own.filter(|_| G::PLAYED) {
            self.mention_played(&G::answer(action));
        }
        let Some(mut line) = G::say(own, told) else { return };
        if let (Command::Umpire(Said::Made { taken, .. }), None) = (&mut line, self.offer(CAPTURE_KINDS)) {
            *taken = None;
        }
        if own.is_some() && matches!(line, Command::View(_)) && !self.own_views {
            return;
        }
        // After a refusal it chooses again without being asked: so it hears of it when it is to choose.
        if own.is_some() && G::chooses_again(&line) {
            self.question = Some(line);
        } else {
            self.mention(&line);
        }
    }

    fn choose(&mut self, choices: &[G::Action], allowance: Allowance) -> Result<G::Action, Fault> {
        let phase = G::phase(choices);
        let answer = self.ask(Go { phase, limit: Some(allowance) })?;
        match G::chosen(&answer, phase) {
            Some(action) => {
                self.chosen = Some(answer);
                Ok(action)
            }
            None => {
                let fault = Fault::Nonsense(answer.to_string());
                self.fault = Some(fault.clone());
                Err(fault)
            }
        }
    }

    fn notes(&self) -> Notes {
        self.told()
    }

    fn over(&mut self, outcome: Outcome) {
        self.end(outcome);
    }
}

/// Nobody waits longer, and such times can be added to the present.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// The beginning of a line, on one line.
fn quoted(line: &str) -> String {
    line.chars().take(MOST_QUOTED).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
