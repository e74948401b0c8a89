//! What a match has shown, in numbers, words and a picture.

use std::collections::BTreeMap;
use std::fmt::Write;

use scuro_games::Variant;
use scuro_games::chess::{Board, Color};
use scuro_games::kriegspiel::Ruleset;
use scuro_games::picture::chart::{Axis, Chart};
use serde::Serialize;

use crate::line::{GameLine, Side, TimeLine, Times};
use crate::settings::Settings;
use crate::sprt::{Hypotheses, Verdict};
use crate::statistics::{Mean, Results, elo_of_score};

/// All that the games of a match tell. Results are those of the first agent.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The agents.
    pub agents: [String; 2],
    /// Which game.
    pub game: &'static str,
    /// By which ruleset, if it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<Ruleset>,
    /// What a move may cost.
    pub control: String,
    /// How many games the match has, or this part of it.
    pub games: u64,
    /// How many are played.
    pub played: u64,
    /// Wins, draws and losses.
    #[serde(flatten)]
    pub results: Results,
    /// The share of points.
    pub score: f64,
    /// Wilson's interval of it, at 95 %.
    pub interval: [f64; 2],
    /// The Elo difference.
    pub elo: Option<f64>,
    /// Its interval, at 95 %.
    pub elo_interval: [Option<f64>; 2],
    /// How likely it is that the first agent is the stronger one.
    pub superiority: f64,
    /// Pairs of games with 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: [u64; 5],
    /// White's share of the points, whoever had White.
    pub white_score: f64,
    /// With White.
    pub as_white: Results,
    /// With Black.
    pub as_black: Results,
    /// What ended games, and how many.
    pub reasons: BTreeMap<String, u64>,
    /// Results by what ended the games.
    pub by_reason: BTreeMap<String, Results>,
    /// What was done wrong where that ended games: the first of every agent and reason.
    pub faults: Vec<FirstFault>,
    /// Plies of a game: the mean, the fewest, the most.
    pub plies: Option<Spread>,
    /// The first moves of White and Black in games from the usual position, and how many.
    pub first_moves: [BTreeMap<String, u64>; 2],
    /// The test, if there is one.
    pub sprt: Option<Test>,
    /// What the agents told of their choices.
    pub choices: [Choices; 2],
}

/// The first game that an agent lost for a reason like this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FirstFault {
    /// What ended the game.
    pub reason: String,
    /// Who lost it.
    pub agent: String,
    /// The number of the game.
    pub number: u64,
    /// What the agent did wrong.
    pub fault: String,
}

/// Numbers in short.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// On average.
    pub mean: f64,
    /// At least.
    pub least: usize,
    /// At most.
    pub most: usize,
}

/// The sequential test so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Test {
    /// The hypotheses.
    pub elo0: f64,
    /// The other one.
    pub elo1: f64,
    /// The logarithm of the ratio of their likelihoods.
    pub llr: f64,
    /// Where it ends.
    pub bounds: [f64; 2],
    /// What it says.
    pub verdict: Verdict,
}

/// What an agent told of its choices, on average.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Choices {
    /// How many there were.
    pub number: usize,
    /// Positions in its belief.
    pub belief: Option<f64>,
    /// Nodes of its tree.
    pub nodes: Option<f64>,
    /// Plies of its longest line.
    pub depth: Option<f64>,
    /// The share with Resolve in use.
    pub resolving: Option<f64>,
    /// Rounds of deepening: the mean.
    pub rounds: Option<f64>,
    /// The median.
    pub rounds_median: Option<usize>,
    /// Seconds.
    pub time: Option<f64>,
    /// The longest, in seconds.
    pub longest: Option<f64>,
    /// How many came too late.
    pub late: usize,
}

impl Choices {
    fn of(side: &Side, times: Times) -> Choices {
        let counted: usize = side.rounds.values().sum();
        let rounds = side.rounds.iter().map(|(rounds, count)| rounds * count).sum::<usize>();
        let mut below = 0;
        let median = side.rounds.iter().find(|(_, count)| {
            below += **count;
            2 * below >= counted
        });
        Choices {
            number: side.choices,
            belief: side.belief.mean(),
            nodes: side.nodes.mean(),
            depth: side.depth.mean(),
            resolving: side.resolving.mean(),
            rounds: (counted > 0).then(|| rounds as f64 / counted as f64),
            rounds_median: median.map(|(rounds, _)| *rounds),
            time: (times.choices > 0).then(|| times.total / times.choices as f64),
            longest: (times.choices > 0).then_some(times.longest),
            late: times.late,
        }
    }
}

