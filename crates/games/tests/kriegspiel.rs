//! The promises of Kriegspiel: every example of the rules, legality that equals the board's own, tries that
//! equal their slow definition, the laws of games, and beliefs that equal brute force and hold the truth.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeSet, HashSet};

use scuro_core::laws::{Walk, check};
use scuro_core::{Game, Node, Player, Positions, Random};
use scuro_games::chess::{Board, Color, Move, MoveRules, OwnPieces, Piece, Square};
use scuro_games::kriegspiel::{
    Answer, CheckKind, Kriegspiel, KriegspielState, KriegspielView, PawnCaptures, Position, Question,
    Refusals, Ruleset, Stalemate, Told, Try, TurnedAway,
};
use scuro_games::outcome::Reason;
use scuro_games::player_of;
use scuro_games::umpire::Umpire;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PASSING: &str = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
const FILE_CHECK: &str = "4k3/8/8/8/8/8/P3r3/4K3 w - - 0 1";
const PROMOTING: &str = "3r4/4P1k1/8/8/8/8/8/4K2R w - - 0 1";
const RAND_DRAWN: Ruleset = Ruleset::Rand { stalemate: Stalemate::Draw };

/// Positions that bring every special rule within a few plies.
const SHARP: [&str; 9] = [
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 95 1",
    "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1",
    "8/8/3k4/8/3n4/2p5/8/3NK3 w - - 0 1",
    "2r1k3/1P1P4/8/8/8/8/1p1p4/2R1K3 w - - 0 1",
];

fn state(ruleset: Ruleset, fen: &str) -> KriegspielState {
    KriegspielState::new(ruleset, fen.parse().unwrap())
}

/// The words of the answers to `tries`, one after another.
fn answers(ruleset: Ruleset, fen: &str, tries: &str) -> String {
    let mut state = state(ruleset, fen);
    let words: Vec<&str> =
        tries.split_whitespace().map(|attempt| state.take(attempt.parse().unwrap()).word()).collect();
    words.join(" ")
}

/// The sentences that are heard after the last of `tries`.
fn heard(ruleset: Ruleset, fen: &str, tries: &str) -> String {
    let mut state = state(ruleset, fen);
    for attempt in tries.split_whitespace() {
        state.take(attempt.parse().unwrap());
    }
    state.announcement().to_string()
}

/// Position, tries, and what is heard after the last under ICC, Cincinnati, RAND and English.
#[test]
fn announcements_by_example() {
    for (fen, tries, said) in [
        (
            START,
            "e2e4 d7d5",
            [
                "White to move. 1 pawn try",
                "White to move. Pawn capture",
                "White to move. Pawn captures from e4",
                "White to move",
            ],
        ),
        // The pawn is pinned.
        ("4r1k1/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "", ["White to move"; 4]),
        // No capture ends the check.
        ("7k/3p4/8/3p4/2P1P3/8/8/r3K3 w - - 0 1", "", ["White to move. Check on the rank"; 4]),
        // Four promotions, one capture.
        (
            PROMOTING,
            "",
            [
                "White to move. 1 pawn try",
                "White to move. Pawn capture",
                "White to move. Pawn captures from e7",
                "White to move",
            ],
        ),
        // En passant: where the taken pawn stood.
        (
            PASSING,
            "d4e3",
            [
                "White to move. Pawn captured on e4",
                "White to move. Pawn captured on e4",
                "White to move. Pawn captured on e4",
                "White to move. Capture on e4",
            ],
        ),
        (
            PROMOTING,
            "e7d8n",
            [
                "Black to move. Piece captured on d8",
                "Black to move. Piece captured on d8",
                "Black to move. Piece captured on d8. Promotion",
                "Black to move. Capture on d8",
            ],
        ),
        (
            "4k3/8/4N3/8/8/8/4R3/4K3 w - - 0 1",
            "e6c7",
            ["Black to move. Check on the file. Check by a knight"; 4],
        ),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1h8", ["Black to move. Check on the rank"; 4]),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", ["Check on the rank. White wins: checkmate"; 4]),
        // Two captures of one pawn, one of another.
        (
            "4k3/8/8/3p1p1p/4P1P1/8/8/4K3 w - - 0 1",
            "",
            [
                "White to move. 4 pawn tries",
                "White to move. Pawn capture",
                "White to move. Pawn captures from e4, g4",
                "White to move",
            ],
        ),
    ] {
        for (ruleset, said) in Ruleset::ALL.into_iter().zip(said) {
            assert_eq!(heard(ruleset, fen, tries), said, "{ruleset} {fen} {tries}");
        }
    }
}

