//! The machinery on small games, against the exact solutions of [`crate::exact`] and against slow twins.

use std::cell::Cell;

use scuro_games::toy::{DarkHex, Goofspiel, Kuhn, Leduc, Prizes};

use super::trunk::{Acts, NOTHING};
use super::*;
use crate::exact::equilibrium as exact_equilibrium;
use crate::exact::ground::Ground;
use crate::exact::sequence_form::TieBreak;
use crate::exact::subgame::{Cut as ExactCut, ExactSubgame};
use crate::grow::EndsOnly;
use crate::strategy::Strategy;
use crate::tree::{Link, Tree};

/// Values ends only; no two states have the same future unless `merge`.
struct Plain {
    merge: bool,
    asked: Cell<u64>,
}

fn plain() -> Plain {
    Plain { merge: false, asked: Cell::new(0) }
}

impl<G: Game> Evaluate<G> for Plain {
    fn children(&mut self, game: &G, state: &G::State, actions: &[G::Action], out: &mut Vec<(f64, bool)>) {
        EndsOnly.children(game, state, actions, out);
    }
}

impl<G: Game> Insight<G> for Plain {
    type Place = u64;

    fn place(&self, _: &G::State) -> u64 {
        self.asked.set(self.asked.get() + u64::from(!self.merge));
        self.asked.get()
    }

    fn forcing(&self, _: &G, _: &G::State, _: G::Action) -> bool {
        false
    }
}

/// The game from its start, as one class, grown until so many points are there.
fn grown<G: Game>(game: &G, me: Player, most: usize) -> Trunk<G> {
    let mut trunk = Trunk::new(me);
    let class = trunk.add_class(0.0, 0.0);
    trunk.add_root(Node::start(game), class, 1.0, 0.0);
    let mut point = 0;
    while point < trunk.points() && trunk.points() < most {
        if trunk.points[point].link == Link::LEAF {
            trunk.expand(game, &mut plain(), point);
        }
        point += 1;
    }
    trunk
}

fn ground<G: Game>(game: &G) -> Ground {
    Ground::of_game(game, Tree::of_game(game, 1_000_000, |_, _, _| ()).unwrap())
}

/// The whole game, folded and solved from below: its value, and both plans hold each other to it.
fn assert_exact<G: Game>(game: &G) {
    let value = exact_equilibrium(&ground(game).tree).unwrap().value;
    for me in Player::BOTH {
        let trunk = grown(game, me, usize::MAX);
        let worth = if me == Player::One { value } else { -value };
        let plans = trunk.equilibrium(Entry::Maxmargin, None, None).unwrap().unwrap();
        assert!((plans.value - worth).abs() < 1e-7, "{} is not {worth}", plans.value);
        let matrix = trunk.matrix(Entry::Maxmargin);
        let mut columns = plans.columns.clone();
        columns.push(1.0);
        assert!((matrix.worst_cases(&plans.rows)[0] - worth).abs() < 1e-7);
        assert!((matrix.turned().worst_cases(&columns)[0] + worth).abs() < 1e-7);
        if trunk.points() < 1_000 {
            let direct = matrix.equilibrium(None).unwrap().unwrap();
            assert!((direct.value - worth).abs() < 1e-7, "without folding: {}", direct.value);
        }
    }
}

#[test]
fn whole_games_have_their_exact_value() {
    assert_exact(&Kuhn::new(3).unwrap());
    assert_exact(&DarkHex::new(2, 2).unwrap());
    assert_exact(&Goofspiel::new(3, Prizes::Increasing).unwrap());
    assert_exact(&Leduc::new(3, 2).unwrap());
}

