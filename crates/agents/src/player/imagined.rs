//! A game as its player searches it: states that the player supposes, and what it remembers on the way there.

use scuro_core::{Game, Player, Turn};
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color};
use scuro_games::player_of;
use scuro_search::grow::Evaluate;

use super::Playable;

/// The game in the mind of one player.
#[derive(Clone, Debug)]
pub struct Imagined<G: Playable> {
    /// The rules.
    pub rules: G,
    /// Who thinks.
    pub me: Color,
    /// Which actions are worth considering at this turn.
    pub focus: G::Focus,
}

/// A state that may be the true one, and what the player remembers there.
#[derive(Clone, Debug)]
pub struct Supposed<G: Playable> {
    /// The state, without counters.
    pub state: G::State,
    /// What the player remembers.
    pub memory: G::Memory,
}

impl<G: Playable> Imagined<G> {
    /// The game as `me` sees it from the start.
    #[must_use]
    pub fn new(rules: G, me: Color) -> Imagined<G> {
        Imagined { rules, me, focus: G::Focus::default() }
    }
}

impl<G: Playable> Game for Imagined<G> {
    type State = Supposed<G>;
    type Action = G::Action;
    type Told = G::Told;

    fn start(&self) -> Supposed<G> {
        let view = self.rules.first_view(self.me);
        let position = self.rules.position(&self.rules.start());
        Supposed { state: self.rules.supposed(&view, &position), memory: self.rules.first_memory(self.me) }
    }

    fn turn(&self, supposed: &Supposed<G>) -> Turn {
        self.rules.turn(&supposed.state)
    }

    fn actions(&self, supposed: &Supposed<G>, out: &mut Vec<G::Action>) {
        self.rules.considered(self, supposed, out);
    }

    fn play(&self, supposed: &Supposed<G>, action: G::Action) -> Supposed<G> {
        let state = self.rules.play(&supposed.state, action);
        let told = self.rules.told(&state, player_of(self.me));
        let memory =
            told.map_or_else(|| supposed.memory.clone(), |told| G::next_memory(&supposed.memory, 1, &told));
        Supposed { state, memory }
    }

    fn told(&self, supposed: &Supposed<G>, player: Player) -> Option<G::Told> {
        self.rules.told(&supposed.state, player)
    }

    fn confirm_ongoing(&self, supposed: &mut Supposed<G>) -> bool {
        G::settle_memory(&mut supposed.memory)
    }

    fn timeable(&self) -> bool {
        self.rules.timeable()
    }
}

/// An evaluator for the search. One that fails has nothing to say: the value is 0.
pub struct Leaves<E> {
    evaluator: E,
    values: Vec<f32>,
}

impl<E: Evaluator> Leaves<E> {
    /// Values positions with `evaluator`.
    pub fn new(evaluator: E) -> Leaves<E> {
        Leaves { evaluator, values: Vec::new() }
    }

    /// The evaluator itself.
    pub(crate) fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// The value of a position to White.
    pub fn value(&mut self, board: &Board) -> f64 {
        sign(board) * f64::from(self.evaluator.value(board).unwrap_or_default())
    }

    /// The values to White of the positions after these moves, in their order.
    pub fn after(&mut self, board: &Board, moves: &[scuro_games::chess::Move]) -> impl Iterator<Item = f64> {
        self.values.clear();
        if self.evaluator.evaluate(board, moves, &mut self.values).is_err() {
            self.values.resize(moves.len(), 0.0);
        }
        let sign = sign(board);
        self.values.iter().map(move |&value| sign * f64::from(value))
    }
}

/// What turns a value to the side to move into one to White.
pub(crate) fn sign(board: &Board) -> f64 {
    if board.side() == Color::White { 1.0 } else { -1.0 }
}

impl<G: Playable, E: Evaluator> Evaluate<Imagined<G>> for Leaves<E> {
    fn children(
        &mut self,
        game: &Imagined<G>,
        supposed: &Supposed<G>,
        actions: &[G::Action],
        out: &mut Vec<(f64, bool)>,
    ) {
        game.rules.children(game, self, supposed, actions, out);
    }
}
