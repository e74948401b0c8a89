//! Policies from the fully observable game: by hand on a small game, and against a slow twin on tic-tac-toe.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use scuro_core::{Game, Labels, Player, Turn};
use scuro_games::toy::{BlindAction, BlindState, BlindTicTacToe, Fusion, FusionState};
use scuro_search::exact::equilibrium;
use scuro_search::names::Names;
use scuro_search::observable::{Observable, Policy, SLIP};
use scuro_search::strategy::Strategy;
use scuro_search::tree::Tree;

/// A prize is behind door 0, 1 or 2. The player looks behind one door, then names a door (1 if right, else -1) or says 3
/// (0.3 for sure).
struct Doors;

#[derive(Clone, Copy, Default)]
struct DoorsState {
    prize: Option<u8>,
    looked: Option<u8>,
    named: Option<u8>,
}

impl Game for Doors {
    type State = DoorsState;
    type Action = u8;
    type Told = u8;

    fn start(&self) -> DoorsState {
        DoorsState::default()
    }

    fn turn(&self, state: &DoorsState) -> Turn {
        match (state.prize, state.named) {
            (None, _) => Turn::Chance,
            (_, None) => Turn::Player(Player::One),
            (_, Some(3)) => Turn::Over(0.3),
            (prize, named) => Turn::Over(if prize == named { 1.0 } else { -1.0 }),
        }
    }

    fn actions(&self, state: &DoorsState, out: &mut Vec<u8>) {
        if state.named.is_none() {
            out.extend(0..if state.looked.is_some() { 4 } else { 3 });
        }
    }

    fn chances(&self, _: &DoorsState, out: &mut Vec<f64>) {
        out.extend([0.4, 0.35, 0.25]);
    }

    fn play(&self, state: &DoorsState, action: u8) -> DoorsState {
        match *state {
            DoorsState { prize: None, .. } => DoorsState { prize: Some(action), ..*state },
            DoorsState { looked: None, .. } => DoorsState { looked: Some(action), ..*state },
            _ => DoorsState { named: Some(action), ..*state },
        }
    }

    fn told(&self, state: &DoorsState, _: Player) -> Option<u8> {
        let found = state.looked.map_or(0, |looked| 1 + u8::from(state.prize == Some(looked)));
        Some(if state.named.is_some() { 3 } else { found })
    }
}

