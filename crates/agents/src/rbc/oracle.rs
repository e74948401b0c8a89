//! `oracle`: keeps all boards that may be, all alike; senses where the fewest are left on average, and requests what is best
//! on most of them.

use scuro_games::chess::{BitBoard, Move, Square};
use scuro_games::rbc::Rbc;

use super::matrix::{Cell, near_best};
use super::pool::{Turns, Weights};
use super::scout::{Scene, Style, Values};
use super::senses::window as area;
use super::turns::{Alike, ONE};
use super::windows::Window;
use crate::contestant::Insight;

/// The player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oracle;

/// The most boards that windows are compared on, and that vote.
const COMPARED: usize = 5_000;
const VOTERS: usize = 1_000;

/// From this share of boards on which the own king is attacked, only windows with an attacker are looked through.
const ALARM: f64 = 0.1;

/// Where pieces stand that attack the own king, by board.
fn checkers(scene: &Scene<'_>, places: &[usize]) -> Vec<BitBoard> {
    let me = scene.me();
    let attackers = |&place: &usize| {
        let board = scene.pool.held()[place].board();
        board.king(me).map_or(BitBoard::EMPTY, |king| board.attackers(king, !me))
    };
    places.iter().map(attackers).collect()
}

/// How many boards are left on average, all alike, after the answer of a window.
fn left(window: &Window) -> f64 {
    let counts = window.sums(&vec![1.0; window.answer.len()]);
    counts.iter().map(|count| count * count).sum::<f64>() / window.answer.len() as f64
}

impl Style for Oracle {
    fn types(&self) -> Weights {
        ONE
    }

    fn turns<'t>(&'t self, _: &'t Rbc, _: &'t mut Values, _: usize) -> Box<dyn Turns + 't> {
        Box::new(Alike)
    }

    fn sense(&mut self, scene: &mut Scene<'_>) -> (Option<Square>, Vec<Insight>) {
        if scene.pool.held().len() == 1 {
            return (None, Vec::new());
        }
        let places = scene.draw(COMPARED, |_| 1.0);
        let held = scene.pool.held();
        let boards = places.iter().map(|&place| held[place].board());
        let mut windows = Window::all(boards.clone());
        let checkers = checkers(scene, &places);
        let attacked = checkers.iter().filter(|attackers| !attackers.is_empty()).count();
        if attacked as f64 >= ALARM * places.len() as f64 {
            let all = checkers.iter().fold(BitBoard::EMPTY, |all, &attackers| all | attackers);
            windows.retain(|window| !area(window.square).is_disjoint(all));
        }
        let alike = vec![1.0 / places.len() as f64; places.len()];
        let insight = |window: &Window| Insight {
            choice: window.square.to_string(),
            score: -left(window),
            parts: vec![("left", left(window)), ("answers", window.answers as f64)],
            answers: window.likeliest(&alike, boards.clone()),
            chosen: false,
        };
        let insights = windows.iter().map(insight).collect();
        scene.best_window(&windows, insights, 1e-9)
    }

    fn request(&mut self, scene: &mut Scene<'_>) -> (usize, Vec<Insight>) {
        let drawn = scene.draw(VOTERS, |_| 1.0);
        let voters = scene.look(drawn);
        let mut votes = vec![0.0; scene.requests.len()];
        for &place in &voters {
            votes[best(&scene.row(place).cells, scene.requests)] += 1.0;
        }
        let chosen = near_best(&votes, 0.0, scene.random);
        let insight = |(place, &votes): (usize, &f64)| {
            scene.insight(place, votes / voters.len() as f64, vec![("votes", votes)])
        };
        let mut insights: Vec<Insight> = votes.iter().enumerate().map(insight).collect();
        insights[chosen].chosen = true;
        (chosen, insights)
    }
}

/// The best request on a board: one that is made as it is asked, if that is as good.
fn best(cells: &[Cell], requests: &[Option<Move>]) -> usize {
    let rank = |place: usize| (cells[place].value(), cells[place].taken == requests[place]);
    let better = |one: &usize, two: &usize| {
        let ((one, as_asked), (two, also)) = (rank(*one), rank(*two));
        one.total_cmp(&two).then(as_asked.cmp(&also))
    };
    (0..cells.len()).max_by(better).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_that_are_left_by_hand() {
        let window = Window { square: Square::D5, answer: vec![0, 1, 1, 2, 1, 0], answers: 3 };
        // 2, 3 and 1 boards look alike: (4 + 9 + 1) / 6.
        assert!((left(&window) - 14.0 / 6.0).abs() < 1e-9);
    }

    #[test]
    fn the_vote_of_a_board() {
        let m = |text: &str| -> Option<Move> { Some(text.parse().unwrap()) };
        let cell = |taken, raw: f32| Cell {
            taken,
            takes_king: false,
            exposed: false,
            sneaks: false,
            quiet: true,
            raw,
        };
        // Both rook moves end on e5; the one that asks for that is voted for.
        let requests = [m("e1e8"), m("e1e5"), m("a2a3"), None];
        let cells = [cell(m("e1e5"), 0.5), cell(m("e1e5"), 0.5), cell(m("a2a3"), 0.2), cell(None, 0.0)];
        assert_eq!(best(&cells, &requests), 1);
        let king = [Cell { takes_king: true, ..cell(m("e1e8"), 0.0) }, cells[1], cells[2], cells[3]];
        assert_eq!(best(&king, &requests), 0);
    }
}
