//! Endings against a lone king in Kriegspiel, held against the umpire.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use scuro_agents::kriegspiel::endings::lone_king::{Army, Heard, LoneKing};
use scuro_agents::kriegspiel::endings::prover::placements;
use scuro_agents::kriegspiel::endings::table::{Table, TableError};
use scuro_agents::kriegspiel::endings::{certain_win, proved};
use scuro_core::Random;
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, Square};
use scuro_games::kriegspiel::{Answer, Checks, KriegspielState, Ruleset, Try};
use scuro_games::outcome::Reason;

/// What the umpire may say to a try wherever the king stands: by the answer, where the king may be at the next try and
/// whether a stalemate or a loss is possible. Every answer of the king is played.
fn slow_answers(
    belief: &LoneKing,
    color: Color,
    m: Move,
) -> BTreeMap<(bool, Vec<&'static str>), (u64, bool)> {
    let mut answers: BTreeMap<_, (u64, bool)> = BTreeMap::new();
    for lone in belief.kings {
        let board = belief.army.board(color, lone, color);
        let (answer, after) = KriegspielState::new(Ruleset::Icc, board).attempt(Try::Move(m));
        let Answer::Made(announcement) = answer else {
            answers.entry((true, Vec::new())).or_default().0 |= lone.bitboard().0;
            continue;
        };
        let kinds = announcement.checks.kinds().map(|kind| kind.word()).collect();
        let (kings, fails) = answers.entry((false, kinds)).or_default();
        match announcement.end {
            Some(outcome) => *fails |= outcome.reason != Reason::Mate,
            None => {
                for to in Square::ALL {
                    if let Answer::Made(reply) = after.attempt(Try::Move(Move::new(lone, to))).0 {
                        *fails |= reply.capture.is_some();
                        *kings |= if reply.capture.is_none() { to.bitboard().0 } else { 0 };
                    }
                }
            }
        }
    }
    answers
}

fn fast_answers(belief: &LoneKing, m: Move) -> BTreeMap<(bool, Vec<&'static str>), (u64, bool)> {
    let kinds = |checks: Checks| checks.kinds().map(|kind| kind.word()).collect();
    let key = |heard: Heard| match heard {
        Heard::Refused => (true, Vec::new()),
        Heard::Made(checks) => (false, kinds(checks)),
    };
    belief.answers(m).iter().map(|answer| (key(answer.heard), (answer.kings.0, answer.fails))).collect()
}

fn random_belief(random: &mut Random, pieces: &[Piece]) -> LoneKing {
    loop {
        let squares: Vec<Square> = (0..=pieces.len()).map(|_| Square::index(random.below(64))).collect();
        let army = Army::new(squares[0], pieces.iter().copied().zip(squares[1..].iter().copied())).unwrap();
        let kings = BitBoard(random.word() | random.word()) & army.anywhere();
        if army.all().len() as usize == squares.len() && !kings.is_empty() {
            return LoneKing { army, kings };
        }
    }
}

#[test]
fn answers_are_those_of_the_umpire() {
    use Piece::{Bishop, Knight, Queen, Rook};
    let mut random = Random::new(5);
    for pieces in
        [&[Rook][..], &[Queen], &[Rook, Rook], &[Bishop, Bishop], &[Bishop, Knight], &[Queen, Rook, Knight]]
    {
        for round in 0..12 {
            let belief = random_belief(&mut random, pieces);
            let color = if round % 2 == 0 { Color::White } else { Color::Black };
            for m in belief.tries() {
                assert_eq!(fast_answers(&belief, m), slow_answers(&belief, color, m), "{belief:?} {m}");
            }
        }
    }
}

