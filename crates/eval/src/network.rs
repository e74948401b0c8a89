//! The network: its numbers, the file they are kept in, and how floats become them.
//!
//! Two sums of columns, one for each side, go through `clamp(x, 0, 255)^2` and one of eight sets of output
//! weights, chosen by how many men are left. All numbers are integers: 255 stands for 1.0 in the sums, 64 in the
//! output weights, and their product in the output.
//!
//! The file, little-endian: `SCURONET`, version (u32), hidden units (u32), scale (u32, in 1/65536), length of the
//! description (u32) and the description in UTF-8, then as i16 the columns of the 768 inputs, the biases and the
//! eight sets of output weights (for the side to move, then for the other), as i32 the eight output biases, and
//! last the FNV-1a hash of everything before (u64).

use std::fmt;
use std::sync::{Arc, LazyLock};

use scuro_games::chess::Piece;
use thiserror::Error;

use crate::features::{BUCKETS, FEATURES};
use crate::score::{MOST, UNIT};
use crate::simd::{FULL, Lane};

const EMBEDDED_FILE: &[u8] = include_bytes!("../nets/default.net");
const MAGIC: &[u8; 8] = b"SCURONET";
const VERSION: u32 = 1;
/// What 1.0 is in the output weights.
const OUTPUT_ONE: i64 = 64;
/// Output weights are within plus and minus this, so that a unit times a weight fits 16 bits.
const MOST_WEIGHT: i16 = 127;
/// What 1.0 is in the scale.
const SCALE_ONE: u32 = 1 << 16;
/// Wider networks could overflow the sums of 32 bits.
const MOST_HIDDEN: usize = 1024;
const MOST_DESCRIPTION: usize = 4096;

/// A network as it is run.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    hidden: usize,
    scale: u32,
    description: String,
    columns: Vec<Lane>,
    biases: Vec<Lane>,
    output_weights: Vec<Lane>,
    output_biases: [i32; BUCKETS],
}

/// A network as it is trained: `z`, the output, is worth `tanh(scale * z)`.
#[derive(Clone, Copy, Debug)]
pub struct Floats<'a> {
    /// For each of the 768 inputs a weight for every hidden unit.
    pub feature_weights: &'a [f32],
    /// For every hidden unit.
    pub feature_biases: &'a [f32],
    /// For each of the eight buckets: a weight for every unit of the side to move, then of the other.
    pub output_weights: &'a [f32],
    /// For each of the eight buckets.
    pub output_biases: &'a [f32],
    /// The fitted scale.
    pub scale: f32,
}

/// Why something is not a network.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NetworkError {
    /// Some other file.
    #[error("not a network of Scuro: expected it to begin with 'SCURONET', found '{0}'")]
    Foreign(String),
    /// Made by a newer version of Scuro, or by none.
    #[error("network of format {0}: this program reads format {VERSION}")]
    Version(u32),
    /// An architecture that is not ours.
    #[error("network with {0} hidden units, expected a multiple of 32 up to {MOST_HIDDEN}")]
    Hidden(usize),
    /// A network of Stockfish whose architecture is not that of 15.1.
    #[error(
        "network of Stockfish with the architecture {found:08x}, expected {expected:08x} (HalfKAv2_hm of 15.1)"
    )]
    Architecture {
        /// The hash of what can be read.
        expected: u32,
        /// The hash in the file.
        found: u32,
    },
    /// Too short or too long.
    #[error("network of {found} bytes, expected {expected}")]
    Size {
        /// What its head asks for.
        expected: usize,
        /// What there is.
        found: usize,
    },
    /// Changed on the way.
    #[error("damaged network: its hash is {found:016x}, expected {expected:016x}")]
    Hash {
        /// As written at its end.
        expected: u64,
        /// As computed.
        found: u64,
    },
    /// A description that is no text.
    #[error("network with a description that is not UTF-8 or longer than {MOST_DESCRIPTION} bytes")]
    Description,
    /// A scale outside its range.
    #[error("network with the scale {0}, expected more than 0 and less than 64")]
    Scale(String),
    /// An output weight that would overflow.
    #[error("network with the output weight {0}, expected -{MOST_WEIGHT} to {MOST_WEIGHT}")]
    Weight(i16),
    /// A hidden unit that some position could overflow.
    #[error("network whose hidden unit {unit} can reach {sum}, expected -32768 to 32767")]
    Overflow {
        /// The unit.
        unit: usize,
        /// The largest or smallest sum of one weight a square.
        sum: i32,
    },
    /// Floats of the wrong number.
    #[error("network with {found} {what}, expected {expected}")]
    Count {
        /// Which numbers.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A weight that is no number.
    #[error("network with {what} that are not finite")]
    NotFinite {
        /// Which numbers.
        what: &'static str,
    },
}