/// A plan that plays everything, at random, and the same for the exact tools.
fn any_plans<G: Game>(trunk: &Trunk<G>, ground: &Ground, seed: u64) -> (Plans, Strategy) {
    let mut random = Random::new(seed);
    let mut strategy = Strategy::uniform(&ground.tree);
    let mut plan = |choices: &[crate::exact::matrix::Choice], player: Player, sequences: usize| {
        let mut plan = vec![0.0; sequences];
        plan[0] = 1.0;
        for (id, choice) in choices.iter().enumerate() {
            let shares: Vec<f64> = choice.sequences().map(|_| 0.1 + random.unit()).collect();
            let total: f64 = shares.iter().sum();
            let infoset = exact_id(trunk, ground, player, id as u32);
            for ((row, share), place) in
                choice.sequences().zip(&shares).zip(ground.tree.infoset(infoset).slots())
            {
                plan[row] = plan[choice.before] * share / total;
                strategy.0[place] = share / total;
            }
        }
        plan
    };
    let rows = plan(&trunk.mine, trunk.me, trunk.matrix(Entry::Maxmargin).rows);
    // The class stands before their first infosets.
    let mut columns = vec![0.0; trunk.matrix(Entry::Maxmargin).columns.len() - 1];
    columns[..2].fill(1.0);
    for choice in &trunk.theirs {
        let share = columns[choice.before] / choice.actions as f64;
        columns[choice.sequences()].fill(share);
    }
    (Plans { value: 0.0, rows, columns }, strategy)
}

/// Some point of one of my infosets.
fn somewhere<G: Game>(trunk: &Trunk<G>, id: u32) -> usize {
    let here = |&point: &usize| trunk.inner(point).is_some_and(|inner| inner.acts == Acts::Me(id));
    (0..trunk.points()).find(here).unwrap()
}

/// The infoset of the exact tools with the same key.
fn exact_id<G: Game>(trunk: &Trunk<G>, ground: &Ground, player: Player, id: u32) -> crate::tree::InfosetId {
    let key = trunk.inner(somewhere(trunk, id)).unwrap().node.keys[player.index()];
    let same = |&id: &crate::tree::InfosetId| {
        ground.tree.infoset(id).player == player && ground.key(player, ground.nodes(id)[0]) == key
    };
    ground.tree.infoset_ids().find(same).unwrap()
}

/// What I have known on the way to a point.
fn path_to<G: Game>(trunk: &Trunk<G>, point: usize) -> Vec<Key> {
    let mut path = Vec::new();
    let mut here = point as u32;
    while here != NOTHING {
        path.insert(0, trunk.inner(here as usize).unwrap().node.keys[trunk.me.index()]);
        here = trunk.points[here as usize].above;
    }
    path
}

/// Every subgame of a game, cut out of plans that play everything, against the exact tools: alternate values, gifts
/// and the values of both gadgets, with the frozen part in.
fn assert_cuts<G: Game>(game: &G, seed: u64) {
    let ground = ground(game);
    for me in Player::BOTH {
        let trunk = grown(game, me, usize::MAX);
        let (plans, strategy) = any_plans(&trunk, &ground, seed);
        let cut = Cut::new(game, &trunk, &plans);
        for id in 0..trunk.mine.len() as u32 {
            let path = path_to(&trunk, somewhere(&trunk, id));
            let (next, _) = cut.next(&plain(), &path, usize::MAX, &mut Random::new(1));
            for entry in [Entry::Maxmargin, Entry::Resolve] {
                let exact = ExactCut { entry, reach: true, ..ExactCut::klss(Some(1)) };
                let infoset = exact_id(&trunk, &ground, me, id);
                let exact = ExactSubgame::new(&ground, &strategy, infoset, exact).unwrap();
                assert_eq!(
                    sorted(next.classes.iter().map(|class| class.gift)),
                    sorted(exact.classes.iter().map(|class| class.gift))
                );
                assert_eq!(
                    sorted(next.classes.iter().map(|class| class.alternate)),
                    sorted(exact.classes.iter().map(|class| class.alternate))
                );
                let (value, _) = exact.solve(|_| 0.0, TieBreak::Vertex).unwrap();
                let found = next.equilibrium(entry, None, None).unwrap().unwrap().value;
                assert!((found - value).abs() < 1e-7, "{me:?} {id} {entry:?}: {found} is not {value}");
            }
        }
    }
}

