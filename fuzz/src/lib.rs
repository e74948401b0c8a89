//! Fuzz targets: functions that take any bytes and must neither panic nor break a promise.
//!
//! `tests/corpus.rs` runs each on its kept corpus and on mutations of it, on any toolchain. With a nightly
//! toolchain `cargo fuzz run fen` and so on run the same functions (see `fuzz_targets`).

#![allow(clippy::unwrap_used, reason = "a target fails by panicking")]

use std::sync::LazyLock;

use scuro_agents::protocol::{Answer, Command, Line, Lines};
use scuro_eval::{Evaluator, Network, Quiescence};
use scuro_games::chess::{Board, Color, Move, MoveRules};
use scuro_games::fog::{FogState, View};
use scuro_games::records::Record;
use scuro_games::records::convert;
use scuro_games::records::pgn::{PgnGame, PgnReader};
use scuro_games::records::positions::positions;
use scuro_games::records::transcript::Teller;
use scuro_games::records::verify::verify;
use scuro_games::review::{Upto, known};
use scuro_games::toy::{Kuhn, efg};
use scuro_search::names::Names;
use scuro_search::strategy_file;
use scuro_search::tree::Tree;

/// A target: its name, which is also the folder of its corpus, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 12] = [
    ("fen", fen),
    ("fog_fen", fog_fen),
    ("moves", moves),
    ("san", san),
    ("pgn", pgn),
    ("verify", verify_any),
    ("convert", convert),
    ("gambit", gambit),
    ("strategy", strategy),
    ("network", network),
    ("positions", positions_any),
    ("protocol", protocol),
];

/// What is read as a position is written as the same position.
pub fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(board) = text.parse::<Board>() {
        assert_eq!(board.to_string().parse::<Board>(), Ok(board), "{text}");
        for color in Color::ALL {
            let view = View::of(&board, color);
            assert_eq!(View::parse(&view.to_string(), color), Ok(view), "{text}");
        }
    }
}

/// What is read as a view is written as the same view.
pub fn fog_fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for color in Color::ALL {
        if let Ok(view) = View::parse(&text, color) {
            assert_eq!(View::parse(&view.to_string(), color), Ok(view), "{text}");
        }
    }
}

/// A FEN line, then a byte a move: every incremental field stays equal to recomputation.
pub fn moves(data: &[u8]) {
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let Ok(start) = String::from_utf8_lossy(&data[..end]).parse::<Board>() else { return };
    let mut state = FogState::new(start);
    for &byte in &data[end..] {
        if state.outcome().is_some() {
            return;
        }
        let moves = MoveRules::PseudoLegal.moves(state.board());
        let m = moves[byte as usize % moves.len()];
        state = state.play(m);
        let board = state.board();
        if Color::ALL.into_iter().all(|color| board.king(color).is_some()) {
            assert_eq!(board.to_string().parse::<Board>().as_ref(), Ok(board), "{start} ... {m}");
        }
        assert_eq!(board.count_pseudo_legal(), MoveRules::PseudoLegal.moves(board).len() as u64, "{board}");
    }
}

/// A FEN line, then words: a word that is read as a move is a move, and its own name leads back to it.
pub fn san(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let Ok(board) = first.parse::<Board>() else { return };
    for word in rest.split_whitespace() {
        let _ = word.parse::<Move>();
        for rules in [MoveRules::Legal, MoveRules::PseudoLegal] {
            if let Ok(m) = board.parse_san(word, rules) {
                assert!(rules.moves(&board).contains(&m), "{board} {word}");
                assert_eq!(board.parse_san(&board.san(m, rules), rules), Ok(m), "{board} {word}");
            }
        }
    }
}

/// What is read as a game is written so that reading and writing it again changes nothing; what has a meaning
/// keeps it.
pub fn pgn(data: &[u8]) {
    for game in PgnReader::new(data).flatten() {
        let written = game.to_string();
        let again: Vec<PgnGame> = PgnReader::new(written.as_bytes()).map(|game| game.unwrap()).collect();
        // Equal up to what writing settles once: tags of the roster first, no closing brace in a comment.
        assert_eq!(again.iter().map(PgnGame::to_string).collect::<Vec<_>>(), [written.as_str()]);
        assert_eq!(again[0].moves.len(), game.moves.len(), "{written}");
        if let Ok(mut record) = Record::from_pgn(&game) {
            // Writing adds the tags that every record has; apart from tags nothing changes.
            let Ok(written) = record.to_pgn() else { return };
            let again = Record::from_pgn(&written).map(|mut again| {
                again.tags.clear();
                again
            });
            record.tags.clear();
            assert_eq!(again, Ok(record), "{written}");
        }
    }
}

