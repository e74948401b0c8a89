//! Standard algebraic notation, written and read on a given board.
//!
//! Which moves compete for a short name depends on the rules: in chess only legal ones, under fog every
//! move the men can make, the king may be taken (`Qxe8`), and no `+` or `#` is written, for nobody may know.

use cozy_chess::{File, Piece, Rank, Square};
use thiserror::Error;

use super::board::Board;
use super::moves::{Move, castles};

/// Which moves count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveRules {
    /// The legal moves of ordinary chess.
    Legal,
    /// Every move the men can make: Fog of War.
    PseudoLegal,
}

impl MoveRules {
    /// The moves of `board` under these rules.
    #[must_use]
    pub fn moves(self, board: &Board) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        match self {
            MoveRules::Legal => board.legal(&mut moves),
            MoveRules::PseudoLegal => board.pseudo_legal(&mut moves),
        }
        moves
    }
}

/// Why a text does not name a move on a board.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SanError {
    /// Not algebraic notation at all.
    #[error("'{0}' is not a move in algebraic notation")]
    Shape(String),
    /// No man can make this move.
    #[error("no move fits '{0}'")]
    None(String),
    /// Several men can make this move.
    #[error("'{text}' could be {moves}")]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves it could be, in UCI.
        moves: String,
    },
    /// An `x` where nothing can be taken.
    #[error("'{0}' takes nothing")]
    NoCapture(String),
    /// A pawn on the last rank has to become something.
    #[error("'{0}' does not say what the pawn becomes")]
    Promotion(String),
}

/// Moves that compete for short names: all that algebraic notation needs to know of a board.
///
/// A player in the dark names moves by her own men, an umpire by the whole board: both do it here.
pub(crate) struct Naming<'n> {
    /// The moves that could be meant.
    pub(crate) moves: &'n [Move],
    /// The kind of the man on a square that a move leaves.
    pub(crate) piece_on: &'n dyn Fn(Square) -> Piece,
    /// Whether a move takes something; `None` if that is not known.
    pub(crate) captures: &'n dyn Fn(Move) -> Option<bool>,
}

/// What a text in algebraic notation asks for.
struct Wanted {
    piece: Piece,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    capture: bool,
    to: Square,
    promotion: Option<Piece>,
}

