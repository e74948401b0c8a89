//! The course of recorded games: how they ended, how long they were, who had more material, what was played first.

use std::collections::BTreeMap;

use scuro_agents::player::Playable;
use scuro_games::chess::{Board, Color, Piece};
use scuro_games::dark::Rules;
use scuro_games::records::Record;
use scuro_games::records::pgn::PgnResult;
use scuro_games::with_game;
use serde::Serialize;

use crate::beliefs::{BeliefError, each_ply};
use crate::statistics::Results;

/// The points of pieces, as usual: a king has none, for its loss ends the game.
const POINTS: [i32; 6] = [1, 3, 3, 5, 9, 0];

/// One game, turn by turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The names of White and Black.
    pub players: [String; 2],
    /// The score of White in halves, if it is known.
    pub score: Option<u8>,
    /// The lead of White in points of material after each turn of either side.
    pub leads: Vec<i32>,
    /// The first moves of White and Black as they were asked for.
    pub first: [Option<String>; 2],
}

impl Course {
    /// The course of a recorded game.
    ///
    /// # Errors
    /// If the record breaks its rules.
    pub fn of(record: &Record) -> Result<Course, BeliefError> {
        let rules = Rules::of(record).map_err(BeliefError::Record)?;
        with_game!(rules, game => course_of(&game, record))
    }

    /// The game as seen by White: its score in halves and its leads; the other way round by Black.
    fn seen_by(&self, color: Color) -> (Option<u8>, impl Iterator<Item = f64>) {
        let (score, sign) = match color {
            Color::White => (self.score, 1.0),
            Color::Black => (self.score.map(|halves| 2 - halves), -1.0),
        };
        (score, self.leads.iter().map(move |&lead| sign * f64::from(lead)))
    }
}

fn course_of<G: Playable>(game: &G, record: &Record) -> Result<Course, BeliefError> {
    let name = |tag: &str| record.tag(tag).unwrap_or("?").to_owned();
    let score = match record.result {
        PgnResult::White => Some(2),
        PgnResult::Draw => Some(1),
        PgnResult::Black => Some(0),
        PgnResult::Unknown => None,
    };
    let mut course =
        Course { players: [name("White"), name("Black")], score, leads: Vec::new(), first: [None, None] };
    each_ply(game, record, |ply| {
        if ply.ends_turn() {
            course.leads.push(lead(G::true_board(ply.after.state())));
            course.first[ply.mover as usize].get_or_insert_with(|| G::ply(ply.action).to_string());
        }
        true
    })?;
    Ok(course)
}

/// The lead of White in points of material.
fn lead(board: &Board) -> i32 {
    let count = |color: Color, piece: Piece| board.men(color, piece).len() as i32;
    let lead = |piece: Piece| count(Color::White, piece) - count(Color::Black, piece);
    Piece::ALL.into_iter().map(|piece| POINTS[piece as usize] * lead(piece)).sum()
}

/// Numbers in short.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Average {
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
}

impl Average {
    fn of(numbers: impl Iterator<Item = f64> + Clone) -> Average {
        let count = numbers.clone().count().max(1) as f64;
        let mean = numbers.clone().sum::<f64>() / count;
        let variance = numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / count;
        Average { mean, deviation: variance.sqrt() }
    }
}

/// A game of a pair, with the colour of the first.
type Seen<'c> = (&'c Course, Color);

/// The games of two players, as the first sees them.
#[derive(Clone, Debug, Serialize)]
pub struct Stats {
    /// The players. Of two with one name the first is White.
    pub agents: [String; 2],
    /// How many games.
    pub played: usize,
    /// Their results, as far as they are known.
    #[serde(flatten)]
    pub results: Results,
    /// Moves of a game: half its turns.
    pub moves: Average,
    /// The lead in points of material, over all turns of all games.
    pub lead: f64,
    /// The same after each turn, over the games that have it.
    pub leads: Vec<f64>,
    /// The first moves of White and Black, and how many.
    pub first_moves: [BTreeMap<String, u64>; 2],
}

