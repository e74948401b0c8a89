//! Labelled positions in files: 32 bytes each behind a short header, written as a whole or not at all.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use scuro_games::chess::{Board, Color, File as Column, Piece, Square, letter};
use thiserror::Error;

use super::TrainingError;
use crate::features::{self, BUCKETS};
use crate::uci::Thought;

/// How many bytes a record takes.
pub const RECORD_BYTES: usize = 32;

/// The most men that a record holds.
pub const MOST_MEN: usize = 32;

/// The last of its letters is the number of the format.
const MAGIC: &[u8; 14] = b"scuro records1";
const HEADER_BYTES: usize = 32;
const EXTENSION: &str = "records";

const BLACK: u8 = 1;
const QUIET: u8 = 2;
const MATE: u8 = 4;

/// A position with the teacher's score of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    occupied: u64,
    men: [u8; MOST_MEN / 2],
    score: i16,
    state: u8,
    rights: u8,
    game: u32,
}

/// What a teacher says of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of the teacher's pawn.
    Centipawns(i32),
    /// Mate: whether the side to move gives it.
    Mate(bool),
}

impl Score {
    /// The same score for the other side.
    #[must_use]
    pub fn turned(self) -> Score {
        match self {
            Score::Centipawns(cp) => Score::Centipawns(-cp),
            Score::Mate(gives) => Score::Mate(!gives),
        }
    }

    /// The value, from -1 to 1, where `scale` centipawns are worth `tanh(1)`.
    #[must_use]
    pub fn value(self, scale: f64) -> f64 {
        match self {
            Score::Centipawns(cp) => (f64::from(cp) / scale).tanh(),
            Score::Mate(true) => 1.0,
            Score::Mate(false) => -1.0,
        }
    }
}

impl Thought {
    /// What the teacher says of the move, for the side that makes it.
    #[must_use]
    pub fn score(&self) -> Score {
        match self.centipawns {
            Thought::MATE => Score::Mate(true),
            cp if cp == -Thought::MATE => Score::Mate(false),
            cp => Score::Centipawns(cp),
        }
    }
}

/// The castling rights in the order of their bits.
const RIGHTS: [(Color, Column, char); 4] = [
    (Color::White, Column::H, 'K'),
    (Color::White, Column::A, 'Q'),
    (Color::Black, Column::H, 'k'),
    (Color::Black, Column::A, 'q'),
];

impl Record {
    /// Packs a position of a game. `None` if more men stand on it than a record holds.
    #[must_use]
    pub fn new(board: &Board, score: Score, quiet: bool, game: u32) -> Option<Record> {
        let occupied = board.occupied();
        if occupied.len() as usize > MOST_MEN {
            return None;
        }
        let mut men = [0; MOST_MEN / 2];
        for (i, square) in occupied.into_iter().enumerate() {
            let (color, piece) = board.man_on(square)?;
            men[i / 2] |= ((color as u8) << 3 | piece as u8) << (4 * (i % 2));
        }
        let mut rights = 0;
        for (bit, (color, file, _)) in RIGHTS.into_iter().enumerate() {
            rights |= u8::from(board.castling().has(color, file)) << bit;
        }
        rights |= board.en_passant().map_or(0, |square| square.file() as u8 + 1) << 4;
        let (score, mate) = match score {
            Score::Centipawns(cp) => (cp.clamp(-30_000, 30_000) as i16, 0),
            Score::Mate(gives) => (if gives { 1 } else { -1 }, MATE),
        };
        let side = if board.side() == Color::Black { BLACK } else { 0 };
        let state = side | mate | if quiet { QUIET } else { 0 };
        Some(Record { occupied: occupied.0, men, score, state, rights, game })
    }

    /// What the teacher said.
    #[must_use]
    pub fn score(&self) -> Score {
        if self.state & MATE != 0 {
            Score::Mate(self.score > 0)
        } else {
            Score::Centipawns(i32::from(self.score))
        }
    }

    /// Whether nothing stands to be taken with profit and no king is attacked.
    #[must_use]
    pub fn quiet(&self) -> bool {
        self.state & QUIET != 0
    }

    /// The game it comes from.
    #[must_use]
    pub fn game(&self) -> u32 {
        self.game
    }

    /// The same position with another score.
    #[must_use]
    pub fn relabelled(self, score: Score) -> Record {
        let (score, mate) = match score {
            Score::Centipawns(cp) => (cp.clamp(-30_000, 30_000) as i16, 0),
            Score::Mate(gives) => (if gives { 1 } else { -1 }, MATE),
        };
        Record { score, state: self.state & !MATE | mate, ..self }
    }