impl Naming<'_> {
    /// The shortest name of `m`, without a mark for check.
    pub(crate) fn name(&self, m: Move) -> String {
        let piece = (self.piece_on)(m.from());
        if castles(piece, m) {
            return if m.to().file() == File::G { "O-O" } else { "O-O-O" }.to_owned();
        }
        let captures = (self.captures)(m) == Some(true);
        let mut text = String::new();
        if piece != Piece::Pawn {
            text.push(char::from(piece).to_ascii_uppercase());
            text.push_str(&self.needed_origin(piece, m));
        } else if captures {
            text.push(char::from(m.from().file()));
        }
        if captures {
            text.push('x');
        }
        text.push_str(&m.to().to_string());
        if let Some(promotion) = m.promotion() {
            text.push('=');
            text.push(char::from(promotion).to_ascii_uppercase());
        }
        text
    }

    /// The shortest of nothing, file, rank and square that tells `m` from the moves of its likes.
    fn needed_origin(&self, piece: Piece, m: Move) -> String {
        let from = m.from();
        let rival = |other: &&Move| {
            other.to() == m.to() && other.from() != from && (self.piece_on)(other.from()) == piece
        };
        let rivals: Vec<Square> = self.moves.iter().filter(rival).map(|other| other.from()).collect();
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|rival| rival.file() != from.file()) {
            char::from(from.file()).to_string()
        } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
            char::from(from.rank()).to_string()
        } else {
            from.to_string()
        }
    }

    /// The move that `text` names.
    pub(crate) fn read(&self, text: &str) -> Result<Move, SanError> {
        let plain = text.trim_end_matches(['+', '#', '!', '?']);
        if let "O-O" | "0-0" | "O-O-O" | "0-0-0" = plain {
            let goal = if plain.len() == 3 { File::G } else { File::C };
            let wanted = |m: &&Move| castles((self.piece_on)(m.from()), **m) && m.to().file() == goal;
            return self.moves.iter().find(wanted).copied().ok_or_else(|| SanError::None(text.to_owned()));
        }
        let wanted = parse_wanted(plain).ok_or_else(|| SanError::Shape(text.to_owned()))?;
        let fitting: Vec<Move> = self.moves.iter().copied().filter(|&m| self.fits(&wanted, m)).collect();
        let chosen: Vec<Move> =
            fitting.iter().copied().filter(|m| m.promotion() == wanted.promotion).collect();
        match chosen[..] {
            [m] if wanted.capture && (self.captures)(m) == Some(false) => {
                Err(SanError::NoCapture(text.to_owned()))
            }
            [m] => Ok(m),
            [] if wanted.promotion.is_none() && !fitting.is_empty() => {
                Err(SanError::Promotion(text.to_owned()))
            }
            [] => Err(SanError::None(text.to_owned())),
            _ => {
                let moves = chosen.iter().map(Move::to_string).collect::<Vec<_>>().join(" or ");
                Err(SanError::Ambiguous { text: text.to_owned(), moves })
            }
        }
    }

    /// Whether `m` is a move of the wanted man to the wanted square, whatever it promotes to.
    fn fits(&self, wanted: &Wanted, m: Move) -> bool {
        let piece = (self.piece_on)(m.from());
        // A pawn that changes its file is named by the file it leaves: `d5` is never a capture.
        let leaves_file = piece == Piece::Pawn && m.from().file() != m.to().file();
        m.to() == wanted.to
            && piece == wanted.piece
            && !castles(piece, m)
            && !(leaves_file && wanted.from_file.is_none())
            && wanted.from_file.is_none_or(|file| m.from().file() == file)
            && wanted.from_rank.is_none_or(|rank| m.from().rank() == rank)
    }
}

impl Board {
    /// The move in algebraic notation; `m` must be a move under `rules`.
    #[must_use]
    pub fn san(&self, m: Move, rules: MoveRules) -> String {
        let mut text = self.naming(rules, |naming| naming.name(m));
        if rules == MoveRules::Legal {
            let after = self.play(m);
            if after.in_check(after.side()) {
                text.push(if rules.moves(&after).is_empty() { '#' } else { '+' });
            }
        }
        text
    }

    /// The move that `text` names under `rules`. Check marks, `!` and `?`, and more of the origin than
    /// needed are accepted; so is a missing `x`, but not an `x` where nothing is taken.
    ///
    /// # Errors
    /// If no move, or more than one, fits.
    pub fn parse_san(&self, text: &str, rules: MoveRules) -> Result<Move, SanError> {
        self.naming(rules, |naming| naming.read(text))
    }

