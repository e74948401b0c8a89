//! Whole games: against a mover at random and against itself.

use std::time::Instant;

use anyhow::anyhow;
use scuro_agents::contestant::{Allowance, Contestant};
use scuro_agents::play::tell_one;
use scuro_agents::player::Player;
use scuro_agents::rivals::random::RandomMover;
use scuro_core::Random;
use scuro_games::chess::{Board, Color, Move, color_name};
use scuro_games::fog::FogOfWar;
use scuro_games::umpire::Umpire;
use serde::{Deserialize, Serialize};

use super::book::Book;
use super::{Settings, note};

/// A finished game.
#[derive(Serialize, Deserialize)]
struct GameRecord {
    /// The first position.
    fen: String,
    /// The side of the player that is tried; against itself, White.
    side: String,
    /// 1, 0 or -1 for that side.
    result: i32,
    reason: String,
    plies: usize,
    moves: String,
    #[serde(flatten)]
    notes: Notes,
}

/// What is counted on the way, at the turns of the player that is tried.
#[derive(Default, Serialize, Deserialize)]
struct Notes {
    turns: usize,
    /// Turns at which Resolve was not in use.
    pmax_zero: usize,
    /// Turns without a thought.
    thoughtless: usize,
    /// Turns at which the belief was a sample.
    sampled: usize,
    /// The sum of the sizes of its beliefs.
    positions: usize,
    largest: usize,
    nodes: usize,
    iterations: u64,
    /// Plies after which the truth was not in an exact belief.
    missing: Vec<usize>,
    /// Plies before which positions of a belief gave other moves than the truth.
    unlike: Vec<usize>,
    contradictions: usize,
    /// The longest ply in seconds, with what both see after it.
    slowest: f64,
}

impl Notes {
    /// At its turn, before it thinks: the moves of positions drawn from its belief are its moves.
    fn before(&mut self, umpire: &Umpire<FogOfWar>, player: &Player<FogOfWar>, random: &mut Random) {
        let belief = player.belief();
        let positions = belief.positions();
        self.turns += 1;
        self.sampled += usize::from(belief.is_sample());
        self.positions += positions.len();
        self.largest = self.largest.max(positions.len());
        let mine = umpire.choices();
        let mut moves = Vec::new();
        for _ in 0..positions.len().min(CHECKED) {
            moves.clear();
            positions[random.below(positions.len())].pseudo_legal(&mut moves);
            if moves != mine {
                self.unlike.push(umpire.actions().len());
                return;
            }
        }
    }

    /// What it thought.
    fn thought(&mut self, player: &Player<FogOfWar>, seconds: f64) {
        self.slowest = self.slowest.max(seconds);
        match player.thought() {
            Some(thought) => {
                self.pmax_zero += usize::from(thought.pmax <= 0.0);
                self.nodes += thought.nodes;
                self.iterations += thought.iterations;
            }
            None => self.thoughtless += 1,
        }
    }

    /// After a ply of either side: the truth is in its belief, unless that is a sample.
    fn after(&mut self, umpire: &Umpire<FogOfWar>, player: &Player<FogOfWar>) {
        let belief = player.belief();
        let truth = umpire.state().board().without_counters();
        if umpire.outcome().is_none() && !belief.is_sample() && !belief.contains(&truth) {
            self.missing.push(umpire.actions().len());
        }
    }
}

/// So many positions of a belief are asked for their moves at a turn.
const CHECKED: usize = 200;

/// Who sits on one side of the board.
enum Seat {
    Tried(Box<Player<FogOfWar>>),
    Yardstick(Box<dyn Contestant<FogOfWar>>),
}

impl Seat {
    fn tried(&self) -> Option<&Player<FogOfWar>> {
        match self {
            Seat::Tried(player) => Some(player),
            Seat::Yardstick(_) => None,
        }
    }

    fn choose(&mut self, umpire: &Umpire<FogOfWar>, allowance: Allowance) -> anyhow::Result<Move> {
        let choices = umpire.choices();
        match self {
            Seat::Tried(player) => Ok(Contestant::choose(&mut **player, &choices, allowance)?),
            Seat::Yardstick(other) => Ok(other.choose(&choices, allowance)?),
        }
    }

    /// Who is told what happens.
    fn listener(&mut self) -> &mut dyn Contestant<FogOfWar> {
        match self {
            Seat::Tried(player) => &mut **player,
            Seat::Yardstick(other) => &mut **other,
        }
    }
}

