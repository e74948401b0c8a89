//! Records that commands look at.

use std::path::Path;

use anyhow::{Context, bail};
use scuro_games::Variant;
use scuro_games::chess::Color;
use scuro_games::records::Record;
use scuro_games::review::Upto;

use super::convert::games;

/// The game of this number, from 1, which must be told by the umpire.
pub(super) fn chosen(file: &Path, game: Variant, number: usize) -> anyhow::Result<Record> {
    let games = games(file)?;
    let Some(found) = number.checked_sub(1).and_then(|index| games.get(index)) else {
        bail!("{}: --number {number}: the file has {} games", file.display(), games.len());
    };
    if found.variant() != game {
        bail!("{}: game {number} is {}, not {game}", file.display(), found.variant());
    }
    found.record().with_context(|| file.display().to_string())
}

/// How far a record is looked at: `--ply` counts the plies that one side noticed, or all plies if no side is chosen.
pub(super) fn upto(ply: Option<usize>, side: Option<Color>) -> Upto {
    match (ply, side) {
        (None, _) => Upto::End,
        (Some(ply), None) => Upto::Ply(ply),
        (Some(ply), Some(color)) => Upto::Noticed(color, ply),
    }
}