/// Rounded, for comparison.
fn sorted(values: impl Iterator<Item = f64>) -> Vec<i64> {
    let mut values: Vec<i64> = values.map(|value| (value * 1e8).round() as i64).collect();
    values.sort_unstable();
    values
}

#[test]
fn subgames_are_those_of_the_exact_tools() {
    assert_cuts(&Kuhn::new(3).unwrap(), 1);
    assert_cuts(&Kuhn::new(4).unwrap(), 2);
    assert_cuts(&DarkHex::new(2, 2).unwrap(), 3);
}

/// A subgame of a subgame, with what was frozen before, keeps what the old plan is worth: margins of that plan are the
/// gifts.
#[test]
fn the_old_plan_keeps_its_margins_when_cut_again() {
    let game = Leduc::new(3, 2).unwrap();
    let ground = ground(&game);
    let trunk = grown(&game, Player::One, usize::MAX);
    let (plans, _) = any_plans(&trunk, &ground, 5);
    let cut = Cut::new(&game, &trunk, &plans);
    for id in (0..trunk.mine.len() as u32).step_by(17) {
        let path = path_to(&trunk, somewhere(&trunk, id));
        let (next, hoped) = cut.next(&plain(), &path, usize::MAX, &mut Random::new(1));
        assert!(hoped.abs() <= 1.0, "{hoped}");
        for entry in [Entry::Maxmargin, Entry::Resolve] {
            let plans = next.equilibrium(entry, None, None).unwrap().unwrap();
            let gifts = next.classes.iter().map(|class| class.gift).fold(f64::INFINITY, f64::min);
            let least = if entry == Entry::Maxmargin { gifts } else { 0.0 };
            assert!(plans.value >= least - 1e-7, "{id} {entry:?}: {} under {least}", plans.value);
            let again = Cut::new(&game, &next, &plans);
            for id in 1..(next.mine.len() as u32).min(5) {
                let path = path_to(&next, somewhere(&next, id));
                let (after, _) = again.next(&plain(), &path, usize::MAX, &mut Random::new(1));
                assert!(after.classes.iter().all(|class| class.gift >= -1e-9));
                let value = after.classes.is_empty().then_some(0.0);
                let value = value.unwrap_or_else(|| {
                    after.equilibrium(Entry::Maxmargin, None, None).unwrap().unwrap().value
                });
                assert!(value >= -1e-7, "{id}: {value}");
            }
        }
    }
}

#[test]
fn starts_with_the_same_future_are_kept_once() {
    let game = Kuhn::new(4).unwrap();
    let trunk = grown(&game, Player::One, usize::MAX);
    let (plans, _) = any_plans(&trunk, &ground(&game), 1);
    let cut = Cut::new(&game, &trunk, &plans);
    let path = path_to(&trunk, somewhere(&trunk, 0));
    let kept = |merge, seed| {
        let insight = Plain { merge, asked: Cell::new(0) };
        cut.next(&insight, &path, usize::MAX, &mut Random::new(seed)).0
    };
    assert_eq!(kept(false, 1).classes.len(), 3);
    assert_eq!(kept(true, 1).classes.len(), 1);
    // Which one is a matter of luck.
    let one = |seed| kept(true, seed).roots[0].1.keys[1];
    assert!((2..40).any(|seed| one(seed) != one(1)));
}

