//! The metaposition: one board of possibilities that covers every position that may be.
//!
//! Where a bit is clear the piece is certainly not there; where it is set nothing is proved. The paper keeps a byte a
//! square; here every bit of that byte is a board of its own, so that whole sets of pieces move at once.

use scuro_core::Game;
use scuro_games::chess::{
    BitBoard, Castling, Color, File, Move, OwnPieces, Piece, Rank, Square, between, diagonally_ahead,
    piece_attacks,
};
use scuro_games::kriegspiel::{Kriegspiel, PawnTries, Ruleset};

/// The age of a square on which an opponent's piece certainly stands.
const OCCUPIED_AGE: u8 = 30;

/// The pieces that move along lines.
pub(super) const SLIDERS: [Piece; 3] = [Piece::Bishop, Piece::Rook, Piece::Queen];

/// The number of the opponent's pawns on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePawns {
    /// There are no fewer.
    pub least: u8,
    /// There are no more.
    pub most: u8,
}

/// A board of possibilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metaposition {
    /// The rules, which say what a message tells.
    pub ruleset: Ruleset,
    /// The own pieces.
    pub own: OwnPieces,
    /// The squares where a piece of each kind of the opponent may stand.
    pub may: [BitBoard; 6],
    /// The squares without an own piece that may be empty.
    pub empty: BitBoard,
    /// The number of turns since anything was learnt of each square.
    pub ages: [u8; 64],
    /// The opponent's pawns, file by file.
    pub files: [FilePawns; 8],
    /// The most pawns that the opponent has left.
    pub pawns: u8,
    /// The number of all pieces that the opponent has left, pawns and king among them.
    pub army: u8,
    /// The rights to castle that the opponent may still have.
    pub castling: Castling,
    /// The pawn captures that were last announced to the player.
    pub my_tries: PawnTries,
    /// The pawn captures that were last announced to the opponent.
    pub their_tries: PawnTries,
    /// Whether the opponent is in check.
    pub checked: bool,
    /// The square that an own pawn has just passed by a double step.
    pub my_passed: Option<Square>,
    /// The squares that a pawn of the opponent may just have passed by a double step.
    pub their_passed: BitBoard,
    /// The number of the opponent's turns that were imagined.
    pub depth: u8,
}

impl Metaposition {
    /// The start of a game, which both players know.
    #[must_use]
    pub fn start(game: &Kriegspiel, color: Color) -> Metaposition {
        let (state, board, them) = (game.start(), &game.start, !color);
        let own = OwnPieces::of(board, color);
        let may = Piece::ALL.map(|piece| board.men(them, piece));
        let pawns = |file: File| (may[Piece::Pawn as usize] & file.bitboard()).len() as u8;
        let files = File::ALL.map(|file| FilePawns { least: pawns(file), most: pawns(file) });
        let tries = state.announcement().tries;
        let mine = board.side() == color;
        Metaposition {
            ruleset: game.ruleset,
            own,
            may,
            empty: !board.occupied(),
            ages: [0; 64],
            files,
            pawns: may[Piece::Pawn as usize].len() as u8,
            army: board.colors(them).len() as u8,
            castling: board.castling().of(them),
            my_tries: if mine { tries } else { PawnTries::Unsaid },
            their_tries: if mine { PawnTries::Unsaid } else { tries },
            checked: board.in_check(them),
            my_passed: board.en_passant().filter(|_| !mine),
            their_passed: board.en_passant().filter(|_| mine).map_or(BitBoard::EMPTY, Square::bitboard),
            depth: 0,
        }
    }

    /// The player.
    #[must_use]
    pub fn me(&self) -> Color {
        self.own.color()
    }

    /// The squares where such a piece of the opponent may stand.
    #[must_use]
    pub fn may(&self, piece: Piece) -> BitBoard {
        self.may[piece as usize]
    }

    /// The squares where any piece of the opponent may stand.
    #[must_use]
    pub fn any(&self) -> BitBoard {
        self.any_but_king() | self.may(Piece::King)
    }

    /// The squares where a piece of the opponent other than its king may stand.
    #[must_use]
    pub fn any_but_king(&self) -> BitBoard {
        self.may[..5].iter().fold(BitBoard::EMPTY, |all, &may| all | may)
    }

