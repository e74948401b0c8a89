//! The player of the paper, for any game in the dark: told what its side is told, and nothing else.
//!
//! [`Playable`] is what differs from game to game; [`Believer`] keeps what the player knows, [`Imagined`] is the game as
//! it is searched, [`mod@rebuild`] invents positions when nothing fits, [`whereabouts`] is where pieces may stand.

pub mod believer;
pub mod imagined;
pub mod rebuild;
pub mod whereabouts;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use scuro_core::Random;
use scuro_eval::Rules;
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Color, Move, Piece, Square};
use scuro_games::dark::DarkGame;
use scuro_games::player_of;
use scuro_games::seat::{Heard, Seat};
use scuro_games::umpire::Impossible;
use scuro_search::agent::{Agent, ProgressSink, Thought};
use scuro_search::agent::{Budget, Opening, Settings};
use scuro_search::belief::Belief;
use scuro_search::subgame::Subgame;

pub use self::believer::{Believer, Seen};
pub use self::imagined::{Imagined, Leaves, Supposed};
pub use self::whereabouts::Whereabouts;
use crate::contestant::{Allowance, Contestant, Fault, Notes};
use crate::name::{Believing, EvalError, Obscuro};
use crate::opponent::Habits;

/// What the player has to know of a game beyond its rules.
pub trait Playable: DarkGame<Position: std::fmt::Debug> {
    /// What the player remembers of its past that bears on values.
    type Memory: Clone + Send + Sync + std::fmt::Debug;

    /// Which actions are worth considering at a turn.
    type Focus: Clone + Default + Send + Sync + std::fmt::Debug;

    /// How many positions a belief keeps unless its player is told otherwise.
    const POSITIONS: usize;

    /// A belief of so many positions takes hardly any time: however short the time, no fewer are kept.
    const FEW_POSITIONS: usize;

    /// From which belief positions are drawn unless the player is told otherwise.
    const BELIEVING: Believing = Believing::Weighted;

    /// How the opponent is supposed to play.
    const HABITS: Habits;

    /// At most so many of the heaviest positions are weighed with care.
    const CAREFUL: usize = 20_000;

    /// Whether a side may make no move.
    const MAY_PASS: bool = false;

    /// Whether both sides are told where a capture was made.
    const TELLS_CAPTURES: bool = false;

    /// Calls `visit` with every move that the side to move can make at a position.
    fn each_reply(&self, position: &Self::Position, visit: impl FnMut(Piece, Move));

    /// The move that an action of the opponent is, `Some(None)` if it makes none in its turn; `None` if it is no turn.
    fn reply(action: Self::Action) -> Option<Option<Move>>;

    /// The square of a capture that both sides were told of, `Some(None)` if a move took nothing; `None` if no move was
    /// made, or not both are told.
    fn captured(_told: &Self::Told) -> Option<Option<Square>> {
        None
    }

    /// The position at which the opponent answers an action of the player within the same step.
    fn answered(&self, position: &Self::Position, _own: Self::Action) -> Self::Position {
        *position
    }

    /// The rules under which positions are valued.
    fn value_rules(&self) -> Rules;

    /// The same rules without limits that count what a position of a belief does not know.
    #[must_use]
    fn unlimited(&self) -> Self;

    /// The state in which the owner of `view` would be if `position` were the true one.
    fn supposed(&self, view: &Self::View, position: &Self::Position) -> Self::State;

    /// What `color` remembers at the start.
    fn first_memory(&self, color: Color) -> Self::Memory;

    /// What a player remembers after so many plies, of which it is told this.
    fn next_memory(memory: &Self::Memory, plies: u16, told: &Self::Told) -> Self::Memory;

    /// The game is known to go on here. True if values that were found before must be dropped.
    fn settle_memory(_memory: &mut Self::Memory) -> bool {
        false
    }

    /// How many plies lie between two views.
    fn plies(&self, _before: &Self::View, _after: &Self::View, _own: Option<Self::Action>) -> u16 {
        1
    }

    /// What is worth considering at a turn at which these positions may be.
    fn focus(&self, _view: &Self::View, _positions: &[Self::Position]) -> Self::Focus {
        Self::Focus::default()
    }

