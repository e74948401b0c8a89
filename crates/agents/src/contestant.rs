//! Whoever plays Fog of War under an umpire, and the opponents that a player is measured against.
//!
//! [`Thinker`] is the player herself at a board. [`RandomMover`] and [`Fleeing`] are yardsticks: losing to the first
//! is a fault, and winning against the second shows that a won endgame is won in the dark, for it sees everything.

use scuro_core::Random;
use scuro_games::chess::{Board, Color, Move, Piece, Square};
use scuro_games::fog::{FogOfWar, View};
use scuro_games::umpire::{Refusal, Umpire};
use scuro_search::agent::{Budget, Thought};

use crate::player::FogPlayer;

/// One side of a game of Fog of War.
pub trait Contestant {
    /// It sees this after a ply that did not end the game; `own` is its move, if the ply was its own.
    fn see(&mut self, own: Option<Move>, view: &View);

    /// The true position at its turn: for those who by definition see the whole board.
    fn shown(&mut self, _truth: &Board) {}

    /// Its choice among its moves, of which there is at least one.
    fn choose(&mut self, moves: &[Move], budget: Budget) -> Move;
}

/// One ply: the side to move chooses, the umpire plays, and both see what came of it. White is the first of the two.
///
/// # Errors
/// If the game is over, or the umpire refuses the move.
pub fn ply(
    umpire: &mut Umpire<FogOfWar>,
    contestants: [&mut dyn Contestant; 2],
    budget: Budget,
) -> Result<Move, Refusal> {
    if let Some(outcome) = umpire.outcome() {
        return Err(Refusal::Over(outcome));
    }
    let side = umpire.state().board().side();
    let mover = &mut *contestants[side as usize];
    mover.shown(umpire.state().board());
    let m = mover.choose(&umpire.choices(), budget);
    umpire.play(side, m)?;
    if umpire.outcome().is_none() {
        for (color, contestant) in Color::ALL.into_iter().zip(contestants) {
            contestant.see((color == side).then_some(m), &umpire.view(color));
        }
    }
    Ok(m)
}

/// The player of Fog of War at a board: plays what she thinks, mixed by random numbers of her own.
pub struct Thinker {
    player: FogPlayer,
    random: Random,
    thought: Option<Thought<Move>>,
    contradictions: usize,
}

impl Thinker {
    /// Lets a player at the start of a game play it.
    pub fn new(player: FogPlayer, seed: u64) -> Thinker {
        Thinker { player, random: Random::new(seed), thought: None, contradictions: 0 }
    }

    /// The player.
    pub fn player(&self) -> &FogPlayer {
        &self.player
    }

    /// What she thought at her last turn, if anything.
    pub fn thought(&self) -> Option<&Thought<Move>> {
        self.thought.as_ref()
    }

    /// How often nothing fitted what she saw.
    pub fn contradictions(&self) -> usize {
        self.contradictions
    }
}

impl Contestant for Thinker {
    fn see(&mut self, own: Option<Move>, view: &View) {
        self.contradictions += usize::from(self.player.see(own, view).is_err());
    }

    /// A move at random if she has no thought, or none about these moves.
    fn choose(&mut self, moves: &[Move], budget: Budget) -> Move {
        self.thought = self.player.think(budget);
        let candidates = self.thought.iter().flat_map(|thought| &thought.candidates);
        let open: Vec<_> =
            candidates.filter(|each| each.played > 0.0 && moves.contains(&each.action)).collect();
        let mut rest = self.random.unit() * open.iter().map(|each| each.played).sum::<f64>();
        let drawn = open.iter().find(|each| {
            rest -= each.played;
            rest < 0.0
        });
        drawn.or(open.last()).map_or_else(|| moves[self.random.below(moves.len())], |each| each.action)
    }
}

/// Plays any move, all alike.
#[derive(Clone, Debug)]
pub struct RandomMover(Random);

impl RandomMover {
    /// With these random numbers.
    #[must_use]
    pub fn new(seed: u64) -> RandomMover {
        RandomMover(Random::new(seed))
    }
}