    /// The squares where a piece of the opponent certainly stands.
    #[must_use]
    pub fn sure(&self) -> BitBoard {
        !(self.own.all() | self.empty)
    }

    /// The squares through which no line goes: own pieces, and those that certainly stand there.
    #[must_use]
    pub fn blockers(&self) -> BitBoard {
        !self.empty
    }

    /// The square of the own king.
    #[must_use]
    pub fn king(&self) -> Option<Square> {
        self.own.pieces(Piece::King).next_square()
    }

    /// Whether the opponent has nothing but its king.
    #[must_use]
    pub fn is_lone_king(&self) -> bool {
        self.army == 1
    }

    /// The sum of all ages.
    #[must_use]
    pub fn total_age(&self) -> u32 {
        self.ages.iter().map(|&age| u32::from(age)).sum()
    }

    /// The squares of a file on which a piece on `from` cannot arrive: a pawn that is certainly on the file stands in
    /// between. The opponent's own pieces cannot take it either.
    #[must_use]
    pub fn behind_pawns(&self, from: Square, takes: bool) -> BitBoard {
        let file = from.file().bitboard();
        let pawns = self.may(Piece::Pawn) & file;
        let (Some(low), high) = (pawns.next_square(), pawns.0.leading_zeros()) else {
            return BitBoard::EMPTY;
        };
        if self.files[from.file() as usize].least == 0 {
            return BitBoard::EMPTY;
        }
        let (low, high, from) = (low as u32, 63 - high, from as u32);
        // The next square of the same file is eight further.
        let margin = if takes { 8 } else { 0 };
        if from < low {
            BitBoard(u64::MAX.checked_shl(high + margin).unwrap_or(0)) & file
        } else if from > high {
            BitBoard(!u64::MAX.checked_shl((low + 1).saturating_sub(margin)).unwrap_or(0)) & file
        } else {
            BitBoard::EMPTY
        }
    }

    /// The squares that an own piece of a kind may reach from a square, or protects there.
    #[must_use]
    pub fn reach(&self, piece: Piece, from: Square) -> BitBoard {
        match piece {
            Piece::Pawn => either(diagonally_ahead(from.bitboard(), self.me())),
            Piece::Rook | Piece::Queen => {
                piece_attacks(piece, from, self.blockers()) & !self.behind_pawns(from, true)
            }
            _ => piece_attacks(piece, from, self.blockers()),
        }
    }

    /// The squares that own pieces certainly attack, wherever the opponent's king stands.
    #[must_use]
    pub fn sure_attacks(&self) -> BitBoard {
        self.sure_attacks_of(&self.own)
    }

    /// The squares that these own pieces certainly attack.
    pub(super) fn sure_attacks_of(&self, own: &OwnPieces) -> BitBoard {
        let blockers = own.all() | self.any_but_king();
        let mut attacks = either(diagonally_ahead(own.pieces(Piece::Pawn), self.me()));
        for piece in &Piece::ALL[1..] {
            for from in own.pieces(*piece) {
                attacks |= piece_attacks(*piece, from, blockers);
            }
        }
        attacks
    }

    /// Calls `visit` with every move that may be legal, promotions to queens alone.
    pub fn each_move(&self, mut visit: impl FnMut(Piece, Move)) {
        let own = self.own.all();
        for piece in &Piece::ALL[1..] {
            for from in self.own.pieces(*piece) {
                for to in self.reach(*piece, from) & !own {
                    visit(*piece, Move::new(from, to));
                }
            }
        }
        self.each_pawn_move(&mut visit);
        self.each_castling(&mut visit);
    }

    fn each_pawn_move(&self, visit: &mut impl FnMut(Piece, Move)) {
        let me = self.me();
        let third = Rank::Third.relative_to(me).bitboard();
        let last = Rank::Eighth.relative_to(me);
        let captured = self.any_but_king() | self.their_passed;
        for from in self.own.pieces(Piece::Pawn) {
            let one = ahead(from.bitboard(), me) & self.empty;
            let two = ahead(one & third, me) & self.empty;
            let mut targets = one | two;
            if self.my_tries.allow(from) {
                targets |= self.reach(Piece::Pawn, from) & captured;
            }
            for to in targets {
                let promotes = to.rank() == last;
                let queen = || Move::promoting(from, to, Piece::Queen);
                visit(Piece::Pawn, if promotes { queen() } else { Move::new(from, to) });
            }
        }
    }

