//! One game with one person at it, who is told what the umpire has for its seat, and nothing else.

use std::io::{self, BufRead, IsTerminal, Write};
use std::time::SystemTime;

use anyhow::{Context, bail};
use scuro_agents::contestant::{Allowance, Contestant, Fault};
use scuro_agents::level::{LEVELS, Level};
use scuro_agents::name::Agent;
use scuro_agents::play::tell;
use scuro_agents::seat::{Place, Seated};
use scuro_arena::settings::MARGIN;
use scuro_games::chess::{BitBoard, Board, Color, color_name};
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::picture::Picture;
use scuro_games::records::Record;
use scuro_games::records::pgn::{self, PgnResult};
use scuro_games::seat::Seat;
use scuro_games::umpire::Umpire;

use super::Arguments;
use super::book::Book;
use super::prompt::Prompt;
use super::review::Review;
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

/// The board, the person and the opponent.
pub(super) struct Table<G: Prompt> {
    umpire: Umpire<G>,
    you: Color,
    opponent: Seated<G>,
    called: String,
    allowance: Allowance,
    /// Is told what the person is told, and gives hints.
    coach: Seated<G>,
    /// What the person last saw.
    seen: Picture,
    /// How much of what the person was told has been printed.
    printed: usize,
    /// How the game ended if not on the board: the opponent has failed.
    failed: Option<(Outcome, String)>,
    book: Book,
    input: Input,
    screen: Screen,
}

impl<G: Prompt> Table<G> {
    pub(super) fn new(game: G, arguments: &Arguments, you: Color, seed: u64) -> anyhow::Result<Table<G>> {
        let (named, allowance) = arguments.opponent::<G>()?;
        let opponent = game.seat(&named.agent, Place { color: !you, seed, margin: MARGIN })?;
        // A seed of its own: that of the opponent would tell something of it.
        let place = Place { color: you, seed: 1, margin: MARGIN };
        let coach = game.seat(&Agent::Level(COACH), place)?;
        let umpire = Umpire::new(game);
        let record = record(&umpire, you, &named.name);
        Ok(Table {
            seen: G::picture(umpire.seat(you).view(), ""),
            umpire,
            you,
            opponent,
            called: match named.agent {
                Agent::Level(level) => format!("{} ({})", level.agent, level.name),
                Agent::Random => "a random mover".to_owned(),
                _ => named.name,
            },
            allowance,
            coach,
            printed: 0,
            failed: None,
            book: Book::open(record, arguments.save.clone())?,
            input: Input::new(),
            screen: Screen::of_environment(),
        })
    }

    /// All that the person knows.
    fn seat(&self) -> &Seat<G> {
        self.umpire.seat(self.you)
    }

    /// What the person may do.
    fn choices(&self) -> Vec<G::Action> {
        self.seat().choices(self.umpire.game())
    }

    pub(super) fn save(&self) -> anyhow::Result<()> {
        self.book.save()
    }