/// The results of the pairs of which both games are there, by their points in halves.
#[must_use]
pub fn pairs(games: &BTreeMap<u64, GameLine>) -> [u64; 5] {
    let mut pairs = [0; 5];
    for (number, first) in games.iter().filter(|(number, _)| number.is_multiple_of(2)) {
        if let Some(second) = games.get(&(number + 1)) {
            pairs[usize::from(first.score_of_first() + second.score_of_first())] += 1;
        }
    }
    pairs
}

/// The test as it goes along the pairs of a match, in their order, as far as they are whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    pairs: [u64; 5],
    /// The first game that has not been looked at.
    next: u64,
    ended: bool,
}

impl Progress {
    /// Goes on as far as there are games: where the test ends the match, if it does, as the number of the first game
    /// that is not needed any more.
    pub fn advance(&mut self, hypotheses: Hypotheses, games: &BTreeMap<u64, GameLine>) -> Option<u64> {
        while !self.ended {
            let (first, second) = (games.get(&self.next)?, games.get(&(self.next + 1))?);
            self.pairs[usize::from(first.score_of_first() + second.score_of_first())] += 1;
            self.next += 2;
            let ratio = hypotheses.log_likelihood_ratio(self.pairs);
            self.ended = Hypotheses::verdict(ratio) != Verdict::Open;
        }
        Some(self.next)
    }
}

impl Summary {
    /// Sums up the games there are.
    #[must_use]
    pub fn of(
        settings: &Settings,
        games: &BTreeMap<u64, GameLine>,
        times: &BTreeMap<u64, TimeLine>,
    ) -> Summary {
        let mut results = Results::default();
        let mut by_color = [Results::default(); 2];
        let mut by_reason: BTreeMap<String, Results> = BTreeMap::new();
        let mut sides = [Side::default(), Side::default()];
        let mut spent = [Times::default(); 2];
        for game in games.values() {
            let (halves, first) = (game.score_of_first(), game.color_of_first());
            results.add(halves);
            by_color[first as usize].add(halves);
            by_reason.entry(game.reason.clone()).or_default().add(halves);
            for (agent, color) in [first, !first].into_iter().enumerate() {
                sides[agent] = std::mem::take(&mut sides[agent]).and(&game.sides[color as usize]);
                let time = times.get(&game.number).map(|line| line.times[color as usize]);
                spent[agent] = spent[agent].and(time.unwrap_or_default());
            }
        }
        let pairs = pairs(games);
        // Games of a pair are not independent: their pairs are, if all are whole.
        let paired = 2 * pairs.iter().sum::<u64>() == results.games();
        let mean = if paired { Mean::of(pairs) } else { Mean::of(results.counts()) };
        Summary {
            agents: settings.agents.clone(),
            game: settings.game.word(),
            ruleset: Some(settings.ruleset).filter(|ruleset| *ruleset != Ruleset::default()),
            control: match settings.second {
                Some(second) => format!("{} v {second}", settings.control),
                None => settings.control.to_string(),
            },
            games: settings.numbers().count() as u64,
            played: results.games(),
            results,
            score: results.score(),
            interval: results.interval(),
            elo: elo_of_score(results.score()),
            // Wilson's interval is there also where results have no spread.
            elo_interval: mean.map_or_else(|| results.interval().map(elo_of_score), Mean::elo_interval),
            superiority: mean.map_or_else(|| results.superiority(), Mean::superiority),
            pairs,
            white_score: white_score(by_color),
            as_white: by_color[Color::White as usize],
            as_black: by_color[Color::Black as usize],
            reasons: by_reason.iter().map(|(reason, results)| (reason.clone(), results.games())).collect(),
            by_reason,
            faults: faults(games),
            plies: Spread::of(games.values().map(GameLine::plies)),
            first_moves: first_moves(games),
            sprt: settings.sprt.map(|hypotheses| Test::of(hypotheses, pairs)),
            choices: [0, 1].map(|agent| Choices::of(&sides[agent], spent[agent])),
        }
    }

