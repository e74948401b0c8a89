//! How boards look in a terminal: in colours where there are any, else in signs, else in plain letters.

use std::env;
use std::fmt::Write;
use std::io::{self, IsTerminal};

use scuro_games::chess::{BitBoard, Color, Piece, Seen, Square};
use scuro_games::picture::{Picture, beside};

/// What the terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Screen {
    /// Whether it has colours.
    colors: bool,
    /// Whether it has signs beyond ASCII.
    signs: bool,
}

/// Backgrounds of the 256 colours. White and black pieces are told apart by brightness on each of them.
const LIGHT: u8 = 67;
const DARK: u8 = 60;
const CHANGED: u8 = 130;
const FOG: u8 = 235;

impl Screen {
    /// What the environment says. Colours are for terminals, and for those who did not refuse them.
    pub(super) fn of_environment() -> Screen {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let dumb = set("TERM").is_none_or(|term| term == "dumb");
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
        // Where nobody has said anything, terminals of today understand UTF-8.
        let signs = locale.is_none_or(|locale| {
            let locale = locale.to_string_lossy().to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        Screen { colors: io::stdout().is_terminal() && set("NO_COLOR").is_none() && !dumb, signs }
    }

    /// Boards side by side; on the last of them the squares that have changed stand out.
    pub(super) fn boards(self, pictures: &[Picture], changed: BitBoard) -> String {
        if self.colors {
            return self.colored(pictures, changed);
        }
        let plain = beside(pictures);
        if self.signs {
            return plain;
        }
        let letters = plain.replace("░░", "? ").replace('·', ".");
        letters.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }

    fn colored(self, pictures: &[Picture], changed: BitBoard) -> String {
        let boards: Vec<Vec<String>> = pictures
            .iter()
            .enumerate()
            .map(|(i, picture)| {
                self.board(picture, if i + 1 == pictures.len() { changed } else { BitBoard::EMPTY })
            })
            .collect();
        let rows = boards.first().map_or(0, Vec::len);
        let row = |row: usize| boards.iter().map(|board| board[row].as_str()).collect::<Vec<_>>();
        (0..rows).map(|number| row(number).join(" ") + "\n").collect()
    }

    /// Ten lines of 26 columns: title, eight ranks, files. Three boards go into 80 columns.
    fn board(self, picture: &Picture, changed: BitBoard) -> Vec<String> {
        let mut lines = vec![format!("  \x1b[1m{:24}\x1b[0m", picture.title())];
        for row in picture.rows() {
            let mut line = String::new();
            for (square, seen) in row {
                if line.is_empty() {
                    line = format!("\x1b[2m{}\x1b[0m ", char::from(square.rank()));
                }
                line.push_str(&self.square(square, seen, changed.has(square)));
            }
            lines.push(line + "\x1b[0m");
        }
        let files = if picture.below() == Color::White { "abcdefgh" } else { "hgfedcba" };
        let files: String = files.chars().fold(String::new(), |mut line, file| {
            let _ = write!(line, " {file} ");
            line
        });
        lines.push(format!("  \x1b[2m{files}\x1b[0m"));
        lines
    }

    fn square(self, square: Square, seen: Seen, changed: bool) -> String {
        let light = (square.file() as u8 + square.rank() as u8) % 2 == 1;
        let ground = match (seen, changed, light) {
            (_, true, _) => CHANGED,
            (Seen::Nothing, ..) => FOG,
            (_, _, true) => LIGHT,
            _ => DARK,
        };
        match seen {
            Seen::Nothing => {
                let fog = if self.signs { "░░░" } else { "???" };
                format!("\x1b[48;5;{ground}m\x1b[38;5;239m{fog}")
            }
            Seen::Empty => format!("\x1b[48;5;{ground}m   "),
            Seen::Man(color, piece) => {
                let ink = if color == Color::White { "1;38;5;231" } else { "22;38;5;16" };
                format!("\x1b[48;5;{ground}m\x1b[{ink}m {} \x1b[22m", self.sign(color, piece))
            }
        }
    }

    /// Filled signs for both colours; letters as in FEN.
    fn sign(self, color: Color, piece: Piece) -> char {
        let letter = char::from(piece);
        match (self.signs, color) {
            (true, _) => match piece {
                Piece::Pawn => '♟',
                Piece::Knight => '♞',
                Piece::Bishop => '♝',
                Piece::Rook => '♜',
                Piece::Queen => '♛',
                Piece::King => '♚',
            },
            (false, Color::White) => letter.to_ascii_uppercase(),
            (false, Color::Black) => letter,
        }
    }

    /// A line that goes away when the next one comes; only where there are colours.
    pub(super) fn passing(self, words: &str) -> String {
        if self.colors { format!("\x1b[2m{words}\x1b[0m\r") } else { String::new() }
    }

    /// Takes a passing line away.
    pub(super) fn passed(self) -> &'static str {
        if self.colors { "\x1b[K" } else { "" }
    }
}

/// The squares of pieces that have come, gone or changed. That a square is seen now, or no longer, is no news by itself.
pub(super) fn changes(before: &Picture, now: &Picture) -> BitBoard {
    let mine = |seen: Seen| matches!(seen, Seen::Man(color, _) if color == now.below());
    let news = |square: &Square| match (before.at(*square), now.at(*square)) {
        (was, is) if was == is => false,
        // Own pieces are known to be gone, of the others only that they are out of sight.
        (was, Seen::Nothing) => mine(was),
        (Seen::Nothing, Seen::Empty) => false,
        _ => true,
    };
    Square::ALL.into_iter().filter(news).fold(BitBoard::EMPTY, |all, square| all | square.bitboard())
}

#[cfg(test)]
mod tests {
    use scuro_games::chess::Board;
    use scuro_games::fog::View;

