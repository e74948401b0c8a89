//! `scuro analyse`: what the player thinks at a turn, from what its side was told alone.

mod document;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use scuro_agents::contestant::{Allowance, Notes};
use scuro_agents::name::{Agent, NameError, Obscuro};
use scuro_agents::player::{Player, Seen};
use scuro_agents::seat::{JUDGE_SHARE, Place, Seated, Seats};
use scuro_games::chess::{Board, Color, color_name};
use scuro_games::dark::Rules;
use scuro_games::kriegspiel::Ruleset;
use scuro_games::records::{Ply, Record};
use scuro_games::review::replay;
use scuro_games::seat::Seat;
use scuro_games::umpire::Umpire;
use scuro_games::{Variant, with_game};
use scuro_search::agent::Thought;

use self::document::{Document, Inside, Sizes};
use super::record::{chosen, upto};
use super::{Answer, Interrupt, complain};
use crate::arguments::{Side, duration, game, position, rules, ruleset};

#[derive(Args)]
#[command(
    after_help = "The player hears only what its side is told of the game: of a record, or of --moves from a first \
position that both know. It thinks at each of its turns. A ply is a move, a try, a sense or a request (b7 e2e4); with \
--side, --ply counts the plies that this side noticed, and else all. With --nodes, --threads 1 and a seed the answer \
is always the same. Ctrl-C ends the thought early and prints it.\n\nIn RBC recon judges beside obscuro: every sense and \
every request with its score and what that is made of, what the window of a sense may show and how likely, and how \
many positions were held possible before and after sensing at each turn. It takes three tenths of the time. \
--agent recon, fianchetto or strangefish shows these of that player, with where it believes pieces to stand, and no \
mixed strategy.\n\nExamples:\n  \
scuro analyse --game fog --side white --movetime 5s\n  \
scuro analyse --game fog --moves \"c2c4 d7d5\" --side white --nodes 100000 --threads 1 --json\n  \
scuro analyse --game rbc --moves \"b7 e2e4 e3 e7e5\" --nodes 100000\n  \
scuro analyse --game rbc --moves \"b7 e2e4 e3 e7e5\" --agent fianchetto --nodes 100000 --json\n  \
scuro analyse --game kriegspiel --record game.pgn --ply 11 --side black --movetime 5s"
)]
pub(crate) struct Arguments {
    /// The game
    #[arg(long, value_name = "GAME", default_value = Variant::FogOfWar.word(), value_parser = game())]
    game: Variant,
    /// The first position, as FEN
    #[arg(long, value_name = "FEN", default_value = "start", value_parser = position, conflicts_with = "record")]
    fen: Board,
    /// The plies since: moves in UCI, in RBC also squares that were sensed, - (sensed nothing) and -- (no move)
    #[arg(long, value_name = "PLIES", default_value = "", conflicts_with = "record")]
    moves: String,
    /// What the umpire of Kriegspiel says: icc (unless said otherwise), cincinnati, rand or english
    #[arg(long, value_name = "NAME", value_parser = ruleset, conflicts_with = "record")]
    ruleset: Option<Ruleset>,
    /// A record of the game: PGN, JSON lines or a history of reconchess
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Which game of the record, from 1
    #[arg(long, value_name = "K", default_value = "1", requires = "record")]
    number: usize,
    /// After how many plies of the record; with --side of those that it noticed [default: all]
    #[arg(long, value_name = "N", requires = "record")]
    ply: Option<usize>,
    /// Whose thoughts [default: the side to move]
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// How long to think, as in 500ms or 5s
    #[arg(long, value_name = "TIME", value_parser = duration, required_unless_present = "nodes")]
    movetime: Option<Duration>,
    /// How many nodes to make instead
    #[arg(long, value_name = "N", conflicts_with = "movetime", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Who thinks: obscuro, or any agent that goes by what it is told and says what it thinks
    #[arg(long, default_value = "obscuro")]
    agent: Agent,
    /// How long to think at earlier turns, if --movetime is given
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "100ms")]
    history_movetime: Duration,
    /// Threads of obscuro; with 1 growing and solving take turns [default: all cores, at least 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Random numbers
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Also measure how far the last iterate is from an equilibrium of the tree
    #[arg(long)]
    gap: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// What thoughts may cost of someone who has this share of the time; nodes are not shared.
    fn allowances(&self, share: f64) -> Allowances {
        let of = |time: Duration| match self.nodes {
            Some(nodes) => Allowance::Nodes(nodes as usize),
            None => Allowance::Time(time.mul_f64(share)),
        };
        Allowances { earlier: of(self.history_movetime), last: of(self.movetime.unwrap_or_default()) }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    match &arguments.record {
        Some(file) => {
            let record = chosen(file, arguments.game, arguments.number)?;
            let of_file = || file.display().to_string();
            let rules = Rules::of(&record).map_err(|words| anyhow!(words)).with_context(of_file)?;
            with_game!(rules, game => {
                let umpire = replayed(game, &record, arguments).with_context(of_file)?;
                analyse(&umpire, arguments, out)
            })
        }
        None => with_game!(rules(arguments.game, arguments.fen, arguments.ruleset)?, game => {
            analyse(&played(game, &arguments.moves)?, arguments, out)
        }),
    }
}

