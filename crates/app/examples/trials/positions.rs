//! Positions of which the paper tells what they are worth, or how they should be played.

use std::collections::BTreeMap;

use anyhow::anyhow;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::FogOfWar;
use scuro_games::umpire::Umpire;
use scuro_search::agent::Thought;
use serde::{Deserialize, Serialize};

use super::book::Book;
use super::{Settings, note};

/// What the player thinks of a position.
#[derive(Serialize, Deserialize)]
struct Answer {
    case: String,
    fen: String,
    seed: u64,
    /// How much of the time or the nodes was given.
    share: f64,
    /// To White.
    value: f64,
    pmax: f64,
    nodes: usize,
    iterations: u64,
    depth: usize,
    /// What is not negligible, by move in UCI: as solved, as played, and its value to the side to move.
    strategy: BTreeMap<String, [f64; 3]>,
}

/// A position, and the values to White that theory allows.
struct Case {
    name: &'static str,
    fen: &'static str,
    low: f64,
    high: f64,
}

const fn case(name: &'static str, fen: &'static str, low: f64, high: f64) -> Case {
    Case { name, fen, low, high }
}

/// King against king. In the corner White wins half of the time on the spot. Where Black, to move, has two safe squares
/// next to each other (claim 1), and White as well, nobody wins. Where the Black king cannot leave the edge (claim 2),
/// White is better.
const KINGS: [Case; 13] = [
    case("corner b6", "k7/8/1K6/8/8/8/8/8 w - - 0 1", 0.45, 1.0),
    case("corner c7", "k7/2K5/8/8/8/8/8/8 w - - 0 1", 0.45, 1.0),
    case("corner c6", "k7/8/2K5/8/8/8/8/8 w - - 0 1", 0.45, 1.0),
    case("claim 1, far", "8/8/3k4/8/8/8/8/3K4 b - - 0 1", -0.05, 0.05),
    case("claim 1, centre", "8/8/8/3k4/8/3K4/8/8 b - - 0 1", -0.05, 0.05),
    case("claim 1, aslant", "8/8/2k5/8/4K3/8/8/8 b - - 0 1", -0.05, 0.05),
    case("claim 1, edge", "4k3/8/8/4K3/8/8/8/8 b - - 0 1", -0.05, 0.05),
    case("claim 1, White to move", "8/8/3k4/8/8/3K4/8/8 w - - 0 1", -0.05, 0.05),
    case("claim 2, a6 a8, White", "k7/8/K7/8/8/8/8/8 w - - 0 1", -0.02, 1.0),
    case("claim 2, a6 a8, Black", "k7/8/K7/8/8/8/8/8 b - - 0 1", -0.02, 1.0),
    case("claim 2, c6 c8, White", "2k5/8/2K5/8/8/8/8/8 w - - 0 1", -0.02, 1.0),
    case("claim 2, e6 e8, White", "4k3/8/4K3/8/8/8/8/8 w - - 0 1", -0.02, 1.0),
    case("claim 2, e6 e8, Black", "4k3/8/4K3/8/8/8/8/8 b - - 0 1", -0.02, 1.0),
];

