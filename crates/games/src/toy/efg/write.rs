//! From game to text.

use std::collections::HashMap;
use std::fmt::Write;

use scuro_core::{Game, Key, Labels, Node, Scale, Turn};

use super::token::quote;

/// Writes the whole tree of `game` in Gambit's `.efg` format, with its raw payoffs. Infosets are named by their
/// labels.
pub fn write<G: Game>(game: &G, title: &str) -> String {
    let text = format!("EFG 2 R {} {{ \"Player 1\" \"Player 2\" }}\n\"\"\n\n", quote(title));
    let mut writer = Writer { game, text, draws: 0, infosets: Default::default(), outcomes: HashMap::new() };
    let start = Node::start(game);
    let labels = Labels::start(game, &start.state);
    // The nodes still to be written, the next one last.
    let mut open = vec![(start, labels)];
    while let Some((node, labels)) = open.pop() {
        let actions = writer.node(&node, &labels);
        open.extend(actions.into_iter().rev().map(|action| {
            let next = node.play(game, action);
            let labels = labels.play(game, &node.state, action, &next.state);
            (next, labels)
        }));
    }
    writer.text
}

struct Writer<'g, G> {
    game: &'g G,
    text: String,
    /// How many draws of chance have been numbered.
    draws: usize,
    infosets: [HashMap<Key, usize>; 2],
    outcomes: HashMap<String, usize>,
}

impl<G: Game> Writer<'_, G> {
    /// Writes one node; the actions there.
    fn node(&mut self, node: &Node<G::State>, labels: &Labels) -> Vec<G::Action> {
        let mut actions = Vec::new();
        self.game.actions(&node.state, &mut actions);
        let names = actions.iter().map(|&action| quote(&self.game.action_name(&node.state, action)));
        let line = match self.game.turn(&node.state) {
            Turn::Chance => {
                let mut chances = Vec::new();
                self.game.chances(&node.state, &mut chances);
                let draws =
                    names.zip(chances).map(|(name, chance)| format!("{name} {}", fraction(chance, 0.0)));
                let draws = draws.collect::<Vec<_>>().join(" ");
                self.draws += 1;
                format!("c \"\" {} \"\" {{ {draws} }} 0", self.draws)
            }
            Turn::Player(player) => {
                let names = names.collect::<Vec<_>>().join(" ");
                let infoset = number(&mut self.infosets[player.index()], node.keys[player.index()]);
                let label = quote(labels.of(player));
                format!("p \"\" {} {infoset} {label} {{ {names} }} 0", player.index() + 1)
            }
            Turn::Over(payoff) => {
                let [one, two] = payoffs(self.game.raw(), payoff);
                let outcome = number(&mut self.outcomes, one.clone());
                format!("t \"\" {outcome} \"\" {{ {one}, {two} }}")
            }
        };
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
        actions
    }
}

/// The number of `thing` in the order of first appearance, from 1.
fn number<T: std::hash::Hash + Eq>(numbers: &mut HashMap<T, usize>, thing: T) -> usize {
    let next = numbers.len() + 1;
    *numbers.entry(thing).or_insert(next)
}

/// The raw payoffs to both players.
fn payoffs(scale: Scale, normalised: f64) -> [String; 2] {
    let raw = scale.raw(normalised);
    let rounding = 1e-15 * (scale.scale.abs() + scale.shift.abs());
    [raw, -raw].map(|payoff| fraction(payoff, rounding))
}

/// The fraction with the smallest denominator that is `value`, give or take `error`; in decimals if the denominator
/// is large.
fn fraction(value: f64, error: f64) -> String {
    let largest = if error > 0.0 { 1_000 } else { 1_000_000 };
    let near = |above: f64, below: f64| (above / below - value).abs() <= error;
    if value.abs() >= 1e9 {
        return value.to_string();
    }
    // Continued fractions: the best approximations, with growing denominators.
    let (mut before, mut last) = ((0.0, 1.0), (1.0, 0.0));
    let mut rest = value;
    loop {
        let whole = rest.floor();
        (before, last) = (last, (whole * last.0 + before.0, whole * last.1 + before.1));
        match last {
            (above, 1.0) if near(above, 1.0) => return format!("{}", above + 0.0),
            (_, below) if below > f64::from(largest) || rest == whole && !near(last.0, below) => {
                return value.to_string();
            }
            (above, below) if near(above, below) => return format!("{above}/{below}"),
            _ => rest = 1.0 / (rest - whole),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_fractions_they_are() {
        for (value, text) in [
            (1.0 / 3.0, "1/3"),
            (-0.5, "-1/2"),
            (0.0, "0"),
            (-0.0, "0"),
            (13.0, "13"),
            (-7.0, "-7"),
            (1.0 / 999_999.0, "1/999999"),
            (0.123_456_789_012, "0.123456789012"),
            (1e300, &1e300.to_string()),
        ] {
            assert_eq!(fraction(value, 0.0), text);
        }
        assert_eq!(fraction(13.0 * (1.0 / 13.0 * 3.0), 1e-15 * 13.0), "3");
        let scale = Scale { scale: 50.0, shift: 50.0 };
        for raw in 0..=100 {
            let raw = f64::from(raw);
            assert_eq!(payoffs(scale, scale.normalised(raw))[0], raw.to_string());
        }
    }
}
