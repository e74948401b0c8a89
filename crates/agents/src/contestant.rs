//! Whoever plays under an umpire, and the opponents that a player is measured against.
//!
//! [`Thinker`] is the player of Fog of War at a board. [`RandomMover`] and [`Fleeing`] are yardsticks: losing to the
//! first is a fault, and winning against the second shows that a won endgame is won in the dark, for it sees everything.

use std::time::Duration;

use scuro_core::Random;
use scuro_games::chess::{Board, Color, Move, Piece, Square};
use scuro_games::fog::{FogOfWar, FogState, View};
use scuro_games::outcome::Outcome;
use scuro_games::umpire::{Refusal, Umpire, Umpired};
use scuro_search::agent::{Budget, Thought};
use thiserror::Error;

use crate::player::FogPlayer;
use crate::watch::sample;

/// One side of a game under an umpire.
pub trait Contestant<G: Umpired> {
    /// It sees this after a ply that did not end the game and of which it is shown something; `own` is its action, if
    /// the ply was its own.
    fn see(&mut self, own: Option<G::Action>, view: &G::View);

    /// The true state at its turn: for those who by definition see the whole board.
    fn shown(&mut self, _truth: &G::State) {}

    /// Its choice among what it may do, of which there is at least one.
    ///
    /// # Errors
    /// If it makes none: only another program can fail.
    fn choose(&mut self, choices: &[G::Action], allowance: Allowance) -> Result<G::Action, Fault>;

    /// What it can tell of its last choice.
    fn notes(&self) -> Notes {
        Notes::default()
    }

    /// The game is over.
    fn over(&mut self, _outcome: Outcome) {}
}

/// What a choice may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// So much time.
    Time(Duration),
    /// So many nodes.
    Nodes(usize),
    /// What White and Black have left on their clocks, and what a move adds.
    Clock {
        /// White, Black; `None` for a side whose time is not kept by a clock.
        left: [Option<Duration>; 2],
        /// White, Black, for every move.
        increment: [Duration; 2],
    },
}

impl Allowance {
    /// What `color` spends of it now: no time if there are clocks and it has none.
    #[must_use]
    pub fn budget(self, color: Color) -> Budget {
        match self {
            Allowance::Time(time) => Budget::Time(time),
            Allowance::Nodes(nodes) => Budget::Nodes(nodes),
            Allowance::Clock { left, increment } => {
                Budget::of_clock(left[color as usize].unwrap_or_default(), increment[color as usize])
            }
        }
    }
}

/// How a contestant fails to choose.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// There is no such program.
    #[error("{0}")]
    Missing(String),
    /// It does not speak the dialect, or does not play the game.
    #[error("{0}")]
    Foreign(String),
    /// It has ended, or closed its pipe.
    #[error("{0}")]
    Gone(String),
    /// It gave no answer in time.
    #[error("no answer in time")]
    Silent,
    /// It said what cannot be understood.
    #[error("it said '{0}'")]
    Nonsense(String),
}

/// What a contestant can tell of its last choice, for statistics and comments; nothing by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// What it expects, to itself.
    pub value: Option<f64>,
    /// How many positions it holds possible.
    pub belief: Option<usize>,
    /// Nodes of its tree.
    pub nodes: Option<usize>,
    /// Plies of its longest line.
    pub depth: Option<usize>,
    /// Rounds of deepening that it completed, if it deepens in rounds.
    pub rounds: Option<usize>,
    /// Whether Resolve was in use, if it has such a thing.
    pub resolving: Option<bool>,
    /// How play may go on, in UCI.
    pub line: Vec<String>,
}

/// Why there was no ply.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Foul {
    /// The side to move did not choose.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The umpire refuses what it chose.
    #[error(transparent)]
    Refusal(#[from] Refusal),
}

/// One ply: the side to move chooses, the umpire plays, and both see what came of it. White is the first of the two.
///
/// # Errors
/// If the game is over, nothing is chosen, or the umpire refuses it.
pub fn ply<G: Umpired>(
    umpire: &mut Umpire<G>,
    contestants: [&mut dyn Contestant<G>; 2],
    allowance: Allowance,
) -> Result<G::Action, Foul> {
    let Some(side) = umpire.turn() else {
        return Err(umpire.outcome().map_or(Refusal::Action("nothing".to_owned()), Refusal::Over).into());
    };
    let mover = &mut *contestants[side as usize];
    mover.shown(umpire.state());
    let action = mover.choose(&umpire.choices(), allowance)?;
    umpire.play(side, action)?;
    tell(umpire, side, action, contestants);
    Ok(action)
}

