//! Endings against a lone king in Kriegspiel, held against the umpire.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use scuro_agents::contestant::{Allowance, Contestant};
use scuro_agents::kriegspiel::endings::hunter::{Defender, Hunter, Method, Worst};

use scuro_agents::kriegspiel::endings::lone_king::{Army, Heard, LoneKing};
use scuro_agents::kriegspiel::endings::maximin::evaluate;
use scuro_agents::kriegspiel::endings::pawn::{first_board, lone_squares, value};
use scuro_agents::kriegspiel::endings::pawn_players::{BlindDefender, PawnPlayer};
use scuro_agents::kriegspiel::endings::prover::{Prover, placements};
use scuro_agents::kriegspiel::endings::table::{Table, TableError};
use scuro_agents::kriegspiel::endings::{certain_win, proved};
use scuro_agents::play::tell_one;
use scuro_agents::rivals::random::RandomMover;
use scuro_core::{Player, Random};
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, Square};
use scuro_games::kriegspiel::{
    Answer, Checks, Kriegspiel, KriegspielState, PawnTries, Position, Ruleset, Try,
};
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::umpire::Umpire;
use scuro_search::certain::CertainWins;

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

/// The evaluation square by square.
#[test]
fn the_value_of_a_belief_is_the_sum_of_its_terms() {
    const MATRIX: [[f64; 4]; 4] =
        [[1.0, 1.2, 1.4, 1.6], [1.2, 1.7, 2.0, 2.4], [1.4, 2.0, 2.7, 3.5], [1.6, 2.4, 3.5, 4.2]];
    let place = |square: Square| (square.file() as i32, square.rank() as i32);
    let apart = |one: Square, other: Square| {
        let ((a, b), (c, d)) = (place(one), place(other));
        (a - c).abs().max((b - d).abs())
    };
    let mut random = Random::new(9);
    for piece in [Piece::Rook, Piece::Queen].repeat(50) {
        let belief = random_belief(&mut random, &[piece]);
        let (_, on) = belief.army.others().next().unwrap();
        let (file, rank) = place(on);
        let (mut far, mut squares, mut quadrants) = (0, 0.0, std::collections::BTreeSet::new());
        for king in belief.kings {
            far = far.max(apart(king, belief.army.king()));
            quadrants.insert((place(king).0 > file, place(king).1 > rank));
            let from_edge = |index: i32| index.min(7 - index) as usize;
            squares += MATRIX[from_edge(place(king).0)][from_edge(place(king).1)];
        }
        let area = belief.kings.len() as usize * quadrants.len();
        let expected = 840.0
            - f64::from(far)
            - area as f64
            - f64::from(apart(on, belief.army.king()) - 1)
            - 0.2 * squares;
        assert!((evaluate(&belief) - expected).abs() < 1e-9, "{belief:?}");
    }
}

/// Plays a game of Kriegspiel; `black` is handed the truth.
fn play<W: Contestant<Kriegspiel>>(
    start: Board,
    white: &mut W,
    mut black: impl FnMut(&KriegspielState, &[Try], &W) -> Try,
) -> (Outcome, usize) {
    let mut umpire = Umpire::new(Kriegspiel { start, ..Kriegspiel::default() });
    let mut moves = 0;
    while let Some(side) = umpire.turn() {
        let choices = umpire.choices();
        let action = match side {
            Color::White => white.choose(&choices, Allowance::Endless).unwrap(),
            Color::Black => black(umpire.state(), &choices, white),
        };
        umpire.play(side, action).unwrap();
        tell_one(&umpire, Color::White, side, action, white);
        moves += usize::from(side == Color::White && umpire.turn() != Some(Color::White));
    }
    (umpire.outcome().unwrap(), moves)
}

#[test]
fn the_tables_mate_under_the_umpire_within_their_bounds() {
    let mut random = Random::new(11);
    let defenders = [Defender::Random(RandomMover::new(1)), Defender::Worst(Worst::new(2))];
    let (mut means, mut longest) = (Vec::new(), 0);
    for mut defender in defenders {
        let mut total = 0;
        for game in 0..40 {
            let starts = placements(&[if game % 2 == 0 { Piece::Rook } else { Piece::Queen }]);
            let start = *random.pick(&starts).unwrap();
            let squares: Vec<Square> = start.kings.into_iter().collect();
            let board = start.army.board(Color::White, *random.pick(&squares).unwrap(), Color::White);
            let mut hunter = Hunter::new(Method::Proof(proved()), start, game);
            let (outcome, moves) = play(board, &mut hunter, |truth, choices, hunter| {
                defender.choose(truth, choices, hunter).unwrap()
            });
            assert_eq!(outcome.winner, Some(Color::White), "{board}: {outcome}");
            assert!(moves <= usize::from(proved().bound(&start).unwrap()), "{board}: {moves}");
            total += moves;
            longest = longest.max(moves);
        }
        means.push(total);
    }
    assert!(means[0] < means[1], "who knows the plan holds out longer: {means:?}");
    assert!(longest > 20, "{longest}");
}