/// Position, tries, and the answers under ICC, Cincinnati, RAND and English.
#[test]
fn answers_by_example() {
    for (fen, tries, words) in [
        // A promotion needs its letter.
        (PROMOTING, "e7d8", ["illegal", "nonsense", "nonsense", "illegal"]),
        // No man, an enemy man, an own man in the way, a letter where none belongs.
        (START, "e4e5", ["illegal", "nonsense", "nonsense", "illegal"]),
        (START, "e7e5", ["illegal", "nonsense", "nonsense", "illegal"]),
        (START, "a1a3", ["illegal", "nonsense", "nonsense", "illegal"]),
        (START, "e2e4q", ["illegal", "nonsense", "nonsense", "illegal"]),
        (FILE_CHECK, "a2a3", ["illegal", "illegal", "nonsense", "illegal"]),
        (FILE_CHECK, "a2b3", ["illegal", "nonsense", "nonsense", "illegal"]),
        (FILE_CHECK, "e1f2", ["illegal", "illegal", "illegal", "illegal"]),
        // A repeated try.
        (
            FILE_CHECK,
            "e1f2 e1f2",
            ["illegal illegal", "illegal nonsense", "illegal illegal", "illegal illegal"],
        ),
        // Castling out of an announced check.
        ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", "e1g1", ["illegal", "illegal", "nonsense", "illegal"]),
        // A pawn whose square was announced, on its other side; another pawn.
        (
            "4k3/8/8/3p4/4P3/8/1P6/4K3 w - - 0 1",
            "e4f5 b2c3",
            ["illegal illegal", "illegal illegal", "illegal nonsense", "illegal illegal"],
        ),
        // Knight check: only a jump from the king away.
        (
            "4k3/8/8/8/8/3n4/7R/B3K3 w - - 0 1",
            "a1b2 h2h8 h2c2",
            [
                "illegal illegal illegal",
                "illegal illegal illegal",
                "nonsense nonsense illegal",
                "illegal illegal illegal",
            ],
        ),
        // Two kinds: every man but the king.
        (
            "4r1k1/8/8/8/8/5n2/3R4/4K3 w - - 0 1",
            "d2e2 e1d1",
            ["illegal ok", "illegal ok", "nonsense ok", "illegal ok"],
        ),
        // The moving rook itself stands between the king and e1; below the king e3 might meet the check.
        (
            "4r1k1/8/8/8/4K3/8/4R3/8 w - - 0 1",
            "e2e1 e2e3",
            ["illegal illegal", "illegal illegal", "nonsense illegal", "illegal illegal"],
        ),
        // En passant ends the check that the stepping pawn gives; its square counts as a target.
        ("8/8/8/2k5/2pP4/8/8/7K b - d3 0 1", "c4d3", ["ok"; 4]),
    ] {
        for (ruleset, words) in Ruleset::ALL.into_iter().zip(words) {
            assert_eq!(answers(ruleset, fen, tries), words, "{ruleset} {fen} {tries}");
        }
    }
}

