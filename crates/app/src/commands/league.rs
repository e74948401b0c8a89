//! `scuro league`: many agents, one table.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use scuro_arena::contest::Match;
use scuro_arena::league::{League, Table};
use scuro_arena::line::GameLine;
use scuro_arena::runner::Ended;
use scuro_arena::stats::{Course, Stats};
use scuro_arena::summary::Summary;
use scuro_arena::{grid, packed};
use scuro_games::Variant;

use super::experiment::stop_after;
use super::matches::{play, tell_how_to_resume};
use super::{Answer, Interrupt};
use crate::arguments::{duration, game_words, who_plays};

#[derive(Args)]
#[command(
    after_help = format!("FILE is JSON: the agents, the games of every pairing, what a move may cost (62ms, 3m+2s or 200 \
nodes), and if you like game ({}), ruleset (of Kriegspiel), seed and openings (start, book or a file):\n\n  \
{{\"agents\": [\"obscuro:eval=simple\", \"fleeing\", \"random\"], \"games\": 20, \"control\": \"200 nodes\"}}\n\n\
The agents play each other, or with \"against\": [...] each of them plays each of those. Ratings are in Elo around a mean of \
0, after Bradley and Terry with a draw as half a win. --out keeps every pairing as a match in a folder of its own; with \
--resume the league may have more agents at the end of its lists.\n\n\
--record keeps the games in the folder beside FILE that is called like it without its ending; --from-record goes on with \
these in another place, and --report prints them as Markdown under \"title\": published results (\"paper\": [[\"16-44\", ...], \
...], a row for each agent) stand beside ours.\n\n\
{}\n\n\
Examples:\n  \
scuro league league.json\n  \
scuro league league.json --out league --resume --json\n  \
scuro league results/leagues/rbc.json --out rbc --from-record --for 55m --record\n  \
scuro league results/leagues/rbc.json --report", game_words(&Variant::DARK), who_plays())
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
    /// Stop after so long; finished games are kept
    #[arg(long = "for", value_name = "TIME", requires = "out", allow_hyphen_values = true, value_parser = duration)]
    piece: Option<Duration>,
    /// Write the games to the recorded ones
    #[arg(long, requires = "out")]
    record: bool,
    /// Begin with the recorded games, where there are none yet, and go on
    #[arg(long, requires = "out")]
    from_record: bool,
    /// Print the recorded results and ratings as Markdown, and play nothing
    #[arg(long, conflicts_with = "out")]
    report: bool,
    /// Report sizes of beliefs, lengths and material too
    #[arg(long, requires = "report", conflicts_with = "json")]
    stats: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// A match of a league: the numbers of both agents, and the name of its folder.
type Named = ([usize; 2], String, Match);

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let league = League::read(&arguments.file)?;
    let records = arguments.file.with_extension("");
    if arguments.report {
        report(&league, &records, arguments, out)?;
        return Ok(Answer::Yes);
    }
    let contests = open(&league, &records, arguments)?;
    let interrupt = Interrupt::watch()?;
    let over = arguments.piece.map(|piece| stop_after(piece, &interrupt));
    let mut played = Vec::new();
    let mut stopped = false;
    for (agents, name, contest) in contests {
        let summary = if stopped {
            contest.summary()
        } else {
            let (summary, ended) = play(contest, usize::from(arguments.concurrency), &interrupt)?;
            stopped = ended == Ended::Stopped;
            summary
        };
        if let Some(out) = arguments.out.as_ref().filter(|_| arguments.record && summary.played > 0) {
            packed::pack(&out.join(&name), &records.join(&name))?;
        }
        played.push((agents, summary));
    }
    let interrupted = stopped && !over.is_some_and(|over| over.load(Ordering::Relaxed));
    if interrupted && arguments.out.is_some() {
        tell_how_to_resume(Some("--resume"));
    }
    print(&Table::of(&league.everybody(), played), arguments.json, out)?;
    Ok(if interrupted { Answer::Interrupted } else { Answer::Yes })
}

/// Opens all matches: all can be played, or nothing is written; all folders are right, or the first game does not start.
fn open(league: &League, records: &Path, arguments: &Arguments) -> anyhow::Result<Vec<Named>> {
    let mut contests = Vec::new();
    for (agents, name, settings) in league.matches()? {
        contests.push((agents, name, Match::new(settings)?));
    }
    for (_, name, contest) in &mut contests {
        let Some(folder) = arguments.out.as_ref().map(|out| out.join(&*name)) else { break };
        let recorded = records.join(&*name);
        if arguments.from_record && recorded.exists() {
            packed::unpack(&recorded, &folder)?;
        }
        contest.keep_in(&folder, arguments.resume || arguments.from_record)?;
    }
    Ok(contests)
}

/// Prints what was recorded.
fn report(
    league: &League,
    records: &Path,
    arguments: &Arguments,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if arguments.stats && league.against.is_empty() {
        bail!("--stats needs a league with \"against\"");
    }
    let mut matches = Vec::new();
    for (agents, name, settings) in league.matches()? {
        let games = packed::games(&records.join(&name), &settings)?;
        matches.push((agents, Summary::of(&settings, &games, &BTreeMap::new()), games));
    }
    let summaries = matches.iter().map(|(agents, summary, _)| (*agents, summary.clone())).collect();
    let table = Table::of(&league.everybody(), summaries);
    if arguments.json {
        return print(&table, true, out);
    }
    write!(out, "{}", grid::results(league, &table))?;
    if arguments.stats {
        let courses = matches.into_iter().map(|(_, summary, games)| Ok((summary, course(&games)?)));
        let courses: Vec<(Summary, Option<Stats>)> = courses.collect::<anyhow::Result<_>>()?;
        write!(out, "\n{}", grid::courses(league, &courses))?;
    }
    Ok(())
}

/// The course of the games of a match, if there are any.
fn course(games: &BTreeMap<u64, GameLine>) -> anyhow::Result<Option<Stats>> {
    let course = |game: &GameLine| {
        let place = || format!("{} v {}, game {}", game.white, game.black, game.number);
        Course::of(&game.record().with_context(place)?).with_context(place)
    };
    let courses: Vec<Course> = games.values().map(course).collect::<anyhow::Result<_>>()?;
    Ok(Stats::by_pair(&courses).into_iter().next())
}

fn print(table: &Table, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    if json {
        writeln!(out, "{}", serde_json::to_string(table)?)?;
    } else {
        write!(out, "{}", table.text())?;
    }
    Ok(())
}
