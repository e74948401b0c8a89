//! Better labels for some positions: quiet ones out of many games, searched deeper.

use std::ffi::OsString;
use std::path::PathBuf;

use scuro_core::Random;

use super::records::{Record, Score, Shard, shard_files};
use super::{TrainingError, Watch, ask, in_parallel, mix};
use crate::uci::{Thought, Uci};

/// What to label.
pub struct Wanted {
    /// The folder with the records.
    pub from: PathBuf,
    /// The folder for the labelled ones.
    pub folder: PathBuf,
    /// How deep the teacher searches.
    pub depth: u8,
    /// How many positions of a game, on average.
    pub per_game: f64,
    /// How much more often level positions are chosen than others.
    pub level: f64,
    /// What makes this choice of positions different from others.
    pub seed: u64,
    /// How many teachers work at once.
    pub threads: usize,
    /// The teacher.
    pub teacher: OsString,
}

/// Below this value a position counts as level.
const LEVEL: f64 = 0.4;

/// Labels chosen positions of every shard that has not been labelled yet. `steps` in `watch` are shards.
///
/// # Errors
/// If a file cannot be read or written, or the teacher does not start.
pub fn label(wanted: &Wanted, watch: &Watch<'_>) -> Result<(), TrainingError> {
    let files = shard_files(&wanted.from)?;
    std::fs::create_dir_all(&wanted.folder)
        .map_err(|error| TrainingError::File(wanted.folder.clone(), error))?;
    in_parallel(wanted.threads, files.len() as u64, watch, |i, watch| {
        let file = &files[i as usize];
        let Some(name) = file.file_name() else { return Ok(()) };
        let target = wanted.folder.join(name);
        if !target.exists() {
            let shard = Shard::load(file)?;
            let chosen = choose(&shard.records, wanted, &mut Random::new(mix(wanted.seed, i)));
            let mut teacher = Uci::new(&wanted.teacher, u32::from(wanted.depth));
            let Some(records) = relabel(&chosen, &mut teacher, watch)? else { return Ok(()) };
            Shard { depth: wanted.depth, records }.save(&target)?;
        }
        (watch.done)(1);
        Ok(())
    })
}

/// Some quiet positions of every game.
fn choose(records: &[Record], settings: &Wanted, random: &mut Random) -> Vec<Record> {
    let mut chosen = Vec::new();
    for game in records.chunk_by(|a, b| a.game() == b.game()) {
        let mut quiet: Vec<(f64, Record)> = game
            .iter()
            .filter(|record| record.quiet())
            .map(|record| (weight(record, settings.level), *record))
            .collect();
        let mut wanted = settings.per_game;
        while random.unit() < wanted && !quiet.is_empty() {
            wanted -= 1.0;
            let mut at = random.unit() * quiet.iter().map(|(weight, _)| weight).sum::<f64>();
            let found = quiet.iter().position(|(weight, _)| {
                at -= weight;
                at < 0.0
            });
            chosen.push(quiet.swap_remove(found.unwrap_or(0)).1);
        }
    }
    chosen
}

fn weight(record: &Record, level: f64) -> f64 {
    if record.score().value(600.0).abs() < LEVEL { level } else { 1.0 }
}

/// The positions with their new scores; `None` if stopped before the end. Those on which the teacher dies, and those
/// that end in mate, are left out.
fn relabel(
    chosen: &[Record],
    teacher: &mut Uci,
    watch: &Watch<'_>,
) -> Result<Option<Vec<Record>>, TrainingError> {
    let mut records = Vec::with_capacity(chosen.len());
    for record in chosen {
        if (watch.stop)() {
            return Ok(None);
        }
        let Ok(board) = record.fen().parse() else { continue };
        let best = ask(teacher, &board, 1)?.first().map(Thought::score);
        records.extend(
            best.filter(|score| matches!(score, Score::Centipawns(_))).map(|score| record.relabelled(score)),
        );
    }
    Ok(Some(records))
}
