//! Networks of Stockfish 15.1 (HalfKAv2_hm), as its command `export_net` writes them: read and run as they are.
//!
//! For every side 22,528 inputs: the square of its king (32, on the files e to h after mirroring) with every man.
//! Their columns are summed to 1,024 units and eight numbers of material; the units are multiplied in pairs and go
//! through three layers, of which there are eight sets by the number of men. This is a reference: sums are made from
//! nothing every time.

use std::sync::Arc;

use scuro_games::chess::{Board, Color, File, Move, Piece, Square};

use crate::features::{BUCKETS, bucket};
use crate::network::NetworkError;
use crate::quiescence::Opinion;
use crate::score::{MOST, UNIT};
use crate::simd::{Lane, Simd};

/// How such files begin.
pub(crate) const MAGIC: u32 = 0x7af3_2f20;
/// The hash of the whole architecture, of the inputs and of the layers.
const ARCHITECTURE: [u32; 3] = [0x1c10_2ef2, 0x7f23_44b8, 0x6333_6a4a];
const UNITS: usize = 1024;
/// Of a king's square: eleven kinds of men (both kings are one) on 64 squares.
const MEN: usize = 11 * 64;
const INPUTS: usize = 32 * MEN;
const FIRST: usize = 16;
const SECOND: usize = 32;
/// Internal units are 361 to a pawn, and these centipawns are divided by 465: fitted against depth 12.
const STEPS: i64 = 361 * 465;

/// The layers for one number of men.
struct Layers {
    first_biases: [i32; FIRST],
    first: Vec<i8>,
    second_biases: [i32; SECOND],
    second: Vec<i8>,
    last_bias: i32,
    last: Vec<i8>,
}

/// A network of Stockfish 15.1.
pub struct Nnue {
    columns: Vec<Lane>,
    biases: Vec<Lane>,
    /// For every input a number of material for every bucket.
    material: Vec<[i32; BUCKETS]>,
    layers: Vec<Layers>,
    simd: Simd,
}

impl Nnue {
    /// Whether a file begins like such a network.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC.to_le_bytes())
    }

    /// Reads the content of a file.
    pub fn read(bytes: &[u8]) -> Result<Nnue, NetworkError> {
        let mut rest = Rest(bytes);
        let [_, architecture, description] = rest.ints().map(|word: i32| word as u32);
        let expected = size(description as usize);
        if bytes.len() != expected {
            return Err(NetworkError::Size { expected, found: bytes.len() });
        }
        check(architecture, ARCHITECTURE[0])?;
        rest.take(description as usize);
        check(rest.ints::<1>()[0] as u32, ARCHITECTURE[1])?;
        let biases = rest.lanes(UNITS);
        let columns = rest.lanes(INPUTS * UNITS);
        let material = (0..INPUTS).map(|_| rest.ints()).collect();
        let layers = (0..BUCKETS).map(|_| {
            check(rest.ints::<1>()[0] as u32, ARCHITECTURE[2])?;
            Ok(Layers {
                first_biases: rest.ints(),
                first: rest.bytes(FIRST * UNITS),
                second_biases: rest.ints(),
                second: rest.bytes(SECOND * 32),
                last_bias: rest.ints::<1>()[0],
                last: rest.bytes(SECOND),
            })
        });
        let layers = layers.collect::<Result<_, NetworkError>>()?;
        Ok(Nnue { columns, biases, material, layers, simd: Simd::detect() })
    }

    /// What Stockfish calls the NNUE evaluation, to the side to move, in its internal units.
    #[must_use]
    pub fn internal(&self, board: &Board) -> i32 {
        let bucket = bucket(board);
        let mut units = [0u8; UNITS];
        let mut material = 0;
        for (half, side) in units.chunks_exact_mut(UNITS / 2).zip([board.side(), !board.side()]) {
            let (sums, counted) = self.sums(board, side, bucket);
            material += if side == board.side() { counted } else { -counted };
            let unit = |i: usize| i32::from(sums[i / Lane::WIDTH].0[i % Lane::WIDTH]).clamp(0, 127);
            for (i, out) in half.iter_mut().enumerate() {
                *out = (unit(i) * unit(i + UNITS / 2) / 128) as u8;
            }
        }
        (material / 2 + self.layers[bucket].run(&units)) / 16
    }

    /// The units of a side, and its material.
    fn sums(&self, board: &Board, side: Color, bucket: usize) -> (Vec<Lane>, i32) {
        let mut sums = self.biases.clone();
        let mut material = 0;
        let king = board.king(side).unwrap_or(Square::E1);
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.men(color, piece) {
                    let input = input(side, king, color, piece, square);
                    let lanes = UNITS / Lane::WIDTH;
                    self.simd.add(&mut sums, [&self.columns[input * lanes..][..lanes]]);
                    material += self.material[input][bucket];
                }
            }
        }
        (sums, material)
    }
}

