//! Proofs that a lone king is mated from wherever it may stand.
//!
//! Games are played by maximin on the belief. Along each game, from its end backwards, a narrow search tries to prove
//! the beliefs that it went through; what is proved goes into the table, and a search that arrives inside a proved set is
//! done. So the table grows from mates to beliefs that know nothing. Afterwards bounds are made smaller along the longest
//! lines until that stops to help.

use rustc_hash::{FxHashMap, FxHashSet};
use scuro_core::Random;
use scuro_games::chess::{Move, Piece, Square};

use super::lone_king::{Answer, Army, Heard, LoneKing};
use super::maximin::{is_safe, value_of_answer, value_of_try};
use super::table::Table;

/// The number of games between two sweeps over the table.
const BATCH: usize = 100;
/// The number of batches before all starts are looked at again.
const BATCHES: usize = 20;
/// The number of rounds of improvement after which the work ends.
const ROUNDS: usize = 20;
/// No proof has more moves.
const MOST_MOVES: u8 = 120;
/// A game of the maximin player ends after so many moves.
const GAME_MOVES: usize = 90;
/// How many beliefs one search for a proof may look at.
const VISITS: usize = 300;
/// How many beliefs the last search for a proof of a start may look at.
const LAST_VISITS: usize = 1_000;
/// A walk along the longest line ends after so many steps.
const WALK: usize = 60;
/// The number of walks in a round of improvement.
const WALKS: usize = 100;
/// A walk begins at that start of so many which has the largest bound.
const LOOKED_AT: usize = 20;
/// What a belief that was there before costs.
const REPEATED: f64 = 3.0;

