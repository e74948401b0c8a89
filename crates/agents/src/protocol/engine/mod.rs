//! A program that speaks the [`protocol`](crate::protocol): hears lines, keeps what it was told, and chooses.
//!
//! One thread reads, one chooses, and this one answers: so it can be told to stop, asked whether it is ready and what it
//! believes while it thinks. Each game has a *seat* that keeps what its player knows, from the lines alone.

mod obscuro;
mod options;
mod plain;
mod seat;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use scuro_core::STACK;
use scuro_games::chess::{Board, Color};
use scuro_games::dark::Rules;
use scuro_games::with_game;
use thiserror::Error;

use self::options::Options;
use self::plain::Plain;
use self::seat::{Heard, Seat, SeatOf};
use crate::contestant::Allowance;
use crate::name::Agent;
use crate::player::Player;
use crate::protocol::{Answer, Command, Go, Line, Lines, Offer, VERSION};
use crate::seat::{Place, SeatError, Seats};

/// What it calls itself.
const NAME: &str = concat!("Scuro ", env!("CARGO_PKG_VERSION"));

/// So many lines are read ahead.
const AHEAD: usize = 64;

/// Whether `agent` can play here.
///
/// # Errors
/// If it does not play any game by what it is told, is a program of its own, or something that it needs is missing.
pub fn check(agent: &Agent) -> Result<(), EngineError> {
    if matches!(agent, Agent::Command(_)) {
        return Err(EngineError::Program);
    }
    let options = Options::new(agent.clone());
    agent.check_seat(options.variant)?;
    let rules = Rules::new(options.variant, Board::start(), options.ruleset);
    let rules = rules.ok_or(SeatError::Light(options.variant))?;
    with_game!(rules, game => sit(game, Color::White, &options, Arc::default()))?;
    Ok(())
}

/// Why an agent does not play here.
#[derive(Debug, Error)]
pub enum EngineError {
    /// It speaks the dialect itself.
    #[error("cmd: names a program that is an engine itself")]
    Program,
    /// It cannot sit down.
    #[error(transparent)]
    Seat(#[from] SeatError),
}

/// Hears lines until it is told to quit or there are no more, and answers them. `agent` plays.
///
/// # Errors
/// If an answer cannot be written.
pub fn run(input: impl BufRead + Send + 'static, out: &mut impl Write, agent: Agent) -> io::Result<()> {
    let (sender, events) = sync_channel(AHEAD);
    let reader = sender.clone();
    thread::spawn(move || {
        for line in Lines::new(input) {
            if reader.send(Event::Line(line)).is_err() {
                return;
            }
        }
        let _ = reader.send(Event::End);
    });
    let options = Options::new(agent);
    Engine {
        out,
        offers: options.offers(),
        options,
        start: Board::start(),
        side: Color::White,
        seat: None,
        work: None,
        last: Go::default(),
        stop: Arc::default(),
        events: sender,
        ending: false,
    }
    .serve(&events)
}

enum Event {
    /// It was told something.
    Line(Line),
    /// Nobody will tell it anything more.
    End,
    /// It thinks on, and has something to say.
    Said(Answer),
    /// It has chosen.
    Chosen,
}

struct Engine<'o, W> {
    out: &'o mut W,
    offers: Vec<Offer>,
    /// How the next game is played.
    options: Options,
    /// Where the next game starts, and on which side.
    start: Board,
    side: Color,
    /// The present game, unless there is none or it is at work.
    seat: Option<Box<dyn Seat>>,
    work: Option<Work>,
    /// For how long it was last told to think.
    last: Go,
    stop: Arc<AtomicBool>,
    events: SyncSender<Event>,
    ending: bool,
}

/// A seat at work on a thread of its own.
struct Work {
    thread: JoinHandle<(Box<dyn Seat>, Vec<Answer>)>,
    kind: Kind,
    /// What it believed when the work began.
    belief: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It chooses, and says what as soon as it knows.
    Choosing,
    /// It chooses, and says what when it is told to stop.
    Waiting,
    /// It has chosen, and waits to be told to stop.
    Ready,
    /// It thinks on their time.
    Pondering,
}