/// Any file of games: what is read can be written, and reading that gives as many games again.
pub fn convert(data: &[u8]) {
    let Ok(games) = convert::read(data) else { return };
    if let Ok(text) = convert::to_pgn(&games, None) {
        assert_eq!(convert::read(text.as_bytes()).unwrap().len(), games.len(), "{text}");
    }
    if let Ok(text) = convert::to_json_lines(&games) {
        assert_eq!(convert::read(text.as_bytes()).unwrap().len(), games.len(), "{text}");
    }
    if let Ok(text) = convert::to_history(&games) {
        assert_eq!(convert::read(text.as_bytes()).unwrap().len(), 1, "{text}");
    }
    for color in Color::ALL {
        let _ = convert::to_pgn(&games, Some(Teller::Player(color)));
        for game in &games {
            if let Ok(record) = game.record() {
                let _ = known(&record, Upto::End, color);
            }
        }
    }
}

/// What is read as a game of Gambit's format is written so that it can be read again.
pub fn gambit(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(game) = efg::read(&text) {
        let written = efg::write(&game, game.title());
        assert!(efg::read(&written).is_ok(), "{written}");
    }
}

/// What is read as a strategy of Kuhn poker is written as the same strategy, and no worse than the worst.
pub fn strategy(data: &[u8]) {
    static KUHN: LazyLock<(Tree, Names)> = LazyLock::new(|| {
        let game = Kuhn::new(3).unwrap();
        let tree = Tree::of_game(&game, 100, |_, _, _| ()).unwrap();
        let names = Names::of(&game, &tree).unwrap();
        (tree, names)
    });
    let (tree, names) = &*KUHN;
    let text = String::from_utf8_lossy(data);
    if let Ok(strategy) = strategy_file::read(tree, names, &text) {
        let mut written = Vec::new();
        strategy_file::write(tree, names, &strategy, &mut written).unwrap();
        let again = strategy_file::read(tree, names, &String::from_utf8(written).unwrap());
        assert_eq!(again.as_ref(), Ok(&strategy), "{text}");
        assert!((-1e-9..=1.0).contains(&strategy.exploitability(tree)), "{text}");
    }
}

/// Any file: an answer or an error.
pub fn verify_any(data: &[u8]) {
    let _ = verify(data, &mut || ());
}

/// A network file, or what is left of one: the bytes after a blank first line replace those of a whole file, whose
/// hash is then made to fit, so that more than the hash is tried. What is read is written as the same bytes.
pub fn network(data: &[u8]) {
    static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| Network::material(32).unwrap().write());
    let mut bytes = data.to_vec();
    if let Some(head) = data.strip_prefix(b"\n") {
        bytes = WHOLE.clone();
        let end = head.len().min(bytes.len() - 8);
        bytes[..end].copy_from_slice(&head[..end]);
        let content = bytes.len() - 8;
        let hash = bytes[..content].iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        bytes[content..].copy_from_slice(&hash.to_le_bytes());
    }
    if let Ok(network) = Network::read(&bytes) {
        assert_eq!(network.write(), bytes);
        let value = Quiescence::of_network(network.into()).value(&Board::start()).unwrap();
        assert!((-1.0..=1.0).contains(&value));
    }
}

/// A list of positions: every one that is read has a value, and so have its children.
pub fn positions_any(data: &[u8]) {
    let mut evaluator = Quiescence::of_network(Network::embedded());
    for board in positions(data).unwrap().flatten().filter_map(|listed| listed.board.ok()) {
        let moves = MoveRules::PseudoLegal.moves(&board);
        let mut values = vec![evaluator.value(&board).unwrap(), evaluator.static_value(&board).unwrap()];
        evaluator.evaluate(&board, &moves, &mut values).unwrap();
        assert_eq!(values.len(), moves.len() + 2);
        assert!(values.iter().all(|value| (-1.0..=1.0).contains(value)), "{board}");
    }
}

/// Lines to a program and from it: what is read is written as what is read again, on one line.
pub fn protocol(data: &[u8]) {
    for line in Lines::new(data) {
        let Line::Text(line) = line else { continue };
        if let Ok(command) = line.parse::<Command>() {
            let written = command.to_string();
            assert!(!written.contains('\n'), "{written}");
            assert_eq!(written.parse().as_ref(), Ok(&command), "{line}");
        }
        if let Ok(answer) = line.parse::<Answer>() {
            let written = answer.to_string();
            assert!(!written.contains('\n'), "{written}");
            assert_eq!(written.parse().as_ref(), Ok(&answer), "{line}");
        }
    }
}