/// What a round expands, by the words of the rule, leaf by leaf.
fn slow_wanted<G: Game>(trunk: &Trunk<G>, plans: &Plans, round: usize) -> Vec<usize> {
    let x = |point: usize| plans.rows[trunk.points[point].row as usize] > 0.0;
    let y = |point: usize| plans.columns[trunk.points[point].column as usize] > 0.0;
    let mut wanted = Vec::new();
    for above in 0..trunk.points() {
        let Some(inner) = trunk.inner(above) else { continue };
        let sign = if matches!(inner.acts, Acts::Them(_)) { -1.0 } else { 1.0 };
        let mut open: Vec<usize> = inner.children().collect();
        open.retain(|&leaf| trunk.points[leaf].link == Link::LEAF && (x(leaf) || y(leaf)));
        open.retain(|&leaf| usize::from(trunk.points[leaf].depth) <= round || x(leaf) && y(leaf));
        if !(x(above) && y(above)) {
            open.sort_by(|&one, &two| {
                (sign * trunk.points[two].value)
                    .total_cmp(&(sign * trunk.points[one].value))
                    .then(one.cmp(&two))
            });
            open.truncate(usize::from(x(above) || y(above)));
        }
        wanted.extend(open);
    }
    wanted.sort_unstable();
    wanted
}

#[test]
fn rounds_expand_by_the_rule() {
    let game = DarkHex::new(2, 2).unwrap();
    for me in Player::BOTH {
        let mut trunk = grown(&game, me, 4);
        for round in 1..6 {
            // Values that differ, so that one leaf is the most interesting.
            let mut random = Random::new(round as u64);
            trunk
                .points
                .iter_mut()
                .filter(|p| p.link == Link::LEAF)
                .for_each(|p| p.value = random.unit() - 0.5);
            let plans = trunk.equilibrium(Entry::Maxmargin, None, None).unwrap().unwrap();
            let wanted = trunk.wanted(&game, &plain(), &plans, round);
            let both = wanted.iter().filter(|wanted| !wanted.one_sided).count();
            assert!(wanted[..both].iter().all(|wanted| !wanted.one_sided), "what both play comes first");
            let mut points: Vec<usize> = wanted.iter().map(|wanted| wanted.point).collect();
            points.sort_unstable();
            assert_eq!(points, slow_wanted(&trunk, &plans, round));
            points.iter().for_each(|&leaf| trunk.expand(&game, &mut plain(), leaf));
        }
        assert!(trunk.points() > 50);
    }
}

/// Two classes with one choice between two ends each: what I get is 1 or 0 in the one, 0 or 1 in the other.
fn crossed(alternate: f64, fee: f64) -> Trunk<Kuhn> {
    let mut trunk = Trunk::new(Player::One);
    let game = Kuhn::new(3).unwrap();
    let deal = |first: usize| {
        let mut node = Node::start(&game);
        for number in [first, 0] {
            let mut actions = Vec::new();
            game.actions(&node.state, &mut actions);
            node = node.play(&game, actions[number]);
        }
        node
    };
    let key = deal(0).keys[0];
    for (number, values) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
        let class = trunk.add_class(alternate, 0.0);
        let mut node = deal(number);
        node.keys = [key, key.apart(number as u64)];
        let root = trunk.add_root(node.clone(), class, 1.0, 0.0);
        let mut actions = Vec::new();
        game.actions(&node.state, &mut actions);
        assert_eq!(actions.len(), 2);
        trunk.grow(&game, root, node, actions, &values.map(|value| (value, true)));
    }
    trunk.fees = vec![fee; 2];
    trunk
}

/// Half is what I can be sure of. Up to there Maxmargin serves, beyond it Resolve; fees make no difference.
#[test]
fn maxmargin_gives_way_when_a_margin_is_lost_and_comes_back() {
    for fee in [0.0, 0.3] {
        for (alternate, entry) in [(0.2, Entry::Maxmargin), (0.5, Entry::Maxmargin), (0.6, Entry::Resolve)] {
            for first in [Entry::Maxmargin, Entry::Resolve] {
                let trunk = crossed(alternate, fee);
                let (plans, fitting) = equilibrium(&trunk, first, None, None).unwrap();
                assert_eq!(fitting, entry, "{alternate} from {first:?} with fee {fee}");
                let value =
                    if entry == Entry::Maxmargin { 0.5 - alternate } else { (0.5 - alternate).min(0.0) };
                assert!((plans.value + fee - value).abs() < 1e-9, "{} is not {value}", plans.value + fee);
                assert!((trunk.cost(&plans.rows) - fee).abs() < 1e-9);
            }
        }
    }
}

