//! The players of Reconnaissance Blind Chess: weights against Bayes' rule by hand, and what they must never miss.

use std::collections::BTreeMap;
use std::time::Duration;

use scuro_agents::contestant::{Allowance, Contestant};
use scuro_agents::name::{Agent, Eval};
use scuro_agents::play::tell;
use scuro_agents::player::{Leaves, Playable};
use scuro_agents::rbc::pool::{Held, Pool, Step, TYPES, Turns, Weights};
use scuro_agents::rbc::turns::{FLOW, PRIOR, Typed};
use scuro_agents::seat::{Place, Seats};
use scuro_core::{Player, Positions, Random};
use scuro_games::chess::{Board, Color, Move};
use scuro_games::rbc::{Phase, Position, Rbc, RbcAction, RbcState};
use scuro_games::umpire::Umpire;

const PLAYERS: [&str; 12] = [
    "recon",
    "recon:request=obscuro",
    "strangefish",
    "fianchetto:version=1",
    "fianchetto:version=2",
    "fianchetto:version=3",
    "fianchetto:version=4",
    "fianchetto:version=5",
    "fianchetto:score=reply",
    "strangefish2",
    "oracle",
    "trout",
];

fn seat(name: &str, game: &Rbc, color: Color, seed: u64) -> Box<dyn Contestant<Rbc> + Send> {
    let agent: Agent = name.parse().expect("a name of the list");
    game.seat(&agent, Place { color, seed, margin: Duration::ZERO }).expect("it plays this game")
}

/// A king that is surely there is taken, whoever plays.
#[test]
fn a_king_that_is_surely_there_is_taken() {
    for fen in [
        "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
        "7k/5N2/8/8/8/8/q7/2K5 w - - 0 1",
        "1k6/8/1Q6/8/8/8/8/K7 w - - 0 1",
    ] {
        let start: Board = fen.parse().unwrap();
        let game = Rbc::endless(start, None);
        for name in PLAYERS {
            for seed in 0..if name == "recon" { 34 } else { 3 } {
                let mut umpire = Umpire::new(game);
                let mut player = seat(name, &game, Color::White, seed);
                for _ in 0..2 {
                    let action = player.choose(&umpire.choices(), Allowance::Nodes(200)).unwrap();
                    umpire.play(Color::White, action).unwrap();
                    if umpire.outcome().is_none() {
                        player.see(Some(action), umpire.told(Color::White).unwrap());
                    }
                }
                let winner = umpire.outcome().and_then(|outcome| outcome.winner);
                assert_eq!(winner, Some(Color::White), "{name} in {fen}, seed {seed}");
            }
        }
    }
}

/// Whoever sits there only hears what it is told: two games that a player cannot tell apart get the same choices.
#[test]
fn equal_tellings_give_equal_choices() {
    let game = Rbc::default();
    for name in PLAYERS {
        let (mut umpire, mut random) = (Umpire::new(game), Random::new(5));
        let mut players = [seat(name, &game, Color::White, 3), seat(name, &game, Color::White, 3)];
        for _ in 0..24 {
            let (side, choices) = (umpire.turn().unwrap(), umpire.choices());
            let action = if side == Color::White {
                let chosen =
                    players.each_mut().map(|player| player.choose(&choices, Allowance::Nodes(300)).unwrap());
                assert_eq!(chosen[0], chosen[1], "{name}");
                chosen[0]
            } else {
                choices[random.below(choices.len())]
            };
            umpire.play(side, action).unwrap();
            if umpire.outcome().is_some() {
                break;
            }
            for player in &mut players {
                player.see((side == Color::White).then_some(action), umpire.told(Color::White).unwrap());
            }
        }
    }
}

/// Whole games, with the truth among the boards of `recon` at every turn.
#[test]
fn players_play_whole_games() {
    let game = Rbc { full_turn_limit: Some(12), ..Rbc::default() };
    for (seed, pair) in [["recon", "strangefish"], ["fianchetto:version=4", "trout"], ["attacker", "recon"]]
        .into_iter()
        .enumerate()
    {
        let mut umpire = Umpire::new(game);
        let mut players = [0, 1].map(|i| seat(pair[i], &game, Color::ALL[i], seed as u64));
        while let Some(side) = umpire.turn() {
            let action = players[side as usize].choose(&umpire.choices(), Allowance::Nodes(400)).unwrap();
            umpire.play(side, action).unwrap();
            let [white, black] = &mut players;
            tell(&umpire, side, action, [&mut **white, &mut **black]);
        }
    }
}

