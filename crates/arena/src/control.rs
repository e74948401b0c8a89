//! What a move may cost, as it is written: `62ms` a move, `200 nodes`, or a clock of `3m+2s`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use scuro_agents::contestant::Allowance;
use scuro_games::chess::Color;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What the moves of a game may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Control {
    /// So much time a move.
    Movetime(Duration),
    /// So many nodes a move.
    Nodes(usize),
    /// So much time for all moves, and so much more with every move.
    Clock {
        /// At the start.
        base: Duration,
        /// With every move.
        increment: Duration,
    },
}

/// Why a text is no time or control.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ControlError {
    /// No time.
    #[error("'{0}' is not a time such as 62ms, 5s or 3m")]
    Time(String),
    /// No clock.
    #[error("'{0}' is not a clock such as 3m+2s")]
    Clock(String),
    /// No number of nodes.
    #[error("'{0}' is not a number of nodes")]
    Nodes(String),
}

/// Reads `62ms`, `5s` or `3m`, more than nothing.
///
/// # Errors
/// If it is none of these.
pub fn duration(text: &str) -> Result<Duration, ControlError> {
    time(text).filter(|time| !time.is_zero()).ok_or_else(|| ControlError::Time(text.to_owned()))
}

/// Reads a time that may be nothing, `0s`.
///
/// # Errors
/// If it is no time.
pub fn duration_or_none(text: &str) -> Result<Duration, ControlError> {
    time(text).ok_or_else(|| ControlError::Time(text.to_owned()))
}

fn time(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic())?);
    let number: f64 = if number.starts_with('+') { None } else { number.parse().ok() }?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" => number * 60.0,
        _ => return None,
    };
    // Times are written to the microsecond. More than a day is a slip of the pen, and so is less than can be written.
    let micros = (seconds * 1e6).round();
    let sane = (0.0..=86_400e6).contains(&micros) && (micros > 0.0 || number == 0.0);
    sane.then(|| Duration::from_micros(micros as u64))
}

/// Reads `3m+2s`, or `3m` without increment.
///
/// # Errors
/// If it is neither.
pub fn clock(text: &str) -> Result<Control, ControlError> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0s"));
    match (duration(base), duration_or_none(increment)) {
        (Ok(base), Ok(increment)) => Ok(Control::Clock { base, increment }),
        _ => Err(ControlError::Clock(text.to_owned())),
    }
}

/// As in `62ms`, `5s`, `3m`: the shortest that says it exactly, to the microsecond.
#[must_use]
pub fn time_text(time: Duration) -> String {
    let micros = time.as_micros();
    if micros.is_multiple_of(60_000_000) && micros > 0 {
        format!("{}m", micros / 60_000_000)
    } else if micros.is_multiple_of(1_000_000) {
        format!("{}s", micros / 1_000_000)
    } else {
        format!("{}ms", micros as f64 / 1000.0)
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Control::Movetime(time) => f.write_str(&time_text(*time)),
            Control::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Control::Clock { base, increment } => {
                write!(f, "{}+{}", time_text(*base), time_text(*increment))
            }
        }
    }
}

/// Reads what is printed: `62ms`, `200 nodes`, `3m+2s`.
impl FromStr for Control {
    type Err = ControlError;

    fn from_str(text: &str) -> Result<Control, ControlError> {
        if let Some(number) = text.strip_suffix("nodes") {
            let nodes = number.trim().parse().ok().filter(|&nodes| nodes > 0);
            return nodes.map(Control::Nodes).ok_or_else(|| ControlError::Nodes(text.to_owned()));
        }
        if text.contains('+') { clock(text) } else { duration(text).map(Control::Movetime) }
    }
}

impl TryFrom<String> for Control {
    type Error = ControlError;

    fn try_from(text: String) -> Result<Control, ControlError> {
        text.parse()
    }
}

impl From<Control> for String {
    fn from(control: Control) -> String {
        control.to_string()
    }
}

/// The clocks of a game, whatever the control of either side.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    controls: [Control; 2],
    margin: Duration,
    /// On the clocks, with the margin: who has overdrawn has less of it from then on.
    left: [Duration; 2],
}

impl Clocks {
    /// At the start of a game: what the moves of White and Black may cost. A move that takes `margin` longer than it may
    /// is not late yet, nor is a clock that is overdrawn by no more than that.
    #[must_use]
    pub fn new(controls: [Control; 2], margin: Duration) -> Clocks {
        let base = |control| if let Control::Clock { base, .. } = control { base } else { Duration::ZERO };
        Clocks { controls, margin, left: controls.map(|control| base(control) + margin) }
    }