/// Plays a game to its end; `side` is the one whose result counts.
fn play(
    settings: &Settings,
    start: Board,
    mut seats: [Seat; 2],
    side: Color,
    seed: u64,
) -> anyhow::Result<GameRecord> {
    let mut umpire = Umpire::new(FogOfWar { start });
    let mut notes = Notes::default();
    let mut random = Random::new(seed);
    while let Some(turn) = umpire.turn() {
        note(format!("seed {seed}, {} from {start}: {}", color_name(side), line(umpire.actions())));
        if let Some(player) = seats[turn as usize].tried() {
            notes.before(&umpire, player, &mut random);
        }
        let began = Instant::now();
        let m = seats[turn as usize].choose(&umpire, settings.allowance())?;
        umpire.play(turn, m)?;
        for (color, seat) in Color::ALL.into_iter().zip(&mut seats) {
            tell_one(&umpire, color, turn, m, seat.listener());
        }
        if let Some(player) = seats[turn as usize].tried() {
            notes.thought(player, began.elapsed().as_secs_f64());
        }
        for player in seats.iter().filter_map(Seat::tried) {
            notes.after(&umpire, player);
        }
    }
    notes.contradictions =
        seats.iter().filter_map(Seat::tried).map(|tried| tried.believer().invented()).sum();
    let outcome = umpire.outcome().ok_or_else(|| anyhow!("nobody is to move, and the game is not over"))?;
    Ok(GameRecord {
        fen: start.to_string(),
        side: color_name(side).to_owned(),
        result: outcome.winner.map_or(0, |winner| if winner == side { 1 } else { -1 }),
        reason: outcome.reason.termination().to_owned(),
        plies: umpire.actions().len(),
        moves: line(umpire.actions()),
        notes,
    })
}

/// Moves in UCI.
fn line(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// Against a mover at random, colours in turn.
pub(super) fn random(settings: &Settings) -> anyhow::Result<()> {
    let book = Book::open(&settings.out, settings.words("random"))?;
    let records = book.fill(settings.games, |game| {
        let (start, seed) = (Board::start(), settings.seed + game);
        let side = if game % 2 == 0 { Color::White } else { Color::Black };
        let player = Seat::Tried(Box::new(settings.player(start, side, seed)?));
        let other = Seat::Yardstick(Box::new(RandomMover::new(seed)));
        let seats = if side == Color::White { [player, other] } else { [other, player] };
        play(settings, start, seats, side, seed)
    })?;
    totals(&records);
    Ok(())
}

/// Against itself.
pub(super) fn selfplay(settings: &Settings) -> anyhow::Result<()> {
    let book = Book::open(&settings.out, settings.words("selfplay"))?;
    let records = book.fill(settings.games, |game| {
        let (start, seed) = (Board::start(), settings.seed + game);
        // Two players with the same random numbers would mirror each other.
        let white = Seat::Tried(Box::new(settings.player(start, Color::White, 2 * seed)?));
        let black = Seat::Tried(Box::new(settings.player(start, Color::Black, 2 * seed + 1)?));
        play(settings, start, [white, black], Color::White, seed)
    })?;
    totals(&records);
    println!("game length: mean {:.1} plies", mean(records.iter().map(|record| record.plies)));
    Ok(())
}

fn mean(numbers: impl Iterator<Item = usize>) -> f64 {
    let (sum, count) = numbers.fold((0, 0), |(sum, count), number| (sum + number, count + 1));
    sum as f64 / f64::from(count.max(1))
}

/// What came of all games, and of all turns of the player that is tried.
fn totals(records: &[GameRecord]) {
    let results = |result| records.iter().filter(|record| record.result == result).count();
    println!("{} games: {} won, {} drawn, {} lost", records.len(), results(1), results(0), results(-1));
    let mut reasons: Vec<&str> = records.iter().map(|record| record.reason.as_str()).collect();
    reasons.sort_unstable();
    for reason in reasons.chunk_by(|a, b| a == b) {
        println!("  {}: {}", reason[0], reason.len());
    }
    let sum = |count: fn(&Notes) -> usize| records.iter().map(|record| count(&record.notes)).sum::<usize>();
    let turns = sum(|notes| notes.turns).max(1);
    let share = |count| 100.0 * sum(count) as f64 / turns as f64;
    println!(
        "{turns} turns: pmax 0 at {:.1} %, belief a sample at {:.1} %",
        share(|n| n.pmax_zero),
        share(|n| n.sampled)
    );
    let largest = records.iter().map(|record| record.notes.largest).max().unwrap_or(0);
    println!("belief: mean {:.0} positions, most {largest}", sum(|n| n.positions) as f64 / turns as f64);
    let iterations: u64 = records.iter().map(|record| record.notes.iterations).sum();
    let slowest = records.iter().map(|record| record.notes.slowest).fold(0.0, f64::max);
    let nodes = sum(|notes| notes.nodes) / turns;
    println!(
        "search: mean {nodes} nodes, {} iterations; slowest ply {slowest:.2} s",
        iterations / turns as u64
    );
    println!(
        "faults: truth not believed after {} plies, unlike moves at {} turns, {} contradictions, {} turns without a thought",
        sum(|notes| notes.missing.len()),
        sum(|notes| notes.unlike.len()),
        sum(|notes| notes.contradictions),
        sum(|notes| notes.thoughtless),
    );
    for (game, record) in records.iter().enumerate().filter(|(_, record)| record.result < 0).take(20) {
        println!("lost: game {game} as {}: {}", record.side, record.moves);
    }
}
