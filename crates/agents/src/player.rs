//! A player of Fog of War who is told her views and nothing else.

use scuro_core::{Key, Player, Random};
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::View;
use scuro_games::player_of;
use scuro_search::agent::{Agent, Budget, Opening, Settings, Thought};
use scuro_search::belief::{Belief, Contradiction};
use scuro_search::carry::Fresh;
use scuro_search::grow::Growth;

use crate::belief::{Filter, Told};
use crate::fog::{Fog, Leaves, show};
use crate::name::Obscuro;
use crate::rebuild::rebuild;

/// The most positions that a belief keeps unless asked otherwise.
pub const MOST_POSITIONS: usize = 4_000_000;

/// What became of the belief when a view was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It holds all positions that fit.
    Exact,
    /// It holds a sample of them.
    Sampled,
    /// Nothing that was believed fitted: it was made anew from this view, and is a sample from now on.
    Rebuilt,
}

/// The player.
pub struct FogPlayer<E> {
    game: Fog,
    color: Color,
    key: Key,
    belief: Belief<Board>,
    agent: Agent<Fog>,
    evaluators: Vec<Leaves<E>>,
    /// At least so many positions are looked at, if there are that many.
    sample: usize,
    random: Random,
}

impl<E: Evaluator + Send> FogPlayer<E> {
    /// A player of `color` at the start of a game that begins with a position known to both. One evaluator lets
    /// growing and solving take turns; each further one grows on a thread of its own.
    pub fn new(start: Board, color: Color, name: Obscuro, evaluators: Vec<E>) -> FogPlayer<E> {
        let Obscuro { settings, opening, sample } = name;
        let game = Fog { start };
        let player = player_of(color);
        let usual = if start.side() == color { Opening::Root } else { Opening::Fresh };
        let opening = opening.unwrap_or(usual);
        let settings = Settings { opening, ..settings };
        let first = Key::START.next(None::<Move>, |mixer| show(&View::of(&start, color), None, mixer));
        FogPlayer {
            game,
            color,
            key: first,
            belief: Belief::certain(start.without_counters(), MOST_POSITIONS, settings.seed)
                .with_threads(evaluators.len()),
            agent: Agent::new(player, settings),
            evaluators: evaluators.into_iter().map(Leaves::new).collect(),
            sample,
            random: Random::new(settings.seed),
        }
    }

    /// What she may be in.
    pub fn belief(&self) -> &Belief<Board> {
        &self.belief
    }

    /// She sees this after a ply; `own` is her move, if the ply was hers. If nothing that she believes fits, she
    /// believes what may be, and says so.
    ///
    /// # Errors
    /// If no position at all gives the view; the belief stays as it was.
    pub fn see(&mut self, own: Option<Move>, view: &View) -> Result<Seen, Contradiction> {
        if let Some(m) = own {
            self.agent.play(self.key, m);
        }
        self.key = self.key.next(own, |mixer| show(view, None, mixer));
        let told = Told { own, filter: Filter::new(view) };
        if self.belief.advance(&self.game, self.player(), &told).is_err() {
            let positions = rebuild(view, own, self.belief.positions(), &mut self.random);
            return self.belief.replace(&positions).map(|()| Seen::Rebuilt);
        }
        Ok(if self.belief.is_sample() { Seen::Sampled } else { Seen::Exact })
    }

    fn player(&self) -> Player {
        player_of(self.color)
    }

    /// The tree of her last thought.
    pub fn tree(&self) -> Option<&Growth<Fog>> {
        self.agent.growth()
    }

    /// Thinks at her turn.
    pub fn think(&mut self, budget: Budget) -> Option<Thought<Move>> {
        let (positions, sample) = (self.belief.positions(), self.sample);
        let sign = if self.color == Color::White { 1.0 } else { -1.0 };
        let (evaluator, random) = (&mut self.evaluators[0], &mut self.random);
        let fresh = |known: &[&Board]| {
            let wanted = sample.min(positions.len()).saturating_sub(known.len());
            let drawn = draw(positions, known, wanted, random).into_iter();
            drawn.map(|state| Fresh { state, value: sign * evaluator.value(&state) }).collect()
        };
        self.agent.prepare(&self.game, self.key, fresh);
        self.agent.search(&self.game, &mut self.evaluators, self.key, budget)
    }
}

/// So many positions that are not known, without replacement.
fn draw(positions: &[Board], known: &[&Board], wanted: usize, random: &mut Random) -> Vec<Board> {
    let known: std::collections::HashSet<&Board> = known.iter().copied().collect();
    let mut open: Vec<&Board> = positions.iter().filter(|board| !known.contains(board)).collect();
    let mut drawn = Vec::new();
    while drawn.len() < wanted && !open.is_empty() {
        drawn.push(*open.swap_remove(random.below(open.len())));
    }
    drawn
}