impl<W: Write> Engine<'_, W> {
    fn serve(mut self, events: &Receiver<Event>) -> io::Result<()> {
        while let Ok(event) = events.recv() {
            match event {
                Event::Line(_) if self.ending => {}
                Event::Line(Line::Text(line)) if line.is_empty() => {}
                Event::Line(Line::Text(line)) => self.hear(&line)?,
                Event::Line(Line::TooLong) => self.complain("the line is too long")?,
                Event::End => self.end()?,
                Event::Said(answer) => self.say(&answer)?,
                Event::Chosen => self.chosen()?,
            }
            if self.ending && self.work.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn say(&mut self, answer: &Answer) -> io::Result<()> {
        writeln!(self.out, "{answer}")?;
        self.out.flush()
    }

    fn complain(&mut self, why: &str) -> io::Result<()> {
        // A line is a line, whatever it quotes.
        let why: String = why.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        self.say(&Answer::Error(why))
    }

    fn hear(&mut self, line: &str) -> io::Result<()> {
        let command = match line.parse::<Command>() {
            Ok(command) => command,
            Err(error) => return self.complain(&error.to_string()),
        };
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.say(&Answer::ReadyOk),
            Command::Stop => self.stop(),
            Command::Show => self.show(),
            Command::Quit => self.end(),
            command if self.is_choosing() => {
                self.complain(&format!("'{command}' while thinking: send stop first"))
            }
            command => {
                self.settle();
                let obeyed = self.obey(&command);
                self.ponder();
                match obeyed {
                    Ok(answers) => answers.iter().try_for_each(|answer| self.say(answer)),
                    Err(why) => self.complain(&why),
                }
            }
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(&Answer::Name(NAME.to_owned()))?;
        self.say(&Answer::Author("the Scuro developers".to_owned()))?;
        self.say(&Answer::Version(VERSION))?;
        for offer in self.offers.clone() {
            self.say(&Answer::Offer(offer))?;
        }
        self.say(&Answer::UciOk)
    }

    /// What changes the game, or begins another one.
    fn obey(&mut self, command: &Command) -> Result<Vec<Answer>, String> {
        match command {
            Command::SetOption { name, value } => {
                self.options.set(name, value)?;
                if !self.has_begun() {
                    self.seat = None;
                }
            }
            Command::NewGame => {
                (self.start, self.side) = (Board::start(), Color::White);
                self.leave();
            }
            Command::Start(start) => {
                self.before_the_game()?;
                (self.start, self.seat) = (*start, None);
            }
            Command::Side(side) => {
                self.before_the_game()?;
                (self.side, self.seat) = (*side, None);
            }
            Command::GameOver(..) => self.leave(),
            Command::Go(go) => self.go(*go)?,
            told => match self.seated()?.hear(told)? {
                Heard::Noted(answers) => return Ok(answers),
                Heard::Again(answers) => {
                    // An endless question was answered when it was stopped, and nobody says so again.
                    let limit = self.last.limit.filter(|&limit| limit != Allowance::Endless);
                    self.go(Go { phase: None, limit })?;
                    return Ok(answers);
                }
            },
        }
        Ok(Vec::new())
    }

    /// The present game is no more, and neither is how long to think in it.
    fn leave(&mut self) {
        (self.seat, self.last) = (None, Go::default());
    }

    /// Whether anything has happened. A seat at which nothing has is taken anew when something of the game changes.
    fn has_begun(&self) -> bool {
        self.seat.as_ref().is_some_and(|seat| seat.has_begun())
    }

    fn before_the_game(&self) -> Result<(), String> {
        if self.has_begun() {
            return Err("the game has begun: send ucinewgame or gameover first".to_owned());
        }
        Ok(())
    }

    /// The seat of the present game; a new game if there is none.
    fn seated(&mut self) -> Result<&mut Box<dyn Seat>, String> {
        let seat = match self.seat.take() {
            Some(seat) => seat,
            None => self.take_seat()?,
        };
        Ok(self.seat.insert(seat))
    }

    fn take_seat(&self) -> Result<Box<dyn Seat>, String> {
        let options = &self.options;
        let rules = Rules::new(options.variant, self.start, options.ruleset);
        let rules = rules.ok_or_else(|| format!("{} is not played here", options.variant))?;
        with_game!(rules, game => sit(game, self.side, options, self.stop.clone()))
            .map_err(|error| error.to_string())
    }

    fn go(&mut self, go: Go) -> Result<(), String> {
        self.seated()?.can_choose(go)?;
        self.last = go;
        let kind = if go.endless() { Kind::Waiting } else { Kind::Choosing };
        let (events, heard) = (self.events.clone(), self.events.clone());
        self.start_work(kind, move |seat| {
            let _told = Bell(events);
            // Who does not read what is said does not keep it from thinking.
            seat.choose(go, Arc::new(move |answer| drop(heard.try_send(Event::Said(answer)))))
        })
    }

    /// Thinks on their time, if it should and there is something to think about.
    fn ponder(&mut self) {
        if self.options.ponder
            && self.work.is_none()
            && self.seat.as_ref().is_some_and(|seat| seat.can_ponder())
        {
            // Who cannot think on their time need not.
            let _ = self.start_work(Kind::Pondering, |seat| {
                seat.ponder();
                Vec::new()
            });
        }
    }

    fn start_work(
        &mut self,
        kind: Kind,
        act: impl FnOnce(&mut Box<dyn Seat>) -> Vec<Answer> + Send + 'static,
    ) -> Result<(), String> {
        let Some(mut seat) = self.seat.take() else { return Ok(()) };
        self.stop.store(false, Ordering::Relaxed);
        let belief = seat.describe();
        let thread = thread::Builder::new().stack_size(STACK).spawn(move || {
            let answers = act(&mut seat);
            (seat, answers)
        });
        let thread = thread.map_err(|error| format!("no thread to think on: {error}"))?;
        self.work = Some(Work { thread, kind, belief });
        Ok(())
    }

    fn is_choosing(&self) -> bool {
        self.work.as_ref().is_some_and(|work| work.kind != Kind::Pondering)
    }

    /// Ends the thoughts on their time.
    fn settle(&mut self) {
        if !self.is_choosing() {
            self.stop.store(true, Ordering::Relaxed);
            self.take_back();
        }
    }

    /// The seat comes back from work that ends; a seat that is lost on the way ends its game.
    fn take_back(&mut self) -> Vec<Answer> {
        let Some(work) = self.work.take() else { return Vec::new() };
        let (seat, answers) = work.thread.join().map_or_else(
            |_| (None, vec![Answer::Error("the player has crashed, and the game is lost".to_owned())]),
            |(seat, said)| (Some(seat), said),
        );
        self.seat = seat;
        answers
    }

    /// It has chosen, and says so if it need not wait.
    fn chosen(&mut self) -> io::Result<()> {
        let stopped = self.ending || self.stop.load(Ordering::Relaxed);
        match &mut self.work {
            Some(work) if work.kind == Kind::Waiting && !stopped => {
                work.kind = Kind::Ready;
                Ok(())
            }
            _ => self.tell_choice(),
        }
    }

    fn tell_choice(&mut self) -> io::Result<()> {
        for answer in self.take_back() {
            self.say(&answer)?;
        }
        Ok(())
    }

    fn stop(&mut self) -> io::Result<()> {
        match self.work.as_ref().map(|work| work.kind) {
            None | Some(Kind::Pondering) => Ok(()),
            Some(Kind::Ready) => self.tell_choice(),
            Some(Kind::Choosing | Kind::Waiting) => {
                self.stop.store(true, Ordering::Relaxed);
                Ok(())
            }
        }
    }

    fn show(&mut self) -> io::Result<()> {
        let lines = match (&self.work, &self.seat) {
            (Some(work), _) => work.belief.clone(),
            (None, Some(seat)) => seat.describe(),
            (None, None) => match self.seated() {
                Ok(seat) => seat.describe(),
                Err(why) => return self.complain(&why),
            },
        };
        lines.into_iter().try_for_each(|line| self.say(&Answer::Note(line)))
    }

    /// Ends what is going on, and then itself.
    fn end(&mut self) -> io::Result<()> {
        self.settle();
        self.ending = true;
        self.stop()
    }
}

/// The seat of who plays, at the start of a game.
fn sit<G: Seats>(
    game: G,
    color: Color,
    options: &Options,
    stop: Arc<AtomicBool>,
) -> Result<Box<dyn Seat>, SeatError> {
    if let Agent::Obscuro(name) = &options.agent {
        let mut player = Player::new(game.clone(), color, name, options.threads)?;
        player.stop_by(stop);
        return Ok(Box::new(SeatOf::new(game, player)));
    }
    let place = Place { color, seed: options.seed(), margin: Duration::ZERO };
    let mut contestant = game.seat(&options.agent, place)?;
    contestant.stop_by(stop);
    let told = scuro_games::seat::Seat::new(&game, color);
    Ok(Box::new(SeatOf::new(game.clone(), Plain::new(game, told, contestant))))
}

/// Tells that the choice is made, also if it ended badly.
struct Bell(SyncSender<Event>);

impl Drop for Bell {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Chosen);
    }
}