#[test]
fn any_is_asked_once_and_obliges() {
    let two_pawns = "4k3/8/8/3p4/4P3/8/1P6/4K3 w - - 0 1";
    for (fen, tries, words) in [
        (START, "any? any? a2b3 a2a3", "no refused illegal ok"),
        (START, "a1a2 any? e2e4", "illegal no ok"),
        (two_pawns, "any? e4d5", "yes ok"),
        // Turned away: another man, a straight step, an impossible diagonal step, the question again.
        (
            two_pawns,
            "any? e1e2 e4e5 b2b3 e4d3 any? e4f5 e1e2",
            "yes refused refused refused refused refused illegal ok",
        ),
        // A step found illegal before the question does not count.
        (two_pawns, "e4f5 any? e4f5 b2c3 e4e5", "illegal yes refused illegal ok"),
    ] {
        assert_eq!(answers(Ruleset::English, fen, tries), words, "{fen} {tries}");
    }
    let (answer, asked) = state(Ruleset::English, two_pawns).attempt(Try::Any);
    assert_eq!((answer, asked.question()), (Answer::Yes, Question::Obliged));
    let (answer, after) = asked.attempt("e1e2".parse().unwrap());
    assert_eq!(answer, Answer::TurnedAway(TurnedAway::Obliged));
    assert_eq!(after, asked, "what is turned away changes nothing");
    let mut offered = Vec::new();
    asked.offered(&mut offered);
    assert_eq!(format!("{offered:?}"), "[b2a3, b2c3, e4d5, e4f5]");
    for ruleset in [Ruleset::Icc, Ruleset::Cincinnati, Ruleset::RAND] {
        let before = state(ruleset, START);
        let answer = Answer::TurnedAway(TurnedAway::NoQuestion(ruleset));
        assert_eq!(before.attempt(Try::Any), (answer, before.clone()));
    }
}

#[test]
fn px_makes_the_only_pawn_capture() {
    for (fen, made) in [
        (PROMOTING, Some("3Q4/6k1/8/8/8/8/8/4K2R b - - 0 1")),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", Some("4k3/8/8/3P4/8/8/8/4K3 b - - 0 1")),
        (PASSING, Some("4k3/8/8/8/8/4p3/8/4K3 w - - 0 2")),
        (START, None),
        ("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1", None),
    ] {
        let mut state = state(Ruleset::Icc, fen);
        match (state.take_pawn_capture(), made) {
            (Answer::Made(_), Some(made)) => assert_eq!(state.board().to_string(), made),
            (answer, made) => assert_eq!((answer, made), (Answer::Illegal, None), "{fen}"),
        }
    }
    let elsewhere = state(Ruleset::English, PROMOTING).take_pawn_capture();
    assert_eq!(elsewhere, Answer::TurnedAway(TurnedAway::NoPawnInput(Ruleset::English)));
}

