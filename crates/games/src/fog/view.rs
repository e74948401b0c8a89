//! What a player sees, and the fog FEN in which it is written.

use std::fmt;
use std::hash::{Hash, Hasher};

use thiserror::Error;

use crate::chess::{
    BitBoard, Board, Castling, Color, FieldError, File, OwnPieces, Piece, Rank, Seen, Square, Unseen, ahead,
    diagonally_ahead, en_passant_victim, knight_attacks, parse_castling, parse_en_passant, parse_number,
    parse_placement, parse_side, piece_attacks, write_placement,
};

use crate::picture::Picture;

/// The squares that `player` sees: her own men, every square one of them could move to, and a pawn that she
/// can take en passant now.
#[must_use]
pub fn lit(board: &Board, player: Color) -> BitBoard {
    let (own, enemy, occupied) = (board.colors(player), board.colors(!player), board.occupied());
    let pawns = board.men(player, Piece::Pawn);
    let one = ahead(pawns, player) & !occupied;
    let two = ahead(one & Rank::Third.relative_to(player).bitboard(), player) & !occupied;
    let [left, right] = diagonally_ahead(pawns, player);
    let mut seen = own | one | two | (left | right) & enemy;
    seen |= knight_attacks(board.men(player, Piece::Knight));
    let queens = board.pieces(Piece::Queen);
    for square in (board.pieces(Piece::Bishop) | queens) & own {
        seen |= piece_attacks(Piece::Bishop, square, occupied);
    }
    for square in (board.pieces(Piece::Rook) | queens) & own {
        seen |= piece_attacks(Piece::Rook, square, occupied);
    }
    if let Some(king) = board.king(player) {
        seen |= piece_attacks(Piece::King, king, occupied);
    }
    // The board keeps the square only while a pawn of the side to move stands ready to take there.
    if let (Some(passed), true) = (board.en_passant(), board.side() == player) {
        seen |= passed.bitboard() | en_passant_victim(passed).bitboard();
    }
    seen
}

/// What one player sees of a position, with what else she knows for certain.
///
/// Its text is the *fog FEN*: a FEN whose board field has `?` for unseen squares and digits for squares
/// seen to be empty, then the side to move, her own castling rights, the en passant square if she can take
/// there now, `-` for the clock she is not told, and the move number.
///
/// Two views are equal if they show the same: which move it is the player counts itself.
#[derive(Clone, Copy, Debug)]
pub struct View {
    player: Color,
    side: Color,
    lit: BitBoard,
    pieces: [BitBoard; 6],
    own: BitBoard,
    castling: Castling,
    en_passant: Option<Square>,
    number: u16,
}

impl PartialEq for View {
    fn eq(&self, other: &View) -> bool {
        let rest = |view: &View| (view.player, view.side, view.lit, view.own, view.castling, view.en_passant);
        rest(self) == rest(other) && self.pieces == other.pieces
    }
}

impl Eq for View {}

/// Whose view it is, whose turn, and the castling rights follow from what the player did and saw before. The en passant
/// square counts by itself: the squares it lights may be lit already, and still there is one move more.
impl Hash for View {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.lit.0);
        state.write_u64(self.own.0);
        self.pieces.iter().for_each(|pieces| state.write_u64(pieces.0));
        state.write_u8(self.en_passant.map_or(64, |square| square as u8));
    }
}

impl View {
    /// The view of `player` on `board`.
    #[must_use]
    pub fn of(board: &Board, player: Color) -> View {
        View::showing(board, player, lit(board, player))
    }

    /// What `player` would be shown if she saw exactly the squares `lit`.
    pub(crate) fn showing(board: &Board, player: Color, lit: BitBoard) -> View {
        View {
            player,
            side: board.side(),
            lit,
            pieces: Piece::ALL.map(|piece| board.pieces(piece) & lit),
            own: board.colors(player),
            castling: board.castling().of(player),
            en_passant: board.en_passant().filter(|_| board.side() == player),
            number: board.number(),
        }
    }

    /// Whose view it is.
    #[must_use]
    pub fn player(&self) -> Color {
        self.player
    }

    /// Whose turn it is.
    #[must_use]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The squares she sees.
    #[must_use]
    pub fn lit(&self) -> BitBoard {
        self.lit
    }

    /// Her own men.
    #[must_use]
    pub fn own(&self) -> BitBoard {
        self.own
    }