#[test]
fn mirrored_and_turned_beliefs_are_one() {
    let mut random = Random::new(6);
    for _ in 0..200 {
        let belief = random_belief(&mut random, &[Piece::Bishop, Piece::Knight]);
        let maps: [fn(Square) -> Square; 8] = [
            |s| s,
            Square::flip_file,
            Square::flip_rank,
            |s| s.flip_file().flip_rank(),
            |s| Square::index(s as usize % 8 * 8 + s as usize / 8),
            |s| Square::index(s as usize % 8 * 8 + s as usize / 8).flip_file(),
            |s| Square::index(s as usize % 8 * 8 + s as usize / 8).flip_rank(),
            |s| Square::index(s as usize % 8 * 8 + s as usize / 8).flip_file().flip_rank(),
        ];
        for map in maps {
            let others = belief.army.others().map(|(piece, square)| (piece, map(square)));
            let army = Army::new(map(belief.army.king()), others).unwrap();
            let kings = belief.kings.into_iter().map(map).collect();
            assert_eq!(LoneKing { army, kings }.canonical(), belief.canonical());
        }
    }
}

/// Every set of the table has a try after which, whatever the umpire says and wherever the king goes, the game is won or a
/// set with a smaller bound is reached. What the umpire says is asked from the umpire.
#[test]
fn the_embedded_table_is_a_proof() {
    let table = proved();
    let slow_bound = |belief: &LoneKing, m: Move| {
        let mut bound = 1;
        for ((refused, _), (kings, fails)) in slow_answers(belief, Color::White, m) {
            let army = if refused { belief.army } else { belief.army.moved(m) };
            let kings = BitBoard(kings);
            if fails || refused && kings == belief.kings {
                return None;
            }
            if !kings.is_empty() {
                bound = bound.max(table.bound(&LoneKing { army, kings })? + u8::from(!refused));
            }
        }
        Some(bound)
    };
    for (belief, moves) in table.beliefs() {
        let win = table.win(&belief).unwrap();
        assert!(win.moves <= moves, "{belief:?}");
        assert_eq!(slow_bound(&belief, win.attempt), Some(win.moves), "{belief:?}");
    }
    assert_eq!(table.check(), Ok(()));
}

#[test]
fn king_and_rook_and_king_and_queen_win_wherever_nothing_hangs() {
    for (piece, count, longest) in [(Piece::Rook, 315, 44), (Piece::Queen, 518, 22)] {
        let starts = placements(&[piece]);
        assert_eq!(starts.len(), count);
        let bounds: Vec<u8> = starts.iter().map(|start| proved().bound(start).unwrap()).collect();
        assert!(bounds.iter().all(|&bound| bound <= longest), "{piece:?} {:?}", bounds.iter().max());
    }
}

#[test]
fn a_certain_win_is_found_for_either_colour_and_only_against_a_lone_king() {
    let boards = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<Board>>();
    let win = |texts: &[&str]| certain_win(&boards(texts));
    assert_eq!(win(&["k7/8/1K6/8/8/8/8/7R w - - 0 1"]).unwrap().moves, 1);
    let mirrored = win(&["7r/8/8/8/8/1k6/8/K7 b - - 0 1", "7r/8/8/8/8/1k6/8/1K6 b - - 0 1"]).unwrap();
    assert!(mirrored.moves <= 3, "{mirrored:?}");
    for (texts, why) in [
        (&["k7/p7/1K6/8/8/8/8/7R w - - 0 1"][..], "a pawn too"),
        (&["k7/8/1K6/8/8/8/8/7R w - - 0 1", "k7/8/1K6/8/8/8/8/6R1 w - - 0 1"], "which rook?"),
        (&["k7/8/1K6/8/8/8/P7/7R w - - 0 1"], "no such table"),
        (&["k7/8/1K6/8/8/8/8/B6N w - - 0 1"], "no such table"),
        (&[], "nothing may be true"),
    ] {
        assert_eq!(win(texts), None, "{why}");
    }
}

#[test]
fn tables_are_read_as_they_are_written() {
    let bytes = proved().write();
    assert!(bytes.len() < 100_000, "{}", bytes.len());
    assert_eq!(&Table::read(&bytes).unwrap(), proved());
    assert_eq!(Table::read(&bytes[..20]), Err(TableError::Short));
    assert_eq!(Table::read(&[1, 64]), Err(TableError::Number(1)));
    assert_eq!(Table::read(&[1, 5, 0, 12, 0, 0]), Err(TableError::Army(0)));
}
