//! The players of Kriegspiel: they hear what they are told and no more, play by all rulesets, and win what is won.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use scuro_agents::contestant::{Allowance, Contestant};
use scuro_agents::name::{AGENTS, Agent};
use scuro_agents::play::ply;
use scuro_agents::rivals::random::RandomMover;
use scuro_agents::seat::{Place, Seats};
use scuro_core::Random;
use scuro_games::Variant;
use scuro_games::chess::{Board, Color};
use scuro_games::kriegspiel::{Kriegspiel, Ruleset, Try};
use scuro_games::umpire::Umpire;

/// All that play this game alone, without what values positions slowly.
fn players() -> impl Iterator<Item = String> {
    let own = AGENTS.iter().filter(|agent| agent.games == [Variant::Kriegspiel]);
    own.map(|agent| {
        let values = agent.switches.iter().any(|switch| switch.key == "eval");
        format!("{}{}", agent.name, if values { ":eval=simple" } else { "" })
    })
}

fn seat(name: &str, game: &Kriegspiel, color: Color, seed: u64) -> Box<dyn Contestant<Kriegspiel> + Send> {
    let agent: Agent = name.parse().unwrap();
    game.seat(&agent, Place { color, seed, margin: Duration::ZERO }).unwrap()
}

/// Two players of one name and seed that are told the same try the same, by every ruleset.
#[test]
fn equal_tellings_give_equal_tries() {
    for ruleset in Ruleset::ALL {
        let game = Kriegspiel { ruleset, ..Kriegspiel::default() };
        for name in players() {
            let (mut umpire, mut random) = (Umpire::new(game), Random::new(5));
            let mut both = [seat(&name, &game, Color::White, 3), seat(&name, &game, Color::White, 3)];
            for _ in 0..16 {
                let Some(side) = umpire.turn() else { break };
                let choices = umpire.choices();
                let attempt = if side == Color::White {
                    let [one, two] =
                        both.each_mut().map(|it| it.choose(&choices, Allowance::Nodes(150)).unwrap());
                    assert_eq!(one, two, "{name}, {ruleset}");
                    assert!(choices.contains(&one), "{name}, {ruleset}");
                    one
                } else {
                    choices[random.below(choices.len())]
                };
                umpire.play(side, attempt).unwrap();
                if let Some(told) = umpire.told(Color::White).filter(|_| umpire.outcome().is_none()) {
                    both.iter_mut().for_each(|it| it.see((side == Color::White).then_some(attempt), told));
                }
            }
        }
    }
}

/// What is thought of a try is how much it is worth and how likely it is legal; the chosen one is among them.
#[test]
fn insights_say_what_tries_are_worth_and_how_likely_they_are_legal() {
    let game = Kriegspiel::default();
    let moves = ["e2e4", "d7d5"];
    for name in ["los", "aosp", "hs", "mcts", "particles"] {
        let mut umpire = Umpire::new(game);
        let mut player = seat(name, &game, Color::White, 1);
        for (side, word) in [Color::White, Color::Black].into_iter().zip(moves) {
            let attempt: Try = word.parse().unwrap();
            umpire.play(side, attempt).unwrap();
            player.see((side == Color::White).then_some(attempt), umpire.told(Color::White).unwrap());
        }
        let chosen = player.choose(&umpire.choices(), Allowance::Nodes(3_000)).unwrap();
        let insights = player.insights();
        let marked: Vec<&str> =
            insights.iter().filter(|insight| insight.chosen).map(|insight| insight.choice.as_str()).collect();
        assert_eq!(marked, [chosen.to_string()], "{name}");
        assert!(insights.is_sorted_by(|one, two| one.score >= two.score), "{name}");
        let legal = |word: &str| {
            let insight = insights.iter().find(|insight| insight.choice == word).unwrap();
            insight.parts.iter().find(|part| part.0 == "legal").unwrap().1
        };
        // After 1. e4 and one pawn try d5 and f5 are what Black has played, if everything is remembered.
        assert!((legal("g1f3") - 1.0).abs() < 1e-9, "{name}");
        if name != "los" {
            assert!((legal("e4d5") + legal("e4f5") - 1.0).abs() < 0.25, "{name}");
        }
        assert!(player.notes().value.is_some() && player.notes().nodes.is_some(), "{name}");
    }
}

/// Queen, rook, or two rooks and pawns against a king that moves at random are won.
#[test]
fn what_is_won_is_won() {
    for (fen, least) in [
        ("8/8/4k3/8/8/8/8/QK6 w - - 0 1", 3),
        ("8/8/4k3/8/8/8/8/RK6 w - - 0 1", 2),
        ("8/8/4k3/8/8/8/PP6/RK5R w - - 0 1", 3),
    ] {
        let game = Kriegspiel { start: fen.parse::<Board>().unwrap(), ..Kriegspiel::default() };
        let won = (0..3).filter(|&seed| {
            let mut umpire = Umpire::new(game);
            let (mut white, mut black) =
                (seat("particles:eval=simple", &game, Color::White, seed), RandomMover::new(seed));
            while umpire.outcome().is_none() {
                ply(&mut umpire, [&mut *white, &mut black], Allowance::Nodes(1_000)).unwrap();
            }
            umpire.outcome().and_then(|outcome| outcome.winner) == Some(Color::White)
        });
        let won = won.count();
        assert!(won >= least, "{fen}: {won} of 3");
    }
}

/// The usual value of a switch is the player as it is without it.
#[test]
fn usual_switches_change_nothing() {
    for agent in AGENTS.iter().filter(|agent| agent.games == [Variant::Kriegspiel]) {
        for switch in agent.switches {
            let usual = switch.values.split('|').next().unwrap();
            let named: Agent = format!("{}:{}={usual}", agent.name, switch.key).parse().unwrap();
            assert_eq!(named, agent.name.parse().unwrap(), "{}", switch.key);
            let wrong = format!("{}:{}=", agent.name, switch.key).parse::<Agent>();
            assert!(wrong.is_err(), "{}", switch.key);
        }
    }
}
