//! Captures played out under the rules of a game, until an opinion on the position means something.
//!
//! Whoever can take the king has won; under the rules of chess that king belongs to a side whose last move was
//! illegal, so no such move is ever chosen. Where the own king can be taken every move is tried and nothing else
//! counts; elsewhere a side may stop where it is, or take, or make a queen, or for a few plies give check. What a
//! side without a move gets is said by the [`Rules`]. The search is alpha-beta over whole scores, so equal questions
//! have equal answers.

use std::sync::Arc;

use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, Rank, Square};
use scuro_games::chess::{between, diagonally_ahead, piece_attacks};

use crate::accumulator::Accumulators;
use crate::chase::led;
use crate::evaluator::Evaluator;
use crate::exchange::{keeps, worth};
use crate::network::Network;
use crate::rules::Rules;
use crate::score::{MOST, WON, value};
use crate::simd::Simd;
use crate::simple::Simple;
use crate::uci::UciError;

/// An opinion on quiet positions, kept along a line of moves.
pub trait Opinion {
    /// A new line begins with this position.
    fn begin(&mut self, _: &Board) {}

    /// `m` will be played at the end of the line.
    fn moved(&mut self, line: &[Board], m: Move);

    /// The score of the end of the line, to its side to move. All its moves were told.
    fn score(&mut self, line: &[Board]) -> i32;
}

/// How far the search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Up to this ply a king that can be taken must be saved; later the position is judged as it stands.
    pub evasions: usize,
    /// Before this ply moves that give check are tried too.
    pub checks: usize,
    /// From this ply on captures that lose material are left out.
    pub exchanges: usize,
    /// From this ply on only men that have just taken something are taken.
    pub recaptures: usize,
    /// Captures that stay so far below what is reached already, even if they cost nothing, are left out.
    pub margin: i32,
}

impl Default for Reach {
    fn default() -> Reach {
        Reach { evasions: 4, checks: 1, exchanges: 0, recaptures: 2, margin: 350 }
    }
}

/// No line gets longer than this.
const LONGEST: usize = 48;

/// After this many positions for one answer the rest is judged as it stands. Games do not get there; boards full of
/// queens do.
const MOST_VISITED: u64 = 5_000;

/// So many answers are remembered.
const ANSWERS: usize = 1 << 20;

/// Up to this clock a draw is out of sight, so that an answer does not depend on it.
const QUIET: u16 = 50;

/// A move to try.
#[derive(Clone, Copy)]
struct Choice {
    /// The higher, the sooner.
    order: i32,
    piece: Piece,
    m: Move,
}

/// The search, and the line it is in.
pub struct Quiescence<O> {
    opinion: O,
    reach: Reach,
    rules: Rules,
    line: Vec<Board>,
    /// Where the line is asked for: the ply of a position counts from here.
    root: usize,
    /// The moves that are still to be tried, those of each position after those of the one before.
    choices: Vec<Choice>,
    visited: u64,
    /// At how many visited positions the present answer has to be given.
    enough: u64,
    /// Answers to children, by the end of the position's key. In a tree of a hidden game the same position is come
    /// to again and again.
    answers: Vec<(u64, i32)>,
}

impl Quiescence<Accumulators> {
    /// With the opinion of a network, the fastest way this machine has.
    #[must_use]
    pub fn of_network(network: Arc<Network>) -> Quiescence<Accumulators> {
        Quiescence::new(Accumulators::new(network, Simd::detect()), Reach::default())
    }
}

impl Quiescence<Simple> {
    /// With the simple opinion.
    #[must_use]
    pub fn simple() -> Quiescence<Simple> {
        Quiescence::new(Simple, Reach::default())
    }
}

impl<O: Opinion> Quiescence<O> {
    /// A search with this opinion and reach, under the rules of Fog of War.
    #[must_use]
    pub fn new(opinion: O, reach: Reach) -> Quiescence<O> {
        let (line, choices, answers) = (Vec::new(), Vec::new(), Vec::new());
        let rules = Rules::default();
        Quiescence { opinion, reach, rules, line, root: 0, choices, visited: 0, enough: 0, answers }
    }

    /// The same search under other rules.
    #[must_use]
    pub fn under(self, rules: Rules) -> Quiescence<O> {
        // What was answered under one set of rules says nothing under another.
        Quiescence { rules, answers: Vec::new(), ..self }
    }

    /// How many positions were looked at so far.
    #[must_use]
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// The opinion on a position as it stands; exact where a king is missing.
    pub fn static_score(&mut self, board: &Board) -> i32 {
        if let Some(score) = over(board) {
            return score;
        }
        self.begin(board);
        self.opinion.score(&self.line)
    }

    /// The score of a position, captures played out.
    pub fn score(&mut self, board: &Board) -> i32 {
        self.begin(board);
        self.whole()
    }

    /// Appends the score of each move to the side that makes it.
    pub fn scores(&mut self, board: &Board, children: &[Move], scores: &mut Vec<i32>) {
        self.begin(board);
        self.each_child(children, |score| scores.push(score));
    }

