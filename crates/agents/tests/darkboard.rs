//! `darkboard`: the invariant of metapositions against exact beliefs, what single messages tell, and its choices.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_agents::contestant::{Allowance, Contestant};
use scuro_agents::kriegspiel::darkboard::Darkboard;
use scuro_agents::kriegspiel::darkboard::book::Book;
use scuro_agents::kriegspiel::darkboard::evaluate::{Evaluation, Step};
use scuro_agents::kriegspiel::darkboard::maximax::{Limits, Search};
use scuro_agents::kriegspiel::darkboard::metaposition::Metaposition;
use scuro_agents::kriegspiel::darkboard::weights::Weights;
use scuro_agents::play::tell_one;
use scuro_agents::rivals::random::RandomMover;
use scuro_games::chess::{BitBoard, Board, Color, File, Move, Piece, Square};
use scuro_games::kriegspiel::{Kriegspiel, Position, Ruleset};
use scuro_games::player_of;
use scuro_games::umpire::Umpire;
use scuro_search::belief::Belief;

/// The most positions of an exact belief; past that the true position and a sample are looked at.
const BOUND: usize = 500;

fn darkboard(game: Kriegspiel, color: Color, seed: u64) -> Darkboard {
    Darkboard::new(game, color, Evaluation::new(Weights::default(), true), None, seed)
}

/// Why a metaposition does not cover a position, if it does not.
fn uncovered(meta: &Metaposition, board: &Board) -> Option<String> {
    let them = !meta.me();
    for square in Square::ALL {
        let covered = match board.man_on(square) {
            Some((color, piece)) if color == them => meta.may(piece).has(square),
            Some((_, piece)) => meta.own.pieces(piece).has(square),
            None => meta.empty.has(square),
        };
        if !covered {
            return Some(format!("{square} of {board}"));
        }
    }
    for file in File::ALL {
        let pawns = (board.men(them, Piece::Pawn) & file.bitboard()).len() as u8;
        let held = meta.files[file as usize];
        if !(held.least..=held.most).contains(&pawns) {
            return Some(format!("{held:?} pawns on the file of {file} of {board}"));
        }
    }
    let pieces = board.colors(them).len() as u8;
    let pawns = board.men(them, Piece::Pawn).len() as u8;
    let counted = pieces == meta.army && pawns <= meta.pawns;
    (!counted).then(|| format!("{} pieces and {} pawns of {board}", meta.army, meta.pawns))
}

/// One side of a game whose metaposition is watched.
struct Watched {
    player: Darkboard,
    belief: Belief<Position>,
}

impl Watched {
    fn check(&self, ruleset: Ruleset, truth: &Board, words: &str) {
        let meta = self.player.metaposition();
        let positions = self.belief.positions().iter().map(Position::board);
        for board in positions.chain([truth]) {
            let missing = uncovered(meta, board);
            assert_eq!(missing, None, "{} as {:?}: {words}", ruleset, meta.me());
        }
    }
}

/// Plays a game in which White and Black are `random` or `darkboard`, and checks both metapositions at every ply.
fn watch(game: Kriegspiel, players: [bool; 2], plies: usize, seed: u64) {
    let mut umpire = Umpire::new(game);
    let position = Position::of(umpire.state());
    let mut watched = Color::ALL.map(|color| Watched {
        player: darkboard(game, color, seed),
        belief: Belief::certain(position, BOUND, seed),
    });
    let mut movers = Color::ALL.map(|color| RandomMover::new(seed ^ color as u64));
    let mut line = String::new();
    for _ in 0..plies {
        let Some(side) = umpire.turn() else { break };
        let choices = umpire.choices();
        let own = &mut watched[side as usize].player;
        let action = if players[side as usize] {
            own.choose(&choices, Allowance::Nodes(60)).unwrap()
        } else {
            Contestant::<Kriegspiel>::choose(&mut movers[side as usize], &choices, Allowance::Nodes(1))
                .unwrap()
        };
        umpire.play(side, action).unwrap();
        line.push_str(&format!(" {action}"));
        if umpire.outcome().is_some() {
            break;
        }
        for (color, watched) in Color::ALL.into_iter().zip(&mut watched) {
            tell_one(&umpire, color, side, action, &mut watched.player);
            let Some(told) = umpire.told(color) else { continue };
            let own = (color == side).then_some(action);
            if watched.belief.advance(&game, player_of(color), own, told).is_err() {
                // A sample may run empty; the truth fits always.
                watched.belief = Belief::certain(Position::of(umpire.state()), BOUND, seed);
            }
            watched.check(game.ruleset, umpire.state().board(), &line);
        }
    }
}