    /// The player's own pieces, with its castling rights.
    #[must_use]
    pub fn own_pieces(&self) -> OwnPieces {
        OwnPieces::new(self.player, self.pieces.map(|pieces| pieces & self.own), self.castling)
    }

    /// The men of one kind that she sees, her own included.
    #[must_use]
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        self.pieces[piece as usize]
    }

    /// Her castling rights.
    #[must_use]
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The square to which she can take en passant now.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The number of the move.
    #[must_use]
    pub fn number(&self) -> u16 {
        self.number
    }

    /// The man she sees on `square`, if any.
    #[must_use]
    pub fn man_on(&self, square: Square) -> Option<(Color, Piece)> {
        let piece = Piece::ALL.into_iter().find(|&piece| self.pieces(piece).has(square))?;
        Some((if self.own.has(square) { self.player } else { !self.player }, piece))
    }

    pub(crate) fn seen(&self, square: Square) -> Seen {
        match self.man_on(square) {
            Some((color, piece)) => Seen::Man(color, piece),
            None if self.lit.has(square) => Seen::Empty,
            None => Seen::Nothing,
        }
    }

    /// The board field of the fog FEN alone.
    #[must_use]
    pub fn placement(&self) -> String {
        Picture::of_view("", self).placement()
    }

    /// Reads the fog FEN of `player`. Unseen squares may be written `?` or `*`.
    ///
    /// # Errors
    /// If a field is wrong, men stand where they cannot, an own man is missing where the text claims a right,
    /// or the text tells what this player cannot know.
    pub fn parse(text: &str, player: Color) -> Result<View, ViewError> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [placement, side, castling, en_passant, clock, number] = fields[..] else {
            return Err(ViewError::Fields(fields.len()));
        };
        let (mut lit, mut own, mut pieces) = (BitBoard::EMPTY, BitBoard::EMPTY, [BitBoard::EMPTY; 6]);
        parse_placement(placement, Unseen::Allowed, |square, seen| {
            if seen != Seen::Nothing {
                lit |= square.bitboard();
            }
            if let Seen::Man(color, piece) = seen {
                pieces[piece as usize] |= square.bitboard();
                if color == player {
                    own |= square.bitboard();
                }
            }
        })?;
        let side = parse_side(side)?;
        let castling = parse_castling(castling)?;
        if castling != castling.of(player) {
            return Err(ViewError::Castling(castling));
        }
        let en_passant = parse_en_passant(en_passant, side)?;
        if let (Some(square), true) = (en_passant, side != player) {
            return Err(ViewError::EnPassant(square));
        }
        if clock != "-" {
            return Err(ViewError::Clock(clock.to_owned()));
        }
        let number = parse_number("move number", number, 1)?;
        let view = View { player, side, lit, pieces, own, castling, en_passant, number };
        view.check_men()?;
        Ok(view)
    }

    /// What a reader can rely on: pawns on their ranks, one king a side at most, and the men that castling
    /// and en passant need.
    fn check_men(&self) -> Result<(), ViewError> {
        let pawns = self.pieces(Piece::Pawn);
        let misplaced = pawns & (Rank::First.bitboard() | Rank::Eighth.bitboard());
        if let Some(square) = misplaced.next_square() {
            return Err(ViewError::Man { what: "pawn", square });
        }
        for set in [self.own, !self.own] {
            if let Some(square) = (self.pieces(Piece::King) & set).into_iter().nth(1) {
                return Err(ViewError::Man { what: "second king", square });
            }
        }
        let home = Rank::First.relative_to(self.player);
        for rook in [File::A, File::H].into_iter().filter(|&file| self.castling.has(self.player, file)) {
            for (file, piece) in [(File::E, Piece::King), (rook, Piece::Rook)] {
                let square = Square::new(file, home);
                if !(self.own & self.pieces(piece)).has(square) {
                    return Err(ViewError::Missing { field: "castling", square });
                }
            }
        }
        let Some(passed) = self.en_passant else { return Ok(()) };
        let [left, right] = diagonally_ahead(passed.bitboard(), !self.player);
        if (pawns & self.own & (left | right)).is_empty() {
            return Err(ViewError::Missing { field: "en passant", square: passed });
        }
        let victim = en_passant_victim(passed);
        if !(pawns & !self.own).has(victim) || !self.lit.has(passed) {
            return Err(ViewError::Missing { field: "en passant", square: victim });
        }
        Ok(())
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_placement(f, |square| self.seen(square))?;
        let en_passant = self.en_passant.map_or("-".to_owned(), |square| square.to_string());
        write!(f, " {} {} {en_passant} - {}", char::from(self.side), self.castling, self.number)
    }
}

