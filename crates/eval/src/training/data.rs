//! Positions to learn from: games of two sloppy players under fog rules, a few positions of each labelled.
//!
//! Each side plays at random at its own rate; else it plays well by a cheap look at material and squares, or greedily
//! by what it can take. Kings are mostly taken where they can be, and mostly kept off attack. Of a labelled position
//! the teacher tells of every move, so it and some of its children become records.

use std::ffi::OsString;
use std::path::PathBuf;

use scuro_core::Random;
use scuro_games::chess::{Board, Color, Move, Piece, Rank, Square};

use super::quiet::{gain, material, quiet, settle, worth};
use super::records::{Record, Score, Shard, shard_file};
use super::{TrainingError, Watch, ask, in_parallel, mix};
use crate::uci::{Thought, Uci};

/// What to make.
pub struct Wanted {
    /// Where to: a folder.
    pub folder: PathBuf,
    /// How many shards.
    pub shards: u64,
    /// What makes these games different from others.
    pub seed: u64,
    /// How many teachers work at once.
    pub threads: usize,
    /// The teacher.
    pub teacher: OsString,
}

/// Games in a shard.
pub const GAMES: u64 = 500;

const FIRST_PLY: usize = 4;
const LAST_PLY: usize = 120;
/// Children of a labelled position that become records.
const CHILDREN: usize = 14;
/// More lines than any position has moves.
const LINES: usize = 500;

/// How often a side moves at random.
const RANDOM_RATES: [f64; 4] = [0.1, 0.2, 0.3, 0.5];
/// How often a king that can be taken is taken, and the own king kept off attack.
const CARE: f64 = 0.9;

/// Makes the shards that are not there yet.
///
/// # Errors
/// If the teacher does not start, or a file cannot be written.
pub fn generate(wanted: &Wanted, watch: &Watch<'_>) -> Result<(), TrainingError> {
    std::fs::create_dir_all(&wanted.folder)
        .map_err(|error| TrainingError::File(wanted.folder.clone(), error))?;
    let missing: Vec<u64> =
        (0..wanted.shards).filter(|&number| !shard_file(&wanted.folder, number).exists()).collect();
    (watch.done)((wanted.shards - missing.len() as u64) * GAMES);
    in_parallel(wanted.threads, missing.len() as u64, watch, |i, watch| {
        let number = missing[i as usize];
        // A new process each time: what it remembers depends on nothing but this shard.
        let mut teacher = Uci::new(&wanted.teacher, 1);
        let Some(records) = play_shard(wanted.seed, number, &mut teacher, watch)? else { return Ok(()) };
        Shard { depth: 1, records }.save(&shard_file(&wanted.folder, number))
    })
}

/// The records of one shard's games; `None` if stopped before its end.
fn play_shard(
    seed: u64,
    number: u64,
    teacher: &mut Uci,
    watch: &Watch<'_>,
) -> Result<Option<Vec<Record>>, TrainingError> {
    let mut random = Random::new(mix(seed, number));
    let mut records = Vec::new();
    for game in 0..GAMES {
        if (watch.stop)() {
            return Ok(None);
        }
        let name = mix(seed, number * GAMES + game + 1) as u32;
        play_game(name, teacher, &mut random, &mut records)?;
        (watch.done)(1);
    }
    Ok(Some(records))
}

/// How a side plays.
struct Style {
    random: f64,
    /// Whether it looks at what the other can take; else it takes what it can.
    looks: bool,
}

impl Style {
    fn any(random: &mut Random) -> Style {
        Style { random: RANDOM_RATES[random.below(RANDOM_RATES.len())], looks: random.unit() < 0.6 }
    }
}

fn play_game(
    name: u32,
    teacher: &mut Uci,
    random: &mut Random,
    records: &mut Vec<Record>,
) -> Result<(), TrainingError> {
    let styles = [Style::any(random), Style::any(random)];
    let mut board = Board::start();
    for ply in 0..=LAST_PLY {
        let mut thoughts = Vec::new();
        if ply >= FIRST_PLY && random.unit() < label_rate(&board) && askable(&board) {
            thoughts = ask(teacher, &board, LINES)?;
            keep(&board, &thoughts, name, random, records);
        }
        let Some(m) = choose(&board, &thoughts, &styles[board.side() as usize], random) else { break };
        if board.captured_by(m).is_some_and(|(_, piece)| piece == Piece::King) || board.clock() >= 100 {
            break;
        }
        board.make(m);
    }
    Ok(())
}

/// How often a position is labelled: level ones more often, because they decide games and sloppy games have few.
fn label_rate(board: &Board) -> f64 {
    match material(board, Color::White).abs() {
        0..=150 => 0.15,
        151..=400 => 0.10,
        _ => 0.05,
    }
}

