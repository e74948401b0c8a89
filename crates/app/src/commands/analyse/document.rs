//! What `scuro analyse --json` prints.

use std::collections::BTreeMap;

use scuro_agents::contestant::Insight;
use scuro_agents::player::{Player, Whereabouts};
use scuro_agents::seat::{Seated, Seats};
use scuro_games::Variant;
use scuro_games::chess::{Color, Piece, Square, letter};
use scuro_search::agent::{Candidate, Thought};
use serde::Serialize;

use super::Asked;

/// Where pieces may stand, by square and letter: under the belief, and as the opponent has played if that was searched.
pub(super) type Squares = BTreeMap<String, BTreeMap<char, Vec<f64>>>;

#[derive(Serialize)]
pub(super) struct Document {
    pub(super) game: Variant,
    #[serde(rename = "move")]
    pub(super) chosen: String,
    pub(super) value: Option<f64>,
    pub(super) belief: Option<Size>,
    pub(super) squares: Squares,
    #[serde(flatten)]
    pub(super) search: Option<Search>,
    #[serde(flatten)]
    pub(super) inside: Option<Inside>,
}

#[derive(Serialize)]
pub(super) struct Size {
    pub(super) size: usize,
    #[serde(flatten)]
    pub(super) kept: Option<Kept>,
}

/// How a belief was kept, if its player can tell.
#[derive(Serialize)]
pub(super) struct Kept {
    pub(super) exact: bool,
    /// How often positions were found again, and how often invented.
    pub(super) refilled: usize,
    pub(super) invented: usize,
}

/// What the player of the paper finds.
#[derive(Serialize)]
pub(super) struct Search {
    pub(super) strategy: Vec<Entry>,
    pub(super) tree: TreeSize,
    pub(super) pmax: f64,
    pub(super) gap: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct Entry {
    #[serde(rename = "move")]
    pub(super) action: String,
    pub(super) probability: f64,
    pub(super) played: f64,
    pub(super) value: f64,
    pub(super) stable: bool,
    /// How play may go on.
    pub(super) line: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct TreeSize {
    pub(super) nodes: usize,
    pub(super) infosets: usize,
    pub(super) depth: usize,
    pub(super) iterations: u64,
    pub(super) expansions: u64,
}

/// What someone makes of each choice, and how beliefs shrink within turns.
#[derive(Serialize)]
pub(super) struct Inside {
    /// Who judges the choices.
    #[serde(skip)]
    pub(super) judge: &'static str,
    /// The best first.
    pub(super) choices: Vec<Insight>,
    pub(super) turns: Vec<TurnSize>,
}

/// How many positions were held possible at a turn: at its first choice, and at its last if there was another.
#[derive(Serialize)]
pub(super) struct TurnSize {
    turn: usize,
    pub(super) before: usize,
    pub(super) after: Option<usize>,
}

/// Sizes of a belief over the own turns so far.
#[derive(Default)]
pub(super) struct Sizes {
    turns: Vec<TurnSize>,
    /// Whether the last turn goes on.
    within: bool,
}

impl Sizes {
    /// Notes the size at a choice.
    pub(super) fn at_choice(&mut self, size: usize) {
        let turn = self.turns.len() + 1;
        match self.turns.last_mut().filter(|_| self.within) {
            Some(last) => last.after = Some(size),
            None => self.turns.push(TurnSize { turn, before: size, after: None }),
        }
        self.within = true;
    }

    /// A ply that was not the own one ends a turn.
    pub(super) fn after_ply(&mut self, own: bool) {
        self.within &= own;
    }
}

impl Inside {
    pub(super) fn new<G: Seats>(name: &'static str, judge: &Seated<G>, sizes: Sizes) -> Inside {
        Inside { judge: name, choices: judge.insights().to_vec(), turns: sizes.turns }
    }
}

impl Document {
    /// What the player of the paper thinks.
    pub(super) fn of_search<G: Seats>(
        player: &Player<G>,
        thought: &Thought<G::Action>,
        gap: bool,
    ) -> Document {
        let best = thought.candidates.iter().rev().max_by(|a, b| a.played.total_cmp(&b.played));
        let theirs = !player.color();
        let tree = player.tree().map(|tree| tree.positions()).unwrap_or_default();
        let played = tree.iter().map(|(supposed, share)| (G::true_board(&supposed.state), *share));
        Document {
            game: G::VARIANT,
            chosen: best.map(|best| word::<G>(best.action)).unwrap_or_default(),
            value: Some(thought.value),
            belief: Some(Size {
                size: player.belief().positions().len(),
                kept: Some(Kept {
                    exact: !player.belief().is_sample(),
                    refilled: player.believer().refilled(),
                    invented: player.believer().invented(),
                }),
            }),
            squares: squares(&[player.whereabouts(), Whereabouts::of(played, theirs)], theirs),
            search: Some(Search {
                strategy: thought.candidates.iter().map(entry::<G>).collect(),
                tree: TreeSize {
                    nodes: thought.nodes,
                    infosets: thought.infosets,
                    depth: thought.depth,
                    iterations: thought.iterations,
                    expansions: thought.expansions,
                },
                pmax: thought.pmax,
                gap: player.tree().filter(|_| gap).map(|tree| tree.gap()),
            }),
            inside: None,
        }
    }

    /// What an agent of `color` says that was asked for its choice.
    pub(super) fn of_contestant<G: Seats>(name: &'static str, asked: Asked<G>, color: Color) -> Document {
        let Asked { action, contestant, sizes } = asked;
        let notes = contestant.notes();
        Document {
            game: G::VARIANT,
            chosen: word::<G>(action),
            value: notes.value,
            belief: notes.belief.map(|size| Size { size, kept: None }),
            squares: squares(contestant.whereabouts().as_slice(), !color),
            search: None,
            inside: Some(Inside::new(name, &contestant, sizes)),
        }
    }
}

fn word<G: Seats>(action: G::Action) -> String {
    G::ply(action).to_string()
}

fn entry<G: Seats>(candidate: &Candidate<G::Action>) -> Entry {
    Entry {
        action: word::<G>(candidate.action),
        probability: candidate.probability,
        played: candidate.played,
        value: candidate.value,
        stable: candidate.stable,
        line: candidate.line.iter().copied().map(word::<G>).collect(),
    }
}

/// Where pieces of `theirs` may stand, a column each.
fn squares(columns: &[Whereabouts], theirs: Color) -> Squares {
    let mut squares = Squares::new();
    for (column, whereabouts) in columns.iter().enumerate() {
        for piece in Piece::ALL {
            for (square, share) in whereabouts.likeliest(piece) {
                let pieces = squares.entry(Square::to_string(&square)).or_default();
                pieces.entry(letter(piece, theirs)).or_insert_with(|| vec![0.0; columns.len()])[column] =
                    share;
            }
        }
    }
    squares
}
