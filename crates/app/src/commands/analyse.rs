//! `scuro analyse`: what the player thinks at a turn, from what its side was told alone.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use scuro_agents::name::Obscuro;
use scuro_agents::player::{Playable, Player, Seen, Whereabouts};
use scuro_games::chess::{Board, Color, Piece, Square, color_name, letter, piece_name};
use scuro_games::dark::Rules;
use scuro_games::kriegspiel::Ruleset;
use scuro_games::records::{Ply, Record};
use scuro_games::review::replay;
use scuro_games::seat::Seat;
use scuro_games::umpire::Umpire;
use scuro_games::{Variant, with_game};
use scuro_search::agent::{Budget, Candidate, Thought};
use serde::Serialize;

use super::record::{chosen, upto};
use super::{Answer, Interrupt, complain};
use crate::arguments::{Side, agent, duration, game, position, rules, ruleset};

#[derive(Args)]
#[command(
    after_help = "The player hears only what its side is told of the game: of a record, or of --moves from a first \
position that both know. It thinks at each of its turns. A ply is a move, a try, a sense or a request (b7 e2e4); with \
--side, --ply counts the plies that this side noticed, and else all. With --nodes, --threads 1 and a seed the answer \
is always the same. Ctrl-C ends the thought early and prints it.\n\nExamples:\n  \
scuro analyse --game fog --side white --movetime 5s\n  \
scuro analyse --game fog --moves \"c2c4 d7d5\" --side white --nodes 100000 --threads 1 --json\n  \
scuro analyse --game rbc --moves \"b7 e2e4 e3 e7e5\" --nodes 100000\n  \
scuro analyse --game kriegspiel --record game.pgn --ply 11 --side black --movetime 5s"
)]
pub(crate) struct Arguments {
    /// The game
    #[arg(long, value_name = "GAME", default_value = Variant::FogOfWar.word(), value_parser = game())]
    game: Variant,
    /// The first position, as FEN
    #[arg(long, value_name = "FEN", default_value = "start", value_parser = position, conflicts_with = "record")]
    fen: Board,
    /// The plies since: moves in UCI, in RBC also squares that were sensed, - (sensed nothing) and -- (no move)
    #[arg(long, value_name = "PLIES", default_value = "", conflicts_with = "record")]
    moves: String,
    /// What the umpire of Kriegspiel says: icc (unless said otherwise), cincinnati, rand or english
    #[arg(long, value_name = "NAME", value_parser = ruleset, conflicts_with = "record")]
    ruleset: Option<Ruleset>,
    /// A record of the game: PGN, JSON lines or a history of reconchess
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Which game of the record, from 1
    #[arg(long, value_name = "K", default_value = "1", requires = "record")]
    number: usize,
    /// After how many plies of the record; with --side of those that it noticed [default: all]
    #[arg(long, value_name = "N", requires = "record")]
    ply: Option<usize>,
    /// Whose thoughts [default: the side to move]
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// How long to think, as in 500ms or 5s
    #[arg(long, value_name = "TIME", value_parser = duration, required_unless_present = "nodes")]
    movetime: Option<Duration>,
    /// How many nodes to make instead
    #[arg(long, value_name = "N", conflicts_with = "movetime", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Who thinks
    #[arg(long, default_value = "obscuro", value_parser = agent)]
    agent: Obscuro,
    /// How long to think at earlier turns, if --movetime is given
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "100ms")]
    history_movetime: Duration,
    /// Threads; with 1 growing and solving take turns [default: all cores, at least 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Random numbers
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Also measure how far the last iterate is from an equilibrium of the tree
    #[arg(long)]
    gap: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// The budget of the last thought.
    fn budget(&self) -> Budget {
        match (self.nodes, self.movetime) {
            (Some(nodes), _) => Budget::Nodes(nodes as usize),
            (None, time) => Budget::Time(time.unwrap_or_default()),
        }
    }

    /// The budget of those before.
    fn history_budget(&self) -> Budget {
        if self.nodes.is_some() { self.budget() } else { Budget::Time(self.history_movetime) }
    }
}

/// Where pieces may stand: by square and letter, under the belief and as the opponent has played.
type Squares = BTreeMap<String, BTreeMap<char, [f64; 2]>>;

/// What `--json` prints.
#[derive(Serialize)]
struct Document {
    game: Variant,
    #[serde(rename = "move")]
    chosen: String,
    value: f64,
    strategy: Vec<Entry>,
    belief: Size,
    squares: Squares,
    tree: TreeSize,
    pmax: f64,
    gap: Option<f64>,
}

