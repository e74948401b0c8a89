//! The promises of the small games: their trees have the known sizes, they obey the laws, and every infoset has a
//! name of its own.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use scuro_core::laws::{Broken, Checked, Walk, check};
use scuro_core::{Game, Key, Labels, Node, Player, Scale, Turn};
use scuro_games::toy::{FORMS, ToyGame, Visit, parse};

/// The size of a tree: all nodes, ends, draws of chance, and the infosets in which each player acts.
#[derive(Debug, Default, PartialEq)]
struct Census {
    nodes: usize,
    ends: usize,
    draws: usize,
    infosets: [usize; 2],
}

/// Counts a tree, and holds the labels of the player to move against her keys.
#[derive(Default)]
struct Count {
    census: Census,
    labels: [HashMap<Key, String>; 2],
    keys: [HashMap<String, Key>; 2],
}

impl Count {
    fn walk<G: Game>(&mut self, game: &G, node: &Node<G::State>, labels: &Labels) {
        self.census.nodes += 1;
        match game.turn(&node.state) {
            Turn::Over(_) => self.census.ends += 1,
            Turn::Chance => self.census.draws += 1,
            Turn::Player(player) => self.compare(player, node.keys[player.index()], labels.of(player)),
        }
        let mut actions = Vec::new();
        game.actions(&node.state, &mut actions);
        let mut names: Vec<String> = actions.iter().map(|&a| game.action_name(&node.state, a)).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), actions.len(), "two actions of one name: {names:?}");
        for action in actions {
            let next = node.play(game, action);
            let labels = labels.play(game, &node.state, action, &next.state);
            self.walk(game, &next, &labels);
        }
    }

    fn compare(&mut self, player: Player, key: Key, label: &str) {
        let (labels, keys) = (&mut self.labels[player.index()], &mut self.keys[player.index()]);
        assert_eq!(*labels.entry(key).or_insert_with(|| label.to_owned()), label, "one infoset, two labels");
        assert_eq!(*keys.entry(label.to_owned()).or_insert(key), key, "two infosets are called '{label}'");
        self.census.infosets[player.index()] = labels.len();
    }
}

impl Visit for Count {
    type Output = Census;

    fn game<G: Game>(mut self, game: &G) -> Census {
        let start = Node::start(game);
        let labels = Labels::start(game, &start.state);
        self.walk(game, &start, &labels);
        self.census
    }
}

struct Laws(Vec<Walk>);

impl Visit for Laws {
    type Output = Result<Checked, Broken>;

    fn game<G: Game>(self, game: &G) -> Result<Checked, Broken> {
        check(game, &self.0)
    }
}

/// The whole tree of each: its size is known, its labels separate infosets, and it obeys the laws.
#[test]
fn trees_have_the_known_sizes_and_obey_the_laws() {
    for (name, nodes, ends, draws, infosets) in [
        ("kuhn", 58, 30, 4, [6, 6]),
        ("leduc", 9457, 5520, 157, [468, 468]),
        ("liars-dice:5", 51181, 25575, 6, [2560, 2560]),
        ("goofspiel:4:random", 26773, 13824, 1793, [1804, 1804]),
        ("goofspiel:4:increasing", 1077, 576, 0, [81, 81]),
        ("dark-hex:2x2", 471, 234, 0, [59, 35]),
        ("matching-pennies:100", 701, 400, 1, [50, 51]),
        ("matching-pennies:100:text", 701, 400, 1, [51, 50]),
        ("proposition3:10", 71, 40, 1, [10, 1]),
        ("proposition3:100", 701, 400, 1, [100, 1]),
        ("appendix-c", 30, 17, 1, [2, 3]),
        ("strategy-fusion", 1 + 5 * 5, 5 * 3, 1, [2, 0]),
        ("strategy-fusion:2", 1 + 2 * 5, 2 * 3, 1, [2, 0]),
        // 12 deals of 9 nodes, after 4 first cards.
        ("kuhn:4", 1 + 4 + 12 * 9, 12 * 5, 1 + 4, [8, 8]),
        ("kuhn:2", 1 + 2 + 2 * 9, 2 * 5, 1 + 2, [4, 4]),
        ("goofspiel:2:increasing", 1 + 2 + 4, 4, 0, [1, 1]),
        ("goofspiel:2:random", 1 + 2 * 7, 8, 1, [2, 2]),
        ("dark-hex:1x1", 2, 1, 0, [1, 0]),
        ("matching-pennies:1", 8, 4, 1, [1, 1]),
        ("leduc:2", 1985, 1128, 65, [192, 192]),
        ("leduc:3:1", 544, 294, 34, [99, 99]),
        ("liars-dice:6", 294883, 147420, 7, [12288, 12288]),
        // Taking b2 wins for both; after b3 or c3 there are 12 nodes, four of them behind each stone of noughts.
        ("phantom-ttt:xoxo.ox..", 2 + 2 * 12, 1 + 2 * 6, 0, [5, 3]),
        ("phantom-ttt:x.o.o...x", 4331, 2184, 0, [154, 114]),
        // Noughts win at b3; after c3 one of the four looks of crosses finds the stone, and the other three may
        // run into it.
        ("rbt:xoxxoxo..", 1 + 4 * (2 + 1 + 3 * 11 + 2), 4 * (1 + 3 * 5 + 1), 0, [5, 25]),
        ("rbt:xo.oxx..o", 12489, 5504, 0, [737, 159]),
    ] {
        let game = parse(name).unwrap();
        let census = game.visit(Count::default());
        assert_eq!(census, Census { nodes, ends, draws, infosets }, "{name}");
        let checked =
            game.visit(Laws(vec![Walk::All { plies: 64 }])).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((checked.histories, checked.ended), (nodes, ends), "{name}");
    }
}

