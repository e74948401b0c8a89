//! `scuro merge`: the shards of a match become what one machine would have recorded.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use scuro_arena::contest::export;
use scuro_arena::merge;
use scuro_arena::summary::Summary;

use super::{Answer, matches};

#[derive(Args)]
#[command(
    after_help = "All shards have to be there, each finished. See docs/cluster.md for machines by the dozen.\n\n\
Examples:\n  \
scuro match obscuro random --game fog --games 100 --nodes 1000 --shard 1/2 --out part1\n  \
scuro match obscuro random --game fog --games 100 --nodes 1000 --shard 2/2 --out part2\n  \
scuro merge part1 part2 --out whole"
)]
pub(crate) struct Arguments {
    /// The folders of the shards
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Where the whole match goes
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let whole = merge::read(&arguments.folders)?;
    let settings = whole.settings.clone();
    let folder = merge::write(whole, &arguments.out)?;
    export(&settings, &folder)?;
    let summary = Summary::of(&settings, &folder.games, &folder.times);
    matches::print(&summary, arguments.json, out)?;
    Ok(Answer::Yes)
}