/// The game of a record as far as it is asked for.
fn replayed<G: Seats>(game: G, record: &Record, arguments: &Arguments) -> anyhow::Result<Umpire<G>> {
    let upto = upto(arguments.ply, arguments.side.map(Side::color));
    Ok(replay(&game, record, upto)?)
}

/// The game of `--moves`.
fn played<G: Seats>(game: G, plies: &str) -> anyhow::Result<Umpire<G>> {
    let mut umpire = Umpire::new(game);
    for (number, word) in (1..).zip(plies.split_whitespace()) {
        let place = || format!("--moves, ply {number}");
        let ply: Ply = word.parse().with_context(place)?;
        let action = G::action(ply).with_context(|| format!("{word} is no ply of {}", G::VARIANT));
        let action = action.with_context(place)?;
        // Of a game that is over nobody is to move, and White is told so.
        let side = umpire.turn().unwrap_or(Color::White);
        umpire.play(side, action).with_context(place)?;
    }
    Ok(umpire)
}

/// Thinks as one side of a game, which hears nothing but what that side was told.
fn analyse<G: Seats>(
    umpire: &Umpire<G>,
    arguments: &Arguments,
    out: &mut impl Write,
) -> anyhow::Result<Answer> {
    let side = arguments.side.map(Side::color).or(umpire.turn()).context("the game is over here")?;
    let (game, seat) = (umpire.game(), umpire.seat(side));
    if let Some(end) = seat.end() {
        bail!("the game is over here: {end}");
    }
    if seat.choices(game).is_empty() {
        bail!("it is not the turn of --side {} here", color_name(side).to_lowercase());
    }
    let interrupt = Interrupt::watch()?;
    let scene = Scene { game, seat, arguments, interrupt: &interrupt };
    let document = match &arguments.agent {
        Agent::Obscuro(name) => scene.searched(name)?,
        agent => scene.told(agent)?,
    };
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        text::print(&document, !side, out)?;
    }
    Ok(if interrupt.asked() { Answer::Interrupted } else { Answer::Yes })
}

/// What is to be thought about.
struct Scene<'s, G: Seats> {
    game: &'s G,
    seat: &'s Seat<G>,
    arguments: &'s Arguments,
    interrupt: &'s Interrupt,
}

