//! `scuro completions`: what a shell needs to complete our commands.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Answer;

#[derive(Args)]
#[command(
    after_help = "Example:\n  scuro completions bash > ~/.local/share/bash-completion/completions/scuro"
)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut command = crate::arguments::Arguments::command();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "scuro", &mut script);
    out.write_all(&script)?;
    Ok(Answer::Yes)
}