    /// Appends the opinion on the position after each move, to the side that makes it, nothing played out.
    pub fn static_scores(&mut self, board: &Board, children: &[Move], scores: &mut Vec<i32>) {
        self.begin(board);
        for &m in children {
            self.push(board.piece_there(m.from()), m);
            scores.push(-self.line.last().and_then(over).unwrap_or_else(|| self.opinion.score(&self.line)));
            self.line.pop();
        }
    }

    fn begin(&mut self, board: &Board) {
        self.line.clear();
        self.line.push(*board);
        self.root = 0;
        self.opinion.begin(board);
    }

    fn each_child(&mut self, children: &[Move], mut visit: impl FnMut(i32)) {
        self.root = 1;
        for &m in children {
            let piece = self.line[0].piece_there(m.from());
            self.push(piece, m);
            visit(-self.remembered());
            self.line.pop();
        }
    }

    /// The score of the end of the line, which may have been asked for before.
    fn remembered(&mut self) -> i32 {
        let Some(key) = self.line.last().filter(|board| board.clock() <= QUIET).map(Board::key) else {
            return self.whole();
        };
        self.answers.resize(ANSWERS, (0, 0));
        let place = key as usize % ANSWERS;
        if self.answers[place].0 != key {
            self.answers[place] = (key, self.whole());
        }
        self.answers[place].1
    }

    /// The score of the end of the line, where a king may be missing.
    fn whole(&mut self) -> i32 {
        match self.line.last().and_then(over) {
            Some(score) => score,
            None => {
                self.enough = self.visited + MOST_VISITED;
                self.search(-WON, WON, BitBoard::EMPTY)
            }
        }
    }

    #[inline]
    fn push(&mut self, piece: Piece, m: Move) {
        self.opinion.moved(&self.line, m);
        // The board is copied first and changed in place: see `Board::make`.
        self.line.extend_from_within(self.line.len() - 1..);
        if let Some(board) = self.line.last_mut() {
            board.make_man(piece, m);
        }
    }

    /// The score of the end of the line: exact inside the window, a bound outside. The man that moved last stands
    /// on `moved`.
    fn search(&mut self, mut alpha: i32, beta: i32, moved: BitBoard) -> i32 {
        self.visited += 1;
        let at = self.line.len() - 1;
        let board = &self.line[at];
        if let Some(score) = self.rules.decided(board) {
            return score;
        }
        let (side, ply) = (board.side(), at - self.root);
        let checkers = board.king(side).map_or(BitBoard::EMPTY, |king| board.attackers(king, !side));
        let first = self.choices.len();
        let enough = self.visited >= self.enough || ply >= LONGEST;
        let saves_king = !checkers.is_empty() && ply <= self.reach.evasions && !enough;
        let stand = if saves_king {
            evasions(board, checkers, self.rules, &mut self.choices);
            -WON
        } else {
            let stand = led(self.opinion.score(&self.line), &self.line[at]).clamp(-MOST, MOST);
            if stand >= beta || enough {
                return stand;
            }
            alpha = alpha.max(stand);
            let room = (alpha - stand).saturating_sub(self.reach.margin);
            let prey = if ply < self.reach.recaptures { BitBoard::FULL } else { moved };
            captures(&self.line[at], prey, room, ply >= self.reach.exchanges, &mut self.choices);
            if ply < self.reach.checks {
                checks(&self.line[at], &mut self.choices);
            }
            stand
        };
        let best = self.best_choice(first, stand, alpha, beta);
        self.choices.truncate(first);
        best
    }