/// Games that are too large to walk: all histories of a few plies, and many at random.
#[test]
fn large_games_obey_the_laws_too() {
    for name in [
        "phantom-ttt",
        "rbt",
        "dark-hex:3x3",
        "leduc:13:4",
        "liars-dice:20",
        "goofspiel:13:random",
        "kuhn:100",
    ] {
        let walks = vec![Walk::All { plies: 2 }, Walk::Random { plays: 2000, plies: 100, seed: 3 }];
        let checked = parse(name).unwrap().visit(Laws(walks)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(checked.ended >= 2000, "{name}: {checked:?}");
    }
}

/// The play of these actions: how it goes on, and what the players then know.
struct Play<'a>(&'a str);

impl Visit for Play<'_> {
    type Output = (Turn, [String; 2]);

    fn game<G: Game>(self, game: &G) -> (Turn, [String; 2]) {
        let mut state = game.start();
        let mut labels = Labels::start(game, &state);
        for name in self.0.split(',').filter(|name| !name.is_empty()) {
            let mut actions = Vec::new();
            game.actions(&state, &mut actions);
            let names: Vec<String> = actions.iter().map(|&action| game.action_name(&state, action)).collect();
            let index = names.iter().position(|known| known == name);
            let action = actions[index.unwrap_or_else(|| panic!("{name} is none of {names:?}"))];
            let next = game.play(&state, action);
            labels = labels.play(game, &state, action, &next);
            state = next;
        }
        (game.turn(&state), labels.0)
    }
}

/// Payoffs as the games count them, and what is known before.
#[test]
fn plays_end_as_the_rules_say() {
    for (game, play, payoff) in [
        ("kuhn", "K,Q,check,check", 1.0),
        ("kuhn", "K,Q,bet,fold", 1.0),
        ("kuhn", "Q,K,bet,call", -2.0),
        ("kuhn", "K,J,check,bet,fold", -1.0),
        ("kuhn", "K,J,check,bet,call", 2.0),
        ("leduc", "Js,Ks,check,check,Jh,bet,fold", 1.0),
        ("leduc", "Js,Ks,bet,call,Jh,check,bet,call", 7.0),
        ("leduc", "Js,Ks,bet,raise,call,Qs,bet,raise,call", -13.0),
        ("leduc", "Ks,Kh,bet,call,Qs,check,check", 0.0),
        ("leduc", "Ks,Kh,check,bet,raise,fold", 3.0),
        ("liars-dice:5", "1,2,1-1,liar", 1.0),
        ("liars-dice:5", "1,2,1-1,2-1,liar", 1.0),
        ("liars-dice:5", "1,5,1-1,2-1,liar", -1.0),
        ("liars-dice:5", "1,5,2-5,liar", -1.0),
        ("goofspiel:4:increasing", "1,2,2,1,3,3", 1.0),
        ("goofspiel:4:increasing", "1,1,2,2,3,3", 0.0),
        ("goofspiel:4:increasing", "4,1,3,2,1,4", -1.0),
        ("goofspiel:4:random", "prize 4,4,3,prize 3,1,2,prize 2,2,1", 1.0),
        ("dark-hex:2x2", "a1,a1,a2", 1.0),
        ("dark-hex:2x2", "b2,a1,a1,b1", -1.0),
        ("matching-pennies:100", "7,h,h", 7.0),
        ("matching-pennies:100", "7,t,t", 94.0),
        ("matching-pennies:100:text", "7,t,t", 93.0),
        ("matching-pennies:100", "7,h,t", 0.0),
        ("proposition3:10", "7,h,h", -1.0),
        ("proposition3:10", "7,h,t", 1.0),
        ("appendix-c", "3,t,t", 2.0),
        ("appendix-c", "e", 0.0),
        ("strategy-fusion", "4,right", 1.0),
        ("strategy-fusion", "3,left,low", 1.0),
        ("strategy-fusion", "4,left,low", 0.0),
        ("phantom-ttt", "a1,a1,b2,b2,b1,b1,c2,c1", 1.0),
        ("rbt:x.o.o...x", "look a1b2,b1,look a1b2,a3", -1.0),
    ] {
        let game = parse(game).unwrap();
        let (Turn::Over(normalised), _) = game.visit(Play(play)) else { panic!("{play} goes on") };
        assert!((game.visit(Raw).raw(normalised) - payoff).abs() < 1e-12, "{game:?} {play}: {normalised}");
    }
}

