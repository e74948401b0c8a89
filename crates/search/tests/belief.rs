//! Beliefs in the games in the dark: in random games of each the truth is in both players' beliefs at every ply, small
//! beliefs equal brute force, and large ones say that they are samples.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fmt::Debug;

use scuro_core::{Game, Player, Positions, Random, Turn};
use scuro_games::chess::{Board, Move, OwnPieces, Square};
use scuro_games::fog::{self, FogOfWar, FogState};
use scuro_games::kriegspiel::{self, Answer, Kriegspiel, KriegspielState, Ruleset, Try};
use scuro_games::outcome::Reason;
use scuro_games::rbc::{self, Rbc, RbcAction, RbcState, requests};
use scuro_search::belief::Belief;

const GAMES: u64 = 100;
const BOUND: usize = 20_000;
/// Beliefs of this size are compared with brute force.
const SMALL: usize = 40;

/// Positions with few men: what can be believed stays small, so that their games are followed to the end.
const FEW_MEN: [&str; 8] = [
    "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "4k2r/8/8/8/8/8/8/4K3 b k - 0 1",
    "8/8/3k4/8/8/2p5/8/3NK3 w - - 0 1",
    "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
    "8/P6k/8/8/8/8/8/4K3 w - - 0 1",
    "r3k3/8/8/8/8/8/8/4K2R w Kq - 80 50",
    "8/2k5/8/3b4/8/8/1B3K2/8 w - - 70 50",
];

/// A game whose beliefs are followed here.
trait Hidden: Positions<Position: Debug> {
    /// Whether what is told at `state` follows from positions alone, which know no counters and no past.
    fn by_position(&self, state: &Self::State) -> bool;

    /// Whether beliefs are followed up to `state`.
    fn is_followed(&self, state: &Self::State) -> bool;

    /// Everything that can follow `position` by brute force: try all there is, keep what is told in the same words.
    fn slow_follow(
        &self,
        position: &Self::Position,
        player: Player,
        own: Option<Self::Action>,
        told: &Self::Told,
    ) -> BTreeSet<Self::Position>;
}

impl Hidden for FogOfWar {
    fn by_position(&self, _: &FogState) -> bool {
        true
    }

    /// The end of the game is told to both, and nothing is left to guess.
    fn is_followed(&self, state: &FogState) -> bool {
        state.outcome().is_none()
    }

    fn slow_follow(
        &self,
        position: &Board,
        player: Player,
        own: Option<Move>,
        told: &fog::Told,
    ) -> BTreeSet<Board> {
        let state = FogState::supposed(*position);
        let mut moves = Vec::new();
        self.actions(&state, &mut moves);
        let reached = moves.into_iter().filter(|&m| own.is_none_or(|own| own == m)).map(|m| state.play(m));
        let fitting = reached.filter(|after| self.told(after, player).as_ref() == Some(told));
        fitting.map(|after| self.position(&after)).collect()
    }
}

impl Hidden for Kriegspiel {
    fn by_position(&self, state: &KriegspielState) -> bool {
        let reason = state.outcome().map(|outcome| outcome.reason);
        !matches!(reason, Some(Reason::Repetition | Reason::FiftyMoves))
    }

    fn is_followed(&self, _: &KriegspielState) -> bool {
        true
    }

    fn slow_follow(
        &self,
        position: &kriegspiel::Position,
        player: Player,
        own: Option<Try>,
        told: &kriegspiel::Told,
    ) -> BTreeSet<kriegspiel::Position> {
        let mine = match (own, told) {
            (Some(Try::Move(m)), kriegspiel::Told::Refused { .. }) => Some(m),
            _ => None,
        };
        let state = supposed(self.ruleset, position, mine);
        let attempts = tries(position.board()).into_iter().map(Try::Move).chain([Try::Any]);
        let mine = attempts.filter(|&attempt| own.is_none_or(|own| own == attempt));
        let fitting = mine.filter_map(|attempt| {
            let (answer, after) = state.attempt(attempt);
            let taken = !matches!(answer, Answer::TurnedAway(_));
            (taken && self.told(&after, player).as_ref() == Some(told)).then(|| self.position(&after))
        });
        fitting.collect()
    }
}

/// A state whose position is `position`: the question asked and as many tries refused as it says, `mine` not among
/// them.
fn supposed(ruleset: Ruleset, position: &kriegspiel::Position, mine: Option<Move>) -> KriegspielState {
    let mut state = KriegspielState::new(ruleset, *position.board());
    if position.is_obliged() {
        assert_eq!(state.take(Try::Any), Answer::Yes);
    }
    for m in tries(position.board()).into_iter().filter(|&m| Some(m) != mine) {
        if kriegspiel::Position::of(&state).noes() == position.noes() {
            break;
        }
        let (answer, after) = state.attempt(Try::Move(m));
        if answer == Answer::Illegal {
            state = after;
        }
    }
    assert_eq!(kriegspiel::Position::of(&state), *position);
    state
}

