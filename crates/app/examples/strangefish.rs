//! Decisions of StrangeFish as JSON, for `scripts/strangefish_twin.py` to make them again and for
//! `scripts/bench_strangefish` to set the times against each other.
//!
//! `cargo run --release -p scuro-app --example strangefish -- FILE SCENES BOARDS count|network [ROUNDS]` writes so many
//! scenes of at most so many boards, each with the sense and the request that are chosen there and all numbers behind them.
//! `count` values positions by a count of pieces that the twin makes too; with `network` the values of the network are
//! written down. Prints the seconds that the decisions took on one thread: the median of the rounds, as JSON.

use std::env;
use std::error::Error;
use std::fs;
use std::time::Instant;

use scuro_agents::contestant::{Allowance, Contestant, Insight};
use scuro_agents::name::Eval;
use scuro_agents::player::{Leaves, Playable};
use scuro_agents::rbc::fish::Fish;
use scuro_agents::rbc::matrix::Row;
use scuro_agents::rbc::scout::Scout;
use scuro_core::{Positions, Random};
use scuro_eval::evaluator::Evaluator;
use scuro_eval::simple::pawns;
use scuro_eval::uci::UciError;
use scuro_games::chess::{Board, Color, Move, Piece};
use scuro_games::player_of;
use scuro_games::rbc::{Position, Rbc, RbcAction};
use scuro_games::umpire::Umpire;
use scuro_search::belief::Belief;
use serde_json::{Map, Value, json};

type Failure = Box<dyn Error>;

/// The usual start, and positions that bring every special case within a few turns.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "r3k3/PP5P/2n5/8/8/5N2/pp5p/4K2R w Kq - 0 1",
];

/// The king can be taken wherever it is.
const HUNTED: [&str; 3] =
    ["k7/8/8/8/8/8/8/Q6K w - - 0 1", "7k/8/8/8/8/8/8/Q6K w - - 0 1", "8/8/8/8/k7/8/8/Q6K w - - 0 1"];

/// The most turns of both sides before a decision.
const TURNS: usize = 6;

/// More than any decision takes.
const NODES: Allowance = Allowance::Nodes(1 << 40);

/// A count of pieces: the pawns that the side to move is ahead, in units of 64. Who can take the king has won.
struct Count;

impl Count {
    fn of(board: &Board) -> f32 {
        if board.in_check(!board.side()) {
            return 1.0;
        }
        let count = |piece, color| board.men(color, piece).len() as i32;
        let ahead = |piece| pawns(piece) * (count(piece, board.side()) - count(piece, !board.side()));
        let ahead: i32 = Piece::ALL.into_iter().map(ahead).sum();
        ahead.clamp(-60, 60) as f32 / 64.0
    }
}

impl Evaluator for Count {
    fn static_value(&mut self, board: &Board) -> Result<f32, UciError> {
        Ok(Count::of(board))
    }

    fn value(&mut self, board: &Board) -> Result<f32, UciError> {
        Ok(Count::of(board))
    }

    fn evaluate(&mut self, board: &Board, children: &[Move], values: &mut Vec<f32>) -> Result<(), UciError> {
        values.extend(children.iter().map(|&m| -Count::of(&board.play(m))));
        Ok(())
    }
}