    /// Appends the actions of the side to move that are worth considering. Like all actions they follow from what that
    /// side knows.
    fn considered(&self, _game: &Imagined<Self>, supposed: &Supposed<Self>, out: &mut Vec<Self::Action>) {
        self.actions(&supposed.state, out);
    }

    /// Whether an action is worth considering at the present turn, as far as `focus` tells.
    fn is_worthwhile(_focus: &Self::Focus, _action: Self::Action) -> bool {
        true
    }

    /// Appends for every action what its child is worth to White, and whether the game is over there.
    fn children<E: Evaluator>(
        &self,
        game: &Imagined<Self>,
        leaves: &mut Leaves<E>,
        supposed: &Supposed<Self>,
        actions: &[Self::Action],
        out: &mut Vec<(f64, bool)>,
    );

    /// What looks right at a glance among `choices`, of which there is at least one.
    fn glance(&self, _view: &Self::View, choices: &[Self::Action], random: &mut Random) -> Self::Action {
        choices[random.below(choices.len())]
    }

    /// Positions that fit what is told now, when none that was believed does. Empty only if none can be made up.
    fn rebuild(&self, question: &Rebuild<'_, Self>, random: &mut Random) -> Vec<Self::Position>;
}

/// Where a state stands in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// At the present turn: what is considered is chosen by the belief.
    Now,
    /// Later.
    Ahead,
}

/// What is known when positions have to be invented.
#[derive(Debug)]
pub struct Rebuild<'r, G: Playable> {
    /// What the player knows now.
    pub view: &'r G::View,
    /// Its last action, if the ply was its own.
    pub own: Option<G::Action>,
    /// What it was told.
    pub told: &'r G::Told,
    /// What it believed before.
    pub believed: &'r [G::Position],
}

/// The player.
pub struct Player<G: Playable> {
    believer: Believer<G>,
    agent: Agent<Imagined<G>>,
    evaluators: Vec<Leaves<Box<dyn Evaluator + Send>>>,
    /// At least so many positions are looked at, if there are that many.
    sample: usize,
    /// Memory for tree and belief together, in bytes.
    memory: usize,
    random: Random,
    thought: Option<Thought<G::Action>>,
}

impl<G: Playable> Player<G> {
    /// A player of `color` at the start of a game. With one thread growing and solving take turns; unless asked
    /// otherwise there is one a core, and no fewer than two.
    ///
    /// # Errors
    /// If the name asks for a network that is not there.
    pub fn new(
        rules: G,
        color: Color,
        name: &Obscuro,
        threads: Option<usize>,
    ) -> Result<Player<G>, EvalError> {
        let usual = if rules.first_board().side() == color { Opening::Root } else { Opening::Fresh };
        let settings = Settings { opening: name.opening.unwrap_or(usual), ..name.settings };
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let threads = name.growers.map(|growers| growers + 1).or(threads).unwrap_or(cores.max(2));
        let memory = name.hash << 20;
        let evaluators = name.eval.evaluators(threads, rules.value_rules())?;
        Ok(Player {
            believer: Believer::of(rules, color, name, threads),
            agent: Agent::new(player_of(color), settings),
            evaluators: evaluators.into_iter().map(Leaves::new).collect(),
            sample: name.sample,
            memory,
            random: Random::new(settings.seed),
            thought: None,
        })
    }

    /// What it was told, and what it may do.
    #[must_use]
    pub fn seat(&self) -> &Seat<G> {
        self.believer.seat()
    }

    /// The positions that it holds possible.
    #[must_use]
    pub fn belief(&self) -> &Belief<G::Position> {
        self.believer.belief()
    }

    /// Where the opponent's pieces may stand.
    #[must_use]
    pub fn whereabouts(&self) -> Whereabouts {
        let (belief, alike) = (self.belief(), 1.0 / self.belief().positions().len() as f64);
        let weight = |place| belief.weights().map_or(alike, |weights| weights[place]);
        let boards = belief.positions().iter().enumerate();
        Whereabouts::of(boards.map(|(place, position)| (G::board(position), weight(place))), !self.color())
    }

    /// What it knows, with its belief.
    #[must_use]
    pub fn believer(&self) -> &Believer<G> {
        &self.believer
    }

    /// Its colour.
    #[must_use]
    pub fn color(&self) -> Color {
        self.seat().color()
    }

