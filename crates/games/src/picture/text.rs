//! Boards as text: letters for men, a dot for an empty square, shading for fog.

use super::Picture;
use crate::chess::{Color, Seen, letter};

/// The board in ten lines: title, eight ranks, files.
#[must_use]
pub fn text(picture: &Picture) -> Vec<String> {
    let mut lines = vec![format!("    {}", picture.title)];
    for row in picture.rows() {
        let mut line = String::new();
        for (square, seen) in row {
            if line.is_empty() {
                line = format!("  {} ", char::from(square.rank()));
            }
            match seen {
                Seen::Nothing => line.push_str("░░"),
                Seen::Empty => line.push_str("· "),
                Seen::Man(color, piece) => {
                    line.push(letter(piece, color));
                    line.push(' ');
                }
            }
        }
        lines.push(line);
    }
    let files = if picture.below == Color::White { "a b c d e f g h" } else { "h g f e d c b a" };
    lines.push(format!("    {files}"));
    lines
}

/// Boards side by side.
#[must_use]
pub fn beside(pictures: &[Picture]) -> String {
    let boards: Vec<Vec<String>> = pictures.iter().map(text).collect();
    let mut out = String::new();
    for row in 0..boards.first().map_or(0, Vec::len) {
        let line: String = boards.iter().map(|board| format!("{:<24}", board[row])).collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::fog::View;

    #[test]
    fn both_sides_of_a_small_position() {
        let board: Board = "4k3/8/8/8/3pP3/8/3P4/4K2R b K e3 0 1".parse().unwrap();
        let pictures = [
            Picture::of_board("Position", &board, Color::White),
            Picture::of_view("White sees", &View::of(&board, Color::White)),
            Picture::of_view("Black sees", &View::of(&board, Color::Black)),
        ];
        let expected = "
    Position                White sees              Black sees
  8 · · · · k · · ·       8 ░░░░░░░░░░░░░░·       1 ░░░░░░░░░░░░░░░░
  7 · · · · · · · ·       7 ░░░░░░░░░░░░░░·       2 ░░░░░░░░░░░░░░░░
  6 · · · · · · · ·       6 ░░░░░░░░░░░░░░·       3 ░░░░░░· · ░░░░░░
  5 · · · · · · · ·       5 ░░░░░░░░· ░░░░·       4 ░░░░░░P p ░░░░░░
  4 · · · p P · · ·       4 ░░░░░░░░P ░░░░·       5 ░░░░░░░░░░░░░░░░
  3 · · · · · · · ·       3 ░░░░░░· ░░░░░░·       6 ░░░░░░░░░░░░░░░░
  2 · · · P · · · ·       2 ░░░░░░P · · ░░·       7 ░░░░· · · ░░░░░░
  1 · · · · K · · R       1 ░░░░░░· K · · R       8 ░░░░· k · ░░░░░░
    a b c d e f g h         a b c d e f g h         h g f e d c b a
";
        assert_eq!(format!("\n{}", beside(&pictures)), expected);
    }
}
