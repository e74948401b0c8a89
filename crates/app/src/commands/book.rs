//! `scuro book`: openings from recorded games.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::{Args, Subcommand};
use scuro_agents::kriegspiel::darkboard::book::Compiler;
use scuro_games::Variant;
use scuro_games::chess::Color;
use serde::Serialize;

use super::belief::read;
use super::{Answer, save, writable};

#[derive(Args)]
#[command(after_help = "Records are match folders, games.jsonl or PGN (also gzipped) of Kriegspiel.\n\n\
Example:\n  scuro match darkboard darkboard:seed=2 --game kriegspiel --games 200 --nodes 1000 --out self\n  \
scuro book make self --out self.book\n  \
scuro match darkboard:book=self.book darkboard --game kriegspiel --games 100 --nodes 1000")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the first moves of won games of Kriegspiel
    Make(Make),
}

#[derive(Args)]
#[command(
    after_help = "Of the ten players with the most wins, the first moves of every game that they won by mate: all until \
the umpire says anything, if there are at least seven. A line of FILE is one opening, its side first; a player draws one \
at random.\n\nExample:\n  scuro book make league/* --out league.book"
)]
struct Make {
    /// Match folders, games.jsonl or PGN
    #[arg(required = true, value_name = "RECORDS")]
    records: Vec<PathBuf>,
    /// Where the openings go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// What `make --json` prints.
#[derive(Serialize)]
struct Document {
    games: usize,
    players: Vec<String>,
    white: usize,
    black: usize,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    match &arguments.command {
        Command::Make(arguments) => make(arguments, out),
    }
}

fn make(arguments: &Make, out: &mut impl Write) -> anyhow::Result<Answer> {
    writable(&arguments.out)?;
    let sources = read(&arguments.records, &mut Some(Variant::Kriegspiel))?;
    let mut compiler = Compiler::default();
    for source in &sources {
        compiler.add(&source.record).map_err(|words| anyhow!("{}: {words}", source.place))?;
    }
    let (players, book) = compiler.book();
    let [white, black] = Color::ALL.map(|color| book.lines(color).len());
    if white + black == 0 {
        bail!("no game has an opening: won by mate, and silent for seven moves");
    }
    save(&arguments.out, |file| file.write_all(book.text().as_bytes()))?;
    let document = Document { games: sources.len(), players, white, black };
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        let Document { games, players, white, black } = document;
        writeln!(
            out,
            "{white} openings of White and {black} of Black, from {games} games of {}",
            players.join(", ")
        )?;
    }
    Ok(Answer::Yes)
}