/// Everything that her own men leave open to the player to move, and one impossible move, which stands for all.
fn tries(board: &Board) -> Vec<Move> {
    let mut tries = vec![Move::new(Square::A1, Square::A1)];
    OwnPieces::of(board, board.side()).possible_tries(&mut tries);
    tries
}

impl Hidden for Rbc {
    fn by_position(&self, _: &RbcState) -> bool {
        true
    }

    /// The end of the game is told to both, and nothing is left to guess.
    fn is_followed(&self, state: &RbcState) -> bool {
        state.outcome().is_none()
    }

    fn slow_follow(
        &self,
        position: &rbc::Position,
        player: Player,
        own: Option<RbcAction>,
        told: &rbc::Told,
    ) -> BTreeSet<rbc::Position> {
        let endless = Rbc::endless(*position.board(), None);
        let fits = |state: &RbcState| endless.told(state, player).as_ref() == Some(told);
        let mut sensed = endless.start();
        let square = if let Some(RbcAction::Sense(square)) = own { square } else { None };
        endless.sense(&mut sensed, square).unwrap();
        if matches!(told.answer, rbc::Answer::Sensed(_) | rbc::Answer::Waited) {
            return fits(&sensed).then(|| self.position(&sensed)).into_iter().collect();
        }
        let mut list = Vec::new();
        match own {
            Some(RbcAction::Request(request)) => list.extend(request),
            _ => requests(position.board(), &mut list),
        }
        let reached = list.into_iter().map(Some).chain([None]).filter_map(|request| {
            let mut state = sensed;
            endless.request(&mut state, request).ok()?;
            (fits(&state) && own.is_none_or(|own| own == RbcAction::Request(request)))
                .then(|| self.position(&state))
        });
        reached.collect()
    }
}

/// What was checked in all games of one kind.
#[derive(Debug, Default)]
struct Checked {
    /// Beliefs that held the truth, counted at every ply.
    held: usize,
    /// Steps that were compared with brute force.
    compared: usize,
    /// Games that were followed to their end by both players.
    ended: usize,
    /// Beliefs that passed the bound.
    samples: usize,
}

/// Random play; `visit` sees every action, who took it, and the state after it, and says whether to go on. Returns
/// whether the game came to its end.
fn wander<G: Hidden>(game: &G, seed: u64, mut visit: impl FnMut(Done<G::Action>, &G::State) -> bool) -> bool {
    let mut random = Random::new(seed);
    let mut state = game.start();
    loop {
        let mut actions = Vec::new();
        game.actions(&state, &mut actions);
        let Some(&action) = random.pick(&actions) else { return true };
        let done = Done { by: game.turn(&state), action };
        state = game.play(&state, action);
        if !visit(done, &state) {
            return false;
        }
    }
}

/// A ply.
struct Done<A> {
    by: Turn,
    action: A,
}

impl<A: Copy> Done<A> {
    /// The action, if it was `player`'s own.
    fn own(&self, player: Player) -> Option<A> {
        (self.by == Turn::Player(player)).then_some(self.action)
    }
}

/// Both players' beliefs through one random game, as long as one of them is exact.
fn follow_game<G: Hidden>(game: &G, seed: u64, checked: &mut Checked) {
    let mut beliefs = Player::BOTH.map(|_| Belief::certain(game.position(&game.start()), BOUND, seed));
    let ended = wander(game, seed, |done, after| {
        for player in Player::BOTH {
            let belief = &mut beliefs[player.index()];
            if belief.is_sample() || !game.is_followed(after) {
                continue;
            }
            let own = done.own(player);
            if let Some(told) = game.told(after, player) {
                let small = belief.positions().len() <= SMALL && game.by_position(after);
                let slow: Option<BTreeSet<G::Position>> = small.then(|| {
                    belief.positions().iter().flat_map(|p| game.slow_follow(p, player, own, &told)).collect()
                });
                belief.advance(game, player, own, &told).unwrap();
                if let Some(slow) = slow {
                    assert_eq!(slow.len(), belief.positions().len(), "game {seed}, {told:?}");
                    assert!(slow.iter().all(|p| belief.contains(p)), "game {seed}, {told:?}");
                    checked.compared += 1;
                }
            }
            if belief.is_sample() {
                assert_eq!(belief.positions().len(), BOUND);
                checked.samples += 1;
            } else {
                assert!(belief.positions().len() <= BOUND);
                assert!(belief.contains(&game.position(after)), "game {seed}: the truth is missing");
                checked.held += 1;
            }
        }
        !beliefs.iter().all(Belief::is_sample)
    });
    let exact = beliefs.iter().all(|belief| !belief.is_sample());
    checked.ended += usize::from(ended && exact);
}