#[test]
fn labels_tell_what_a_player_did_and_saw() {
    for (game, play, one, two) in [
        ("kuhn", "K,Q,check,bet", "K:check:bet", "Q:check:bet"),
        ("leduc", "Js,Ks,check,bet,call,Jh", "Js:check:bet:call:Jh", "Ks:check:bet:call:Jh"),
        ("liars-dice:5", "1,5,1-3,2-1", "1:1-3:2-1", "5:1-3:2-1"),
        ("goofspiel:4:random", "prize 4,3,1,prize 1", "prize 4:3:win:prize 1", "prize 4:1:loss:prize 1"),
        ("dark-hex:2x2", "a1,a1,b2,b1", "a1:b2", "a1:taken:b1"),
        ("matching-pennies:4", "3,h", "2:h", "1"),
        ("proposition3:4", "3,h", "3:h", "-"),
        ("strategy-fusion", "3,left", "left", "-"),
        ("phantom-ttt", "a1,a1,b2,b2", "a1:b2:taken", "a1:taken:b2"),
        ("rbt:x...o....", "look a1b2,c3,look a1b2,c3", "look a1b2:b2:c3", "look a1b2:a1:c3:taken"),
    ] {
        let (_, labels) = parse(game).unwrap().visit(Play(play));
        assert_eq!(labels, [one, two], "{game} {play}");
    }
}

struct Raw;

impl Visit for Raw {
    type Output = Scale;

    fn game<G: Game>(self, game: &G) -> Scale {
        game.raw()
    }
}

#[test]
fn raw_payoffs_follow_from_normalised_ones() {
    for (name, scale, shift) in [
        ("kuhn:5", 2.0, 0.0),
        ("leduc:4", 13.0, 0.0),
        ("liars-dice:3", 1.0, 0.0),
        ("matching-pennies:100", 50.0, 50.0),
        ("matching-pennies:10:text", 5.0, 5.0),
        ("proposition3:10", 1.0, 0.0),
        ("appendix-c", 2.0, 2.0),
    ] {
        assert_eq!(parse(name).unwrap().visit(Raw), Scale { scale, shift }, "{name}");
    }
}

#[test]
fn wrong_names_are_refused_with_what_is_known() {
    let known = FORMS.join(", ");
    for (name, message) in [
        ("poker", &*format!("unknown game 'poker': known are {known}")),
        ("", &format!("unknown game '': known are {known}")),
        ("Kuhn", &format!("unknown game 'Kuhn': known are {known}")),
        ("kuhn:x", "CARDS of kuhn must be a whole number, not 'x'"),
        ("kuhn:1", "CARDS of kuhn must be 2 to 100, not '1'"),
        ("kuhn:3:4", "'kuhn:3:4' has '4' too much: write kuhn[:CARDS]"),
        ("leduc:14", "RANKS of leduc must be 2 to 13, not '14'"),
        ("leduc:2:1", "SUITS of leduc must be 2 to 4, not '1'"),
        ("leduc::2", "RANKS of leduc must be a whole number, not ''"),
        ("liars-dice", "'liars-dice' lacks SIDES: write liars-dice:SIDES"),
        ("liars-dice:0", "SIDES of liars-dice must be 1 to 20, not '0'"),
        ("liars-dice:-1", "SIDES of liars-dice must be a whole number, not '-1'"),
        (
            "goofspiel:4",
            "'goofspiel:4' lacks the order of the prizes: write goofspiel:CARDS:random|increasing",
        ),
        ("goofspiel:4:down", "the order of the prizes of goofspiel must be random or increasing, not 'down'"),
        ("goofspiel:1:random", "CARDS of goofspiel must be 2 to 13, not '1'"),
        ("dark-hex:3", "the size of dark-hex must be ROWSxCOLS, like 2x2, not '3'"),
        ("dark-hex:9x2", "ROWS of dark-hex must be 1 to 8, not '9'"),
        ("matching-pennies:0", "N of matching-pennies must be 1 to 65535, not '0'"),
        ("matching-pennies:4:book", "the reading of matching-pennies must be text or left out, not 'book'"),
        ("phantom-ttt:xx", "the board 'xx' has 2 cells, not nine characters of x, o and ."),
        ("rbt:xxx......", "the board 'xxx......' has 3 x and 0 o: there are as many x as o, or one more"),
        ("proposition3", "'proposition3' lacks N: write proposition3:N"),
        ("strategy-fusion:1", "WORLDS of strategy-fusion must be 2 to 1000, not '1'"),
        ("appendix-c:1", "'appendix-c:1' has '1' too much: write appendix-c"),
    ] {
        assert_eq!(parse(name).unwrap_err().to_string(), message);
    }
    assert!(matches!(parse("kuhn"), Ok(ToyGame::Kuhn(_))));
}