/// Position, tries, and the end under ICC, Cincinnati, RAND, English and RAND with drawn stalemates.
#[test]
fn ends_by_example() {
    let shuffle = "h1g1 e8d8 g1h1 d8e8 ".repeat(2);
    let rulesets = [Ruleset::Icc, Ruleset::Cincinnati, Ruleset::RAND, Ruleset::English, RAND_DRAWN];
    let (stalemate, material) = ("Draw: stalemate", "Draw: insufficient material");
    let (repetition, clock) = ("Draw: threefold repetition", "Draw: fifty-move rule");
    let mate = "White wins: checkmate";
    for (fen, tries, ends) in [
        (
            "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1",
            "f2f7",
            [stalemate, stalemate, "White wins: stalemate", stalemate, stalemate],
        ),
        ("8/8/3k4/8/3n4/2p5/8/3NK3 w - - 0 1", "d1c3", [material, "", "", "", ""]),
        ("8/8/3k4/8/8/2p5/8/3NK3 w - - 0 1", "d1c3", [material; 5]),
        ("8/8/3k4/8/8/2p5/3K4/8 w - - 0 1", "d2c3", [material; 5]),
        // Bishops on different colours, on one colour, and more than one on one colour.
        ("5b2/8/3k4/8/8/2p5/3K4/5B2 w - - 0 1", "d2c3", [material, "", "", "", ""]),
        ("2b5/8/3k4/8/8/2p5/3K4/5B2 w - - 0 1", "d2c3", [material; 5]),
        ("2b5/8/b2k4/8/8/2p5/3K4/5B2 w - - 0 1", "d2c3", ["", material, material, material, material]),
        ("8/8/n2k4/8/8/2p5/3K4/5B2 w - - 0 1", "d2c3", [material, "", "", "", ""]),
        ("8/8/n2k4/n7/8/2p5/3K4/8 w - - 0 1", "d2c3", [""; 5]),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", &shuffle, [repetition; 5]),
        // The start has a right to castle, the later positions have not.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &shuffle, [""; 5]),
        // Both at once are repetition; mate comes before the clock, a pawn move restarts it.
        ("4k3/8/8/8/8/8/8/4K2R w - - 92 80", &shuffle, [repetition; 5]),
        ("4k3/8/8/8/8/8/8/4K2R w - - 99 80", "h1h2", [clock; 5]),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80", "a1a8", [mate; 5]),
        ("4k3/8/8/8/8/8/P7/4K2R w - - 99 80", "a2a3", [""; 5]),
        // No en passant that is legal: the pawn that could take is pinned. So the position after the double
        // step comes back twice.
        ("8/8/8/8/k2p3R/8/4P3/K7 w - - 0 1", "e2e4 a4a5 a1b1 a5a4 b1a1 a4a5 a1b1 a5a4 b1a1", [repetition; 5]),
        // Here it is legal, so the first position is another one.
        ("8/8/8/8/k2p4/8/4P3/K6R w - - 0 1", "e2e4 a4a5 a1b1 a5a4 b1a1 a4a5 a1b1 a5a4 b1a1", [""; 5]),
    ] {
        for (ruleset, end) in rulesets.into_iter().zip(ends) {
            let mut state = state(ruleset, fen);
            for attempt in tries.split_whitespace() {
                assert!(matches!(state.take(attempt.parse().unwrap()), Answer::Made(_)), "{fen} {attempt}");
            }
            let ours = state.outcome().map(|outcome| outcome.to_string()).unwrap_or_default();
            assert_eq!(ours, end, "{ruleset} {fen} {tries}");
            if let Some(outcome) = state.outcome() {
                let attempt = state.attempt("e1e2".parse().unwrap());
                assert_eq!(attempt, (Answer::TurnedAway(TurnedAway::Over(outcome)), state.clone()));
            }
        }
    }
}

#[test]
fn check_kinds_by_example() {
    use CheckKind::{File, Knight, Long, Rank, Short};
    for (king, from, kind) in [
        ("e1", "h4", Short),
        ("e1", "a5", Long),
        ("d4", "a1", Long),
        ("d4", "g7", Long),
        ("d4", "a7", Short),
        ("d4", "g1", Short),
        ("e4", "d5", Long),
        ("e4", "f5", Short),
        ("e4", "e8", File),
        ("e4", "a4", Rank),
        ("e4", "f6", Knight),
    ] {
        assert_eq!(CheckKind::between(king.parse().unwrap(), from.parse().unwrap()), kind, "{king} {from}");
    }
    let words: Vec<&str> = CheckKind::ALL.into_iter().map(CheckKind::word).collect();
    assert!(words.is_sorted(), "checks are said in the order of their words");
}