impl Contestant for RandomMover {
    fn see(&mut self, _: Option<Move>, _: &View) {}

    fn choose(&mut self, moves: &[Move], _: Budget) -> Move {
        moves[self.0.below(moves.len())]
    }
}

/// A defender who sees the whole board and keeps its king out of reach.
///
/// It takes a king if it can. Else the best move is, in this order, one after which its own king cannot be taken; one
/// that wins most men, less what it leaves to be taken; one after which it keeps most safe moves whatever they do; one
/// that has its king nearest to the centre. Random numbers break ties.
#[derive(Clone, Debug)]
pub struct Fleeing {
    truth: Board,
    random: Random,
}

impl Fleeing {
    /// At a first position, with these random numbers.
    #[must_use]
    pub fn new(start: Board, seed: u64) -> Fleeing {
        Fleeing { truth: start, random: Random::new(seed) }
    }
}

impl Contestant for Fleeing {
    fn see(&mut self, _: Option<Move>, _: &View) {}

    fn shown(&mut self, truth: &Board) {
        self.truth = *truth;
    }

    fn choose(&mut self, moves: &[Move], _: Budget) -> Move {
        let ranked: Vec<(Safety, Move)> = moves.iter().map(|&m| (Safety::of(&self.truth, m), m)).collect();
        let best = ranked.iter().map(|(safety, _)| *safety).max();
        let best: Vec<Move> =
            ranked.iter().filter(|(safety, _)| Some(*safety) == best).map(|(_, m)| *m).collect();
        best[self.random.below(best.len())]
    }
}

/// How well a move keeps out of reach; what counts most comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Safety {
    /// Whether it takes the king.
    wins: bool,
    /// Whether the own king cannot be taken after it.
    safe: bool,
    /// What it takes and makes, less the most valuable loss that it allows.
    men: i32,
    /// Safe moves left after their best answer.
    replies: usize,
    /// How near to the centre the king is.
    central: i32,
}

impl Safety {
    fn of(board: &Board, m: Move) -> Safety {
        let me = board.side();
        let after = board.play(m);
        let taken = board.captured_by(m).map(|(_, piece)| piece);
        let made = m.promotion().map_or(0, |piece| worth(piece) - worth(Piece::Pawn));
        let mut theirs = Vec::new();
        after.pseudo_legal(&mut theirs);
        Safety {
            wins: taken == Some(Piece::King),
            safe: !after.in_check(me),
            men: taken.map_or(0, worth) + made - exposed(&after, me),
            replies: theirs.iter().map(|&answer| replies(&after.play(answer))).min().unwrap_or(MANY),
            central: after.king(me).map_or(0, central),
        }
    }
}

/// More safe moves than anybody has.
const MANY: usize = 1_000;

/// How many moves the side to move has that leave its king out of reach; [`MANY`] if it can take a king.
fn replies(board: &Board) -> usize {
    let mut moves = Vec::new();
    board.pseudo_legal(&mut moves);
    let takes = |m: &Move| board.captured_by(*m).is_some_and(|(_, piece)| piece == Piece::King);
    if board.king(board.side()).is_none() {
        0
    } else if moves.iter().any(takes) {
        MANY
    } else {
        moves.iter().filter(|&&m| !board.play(m).in_check(board.side())).count()
    }
}

/// The most that the other side wins by one capture, less its capturer if that can be taken back.
fn exposed(board: &Board, me: Color) -> i32 {
    let loss = |square: Square| {
        let attackers = board.attackers(square, !me).into_iter();
        let cheapest = attackers.map(|from| worth(board.piece_there(from))).min();
        let back = if board.attacked(square, me) { cheapest } else { Some(0) };
        cheapest.and(back).map_or(0, |back| worth(board.piece_there(square)) - back)
    };
    let men = board.colors(me) & !board.pieces(Piece::King);
    men.into_iter().map(loss).max().unwrap_or(0).max(0)
}

/// What a man is worth in pawns.
pub(crate) fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 100,
    }
}

/// How near to the centre a square is, at most 0.
fn central(square: Square) -> i32 {
    let aside = |index: i32| (2 * index - 7).abs() / 2;
    -aside(square.file() as i32) - aside(square.rank() as i32)
}

