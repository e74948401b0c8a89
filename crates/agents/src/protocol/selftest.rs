//! Whether a program speaks the [`protocol`](crate::protocol), step by step.
//!
//! Nothing here depends on how fast it is or how well it plays: it has to understand what it is told, answer what it is
//! asked, choose what the rules allow, and complain about the rest.

use std::io;
use std::time::{Duration, Instant};

use scuro_games::Variant;
use scuro_games::chess::{Board, Color};
use scuro_games::dark::Rules;
use scuro_games::fog::FogOfWar;
use scuro_games::kriegspiel::{Kriegspiel, Ruleset};
use scuro_games::umpire::Umpire;
use scuro_games::with_game;
use thiserror::Error;

use crate::contestant::{Allowance, Contestant, Fault};
use crate::play::{ply, tell};
use crate::protocol::dialect::Dialect;
use crate::protocol::process::{Errors, GameSetup, Process};
use crate::protocol::{Answer, Kind, Line, variant_word};
use crate::rivals::random::RandomMover;

/// Plies of a game that is played to see whether it goes.
const PLIES: usize = 12;

/// The forms of `go`, but for `go infinite`.
const ALLOWANCES: [Allowance; 3] = [
    Allowance::Nodes(100),
    Allowance::Time(Duration::from_millis(50)),
    Allowance::Clock {
        left: [Some(Duration::from_secs(3)), Some(Duration::from_secs(2))],
        increment: [Duration::from_millis(100), Duration::from_millis(50)],
    },
];

/// Lines that no program understands.
const NONSENSE: [&str; 2] = ["xyzzy", "bestmove e2e4"];

/// Lines that begin well and end badly.
const WRONG: [&str; 6] = [
    "side red",
    "start fen 8/8/8/8",
    "setoption name NoSuchOption value 1",
    "go movetime soon",
    "view ????????/???????? w - - - 1",
    "played e2e9",
];

/// What a step says that is not as it should be.
type Step = Result<(), String>;

/// Why a test has no result.
#[derive(Debug, Error)]
pub enum SelftestError {
    /// There is no such program.
    #[error("{0}")]
    Missing(String),
    /// A step could not be told.
    #[error(transparent)]
    Told(#[from] io::Error),
}

/// Tests `PROGRAM ARGS`. `told` hears of every step what it was, and what was wrong, if anything; whether all was well.
///
/// # Errors
/// If the program cannot be started, or `told` fails.
pub fn run(
    command: &str,
    patience: Duration,
    told: &mut dyn FnMut(&str, &Step) -> io::Result<()>,
) -> Result<bool, SelftestError> {
    let mut test = Selftest { command, patience, told, well: true };
    let started = match Process::start(command, patience, Errors::Shown) {
        Err(Fault::Missing(why)) => return Err(SelftestError::Missing(why)),
        started => started,
    };
    let mut process = None;
    test.step("uci: id, options, scuro 1, uciok", || {
        process = Some(started.map_err(words)?);
        Ok(())
    })?;
    let Some(mut process) = process else { return Ok(false) };
    test.step("isready", || unmoved(process.ready()))?;
    test.options(&mut process)?;
    for line in NONSENSE.into_iter().chain(WRONG) {
        test.step(&format!("'{line}' is answered by error"), || refused(&mut process, line))?;
    }
    for variant in Variant::DARK {
        if process.plays(variant) {
            test.games(&mut process, variant)?;
        }
    }
    test.step("isready after all that", || unmoved(process.ready()))?;
    let game = Variant::DARK.into_iter().find(|&variant| process.plays(variant));
    drop(process);
    test.endings(game.unwrap_or(Variant::FogOfWar))?;
    Ok(test.well)
}

struct Selftest<'t> {
    command: &'t str,
    patience: Duration,
    told: &'t mut dyn FnMut(&str, &Step) -> io::Result<()>,
    well: bool,
}

