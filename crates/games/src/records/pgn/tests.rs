use std::io::{self, BufReader, Read};
use std::time::{Duration, UNIX_EPOCH};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;

fn read(text: &[u8]) -> Vec<Result<PgnGame, PgnError>> {
    PgnReader::new(text).collect()
}

/// The structure of a game, in one line without numbers or layout: `tags | moves result`.
fn sketch(game: &PgnGame) -> String {
    fn moves(line: &[PgnMove], out: &mut String) {
        for played in line {
            out.push_str(&format!("{} ", played.text));
            played.nags.iter().for_each(|nag| out.push_str(&format!("${nag} ")));
            played.comments.iter().for_each(|comment| out.push_str(&format!("{{{comment}}} ")));
            for variation in &played.variations {
                out.push_str("( ");
                moves(variation, out);
                out.push_str(") ");
            }
        }
    }
    let mut out = String::new();
    game.tags.iter().for_each(|(name, value)| out.push_str(&format!("{name}={value} ")));
    out.push_str("| ");
    game.before.iter().for_each(|comment| out.push_str(&format!("{{{comment}}} ")));
    moves(&game.moves, &mut out);
    out + &game.result.to_string()
}

/// What is read, then the sketch of each game in it.
const GOOD: &[(&str, &[&str])] = &[
    ("", &[]),
    (" \n\n% no game\n", &[]),
    ("; a comment is no game", &[]),
    ("*", &["| *"]),
    ("1. e4 e5 2. Nf3 1-0", &["| e4 e5 Nf3 1-0"]),
    ("1.e4 e5 2.Nf3 Nc6 0-1\n", &["| e4 e5 Nf3 Nc6 0-1"]),
    ("12...Nf6 13 d4 13... 0-0 14 . O-O-O+ 1/2-1/2", &["| Nf6 d4 0-0 O-O-O+ 1/2-1/2"]),
    ("e8=Q# exd5 Nbd7 R1e2+ 0-0-0 -- --", &["| e8=Q# exd5 Nbd7 R1e2+ 0-0-0 -- -- *"]),
    ("e4! e5? d4!! d5?? c4!? c5?! *", &["| e4 $1 e5 $2 d4 $3 d5 $4 c4 $5 c5 $6 *"]),
    ("e4 ! $14$255 e5 ?! *", &["| e4 $1 $14 $255 e5 $6 *"]),
    ("1. ?? e5 2. d4?? ?? ??{:} $4 *", &["| ?? e5 d4 $4 ?? ?? $4 {:} *"]),
    ("\u{feff}[A \"b\"]\r\n\r\n1. e4\r\ne5\r\n1-0\r\n", &["A=b | e4 e5 1-0"]),
    ("[A \"b\"]\n[C \"\"]\n\n*", &["A=b C= | *"]),
    ("  [ A\t\"b\" ] [C\"d\"]e4 *", &["A=b C=d | e4 *"]),
    (r#"[A "say \"\\o/\" \n"] *"#, &[r#"A=say "\o/" \n | *"#]),
    ("[A \"1. e4 {x] ; (\"]\n*", &["A=1. e4 {x] ; ( | *"]),
    ("[A \"b\"]\n; between\n[C \"d\"]\n%[E \"f\"]\n*", &["A=b C=d | {between} *"]),
    ("{one} [A \"b\"]\n{two}\n\n; three }\n1. e4 *", &["A=b | {one} {two} {three }} e4 *"]),
    ("1. e4 {} {a\n  b\r\n\n%c { [d} e5 ;rest ) 1-0\n0-1", &["| e4 {} {a b %c { [d} e5 {rest ) 1-0} 0-1"]),
    ("e4 *{late} ; later\n{next} d4 *", &["| e4 {late} {later} *", "| {next} d4 *"]),
    ("e4 {White resigns} 1-0 ; end", &["| e4 {White resigns} {end} 1-0"]),
    ("e4 (d4 d5 (d6 $1) (f5)) (c4) e5 *", &["| e4 ( d4 d5 ( d6 $1 ) ( f5 ) ) ( c4 ) e5 *"]),
    ("e4 (1... {why} e5 {not}) () ({only}) *", &["| e4 {only} ( e5 {why} {not} ) *"]),
    ("[A \"b\"]\n\n1. e4\n[A \"c\"]\n\n[A \"d\"]\n\n1. d4", &["A=b | e4 *", "A=c | *", "A=d | d4 *"]),
    ("e4 1-0 d4 0-1\n*", &["| e4 1-0", "| d4 0-1", "| *"]),
];

#[test]
fn good_texts() {
    for (text, expected) in GOOD {
        let games: Vec<String> = read(text.as_bytes())
            .iter()
            .map(|game| game.as_ref().map_or_else(ToString::to_string, sketch))
            .collect();
        assert_eq!(&games, expected, "{text:?}");
    }
}

/// What is read, then the message of its one error, then how many games are read all the same.
const BAD: &[(&str, &str, usize)] = &[
    ("1. e4 {never\nclosed", "line 1, column 7: this comment is not closed before the end of the text", 0),
    (
        "[A \"b\"]\n\ne4 {x\n\n[Event \"\"]\n\n*",
        "line 3, column 4: this comment is not closed before the next game",
        1,
    ),
    (
        "[A \"b\"]\n{x\n[Event \"\"]\n\n*",
        "line 2, column 1: this comment is not closed before the next game",
        1,
    ),
    ("e4 (d4 (c4) *", "line 1, column 4: this variation is not closed before the result *", 0),
    ("e4\n(d4 (c4\n", "line 2, column 5: this variation is not closed before the end of the text", 0),
    ("e4 (d4\n[A \"b\"] *", "line 1, column 4: this variation is not closed before '['", 1),
    (
        "e4 e5) *",
        "line 1, column 6: expected a move, a comment or a result, found a ')' that closes nothing",
        0,
    ),
    ("é", "line 1, column 1: expected a move, a comment or a result, found 'é'", 0),
    ("{é} e4 }", "line 1, column 8: expected a move, a comment or a result, found '}'", 0),
    ("e4 <d4>", "line 1, column 4: expected a move, a comment or a result, found '<'", 0),
    ("e4 [A \"b\"]", "line 1, column 4: expected a move, a comment or a result, found '['", 0),
    ("e4 12Nf6 *", "line 1, column 4: expected a move, a move number or a result, found \"12Nf6\"", 0),
    ("1/2", "line 1, column 1: expected a move, a move number or a result, found \"1/2\"", 0),
    ("(e4)", "line 1, column 1: expected a move, found a variation of none", 0),
    ("e4 ((d4))", "line 1, column 5: expected a move, found a variation of none", 0),
    ("1. $1 e4", "line 1, column 4: expected a move, found an annotation", 0),
    ("e4 $256", "line 1, column 4: expected $0 to $255, found $256", 0),
    ("e4 $x", "line 1, column 4: expected $0 to $255, found $", 0),
    ("e4??? *", "line 1, column 3: expected one of ! ? !! ?? !? ?!, found ???", 0),
    ("[\"b\"]", "line 1, column 2: expected the name of a tag, found '\"'", 0),
    ("[é \"b\"]", "line 1, column 2: expected the name of a tag, found 'é'", 0),
    ("[A b]\n[C \"d\"]\n\n*", "line 1, column 4: expected '\"' before the value of a tag, found 'b'", 0),
    ("[A \"é]\n", "line 1, column 7: expected '\"' after the value of a tag, found the end of the line", 0),
    ("[A \"b\\", "line 1, column 7: expected '\"' after the value of a tag, found the end of the line", 0),
    ("[A \"b\"\n[C \"d\"]", "line 1, column 7: expected ']' after a tag, found the end of the line", 0),
    ("[A \"the \"best\"\"]", "line 1, column 10: expected ']' after a tag, found 'b'", 0),
    (
        "[A \"b\"] e4 > e5\n[A \"c\"]\n\n*",
        "line 1, column 12: expected a move, a comment or a result, found '>'",
        1,
    ),
];

#[test]
fn bad_texts() {
    for &(text, message, good) in BAD {
        let games = read(text.as_bytes());
        let errors: Vec<String> =
            games.iter().filter_map(|game| game.as_ref().err().map(ToString::to_string)).collect();
        assert_eq!(errors, [message], "{text:?}");
        assert_eq!(games.len() - 1, good, "{text:?}");
    }
}

#[test]
fn games_after_a_broken_one_are_read() {
    let text = "[Event \"1\"]\n\n1. e4 *\n\n[Event \"2\"]\n[Site ]\n[Round \"2\"]\n\n1. e4 {\n[x} *\n\n\
                [Event \"3\"]\n\n1. e4 ) e5\n2. d4 *\n\n[Event \"4\"]\n\n1. d4 *\n";
    let games: Vec<(usize, String)> = read(text.as_bytes())
        .into_iter()
        .map(|game| match game {
            Ok(game) => (game.line, game.tag("Event").unwrap_or_default().to_owned()),
            Err(error) => (error.line, "broken".to_owned()),
        })
        .collect();
    let expected = [(1, "1"), (6, "broken"), (10, "broken"), (14, "broken"), (17, "4")];
    assert_eq!(games, expected.map(|(line, name)| (line, name.to_owned())));
}

#[test]
fn moves_know_their_places() {
    let game = read("\u{feff}{é} e4! (1. d4)\r\n  1... e5".as_bytes()).remove(0).unwrap();
    let places = [&game.moves[0], &game.moves[0].variations[0][0], &game.moves[1]];
    assert_eq!(places.map(|played| (played.line, played.column)), [(1, 5), (1, 13), (2, 8)]);
}

#[test]
fn a_line_that_is_not_utf8_is_latin1() {
    let game = read(b"[A \"Andr\xe9\"]\n[B \"Andr\xc3\xa9\"]\n*").remove(0).unwrap();
    assert_eq!((game.tag("A"), game.tag("B"), game.tag("a")), (Some("André"), Some("André"), None));
}

#[test]
fn variations_can_be_skipped_but_must_be_whole() {
    let skipped = |text: &'static str| PgnReader::new(text.as_bytes()).skip_variations().next().unwrap();
    assert_eq!(sketch(&skipped("e4 {a} (d4 {b} (c4)) ({c}) {d} e5 *").unwrap()), "| e4 {a} {d} e5 *");
    assert!(skipped("e4 (d4 e5 *").is_err());
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| "a".to_owned() + &"(a".repeat(depth) + &")".repeat(depth) + " *";
    assert!(read(nested(MAX_DEPTH).as_bytes())[0].is_ok());
    let deep = read(nested(1_000_000).as_bytes()).remove(0).unwrap_err();
    assert_eq!((deep.line, deep.column), (1, 2 + 2 * MAX_DEPTH));
    assert!(matches!(deep.kind, PgnErrorKind::TooDeep));
}

#[test]
fn a_reader_that_fails_ends_the_games() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    let games: Vec<_> = PgnReader::new(BufReader::new("e4 *\ne5\n".as_bytes().chain(Failing))).collect();
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].as_ref().unwrap_err().to_string(), "line 3, column 1: cannot read on: gone");
}

