//! The chart: plies to the right, sizes upwards on a scale of powers of ten, three lines.

use scuro_games::picture::chart::{Axis, Chart, thousands};

use super::{Ply, Size};

/// The growth of beliefs as an SVG document, up to where the median has passed the bound for good.
pub(super) fn svg(title: &str, growth: &[Ply], bound: usize) -> String {
    let growth = &growth[..shown(growth, 0)];
    let plies = growth.len().max(2);
    let step = if plies > 24 { 5 } else { 1 };
    let ticks = (1..=plies).filter(|ply| step == 1 || ply % step == 0);
    let across = Axis {
        label: "turns played (of both sides)".to_owned(),
        logarithmic: false,
        low: 1.0,
        high: plies as f64,
        ticks: ticks.map(|ply| (ply as f64, ply.to_string())).collect(),
    };
    let up = Axis::decades("positions in the belief of the player to move", [1.0, bound as f64].into_iter());
    let names = ["median", "90th percentile", "largest"].into_iter().enumerate();
    let lines = names.map(|(i, name)| (name.to_owned(), points(growth, i, bound).collect())).collect();
    let words = format!("bound {}: past it a belief is a sample", thousands(bound));
    Chart { title: title.to_owned(), across, up, lines, bound: Some((bound as f64, words)) }.svg()
}

/// How many plies of one line there are to show: up to the first from which on it is past the bound.
fn shown(growth: &[Ply], line: usize) -> usize {
    let exact = growth.iter().rposition(|ply| ply.sizes[line] < Size::Past).map_or(0, |last| last + 1);
    growth.len().min(exact + 1)
}

/// Plies and sizes of one line; what is past the bound lies on it.
fn points(growth: &[Ply], line: usize, bound: usize) -> impl Iterator<Item = (f64, f64)> {
    (1u32..).zip(&growth[..shown(growth, line)]).map(move |(number, ply)| match ply.sizes[line] {
        Size::Exact(size) => (f64::from(number), size as f64),
        Size::Past => (f64::from(number), bound as f64),
    })
}