impl Selftest<'_> {
    fn step(&mut self, what: &str, act: impl FnOnce() -> Step) -> io::Result<()> {
        let done = act();
        self.well &= done.is_ok();
        (self.told)(what, &done)
    }

    /// Every option is set to what it is.
    fn options(&mut self, process: &mut Process) -> io::Result<()> {
        for offer in process.offers().to_vec() {
            let usual = match offer.kind {
                Kind::Check(usual) | Kind::Text(usual) => usual,
                Kind::Spin { usual, .. } | Kind::Combo { usual, .. } => usual,
                Kind::Button => continue,
            };
            let line = format!("setoption name {} value {usual}", offer.name);
            self.step(&line, || unmoved(process.exchange(&line)))?;
        }
        Ok(())
    }

    fn games(&mut self, process: &mut Process, variant: Variant) -> io::Result<()> {
        let game = variant_word(variant);
        for color in Color::ALL {
            let side = if color == Color::White { "white" } else { "black" };
            self.step(&format!("{game}: {PLIES} plies as {side}, go nodes, movetime and clocks"), || {
                let rules = usual(variant)?;
                process.begin(&GameSetup::new(rules, color)).map_err(words)?;
                with_game!(rules, game => play(game, process, color))
            })?;
        }
        match variant {
            Variant::FogOfWar => self.fog(process),
            Variant::Kriegspiel => self.rulesets(process),
            Variant::Reconnaissance => self.rbc(process),
            Variant::Chess => Ok(()),
        }
    }

    fn fog(&mut self, process: &mut Process) -> io::Result<()> {
        let game = "fogofwar";
        self.step(&format!("{game}: views after own moves left out"), || {
            begin(process, Variant::FogOfWar)?;
            process.own_views = false;
            let played = play(FogOfWar::default(), process, Color::White);
            process.own_views = true;
            played
        })?;
        self.step(&format!("{game}: played another move than its own"), || overruled(process))?;
        self.step(&format!("{game}: go infinite, isready, stop"), || {
            begin(process, Variant::FogOfWar)?;
            endless(process, "go infinite")
        })?;
        self.step(&format!("{game}: a wrong view is answered by error and changes nothing"), || {
            begin(process, Variant::FogOfWar)?;
            refused(process, "view rubbish")?;
            play(FogOfWar::default(), process, Color::White)
        })
    }

    /// The rulesets that it knows besides the usual one.
    fn rulesets(&mut self, process: &mut Process) -> io::Result<()> {
        let named = process.offers().iter().find(|offer| offer.name == "Ruleset");
        let Some(Kind::Combo { words: names, .. }) = named.map(|offer| offer.kind.clone()) else {
            return Ok(());
        };
        let known = names.iter().filter_map(|name| name.parse::<Ruleset>().ok());
        for ruleset in known.filter(|&ruleset| ruleset != Ruleset::default()) {
            self.step(&format!("kriegspiel: {PLIES} plies under the ruleset {ruleset}"), || {
                let game = Kriegspiel { ruleset, ..Kriegspiel::default() };
                process.begin(&GameSetup::new(Rules::Kriegspiel(game), Color::White)).map_err(words)?;
                play(game, process, Color::White)
            })?;
        }
        Ok(())
    }

    fn rbc(&mut self, process: &mut Process) -> io::Result<()> {
        self.step("rbc: go move before the sense is answered by error", || {
            begin(process, Variant::Reconnaissance)?;
            refused(process, "go move")?;
            endless(process, "go sense infinite")
        })
    }

    /// Whatever it is doing, it ends well when it is told to, or when nobody tells it anything any more.
    fn endings(&mut self, game: Variant) -> io::Result<()> {
        for (end, thinking) in
            [("quit", true), ("quit", false), ("end of input", true), ("end of input", false)]
        {
            let what = format!(
                "{end} {}",
                if thinking { "while thinking: its choice, exit 0" } else { "when idle: exit 0" }
            );
            let (command, patience) = (self.command, self.patience);
            self.step(&what, || {
                let mut process = Process::start(command, patience, Errors::Shown).map_err(words)?;
                if thinking {
                    begin(&mut process, game)?;
                    process.program().tell(&"go infinite").map_err(words)?;
                }
                if end == "quit" {
                    process.program().tell(&"quit").map_err(words)?;
                }
                process.program().close();
                ended(&mut process, thinking, patience)
            })?;
        }
        Ok(())
    }
}

/// The usual rules of a game.
fn usual(variant: Variant) -> Result<Rules, String> {
    Rules::new(variant, Board::start(), Ruleset::default()).ok_or_else(|| "not a game in the dark".to_owned())
}