/// A turn of one side, with boards that it holds possible.
struct Scene {
    rules: Rbc,
    color: Color,
    boards: Vec<Position>,
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, scenes, boards, eval, rounds @ ..] = &arguments[..] else {
        return Err("expected FILE SCENES BOARDS count|network [ROUNDS]".into());
    };
    let (scenes, boards): (u64, usize) = (scenes.parse()?, boards.parse()?);
    let rounds: usize = rounds.first().map_or(Ok(1), |rounds| rounds.parse())?;
    let network = eval == "network";
    let mut scenes = (0..scenes).map(|number| scene(number, boards)).collect::<Result<Vec<_>, _>>()?;
    if scenes.len() > 1 {
        scenes.push(hunt()?);
    }
    let mut seconds = Vec::new();
    let mut decisions = Vec::new();
    for _ in 0..rounds.max(1) {
        let begun = Instant::now();
        decisions = scenes.iter().map(|scene| decided(scene, network)).collect::<Result<Vec<_>, _>>()?;
        seconds.push(begun.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    let document = scenes.iter().zip(decisions).map(|(scene, decided)| written(scene, decided, network));
    fs::write(file, Value::from(document.collect::<Result<Vec<_>, _>>()?).to_string())?;
    let boards: usize = scenes.iter().map(|scene| scene.boards.len()).sum();
    println!("{}", json!({ "boards": boards, "seconds": seconds[rounds / 2] }));
    Ok(())
}

fn hunt() -> Result<Scene, Failure> {
    let boards = HUNTED.iter().map(|fen| fen.parse()).collect::<Result<Vec<Board>, _>>()?;
    let rules = Rbc::endless(boards[0], None);
    Ok(Scene { rules, color: Color::White, boards: boards.iter().map(Position::new).collect() })
}

/// A random game in which one side keeps all boards that fit what it is told.
fn scene(number: u64, most: usize) -> Result<Scene, Failure> {
    let mut random = Random::new(number);
    let game = Rbc::endless(STARTS[number as usize % STARTS.len()].parse()?, None);
    let color = Color::ALL[number as usize / STARTS.len() % 2];
    let mut belief = Belief::certain(game.position(&game.first()), 20_000, number);
    let mut umpire = Umpire::new(game);
    // The first scene is a long one, the later ones of all lengths.
    let (mut turns, most_turns) = (0, TURNS - number as usize % (TURNS + 1));
    while umpire.turn().is_some() {
        let choices = umpire.choices();
        let side = umpire.turn().unwrap_or(color);
        let sensing = matches!(choices[0], RbcAction::Sense(_));
        turns += usize::from(sensing);
        if turns > most_turns && side == color && sensing {
            break;
        }
        let action = choices[random.below(choices.len())];
        let before = umpire.clone();
        umpire.play(side, action)?;
        // Kings stay: a game that would end goes on another way.
        if umpire.outcome().is_some() {
            umpire = before;
            continue;
        }
        let told = umpire.told(color).ok_or("nothing is told")?;
        belief.advance(&game, player_of(color), (side == color).then_some(action), told)?;
    }
    let step = belief.positions().len().div_ceil(most).max(1);
    let boards = belief.positions().iter().step_by(step).copied().collect();
    Ok(Scene { rules: Rbc::endless(*umpire.state().board(), None), color, boards })
}

/// What is chosen, and what was thought of each choice.
type Decided = (RbcAction, Vec<Insight>);

/// The sense and the request that are chosen if the sense shows nothing.
fn decided(scene: &Scene, network: bool) -> Result<[Decided; 2], Failure> {
    let evaluators: Vec<Box<dyn Evaluator + Send>> =
        if network { Eval::Net.evaluators(1, scene.rules.value_rules())? } else { vec![Box::new(Count)] };
    let scout = Scout::new(scene.rules, scene.color, evaluators, 1, Fish::version(0));
    let mut scout = scout.supposing(&scene.boards);
    let mut umpire = Umpire::new(scene.rules);
    let sense = scout.choose(&umpire.choices(), NODES)?;
    let sense = (sense, scout.insights().to_vec());
    umpire.play(scene.color, RbcAction::Sense(None))?;
    scout.see(Some(RbcAction::Sense(None)), umpire.told(scene.color).ok_or("nothing is told")?);
    let request = scout.choose(&umpire.choices(), NODES)?;
    Ok([sense, (request, scout.insights().to_vec())])
}

fn written(scene: &Scene, decided: [Decided; 2], network: bool) -> Result<Value, Failure> {
    let insight = |insight: &Insight| {
        let mut parts: Map<String, Value> =
            insight.parts.iter().map(|(name, part)| ((*name).to_owned(), json!(part))).collect();
        parts.insert("score".to_owned(), json!(insight.score));
        (insight.choice.clone(), Value::from(parts))
    };
    let [sense, request] = decided.map(|(action, insights)| {
        json!({ "chosen": action.to_string(), "thoughts": insights.iter().map(insight).collect::<Map<_, _>>() })
    });
    let boards: Vec<String> = scene.boards.iter().map(|position| position.board().to_string()).collect();
    let values = if network { Some(values(scene, &request)?) } else { None };
    Ok(json!({ "boards": boards, "values": values, "sense": sense, "request": request }))
}

/// By board, what the network makes of it and of what comes of each request.
fn values(scene: &Scene, request: &Value) -> Result<Vec<Value>, Failure> {
    let texts = request["thoughts"].as_object().into_iter().flat_map(Map::keys);
    let requests: Vec<Option<Move>> = texts.map(|text| text.parse().ok()).collect();
    let mut leaves = Leaves::new(Eval::Net.evaluators(1, scene.rules.value_rules())?.remove(0));
    let values = |position: &Position| {
        let Row { before, cells } = Row::of(position.board(), &requests, &mut leaves);
        let name = |taken: Option<Move>| taken.map_or("pass".to_owned(), |m| m.to_string());
        let after: Map<_, _> = cells.iter().map(|cell| (name(cell.taken), json!(cell.raw))).collect();
        json!({ "before": before, "after": after })
    };
    Ok(scene.boards.iter().map(values).collect())
}
