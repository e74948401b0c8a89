//! The promises of a seat: what a player works out from what it is told is the truth that it may know, it knows its own
//! choices by that, and what nobody can be told changes nothing.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_core::{Node, Random, Turn};
use scuro_games::chess::{BitBoard, Board, Color, Move, OwnPieces, Piece, Square};
use scuro_games::dark::DarkGame;
use scuro_games::fog::{self, FogOfWar, FogState, View};
use scuro_games::kriegspiel::{
    self, Announcement, Capture, Checks, Kriegspiel, KriegspielState, KriegspielView, PawnTries, Ruleset,
    Stalemate, Taken, Try,
};
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::player_of;
use scuro_games::rbc::{self, Rbc, RbcAction, RbcState, RbcView, Sensed, requests};
use scuro_games::seat::Seat;
use scuro_games::umpire::Umpire;

/// The usual start, and positions that bring every special rule within a few plies.
const STARTS: [&str; 17] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 9",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 95 1",
    "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1",
    "8/8/3k4/8/3n4/2p5/8/3NK3 w - - 0 1",
    "2r1k3/1P1P4/8/8/8/8/1p1p4/2R1K3 w - - 0 1",
    "8/8/8/1k6/1p6/pPp5/PRP5/KB6 b - - 0 1",
    "k3r3/8/8/8/r2p3r/8/4P3/K7 w - - 0 1",
    "k7/6P1/8/8/8/8/1p6/7K w - - 0 1",
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    "4k3/8/8/8/8/8/P3r3/4K3 w - - 0 1",
    "3r4/4P1k1/8/8/8/8/8/4K2R w - - 0 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 30",
    // The move number can grow no more.
    "r3k2r/8/2N5/8/8/2n5/8/R3K2R b KQkq - 90 65535",
];

