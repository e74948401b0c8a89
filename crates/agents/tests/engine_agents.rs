//! Any agent behind the engine's lines: told by them, it plays as it does under the umpire.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod other;

use std::time::Duration;

use other::Other;
use scuro_agents::contestant::{Allowance, Contestant};
use scuro_agents::name::Agent;
use scuro_agents::play::tell;
use scuro_agents::protocol::dialect::Dialect;
use scuro_agents::protocol::engine::{self, EngineError};
use scuro_agents::protocol::variant_word;
use scuro_agents::rivals::random::RandomMover;
use scuro_agents::seat::{Place, SeatError, Seats};
use scuro_games::chess::Color;
use scuro_games::fog::FogOfWar;
use scuro_games::kriegspiel::Kriegspiel;
use scuro_games::rbc::{Phase, Rbc};
use scuro_games::umpire::Umpire;

const SEED: u64 = 5;

/// Games against a random mover: at every choice the engine says what the same agent chooses that the umpire tells.
fn plays_alike<G: Seats>(game: &G, name: &str) {
    let agent: Agent = name.parse().unwrap();
    for color in Color::ALL {
        let mut other = Other::of(agent.clone());
        other.quiet(&format!("setoption name UCI_Variant value {}", variant_word(G::VARIANT)));
        other.quiet(&format!("setoption name Seed value {SEED}"));
        other.quiet(if color == Color::White { "side white" } else { "side black" });
        let place = Place { color, seed: SEED, margin: Duration::ZERO };
        let mut twin = game.seat(&agent, place).unwrap();
        let mut rival = RandomMover::new(3);
        let mut umpire = Umpire::new(game.clone());
        let mut asked = String::new();
        for _ in 0..60 {
            let Some(side) = umpire.turn() else { break };
            let (choices, allowance) = (umpire.choices(), Allowance::Nodes(20));
            let action = if side == color {
                let chosen = twin.choose(&choices, allowance).unwrap();
                // What comes by itself was not asked for.
                let said = if asked.is_empty() { ask::<G>(&mut other, &choices) } else { asked };
                assert_eq!(said, G::answer(chosen).to_string(), "{name}");
                chosen
            } else {
                Contestant::<G>::choose(&mut rival, &choices, allowance).unwrap()
            };
            umpire.play(side, action).unwrap();
            asked = told(&umpire, (color, side), action, &mut other);
            match color {
                Color::White => tell(&umpire, side, action, [&mut *twin, &mut rival]),
                Color::Black => tell(&umpire, side, action, [&mut rival, &mut *twin]),
            }
        }
        other.quiet("gameover * enough");
        assert_eq!(other.close(), []);
    }
}

fn ask<G: Dialect>(other: &mut Other, choices: &[G::Action]) -> String {
    let phase = match G::phase(choices) {
        Some(Phase::Sense) => "sense ",
        Some(Phase::Move) => "move ",
        None => "",
    };
    other.until(&format!("go {phase}nodes 20"), "best")
}

/// Tells the engine what came of a ply; what it says to that by itself.
fn told<G: Dialect>(
    umpire: &Umpire<G>,
    (color, side): (Color, Color),
    action: G::Action,
    other: &mut Other,
) -> String {
    let own = (color == side).then_some(action);
    let Some(line) = umpire.told(color).and_then(|told| G::say(own, told)) else { return String::new() };
    if umpire.outcome().is_some() {
        return String::new();
    }
    if own.is_some() && G::chooses_again(&line) {
        return other.until(&line.to_string(), "best");
    }
    other.quiet(&line.to_string());
    String::new()
}

#[test]
fn what_is_told_by_lines_is_what_the_umpire_tells() {
    plays_alike(&FogOfWar::default(), "greedy");
    plays_alike(&FogOfWar::default(), "random");
    plays_alike(&Kriegspiel::default(), "random");
    plays_alike(&Rbc::default(), "random");
    plays_alike(&Rbc::default(), "level1");
}

