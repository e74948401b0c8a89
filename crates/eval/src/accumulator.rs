//! The sums of a network along a line of moves, each from the one before.
//!
//! A move changes two to four inputs of the 768, so the sums of the position after it are those before it and two
//! to four columns. Only where a king crosses the middle of the board, or is taken, does its side see everything
//! in the mirror: then its sums are made anew. Nothing is computed before it is asked for.

use std::sync::Arc;

use scuro_games::chess::{Board, Color, File, Move, Piece, Square};

use crate::features::{bucket, feature, mirrored};
use crate::network::Network;
use crate::quiescence::Opinion;
use crate::simd::{Lane, Simd};

/// A man on its square.
type Man = (Color, Piece, Square);

/// What a move changes on the board.
#[derive(Clone, Copy, Debug)]
struct Change {
    from: Man,
    to: Man,
    also: Also,
}

/// What changes besides the man that moves.
#[derive(Clone, Copy, Debug)]
enum Also {
    Nothing,
    Taken(Man),
    Rook { from: Man, to: Man },
}

impl Change {
    /// What `m` changes on `board`.
    fn of(board: &Board, m: Move) -> Change {
        let (side, piece) = (board.side(), board.piece_there(m.from()));
        let castles = piece == Piece::King && (m.from() as u8).abs_diff(m.to() as u8) == 2;
        let also = if let Some((square, taken)) = board.captured_by(m) {
            Also::Taken((!side, taken, square))
        } else if castles {
            let (home, goal) = if m.to().file() == File::G { (File::H, File::F) } else { (File::A, File::D) };
            let rook = |file| (side, Piece::Rook, Square::new(file, m.to().rank()));
            Also::Rook { from: rook(home), to: rook(goal) }
        } else {
            Also::Nothing
        };
        let to = (side, m.promotion().unwrap_or(piece), m.to());
        Change { from: (side, piece, m.from()), to, also }
    }
}

/// One position of the line: how it came about, and what is known of its sums.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// `None` for the first.
    change: Option<Change>,
    /// For each side: whether its sums are there.
    known: [bool; 2],
}

/// The sums of every position of a line.
#[derive(Clone, Debug)]
pub struct Accumulators {
    network: Arc<Network>,
    simd: Simd,
    steps: Vec<Step>,
    /// For every step the sums of White, then of Black.
    sums: Vec<Lane>,
}

impl Accumulators {
    /// Sums for `network`, computed in the given way.
    #[must_use]
    pub fn new(network: Arc<Network>, simd: Simd) -> Accumulators {
        Accumulators { network, simd, steps: Vec::new(), sums: Vec::new() }
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Makes room for a step that came about by `change`.
    fn arrive(&mut self, at: usize, change: Option<Change>) {
        self.steps.truncate(at);
        self.steps.push(Step { change, known: [false; 2] });
        let needed = self.steps.len() * 2 * self.network.lanes();
        if self.sums.len() < needed {
            self.sums.resize(needed, Lane::ZERO);
        }
    }

    /// Sees to it that the sums of `side` at the end of the line are there.
    fn provide(&mut self, line: &[Board], side: Color) {
        let end = line.len() - 1;
        let mut known = end;
        while !self.steps[known].known[side as usize] {
            let same = known > 0 && mirrored(&line[known - 1], side) == mirrored(&line[known], side);
            if !same || self.steps[known].change.is_none() {
                self.refresh(known, &line[known], side);
            } else {
                known -= 1;
            }
        }
        let mirrored = mirrored(&line[end], side);
        for at in known + 1..=end {
            if let Some(change) = self.steps[at].change {
                self.follow(at, side, mirrored, change);
            }
        }
    }

    /// Makes the sums of a step from nothing.
    fn refresh(&mut self, at: usize, board: &Board, side: Color) {
        let lanes = self.network.lanes();
        let sums = &mut self.sums[(2 * at + side as usize) * lanes..][..lanes];
        sums_of(&self.network, self.simd, board, side, sums);
        self.steps[at].known[side as usize] = true;
    }

    /// Makes the sums of a step from those of the step before.
    #[inline]
    fn follow(&mut self, at: usize, side: Color, mirrored: bool, change: Change) {
        let lanes = self.network.lanes();
        let column =
            |(color, piece, square): Man| self.network.column(feature(side, mirrored, color, piece, square));
        let (before, after) = self.sums.split_at_mut(2 * at * lanes);
        let before = &before[(2 * (at - 1) + side as usize) * lanes..][..lanes];
        let after = &mut after[side as usize * lanes..][..lanes];
        let (from, to) = (column(change.from), column(change.to));
        match change.also {
            Also::Nothing => self.simd.update(after, before, [to], [from]),
            Also::Taken(man) => self.simd.update(after, before, [to], [from, column(man)]),
            Also::Rook { from: rook_from, to: rook_to } => {
                self.simd.update(after, before, [to, column(rook_to)], [from, column(rook_from)]);
            }
        }
        self.steps[at].known[side as usize] = true;
    }
}

impl Opinion for Accumulators {
    #[inline]
    fn moved(&mut self, line: &[Board], m: Move) {
        if let Some(board) = line.last() {
            self.arrive(line.len(), Some(Change::of(board, m)));
        }
    }

    fn begin(&mut self) {
        self.arrive(0, None);
    }

    fn score(&mut self, line: &[Board]) -> i32 {
        let Some(board) = line.last() else { return 0 };
        for side in Color::ALL {
            self.provide(line, side);
        }
        let lanes = self.network.lanes();
        let both = &self.sums[2 * (line.len() - 1) * lanes..][..2 * lanes];
        output(&self.network, self.simd, board, both)
    }
}

/// The score of a position from the sums of White and of Black, one after the other.
fn output(network: &Network, simd: Simd, board: &Board, sums: &[Lane]) -> i32 {
    let (white, black) = sums.split_at(network.lanes());
    let (own, other) = if board.side() == Color::White { (white, black) } else { (black, white) };
    let bucket = bucket(board);
    let (for_own, for_other) = network.output_weights(bucket);
    network.score(bucket, simd.product(own, for_own) + simd.product(other, for_other))
}

/// The sums of `side` from nothing.
fn sums_of(network: &Network, simd: Simd, board: &Board, side: Color, sums: &mut [Lane]) {
    let mirrored = mirrored(board, side);
    sums.copy_from_slice(network.biases());
    for color in Color::ALL {
        for piece in Piece::ALL {
            for square in board.men(color, piece) {
                simd.add(sums, [network.column(feature(side, mirrored, color, piece, square))]);
            }
        }
    }
}

/// The score of a position, all sums made from nothing: the reference.
#[must_use]
pub fn refreshed(network: &Network, simd: Simd, board: &Board) -> i32 {
    let mut sums = vec![Lane::ZERO; 2 * network.lanes()];
    for (side, sums) in Color::ALL.into_iter().zip(sums.chunks_exact_mut(network.lanes())) {
        sums_of(network, simd, board, side, sums);
    }
    output(network, simd, board, &sums)
}
