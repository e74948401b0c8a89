//! Pairs of games that differ only in what one player cannot know, found by playing at random and comparing her keys.

use scuro_core::{Key, Random};
use scuro_games::chess::Color;
use scuro_games::umpire::{Umpire, Umpired};
use scuro_games::{color_of, player_of};

/// What was done, by whom, as the API writes it.
pub(crate) type Script = Vec<(Color, String)>;

/// One of the two games: its umpire, and what the player knows of it.
#[derive(Clone)]
struct Course<G: Umpired + Clone> {
    umpire: Umpire<G>,
    key: Key,
    script: Vec<(Color, G::Action)>,
}

impl<G: Umpired + Clone> Course<G> {
    fn new(game: G, player: Color) -> Course<G> {
        let umpire = Umpire::new(game);
        Course { key: umpire.seat(player).key(), umpire, script: Vec::new() }
    }

    /// The game after an action of the side to move, if it goes on then.
    fn after(&self, player: Color, action: G::Action) -> Option<Course<G>> {
        let mut next = self.clone();
        let side = next.umpire.turn()?;
        next.umpire.play(side, action).ok()?;
        next.script.push((side, action));
        next.key = next.umpire.seat(player).key();
        next.umpire.outcome().is_none().then_some(next)
    }

    /// A turn of the other side at random.
    fn their_turn(&self, player: Color, random: &mut Random) -> Option<Course<G>> {
        let mut course = self.clone();
        while course.umpire.turn() != Some(player) {
            let action = *random.pick(&course.umpire.choices())?;
            course = course.after(player, action)?;
        }
        Some(course)
    }
}

/// How often something fitting is looked for.
const TRIES: usize = 400;

/// Two games of up to so many turns of hers that `player` cannot tell apart, and in how many actions they differ.
pub(crate) fn pair<G: Umpired + Clone>(
    game: &G,
    player: Color,
    turns: usize,
    seed: u64,
    word: impl Fn(G::Action) -> String,
) -> ([Script; 2], usize) {
    let mut random = Random::new(seed);
    let mut both = [Course::new(game.clone(), player), Course::new(game.clone(), player)];
    for _ in 0..turns {
        let turn = both[0].umpire.turn();
        let next = if turn == Some(player) {
            my_turn(&both, player, &mut random)
        } else {
            their_turns(&both, player, &mut random)
        };
        let Some(next) = next else { break };
        assert!(next[0].key == next[1].key);
        both = next;
    }
    let differing = both[0].script.iter().zip(&both[1].script).filter(|(a, b)| a != b).count();
    let differing = differing + both[0].script.len().abs_diff(both[1].script.len());
    (both.map(|course| course.script.iter().map(|&(side, action)| (side, word(action))).collect()), differing)
}

/// The same action of hers in both, after which she knows the same.
fn my_turn<G: Umpired + Clone>(
    [one, other]: &[Course<G>; 2],
    player: Color,
    random: &mut Random,
) -> Option<[Course<G>; 2]> {
    let choices = one.umpire.choices();
    assert_eq!(choices, other.umpire.choices(), "the same information, the same moves");
    assert_eq!(one.umpire.turn().map(player_of), Some(player_of(player)));
    (0..TRIES).find_map(|_| {
        let action = *random.pick(&choices)?;
        let next = [one.after(player, action)?, other.after(player, action)?];
        (next[0].key == next[1].key).then_some(next)
    })
}

/// Turns of theirs that she cannot tell apart; not the same if there are others.
fn their_turns<G: Umpired + Clone>(
    [one, other]: &[Course<G>; 2],
    player: Color,
    random: &mut Random,
) -> Option<[Course<G>; 2]> {
    assert!(one.umpire.turn().is_some_and(|turn| color_of(player_of(turn)) != player));
    let next = (0..TRIES).find_map(|_| one.their_turn(player, random))?;
    let known = one.script.len();
    let mut same = None;
    for _ in 0..TRIES {
        let Some(candidate) = other.their_turn(player, random) else { continue };
        if candidate.key == next.key {
            if candidate.script[other.script.len()..] != next.script[known..] {
                return Some([next, candidate]);
            }
            same = Some(candidate);
        }
    }
    same.map(|same| [next, same])
}
