//! Fog of War for the player: draws as it can know them, and values capped by them.

pub mod draws;

use std::sync::Arc;

use scuro_core::Random;
use scuro_eval::Rules;
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, Square};
use scuro_games::fog::{Filter, FogOfWar, FogState, Told, View, won};

use self::draws::Past;
use crate::opponent::Habits;
use crate::player::rebuild::{Mender, rebuild};
use crate::player::{Imagined, Leaves, Playable, Rebuild, Supposed};
use crate::rivals::greedy;

impl Playable for FogOfWar {
    type Memory = Arc<Past>;
    type Focus = ();

    const POSITIONS: usize = 4_000_000;

    const FEW_POSITIONS: usize = 20_000;

    /// `scuro belief fit results/matches/self results/matches/prior results/matches/kluss --test results/beliefs/fog`:
    /// 2.27 nats a move, the table 2.44, uniform play 3.27.
    const HABITS: Habits = Habits { temperature: 0.046, mix: 0.085 };

    fn each_reply(&self, board: &Board, visit: impl FnMut(Piece, Move)) {
        board.each_pseudo_legal(visit);
    }

    fn reply(action: Move) -> Option<Option<Move>> {
        Some(Some(action))
    }

    fn answered(&self, board: &Board, own: Move) -> Board {
        board.play(own)
    }

    fn value_rules(&self) -> Rules {
        Rules::Fog
    }

    fn unlimited(&self) -> FogOfWar {
        *self
    }

    fn supposed(&self, _: &View, position: &Board) -> FogState {
        FogState::supposed(*position)
    }

    fn first_memory(&self, color: Color) -> Arc<Past> {
        Past::first(&View::of(&self.start, color), self.start.clock())
    }

    fn next_memory(memory: &Arc<Past>, plies: u16, told: &Told) -> Arc<Past> {
        memory.after(plies, &told.view)
    }

    fn settle_memory(memory: &mut Arc<Past>) -> bool {
        let doubted = memory.drawn();
        if doubted {
            *memory = memory.known_to_go_on();
        }
        doubted
    }

    /// A player that is to move again after its own move was not shown what came between.
    fn plies(&self, before: &View, after: &View, own: Option<Move>) -> u16 {
        if own.is_some() && before.side() == after.side() { 2 } else { 1 }
    }

    fn children<E: Evaluator>(
        &self,
        game: &Imagined<FogOfWar>,
        leaves: &mut Leaves<E>,
        supposed: &Supposed<FogOfWar>,
        actions: &[Move],
        out: &mut Vec<(f64, bool)>,
    ) {
        let (board, past) = (supposed.state.board(), &supposed.memory);
        // Where the game may be drawn, I hope for no more than that.
        let capped = |value: f64| if game.me == Color::White { value.min(0.0) } else { value.max(0.0) };
        let values = leaves.after(board, actions);
        out.extend(actions.iter().zip(values).map(|(&m, value)| {
            let child = board.play(m);
            match won(&child) {
                Some(outcome) => (outcome.payoff(), true),
                None if past.drawn() || past.near() && past.next(&View::of(&child, game.me)).drawn() => {
                    (capped(value), false)
                }
                None => (value, false),
            }
        }));
    }

    fn glance(&self, view: &View, choices: &[Move], random: &mut Random) -> Move {
        greedy::glance(view, choices, random)
    }

    fn rebuild(&self, question: &Rebuild<'_, FogOfWar>, random: &mut Random) -> Vec<Board> {
        let Rebuild { view, own, believed, .. } = *question;
        let fits = |board: &Board| won(board).is_none() && View::of(board, view.player()) == *view;
        rebuild(&mender(view, own), believed, |i| &believed[i], fits, random)
    }
}

/// What a view says of every position that gives it. Positions that give exactly this view give the player exactly its
/// moves, since the view tells its own rights too.
fn mender(view: &View, own: Option<Move>) -> Mender {
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
        pieces: view.own_pieces(),
        side: view.side(),
        own,
        seen: Piece::ALL.into_iter().flat_map(men).collect(),
        free: !(view.lit() | filter.empty | way),
        occupied: filter.occupied,
        passed,
        captures_unseen: false,
    }
}
