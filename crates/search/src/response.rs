//! Best responses: the value of the best answer to what the other player does.
//!
//! First all payoffs are added to the responding player's last own action before them, weighted by everybody else
//! ([`best_responses`]); then every infoset, from the last to the first, hands its best action back to the action before
//! it ([`back_up`]). One walk and one pass, exact. A matrix has done the first step already.

use std::ops::Range;

use scuro_core::Player;

use crate::tree::{Event, NodeId, Start, Tree};

/// Returns for each class its value to `player` if it answers best, and everybody else follows `probabilities`, which
/// has one entry per slot. Classes are weighted by `entries`; `class` gives that of an infoset by its number, if the
/// player has not acted before it.
pub(crate) fn best_responses(
    probabilities: &[f64],
    tree: &Tree,
    player: Player,
    starts: &[Start],
    entries: &[f64],
    class: impl Fn(usize) -> usize,
) -> Vec<f64> {
    let classes = entries.len();
    // What each action brings. The first entries stand for what comes before the player's first action.
    let mut gains = vec![0.0; classes + tree.slots()];
    let sign = if player == Player::One { 1.0 } else { -1.0 };
    let enter = |start: &Start| {
        let class = start.class as usize;
        (start.node, sign * start.weight * entries[class], class)
    };
    // The last is visited first: children are put there in reverse.
    let mut open: Vec<(NodeId, f64, usize)> = starts.iter().rev().map(enter).collect();
    while let Some((node, reach, last)) = open.pop() {
        match tree.event(node) {
            Event::End(value) | Event::Leaf(value) => gains[last] += reach * value,
            Event::Chance(first) => {
                let children = tree.children(node).zip(tree.chances(first));
                let begin = open.len();
                open.extend(children.map(|(child, chance)| (child, reach * chance, last)));
                open[begin..].reverse();
            }
            Event::Choice(id) => {
                let infoset = tree.infoset(id);
                for (child, slot) in tree.children(node).zip(infoset.slots()).rev() {
                    if infoset.player == player {
                        open.push((child, reach, classes + slot));
                    } else if probabilities[slot] > 0.0 {
                        open.push((child, reach * probabilities[slot], last));
                    }
                }
            }
        }
    }
    let own = tree.infosets().iter().enumerate().rev().filter(|(_, infoset)| infoset.player == player);
    let choices = own.map(|(number, infoset)| {
        let slots = infoset.slots();
        let origin = infoset.before.map_or_else(|| class(number), |slot| classes + slot as usize);
        (classes + slots.start..classes + slots.end, origin)
    });
    back_up(choices, &mut gains, f64::NEG_INFINITY, f64::max);
    gains.truncate(classes);
    gains
}

/// Adds the best entry of every choice, which starts from `worst`, to the entry before it. `choices` are the entries of
/// each choice and the one before, a choice before those that lead to it.
pub(crate) fn back_up(
    choices: impl Iterator<Item = (Range<usize>, usize)>,
    worth: &mut [f64],
    worst: f64,
    best: impl Fn(f64, f64) -> f64,
) {
    for (entries, before) in choices {
        worth[before] += worth[entries].iter().copied().fold(worst, &best);
    }
}
