//! A recorded league as Markdown: the results of rows against columns beside published ones, with the ratings of all, and
//! what the games were like.

use std::fmt::Write;

use scuro_games::picture::chart::thousands;

use crate::league::{League, Row, Table};
use crate::statistics::Results;
use crate::stats::Stats;
use crate::summary::Summary;

/// The results of a league with ratings, as a table with a heading: rows against columns, or the agents alone if all play
/// each other.
#[must_use]
pub fn results(league: &League, table: &Table) -> String {
    let rating = |name: &String| {
        let row = table.rows.iter().find(|row| row.agent == *name);
        row.map_or(String::new(), rating_text)
    };
    let played = format!("{} games at {}", league.games, league.control);
    let prior = if table.with_prior { " (half a draw added to each)" } else { "" };
    let mut text = if league.title.is_empty() { String::new() } else { format!("### {}\n", league.title) };
    if league.against.is_empty() {
        text += &head(&format!("{played}{prior}"), ["rating (95 %)", "score"].map(str::to_owned));
        for row in &table.rows {
            line(&mut text, &code(&row.agent), [rating_text(row), format!("{:.1} %", 100.0 * row.score)]);
        }
        return text;
    }
    let beside = if league.paper.is_empty() { "" } else { "; paper, ours" };
    let columns = league.against.iter().map(|name| code(name));
    text += &head(&format!("{played}{prior}{beside}"), columns.chain(["rating (95 %)".to_owned()]));
    for (row, (agent, matches)) in rows(league, &table.matches).enumerate() {
        let paper = |column: usize| league.paper.get(row)?.get(column).filter(|result| !result.is_empty());
        let cell = |(column, summary): (usize, &Summary)| match paper(column) {
            Some(paper) => format!("{paper}, {}", counts(summary.results)),
            None => counts(summary.results),
        };
        let cells = matches.iter().enumerate().map(cell);
        line(&mut text, &code(agent), cells.chain([rating(agent)]));
    }
    line(&mut text, "rating", league.against.iter().map(rating).chain([String::new()]));
    text
}

/// What the games of rows against columns were like: the mean size of the row's set, moves of a game, and the row's lead in
/// points of material. Of each match its summary and, if it has games, their course.
#[must_use]
pub fn courses(league: &League, matches: &[(Summary, Option<Stats>)]) -> String {
    let columns = league.against.iter().map(|name| code(name));
    let mut text = head("boards in the set; moves; lead in points", columns);
    for (agent, matches) in rows(league, matches) {
        let cell = |(summary, stats): &(Summary, Option<Stats>)| {
            let Some(stats) = stats else { return "-".to_owned() };
            let set =
                summary.choices[0].belief.map_or("-".to_owned(), |size| thousands(size.round() as usize));
            format!("{set}; {:.1}; {:+.1}", stats.moves.mean, stats.lead)
        };
        line(&mut text, &code(agent), matches.iter().map(cell));
    }
    text
}

/// The agents of a league, each with its matches.
fn rows<'l, T>(league: &'l League, matches: &'l [T]) -> impl Iterator<Item = (&'l String, &'l [T])> {
    league.agents.iter().zip(matches.chunks(league.against.len().max(1)))
}

fn head(first: &str, columns: impl IntoIterator<Item = String>) -> String {
    let columns: Vec<String> = columns.into_iter().collect();
    format!("| {first} | {} |\n|---|{}\n", columns.join(" | "), "---:|".repeat(columns.len()))
}

fn line(text: &mut String, first: &str, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| {first} | {} |", cells.join(" | "));
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

/// As in `28-4-28`; a match without games is `-`.
fn counts(results: Results) -> String {
    let Results { wins, draws, losses } = results;
    if results.games() == 0 { "-".to_owned() } else { format!("{wins}-{draws}-{losses}") }
}

/// As in `212 (180 to 244)`; nothing for an agent without games.
fn rating_text(Row { rating, interval: [low, high], games, .. }: &Row) -> String {
    if *games == 0 { String::new() } else { format!("{rating:.0} ({low:.0} to {high:.0})") }
}
