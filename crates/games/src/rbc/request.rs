//! Requests: what a player may ask for by her own men alone, and what becomes of it on the true board.

use cozy_chess::get_between_rays;
use thiserror::Error;

use crate::chess::{
    BitBoard, Board, File, Move, PROMOTIONS, Piece, Rank, Square, ahead, diagonally_ahead, piece_attacks,
    piece_name, promotion_rank, third_rank,
};

/// Why a request is refused. The reasons follow from the player's own men, so a refusal tells her nothing.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum RequestError {
    /// The square it leaves holds no man of hers.
    #[error("{0}: you have no man on {from}", from = .0.from())]
    NoMan(Move),
    /// The right to castle is gone.
    #[error("{0}: the right to castle is gone")]
    NoRight(Move),
    /// A man of hers stands on the way or on the target.
    #[error("{0}: a man of your own is in the way")]
    OwnMan(Move),
    /// Men of this kind do not move like that.
    #[error("{request}: a {piece} does not move like that", piece = piece_name(*.piece))]
    Geometry {
        /// The request.
        request: Move,
        /// The kind of the man.
        piece: Piece,
    },
    /// A promotion that is none.
    #[error("{0}: only a pawn that reaches the last rank becomes something, and that q, r, b or n")]
    Letter(Move),
}

/// Appends what the side to move may request, as the reference implementation lists it: promotions by a
/// diagonal step also once without a letter. A pass is always possible besides.
pub fn requests(board: &Board, out: &mut Vec<Move>) {
    let first = out.len();
    each_request(board, |m| out.push(m));
    for i in first..out.len() {
        let m = out[i];
        if m.promotion() == Some(Piece::Queen) && m.from().file() != m.to().file() {
            out.push(Move::new(m.from(), m.to()));
        }
    }
}

/// Calls `visit` with every request of a different effect. The order depends on the player's own men alone.
#[inline]
pub(super) fn each_request(board: &Board, mut visit: impl FnMut(Move)) {
    let (side, own) = (board.side(), board.colors(board.side()));
    let last = promotion_rank(side);
    for from in board.men(side, Piece::Pawn) {
        let targets = targets(board, Piece::Pawn, from, own);
        (targets & !last).into_iter().for_each(|to| visit(Move::new(from, to)));
        for to in targets & last {
            PROMOTIONS.into_iter().for_each(|becomes| visit(Move::promoting(from, to, becomes)));
        }
    }
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King] {
        for from in board.men(side, piece) {
            targets(board, piece, from, own).into_iter().for_each(|to| visit(Move::new(from, to)));
        }
    }
}

/// Where a man of the side to move could go if only `own` stood in its way, and if pawns could take anything.
#[inline]
fn targets(board: &Board, piece: Piece, from: Square, own: BitBoard) -> BitBoard {
    let side = board.side();
    match piece {
        Piece::Pawn => {
            let one = ahead(from.bitboard(), side) & !own;
            let two = ahead(one & third_rank(side), side);
            let [left, right] = diagonally_ahead(from.bitboard(), side);
            (one | two | left | right) & !own
        }
        Piece::King => piece_attacks(piece, from, own) & !own | board.castling_targets(own),
        _ => piece_attacks(piece, from, own) & !own,
    }
}

/// The request as it is understood: a pawn that reaches the last rank without a letter becomes a queen.
///
/// # Errors
/// If the player's own men rule it out.
pub fn admit(board: &Board, request: Move) -> Result<Move, RequestError> {
    let (side, from, to) = (board.side(), request.from(), request.to());
    let own = board.colors(side);
    let piece = match board.man_on(from) {
        Some((color, piece)) if color == side => piece,
        _ => return Err(RequestError::NoMan(request)),
    };
    if !targets(board, piece, from, own).has(to) {
        return Err(why_out_of_reach(board, piece, request));
    }
    match (piece == Piece::Pawn && promotion_rank(side).has(to), request.promotion()) {
        (true, None) => Ok(Move::promoting(from, to, Piece::Queen)),
        (true, Some(becomes)) if PROMOTIONS.contains(&becomes) => Ok(request),
        (false, None) => Ok(request),
        _ => Err(RequestError::Letter(request)),
    }
}

fn why_out_of_reach(board: &Board, piece: Piece, request: Move) -> RequestError {
    let (from, to, side) = (request.from(), request.to(), board.side());
    let home = Rank::First.relative_to(side);
    let castles = piece == Piece::King
        && from == Square::new(File::E, home)
        && to.rank() == home
        && (from as u8).abs_diff(to as u8) == 2;
    if castles && !board.castling_targets(BitBoard::EMPTY).has(to) {
        RequestError::NoRight(request)
    } else if targets(board, piece, from, BitBoard::EMPTY).has(to) {
        RequestError::OwnMan(request)
    } else {
        RequestError::Geometry { request, piece }
    }
}

/// The move that an admitted request leads to on the true board; `None` if no man moves.
///
/// Line pieces stop at the first enemy man and take it, a double step stops before one, and a pawn that cannot
/// step or has nothing to take stays, as does a king whose way to castle is not free.
#[must_use]
#[inline]
pub fn resolve(board: &Board, request: Move) -> Option<Move> {
    let (from, to) = (request.from(), request.to());
    match board.piece_there(from) {
        Piece::Pawn => resolve_pawn(board, request),
        Piece::Knight => Some(request),
        Piece::King if (from as u8).abs_diff(to as u8) == 2 => {
            board.castling_targets(board.occupied()).has(to).then_some(request)
        }
        Piece::King => Some(request),
        Piece::Bishop | Piece::Rook | Piece::Queen => {
            let between = get_between_rays(from, to) & board.occupied();
            let first = if to > from { between.next_square() } else { between.into_iter().last() };
            Some(first.map_or(request, |square| Move::new(from, square)))
        }
    }
}

fn resolve_pawn(board: &Board, request: Move) -> Option<Move> {
    let (from, to) = (request.from(), request.to());
    let occupied = board.occupied();
    if from.file() != to.file() {
        let takes = board.colors(!board.side()).has(to) || board.en_passant() == Some(to);
        return takes.then_some(request);
    }
    let one = ahead(from.bitboard(), board.side());
    match (occupied.is_disjoint(one), occupied.has(to)) {
        (false, _) => None,
        (true, false) => Some(request),
        (true, true) => one.next_square().map(|square| Move::new(from, square)),
    }
}
