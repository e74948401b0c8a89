//! The chart: plies to the right, sizes upwards on a scale of powers of ten, three lines that differ in dashes and
//! marks as well as in colour. Plain SVG that stands alone.

use std::fmt::Write;

use super::{Ply, Size};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 490.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 104.0;
const BOTTOM: f64 = 58.0;
const INK: &str = "#33302a";

/// How one of the sizes of [`Ply`] is drawn.
struct Line {
    name: &'static str,
    color: &'static str,
    dashes: &'static str,
    mark: fn(f64, f64) -> String,
}

const LINES: [Line; 3] = [
    Line { name: "median", color: "#1b4f8f", dashes: "none", mark: circle },
    Line { name: "90th percentile", color: "#a8480f", dashes: "9 5", mark: square },
    Line { name: "largest", color: "#2f6b2f", dashes: "2 4", mark: triangle },
];

/// The growth of beliefs as an SVG document, up to where the median has passed the bound for good.
pub(super) fn svg(title: &str, growth: &[Ply], bound: usize) -> String {
    let growth = &growth[..shown(growth, 0)];
    let scale = Scale { plies: growth.len().max(2), decades: (bound as f64).log10().ceil().max(1.0) };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" font-family=\"sans-serif\" role=\"img\" aria-label=\"{title}\">\n\
         <title>{title}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f7f5f0\"/>\n"
    );
    label(&mut out, LEFT, 28.0, 17, "start", title);
    axes(&mut out, &scale);
    bound_line(&mut out, &scale, bound);
    for (i, line) in LINES.iter().enumerate() {
        let points: Vec<(f64, f64)> =
            points(growth, i, bound).map(|(ply, size)| scale.at(ply, size)).collect();
        draw(&mut out, line, &points, &points);
        let (x, y) = (LEFT + 190.0 * i as f64, 56.0);
        draw(&mut out, line, &[(x, y), (x + 44.0, y)], &[(x + 22.0, y)]);
        label(&mut out, x + 54.0, y + 5.0, 14, "start", line.name);
    }
    out.push_str("</svg>\n");
    out
}

/// How many plies of one line there are to show: up to the first from which on it is past the bound.
fn shown(growth: &[Ply], line: usize) -> usize {
    let exact = growth.iter().rposition(|ply| ply.sizes[line] < Size::Past).map_or(0, |last| last + 1);
    growth.len().min(exact + 1)
}

/// Plies and sizes of one line; what is past the bound lies on it.
fn points(growth: &[Ply], line: usize, bound: usize) -> impl Iterator<Item = (usize, f64)> {
    (1..).zip(&growth[..shown(growth, line)]).map(move |(number, ply)| match ply.sizes[line] {
        Size::Exact(size) => (number, size as f64),
        Size::Past => (number, bound as f64),
    })
}

struct Scale {
    plies: usize,
    decades: f64,
}

impl Scale {
    fn at(&self, ply: usize, size: f64) -> (f64, f64) {
        let right = (ply - 1) as f64 / (self.plies - 1) as f64;
        let up = size.max(1.0).log10() / self.decades;
        (LEFT + right * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM))
    }
}

fn axes(out: &mut String, scale: &Scale) {
    for decade in 0..=scale.decades as u32 {
        let (x, y) = scale.at(1, 10f64.powi(decade as i32));
        rule(out, (x, y), (WIDTH - RIGHT, y), "#d8d3c6", "none");
        label(out, x - 10.0, y + 5.0, 13, "end", &thousands(10usize.pow(decade)));
    }
    let step = if scale.plies > 24 { 5 } else { 1 };
    for ply in (1..=scale.plies).filter(|ply| step == 1 || ply % step == 0) {
        let (x, y) = scale.at(ply, 1.0);
        rule(out, (x, y), (x, y + 5.0), INK, "none");
        label(out, x, y + 21.0, 13, "middle", &ply.to_string());
    }
    let (corner, end) = (scale.at(1, 1.0), scale.at(scale.plies, 1.0));
    rule(out, corner, end, INK, "none");
    rule(out, corner, (LEFT, TOP), INK, "none");
    label(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14.0, 14, "middle", "turns played (of both sides)");
    let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
    let _ = writeln!(
        out,
        "<text transform=\"translate(20 {middle}) rotate(-90)\" font-size=\"14\" text-anchor=\"middle\" \
         fill=\"{INK}\">positions in the belief of the player to move</text>"
    );
}

fn bound_line(out: &mut String, scale: &Scale, bound: usize) {
    let (left, y) = scale.at(1, bound as f64);
    rule(out, (left, y), (WIDTH - RIGHT, y), INK, "12 4 2 4");
    let words = format!("bound {}: past it a belief is a sample", thousands(bound));
    label(out, left + 10.0, y - 7.0, 13, "start", &words);
}

fn draw(out: &mut String, line: &Line, points: &[(f64, f64)], marks: &[(f64, f64)]) {
    let Line { color, dashes, .. } = line;
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<g fill=\"{color}\"><polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
         stroke-dasharray=\"{dashes}\"/>",
        path.join(" ")
    );
    marks.iter().for_each(|&(x, y)| out.push_str(&(line.mark)(x, y)));
    out.push_str("</g>\n");
}

fn circle(x: f64, y: f64) -> String {
    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\n")
}

fn square(x: f64, y: f64) -> String {
    format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\"/>\n", x - 4.0, y - 4.0)
}

fn triangle(x: f64, y: f64) -> String {
    format!("<path d=\"M{:.1} {:.1}h10l-5 -9z\"/>\n", x - 5.0, y + 4.0)
}

fn rule(out: &mut String, from: (f64, f64), to: (f64, f64), color: &str, dashes: &str) {
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{color}\" \
         stroke-dasharray=\"{dashes}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn label(out: &mut String, x: f64, y: f64, size: u32, anchor: &str, words: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{INK}\">{words}</text>"
    );
}

/// As in `300,000`.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
