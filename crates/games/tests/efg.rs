//! The promises of `.efg` files: what is written is read as the same game, and what is not a two-player zero-sum
//! game with perfect recall is refused with its place.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use proptest::prelude::*;
use scuro_core::laws::{Walk, check};
use scuro_core::{Game, Key, Node, Player, Scale, Turn};
use scuro_games::toy::efg::{TreeGame, read, write};
use scuro_games::toy::{Visit, parse};

/// Writes a game, reads it, and compares node by node: turns, names, probabilities, raw payoffs, and who cannot tell
/// what apart where she is to move.
struct RoundTrip<'a>(&'a str);

impl Visit for RoundTrip<'_> {
    type Output = usize;

    fn game<G: Game>(self, game: &G) -> usize {
        let text = write(game, self.0);
        let tree = read(&text).unwrap_or_else(|error| panic!("{}: {error}", self.0));
        assert_eq!(tree.title(), self.0);
        assert!(write(&tree, self.0) == text, "{}: writing what was read changes it", self.0);
        let mut twins = Twins { one: game, two: &tree, keys: Default::default(), nodes: 0 };
        twins.walk(&Node::start(game), &Node::start(&tree));
        assert_eq!(tree.node_count(), twins.nodes);
        for player in Player::BOTH {
            assert_eq!(tree.infoset_count(player), twins.keys[player.index()].len());
        }
        let checked = check(&tree, &[Walk::All { plies: 64 }]);
        assert_eq!(checked.map(|checked| checked.histories), Ok(twins.nodes), "{}", self.0);
        twins.nodes
    }
}

/// Two games that should be one.
struct Twins<'g, G, H> {
    one: &'g G,
    two: &'g H,
    keys: [HashMap<Key, Key>; 2],
    nodes: usize,
}

impl<G: Game, H: Game> Twins<'_, G, H> {
    fn walk(&mut self, one: &Node<G::State>, two: &Node<H::State>) {
        self.nodes += 1;
        match (self.one.turn(&one.state), self.two.turn(&two.state)) {
            (Turn::Over(a), Turn::Over(b)) => {
                assert!((self.one.raw().raw(a) - self.two.raw().raw(b)).abs() < 1e-12);
            }
            (a, b) => assert_eq!(a, b),
        }
        if let Turn::Player(player) = self.one.turn(&one.state) {
            let player = player.index();
            assert_eq!(
                *self.keys[player].entry(one.keys[player]).or_insert(two.keys[player]),
                two.keys[player]
            );
        }
        let (mut ones, mut twos) = (Vec::new(), Vec::new());
        self.one.actions(&one.state, &mut ones);
        self.two.actions(&two.state, &mut twos);
        assert_eq!(ones.len(), twos.len());
        if self.one.turn(&one.state) == Turn::Chance {
            let (mut chances, mut same) = (Vec::new(), Vec::new());
            self.one.chances(&one.state, &mut chances);
            self.two.chances(&two.state, &mut same);
            assert_eq!(chances, same);
        }
        for (a, b) in ones.into_iter().zip(twos) {
            assert_eq!(self.one.action_name(&one.state, a), self.two.action_name(&two.state, b));
            self.walk(&one.play(self.one, a), &two.play(self.two, b));
        }
    }
}

#[test]
fn what_is_written_is_read_as_the_same_game() {
    for name in [
        "kuhn",
        "kuhn:7",
        "leduc",
        "liars-dice:3",
        "goofspiel:4:increasing",
        "goofspiel:3:random",
        "dark-hex:2x2",
        "matching-pennies:100",
        "matching-pennies:7:text",
        "proposition3:10",
        "appendix-c",
        "phantom-ttt:x.o.o...x",
        "rbt:xoxxoxo..",
    ] {
        assert!(parse(name).unwrap().visit(RoundTrip(name)) > 7);
    }
}

#[test]
fn kuhn_is_written_as_one_would_by_hand() {
    let text = write(&scuro_games::toy::Kuhn::default(), "Kuhn \"poker\"");
    let start = r#"EFG 2 R "Kuhn \"poker\"" { "Player 1" "Player 2" }
""

c "" 1 "" { "J" 1/3 "Q" 1/3 "K" 1/3 } 0
c "" 2 "" { "Q" 1/2 "K" 1/2 } 0
p "" 1 1 "J" { "check" "bet" } 0
p "" 2 1 "Q:check" { "check" "bet" } 0
t "" 1 "" { -1, 1 }
p "" 1 2 "J:check:bet" { "fold" "call" } 0
t "" 1 "" { -1, 1 }
t "" 2 "" { -2, 2 }
p "" 2 2 "Q:bet" { "fold" "call" } 0
t "" 3 "" { 1, -1 }
t "" 2 "" { -2, 2 }
c
"#;
    assert!(text.starts_with(start.trim_end().trim_end_matches('c')), "{text}");
    assert_eq!(text.lines().count(), 3 + 58);
}

