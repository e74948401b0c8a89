//! Kriegspiel for the player: what a try is worth, and positions that are invented; [`endings`] that are won for certain; and
//! the game's own players.

pub(crate) mod bench;
pub mod darkboard;
pub mod endings;
pub(crate) mod lone;
pub mod mcts;
pub mod name;
pub mod particles;
pub mod replies;
pub mod samplers;
pub mod semi;
pub mod shell;

use scuro_core::{Game, Random};
use scuro_eval::Rules;
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, Square};
use scuro_games::kriegspiel::{
    Announcement, Answer, Kriegspiel, KriegspielState, KriegspielView, Position, Question, Ruleset, Told, Try,
};
use scuro_games::outcome::Outcome;

use crate::opponent::Habits;
use crate::player::rebuild::{Mender, rebuild};
use crate::player::{Imagined, Leaves, Moment, Playable, Rebuild, Supposed};

/// The number of positions of a belief that tell which tries may be legal.
const LOOKED_AT: usize = 2_000;

/// How much less than the best move a refused try is worth that is not looked into.
const VAIN: f64 = 0.1;

/// What is worth trying at a turn.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    /// The tries that are legal in some position that may be; none if that is not known.
    tries: Vec<Try>,
    /// How many tries were refused in this turn.
    refused: usize,
}

impl Playable for Kriegspiel {
    type Memory = Moment;
    type Focus = Focus;

    const POSITIONS: usize = 50_000;

    const FEW_POSITIONS: usize = 4_000;

    /// `scuro belief fit results/beliefs/fit-kriegspiel results/matches/belief-kriegspiel --test results/beliefs/kriegspiel`:
    /// 2.69 nats a move, the table 2.41, uniform play 3.02.
    const HABITS: Habits = Habits { temperature: 0.028, mix: 0.51 };

    /// Values assume that the opponent sees what it takes; the table knows better.
    const CAREFUL: usize = 0;

    const TELLS_CAPTURES: bool = true;

    fn each_reply(&self, position: &Position, visit: impl FnMut(Piece, Move)) {
        position.each_move(visit);
    }

    fn reply(action: Try) -> Option<Option<Move>> {
        if let Try::Move(m) = action { Some(Some(m)) } else { None }
    }

    fn captured(told: &Told) -> Option<Option<Square>> {
        let Told::Made(Announcement { capture, .. }) = told else { return None };
        Some(capture.map(|capture| capture.square))
    }

    fn value_rules(&self) -> Rules {
        Rules::Kriegspiel(self.ruleset)
    }

    fn unlimited(&self) -> Kriegspiel {
        *self
    }

    fn supposed(&self, view: &KriegspielView, position: &Position) -> KriegspielState {
        KriegspielState::supposed(view, *position.board())
    }

    fn first_memory(&self, _: Color) -> Moment {
        Moment::Now
    }

    /// A turn ends when a move is made.
    fn next_memory(memory: &Moment, _: u16, told: &Told) -> Moment {
        if let Told::Made(_) = told { Moment::Ahead } else { *memory }
    }

    fn settle_memory(memory: &mut Moment) -> bool {
        *memory = Moment::Now;
        false
    }

    fn focus(&self, view: &KriegspielView, positions: &[Position]) -> Focus {
        let mut open = Vec::new();
        view.offered(&mut open);
        let mut tries = Vec::new();
        for position in positions.iter().take(LOOKED_AT) {
            if open.is_empty() {
                break;
            }
            let state = KriegspielState::supposed(view, *position.board());
            let legal = |attempt: &Try| if let Try::Move(m) = attempt { state.is_legal(*m) } else { true };
            tries.extend(open.extract_if(.., |attempt| legal(attempt)));
        }
        Focus { tries, refused: view.refused.len() }
    }

    fn is_worthwhile(focus: &Focus, attempt: Try) -> bool {
        focus.tries.is_empty() || focus.tries.contains(&attempt)
    }