#[test]
fn the_export_layout() {
    let text = "[Extra \"1\"][White \"\\\"W\\\\\"][Event \"e\"][FEN \"8/8/8/8/8/8/8/8 b - - 0 12\"]\n\
                {intro} Nf6! {c [%clk 0:01:00]} 13. d4 (c4 (b4 $14) e5 ; x }\n d3) 13... d5 14. c4 *";
    let expected = "[Event \"e\"]\n[White \"\\\"W\\\\\"]\n[Extra \"1\"]\n[FEN \"8/8/8/8/8/8/8/8 b - - 0 12\"]\n\n\
                    {intro} 12... Nf6 $1 {c [%clk 0:01:00]} 13. d4 (13. c4 (13. b4 $14) 13... e5 {x\n\
                    )} 14. d3) 13... d5 14. c4 *\n";
    assert_eq!(read(text.as_bytes()).remove(0).unwrap().to_string(), expected);
    assert_eq!(PgnGame::default().to_string(), "*\n");
}

#[test]
fn good_texts_written_one_after_the_other_are_read_back() {
    let games: Vec<PgnGame> =
        GOOD.iter().flat_map(|(text, _)| read(text.as_bytes())).map(Result::unwrap).collect();
    let text: String = games.iter().map(|game| format!("{game}\n")).collect();
    let back: Vec<PgnGame> = read(text.as_bytes()).into_iter().map(Result::unwrap).collect();
    assert_eq!(back.len(), games.len());
    for (game, back) in games.iter().zip(&back) {
        assert_eq!(sketch(back), sketch(game).replace("{three }}", "{three )}"));
    }
}

