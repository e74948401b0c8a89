//! `scuro play`: a game in the terminal, or through a pipe.
//!
//! [`prompt`] is what the three games need to be played by a person, [`table`] the game itself, [`review`] the walk
//! through it afterwards, [`screen`] how boards look, [`book`] how a game is saved.

mod book;
mod prompt;
mod review;
mod screen;
mod table;

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use scuro_agents::contestant::Allowance;
use scuro_agents::level::{LEVELS, Level};
use scuro_agents::name::{Agent, NameError};
use scuro_agents::seat::Seats;
use scuro_core::Random;
use scuro_games::chess::{Board, Color};
use scuro_games::kriegspiel::Ruleset;
use scuro_games::{Variant, with_game};

use super::Answer;
use crate::arguments::{duration, game, position, rules, ruleset, who_plays};
use prompt::Prompt;
use table::Table;

#[derive(Args)]
#[command(
    after_help = format!("Moves are UCI (e2e4, e7e8q, castling e1g1) or SAN (e4, Nf3, O-O); in RBC first comes a square to \
sense. At the prompt: help, moves, board, hint, resign, quit. After the game the review steps \
through all that was hidden (n, b or the number of a ply; in a pipe too). Colours go away with NO_COLOR, and letters replace the signs where the locale is not UTF-8.\n\n\
{}\n\n\
Examples:\n  \
scuro play\n  \
scuro play --side black --level 5 --save games.pgn\n  \
scuro play --opponent obscuro --movetime 2s\n  \
scuro play --game kriegspiel --ruleset english\n  \
printf 'e4\\nresign\\n' | scuro play --seed 1", who_plays())
)]
pub(crate) struct Arguments {
    /// The game
    #[arg(long, value_name = "GAME", default_value = Variant::FogOfWar.word(), value_parser = game())]
    game: Variant,
    /// Your side
    #[arg(long, value_enum, default_value = "white")]
    side: Seat,
    /// How well the engine plays, from 1 to 8 (see scuro agents) [default: 3]
    #[arg(long, value_name = "N", value_parser = level, conflicts_with_all = ["movetime", "opponent"])]
    level: Option<&'static Level>,
    /// Play against the engine at full strength, with so much time for every move, as in 1s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    movetime: Option<Duration>,
    /// Play against this agent: a name as scuro agents lists it, or cmd:PROGRAM [default: the engine]
    #[arg(long, value_name = "NAME", value_parser = agent)]
    opponent: Option<Named>,
    /// What the umpire of Kriegspiel says: icc (unless said otherwise), cincinnati, rand or english
    #[arg(long, value_name = "NAME", value_parser = ruleset)]
    ruleset: Option<Ruleset>,
    /// The first position, as FEN
    #[arg(long, value_name = "FEN", default_value = "start", value_parser = position)]
    fen: Board,
    /// Random numbers of the opponent [default: others every time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Append the game to this file as PGN, also when you leave in the middle
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Seat {
    White,
    Black,
    Random,
}

/// An agent as the person calls it.
#[derive(Clone)]
struct Named {
    name: String,
    agent: Agent,
}

impl From<&'static Level> for Named {
    fn from(level: &'static Level) -> Named {
        Named { name: level.agent.to_owned(), agent: Agent::Level(level) }
    }
}

fn level(text: &str) -> Result<&'static Level, String> {
    let level = text.parse().ok().and_then(Level::of);
    level.ok_or_else(|| format!("'{text}' is not a level from 1 to {}", LEVELS.len()))
}

fn agent(text: &str) -> Result<Named, String> {
    let agent = text.parse().map_err(|error: NameError| error.to_string())?;
    Ok(Named { name: text.to_owned(), agent })
}

/// The level of who says nothing: one that makes mistakes.
const USUAL_LEVEL: usize = 3;

/// Time for a move of an agent that is called by its name, if no other is given.
const USUAL_TIME: Duration = Duration::from_secs(1);

impl Arguments {
    /// Who plays, and what a move may cost.
    fn opponent<G: Seats>(&self) -> anyhow::Result<(Named, Allowance)> {
        let named = match (&self.opponent, self.movetime) {
            (Some(named), _) => named.clone(),
            (None, Some(_)) => Named { name: G::STRONGEST.to_owned(), agent: G::STRONGEST.parse()? },
            (None, None) => self.level.unwrap_or(&LEVELS[USUAL_LEVEL - 1]).into(),
        };
        let allowance = match (&named.agent, self.movetime) {
            (Agent::Level(level), None) => Allowance::Nodes(level.nodes),
            (_, time) => Allowance::Time(time.unwrap_or(USUAL_TIME)),
        };
        Ok((named, allowance))
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let rules = rules(arguments.game, arguments.fen, arguments.ruleset)?;
    with_game!(rules, game => play(game, arguments, out))
}

fn play<G: Prompt>(game: G, arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let seed = arguments.seed.unwrap_or_else(|| {
        // Any number will do: before 1970 it is 0.
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64 % 1_000_000)
    });
    let you = match arguments.side {
        Seat::White => Color::White,
        Seat::Black => Color::Black,
        Seat::Random => *Random::new(seed).pick(&Color::ALL).unwrap_or(&Color::White),
    };
    let mut table = Table::new(game, arguments, you, seed)?;
    // Whatever ends the game, a lost reader included, it is saved before anything else.
    let played = table.play(out);
    let saved = table.save();
    played?;
    saved?;
    table.finish(seed, out)?;
    Ok(Answer::Yes)
}