    /// All tries that the side's own information leaves open, but for those that cannot answer an announced check.
    fn considered(&self, _: &Imagined<Kriegspiel>, supposed: &Supposed<Kriegspiel>, out: &mut Vec<Try>) {
        let (state, first) = (&supposed.state, out.len());
        self.actions(state, out);
        let vain = |attempt: &Try| if let Try::Move(m) = attempt { !state.may_end_checks(*m) } else { false };
        if !out[first..].iter().all(vain) {
            out.extract_if(first.., |attempt| vain(attempt)).for_each(drop);
        }
    }

    /// A move that is made is worth what it leads to. A refused try and a question change nothing: at first they seem worth
    /// as much as the best move there. The first refused try of a turn is looked into; those after it end the line, since
    /// a turn may have as many as there are tries, and cost a little: else whoever tries in vain would gain the time
    /// that a move costs.
    fn children<E: Evaluator>(
        &self,
        game: &Imagined<Kriegspiel>,
        leaves: &mut Leaves<E>,
        supposed: &Supposed<Kriegspiel>,
        actions: &[Try],
        out: &mut Vec<(f64, bool)>,
    ) {
        let state = &supposed.state;
        let made = |&action: &Try| match (action, state.attempt(action).0) {
            (Try::Move(m), Answer::Made(announcement)) => Some((m, announcement.end)),
            _ => None,
        };
        let made: Vec<Option<(Move, Option<Outcome>)>> = actions.iter().map(made).collect();
        let moves: Vec<Move> =
            made.iter().flatten().filter(|(_, end)| end.is_none()).map(|(m, _)| *m).collect();
        let mut values = leaves.after(state.board(), &moves);
        let first = out.len();
        out.extend(made.iter().map(|made| match made {
            Some((_, Some(outcome))) => (outcome.payoff(), true),
            Some((_, None)) => (values.next().unwrap_or_default(), false),
            None => (f64::NAN, false),
        }));
        drop(values);
        let sign = if state.board().side() == Color::White { 1.0 } else { -1.0 };
        let best = made.iter().zip(&out[first..]).filter(|(made, _)| made.is_some());
        let best = best.map(|(_, (value, _))| sign * value).max_by(f64::total_cmp);
        let best = best.unwrap_or_else(|| sign * leaves.value(state.board()));
        let now = supposed.memory == Moment::Now;
        let mine = state.board().side() == game.me;
        let before = if now && mine { game.focus.refused } else { 0 };
        for (child, &attempt) in out[first..].iter_mut().zip(actions).filter(|(child, _)| child.0.is_nan()) {
            let vain = mine && now && !Kriegspiel::is_worthwhile(&game.focus, attempt);
            // Where the last try of a turn is refused nothing is left: such a position was wrongly believed.
            let looked_into = !vain && actions.len() > 1 && state.refused().len() <= before;
            let value = if looked_into { best } else { (best - VAIN).max(-1.0) };
            *child = (sign * value, !looked_into);
        }
    }

    fn rebuild(&self, question: &Rebuild<'_, Kriegspiel>, random: &mut Random) -> Vec<Position> {
        let Rebuild { view, own, told, believed } = *question;
        let mender = mender(view, own, told);
        let boards = |i: usize| believed[i].board();
        let mut found = rebuild(&mender, believed, boards, |board| fits(view, board), random);
        if found.is_empty() {
            // Something has to give: what was said of pawns and checks.
            found = rebuild(&mender, believed, boards, |board| is_possible(self.ruleset, board), random);
        }
        let position = |board: Board| Position::of(&KriegspielState::supposed(view, board));
        found.into_iter().map(position).collect()
    }
}

/// Whether all that was said in this turn fits a board, but for a capture.
pub(crate) fn fits(view: &KriegspielView, board: &Board) -> bool {
    let (state, said) = (KriegspielState::new(view.ruleset, *board), view.announcement);
    let now = state.announcement();
    let same = now.checks == said.checks && now.tries == said.tries && now.end.is_none();
    let answered = match view.question {
        Question::Unasked => true,
        Question::Denied => state.pawn_captures().is_empty(),
        Question::Obliged | Question::Free => !state.pawn_captures().is_empty(),
    };
    !king_hangs(board) && same && answered && view.refused.iter().all(|&m| !state.is_legal(m))
}