fn board(fen: &str) -> Board {
    fen.parse().unwrap()
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// What was checked in all games of one kind.
#[derive(Debug, Default)]
struct Checked {
    plies: usize,
    unnoticed: usize,
    ended: usize,
}

/// A random game of at most so many plies. At every ply both seats are compared with the truth: keys, choices and ends
/// here, views by `compare`. One ply in eight is `odd`: what the umpire takes though the game does not offer it.
fn follow<G: DarkGame>(
    game: &G,
    (seed, plies): (u64, usize),
    odd: impl Fn(&G::State, &mut Random) -> Option<G::Action>,
    compare: impl Fn(&G::State, &Seat<G>),
    checked: &mut Checked,
) {
    let mut random = Random::new(seed);
    let mut umpire = Umpire::new(game.clone());
    let mut node = Node::start(game);
    for _ in 0..plies {
        let state = umpire.state();
        let turn = game.turn(state);
        for color in Color::ALL {
            let (seat, player) = (umpire.seat(color), player_of(color));
            compare(state, seat);
            assert_eq!(seat.key(), node.keys[player.index()]);
            let mut actions = Vec::new();
            if turn == Turn::Player(player) {
                game.actions(state, &mut actions);
                assert!(!actions.is_empty());
            }
            assert_eq!(seat.choices(game), actions);
            assert_eq!(seat.end(), game.outcome(state));
        }
        let Some(side) = umpire.turn() else {
            checked.ended += 1;
            return;
        };
        let unusual = if random.below(8) == 0 { odd(state, &mut random) } else { None };
        let unusual = unusual.filter(|&action| game.accept(state, action).is_ok());
        let action = unusual.unwrap_or_else(|| *random.pick(&umpire.choices()).unwrap());
        let before = Color::ALL.map(|color| umpire.seat(color).heard().len());
        umpire.play(side, action).unwrap();
        node = node.play(game, action);
        for (color, before) in Color::ALL.into_iter().zip(before) {
            let heard = &umpire.seat(color).heard()[before..];
            assert_eq!(
                heard.iter().map(|heard| &heard.told).collect::<Vec<_>>(),
                Vec::from_iter(umpire.told(color))
            );
            assert!(heard.iter().all(|heard| heard.own == (color == side).then_some(action)));
            checked.unnoticed += usize::from(heard.is_empty());
        }
        checked.plies += 1;
    }
}

#[test]
fn a_seat_of_fog_knows_what_the_player_sees() {
    let mut checked = Checked::default();
    for (seed, fen) in (0..).zip(STARTS.iter().cycle().take(102)) {
        let compare = |state: &FogState, seat: &Seat<FogOfWar>| {
            let view = View::of(state.board(), seat.color());
            assert_eq!(*seat.view(), view, "{}", state.board());
            assert_eq!(seat.view().number(), view.number(), "{}", state.board());
        };
        follow(&FogOfWar { start: board(fen) }, (seed, 120), |_, _| None, compare, &mut checked);
    }
    assert!(checked.plies > 4_000 && checked.ended > 40, "{checked:?}");
}

#[test]
fn a_seat_of_kriegspiel_knows_its_pieces_and_what_was_said() {
    let mut checked = Checked::default();
    let rulesets = Ruleset::ALL.into_iter().chain([Ruleset::Rand { stalemate: Stalemate::Draw }]);
    for (seed, ruleset) in (0..).zip(rulesets.cycle().take(5 * 2 * STARTS.len())) {
        let game = Kriegspiel { start: board(STARTS[seed as usize / 5 % STARTS.len()]), ruleset };
        // Any move of an own piece, or of none.
        let odd = |state: &KriegspielState, random: &mut Random| {
            let own = OwnPieces::of(state.board(), state.board().side()).all();
            let from = own.into_iter().nth(random.below(own.len() as usize + 1)).unwrap_or(Square::D4);
            Some(Try::Move(Move::new(from, Square::index(random.below(64)))))
        };
        let compare = |state: &KriegspielState, seat: &Seat<Kriegspiel>| {
            assert_eq!(*seat.view(), KriegspielView::of(state, seat.color()), "{ruleset} {}", state.board());
        };
        follow(&game, (seed, 150), odd, compare, &mut checked);
    }
    assert!(checked.plies > 10_000 && checked.ended > 20 && checked.unnoticed > 500, "{checked:?}");
}

#[test]
fn a_seat_of_rbc_knows_its_pieces_and_its_answers() {
    let mut checked = Checked::default();
    for (seed, fen) in (0..).zip(STARTS.iter().cycle().take(102)) {
        // Any square or none, and promotions without their letter.
        let odd = |state: &RbcState, random: &mut Random| {
            if state.phase() == rbc::Phase::Sense {
                return Some(RbcAction::Sense(Square::try_index(random.below(66))));
            }
            let mut list = Vec::new();
            requests(state.board(), &mut list);
            random.pick(&list).map(|m| RbcAction::Request(Some(Move::new(m.from(), m.to()))))
        };
        let compare = |state: &RbcState, seat: &Seat<Rbc>| {
            assert_eq!(*seat.view(), RbcView::of(state, seat.color()), "{}", state.board());
        };
        let rules = Rbc { start: board(fen), ..Rbc::default() };
        follow(&rules, (seed, 200), odd, compare, &mut checked);
    }
    assert!(checked.plies > 8_000 && checked.ended > 30, "{checked:?}");
}

/// A turn that ends the game by its number is told as the end, not as a capture: the piece is not known to be lost.
#[test]
fn the_end_of_rbc_comes_before_the_notice() {
    let rules =
        Rbc { full_turn_limit: Some(1), ..Rbc::endless(board("4k3/8/8/8/8/8/r3Q3/4K3 b - - 0 1"), None) };
    let mut umpire = Umpire::new(rules);
    umpire.play(Color::Black, RbcAction::Sense(None)).unwrap();
    umpire.play(Color::Black, RbcAction::Request(Some(mv("a2e2")))).unwrap();
    let white = umpire.seat(Color::White);
    assert_eq!(white.end(), Some(Outcome::draw(Reason::TurnLimit)));
    assert_eq!(white.view().pieces.man_on(Square::E2), Some(Piece::Queen));
    assert_eq!(white.view().notice, None);
}

/// Asserts that `seat` refuses to be told that, with these words, and stays as it is.
fn refuses<G: DarkGame>(game: &G, seat: &Seat<G>, own: Option<G::Action>, told: &G::Told, words: &str) {
    let mut tried = seat.clone();
    let error = tried.see(game, own, told).expect_err(words).to_string();
    assert!(error.contains(words), "'{error}' does not say '{words}'");
    assert_eq!(tried.view(), seat.view());
    assert_eq!((tried.key(), tried.end(), tried.heard()), (seat.key(), seat.end(), seat.heard()));
}

/// A game under way after these actions, each of the side whose turn it is.
fn after<G: DarkGame>(game: G, actions: impl IntoIterator<Item = G::Action>) -> Umpire<G> {
    let mut umpire = Umpire::new(game);
    for action in actions {
        umpire.play(umpire.turn().unwrap(), action).unwrap();
    }
    umpire
}

/// The start, what was played, whose seat, its own move, the board of which it is shown its view, and the words.
#[test]
fn fog_refuses_what_nobody_can_see() {
    use Color::{Black, White};
    const START: &str = "4k3/8/8/8/8/8/P6P/R3K2R w KQ - 0 1";
    for (moves, color, own, shown, words) in [
        ("", White, "", "4k3/8/8/8/8/P7/7P/R3K2R b KQ - 0 1", "it is your turn, and nothing was played"),
        ("", Black, "e8e7", "8/4k3/8/8/8/8/P6P/R3K2R w KQ - 0 2", "it is not your turn"),
        ("", Black, "", "4k3/8/8/8/8/P7/7P/R3K2R w KQ - 0 1", "the opponent sees"),
        ("", Black, "", "4k3/8/8/8/8/8/P6P/R3K2R w KQ - 0 1", "after their move it is your turn"),
        ("", White, "a2a5", "4k3/8/8/P7/8/8/7P/R3K2R b KQ - 0 1", "a2a5 is not one of your moves"),
        ("", White, "a2a3", "4k3/8/8/8/P7/8/7P/R3K2R b KQ - 0 1", "your own pieces cannot stand like that"),
        ("", White, "a2a3", "4k3/8/8/8/8/P7/8/R3K2R b KQ - 0 1", "your own pieces cannot stand like that"),
        ("", White, "a2a3", "4k3/8/8/8/8/P7/7P/R3K2R b Q - 0 1", "your castling rights are 'KQ'"),
        ("", White, "e1g1", "4k3/8/8/8/8/8/P6P/R4K1R b - - 0 1", "your own pieces cannot stand like that"),
        ("a2a3", White, "", "8/4k3/8/8/8/8/7P/R3K3 w Q - 0 2", "your own pieces cannot stand like that"),
        ("a2a3", White, "", "8/4k3/8/8/8/N7/7P/R3K2R w KQ - 0 2", "your own pieces cannot stand like that"),
        ("a2a3", White, "", "8/4k3/8/8/8/P7/7P/4K2R w - - 0 2", "your castling rights are 'K'"),
    ] {
        let game = FogOfWar { start: board(START) };
        let umpire = after(game, moves.split_whitespace().map(mv));
        let own = (!own.is_empty()).then(|| mv(own));
        let owner = if words.contains("opponent") { !color } else { color };
        let told = fog::Told { view: View::of(&board(shown), owner), end: None };
        refuses(&game, umpire.seat(color), own, &told, words);
    }
}

/// What the umpire says after a quiet move when `next` is to move.
fn quiet(ruleset: Ruleset, next: Color) -> Announcement {
    let tries = match ruleset {
        Ruleset::Icc => PawnTries::Count(0),
        Ruleset::Cincinnati => PawnTries::Fact(false),
        Ruleset::Rand { .. } => PawnTries::From(BitBoard::EMPTY),
        Ruleset::English => PawnTries::Unsaid,
    };
    Announcement { next, capture: None, promotion: false, checks: Checks::NONE, end: None, tries }
}

#[test]
fn what_was_captured_may_be_left_out() {
    let start = board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    for ruleset in Ruleset::ALL {
        let game = Kriegspiel { start, ruleset };
        let capture = Some(Capture { square: square("d5"), taken: None });
        let see = |color, own| {
            let mut seat = Seat::new(&game, color);
            let told = kriegspiel::Told::Made(Announcement { capture, ..quiet(ruleset, Color::Black) });
            assert_eq!(seat.see(&game, own, &told), Ok(()), "{ruleset}");
            seat.view().pieces.all().has(square("d5"))
        };
        assert!(see(Color::White, Some(Try::Move(mv("e4d5")))));
        assert!(!see(Color::Black, None));
    }
}

#[test]
fn kriegspiel_refuses_what_nobody_can_hear() {
    use Color::{Black, White};
    use Ruleset::{Cincinnati, English, Icc};
    use kriegspiel::Told::{Answered, Made, Refused};
    const RAND: Ruleset = Ruleset::RAND;
    const START: &str = "r3k3/1P6/8/3p4/4P3/8/7P/4K2R w K - 0 1";
    let made = |ruleset, next| Made(quiet(ruleset, next));
    let taking = |ruleset, next, text: &str, taken| {
        let capture = Some(Capture { square: square(text), taken });
        Made(Announcement { capture, ..quiet(ruleset, next) })
    };
    let promoting = |ruleset, next| Made(Announcement { promotion: true, ..quiet(ruleset, next) });
    let (pawn, piece) = (Some(Taken::Pawn), Some(Taken::Piece));
    let [no, nonsense] = [false, true].map(|nonsense| Refused { nonsense });
    for (ruleset, tries, color, own, told, words) in [
        // Whose turn it is.
        (Icc, "", White, "", made(Icc, Black), "it is your turn, and nothing was tried"),
        (Icc, "", Black, "e8e7", made(Icc, White), "it is not your turn"),
        (Icc, "", Black, "", made(Icc, White), "after a move it is the other side's turn"),
        (Icc, "", White, "h2h3", made(Icc, White), "after a move it is the other side's turn"),
        // The own move.
        (Icc, "", White, "e4e6", made(Icc, Black), "e4e6 is not one of your moves"),
        (Icc, "", White, "e8e7", made(Icc, Black), "e8e7 is not one of your moves"),
        (Icc, "h2g3", White, "h2g3", taking(Icc, Black, "g3", pawn), "h2g3 is not one of your moves"),
        (Icc, "", White, "h2h3", taking(Icc, Black, "h3", piece), "h2h3 captures nothing on h3"),
        (Icc, "", White, "e4d5", taking(Icc, Black, "e5", pawn), "e4d5 captures nothing on e5"),
        (Icc, "", White, "e4d5", taking(Icc, Black, "d4", pawn), "e4d5 captures nothing on d4"),
        (Icc, "", White, "e4d5", made(Icc, Black), "e4d5 captures something"),
        (Icc, "", White, "e1g1", taking(Icc, Black, "g1", piece), "e1g1 captures nothing on g1"),
        (RAND, "", White, "b7b8q", made(RAND, Black), "b7b8q is a promotion"),
        (RAND, "", White, "h2h3", promoting(RAND, Black), "h2h3 is no promotion"),
        // What the ruleset lets the umpire say.
        (Icc, "", White, "b7b8q", promoting(Icc, Black), "no promotion is said under the ruleset icc"),
        (
            English,
            "",
            White,
            "e4d5",
            taking(English, Black, "d5", pawn),
            "no capture is named under the ruleset english",
        ),
        // The opponent's move.
        (Icc, "h2h3", White, "", taking(Icc, White, "h2", pawn), "you have no piece to lose on h2"),
        (Icc, "h2h3", White, "", taking(Icc, White, "e1", piece), "you have no piece to lose on e1"),
        (Icc, "h2h3", White, "", taking(Icc, White, "h3", piece), "your piece on h3 is of another kind"),
        // Refusals.
        (Icc, "", White, "h2g3", nonsense, "nobody says nonsense under the ruleset icc"),
        (English, "", White, "h2g3", nonsense, "nobody says nonsense under the ruleset english"),
        (Icc, "h2h3", White, "", no, "their tries are not heard under the ruleset icc"),
        (Cincinnati, "", White, "a1a2", no, "a1a2 is not refused with \"no\""),
        (Cincinnati, "", White, "e1d2", nonsense, "e1d2 is not refused with \"nonsense\""),
        (RAND, "", White, "h2g3", no, "h2g3 is not refused with \"no\""),
        // "any?"
        (Icc, "", White, "any?", Answered(true), "nobody may ask \"any?\" now"),
        (English, "", White, "h2h3", Answered(true), "you have not asked"),
        (English, "any?", White, "any?", Answered(true), "nobody may ask \"any?\" now"),
        (English, "", White, "any?", no, "you asked, and nothing was tried"),
        (English, "", White, "any?", made(English, Black), "you asked, and no move was made"),
        (English, "any?", White, "h2h3", made(English, Black), "h2h3 is not one of your moves"),
        (English, "any?", White, "h2h3", no, "after \"yes\" a pawn capture"),
        (English, "any?", Black, "", made(English, Black), "after \"yes\" a pawn capture"),
        (English, "any?", Black, "", Answered(true), "nobody may ask \"any?\" now"),
    ] {
        let game = Kriegspiel { start: board(START), ruleset };
        let umpire = after(game, tries.split_whitespace().map(|text| text.parse().unwrap()));
        let own: Option<Try> = (!own.is_empty()).then(|| own.parse().unwrap());
        refuses(&game, umpire.seat(color), own, &told, words);
    }
}

#[test]
fn rbc_refuses_what_nobody_can_be_told() {
    use Color::{Black, White};
    use rbc::Answer::{Moved, Sensed as Saw, Turn, Waited};
    const START: &str = "4k3/8/8/8/7q/8/P3P3/R3K3 w Q - 0 1";
    let sense = |text: &str| Some(RbcAction::Sense(Some(square(text))));
    let ask = |text: &str| Some(RbcAction::Request(Some(mv(text))));
    let pass = Some(RbcAction::Request(None));
    let saw = |fen: &str, text: &str| Saw(Sensed::of(&board(fen), Some(square(text))));
    let moved = |taken: &str, captured: &str| Moved {
        taken: (!taken.is_empty()).then(|| mv(taken)),
        captured: (!captured.is_empty()).then(|| square(captured)),
    };
    let lost = |text: &str| Turn { lost: Some(square(text)) };
    let sensed = || vec![RbcAction::Sense(None)];
    let asked = || vec![RbcAction::Sense(None), RbcAction::Request(None)];
    let theirs = || [asked(), sensed()].concat();
    for (actions, color, own, answer, words) in [
        // Whose turn it is, and what comes first in it.
        (vec![], White, None, Waited, "it is your turn, and nothing was done"),
        (vec![], Black, sense("e7"), saw(START, "e7"), "it is not your turn"),
        (vec![], Black, None, Turn { lost: None }, "that is not what is told now"),
        (sensed(), Black, None, Waited, "that is not what is told now"),
        (vec![], White, pass, moved("", ""), "first comes what you sensed"),
        (sensed(), White, sense("e7"), saw(START, "e7"), "you have sensed in this turn"),
        (vec![], White, sense("e7"), moved("", ""), "that is not what is told now"),
        (vec![], White, sense("e7"), Waited, "that is not what is told now"),
        // The window.
        (vec![], White, sense("e7"), saw(START, "e6"), "you sensed another square"),
        (
            vec![],
            White,
            sense("d2"),
            saw("4k3/8/8/8/7q/8/P7/R3K3 w Q - 0 1", "d2"),
            "do not stand like that on e2",
        ),
        (
            vec![],
            White,
            sense("d2"),
            saw("4k3/8/8/8/7q/8/P3N3/R3K3 w Q - 0 1", "d2"),
            "do not stand like that on e2",
        ),
        (
            vec![],
            White,
            sense("d2"),
            saw("4k3/8/8/8/7q/3P4/P3P3/R3K3 w Q - 0 1", "d2"),
            "do not stand like that on d3",
        ),
        // What becomes of a request.
        (sensed(), White, pass, moved("e2e3", ""), "you cannot have made e2e3"),
        (sensed(), White, ask("e2e5"), moved("e2e4", ""), "a pawn does not move like that"),
        (sensed(), White, ask("e2e4"), moved("e2d3", "d3"), "you cannot have made e2d3"),
        (sensed(), White, ask("e2e4"), moved("a2a3", ""), "you cannot have made a2a3"),
        (sensed(), White, ask("e2e4"), moved("e2e3", "e3"), "you cannot have made e2e3"),
        (sensed(), White, ask("e2e4"), moved("e2e4", "e4"), "you cannot have made e2e4 and captured on e4"),
        (sensed(), White, ask("e2d3"), moved("e2d3", ""), "you cannot have made e2d3"),
        (sensed(), White, ask("e2d3"), moved("e2d3", "d2"), "you cannot have made e2d3 and captured on d2"),
        (sensed(), White, ask("a1d1"), moved("a1c1", ""), "you cannot have made a1c1"),
        (sensed(), White, ask("a1d1"), moved("a1c1", "d1"), "you cannot have made a1c1 and captured on d1"),
        (sensed(), White, ask("a1d1"), moved("", ""), "something must come of a1d1"),
        (sensed(), White, ask("e1f1"), moved("", ""), "something must come of e1f1"),
        (sensed(), White, ask("e1c1"), moved("e1d1", ""), "you cannot have made e1d1"),
        (sensed(), White, ask("e1c1"), moved("e1c1", "c1"), "you cannot have made e1c1 and captured on c1"),
        (sensed(), White, ask("e2d3"), moved("", "d3"), "nothing moved, and nothing was captured on d3"),
        // The notice.
        (theirs(), White, None, lost("e4"), "you have no piece to lose on e4"),
        (theirs(), White, None, lost("h4"), "you have no piece to lose on h4"),
        (theirs(), White, None, lost("e1"), "you have no piece to lose on e1"),
        (asked(), White, None, lost("e2"), "that is not what is told now"),
    ] {
        let game = Rbc::endless(board(START), None);
        let umpire = after(game, actions);
        refuses(&game, umpire.seat(color), own, &rbc::Told { answer, end: None }, words);
    }
    let game = Rbc::endless(board(START), None);
    let told = rbc::Told { answer: lost("e2"), end: Some(Outcome::win(Black, Reason::KingCaptured)) };
    let words = "the end of the game comes before the notice";
    refuses(&game, after(game, theirs()).seat(White), None, &told, words);
}

/// Nothing is told once a game is over, whatever it would have been.
#[test]
fn nobody_is_told_anything_after_the_end() {
    let fog = FogOfWar { start: board("4k3/8/8/8/8/8/8/4RK2 w - - 0 1") };
    let umpire = after(fog, [mv("e1e8")]);
    let told = *umpire.told(Color::Black).unwrap();
    for color in Color::ALL {
        let view = View::of(umpire.state().board(), color);
        let own = (color == Color::Black).then_some(mv("a7a6"));
        refuses(&fog, umpire.seat(color), own, &fog::Told { view, ..told }, "the game is over: White wins");
    }

    let start = board("7k/R7/8/8/8/8/8/1R4K1 w - - 0 1");
    let kriegspiel = Kriegspiel { start, ruleset: Ruleset::Cincinnati };
    let umpire = after(kriegspiel, [Try::Move(mv("b1b8"))]);
    let (own, told) = (Some(Try::Move(mv("h8h7"))), kriegspiel::Told::Refused { nonsense: false });
    refuses(&kriegspiel, umpire.seat(Color::Black), own, &told, "the game is over: White wins");
    refuses(&kriegspiel, umpire.seat(Color::White), None, &told, "the game is over: White wins");

    let rbc = Rbc { reversible_moves_limit: Some(1), ..Rbc::default() };
    let umpire = after(rbc, [RbcAction::Sense(None), RbcAction::Request(None)]);
    let told = rbc::Told { answer: rbc::Answer::Waited, end: None };
    refuses(&rbc, umpire.seat(Color::White), None, &told, "the game is over: Draw");
}
