//! A player of Fog of War who is told her views and nothing else.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use scuro_core::{Key, Observer, Player, Random};
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::View;
use scuro_games::player_of;
use scuro_search::agent::{Agent, Budget, Opening, Settings, Thought};
use scuro_search::belief::{Belief, Contradiction};
use scuro_search::carry::Fresh;
use scuro_search::grow::Growth;

use crate::belief::{Filter, Told};
use crate::draws::Past;
use crate::fog::{Fog, Leaves, Position, show};
use crate::name::{EvalError, Obscuro};
use crate::rebuild::rebuild;

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
pub struct FogPlayer {
    game: Fog,
    key: Key,
    belief: Belief<Board>,
    past: Arc<Past>,
    agent: Agent<Fog>,
    evaluators: Vec<Leaves<Box<dyn Evaluator + Send>>>,
    /// At least so many positions are looked at, if there are that many.
    sample: usize,
    /// Memory for tree and belief together, in bytes.
    memory: usize,
    random: Random,
    /// Time that the belief took since she last thought.
    spent: Duration,
    /// How many positions of a belief are advanced in a second.
    pace: f64,
    /// How many positions the belief keeps if there is time for them.
    positions: usize,
}

/// A belief of so many positions takes hardly any time.
const FEW_POSITIONS: usize = 20_000;

/// How many positions of a belief are advanced in a second, until that has been seen.
const USUAL_PACE: f64 = 1e6;

/// Stands in a key for a view that she was not shown.
const UNSEEN: u64 = 1;

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
        let game = Fog { start, me: color };
        let usual = if start.side() == color { Opening::Root } else { Opening::Fresh };
        let settings = Settings { opening: name.opening.unwrap_or(usual), ..name.settings };
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let threads = name.growers.map(|growers| growers + 1).or(threads).unwrap_or(cores.max(2));
        let memory = name.hash << 20;
        // The belief, and the next one beside it, may take half of the memory.
        let positions = name.positions.min(memory / 4 / size_of::<Board>());
        let view = View::of(&start, color);
        Ok(FogPlayer {
            game,
            key: Key::START.next(None::<Move>, |mixer| show(&view, None, mixer)),
            belief: Belief::certain(start.without_counters(), positions, settings.seed).with_threads(threads),
            past: Past::first(&view, start.clock()),
            agent: Agent::new(player_of(color), settings),
            evaluators: name.eval.evaluators(threads)?.into_iter().map(Leaves::new).collect(),
            sample: name.sample,
            memory,
            random: Random::new(settings.seed),
            spent: Duration::ZERO,
            pace: USUAL_PACE,
            positions,
        })
    }

    /// What she may be in.
    #[must_use]
    pub fn belief(&self) -> &Belief<Board> {
        &self.belief
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
        let (began, believed) = (Instant::now(), self.belief.positions().len());
        let told = Told { own, filter: Filter::new(view) };
        let seen = match self.belief.advance(&self.game, self.player(), &told) {
            Err(Contradiction) if may_rebuild(&self.belief) => {
                let positions = rebuild(view, own, self.belief.positions(), &mut self.random);
                self.belief.replace(&positions).map(|()| Seen::Rebuilt)?
            }
            Err(Contradiction) => return Err(Contradiction),
            Ok(()) if self.belief.is_sample() => Seen::Sampled,
            Ok(()) => Seen::Exact,
        };
        let both = own.is_some() && view.side() == self.game.me;
        if let Some(m) = own {
            self.agent.play(self.key, m);
        }
        self.key = match own {
            // No history has this key: what she was not shown is not known to be anything.
            Some(_) if both => self.key.next(own, |mixer| mixer.see(UNSEEN)).next(None::<Move>, |mixer| {
                show(view, None, mixer);
            }),
            _ => self.key.next(own, |mixer| show(view, None, mixer)),
        };
        self.past = self.past.after(if both { 2 } else { 1 }, view).known_to_go_on();
        let spent = began.elapsed();
        self.spent += spent;
        if (own.is_none() || both) && believed >= FEW_POSITIONS {
            self.pace = believed as f64 / spent.as_secs_f64().max(1e-9);
        }
        Ok(seen)
    }

    /// Her colour.
    #[must_use]
    pub fn color(&self) -> Color {
        self.game.me
    }

    fn player(&self) -> Player {
        player_of(self.game.me)
    }

    /// The tree of her last thought.
    #[must_use]
    pub fn tree(&self) -> Option<&Growth<Fog>> {
        self.agent.growth()
    }

    /// Thoughts end soon after this becomes true. Whoever sets it clears it.
    pub fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.agent.stop_by(stop);
    }

    /// Thinks at her turn. A budget of time counts what the belief took since her last thought; it may take a quarter
    /// of the time next turn, and is a sample if that is too little.
    pub fn think(&mut self, budget: Budget) -> Option<Thought<Move>> {
        let since = Instant::now();
        let budget = match budget {
            Budget::Time(time) => {
                let timely = (self.pace * time.as_secs_f64() / 4.0) as usize;
                self.belief.limit(self.positions.min(timely.max(FEW_POSITIONS)));
                Budget::Time(time.saturating_sub(std::mem::take(&mut self.spent)))
            }
            budget => budget,
        };
        self.make_room();
        let (positions, sample, past) = (self.belief.positions(), self.sample, &self.past);
        let sign = if self.game.me == Color::White { 1.0 } else { -1.0 };
        let (evaluator, random) = (&mut self.evaluators[0], &mut self.random);
        let fresh = |known: &[&Position]| {
            let known: HashSet<&Board> = known.iter().map(|position| &position.board).collect();
            let wanted = sample.min(positions.len()).saturating_sub(known.len());
            let drawn = draw(positions, known, wanted, random).into_iter();
            let fresh = |board: &Board| Fresh {
                state: Position { board: *board, past: past.clone() },
                value: sign * evaluator.value(board),
            };
            drawn.map(fresh).collect()
        };
        self.agent.prepare(&self.game, self.key, fresh);
        self.agent.search(&self.game, &mut self.evaluators, self.key, budget, since)
    }

    /// Thinks on while the other side does, until told to stop.
    pub fn ponder(&mut self) {
        self.make_room();
        self.agent.ponder(&self.game, &mut self.evaluators);
    }

    /// The tree may take what the belief leaves, but only half of it: at the next turn a new one is made beside it.
    fn make_room(&mut self) {
        let belief = 2 * size_of_val(self.belief.positions());
        self.agent.limit_memory(self.memory.saturating_sub(belief) / 2);
    }
}

/// So many positions that are not known, without replacement.
pub(crate) fn draw<'b>(
    positions: &'b [Board],
    mut known: HashSet<&'b Board>,
    wanted: usize,
    random: &mut Random,
) -> Vec<&'b Board> {
    if positions.len() > 4 * (wanted + known.len()) {
        let mut drawn = Vec::with_capacity(wanted);
        while drawn.len() < wanted {
            drawn.extend(Some(&positions[random.below(positions.len())]).filter(|board| known.insert(board)));
        }
        return drawn;
    }
    let mut open: Vec<&Board> = positions.iter().filter(|board| !known.contains(board)).collect();
    let wanted = wanted.min(open.len());
    (0..wanted).map(|_| open.swap_remove(random.below(open.len()))).collect()
}
