//! Contestants that misbehave lose their game, with the reason.

use scuro_agents::contestant::Contestant;
use scuro_agents::rivals::random::RandomMover;
use scuro_games::Variant;
use scuro_games::chess::{Board, Move};
use scuro_games::fog::{self, FogOfWar};
use scuro_games::kriegspiel::{self, Kriegspiel, Ruleset, Try};
use scuro_games::umpire::Umpired;

use super::*;

/// Plays like a random mover until its third choice, and then does this.
struct Bad {
    deed: Deed,
    choices: usize,
    random: RandomMover,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    PanicsChoosing,
    PanicsSeeing,
    IsGone,
    IsSilent,
    TalksNonsense,
    PlaysIllegally,
    IsLate,
}

impl Contestant<FogOfWar> for Bad {
    fn see(&mut self, own: Option<Move>, _: &fog::Told) {
        assert!(!(self.deed == Deed::PanicsSeeing && own.is_none() && self.choices == 2), "seen enough");
    }

    fn choose(&mut self, choices: &[Move], allowance: Allowance) -> Result<Move, Fault> {
        self.choices += 1;
        if self.choices == 3 {
            match self.deed {
                Deed::PanicsChoosing => panic!("no idea"),
                Deed::IsGone => return Err(Fault::Gone("exit status 1".to_owned())),
                Deed::IsSilent => return Err(Fault::Silent),
                Deed::TalksNonsense => return Err(Fault::Nonsense("hello".to_owned())),
                Deed::PlaysIllegally => return Ok("a1a8".parse().unwrap()),
                Deed::IsLate => std::thread::sleep(Duration::from_millis(20)),
                Deed::PanicsSeeing => {}
            }
        }
        Contestant::<FogOfWar>::choose(&mut self.random, choices, allowance)
    }
}

fn table<G: Seats>(game: G, contestants: [Seated<G>; 2], control: Control) -> Table<G> {
    let clocks = Clocks::new([control; 2], Duration::ZERO);
    Table { umpire: Umpire::new(game), movers: contestants.map(Mover::Told), clocks }
}

fn random<G: Umpired>(seed: u64) -> Box<RandomMover>
where
    RandomMover: Contestant<G>,
{
    Box::new(RandomMover::new(seed))
}

#[test]
fn who_misbehaves_loses_that_game_with_the_reason() {
    use Deed::{IsGone, IsLate, IsSilent, PanicsChoosing, PanicsSeeing, PlaysIllegally, TalksNonsense};
    for (deed, reason, words) in [
        (PanicsChoosing, Reason::Crash, "panicked: no idea"),
        (PanicsSeeing, Reason::Crash, "panicked: seen enough"),
        (IsGone, Reason::Crash, "exit status 1"),
        (IsSilent, Reason::Timeout, "no answer in time"),
        (TalksNonsense, Reason::Garbage, "it said 'hello'"),
        (PlaysIllegally, Reason::Illegal, "a1a8 is not a move here"),
        (IsLate, Reason::Timeout, "a move took "),
    ] {
        for color in Color::ALL {
            let bad = Box::new(Bad { deed, choices: 0, random: RandomMover::new(1) });
            let seats: [Seated<FogOfWar>; 2] = match color {
                Color::White => [bad, random::<FogOfWar>(2)],
                Color::Black => [random::<FogOfWar>(2), bad],
            };
            // Only what takes twenty times its time is late.
            let late = Control::Movetime(Duration::from_millis(if deed == IsLate { 10 } else { 600_000 }));
            let played =
                table(FogOfWar::default(), seats, late).play(400, false, &AtomicBool::new(false)).unwrap();
            assert_eq!(played.outcome, Outcome::win(!color, reason), "{deed:?}");
            assert!(played.fault.unwrap().starts_with(words), "{deed:?}");
            assert_eq!(played.times[color as usize].late, usize::from(deed == IsLate));
            assert_eq!(played.times[!color as usize].late, 0);
        }
    }
}

/// Tries what cannot be, for ever.
struct Stubborn;

impl Contestant<Kriegspiel> for Stubborn {
    fn see(&mut self, _: Option<Try>, _: &kriegspiel::Told) {}

    fn choose(&mut self, _: &[Try], _: Allowance) -> Result<Try, Fault> {
        Ok(Try::Move("a1a8".parse().unwrap()))
    }
}

#[test]
fn who_tries_for_ever_is_stopped() {
    let seats: [Seated<Kriegspiel>; 2] = [random::<Kriegspiel>(1), Box::new(Stubborn)];
    let table = table(Kriegspiel::default(), seats, Control::Nodes(1));
    let played = table.play(400, false, &AtomicBool::new(false)).unwrap();
    assert_eq!(played.outcome, Outcome::win(Color::White, Reason::Garbage));
    assert_eq!(played.fault.unwrap(), "1000 tries in one turn");
}

#[test]
fn a_game_is_drawn_when_a_side_has_had_its_turns_and_given_up_when_stopped() {
    let go = AtomicBool::new(false);
    for (game, plies) in
        [(Variant::FogOfWar, Some(6)), (Variant::Kriegspiel, None), (Variant::Reconnaissance, Some(12))]
    {
        let rules = Rules::new(game, Board::start(), Ruleset::default()).unwrap().limited(3);
        let costs = Costs { controls: [Control::Nodes(1); 2], margin: Duration::ZERO, thoughts: false };
        let agents = [(&Agent::Random, 1), (&Agent::Random, 2)];
        let played = play(rules, 3, costs, agents, &go).unwrap().unwrap();
        assert_eq!(played.outcome, Outcome::draw(Reason::TurnLimit), "{game:?}");
        assert!(plies.is_none_or(|plies| played.plies.len() == plies), "{game:?}");
        assert!(play(rules, 3, costs, agents, &AtomicBool::new(true)).unwrap().is_none());
    }
}
