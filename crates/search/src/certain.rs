//! Certain wins: plans that win whatever is true and however the opponent answers, though it sees everything.
//!
//! A belief is a set of states that a player cannot tell apart. It is won within some moves if one of its actions leads,
//! for everything that the player may then be told, to an end that it has won or to a belief that is won in the rest of
//! the moves. A move is an action that the opponent answers: a refused try or a look is none, and gives the turn to the
//! same player with a smaller belief. The search deepens move by move; proofs and refutations are kept by belief, and
//! what is part of a won belief is won by the same plan.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use scuro_core::{Game, Key, Player, Turn};

/// A certain win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertainWin<A> {
    /// The action to take now.
    pub action: A,
    /// The most moves until the game is won, the one that ends it included.
    pub moves: u32,
}

/// What a search for a certain win found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<A> {
    /// A win in as few moves as possible.
    Won(CertainWin<A>),
    /// There is none within the moves that were asked for.
    NotWithin(u32),
    /// More beliefs would have to be looked at than was allowed.
    Unknown,
}

/// Looks for certain wins of one player of a game, and remembers what it has found.
///
/// States are the same to it if `identity` says so: they must then have the same future, and the player must know what
/// stage of its turn it is at. What players tried in vain in the present turn, and counters, are better left out.
#[derive(Debug)]
pub struct CertainWins<'g, G: Game, I> {
    game: &'g G,
    me: Player,
    identity: fn(&G::State) -> I,
    known: FxHashMap<Rc<[I]>, Known>,
    /// The won beliefs in which an identity is.
    won_with: FxHashMap<I, Vec<Rc<[I]>>>,
    /// How many more beliefs may be looked at.
    visits: usize,
    /// Whether a belief came up again in one turn, so that what failed may have failed for that alone.
    looped: bool,
}

/// What is known of a belief.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// The moves in which it is won.
    won: Option<u32>,
    /// The moves in which it is not won.
    not_within: u32,
}

/// States that the player cannot tell apart, each once, and their identities in order.
struct Belief<S, I> {
    states: Vec<S>,
    identities: Rc<[I]>,
}

/// A belief that an action may lead to, and whether the opponent acted on the way.
struct Outcome<S, I> {
    belief: Belief<S, I>,
    answered: bool,
}