#[test]
fn no_line_of_a_comment_looks_like_a_tag() {
    let comment = "[Event \"x\"] %y ".repeat(50).trim_end().to_owned();
    let played = PgnMove { text: "e4".to_owned(), comments: vec![comment], ..PgnMove::default() };
    let game = PgnGame { moves: vec![played], ..PgnGame::default() };
    let text = game.to_string();
    assert!(text.lines().all(|line| !line.starts_with(['[', '%']) && line.len() <= 79), "{text}");
    assert_eq!(read(text.as_bytes()).remove(0).unwrap(), game);
}

#[test]
fn ten_thousand_games_stream() {
    /// Makes its games as they are asked for, and counts them.
    struct Games<'a> {
        made: &'a std::cell::Cell<usize>,
        ready: io::Cursor<Vec<u8>>,
    }
    impl Read for Games<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let made = self.made.get();
            if self.ready.position() == self.ready.get_ref().len() as u64 && made < 10_000 {
                self.made.set(made + 1);
                self.ready =
                    io::Cursor::new(format!("[Round \"{made}\"]\n\n1. e4 {{x}} e5 *\n\n").into_bytes());
            }
            self.ready.read(buffer)
        }
    }
    let made = std::cell::Cell::new(0);
    let games = Games { made: &made, ready: io::Cursor::default() };
    let mut count = 0;
    for game in PgnReader::new(BufReader::with_capacity(16, games)) {
        assert_eq!(game.unwrap().tag("Round"), Some(count.to_string().as_str()));
        count += 1;
        assert!(made.get() <= count + 1, "{} games were taken to read {count}", made.get());
    }
    assert_eq!(count, 10_000);
}

