//! Lists the files of the page, so that all of them are part of the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("page");
    println!("cargo::rerun-if-changed=page");
    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root, &mut files)?;
    }
    files.sort();
    let mut table = String::from("[\n");
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file);
        let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
        // Writing to a string does not fail.
        let _ =
            writeln!(table, "    ({:?}, include_bytes!({:?})),", name.join("/"), file.display().to_string());
    }
    table.push(']');
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(target.join("page.rs"), table)
}

/// All files below a folder, but those whose names start with a dot, which are notes of editors, and those for checks.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') || name == "node_modules" || name.ends_with("config.json") {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
