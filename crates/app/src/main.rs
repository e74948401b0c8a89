//! The program `scuro`: from arguments to exit code.
//!
//! 0: done. 1: the answer is no. 2: bad input, one line on stderr. 130: interrupted, work saved.

mod arguments;
mod commands;
mod version;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::{panic, thread};

use anyhow::{Context, anyhow};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use scuro_agents::protocol::process::end_all;
use scuro_core::STACK;

use arguments::{Arguments, Command};
use commands::{
    Answer, agents, analyse, belief, bench, complain, completions, convert, endgame, engine, eval,
    experiment, exploit, knowledge, league, man, matches, merge, net, perft, play, serve, show, solve, table,
    verify,
};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return answer_parser(&error),
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(|| work(arguments));
    match thread.context("cannot start a thread") {
        Ok(thread) => {
            let worked = thread.join();
            // Games that nobody waits for any more may still be played by other programs.
            end_all();
            worked.unwrap_or_else(|panic| panic::resume_unwind(panic))
        }
        Err(error) => refuse(&error),
    }
}

fn work(arguments: Arguments) -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    let answer = match arguments.command {
        Some(command) => run(command, &mut out),
        None => serve::run_and_show(&mut out),
    };
    let answer = answer.and_then(|answer| {
        out.flush()?;
        Ok(answer)
    });
    match answer {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::Unreadable) => ExitCode::from(2),
        Ok(Answer::Interrupted) => ExitCode::from(130),
        Err(error) => refuse(&error),
    }
}

fn run(command: Command, out: &mut impl Write) -> anyhow::Result<Answer> {
    match command {
        Command::Serve(arguments) => serve::run(&arguments, out),
        Command::Play(arguments) => play::run(&arguments, out),
        Command::Show(arguments) => show::run(&arguments, out),
        Command::Convert(arguments) => convert::run(&arguments, out),
        Command::Verify(arguments) => verify::run(&arguments, out),
        Command::Perft(arguments) => perft::run(&arguments, out),
        Command::Knowledge(arguments) => knowledge::run(&arguments, out),
        Command::Eval(arguments) => eval::run(&arguments, out),
        Command::Solve(arguments) => solve::run(&arguments, out),
        Command::Exploit(arguments) => exploit::run(&arguments, out),
        Command::Table(arguments) => table::run(&arguments, out),
        Command::Net(arguments) => net::run(&arguments, out),
        Command::Analyse(arguments) => analyse::run(&arguments, out),
        Command::Belief(arguments) => belief::run(&arguments, out),
        Command::Endgame(arguments) => endgame::run(&arguments, out),
        Command::Match(arguments) => matches::run(&arguments, out),
        Command::Merge(arguments) => merge::run(&arguments, out),
        Command::League(arguments) => league::run(&arguments, out),
        Command::Experiment(arguments) => experiment::run(&arguments, out),
        Command::Agents(arguments) => agents::run(&arguments, out),
        Command::Engine(arguments) => engine::run(&arguments, out),
        Command::Bench(arguments) => bench::run(&arguments, out),
        Command::Completions(arguments) => completions::run(&arguments, out),
        Command::Man(arguments) => man::run(&arguments),
    }
}

/// Help and version are answers; every other complaint of the parser becomes one line.
fn answer_parser(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match error.print().and_then(|()| io::stdout().flush()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => refuse(&error.into()),
        };
    }
    if error.kind() == ErrorKind::InvalidUtf8 {
        let wrong = std::env::args_os().find(|argument| argument.to_str().is_none()).unwrap_or_default();
        return refuse(&anyhow!("argument '{}' is not UTF-8", wrong.to_string_lossy()));
    }
    let words = error.render().to_string();
    let said = words.split("\n\nUsage:").next().unwrap_or_default().split("\n\n  tip:").next();
    let said = said.unwrap_or_default().split("\n\nFor more information").next().unwrap_or_default();
    let known = |word: &String| Arguments::command().find_subcommand(word).is_some();
    let command = std::env::args_os().nth(1).and_then(|word| word.into_string().ok()).filter(known);
    let command = command.map_or(String::new(), |command| command + " ");
    refuse(&anyhow!("{} (see scuro {command}--help)", said.trim_start_matches("error: ").trim()))
}

/// One line on stderr, whatever the message holds. A reader that has seen enough is no error.
fn refuse(error: &anyhow::Error) -> ExitCode {
    if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    complain(&one_line(&format!("scuro: {error:#}")));
    ExitCode::from(2)
}

/// The text with all white space folded to single blanks and control characters made visible.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