impl Network {
    /// The network that is part of the program.
    #[must_use]
    pub fn embedded() -> Arc<Network> {
        static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
            // The file is part of the source, and a test reads it.
            Arc::new(Network::read(EMBEDDED_FILE).expect("the network of the program is whole"))
        });
        Arc::clone(&EMBEDDED)
    }

    /// The hash at the end of the network that is part of the program, without reading the rest of it.
    #[must_use]
    pub fn embedded_hash() -> u64 {
        EMBEDDED_FILE.last_chunk().map_or(0, |hash| u64::from_le_bytes(*hash))
    }

    /// Reads the content of a network file.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut rest = bytes;
        if take(&mut rest, MAGIC.len()) != Some(MAGIC) {
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(8)]);
            return Err(NetworkError::Foreign(head.escape_default().to_string()));
        }
        let short = NetworkError::Size { expected: size(32, 0), found: bytes.len() };
        let mut word = || take(&mut rest, 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let version = word().ok_or(short.clone())?;
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let (Some(hidden), Some(scale), Some(length)) = (word(), word(), word()) else { return Err(short) };
        let (hidden, length) = (checked_hidden(hidden as usize)?, length as usize);
        if length > MOST_DESCRIPTION {
            return Err(NetworkError::Description);
        }
        let expected = size(hidden, length);
        if bytes.len() != expected {
            return Err(NetworkError::Size { expected, found: bytes.len() });
        }
        check_hash(bytes)?;
        // From here on there are enough bytes for everything.
        let description = take(&mut rest, length).unwrap_or_default();
        let description = std::str::from_utf8(description).map_err(|_| NetworkError::Description)?;
        let network = Network {
            hidden,
            scale,
            description: description.to_owned(),
            columns: take_lanes(&mut rest, FEATURES * hidden),
            biases: take_lanes(&mut rest, hidden),
            output_weights: take_lanes(&mut rest, BUCKETS * 2 * hidden),
            output_biases: std::array::from_fn(|_| {
                take(&mut rest, 4).map_or(0, |b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            }),
        };
        network.checked()
    }

    /// The content of a network file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for word in [VERSION, self.hidden as u32, self.scale, self.description.len() as u32] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(self.description.as_bytes());
        for lane in self.columns.iter().chain(&self.biases).chain(&self.output_weights) {
            bytes.extend(lane.0.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        let hash = hash(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }

    /// The nearest network of integers. Output weights past what can be held are cut off.
    pub fn from_floats(floats: &Floats<'_>, description: &str) -> Result<Network, NetworkError> {
        let hidden = checked_hidden(floats.feature_biases.len())?;
        if description.len() > MOST_DESCRIPTION {
            return Err(NetworkError::Description);
        }
        if !(floats.scale > 0.0 && floats.scale < 64.0) {
            return Err(NetworkError::Scale(floats.scale.to_string()));
        }
        let limit = f32::from(MOST_WEIGHT);
        let one = f32::from(FULL);
        let biases = counted("output biases", floats.output_biases, BUCKETS)?;
        let network = Network {
            hidden,
            scale: (floats.scale * SCALE_ONE as f32).round() as u32,
            description: description.to_owned(),
            columns: lanes(
                counted("input weights", floats.feature_weights, FEATURES * hidden)?,
                one,
                32767.0,
            ),
            biases: lanes(counted("input biases", floats.feature_biases, hidden)?, one, 32767.0),
            output_weights: lanes(
                counted("output weights", floats.output_weights, BUCKETS * 2 * hidden)?,
                OUTPUT_ONE as f32,
                limit,
            ),
            output_biases: std::array::from_fn(|i| (biases[i] * one * OUTPUT_ONE as f32).round() as i32),
        };
        network.checked()
    }

    /// A network that counts men, 1-3-3-5-9 pawns, exactly: `tanh(pawns / 6)`. It needs no training, so tests
    /// and benchmarks can be run with any width.
    ///
    /// A unit that holds 127 + d and one that holds 127 - d, where d is the difference in pawns, have squares
    /// that differ by 508 d: counting is linear although the units are not.
    pub fn material(hidden: usize) -> Result<Network, NetworkError> {
        const PAIRS: usize = 5;
        let hidden = checked_hidden(hidden)?;
        let mut columns = vec![Lane::ZERO; FEATURES * hidden / Lane::WIDTH];
        let (mut biases, mut weights) = ([0; Lane::WIDTH], [0; Lane::WIDTH]);
        for unit in 0..2 * PAIRS {
            let sign = if unit % 2 == 0 { 1 } else { -1 };
            biases[unit] = 127;
            weights[unit] = sign * MOST_WEIGHT;
            for (input, column) in columns.chunks_exact_mut(hidden / Lane::WIDTH).enumerate() {
                let (theirs, piece) = (input >= FEATURES / 2, Piece::index(input / 64 % 6));
                let side = if theirs { -1 } else { 1 };
                column[0].0[unit] = sign * side * crate::simple::pawns(piece) as i16;
            }
        }
        let wide = |first: [i16; Lane::WIDTH]| {
            let mut lanes = vec![Lane::ZERO; hidden / Lane::WIDTH];
            lanes[0] = Lane(first);
            lanes
        };
        let set = [wide(weights), wide(weights.map(|weight| -weight))].concat();
        let a_pawn = 2.0 * 508.0 * (PAIRS as f64) * f64::from(MOST_WEIGHT) / (255.0 * 255.0 * 64.0);
        Ok(Network {
            hidden,
            scale: (f64::from(SCALE_ONE) / 6.0 / a_pawn).round() as u32,
            description: "material 1-3-3-5-9".to_owned(),
            columns,
            biases: wide(biases),
            output_weights: set.repeat(BUCKETS),
            output_biases: [0; BUCKETS],
        })
    }

    fn checked(self) -> Result<Network, NetworkError> {
        if self.scale == 0 || self.scale >= 64 * SCALE_ONE {
            return Err(NetworkError::Scale(self.scale().to_string()));
        }
        let weights = self.output_weights.iter().flat_map(|lane| lane.0);
        if let Some(weight) = weights.into_iter().find(|weight| weight.unsigned_abs() > MOST_WEIGHT as u16) {
            return Err(NetworkError::Weight(weight));
        }
        for unit in 0..self.hidden {
            let (least, most) = self.range(unit);
            if let Some(sum) = [least, most].into_iter().find(|&sum| i16::try_from(sum).is_err()) {
                return Err(NetworkError::Overflow { unit, sum });
            }
        }
        Ok(self)
    }

    /// The smallest and the largest sum that a hidden unit can have with at most one man on each square.
    fn range(&self, unit: usize) -> (i32, i32) {
        let weight = |input: usize| i32::from(self.column(input)[unit / Lane::WIDTH].0[unit % Lane::WIDTH]);
        let bias = i32::from(self.biases[unit / Lane::WIDTH].0[unit % Lane::WIDTH]);
        (0..64).fold((bias, bias), |(least, most), square| {
            let (low, high) = (0..FEATURES / 64).fold((0, 0), |(low, high): (i32, i32), kind| {
                let weight = weight(kind * 64 + square);
                (low.min(weight), high.max(weight))
            });
            (least + low, most + high)
        })
    }

    /// How many units there are for each side.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// The fitted scale: an output of `z` is worth `tanh(scale * z)`.
    #[must_use]
    pub fn scale(&self) -> f64 {
        f64::from(self.scale) / f64::from(SCALE_ONE)
    }

    /// The same network with another scale.
    pub fn with_scale(mut self, scale: f64) -> Result<Network, NetworkError> {
        self.scale = (scale * f64::from(SCALE_ONE)).round() as u32;
        self.checked()
    }

    /// What its maker says of it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The hash at the end of its file: two networks with the same hash are the same.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let bytes = self.write();
        hash(&bytes[..bytes.len() - 8])
    }

    pub(crate) fn lanes(&self) -> usize {
        self.hidden / Lane::WIDTH
    }

    /// The weights of one input.
    #[inline]
    pub(crate) fn column(&self, feature: usize) -> &[Lane] {
        &self.columns[feature * self.lanes()..][..self.lanes()]
    }

    pub(crate) fn biases(&self) -> &[Lane] {
        &self.biases
    }

    /// The output weights of a bucket: for the side to move, and for the other.
    #[inline]
    pub(crate) fn output_weights(&self, bucket: usize) -> (&[Lane], &[Lane]) {
        self.output_weights[bucket * 2 * self.lanes()..][..2 * self.lanes()].split_at(self.lanes())
    }

    /// The score for a sum of squares times weights.
    #[inline]
    pub(crate) fn score(&self, bucket: usize, sum: i64) -> i32 {
        const STEPS: i64 = FULL as i64 * OUTPUT_ONE * SCALE_ONE as i64 / UNIT as i64;
        let output = sum / i64::from(FULL) + i64::from(self.output_biases[bucket]);
        (output * i64::from(self.scale) / STEPS).clamp(-i64::from(MOST), i64::from(MOST)) as i32
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({} -> 2 x {}, '{}')", FEATURES, self.hidden, self.description)
    }
}

fn checked_hidden(hidden: usize) -> Result<usize, NetworkError> {
    let fits = hidden > 0 && hidden <= MOST_HIDDEN && hidden.is_multiple_of(32);
    if fits { Ok(hidden) } else { Err(NetworkError::Hidden(hidden)) }
}

/// The length of a file.
fn size(hidden: usize, description: usize) -> usize {
    let numbers = FEATURES * hidden + hidden + BUCKETS * 2 * hidden;
    MAGIC.len() + 4 * 4 + description + 2 * numbers + 4 * BUCKETS + 8
}

fn check_hash(bytes: &[u8]) -> Result<(), NetworkError> {
    let Some((content, end)) = bytes.split_last_chunk() else { return Ok(()) };
    let (expected, found) = (u64::from_le_bytes(*end), hash(content));
    if expected == found { Ok(()) } else { Err(NetworkError::Hash { expected, found }) }
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn take<'b>(rest: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn take_lanes(rest: &mut &[u8], numbers: usize) -> Vec<Lane> {
    let bytes = take(rest, 2 * numbers).unwrap_or_default();
    let lane =
        |bytes: &[u8]| Lane(std::array::from_fn(|k| i16::from_le_bytes([bytes[2 * k], bytes[2 * k + 1]])));
    bytes.chunks_exact(2 * Lane::WIDTH).map(lane).collect()
}

/// The numbers, if they are as many as they should be and all finite.
fn counted<'f>(what: &'static str, floats: &'f [f32], expected: usize) -> Result<&'f [f32], NetworkError> {
    if floats.len() != expected {
        return Err(NetworkError::Count { what, expected, found: floats.len() });
    }
    if floats.iter().all(|number| number.is_finite()) {
        Ok(floats)
    } else {
        Err(NetworkError::NotFinite { what })
    }
}

/// The nearest integers, with `one` for 1.0, cut off at `most`.
fn lanes(floats: &[f32], one: f32, most: f32) -> Vec<Lane> {
    let number = |float: f32| (float * one).round().clamp(-most, most) as i16;
    floats.chunks_exact(Lane::WIDTH).map(|floats| Lane(std::array::from_fn(|k| number(floats[k])))).collect()
}