#[test]
fn long_lines_take_linear_time() {
    let text = "[A \"b\"] ".to_owned() + &"e4 ".repeat(300_000) + &"{x y} ".repeat(300_000);
    let game = read(text.as_bytes()).remove(0).unwrap();
    assert_eq!((game.moves.len(), game.moves[299_999].comments.len()), (300_000, 300_000));
}

/// Lines of moves, nested a little.
fn any_moves() -> impl Strategy<Value = Vec<PgnMove>> {
    let text = "[a-hNBRQK][a-h]?x?[1-8](=Q)?[+#]?|0-0|O-O-O|\\?\\?|--";
    let comment = "([!-|~é]{1,30}( [!-|~é]{1,9}){0,5})?";
    let bare = (text, vec(any::<u8>(), 0..3), vec(comment, 0..3))
        .prop_map(|(text, nags, comments)| PgnMove { text, nags, comments, ..PgnMove::default() });
    let line = vec(bare.clone(), 1..6);
    line.prop_recursive(3, 40, 3, move |inner| {
        vec((bare.clone(), vec(inner, 0..3)), 1..6).prop_map(|line| {
            line.into_iter().map(|(played, variations)| PgnMove { variations, ..played }).collect()
        })
    })
}

fn any_game() -> impl Strategy<Value = PgnGame> {
    let fen = prop_oneof!["[ -~é]{0,20}", "[pP1-8/]{3} [wb] - - 0 [0-9]{1,3}"];
    let tags =
        (proptest::option::of("[ -~é]{0,90}"), vec(("[A-D_][a-z0-9]{0,5}", "[ -~é\t]{0,20}"), 0..4), fen);
    let result = prop_oneof![
        Just(PgnResult::White),
        Just(PgnResult::Black),
        Just(PgnResult::Draw),
        Just(PgnResult::Unknown)
    ];
    (tags, vec("[a-z{;(\\[%]{1,9}", 0..3), prop_oneof![Just(Vec::new()), any_moves()], result).prop_map(
        |((event, others, fen), before, moves, result)| {
            let event = event.map(|event| ("Event".to_owned(), event));
            let tags = event.into_iter().chain(others).chain([("FEN".to_owned(), fen)]).collect();
            PgnGame { tags, before, moves, result, line: 0 }
        },
    )
}