#[cfg(test)]
mod tests {
    use scuro_games::outcome::Reason;

    use super::*;
    use crate::name::{Eval, Obscuro};

    fn moves(board: &Board) -> Vec<Move> {
        let mut moves = Vec::new();
        board.pseudo_legal(&mut moves);
        moves
    }

    /// Every move that it may choose, over many seeds.
    fn fled(fen: &str) -> Vec<String> {
        let board: Board = fen.parse().unwrap();
        let mut chosen: Vec<String> = (0..40)
            .map(|seed| Fleeing::new(board, seed).choose(&moves(&board), Budget::Nodes(1)).to_string())
            .collect();
        chosen.sort();
        chosen.dedup();
        chosen
    }

    #[test]
    fn fleeing_runs_by_its_rules_in_their_order() {
        for (fen, chosen) in [
            // Takes the king, though the queen hangs too.
            ("8/8/8/8/8/1QK5/2k5/8 b - - 0 1", vec!["c2c3"]),
            // Takes an undefended queen, not a defended one.
            ("8/8/8/8/8/8/3kQ3/7K b - - 0 1", vec!["d2e2"]),
            ("8/8/8/8/8/8/3k4/3RQ1K1 b - - 0 1", vec!["d2c2"]),
            ("8/8/8/8/8/k7/1Q6/2K5 b - - 0 1", vec!["a3a4"]),
            // Of the ways out of check the one to the centre.
            ("R7/8/8/8/8/8/k7/6K1 b - - 0 1", vec!["a2b3"]),
            // Every square is attacked, and it must move.
            ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", vec!["a8b7"]),
            // With more men: a rook that hangs goes where it is safe, or takes.
            ("4k3/8/8/8/8/1B6/8/r3R1K1 b - - 0 1", vec!["a1e1"]),
            ("7k/pp6/1P6/8/8/8/8/7K b - - 0 1", vec!["a7b6"]),
        ] {
            assert_eq!(fled(fen), chosen, "{fen}");
        }
    }

    #[test]
    fn random_moves_are_any_move_and_replay_with_their_seed() {
        let moves = moves(&Board::start());
        let draw = |seed| {
            let mut mover = RandomMover::new(seed);
            (0..400).map(|_| mover.choose(&moves, Budget::Nodes(1))).collect::<Vec<Move>>()
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
        assert!(moves.iter().all(|m| draw(3).contains(m)));
    }

    fn thinker(start: Board, color: Color) -> Thinker {
        let name = Obscuro { eval: Eval::Simple, ..Obscuro::default() };
        Thinker::new(FogPlayer::new(start, color, &name, Some(1)).unwrap(), 1)
    }

    #[test]
    fn a_thinker_takes_the_king_and_the_game_is_over() {
        let start: Board = "4k3/8/8/8/8/8/8/K3R3 w - - 0 1".parse().unwrap();
        let mut umpire = Umpire::new(FogOfWar { start });
        let (mut white, mut black) = (thinker(start, Color::White), RandomMover::new(1));
        let mut turn = || ply(&mut umpire, [&mut white, &mut black], Budget::Nodes(300));
        assert_eq!(turn().map(|m| m.to_string()), Ok("e1e8".to_owned()));
        assert!(matches!(turn(), Err(Refusal::Over(outcome)) if outcome.reason == Reason::KingCaptured));
    }

    #[test]
    fn thinkers_follow_a_game_by_their_views() {
        let start = Board::start();
        let mut umpire = Umpire::new(FogOfWar { start });
        let [mut white, mut black] = Color::ALL.map(|color| thinker(start, color));
        for _ in 0..6 {
            ply(&mut umpire, [&mut white, &mut black], Budget::Nodes(300)).unwrap();
        }
        let truth = umpire.state().board().without_counters();
        for thinker in [white, black] {
            assert!(thinker.player().belief().positions().contains(&truth));
            assert_eq!(thinker.contradictions(), 0);
            assert!(thinker.thought().is_some_and(|thought| thought.nodes >= 300));
        }
    }
}