/// A new game, in which the program has White.
fn begin(process: &mut Process, variant: Variant) -> Step {
    process.begin(&GameSetup::new(usual(variant)?, Color::White)).map_err(words)
}

fn words(fault: Fault) -> String {
    fault.to_string()
}

/// Nothing of what was said before is answered by `error`.
fn unmoved(answers: Result<Vec<Answer>, Fault>) -> Step {
    match answers.map_err(words)?.iter().find(|answer| matches!(answer, Answer::Error(_))) {
        Some(error) => Err(format!("it said '{error}'")),
        None => Ok(()),
    }
}

/// A line that is answered by `error`, and by no choice.
fn refused(process: &mut Process, line: &str) -> Step {
    let answers = process.exchange(line).map_err(words)?;
    let chosen = answers.iter().find(|answer| matches!(answer, Answer::BestMove(_) | Answer::BestSense(_)));
    if let Some(chosen) = chosen {
        return Err(format!("it said '{chosen}'"));
    }
    let complained = answers.iter().any(|answer| matches!(answer, Answer::Error(_)));
    if complained { Ok(()) } else { Err("no error was said".to_owned()) }
}

/// A few plies against a random mover; every choice has to be allowed.
fn play<G: Dialect>(game: G, process: &mut Process, color: Color) -> Step {
    let mut umpire = Umpire::new(game);
    let mut other = RandomMover::new(1);
    for turn in 0..PLIES {
        if umpire.outcome().is_some() {
            break;
        }
        let contestants: [&mut dyn Contestant<G>; 2] = match color {
            Color::White => [process, &mut other],
            Color::Black => [&mut other, process],
        };
        let allowance = ALLOWANCES[turn / 2 % ALLOWANCES.len()];
        ply(&mut umpire, contestants, allowance).map_err(|foul| format!("ply {}: {foul}", turn + 1))?;
    }
    unmoved(process.ready())
}

/// Its choice is not what is played.
fn overruled(process: &mut Process) -> Step {
    begin(process, Variant::FogOfWar)?;
    let mut umpire = Umpire::new(FogOfWar::default());
    let mut other = RandomMover::new(2);
    for turn in 0..2 {
        let chosen =
            Contestant::<FogOfWar>::choose(process, &umpire.choices(), ALLOWANCES[0]).map_err(words)?;
        let instead = umpire.choices().into_iter().find(|&m| m != chosen).unwrap_or(chosen);
        umpire.play(Color::White, instead).map_err(|refusal| refusal.to_string())?;
        tell(&umpire, Color::White, instead, [process, &mut other]);
        ply(&mut umpire, [process, &mut other], ALLOWANCES[0])
            .map_err(|foul| format!("turn {turn}: {foul}"))?;
    }
    unmoved(process.ready())
}

/// It thinks until it is stopped, or answers at once, and says that it is ready in between.
fn endless(process: &mut Process, line: &str) -> Step {
    let choice = |answers: &[Answer]| {
        answers.iter().filter(|answer| matches!(answer, Answer::BestMove(_) | Answer::BestSense(_))).count()
    };
    let early = process.exchange(line).map_err(words)?;
    if let Some(error) = early.iter().find(|answer| matches!(answer, Answer::Error(_))) {
        return Err(format!("it said '{error}'"));
    }
    let mut times = choice(&early);
    let late = process.exchange("stop").map_err(words)?;
    times += choice(&late);
    if times == 0 {
        process.hear_choice(Duration::ZERO).map_err(words)?;
        times = 1;
    }
    times += choice(&process.ready().map_err(words)?);
    if times == 1 { Ok(()) } else { Err(format!("it chose {times} times")) }
}

/// It ends with 0, and if it was thinking says what it has chosen.
fn ended(process: &mut Process, thinking: bool, patience: Duration) -> Step {
    let until = Instant::now() + patience;
    let mut chosen = 0;
    while let Ok(line) = process.program().hear(until) {
        let Line::Text(line) = line else { continue };
        chosen += usize::from(line.starts_with("bestmove ") || line.starts_with("bestsense "));
    }
    let status = process.program().ended(until).ok_or("it does not end")?;
    if !status.success() {
        return Err(format!("it ended with {status}"));
    }
    match (thinking, chosen) {
        (true, 1) | (false, 0) => Ok(()),
        _ => Err(format!("it chose {chosen} times")),
    }
}
