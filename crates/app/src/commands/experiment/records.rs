//! Recorded results: where they are, and what was recorded of an experiment.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;
use scuro_arena::experiments::{EXPERIMENTS, Experiment};
use scuro_arena::report::Row;
use scuro_arena::summary::Summary;
use scuro_games::records::pgn::date;
use serde_json::{Value, json};

use crate::commands::save;
use crate::version;

/// Where results are recorded in a clone.
pub(super) const FOLDER: &str = "results/matches";

/// The folder there of pieces that were played before, with other random numbers, and of which no games were kept.
const EARLIER: &str = "earlier";

/// What was recorded when this program was built, by the path in the folder without its ending.
const BUILT_IN: &str = include_str!(concat!(env!("OUT_DIR"), "/recorded.json"));

/// Recorded results.
pub(super) enum Records {
    /// Those of a folder.
    Folder(PathBuf),
    /// Those that the program was built with.
    BuiltIn(Value),
}

/// An experiment with what was recorded of it.
pub(super) struct Entry {
    /// The last record, with the games of which the match goes on.
    pub(super) recorded: Option<Value>,
    /// The piece played before.
    pub(super) earlier: Option<Value>,
    /// Both together.
    pub(super) row: Row,
}

impl Records {
    /// Those of this folder; if none is given, those of the clone around, else those built in.
    pub(super) fn find(folder: Option<&Path>) -> anyhow::Result<Records> {
        if folder.is_none() && !Path::new(FOLDER).exists() {
            let known =
                serde_json::from_str(BUILT_IN).context("what this program knows of its experiments")?;
            return Ok(Records::BuiltIn(known));
        }
        Ok(Records::Folder(folder.unwrap_or(Path::new(FOLDER)).to_owned()))
    }

    /// All experiments with what was recorded of them.
    pub(super) fn entries(&self) -> anyhow::Result<Vec<Entry>> {
        EXPERIMENTS.iter().map(|experiment| self.entry(experiment)).collect()
    }

    fn entry(&self, experiment: &'static Experiment) -> anyhow::Result<Entry> {
        let recorded = self.read(experiment.name)?;
        let earlier = self.read(&format!("{EARLIER}/{}", experiment.name))?;
        let row = Row::new(experiment, recorded.iter().chain(&earlier))?;
        Ok(Entry { recorded, earlier, row })
    }

    fn read(&self, name: &str) -> anyhow::Result<Option<Value>> {
        let path = match self {
            Records::BuiltIn(known) => return Ok(known.get(name).cloned()),
            Records::Folder(folder) => folder.join(format!("{name}.json")),
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some(serde_json::from_str(&text).with_context(|| path.display().to_string())?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| path.display().to_string()),
        }
    }
}

/// Records what a match has shown, in place of what was recorded last.
pub(super) fn record(experiment: &Experiment, summary: &Summary, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut document = json!({ "experiment": experiment.name, "what": experiment.what, "paper": paper(experiment),
            "date": date(SystemTime::now()), "version": version::text(), "seed": experiment.seed });
    if let (Value::Object(document), Value::Object(summary)) = (&mut document, serde_json::to_value(summary)?)
    {
        document.extend(summary);
    }
    save(&folder.join(format!("{}.json", experiment.name)), |file| {
        serde_json::to_writer_pretty(&mut *file, &document)?;
        writeln!(file)
    })
}

/// What the paper found, in JSON.
pub(super) fn paper(experiment: &Experiment) -> Value {
    experiment.paper.map_or(Value::Null, |(score, games)| json!({ "score": score / 100.0, "games": games }))
}