    /// The last line of what is printed: `A v B: W-D-L score S% (95% a..b) elo E (95% c..d)`.
    #[must_use]
    pub fn line(&self) -> String {
        let [first, second] = &self.agents;
        let Results { wins, draws, losses } = self.results;
        let [low, high] = self.interval.map(|share| 100.0 * share);
        let elo = |elo: Option<f64>, above: bool| match elo {
            Some(elo) => format!("{elo:.1}"),
            None if above => "inf".to_owned(),
            None => "-inf".to_owned(),
        };
        let ends = [elo(self.elo_interval[0], false), elo(self.elo_interval[1], true)];
        format!(
            "{first} v {second}: {wins}-{draws}-{losses} score {:.1}% (95% {low:.1}..{high:.1}) elo {} (95% {}..{})",
            100.0 * self.score,
            elo(self.elo, self.score > 0.5),
            ends[0],
            ends[1]
        )
    }

    /// The summary as a table; its last line is [`Summary::line`].
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut row = |name: &str, words: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:14}{words}");
        };
        let ruleset = self.ruleset.map_or(String::new(), |ruleset| format!(" by the ruleset {ruleset}"));
        row("game", format!("{}{ruleset}, {}", self.game, self.control));
        row("played", format!("{} of {}", self.played, self.games));
        row("White's share", format!("{:.1}%", 100.0 * self.white_score));
        row("as White", said(self.as_white));
        row("as Black", said(self.as_black));
        let pairs = self.pairs.map(|count| count.to_string()).join(" ");
        row("pairs", format!("{pairs} (0, 1/2, 1, 3/2, 2 points)"));
        row("superiority", format!("{:.1}%", 100.0 * self.superiority));
        if let Some(Test { elo0, elo1, llr, bounds: [low, high], verdict }) = self.sprt {
            let verdict = match verdict {
                Verdict::Accepted => format!("at least {elo1}"),
                Verdict::Rejected => format!("no more than {elo0}"),
                Verdict::Open => "open".to_owned(),
            };
            row("sprt", format!("[{elo0}, {elo1}] llr {llr:.2} ({low:.2}, {high:.2}) {verdict}"));
        }
        if let Some(Spread { mean, least, most }) = self.plies {
            row("plies", format!("{mean:.1} on average, {least} to {most}"));
        }
        for (reason, results) in &self.by_reason {
            row("ended by", format!("{reason}: {}", said(*results)));
        }
        for FirstFault { reason, agent, number, fault } in &self.faults {
            // Whoever talks nonsense does not spoil the table with it.
            let words = fault.split(|c: char| c.is_control() || c.is_whitespace());
            let fault: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            row("fault", format!("{reason} of {agent} in game {number}: {}", fault.join(" ")));
        }
        for (agent, choices) in self.agents.iter().zip(&self.choices) {
            row("choices of", format!("{agent}: {choices}"));
        }
        text + &self.line() + "\n"
    }
}

/// What every agent did wrong first, by what that did to the game.
fn faults(games: &BTreeMap<u64, GameLine>) -> Vec<FirstFault> {
    let mut first = BTreeMap::new();
    for game in games.values() {
        let Some(fault) = &game.fault else { continue };
        let by_first = game.score_of_first() == 0;
        let agent =
            if by_first == (game.color_of_first() == Color::White) { &game.white } else { &game.black };
        first.entry((&game.reason, !by_first)).or_insert_with(|| FirstFault {
            reason: game.reason.clone(),
            agent: agent.clone(),
            number: game.number,
            fault: fault.clone(),
        });
    }
    first.into_values().collect()
}

/// From the first agent's results with White and with Black.
fn white_score([white, black]: [Results; 2]) -> f64 {
    white.and(black.reversed()).score()
}