#[derive(Serialize)]
struct Entry {
    #[serde(rename = "move")]
    action: String,
    probability: f64,
    played: f64,
    value: f64,
    stable: bool,
    /// How play may go on.
    line: Vec<String>,
}

#[derive(Serialize)]
struct Size {
    size: usize,
    exact: bool,
    /// How often positions were found again, and how often invented.
    refilled: usize,
    invented: usize,
}

#[derive(Serialize)]
struct TreeSize {
    nodes: usize,
    infosets: usize,
    depth: usize,
    iterations: u64,
    expansions: u64,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    match &arguments.record {
        Some(file) => {
            let record = chosen(file, arguments.game, arguments.number)?;
            let of_file = || file.display().to_string();
            let rules = Rules::of(&record).map_err(|words| anyhow!(words)).with_context(of_file)?;
            with_game!(rules, game => {
                let umpire = replayed(game, &record, arguments).with_context(of_file)?;
                analyse(&umpire, arguments, out)
            })
        }
        None => with_game!(rules(arguments.game, arguments.fen, arguments.ruleset)?, game => {
            analyse(&played(game, &arguments.moves)?, arguments, out)
        }),
    }
}

/// The game of a record as far as it is asked for.
fn replayed<G: Playable>(game: G, record: &Record, arguments: &Arguments) -> anyhow::Result<Umpire<G>> {
    let upto = upto(arguments.ply, arguments.side.map(Side::color));
    Ok(replay(&game, record, upto)?)
}

/// The game of `--moves`.
fn played<G: Playable>(game: G, plies: &str) -> anyhow::Result<Umpire<G>> {
    let mut umpire = Umpire::new(game);
    for (number, word) in (1..).zip(plies.split_whitespace()) {
        let place = || format!("--moves, ply {number}");
        let ply: Ply = word.parse().with_context(place)?;
        let action = G::action(ply).with_context(|| format!("{word} is no ply of {}", G::VARIANT));
        let action = action.with_context(place)?;
        // Of a game that is over nobody is to move, and White is told so.
        let side = umpire.turn().unwrap_or(Color::White);
        umpire.play(side, action).with_context(place)?;
    }
    Ok(umpire)
}

/// Thinks as one side of a game, which hears nothing but what that side was told.
fn analyse<G: Playable>(
    umpire: &Umpire<G>,
    arguments: &Arguments,
    out: &mut impl Write,
) -> anyhow::Result<Answer> {
    let side = arguments.side.map(Side::color).or(umpire.turn()).context("the game is over here")?;
    let seat = umpire.seat(side);
    if let Some(end) = seat.end() {
        bail!("the game is over here: {end}");
    }
    if seat.choices(umpire.game()).is_empty() {
        bail!("it is not the turn of --side {} here", color_name(side).to_lowercase());
    }
    let interrupt = Interrupt::watch()?;
    let (player, thought) = think(umpire.game(), seat, arguments, &interrupt)?;
    let document = document(&player, &thought, arguments.gap);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        print(&document, !side, out)?;
    }
    Ok(if interrupt.asked() { Answer::Interrupted } else { Answer::Yes })
}

/// Lets the player think at all its turns, the last time in full.
fn think<G: Playable>(
    game: &G,
    seat: &Seat<G>,
    arguments: &Arguments,
    interrupt: &Interrupt,
) -> anyhow::Result<(Player<G>, Thought<G::Action>)> {
    let mut name = arguments.agent.clone();
    name.settings.seed = arguments.seed.unwrap_or(name.settings.seed);
    let threads = arguments.threads.map(usize::from);
    let mut player = Player::new(game.clone(), seat.color(), &name, threads)?;
    player.stop_by(interrupt.0.clone());
    let lost = || anyhow!("no position fits what {} was told", color_name(seat.color()));
    for heard in seat.heard() {
        if heard.own.is_some() {
            player.think(arguments.history_budget()).ok_or_else(lost)?;
        }
        let seen = player.see(heard.own, &heard.told).map_err(|_| lost())?;
        if seen == Seen::Invented {
            complain("scuro: nothing that was believed fitted what was told; positions were invented");
        }
    }
    let thought = player.think(arguments.budget()).ok_or_else(lost)?.clone();
    Ok((player, thought))
}

