//! The board: where the men stand, whose turn it is, what may still be castled or taken en passant.

use std::hash::{Hash, Hasher};

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};

use super::attacks::{diagonally_ahead, piece_attacks};
use super::moves::{Move, castles};
use super::zobrist;

/// Castling rights of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Castling(pub(super) u8);

impl Castling {
    /// No right at all.
    pub const NONE: Castling = Castling(0);

    const fn bit(color: Color, rook_file: File) -> u8 {
        let side = if matches!(rook_file, File::H) { 1 } else { 2 };
        side << (2 * color as u8)
    }

    /// Whether `color` may still castle with the rook of `rook_file` (a or h).
    #[must_use]
    pub fn has(self, color: Color, rook_file: File) -> bool {
        self.0 & Castling::bit(color, rook_file) != 0
    }

    /// These rights and the one to castle with the rook of `rook_file` (a or h).
    #[must_use]
    pub fn with(self, color: Color, rook_file: File) -> Castling {
        Castling(self.0 | Castling::bit(color, rook_file))
    }

    /// The rights of one side.
    #[must_use]
    pub fn of(self, color: Color) -> Castling {
        Castling(self.0 & 3 << (2 * color as u8))
    }

    /// What is left after a man left or reached `square`.
    pub(crate) fn touched(self, square: Square) -> Castling {
        Castling(self.0 & !LOST[square as usize])
    }
}

/// The rights that end when a square is left or reached: the homes of kings and rooks.
static LOST: [u8; 64] = {
    let mut lost = [0; 64];
    lost[Square::A1 as usize] = Castling::bit(Color::White, File::A);
    lost[Square::H1 as usize] = Castling::bit(Color::White, File::H);
    lost[Square::E1 as usize] = 3;
    lost[Square::A8 as usize] = Castling::bit(Color::Black, File::A);
    lost[Square::H8 as usize] = Castling::bit(Color::Black, File::H);
    lost[Square::E8 as usize] = 12;
    lost
};

/// A chess position with its counters. Kings may be attacked, or after their capture missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pub(super) pieces: [BitBoard; 6],
    pub(super) colors: [BitBoard; 2],
    pub(super) key: u64,
    pub(super) clock: u16,
    pub(super) number: u16,
    pub(super) side: Color,
    pub(super) castling: Castling,
    pub(super) en_passant: Option<Square>,
}

/// The key is hash enough.
impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

/// Some order, so that sets of positions have one: by key, and by all the rest where keys collide.
impl Ord for Board {
    fn cmp(&self, other: &Board) -> std::cmp::Ordering {
        let rest = |board: &Board| {
            let men = (board.pieces.map(|men| men.0), board.colors.map(|men| men.0));
            let en_passant = board.en_passant.map(|square| square as u8);
            (men, board.side as u8, board.castling, en_passant, board.clock, board.number)
        };
        self.key.cmp(&other.key).then_with(|| rest(self).cmp(&rest(other)))
    }
}

impl PartialOrd for Board {
    fn partial_cmp(&self, other: &Board) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::start()
    }
}

impl Board {
    /// The usual starting position.
    #[must_use]
    pub fn start() -> Board {
        use Piece::{Bishop, King, Knight, Queen, Rook};
        let mut board = Board::empty(Color::White);
        for (file, piece) in [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook].into_iter().enumerate()
        {
            for color in Color::ALL {
                let square = |rank: Rank| Square::new(File::index(file), rank.relative_to(color));
                board.put(color, piece, square(Rank::First));
                board.put(color, Piece::Pawn, square(Rank::Second));
            }
        }
        board.set_castling(Castling(15));
        board
    }

    /// A board without men: the ground on which readers build.
    pub(super) fn empty(side: Color) -> Board {
        let none = [BitBoard::EMPTY; 6];
        let turn = if side == Color::Black { zobrist::TURN } else { 0 };
        Board {
            pieces: none,
            colors: [BitBoard::EMPTY; 2],
            key: turn ^ zobrist::castling(0),
            clock: 0,
            number: 1,
            side,
            castling: Castling::NONE,
            en_passant: None,
        }
    }