/// Lets both see what came of an action of `side` that the umpire has just taken.
pub fn tell<G: Umpired>(
    umpire: &Umpire<G>,
    side: Color,
    action: G::Action,
    contestants: [&mut dyn Contestant<G>; 2],
) {
    for (color, contestant) in Color::ALL.into_iter().zip(contestants) {
        match umpire.outcome() {
            Some(outcome) => contestant.over(outcome),
            None if color == side => contestant.see(Some(action), &umpire.view(color)),
            None if umpire.shows(color) => contestant.see(None, &umpire.view(color)),
            None => {}
        }
    }
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

impl Contestant<FogOfWar> for Thinker {
    fn see(&mut self, own: Option<Move>, view: &View) {
        self.contradictions += usize::from(self.player.see(own, view).is_err());
    }

    /// A move at random if she has no thought, or none about these moves.
    fn choose(&mut self, moves: &[Move], allowance: Allowance) -> Result<Move, Fault> {
        self.thought = self.player.think(allowance.budget(self.player.color()));
        // There is at least one move.
        Ok(drawn(self.thought.as_ref(), moves, &mut self.random).unwrap_or(moves[0]))
    }

    fn notes(&self) -> Notes {
        let Some(thought) = &self.thought else { return Notes::default() };
        let best = thought.candidates.iter().rev().max_by(|a, b| a.played.total_cmp(&b.played));
        Notes {
            value: Some(thought.value),
            belief: Some(self.player.belief().positions().len()),
            nodes: Some(thought.nodes),
            depth: Some(thought.depth),
            rounds: None,
            resolving: Some(thought.pmax > 0.0),
            line: best.map_or(Vec::new(), |best| best.line.iter().map(Move::to_string).collect()),
        }
    }
}

/// One of `moves` as it is played by a thought; any of them if she has none, or none about these moves.
pub(crate) fn drawn(thought: Option<&Thought<Move>>, moves: &[Move], random: &mut Random) -> Option<Move> {
    let candidates = thought.iter().flat_map(|thought| &thought.candidates);
    let strategy: Vec<(Move, f64)> = candidates.map(|each| (each.action, each.played)).collect();
    (!moves.is_empty()).then(|| sample(&strategy, moves, random))
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

impl<G: Umpired> Contestant<G> for RandomMover {
    fn see(&mut self, _: Option<G::Action>, _: &G::View) {}

    fn choose(&mut self, choices: &[G::Action], _: Allowance) -> Result<G::Action, Fault> {
        Ok(choices[self.0.below(choices.len())])
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

impl Contestant<FogOfWar> for Fleeing {
    fn see(&mut self, _: Option<Move>, _: &View) {}

    fn shown(&mut self, truth: &FogState) {
        self.truth = *truth.board();
    }

    fn choose(&mut self, moves: &[Move], _: Allowance) -> Result<Move, Fault> {
        let ranked: Vec<(Safety, Move)> = moves.iter().map(|&m| (Safety::of(&self.truth, m), m)).collect();
        let best = ranked.iter().map(|(safety, _)| *safety).max();
        let best: Vec<Move> =
            ranked.iter().filter(|(safety, _)| Some(*safety) == best).map(|(_, m)| *m).collect();
        Ok(best[self.random.below(best.len())])
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
            .map(|seed| {
                let mut fleeing = Fleeing::new(board, seed);
                fleeing.choose(&moves(&board), Allowance::Nodes(1)).unwrap().to_string()
            })
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
            let mut choose =
                || Contestant::<FogOfWar>::choose(&mut mover, &moves, Allowance::Nodes(1)).unwrap();
            (0..400).map(|_| choose()).collect::<Vec<Move>>()
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
        let mut turn = || ply(&mut umpire, [&mut white, &mut black], Allowance::Nodes(300));
        assert_eq!(turn().map(|m| m.to_string()), Ok("e1e8".to_owned()));
        assert!(
            matches!(turn(), Err(Foul::Refusal(Refusal::Over(outcome))) if outcome.reason == Reason::KingCaptured)
        );
    }

    #[test]
    fn thinkers_follow_a_game_by_their_views() {
        let start = Board::start();
        let mut umpire = Umpire::new(FogOfWar { start });
        let [mut white, mut black] = Color::ALL.map(|color| thinker(start, color));
        for _ in 0..6 {
            ply(&mut umpire, [&mut white, &mut black], Allowance::Nodes(300)).unwrap();
        }
        let truth = umpire.state().board().without_counters();
        for thinker in [white, black] {
            assert!(thinker.player().belief().positions().contains(&truth));
            assert_eq!(thinker.contradictions(), 0);
            assert!(thinker.thought().is_some_and(|thought| thought.nodes >= 300));
        }
    }
}
