//! `scuro serve` from outside: what it prints, what it refuses, how it ends.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

fn scuro(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scuro"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A server, and where it says that it listens.
fn serve(arguments: &[&str], data: Option<&PathBuf>) -> (Child, String) {
    let mut command = scuro(arguments);
    if let Some(data) = data {
        command.env("XDG_DATA_HOME", data);
    }
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on http://").unwrap().to_owned();
    (child, address)
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[cfg(unix)]
fn ended(mut child: Child) -> Option<i32> {
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    child.wait().unwrap().code()
}

#[test]
#[cfg(unix)]
fn serves_the_page_from_the_loopback_and_ends_when_asked() {
    let data = std::env::temp_dir().join(format!("scuro-serve-{}", std::process::id()));
    let (child, address) = serve(&["serve", "--port", "0"], Some(&data));
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    assert!(get(&address, "/api/v1").contains("\"name\":\"scuro\""));
    assert!(get(&address, "/").starts_with("HTTP/1.1 200 OK"));
    assert_eq!(ended(child), Some(0));
    assert!(data.join("scuro/scuro.db").is_file());
    std::fs::remove_dir_all(data).unwrap();
}

#[test]
fn a_taken_port_and_a_folder_that_cannot_be_are_one_line_and_exit_2() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (arguments, words) in [
        (&["serve", "--no-save", "--port", &port][..], port.as_str()),
        (&["serve", "--port", "0", "--data", "/dev/null/x"], "/dev/null/x"),
        (&["serve", "--port", "70000"], "70000"),
        (&["serve", "--host", "no such host", "--no-save"], "no such host"),
        (&["serve", "--data", "x", "--no-save"], "--no-save"),
    ] {
        let output = scuro(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words) && said.lines().count() == 1, "{arguments:?}: {said}");
    }
}