    /// A position put together: these men, of the rights those whose king and rook stand at home, and the en passant
    /// square if a pawn of the side to move stands ready to take there.
    #[must_use]
    pub fn set_up(
        side: Color,
        men: impl IntoIterator<Item = (Color, Piece, Square)>,
        castling: Castling,
        passed: Option<Square>,
    ) -> Board {
        let mut board = Board::empty(side);
        men.into_iter().for_each(|(color, piece, square)| board.put(color, piece, square));
        let mut rights = Castling::NONE;
        for color in Color::ALL {
            let home = |file| Square::new(file, Rank::First.relative_to(color));
            for rook in [File::A, File::H] {
                let at_home = board.men(color, Piece::King).has(home(File::E))
                    && board.men(color, Piece::Rook).has(home(rook));
                if at_home && castling.has(color, rook) {
                    rights = rights.with(color, rook);
                }
            }
        }
        board.set_castling(rights);
        passed.into_iter().for_each(|square| board.offer_en_passant(square));
        board
    }

    /// The squares of all men of this kind.
    #[must_use]
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        self.pieces[piece as usize]
    }

    /// The squares of all men of this colour.
    #[must_use]
    pub fn colors(&self, color: Color) -> BitBoard {
        self.colors[color as usize]
    }

    /// The squares of the men of one colour and kind.
    #[must_use]
    pub fn men(&self, color: Color, piece: Piece) -> BitBoard {
        self.pieces(piece) & self.colors(color)
    }

    /// The squares on which any man stands.
    #[must_use]
    pub fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    /// Whose turn it is.
    #[must_use]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The castling rights of both sides.
    #[must_use]
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The square behind a pawn that an enemy pawn can take en passant now. `None` if no pawn stands ready.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    pub fn clock(&self) -> u16 {
        self.clock
    }

    /// The number of the move, as in a FEN.
    #[must_use]
    pub fn number(&self) -> u16 {
        self.number
    }

    /// The key of the position: placement, turn, castling rights and en passant, without the counters.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The man on `square`.
    #[must_use]
    pub fn man_on(&self, square: Square) -> Option<(Color, Piece)> {
        let color = Color::ALL.into_iter().find(|&c| self.colors(c).has(square))?;
        Some((color, self.piece_there(square)))
    }

    /// The kind of the man on `square`, which must be occupied.
    #[must_use]
    #[inline]
    pub fn piece_there(&self, square: Square) -> Piece {
        let bit = |piece: Piece| (self.pieces[piece as usize].0 >> square as usize & 1) as usize;
        let index = bit(Piece::Knight)
            + 2 * bit(Piece::Bishop)
            + 3 * bit(Piece::Rook)
            + 4 * bit(Piece::Queen)
            + 5 * bit(Piece::King);
        Piece::index(index)
    }

    /// Where the king of `color` stands, if it has not been taken.
    #[must_use]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.men(color, Piece::King).next_square()
    }

    /// The men of `by` that attack `square`.
    #[must_use]
    #[inline]
    pub fn attackers(&self, square: Square, by: Color) -> BitBoard {
        let pawns = self.pawns_attacking(square, by);
        pawns | self.pieces_attacking(square, self.occupied()) & self.colors(by)
    }

    /// The men of both sides that would attack `square` if only the men on `occupied` stood in their way.
    #[must_use]
    #[inline]
    pub fn attackers_among(&self, square: Square, occupied: BitBoard) -> BitBoard {
        let [white, black] = Color::ALL.map(|by| self.pawns_attacking(square, by));
        white | black | self.pieces_attacking(square, occupied)
    }

    #[inline]
    fn pawns_attacking(&self, square: Square, by: Color) -> BitBoard {
        let [left, right] = diagonally_ahead(square.bitboard(), !by);
        (left | right) & self.men(by, Piece::Pawn)
    }

    #[inline]
    fn pieces_attacking(&self, square: Square, occupied: BitBoard) -> BitBoard {
        let reaches = |piece: Piece| piece_attacks(piece, square, occupied);
        let straight = reaches(Piece::Rook) & (self.pieces(Piece::Rook) | self.pieces(Piece::Queen));
        let slanted = reaches(Piece::Bishop) & (self.pieces(Piece::Bishop) | self.pieces(Piece::Queen));
        let jumps = reaches(Piece::Knight) & self.pieces(Piece::Knight);
        let beside = reaches(Piece::King) & self.pieces(Piece::King);
        straight | slanted | jumps | beside
    }

    /// Whether a man of `by` attacks `square`.
    #[must_use]
    #[inline]
    pub fn attacked(&self, square: Square, by: Color) -> bool {
        !self.attackers(square, by).is_empty()
    }

    /// Whether the king of `color` stands where it could be taken.
    #[must_use]
    pub fn in_check(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| self.attacked(king, !color))
    }

    /// The man that `m` takes, and where it stands: beside the target when taken en passant.
    #[must_use]
    pub fn captured_by(&self, m: Move) -> Option<(Square, Piece)> {
        if Some(m.to()) == self.en_passant && self.men(self.side, Piece::Pawn).has(m.from()) {
            return Some((en_passant_victim(m.to()), Piece::Pawn));
        }
        self.colors(!self.side).has(m.to()).then(|| (m.to(), self.piece_there(m.to())))
    }

    /// Adds or removes a man: the same words do both.
    #[inline]
    fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        self.pieces[piece as usize] ^= square.bitboard();
        self.colors[color as usize] ^= square.bitboard();
        self.key ^= zobrist::man(color, piece, square);
    }

    /// Moves a man to an empty square.
    #[inline]
    fn shift(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        let squares = from.bitboard() | to.bitboard();
        self.pieces[piece as usize] ^= squares;
        self.colors[color as usize] ^= squares;
        self.key ^= zobrist::man(color, piece, from) ^ zobrist::man(color, piece, to);
    }

    /// Puts a man on an empty square.
    pub(super) fn put(&mut self, color: Color, piece: Piece, square: Square) {
        debug_assert!(!self.occupied().has(square));
        self.toggle(color, piece, square);
    }

    pub(super) fn set_castling(&mut self, castling: Castling) {
        self.key ^= zobrist::castling(self.castling.0) ^ zobrist::castling(castling.0);
        self.castling = castling;
    }

    /// Keeps `square` as the en passant square if a pawn of the side to move stands ready to take there.
    pub(super) fn offer_en_passant(&mut self, square: Square) {
        let [left, right] = diagonally_ahead(square.bitboard(), !self.side);
        if !((left | right) & self.men(self.side, Piece::Pawn)).is_empty() {
            self.en_passant = Some(square);
            self.key ^= zobrist::en_passant(square);
        }
    }

    /// The same board without an en passant square.
    #[must_use]
    pub fn without_en_passant(mut self) -> Board {
        if let Some(square) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(square);
        }
        self
    }

    /// The same position with its counters as at the start of a game.
    #[must_use]
    pub fn without_counters(mut self) -> Board {
        (self.clock, self.number) = (0, 1);
        self
    }

    /// The board after a pseudo-legal move of the side to move. A taken king is simply gone.
    #[must_use]
    #[inline]
    pub fn play(&self, m: Move) -> Board {
        let mut board = *self;
        board.make(m);
        board
    }

    /// Plays a pseudo-legal move in place. Hot paths copy the board and then make the move: a board that is
    /// copied right after the move is reloaded in wide words just after its small fields were stored, and the
    /// processor waits for that.
    pub fn make(&mut self, m: Move) {
        self.make_man(self.piece_there(m.from()), m);
    }

    /// Plays a pseudo-legal move of a man of this kind in place.
    #[inline(never)]
    pub fn make_man(&mut self, piece: Piece, m: Move) {
        let (from, to, side) = (m.from(), m.to(), self.side);
        debug_assert!(self.colors(side).has(from), "{m} moves nothing of the side to move in {self}");
        let en_passant = self.en_passant.take();
        if let Some(square) = en_passant {
            self.key ^= zobrist::en_passant(square);
        }
        self.clock = self.clock.saturating_add(1);
        if self.colors(!side).has(to) {
            self.toggle(!side, self.piece_there(to), to);
            self.clock = 0;
        }
        self.shift(side, piece, from, to);
        let castling = self.castling.touched(from).touched(to);
        if castling != self.castling {
            self.set_castling(castling);
        }
        self.side = !side;
        self.key ^= zobrist::TURN;
        if side == Color::Black {
            self.number = self.number.saturating_add(1);
        }
        match piece {
            Piece::Pawn => self.finish_pawn_move(m, en_passant),
            Piece::King if castles(piece, m) => self.bring_rook(side, to),
            _ => {}
        }
    }

    /// What only a pawn's move brings: promotion, en passant, a clock at zero.
    #[inline]
    fn finish_pawn_move(&mut self, m: Move, en_passant: Option<Square>) {
        let (to, enemy) = (m.to(), self.side);
        self.clock = 0;
        if let Some(promotion) = m.promotion() {
            self.toggle(!enemy, Piece::Pawn, to);
            self.toggle(!enemy, promotion, to);
        } else if Some(to) == en_passant {
            self.toggle(enemy, Piece::Pawn, en_passant_victim(to));
        } else if (m.from() as u8).abs_diff(to as u8) == 16 {
            self.offer_en_passant(en_passant_victim(to));
        }
    }

    /// Lets the turn go over in place without a move: the en passant right ends, the counters run on.
    pub fn pass(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(square);
        }
        self.clock = self.clock.saturating_add(1);
        if self.side == Color::Black {
            self.number = self.number.saturating_add(1);
        }
        self.side = !self.side;
        self.key ^= zobrist::TURN;
    }

    /// The rook's part of castling with the king to `king`.
    fn bring_rook(&mut self, color: Color, king: Square) {
        let (home, goal) = if king.file() == File::G { (File::H, File::F) } else { (File::A, File::D) };
        self.shift(color, Piece::Rook, Square::new(home, king.rank()), Square::new(goal, king.rank()));
    }
}

