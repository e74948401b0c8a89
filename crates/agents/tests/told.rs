//! What a player makes of what it is told: the same in process and through text, the truth as long as it can know it, and
//! what fits when it cannot; and the laws of the game as it is searched.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_agents::name::{Eval, Obscuro};
use scuro_agents::player::{Believer, Imagined, Leaves, Playable, Player, Seen};
use scuro_agents::protocol::Command;
use scuro_agents::protocol::dialect::{Dialect, Line};
use scuro_core::laws::{Walk, check};
use scuro_core::{Game, Random};
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, OwnPieces, Piece};
use scuro_games::fog::{FogOfWar, View};
use scuro_games::kriegspiel::{self, Kriegspiel, KriegspielState, KriegspielView, Ruleset, Stalemate};
use scuro_games::rbc::{self, Rbc, RbcView};
use scuro_games::umpire::Umpire;

/// The usual start, and positions that bring captures, castling, en passant, promotion and checks within a few plies.
const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 9",
    "2r1k3/1P1P4/8/8/8/8/1p1p4/2R1K3 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/3nk3/4p3/8/3P4/8/4K3/6N1 b - - 0 1",
];

fn start(seed: u64) -> Board {
    STARTS[seed as usize % STARTS.len()].parse().unwrap()
}

fn rulesets() -> impl Iterator<Item = Ruleset> + Clone {
    Ruleset::ALL.into_iter().chain([Ruleset::Rand { stalemate: Stalemate::Draw }])
}

/// A random game of at most so many plies: `visit` gets the umpire after each of them, while the game goes on, who acted
/// and how.
fn wander<G: Dialect>(
    game: &G,
    seed: u64,
    plies: usize,
    mut visit: impl FnMut(&Umpire<G>, Color, G::Action) -> bool,
) {
    let (mut random, mut umpire) = (Random::new(seed), Umpire::new(game.clone()));
    for _ in 0..plies {
        let side = umpire.turn().unwrap();
        let action = *random.pick(&umpire.choices()).unwrap();
        umpire.play(side, action).unwrap();
        if umpire.outcome().is_some() || !visit(&umpire, side, action) {
            return;
        }
    }
}

/// No evaluators: weights are of no use here.
fn no_evaluators() -> [Leaves<Box<dyn Evaluator + Send>>; 0] {
    []
}

/// A believer that is told everything as lines of text.
struct Listener<G: Dialect> {
    game: G,
    believer: Believer<G>,
}

impl<G: Dialect> Listener<G> {
    fn tell(&mut self, own: Option<G::Action>, told: &G::Told) {
        let Some(command) = G::say(own, told) else { return };
        let line = command.to_string();
        let read: Command = line.parse().unwrap();
        assert_eq!(read, command, "{line}");
        let view = self.believer.seat().view();
        let Ok(Line::Told(steps)) = self.game.hear(view, own, &read) else { panic!("{line}") };
        for step in steps {
            self.believer.see(step.own, &step.told, |_| true, &mut no_evaluators()).unwrap();
        }
    }

    /// What goes without saying is known when it is to choose.
    fn ask(&mut self) {
        for step in self.game.unsaid(self.believer.seat().view()) {
            self.believer.see(step.own, &step.told, |_| true, &mut no_evaluators()).unwrap();
        }
    }
}

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    turns: usize,
    samples: usize,
    recovered: usize,
}

/// Most positions of a belief that are compared.
const POSITIONS: usize = 300;

