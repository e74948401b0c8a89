//! `scuro play`: Fog of War in the terminal, or through a pipe.

use std::fs::OpenOptions;
use std::io::{self, BufRead, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use scuro_core::Random;
use scuro_games::Variant;
use scuro_games::chess::{Board, Color, Move, MoveRules, Piece, Square, color_name};
use scuro_games::fog::{FogOfWar, View};
use scuro_games::picture::{Picture, beside};
use scuro_games::records::pgn::PgnResult;
use scuro_games::records::{Ply, Record};
use scuro_games::umpire::Umpire;

use super::{Answer, complain};
use crate::arguments::position;

#[derive(Args, Default)]
#[command(
    after_help = "Moves are UCI (e2e4, e7e8q, castling e1g1) or SAN (e4, Nf3, O-O). Take the king to win.\n\n\
Examples:\n  scuro play --side black --save games.pgn\n  printf 'e4\\nresign\\n' | scuro play --seed 1"
)]
pub(crate) struct Arguments {
    /// Your side
    #[arg(long, value_enum, default_value = "white")]
    side: Seat,
    /// The first position, as FEN
    #[arg(long, value_name = "FEN", default_value = "start", value_parser = position)]
    fen: Board,
    /// Seed of the random mover [default: another one every time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Append the game to this file as PGN, also when you leave in the middle
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Seat {
    #[default]
    White,
    Black,
    Random,
}

const HELP: &str = "  e2e4 or e4   move, in UCI or SAN (e7e8q or e8=Q promotes, e1g1 or O-O castles)
  moves        list your moves
  board        show what you see again
  resign       give up
  quit         leave the game
Every move your men can make is allowed: there is no check. Take the enemy king to win.
You see your own men and the squares they can move to. A blocked pawn does not see what
blocks it. A side without any move loses. Three times the same position, or fifty moves
without a capture or pawn move, is a draw.
";

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let seed = arguments.seed.unwrap_or_else(|| {
        // Any number will do: before 1970 it is 0.
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64 % 1_000_000)
    });
    let mut random = Random::new(seed);
    let you = match arguments.side {
        Seat::White => Color::White,
        Seat::Black => Color::Black,
        Seat::Random => *random.pick(&Color::ALL).unwrap_or(&Color::White),
    };
    let mut table = Table::new(arguments, you)?;
    // Whatever ends the game, a lost reader included, it is saved before anything else.
    let played = table.play(&mut random, out);
    let saved = table.book.save();
    played?;
    saved?;
    table.finish(seed, out)?;
    Ok(Answer::Yes)
}

/// One game with one person at it.
struct Table {
    umpire: Umpire<FogOfWar>,
    you: Color,
    book: Book,
    input: Input,
}

impl Table {
    fn new(arguments: &Arguments, you: Color) -> anyhow::Result<Table> {
        let umpire = Umpire::new(FogOfWar { start: arguments.fen });
        let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let names = if you == Color::White { ["You", "random"] } else { ["random", "You"] };
        let mut record = Record {
            variant: Variant::FogOfWar,
            tags: vec![tag("Event", "Scuro in the terminal"), tag("White", names[0]), tag("Black", names[1])],
            start: arguments.fen,
            passed: None,
            plies: Vec::new(),
            result: PgnResult::Unknown,
            termination: None,
        };
        record.finish(umpire.outcome());
        let book = Book::open(record, arguments.save.clone())?;
        Ok(Table { umpire, you, book, input: Input::new() })
    }

    fn play(&mut self, random: &mut Random, out: &mut impl Write) -> anyhow::Result<()> {
        writeln!(out, "Fog of War: you are {} against a random mover.", color_name(self.you))?;
        writeln!(out, "Take the king to win. Type help for help.\n")?;
        if self.umpire.turn() == Some(self.you) {
            self.show(out)?;
        }
        while let Some(turn) = self.umpire.turn() {
            if turn == self.you {
                match self.ask(out)? {
                    Some(m) => self.make(turn, m)?,
                    None => return Ok(()),
                }
            } else {
                self.reply(turn, random, out)?;
            }
        }
        Ok(())
    }

    /// The opponent moves. What you saw just before is part of what you know: it stands beside the new view.
    fn reply(&mut self, side: Color, random: &mut Random, out: &mut impl Write) -> anyhow::Result<()> {
        let before = self.umpire.view(self.you);
        let choices = self.umpire.choices();
        let Some(&m) = random.pick(&choices) else { bail!("no move though the game goes on") };
        self.make(side, m)?;
        let now = self.umpire.view(self.you);
        writeln!(out, "{} has moved.{}", color_name(side), losses(&before, &now))?;
        let pictures = [Picture::of_view("You saw", &before), Picture::of_view("You see now", &now)];
        writeln!(out, "{}", beside(&pictures))?;
        Ok(())
    }