/// What a refused try, a question and a move do to the keys of mover and opponent.
#[test]
fn the_opponent_hears_what_the_ruleset_says() {
    for ruleset in Ruleset::ALL {
        let game = Kriegspiel { start: FILE_CHECK.parse().unwrap(), ruleset };
        let start = Node::start(&game);
        let refused = |m: &str| start.play(&game, m.parse().unwrap());
        let [by_king, by_pawn] = ["e1f2", "a2a3"].map(refused);
        assert_ne!(by_king.keys[0], start.keys[0]);
        assert_ne!(by_king.keys[0], by_pawn.keys[0]);
        assert_eq!(by_king.keys[1] != start.keys[1], ruleset.refusals_are_heard(), "{ruleset}");
        // "no" and "hell, no".
        assert_eq!(by_king.keys[1] != by_pawn.keys[1], ruleset == Ruleset::RAND, "{ruleset}");
        let moved = start.play(&game, "e1e2".parse().unwrap());
        assert!(
            Player::BOTH.into_iter().all(|player| moved.keys[player.index()] != start.keys[player.index()])
        );
    }
    let game = Kriegspiel { ruleset: Ruleset::English, ..Kriegspiel::default() };
    let start = Node::start(&game);
    let asked = start.play(&game, Try::Any);
    assert!(Player::BOTH.into_iter().all(|player| asked.keys[player.index()] != start.keys[player.index()]));
}

#[test]
fn the_umpire_takes_any_try_and_views_hide_the_rest() {
    let mut umpire = Umpire::new(Kriegspiel { ruleset: Ruleset::RAND, ..Kriegspiel::default() });
    umpire.play(Color::White, "a1a5".parse().unwrap()).unwrap();
    umpire.play(Color::White, "e2e4".parse().unwrap()).unwrap();
    let refusal = umpire.play(Color::Black, Try::Any).unwrap_err().to_string();
    assert_eq!(refusal, "\"any?\" is not asked under the ruleset rand");
    umpire.play(Color::Black, "d7d5".parse().unwrap()).unwrap();
    umpire.play(Color::White, "e4f5".parse().unwrap()).unwrap();
    let (white, black) = (umpire.view(Color::White), umpire.view(Color::Black));
    assert_eq!(white.pieces, OwnPieces::of(umpire.state().board(), Color::White));
    assert_eq!(white.refused, ["e4f5".parse::<Move>().unwrap()]);
    assert_eq!(white.their_refusals, Some(Refusals::default()));
    assert_eq!(black.refused, []);
    assert_eq!(black.their_refusals, Some(Refusals { illegal: 1, nonsense: 0 }));
    assert_eq!(black.announcement, white.announcement);
    let (mut of_view, mut of_black) = (Vec::new(), Vec::new());
    white.offered(&mut of_view);
    black.offered(&mut of_black);
    assert_eq!(of_view, umpire.choices());
    assert_eq!(of_black, []);
    let icc = state(Ruleset::Icc, START);
    assert_eq!(KriegspielView::of(&icc, Color::White).their_refusals, None);
}

/// Random play with tries as offered; `visit` sees every state, the try and the answer.
fn wander(
    game: &Kriegspiel,
    seed: u64,
    plies: usize,
    mut visit: impl FnMut(&KriegspielState, Try, Answer, &KriegspielState) -> bool,
) {
    let mut random = Random::new(seed);
    let mut state = game.start();
    for _ in 0..plies {
        let mut tries = Vec::new();
        game.actions(&state, &mut tries);
        let Some(&attempt) = random.pick(&tries) else { return };
        let (answer, after) = state.attempt(attempt);
        if !visit(&state, attempt, answer, &after) {
            return;
        }
        state = after;
    }
}

/// The games from every sharp position under every ruleset.
fn games() -> impl Iterator<Item = Kriegspiel> + Clone {
    let game = |fen: &str, ruleset| Kriegspiel { start: fen.parse().unwrap(), ruleset };
    SHARP.iter().flat_map(move |fen| Ruleset::ALL.map(|ruleset| game(fen, ruleset)))
}

