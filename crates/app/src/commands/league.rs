//! `scuro league`: many agents, one table.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use scuro_arena::contest::Match;
use scuro_arena::league::{League, Table};
use scuro_arena::runner::Ended;
use scuro_games::Variant;

use super::matches::{play, tell_how_to_resume};
use super::{Answer, Interrupt};
use crate::arguments::{game_words, who_plays};

#[derive(Args)]
#[command(
    after_help = format!("FILE is JSON: the agents, the games of every pairing, what a move may cost (62ms, 3m+2s or 200 \
nodes), and if you like game ({}), ruleset (of Kriegspiel), seed and openings (start, book or a file):\n\n  \
{{\"agents\": [\"obscuro:eval=simple\", \"fleeing\", \"random\"], \"games\": 20, \"control\": \"200 nodes\"}}\n\n\
Ratings are in Elo around a mean of 0, after Bradley and Terry with a draw as half a win. --out keeps every pairing as \
a match in a folder of its own; with --resume the league may have more agents at the end.\n\n\
{}\n\n\
Examples:\n  \
scuro league league.json\n  \
scuro league league.json --out league --resume --json", game_words(&Variant::DARK), who_plays())
)]
pub(crate) struct Arguments {
    /// The league
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Keep the games in this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the league in the folder
    #[arg(long, requires = "out")]
    resume: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let league = League::read(&arguments.file)?;
    // All can be played, or nothing is written; all folders are right, or the first game does not start.
    let mut contests = Vec::new();
    for (agents, name, settings) in league.matches()? {
        contests.push((agents, name, Match::new(settings)?));
    }
    if let Some(out) = &arguments.out {
        for (_, name, contest) in &mut contests {
            contest.keep_in(&out.join(name), arguments.resume)?;
        }
    }
    let interrupt = Interrupt::watch()?;
    let mut played = Vec::new();
    let mut stopped = false;
    for (agents, _, contest) in contests {
        if stopped {
            played.push((agents, contest.summary()));
            continue;
        }
        let (summary, ended) = play(contest, usize::from(arguments.concurrency), &interrupt)?;
        stopped = ended == Ended::Stopped;
        played.push((agents, summary));
    }
    if stopped && arguments.out.is_some() {
        tell_how_to_resume(Some("--resume"));
    }
    let table = Table::of(&league.agents, played);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&table)?)?;
    } else {
        write!(out, "{}", table.text())?;
    }
    Ok(if stopped { Answer::Interrupted } else { Answer::Yes })
}
