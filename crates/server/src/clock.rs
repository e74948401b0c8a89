//! The clocks of a game. They run here and nowhere else.

use std::time::{Duration, Instant};

use scuro_agents::contestant::Allowance;
use scuro_arena::control::Control;
use scuro_games::chess::Color;

/// Both clocks, and which of them runs since when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    left: [Duration; 2],
    increment: Duration,
    running: Option<(Color, Instant)>,
}

impl Clock {
    /// Stopped at the start of a game; `None` if the control is no clock.
    pub(crate) fn new(control: Control) -> Option<Clock> {
        match control {
            Control::Clock { base, increment } => Some(Clock { left: [base; 2], increment, running: None }),
            Control::Movetime(_) | Control::Nodes(_) => None,
        }
    }

    /// Stopped with so much left, as a game that was kept goes on.
    pub(crate) fn with_left(self, milliseconds: [u64; 2]) -> Clock {
        Clock { left: milliseconds.map(Duration::from_millis), running: None, ..self }
    }

    /// What is left at a moment, in milliseconds.
    pub(crate) fn left(&self, now: Instant) -> [u64; 2] {
        let [white, black] = Color::ALL.map(|color| self.left_to(color, now).as_millis());
        [white, black].map(|left| u64::try_from(left).unwrap_or(u64::MAX))
    }

    /// What a move adds, in milliseconds.
    pub(crate) fn increment(&self) -> u64 {
        u64::try_from(self.increment.as_millis()).unwrap_or(u64::MAX)
    }

    /// Whose clock runs.
    pub(crate) fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// When the running clock will have run out.
    pub(crate) fn falls(&self) -> Option<(Color, Instant)> {
        self.running.map(|(color, since)| (color, since + self.left[color as usize]))
    }

    fn left_to(&self, color: Color, now: Instant) -> Duration {
        let left = self.left[color as usize];
        match self.running {
            Some((runs, since)) if runs == color => left.saturating_sub(now.saturating_duration_since(since)),
            _ => left,
        }
    }

    /// From now on the clock of `turn` runs, if anybody's. If another one ran, its turn has ended.
    pub(crate) fn turn_to(&mut self, turn: Option<Color>, now: Instant) {
        if let Some((color, _)) = self.running.filter(|(color, _)| Some(*color) != turn) {
            let pressed = if turn.is_some() { self.increment } else { Duration::ZERO };
            self.left[color as usize] = self.left_to(color, now) + pressed;
            self.running = None;
        }
        if self.running.is_none() {
            self.running = turn.map(|color| (color, now));
        }
    }

    /// What an engine may spend of it.
    pub(crate) fn allowance(&self, now: Instant) -> Allowance {
        let left = Color::ALL.map(|color| Some(self.left_to(color, now)));
        Allowance::Clock { left, increment: [self.increment; 2] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_while_its_side_is_to_move_and_gains_when_its_turn_ends() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let mut clock = Clock::new("1m+2s".parse().unwrap()).unwrap();
        assert_eq!(clock.left(start), [60_000; 2]);
        clock.turn_to(Some(Color::White), start);
        clock.turn_to(Some(Color::White), start + second);
        assert_eq!(clock.left(start + 5 * second), [55_000, 60_000]);
        assert_eq!(clock.falls(), Some((Color::White, start + 60 * second)));
        clock.turn_to(Some(Color::Black), start + 10 * second);
        assert_eq!(clock.left(start + 11 * second), [52_000, 59_000]);
        clock.turn_to(None, start + 12 * second);
        assert_eq!((clock.left(start + 99 * second), clock.running()), ([52_000, 58_000], None));
        clock.turn_to(Some(Color::Black), start + 100 * second);
        assert_eq!(clock.left(start + 200 * second), [52_000, 0]);
    }
}
