//! `scuro man`: the manual pages, for those who make packages.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};

use super::Answer;

#[derive(Args)]
#[command(after_help = "Example:\n  scuro man ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// The folder into which they are written: scuro.1, scuro-play.1 and so on
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let folder = &arguments.folder;
    let write = || {
        std::fs::create_dir_all(folder)?;
        clap_mangen::generate_to(crate::arguments::Arguments::command(), folder)
    };
    write().with_context(|| format!("cannot write {}", folder.display()))?;
    Ok(Answer::Yes)
}
