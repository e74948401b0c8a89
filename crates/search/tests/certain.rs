//! Certain wins, held against a search that is slow and obvious, in the three dark games.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use scuro_core::{Game, Player, Random, Turn};
use scuro_games::chess::{Board, Castling, Color, Piece, Square};
use scuro_games::fog::{FogOfWar, FogState};
use scuro_games::kriegspiel::{Kriegspiel, KriegspielState, Position, Ruleset};
use scuro_games::rbc::{Phase, Rbc, RbcState};
use scuro_search::certain::{CertainWins, Verdict};

/// The states of a belief, each once, without any table.
fn distinct<S: Clone, I: Ord>(states: &[S], identity: fn(&S) -> I) -> Vec<S> {
    let by_identity: BTreeMap<I, S> = states.iter().map(|state| (identity(state), state.clone())).collect();
    by_identity.into_values().collect()
}

/// All that can follow an action of White until White is to act again: the words it hears, and the state. `None` stands
/// for an end without a win.
fn slow_follow<G: Game, I: Ord>(
    game: &G,
    identity: fn(&G::State) -> I,
    state: &G::State,
    heard: &[String],
    out: &mut Vec<Option<(Vec<String>, G::State)>>,
) {
    match game.turn(state) {
        Turn::Over(1.0) => {}
        Turn::Over(_) => out.push(None),
        Turn::Player(Player::One) => out.push(Some((heard.to_vec(), state.clone()))),
        _ => {
            let mut replies = Vec::new();
            game.actions(state, &mut replies);
            let next: Vec<G::State> = replies.into_iter().map(|reply| game.play(state, reply)).collect();
            for next in distinct(&next, identity).iter().filter(|next| identity(next) != identity(state)) {
                let mut heard = heard.to_vec();
                heard.push("they acted".to_owned());
                heard.extend(game.told(next, Player::One).map(|told| format!("{told:?}")));
                slow_follow(game, identity, next, &heard, out);
            }
        }
    }
}

fn slow_wins_by<G: Game, I: Ord>(
    game: &G,
    identity: fn(&G::State) -> I,
    states: &[G::State],
    action: G::Action,
    moves: u32,
) -> bool {
    let mut followed = Vec::new();
    for state in states {
        let next = game.play(state, action);
        let heard: Vec<String> =
            game.told(&next, Player::One).iter().map(|told| format!("{told:?}")).collect();
        slow_follow(game, identity, &next, &heard, &mut followed);
    }
    let mut groups: BTreeMap<Vec<String>, Vec<G::State>> = BTreeMap::new();
    for follow in followed {
        let Some((heard, state)) = follow else { return false };
        groups.entry(heard).or_default().push(state);
    }
    groups.into_iter().all(|(heard, group)| {
        let answered = heard.iter().any(|word| word == "they acted");
        let group = distinct(&group, identity);
        let same = group.len() == states.len()
            && group.iter().zip(states).all(|(one, other)| identity(one) == identity(other));
        match answered {
            true => slow_wins(game, identity, &group, moves - 1),
            false => !same && slow_wins(game, identity, &group, moves),
        }
    })
}

fn slow_wins<G: Game, I: Ord>(
    game: &G,
    identity: fn(&G::State) -> I,
    states: &[G::State],
    moves: u32,
) -> bool {
    let mut actions = Vec::new();
    game.actions(&states[0], &mut actions);
    moves > 0 && actions.into_iter().any(|action| slow_wins_by(game, identity, states, action, moves))
}

/// Compares both searches on beliefs; returns how many were won in 1, 2, ... moves, and last how many were not.
fn compare<G: Game, I: Clone + Ord + Hash>(
    game: &G,
    identity: fn(&G::State) -> I,
    beliefs: &[Vec<G::State>],
    most: u32,
) -> Vec<usize> {
    let mut counts = vec![0; most as usize + 1];
    // One memory for all beliefs: what was found for one must not be wrong for another.
    let mut wins = CertainWins::new(game, Player::One, identity);
    for belief in beliefs {
        let belief = distinct(belief, identity);
        let slow = (1..=most).find(|&moves| slow_wins(game, identity, &belief, moves));
        match wins.find(belief.clone(), most, usize::MAX) {
            Verdict::Won(win) => {
                assert_eq!(slow, Some(win.moves));
                assert!(slow_wins_by(game, identity, &belief, win.action, win.moves));
                counts[win.moves as usize - 1] += 1;
            }
            Verdict::NotWithin(moves) => {
                assert_eq!((slow, moves), (None, most));
                counts[most as usize] += 1;
            }
            Verdict::Unknown => panic!("there was no bound"),
        }
    }
    counts
}