    pub(super) fn play(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        writeln!(out, "{}: you are {} against {}.", G::VARIANT, color_name(self.you), self.called)?;
        writeln!(out, "{} Type help for help.\n", G::GOAL)?;
        if !self.choices().is_empty() {
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

    /// The opponent acts. What the person saw just before stands beside the new board.
    fn reply(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let side = !self.you;
        write!(out, "{}", self.screen.passing(&format!("{} is thinking ...", color_name(side))))?;
        out.flush()?;
        let choices = self.umpire.seat(side).choices(self.umpire.game());
        let chosen = self.opponent.choose(&choices, self.allowance);
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
        let (before, told) = self.hear();
        let now = self.seen.clone().titled("You see now");
        let news = G::news(&before, &now, &told);
        if G::ANNOUNCES {
            news.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        } else {
            let lines = [vec![format!("{} has moved.", color_name(side))], news].concat();
            writeln!(out, "{}", lines.join(" "))?;
        }
        if self.choices().is_empty() && self.seat().end().is_none() {
            // They have sensed, or tried in vain: there is nothing to see.
            return Ok(());
        }
        if G::ANNOUNCES {
            // The own pieces are all there is to see, and what became of them was told.
            return Ok(self.show(out)?);
        }
        let changed = changes(&before, &now);
        writeln!(out, "{}", self.screen.boards(&[before.titled("You saw"), now], changed))?;
        Ok(())
    }

    /// What the person saw before, and what it was told since.
    fn hear(&mut self) -> (Picture, Vec<String>) {
        let (seat, game) = (self.umpire.seat(self.you), self.umpire.game());
        let news = &seat.heard()[self.printed..];
        let told = news.iter().flat_map(|heard| game.sentences(self.you, heard.own, &heard.told)).collect();
        self.printed = seat.heard().len();
        (std::mem::replace(&mut self.seen, G::picture(seat.view(), "")), told)
    }

    /// Takes an action, writes it down, and lets everybody see what came of it.
    fn make(&mut self, side: Color, action: G::Action) -> Result<(), String> {
        self.umpire.play(side, action).map_err(|refusal| refusal.to_string())?;
        let outcome = self.umpire.outcome();
        self.book.write(|record| {
            record.plies.push(G::ply(action));
            record.finish(outcome);
        });
        let [coach, opponent]: [&mut dyn Contestant<G>; 2] = [self.coach.as_mut(), self.opponent.as_mut()];
        let both = if self.you == Color::White { [coach, opponent] } else { [opponent, coach] };
        tell(&self.umpire, side, action, both);
        Ok(())
    }

    fn show(&self, out: &mut impl Write) -> io::Result<()> {
        let picture = self.seen.clone().titled("You see");
        writeln!(out, "{}", self.screen.boards(&[picture], BitBoard::EMPTY))
    }

    /// Asks until the person has acted; false if that is to leave the game.
    fn ask(&mut self, out: &mut impl Write) -> anyhow::Result<bool> {
        loop {
            let Some(line) = self.input.line(out, G::question(self.seat().view()))? else {
                writeln!(out, "The input has ended.")?;
                return Ok(false);
            };
            match line.as_str() {
                "" => {}
                "help" | "?" => write!(out, "{WORDS}{}", G::HELP)?,
                "board" => self.show(out)?,
                "hint" => self.hint(out)?,
                "moves" => {
                    let name = |action| G::name(self.seat().view(), action);
                    let names: Vec<String> = self.choices().into_iter().map(name).collect();
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
                    let read = G::read(self.seat().view(), text);
                    let made = read.and_then(|action| self.make(self.you, action));
                    match made {
                        Ok(()) => return self.answer(out).map(|()| true),
                        Err(words) => writeln!(out, "{words} (moves lists your moves)")?,
                    }
                }
            }
        }
    }

    /// What the person is told of its own action.
    fn answer(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let (before, told) = self.hear();
        if G::ANNOUNCES {
            G::news(&before, &self.seen, &told).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        if !self.choices().is_empty() && G::shows_again(self.seat().view()) {
            self.show(out)?;
        }
        Ok(())
    }

    fn hint(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        match self.coach.choose(&self.choices(), MOMENT) {
            Ok(action) => writeln!(out, "The engine would play {}.", G::name(self.seat().view(), action))?,
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
        let boards = boards(&self.umpire)?;
        let review = Review { record: &record, boards: &boards, you: self.you, screen: self.screen };
        review.walk(&self.input, out)?;
        writeln!(out, "\n{}", record.to_pgn()?)?;
        Ok(())
    }
}

/// The true position before the first ply and after every ply, for the review.
fn boards<G: Prompt>(umpire: &Umpire<G>) -> anyhow::Result<Vec<Board>> {
    let mut again = Umpire::new(umpire.game().clone());
    let mut boards = vec![*G::true_board(again.state())];
    for &action in umpire.actions() {
        let side = again.turn().context("the game goes on after its end")?;
        again.play(side, action)?;
        boards.push(*G::true_board(again.state()));
    }
    Ok(boards)
}

/// The record of a game that begins.
fn record<G: Prompt>(umpire: &Umpire<G>, you: Color, opponent: &str) -> Record {
    let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let names = if you == Color::White { ["You", opponent] } else { [opponent, "You"] };
    let mut tags = vec![
        tag("Event", "Scuro in the terminal"),
        tag("Date", &pgn::date(SystemTime::now())),
        tag("White", names[0]),
        tag("Black", names[1]),
    ];
    tags.extend(umpire.game().rules().ruleset().map(|ruleset| tag("Ruleset", &ruleset.to_string())));
    let mut record = Record {
        variant: G::VARIANT,
        tags,
        start: *umpire.game().first_board(),
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