fn document<G: Playable>(player: &Player<G>, thought: &Thought<G::Action>, gap: bool) -> Document {
    let word = |action: G::Action| G::ply(action).to_string();
    let best = thought.candidates.iter().rev().max_by(|a, b| a.played.total_cmp(&b.played));
    let entry = |candidate: &Candidate<G::Action>| Entry {
        action: word(candidate.action),
        probability: candidate.probability,
        played: candidate.played,
        value: candidate.value,
        stable: candidate.stable,
        line: candidate.line.iter().copied().map(word).collect(),
    };
    Document {
        game: G::VARIANT,
        chosen: best.map(|best| word(best.action)).unwrap_or_default(),
        value: thought.value,
        strategy: thought.candidates.iter().map(entry).collect(),
        belief: Size {
            size: player.belief().positions().len(),
            exact: !player.belief().is_sample(),
            refilled: player.believer().refilled(),
            invented: player.believer().invented(),
        },
        squares: squares(player),
        tree: TreeSize {
            nodes: thought.nodes,
            infosets: thought.infosets,
            depth: thought.depth,
            iterations: thought.iterations,
            expansions: thought.expansions,
        },
        pmax: thought.pmax,
        gap: player.tree().filter(|_| gap).map(|tree| tree.gap()),
    }
}

/// Where the opponent's pieces may stand: under the belief, and as they have played.
fn squares<G: Playable>(player: &Player<G>) -> Squares {
    let theirs = !player.color();
    let tree = player.tree().map(|tree| tree.positions()).unwrap_or_default();
    let boards = tree.iter().map(|(supposed, share)| (G::true_board(&supposed.state), *share));
    let mut squares = Squares::new();
    for (column, whereabouts) in [player.whereabouts(), Whereabouts::of(boards, theirs)].iter().enumerate() {
        for piece in Piece::ALL {
            for (square, share) in whereabouts.likeliest(piece) {
                let entry = squares.entry(Square::to_string(&square)).or_default();
                entry.entry(letter(piece, theirs)).or_default()[column] = share;
            }
        }
    }
    squares
}

fn print(document: &Document, theirs: Color, out: &mut impl Write) -> anyhow::Result<()> {
    let Document { chosen, value, belief, tree, pmax, .. } = document;
    writeln!(out, "move {chosen}\nvalue {value:.3}")?;
    let exact = if belief.exact { "" } else { ", a sample" };
    writeln!(out, "belief {} positions{exact}", belief.size)?;
    if belief.refilled + belief.invented > 0 {
        writeln!(out, "refilled {} times, invented {} times", belief.refilled, belief.invented)?;
    }
    print_squares(&document.squares, theirs, out)?;
    let TreeSize { nodes, infosets, depth, iterations, expansions } = tree;
    writeln!(out, "tree {nodes} nodes, {infosets} infosets, depth {depth}")?;
    writeln!(out, "search {iterations} iterations, {expansions} expansions, pmax {pmax:.3}")?;
    if let Some(gap) = document.gap {
        writeln!(out, "gap {gap:.4}")?;
    }
    let mut strategy: Vec<&Entry> = document.strategy.iter().collect();
    strategy.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    writeln!(out, "move  solved played  value        line")?;
    for entry in strategy.into_iter().take_while(|entry| entry.probability > 0.0005).take(12) {
        let stable = if entry.stable { "stable" } else { "" };
        let Entry { action, probability, played, value, line, .. } = entry;
        let line = line[..line.len().min(8)].join(" ");
        writeln!(out, "{action:5} {probability:6.3} {played:6.3} {value:6.3} {stable:6} {line}")?;
    }
    Ok(())
}

/// So many squares of a kind of piece are printed.
const MOST_SQUARES: usize = 8;

/// The likeliest squares of each kind of piece, with their shares of the belief.
fn print_squares(squares: &Squares, theirs: Color, out: &mut impl Write) -> anyhow::Result<()> {
    for piece in Piece::ALL.into_iter().rev() {
        let of_piece = |(square, pieces): (_, &BTreeMap<char, [f64; 2]>)| {
            Some((square, pieces.get(&letter(piece, theirs))?[0]))
        };
        let mut likely: Vec<(&String, f64)> = squares.iter().filter_map(of_piece).collect();
        likely.sort_by(|a, b| b.1.total_cmp(&a.1));
        let words: Vec<String> =
            likely.iter().take(MOST_SQUARES).map(|(square, share)| format!("{square} {share:.2}")).collect();
        if !words.is_empty() {
            writeln!(out, "their {} {}", piece_name(piece), words.join(", "))?;
        }
    }
    Ok(())
}