    /// Whose turn it is.
    #[must_use]
    pub fn side(&self) -> Color {
        if self.state & BLACK != 0 { Color::Black } else { Color::White }
    }

    /// Calls `visit` with every man.
    #[inline]
    pub fn each_man(&self, mut visit: impl FnMut(Color, Piece, Square)) {
        let mut left = self.occupied;
        let mut i = 0;
        while left != 0 {
            let man = self.men[i / 2 % (MOST_MEN / 2)] >> (4 * (i % 2)) & 15;
            let color = if man & 8 != 0 { Color::Black } else { Color::White };
            visit(
                color,
                Piece::index(usize::from(man & 7).min(5)),
                Square::index(left.trailing_zeros() as usize),
            );
            left &= left - 1;
            i += 1;
        }
    }

    /// The inputs of the network, of the side to move and of the other, and how many there are of each.
    #[must_use]
    #[inline]
    pub fn inputs(&self) -> ([[u16; MOST_MEN]; 2], usize) {
        let side = self.side();
        let mut mirrored = [false; 2];
        self.each_man(|color, piece, square| {
            if piece == Piece::King {
                mirrored[color as usize] = square.file() >= Column::E;
            }
        });
        let (mut inputs, mut count) = ([[0; MOST_MEN]; 2], 0);
        self.each_man(|color, piece, square| {
            for (inputs, eyes) in inputs.iter_mut().zip([side, !side]) {
                inputs[count] = features::feature(eyes, mirrored[eyes as usize], color, piece, square) as u16;
            }
            count += 1;
        });
        (inputs, count)
    }

    /// Which set of output weights the position uses.
    #[must_use]
    pub fn bucket(&self) -> usize {
        ((self.occupied.count_ones() as usize).saturating_sub(1) / 4).min(BUCKETS - 1)
    }

    /// The position as a FEN; its counters are not kept.
    #[must_use]
    pub fn fen(&self) -> String {
        let mut squares = [' '; 64];
        self.each_man(|color, piece, square| squares[square as usize] = letter(piece, color));
        let mut fen = String::with_capacity(80);
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match squares[rank * 8 + file] {
                    ' ' => empty += 1,
                    man => {
                        if empty > 0 {
                            let _ = write!(fen, "{empty}");
                        }
                        empty = 0;
                        fen.push(man);
                    }
                }
            }
            if empty > 0 {
                let _ = write!(fen, "{empty}");
            }
            fen.push(if rank > 0 { '/' } else { ' ' });
        }
        let black = self.side() == Color::Black;
        fen.push_str(if black { "b " } else { "w " });
        let rights = RIGHTS.into_iter().enumerate().filter(|(bit, _)| self.rights >> bit & 1 != 0);
        fen.extend(rights.map(|(_, (_, _, letter))| letter));
        fen.push_str(if self.rights & 15 == 0 { "- " } else { " " });
        match self.rights >> 4 {
            0 => fen.push('-'),
            file => fen.extend([char::from(b'a' + file - 1), if black { '3' } else { '6' }]),
        }
        fen.push_str(" 0 1");
        fen
    }

    fn bytes(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.men);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.state;
        bytes[27] = self.rights;
        bytes[28..].copy_from_slice(&self.game.to_le_bytes());
        bytes
    }

    /// Reads what [`Record::bytes`] wrote; `None` if no board looks so.
    fn read(bytes: &[u8; RECORD_BYTES]) -> Option<Record> {
        let (occupied, rest) = bytes.split_first_chunk()?;
        let (men, rest) = rest.split_first_chunk()?;
        let (score, rest) = rest.split_first_chunk()?;
        let (&[state, rights], rest) = rest.split_first_chunk()?;
        let record = Record {
            occupied: u64::from_le_bytes(*occupied),
            men: *men,
            score: i16::from_le_bytes(*score),
            state,
            rights,
            game: u32::from_le_bytes(*rest.first_chunk()?),
        };
        let kinds = men.iter().all(|pair| pair & 7 < 6 && pair >> 4 & 7 < 6);
        (kinds && record.occupied.count_ones() as usize <= MOST_MEN && rights >> 4 <= 8).then_some(record)
    }
}

