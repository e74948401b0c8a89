//! Records looked at from one side, on random records of every game: what is told only grows, a review up to what a
//! player noticed shows just that, and no record makes it panic.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_core::{Positions, Random};
use scuro_games::chess::{Board, Color, Move, Square};
use scuro_games::dark::{DarkGame, Rules};
use scuro_games::kriegspiel::Ruleset;
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::records::pgn::PgnResult;
use scuro_games::records::{Ply, Record};
use scuro_games::review::{ReviewError, Upto, known, replay};
use scuro_games::seat::Heard;
use scuro_games::umpire::Umpire;
use scuro_games::{Variant, with_game};

const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 9",
    "k7/6P1/8/8/8/8/1p6/7K w - - 0 1",
    "r3k2r/8/2N5/8/8/2n5/8/R3K2R b KQkq - 95 30",
    "4k3/8/8/3p1p2/2B1P3/8/8/4K3 w - - 0 1",
];

const VARIANTS: [Variant; 3] = [Variant::FogOfWar, Variant::Kriegspiel, Variant::Reconnaissance];

/// Random games of every kind. Half of those that have not ended are given up.
fn records() -> Vec<Record> {
    let mut records = Vec::new();
    for (variant, seed) in VARIANTS.into_iter().flat_map(|variant| (0..24).map(move |seed| (variant, seed))) {
        let mut random = Random::new(seed);
        let start: Board = STARTS[seed as usize % STARTS.len()].parse().unwrap();
        let ruleset = Ruleset::ALL[seed as usize % Ruleset::ALL.len()];
        let rules = Rules::new(variant, start, ruleset).unwrap();
        let plies = 20 + random.below(60);
        let (plies, outcome) = with_game!(rules, game => random_plies(game, plies, &mut random));
        let resigned = (seed / 4 % 2 == 0).then(|| Outcome::win(Color::Black, Reason::Resignation));
        let mut record = Record {
            variant,
            tags: vec![("Ruleset".to_owned(), ruleset.to_string())],
            start,
            passed: None,
            plies,
            result: PgnResult::Unknown,
            termination: None,
        };
        record.tags.retain(|_| variant == Variant::Kriegspiel);
        record.finish(outcome.or(resigned));
        records.push(record);
    }
    records
}

/// A move that no pawn makes: after "yes" it is turned away without a word.
const STRAY: Ply = Ply::Move(Move::new(Square::D4, Square::D4));

/// Random play. What is turned away without a word is recorded too.
fn random_plies<G: DarkGame>(game: G, plies: usize, random: &mut Random) -> (Vec<Ply>, Option<Outcome>) {
    let mut umpire = Umpire::new(game);
    let mut written = Vec::new();
    while let (Some(side), true) = (umpire.turn(), written.len() < plies) {
        let stray = G::action(STRAY).filter(|&action| umpire.game().passes_over(umpire.state(), action));
        let action = *random.pick(&umpire.choices()).unwrap();
        written.extend(stray.map(G::ply));
        umpire.play(side, action).unwrap();
        written.push(G::ply(action));
    }
    (written, umpire.outcome())
}

#[test]
fn what_is_told_grows_with_the_plies() {
    let mut given_up_after_a_stray = 0;
    for record in records() {
        for color in Color::ALL {
            let told = |ply| known(&record, Upto::Ply(ply), color).unwrap().told;
            let lists: Vec<Vec<String>> = (0..=record.plies.len()).map(told).collect();
            assert!(lists.windows(2).all(|pair| pair[1].starts_with(&pair[0])), "{record:?}");
            assert!(lists.last().unwrap().len() > record.plies.len() / 4, "{record:?}");
            let all = known(&record, Upto::End, color).unwrap();
            assert_eq!(lists.last(), Some(&all.told));
            let (asked, plies) = (record.plies.len() + 1, record.plies.len());
            let error = known(&record, Upto::Ply(asked), color).unwrap_err();
            assert_eq!(error, ReviewError::Ply { asked, plies });
            assert_eq!(all.picture.placement(), all.placement);
            let given_up = record.reason() == Some(Reason::Resignation);
            let last = all.told.last().unwrap();
            assert_eq!(last == "the game is over: 0-1, resignation", given_up, "{record:?}");
            given_up_after_a_stray += usize::from(given_up && record.plies.contains(&STRAY));
        }
    }
    assert!(given_up_after_a_stray > 0);
}

