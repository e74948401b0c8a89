//! One game: the umpire, two contestants and their clocks. Who crashes, plays illegally, comes too late or talks garbage
//! loses this game, and only this one.
//!
//! A contestant that panics has crashed. One that might overflow its stack or the memory plays as a process: that would
//! end the program, with every finished game kept.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use scuro_agents::contestant::{Allowance, Fault, Notes};
use scuro_agents::name::Agent;
use scuro_agents::play::tell_one;
use scuro_agents::rivals::fleeing::Omniscient;
use scuro_agents::seat::{Place, SeatError, Seated, Seats};
use scuro_games::chess::Color;
use scuro_games::dark::Rules;
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::records::Ply;
use scuro_games::umpire::Umpire;
use scuro_games::with_game;

use crate::control::{Clocks, Control};
use crate::line::{Side, Times, thought};
use crate::settings::MARGIN;

/// What a game may cost.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// Of a move of White and of Black.
    pub controls: [Control; 2],
    /// How late it may be.
    pub margin: Duration,
    /// Whether to keep what the players thought.
    pub thoughts: bool,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// What the players did.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub outcome: Outcome,
    /// What the loser did wrong, if that ended the game.
    pub fault: Option<String>,
    /// What White and Black told of their choices.
    pub sides: [Side; 2],
    /// How long they took.
    pub times: [Times; 2],
    /// What they thought, ply by ply, if that is kept.
    pub thoughts: Vec<String>,
}

/// Seats the agents for a moment, to see whether they can play. One that fails then will lose its games.
///
/// # Errors
/// If one cannot.
pub fn check_agents(rules: Rules, agents: &[Agent; 2]) -> Result<(), SeatError> {
    let place = Place { color: Color::White, seed: 0, margin: MARGIN };
    agents.iter().try_for_each(
        |agent| match with_game!(rules, game => Mover::seat(&game, agent, place).map(drop)) {
            Err(SeatError::Start(fault @ (Fault::Missing(_) | Fault::Foreign(_)))) => Err(fault.into()),
            Ok(()) | Err(SeatError::Start(_)) => Ok(()),
            Err(error) => Err(error),
        },
    )
}

/// Plays a game of at most so many turns of a side between White and Black; `None` if it was stopped.
///
/// # Errors
/// If one cannot sit down.
pub fn play(
    rules: Rules,
    turns: u32,
    costs: Costs,
    agents: [(&Agent, u64); 2],
    stop: &AtomicBool,
) -> Result<Option<Played>, SeatError> {
    with_game!(rules, game => seated(game, turns, costs, agents, stop))
}

fn seated<G: Seats>(
    game: G,
    turns: u32,
    costs: Costs,
    [white, black]: [(&Agent, u64); 2],
    stop: &AtomicBool,
) -> Result<Option<Played>, SeatError> {
    let place = |color, seed| Place { color, seed, margin: costs.margin };
    let seat = |color, (agent, seed): (&Agent, u64)| match Mover::seat(&game, agent, place(color, seed)) {
        Err(SeatError::Start(fault)) => Ok(Err(Foul::of(color, &fault))),
        seated => seated.map(Ok),
    };
    let movers = match (seat(Color::White, white)?, seat(Color::Black, black)?) {
        (Ok(white), Ok(black)) => [white, black],
        (Err(foul), _) | (_, Err(foul)) => return Ok(Some(foul.played())),
    };
    let clocks = Clocks::new(costs.controls, costs.margin);
    let table = Table { umpire: Umpire::new(game), movers, clocks };
    Ok(table.play(turns, costs.thoughts, stop))
}

/// Whoever moves in a match: a contestant that knows what it is told, or an opponent that sees everything.
enum Mover<G: Seats> {
    Told(Seated<G>),
    Omniscient(Box<dyn Omniscient<G> + Send>),
}

impl<G: Seats> Mover<G> {
    fn seat(game: &G, agent: &Agent, place: Place) -> Result<Mover<G>, SeatError> {
        match game.omniscient(agent, place.seed) {
            Some(omniscient) => Ok(Mover::Omniscient(omniscient)),
            None => game.seat(agent, place).map(Mover::Told),
        }
    }

    fn choose(&mut self, umpire: &Umpire<G>, allowance: Allowance) -> Result<G::Action, Fault> {
        let choices = umpire.choices();
        match self {
            Mover::Told(contestant) => contestant.choose(&choices, allowance),
            Mover::Omniscient(opponent) => Ok(opponent.choose(umpire.state(), &choices)),
        }
    }

    /// The contestant, if it is one that has to be told.
    fn told(&mut self) -> Option<&mut Seated<G>> {
        if let Mover::Told(contestant) = self { Some(contestant) } else { None }
    }

    fn notes(&self) -> Notes {
        if let Mover::Told(contestant) = self { contestant.notes() } else { Notes::default() }
    }
}

/// So many tries in one turn are no way to find a move.
const MOST_TRIES: usize = 1_000;

/// A board with two contestants.
struct Table<G: Seats> {
    umpire: Umpire<G>,
    movers: [Mover<G>; 2],
    clocks: Clocks,
}

/// Why a side has lost without the board.
struct Foul {
    loser: Color,
    reason: Reason,
    words: String,
}