    use super::*;

    fn pictures() -> [Picture; 2] {
        let board: Board = "4k3/8/8/8/3pP3/8/3P4/4K2R w K - 0 1".parse().unwrap();
        let before = Picture::of_view("You saw", &View::of(&board, Color::White));
        let after = board.play("h1h8".parse().unwrap());
        [before, Picture::of_view("You see now", &View::of(&after, Color::White))]
    }

    #[test]
    fn without_utf_8_there_are_only_letters() {
        let pictures = pictures();
        let plain = Screen { colors: false, signs: false }.boards(&pictures, BitBoard::EMPTY);
        assert!(plain.is_ascii() && plain.contains("  1 ? ? ? . K . . R"), "{plain}");
        let colored = Screen { colors: true, signs: false }.boards(&pictures, BitBoard::EMPTY);
        assert!(colored.is_ascii() && !colored.is_empty());
        assert_eq!(
            Screen { colors: false, signs: true }.boards(&pictures, BitBoard::EMPTY),
            beside(&pictures)
        );
    }

    /// Without its colours a board is 26 columns wide, so that three of them fit.
    #[test]
    fn coloured_boards_are_as_wide_as_they_should_be() {
        let shown = Screen { colors: true, signs: true }.boards(&pictures(), BitBoard::EMPTY);
        for line in shown.lines() {
            let visible: usize = line.split('\x1b').enumerate().fold(0, |sum, (i, part)| {
                let text = if i == 0 { part } else { part.split_once('m').map_or("", |(_, text)| text) };
                sum + text.chars().count()
            });
            assert_eq!(visible, 53, "{line:?}");
        }
    }

    #[test]
    fn pieces_that_come_in_sight_are_changes_and_light_is_not() {
        let [before, now] = pictures();
        let squares: Vec<String> = changes(&before, &now).into_iter().map(|at| at.to_string()).collect();
        assert_eq!(squares, ["h1", "e8", "h8"]);
    }
}