/// The games with few pieces came to their end, so many beliefs passed the bound, and none was idle.
fn enough(checked: &Checked, samples: usize) {
    assert!(checked.held > 7_000 && checked.compared > 2_000, "{checked:?}");
    assert!(checked.ended >= 45 && checked.samples >= samples, "{checked:?}");
}

/// Every other game starts from the usual position, the rest with few men.
fn start(number: u64) -> Board {
    let fen = FEW_MEN[number as usize / 2 % FEW_MEN.len()];
    if number.is_multiple_of(2) { Board::start() } else { fen.parse().unwrap() }
}

#[test]
fn the_truth_is_in_both_beliefs_of_fog() {
    let mut checked = Checked::default();
    for number in 0..GAMES {
        follow_game(&FogOfWar { start: start(number) }, number, &mut checked);
    }
    enough(&checked, 60);
}

#[test]
fn the_truth_is_in_both_beliefs_of_kriegspiel() {
    let mut checked = Checked::default();
    for number in 0..GAMES {
        // Every ruleset meets every start.
        let ruleset = Ruleset::ALL[(number / 2 + number / 16) as usize % 4];
        follow_game(&Kriegspiel { start: start(number), ruleset }, number, &mut checked);
    }
    enough(&checked, 90);
}

#[test]
fn the_truth_is_in_both_beliefs_of_rbc() {
    let mut checked = Checked::default();
    for number in 0..GAMES {
        follow_game(&Rbc { start: start(number), ..Rbc::default() }, number, &mut checked);
    }
    enough(&checked, 90);
}

/// One game followed under a large and under a small bound: the small belief is a sample exactly from where the
/// exact set has passed its bound, and holds nothing that does not fit.
fn follow_twice<G: Hidden>(game: &G, seed: u64, bound: usize) -> usize {
    let certain = |bound| Player::BOTH.map(|_| Belief::certain(game.position(&game.start()), bound, seed));
    let (mut exact, mut bounded) = (certain(BOUND), certain(bound));
    let mut samples = 0;
    wander(game, seed, |done, after| {
        for player in Player::BOTH {
            let (exact, bounded) = (&mut exact[player.index()], &mut bounded[player.index()]);
            let own = done.own(player);
            let told = game.told(after, player).filter(|_| game.is_followed(after));
            let Some(told) = told else { continue };
            exact.advance(game, player, own, &told).unwrap();
            if exact.is_sample() || bounded.advance(game, player, own, &told).is_err() {
                // The sample may have lost all that fits; the exact set never.
                return false;
            }
            if !bounded.is_sample() {
                assert_eq!(bounded.positions(), exact.positions());
            }
            assert!(bounded.is_sample() || exact.positions().len() <= bound);
            assert!(bounded.positions().len() <= bound);
            assert!(bounded.positions().iter().all(|p| exact.contains(p)));
            samples += usize::from(bounded.is_sample());
        }
        true
    });
    samples
}

#[test]
fn past_the_bound_a_belief_says_that_it_is_a_sample() {
    let mut samples = [0; 2];
    for seed in 0..8 {
        let ruleset = Ruleset::ALL[seed as usize % 4];
        samples[0] += follow_twice(&Kriegspiel { ruleset, ..Kriegspiel::default() }, seed, 200);
        samples[1] += follow_twice(&Rbc::default(), seed, 200);
    }
    assert!(samples.iter().all(|&count| count > 50), "{samples:?}");
}

/// One game followed by one thread and by three, both for all positions and for a sample of them.
fn follow_in_parallel<G: Hidden>(game: &G, seed: u64) -> usize {
    let certain = |bound| Belief::certain(game.position(&game.start()), bound, seed);
    let mut pairs =
        [certain(100 * BOUND), certain(BOUND / 10)].map(|belief| [belief.clone(), belief.with_threads(3)]);
    let mut parallel = 0;
    wander(game, seed, |done, after| {
        let own = done.own(Player::One);
        let told = game.told(after, Player::One).filter(|_| game.is_followed(after));
        let Some(told) = told else { return true };
        let ends = pairs.each_mut().map(|[one, three]| {
            parallel += usize::from(one.positions().len() > 1024);
            let ends = [&mut *one, &mut *three].map(|belief| belief.advance(game, Player::One, own, &told));
            assert_eq!(ends[0], ends[1]);
            assert!(one.positions() == three.positions() && one.is_sample() == three.is_sample());
            ends[0]
        });
        ends.iter().all(Result::is_ok) && pairs[0][0].positions().len() < BOUND
    });
    parallel
}

#[test]
fn threads_change_nothing() {
    let parallel = (0..4).map(|seed| {
        follow_in_parallel(&Kriegspiel::default(), seed) + follow_in_parallel(&Rbc::default(), seed)
    });
    assert!(parallel.sum::<usize>() > 10);
}
