//! Proved wins against a lone king: sets of squares on which it may stand, and within how many moves it is mated.

use rustc_hash::FxHashMap;
use scuro_games::chess::{BitBoard, Move, Piece, Square};
use thiserror::Error;

use super::lone_king::{Army, Heard, LoneKing};

/// Squares from which a lone king is mated whatever it does, and in how many moves at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Proved {
    kings: BitBoard,
    moves: u8,
}

/// A certain win: the try to make now, and how many moves are made until mate at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Win {
    /// The try.
    pub attempt: Move,
    /// The most moves that are made until mate, this one included. Refused tries do not count.
    pub moves: u8,
}

/// Proved sets of squares of a lone king, by the pieces against it.
///
/// Every set has a try all of whose answers mate, or lead into sets of smaller bounds; after a refusal, which is no
/// move, into a set of at most the same bound with fewer squares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    sets: FxHashMap<Army, Vec<Proved>>,
}

impl Table {
    /// This table and another, which has no army of this one.
    #[must_use]
    pub fn and(mut self, other: Table) -> Table {
        self.sets.extend(other.sets);
        self
    }

    /// The number of sets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sets.values().map(Vec::len).sum()
    }

    /// Whether there is no set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The sets, as beliefs with their bounds; in no order.
    pub fn beliefs(&self) -> impl Iterator<Item = (LoneKing, u8)> {
        self.sets.iter().flat_map(|(&army, sets)| {
            sets.iter().map(move |set| (LoneKing { army, kings: set.kings }, set.moves))
        })
    }

    /// The most moves until mate, if the belief is part of a proved set.
    #[must_use]
    pub fn bound(&self, belief: &LoneKing) -> Option<u8> {
        self.bound_of_canonical(&belief.canonical())
    }

    pub(super) fn bound_of_canonical(&self, belief: &LoneKing) -> Option<u8> {
        let sets = self.sets.get(&belief.army)?;
        sets.iter().filter(|set| belief.kings.is_subset(set.kings)).map(|set| set.moves).min()
    }

    /// Adds a set, which is given in its canonical form, and drops those that it makes superfluous.
    pub(super) fn add(&mut self, belief: &LoneKing, moves: u8) {
        let sets = self.sets.entry(belief.army).or_default();
        sets.retain(|set| set.moves < moves || !set.kings.is_subset(belief.kings));
        sets.push(Proved { kings: belief.kings, moves });
    }

    /// The most moves until mate if this try is made now; `None` if the table does not prove that it wins.
    #[must_use]
    pub fn bound_after(&self, belief: &LoneKing, attempt: Move) -> Option<u8> {
        let mut bound = 1;
        for answer in belief.answers(attempt).iter() {
            let vain = answer.heard == Heard::Refused && answer.kings == belief.kings;
            if answer.fails || vain {
                return None;
            }
            if !answer.mates() {
                let made = u8::from(answer.heard != Heard::Refused);
                bound = bound.max(self.bound(&belief.after(attempt, answer))? + made);
            }
        }
        Some(bound)
    }

    /// The try with the smallest bound, if one is proved to win.
    #[must_use]
    pub fn win(&self, belief: &LoneKing) -> Option<Win> {
        self.wins(belief).min_by_key(|win| win.moves)
    }

    /// All tries that are proved to win.
    pub fn wins(&self, belief: &LoneKing) -> impl Iterator<Item = Win> {
        let tries = belief.tries().into_iter();
        tries.filter_map(|attempt| self.bound_after(belief, attempt).map(|moves| Win { attempt, moves }))
    }

    /// Checks that the table is a proof: returns the first set without a try that keeps its promise.
    ///
    /// # Errors
    /// The set and its bound.
    pub fn check(&self) -> Result<(), (LoneKing, u8)> {
        let keeps =
            |(belief, moves): &(LoneKing, u8)| self.win(belief).is_some_and(|win| win.moves <= *moves);
        self.beliefs().find(|set| !keeps(set)).map_or(Ok(()), Err)
    }

    /// The table as bytes: for each army its squares, the number of its sets, and the sets.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut armies: Vec<(&Army, &Vec<Proved>)> = self.sets.iter().collect();
        armies.sort_unstable();
        let mut bytes = Vec::new();
        for (army, sets) in armies {
            bytes.push(army.others().count() as u8);
            bytes.push(army.king() as u8);
            bytes.extend(army.others().flat_map(|(piece, square)| [piece as u8, square as u8]));
            bytes.extend((sets.len() as u16).to_le_bytes());
            let mut sets = sets.clone();
            sets.sort_unstable();
            for set in sets {
                bytes.push(set.moves);
                bytes.extend(set.kings.0.to_le_bytes());
            }
        }
        bytes
    }

    /// Reads what [`Table::write`] writes.
    ///
    /// # Errors
    /// If the bytes are not a table.
    pub fn read(bytes: &[u8]) -> Result<Table, TableError> {
        let mut reader = Reader { bytes, at: 0 };
        let mut table = Table::default();
        while reader.at < bytes.len() {
            let at = reader.at;
            let others = reader.byte()?;
            let king = reader.square()?;
            let others: Vec<(Piece, Square)> =
                (0..others).map(|_| Ok((reader.piece()?, reader.square()?))).collect::<Result<_, _>>()?;
            let army = Army::new(king, others).ok_or(TableError::Army(at))?;
            let count = u16::from_le_bytes(reader.take()?);
            let sets = (0..count).map(|_| {
                let [moves] = reader.take()?;
                Ok(Proved { moves, kings: BitBoard(u64::from_le_bytes(reader.take()?)) })
            });
            table.sets.insert(army, sets.collect::<Result<_, _>>()?);
        }
        Ok(table)
    }
}

/// Why bytes are no table.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TableError {
    /// They end too early.
    #[error("the table ends in the middle of an army")]
    Short,
    /// No square or piece has this number.
    #[error("byte {0} is neither a square nor a piece")]
    Number(usize),
    /// The pieces are not an army.
    #[error("the pieces at byte {0} are not a king's army without pawns")]
    Army(usize),
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], TableError> {
        let taken = self.bytes[self.at..].first_chunk().ok_or(TableError::Short)?;
        self.at += N;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8, TableError> {
        let [byte] = self.take()?;
        Ok(byte)
    }

    fn square(&mut self) -> Result<Square, TableError> {
        let byte = self.byte()?;
        Square::try_index(usize::from(byte)).ok_or(TableError::Number(self.at - 1))
    }

    fn piece(&mut self) -> Result<Piece, TableError> {
        let byte = self.byte()?;
        Piece::try_index(usize::from(byte)).ok_or(TableError::Number(self.at - 1))
    }
}
