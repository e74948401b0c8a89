//! What the opponent plays: how likely each move is at a position, for the weights of a belief.
//!
//! The careful model is a softmax over what the moves are worth to the side that makes them, with both armies in sight. It
//! costs an evaluation a move. The quick one is a [`table`] over what a move looks like. Both are mixed with uniform
//! play, so that no move is ruled out. [`fit`] finds their numbers on recorded games.

pub mod fit;
pub mod table;

use scuro_eval::evaluator::Evaluator;
use scuro_eval::score::exp;
use scuro_games::chess::{Board, Move, Piece};
use scuro_search::weigh::OpponentModel;

use self::table::{Captures, Look, Table};
use crate::player::{Leaves, Playable};

/// The numbers of the model of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habits {
    /// The softmax is over values divided by this.
    pub temperature: f64,
    /// The share of uniform play.
    pub mix: f64,
}

/// The share of uniform play that the table is mixed with.
pub(crate) const TABLE_MIX: f64 = 0.03;

/// The model of an opponent, as one thread uses it. Without an evaluator it has the table alone.
pub struct Model<'m, G, E> {
    game: &'m G,
    leaves: Option<&'m mut Leaves<E>>,
    table: &'static Table,
    captures: Option<Captures>,
    replies: Vec<(Option<Move>, f64)>,
}

impl<'m, G: Playable, E: Evaluator + Send> Model<'m, G, E> {
    /// The model of this game.
    pub fn new(game: &'m G, leaves: Option<&'m mut Leaves<E>>) -> Model<'m, G, E> {
        Model {
            game,
            leaves,
            table: Table::of(G::VARIANT),
            captures: G::TELLS_CAPTURES.then_some([None; 3]),
            replies: Vec::new(),
        }
    }

    /// The probabilities of all moves by the softmax; `None` if there is no evaluator.
    fn careful(&mut self, position: &G::Position) -> Option<&[(Option<Move>, f64)]> {
        let leaves = self.leaves.as_deref_mut()?;
        valued_replies(self.game, position, leaves, &mut self.replies);
        let Habits { temperature, mix } = G::HABITS;
        softened(&mut self.replies, temperature, mix);
        Some(&self.replies)
    }

    /// Appends the probabilities of these replies by the table.
    pub(crate) fn quick(
        &self,
        position: &G::Position,
        replies: impl Iterator<Item = Option<Move>>,
        out: &mut Vec<f64>,
    ) {
        let board = G::board(position);
        let look = Look::of(board, self.captures);
        let (mut total, mut count) = (0.0, 0.0);
        if G::MAY_PASS {
            (total, count) = (self.table.pass(), 1.0);
        }
        self.game.each_reply(position, |piece, m| {
            total += self.table.weight(&look, piece, m);
            count += 1.0;
        });
        out.extend(replies.map(|reply| {
            let weight =
                reply.map_or(self.table.pass(), |m| self.table.weight(&look, board.piece_there(m.from()), m));
            (1.0 - TABLE_MIX) * weight / total + TABLE_MIX / count
        }));
    }
}

impl<G: Playable, E: Evaluator + Send> OpponentModel<G> for Model<'_, G, E> {
    fn listen<'t>(&mut self, told: impl Iterator<Item = &'t G::Told>)
    where
        G::Told: 't,
    {
        self.captures = captures::<G>(told);
    }

    fn probabilities(
        &mut self,
        position: &G::Position,
        own: Option<G::Action>,
        followers: &[(Option<G::Action>, G::Position)],
        careful: bool,
        out: &mut Vec<f64>,
    ) {
        let position = own.map_or(*position, |own| self.game.answered(position, own));
        let replies = followers.iter().filter_map(|(action, _)| action.and_then(G::reply));
        // A question is no move: it says nothing of what the opponent plays.
        if replies.clone().count() < followers.len() {
            return out.resize(out.len() + followers.len(), 1.0);
        }
        if careful && let Some(all) = self.careful(&position) {
            let probability = |reply| all.iter().find(|(m, _)| *m == reply).map_or(0.0, |(_, p)| *p);
            return out.extend(replies.map(probability));
        }
        self.quick(&position, replies, out);
    }
}

/// The last captures of which both sides were told, by what one of them was told, latest first; `None` in a game in
/// which they are not.
pub fn captures<'t, G: Playable>(told: impl Iterator<Item = &'t G::Told>) -> Option<Captures>
where
    G::Told: 't,
{
    let mut captures = Captures::default();
    captures.iter_mut().zip(told.filter_map(G::captured)).for_each(|(place, square)| *place = square);
    G::TELLS_CAPTURES.then_some(captures)
}

/// Writes over `out` all that the side to move can do at a position, and what it is worth to that side.
pub(crate) fn valued_replies<G: Playable, E: Evaluator>(
    game: &G,
    position: &G::Position,
    leaves: &mut Leaves<E>,
    out: &mut Vec<(Option<Move>, f64)>,
) {
    let board = G::board(position);
    let mut moves = Vec::new();
    game.each_reply(position, |_, m| moves.push(m));
    out.clear();
    let sign = crate::player::imagined::sign(board);
    out.extend(moves.iter().copied().map(Some).zip(leaves.after(board, &moves).map(|value| sign * value)));
    for (m, value) in out.iter_mut() {
        // Who takes the king has won, whatever the evaluator makes of a board without one.
        if m.is_some_and(|m| takes_king(board, m)) {
            *value = 1.0;
        }
    }
    if G::MAY_PASS {
        let mut passed = *board;
        passed.pass();
        out.push((None, sign * leaves.value(&passed)));
    }
}

fn takes_king(board: &Board, m: Move) -> bool {
    board.captured_by(m).is_some_and(|(_, piece)| piece == Piece::King)
}

/// Turns values into probabilities: a softmax mixed with uniform play.
pub(crate) fn softened(values: &mut [(Option<Move>, f64)], temperature: f64, mix: f64) {
    let best = values.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for (_, value) in values.iter_mut() {
        *value = exp((*value - best) / temperature);
        total += *value;
    }
    let count = values.len() as f64;
    values.iter_mut().for_each(|(_, value)| *value = (1.0 - mix) * *value / total + mix / count);
}

/// Models for so many threads: with these evaluators, or with the table alone if there is none.
pub(crate) fn models<'m, G: Playable, E: Evaluator + Send>(
    game: &'m G,
    leaves: &'m mut [Leaves<E>],
    threads: usize,
) -> Vec<Model<'m, G, E>> {
    if leaves.is_empty() {
        return (0..threads.max(1)).map(|_| Model::new(game, None)).collect();
    }
    leaves.iter_mut().map(|leaves| Model::new(game, Some(leaves))).collect()
}
