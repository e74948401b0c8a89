//! The course of recorded games: how they ended, how long they were, how many tries were at hand, who had more material,
//! what was played first.

use std::collections::BTreeMap;

use scuro_agents::player::Playable;
use scuro_games::chess::{Board, Color, Piece, color_name, letter};
use scuro_games::dark::Rules;
use scuro_games::records::pgn::PgnResult;
use scuro_games::records::{Ply, Record};
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
    /// How many choices there were at the beginning of each turn; in RBC at its request.
    pub tries: Vec<usize>,
    /// The first moves of White and Black as they were asked for.
    pub first: [Option<String>; 2],
    /// Why the game ended, if it is known.
    pub reason: Option<String>,
    /// What White and Black had at the end, such as `KQP`.
    pub armies: [String; 2],
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

    /// Who won, if somebody did.
    fn winner(&self) -> Option<Color> {
        match self.score? {
            2 => Some(Color::White),
            0 => Some(Color::Black),
            _ => None,
        }
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
    let mut course = Course {
        players: [name("White"), name("Black")],
        score,
        leads: Vec::new(),
        tries: Vec::new(),
        first: [None, None],
        reason: record.termination.clone(),
        armies: armies(&record.start),
    };
    let mut begins = true;
    each_ply(game, record, |ply| {
        let board = G::true_board(ply.after.state());
        // A sense comes before the turn's request.
        if begins && !matches!(G::ply(ply.action), Ply::Sense(_)) {
            course.tries.push(ply.before.choices().len());
            begins = false;
        }
        if ply.ends_turn() {
            begins = true;
            course.leads.push(lead(board));
            course.armies = armies(board);
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

/// What White and Black have, heavy pieces first.
fn armies(board: &Board) -> [String; 2] {
    let letters = [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
    [Color::White, Color::Black].map(|color| {
        let count = |piece: Piece| board.men(color, piece).len() as usize;
        letters.iter().map(|&piece| letter(piece, Color::White).to_string().repeat(count(piece))).collect()
    })
}

/// Numbers in short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
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

/// All games together, whoever played them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Together {
    /// How many games.
    pub played: u64,
    /// Choices at the beginning of a turn, over all turns.
    pub tries: Average,
    /// The same at each move of a game: those of the side that won, of the side that lost, and of both in all games.
    pub tries_by_move: Vec<[Option<f64>; 3]>,
    /// How many games ended so.
    pub outcomes: BTreeMap<String, u64>,
    /// What was left at the end of won games, of those that ended in mate, and of drawn ones: the winner's pieces come first,
    /// or the heavier ones.
    pub endings: Endings,
}

/// What was left on the board, and how often.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Endings {
    /// In games that were won.
    pub won: BTreeMap<String, u64>,
    /// In games that ended in mate.
    pub mated: BTreeMap<String, u64>,
    /// In games that were drawn.
    pub drawn: BTreeMap<String, u64>,
}

impl Together {
    /// These games.
    #[must_use]
    pub fn of(courses: &[Course]) -> Together {
        let mut together = Together { played: courses.len() as u64, ..Together::default() };
        let mut sums: Vec<[(f64, f64); 3]> = Vec::new();
        for course in courses {
            together.note_end(course);
            let winner = course.winner();
            for (turn, &tries) in course.tries.iter().enumerate() {
                sums.resize(sums.len().max(turn / 2 + 1), Default::default());
                let side = winner.map(|winner| usize::from(turn % 2 != winner as usize));
                for kind in side.into_iter().chain([2]) {
                    sums[turn / 2][kind].0 += tries as f64;
                    sums[turn / 2][kind].1 += 1.0;
                }
            }
        }
        let mean = |&(sum, count): &(f64, f64)| (count > 0.0).then(|| sum / count);
        together.tries_by_move = sums.iter().map(|kinds| [0, 1, 2].map(|kind| mean(&kinds[kind]))).collect();
        together.tries =
            Average::of(courses.iter().flat_map(|course| &course.tries).map(|&tries| tries as f64));
        together
    }

    fn note_end(&mut self, course: &Course) {
        let reason = course.reason.as_deref().unwrap_or("unknown");
        let [white, black] = &course.armies;
        let (one, two) = match course.winner() {
            Some(Color::Black) => (black, white),
            Some(Color::White) => (white, black),
            None if course.leads.last() < Some(&0) => (black, white),
            None => (white, black),
        };
        let left = format!("{one} v {two}");
        let add = |counts: &mut BTreeMap<String, u64>, what: &str| {
            *counts.entry(what.to_owned()).or_default() += 1;
        };
        let outcome = match (course.winner(), course.score) {
            (Some(winner), _) => {
                add(&mut self.endings.won, &left);
                if reason == "checkmate" {
                    add(&mut self.endings.mated, &left);
                }
                format!("{} won, {reason}", color_name(winner))
            }
            (None, Some(_)) => {
                add(&mut self.endings.drawn, &left);
                format!("drawn, {reason}")
            }
            (None, None) => "unknown".to_owned(),
        };
        add(&mut self.outcomes, &outcome);
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
        assert_eq!(game.armies.each_ref().map(String::as_str), ["KQRRBBNNPPPPPP", "KRRBBNNPPPPPPP"]);
        assert_eq!(game.tries.len(), 7);
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
    fn ends_and_tries_by_hand() {
        let mut mated = course(["a", "b"], "- e2e4 - d7d5 - e4d5", PgnResult::White);
        mated.reason = Some("checkmate".to_owned());
        let [lost, drawn] = [PgnResult::Black, PgnResult::Draw]
            .map(|result| course(["a", "b"], "- e2e4 - d7d5 - a2a3 - d5e4", result));
        let tries: Vec<usize> = mated.tries.iter().chain(&lost.tries).chain(&drawn.tries).copied().collect();
        let together = Together::of(&[mated.clone(), lost, drawn]);
        let outcomes = ["Black won, unknown", "White won, checkmate", "drawn, unknown"];
        assert!(
            together.outcomes.keys().eq(&outcomes) && together.outcomes.values().all(|&count| count == 1)
        );
        let [all, less] = ["KQRRBBNNPPPPPPPP", "KQRRBBNNPPPPPPP"];
        let ahead = format!("{all} v {less}");
        assert_eq!(together.endings.mated, BTreeMap::from([(ahead.clone(), 1)]));
        assert_eq!(together.endings.won, BTreeMap::from([(ahead.clone(), 2)]));
        assert_eq!(together.endings.drawn, BTreeMap::from([(ahead, 1)]));
        let mean = tries.iter().sum::<usize>() as f64 / 11.0;
        assert!((together.tries.mean - mean).abs() < 1e-12, "{tries:?}");
        // At the first moves both sides may ask for the same number, whoever wins.
        let [won, lost, all] = together.tries_by_move[0];
        assert!(won == lost && lost == all && won == Some(mated.tries[0] as f64), "{together:?}");
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