fn first_moves(games: &BTreeMap<u64, GameLine>) -> [BTreeMap<String, u64>; 2] {
    let mut first: [BTreeMap<String, u64>; 2] = Default::default();
    let usual = Board::start().to_string();
    for game in games.values().filter(|game| game.game == Variant::FogOfWar && game.start == usual) {
        for (counts, word) in first.iter_mut().zip(game.moves.split(' ')) {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    }
    first
}

fn said(Results { wins, draws, losses }: Results) -> String {
    format!("{wins} won, {draws} drawn, {losses} lost")
}

impl Spread {
    fn of(numbers: impl Iterator<Item = usize> + Clone) -> Option<Spread> {
        let (least, most) = (numbers.clone().min()?, numbers.clone().max()?);
        let count = numbers.clone().count();
        Some(Spread { mean: numbers.sum::<usize>() as f64 / count as f64, least, most })
    }
}

impl Test {
    /// The test on these pairs.
    #[must_use]
    pub fn of(hypotheses: Hypotheses, pairs: [u64; 5]) -> Test {
        let llr = hypotheses.log_likelihood_ratio(pairs);
        let Hypotheses { elo0, elo1 } = hypotheses;
        Test { elo0, elo1, llr, bounds: Hypotheses::bounds(), verdict: Hypotheses::verdict(llr) }
    }
}

/// As in `5120, belief 210.0, nodes 1003.2, depth 5.1, 62.1 ms (longest 70.0)`.
impl std::fmt::Display for Choices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.number)?;
        for (name, mean) in [("belief", self.belief), ("nodes", self.nodes), ("depth", self.depth)] {
            if let Some(mean) = mean {
                write!(f, ", {name} {mean:.1}")?;
            }
        }
        if let Some(share) = self.resolving {
            write!(f, ", resolving {:.1}%", 100.0 * share)?;
        }
        if let (Some(mean), Some(median)) = (self.rounds, self.rounds_median) {
            write!(f, ", rounds {mean:.1} (median {median})")?;
        }
        if let (Some(time), Some(longest)) = (self.time, self.longest) {
            write!(f, ", {:.1} ms (longest {:.1})", 1000.0 * time, 1000.0 * longest)?;
        }
        if self.late > 0 {
            write!(f, ", {} late", self.late)?;
        }
        Ok(())
    }
}