    fn make(&mut self, side: Color, m: Move) -> anyhow::Result<()> {
        self.umpire.play(side, m)?;
        let outcome = self.umpire.outcome();
        self.book.write(|record| {
            record.plies.push(Ply::Move(m));
            record.finish(outcome);
        });
        Ok(())
    }

    fn show(&self, out: &mut impl Write) -> io::Result<()> {
        let picture = Picture::of_view("You see", &self.umpire.view(self.you));
        writeln!(out, "{}", beside(&[picture]))
    }

    /// Asks until there is a move; `None` when the person leaves the game.
    fn ask(&mut self, out: &mut impl Write) -> anyhow::Result<Option<Move>> {
        loop {
            let Some(line) = self.input.line(out, "Your move: ")? else {
                writeln!(out, "The input has ended.")?;
                return Ok(None);
            };
            match line.as_str() {
                "" => {}
                "help" | "?" => write!(out, "{HELP}")?,
                "board" => self.show(out)?,
                "moves" => {
                    let board = self.umpire.state().board();
                    let moves = self.umpire.choices();
                    let names: Vec<String> =
                        moves.iter().map(|&m| board.san(m, MoveRules::PseudoLegal)).collect();
                    writeln!(out, "{}", names.join(" "))?;
                }
                "resign" => {
                    self.umpire.resign(self.you)?;
                    let outcome = self.umpire.outcome();
                    self.book.write(|record| record.finish(outcome));
                    return Ok(None);
                }
                "quit" | "exit" => return Ok(None),
                text => match self.read_move(text) {
                    Ok(m) => return Ok(Some(m)),
                    Err(words) => writeln!(out, "{words} (moves lists your moves)")?,
                },
            }
        }
    }

    /// A move in UCI or SAN. The view tells the player all her moves, so refusing a wrong one tells nothing.
    fn read_move(&self, text: &str) -> Result<Move, String> {
        let board = self.umpire.state().board();
        let castling = text.to_uppercase();
        let san = if castling.starts_with("O-O") { &castling } else { text };
        match text.to_lowercase().parse::<Move>() {
            Ok(m) if board.is_pseudo_legal(m) => Ok(m),
            Ok(m) if board.is_pseudo_legal(Move::promoting(m.from(), m.to(), Piece::Queen)) => {
                Err(format!("{m} does not say what the pawn becomes: {m}q, {m}r, {m}b or {m}n"))
            }
            Ok(m) => Err(format!("{m} is not one of your moves")),
            Err(_) => board.parse_san(san, MoveRules::PseudoLegal).map_err(|error| error.to_string()),
        }
    }

    /// The end: result, what both saw, the moves, and a walk through the game.
    fn finish(&mut self, seed: u64, out: &mut impl Write) -> anyhow::Result<()> {
        match self.umpire.outcome() {
            Some(outcome) => writeln!(out, "{outcome}")?,
            None => writeln!(out, "The game was left unfinished.")?,
        }
        if let Some(file) = &self.book.file {
            writeln!(out, "Saved to {}.", file.display())?;
        }
        // Before the end the seed would tell the opponent's moves.
        writeln!(out, "The random mover's seed was {seed}.\n")?;
        let record = self.book.read();
        self.review(&record, out)?;
        writeln!(out, "\n{}", record.to_pgn()?)?;
        Ok(())
    }

    fn review(&mut self, record: &Record, out: &mut impl Write) -> anyhow::Result<()> {
        let mut boards = vec![record.start];
        boards.extend(record.moves().scan(record.start, |board, m| {
            *board = board.play(m);
            Some(*board)
        }));
        let last = boards.len() - 1;
        let mut ply = last;
        loop {
            writeln!(out, "{}", after_ply(&boards, record, ply))?;
            let board = &boards[ply];
            let view = |color: Color| {
                Picture::of_view(&format!("{} saw", color_name(color)), &View::of(board, color))
            };
            let pictures = [Picture::of_board("Position", board, self.you), view(self.you), view(!self.you)];
            writeln!(out, "{}", beside(&pictures))?;
            let Some(next) = self.next_ply(ply, last, out)? else { return Ok(()) };
            ply = next;
        }
    }