    /// What the next choice of `color` may cost.
    #[must_use]
    pub fn allowance(&self, color: Color) -> Allowance {
        match self.controls[color as usize] {
            Control::Movetime(time) => Allowance::Time(time),
            Control::Nodes(nodes) => Allowance::Nodes(nodes),
            Control::Clock { .. } => {
                let clock = |side: Color| match self.controls[side as usize] {
                    Control::Clock { increment, .. } => {
                        (Some(self.left[side as usize].saturating_sub(self.margin)), increment)
                    }
                    Control::Movetime(_) | Control::Nodes(_) => (None, Duration::ZERO),
                };
                let [(white, winc), (black, binc)] = Color::ALL.map(clock);
                Allowance::Clock { left: [white, black], increment: [winc, binc] }
            }
        }
    }

    /// A choice of `color` took so long: whether that was too long.
    pub fn spend(&mut self, color: Color, time: Duration) -> bool {
        let allowed = match self.controls[color as usize] {
            Control::Movetime(allowed) => allowed + self.margin,
            Control::Nodes(_) => return false,
            Control::Clock { .. } => self.left[color as usize],
        };
        self.left[color as usize] = self.left[color as usize].saturating_sub(time);
        time > allowed
    }

    /// The turn of `color` has ended.
    pub fn press(&mut self, color: Color) {
        if let Control::Clock { increment, .. } = self.controls[color as usize] {
            self.left[color as usize] += increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use scuro_agents::contestant::Allowance;

    use super::*;

    #[test]
    fn controls_read_as_they_are_written() {
        for text in ["62ms", "62.5ms", "5s", "3m", "200 nodes", "3m+2s", "1s+0s", "100ms+5ms"] {
            assert_eq!(text.parse::<Control>().map(|control| control.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "", "5", "0s", "-1s", "5h", "nan s", "2000m", "0 nodes", "x nodes", "0s+1s", "3m+", "3m+2",
            "1s++1s",
        ] {
            assert!(text.parse::<Control>().is_err(), "{text}");
        }
        // What would be written as nothing is not read as something.
        for text in ["0.0004ms", "1s+0.0004ms", "-0.0004ms", "+5s"] {
            let read = [duration(text).is_ok(), duration_or_none(text).is_ok(), clock(text).is_ok()];
            assert_eq!(read, [false; 3], "{text}");
        }
        for (text, micros) in [("0.0006ms", 1), ("62.3ms", 62_300), ("0.1s", 100_000), ("0ms", 0)] {
            assert_eq!(duration_or_none(text), Ok(Duration::from_micros(micros)), "{text}");
        }
        assert_eq!(clock("3m").map(|clock| clock.to_string()), Ok("3m+0s".to_owned()));
    }

    #[test]
    fn late_is_past_the_time_and_the_margin() {
        let ms = Duration::from_millis;
        let mut clocks = Clocks::new([Control::Movetime(ms(100)); 2], ms(50));
        assert!(!clocks.spend(Color::White, ms(150)) && clocks.spend(Color::White, ms(151)));
        let mut clocks = Clocks::new([Control::Clock { base: ms(100), increment: ms(10) }; 2], ms(50));
        assert!(!clocks.spend(Color::Black, ms(80)));
        clocks.press(Color::Black);
        let left = [ms(100), ms(30)].map(Some);
        assert_eq!(clocks.allowance(Color::White), Allowance::Clock { left, increment: [ms(10); 2] });
        assert!(clocks.spend(Color::Black, ms(81)));
        // The margin is there once, not with every move.
        let mut clocks = Clocks::new([Control::Clock { base: ms(100), increment: ms(0) }; 2], ms(200));
        let late = [150, 150, 1].map(|time| clocks.spend(Color::White, ms(time)));
        assert_eq!(late, [false, false, true]);
        let left = [ms(0), ms(100)].map(Some);
        assert_eq!(clocks.allowance(Color::Black), Allowance::Clock { left, increment: [ms(0); 2] });
        let mut clocks = Clocks::new([Control::Nodes(5); 2], ms(0));
        assert!(!clocks.spend(Color::White, ms(1_000_000)));
    }

    /// Each side is told its own increment, and no clock that is not there.
    #[test]
    fn sides_with_different_controls_have_clocks_of_their_own() {
        for (controls, told) in [
            (["10s+1s", "5s+3s"], "wtime 10000 btime 5000 winc 1000 binc 3000"),
            (["10s+1s", "50ms"], "wtime 10000 winc 1000"),
            (["0.5ms", "10s+1s"], "movetime 1"),
        ] {
            let clocks = Clocks::new(controls.map(|control| control.parse().unwrap()), Duration::ZERO);
            assert_eq!(clocks.allowance(Color::White).to_string(), told);
        }
    }
}