/// Boards with White's king, queen and rook near a black king, whose square White may not know: one of several that
/// `alike` does not tell from the first.
fn beliefs<S: Clone, T: PartialEq>(
    seed: u64,
    count: usize,
    state: impl Fn(Board) -> Option<S>,
    alike: impl Fn(&S) -> T,
) -> Vec<Vec<S>> {
    let mut random = Random::new(seed);
    let corner = |random: &mut Random| Square::index(8 * (5 + random.below(3)) + random.below(4));
    let mut found = Vec::new();
    while found.len() < count {
        let heavy = if random.below(2) == 0 { Piece::Queen } else { Piece::Rook };
        let white = [
            (Piece::King, corner(&mut random)),
            (heavy, Square::index(random.below(64))),
            (Piece::Rook, Square::index(random.below(64))),
        ];
        let white = white.map(|(piece, square)| (Color::White, piece, square));
        let kings = (0..1 + random.below(4)).map(|_| (Color::Black, Piece::King, corner(&mut random)));
        let pieces = kings.map(|king| white.into_iter().chain([king]).collect::<Vec<_>>());
        let apart = |pieces: &Vec<(Color, Piece, Square)>| {
            pieces.iter().map(|(_, _, square)| square).collect::<BTreeSet<_>>().len() == pieces.len()
        };
        let boards =
            pieces.filter(apart).map(|pieces| Board::set_up(Color::White, pieces, Castling::NONE, None));
        let states: Vec<S> = boards.filter_map(&state).collect();
        let Some(first) = states.first().map(&alike) else { continue };
        found.push(states.into_iter().filter(|state| alike(state) == first).collect());
    }
    found
}

#[test]
fn the_slow_search_agrees_in_kriegspiel() {
    for (ruleset, count) in [(Ruleset::Icc, 24), (Ruleset::Cincinnati, 6), (Ruleset::RAND, 6)] {
        let game = Kriegspiel { ruleset, ..Kriegspiel::default() };
        let state =
            |board: Board| (!board.in_check(Color::Black)).then(|| KriegspielState::new(ruleset, board));
        let beliefs = beliefs(3, count, state, |state| state.told(Color::White));
        let counts = compare(&game, Position::of, &beliefs, 2);
        assert!(counts.iter().all(|&count| count > 0) || ruleset != Ruleset::Icc, "{counts:?}");
    }
}

#[test]
fn the_slow_search_agrees_in_fog_of_war() {
    let game = FogOfWar::default();
    let beliefs =
        beliefs(4, 10, |board| Some(FogState::supposed(board)), |state| game.told(state, Player::One));
    let counts = compare(&game, |state| state.board().without_counters(), &beliefs, 2);
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn the_slow_search_agrees_in_rbc() {
    let game = Rbc::default();
    let state = |board| Some(Rbc { start: board, ..Rbc::default() }.first());
    let beliefs = beliefs(5, 12, state, RbcState::phase);
    let identity = |state: &RbcState| (state.board().without_counters(), state.phase() == Phase::Move);
    let counts = compare(&game, identity, &beliefs, 1);
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn a_search_that_may_not_look_far_does_not_know() {
    let game = Kriegspiel::default();
    let board: Board = "8/8/8/3k4/8/8/8/K6R w - - 0 1".parse().unwrap();
    let mut wins = CertainWins::new(&game, Player::One, Position::of);
    let states = vec![KriegspielState::new(Ruleset::Icc, board)];
    assert_eq!(wins.find(states.clone(), 4, 10), Verdict::Unknown);
    assert_eq!(wins.find(states, 1, 1_000), Verdict::NotWithin(1));
}
