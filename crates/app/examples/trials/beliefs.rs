//! Self-play in any game with a look at the truth after every ply: exact beliefs must hold it, samples hold it at a rate.

use anyhow::Context;
use scuro_agents::name::parse;
use scuro_agents::play::ply;
use scuro_agents::player::{Playable, Player};
use scuro_games::chess::{Board, Color};
use scuro_games::dark::Rules;
use scuro_games::umpire::Umpire;
use scuro_games::{Variant, with_game};
use serde::{Deserialize, Serialize};

use super::Settings;
use super::book::Book;

/// What was seen in one game, at the turns of both players.
#[derive(Serialize, Deserialize)]
struct Seen {
    plies: usize,
    end: String,
    /// Looks at exact beliefs, and how many held the truth.
    exact: usize,
    exact_held: usize,
    /// Looks at samples, and how many held the truth.
    sampled: usize,
    sampled_held: usize,
    /// How often nothing that was believed fitted.
    refilled: usize,
    invented: usize,
    /// The largest belief.
    largest: usize,
}

pub(super) fn beliefs(settings: &Settings, variant: Variant) -> anyhow::Result<()> {
    let book = Book::open(&settings.out, settings.words(&format!("beliefs --game {}", variant.word())))?;
    let rules = Rules::new(variant, Board::start(), Default::default()).context("nothing is hidden")?;
    let games = book.fill(
        settings.games,
        |game| with_game!(rules, rules => selfplay(settings, rules, settings.seed + game)),
    )?;
    let sum = |count: fn(&Seen) -> usize| games.iter().map(count).sum::<usize>();
    let (exact, sampled) = (sum(|game| game.exact), sum(|game| game.sampled));
    println!(
        "{} games, mean {:.1} plies",
        games.len(),
        sum(|game| game.plies) as f64 / games.len().max(1) as f64
    );
    println!("exact beliefs: the truth in {} of {exact}", sum(|game| game.exact_held));
    let held = sum(|game| game.sampled_held);
    println!(
        "samples: the truth in {held} of {sampled} ({:.1} %)",
        100.0 * held as f64 / sampled.max(1) as f64
    );
    println!(
        "refilled {} times, invented {} times; most {} positions",
        sum(|game| game.refilled),
        sum(|game| game.invented),
        games.iter().map(|game| game.largest).max().unwrap_or(0)
    );
    anyhow::ensure!(sum(|game| game.exact_held) == exact, "an exact belief did not hold the truth");
    Ok(())
}

fn selfplay<G: Playable>(settings: &Settings, rules: G, seed: u64) -> anyhow::Result<Seen> {
    let player = |color: Color| {
        let mut name = parse(&settings.agent)?;
        // Two players with the same random numbers would mirror each other.
        name.settings.seed = 2 * seed + color as u64;
        Ok::<_, anyhow::Error>(Player::new(rules.clone(), color, &name, Some(usize::from(settings.threads)))?)
    };
    let (mut white, mut black) = (player(Color::White)?, player(Color::Black)?);
    let mut umpire = Umpire::new(rules.clone());
    let mut seen = Seen {
        plies: 0,
        end: String::new(),
        exact: 0,
        exact_held: 0,
        sampled: 0,
        sampled_held: 0,
        refilled: 0,
        invented: 0,
        largest: 0,
    };
    while umpire.outcome().is_none() && seen.plies < MOST_PLIES {
        ply(&mut umpire, [&mut white, &mut black], settings.allowance())?;
        seen.plies += 1;
        if umpire.outcome().is_none() {
            let truth = rules.position(umpire.state());
            [&white, &black].into_iter().for_each(|player| seen.look(player, &truth));
        }
    }
    seen.refilled = white.believer().refilled() + black.believer().refilled();
    seen.invented = white.believer().invented() + black.believer().invented();
    seen.end = umpire.outcome().map_or("not over".to_owned(), |outcome| outcome.to_string());
    Ok(seen)
}

/// Longer games are cut.
const MOST_PLIES: usize = 2_000;

impl Seen {
    fn look<G: Playable>(&mut self, player: &Player<G>, truth: &G::Position) {
        let belief = player.belief();
        let held = usize::from(belief.contains(truth));
        self.largest = self.largest.max(belief.positions().len());
        if belief.is_sample() {
            self.sampled += 1;
            self.sampled_held += held;
        } else {
            self.exact += 1;
            self.exact_held += held;
        }
    }
}