impl Stats {
    /// All games by who played whom, in the order in which the pairs come first.
    #[must_use]
    pub fn by_pair(courses: &[Course]) -> Vec<Stats> {
        let mut pairs: Vec<([String; 2], Vec<Seen<'_>>)> = Vec::new();
        for course in courses {
            let [white, black] = &course.players;
            let found = pairs
                .iter_mut()
                .find(|([one, two], _)| (one, two) == (white, black) || (one, two) == (black, white));
            match found {
                Some(([one, _], games)) => {
                    let color = if one == white { Color::White } else { Color::Black };
                    games.push((course, color));
                }
                None => pairs.push((course.players.clone(), vec![(course, Color::White)])),
            }
        }
        pairs.into_iter().map(|(agents, games)| Stats::of(agents, &games)).collect()
    }

    /// The games of a pair.
    fn of(agents: [String; 2], games: &[Seen<'_>]) -> Stats {
        let mut results = Results::default();
        let mut sums: Vec<(f64, f64)> = Vec::new();
        let mut first_moves: [BTreeMap<String, u64>; 2] = Default::default();
        for (course, color) in games {
            let (score, leads) = course.seen_by(*color);
            score.into_iter().for_each(|halves| results.add(halves));
            for (turn, lead) in leads.enumerate() {
                sums.resize(sums.len().max(turn + 1), (0.0, 0.0));
                sums[turn].0 += lead;
                sums[turn].1 += 1.0;
            }
            for (counts, word) in first_moves.iter_mut().zip(&course.first) {
                word.iter().for_each(|word| *counts.entry(word.clone()).or_default() += 1);
            }
        }
        let (total, turns) = sums.iter().fold((0.0, 0.0), |all, sum| (all.0 + sum.0, all.1 + sum.1));
        Stats {
            agents,
            played: games.len(),
            results,
            moves: Average::of(games.iter().map(|(course, _)| course.leads.len() as f64 / 2.0)),
            lead: total / f64::max(turns, 1.0),
            leads: sums.iter().map(|(sum, count)| sum / count).collect(),
            first_moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use scuro_games::Variant;

    use super::*;

    fn course(players: [&str; 2], moves: &str, result: PgnResult) -> Course {
        let tags = ["White", "Black"].iter().zip(players);
        let record = Record {
            variant: Variant::Reconnaissance,
            tags: tags.map(|(tag, name)| ((*tag).to_owned(), name.to_owned())).collect(),
            start: Board::start(),
            passed: None,
            plies: moves.split(' ').map(|word| word.parse().unwrap()).collect(),
            result,
            termination: None,
        };
        Course::of(&record).unwrap()
    }

    #[test]
    fn points_and_turns_by_hand() {
        // A pawn is lost, then a queen; a request that fails is a turn too.
        let game = course(["a", "b"], "- e2e4 - d7d5 - e4d5 - d8d5 - a2b3 - d5d2 - d1d2", PgnResult::White);
        assert_eq!(game.leads, [0, 0, 1, 0, 0, -1, 8]);
        assert_eq!(game.first, [Some("e2e4".to_owned()), Some("d7d5".to_owned())]);
        let other = course(["b", "a"], "- e2e4 - -- - d1h5", PgnResult::Draw);
        assert_eq!((other.leads.len(), other.score), (3, Some(1)));
        let all = Stats::by_pair(&[game, other]);
        assert_eq!(all.len(), 1);
        let found = &all[0];
        assert_eq!((found.agents.clone(), found.played), (["a".to_owned(), "b".to_owned()], 2));
        assert_eq!(found.results, Results { wins: 1, draws: 1, losses: 0 });
        assert_eq!(found.moves, Average { mean: 2.5, deviation: 1.0 });
        assert!((found.lead - 8.0 / 10.0).abs() < 1e-12 && found.leads[2] == 0.5 && found.leads[6] == 8.0);
        assert_eq!(found.first_moves[0], BTreeMap::from([("e2e4".to_owned(), 2)]));
        assert_eq!(found.first_moves[1], BTreeMap::from([("--".to_owned(), 1), ("d7d5".to_owned(), 1)]));
    }

    #[test]
    fn pairs_come_in_their_order_and_equal_names_count_for_white() {
        let game = |players| course(players, "- e2e4 - d7d5 - e4d5", PgnResult::White);
        let all = Stats::by_pair(&[game(["c", "c"]), game(["b", "a"]), game(["a", "b"]), game(["c", "c"])]);
        let pairs: Vec<(&str, u64, u64)> = all
            .iter()
            .map(|stats| (stats.agents[0].as_str(), stats.results.wins, stats.results.losses))
            .collect();
        assert_eq!(pairs, [("c", 2, 0), ("b", 1, 1)]);
    }
}