impl<'g, G: Game, I: Clone + Ord + Hash> CertainWins<'g, G, I> {
    /// For `me`, who is to act in all beliefs that are asked for.
    #[must_use]
    pub fn new(game: &'g G, me: Player, identity: fn(&G::State) -> I) -> CertainWins<'g, G, I> {
        CertainWins {
            game,
            me,
            identity,
            known: FxHashMap::default(),
            won_with: FxHashMap::default(),
            visits: 0,
            looped: false,
        }
    }

    /// Looks for the shortest certain win within `most` moves from the belief that holds these states and no others. Looks
    /// at no more than `visits` beliefs.
    pub fn find(&mut self, states: Vec<G::State>, most: u32, visits: usize) -> Verdict<G::Action> {
        (self.visits, self.looped) = (visits, false);
        let belief = self.belief(states);
        for moves in 1..=most {
            match self.first_winning(&belief, moves, &mut Vec::new()) {
                Some(action) => return Verdict::Won(CertainWin { action, moves }),
                None if self.visits == 0 => return Verdict::Unknown,
                None => {}
            }
        }
        Verdict::NotWithin(most)
    }

    /// All actions that win for certain within `moves` moves; `None` if more than `visits` beliefs would have to be looked
    /// at.
    pub fn all(&mut self, states: Vec<G::State>, moves: u32, visits: usize) -> Option<Vec<G::Action>> {
        (self.visits, self.looped) = (visits, false);
        let belief = self.belief(states);
        let mut actions = self.actions(&belief);
        actions.retain(|&action| self.wins_by(&belief, action, moves, &mut Vec::new()));
        (self.visits > 0).then_some(actions)
    }

    /// Whether `action` wins for certain within `moves` moves, as far as `visits` beliefs tell.
    pub fn by(&mut self, states: Vec<G::State>, action: G::Action, moves: u32, visits: usize) -> bool {
        (self.visits, self.looped) = (visits, false);
        let belief = self.belief(states);
        self.wins_by(&belief, action, moves, &mut Vec::new())
    }

    fn belief(&self, states: Vec<G::State>) -> Belief<G::State, I> {
        let by_identity: BTreeMap<I, G::State> =
            states.into_iter().map(|state| ((self.identity)(&state), state)).collect();
        let (identities, states): (Vec<I>, Vec<G::State>) = by_identity.into_iter().unzip();
        Belief { states, identities: identities.into() }
    }

    fn actions(&self, belief: &Belief<G::State, I>) -> Vec<G::Action> {
        let mut actions = Vec::new();
        belief.states.iter().take(1).for_each(|state| self.game.actions(state, &mut actions));
        actions
    }

    /// Whether the belief is won within `moves` moves. `turn` holds the beliefs of this turn that led to it.
    fn wins(&mut self, belief: &Belief<G::State, I>, moves: u32, turn: &mut Vec<Rc<[I]>>) -> bool {
        let known = self.known.get(&belief.identities).copied().unwrap_or_default();
        if known.won.is_some_and(|won| won <= moves) || self.is_part_of_won(&belief.identities, moves) {
            return true;
        }
        let repeated = turn.contains(&belief.identities);
        self.looped |= repeated && turn.last() != Some(&belief.identities);
        if moves <= known.not_within || self.visits == 0 || repeated {
            return false;
        }
        self.visits -= 1;
        let won = self.first_winning(belief, moves, turn).is_some();
        if won || self.visits > 0 && !self.looped {
            self.note(belief, moves, won);
        }
        won
    }

    fn first_winning(
        &mut self,
        belief: &Belief<G::State, I>,
        moves: u32,
        turn: &mut Vec<Rc<[I]>>,
    ) -> Option<G::Action> {
        self.actions(belief).into_iter().find(|&action| self.wins_by(belief, action, moves, turn))
    }

    /// Whether `action` wins within `moves` moves whatever is true.
    fn wins_by(
        &mut self,
        belief: &Belief<G::State, I>,
        action: G::Action,
        moves: u32,
        turn: &mut Vec<Rc<[I]>>,
    ) -> bool {
        let Some(outcomes) = self.outcomes(belief, action, moves) else { return false };
        turn.push(Rc::clone(&belief.identities));
        let won = outcomes.iter().all(|Outcome { belief, answered }| {
            if *answered {
                self.wins(belief, moves - 1, &mut Vec::new())
            } else {
                self.wins(belief, moves, turn)
            }
        });
        turn.pop();
        won
    }

    /// The beliefs that `action` may lead to, by what the player is told on the way; `None` if it may end the game without
    /// a win, or takes too many moves.
    fn outcomes(
        &self,
        belief: &Belief<G::State, I>,
        action: G::Action,
        moves: u32,
    ) -> Option<Vec<Outcome<G::State, I>>> {
        let told = |state: &G::State| self.game.told(state, self.me);
        let mut arrived: BTreeMap<(bool, Key), Vec<G::State>> = BTreeMap::new();
        let mut answering: FxHashSet<(I, Key)> = FxHashSet::default();
        let mut replies = Vec::new();
        for state in &belief.states {
            let next = self.game.play(state, action);
            let key = Key::START.next(Some(action), told(&next).as_ref());
            let mut open = vec![(next, key, false)];
            while let Some((state, key, answered)) = open.pop() {
                match self.game.turn(&state) {
                    Turn::Over(payoff) if self.is_win(payoff) => {}
                    Turn::Over(_) => return None,
                    Turn::Player(player) if player == self.me => {
                        arrived.entry((answered, key)).or_default().push(state);
                    }
                    _ if moves <= 1 => return None,
                    _ => {
                        let identity = (self.identity)(&state);
                        if !answering.insert((identity.clone(), key)) {
                            continue;
                        }
                        replies.clear();
                        self.game.actions(&state, &mut replies);
                        let next = replies.iter().map(|&reply| self.game.play(&state, reply));
                        // A try in vain changes nothing, and what it tells only makes the belief smaller.
                        let next = next.filter(|next| (self.identity)(next) != identity);
                        open.extend(next.map(|next| {
                            let key = key.next(None::<G::Action>, told(&next).as_ref());
                            (next, key, true)
                        }));
                    }
                }
            }
        }
        let outcome = |((answered, _), states)| Outcome { belief: self.belief(states), answered };
        let mut outcomes: Vec<Outcome<G::State, I>> = arrived.into_iter().map(outcome).collect();
        // The larger a belief, the likelier it is that it is not won.
        outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.belief.states.len()));
        Some(outcomes)
    }

    fn is_win(&self, payoff: f64) -> bool {
        payoff == if self.me == Player::One { 1.0 } else { -1.0 }
    }

    /// Whether a won belief holds all of these.
    fn is_part_of_won(&self, identities: &[I], moves: u32) -> bool {
        let Some(first) = identities.first() else { return true };
        self.won_with.get(first).into_iter().flatten().any(|won| {
            let soon = self.known.get(won).and_then(|known| known.won).is_some_and(|won| won <= moves);
            soon && identities.iter().all(|identity| won.binary_search(identity).is_ok())
        })
    }

    fn note(&mut self, belief: &Belief<G::State, I>, moves: u32, won: bool) {
        let known = self.known.entry(Rc::clone(&belief.identities)).or_default();
        if won {
            if known.won.is_none() {
                for identity in belief.identities.iter() {
                    self.won_with.entry(identity.clone()).or_default().push(Rc::clone(&belief.identities));
                }
            }
            known.won = Some(known.won.map_or(moves, |before| before.min(moves)));
        } else {
            known.not_within = known.not_within.max(moves);
        }
    }
}