/// Every move that can be written, the silly ones included.
fn all_moves() -> Vec<Move> {
    let promotions = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
    let mut moves = Vec::new();
    for from in Square::ALL {
        for to in Square::ALL {
            moves.push(Move::new(from, to));
            moves.extend(promotions.map(|piece| Move::promoting(from, to, piece)));
        }
    }
    moves
}

#[test]
fn legality_equals_the_boards_own() {
    let (all, mut ends) = (all_moves(), 0);
    for (seed, game) in (0..).zip(games().filter(|game| game.ruleset == Ruleset::Icc).cycle().take(45)) {
        wander(&game, seed, 80, |_, _, answer, state| {
            if !matches!(answer, Answer::Made(_)) {
                return true;
            }
            let board = state.board();
            let mut legal = MoveRules::Legal.moves(board);
            legal.sort_unstable();
            let mut ours: Vec<Move> = all.iter().copied().filter(|&m| state.is_legal(m)).collect();
            ours.sort_unstable();
            assert_eq!(ours, legal, "{board}");
            let takes = |m: &&Move| {
                board.man_on(m.from()).is_some_and(|(_, piece)| piece == Piece::Pawn)
                    && m.from().file() != m.to().file()
            };
            let pairs: BTreeSet<(Square, Square)> =
                legal.iter().filter(takes).map(|m| (m.from(), m.to())).collect();
            assert_eq!(PawnCaptures::of(board).pairs().collect::<BTreeSet<_>>(), pairs, "{board}");
            let stuck =
                state.outcome().is_some_and(|end| matches!(end.reason, Reason::Mate | Reason::Stalemate));
            assert_eq!(legal.is_empty(), stuck, "{board}");
            ends += usize::from(stuck);
            true
        });
    }
    assert!(ends > 3, "only {ends} games ended by mate or stalemate");
}

/// The squares a man of `color` reaches by steps of these directions, stopped by own men alone.
fn slow_steps(own: &[Square], from: Square, directions: &[(i8, i8)], most: i8) -> Vec<Square> {
    let mut targets = Vec::new();
    for &(file, rank) in directions {
        let walk = (1..=most).map_while(|n| from.try_offset(file * n, rank * n));
        targets.extend(walk.take_while(|to| !own.contains(to)));
    }
    targets
}

/// The possible tries, one man, one direction, one square at a time.
fn slow_possible(board: &Board, color: Color) -> BTreeSet<Move> {
    const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const SLANTED: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    const JUMPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let own: Vec<Square> = board.colors(color).into_iter().collect();
    let steps = |from, directions: &[(i8, i8)], most| slow_steps(&own, from, directions, most);
    let (forward, home) = if color == Color::White { (1, 1) } else { (-1, 6) };
    let mut tries = BTreeSet::new();
    for &from in &own {
        let targets = match board.man_on(from).unwrap().1 {
            Piece::Pawn => {
                let ahead = steps(from, &[(0, forward)], if from.rank() as i8 == home { 2 } else { 1 });
                [ahead, steps(from, &[(-1, forward), (1, forward)], 1)].concat()
            }
            Piece::Knight => steps(from, &JUMPS, 1),
            Piece::Bishop => steps(from, &SLANTED, 8),
            Piece::Rook => steps(from, &STRAIGHT, 8),
            Piece::Queen => [steps(from, &STRAIGHT, 8), steps(from, &SLANTED, 8)].concat(),
            Piece::King => {
                let mut targets = [steps(from, &STRAIGHT, 1), steps(from, &SLANTED, 1)].concat();
                let rights = board.castling().to_string();
                let letters = if color == Color::White { ['K', 'Q'] } else { ['k', 'q'] };
                for (letter, side, between) in [(letters[0], 1, 2), (letters[1], -1, 3)] {
                    if rights.contains(letter) && steps(from, &[(side, 0)], between).len() == between as usize
                    {
                        targets.extend(from.try_offset(2 * side, 0));
                    }
                }
                targets
            }
        };
        let pawn = board.man_on(from).unwrap().1 == Piece::Pawn;
        for to in targets {
            if pawn && matches!(to.rank() as usize, 0 | 7) {
                let pieces = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
                tries.extend(pieces.map(|piece| Move::promoting(from, to, piece)));
            } else {
                tries.insert(Move::new(from, to));
            }
        }
    }
    tries
}