/// The placements of these pieces, one of all that are the same but for turning and mirroring, in which some try loses
/// nothing though the lone king may be anywhere.
#[must_use]
pub fn placements(pieces: &[Piece]) -> Vec<LoneKing> {
    let mut found = Vec::new();
    for king in Square::ALL {
        place(king, pieces, &mut Vec::new(), &mut |army| {
            let belief = LoneKing::anywhere(army);
            if belief.canonical() == belief
                && belief.tries().iter().any(|&m| is_safe(value_of_try(&belief, m, 0)))
            {
                found.push(belief);
            }
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn place(king: Square, pieces: &[Piece], placed: &mut Vec<(Piece, Square)>, visit: &mut impl FnMut(Army)) {
    let Some((&piece, rest)) = pieces.split_first() else {
        visit_army(king, placed, visit);
        return;
    };
    for square in Square::ALL {
        if square != king && placed.iter().all(|&(_, taken)| taken != square) {
            placed.push((piece, square));
            place(king, rest, placed, visit);
            placed.pop();
        }
    }
}

fn visit_army(king: Square, placed: &[(Piece, Square)], visit: &mut impl FnMut(Army)) {
    let dark = |square: Square| (square.file() as u8 + square.rank() as u8) % 2;
    let bishops: Vec<u8> =
        placed.iter().filter(|(piece, _)| *piece == Piece::Bishop).map(|&(_, square)| dark(square)).collect();
    // Two bishops stand on squares of different colours.
    if bishops.len() < 2 || bishops[0] != bishops[1] {
        Army::new(king, placed.iter().copied()).into_iter().for_each(visit);
    }
}

/// How far the proofs of an ending are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many placements are proved with the lone king anywhere.
    pub proved: usize,
    /// How many placements there are.
    pub placements: usize,
    /// The largest bound of those that are proved.
    pub longest: u8,
    /// The sets in the table.
    pub sets: usize,
}

/// Grows a table for one ending.
#[derive(Clone, Debug)]
pub struct Prover {
    table: Table,
    starts: Vec<LoneKing>,
    random: Random,
    search: Search,
}

/// The memory of one search for a proof.
#[derive(Clone, Debug, Default)]
struct Search {
    /// Up to which bound a belief was not proved.
    failed: FxHashMap<LoneKing, u8>,
    path: FxHashSet<LoneKing>,
    visits: usize,
    /// How many of the best tries are looked at.
    width: usize,
}

impl Prover {
    /// A prover for these pieces beside the king.
    #[must_use]
    pub fn new(pieces: &[Piece], seed: u64) -> Prover {
        let (table, search) = (Table::default(), Search::default());
        Prover { table, starts: placements(pieces), random: Random::new(seed), search }
    }

    /// The placements that are to be proved.
    #[must_use]
    pub fn starts(&self) -> &[LoneKing] {
        &self.starts
    }

    /// What is proved.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let bounds = || self.starts.iter().filter_map(|start| self.table.bound_of_canonical(start));
        Progress {
            proved: bounds().count(),
            placements: self.starts.len(),
            longest: bounds().max().unwrap_or(0),
            sets: self.table.len(),
        }
    }

    /// Proves what it can, then makes the bounds smaller. After every step `go_on` is told how far it is, and ends the work
    /// by returning false.
    pub fn run(&mut self, mut go_on: impl FnMut(Progress) -> bool) {
        let mut proved = 0;
        loop {
            for _ in 0..BATCHES {
                (0..BATCH).for_each(|_| self.grow());
                self.sweep();
                self.sweep();
                let progress = self.progress();
                if !go_on(progress) {
                    return;
                }
                if progress.proved == progress.placements {
                    break;
                }
            }
            self.finish();
            let progress = self.progress();
            if progress.proved == progress.placements || progress.proved == proved {
                break;
            }
            proved = progress.proved;
        }
        for _ in 0..ROUNDS {
            self.sweep();
            self.sweep();
            self.sweep();
            self.improve();
            if !go_on(self.progress()) {
                return;
            }
        }
    }

    /// Plays one game from a start that is not proved yet, if there is one, and proves what it can along it.
    fn grow(&mut self) {
        let open: Vec<usize> = (0..self.starts.len())
            .filter(|&start| self.table.bound_of_canonical(&self.starts[start]).is_none())
            .collect();
        let start = match self.random.pick(&open) {
            Some(&start) => start,
            None => self.random.below(self.starts.len()),
        };
        let game = self.game(self.starts[start]);
        for belief in game.iter().rev() {
            let width = 1 + self.random.below(8);
            if self.prove(belief, MOST_MOVES, width, VISITS).is_none() {
                break;
            }
        }
    }

    /// Looks harder at the starts that are not proved yet.
    fn finish(&mut self) {
        for start in self.starts.clone() {
            if self.table.bound_of_canonical(&start).is_none() {
                self.prove(&start, MOST_MOVES, 12, LAST_VISITS);
            }
        }
    }

    /// Makes every set as good as the others allow: its bound as small and its squares as many as its best try
    /// proves.
    fn sweep(&mut self) {
        let mut sets: Vec<(LoneKing, u8)> = self.table.beliefs().collect();
        sets.sort_unstable_by_key(|&(belief, moves)| (moves, belief));
        for (belief, moves) in sets {
            // A set that was found to be part of a better one is gone.
            if self.table.bound_of_canonical(&belief) != Some(moves) {
                continue;
            }
            let Some(win) = self.table.win(&belief) else { continue };
            let mut wider = belief;
            for square in belief.army.anywhere() & !belief.kings {
                let more = LoneKing { kings: wider.kings | square.bitboard(), ..wider };
                if self.table.bound_after(&more, win.attempt).is_some_and(|bound| bound <= win.moves) {
                    wider = more;
                }
            }
            if win.moves < moves || wider != belief {
                self.table.add(&wider.canonical(), win.moves);
            }
        }
    }

    /// Makes bounds smaller along lines on which the opponent holds out longest.
    fn improve(&mut self) {
        (0..WALKS).for_each(|_| self.walk());
    }

    /// Of a few starts the one with the largest bound.
    fn walk_start(&mut self) -> Option<LoneKing> {
        let some: Vec<LoneKing> =
            (0..LOOKED_AT).map(|_| self.starts[self.random.below(self.starts.len())]).collect();
        some.into_iter().max_by_key(|start| self.table.bound_of_canonical(start))
    }

    fn walk(&mut self) {
        let Some(mut belief) = self.walk_start() else { return };
        for _ in 0..WALK {
            let Some(bound) = self.table.bound(&belief).filter(|&bound| bound > 1) else { break };
            let better = self.table.win(&belief).filter(|win| win.moves < bound);
            if let Some(win) = better {
                self.table.add(&belief.canonical(), win.moves);
            } else if self.random.below(4) == 0 {
                let width = 2 + self.random.below(10);
                self.prove(&belief, bound - 1, width, VISITS);
            }
            let Some(next) = self.longest(&belief) else { break };
            belief = next;
        }
    }

    /// The belief after the proved try and the answer with the largest bound, or now and then any answer.
    fn longest(&mut self, belief: &LoneKing) -> Option<LoneKing> {
        let attempt = self.table.win(belief)?.attempt;
        let answers = belief.answers(attempt);
        let next: Vec<LoneKing> = answers
            .iter()
            .filter(|answer| !answer.mates())
            .map(|answer| belief.after(attempt, answer))
            .collect();
        if self.random.below(5) == 0 {
            return self.random.pick(&next).copied();
        }
        next.into_iter().max_by_key(|next| self.table.bound(next))
    }

    /// The beliefs of a game by maximin, against answers that are the worst for it or random.
    fn game(&mut self, start: LoneKing) -> Vec<LoneKing> {
        let depth = self.random.below(2) as u32;
        let worst = self.random.below(3) > 0;
        let (mut game, mut seen) = (Vec::new(), FxHashSet::default());
        let (mut belief, mut made) = (start, 0);
        while made < GAME_MOVES {
            game.push(belief);
            let Some(m) = self.maximin(&belief, depth, &seen) else { break };
            let answers = belief.answers(m);
            let Some(answer) = self.answer(&belief, m, &answers, worst.then_some(depth)) else { break };
            if answer.fails || answer.mates() {
                break;
            }
            belief = belief.after(m, &answer);
            if answer.heard != Heard::Refused {
                made += 1;
                seen.insert(belief);
            }
        }
        game
    }

    /// The best try by maximin, where beliefs that were there before cost something.
    fn maximin(&mut self, belief: &LoneKing, depth: u32, seen: &FxHashSet<LoneKing>) -> Option<Move> {
        let rated = belief.tries().into_iter().map(|m| {
            let repeats =
                |answer: &&Answer| answer.heard != Heard::Refused && seen.contains(&belief.after(m, answer));
            let repeated = belief.answers(m).iter().filter(repeats).count() as f64;
            (value_of_try(belief, m, depth) - REPEATED * repeated + 1e-3 * self.random.unit(), m)
        });
        rated.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, m)| m)
    }

    fn answer(
        &mut self,
        belief: &LoneKing,
        m: Move,
        answers: &[Answer],
        worst: Option<u32>,
    ) -> Option<Answer> {
        let Some(depth) = worst else { return self.random.pick(answers).copied() };
        let worth = |answer: &&Answer| {
            if answer.fails { f64::NEG_INFINITY } else { value_of_answer(belief, m, answer, depth.max(1)) }
        };
        answers.iter().min_by(|one, other| worth(one).total_cmp(&worth(other))).copied()
    }

    /// Looks for a proof of a belief with at most `most` moves. What it proves on the way is kept.
    fn prove(&mut self, belief: &LoneKing, most: u8, width: usize, visits: usize) -> Option<u8> {
        self.search.failed.clear();
        self.search.path.clear();
        self.search.visits = visits;
        self.search.width = width;
        self.search.prove(&mut self.table, belief, most)
    }
}

