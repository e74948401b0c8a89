//! `scuro verify`: do these records agree with our rules?

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use scuro_games::records::verify::{Report, verify};

use super::{Answer, complain, progress};
use crate::one_line;

#[derive(Args)]
#[command(
    after_help = "Files may be gzipped. A line a file says how many entries were checked; the first ten \
disagreements stand above it. Exit code 1 if anything disagrees, 2 if a file cannot be read.\n\nExample:\n  \
scuro verify oracles/fog_pyffish.jsonl.gz my-games.pgn"
)]
pub(crate) struct Arguments {
    /// Records: PGN, playouts as JSON lines, or histories of reconchess
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut answer = Answer::Yes;
    for file in &arguments.files {
        // One bad file, or one bad game, must not hide what the others say.
        match check(file) {
            Ok(report) => {
                for words in &report.kept {
                    writeln!(out, "{}: {words}", file.display())?;
                }
                writeln!(out, "{}: {report}", file.display())?;
                if let Some(words) = &report.damage {
                    out.flush()?;
                    complain(&one_line(&format!("scuro: {}: {words}", file.display())));
                    answer = Answer::Unreadable;
                } else if report.disagreements > 0 && answer == Answer::Yes {
                    answer = Answer::No;
                }
            }
            Err(error) => {
                out.flush()?;
                complain(&one_line(&format!("scuro: {error:#}")));
                answer = Answer::Unreadable;
            }
        }
    }
    Ok(answer)
}

fn check(file: &Path) -> anyhow::Result<Report> {
    let opened = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
    let bar = progress(&file.display().to_string(), None);
    let report = verify(opened, &mut || bar.inc(1));
    bar.finish_and_clear();
    report.with_context(|| file.display().to_string())
}
