//! `scuro endgame`: endings against a lone king, proved and played.

mod fog;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use scuro_agents::contestant::{Allowance, Contestant, Fault};
use scuro_agents::kriegspiel::endings::hunter::{Defender, Hunter, Method, Worst, draw_square};
use scuro_agents::kriegspiel::endings::pawn::{first_board, lone_squares, value};
use scuro_agents::kriegspiel::endings::pawn_players::{BlindDefender, PawnPlayer};
use scuro_agents::kriegspiel::endings::prover::{Progress, Prover, placements};
use scuro_agents::kriegspiel::endings::{Table, proved};
use scuro_agents::play::tell_one;
use scuro_agents::rivals::fleeing::{Fleeing, Omniscient};
use scuro_agents::rivals::random::RandomMover;
use scuro_core::Random;
use scuro_games::chess::{Board, Color, Piece};
use scuro_games::kriegspiel::{Checks, Kriegspiel, KriegspielState, Try};
use scuro_games::outcome::Outcome;
use scuro_games::umpire::{Umpire, Umpired};
use serde::Serialize;

use super::{Answer, Interrupt, progress, save, writable};
use crate::arguments::duration;

#[derive(Args)]
#[command(
    after_help = "White has the pieces, Black a lone king. In Kriegspiel White does not know where it stands: a proof is a plan \
that mates wherever it is and whatever it does; placements are counted once for all mirrored and turned boards, and only \
those in which White can make a try that loses nothing. KRK and KQK are proved already, so that --play needs no --prove; \
other endings are proved first. KPK starts with Kd5 and a pawn on d6, Black's king on c8, d8 or e8: its value is what \
White's patterns win against a Black that knows them but does not see White, and worst is that Black. Elsewhere worst \
sees everything, knows the plan and holds out as long as it can; fleeing sees \
everything and keeps its king in the middle. In Fog of War obscuro plays, from positions that both know. Ctrl-C prints \
what there is, and keeps what is proved in --out; the exit code is 130.\n\nExamples:\n  scuro endgame KRK --prove\n  \
scuro endgame KQK --play 1000 --against worst\n  scuro endgame KRK --play 500 --by metapositions\n  \
scuro endgame KQK --game fog --play 100 --against fleeing --movetime 1s"
)]
pub(crate) struct Arguments {
    /// White's pieces and Black's king
    #[arg(value_name = "ENDING", ignore_case = true)]
    ending: Ending,
    /// Which game
    #[arg(long, value_name = "GAME", default_value = "kriegspiel")]
    game: EndgameGame,
    /// Prove the ending from every placement
    #[arg(long)]
    prove: bool,
    /// Write what is proved here, as a table
    #[arg(long, value_name = "FILE", requires = "prove")]
    out: Option<PathBuf>,
    /// Play so many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), required_unless_present = "prove")]
    play: Option<u32>,
    /// Who plays the lone king
    #[arg(long, value_name = "WHO", requires = "play", default_value = "random")]
    against: Against,
    /// How White plays in Kriegspiel [default: proof]
    #[arg(long, value_name = "HOW", requires = "play")]
    by: Option<By>,
    /// How long White thinks about a move in Fog of War [default: 100ms]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    movetime: Option<Duration>,
    /// The seed of proofs and games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// The endings that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[value(rename_all = "UPPER")]
#[serde(rename_all = "UPPERCASE")]
enum Ending {
    Krk,
    Kqk,
    Krrk,
    Kbbk,
    Kpk,
    Kbnk,
}

impl Ending {
    /// White's pieces beside the king.
    fn pieces(self) -> &'static [Piece] {
        use Piece::{Bishop, Knight, Pawn, Queen, Rook};
        match self {
            Ending::Krk => &[Rook],
            Ending::Kqk => &[Queen],
            Ending::Krrk => &[Rook, Rook],
            Ending::Kbbk => &[Bishop, Bishop],
            Ending::Kpk => &[Pawn],
            Ending::Kbnk => &[Bishop, Knight],
        }
    }