impl Search {
    fn prove(&mut self, table: &mut Table, belief: &LoneKing, most: u8) -> Option<u8> {
        let belief = belief.canonical();
        let known = table.bound_of_canonical(&belief).filter(|&bound| bound <= most);
        if known.is_some() || most == 0 || self.visits == 0 {
            return known;
        }
        self.visits -= 1;
        if self.failed.get(&belief).is_some_and(|&failed| failed >= most) || !self.path.insert(belief) {
            return None;
        }
        let tries = belief.tries().into_iter();
        let mut tries: Vec<(f64, Move)> =
            tries.map(|m| (value_of_try(&belief, m, 0), m)).filter(|(value, _)| is_safe(*value)).collect();
        tries.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let proved =
            tries.into_iter().take(self.width).find_map(|(_, m)| self.prove_try(table, &belief, m, most));
        self.path.remove(&belief);
        match proved {
            Some(bound) => table.add(&belief, bound),
            None => {
                let failed = self.failed.entry(belief).or_default();
                *failed = most.max(*failed);
            }
        }
        proved
    }

    /// The bound of a try all of whose answers are proved, those that leave most squares first.
    fn prove_try(&mut self, table: &mut Table, belief: &LoneKing, m: Move, most: u8) -> Option<u8> {
        let mut answers: Vec<Answer> = belief.answers(m).to_vec();
        answers.sort_by_key(|answer| std::cmp::Reverse(answer.kings.len()));
        let mut bound = 1;
        for answer in answers.iter().filter(|answer| !answer.mates()) {
            let made = u8::from(answer.heard != Heard::Refused);
            let next = self.prove(table, &belief.after(m, answer), most - made)?;
            bound = bound.max(next + made);
        }
        Some(bound)
    }
}