    /// Its last thought, if it had one.
    #[must_use]
    pub fn thought(&self) -> Option<&Thought<G::Action>> {
        self.thought.as_ref()
    }

    /// The tree of its last thought.
    #[must_use]
    pub fn tree(&self) -> Option<&Subgame<Imagined<G>>> {
        self.agent.subgame()
    }

    /// Takes in what it is told after a ply; `own` is its action, if the ply was its own. If nothing that it believes
    /// fits, it believes what may be, and says so.
    ///
    /// # Errors
    /// If nobody can be told that now; nothing has changed then.
    pub fn see(&mut self, own: Option<G::Action>, told: &G::Told) -> Result<Seen, Impossible> {
        let before = self.believer.key();
        let seen = self.believer.see(own, told, |_| true, &mut self.evaluators)?;
        if let Some(action) = own {
            self.agent.play(before, action);
        }
        Ok(seen)
    }

    /// Takes in several steps, all or none of them. Unlike [`Player::see`], where it knows all that may be it does not
    /// believe what cannot be. Returns whether positions were invented.
    ///
    /// # Errors
    /// If nobody can be told that now, or no position fits that it believes and must not doubt; nothing has changed then.
    pub fn see_if_possible(&mut self, steps: &[Heard<G::Action, G::Told>]) -> Result<bool, Impossible> {
        // A single step that fails changes nothing by itself.
        let before = (steps.len() > 1).then(|| self.believer.clone());
        let (mut invented, mut played) = (false, Vec::new());
        for step in steps {
            let key = self.believer.key();
            match self.believer.see(step.own, &step.told, Belief::is_sample, &mut self.evaluators) {
                Ok(seen) => invented |= seen == Seen::Invented,
                Err(error) => {
                    before.into_iter().for_each(|before| self.believer = before);
                    return Err(error);
                }
            }
            played.extend(step.own.map(|action| (key, action)));
        }
        played.into_iter().for_each(|(key, action)| self.agent.play(key, action));
        Ok(invented)
    }

    /// Thoughts end soon after this becomes true. Whoever sets it clears it.
    pub fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.agent.stop_by(stop);
    }

    /// Tells somebody, or nobody any more, how thoughts go that take longer than a second.
    pub fn on_progress(&mut self, sink: Option<ProgressSink<G::Action>>) {
        self.agent.on_progress(sink);
    }

    /// Thinks at its turn. A budget of time counts what the belief took since its last thought.
    pub fn think(&mut self, budget: Budget) -> Option<&Thought<G::Action>> {
        let since = Instant::now();
        let budget = self.believer.budget(budget);
        self.make_room();
        self.believer.focus();
        let key = self.believer.key();
        let (believer, sample, evaluator) = (&mut self.believer, self.sample, &mut self.evaluators[0]);
        let game = believer.game().clone();
        self.agent.prepare(&game, key, |known: &[&Supposed<G>]| believer.fresh(known, sample, evaluator));
        self.thought = self.agent.search(&game, &mut self.evaluators, key, budget, since);
        self.thought.as_ref()
    }

    /// One of `choices`, as its last thought plays them. If it plays none that is worthwhile, the best of those; any if
    /// it has no thought about these.
    pub fn draw(&mut self, choices: &[G::Action]) -> Option<G::Action> {
        let focus = &self.believer.game().focus;
        let open = |action: &G::Action| choices.contains(action) && G::is_worthwhile(focus, *action);
        let candidates = self.thought.iter().flat_map(|thought| &thought.candidates);
        let candidates: Vec<_> = candidates.filter(|each| open(&each.action)).collect();
        if candidates.iter().all(|each| each.played <= 0.0) {
            let best = candidates.iter().rev().max_by(|a, b| a.value.total_cmp(&b.value));
            return best.map(|best| best.action).or_else(|| self.random.pick(choices).copied());
        }
        let strategy: Vec<(G::Action, f64)> =
            candidates.iter().map(|each| (each.action, each.played)).collect();
        Some(sample(&strategy, choices, &mut self.random))
    }

    /// Thinks on while the other side does, until told to stop.
    pub fn ponder(&mut self) {
        self.make_room();
        self.agent.ponder(&self.believer.game().clone(), &mut self.evaluators);
    }

    /// The tree may take what the belief leaves, but only half of it: at the next turn a new one is made beside it.
    fn make_room(&mut self) {
        let belief = 2 * size_of_val(self.believer.belief().positions());
        self.agent.limit_memory(self.memory.saturating_sub(belief) / 2);
    }
}