#[test]
fn what_was_noticed_is_shown_and_no_more() {
    let mut unnoticed = 0;
    for record in records() {
        let rules = Rules::of(&record).unwrap();
        with_game!(rules, game => {
            for color in Color::ALL {
                unnoticed += record.plies.len() - check_noticed(&game, &record, color);
            }
        });
    }
    // The opponent's refused tries on the ICC.
    assert!(unnoticed > 30, "{unnoticed}");
}

/// Every review up to what `color` noticed. Returns how much that was in all.
fn check_noticed<G: DarkGame>(game: &G, record: &Record, color: Color) -> usize {
    let whole = replay(game, record, Upto::End).unwrap();
    let noticed = whole.seat(color).heard();
    let opening = game.opening_sentence(color);
    for count in 0..=noticed.len() {
        let upto = Upto::Noticed(color, count);
        let umpire = replay(game, record, upto).unwrap();
        assert_eq!(umpire.seat(color).heard(), &noticed[..count]);
        let sentences = |heard: &Heard<G::Action, G::Told>| game.sentences(color, heard.own, &heard.told);
        let mut lines: Vec<String> = opening.clone().into_iter().collect();
        lines.extend(noticed[..count].iter().flat_map(sentences));
        let shown = known(record, upto, color).unwrap();
        // What ends the game from outside comes after all plies.
        assert!(shown.told.len() <= lines.len() + 1 && shown.told.starts_with(&lines), "{record:?}");
        let ended = umpire.actions().len() == whole.actions().len();
        assert!(ended || shown.told == lines, "{record:?}");
        assert!(known(record, upto, !color).is_ok());
    }
    let asked = noticed.len() + 1;
    let error = known(record, Upto::Noticed(color, asked), color).unwrap_err();
    assert_eq!(error, ReviewError::Noticed { asked, color, plies: noticed.len() });
    noticed.len()
}

/// A seat that is told nothing but what was noticed comes to the same knowledge.
#[test]
fn the_picture_is_that_of_the_seat() {
    fn check<G: DarkGame + Positions>(game: &G, record: &Record) {
        for ply in 0..=record.plies.len() {
            let umpire = replay(game, record, Upto::Ply(ply)).unwrap();
            for color in Color::ALL {
                let shown = known(record, Upto::Ply(ply), color).unwrap();
                let picture = G::picture(umpire.view(color), "");
                assert_eq!(shown.placement, picture.placement());
                let board = G::true_board(umpire.state());
                let own = |square| board.man_on(square).filter(|&(owner, _)| owner == color);
                for square in Square::ALL.into_iter().filter(|&square| own(square).is_some()) {
                    let (_, piece) = own(square).unwrap();
                    assert_eq!(picture.at(square), scuro_games::chess::Seen::Man(color, piece));
                }
            }
        }
    }
    for record in records() {
        with_game!(Rules::of(&record).unwrap(), game => check(&game, &record));
    }
}

#[test]
fn records_that_break_the_rules_are_refused_in_words() {
    let records = records();
    let mut refused = 0;
    for (number, record) in records.iter().enumerate() {
        let mut random = Random::new(number as u64);
        for _ in 0..20 {
            let mut broken = record.clone();
            let other = random.pick(&records).unwrap();
            let at = random.below(broken.plies.len());
            match random.below(4) {
                0 => broken.plies[at] = *random.pick(&other.plies).unwrap(),
                1 => broken.plies.truncate(at),
                2 => broken.plies.insert(at, *random.pick(&other.plies).unwrap()),
                _ => broken.start = other.start,
            }
            for (color, ply) in [(Color::White, at), (Color::Black, broken.plies.len() + 1)] {
                for upto in [Upto::End, Upto::Ply(ply), Upto::Noticed(color, ply)] {
                    if let Err(error) = known(&broken, upto, color) {
                        assert!(!error.to_string().is_empty());
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
    let light = Record { variant: Variant::Chess, ..records[0].clone() };
    let error = known(&light, Upto::End, Color::White).unwrap_err().to_string();
    assert!(error.contains("hides nothing"), "{error}");
}
