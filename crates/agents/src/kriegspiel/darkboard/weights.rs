//! The numbers of the evaluation and of the search, which evolution tunes.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// The weights of the evaluation and of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The value of a pawn, knight, bishop, rook, queen and king that is safe.
    pub values: [f64; 6],
    /// The danger that is left to a piece defended by a pawn, knight, bishop, rook, queen or king, at full strength of the
    /// opponent.
    pub protection: [f64; 6],
    /// How much greater the danger of the piece is that has just moved.
    pub moved: f64,
    /// How much more a pawn is worth without material to mate with.
    pub hopeful: f64,
    /// The value of a capture that is expected, of a pawn and of a piece.
    pub captures: [f64; 2],
    /// The value of a step of a pawn, times the square of the steps.
    pub advance: f64,
    /// The value of a queen beside the first.
    pub second_queen: f64,
    /// The value of a file without pawns of the opponent, and of an own pawn on it.
    pub open_file: [f64; 2],
    /// The value of a controlled square, with many pieces of the opponent and with few.
    pub control: [f64; 2],
    /// The weight of the mate term if the opponent has no piece beside its king, one or two.
    pub mate: [f64; 3],
    /// The cost of a king square that may be, times how hard it is to mate there.
    pub room: f64,
    /// The cost of a step between the own king and the farthest king square.
    pub approach: f64,
    /// How many times its value a piece costs that a lone king may take.
    pub hanging: f64,
    /// The value of mating at all of the king squares that may be.
    pub mate_chance: f64,
    /// How bad it is that a pawn, knight, bishop, rook, queen or king may stand on an old square.
    pub entropy: [f64; 6],
    /// How bad it is that a pawn may stand on the player's third or second rank.
    pub runners: [f64; 2],
    /// The cost of stalemating at all of the king squares that may be.
    pub stalemate: f64,
    /// The cost of placing the own pieces again as they stood before, times how often they did.
    pub repetition: f64,
    /// The weight of what is at hand against what may come, and the same if ahead.
    pub risk: [f64; 2],
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            values: [1.6, 2.8, 3.0, 4.0, 6.0, 10.0],
            protection: [0.2, 0.35, 0.4, 0.5, 0.65, 0.8],
            moved: 1.5,
            hopeful: 1.5,
            captures: [3.0, 5.0],
            advance: 0.03,
            second_queen: 1.0,
            open_file: [0.1, 0.2],
            control: [0.02, 0.05],
            mate: [1.0, 0.3, 0.1],
            room: 0.2,
            approach: 0.3,
            hanging: 3.0,
            mate_chance: 10.0,
            entropy: [0.02, 0.03, 0.03, 0.04, 0.06, 0.0],
            runners: [0.3, 0.6],
            stalemate: 20.0,
            repetition: 3.0,
            risk: [0.6, 0.5],
        }
    }
}

impl Weights {
    /// All of them by name.
    fn named(&mut self) -> [(&'static str, &mut [f64]); 19] {
        use std::slice::from_mut;
        [
            ("values", &mut self.values),
            ("protection", &mut self.protection),
            ("moved", from_mut(&mut self.moved)),
            ("hopeful", from_mut(&mut self.hopeful)),
            ("captures", &mut self.captures),
            ("advance", from_mut(&mut self.advance)),
            ("second-queen", from_mut(&mut self.second_queen)),
            ("open-file", &mut self.open_file),
            ("control", &mut self.control),
            ("mate", &mut self.mate),
            ("room", from_mut(&mut self.room)),
            ("approach", from_mut(&mut self.approach)),
            ("hanging", from_mut(&mut self.hanging)),
            ("mate-chance", from_mut(&mut self.mate_chance)),
            ("entropy", &mut self.entropy),
            ("runners", &mut self.runners),
            ("stalemate", from_mut(&mut self.stalemate)),
            ("repetition", from_mut(&mut self.repetition)),
            ("risk", &mut self.risk),
        ]
    }

    /// All of them, one after the other.
    pub fn each(&mut self) -> impl Iterator<Item = &mut f64> {
        self.named().into_iter().flat_map(|(_, numbers)| numbers)
    }

    /// The text of a file: a line for every name with its numbers.
    #[must_use]
    pub fn text(&self) -> String {
        let line = |(name, numbers): (&'static str, &mut [f64])| {
            let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
            format!("{name} {}\n", numbers.join(" "))
        };
        self.clone().named().into_iter().map(line).collect()
    }

    /// Reads a file; what it does not name is as usual.
    ///
    /// # Errors
    /// If there is none, or a line names nothing or has other numbers than it should.
    pub fn read(path: &Path) -> Result<Weights, WeightsError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| WeightsError::File { path: path.to_owned(), error })?;
        let mut weights = Weights::default();
        for (line, words) in (1..).zip(text.lines()).filter(|(_, words)| !words.trim().is_empty()) {
            let wrong = || WeightsError::Line { path: path.to_owned(), line, found: words.to_owned() };
            weights.set(words).ok_or_else(wrong)?;
        }
        Ok(weights)
    }

    /// Sets what a line names; `None` if that is nothing, or its numbers are wrong.
    fn set(&mut self, line: &str) -> Option<()> {
        let mut words = line.split_whitespace();
        let name = words.next()?;
        let (_, weights) = self.named().into_iter().find(|(known, _)| *known == name)?;
        let numbers: Vec<f64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
        let right = numbers.len() == weights.len() && numbers.iter().all(|number| number.is_finite());
        right.then(|| weights.copy_from_slice(&numbers))
    }
}

/// Why a file holds no weights.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// The file cannot be read.
    #[error("weights={}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A line cannot be understood.
    #[error("weights={}: line {line}: expected a name and its numbers, not '{found}'", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The text that was found.
        found: String,
    },
}