#[test]
fn possible_tries_equal_the_slow_definition_and_hold_every_legal_move() {
    let all = all_moves();
    for (seed, game) in (100..).zip(games().cycle().take(36)) {
        wander(&game, seed, 60, |state, _, _, _| {
            let (board, side) = (state.board(), state.board().side());
            let men = OwnPieces::of(board, side);
            let mut possible = Vec::new();
            men.possible_tries(&mut possible);
            let slow = slow_possible(board, side);
            assert_eq!(possible.len(), slow.len(), "{board}");
            assert_eq!(possible.into_iter().collect::<BTreeSet<Move>>(), slow, "{board}");
            assert!(all.iter().all(|&m| men.is_possible(m) == slow.contains(&m)), "{board}");
            let mut offered = Vec::new();
            state.offered(&mut offered);
            let mut supposed = Vec::new();
            KriegspielState::supposed(&KriegspielView::of(state, side), board.without_counters())
                .offered(&mut supposed);
            assert_eq!(supposed, offered, "{board}");
            let legal = MoveRules::Legal.moves(board);
            let is_offered = |m: &Move| offered.contains(&Try::Move(*m));
            let obliged = state.question() == Question::Obliged;
            assert!(
                if obliged { legal.iter().any(is_offered) } else { legal.iter().all(is_offered) },
                "{board}"
            );
            true
        });
    }
}

#[test]
fn obeys_the_laws() {
    for game in games() {
        let plies = if game.start == Board::start() { 3 } else { 2 };
        let walks = [Walk::All { plies }, Walk::Random { plays: 40, plies: 50, seed: 4 }];
        let checked =
            check(&game, &walks).unwrap_or_else(|broken| panic!("{} {}: {broken}", game.ruleset, game.start));
        assert!(checked.histories > 1000, "{checked:?}");
    }
    // Few men: all plays to a greater depth, with refused tries, questions, promotions and ends.
    for ruleset in Ruleset::ALL.into_iter().chain([RAND_DRAWN]) {
        for (fen, plies) in [("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", 3), (FILE_CHECK, 4), (PASSING, 4)] {
            let game = Kriegspiel { start: fen.parse().unwrap(), ruleset };
            check(&game, &[Walk::All { plies }, Walk::Random { plays: 150, plies: 30, seed: 6 }]).unwrap();
        }
    }
}

/// What can follow `position` by brute force: every try the umpire may be asked, from a state made of the
/// position alone. A refusal leaves the position itself.
fn slow_follow(
    game: &Kriegspiel,
    position: &Position,
    color: Color,
    own: Option<Try>,
    told: &Told,
) -> HashSet<Board> {
    let mut state = KriegspielState::new(game.ruleset, *position.board());
    if position.is_obliged() {
        assert_eq!(state.take(Try::Any), Answer::Yes);
    }
    let mut tries: Vec<Move> = slow_possible(position.board(), position.board().side()).into_iter().collect();
    // One try that is impossible stands for all of them.
    tries.push("a1a1".parse().unwrap());
    let attempts = tries.into_iter().map(Try::Move).chain([Try::Any]);
    let fits = |attempt: &Try| {
        let (answer, after) = state.attempt(*attempt);
        let taken = !matches!(answer, Answer::TurnedAway(_)) && own.is_none_or(|own| own == *attempt);
        taken && after.told(color).as_ref() == Some(told)
    };
    let fitting: Vec<Try> = attempts.filter(fits).collect();
    let needed = match (own, told) {
        (None, Told::Refused { nonsense: false }) => usize::from(position.noes()) + 1,
        _ => 1,
    };
    if fitting.len() < needed {
        return HashSet::new();
    }
    fitting.into_iter().map(|attempt| state.attempt(attempt).1.board().without_counters()).collect()
}

