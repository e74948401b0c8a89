//! Which positions fit what a player of Fog of War sees, without working out what she would see in each.
//!
//! Her own men are known, and so is everything on the squares she sees. A position that has the same on those
//! squares gives her the same view if three things agree that she knows although she does not see them: a pawn that
//! cannot step has a man before it, a pawn sees diagonally only what it can take, and a capture en passant shows.
//!
//! Most moves are ruled out before they are made: a move changes two squares, so that all that is wrong before it must
//! be on these two.

use scuro_core::{Player, Positions};

use super::game::{FogOfWar, FogState, Told, won};
use super::view::View;
use crate::chess::{BitBoard, Board, Castling, Color, Move, Piece, Rank, Square, piece_attacks};
use crate::color_of;

/// What a position must have to give a view.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    player: Color,
    side: Color,
    own: BitBoard,
    lit: BitBoard,
    pieces: [BitBoard; 6],
    /// Their men that she sees.
    seen: BitBoard,
    /// Unseen squares on which a man of theirs stands.
    pub occupied: BitBoard,
    /// Unseen squares on which none of theirs stands.
    pub empty: BitBoard,
    en_passant: Option<Square>,
}

impl Filter {
    /// The positions that give this view.
    #[must_use]
    pub fn new(view: &View) -> Filter {
        let (player, lit) = (view.player(), view.lit());
        let pawns = view.pieces(Piece::Pawn) & view.own();
        let (mut occupied, mut empty) = (BitBoard::EMPTY, BitBoard::EMPTY);
        for pawn in pawns {
            let forward: i8 = if player == Color::White { 1 } else { -1 };
            let ahead = |steps: i8, aside: i8| pawn.try_offset(aside, forward * steps);
            match ahead(1, 0) {
                Some(first) if !lit.has(first) => occupied |= first.bitboard(),
                Some(first)
                    if view.man_on(first).is_none() && pawn.rank() == Rank::Second.relative_to(player) =>
                {
                    let second = ahead(2, 0).filter(|&second| !lit.has(second));
                    occupied |= second.map_or(BitBoard::EMPTY, Square::bitboard);
                }
                _ => {}
            }
            for aside in [-1, 1] {
                let square = ahead(1, aside).filter(|&square| !lit.has(square));
                empty |= square.map_or(BitBoard::EMPTY, Square::bitboard);
            }
        }
        let pieces = Piece::ALL.map(|piece| view.pieces(piece));
        let seen = pieces.into_iter().fold(BitBoard::EMPTY, |all, men| all | men) & !view.own();
        Filter {
            player,
            side: view.side(),
            own: view.own(),
            lit,
            pieces,
            seen,
            occupied,
            empty,
            en_passant: view.en_passant(),
        }
    }

    /// Whether the player sees exactly this at `board`.
    #[must_use]
    pub fn fits(&self, board: &Board) -> bool {
        let theirs = board.colors(!self.player);
        board.colors(self.player) == self.own
            && board.side() == self.side
            && self.occupied & !theirs == BitBoard::EMPTY
            && self.empty & theirs == BitBoard::EMPTY
            && Piece::ALL.iter().all(|&piece| board.pieces(piece) & self.lit == self.pieces[piece as usize])
            && (board.side() != self.player || board.en_passant() == self.en_passant)
    }

    /// The squares from which and to which a plain move of theirs may lead from `board` to a position that fits: one
    /// that changes these two squares alone, so neither castling nor en passant. `None` if no move of any kind does.
    fn plain_moves(&self, board: &Board) -> Option<(BitBoard, BitBoard)> {
        let (mine, theirs) = (board.colors(self.player), board.colors(!self.player));
        let lost = mine & !self.own;
        let both = self.seen & theirs;
        let differs = |piece: Piece| !((board.pieces(piece) ^ self.pieces[piece as usize]) & both).is_empty();
        if !(self.own & !mine).is_empty() || lost.len() > 1 || Piece::ALL.into_iter().any(differs) {
            return None;
        }
        let left = theirs & (self.lit & !self.seen | self.empty);
        let reached = (self.seen | self.occupied) & !theirs;
        let only = |wrong: BitBoard, otherwise: BitBoard| match wrong.len() {
            0 => otherwise,
            1 => wrong,
            _ => BitBoard::EMPTY,
        };
        let from = only(left, theirs & !(self.lit | self.occupied));
        let to = only(reached, !(self.lit | self.empty)) & only(lost, !mine);
        Some((from, to))
    }
}

/// If the player is to move again after a move of its own, the opponent has answered, and the player was not shown
/// what came between.
impl Positions for FogOfWar {
    type Position = Board;

    fn position(&self, state: &FogState) -> Board {
        state.board().without_counters()
    }

    fn follow(
        &self,
        player: Player,
        own: Option<Move>,
        told: &Told,
    ) -> impl Fn(&Board, &mut Vec<(Option<Move>, Board)>) + Sync {
        let (me, filter) = (color_of(player), Filter::new(&told.view));
        move |position, out| {
            let mut keep = |theirs: Option<Move>, board: Board| {
                // Where the game is over, both are told: such a position is in no belief.
                if filter.fits(&board) && won(&board).is_none() {
                    out.push((theirs, board.without_counters()));
                }
            };
            let mut answered = |position: &Board| {
                each_reply(position, &filter, |piece, m| {
                    let mut next = *position;
                    next.make_man(piece, m);
                    keep(Some(m), next);
                });
            };
            match own {
                Some(m) if filter.side == me => {
                    let between = position.play(m);
                    if won(&between).is_none() {
                        answered(&between);
                    }
                }
                Some(m) => keep(None, position.play(m)),
                None if position.side() != me => answered(position),
                None => {}
            }
        }
    }
}

/// Calls `visit` with every move of theirs that may lead to a position that fits.
#[inline]
fn each_reply(board: &Board, filter: &Filter, visit: impl FnMut(Piece, Move)) {
    let Some((from, to)) = filter.plain_moves(board) else { return };
    let passed = board.en_passant().map_or(BitBoard::EMPTY, Square::bitboard);
    let side = board.side();
    let mut movers = if to.is_empty() { BitBoard::EMPTY } else { from };
    if !passed.is_empty() {
        movers |= board.men(side, Piece::Pawn);
    }
    if board.castling().of(side) != Castling::NONE {
        movers |= board.men(side, Piece::King);
    }
    let choose = |piece: Piece, man: Square, targets: BitBoard| {
        let plain = if from.has(man) { targets & to } else { BitBoard::EMPTY };
        match piece {
            Piece::Pawn => plain | targets & passed,
            // Two squares away: castling.
            Piece::King => plain | targets & !piece_attacks(Piece::King, man, BitBoard::EMPTY),
            _ => plain,
        }
    };
    board.each_move_among(movers, choose, visit);
}

/// How many moves a belief has to judge when their side moves from these positions.
#[must_use]
pub fn candidates(positions: &[Board]) -> u64 {
    positions.iter().map(Board::count_pseudo_legal).sum()
}