/// Everything the format allows: outcomes and infosets by number alone, payoffs with and without commas, all kinds
/// of numbers, escapes, names that are missing.
#[test]
fn the_whole_format_is_read() {
    let text = r#"  EFG 2 D "say \"hi\" \\ \n" { "A"
	"B" }  "a comment"
c "" 7 { "l" 0.25 "r" 3/4 } 0
p "n" 1 5 "I" { "a" "b" } 0
t "" 1 "win" { 1.5 -1.5 }
t "" 2 { -1/2, 5e-1, }
p "" 1 5 0
t "" 1
p "" 2 9 "" { "x" "x" } 0 t "" 0 t "" 2 "again""#;
    let tree = read(text).unwrap();
    assert_eq!(tree.title(), "say \"hi\" \\ \\n");
    assert_eq!((tree.player_name(Player::One), tree.player_name(Player::Two)), ("A", "B"));
    assert_eq!(
        (tree.node_count(), tree.infoset_count(Player::One), tree.infoset_count(Player::Two)),
        (9, 1, 1)
    );
    assert_eq!(tree.raw(), Scale { scale: 1.0, shift: 0.5 });
    let start = tree.start();
    let mut chances = Vec::new();
    tree.chances(&start, &mut chances);
    assert_eq!(chances, [0.25, 0.75]);
    let branches = |node| {
        let mut branches = Vec::new();
        tree.actions(&node, &mut branches);
        branches
    };
    let right = tree.play(&start, branches(start)[1]);
    let last = tree.play(&right, branches(right)[1]);
    let names: Vec<String> = branches(last).into_iter().map(|b| tree.action_name(&last, b)).collect();
    assert_eq!(names, ["1 x", "2 x"], "two actions of one name are numbered");
    assert_eq!(tree.view_name(&last, Player::Two), "9", "an infoset without a name is numbered");
    let ends: Vec<Turn> = branches(last).into_iter().map(|b| tree.turn(&tree.play(&last, b))).collect();
    assert_eq!(ends, [Turn::Over(-0.5), Turn::Over(-1.0)]);
    check(&tree, &[Walk::All { plies: 9 }]).unwrap();
}