    fn naming<T>(&self, rules: MoveRules, then: impl FnOnce(Naming<'_>) -> T) -> T {
        then(Naming {
            moves: &rules.moves(self),
            piece_on: &|square| self.piece_there(square),
            captures: &|m| Some(self.captured_by(m).is_some()),
        })
    }
}

/// Takes a text without marks apart: `[man][file][rank][x]square[=man]`.
fn parse_wanted(text: &str) -> Option<Wanted> {
    let piece_of = |letter: char| match letter {
        'N' | 'B' | 'R' | 'Q' | 'K' => Piece::try_from(letter.to_ascii_lowercase()).ok(),
        _ => None,
    };
    let mut rest = text;
    let piece = rest.chars().next().and_then(piece_of);
    if piece.is_some() {
        rest = &rest[1..];
    }
    let mut promotion = None;
    if let Some(letter) = rest.chars().last().and_then(piece_of) {
        rest = &rest[..rest.len() - 1];
        rest = rest.strip_suffix('=').unwrap_or(rest);
        promotion = Some(letter).filter(|&letter| letter != Piece::King && piece.is_none());
        promotion?;
    }
    if !rest.is_ascii() || rest.len() < 2 {
        return None;
    }
    let (origin, to) = rest.split_at(rest.len() - 2);
    let (origin, capture) = match origin.strip_suffix('x') {
        Some(origin) => (origin, true),
        None => (origin, false),
    };
    let (mut from_file, mut from_rank) = (None, None);
    for letter in origin.chars() {
        if let (Ok(file), None, None) = (File::try_from(letter), from_file, from_rank) {
            from_file = Some(file);
        } else if let (Ok(rank), None) = (Rank::try_from(letter), from_rank) {
            from_rank = Some(rank);
        } else {
            return None;
        }
    }
    let piece = piece.unwrap_or(Piece::Pawn);
    Some(Wanted { piece, from_file, from_rank, capture, to: to.parse().ok()?, promotion })
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUEENS: &str = "4k3/8/8/8/Q6Q/8/8/K6Q w - - 0 1";

    #[test]
    fn moves_are_written_as_short_as_the_rules_allow() {
        use MoveRules::{Legal, PseudoLegal};
        for (fen, m, rules, san) in [
            (QUEENS, "h4e4", Legal, "Qh4e4+"),
            (QUEENS, "a4e4", PseudoLegal, "Qae4"),
            (QUEENS, "h1e4", PseudoLegal, "Q1e4"),
            ("4k3/8/8/Q7/8/8/8/Q1Q1K3 w - - 0 1", "a1c3", PseudoLegal, "Qa1c3"),
            ("4k3/8/8/Q7/8/8/8/Q1Q1K3 w - - 0 1", "c1c3", PseudoLegal, "Qcc3"),
            // The knight on e3 is pinned: chess needs no help to tell the two apart, fog does.
            ("4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", Legal, "Nc2"),
            ("4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", PseudoLegal, "Nac2"),
            ("4k3/8/8/8/8/8/8/4QK2 w - - 0 1", "e1e8", PseudoLegal, "Qxe8"),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", PseudoLegal, "dxe3"),
            ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", PseudoLegal, "exd8=N"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", Legal, "O-O"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", PseudoLegal, "O-O-O"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", Legal, "Ra8#"),
        ] {
            let board: Board = fen.parse().unwrap();
            assert_eq!(board.san(m.parse().unwrap(), rules), san, "{fen} {m}");
            assert_eq!(board.parse_san(san, rules), Ok(m.parse().unwrap()), "{fen} {san}");
        }
    }

    #[test]
    fn marks_and_more_origin_than_needed_are_accepted() {
        let board = Board::start();
        for text in ["Nf3", "Ngf3", "N1f3", "Ng1f3", "Nf3+", "Nf3#", "Nf3!?"] {
            assert_eq!(board.parse_san(text, MoveRules::PseudoLegal), Ok("g1f3".parse().unwrap()), "{text}");
        }
        for text in ["e4", "e2e4", "ee4"] {
            assert_eq!(board.parse_san(text, MoveRules::PseudoLegal), Ok("e2e4".parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn what_names_no_move_says_why() {
        let read = |fen: &str, text: &str| {
            fen.parse::<Board>().unwrap().parse_san(text, MoveRules::PseudoLegal).unwrap_err().to_string()
        };
        let start = Board::start().to_string();
        for text in ["", "x", "Nz3", "K", "e", "Ng1g1f3", "é4", "e4=", "Nf3=Q", "e4=K"] {
            assert!(read(&start, text).contains("not a move in algebraic"), "{text}");
        }
        assert_eq!(read(&start, "Nd5"), "no move fits 'Nd5'");
        assert_eq!(read(&start, "O-O"), "no move fits 'O-O'");
        assert_eq!(read(&start, "exe4"), "'exe4' takes nothing");
        let blocked = "4k3/8/8/3p4/3PP3/8/8/4K3 w - - 0 1";
        assert_eq!(read(blocked, "d5"), "no move fits 'd5'");
        assert_eq!(read(blocked, "xd5"), "no move fits 'xd5'");
        assert_eq!(read(QUEENS, "Qe4"), "'Qe4' could be h1e4 or a4e4 or h4e4");
        assert_eq!(read("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8"), "'a8' does not say what the pawn becomes");
    }
}
