//! Random words that are combined into the key of a position. Fixed at compile time by a plain recurrence.

use cozy_chess::{Color, Piece, Square};

const fn words<const N: usize>(mut state: u64) -> [u64; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        out[i] = z ^ (z >> 31);
        i += 1;
    }
    out
}

static MEN: [u64; 2 * 6 * 64] = words(1);
static CASTLING: [u64; 16] = words(2);
static EN_PASSANT: [u64; 64] = words(3);
/// Changes the key when the turn passes.
pub(super) const TURN: u64 = words::<1>(4)[0];

pub(super) fn man(color: Color, piece: Piece, square: Square) -> u64 {
    MEN[(color as usize * 6 + piece as usize) * 64 + square as usize]
}

pub(super) fn castling(rights: u8) -> u64 {
    CASTLING[rights as usize & 15]
}

pub(super) fn en_passant(square: Square) -> u64 {
    EN_PASSANT[square as usize]
}