#[test]
fn every_limit_is_a_limit() {
    let mut other = Other::of("level2".parse().unwrap());
    for limit in ["", "movetime 20", "nodes 30", "wtime 900", "wtime 900 winc 10", "btime 900 binc 10"] {
        other.quiet("ucinewgame");
        other.choice(format!("go {limit}").trim());
    }
    // It says what it can tell of its choice.
    let info = other.until("go nodes 30", "info depth ");
    assert!(info.contains(" belief 1 ") && info.contains(" pv "), "{info}");
    other.hear();
    // The choice comes when it is asked for.
    other.quiet("go infinite");
    other.quiet("isready");
    other.hear();
    other.choice("stop");
    other.close();
}

#[test]
fn it_offers_what_its_agent_plays() {
    let offers = |name: &str| {
        let mut said = Vec::new();
        engine::run(&b"uci\n"[..], &mut said, name.parse().unwrap()).unwrap();
        let said = String::from_utf8(said).unwrap();
        said.lines()
            .filter_map(|line| line.strip_prefix("option name "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        offers("greedy"),
        [
            "UCI_Variant type combo default fogofwar var fogofwar",
            "Seed type spin default 1 min 0 max 9223372036854775807"
        ]
    );
    let names: Vec<String> =
        offers("random").iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(names, ["UCI_Variant", "CaptureKinds", "Seed", "Ruleset"]);
    let mut other = Other::of("greedy".parse().unwrap());
    for (line, words) in [
        ("setoption name UCI_Variant value rbc", "greedy does not play Reconnaissance Blind Chess"),
        ("setoption name UCI_Variant value chess", "must be one of fogofwar, not 'chess'"),
        ("setoption name Hash value 64", "unknown option 'Hash'"),
        ("setoption name Seed value -1", "Seed must be 0 to"),
    ] {
        other.refuses(line, words);
    }
    // It stays at its game.
    other.choice("go nodes 1");
    other.close();
}

/// What its seat cannot be told is refused, and nothing has changed; what only a belief could doubt is taken in.
#[test]
fn its_seat_refuses_what_cannot_be() {
    let mut other = Other::of("random".parse().unwrap());
    other.quiet("setoption name UCI_Variant value rbc");
    other.quiet("side black");
    other.refuses("go move", "first comes what you sensed");
    other.refuses("lost e4", "no piece to lose on e4");
    let window = "sensed d4=. e4=P f4=. d3=. e3=. f3=. d2=P e2=. f2=P";
    other.refuses("sensed a7=. b7=p a8=r b8=n", "a7");
    other.quiet(&window.replace("e4=P", "e4=Q"));
    other.refuses("go sense", "have sensed");
    other.choice("go move");
    other.refuses("moved d7d5 d7d4 -", "cannot have made d7d4");
    let before = other.belief();
    assert_eq!(before.len(), 3, "{before:?}");
    assert!(before[1].starts_with("info string pieces "), "{before:?}");
    other.refuses("moved 0000 0000 e4", "nothing moved");
    assert_eq!(other.belief(), before);
    // The king is taken, and nobody is told of what comes after the end.
    other.quiet("moved d7d5 d7d5 -");
    other.quiet("lost d5");
    assert_eq!(other.choice("go sense").len(), 2);
    other.quiet("gameover 0-1 king captured");
    other.close();
}

#[test]
fn some_do_not_play_here() {
    let checked = |name: &str| engine::check(&name.parse().unwrap());
    for name in ["obscuro", "greedy", "random", "level8", "zs21:eval=simple", "baseline"] {
        assert!(checked(name).is_ok(), "{name}");
    }
    assert!(matches!(checked("fleeing"), Err(EngineError::Seat(SeatError::Omniscient { .. }))));
    assert!(matches!(checked("cmd:cat"), Err(EngineError::Program)));
    assert!(matches!(checked("zs21:eval=/no/such"), Err(EngineError::Seat(SeatError::Eval(_)))));
}
