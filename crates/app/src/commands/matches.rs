//! `scuro match`: who is stronger, and by how much?

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::{ArgGroup, Args};
use scuro_arena::contest::Match;
use scuro_arena::control::{self, Control, ControlError};
use scuro_arena::openings::Openings;
use scuro_arena::runner::Ended;
use scuro_arena::settings::{FORMAT, Settings, Shard, TURNS};
use scuro_arena::sprt::Hypotheses;
use scuro_arena::statistics::Results;
use scuro_arena::summary::Summary;
use scuro_games::Variant;
use scuro_games::kriegspiel::Ruleset;

use super::{Answer, Interrupt, complain, progress};
use crate::arguments::{duration, game, margin, refuse_ruleset, ruleset, who_plays};

#[derive(Args)]
#[command(
    group(ArgGroup::new("control").required(true).args(["movetime", "nodes", "clock"])),
    after_help = format!("Games come in pairs: both agents play the same opening with both colours. A game's random numbers \
follow from --seed and its number; with --nodes the games are the same however often the match was interrupted, \
resumed or cut into shards. An agent that crashes, plays illegally, comes too late or talks nonsense loses that \
game.\n\n\
--out keeps settings.json, games.jsonl (a line for every finished game), times.jsonl, and when all games are played \
games.pgn and score.svg.\n\n\
{}\n\n\
Examples:\n  \
scuro match obscuro random --game fog --games 100 --nodes 1000\n  \
scuro match obscuro obscuro:purify=off --games 400 --movetime 62ms --concurrency 2 --out off\n  \
scuro match obscuro obscuro:purify=off --games 400 --movetime 62ms --out off --resume\n  \
scuro match hs semi --game kriegspiel --ruleset cincinnati --games 20 --nodes 2000\n  \
scuro match obscuro random --game rbc --games 20 --nodes 1000 --json", who_plays())
)]
pub(crate) struct Arguments {
    /// The agent whose score it is, as in obscuro or obscuro:purify=off (see scuro agents)
    #[arg(value_name = "A")]
    first: String,
    /// Its opponent
    #[arg(value_name = "B")]
    second: String,
    /// The game
    #[arg(long, value_name = "GAME", default_value = Variant::FogOfWar.word(), value_parser = game())]
    game: Variant,
    /// Whose Kriegspiel: icc, cincinnati, rand or english [default: icc]
    #[arg(long, value_name = "NAME", value_parser = ruleset)]
    ruleset: Option<Ruleset>,
    /// How many games
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    #[command(flatten)]
    budget: BudgetArguments,
    /// What a move of B may cost, if not the same: 125ms, 3m+2s or '200 nodes'
    #[arg(long = "second", value_name = "CONTROL", allow_hyphen_values = true, value_parser = second)]
    second_control: Option<Control>,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Random numbers
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// First positions: start, book (short lines that both know), or a file of FENs or PGN
    #[arg(long, value_name = "FILE", default_value = "start")]
    openings: String,
    /// Stop when it is clear whether A is stronger by elo1 or only by elo0
    #[arg(long, value_name = "elo0,elo1", allow_hyphen_values = true)]
    sprt: Option<Hypotheses>,
    /// A move is late only so long past its time; a clock may be overdrawn so long in all
    #[arg(long, value_name = "TIME", default_value = "200ms", allow_hyphen_values = true, value_parser = margin)]
    margin: Duration,
    /// A game is drawn when a side has had so many turns
    #[arg(long, value_name = "N", default_value_t = TURNS, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    turns: u32,
    /// Play only every N-th pair, from the I-th on, counted from 0 (N/N is 0/N)
    #[arg(long, value_name = "I/N", allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// Keep what the players thought, as comments of the PGN
    #[arg(long)]
    thoughts: bool,
    /// Keep the games in this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the match in the folder
    #[arg(long, requires = "out")]
    resume: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct BudgetArguments {
    /// Time for every move, as in 62ms
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = duration)]
    movetime: Option<Duration>,
    /// Nodes for every move
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: Option<u64>,
    /// A clock for all moves, as in 3m+2s
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = clock)]
    clock: Option<Control>,
}

