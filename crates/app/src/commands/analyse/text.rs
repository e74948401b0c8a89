//! What `scuro analyse` prints for people.

use std::collections::BTreeMap;
use std::io::{self, Write};

use scuro_agents::contestant::Insight;
use scuro_games::chess::{Color, Piece, letter, piece_name};

use super::document::{Document, Entry, Inside, Kept, Search, Squares, TreeSize, TurnSize};

/// So many squares of a kind of piece are printed.
const MOST_SQUARES: usize = 8;
/// So many choices.
const MOST_CHOICES: usize = 12;
/// So many of the last turns.
const MOST_TURNS: usize = 12;

pub(super) fn print(document: &Document, theirs: Color, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "move {}", document.chosen)?;
    document.value.map_or(Ok(()), |value| writeln!(out, "value {value:.3}"))?;
    if let Some(belief) = &document.belief {
        let sample = belief.kept.as_ref().is_some_and(|kept| !kept.exact);
        writeln!(out, "belief {} positions{}", belief.size, if sample { ", a sample" } else { "" })?;
        if let Some(Kept { refilled, invented, .. }) = belief.kept.as_ref()
            && refilled + invented > 0
        {
            writeln!(out, "refilled {refilled} times, invented {invented} times")?;
        }
    }
    print_squares(&document.squares, theirs, out)?;
    document.search.as_ref().map_or(Ok(()), |search| print_search(search, out))?;
    document.inside.as_ref().map_or(Ok(()), |inside| print_inside(inside, out))
}

/// The likeliest squares of each kind of piece, with their shares of the belief.
fn print_squares(squares: &Squares, theirs: Color, out: &mut impl Write) -> io::Result<()> {
    for piece in Piece::ALL.into_iter().rev() {
        let of_piece = |(square, pieces): (_, &BTreeMap<char, Vec<f64>>)| {
            Some((square, pieces.get(&letter(piece, theirs))?[0]))
        };
        let mut likely: Vec<(&String, f64)> = squares.iter().filter_map(of_piece).collect();
        likely.sort_by(|a, b| b.1.total_cmp(&a.1));
        let words: Vec<String> =
            likely.iter().take(MOST_SQUARES).map(|(square, share)| format!("{square} {share:.2}")).collect();
        if !words.is_empty() {
            writeln!(out, "their {} {}", piece_name(piece), words.join(", "))?;
        }
    }
    Ok(())
}

fn print_search(search: &Search, out: &mut impl Write) -> io::Result<()> {
    let TreeSize { nodes, infosets, depth, iterations, expansions } = search.tree;
    writeln!(out, "tree {nodes} nodes, {infosets} infosets, depth {depth}")?;
    writeln!(out, "search {iterations} iterations, {expansions} expansions, pmax {:.3}", search.pmax)?;
    search.gap.map_or(Ok(()), |gap| writeln!(out, "gap {gap:.4}"))?;
    let mut strategy: Vec<&Entry> = search.strategy.iter().collect();
    strategy.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    writeln!(out, "move  solved played  value        line")?;
    for entry in strategy.into_iter().take_while(|entry| entry.probability > 0.0005).take(MOST_CHOICES) {
        let stable = if entry.stable { "stable" } else { "" };
        let Entry { action, probability, played, value, line, .. } = entry;
        let line = line[..line.len().min(8)].join(" ");
        writeln!(out, "{action:5} {probability:6.3} {played:6.3} {value:6.3} {stable:6} {line}")?;
    }
    Ok(())
}

/// The best choices with what their scores are made of, what the chosen one may show, and sizes of beliefs.
fn print_inside(inside: &Inside, out: &mut impl Write) -> io::Result<()> {
    match inside.choices.first() {
        None => writeln!(out, "{} scored no choice here", inside.judge)?,
        Some(first) => print_choices(inside, first, out)?,
    }
    let chosen = inside.choices.iter().find(|insight| insight.chosen && !insight.answers.is_empty());
    if let Some(chosen) = chosen {
        writeln!(out, "what {} may show, in rows from above", chosen.choice)?;
        for answer in &chosen.answers {
            writeln!(out, "{:6.3} {}", answer.probability, answer.text)?;
        }
    }
    if inside.turns.iter().any(|turn| turn.after.is_some()) {
        print_turns(&inside.turns, out)?;
    }
    Ok(())
}

/// A column for each part that a score has, counts without decimals and without `-0`; a star marks the choice.
fn print_choices(inside: &Inside, first: &Insight, out: &mut impl Write) -> io::Result<()> {
    let names: String = first.parts.iter().map(|(name, _)| format!(" {name:>9}")).collect();
    writeln!(out, "{:11} {:>9}{names}", inside.judge, "score")?;
    let is_count = |column: usize| inside.choices.iter().all(|each| each.parts[column].1.fract() == 0.0);
    let decimals: Vec<usize> = (0..first.parts.len()).map(|i| if is_count(i) { 0 } else { 3 }).collect();
    for insight in inside.choices.iter().take(MOST_CHOICES) {
        let choice = format!("{}{}", insight.choice, if insight.chosen { "*" } else { "" });
        let column = |((_, part), decimals): (&(_, f64), &usize)| format!(" {:9.decimals$}", part + 0.0);
        let parts: String = insight.parts.iter().zip(&decimals).map(column).collect();
        writeln!(out, "{choice:11} {:9.3}{parts}", insight.score)?;
    }
    let others = inside.choices.len().saturating_sub(MOST_CHOICES);
    if others > 0 { writeln!(out, "and {others} others") } else { Ok(()) }
}

/// The last turns: positions held possible at the first choice, and at the last.
fn print_turns(turns: &[TurnSize], out: &mut impl Write) -> io::Result<()> {
    let size = |turn: &TurnSize| match turn.after {
        Some(after) => format!("{} > {after}", turn.before),
        None => turn.before.to_string(),
    };
    let last = &turns[turns.len().saturating_sub(MOST_TURNS)..];
    let sizes: Vec<String> = last.iter().map(size).collect();
    let gap = if last.len() < turns.len() { "... " } else { "" };
    writeln!(out, "belief by turn, before > after its first choice: {gap}{}", sizes.join(", "))
}