/// The score over the games, with its interval, as an SVG document.
#[must_use]
pub fn picture(settings: &Settings, games: &BTreeMap<u64, GameLine>) -> String {
    let mut lines: [Vec<(f64, f64)>; 3] = Default::default();
    let mut results = Results::default();
    for (played, game) in (1u32..).zip(games.values()) {
        results.add(game.score_of_first());
        let [low, high] = results.interval();
        for (line, share) in lines.iter_mut().zip([results.score(), low, high]) {
            line.push((f64::from(played), 100.0 * share));
        }
    }
    let last = (results.games().max(2)) as f64;
    let tick =
        |share: f64| ((last * share).round().max(1.0), format!("{:.0}", (last * share).round().max(1.0)));
    let [score, low, high] = lines;
    Chart {
        title: format!("{} v {}", settings.agents[0], settings.agents[1]),
        across: Axis {
            label: "games".to_owned(),
            logarithmic: false,
            low: 1.0,
            high: last,
            ticks: [0.25, 0.5, 0.75, 1.0].map(tick).to_vec(),
        },
        up: Axis {
            label: "score of the first, %".to_owned(),
            logarithmic: false,
            low: 0.0,
            high: 100.0,
            ticks: (0..=10)
                .step_by(2)
                .map(|tenth| (10.0 * f64::from(tenth), (10 * tenth).to_string()))
                .collect(),
        },
        lines: vec![("score".to_owned(), score), ("95% from".to_owned(), low), ("95% to".to_owned(), high)],
        bound: Some((50.0, "equal".to_owned())),
    }
    .svg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::tests::settings;

    /// Games of which the first agent gets so many halves each.
    fn games(halves: &[u8]) -> BTreeMap<u64, GameLine> {
        let settings = settings(halves.len() as u64);
        let line = |(number, &halves): (u64, &u8)| {
            let planned = settings.planned(number);
            let white = if number % 2 == 0 { halves } else { 2 - halves };
            let game = GameLine {
                format: 1,
                number,
                game: settings.game,
                ruleset: None,
                white: settings.agents[planned.white].clone(),
                black: settings.agents[1 - planned.white].clone(),
                seed: planned.seed,
                start: planned.start.to_string(),
                moves: "e2e4 e7e5".to_owned(),
                result: ["0-1", "1/2-1/2", "1-0"][usize::from(white)].to_owned(),
                reason: "resignation".to_owned(),
                fault: None,
                sides: Default::default(),
                thoughts: Vec::new(),
            };
            assert_eq!(game.check(&settings), Ok(()));
            (number, game)
        };
        (0..).zip(halves).map(line).collect()
    }

    fn summary(halves: &[u8]) -> Summary {
        Summary::of(&settings(halves.len() as u64), &games(halves), &BTreeMap::new())
    }

    #[test]
    fn the_last_line_says_it_all() {
        for (halves, line) in [
            (&[2, 2, 2, 1, 0, 2][..], "4-1-1 score 75.0% (95% 36.5..94.0) elo 190.8 (95% 13.2..685.0)"),
            (&[2, 2], "2-0-0 score 100.0% (95% 34.2..100.0) elo inf (95% -113.4..inf)"),
            (&[0, 0], "0-0-2 score 0.0% (95% 0.0..65.8) elo -inf (95% -inf..113.4)"),
            // Pairs without spread do not make a difference certain.
            (&[1, 1], "0-2-0 score 50.0% (95% 9.5..90.5) elo 0.0 (95% -392.5..392.5)"),
            (&[2, 0], "1-0-1 score 50.0% (95% 9.5..90.5) elo 0.0 (95% -392.5..392.5)"),
            (&[2, 1], "1-1-0 score 75.0% (95% 19.8..97.3) elo 190.8 (95% -243.1..624.8)"),
            (&[2; 34], "34-0-0 score 100.0% (95% 89.8..100.0) elo inf (95% 378.8..inf)"),
            (&[], "0-0-0 score 50.0% (95% 0.0..100.0) elo 0.0 (95% -inf..inf)"),
        ] {
            let summary = summary(halves);
            assert_eq!(summary.line(), format!("random v fleeing: {line}"));
            assert!(summary.text().ends_with(&format!("{}\n", summary.line())));
        }
    }

    #[test]
    fn colours_pairs_and_first_moves_are_counted() {
        let summary = summary(&[2, 2, 2, 1, 0, 2, 0]);
        assert_eq!(summary.as_white, Results { wins: 2, draws: 0, losses: 2 });
        assert_eq!(summary.as_black, Results { wins: 2, draws: 1, losses: 0 });
        assert_eq!(summary.pairs, [0, 0, 1, 1, 1]);
        assert!((summary.white_score - 2.5 / 7.0).abs() < 1e-12);
        assert_eq!(summary.first_moves[1], BTreeMap::from([("e7e5".to_owned(), 7)]));
        assert_eq!(summary.reasons, BTreeMap::from([("resignation".to_owned(), 7)]));
    }

    #[test]
    fn the_first_fault_of_every_agent_and_reason_is_told() {
        let mut games = games(&[2, 0, 0, 2, 0]);
        for (number, reason, words) in [
            (1, "crash", "exit 7"),
            (2, "crash", "exit 8"),
            (3, "crash", "a\nb\u{1b}"),
            (4, "garbage", "it said 'x'"),
        ] {
            let game = games.get_mut(&number).unwrap();
            (game.reason, game.fault) = (reason.to_owned(), Some(words.to_owned()));
        }
        let text = Summary::of(&settings(5), &games, &BTreeMap::new()).text();
        let rows: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("fault ")).map(str::trim).collect();
        let told = [
            "crash of random in game 1: exit 7",
            "crash of fleeing in game 3: a b",
            "garbage of random in game 4: it said 'x'",
        ];
        assert_eq!(rows, told);
    }

    #[test]
    fn the_test_looks_at_whole_pairs_in_their_order() {
        let hypotheses = Hypotheses { elo0: 0.0, elo1: 200.0 };
        let mut all = games(&[2; 200]);
        let end = Progress::default().advance(hypotheses, &all).unwrap();
        assert!(end.is_multiple_of(2) && end < 200);
        // What lies behind the end does not matter, what is missing before it does; it may come later.
        all.remove(&(end + 5));
        let late = all.remove(&(end - 1)).unwrap();
        let mut progress = Progress::default();
        assert_eq!(progress.advance(hypotheses, &all), None);
        all.insert(end - 1, late);
        assert_eq!(progress.advance(hypotheses, &all), Some(end));
        assert_eq!(progress.advance(hypotheses, &all), Some(end));
    }

    #[test]
    fn the_picture_is_a_picture() {
        for halves in [&[][..], &[2], &[2, 0, 1, 1]] {
            let picture = picture(&settings(4), &games(halves));
            assert!(picture.starts_with("<svg") && !picture.contains("NaN"), "{picture}");
        }
    }
}
