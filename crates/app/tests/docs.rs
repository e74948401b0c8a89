//! The documents say what the program prints: match tables, claims of the README, links.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use std::fs;
use std::path::{Path, PathBuf};

use program::{done, refused, temporary};
use serde_json::Value;

/// Set, the test writes the tables in place of comparing them.
const UPDATE: &str = "UPDATE_RESULTS";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn records() -> String {
    root().join("results/matches").to_str().unwrap().to_owned()
}

fn rows() -> Vec<Value> {
    let text = done(&["experiment", "--report", "--json", "--records", &records()]);
    serde_json::from_str::<Value>(&text).unwrap()["rows"].as_array().unwrap().clone()
}

/// Tables stand between `<!-- scuro COMMAND: begin -->` and the same with `end`.
#[test]
fn tables_are_what_their_commands_print() {
    let path = root().join("docs/results.md");
    let page = fs::read_to_string(&path).unwrap();
    let mark = |command: &str, end: &str| format!("<!-- scuro {command}: {end} -->\n");
    let commands: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("<!-- scuro ")?.strip_suffix(": begin -->"))
        .collect();
    assert!(commands.contains(&"experiment --report"), "{commands:?}");
    let mut mended = page.clone();
    for command in &commands {
        let in_clone = |word: &str| match word.starts_with("results/") {
            true => root().join(word).to_str().unwrap().to_owned(),
            false => word.to_owned(),
        };
        let words: Vec<String> = command.split(' ').map(in_clone).collect();
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let records = records();
        words.extend((words[0] == "experiment").then_some(["--records", &records]).into_iter().flatten());
        let report = done(&words);
        let [begin, end] = ["begin", "end"].map(|end| mark(command, end));
        let (before, rest) = mended.split_once(&begin).unwrap();
        let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("docs/results.md lacks {end}"));
        mended = format!("{before}{begin}{report}{end}{after}");
    }
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, mended).unwrap();
    } else {
        assert!(
            page == mended,
            "tables of docs/results.md differ from what {commands:?} print; this mends them: {UPDATE}=1 cargo test -p \
             scuro-app --test docs\n{mended}"
        );
    }
}

#[test]
fn results_are_short_enough_to_read() {
    let lines = fs::read_to_string(root().join("docs/results.md")).unwrap().lines().count();
    assert!(lines <= 200, "docs/results.md has {lines} lines: what explains them belongs to docs/notes");
}

/// Tests run in a folder without records: the program has those of its clone inside.
#[test]
fn the_report_is_the_same_without_a_clone() {
    let own = done(&["experiment", "--report"]);
    assert_eq!(own, done(&["experiment", "--report", "--records", &records()]));
}

#[test]
fn the_readme_claims_what_the_report_prints() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    // Lines are broken anywhere.
    let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let percent = |share: &Value| 100.0 * share.as_f64().unwrap();
    let rows = rows();
    let zs21 = rows.iter().find(|row| row["experiment"] == "zs21").unwrap();
    let (ours, [low, high]) =
        (&zs21["recorded"], [0, 1].map(|end| percent(&zs21["recorded"]["interval"][end])));
    let claim = format!(
        "it scored {:.1} % in {} games at half a second a move (95 %: {low:.1} to {high:.1}; the paper has {:.1} %)",
        percent(&ours["score"]),
        ours["played"],
        percent(&zs21["paper"]["score"]),
    );
    assert!(readme.contains(&claim), "{claim}");
    let levels = rows.iter().filter(|row| row["experiment"].as_str().unwrap().starts_with("level"));
    let lowest = levels.map(|row| percent(&row["recorded"]["score"])).fold(100.0, f64::min);
    let last = &rows.iter().find(|row| row["experiment"] == "level8").unwrap()["recorded"]["played"];
    let claim =
        format!("each scores {lowest:.1} % or more against the one below, level 8 in {last} games only");
    assert!(readme.contains(&claim), "{claim}");
}

#[test]
fn a_report_of_other_records_has_their_games_alone() {
    let folder = temporary("docs_records");
    let records = folder.to_str().unwrap();
    let record = r#"{"wins": 3, "draws": 1, "losses": 0, "control": "62.5ms", "date": "2026.11.18"}"#;
    fs::write(folder.join("purify.json"), record).unwrap();
    let report = done(&["experiment", "--report", "--records", records]);
    assert!(
        report.contains("| 87.5 % (39.6 to 98.7) | 3-1-0 | 4 of 400 | 62.5ms | 2026-11-18 |"),
        "{report}"
    );
    assert!(
        report.contains("| `zs21` | against the player of the paper before | 85.1 % of 1,000 |  |"),
        "{report}"
    );
    fs::write(folder.join("purify.json"), "{}").unwrap();
    refused(&["experiment", "--report", "--records", records], "the record of 'purify'");
}

/// Links to files lead somewhere; the changelog tells of files as they were.
#[test]
fn links_lead_somewhere() {
    let mut pages: Vec<PathBuf> = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    for folder in ["docs", "docs/notes", "results"] {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://") && !target.starts_with('#')) {
            let file = target.split('#').next().unwrap();
            assert!(page.parent().unwrap().join(file).exists(), "{}: {target}", page.display());
        }
    }
}
