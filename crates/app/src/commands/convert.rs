//! `scuro convert`: records from one format to another.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use scuro_games::chess::Color;
use scuro_games::records::convert::{ConvertError, Written, read, to_history, to_json_lines, to_pgn};
use scuro_games::records::transcript::Teller;

use super::Answer;

#[derive(Args)]
#[command(
    after_help = "PGN holds every game, JSON lines Fog of War, Kriegspiel and RBC, a history (the JSON of \
reconchess) one game of RBC. A record of Kriegspiel can be told by the umpire (none) or filtered for a player; \
what a teller does not know cannot be had back.\n\nExamples:\n  scuro convert game.json --to pgn\n  \
scuro convert kriegspiel.pgn --to pgn --filter white --out white.pgn"
)]
pub(crate) struct Arguments {
    /// A record: PGN, JSON lines (also gzipped) or a history of reconchess
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The format to write
    #[arg(long, value_enum)]
    to: Format,
    /// Who tells a game of Kriegspiel [default: who tells it in FILE]
    #[arg(long, value_enum)]
    filter: Option<Filter>,
    /// Write here and not to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Pgn,
    History,
    Jsonl,
}

#[derive(Clone, Copy, ValueEnum)]
enum Filter {
    White,
    Black,
    SemiWhite,
    SemiBlack,
    None,
}

impl Filter {
    fn teller(self) -> Teller {
        match self {
            Filter::White => Teller::Player(Color::White),
            Filter::Black => Teller::Player(Color::Black),
            Filter::SemiWhite => Teller::Semi(Color::White),
            Filter::SemiBlack => Teller::Semi(Color::Black),
            Filter::None => Teller::Umpire,
        }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let games = games(&arguments.file)?;
    let text = write(&games, arguments).with_context(|| arguments.file.display().to_string())?;
    match &arguments.out {
        None => out.write_all(text.as_bytes())?,
        Some(file) => {
            std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
        }
    }
    Ok(Answer::Yes)
}

/// All games of a file.
pub(crate) fn games(file: &Path) -> anyhow::Result<Vec<Written>> {
    let opened = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
    read(opened).with_context(|| file.display().to_string())
}

fn write(games: &[Written], arguments: &Arguments) -> anyhow::Result<String> {
    let teller = arguments.filter.map(Filter::teller);
    if arguments.to != Format::Pgn && teller.is_some_and(|teller| teller != Teller::Umpire) {
        bail!("only PGN can be filtered, not --to {}", format_name(arguments.to));
    }
    let written: Result<String, ConvertError> = match arguments.to {
        Format::Pgn => to_pgn(games, teller),
        Format::Jsonl => to_json_lines(games),
        Format::History => to_history(games),
    };
    Ok(written?)
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Pgn => "pgn",
        Format::History => "history",
        Format::Jsonl => "jsonl",
    }
}