    fn each_castling(&self, visit: &mut impl FnMut(Piece, Move)) {
        let Some(king) = self.king() else { return };
        for (rook, goal) in [(File::H, File::G), (File::A, File::C)] {
            let corner = Square::new(rook, king.rank());
            if self.own.castling().has(self.me(), rook) && between(king, corner).is_subset(self.empty) {
                visit(Piece::King, Move::new(king, Square::new(goal, king.rank())));
            }
        }
    }

    /// The squares are empty, or own pieces stand there.
    pub(super) fn vacate(&mut self, squares: BitBoard) {
        self.may.iter_mut().for_each(|may| *may &= !squares);
        self.empty = (self.empty | squares) & !self.own.all();
        squares.into_iter().for_each(|square| self.ages[square as usize] = 0);
    }

    /// Something certainly stands on each of these squares.
    pub(super) fn occupy(&mut self, squares: BitBoard) {
        self.empty &= !squares;
    }

    /// One of these kinds of pieces certainly stands on `square`.
    pub(super) fn place(&mut self, square: Square, kinds: &[Piece]) {
        for piece in Piece::ALL.into_iter().filter(|piece| !kinds.contains(piece)) {
            self.may[piece as usize] &= !square.bitboard();
        }
        self.occupy(square.bitboard());
    }

    /// Draws what follows from counts: of pawns on files, of pieces, of the one king.
    pub(super) fn settle(&mut self) {
        if self.army == 1 {
            self.may[..5].fill(BitBoard::EMPTY);
        }
        if self.pawns == 0 {
            self.may[Piece::Pawn as usize] = BitBoard::EMPTY;
            self.files = [FilePawns { least: 0, most: 0 }; 8];
        }
        for file in File::ALL {
            self.settle_file(file);
        }
        if let (Some(king), 1) = (self.may(Piece::King).next_square(), self.may(Piece::King).len()) {
            self.place(king, &[Piece::King]);
        }
        let sure = self.sure();
        if sure.len() == u32::from(self.army) {
            self.may.iter_mut().for_each(|may| *may &= sure);
        }
        self.empty |= !(self.any() | self.own.all());
        self.settle_castling();
    }

    fn settle_file(&mut self, file: File) {
        let FilePawns { least, most } = self.files[file as usize];
        let pawns = self.may(Piece::Pawn) & file.bitboard();
        if pawns.is_empty() {
            self.files[file as usize] = FilePawns { least: 0, most: 0 };
        } else if most == 0 {
            self.may[Piece::Pawn as usize] &= !file.bitboard();
        } else if pawns.len() <= u32::from(least) {
            pawns.into_iter().for_each(|square| self.place(square, &[Piece::Pawn]));
        }
    }

    /// A right to castle is gone once king or rook have certainly left.
    fn settle_castling(&mut self) {
        let home = Rank::First.relative_to(!self.me());
        let stays = |piece: Piece, file: File| self.may(piece).has(Square::new(file, home));
        let mut rights = Castling::NONE;
        for rook in [File::A, File::H] {
            if self.castling.has(!self.me(), rook) && stays(Piece::King, File::E) && stays(Piece::Rook, rook)
            {
                rights = rights.with(!self.me(), rook);
            }
        }
        self.castling = rights;
    }

    /// A turn has passed: what is certain is young or dangerous, all else grows older.
    pub(super) fn grow_older(&mut self) {
        let (sure, open) = (self.sure(), self.any());
        for square in Square::ALL {
            let age = &mut self.ages[square as usize];
            *age = match (sure.has(square), open.has(square)) {
                (true, _) => OCCUPIED_AGE,
                (_, true) => age.saturating_add(1),
                _ => 0,
            };
        }
    }
}

/// Both sets of squares.
pub(super) fn either([left, right]: [BitBoard; 2]) -> BitBoard {
    left | right
}

/// The squares one step ahead.
pub(super) fn ahead(squares: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(squares.0 << 8),
        Color::Black => BitBoard(squares.0 >> 8),
    }
}

/// Whether a piece that moves along lines can go from one square to the other, if nothing stands between.
pub(super) fn slides(piece: Piece, from: Square, to: Square) -> bool {
    piece_attacks(piece, from, BitBoard::EMPTY).has(to)
}
