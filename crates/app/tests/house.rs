//! The rules of the house: which crate may use which, where dependencies come from, and under which licences.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Who may use whom. Arrows point one way; a crate that is not listed may not be used at all.
const ARROWS: [(&str, &[&str]); 9] = [
    ("scuro-core", &[]),
    ("scuro-games", &["scuro-core"]),
    ("scuro-search", &["scuro-core"]),
    ("scuro-eval", &["scuro-core", "scuro-games"]),
    ("scuro-agents", &["scuro-core", "scuro-eval", "scuro-games", "scuro-search"]),
    ("scuro-arena", &["scuro-agents", "scuro-core", "scuro-games"]),
    ("scuro-server", &["scuro-agents", "scuro-arena", "scuro-core", "scuro-games", "scuro-search"]),
    (
        "scuro-app",
        &[
            "scuro-agents",
            "scuro-arena",
            "scuro-core",
            "scuro-eval",
            "scuro-games",
            "scuro-search",
            "scuro-server",
        ],
    ),
    ("scuro-fuzz", &["scuro-agents", "scuro-eval", "scuro-games", "scuro-search"]),
];

/// Licences we accept in dependencies: permissive ones.
const LICENCES: [&str; 9] =
    ["MIT", "MIT-0", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "NCSA", "Unicode-3.0", "Zlib"];

/// Crates that no longer have a keeper, or whose licence binds others.
const BANNED: [&str; 11] = [
    "shakmaty",
    "pgn-reader",
    "sfbinpack",
    "chessground",
    "bincode",
    "fxhash",
    "paste",
    "derivative",
    "minilp",
    "atty",
    "openssl-sys",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

#[test]
fn arrows_point_one_way() {
    let metadata = metadata();
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    for package in metadata["packages"].as_array().unwrap() {
        let name = text(package, "name");
        if !name.starts_with("scuro-") {
            continue;
        }
        let allowed = allowed.get(name).unwrap_or_else(|| panic!("{name} is not in the list of crates"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let used = text(dependency, "name");
            // Tests may look at real games from below.
            let in_tests = text(dependency, "kind") == "dev";
            assert!(!used.starts_with("scuro-") || in_tests || allowed.contains(&used), "{name} uses {used}");
        }
    }
}

/// The search is for any game: no file of it knows what chess is.
#[test]
fn search_never_names_chess() {
    for file in sources(&root().join("crates/search/src")) {
        // Tests play small games, which come from there.
        let tests = file.file_name().is_some_and(|name| name == "tests.rs");
        let code = std::fs::read_to_string(&file).unwrap();
        for (number, line) in
            code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
        {
            let line = line.to_lowercase();
            let words: &[&str] =
                if tests { &["chess", "fog"] } else { &["chess", "scuro_games", "board", "fog"] };
            let named = words.iter().find(|word| line.contains(**word));
            assert_eq!(named, None, "{}:{}", file.display(), number + 1);
        }
    }
}

/// Inside the search arrows point one way too: no module imports another one that leads back to it. A folder is a module
/// of its own, which uses its files; its files may use what it declares.
#[test]
fn modules_of_the_search_form_no_cycle() {
    let folder = root().join("crates/search/src");
    let mut code: BTreeMap<String, String> = BTreeMap::new();
    for file in sources(&folder) {
        let path = file.strip_prefix(&folder).unwrap().with_extension("");
        let name = path.to_str().unwrap().replace(std::path::MAIN_SEPARATOR, "/");
        if name != "lib" && !name.ends_with("/tests") {
            let name = name.strip_suffix("/mod").unwrap_or(&name);
            code.insert(name.to_owned(), std::fs::read_to_string(&file).unwrap());
        }
    }
    let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, text) in &code {
        let found = paths(text).filter_map(|path| module(&code, name, path));
        // What its folder declares is no import.
        let used = found.filter(|used| used != name && !name.starts_with(&format!("{used}/")));
        imports.insert(name, used.collect());
    }
    assert!(imports["agent"].contains("think") && imports["klss/cut"].contains("klss/trunk"), "{imports:#?}");
    // A module that imports none of those left is in no cycle.
    while let Some(free) =
        imports.iter().find(|(_, used)| used.iter().all(|name| !imports.contains_key(name)))
    {
        let free = *free.0;
        imports.remove(free);
    }
    assert!(imports.is_empty(), "in a cycle, or importing one: {imports:#?}");
}

/// All words of code that may name a module, without those of its tests.
fn paths(code: &str) -> impl Iterator<Item = &str> {
    let code = code.split("\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')))
}

/// The module that a path inside the module `name` leads to, if it leads to one.
fn module<'c>(code: &'c BTreeMap<String, String>, name: &str, path: &str) -> Option<&'c str> {
    let folder = name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let full = match (path.strip_prefix("crate::"), path.strip_prefix("super::")) {
        (Some(path), _) => path.to_owned(),
        (None, Some(path)) => format!("{folder}{path}"),
        (None, None) => format!("{name}/{path}"),
    };
    let parts: Vec<&str> = full.split(['/', ':']).filter(|part| !part.is_empty()).collect();
    let found = [2, 1].map(|count| parts.get(..count).and_then(|parts| code.get_key_value(&parts.join("/"))));
    found.into_iter().flatten().next().map(|(name, _)| name.as_str())
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "js") {
            files.push(path);
        }
    }
    files
}

