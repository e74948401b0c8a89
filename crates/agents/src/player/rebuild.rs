//! Positions invented when nothing that was believed fits what the player is told.
//!
//! That happens when the belief is a sample that has lost the truth, or when the player was told what cannot be. The
//! pieces that it believed in are likely to be right still, so positions of the last good belief are mended: some
//! pieces make a few random moves, since some must be elsewhere than it thought; what is seen stands where it is seen,
//! and pieces that cannot stand where they are go to squares that it does not see.

use std::collections::BTreeSet;

use scuro_core::Random;
use scuro_games::chess::{BitBoard, Board, Color, File, Move, OwnPieces, Piece, Rank, Square};

/// So many positions are enough.
const WANTED: usize = 2_000;
/// After so many tries there will hardly be more.
const MOST_TRIES: usize = 4 * WANTED;
/// Fewer than so many moves of theirs are made up.
const MOVES: usize = 4;

/// Boards that `fit`, made from those that were believed before.
pub fn rebuild<'b>(
    mender: &Mender,
    believed: &'b [impl Copy],
    board: impl Fn(usize) -> &'b Board,
    fits: impl Fn(&Board) -> bool,
    random: &mut Random,
) -> Vec<Board> {
    let mut found = BTreeSet::new();
    for _ in 0..MOST_TRIES {
        if believed.is_empty() || found.len() == WANTED {
            break;
        }
        let mended = mender.mended(board(random.below(believed.len())), random);
        let whole = Color::ALL.into_iter().all(|color| mended.men(color, Piece::King).len() == 1);
        if whole && fits(&mended) {
            found.insert(mended);
        }
    }
    found.into_iter().collect()
}

/// A piece of theirs.
type Man = (Piece, Square);

/// What is known of every position.
#[derive(Clone, Debug)]
pub struct Mender {
    /// The player's own pieces.
    pub pieces: OwnPieces,
    /// Who is to move.
    pub side: Color,
    /// The player's own move that was just made, if there was one.
    pub own: Option<Move>,
    /// Their pieces that are seen.
    pub seen: Vec<Man>,
    /// Where their other pieces can be.
    pub free: BitBoard,
    /// Where one of these must be.
    pub occupied: BitBoard,
    /// The square over which a pawn has just stepped.
    pub passed: Option<Square>,
    /// Whether the player does not see what it captures.
    pub captures_unseen: bool,
}

impl Mender {
    /// The position that comes from `base` when its pieces are put where they can be.
    fn mended(&self, base: &Board, random: &mut Random) -> Board {
        let base = self.strayed(base, random);
        let (me, them) = (self.pieces.color(), !self.pieces.color());
        let mut rights = self.pieces.castling();
        for rook in [File::A, File::H].into_iter().filter(|&rook| base.castling().has(them, rook)) {
            rights = rights.with(them, rook);
        }
        let theirs = self.placed(self.unseen(&base, random), random);
        let theirs = theirs.iter().chain(&self.seen).map(|&(piece, square)| (them, piece, square));
        let mine = self.pieces.all().into_iter().filter_map(|square| {
            let piece = self.pieces.man_on(square)?;
            Some((me, piece, square))
        });
        Board::set_up(self.side, mine.chain(theirs), rights, self.passed)
    }

    /// `base` after the player's move, and after a few random moves of theirs. What these do to its own pieces does not
    /// matter.
    fn strayed(&self, base: &Board, random: &mut Random) -> Board {
        let mut board = self.own.filter(|&m| base.is_pseudo_legal(m)).map_or(*base, |m| base.play(m));
        let mut moves = Vec::new();
        for _ in 0..random.below(MOVES) {
            if board.side() == self.pieces.color() {
                board.pass();
            }
            moves.clear();
            board.pseudo_legal(&mut moves);
            random.pick(&moves).into_iter().for_each(|&m| board.make(m));
        }
        board
    }