/// A look at door 0 finds the prize in 0.4. If not, door 1 is the most likely and worth (0.35 - 0.25) / 0.6 < 0.3:
/// mixture takes what is sure, 0.4 + 0.6 * 0.3 = 0.58; a look at door 1 is worth 0.35 + 0.65 * 0.3, at door 2 less.
/// Greedy names the likeliest door: 0.4 + 0.35 - 0.25 = 0.5 after a look at door 0 or 1, less after door 2.
#[test]
fn by_hand() {
    let tree = Tree::of_game(&Doors, 100, |_, _, _| ()).unwrap();
    let state = |state: &DoorsState| {
        [state.prize, state.named]
            .iter()
            .fold(0, |sum, part| 8 * sum + part.map_or(0, |door| 1 + u32::from(door)))
    };
    let observable = Observable::of_game(&Doors, &tree, state);
    assert!((observable.value(tree.root()) - 1.0).abs() < 1e-12, "who sees everything wins");
    let names = Names::of(&Doors, &tree).unwrap();
    let played = |strategy: &Strategy, label: &str| {
        let id = names.labels().iter().position(|name| name == label).unwrap();
        strategy.0[tree.infosets()[id].slots()].to_vec()
    };
    // Labels: told 0, told 0 again after chance, the look, told 1 (nothing) or 2 (the prize).
    for (policy, value, look, nothing_at_0, nothing_at_1) in [
        (Policy::Mixture, 0.58, [1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]),
        (Policy::Greedy, 0.5, [0.5, 0.5, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
    ] {
        let strategy = observable.strategy(policy);
        assert_eq!(played(&strategy, "0:0"), look, "{policy:?}");
        assert_eq!(played(&strategy, "0:0:0:1"), nothing_at_0, "{policy:?}");
        assert_eq!(played(&strategy, "0:0:1:1"), nothing_at_1, "{policy:?}");
        assert_eq!(played(&strategy, "0:0:2:2"), [0.0, 0.0, 1.0, 0.0], "{policy:?}");
        assert!((strategy.value(&tree) - value).abs() < 1e-12, "{policy:?}");
    }
}

/// Whoever solves sampled worlds as if they were seen finds both branches worth 1 and takes either; then it has to name a half
/// of the worlds, and is right in three of five. The game as it is, solved, is worth 1: the right branch.
#[test]
fn samplers_fuse_strategies_and_solvers_do_not() {
    let game = Fusion::new(5).unwrap();
    let tree = Tree::of_game(&game, 100, |_, _, _| ()).unwrap();
    let mut numbers = Vec::new();
    let state = |state: &FusionState| {
        let place = numbers.iter().position(|other| other == state).unwrap_or(numbers.len());
        if place == numbers.len() {
            numbers.push(*state);
        }
        place as u32
    };
    let state = std::cell::RefCell::new(state);
    let observable = Observable::of_game(&game, &tree, |at| state.borrow_mut()(at));
    let sampled = observable.strategy(Policy::Mixture);
    let worth = |strategy: &Strategy| game.raw().raw(strategy.value(&tree));
    let half: Vec<f64> = sampled.0.chunks(2).map(|actions| actions[0]).collect();
    assert_eq!(half, [0.5, 1.0], "left or right, then low");
    assert!((worth(&sampled) - (1.0 + 0.6) / 2.0).abs() < 1e-12);
    let solved = equilibrium(&tree).unwrap();
    assert!((worth(&solved.strategy) - 1.0).abs() < 1e-9);
}

type Board = [u8; 9];

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The value to the crosses of plain tic-tac-toe; `mover` is 0 or 1.
fn reference_value(board: &Board, mover: usize) -> f64 {
    for (stone, value) in [(b'x', 1.0), (b'o', -1.0)] {
        if LINES.iter().any(|line| line.iter().all(|&cell| board[cell] == stone)) {
            return value;
        }
    }
    let values = (0..9).filter(|&cell| board[cell] == b'.').map(|cell| reference_move(board, mover, cell));
    let best = if mover == 0 { values.reduce(f64::max) } else { values.reduce(f64::min) };
    best.unwrap_or(0.0)
}

/// The value after a move onto `cell`; onto a stone it changes nothing.
fn reference_move(board: &Board, mover: usize, cell: usize) -> f64 {
    let mut next = *board;
    if next[cell] == b'.' {
        next[cell] = b"xo"[mover];
    }
    reference_value(&next, 1 - mover)
}

/// The best moves onto free cells for the mover.
fn reference_best(board: &Board, mover: usize) -> Vec<u8> {
    let value = |cell: u8| reference_move(board, mover, usize::from(cell)) * [1.0, -1.0][mover];
    let free: Vec<u8> = (0..9).filter(|&cell| board[usize::from(cell)] == b'.').collect();
    let best = free.iter().map(|&cell| value(cell)).fold(f64::NEG_INFINITY, f64::max);
    free.into_iter().filter(|&cell| value(cell) == best).collect()
}

/// An infoset: the boards that may be true with their weights, the actions, and the look before it.
#[derive(Default)]
struct Known {
    boards: BTreeMap<Board, f64>,
    actions: Vec<BlindAction>,
    look: Option<(String, BlindAction)>,
}

/// All infosets of player `me`, by label.
fn reference_beliefs(game: &BlindTicTacToe, start: Board, me: Player) -> BTreeMap<String, Known> {
    let mut infosets: BTreeMap<String, Known> = BTreeMap::new();
    let state = game.start();
    let mut open = vec![(state, Labels::start(game, &state), start, 1.0, None)];
    while let Some((state, labels, board, weight, look)) = open.pop() {
        let Turn::Player(player) = game.turn(&state) else { continue };
        let mut actions = Vec::new();
        game.actions(&state, &mut actions);
        if player == me {
            let known = infosets.entry(labels.of(me).to_owned()).or_default();
            *known.boards.entry(board).or_default() += weight;
            known.actions.clone_from(&actions);
            known.look = look;
        }
        let best = reference_best(&board, player.index());
        for &action in &actions {
            let next = game.play(&state, action);
            let (mut after, mut share) = (board, 1.0 / actions.len() as f64);
            if let BlindAction::Move(cell) = action {
                if board[usize::from(cell)] == b'.' {
                    after[usize::from(cell)] = b"xo"[player.index()];
                }
                share *= SLIP;
                share += if best.contains(&cell) { (1.0 - SLIP) / best.len() as f64 } else { 0.0 };
            }
            let weight = if player == me { weight } else { weight * share };
            let own = (player == me && matches!(action, BlindAction::Look(_)))
                .then(|| (labels.of(me).to_owned(), action));
            open.push((next, labels.play(game, &state, action, &next), after, weight, own));
        }
    }
    infosets
}

/// The weighted values of a player's moves at an infoset, to the player.
fn reference_worth(known: &Known, me: Player) -> Vec<f64> {
    let worth = |action: &BlindAction| {
        let &BlindAction::Move(cell) = action else { return 0.0 };
        let value = |board| reference_move(board, me.index(), usize::from(cell)) * [1.0, -1.0][me.index()];
        known.boards.iter().map(|(board, weight)| weight * value(board)).sum()
    };
    known.actions.iter().map(worth).collect()
}

fn equally_best(worth: &[f64], total: f64) -> Vec<f64> {
    let most = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let best: Vec<bool> = worth.iter().map(|worth| *worth > most - 1e-9 * total).collect();
    let count = best.iter().filter(|best| **best).count() as f64;
    best.into_iter().map(|best| if best { 1.0 / count } else { 0.0 }).collect()
}

/// What a policy plays at a move.
fn reference_move_policy(known: &Known, me: Player, policy: Policy) -> Vec<f64> {
    if policy == Policy::Mixture {
        return equally_best(&reference_worth(known, me), known.boards.values().sum());
    }
    let most = known.boards.values().copied().fold(0.0, f64::max);
    let likely: Vec<&Board> = known
        .boards
        .iter()
        .filter(|(_, weight)| **weight > most * (1.0 - 1e-9))
        .map(|(board, _)| board)
        .collect();
    let mut played = vec![0.0; known.actions.len()];
    for board in &likely {
        let best = reference_best(board, me.index());
        for cell in &best {
            let at = known.actions.iter().position(|action| *action == BlindAction::Move(*cell)).unwrap();
            played[at] += 1.0 / (best.len() * likely.len()) as f64;
        }
    }
    played
}

/// What a policy plays at every infoset of a player.
fn reference_policy(
    game: &BlindTicTacToe,
    start: Board,
    me: Player,
    policy: Policy,
) -> BTreeMap<String, Vec<f64>> {
    let infosets = reference_beliefs(game, start, me);
    let mut played = BTreeMap::new();
    let mut after: BTreeMap<(String, BlindAction), f64> = BTreeMap::new();
    let looks = |known: &Known| matches!(known.actions[0], BlindAction::Look(_));
    for (label, known) in infosets.iter().filter(|(_, known)| !looks(known)) {
        let moves = reference_move_policy(known, me, policy);
        let value: f64 = moves.iter().zip(reference_worth(known, me)).map(|(p, worth)| p * worth).sum();
        *after.entry(known.look.clone().unwrap()).or_default() += value;
        played.insert(label.clone(), moves);
    }
    for (label, known) in infosets.iter().filter(|(_, known)| looks(known)) {
        let worth: Vec<f64> = known.actions.iter().map(|&action| after[&(label.clone(), action)]).collect();
        played.insert(label.clone(), equally_best(&worth, known.boards.values().sum()));
    }
    played
}

fn number(state: &BlindState) -> u32 {
    let [crosses, noughts] = Player::BOTH.map(|player| u32::from(state.board().stones(player)));
    crosses | noughts << 16
}

/// Proper strategies, infoset by infoset those of the twin; where nothing is hidden the value is that of plain
/// tic-tac-toe.
#[test]
fn policies_are_those_of_the_slow_twin() {
    for text in ["xoxxoxo..", "xo.oxx..o", ".ooxox.x.", ".oxxo.o.x"] {
        let start: Board = text.as_bytes().try_into().unwrap();
        let game = BlindTicTacToe { start: text.parse().unwrap() };
        let tree = Tree::of_game(&game, 100_000, |_, _, _| ()).unwrap();
        let names = Names::of(&game, &tree).unwrap();
        let prefixed = names.labels().iter().any(|label| label.starts_with("1:"));
        let observable = Observable::of_game(&game, &tree, number);
        let mover = game.start.side().index();
        assert!((observable.value(tree.root()) - reference_value(&start, mover)).abs() < 1e-12, "{text}");
        for policy in [Policy::Greedy, Policy::Mixture] {
            let strategy = observable.strategy(policy);
            let twins = Player::BOTH.map(|me| reference_policy(&game, start, me, policy));
            for (infoset, label) in tree.infosets().iter().zip(names.labels()) {
                let played = &strategy.0[infoset.slots()];
                assert!((played.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{text} {label} {played:?}");
                let label = if prefixed { &label[2..] } else { label };
                let twin = &twins[infoset.player.index()][label];
                let differ = played.iter().zip(twin).any(|(ours, twin)| (ours - twin).abs() > 1e-9);
                assert!(!differ, "{text} {policy:?} {label}: {played:?}, twin {twin:?}");
            }
        }
    }
}