/// Player two cannot tell whether player one has moved: she is not told of every ply.
#[test]
fn a_game_that_is_not_timeable_keeps_its_infosets() {
    let text = r#"EFG 2 R "" { "1" "2" }
c "" 1 "" { "l" 1/2 "r" 1/2 } 0
p "" 1 1 "" { "a" "b" } 0
p "" 2 1 "" { "x" "y" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
p "" 2 1 0
t "" 1
t "" 2
p "" 2 1 0
t "" 1
t "" 2"#;
    let tree = read(text).unwrap();
    assert!(!tree.timeable());
    let again = read(&write(&tree, "")).unwrap();
    assert!(!again.timeable());
    let mut twins = Twins { one: &tree, two: &again, keys: Default::default(), nodes: 0 };
    twins.walk(&Node::start(&tree), &Node::start(&again));
    assert_eq!((twins.keys[0].len(), twins.keys[1].len()), (1, 1));
}

const HEAD: &str = "EFG 2 R \"\" { \"1\" \"2\" }\n";

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let ends = "t \"\" 1 { 1 -1 }\nt \"\" 1\n";
    let one = "p \"\" 1 1 \"I\" { \"a\" \"b\" } 0\n";
    for (text, message) in [
        (
            "".to_owned(),
            "1, column 1: expected 'EFG', with which the format starts, found the end of the file",
        ),
        ("EFG 1".to_owned(), "1, column 5: expected '2', the version of the format, found '1'"),
        ("EFG 2 R x".to_owned(), "1, column 9: expected the title of the game in quotes, found 'x'"),
        ("EFG 2 R \"a\n\\\"".to_owned(), "1, column 9: a quoted text starts here and never ends"),
        (
            "EFG 2 R \"\" { \"1\" \"2\" \"3\" }".to_owned(),
            "1, column 12: the game has 3 players, only games of two are known",
        ),
        (HEAD.to_owned(), "2, column 1: expected a node: 'c', 'p' or 't', found the end of the file"),
        (format!("{HEAD}x"), "2, column 1: expected a node: 'c', 'p' or 't', found 'x'"),
        (format!("{HEAD}t \"\" 1 {{ 1, -1 }} }}"), "2, column 18: the tree is complete, but '}' follows"),
        (
            format!("{HEAD}{one}t \"\" 1 {{ 1 -1 }}\n"),
            "4, column 1: expected a node: 'c', 'p' or 't', found the end of the file",
        ),
        (format!("{HEAD}p \"\" 3 1 {{ \"a\" }} 0"), "2, column 6: there is no player 3, only 1 and 2"),
        (format!("{HEAD}p \"\" 1 1 {{ }} 0"), "2, column 10: the node has no actions"),
        (
            format!("{HEAD}p \"\" 1 4 0 t \"\" 0"),
            "2, column 8: the actions of infoset 4 are neither listed here nor before",
        ),
        (
            format!("{HEAD}c \"\" 1 {{ \"a\" 0 \"b\" 1 }} 0"),
            "2, column 14: the action 'a' of chance has probability 0, not one above 0 and at most 1",
        ),
        (
            format!("{HEAD}c \"\" 1 {{ \"a\" 1/2 \"b\" 1/4 }} 0"),
            "2, column 8: the probabilities of chance sum to 0.75, not to 1",
        ),
        (
            format!("{HEAD}c \"\" 1 {{ \"a\" 1/0 }} 0"),
            "2, column 14: expected the probability of the action, found '1/0'",
        ),
        (
            format!("{HEAD}p \"\" 1 1 {{ \"a\" }} 1 \"early\" {{ 1 -1 }} t \"\" 0"),
            "2, column 18: the node pays outcome 1 before the game is over: only terminal nodes may pay",
        ),
        (
            format!("{HEAD}t \"\" 3"),
            "2, column 6: the payoffs of outcome 3 are neither listed here nor before",
        ),
        (
            format!("{HEAD}{one}t \"\" 1 {{ 1 -1 }} t \"\" 1 {{ 2 -2 }}"),
            "3, column 22: outcome 1 has other payoffs here than before",
        ),
        (
            format!("{HEAD}t \"\" 1 {{ 1 }}"),
            "2, column 8: the outcome has 1 payoffs, not one for each of the two players",
        ),
        (
            format!("{HEAD}t \"\" 1 {{ 3 -1 }}"),
            "2, column 8: the game is not zero-sum: the outcome pays 3 to player 1 and -1 to player 2",
        ),
        (format!("{HEAD}t \"\" 1 {{ inf -1 }}"), "2, column 10: expected a payoff, or '}', found 'inf'"),
        (
            format!(
                "{HEAD}c \"\" 1 {{ \"l\" 1/2 \"r\" 1/2 }} 0\n{one}{ends}p \"\" 1 1 \"\" {{ \"b\" \"a\" }} 0\n{ends}"
            ),
            "6, column 8: unequal actions in infoset 1 of player 1 ('I'): all its nodes must have the same, in the \
             same order",
        ),
        (
            format!("{HEAD}{one}p \"\" 1 2 {{ \"c\" \"d\" }} 0\n{ends}p \"\" 1 2 0\n{ends}"),
            "6, column 1: imperfect recall: in infoset 2 of player 1 the player has forgotten what she did or knew \
             before",
        ),
        (
            format!("{HEAD}{one}{one}{ends}t \"\" 1"),
            "3, column 1: imperfect recall: in infoset 1 of player 1 ('I') the player has forgotten what she did or \
             knew before",
        ),
    ] {
        let error = read(&text).map(|tree: TreeGame| tree.node_count()).unwrap_err();
        assert_eq!(error.to_string(), format!("line {message}"), "{text}");
    }
}

/// A long chain of nodes: no recursion, no overflow.
#[test]
fn depth_is_no_danger() {
    let mut text = HEAD.to_owned();
    for number in 1..=200_000 {
        text += &format!("p \"\" 1 {number} {{ \"a\" }} 0\n");
    }
    assert!(read(&text).is_err());
    let tree = read(&(text + "t \"\" 1 { 1 -1 }")).unwrap();
    assert_eq!(tree.node_count(), 200_001);
    assert_eq!(read(&write(&tree, "")).unwrap().node_count(), 200_001);
}

/// Texts that are nearly in the format.
fn nearly() -> impl Strategy<Value = String> {
    let words = [
        "c",
        "p",
        "t",
        "\"\"",
        "\"a\"",
        "\"b\\\"\"",
        "{",
        "}",
        ",",
        "0",
        "1",
        "2",
        "1/2",
        "-1",
        "0.5",
        "1e999",
        "x",
        "\"",
        "\\",
        "\n",
        "p \"\" 1 1 \"I\" { \"a\" \"b\" } 0\n",
        "p \"\" 2 1 { \"a\" \"b\" } 0\n",
        "t \"\" 1 { 1, -1 }\n",
        "t \"\" 0\n",
        "c \"\" 1 { \"a\" 1/2 \"b\" 1/2 } 0\n",
        "p \"\" 1 2 { \"a\" } 0\n",
    ];
    let body = prop::collection::vec(prop::sample::select(words.to_vec()), 0..40);
    (any::<bool>(), body)
        .prop_map(|(head, body)| format!("{}{}", if head { HEAD } else { "" }, body.join(" ")))
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = read(&text);
    }

    /// What is read can be written and read again, with the same tree.
    #[test]
    fn a_text_that_is_nearly_right_is_read_or_refused(text in nearly()) {
        if let Ok(tree) = read(&text) {
            let written = write(&tree, tree.title());
            let again = read(&written).unwrap();
            prop_assert_eq!(again.node_count(), tree.node_count());
            prop_assert_eq!(write(&again, again.title()), written);
        }
    }
}
