//! Trials that prove the player of Fog of War: games against yardsticks and against itself, and positions of which
//! the paper tells what they are worth.
//!
//! Every finished game or question is one line of JSON in the file `--out`. A trial that was stopped goes on where it
//! was: what is in the file is not played again, and the totals are of the whole file.
//!
//! `cargo run --release -p scuro-app --example trials -- COMMAND`, with one of these commands:
//!
//! - `random --out random.jsonl --games 1000 --movetime 50ms`: against a mover at random, colours in turn. The bar:
//!   every game is won.
//! - `selfplay --out selfplay.jsonl --games 100 --movetime 100ms`: against itself. The truth must be in both exact
//!   beliefs after every ply, and all positions of a belief must give the same moves.
//! - `beliefs --game rbc --out beliefs.jsonl --games 100 --nodes 2000 --threads 1` (or `kriegspiel`, `fog`): against itself;
//!   how often the truth is in exact beliefs, which must be always, and in samples.
//! - `kings --out kings.jsonl --movetime 5s`: king against king (appendix E.8 of the paper), at a fifth of the time, at
//!   the time and at four times the time.
//! - `opening --out opening.jsonl --games 10 --movetime 5s`: after 1. c4 d5, where White should mix a little Qa4 in.
//! - `tactic --out tactic.jsonl --games 10 --movetime 5s`: a rook is given for an even chance to take the king (figure 7
//!   D).
//!
//! `--nodes N --threads 1` in place of `--movetime` makes a trial that always gives the same lines. With `--threads 2`
//! one thread solves and one grows; two trials with `--threads 1` can run side by side.

mod beliefs;
mod book;
mod games;
mod positions;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::bail;
use clap::{Args, Parser, Subcommand};
use scuro_agents::contestant::Allowance;
use scuro_agents::name::parse;
use scuro_agents::player::Player;
use scuro_games::Variant;
use scuro_games::chess::{Board, Color};
use scuro_games::fog::FogOfWar;
use scuro_search::agent::Budget;

/// Trials that prove the player of Fog of War
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    trial: Trial,
}

#[derive(Subcommand)]
enum Trial {
    /// Against a mover at random
    Random(Settings),
    /// Against itself, with checks of both beliefs
    Selfplay(Settings),
    /// Against itself in any game, with a look at how often the truth is believed
    Beliefs {
        /// Which game: fog, kriegspiel or rbc
        #[arg(long, value_name = "GAME", default_value = "fog")]
        game: Variant,
        #[command(flatten)]
        settings: Settings,
    },
    /// King against king
    Kings(Settings),
    /// After 1. c4 d5
    Opening {
        /// How long to think at move 1, as a share of the full time or nodes
        #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
        history: f64,
        #[command(flatten)]
        settings: Settings,
    },
    /// A rook for an even chance
    Tactic(Settings),
}

/// What every trial needs.
#[derive(Args)]
struct Settings {
    /// Where the lines go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games, or how often a position is asked, each with a seed of its own
    #[arg(long, value_name = "N", default_value_t = 10)]
    games: u64,
    /// How long to think at a turn, as in 50ms or 5s
    #[arg(long, value_name = "TIME", value_parser = duration, required_unless_present = "nodes")]
    movetime: Option<Duration>,
    /// How many nodes to make instead
    #[arg(long, value_name = "N", conflicts_with = "movetime")]
    nodes: Option<usize>,
    /// Threads of a player; with 1 growing and solving take turns
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The first game's seed; the others follow
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Who is tried
    #[arg(long, value_name = "AGENT", default_value = "obscuro")]
    agent: String,
}

/// Reads `50ms` or `5s`.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, second) = match text.strip_suffix("ms") {
        Some(number) => (number, 1000.0),
        None => (text.trim_end_matches('s'), 1.0),
    };
    let time = number.parse().ok().and_then(|n: f64| Duration::try_from_secs_f64(n / second).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| format!("'{text}' is not a time such as 50ms or 5s"))
}

impl Settings {
    /// The player at the start of a game.
    fn player(&self, start: Board, color: Color, seed: u64) -> anyhow::Result<Player<FogOfWar>> {
        let mut name = parse(&self.agent)?;
        name.settings.seed = seed;
        Ok(Player::new(FogOfWar { start }, color, &name, Some(usize::from(self.threads)))?)
    }

    /// What a turn is given.
    fn allowance(&self) -> Allowance {
        match (self.nodes, self.movetime) {
            (Some(nodes), _) => Allowance::Nodes(nodes),
            (None, time) => Allowance::Time(time.unwrap_or_default()),
        }
    }

    /// A multiple of what a turn is given.
    fn budget(&self, share: f64) -> Budget {
        match (self.nodes, self.movetime) {
            (Some(nodes), _) => Budget::Nodes((nodes as f64 * share) as usize),
            (None, time) => Budget::Time(time.unwrap_or_default().mul_f64(share)),
        }
    }

    /// In words, so that a file does not come to hold games of different settings.
    fn words(&self, trial: &str) -> String {
        let budget = match (self.nodes, self.movetime) {
            (Some(nodes), _) => format!("--nodes {nodes}"),
            (None, time) => format!("--movetime {}ms", time.unwrap_or_default().as_secs_f64() * 1000.0),
        };
        format!("{trial} {budget} --threads {} --seed {} --agent {}", self.threads, self.seed, self.agent)
    }
}

/// The game under way, for whoever must look into a panic.
static UNDER_WAY: Mutex<String> = Mutex::new(String::new());

/// Notes the game under way.
fn note(words: String) {
    *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) = words;
}

fn main() -> anyhow::Result<()> {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |information| {
        usual(information);
        eprintln!("under way: {}", UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner));
    }));
    let arguments = Arguments::parse();
    if let Trial::Opening { history, .. } = arguments.trial
        && !(history > 0.0 && history <= 1.0)
    {
        bail!("--history must be above 0 and at most 1");
    }
    match &arguments.trial {
        Trial::Random(settings) => games::random(settings),
        Trial::Selfplay(settings) => games::selfplay(settings),
        Trial::Beliefs { game, settings } => beliefs::beliefs(settings, *game),
        Trial::Kings(settings) => positions::kings(settings),
        Trial::Opening { history, settings } => positions::opening(*history, settings),
        Trial::Tactic(settings) => positions::tactic(settings),
    }
}