    /// Their pieces without those that are seen: each of these was the one that stood there, or else any of its kind, or
    /// a pawn that became one.
    fn unseen(&self, base: &Board, random: &mut Random) -> Vec<Man> {
        let them = !self.pieces.color();
        let men = |piece| base.men(them, piece).into_iter().map(move |square| (piece, square));
        // The king comes first: it needs a place most.
        let mut men: Vec<Man> = Piece::ALL.into_iter().rev().flat_map(men).collect();
        let (stayed, came): (Vec<Man>, Vec<Man>) = self.seen.iter().partition(|man| men.contains(man));
        men.retain(|man| !stayed.contains(man));
        for (kind, _) in came {
            let same = taken(&mut men, random, |man| man.0 == kind);
            if same.is_none() && kind != Piece::King {
                taken(&mut men, random, |man| man.0 == Piece::Pawn);
            }
        }
        let nowhere = self.pieces.all().next_square().unwrap_or(Square::A1);
        // A king that was believed to be taken was not, if the game goes on: it is somewhere.
        if self.captures_unseen && !men.iter().chain(&self.seen).any(|man| man.0 == Piece::King) {
            men.insert(0, (Piece::King, nowhere));
        }
        // Nor could it go on with kings, or a king and a lesser piece, alone: there is a pawn more.
        let weak = |piece| matches!(piece, Piece::King | Piece::Knight | Piece::Bishop);
        let mine = self.pieces.all().into_iter().filter_map(|square| self.pieces.man_on(square));
        let all: Vec<Piece> = mine.chain(men.iter().chain(&self.seen).map(|man| man.0)).collect();
        if self.captures_unseen && all.len() <= 3 && all.into_iter().all(weak) {
            men.push((Piece::Pawn, nowhere));
        }
        men
    }

    /// Pieces where they can be: where they stood, or on a random square.
    fn placed(&self, men: Vec<Man>, random: &mut Random) -> Vec<Man> {
        let mut open = self.free;
        let (mut settled, mut loose): (Vec<Man>, Vec<Man>) = (Vec::new(), Vec::new());
        for (piece, square) in men {
            let goal = match piece {
                _ if open.has(square) => Some(square),
                Piece::King => any_of(open, random),
                _ => None,
            };
            match goal {
                Some(goal) => {
                    open ^= goal.bitboard();
                    settled.push((piece, goal));
                }
                None => loose.push((piece, square)),
            }
        }
        for square in self.occupied & open {
            let fits = |man: &Man| man.0 != Piece::Pawn || !edges().has(square);
            let spare = |man: &Man| fits(man) && !self.occupied.has(man.1);
            let piece = if let Some((piece, _)) = taken(&mut loose, random, fits) {
                piece
            } else if let Some((piece, left)) = taken(&mut settled, random, spare) {
                open |= left.bitboard();
                piece
            } else {
                // The player was wrong about their pieces: there is one more.
                if edges().has(square) { Piece::Queen } else { Piece::Pawn }
            };
            open ^= square.bitboard();
            settled.push((piece, square));
        }
        for (piece, _) in loose {
            let choices = if piece == Piece::Pawn { open & !edges() } else { open };
            // A piece without a place has been captured.
            if let Some(square) = any_of(choices, random) {
                open ^= square.bitboard();
                settled.push((piece, square));
            }
        }
        settled
    }
}

/// Takes a random piece that will do out of `men`.
fn taken(men: &mut Vec<Man>, random: &mut Random, will_do: impl Fn(&Man) -> bool) -> Option<Man> {
    let choices: Vec<usize> = (0..men.len()).filter(|&i| will_do(&men[i])).collect();
    random.pick(&choices).map(|&choice| men.remove(choice))
}

fn any_of(squares: BitBoard, random: &mut Random) -> Option<Square> {
    let squares: Vec<Square> = squares.into_iter().collect();
    random.pick(&squares).copied()
}

fn edges() -> BitBoard {
    Rank::First.bitboard() | Rank::Eighth.bitboard()
}