/// The square of a double-stepped pawn from the square it passed over, and the other way round.
pub(crate) fn en_passant_victim(passed: Square) -> Square {
    // Ranks 3 and 4 trade places, and so do ranks 5 and 6: the numbers differ in one bit.
    Square::index(passed as usize ^ 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_set_up_as_it_is_read() {
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 0 1",
            "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1",
        ] {
            let board: Board = fen.parse().unwrap();
            let men = board.occupied().into_iter().filter_map(|square| {
                let (color, piece) = board.man_on(square)?;
                Some((color, piece, square))
            });
            // Rights without their men, and a step that no pawn can answer, are no rights.
            let passed = Some(Square::E3).filter(|_| board.side() == Color::Black);
            assert_eq!(Board::set_up(board.side(), men, Castling(15), passed), board);
        }
    }

    #[test]
    fn a_pass_moves_nothing_and_counts() {
        for (before, after) in [
            ("4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1", "4k3/8/8/8/3pP3/8/8/4K2R w K - 1 2"),
            ("4k3/8/8/8/3pP3/8/8/4K2R w K - 98 7", "4k3/8/8/8/3pP3/8/8/4K2R b K - 99 7"),
        ] {
            let mut board: Board = before.parse().unwrap();
            board.pass();
            // The key too is that of a board read from nothing.
            assert_eq!(Ok(board), after.parse());
            assert_eq!(board.without_counters().to_string().split(' ').nth(4), Some("0"));
        }
    }
}
