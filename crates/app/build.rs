//! Tells the program which commit it is built from: what git says where this is a clone, `unknown` elsewhere, or what
//! `SCURO_COMMIT` says; and what was recorded of its experiments. It runs again only when another commit is checked
//! out, or something else is recorded.

use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

/// Where results of experiments are recorded.
const RECORDS: &str = "../../results/matches";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SCURO_COMMIT");
    let told = env::var("SCURO_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = told.or_else(commit).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=SCURO_COMMIT={commit}");
    let folder = env::var_os("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&folder).join("recorded.json"), recorded()?)
}

/// All recorded results as one object, by their paths without the ending.
fn recorded() -> io::Result<String> {
    println!("cargo::rerun-if-changed={RECORDS}");
    let mut entries = Vec::new();
    for (folder, prefix) in [(Path::new(RECORDS), ""), (&Path::new(RECORDS).join("earlier"), "earlier/")] {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.extension().is_some_and(|extension| extension == "json") {
                entries.push(format!("\"{prefix}{name}\": {}", fs::read_to_string(&path)?));
            }
        }
    }
    entries.sort();
    Ok(format!("{{{}}}", entries.join(",")))
}

/// The commit of our own repository: that of another one around a copy of the sources says nothing.
fn commit() -> Option<String> {
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    // Git changes one of these files when another commit is checked out, or when the branch moves on.
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        // A file that is not there would make every build look like the first one.
        if let Some(file) = git(&["rev-parse", "--git-path", name]).filter(|file| Path::new(file).exists()) {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    output.status.success().then_some(text)
}