/// What is wrong with a file of records.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RecordsError {
    /// It does not start as one.
    #[error("not a file of records: it does not start with '{}'", String::from_utf8_lossy(MAGIC))]
    Foreign,
    /// Written by a newer program.
    #[error("records of format {}: this program reads up to 1", char::from(*.0))]
    Newer(u8),
    /// Its size does not fit the number of records.
    #[error("damaged: the header tells of {expected} records, found {found} bytes after it")]
    Size {
        /// How many records the header promises.
        expected: u64,
        /// How many bytes follow.
        found: usize,
    },
    /// The sum over its bytes differs.
    #[error("damaged: the sum over its bytes is {found:016x}, the header tells {expected:016x}")]
    Sum {
        /// As the header has it.
        expected: u64,
        /// As it is.
        found: u64,
    },
    /// A record that no position packs into.
    #[error("damaged: record {0} is no position")]
    Record(usize),
}

/// A file of records: how deep the teacher looked, and what it said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shard {
    /// The depth of the teacher's search.
    pub depth: u8,
    /// The positions.
    pub records: Vec<Record>,
}

fn sum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

impl Shard {
    /// Reads a file that [`Shard::save`] wrote.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn load(file: &Path) -> Result<Shard, TrainingError> {
        let bytes = fs::read(file).map_err(|error| TrainingError::File(file.to_owned(), error))?;
        Shard::parse(&bytes).map_err(|error| TrainingError::Records(file.to_owned(), error))
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn parse(bytes: &[u8]) -> Result<Shard, RecordsError> {
        let Some((header, body)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Err(RecordsError::Foreign);
        };
        let format = header[13];
        if header[..13] == MAGIC[..13] && format.is_ascii_digit() && format > MAGIC[13] {
            return Err(RecordsError::Newer(format));
        }
        if &header[..14] != MAGIC {
            return Err(RecordsError::Foreign);
        }
        let word = |at: usize| {
            header[at..at + 8].iter().rev().fold(0, |word: u64, &byte| word << 8 | u64::from(byte))
        };
        let (expected, told) = (word(16), word(24));
        let (chunks, rest) = body.as_chunks::<RECORD_BYTES>();
        if !rest.is_empty() || chunks.len() as u64 != expected {
            return Err(RecordsError::Size { expected, found: body.len() });
        }
        let found = sum(body);
        if found != told {
            return Err(RecordsError::Sum { expected: told, found });
        }
        let read = |(i, chunk)| Record::read(chunk).ok_or(RecordsError::Record(i));
        let records = chunks.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(Shard { depth: header[14], records })
    }

    /// The bytes of its file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let body: Vec<u8> = self.records.iter().flat_map(Record::bytes).collect();
        let mut bytes = Vec::with_capacity(HEADER_BYTES + body.len());
        bytes.extend(MAGIC);
        bytes.extend([self.depth, 0]);
        bytes.extend((self.records.len() as u64).to_le_bytes());
        bytes.extend(sum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Writes the file as a whole: beside its place first, then to it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, file: &Path) -> Result<(), TrainingError> {
        save_whole(file, &self.bytes()).map_err(|error| TrainingError::File(file.to_owned(), error))
    }
}

/// Writes a file beside its place, then moves it there.
pub(super) fn save_whole(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = file.with_extension("draft");
    let written = File::create(&draft).and_then(|mut out| out.write_all(bytes));
    written.and_then(|()| fs::rename(&draft, file)).inspect_err(|_| drop(fs::remove_file(&draft)))
}

/// Where the shard of this number stands in a folder.
#[must_use]
pub fn shard_file(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:06}.{EXTENSION}"))
}

/// The files of records in a folder, in order.
///
/// # Errors
/// If the folder cannot be read, or has none.
pub fn shard_files(folder: &Path) -> Result<Vec<PathBuf>, TrainingError> {
    let wrong = |error| TrainingError::File(folder.to_owned(), error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() { Err(TrainingError::Nothing(folder.to_owned())) } else { Ok(files) }
}

/// What there is in a folder of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many records.
    pub records: usize,
    /// How many of them are quiet.
    pub quiet: usize,
    /// How many quiet ones are level: less than 0.3 from even.
    pub level: usize,
    /// How many files.
    pub files: usize,
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Count { records, quiet, level, files } = self;
        write!(f, "{records} records in {files} files, {quiet} of them quiet, {level} of these level")
    }
}

/// Counts the records of a folder.
///
/// # Errors
/// If a file cannot be read or is damaged.
pub fn count(folder: &Path) -> Result<Count, TrainingError> {
    let mut count = Count::default();
    for file in shard_files(folder)? {
        let shard = Shard::load(&file)?;
        count.files += 1;
        count.records += shard.records.len();
        for record in shard.records.iter().filter(|record| record.quiet()) {
            count.quiet += 1;
            count.level += usize::from(record.score().value(600.0).abs() < 0.3);
        }
    }
    Ok(count)
}
