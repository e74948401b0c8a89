//! A belief made anew when nothing that was believed fits what the player sees.
//!
//! That happens when the belief is a sample that has lost the truth, or when she was told what cannot be. The men that
//! she believed in are likely to be right still, so positions of the last good belief are mended: some men make a few
//! random moves, since some must be elsewhere than she thought; what is seen stands where it is seen, and men that cannot
//! stand where they are go to squares that she does not see. Positions that give exactly her view give her exactly her
//! moves, since the view tells her own rights too.

use std::collections::BTreeSet;

use scuro_core::Random;
use scuro_games::chess::{BitBoard, Board, Color, File, Move, Piece, Rank, Square};
use scuro_games::fog::View;

use crate::belief::Filter;
use crate::fog::winner;

/// So many positions are enough.
const WANTED: usize = 2_000;
/// After so many tries there will hardly be more.
const MOST_TRIES: usize = 4 * WANTED;
/// Fewer than so many moves of theirs are made up.
const MOVES: usize = 4;

/// Positions that give `view`, made from those that were believed before; `own` is the move that led to it, if it was
/// hers. None only if none exists.
#[must_use]
pub fn rebuild(view: &View, own: Option<Move>, believed: &[Board], random: &mut Random) -> Vec<Board> {
    let mender = Mender::new(view, own);
    let mut found = BTreeSet::new();
    for _ in 0..MOST_TRIES {
        let Some(base) = random.pick(believed) else { break };
        let board = mender.mended(base, random);
        if gives(&board, view) {
            found.insert(board);
        }
        if found.len() == WANTED {
            break;
        }
    }
    found.into_iter().collect()
}

/// Whether the game goes on at `board` and the player sees this there. The slow definition: few are asked.
fn gives(board: &Board, view: &View) -> bool {
    let here = View::of(board, view.player());
    let told = |view: &View| (view.side(), view.lit(), view.own(), view.castling(), view.en_passant());
    Color::ALL.into_iter().all(|color| board.men(color, Piece::King).len() == 1)
        && winner(board).is_none()
        && told(&here) == told(view)
        && Piece::ALL.into_iter().all(|piece| here.pieces(piece) == view.pieces(piece))
}

/// A man of theirs.
type Man = (Piece, Square);

/// What is known of every position.
struct Mender<'v> {
    view: &'v View,
    own: Option<Move>,
    /// Their men that are seen.
    seen: Vec<Man>,
    /// Where their other men can be.
    free: BitBoard,
    /// Where one of these must be.
    occupied: BitBoard,
    /// The square over which a pawn has just stepped.
    passed: Option<Square>,
}

impl<'v> Mender<'v> {
    fn new(view: &'v View, own: Option<Move>) -> Mender<'v> {
        let (filter, me) = (Filter::new(view), view.player());
        let men = |piece| (view.pieces(piece) & !view.own()).into_iter().map(move |square| (piece, square));
        let stepped = own.filter(|m| {
            view.man_on(m.to()) == Some((me, Piece::Pawn)) && (m.from() as u8).abs_diff(m.to() as u8) == 16
        });
        let mine = stepped.map(|m| Square::index((m.from() as usize + m.to() as usize) / 2));
        let passed = view.en_passant().or(mine);
        // The pawn has just come over this square, and from one of the two beside it on the file.
        let way = passed.into_iter().flat_map(|passed| [-1, 0, 1].map(|step| passed.try_offset(0, step)));
        let way = way.flatten().fold(BitBoard::EMPTY, |way, square| way | square.bitboard());
        Mender {
            view,
            own,
            seen: Piece::ALL.into_iter().flat_map(men).collect(),
            free: !(view.lit() | filter.empty | way),
            occupied: filter.occupied,
            passed,
        }
    }

    /// The position that comes from `base` when its men are put where they can be.
    fn mended(&self, base: &Board, random: &mut Random) -> Board {
        let base = self.strayed(base, random);
        let (me, them) = (self.view.player(), !self.view.player());
        let mut rights = self.view.castling();
        for rook in [File::A, File::H].into_iter().filter(|&rook| base.castling().has(them, rook)) {
            rights = rights.with(them, rook);
        }
        let theirs = self.placed(self.unseen(&base, random), random);
        let theirs = theirs.iter().chain(&self.seen).map(|&(piece, square)| (them, piece, square));
        let mine = self.view.own().into_iter().filter_map(|square| {
            let (_, piece) = self.view.man_on(square)?;
            Some((me, piece, square))
        });
        Board::set_up(self.view.side(), mine.chain(theirs), rights, self.passed)
    }

    /// `base` after her move, and after a few random moves of theirs. What these do to her own men does not matter.
    fn strayed(&self, base: &Board, random: &mut Random) -> Board {
        let mut board = self.own.filter(|&m| base.is_pseudo_legal(m)).map_or(*base, |m| base.play(m));
        let mut moves = Vec::new();
        for _ in 0..random.below(MOVES) {
            if board.side() == self.view.player() {
                board.pass();
            }
            moves.clear();
            board.pseudo_legal(&mut moves);
            random.pick(&moves).into_iter().for_each(|&m| board.make(m));
        }
        board
    }

    /// Their men without those that are seen: each of these was the one that stood there, or else any of its kind, or
    /// a pawn that became one.
    fn unseen(&self, base: &Board, random: &mut Random) -> Vec<Man> {
        let them = !self.view.player();
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
        men
    }

    /// Men where they can be: where they stood, or on a random square.
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
                // She was wrong about their men: there is one more.
                if edges().has(square) { Piece::Queen } else { Piece::Pawn }
            };
            open ^= square.bitboard();
            settled.push((piece, square));
        }
        for (piece, _) in loose {
            let choices = if piece == Piece::Pawn { open & !edges() } else { open };
            // A man without a place has been captured.
            if let Some(square) = any_of(choices, random) {
                open ^= square.bitboard();
                settled.push((piece, square));
            }
        }
        settled
    }
}

/// Takes a random man that will do out of `men`.
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