/// Reads all there is: the iterator must end, and every error must have a place.
fn read_to_the_end(text: &[u8]) -> Result<(), TestCaseError> {
    for game in PgnReader::new(text).take(text.len() + 2) {
        let (line, column) = game.map_or_else(|error| (error.line, error.column), |game| (game.line, 1));
        prop_assert!(line > 0 && column > 0);
    }
    prop_assert!(PgnReader::new(text).count() <= text.len());
    Ok(())
}

/// What means something to a reader.
const PIECES: &[&str] = &[
    "[",
    "]",
    "[Event \"",
    "\"",
    "\\",
    "{",
    "}",
    "(",
    ")",
    "$",
    "9",
    ".",
    "??",
    "!",
    "e4",
    "1-0",
    "*",
    ";",
    "%",
    "\n",
    "\r\n",
    " ",
    "é",
    "\u{feff}",
];

proptest! {
    #[test]
    fn any_text_comes_to_an_end(text in any::<String>(), bytes in vec(any::<u8>(), 0..200)) {
        read_to_the_end(text.as_bytes())?;
        read_to_the_end(&bytes)?;
    }

    #[test]
    fn any_pieces_come_to_an_end(pieces in vec(select(PIECES), 0..60)) {
        read_to_the_end(pieces.concat().as_bytes())?;
    }

    #[test]
    fn a_damaged_game_comes_to_an_end(
        games in vec(any_game(), 1..3),
        damage in vec((any::<Index>(), any::<u8>()), 1..6),
    ) {
        let mut text: Vec<u8> = games.iter().flat_map(|game| format!("{game}\n").into_bytes()).collect();
        for (place, byte) in damage {
            let place = place.index(text.len());
            text[place] = byte;
        }
        read_to_the_end(&text)?;
    }

    #[test]
    fn what_is_written_is_read(games in vec(any_game(), 0..4)) {
        let text: String = games.iter().map(|game| format!("{game}\n")).collect();
        let back: Vec<PgnGame> = read(text.as_bytes()).into_iter().map(Result::unwrap).collect();
        prop_assert_eq!(&back, &games, "{}", text);
        let again: String = back.iter().map(|game| format!("{game}\n")).collect();
        prop_assert_eq!(again, text);
    }

    #[test]
    fn movetext_keeps_to_its_width(game in any_game()) {
        let game = PgnGame { tags: Vec::new(), ..game };
        let text = game.to_string();
        prop_assert!(text.lines().all(|line| line.chars().count() <= 79), "{}", text);
    }
}

#[test]
fn days_have_their_dates() {
    for (days, text) in [
        (0, "1970.01.01"),
        (59, "1970.03.01"),
        (11_016, "2000.02.29"),
        (20_454, "2026.01.01"),
        (47_540, "2100.02.28"),
        (47_541, "2100.03.01"),
    ] {
        assert_eq!(date(UNIX_EPOCH + Duration::from_secs(days * 86_400 + 5)), text);
    }
}