    /// Where the review goes on; `None` at its end.
    fn next_ply(&mut self, ply: usize, last: usize, out: &mut impl Write) -> anyhow::Result<Option<usize>> {
        loop {
            let prompt = format!("Review, ply {ply} of {last}: n = next, b = back, a number, Enter = end: ");
            let Some(line) = self.input.line(out, &prompt)? else { return Ok(None) };
            match line.as_str() {
                "" | "q" | "quit" => return Ok(None),
                "n" | "next" if ply == last => writeln!(out, "This is the last ply.")?,
                "n" | "next" => return Ok(Some(ply + 1)),
                "b" | "back" => return Ok(Some(ply.saturating_sub(1))),
                text => match text.parse::<usize>() {
                    Ok(number) if number <= last => return Ok(Some(number)),
                    _ => writeln!(out, "'{text}' is not n, b or a number from 0 to {last}")?,
                },
            }
        }
    }
}

/// `After 12... Nf6` or `Before the first move`.
fn after_ply(boards: &[Board], record: &Record, ply: usize) -> String {
    let Some(before) = ply.checked_sub(1) else { return "Before the first move".to_owned() };
    let (board, Some(m)) = (&boards[before], record.moves().nth(before)) else { return String::new() };
    let dots = if board.side() == Color::White { "." } else { "..." };
    format!("After {}{dots} {}", board.number(), board.san(m, MoveRules::PseudoLegal))
}

/// Which of her men a player misses since the last view.
fn losses(before: &View, now: &View) -> String {
    let name = |square: Square| match before.man_on(square) {
        Some((_, Piece::Pawn)) => "pawn",
        Some((_, Piece::Knight)) => "knight",
        Some((_, Piece::Bishop)) => "bishop",
        Some((_, Piece::Rook)) => "rook",
        Some((_, Piece::Queen)) => "queen",
        _ => "king",
    };
    let lost = before.own() & !now.own();
    lost.into_iter().map(|square| format!(" Your {} on {square} is gone.", name(square))).collect()
}

/// Lines from a person or a pipe; only a person is prompted.
struct Input {
    prompts: bool,
}

impl Input {
    fn new() -> Input {
        Input { prompts: io::stdin().is_terminal() }
    }

    /// The next line without the space around it; `None` when there is no more.
    fn line(&self, out: &mut impl Write, prompt: &str) -> anyhow::Result<Option<String>> {
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

/// The record of the game, and the file it goes to. Ctrl-C, a closed terminal and the end of the game all
/// save it, and only the first of them does.
struct Book {
    page: Arc<Mutex<Page>>,
    file: Option<PathBuf>,
}

struct Page {
    record: Record,
    saved: bool,
}

impl Book {
    fn open(record: Record, file: Option<PathBuf>) -> anyhow::Result<Book> {
        let page = Arc::new(Mutex::new(Page { record, saved: false }));
        if let Some(file) = &file {
            // A file that cannot be written is said before the game, not after it.
            append(file, "")?;
            save_on_interrupt(file.clone(), Arc::clone(&page))?;
        }
        Ok(Book { page, file })
    }

    fn read(&self) -> Record {
        self.page.lock().unwrap_or_else(PoisonError::into_inner).record.clone()
    }

    fn write(&self, change: impl FnOnce(&mut Record)) {
        change(&mut self.page.lock().unwrap_or_else(PoisonError::into_inner).record);
    }

    fn save(&self) -> anyhow::Result<()> {
        match &self.file {
            Some(file) => save(&self.page, file),
            None => Ok(()),
        }
    }
}

fn save(page: &Mutex<Page>, file: &Path) -> anyhow::Result<()> {
    let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
    if !page.saved {
        append(file, &format!("{}\n", page.record.to_pgn()?))?;
        page.saved = true;
    }
    Ok(())
}

/// Adds a game to a file, an empty line behind what stands there already.
fn append(file: &Path, game: &str) -> anyhow::Result<()> {
    let write = || {
        let mut opened = OpenOptions::new().read(true).append(true).create(true).open(file)?;
        let mut before = Vec::new();
        let length = opened.seek(SeekFrom::End(0))?;
        opened.seek(SeekFrom::Start(length.saturating_sub(2)))?;
        opened.read_to_end(&mut before)?;
        let gap = match before[..] {
            _ if game.is_empty() => "",
            [] | [b'\n', b'\n'] => "",
            [.., b'\n'] => "\n",
            _ => "\n\n",
        };
        opened.write_all(format!("{gap}{game}").as_bytes())
    };
    write().with_context(|| format!("cannot write {}", file.display()))
}

/// Ctrl-C or a closed terminal saves the game as far as it went, and leaves with 130.
fn save_on_interrupt(file: PathBuf, page: Arc<Mutex<Page>>) -> anyhow::Result<()> {
    ctrlc::set_handler(move || {
        match save(&page, &file) {
            Ok(()) => complain(&format!("\nSaved to {}.", file.display())),
            Err(error) => complain(&format!("\nscuro: {error:#}")),
        }
        std::process::exit(130);
    })
    .context("cannot watch for Ctrl-C")
}