fn compare<G: Dialect>(game: &G, seed: u64, plies: usize, compared: &mut Compared) {
    for color in Color::ALL {
        let mut direct = Believer::new(game.clone(), color, seed, POSITIONS, 1);
        let mut listener = Listener { game: game.clone(), believer: direct.clone() };
        wander(game, seed, plies, |umpire, side, action| {
            let own = (side == color).then_some(action);
            if let Some(told) = umpire.told(color) {
                direct.see(own, told, |_| true, &mut no_evaluators()).unwrap();
                listener.tell(own, told);
            }
            if umpire.turn() == Some(color) {
                listener.ask();
                let heard = &listener.believer;
                assert_eq!(heard.key(), direct.key(), "game {seed}, {color}, {action:?}");
                assert_eq!(direct.key(), umpire.seat(color).key());
                assert_eq!(heard.seat().view(), direct.seat().view());
                assert_eq!(heard.choices(), umpire.choices());
                assert!(heard.belief().positions() == direct.belief().positions(), "game {seed}, {color}");
                compared.turns += 1;
                compared.samples += usize::from(direct.belief().is_sample());
            }
            true
        });
        compared.recovered += direct.refilled() + direct.invented();
    }
}

#[test]
fn text_tells_what_is_told_in_process() {
    let [mut fog, mut kriegspiel, mut rbc] = [(); 3].map(|()| Compared::default());
    for seed in 0..14 {
        let start = start(seed);
        compare(&FogOfWar { start }, seed, 30, &mut fog);
        compare(&Rbc { start, ..Rbc::default() }, seed, 40, &mut rbc);
    }
    for (seed, ruleset) in (0..35).zip(rulesets().cycle()) {
        compare(&Kriegspiel { start: start(seed / 5), ruleset }, seed, 40, &mut kriegspiel);
    }
    for compared in [fog, kriegspiel, rbc] {
        let Compared { turns, samples, recovered } = compared;
        assert!(turns > 150 && samples > 20 && samples < turns - 50 && recovered > 0, "{compared:?}");
    }
}

fn player<G: Playable>(game: &G, color: Color, positions: usize) -> Player<G> {
    let name = Obscuro { eval: Eval::Simple, positions: Some(positions), ..Obscuro::default() };
    Player::new(game.clone(), color, &name, Some(1)).unwrap()
}

/// How many turns the truth was believed, in a random game, as long as all that fits was.
fn believed<G: Dialect>(game: &G, seed: u64, plies: usize) -> usize {
    let mut players = Color::ALL.map(|color| player(game, color, 10_000));
    let mut times = 0;
    wander(game, seed, plies, |umpire, side, action| {
        for player in &mut players {
            let color = player.color();
            let Some(told) = umpire.told(color).filter(|_| !player.belief().is_sample()) else { continue };
            let seen = player.see((side == color).then_some(action), told).unwrap();
            let exact = seen == Seen::Exact;
            assert!(exact || seen == Seen::Sampled, "game {seed}: {seen:?}");
            let truth = game.position(umpire.state());
            assert!(
                !exact || player.belief().contains(&truth),
                "game {seed}, {color}, {action:?}: {truth:?}"
            );
            assert_eq!(player.believer().invented(), 0);
            times += usize::from(exact);
        }
        players.iter().any(|player| !player.belief().is_sample())
    });
    times
}

#[test]
fn the_truth_is_believed_as_long_as_all_that_fits_is() {
    let rbc: usize =
        (0..14).map(|seed| believed(&Rbc { start: start(seed), ..Rbc::default() }, seed, 60)).sum();
    let games = (0..35).zip(rulesets().cycle());
    let kriegspiel: usize = games
        .map(|(seed, ruleset)| believed(&Kriegspiel { start: start(seed / 5), ruleset }, seed, 60))
        .sum();
    assert!(rbc > 150 && kriegspiel > 500, "{rbc} {kriegspiel}");
}