/// Uniform types, the slow way.
struct Slow;

impl Turns for Slow {
    fn likelihoods(&mut self, board: &Board, turns: &[Option<Move>], _: bool, out: &mut Vec<Weights>) {
        let count = board.count_pseudo_legal() as f64 + 1.0;
        let share = |turn: &Option<Move>| match turn {
            None => [1.0 / count, 0.5, 0.9, 0.2, 0.4],
            Some(m) => [
                1.0 / count,
                if m.to() > m.from() { 0.3 } else { 0.2 },
                0.1 / (count - 1.0),
                0.8 / (count - 1.0),
                0.6 / (count - 1.0),
            ],
        };
        out.extend(turns.iter().map(share));
    }
}

/// All histories of the opponent with their probabilities, by Bayes' rule: the weights of the pool are the same.
#[test]
fn weights_are_bayes_rule_over_all_histories() {
    let start: Board = "4k3/3pp3/8/8/8/8/3PP3/4K3 w - - 0 1".parse().unwrap();
    let game = Rbc::endless(start, None);
    let first = game.position(&game.first());
    let mut pool = Pool::certain(first, PRIOR, 1_000_000, 1);
    let mut histories: Vec<(RbcState, Weights)> = vec![(game.first(), PRIOR)];
    let mut umpire = Umpire::new(game);
    let mut random = Random::new(9);
    for _ in 0..16 {
        let (side, choices) = (umpire.turn().unwrap(), umpire.choices());
        let action = choices[random.below(choices.len())];
        umpire.play(side, action).unwrap();
        if umpire.outcome().is_some() {
            break;
        }
        let told = *umpire.told(Color::White).unwrap();
        let own = (side == Color::White).then_some(action);
        pool.advance(&game, Step { player: Player::One, own, told: &told }, &mut [Slow], 0).unwrap();
        histories = histories.iter().flat_map(|history| continued(&game, history, own)).collect();
        histories.retain(|(state, _)| state.told(Color::White) == told && state.outcome().is_none());
        compare(&game, &pool, &histories);
    }
    assert!(pool.held().len() > 20, "{}", pool.held().len());
}

/// However many threads follow a pool, it has the same boards in the same order with the same bits.
#[test]
fn the_number_of_threads_changes_nothing() {
    let game = Rbc::default();
    let first = game.position(&game.first());
    let mut pools = [1, 2, 3].map(|threads| (threads, Pool::certain(first, PRIOR, 2_000, 7)));
    let mut umpire = Umpire::new(game);
    for ply in ["d2d4", "d7d5", "c2c4", "e7e6", "b1c3", "g8f6"] {
        for action in [RbcAction::Sense(None), RbcAction::Request(ply.parse().ok())] {
            let side = umpire.turn().unwrap();
            umpire.play(side, action).unwrap();
            let own = (side == Color::White).then_some(action);
            let step = Step { player: Player::One, own, told: umpire.told(Color::White).unwrap() };
            for (threads, pool) in &mut pools {
                let evaluators = Eval::Simple.evaluators(*threads, game.value_rules()).unwrap();
                let mut leaves: Vec<_> = evaluators.into_iter().map(Leaves::new).collect();
                let mut turns: Vec<_> = leaves.iter_mut().map(|leaves| Typed::new(&game, leaves)).collect();
                pool.advance(&game, step, &mut turns, 300).unwrap();
            }
        }
    }
    let [one, others @ ..] = pools.map(|(_, pool)| pool);
    assert!(one.is_sample() && one.held().len() == 2_000, "{}", one.held().len());
    others.iter().for_each(|other| assert_eq!(one.held(), other.held()));
}

/// What may follow: my action, or any of theirs with its probability. Their sense is left out, as it changes nothing.
fn continued(
    game: &Rbc,
    (state, weights): &(RbcState, Weights),
    own: Option<RbcAction>,
) -> Vec<(RbcState, Weights)> {
    use scuro_core::Game;
    if let Some(action) = own {
        return vec![(game.play(state, action), *weights)];
    }
    if state.phase() == Phase::Sense {
        return vec![(game.play(state, RbcAction::Sense(None)), *weights)];
    }
    let mut turns = vec![None];
    state.board().each_pseudo_legal(|_, m| turns.push(Some(m)));
    let mut shares = Vec::new();
    Slow.likelihoods(state.board(), &turns, false, &mut shares);
    let next = |(turn, share): (&Option<Move>, &Weights)| {
        let weights = std::array::from_fn(|i| weights[i] * share[i]);
        (game.play(state, RbcAction::Request(*turn)), weights)
    };
    turns.iter().zip(&shares).map(next).collect()
}