    fn is_embedded(self) -> bool {
        matches!(self, Ending::Krk | Ending::Kqk)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum EndgameGame {
    /// The lone king may be anywhere
    Kriegspiel,
    /// White sees where its pieces can go
    Fog,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Against {
    /// Any try
    Random,
    /// Sees everything and knows the plan
    Worst,
    /// Sees everything and keeps to the middle
    Fleeing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum By {
    /// By the proved table
    Proof,
    /// By maximin over what is believed, as Darkboard does
    Metapositions,
    /// By patterns (KPK)
    Patterns,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    arguments.check()?;
    let interrupt = Interrupt::watch()?;
    let mut table = None;
    if arguments.prove && arguments.ending == Ending::Kpk {
        print_value(arguments, value(), out)?;
    } else if arguments.prove {
        let found = prove(arguments, &interrupt)?;
        arguments.out.iter().try_for_each(|file| save(file, |out| out.write_all(&found.table().write())))?;
        print_proved(arguments, found.progress(), out)?;
        table = Some(found.table().clone());
    }
    if let Some(games) = arguments.play.filter(|_| !interrupt.asked()) {
        let results = match arguments.game {
            EndgameGame::Fog => fog::games(arguments, games, &interrupt)?,
            EndgameGame::Kriegspiel if arguments.ending == Ending::Kpk => {
                promote(arguments, games, &interrupt)?
            }
            EndgameGame::Kriegspiel => {
                let table = arguments.table(table, &interrupt)?;
                hunt(arguments, games, &table, &interrupt)?
            }
        };
        print_results(arguments, &results, out)?;
    }
    Ok(if interrupt.asked() { Answer::Interrupted } else { Answer::Yes })
}

impl Arguments {
    /// Refuses what does not go together.
    fn check(&self) -> anyhow::Result<()> {
        self.out.iter().try_for_each(|file| writable(file))?;
        let (fog, pawn) = (self.game == EndgameGame::Fog, self.ending == Ending::Kpk);
        match self.by {
            _ if fog && self.prove => bail!("--prove: proofs are of Kriegspiel, not of Fog of War"),
            _ if fog && self.against == Against::Worst => {
                bail!("--against worst: Fog of War has no plan to know; known are random and fleeing")
            }
            Some(_) if fog => bail!("--by: in Fog of War obscuro plays"),
            Some(By::Patterns) if !pawn => bail!("--by patterns: these are patterns of KPK"),
            Some(By::Proof | By::Metapositions) if pawn => bail!("--by: KPK is played by patterns"),
            _ if pawn && self.out.is_some() => bail!("--out: KPK has a value, and no table"),
            _ if !fog && self.movetime.is_some() => {
                bail!("--movetime: only obscuro, in Fog of War, needs time")
            }
            _ => Ok(()),
        }
    }

    /// The table that White plays by.
    fn table(&self, found: Option<Table>, interrupt: &Interrupt) -> anyhow::Result<Table> {
        match found {
            Some(table) => Ok(table),
            None if self.by == Some(By::Metapositions) => Ok(Table::default()),
            None if self.ending.is_embedded() => Ok(proved().clone()),
            None => Ok(prove(self, interrupt)?.table().clone()),
        }
    }
}

fn prove(arguments: &Arguments, interrupt: &Interrupt) -> anyhow::Result<Prover> {
    let mut prover = Prover::new(arguments.ending.pieces(), arguments.seed);
    let bar = progress("placements", Some(prover.starts().len() as u64));
    prover.run(|Progress { proved, longest, sets, .. }| {
        bar.set_position(proved as u64);
        bar.set_message(format!("longest {longest}, {sets} sets"));
        !interrupt.asked()
    });
    bar.finish_and_clear();
    Ok(prover)
}

/// What `--prove --json` prints.
#[derive(Serialize)]
struct ProofDocument {
    ending: Ending,
    proved: usize,
    placements: usize,
    longest: u8,
    sets: usize,
}

fn print_proved(
    arguments: &Arguments,
    Progress { proved, placements, longest, sets }: Progress,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if arguments.json {
        let document = ProofDocument { ending: arguments.ending, proved, placements, longest, sets };
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        writeln!(out, "proved {proved} of {placements} placements, longest {longest}")?;
    }
    Ok(())
}

/// What came of the games.
#[derive(Default)]
struct Results {
    won: u32,
    drawn: u32,
    lost: u32,
    /// The moves of White in the games that it won.
    moves: Vec<u16>,
}

impl Results {
    fn add(&mut self, outcome: Outcome, moves: u16) {
        match outcome.winner {
            Some(Color::White) => {
                self.won += 1;
                self.moves.push(moves);
            }
            None => self.drawn += 1,
            Some(Color::Black) => self.lost += 1,
        }
    }
}

/// Plays a game to its end: how it ended, and after how many moves of White. `black` sees the truth, and White.
fn play<G: Umpired + Clone, W: Contestant<G>>(
    game: G,
    white: &mut W,
    mut black: impl FnMut(&G::State, &[G::Action], &W) -> Result<G::Action, Fault>,
    allowance: Allowance,
) -> anyhow::Result<(Outcome, u16)> {
    let (mut umpire, mut moves) = (Umpire::new(game), 0);
    while let Some(side) = umpire.turn() {
        let choices = umpire.choices();
        let action = match side {
            Color::White => white.choose(&choices, allowance)?,
            Color::Black => black(umpire.state(), &choices, white)?,
        };
        umpire.play(side, action)?;
        tell_one(&umpire, Color::White, side, action, white);
        moves += u16::from(side == Color::White && umpire.turn() != Some(Color::White));
    }
    Ok((umpire.outcome().context("nobody is to move, and the game is not over")?, moves))
}

fn kriegspiel(start: Board) -> Kriegspiel {
    Kriegspiel { start, ..Kriegspiel::default() }
}

/// White against a lone king in Kriegspiel.
fn hunt(arguments: &Arguments, games: u32, table: &Table, interrupt: &Interrupt) -> anyhow::Result<Results> {
    let starts = placements(arguments.ending.pieces());
    let method = match arguments.by {
        Some(By::Metapositions) => Method::Metapositions,
        _ => Method::Proof(table),
    };
    let mut random = Random::new(arguments.seed);
    let mut defender = match arguments.against {
        Against::Random => Defender::Random(RandomMover::new(random.word())),
        Against::Fleeing => Defender::Fleeing(Fleeing::new(random.word())),
        Against::Worst => Defender::Worst(Worst::new(random.word())),
    };
    let bar = progress("games", Some(u64::from(games)));
    let mut results = Results::default();
    for _ in 0..games {
        if interrupt.asked() {
            break;
        }
        let start = starts[random.below(starts.len())];
        let lone = draw_square(start.kings, &mut random).context("there is no square for the king")?;
        let board = start.army.board(Color::White, lone, Color::White);
        let mut hunter = Hunter::new(method, start, random.word());
        let black = |truth: &KriegspielState, choices: &[Try], hunter: &Hunter<'_>| {
            defender.choose(truth, choices, hunter)
        };
        let (outcome, moves) = play(kriegspiel(board), &mut hunter, black, Allowance::Endless)?;
        results.add(outcome, moves);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(results)
}

/// White with a pawn on d6 against a king on c8, d8 or e8 in Kriegspiel.
fn promote(arguments: &Arguments, games: u32, interrupt: &Interrupt) -> anyhow::Result<Results> {
    let mut random = Random::new(arguments.seed);
    let mut mover = RandomMover::new(random.word());
    let mut fleeing = Fleeing::new(random.word());
    let mut blind = BlindDefender::default();
    let bar = progress("games", Some(u64::from(games)));
    let mut results = Results::default();
    for _ in 0..games {
        if interrupt.asked() {
            break;
        }
        let lone = draw_square(lone_squares(), &mut random).context("there is no square for the king")?;
        blind.begin(lone);
        let black = |truth: &KriegspielState, choices: &[Try], _: &PawnPlayer| match arguments.against {
            Against::Random => Contestant::<Kriegspiel>::choose(&mut mover, choices, Allowance::Endless),
            Against::Fleeing => Ok(Omniscient::<Kriegspiel>::choose(&mut fleeing, truth, choices)),
            Against::Worst => {
                let checked = truth.announcement().checks != Checks::NONE;
                Ok(blind.choose(choices, truth.refused(), checked))
            }
        };
        let mut white = PawnPlayer::new(random.word());
        let (outcome, moves) = play(kriegspiel(first_board(lone)), &mut white, black, Allowance::Endless)?;
        results.add(outcome, moves);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(results)
}

/// What `--prove --json` prints of KPK.
#[derive(Serialize)]
struct ValueDocument {
    ending: Ending,
    value: f64,
}

fn print_value(arguments: &Arguments, value: f64, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&ValueDocument { ending: arguments.ending, value })?)?;
    } else {
        writeln!(out, "value {value:.4}")?;
    }
    Ok(())
}

/// What `--play --json` prints.
#[derive(Serialize)]
struct PlayDocument {
    ending: Ending,
    game: EndgameGame,
    against: Against,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<By>,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    mean: f64,
    longest: u16,
}

fn print_results(arguments: &Arguments, results: &Results, out: &mut impl Write) -> anyhow::Result<()> {
    let Results { won, drawn, lost, ref moves } = *results;
    let mean = moves.iter().map(|&moves| f64::from(moves)).sum::<f64>() / f64::from(won.max(1));
    let longest = moves.iter().copied().max().unwrap_or(0);
    let games = won + drawn + lost;
    if arguments.json {
        let usual = if arguments.ending == Ending::Kpk { By::Patterns } else { By::Proof };
        let by = (arguments.game == EndgameGame::Kriegspiel).then_some(arguments.by.unwrap_or(usual));
        let (ending, game, against) = (arguments.ending, arguments.game, arguments.against);
        let document = PlayDocument { ending, game, against, by, games, won, drawn, lost, mean, longest };
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        writeln!(
            out,
            "won {won} of {games}, drawn {drawn}, lost {lost}, mean {mean:.1} moves, longest {longest}"
        )?;
    }
    Ok(())
}