/// The input of a man through the eyes of `side`, whose king stands on `king`.
fn input(side: Color, king: Square, color: Color, piece: Piece, square: Square) -> usize {
    let rank = if side == Color::Black { 56 } else { 0 };
    let flip = rank ^ if king.file() < File::E { 7 } else { 0 };
    let king = king as usize ^ flip;
    // Counted from h8, where it is 0, to e1, where it is 31.
    let home = 4 * (7 - king / 8) + 7 - king % 8;
    let kind = if piece == Piece::King { 10 } else { 2 * piece as usize + usize::from(color != side) };
    home * MEN + kind * 64 + (square as usize ^ flip)
}

impl Layers {
    fn run(&self, units: &[u8; UNITS]) -> i32 {
        let mut first = self.first_biases;
        for (out, weights) in first.iter_mut().zip(self.first.chunks_exact(UNITS)) {
            *out += dot(units, weights);
        }
        // All but the last twice: squared, and as it is. The last goes straight to the end.
        let mut middle = [0u8; 32];
        for i in 0..FIRST - 1 {
            let square = i64::from(first[i]) * i64::from(first[i]);
            middle[i] = ((square >> 12) / 128).min(127) as u8;
            middle[i + FIRST - 1] = clipped(first[i]);
        }
        let mut second = self.second_biases;
        for (out, weights) in second.iter_mut().zip(self.second.chunks_exact(32)) {
            *out += dot(&middle, weights);
        }
        let straight = first[FIRST - 1] * (600 * 16) / (127 * 64);
        self.last_bias + dot(&second.map(clipped), &self.last) + straight
    }
}

fn clipped(sum: i32) -> u8 {
    (sum >> 6).clamp(0, 127) as u8
}

fn dot(units: &[u8], weights: &[i8]) -> i32 {
    units.iter().zip(weights).map(|(&unit, &weight)| i32::from(unit) * i32::from(weight)).sum()
}

fn check(found: u32, expected: u32) -> Result<(), NetworkError> {
    if found == expected { Ok(()) } else { Err(NetworkError::Architecture { expected, found }) }
}

/// The length of a file.
fn size(description: usize) -> usize {
    let layers = 4 + 4 * FIRST + FIRST * UNITS + 4 * SECOND + SECOND * 32 + 4 + SECOND;
    12 + description + 4 + 2 * UNITS + 2 * INPUTS * UNITS + 4 * BUCKETS * INPUTS + BUCKETS * layers
}

/// What is left to read; zeros past the end, which the length was checked for.
struct Rest<'b>(&'b [u8]);

impl<'b> Rest<'b> {
    fn take(&mut self, count: usize) -> &'b [u8] {
        let (taken, left) = self.0.split_at(count.min(self.0.len()));
        self.0 = left;
        taken
    }

    fn ints<const N: usize>(&mut self) -> [i32; N] {
        let bytes = self.take(4 * N);
        std::array::from_fn(|i| {
            bytes.get(4 * i..4 * i + 4).map_or(0, |b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        })
    }

    fn bytes(&mut self, count: usize) -> Vec<i8> {
        self.take(count).iter().map(|&byte| byte as i8).collect()
    }

    fn lanes(&mut self, numbers: usize) -> Vec<Lane> {
        let lanes = self.take(2 * numbers).chunks_exact(2 * Lane::WIDTH);
        lanes.map(|b| Lane(std::array::from_fn(|k| i16::from_le_bytes([b[2 * k], b[2 * k + 1]])))).collect()
    }
}

impl Opinion for Arc<Nnue> {
    fn moved(&mut self, _: &[Board], _: Move) {}

    fn score(&mut self, line: &[Board]) -> i32 {
        let internal = line.last().map_or(0, |board| i64::from(self.internal(board)));
        (internal * 100 * i64::from(UNIT) / STEPS).clamp(-i64::from(MOST), i64::from(MOST)) as i32
    }
}