/// Whether a chess engine can be asked of a position: both kings stand, the waiting one is not attacked, and there is
/// a legal move of chess.
fn askable(board: &Board) -> bool {
    let (side, mut moves) = (board.side(), Vec::with_capacity(64));
    if board.king(side).is_none() || board.king(!side).is_none() || board.in_check(!side) {
        return false;
    }
    board.legal(&mut moves);
    !moves.is_empty()
}

/// Keeps a position and some of its children.
fn keep(board: &Board, thoughts: &[Thought], name: u32, random: &mut Random, records: &mut Vec<Record>) {
    let Some(best) = thoughts.first() else { return };
    let mut push = |board: &Board, score: Score| {
        let quiet = matches!(score, Score::Centipawns(_)) && quiet(board);
        records.extend(Record::new(board, score, quiet, name));
    };
    push(board, best.score());
    let mut left: Vec<&Thought> =
        thoughts.iter().filter(|thought| board.is_pseudo_legal(thought.m)).collect();
    for _ in 0..CHILDREN.min(left.len()) {
        let thought = left.swap_remove(random.below(left.len()));
        push(&board.play(thought.m), thought.score().turned());
    }
}

/// The move a side plays; `None` if it has none.
fn choose(board: &Board, thoughts: &[Thought], style: &Style, random: &mut Random) -> Option<Move> {
    let mut moves = Vec::with_capacity(64);
    board.pseudo_legal(&mut moves);
    let takes_king = moves.iter().copied().find(|&m| gain(board, m) >= worth(Piece::King));
    if takes_king.is_some() && random.unit() < CARE {
        return takes_king;
    }
    if random.unit() < CARE {
        let safe = |m: &&Move| !board.play(**m).in_check(board.side());
        let kept: Vec<Move> = moves.iter().filter(safe).copied().collect();
        if !kept.is_empty() {
            moves = kept;
        }
    }
    if random.unit() < style.random {
        return random.pick(&moves).copied();
    }
    if !style.looks {
        return best(moves.iter().map(|&m| (gain(board, m) + progress_of(board, m) + noise(random, 60), m)));
    }
    if !thoughts.is_empty() {
        let known = thoughts.iter().filter(|thought| board.is_pseudo_legal(thought.m));
        return best(
            known.map(|thought| (thought.centipawns.clamp(-20_000, 20_000) + noise(random, 30), thought.m)),
        );
    }
    look_ahead(board, &moves, random)
}

/// The best move by material after captures, and by squares. Only moves that look good at first are followed.
fn look_ahead(board: &Board, moves: &[Move], random: &mut Random) -> Option<Move> {
    const FOLLOWED: usize = 8;
    let mut first: Vec<(i32, Move)> =
        moves.iter().map(|&m| (gain(board, m) + progress_of(board, m) + noise(random, 30), m)).collect();
    first.sort_by_key(|&(score, m)| (-score, m));
    let now = material(board, board.side());
    let after = |&(score, m): &(i32, Move)| {
        let settled = -settle(&board.play(m), -20_000, 20_000);
        (score - gain(board, m) + settled - now, m)
    };
    best(first.iter().take(FOLLOWED).map(after))
}

fn best(moves: impl Iterator<Item = (i32, Move)>) -> Option<Move> {
    moves.max_by_key(|&(score, m)| (score, m)).map(|(_, m)| m)
}

/// A number near zero, mostly within `size`.
fn noise(random: &mut Random, size: i32) -> i32 {
    let spread = (0..3).map(|_| random.unit() - 0.5).sum::<f64>();
    (spread * 2.0 * f64::from(size)) as i32
}

/// What a move gains by its squares.
fn progress_of(board: &Board, m: Move) -> i32 {
    let Some((color, piece)) = board.man_on(m.from()) else { return 0 };
    let castled = piece == Piece::King && (m.from() as u8).abs_diff(m.to() as u8) == 2;
    let late = board.pieces(Piece::Queen).is_empty();
    let on = |square| square_worth(color, piece, square, late);
    on(m.to()) - on(m.from()) + if castled { 50 } else { 0 }
}

fn square_worth(color: Color, piece: Piece, square: Square, late: bool) -> i32 {
    let (file, rank) = (square.file() as i32, square.rank().relative_to(color) as i32);
    let centre = 7 - ((2 * file - 7).abs() + (2 * rank - 7).abs()) / 2;
    let home = i32::from(square.rank().relative_to(color) == Rank::First);
    match piece {
        Piece::Pawn => 4 * centre + rank * rank,
        Piece::Knight => 9 * centre - 10 * home,
        Piece::Bishop => 5 * centre - 15 * home,
        Piece::Rook => {
            if rank == 6 {
                20
            } else {
                0
            }
        }
        Piece::Queen => centre,
        Piece::King => {
            if late {
                6 * centre
            } else {
                -6 * centre - 10 * rank
            }
        }
    }
}
