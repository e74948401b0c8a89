//! After the game: every ply with the true position and what both sides knew.

use std::io::Write;

use scuro_games::chess::{BitBoard, Board, Color, MoveRules, color_name};
use scuro_games::picture::Picture;
use scuro_games::records::{Ply, Record};
use scuro_games::review::{Upto, known};

use super::screen::Screen;
use super::table::Input;

/// A game that is over, or was left.
pub(super) struct Review<'g> {
    pub(super) record: &'g Record,
    /// The true position before the first ply and after every ply.
    pub(super) boards: &'g [Board],
    pub(super) you: Color,
    pub(super) screen: Screen,
}

impl Review<'_> {
    /// Walks through the game, from its end on, as the person asks.
    pub(super) fn walk(&self, input: &Input, out: &mut impl Write) -> anyhow::Result<()> {
        let last = self.boards.len() - 1;
        let mut ply = last;
        loop {
            writeln!(out, "{}", self.heading(ply))?;
            let mut pictures = vec![Picture::of_board("Position", &self.boards[ply], self.you)];
            for color in [self.you, !self.you] {
                let picture = known(self.record, Upto::Ply(ply), color)?.picture;
                pictures.push(picture.titled(&format!("{} knew", color_name(color))));
            }
            writeln!(out, "{}", self.screen.boards(&pictures, BitBoard::EMPTY))?;
            let Some(next) = self.next(ply, input, out)? else { return Ok(()) };
            ply = next;
        }
    }

    /// Where it goes on; `None` at its end.
    fn next(&self, ply: usize, input: &Input, out: &mut impl Write) -> anyhow::Result<Option<usize>> {
        let last = self.boards.len() - 1;
        loop {
            let prompt = format!("Review, ply {ply} of {last}: n = next, b = back, a number, Enter = end: ");
            let Some(line) = input.line(out, &prompt)? else { return Ok(None) };
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

    /// `After 12... Nf6` or `Before the first move`.
    fn heading(&self, ply: usize) -> String {
        let Some(before) = ply.checked_sub(1) else { return "Before the first move".to_owned() };
        let (board, after) = (&self.boards[before], &self.boards[ply]);
        let dots = if board.side() == Color::White { "." } else { "..." };
        let pseudo_legal = |m| MoveRules::PseudoLegal.moves(board).contains(&m);
        let what = match self.record.plies[before] {
            Ply::Move(m) if board == after => format!("{m}, which was refused"),
            Ply::Move(m) if pseudo_legal(m) => board.san(m, Record::move_rules(self.record.variant)),
            Ply::Move(m) => format!("{m}, as it was asked for"),
            Ply::Any => "any?".to_owned(),
            Ply::Sense(Some(square)) => format!("a look at {square}"),
            Ply::Sense(None) => "no look".to_owned(),
            Ply::Pass => "no move".to_owned(),
        };
        format!("After {}{dots} {what}", board.number())
    }
}