impl BudgetArguments {
    fn control(&self) -> Control {
        let nodes = Control::Nodes(self.nodes.unwrap_or(1) as usize);
        self.clock.or(self.movetime.map(Control::Movetime)).unwrap_or(nodes)
    }
}

fn second(text: &str) -> Result<Control, String> {
    text.parse().map_err(|error: ControlError| error.to_string())
}

fn clock(text: &str) -> Result<Control, String> {
    control::clock(text).map_err(|error| error.to_string())
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    refuse_ruleset(arguments.game, arguments.ruleset)?;
    let settings = Settings {
        format: FORMAT,
        game: arguments.game,
        ruleset: arguments.ruleset.unwrap_or_default(),
        agents: [arguments.first.clone(), arguments.second.clone()],
        games: arguments.games,
        control: arguments.budget.control(),
        second: arguments.second_control.filter(|second| *second != arguments.budget.control()),
        seed: arguments.seed,
        openings: Openings::named(&arguments.openings)?,
        margin: arguments.margin,
        turns: arguments.turns,
        sprt: arguments.sprt,
        shard: arguments.shard,
        thoughts: arguments.thoughts,
    };
    let (folder, concurrency) = (arguments.out.as_deref(), usize::from(arguments.concurrency));
    let contest = Match::open(settings, folder, arguments.resume)?;
    let (summary, ended) = play(contest, concurrency, &Interrupt::watch()?)?;
    if ended == Ended::Stopped && folder.is_some() {
        tell_how_to_resume(Some("--resume"));
    }
    print(&summary, arguments.json, out)?;
    Ok(if ended == Ended::Done { Answer::Yes } else { Answer::Interrupted })
}

/// Plays what is missing of a match, and tells on stderr how it goes.
pub(super) fn play(
    mut contest: Match,
    concurrency: usize,
    interrupt: &Interrupt,
) -> anyhow::Result<(Summary, Ended)> {
    warn(&contest, concurrency);
    let bar = progress("games", Some(contest.settings().numbers().count() as u64));
    let ended = contest.play(concurrency, &interrupt.0, |contest| {
        let Results { wins, draws, losses } = contest.results();
        let score = 100.0 * contest.results().score();
        bar.set_position(wins + draws + losses);
        bar.set_message(format!("{wins}-{draws}-{losses} {score:.1}%"));
    });
    bar.finish_and_clear();
    let ended = ended?;
    if ended == Ended::Done {
        contest.finish()?;
    }
    Ok((contest.summary(), ended))
}

/// Says which command goes on where this one stopped: the same one, with the flag that it needs for that.
pub(super) fn tell_how_to_resume(flag: Option<&str>) {
    let words = std::env::args().collect::<Vec<_>>();
    let flag = flag.filter(|flag| !words.iter().any(|word| word == flag));
    // Right after the command: at the end it may stand behind a `--`.
    let (command, rest) = words.split_at(words.len().min(2));
    let words = command.iter().map(String::as_str).chain(flag).chain(rest.iter().map(String::as_str));
    let command: Vec<String> = words.map(quoted).collect();
    complain(&format!("scuro: interrupted, finished games are kept; go on with: {}", command.join(" ")));
}

/// Says what may spoil the match.
fn warn(contest: &Match, concurrency: usize) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = contest.threads(concurrency);
    if threads > cores {
        complain(&format!(
            "scuro: warning: {threads} threads on {cores} cores: agents will wait for each other"
        ));
    }
    if contest.spends_nodes_in_threads() {
        complain(
            "scuro: warning: with growers beside the solver, games on a budget of nodes do not repeat exactly",
        );
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The summary as text or as JSON.
pub(super) fn print(summary: &Summary, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    if json {
        let document = serde_json::to_string(summary).context("cannot write JSON")?;
        writeln!(out, "{document}")?;
    } else {
        write!(out, "{}", summary.text())?;
    }
    Ok(())
}
