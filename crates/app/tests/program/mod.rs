//! The program as a user runs it.

#![allow(dead_code, reason = "every test uses a part of it")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub(crate) fn scuro(arguments: &[&str]) -> Output {
    scuro_reading(arguments, b"")
}

pub(crate) fn scuro_reading(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_scuro"))
        .args(arguments)
        // Boards have other signs where the locale is another.
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may be gone before it is written.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Standard output of a command that must succeed and say nothing else.
pub(crate) fn done(arguments: &[&str]) -> String {
    let output = scuro(arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && error.is_empty(), "{arguments:?}: {error}");
    out(&output)
}

pub(crate) fn temporary(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// One line on stderr with these words, exit code 2, nothing on stdout.
pub(crate) fn refused(arguments: &[&str], words: &str) {
    let output = scuro(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.starts_with("scuro: ") && error.contains(words), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

/// What a command leaves that gets Ctrl-C as soon as it catches that signal (number 2, the second bit).
#[cfg(target_os = "linux")]
pub(crate) fn interrupted(arguments: &[&str]) -> Output {
    let child = Command::new(env!("CARGO_BIN_EXE_scuro"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let caught = |status: &str| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0
    };
    while !caught(&fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap()) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    child.wait_with_output().unwrap()
}

pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// A command with a folder behind it.
pub(crate) fn with_out<'a>(line: &'a str, folder: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let mut all = words(line);
    all.extend(["--out", folder.to_str().unwrap()]);
    all.extend(more);
    all
}

pub(crate) fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