fn compare(game: &Rbc, pool: &Pool, histories: &[(RbcState, Weights)]) {
    let mut slow: BTreeMap<Position, Weights> = BTreeMap::new();
    for (state, weights) in histories {
        let sum = slow.entry(game.position(state)).or_insert([0.0; TYPES]);
        sum.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
    }
    let total: f64 = slow.values().flatten().sum();
    assert_eq!(slow.len(), pool.held().len());
    for Held { position, weights } in pool.held() {
        for (one, other) in weights.iter().zip(&slow[position]) {
            assert!((one - other / total).abs() < 1e-9);
        }
    }
}

/// Each type's turns sum to one on a board.
#[test]
fn turns_of_every_type_sum_to_one() {
    for fen in [
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        "4k3/8/8/8/8/8/7R/K7 w - - 0 1",
    ] {
        for careful in [false, true] {
            let shares = likelihoods(fen, careful);
            for kind in 0..TYPES {
                let total: f64 = shares.iter().map(|(_, share)| share[kind]).sum();
                assert!((total - 1.0).abs() < 1e-9, "{fen}, type {kind}: {total}");
            }
        }
    }
}

/// The rook attacks the king in two ways: a sneak takes one of them half of the time, and else plays by values; so does a
/// raider. Where the knight needs two steps, a raider makes the first.
#[test]
fn sneaks_and_raiders_attack_the_king() {
    for (fen, at_once, sneaks) in [
        ("4k3/8/8/8/8/8/7R/K7 w - - 0 1", true, ["h2h8", "h2e2"].as_slice()),
        ("4k3/8/8/8/8/2N5/8/K7 w - - 0 1", false, &["c3b5", "c3d5", "c3e4"]),
    ] {
        for careful in [false, true] {
            for (turn, [engine, .., sneak, raider]) in likelihoods(fen, careful) {
                let sneaky = turn.is_some_and(|m| sneaks.contains(&m.to_string().as_str()));
                let expected = 0.5 * engine + if sneaky { 0.5 / sneaks.len() as f64 } else { 0.0 };
                assert!((raider - expected).abs() < 1e-9, "{turn:?}: {raider}, not {expected}");
                assert!((sneak - if at_once { expected } else { engine }).abs() < 1e-9, "{turn:?}: {sneak}");
            }
        }
    }
}

/// All turns on a board, with their likelihoods by type.
fn likelihoods(fen: &str, careful: bool) -> Vec<(Option<Move>, Weights)> {
    let game = Rbc::default();
    let evaluators = Eval::Simple.evaluators(1, game.value_rules()).expect("it needs no file");
    let mut leaves: Vec<_> = evaluators.into_iter().map(Leaves::new).collect();
    let board: Board = fen.parse().expect("a position");
    let mut turns = vec![None];
    board.each_pseudo_legal(|_, m| turns.push(Some(m)));
    let mut shares = Vec::new();
    Typed::new(&game, &mut leaves[0]).likelihoods(&board, &turns, careful, &mut shares);
    turns.into_iter().zip(shares).collect()
}

#[test]
fn a_passer_is_found_out() {
    let game = Rbc::default();
    let mut leaves = Leaves::new(Eval::Simple.evaluators(1, game.value_rules()).unwrap().remove(0));
    let mut pool = Pool::certain(game.position(&game.first()), PRIOR, 20_000, 1);
    let mut umpire = Umpire::new(game);
    for turn in 0..10 {
        let square = ["d6", "e6", "f6", "c6", "e7"][turn % 5].parse().unwrap();
        for action in [
            RbcAction::Sense(Some(square)),
            RbcAction::Request(None),
            RbcAction::Sense(None),
            RbcAction::Request(None),
        ] {
            let side = umpire.turn().unwrap();
            umpire.play(side, action).unwrap();
            let told = *umpire.told(Color::White).unwrap();
            let own = (side == Color::White).then_some(action);
            let step = Step { player: Player::One, own, told: &told };
            pool.advance(&game, step, &mut [Typed::new(&game, &mut leaves)], 100).unwrap();
        }
        pool.flow_back(FLOW, PRIOR);
    }
    let [_, _, passer, ..] = pool.types();
    assert!((pool.types().iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(passer > 0.5, "{:?}", pool.types());
}