/// Files outside `games` that may tell the games apart: what programs speak, who plays what, and what a person reads.
/// `docs/architecture.md` says why.
const TELL_GAMES_APART: [&str; 25] = [
    "agents/src/bench.rs",
    "agents/src/fog/mod.rs",
    "agents/src/kriegspiel/mod.rs",
    "agents/src/name.rs",
    "agents/src/protocol/engine/options.rs",
    "agents/src/protocol/parts.rs",
    "agents/src/protocol/process/mod.rs",
    "agents/src/protocol/selftest.rs",
    "agents/src/rbc/mod.rs",
    "agents/src/seat.rs",
    "app/src/commands/analyse.rs",
    "app/src/commands/book.rs",
    "app/src/commands/eval.rs",
    "app/src/commands/matches.rs",
    "app/src/commands/perft.rs",
    "app/src/commands/play.rs",
    "app/src/commands/show.rs",
    "app/src/commands/stats.rs",
    "arena/src/experiments.rs",
    "arena/src/league.rs",
    "arena/src/openings.rs",
    "arena/src/summary.rs",
    "arena/src/tune.rs",
    "eval/src/rules.rs",
    "server/src/setup.rs",
];

#[test]
fn one_place_tells_the_games_apart() {
    let crates = root().join("crates");
    let mut found = Vec::new();
    for file in ["agents", "app", "arena", "eval", "search", "server"]
        .iter()
        .flat_map(|name| sources(&crates.join(name).join("src")))
    {
        let code = std::fs::read_to_string(&file).unwrap();
        let code = code.split("#[cfg(test)]").next().unwrap();
        let names = ["FogOfWar", "Kriegspiel", "Reconnaissance"].map(|name| format!("Variant::{name}"));
        let rules = ["Fog", "Kriegspiel", "Rbc"].map(|name| format!("Rules::{name}"));
        let place = file.strip_prefix(&crates).unwrap().to_string_lossy().replace('\\', "/");
        if !place.ends_with("tests.rs") && names.iter().chain(&rules).any(|name| code.contains(name)) {
            found.push(place);
        }
    }
    found.sort();
    // A file that no longer does leaves the list.
    assert_eq!(found, TELL_GAMES_APART);
}

/// Who may read the true state of a game under an umpire, and how often: in the server the umpire's own book, before and
/// after an action and for its viewer; among the players nobody.
const TRUTH: [(&str, &[(&str, usize)]); 2] =
    [("crates/agents/src", &[]), ("crates/server/src", &[("table.rs", 3)])];

/// What players are told never comes from the truth.
#[test]
fn players_never_read_the_truth() {
    for (folder, readers) in TRUTH {
        let folder = root().join(folder);
        for file in sources(&folder) {
            let path = file.strip_prefix(&folder).unwrap().to_str().unwrap();
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("\n#[cfg(test)]").next().unwrap_or_default();
            let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let reads =
                code.filter(|line| line.contains(".state()") || line.contains("Umpire::state")).count();
            let allowed = readers.iter().find(|(name, _)| *name == path).map_or(0, |(_, times)| *times);
            assert!(reads <= allowed, "{}: {reads} times", file.display());
        }
    }
    // Whoever sits at a game is handed none either.
    let contestant = std::fs::read_to_string(root().join("crates/agents/src/contestant.rs")).unwrap();
    assert!(contestant.contains("trait Contestant") && !contestant.contains("::State"));
}

#[test]
fn dependencies_are_permissive_kept_and_from_the_registry() {
    let metadata = metadata();
    for package in metadata["packages"].as_array().unwrap() {
        let (name, version) = (text(package, "name"), text(package, "version"));
        assert!(!BANNED.contains(&name), "{name} is banned");
        let source = text(package, "source");
        let ours = source.is_empty() && name.starts_with("scuro-");
        assert!(ours || source.starts_with("registry+"), "{name} {version} comes from '{source}'");
        // Some manifests still write the old slash for "or".
        let licence = text(package, "license").replace('/', " OR ");
        let expression = spdx::Expression::parse(&licence)
            .unwrap_or_else(|error| panic!("{name} {version} has no readable licence: {error}"));
        let accepted =
            |licence: &spdx::LicenseReq| licence.license.id().is_some_and(|id| LICENCES.contains(&id.name));
        assert!(expression.evaluate(accepted), "{name} {version}: {licence}");
    }
}

/// Whoever cites the program cites this version.
#[test]
fn the_citation_names_the_version() {
    let citation = std::fs::read_to_string(root().join("CITATION.cff")).unwrap();
    let version = format!("version: {}", env!("CARGO_PKG_VERSION"));
    assert!(citation.lines().any(|line| line == version), "{version}");
}