impl<G: Playable> Contestant<G> for Player<G> {
    fn see(&mut self, own: Option<G::Action>, told: &G::Told) {
        // What nobody can be told changes nothing.
        let _ = Player::see(self, own, told);
    }

    /// An action at random if it has no thought, or none about these.
    fn choose(&mut self, choices: &[G::Action], allowance: Allowance) -> Result<G::Action, Fault> {
        self.think(allowance.budget(self.color()));
        // There is at least one choice.
        Ok(self.draw(choices).unwrap_or(choices[0]))
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        Player::stop_by(self, stop);
    }

    fn whereabouts(&self) -> Option<Whereabouts> {
        Some(Player::whereabouts(self))
    }

    fn notes(&self) -> Notes {
        let Some(thought) = &self.thought else { return Notes::default() };
        let best = thought.candidates.iter().rev().max_by(|a, b| a.played.total_cmp(&b.played));
        Notes {
            value: Some(thought.value),
            belief: Some(self.belief().positions().len()),
            nodes: Some(thought.nodes),
            depth: Some(thought.depth),
            rounds: None,
            resolving: Some(thought.pmax > 0.0),
            line: best.map_or(Vec::new(), |best| {
                best.line.iter().map(|&action| G::ply(action).to_string()).collect()
            }),
        }
    }
}

/// One of these choices, as likely as `strategy` says; any of them if it says nothing of them.
pub(crate) fn sample<A: Copy + PartialEq>(strategy: &[(A, f64)], choices: &[A], random: &mut Random) -> A {
    let open: Vec<&(A, f64)> = strategy.iter().filter(|(a, p)| *p > 0.0 && choices.contains(a)).collect();
    let mut rest = random.unit() * open.iter().map(|(_, p)| p).sum::<f64>();
    let drawn = open.iter().find(|(_, p)| {
        rest -= p;
        rest < 0.0
    });
    drawn.or(open.last()).map_or_else(|| choices[random.below(choices.len())], |(action, _)| *action)
}

#[cfg(test)]
mod tests {
    use scuro_games::chess::Board;
    use scuro_games::fog::FogOfWar;
    use scuro_games::outcome::Reason;
    use scuro_games::umpire::{Refusal, Umpire};

    use super::*;
    use crate::name::Eval;
    use crate::play::{Foul, ply};
    use crate::rivals::random::RandomMover;

    fn player(start: Board, color: Color) -> Player<FogOfWar> {
        let name = Obscuro { eval: Eval::Simple, ..Obscuro::default() };
        Player::new(FogOfWar { start }, color, &name, Some(1)).unwrap()
    }

    #[test]
    fn a_player_takes_the_king_and_the_game_is_over() {
        let start: Board = "4k3/8/8/8/8/8/8/K3R3 w - - 0 1".parse().unwrap();
        let mut umpire = Umpire::new(FogOfWar { start });
        let (mut white, mut black) = (player(start, Color::White), RandomMover::new(1));
        let mut turn = || ply(&mut umpire, [&mut white, &mut black], Allowance::Nodes(300));
        assert_eq!(turn().map(|m| m.to_string()), Ok("e1e8".to_owned()));
        assert!(
            matches!(turn(), Err(Foul::Refusal(Refusal::Over(outcome))) if outcome.reason == Reason::KingCaptured)
        );
    }

    #[test]
    fn players_follow_a_game_by_what_they_are_told() {
        let start = Board::start();
        let mut umpire = Umpire::new(FogOfWar { start });
        let [mut white, mut black] = Color::ALL.map(|color| player(start, color));
        for _ in 0..6 {
            ply(&mut umpire, [&mut white, &mut black], Allowance::Nodes(300)).unwrap();
        }
        let truth = umpire.state().board().without_counters();
        for player in [white, black] {
            assert!(player.belief().contains(&truth));
            assert_eq!(player.believer().invented(), 0);
            assert!(player.thought().is_some_and(|thought| thought.nodes >= 300));
        }
    }
}
