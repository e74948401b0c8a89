//! `scuro serve`: the page and its API, on this machine.

use std::env;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Context;
use clap::Args;
use scuro_server::{Options, Server};

use super::Answer;

#[derive(Args, Default)]
#[command(
    after_help = "Games are kept in DIR and go on where they were. Ctrl-C ends the server; nothing that it \
acknowledged is lost. docs/api.md describes the API.\n\nExamples:\n  scuro serve\n  scuro serve --port 8080 --no-save"
)]
pub(crate) struct Arguments {
    /// The port [default: 7878, or the next that is free]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Where games are kept [default: scuro in the folder for data of programs]
    #[arg(long, value_name = "DIR", conflicts_with = "no_save")]
    data: Option<PathBuf>,
    /// The address or name to listen on, for other machines too [default: this machine alone]
    #[arg(long, value_name = "ADDR")]
    host: Option<String>,
    /// Keep nothing
    #[arg(long)]
    no_save: bool,
}

/// Serves until it is interrupted.
pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    serve(arguments, |_| (), out)
}

/// What `scuro` alone does: it serves, and shows the page if the machine knows how.
pub(crate) fn run_and_show(out: &mut impl Write) -> anyhow::Result<Answer> {
    serve(&Arguments::default(), show, out)
}

fn serve(arguments: &Arguments, show: impl Fn(&str), out: &mut impl Write) -> anyhow::Result<Answer> {
    let data = match &arguments.data {
        _ if arguments.no_save => None,
        Some(folder) => Some(folder.clone()),
        None => Some(folder_for_data().context("no folder for data: give --data DIR or --no-save")?),
    };
    let options = Options { port: arguments.port, host: arguments.host.clone(), data, threads: None };
    let server = Server::bind(&options)?;
    let stop = server.stopper();
    ctrlc::set_handler(move || stop.stop()).context("cannot watch for Ctrl-C")?;
    let address = format!("http://{}", server.address());
    writeln!(out, "listening on {address}")?;
    out.flush()?;
    show(&address);
    server.run();
    Ok(Answer::Yes)
}

/// `$XDG_DATA_HOME/scuro`, or its place under the home folder.
fn folder_for_data() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")));
    data.map(|data| data.join("scuro"))
}

/// Opens a page in a browser. Where that does not work, the line with the address has been printed.
fn show(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut browser) = command.spawn() {
        // Somebody has to wait for it, or it stays as a zombie.
        std::thread::spawn(move || browser.wait());
    }
}