    /// Tries the choices from `first` on, the most promising first.
    #[inline]
    fn best_choice(&mut self, first: usize, mut best: i32, mut alpha: i32, beta: i32) -> i32 {
        for next in first..self.choices.len() {
            let chosen = (next..self.choices.len()).reduce(|one, other| {
                if self.choices[other].order > self.choices[one].order { other } else { one }
            });
            self.choices.swap(next, chosen.unwrap_or(next));
            let Choice { piece, m, .. } = self.choices[next];
            self.push(piece, m);
            let score = -self.search(-beta, -alpha, m.to().bitboard());
            self.line.pop();
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

impl<O: Opinion> Evaluator for Quiescence<O> {
    fn static_value(&mut self, board: &Board) -> Result<f32, UciError> {
        Ok(value(self.static_score(board)))
    }

    fn value(&mut self, board: &Board) -> Result<f32, UciError> {
        Ok(value(self.score(board)))
    }

    fn evaluate(&mut self, board: &Board, children: &[Move], values: &mut Vec<f32>) -> Result<(), UciError> {
        self.begin(board);
        self.each_child(children, |score| values.push(value(score)));
        Ok(())
    }
}

/// The score of a game that ended by the loss of a king.
fn over(board: &Board) -> Option<i32> {
    match board.king(board.side()) {
        None => Some(-WON),
        Some(_) => board.king(!board.side()).is_none().then_some(WON),
    }
}

/// Every move that may save the king; left out are only moves after which it is certainly still attacked.
fn evasions(board: &Board, checkers: BitBoard, rules: Rules, choices: &mut Vec<Choice>) {
    let king = board.king(board.side());
    let stops = match (king, checkers.len(), checkers.next_square()) {
        (Some(king), 1, Some(checker)) => between(king, checker) | checkers | passing(board, checker),
        _ => BitBoard::EMPTY,
    };
    board.each_man(|piece, from, targets| {
        let saving = match piece {
            Piece::King if rules.castles_out_of_check() => targets,
            Piece::King => targets & piece_attacks(piece, from, BitBoard::EMPTY),
            _ => targets & stops,
        };
        for to in saving {
            push_all(board, piece, from, to, choices);
        }
    });
}

/// The square on which the pawn on `checker` can be taken in passing.
fn passing(board: &Board, checker: Square) -> BitBoard {
    match board.en_passant() {
        Some(passed) if passed as usize ^ 8 == checker as usize => passed.bitboard(),
        _ => BitBoard::EMPTY,
    }
}

/// A move, or all promotions that it can be.
fn push_all(board: &Board, piece: Piece, from: Square, to: Square, choices: &mut Vec<Choice>) {
    if piece == Piece::Pawn && last_rank(board.side()).has(to) {
        for promotion in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight] {
            let m = Move::promoting(from, to, promotion);
            choices.push(Choice { order: order(board, piece, m), piece, m });
        }
    } else {
        let m = Move::new(from, to);
        choices.push(Choice { order: order(board, piece, m), piece, m });
    }
}

/// The most valuable man first, taken by the least valuable.
fn order(board: &Board, piece: Piece, m: Move) -> i32 {
    let gain = board.captured_by(m).map_or(0, |(_, taken)| worth(taken)) + m.promotion().map_or(0, worth);
    16 * gain - piece as i32
}

/// Captures on `squares` and new queens that can gain more than `room` and, if `exchanges`, do not lose material.
fn captures(board: &Board, squares: BitBoard, room: i32, exchanges: bool, choices: &mut Vec<Choice>) {
    let (side, occupied) = (board.side(), board.occupied());
    let enemy = board.colors(!side) & squares;
    let last = last_rank(side);
    let mut add = |piece: Piece, from: Square, to: Square| {
        let queens = piece == Piece::Pawn && last.has(to);
        let taken = match (enemy.has(to), queens) {
            (true, _) => worth(board.piece_there(to)),
            (false, true) => 0,
            // In passing.
            (false, false) => worth(Piece::Pawn),
        };
        let gain = taken + if queens { worth(Piece::Queen) - worth(Piece::Pawn) } else { 0 };
        let covered = |from| exchanges && !queens && !keeps(board, piece, from, to, taken);
        if gain > room && !covered(from) {
            let m = if queens { Move::promoting(from, to, Piece::Queen) } else { Move::new(from, to) };
            choices.push(Choice { order: 16 * gain - piece as i32, piece, m });
        }
    };
    let pawns = board.men(side, Piece::Pawn);
    let prey = enemy | board.en_passant().map_or(BitBoard::EMPTY, Square::bitboard) & squares;
    let [left, right] = diagonally_ahead(prey, !side);
    for from in pawns & (left | right) {
        let [left, right] = diagonally_ahead(from.bitboard(), side);
        ((left | right) & prey).into_iter().for_each(|to| add(Piece::Pawn, from, to));
    }
    for from in pawns & Rank::Seventh.relative_to(side).bitboard() {
        let to = Square::new(from.file(), Rank::Eighth.relative_to(side));
        if !occupied.has(to) {
            add(Piece::Pawn, from, to);
        }
    }
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King] {
        for from in board.men(side, piece) {
            let targets = piece_attacks(piece, from, occupied) & enemy;
            targets.into_iter().for_each(|to| add(piece, from, to));
        }
    }
}

/// Quiet moves that attack the king and do not lose the man.
fn checks(board: &Board, choices: &mut Vec<Choice>) {
    let side = board.side();
    let Some(king) = board.king(!side) else { return };
    let occupied = board.occupied();
    let [left, right] = diagonally_ahead(king.bitboard(), !side);
    let quiet = !occupied & !last_rank(side);
    let quiet = board.en_passant().map_or(quiet, |passed| quiet & !passed.bitboard());
    board.each_man(|piece, from, targets| {
        let attacking = match piece {
            Piece::Pawn => left | right,
            Piece::King => return,
            _ => piece_attacks(piece, king, occupied),
        };
        for to in targets & attacking & quiet {
            if keeps(board, piece, from, to, 0) {
                choices.push(Choice { order: -worth(piece), piece, m: Move::new(from, to) });
            }
        }
    });
}

/// The rank on which the pawns of `side` become pieces.
fn last_rank(side: Color) -> BitBoard {
    Rank::Eighth.relative_to(side).bitboard()
}
