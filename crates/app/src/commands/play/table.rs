//! One game with one person at it: she hears what the umpire has for her, and nothing else.

use std::io::{self, BufRead, IsTerminal, Write};
use std::time::SystemTime;

use anyhow::{Context, bail};
use scuro_agents::contestant::{Allowance, Contestant, Fault, RandomMover, tell};
use scuro_agents::level::{LEVELS, Level};
use scuro_agents::name::Agent;
use scuro_agents::seat::{Place, Seated};
use scuro_arena::settings::MARGIN;
use scuro_games::chess::{BitBoard, Board, Color, color_name};
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::picture::Picture;
use scuro_games::records::Record;
use scuro_games::records::pgn::{self, PgnResult};
use scuro_games::review::{Known, known};
use scuro_games::umpire::Umpire;

use super::Arguments;
use super::book::Book;
use super::review::Review;
use super::rules::Rules;
use super::screen::{Screen, changes};

/// What every game has at the prompt.
const WORDS: &str = "  moves        list your moves
  board        show what you see again
  hint         what the engine would do, knowing what you know
  resign       give up
  quit         leave the game
";

/// Hints come from the level that does not slip, after a moment of thought.
const COACH: &Level = &LEVELS[LEVELS.len() - 1];
const MOMENT: Allowance = Allowance::Nodes(20_000);

/// The board, the person and her opponent.
pub(super) struct Table<G: Rules> {
    umpire: Umpire<G>,
    you: Color,
    opponent: Seated<G>,
    called: String,
    allowance: Allowance,
    /// Sees what the person sees, and gives hints; `None` in games that nobody here can play.
    coach: Option<Seated<G>>,
    /// Stands in for the coach where there is none.
    nobody: RandomMover,
    /// The true position before the first ply and after every ply, for the review.
    boards: Vec<Board>,
    /// What the person last knew.
    knows: Known,
    /// How the game ended if not on the board: the opponent has failed.
    failed: Option<(Outcome, String)>,
    book: Book,
    input: Input,
    screen: Screen,
}

impl<G: Rules> Table<G> {
    pub(super) fn new(game: G, arguments: &Arguments, you: Color, seed: u64) -> anyhow::Result<Table<G>> {
        let (named, allowance) = arguments.opponent();
        let opponent = game.seat(&named.agent, Place { color: !you, seed, margin: MARGIN })?;
        // Seeds of her own: those of the opponent would tell something of it.
        let place = Place { color: you, seed: 1, margin: MARGIN };
        let coach = game.seat(&Agent::Level(COACH), place);
        let ruleset = game.ruleset();
        let umpire = Umpire::new(game);
        let record = record(&umpire, arguments.fen, [you, !you], &named.name, ruleset);
        let knows = known(&record, 0, you)?;
        Ok(Table {
            umpire,
            you,
            opponent,
            called: match named.agent {
                Agent::Level(level) => format!("{} ({})", level.agent, level.name),
                Agent::Random => "a random mover".to_owned(),
                _ => named.name,
            },
            allowance,
            coach: coach.ok(),
            nobody: RandomMover::new(seed),
            boards: vec![arguments.fen],
            knows,
            failed: None,
            book: Book::open(record, arguments.save.clone())?,
            input: Input::new(),
            screen: Screen::of_environment(),
        })
    }

    pub(super) fn save(&self) -> anyhow::Result<()> {
        self.book.save()
    }

