//! Strategy fusion (Frank and Basin 1998, figure 6.2 of the thesis on Kriegspiel): a game in which whoever samples worlds and
//! solves each of them as if it were seen goes wrong.
//!
//! Chance draws a world that nobody sees. The right branch pays 1 in all worlds. In the left branch player one names one half of
//! the worlds, and is paid 1 if the true one is in it. In every world by itself both branches are worth 1, so that a
//! sampler finds them equally good; but one has to name a half without seeing the world.

use std::fmt;

use scuro_core::{Game, Player, Scale, Turn};

use super::ToyTold;
use super::name::{ToyError, within};

/// The game with so many worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fusion {
    worlds: u32,
}

/// One ply of the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FusionAction {
    /// Chance draws this world.
    World(u32),
    /// The branch in which a half has to be named.
    Left,
    /// The branch that is paid for sure.
    Right,
    /// The first half of the worlds, with the middle one.
    Low,
    /// The second half.
    High,
}

impl fmt::Debug for FusionAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FusionAction::World(world) => write!(f, "{world}"),
            FusionAction::Left => f.write_str("left"),
            FusionAction::Right => f.write_str("right"),
            FusionAction::Low => f.write_str("low"),
            FusionAction::High => f.write_str("high"),
        }
    }
}

/// The world, and what was chosen so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FusionState {
    world: Option<u32>,
    branch: Option<FusionAction>,
    half: Option<FusionAction>,
}

impl Fusion {
    /// The game with so many worlds.
    ///
    /// # Errors
    /// If there are fewer than 2 or more than 1,000.
    pub fn new(worlds: u32) -> Result<Fusion, ToyError> {
        Ok(Fusion { worlds: within("strategy-fusion", "WORLDS", worlds, 2..=1_000)? })
    }

    /// Whether a world lies in the named half.
    fn is_in(self, half: FusionAction, world: u32) -> bool {
        (world <= self.worlds.div_ceil(2)) == (half == FusionAction::Low)
    }
}

impl Game for Fusion {
    type State = FusionState;
    type Action = FusionAction;
    type Told = ToyTold;

    fn start(&self) -> FusionState {
        FusionState { world: None, branch: None, half: None }
    }

    fn turn(&self, state: &FusionState) -> Turn {
        let paid = |won: bool| Turn::Over(self.raw().normalised(f64::from(u8::from(won))));
        match (state.world, state.branch, state.half) {
            (None, ..) => Turn::Chance,
            (_, Some(FusionAction::Right), _) => paid(true),
            (Some(world), _, Some(half)) => paid(self.is_in(half, world)),
            _ => Turn::Player(Player::One),
        }
    }

    fn actions(&self, state: &FusionState, out: &mut Vec<FusionAction>) {
        match (self.turn(state), state.branch) {
            (Turn::Chance, _) => out.extend((1..=self.worlds).map(FusionAction::World)),
            (Turn::Player(_), None) => out.extend([FusionAction::Left, FusionAction::Right]),
            (Turn::Player(_), Some(_)) => out.extend([FusionAction::Low, FusionAction::High]),
            (Turn::Over(_), _) => {}
        }
    }

    fn play(&self, state: &FusionState, action: FusionAction) -> FusionState {
        match action {
            FusionAction::World(world) => FusionState { world: Some(world), ..*state },
            FusionAction::Left | FusionAction::Right => FusionState { branch: Some(action), ..*state },
            FusionAction::Low | FusionAction::High => FusionState { half: Some(action), ..*state },
        }
    }

    /// That a world was drawn, or something chosen, and the end.
    fn told(&self, state: &FusionState, _: Player) -> Option<ToyTold> {
        ToyTold::new(state.world.map(|_| 0), self.turn(state))
    }

    fn view_name(&self, _: &FusionState, _: Player) -> String {
        String::new()
    }

    fn raw(&self) -> Scale {
        Scale::of_range(0.0, 1.0)
    }
}
