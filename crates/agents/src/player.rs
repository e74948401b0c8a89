//! A player of Fog of War who is told her views and nothing else.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::View;
use scuro_games::player_of;
use scuro_search::agent::{Agent, Budget, Opening, ProgressSink, Settings, Thought};
use scuro_search::belief::{Belief, Contradiction};
use scuro_search::subgame::Subgame;

use crate::fog::{Fog, Leaves, Position};
use crate::name::{EvalError, Obscuro};
use crate::watch::{Seen, Watch};

/// The player.
pub struct FogPlayer {
    watch: Watch,
    agent: Agent<Fog>,
    evaluators: Vec<Leaves<Box<dyn Evaluator + Send>>>,
    /// At least so many positions are looked at, if there are that many.
    sample: usize,
    /// Memory for tree and belief together, in bytes.
    memory: usize,
}

impl FogPlayer {
    /// A player of `color` at the start of a game that begins with a position known to both. With one thread growing
    /// and solving take turns; unless asked otherwise there is one a core, and no fewer than two.
    ///
    /// # Errors
    /// If the name asks for a network that is not there.
    pub fn new(
        start: Board,
        color: Color,
        name: &Obscuro,
        threads: Option<usize>,
    ) -> Result<FogPlayer, EvalError> {
        let usual = if start.side() == color { Opening::Root } else { Opening::Fresh };
        let settings = Settings { opening: name.opening.unwrap_or(usual), ..name.settings };
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let threads = name.growers.map(|growers| growers + 1).or(threads).unwrap_or(cores.max(2));
        let memory = name.hash << 20;
        // The belief, and the next one beside it, may take half of the memory.
        let positions = name.positions.min(memory / 4 / size_of::<Board>());
        Ok(FogPlayer {
            watch: Watch::new(start, color, settings.seed, positions, threads),
            agent: Agent::new(player_of(color), settings),
            evaluators: name.eval.evaluators(threads)?.into_iter().map(Leaves::new).collect(),
            sample: name.sample,
            memory,
        })
    }

    /// What she may be in.
    #[must_use]
    pub fn belief(&self) -> &Belief<Board> {
        self.watch.belief()
    }

    /// She sees this after a ply; `own` is her move, if the ply was hers. If she is to move again after a move of her
    /// own, their answer has passed too, and she was not shown what came between. If nothing that she believes fits,
    /// she believes what may be, and says so.
    ///
    /// # Errors
    /// If no position at all gives the view; nothing has changed then.
    pub fn see(&mut self, own: Option<Move>, view: &View) -> Result<Seen, Contradiction> {
        self.take_in(own, view, |_| true)
    }

    /// As [`FogPlayer::see`], but where she knows all that may be she does not believe a view that cannot be.
    ///
    /// # Errors
    /// If no position that she believes gives the view; nothing has changed then.
    pub fn see_if_possible(&mut self, own: Option<Move>, view: &View) -> Result<Seen, Contradiction> {
        self.take_in(own, view, Belief::is_sample)
    }

    fn take_in(
        &mut self,
        own: Option<Move>,
        view: &View,
        may_rebuild: impl Fn(&Belief<Board>) -> bool,
    ) -> Result<Seen, Contradiction> {
        let before = self.watch.key();
        let seen = self.watch.see(own, view, may_rebuild)?;
        if let Some(m) = own {
            self.agent.play(before, m);
        }
        Ok(seen)
    }

    /// Her colour.
    #[must_use]
    pub fn color(&self) -> Color {
        self.watch.game().me
    }

    /// The tree of her last thought.
    #[must_use]
    pub fn tree(&self) -> Option<&Subgame<Fog>> {
        self.agent.subgame()
    }

    /// Thoughts end soon after this becomes true. Whoever sets it clears it.
    pub fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.agent.stop_by(stop);
    }

    /// Tells somebody, or nobody any more, how thoughts go that take longer than a second.
    pub fn tell(&mut self, hearer: Option<ProgressSink<Move>>) {
        self.agent.on_progress(hearer);
    }

    /// Thinks at her turn. A budget of time counts what the belief took since her last thought.
    pub fn think(&mut self, budget: Budget) -> Option<Thought<Move>> {
        let since = Instant::now();
        let budget = self.watch.budget(budget);
        self.make_room();
        let (game, key) = (self.watch.game(), self.watch.key());
        let (watch, sample, evaluator) = (&mut self.watch, self.sample, &mut self.evaluators[0]);
        self.agent.prepare(&game, key, |known: &[&Position]| watch.fresh(known, sample, evaluator));
        self.agent.search(&game, &mut self.evaluators, key, budget, since)
    }

    /// Thinks on while the other side does, until told to stop.
    pub fn ponder(&mut self) {
        self.make_room();
        self.agent.ponder(&self.watch.game(), &mut self.evaluators);
    }

    /// The tree may take what the belief leaves, but only half of it: at the next turn a new one is made beside it.
    fn make_room(&mut self) {
        let belief = 2 * size_of_val(self.watch.belief().positions());
        self.agent.limit_memory(self.memory.saturating_sub(belief) / 2);
    }
}