/// Plays with beliefs that are too small: whatever is found again or invented `fits`, and gives the player the choices that it has. How
/// often that was.
fn recovered<G: Dialect>(game: &G, seed: u64, fits: impl Fn(&G::View, &G::Told, &Board) -> bool) -> usize {
    let mut times = 0;
    for color in Color::ALL {
        let mut player = player(game, color, 20);
        wander(game, seed, 60, |umpire, side, action| {
            let Some(told) = umpire.told(color) else { return true };
            let seen = player.see((side == color).then_some(action), told).unwrap();
            if matches!(seen, Seen::Refilled | Seen::Invented) {
                times += 1;
                assert!(player.belief().is_sample());
                let view = player.seat().view();
                for position in player.belief().positions() {
                    let board = G::board(position);
                    let kings = Color::ALL.map(|color| board.men(color, Piece::King).len());
                    assert!(kings == [1; 2] && fits(view, told, board), "game {seed}, {color}: {board}");
                    if umpire.turn() == Some(color) {
                        let mut actions = Vec::new();
                        game.actions(&game.supposed(view, position), &mut actions);
                        assert_eq!(actions, player.believer().choices(), "game {seed}, {color}: {board}");
                    }
                }
            }
            true
        });
    }
    times
}

fn fits_fog(view: &View, _: &<FogOfWar as Game>::Told, board: &Board) -> bool {
    View::of(board, view.player()) == *view
}

fn fits_kriegspiel(view: &KriegspielView, told: &kriegspiel::Told, board: &Board) -> bool {
    let me = view.pieces.color();
    let captured = match told {
        kriegspiel::Told::Made(announcement) if board.side() == me => announcement.capture,
        _ => None,
    };
    OwnPieces::of(board, me) == view.pieces
        && board.side() == view.announcement.next
        && !board.in_check(!board.side())
        && KriegspielState::new(view.ruleset, *board).outcome().is_none()
        && captured.is_none_or(|capture| board.colors(!me).has(capture.square))
}

fn fits_rbc(view: &RbcView, told: &rbc::Told, board: &Board) -> bool {
    let me = view.pieces.color();
    let shown = match told.answer {
        rbc::Answer::Sensed(sensed) => sensed.fits(board),
        rbc::Answer::Turn { lost: Some(square) } => board.colors(!me).has(square),
        _ => true,
    };
    OwnPieces::of(board, me) == view.pieces && board.side() == view.side && shown
}

#[test]
fn what_is_made_anew_fits_what_is_told() {
    let fog: usize = (0..14).map(|seed| recovered(&FogOfWar { start: start(seed) }, seed, fits_fog)).sum();
    let rbc = (0..14).map(|seed| recovered(&Rbc { start: start(seed), ..Rbc::default() }, seed, fits_rbc));
    let rbc: usize = rbc.sum();
    let games = (0..20).zip(rulesets().cycle());
    let kriegspiel: usize = games
        .map(|(seed, ruleset)| {
            recovered(&Kriegspiel { start: start(seed / 5), ruleset }, seed, fits_kriegspiel)
        })
        .sum();
    assert!(fog > 20 && rbc > 20 && kriegspiel > 20, "{fog} {kriegspiel} {rbc}");
}

/// The game as it is searched keeps the laws, with and without a look at what is worth considering.
fn obeys<G: Playable>(game: &G, walks: &[Walk]) {
    for me in Color::ALL {
        let mut imagined = Imagined::new(game.unlimited(), me);
        let checked = check(&imagined, walks).unwrap();
        assert!(checked.histories > 500, "{checked:?}");
        imagined.focus = game.focus(&game.first_view(me), &[game.position(&game.start())]);
        check(&imagined, walks).unwrap();
    }
}

#[test]
fn the_games_as_they_are_searched_obey_the_laws() {
    let random = Walk::Random { plays: 40, plies: 40, seed: 1 };
    let kings = ["8/4k3/8/8/8/8/4K2R/8 w - - 0 1", "3r4/8/4K3/8/8/3k4/8/4R3 w - - 0 1"];
    for fen in STARTS.into_iter().chain(kings) {
        let start: Board = fen.parse().unwrap();
        obeys(&FogOfWar { start }, &[Walk::All { plies: 2 }, random]);
        obeys(&Rbc { start, ..Rbc::default() }, &[Walk::All { plies: 3 }, random]);
        for ruleset in rulesets() {
            obeys(&Kriegspiel { start, ruleset }, &[Walk::All { plies: 2 }, random]);
        }
    }
}