/// Why a text is not a fog FEN.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ViewError {
    /// Not six fields.
    #[error("fog FEN: expected 6 fields (board, side, castling, en passant, '-', move number), found {0}")]
    Fields(usize),
    /// One field cannot be read.
    #[error("fog FEN, {0}")]
    Field(#[from] FieldError),
    /// Rights of the other side.
    #[error("fog FEN, castling field: '{0}' tells rights of the other side")]
    Castling(Castling),
    /// A capture that is not hers to make.
    #[error("fog FEN, en passant field: {0} is told to the side that is not to move")]
    EnPassant(Square),
    /// A man where it cannot stand.
    #[error("fog FEN, board field: {what} on {square}")]
    Man {
        /// Which man.
        what: &'static str,
        /// Where.
        square: Square,
    },
    /// A right whose men are not there.
    #[error("fog FEN, {field} field: the men it needs are not there ({square})")]
    Missing {
        /// The field.
        field: &'static str,
        /// Where a man is missing.
        square: Square,
    },
    /// Something where `-` has to stand.
    #[error("fog FEN, clock field: expected '-', found '{0}'")]
    Clock(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Position, player, view: the worked examples of the rules.
    #[test]
    fn the_rules_by_example() {
        use Color::{Black, White};
        for (fen, player, placement) in [
            (
                "4k3/8/4p3/4P3/8/8/8/4K3 w - - 0 1",
                White,
                "????????/????????/????????/????P???/????????/????????/???3??/???1K1??",
            ),
            (
                "4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1",
                White,
                "????????/????????/????????/????????/????????/????1???/???1P1??/???1K1??",
            ),
            (
                "4k3/8/8/3p1n2/4P3/8/8/4K3 w - - 0 1",
                White,
                "????????/????????/????????/???p1n??/????P???/????????/???3??/???1K1??",
            ),
            (
                "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
                Black,
                "???1k1??/???3??/????????/????????/???pP???/???2???/????????/????????",
            ),
            (
                "4k3/8/8/8/3pP3/8/3P4/4K3 b - e3 0 1",
                White,
                "????????/????????/????????/????1???/????P???/???1????/???P2??/???1K1??",
            ),
            (
                "4k3/8/8/8/p2R2P1/8/8/3K4 w - - 0 1",
                White,
                "???1????/???1????/???1????/???1??1?/p2R2P?/???1????/??3???/??1K1???",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                Black,
                "rnbqkbnr/pppppppp/8/8/????????/????????/????????/????????",
            ),
        ] {
            let view = View::of(&fen.parse().unwrap(), player);
            assert_eq!(view.placement(), placement, "{fen} {player:?}");
            assert_eq!(View::parse(&view.to_string(), player), Ok(view));
            assert_eq!(View::parse(&view.to_string().replace('?', "*"), player), Ok(view));
        }
    }

    #[test]
    fn the_fog_fen_tells_only_what_the_player_knows() {
        let board: Board = "r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 7 20".parse().unwrap();
        let text = |player| View::of(&board, player).to_string();
        assert!(text(Color::White).ends_with(" b K - - 20"), "{}", text(Color::White));
        assert!(text(Color::Black).ends_with(" b q e3 - 20"), "{}", text(Color::Black));
    }

    #[test]
    fn wrong_fog_fens_name_the_field() {
        let dark = "????????/????????/????????/????????/????????/????????/???1????/???1K1??";
        for (rest, words) in [
            ("", "found 1"),
            (" w - - - 1 1", "found 7"),
            (" x - - - 1", "side field"),
            (" w k - - 1", "'k' tells rights of the other side"),
            (" b - e3 - 1", "e3 is told to the side that is not to move"),
            (" w - e3 - 1", "rank 6"),
            (" w - - 0 1", "clock field: expected '-', found '0'"),
            (" w - - - 0", "move number"),
            (" w K - - 1", "castling field: the men it needs are not there (h1)"),
            (" w - e6 - 1", "en passant field: the men it needs are not there (e6)"),
        ] {
            let error = View::parse(&format!("{dark}{rest}"), Color::White).unwrap_err().to_string();
            assert!(error.contains(words), "{rest}: {error}");
        }
    }
}
