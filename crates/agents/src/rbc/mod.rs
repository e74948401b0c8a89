//! Reconnaissance Blind Chess for the player: which senses are worth a look, what a request is worth, and beliefs made
//! anew.

mod ahead;
pub mod attacker;
pub(crate) mod bench;
mod blend;
pub mod fish;
pub mod incentives;
pub mod matrix;
pub mod name;
pub mod oracle;
pub mod pool;
pub mod recon;
mod sample;
pub mod scout;
mod senses;
pub mod strangefish2;
pub mod trout;
pub mod turns;
pub mod windows;

use scuro_core::Random;
use scuro_eval::Rules;
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, Square};
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::rbc::{Answer, Phase, Position, Rbc, RbcAction, RbcState, RbcView, Told, admit, resolve};

use crate::opponent::Habits;
use crate::player::rebuild::{Mender, rebuild};
use crate::player::{Imagined, Leaves, Moment, Playable, Rebuild, Supposed};

impl Playable for Rbc {
    type Memory = Moment;
    /// The squares worth sensing now.
    type Focus = Vec<Square>;

    const POSITIONS: usize = 200_000;

    const FEW_POSITIONS: usize = 10_000;

    /// `scuro belief fit results/beliefs/fit-rbc --test results/beliefs/rbc`:
    /// 2.01 nats a move, the table 2.54, uniform play 3.29.
    const HABITS: Habits = Habits { temperature: 0.017, mix: 0.187 };

    const MAY_PASS: bool = true;

    fn each_reply(&self, position: &Position, visit: impl FnMut(Piece, Move)) {
        position.board().each_pseudo_legal(visit);
    }

    fn reply(action: RbcAction) -> Option<Option<Move>> {
        if let RbcAction::Request(request) = action { Some(request) } else { None }
    }

    fn value_rules(&self) -> Rules {
        Rules::Rbc
    }

    fn unlimited(&self) -> Rbc {
        Rbc::endless(self.start, self.passed)
    }

    fn supposed(&self, view: &RbcView, position: &Position) -> RbcState {
        RbcState::supposed(view, position.board())
    }

    fn first_memory(&self, _: Color) -> Moment {
        Moment::Now
    }

    /// After its own sense the player is still at the same turn.
    fn next_memory(memory: &Moment, _: u16, told: &Told) -> Moment {
        if let Answer::Sensed(_) = told.answer { *memory } else { Moment::Ahead }
    }

    /// What was thought of a sense before its turn came was thought of other squares.
    fn settle_memory(memory: &mut Moment) -> bool {
        std::mem::replace(memory, Moment::Now) == Moment::Ahead
    }

    fn focus(&self, view: &RbcView, positions: &[Position]) -> Vec<Square> {
        match view.phase {
            Phase::Sense => senses::telling(positions),
            Phase::Move => Vec::new(),
        }
    }

    fn considered(&self, game: &Imagined<Rbc>, supposed: &Supposed<Rbc>, out: &mut Vec<RbcAction>) {
        let Supposed { state, memory } = supposed;
        if state.phase() == Phase::Move || state.outcome().is_some() {
            return scuro_core::Game::actions(self, state, out);
        }
        let sense = |square: Square| RbcAction::Sense(Some(square));
        if *memory == Moment::Now && state.board().side() == game.me && !game.focus.is_empty() {
            out.extend(game.focus.iter().copied().map(sense));
        } else {
            out.extend(senses::usual(state).map(sense));
        }
    }

    fn children<E: Evaluator>(
        &self,
        _: &Imagined<Rbc>,
        leaves: &mut Leaves<E>,
        supposed: &Supposed<Rbc>,
        actions: &[RbcAction],
        out: &mut Vec<(f64, bool)>,
    ) {
        let board = supposed.state.board();
        if supposed.state.phase() == Phase::Sense {
            // A sense changes no position.
            let value = leaves.value(board);
            return out.extend(actions.iter().map(|_| (value, false)));
        }
        let taken: Vec<Option<Move>> = actions.iter().map(|&action| made(board, action)).collect();
        let mut moves: Vec<Move> = taken.iter().flatten().copied().collect();
        moves.sort_unstable();
        moves.dedup();
        let mut passed = *board;
        passed.pass();
        let pass = leaves.value(&passed);
        let values: Vec<f64> = leaves.after(board, &moves).collect();
        let won = (Outcome::win(board.side(), Reason::KingCaptured).payoff(), true);
        out.extend(taken.into_iter().map(|taken| match taken {
            Some(m) if board.captured_by(m).is_some_and(|(_, piece)| piece == Piece::King) => won,
            Some(m) => (moves.binary_search(&m).map_or(pass, |i| values[i]), false),
            None => (pass, false),
        }));
    }

    fn rebuild(&self, question: &Rebuild<'_, Rbc>, random: &mut Random) -> Vec<Position> {
        let Rebuild { view, believed, .. } = *question;
        let found = rebuild(&mender(question), believed, |i| believed[i].board(), |_| true, random);
        debug_assert!(found.iter().all(|board| board.side() == view.side));
        found.iter().map(Position::new).collect()
    }
}

/// The move that comes of an action on `board`, if one does.
fn made(board: &Board, action: RbcAction) -> Option<Move> {
    let RbcAction::Request(request) = action else { return None };
    request.and_then(|request| admit(board, request).ok()).and_then(|request| resolve(board, request))
}

/// What is certain: the own pieces, what a window has just shown, where a piece of theirs has just captured, and the
/// squares over which an own piece has just gone.
fn mender(question: &Rebuild<'_, Rbc>) -> Mender {
    let Rebuild { view, told, .. } = *question;
    let (me, pieces) = (view.pieces.color(), view.pieces);
    let (mut seen, mut free, mut occupied, mut own) = (Vec::new(), !pieces.all(), BitBoard::EMPTY, None);
    match told.answer {
        Answer::Sensed(sensed) => {
            free &= !sensed.area();
            let theirs = sensed.squares().filter_map(|(square, man)| Some((man?, square)));
            seen = theirs
                .filter(|((color, _), _)| *color != me)
                .map(|((_, piece), square)| (piece, square))
                .collect();
        }
        Answer::Moved { taken, .. } => {
            own = taken;
            let way = taken.map_or(BitBoard::EMPTY, |m| scuro_games::chess::between(m.from(), m.to()));
            let left = taken.map_or(BitBoard::EMPTY, |m| m.from().bitboard());
            free &= !(way | left);
        }
        Answer::Turn { lost } => {
            occupied = lost.map_or(BitBoard::EMPTY, |square| square.bitboard()) & free;
        }
        Answer::Waited => {}
    }
    Mender { pieces, side: view.side, own, seen, free, occupied, passed: None, captures_unseen: true }
}
