//! The program `scuro`: from arguments to exit code.
//!
//! 0: done. 1: the answer is no. 2: bad input, one line on stderr. 130: interrupted, work saved.

mod arguments;
mod commands;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use arguments::{Arguments, Command};
use commands::{Answer, completions, knowledge, perft, play, show, verify};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let command = arguments.command.unwrap_or(Command::Play(play::Arguments::default()));
    let answer = run(command, &mut out).and_then(|answer| {
        out.flush()?;
        Ok(answer)
    });
    match answer {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("scuro: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command, out: &mut impl Write) -> anyhow::Result<Answer> {
    match command {
        Command::Play(arguments) => play::run(&arguments, out),
        Command::Show(arguments) => show::run(&arguments, out),
        Command::Verify(arguments) => verify::run(&arguments, out),
        Command::Perft(arguments) => perft::run(&arguments, out),
        Command::Knowledge(arguments) => knowledge::run(&arguments, out),
        Command::Completions(arguments) => completions::run(&arguments, out),
    }
}

/// Help and version are answers; every other complaint of the parser becomes one line.
fn refuse(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match error.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(2),
        };
    }
    let words = error.render().to_string();
    let paragraph: Vec<&str> =
        words.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let line = paragraph.join(" ");
    eprintln!("scuro: {} (see scuro --help)", line.trim_start_matches("error: "));
    ExitCode::from(2)
}

/// A reader that has seen enough is no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