/// Figure 7 (A): there is no theory of its value, only of how to play it.
const OPENING: Case = case("1. c4 d5", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", -1.0, 1.0);

/// Figure 7 (D), of which only the words are at hand: White is a little behind; Rxe6 Kxe6, then two bishop checks that
/// win on the spot half of the time; three points behind if they do not. The words have Be4+ and Bh3+, but a bishop on
/// e4 does not attack e6, and c4 and h3 are the squares from which a bishop on f1 does. Here Black has a rook, a knight
/// and six pawns against rook, bishop and five. Every square that the king has on e6 lies on one of the two diagonals,
/// or White attacks it; and before, it stands where neither check comes as a surprise. By pawns alone White gets half
/// of 1 and half of tanh(-3/6), 0.27; the network thinks less of what is left if the checks fail, -0.7: 0.15.
const TACTIC: [Case; 2] = [
    case("figure 7 D", "8/r3p2p/pp1pnp2/3k4/3P4/5P2/P4P1P/4RB1K w - - 0 1", 0.1, 0.5),
    case("figure 7 D, Rxe6 Kxe6", "8/r3p2p/pp1pnp2/3k4/3P4/5P2/P4P1P/4RB1K w - - 0 1", 0.1, 0.5),
];

/// Asks the player about a position after some moves, at each of its turns.
fn ask(
    settings: &Settings,
    case: &Case,
    moves: &[&str],
    [before, share]: [f64; 2],
    seed: u64,
) -> anyhow::Result<Answer> {
    let start: Board = case.fen.parse()?;
    let side = start.side();
    let mut umpire = Umpire::new(FogOfWar { start });
    let mut player = settings.player(start, side, seed)?;
    note(format!("seed {seed}, {}", case.name));
    for word in moves {
        let (mover, m): (Color, Move) = (umpire.state().board().side(), word.parse()?);
        if mover == side {
            player.think(settings.budget(before));
        }
        umpire.play(mover, m)?;
        let told = umpire.told(side).ok_or_else(|| anyhow!("{}: nothing was told", case.name))?;
        player.see((mover == side).then_some(m), told)?;
    }
    let thought = player.think(settings.budget(share)).ok_or_else(|| anyhow!("{}: no thought", case.name))?;
    Ok(answer(case, thought, side, share, seed))
}

fn answer(case: &Case, thought: &Thought<Move>, side: Color, share: f64, seed: u64) -> Answer {
    let sign = if side == Color::White { 1.0 } else { -1.0 };
    let round = |number: f64| (number * 1e4).round() / 1e4;
    let candidates = thought.candidates.iter().filter(|each| each.probability > 0.001 || each.played > 0.0);
    let strategy = candidates
        .map(|each| (each.action.to_string(), [each.probability, each.played, each.value].map(round)));
    Answer {
        case: case.name.to_owned(),
        fen: case.fen.to_owned(),
        seed,
        share,
        value: sign * thought.value,
        pmax: thought.pmax,
        nodes: thought.nodes,
        iterations: thought.iterations,
        depth: thought.depth,
        strategy: strategy.collect(),
    }
}

/// The answers, those to one case one after the other, and how many are within what theory allows.
fn print(answers: &[Answer], cases: &[Case]) {
    for case in cases {
        let answers = answers.iter().filter(|answer| answer.case == case.name);
        let mut within = [0, 0];
        println!("{} ({}): from {} to {}", case.name, case.fen, case.low, case.high);
        for answer in answers {
            let Answer { share, value, pmax, nodes, iterations, depth, seed, .. } = answer;
            let fits = (case.low..=case.high).contains(value);
            within[usize::from(fits)] += 1;
            println!(
                "  x{share} seed {seed}: value {value:.3}{}, pmax {pmax:.2}, {nodes} nodes, {iterations} iterations, \
                 depth {depth}",
                if fits { "" } else { " (outside)" }
            );
            println!("    {}", words(&answer.strategy));
        }
        println!("  {} of {} within", within[1], within[0] + within[1]);
    }
}

/// A strategy, the likeliest moves first.
fn words(strategy: &BTreeMap<String, [f64; 3]>) -> String {
    let mut moves: Vec<_> = strategy.iter().collect();
    moves.sort_by(|a, b| b.1[0].total_cmp(&a.1[0]));
    let word = |(m, [solved, played, value]): (&String, &[f64; 3])| {
        format!("{m} {solved:.2}/{played:.2} ({value:.2})")
    };
    moves.into_iter().take(6).map(word).collect::<Vec<_>>().join(", ")
}

/// King against king.
pub(super) fn kings(settings: &Settings) -> anyhow::Result<()> {
    let book = Book::open(&settings.out, settings.words("kings"))?;
    let shares = [0.2, 1.0, 4.0];
    let questions = (KINGS.len() * shares.len()) as u64;
    let answers = book.fill(settings.games * questions, |game| {
        let (round, question) = (game / questions, (game % questions) as usize);
        let share = shares[question % shares.len()];
        ask(settings, &KINGS[question / shares.len()], &[], [share; 2], settings.seed + round)
    })?;
    print(&answers, &KINGS);
    Ok(())
}

/// After 1. c4 d5, White having thought at move 1 too.
pub(super) fn opening(history: f64, settings: &Settings) -> anyhow::Result<()> {
    let book = Book::open(&settings.out, settings.words(&format!("opening --history {history}")))?;
    let answers = book.fill(settings.games, |game| {
        ask(settings, &OPENING, &["c2c4", "d7d5"], [history, 1.0], settings.seed + game)
    })?;
    print(&answers, &[OPENING]);
    report(&answers, &["b1c3", "d1a4", "g1f3", "e2e3", "c4d5"]);
    Ok(())
}

/// A rook for an even chance: whether it is given, and what comes then.
pub(super) fn tactic(settings: &Settings) -> anyhow::Result<()> {
    let book = Book::open(&settings.out, settings.words("tactic"))?;
    let answers = book.fill(2 * settings.games, |game| {
        let moves: &[&str] = if game % 2 == 0 { &[] } else { &["e1e6", "d5e6"] };
        ask(settings, &TACTIC[(game % 2) as usize], moves, [1.0; 2], settings.seed + game / 2)
    })?;
    print(&answers, &TACTIC);
    let (given, then): (Vec<_>, Vec<_>) = answers.into_iter().partition(|each| each.case == TACTIC[0].name);
    report(&given, &["e1e6"]);
    report(&then, &["f1c4", "f1h3"]);
    Ok(())
}

/// How likely some moves are, over all answers.
fn report(answers: &[Answer], moves: &[&str]) {
    for &m in moves {
        let column = |place: usize| {
            let shares = answers.iter().map(|answer| answer.strategy.get(m).map_or(0.0, |each| each[place]));
            shares.sum::<f64>() / answers.len().max(1) as f64
        };
        println!("{m}: solved {:.3}, played {:.3} on average", column(0), column(1));
    }
}
