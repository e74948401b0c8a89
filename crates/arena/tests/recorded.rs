//! The recorded experiments: their summaries are those of the games that are kept beside them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use scuro_arena::experiments::{EXPERIMENTS, Experiment};
use scuro_arena::folder::Folder;
use scuro_arena::packed;
use scuro_arena::statistics::Results;
use scuro_arena::summary::Summary;
use serde::Deserialize;
use serde_json::Value;

fn records() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/matches")
}

#[test]
fn records_are_of_experiments_that_are_played_like_that() {
    for folder in [records(), records().join("earlier")] {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
            let record: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let settings = Experiment::named(name).unwrap_or_else(|| panic!("{}", path.display())).settings();
            let plan = Summary::of(&settings, &BTreeMap::new(), &BTreeMap::new());
            assert_eq!(record["experiment"], name, "{}", path.display());
            assert_eq!(record["agents"], serde_json::to_value(&plan.agents).unwrap(), "{name}");
            assert_eq!(
                (&record["game"], &record["control"]),
                (&plan.game.into(), &plan.control.into()),
                "{name}"
            );
            let results = Results::deserialize(&record).unwrap();
            assert_eq!(record["played"], results.games(), "{name}");
            assert!(alike(&record["score"], &results.score().into()), "{name}");
        }
    }
}

#[test]
fn summaries_are_those_of_the_games() {
    let records = records();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recorded");
    let mut checked = 0;
    for experiment in EXPERIMENTS.iter().filter(|experiment| records.join(experiment.name).exists()) {
        let _ = fs::remove_dir_all(&folder);
        packed::unpack(&records.join(experiment.name), &folder).unwrap();
        let (settings, kept) = Folder::read(&folder).unwrap();
        assert_eq!(settings, experiment.settings(), "{}", experiment.name);
        let summed = serde_json::to_value(Summary::of(&settings, &kept.games, &kept.times)).unwrap();
        let text = fs::read_to_string(records.join(format!("{}.json", experiment.name))).unwrap();
        let recorded: Value = serde_json::from_str(&text).unwrap();
        for (name, value) in summed.as_object().unwrap() {
            assert!(alike(value, &recorded[name]), "{}, {name}: {value}", experiment.name);
        }
        checked += 1;
    }
    assert!(checked > 0);
}

/// Equal, but for the last digits of numbers.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            (one - other).abs() <= 1e-9 * one.abs().max(1.0)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| alike(value, other)))
        }
        _ => one == other,
    }
}
