//! Boards as SVG: our own pieces, plain shapes without fonts or links, so that a file stands alone.

use std::fmt::Write;

use super::Picture;
use crate::chess::{Color, Piece, Seen};

const SQUARE: usize = 45;
const MARGIN: usize = 26;
const TITLE: usize = 34;
const BOARD: usize = 8 * SQUARE;
const WIDTH: usize = BOARD + 2 * MARGIN;
const HEIGHT: usize = TITLE + BOARD + MARGIN;

/// Boards side by side as one SVG document.
#[must_use]
pub fn svg(pictures: &[Picture]) -> String {
    let width = WIDTH * pictures.len().max(1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" \
         height=\"{HEIGHT}\" font-family=\"sans-serif\">\n{DEFINITIONS}<rect width=\"{width}\" \
         height=\"{HEIGHT}\" fill=\"#f7f5f0\"/>\n"
    );
    for (i, picture) in pictures.iter().enumerate() {
        board(&mut out, picture, i * WIDTH);
    }
    out.push_str("</svg>\n");
    out
}

/// Fog is dark and hatched: it stays apart from both kinds of squares without colour.
const DEFINITIONS: &str = "<defs><pattern id=\"fog\" width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\" \
patternTransform=\"rotate(45)\"><rect width=\"9\" height=\"9\" fill=\"#5c6470\"/><rect width=\"4\" height=\"9\" \
fill=\"#4d5560\"/></pattern></defs>\n";

fn board(out: &mut String, picture: &Picture, left: usize) {
    let (x0, y0) = (left + MARGIN, TITLE);
    label(out, x0 + BOARD / 2, TITLE - 12, 16, &picture.title);
    for (row, squares) in picture.rows().enumerate() {
        for (column, (square, seen)) in squares.enumerate() {
            let (x, y) = (x0 + column * SQUARE, y0 + row * SQUARE);
            let light = (square.file() as usize + square.rank() as usize) % 2 == 1;
            let fill = match seen {
                Seen::Nothing => "url(#fog)",
                _ if light => "#eeead9",
                _ => "#b9a98a",
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>"
            );
            if let Seen::Man(color, piece) = seen {
                man(out, color, piece, x, y);
            }
            if column == 0 {
                label(out, left + MARGIN / 2, y + SQUARE / 2 + 5, 13, &char::from(square.rank()).to_string());
            }
            if row == 7 {
                label(out, x + SQUARE / 2, y + SQUARE + 18, 13, &char::from(square.file()).to_string());
            }
        }
    }
    let _ = writeln!(
        out,
        "<rect x=\"{x0}\" y=\"{y0}\" width=\"{BOARD}\" height=\"{BOARD}\" fill=\"none\" stroke=\"#33302a\"/>"
    );
}

fn label(out: &mut String, x: usize, y: usize, size: usize, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"#33302a\">{words}</text>"
    );
}

fn man(out: &mut String, color: Color, piece: Piece, x: usize, y: usize) {
    let (fill, line) = if color == Color::White { ("#fffdf5", "#1e1c18") } else { ("#2b2926", "#0c0b0a") };
    let detail = if color == Color::White { "#1e1c18" } else { "#efe9da" };
    let (body, marks) = shape(piece);
    let _ = writeln!(
        out,
        "<g transform=\"translate({x} {y})\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\
         <path d=\"{body}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.6\"/>\
         <path d=\"{marks}\" fill=\"none\" stroke=\"{detail}\" stroke-width=\"1.6\"/></g>"
    );
}

/// The outline of a man on a square of 45 by 45, and the marks drawn over it.
fn shape(piece: Piece) -> (&'static str, &'static str) {
    match piece {
        Piece::Pawn => (
            "M22.5 9a5.5 5.5 0 0 1 3.6 9.7c3.4 1.6 4.6 3.6 4.6 5.8h-3.4c.6 4 2.2 6.600 5.200 9.500v4h-20v-4\
             c3-2.900 4.600-5.500 5.200-9.500h-3.400c0-2.200 1.200-4.200 4.600-5.800A5.500 5.500 0 0 1 22.500 9z",
            "M14 34h17",
        ),
        Piece::Knight => (
            "M12 38c0-8 3.500-11.500 7.500-15l1-3.500c-2.500 1-4 3.500-6 5.500-1.500 1.500-4.500 1.500-5-.5-.5-2 3.500-10 6.500-13\
             l.5-5 4.500 3.500c9.500.5 14 10.500 12.500 28z",
            "M17.500 14.500v1.500M13 34h20M25 12.500c4 3 5.500 8 5.500 15",
        ),
        Piece::Bishop => (
            "M22.500 6a2.600 2.600 0 0 1 1.800 4.500c4.700 3.700 7.200 8 7.200 12 0 3.500-1.800 6-4 7.500 1.500 2.500 3.500 3.500 6.500 4v4\
             h-23v-4c3-.5 5-1.500 6.500-4-2.200-1.500-4-4-4-7.500 0-4 2.500-8.300 7.200-12A2.600 2.600 0 0 1 22.500 6z",
            "M22.500 15v9M18.500 19h8M17.500 30h10M13 34h19",
        ),
        Piece::Rook => (
            "M12 8h5v3.500h3V8h5v3.500h3V8h5v8l-3.500 3.500V30l3.500 4v4h-21v-4l3.500-4V19.500L12 16z",
            "M15.500 19.500h14M15.500 30h14M13 34h19",
        ),
        Piece::Queen => (
            "M7.500 12.500l6 7 1.500-11 5 9.500 2.500-11.500L25 18l5-9.500 1.500 11 6-7-4.500 17.500 1 4v4h-23v-4l1-4z",
            "M12 30h21M13 34h19",
        ),
        Piece::King => (
            "M21 5h3v3h3v3h-3v4c8-2.500 13 1 12.500 6-.3 3.500-3.500 6-4.500 9l1 4v4h-21v-4l1-4c-1-3-4.200-5.500-4.500-9\
             -.5-5 4.500-8.500 12.500-6v-4h-3V8h3z",
            "M22.500 16v13M13.500 30h18M13 34h19",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::fog::View;

    #[test]
    fn every_square_is_drawn_and_the_unseen_hold_no_man() {
        let view = View::of(&Board::start(), Color::Black);
        let drawn = svg(&[Picture::of_view("Black <sees>", &view)]);
        assert_eq!(drawn.matches("url(#fog)").count(), 32);
        assert_eq!(drawn.matches("<g transform").count(), 16);
        assert_eq!(drawn.matches("width=\"45\"").count(), 64);
        assert!(drawn.contains("Black &lt;sees>"));
    }
}