/// What both players believe in the course of a random game: every step equals brute force while the set is
/// small, and the truth is always in it. A position alone does not tell an end by repetition or clock.
fn follow_game(game: &Kriegspiel, seed: u64, most: usize, compared: &mut usize) {
    let start = Position::of(&game.start());
    let mut beliefs = [vec![start], vec![start]];
    wander(game, seed, 120, |before, attempt, _, after| {
        let ended_by = |reason| after.outcome().is_some_and(|outcome| outcome.reason == reason);
        let by_history = ended_by(Reason::Repetition) || ended_by(Reason::FiftyMoves);
        for color in Color::ALL {
            let Some(told) = after.told(color) else { continue };
            let own = (before.board().side() == color).then_some(attempt);
            let player = player_of(color);
            let belief = &mut beliefs[player.index()];
            let follow = game.follow(player, own, &told);
            let mut next = Vec::new();
            for position in belief.iter() {
                let first = next.len();
                follow(position, &mut next);
                if belief.len() <= 100 && !by_history {
                    let ours: HashSet<Board> = next[first..].iter().map(|(_, next)| *next.board()).collect();
                    let slow = slow_follow(game, position, color, own, &told);
                    assert_eq!(ours, slow, "{} {} {told:?}", game.ruleset, position.board());
                    *compared += 1;
                }
            }
            let mut next: Vec<Position> = next.into_iter().map(|(_, position)| position).collect();
            next.sort_unstable();
            next.dedup();
            let truth = Position::of(after);
            assert!(next.contains(&truth), "{} {} {told:?}", game.ruleset, after.board());
            *belief = next;
        }
        beliefs.iter().all(|belief| belief.len() <= most)
    });
}

#[test]
fn beliefs_equal_brute_force_and_hold_the_truth() {
    let mut compared = 0;
    for (seed, game) in (0..).zip(games().cycle().take(72)) {
        follow_game(&game, seed, 2_000, &mut compared);
    }
    for (seed, ruleset) in (0..).zip(Ruleset::ALL.into_iter().cycle().take(4)) {
        follow_game(&Kriegspiel { ruleset, ..Kriegspiel::default() }, seed, 50_000, &mut compared);
    }
    assert!(compared > 5_000, "only {compared} steps were compared");
}

/// After "yes" a move that is heard without a refusal in between can only be a pawn capture.
#[test]
fn an_obligation_tells_the_opponent_which_man_moved() {
    let game = Kriegspiel {
        start: "4k3/8/8/3p1p2/2B1P3/8/8/4K3 w - - 0 1".parse().unwrap(),
        ruleset: Ruleset::English,
    };
    let believed = |tries: &str| {
        let mut state = game.start();
        let mut belief = vec![Position::of(&state)];
        for attempt in tries.split_whitespace().map(|text| text.parse().unwrap()) {
            state = state.attempt(attempt).1;
            let told = state.told(Color::Black).unwrap();
            let follow = game.follow(Player::Two, None, &told);
            let mut next = Vec::new();
            belief.iter().for_each(|position| follow(position, &mut next));
            belief = next.into_iter().map(|(_, position)| position).collect();
        }
        let mut boards: Vec<String> = belief.iter().map(|position| position.board().to_string()).collect();
        boards.sort_unstable();
        boards
    };
    let (by_pawn, by_bishop) = ("4k3/8/8/3P1p2/2B5/8/8/4K3 b - - 0 1", "4k3/8/8/3B1p2/4P3/8/8/4K3 b - - 0 1");
    assert_eq!(believed("e4d5"), [by_bishop, by_pawn]);
    assert_eq!(believed("any? e4d5"), [by_pawn]);
}