#[test]
fn what_is_ruled_out_is_never_there() {
    for ruleset in Ruleset::ALL {
        let game = Kriegspiel { ruleset, ..Kriegspiel::default() };
        for seed in 0..6 {
            watch(game, [false, false], 300, seed);
        }
        for seed in 0..2 {
            watch(game, [true, seed % 2 == 0], 300, seed);
        }
    }
}

/// Positions where pawns pass, promote and castle soon.
#[test]
fn what_is_ruled_out_is_never_there_in_odd_positions() {
    for fen in [
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "4k3/1P1P1P2/8/8/8/8/1p1p1p2/4K3 b - - 0 1",
        "3qk3/8/8/2pPp3/3pP3/8/8/3QK3 w - - 0 1",
        "8/8/3k4/8/8/4K3/8/R7 w - - 0 1",
        "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1",
    ] {
        for ruleset in Ruleset::ALL {
            let game = Kriegspiel { ruleset, start: fen.parse().unwrap() };
            for seed in 0..3 {
                watch(game, [false, false], 120, seed);
            }
            watch(game, [true, true], 120, 1);
        }
    }
}

/// The metaposition of White after these tries of both sides from `fen`, with the player.
fn told(fen: &str, tries: &str) -> (Darkboard, Umpire<Kriegspiel>) {
    let game = Kriegspiel { start: fen.parse().unwrap(), ..Kriegspiel::default() };
    let mut umpire = Umpire::new(game);
    let mut player = darkboard(game, Color::White, 1);
    for word in tries.split_whitespace() {
        let side = umpire.turn().unwrap();
        let action = word.parse().unwrap();
        umpire.play(side, action).unwrap();
        tell_one(&umpire, Color::White, side, action, &mut player);
    }
    (player, umpire)
}