/// In Resolve every class is equally likely, and one that is not entered is worth 0.
#[test]
fn resolve_weighs_classes_alike() {
    let mut trunk = crossed(0.9, 0.0);
    trunk.classes[1].alternate = 0.0;
    let plans = trunk.equilibrium(Entry::Resolve, None, None).unwrap().unwrap();
    // The second class cannot be had below 0, so all goes into the first: 1 > 0.9, nobody enters.
    assert!(plans.value.abs() < 1e-9, "{}", plans.value);
    trunk.classes[0].alternate = 1.5;
    let plans = trunk.equilibrium(Entry::Resolve, None, None).unwrap().unwrap();
    assert!((plans.value + 0.25).abs() < 1e-9, "{}", plans.value);
}

#[test]
fn entropies_are_bits() {
    for (draws, bits) in [(vec![7], 0.0), (vec![1, 2], 1.0), (vec![1, 1, 2, 3], 1.5), (vec![1; 9], 0.0)] {
        assert!((entropy(draws.iter()) - bits).abs() < 1e-12, "{draws:?}");
    }
    let eight: Vec<u32> = (0..8).collect();
    assert!((entropy(eight.iter()) - 3.0).abs() < 1e-12);
}

/// Nothing is left of what grew after a mark, and it grows again as before.
#[test]
fn growth_can_be_taken_back() {
    let game = Kuhn::new(3).unwrap();
    let mut trunk = grown(&game, Player::One, 20);
    let (mark, before) = (trunk.mark(), format!("{:?}", trunk.matrix(Entry::Resolve)));
    let leaves: Vec<usize> =
        (0..trunk.points()).filter(|&point| trunk.points[point].link == Link::LEAF).collect();
    leaves.iter().for_each(|&leaf| trunk.expand(&game, &mut plain(), leaf));
    let grown = format!("{:?}", trunk.matrix(Entry::Resolve));
    assert_ne!(before, grown);
    trunk.back_to(mark);
    assert_eq!(before, format!("{:?}", trunk.matrix(Entry::Resolve)));
    leaves.iter().for_each(|&leaf| trunk.expand(&game, &mut plain(), leaf));
    assert_eq!(grown, format!("{:?}", trunk.matrix(Entry::Resolve)));
}

/// Whole plays by the player's own methods, on a budget of nodes: twice the same.
#[test]
fn a_budget_of_nodes_replays() {
    let game = Goofspiel::new(4, Prizes::Increasing).unwrap();
    let play = |nodes: usize| {
        let mut klss = Klss::new(Player::One, Tuning::default());
        let (mut node, mut random, mut reports) = (Node::start(&game), Random::new(3), Vec::new());
        loop {
            let mut actions = Vec::new();
            game.actions(&node.state, &mut actions);
            let Some(&action) = random.pick(&actions) else { break };
            let mut played = action;
            if game.turn(&node.state) == scuro_core::Turn::Player(Player::One) {
                let fresh = |known: &[&_], _: usize, _: &mut Plain| {
                    if known.is_empty() {
                        vec![Fresh { state: node.state, value: 0.0, weight: 1.0 }]
                    } else {
                        Vec::new()
                    }
                };
                let trunk = klss.prepare(&game, &mut plain(), node.keys[0], 1, fresh).unwrap();
                let report =
                    klss.solve(&game, &mut plain(), trunk, Budget::Nodes(nodes), Instant::now()).unwrap();
                assert!((report.strategy.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(report.strategy.iter().all(|(action, _)| actions.contains(action)));
                played = report.strategy.iter().max_by(|one, two| one.1.total_cmp(&two.1)).unwrap().0;
                reports.push((report.strategy, report.value, report.rounds, report.nodes));
            }
            node = node.play(&game, played);
            klss.see(node.keys[0]);
        }
        reports
    };
    assert_eq!(play(300), play(300));
    assert!(play(2000).iter().any(|report| report.2 >= 3));
}