/// Whether the game may be under way on a board.
pub(crate) fn is_possible(ruleset: Ruleset, board: &Board) -> bool {
    !king_hangs(board) && KriegspielState::new(ruleset, *board).outcome().is_none()
}

fn king_hangs(board: &Board) -> bool {
    board.in_check(!board.side())
}

/// What is certain: the own pieces, and that a piece of theirs stands where it has just captured.
fn mender(view: &KriegspielView, own: Option<Try>, told: &Told) -> Mender {
    let captured = match (own, told) {
        (None, Told::Made(Announcement { capture: Some(capture), .. })) => Some(capture.square),
        _ => None,
    };
    let own = match (own, told) {
        (Some(Try::Move(m)), Told::Made(_)) => Some(m),
        _ => None,
    };
    Mender {
        pieces: view.pieces,
        side: view.announcement.next,
        own,
        seen: Vec::new(),
        free: !view.pieces.all(),
        occupied: captured.map_or(BitBoard::EMPTY, |square| square.bitboard()) & !view.pieces.all(),
        passed: None,
        captures_unseen: true,
    }
}

#[cfg(test)]
mod tests {
    use scuro_games::umpire::Umpire;

    use super::*;
    use crate::name::Eval;
    use crate::player::Player;

    /// Who believed in a bare king and lost its own last piece, while the game goes on, believes in one more piece.
    #[test]
    fn there_is_one_more_piece_if_the_game_goes_on() {
        let start: Board = "8/p7/8/8/8/6k1/3K3R/8 b - - 0 1".parse().unwrap();
        let game = Kriegspiel { start, ..Kriegspiel::default() };
        let mut umpire = Umpire::new(game);
        umpire.play(Color::Black, Try::Move("g3h2".parse().unwrap())).unwrap();
        let bare: Board = "8/8/8/8/8/6k1/3K3R/8 b - - 0 1".parse().unwrap();
        let believed = [Position::of(&KriegspielState::new(game.ruleset, bare))];
        let (view, told) = (umpire.seat(Color::White).view(), umpire.told(Color::White).unwrap());
        let question = Rebuild { view, own: None, told, believed: &believed };
        let found = game.rebuild(&question, &mut Random::new(1));
        assert!(!found.is_empty());
        assert!(found.iter().all(|position| position.board().occupied().len() == 3));
    }

    /// A belief that is a sample may hold positions in which no try is left that is legal. Once there, the line ends.
    #[test]
    fn the_last_try_of_a_turn_is_not_looked_into() {
        let start: Board = "1r5k/8/8/8/8/8/8/K7 w - - 0 1".parse().unwrap();
        let game = Kriegspiel { start, ..Kriegspiel::default() };
        let name = crate::name::Obscuro { eval: Eval::Simple, ..Default::default() };
        let mut player = Player::new(game, Color::White, &name, Some(1)).unwrap();
        let mut umpire = Umpire::new(game);
        for word in ["a1b1", "a1b2"] {
            let attempt = Try::Move(word.parse().unwrap());
            umpire.play(Color::White, attempt).unwrap();
            player.see(Some(attempt), umpire.told(Color::White).unwrap()).unwrap();
        }
        // Here a1b1 would have been legal, and what is left is not.
        let wrong: Board = "7k/8/8/8/8/8/7r/K7 w - - 0 1".parse().unwrap();
        let state = KriegspielState::supposed(player.seat().view(), wrong);
        let supposed = Supposed { state, memory: Moment::Now };
        let imagined = player.believer().game().clone();
        let (mut actions, mut children) = (Vec::new(), Vec::new());
        game.considered(&imagined, &supposed, &mut actions);
        assert_eq!(actions, [Try::Move("a1a2".parse().unwrap())]);
        let mut leaves = Leaves::new(Eval::Simple.evaluators(1, game.value_rules()).unwrap().remove(0));
        game.children(&imagined, &mut leaves, &supposed, &actions, &mut children);
        assert!(children.len() == 1 && children[0].1, "{children:?}");
    }
}