/// The names of squares, in order.
fn names(squares: BitBoard) -> String {
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn messages_tell_what_they_tell() {
    // A rank check by a rook that moved up: the king is beside it, and not where it would have been in check before.
    let (player, _) = told("6k1/8/8/8/8/8/8/R3K3 w - - 0 1", "e1d1 g8f7 d1d2 f7e8 a1a8");
    let kings = player.metaposition().may(Piece::King);
    assert!(
        kings.has(Square::E8) && names(kings).split(' ').all(|name| name.ends_with('8')),
        "{}",
        names(kings)
    );
    // A push that is refused finds the lone king.
    let (player, _) = told("8/8/8/4k3/4P3/8/8/4K3 w - - 0 1", "e1d1 e5e6 d1d2 e6e5 e4e5");
    assert_eq!(names(player.metaposition().may(Piece::King)), "e5");
    // A refused slide finds what stands in between if that is one square, else there is a power move.
    let refused = |fen: &str, tries: &str, m: &str| {
        let (meta, power) = told(fen, tries).0.metaposition().after_refusal(m.parse().unwrap(), false);
        (names(meta.sure()), power.map(|power| power.to_string()))
    };
    assert_eq!(refused("4k3/8/8/8/8/8/n7/R3K3 w - - 0 1", "e1d1 e8e7", "a1a3"), ("a2".to_owned(), None));
    let power = Some("a1a7".to_owned());
    assert_eq!(refused("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1d1 a8a5", "a1a8"), (String::new(), power));
    // Without a pawn try nothing stands before the pawn's corners.
    let (player, _) = told("r3k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e1d1 a8a7");
    let meta = player.metaposition();
    assert!(
        !meta.any().has(Square::D5) && !meta.any().has(Square::F5) && meta.ages[Square::D5 as usize] == 0
    );
    // A pawn that is certainly on a file bars it.
    let (player, _) = told("r3k3/p7/8/8/8/8/8/R3K3 w - - 0 1", "e1d1 e8e7");
    let mut moves = Vec::new();
    player.metaposition().each_move(|_, m| moves.push(m.to_string()));
    assert!(moves.contains(&"a1a7".to_owned()) && !moves.contains(&"a1a8".to_owned()), "{moves:?}");
}

/// The search of all moves, written as the paper has it.
fn slow_value(evaluation: &Evaluation, meta: &Metaposition, piece: Piece, m: Move, depth: usize) -> f64 {
    let said = meta.predict_own(piece, m, false);
    let after = meta.expect_own(m, &said);
    let taken = said.capture.and_then(|capture| capture.taken);
    let step = Step { before: meta, entropy: evaluation.entropy(meta), after: &after, to: m.to(), taken };
    let value = evaluation.value(&step).sum();
    if depth == 0 {
        return value;
    }
    let next = after.after_theirs(&after.predict_theirs());
    let mut best = f64::NEG_INFINITY;
    next.each_move(|piece, m| best = best.max(slow_value(evaluation, &next, piece, m, depth - 1)));
    0.6 * value + 0.4 * best
}

#[test]
fn the_search_of_all_moves_is_that_of_the_paper() {
    let evaluation = Evaluation::new(Weights::default(), true);
    for (fen, tries) in [
        ("4k3/pp3ppp/2n5/8/8/2N5/PP3PPP/4K3 w - - 0 1", "c3d5 c6d4"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4 d7d5"),
    ] {
        let (player, _) = told(fen, tries);
        let meta = player.metaposition();
        let mut moves = Vec::new();
        meta.each_move(|piece, m| moves.push((piece, m)));
        let limits = Limits { positions: 2 * moves.len().pow(2), deadline: None, stop: None };
        let judged = Search::new(&evaluation, &limits, meta).judge(meta, &moves, &[], true);
        for (one, (piece, m)) in judged.iter().zip(moves) {
            let slow = slow_value(&evaluation, meta, piece, m, 1);
            assert!((one.value - slow).abs() < 1e-9, "{m}: {} and {slow}", one.value);
        }
    }
}

/// A rook on d8 and a king on d6 leave one square to a lone king: the mate is played.
#[test]
fn a_certain_mate_is_played_and_a_stalemate_is_not() {
    let (mut player, umpire) = told("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "");
    let chosen = player.choose(&umpire.choices(), Allowance::Nodes(1000)).unwrap();
    assert_eq!(chosen.to_string(), "a1a8");
    for seed in 0..10 {
        let game =
            Kriegspiel { start: "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1".parse().unwrap(), ..Kriegspiel::default() };
        let umpire = Umpire::new(game);
        let mut player = darkboard(game, Color::White, seed);
        let chosen = player.choose(&umpire.choices(), Allowance::Nodes(1000)).unwrap();
        assert_ne!(chosen.to_string(), "f1f7");
        let insights = player.insights();
        assert!(insights.windows(2).all(|two| two[0].score >= two[1].score));
        let stalemate = insights.iter().find(|insight| insight.choice == "f1f7").unwrap();
        assert!(stalemate.parts.iter().any(|(name, value)| *name == "stalemate" && *value < -100.0));
    }
}

#[test]
fn books_and_weights_read_as_they_are_written() {
    let folder = std::env::temp_dir().join(format!("scuro-darkboard-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("file");
    let mut weights = Weights { moved: 1.25, ..Weights::default() };
    weights.each().for_each(|weight| *weight *= 1.5);
    std::fs::write(&file, weights.text()).unwrap();
    assert_eq!(Weights::read(&file).unwrap(), weights);
    let mut book = Book::default();
    book.add(Color::White, vec!["e2e4".parse().unwrap(), "g1f3".parse().unwrap()]);
    book.add(Color::Black, vec!["d7d5".parse().unwrap()]);
    std::fs::write(&file, book.text()).unwrap();
    assert_eq!(Book::read(&file).unwrap(), book);
    for (text, words) in [
        ("moved 1 2\n", "line 1: expected a name and its numbers, not 'moved 1 2'"),
        ("\nheight 1\n", "line 2: expected a name"),
        ("moved NaN", "line 1"),
    ] {
        std::fs::write(&file, text).unwrap();
        let error = Weights::read(&file).unwrap_err().to_string();
        assert!(error.contains(words) && error.starts_with("weights="), "{error}");
    }
    for (text, words) in
        [("red e2e4\n", "line 1: expected white or black"), ("white e2e9\n", "'e9' is not a square")]
    {
        std::fs::write(&file, text).unwrap();
        assert!(Book::read(&file).unwrap_err().to_string().contains(words));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// An opening is played until the umpire says anything.
#[test]
fn an_opening_lasts_until_a_message() {
    let mut book = Book::default();
    book.add(Color::White, ["e2e4", "g1f3", "f1c4"].map(|m| m.parse().unwrap()).to_vec());
    for (reply, second) in [("a7a6", true), ("d7d5", false)] {
        let game = Kriegspiel::default();
        let evaluation = Evaluation::new(Weights::default(), true);
        let mut player = Darkboard::new(game, Color::White, evaluation, Some(&book), 1);
        let mut umpire = Umpire::new(game);
        let first = player.choose(&umpire.choices(), Allowance::Nodes(50)).unwrap();
        assert_eq!(first.to_string(), "e2e4");
        for (side, action) in [(Color::White, first), (Color::Black, reply.parse().unwrap())] {
            umpire.play(side, action).unwrap();
            tell_one(&umpire, Color::White, side, action, &mut player);
        }
        let next = player.choose(&umpire.choices(), Allowance::Nodes(50)).unwrap();
        assert_eq!(next.to_string() == "g1f3", second, "{next}");
    }
}