#[test]
fn the_first_steps_of_a_prover_are_proofs_and_repeat_with_their_seed() {
    let run = |seed| {
        let mut prover = Prover::new(&[Piece::Queen], seed);
        prover.run(|progress| progress.sets == 0);
        prover
    };
    let prover = run(3);
    assert!(prover.progress().proved > 0 && prover.progress().longest > 1, "{:?}", prover.progress());
    assert_eq!(prover.table().check(), Ok(()));
    assert_eq!(prover.table(), run(3).table());
    assert_ne!(prover.table(), run(4).table());
}

/// The induction is exact: who follows it, as Black, lets White win just so often.
#[test]
fn king_and_pawn_win_as_often_as_the_induction_says() {
    let (games, mut won, mut random) = (600, 0, Random::new(12));
    let mut black = BlindDefender::default();
    for game in 0..games {
        let squares: Vec<Square> = lone_squares().into_iter().collect();
        let lone = *random.pick(&squares).unwrap();
        black.begin(lone);
        let mut white = PawnPlayer::new(game);
        let (outcome, _) = play(first_board(lone), &mut white, |truth, choices, _| {
            let checked = truth.announcement().checks != Checks::NONE;
            black.choose(choices, truth.refused(), checked)
        });
        won += u32::from(outcome.winner == Some(Color::White));
    }
    let (share, value) = (f64::from(won) / games as f64, value());
    assert!(value > 0.6 && value < 1.0, "{value}");
    // Four standard errors.
    assert!((share - value).abs() < 4.0 * (value * (1.0 - value) / games as f64).sqrt(), "{share} {value}");
}

/// The tries that mate for certain in two moves at the latest, whichever of these boards is the true one.
fn certain_in_two(boards: impl IntoIterator<Item = Board>) -> Vec<String> {
    let game = Kriegspiel::default();
    let states = boards.into_iter().map(|board| KriegspielState::new(Ruleset::Icc, board)).collect();
    let mut wins = CertainWins::new(&game, Player::One, Position::of);
    wins.all(states, 2, 1_000_000).unwrap().iter().map(Try::to_string).collect()
}

/// The first problem of the rules page: everything is known, and only Qe7 mates in two whatever Black answers.
#[test]
fn only_the_queen_to_e7_mates_in_two() {
    let board: Board = "8/Q7/1r3r2/5P2/1p4P1/1B6/R3p1K1/4k3 w - - 0 1".parse().unwrap();
    assert_eq!(certain_in_two([board]), ["a7e7"]);
}

/// The second problem of the rules page: Black's king may be anywhere, and only Nf6 mates in two wherever it is.
#[test]
fn only_the_knight_to_f6_mates_in_two_wherever_the_king_is() {
    let shown: Board = "2Q1B3/1p1N2P1/3B4/N1B4K/8/6R1/7R/k7 w - - 0 1".parse().unwrap();
    let others = Square::ALL
        .into_iter()
        .filter_map(|square| shown.man_on(square).map(|(color, piece)| (color, piece, square)));
    let others: Vec<_> =
        others.filter(|&(color, piece, _)| (color, piece) != (Color::Black, Piece::King)).collect();
    let taken: BitBoard = others.iter().map(|&(_, _, square)| square).collect();
    let with_king = |king: Square| {
        let pieces = others.iter().copied().chain([(Color::Black, Piece::King, king)]);
        Board::set_up(Color::White, pieces, shown.castling(), None)
    };
    let possible = |board: &Board| {
        let state = KriegspielState::new(Ruleset::Icc, *board);
        let kings = Color::ALL.into_iter().any(|color| board.in_check(color));
        !kings && state.announcement().tries == PawnTries::Count(0)
    };
    let boards: Vec<Board> = (!taken).into_iter().map(with_king).filter(possible).collect();
    assert_eq!(boards.len(), 15);
    assert_eq!(certain_in_two(boards), ["d7f6"]);
}