    pub(super) fn play(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        writeln!(out, "{}: you are {} against {}.", G::VARIANT, color_name(self.you), self.called)?;
        writeln!(out, "{} Type help for help.\n", G::GOAL)?;
        if self.umpire.turn() == Some(self.you) {
            self.show(out)?;
        }
        while let (Some(turn), None) = (self.umpire.turn(), &self.failed) {
            if turn != self.you {
                self.reply(out)?;
            } else if !self.ask(out)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The opponent acts. What the person knew just before is part of what she knows: it stands beside the new board.
    fn reply(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let side = !self.you;
        write!(out, "{}", self.screen.passing(&format!("{} is thinking ...", color_name(side))))?;
        out.flush()?;
        self.opponent.shown(self.umpire.state());
        let chosen = self.opponent.choose(&self.umpire.choices(), self.allowance);
        write!(out, "{}", self.screen.passed())?;
        let taken = match chosen {
            Ok(action) => self.make(side, action).map_err(|refusal| (Reason::Illegal, refusal)),
            Err(fault) => Err((reason(&fault), fault.to_string())),
        };
        if let Err((reason, words)) = taken {
            let outcome = Outcome::win(self.you, reason);
            self.book.write(|record| record.finish(Some(outcome)));
            self.failed = Some((outcome, words));
            return Ok(());
        }
        let (before, told) = self.hear()?;
        // While the turn stays with them they have sensed, or tried in vain: there is nothing to see.
        let stays = self.umpire.turn() == Some(side);
        let now = self.knows.picture.clone().titled("You see now");
        let news = G::news(&before, &now, &told);
        if G::ANNOUNCES {
            news.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        } else {
            let lines = [vec![format!("{} has moved.", color_name(side))], news].concat();
            writeln!(out, "{}", lines.join(" "))?;
        }
        if stays {
            return Ok(());
        }
        if G::ANNOUNCES {
            // Her own men are all she sees, and she was told what became of them.
            return Ok(self.show(out)?);
        }
        let changed = changes(&before, &now);
        writeln!(out, "{}", self.screen.boards(&[before.titled("You saw"), now], changed))?;
        Ok(())
    }

    /// Brings what the person knows up to date; what she saw before, and what she was told since.
    fn hear(&mut self) -> anyhow::Result<(Picture, Vec<String>)> {
        let record = self.book.read();
        let now = known(&record, record.plies.len(), self.you)?;
        let told = now.told.get(self.knows.told.len()..).unwrap_or_default().to_vec();
        let before = std::mem::replace(&mut self.knows, now).picture;
        Ok((before, told))
    }

    /// Takes an action, writes it down, and lets everybody see what came of it.
    fn make(&mut self, side: Color, action: G::Action) -> Result<(), String> {
        self.umpire.play(side, action).map_err(|refusal| refusal.to_string())?;
        self.boards.push(*G::board(self.umpire.state()));
        let outcome = self.umpire.outcome();
        self.book.write(|record| {
            record.plies.push(G::ply(action));
            record.finish(outcome);
        });
        let coach: &mut dyn Contestant<G> = match &mut self.coach {
            Some(coach) => coach.as_mut(),
            None => &mut self.nobody,
        };
        let opponent: &mut dyn Contestant<G> = self.opponent.as_mut();
        let both = if self.you == Color::White { [coach, opponent] } else { [opponent, coach] };
        tell(&self.umpire, side, action, both);
        Ok(())
    }

    fn show(&self, out: &mut impl Write) -> io::Result<()> {
        let picture = self.knows.picture.clone().titled("You see");
        writeln!(out, "{}", self.screen.boards(&[picture], BitBoard::EMPTY))
    }

    /// Asks until the person has acted; false when she leaves the game.
    fn ask(&mut self, out: &mut impl Write) -> anyhow::Result<bool> {
        loop {
            let Some(line) = self.input.line(out, G::question(&self.umpire))? else {
                writeln!(out, "The input has ended.")?;
                return Ok(false);
            };
            match line.as_str() {
                "" => {}
                "help" | "?" => write!(out, "{WORDS}{}", G::HELP)?,
                "board" => self.show(out)?,
                "hint" => self.hint(out)?,
                "moves" => {
                    let choices = self.umpire.choices();
                    let names: Vec<String> =
                        choices.into_iter().map(|action| G::name(&self.umpire, action)).collect();
                    writeln!(out, "{}", names.join(" "))?;
                }
                "resign" => {
                    self.umpire.resign(self.you)?;
                    let outcome = self.umpire.outcome();
                    self.book.write(|record| record.finish(outcome));
                    return Ok(false);
                }
                "quit" | "exit" => return Ok(false),
                text => {
                    let made = G::read(&self.umpire, text).and_then(|action| self.make(self.you, action));
                    match made {
                        Ok(()) => return self.answer(out).map(|()| true),
                        Err(words) => writeln!(out, "{words} (moves lists your moves)")?,
                    }
                }
            }
        }
    }

    /// What the person is told of her own action.
    fn answer(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let (before, told) = self.hear()?;
        if G::ANNOUNCES {
            G::news(&before, &self.knows.picture, &told)
                .iter()
                .try_for_each(|line| writeln!(out, "{line}"))?;
        }
        if self.umpire.turn() == Some(self.you) && G::shows_again(&self.umpire) {
            self.show(out)?;
        }
        Ok(())
    }

    fn hint(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let choices = self.umpire.choices();
        let Some(coach) = &mut self.coach else {
            writeln!(out, "There are no hints in {} yet.", G::VARIANT)?;
            return Ok(());
        };
        match coach.choose(&choices, MOMENT) {
            Ok(action) => writeln!(out, "The engine would play {}.", G::name(&self.umpire, action))?,
            Err(fault) => bail!("no hint: {fault}"),
        }
        Ok(())
    }

    /// The end: result, the moves, and a walk through the game with what both knew.
    pub(super) fn finish(&mut self, seed: u64, out: &mut impl Write) -> anyhow::Result<()> {
        match (&self.failed, self.umpire.outcome()) {
            (Some((outcome, words)), _) => writeln!(out, "{outcome} ({}: {words})", self.called)?,
            (None, Some(outcome)) => writeln!(out, "{outcome}")?,
            (None, None) => writeln!(out, "The game was left unfinished.")?,
        }
        if let Some(file) = &self.book.file {
            writeln!(out, "Saved to {}.", file.display())?;
        }
        // Before the end the seed would tell the opponent's moves.
        writeln!(out, "The opponent's seed was {seed}.\n")?;
        let record = self.book.read();
        let review = Review { record: &record, boards: &self.boards, you: self.you, screen: self.screen };
        review.walk(&self.input, out)?;
        writeln!(out, "\n{}", record.to_pgn()?)?;
        Ok(())
    }
}

/// The record of a game that begins: `you` is the first of the sides.
fn record<G: Rules>(
    umpire: &Umpire<G>,
    start: Board,
    sides: [Color; 2],
    opponent: &str,
    ruleset: Option<String>,
) -> Record {
    let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let names = if sides[0] == Color::White { ["You", opponent] } else { [opponent, "You"] };
    let mut tags = vec![
        tag("Event", "Scuro in the terminal"),
        tag("Date", &pgn::date(SystemTime::now())),
        tag("White", names[0]),
        tag("Black", names[1]),
    ];
    tags.extend(ruleset.map(|ruleset| tag("Ruleset", &ruleset)));
    let mut record = Record {
        variant: G::VARIANT,
        tags,
        start,
        passed: None,
        plies: Vec::new(),
        result: PgnResult::Unknown,
        termination: None,
    };
    record.finish(umpire.outcome());
    record
}

/// Why somebody loses who fails like that.
fn reason(fault: &Fault) -> Reason {
    match fault {
        Fault::Missing(_) | Fault::Foreign(_) | Fault::Gone(_) => Reason::Crash,
        Fault::Silent => Reason::Timeout,
        Fault::Nonsense(_) => Reason::Garbage,
    }
}

/// Lines from a person or a pipe; only a person is prompted.
pub(super) struct Input {
    prompts: bool,
}

impl Input {
    fn new() -> Input {
        Input { prompts: io::stdin().is_terminal() }
    }

    /// The next line without the space around it; `None` when there is no more.
    pub(super) fn line(&self, out: &mut impl Write, prompt: &str) -> anyhow::Result<Option<String>> {
        if self.prompts {
            write!(out, "{prompt}")?;
        }
        out.flush()?;
        let mut bytes = Vec::new();
        // Bytes, not text: a stray key must not end the game.
        let read = io::stdin().lock().read_until(b'\n', &mut bytes).context("cannot read the input")?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
    }
}
