//! Charts: lines over two axes, each counted plainly or in powers of ten. Lines differ in dashes and marks as well as
//! in colour. Plain SVG that stands alone.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 490.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 104.0;
const BOTTOM: f64 = 58.0;
const INK: &str = "#33302a";

/// A line with more points than this has no marks: they would touch.
const MOST_MARKS: usize = 40;

/// What to draw.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Stands above it.
    pub title: String,
    /// To the right.
    pub across: Axis,
    /// Upwards.
    pub up: Axis,
    /// The lines, three at most: their names, and their points.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
    /// A height that is marked by a line of its own, and what it is called.
    pub bound: Option<(f64, String)>,
}

/// One direction of a chart.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is counted.
    pub label: String,
    /// Whether equal distances are equal ratios.
    pub logarithmic: bool,
    /// Where the axis starts.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// Where numbers stand, and which.
    pub ticks: Vec<(f64, String)>,
}

impl Axis {
    /// An axis in powers of ten that holds all of `numbers`, which are above zero.
    #[must_use]
    pub fn decades(label: &str, numbers: impl Iterator<Item = f64> + Clone) -> Axis {
        let (least, most) = (numbers.clone().fold(f64::INFINITY, f64::min), numbers.fold(0.0, f64::max));
        // A little slack, or a number just under a power of ten would cost a decade.
        let first = if least.is_finite() { (least.log10() + 1e-9).floor() as i32 } else { 0 };
        let last = ((most.max(f64::MIN_POSITIVE).log10() - 1e-9).ceil() as i32).max(first + 1);
        // No more numbers than can be read.
        let step = 1 + (last - first) / 9;
        let ticks = (first..=last).filter(|decade| (last - decade) % step == 0);
        Axis {
            label: label.to_owned(),
            logarithmic: true,
            low: 10f64.powi(first),
            high: 10f64.powi(last),
            ticks: ticks.map(|decade| (10f64.powi(decade), power_of_ten(decade))).collect(),
        }
    }

    /// How far along the axis a number stands, from 0 to 1.
    fn share(&self, number: f64) -> f64 {
        let on = |number: f64| if self.logarithmic { number.max(self.low).log10() } else { number };
        (on(number) - on(self.low)) / (on(self.high) - on(self.low))
    }
}

/// As in `10,000`, `1e6`, `0.01` or `1e-6`.
fn power_of_ten(decade: i32) -> String {
    match decade {
        0..=5 => thousands(10usize.pow(decade as u32)),
        -4..0 => format!("{:.*}", decade.unsigned_abs() as usize, 10f64.powi(decade)),
        _ => format!("1e{decade}"),
    }
}

/// How a line is drawn.
struct Style {
    color: &'static str,
    dashes: &'static str,
    mark: fn(f64, f64) -> String,
}

const STYLES: [Style; 3] = [
    Style { color: "#1b4f8f", dashes: "none", mark: circle },
    Style { color: "#a8480f", dashes: "9 5", mark: square },
    Style { color: "#2f6b2f", dashes: "2 4", mark: triangle },
];

impl Chart {
    /// The chart as an SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        let title = escape(&self.title);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"sans-serif\" role=\"img\" aria-label=\"{title}\">\n\
             <title>{title}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f7f5f0\"/>\n"
        );
        label(&mut out, LEFT, 28.0, 17, "start", &self.title);
        self.axes(&mut out);
        if let Some((height, words)) = &self.bound {
            let (left, y) = self.at(self.across.low, *height);
            rule(&mut out, (left, y), (WIDTH - RIGHT, y), INK, "12 4 2 4");
            label(&mut out, left + 10.0, y - 7.0, 13, "start", words);
        }
        for (i, ((name, points), style)) in self.lines.iter().zip(&STYLES).enumerate() {
            let points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| self.at(x, y)).collect();
            let (x, y) = (LEFT + 190.0 * i as f64, 56.0);
            let (sample, middle) = ([(x, y), (x + 44.0, y)], [(x + 22.0, y)]);
            let marked = points.len() <= MOST_MARKS;
            draw(&mut out, style, &points, if marked { &points } else { &[] });
            draw(&mut out, style, &sample, if marked { &middle } else { &[] });
            label(&mut out, x + 54.0, y + 5.0, 14, "start", name);
        }
        out.push_str("</svg>\n");
        out
    }

    /// Where a point stands on the page.
    fn at(&self, across: f64, up: f64) -> (f64, f64) {
        let (right, up) = (self.across.share(across), self.up.share(up));
        (LEFT + right * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM))
    }

    fn axes(&self, out: &mut String) {
        let Chart { across, up, .. } = self;
        for (height, words) in &up.ticks {
            let (x, y) = self.at(across.low, *height);
            rule(out, (x, y), (WIDTH - RIGHT, y), "#d8d3c6", "none");
            label(out, x - 10.0, y + 5.0, 13, "end", words);
        }
        for (place, words) in &across.ticks {
            let (x, y) = self.at(*place, up.low);
            rule(out, (x, y), (x, y + 5.0), INK, "none");
            // A long number at the end stands further left: a digit is about 8 wide.
            let x = x.min(WIDTH - 4.0 - 4.2 * words.len() as f64);
            label(out, x, y + 21.0, 13, "middle", words);
        }
        let (corner, end) = (self.at(across.low, up.low), self.at(across.high, up.low));
        rule(out, corner, end, INK, "none");
        rule(out, corner, (LEFT, TOP), INK, "none");
        label(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14.0, 14, "middle", &across.label);
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "<text transform=\"translate(20 {middle}) rotate(-90)\" font-size=\"14\" text-anchor=\"middle\" \
             fill=\"{INK}\">{}</text>",
            escape(&up.label)
        );
    }
}

fn draw(out: &mut String, style: &Style, points: &[(f64, f64)], marks: &[(f64, f64)]) {
    let Style { color, dashes, mark } = style;
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        out,
        "<g fill=\"{color}\"><polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
         stroke-dasharray=\"{dashes}\"/>",
        path.join(" ")
    );
    marks.iter().for_each(|&(x, y)| out.push_str(&mark(x, y)));
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
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{INK}\">{}</text>",
        escape(words)
    );
}

/// The text with what means something to SVG made harmless.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// As in `300,000`.
#[must_use]
pub fn thousands(number: usize) -> String {
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