impl<G: Seats> Table<G> {
    fn play(mut self, turns: u32, thoughts: bool, stop: &AtomicBool) -> Option<Played> {
        let mut log = Log { thoughts: thoughts.then(Vec::new), ..Log::default() };
        let mut taken = [0; 2];
        let mut tries = 0;
        let ended = loop {
            let Some(side) = self.umpire.turn() else { break self.umpire.outcome().map(|end| (end, None)) };
            if taken[side as usize] == turns {
                break Some((Outcome::draw(Reason::TurnLimit), None));
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let ended = self.ply(side, &mut log);
            tries += 1;
            let ended = match ended {
                Ok(()) if tries == MOST_TRIES => {
                    let words = format!("{MOST_TRIES} tries in one turn");
                    Err(Foul { loser: side, reason: Reason::Garbage, words })
                }
                ended => ended,
            };
            if let Err(Foul { loser, reason, words }) = ended {
                break Some((Outcome::win(!loser, reason), Some(words)));
            }
            if self.umpire.turn() != Some(side) {
                self.clocks.press(side);
                taken[side as usize] += 1;
                tries = 0;
            }
        };
        // Every game has an end: a state without a turn has an outcome.
        let (outcome, fault) = ended?;
        if self.umpire.outcome().is_none() {
            for contestant in self.movers.iter_mut().filter_map(Mover::told) {
                let _ = guarded(|| contestant.over(outcome));
            }
        }
        let plies = self.umpire.actions().iter().map(|&action| G::ply(action)).collect();
        let Log { sides, times, thoughts, .. } = log;
        Some(Played { plies, outcome, fault, sides, times, thoughts: thoughts.unwrap_or_default() })
    }

    /// One ply: the side to move chooses in time, the umpire plays, and both see what came of it.
    fn ply(&mut self, side: Color, log: &mut Log) -> Result<(), Foul> {
        let mover = &mut self.movers[side as usize];
        let (began, allowance) = (Instant::now(), self.clocks.allowance(side));
        let chosen = guarded(|| mover.choose(&self.umpire, allowance));
        // What it took to see what happened since belongs to the move.
        let time = began.elapsed() + std::mem::take(&mut log.seeing[side as usize]);
        let late = self.clocks.spend(side, time);
        log.times[side as usize].add(time, late);
        let action = chosen.and_then(|chosen| chosen).map_err(|fault| Foul::of(side, &fault))?;
        if late {
            let words = format!("a move took {} ms", time.as_millis());
            return Err(Foul { loser: side, reason: Reason::Timeout, words });
        }
        let notes = guarded(|| mover.notes()).map_err(|fault| Foul::of(side, &fault))?;
        if let Err(refusal) = self.umpire.play(side, action) {
            return Err(Foul { loser: side, reason: Reason::Illegal, words: refusal.to_string() });
        }
        log.note(side, &notes);
        self.tell(side, action, log)
    }

    fn tell(&mut self, side: Color, action: G::Action, log: &mut Log) -> Result<(), Foul> {
        let umpire = &self.umpire;
        for (color, mover) in Color::ALL.into_iter().zip(&mut self.movers) {
            let Some(contestant) = mover.told() else { continue };
            let began = Instant::now();
            let told = guarded(|| tell_one(umpire, color, side, action, &mut **contestant));
            log.seeing[color as usize] += began.elapsed();
            // A game that is over stays as it ended.
            if umpire.outcome().is_none() {
                told.map_err(|fault| Foul::of(color, &fault))?;
            }
        }
        Ok(())
    }
}

impl Foul {
    fn of(loser: Color, fault: &Fault) -> Foul {
        let reason = match fault {
            Fault::Missing(_) | Fault::Foreign(_) | Fault::Gone(_) => Reason::Crash,
            Fault::Silent => Reason::Timeout,
            Fault::Nonsense(_) => Reason::Garbage,
        };
        Foul { loser, reason, words: fault.to_string() }
    }

    /// A game that ended so before it began.
    fn played(self) -> Played {
        Played {
            plies: Vec::new(),
            outcome: Outcome::win(!self.loser, self.reason),
            fault: Some(self.words),
            sides: Default::default(),
            times: Default::default(),
            thoughts: Vec::new(),
        }
    }
}

/// What is written down on the way.
#[derive(Default)]
struct Log {
    sides: [Side; 2],
    times: [Times; 2],
    /// Time spent on seeing since the last choice.
    seeing: [Duration; 2],
    thoughts: Option<Vec<String>>,
}

impl Log {
    fn note(&mut self, side: Color, notes: &Notes) {
        self.sides[side as usize].add(notes);
        if let Some(thoughts) = &mut self.thoughts {
            thoughts.push(thought(notes));
        }
    }
}

/// A contestant's answer, or that it has crashed.
fn guarded<T>(answer: impl FnOnce() -> T) -> Result<T, Fault> {
    // Whatever it leaves half done is its own, and it is not asked again.
    catch_unwind(AssertUnwindSafe(answer)).map_err(|panic| {
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
        Fault::Gone(format!("panicked: {}", words.unwrap_or_default()))
    })
}

#[cfg(test)]
mod tests;