impl<G: Seats> Scene<'_, G> {
    /// What the player of the paper thinks, and what the judge of the game makes of each choice, if there is one.
    fn searched(&self, name: &Obscuro) -> anyhow::Result<Document> {
        let judge: Option<Agent> = G::JUDGE.map(str::parse).transpose()?;
        let judging = if judge.is_some() { JUDGE_SHARE } else { 0.0 };
        // The judge comes first: whoever ends the search early has heard it.
        let asked =
            judge.as_ref().map(|judge| self.ask(judge, self.arguments.allowances(judging))).transpose()?;
        let (player, thought, sizes) = self.think(name, self.arguments.allowances(1.0 - judging))?;
        let inside = asked.zip(G::JUDGE).map(|(asked, name)| Inside::new(name, &asked.contestant, sizes));
        Ok(Document { inside, ..Document::of_search(&player, &thought, self.arguments.gap) })
    }

    /// What any other agent says of its choice.
    fn told(&self, agent: &Agent) -> anyhow::Result<Document> {
        let asked = self.ask(agent, self.arguments.allowances(1.0))?;
        if asked.contestant.notes() == Notes::default() {
            bail!(NameError::NotSearching(agent.name().to_owned()));
        }
        Ok(Document::of_contestant(agent.name(), asked, self.seat.color()))
    }

    /// Lets the player of the paper think at all its turns, the last time in full.
    fn think(
        &self,
        name: &Obscuro,
        allowances: Allowances,
    ) -> anyhow::Result<(Player<G>, Thought<G::Action>, Sizes)> {
        let (color, mut name, mut sizes) = (self.seat.color(), name.clone(), Sizes::default());
        name.settings.seed = self.arguments.seed.unwrap_or(name.settings.seed);
        let threads = self.arguments.threads.map(usize::from);
        let mut player = Player::new(self.game.clone(), color, &name, threads)?;
        player.stop_by(self.interrupt.0.clone());
        let lost = || anyhow!("no position fits what {} was told", color_name(color));
        for heard in self.seat.heard() {
            if heard.own.is_some() {
                player.think(allowances.earlier.budget(color)).ok_or_else(lost)?;
                sizes.at_choice(player.belief().positions().len());
            }
            let seen = player.see(heard.own, &heard.told).map_err(|_| lost())?;
            if seen == Seen::Invented {
                complain("scuro: nothing that was believed fitted what was told; positions were invented");
            }
            sizes.after_ply(heard.own.is_some());
        }
        let thought = player.think(allowances.last.budget(color)).ok_or_else(lost)?.clone();
        sizes.at_choice(player.belief().positions().len());
        Ok((player, thought, sizes))
    }

    /// Lets any agent choose at all its turns, the last time in full.
    fn ask(&self, agent: &Agent, allowances: Allowances) -> anyhow::Result<Asked<G>> {
        let Scene { game, arguments, .. } = self;
        let (color, seed) = (self.seat.color(), arguments.seed.unwrap_or_default());
        let mut contestant = game.seat(agent, Place { color, seed, margin: MARGIN })?;
        contestant.stop_by(self.interrupt.0.clone());
        let (mut past, mut sizes) = (Seat::new(*game, color), Sizes::default());
        for heard in self.seat.heard() {
            if heard.own.is_some() {
                contestant.choose(&past.choices(game), allowances.earlier)?;
                contestant.notes().belief.into_iter().for_each(|size| sizes.at_choice(size));
            }
            contestant.see(heard.own, &heard.told);
            past.see(game, heard.own, &heard.told)?;
            sizes.after_ply(heard.own.is_some());
        }
        let action = contestant.choose(&past.choices(game), allowances.last)?;
        contestant.notes().belief.into_iter().for_each(|size| sizes.at_choice(size));
        Ok(Asked { action, contestant, sizes })
    }
}

/// How late the answer of another program may be.
const MARGIN: Duration = Duration::from_secs(1);

/// What thoughts may cost: those at earlier turns, and the last.
#[derive(Clone, Copy)]
struct Allowances {
    earlier: Allowance,
    last: Allowance,
}

/// An agent that was asked for its choice.
struct Asked<G: Seats> {
    action: G::Action,
    contestant: Seated<G>,
    sizes: Sizes,
}
