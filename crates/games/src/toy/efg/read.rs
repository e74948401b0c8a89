//! From text to tree: the nodes one by one, each put under the last one that still lacks children.

use std::collections::{HashMap, HashSet};

use scuro_core::{Player, Scale};

use super::check::{Origin, forgets, told_of_every_ply};
use super::token::{EfgError, EfgErrorKind, InfosetName, Place, Token, Tokens};
use super::tree::{Branch, Draw, Infoset, Kind, Node, NodeId, TreeGame};

/// Reads a game from a text in Gambit's `.efg` format. Its payoffs are mapped to [-1, 1].
///
/// Actions and infosets whose names are empty or used twice get their numbers put before the names, so that a
/// strategy can be written down.
///
/// # Errors
/// If the text is not in the format, or its game is not one of two players, zero-sum, with perfect recall and with
/// payoffs at terminal nodes only.
pub fn read(text: &str) -> Result<TreeGame, EfgError> {
    let mut tokens = Tokens::new(text)?;
    let (title, players) = prologue(&mut tokens)?;
    let mut reader = Reader {
        tokens,
        nodes: Vec::new(),
        origins: Vec::new(),
        draws: Vec::new(),
        infosets: [Vec::new(), Vec::new()],
        draw_numbers: HashMap::new(),
        infoset_numbers: [HashMap::new(), HashMap::new()],
        outcomes: HashMap::new(),
    };
    reader.tree()?;
    reader.finish(title, players)
}

/// The title of the game and the names of its players. A comment after them is skipped.
fn prologue(tokens: &mut Tokens<'_>) -> Result<(String, [String; 2]), EfgError> {
    tokens.expect(&Token::Word("EFG"), "'EFG', with which the format starts")?;
    tokens.expect(&Token::Word("2"), "'2', the version of the format")?;
    if !tokens.skip(&Token::Word("D"))? {
        tokens.expect(&Token::Word("R"), "'R' or 'D', the kind of the numbers")?;
    }
    let title = tokens.text("the title of the game in quotes")?;
    let place = tokens.place();
    tokens.expect(&Token::Open, "'{' and the names of the players")?;
    let mut players = Vec::new();
    while !tokens.skip(&Token::Close)? {
        players.push(tokens.text("the name of a player in quotes, or '}'")?);
    }
    let players: Result<[String; 2], Vec<String>> = players.try_into();
    let players = players.map_err(|players| place.error(EfgErrorKind::Players(players.len())))?;
    tokens.text_if_any()?;
    Ok((title, players))
}

/// What has been read so far. Where the file gives numbers, a map leads from them to places in the lists.
struct Reader<'a> {
    tokens: Tokens<'a>,
    nodes: Vec<Node>,
    origins: Vec<Origin>,
    draws: Vec<Draw>,
    infosets: [Vec<Infoset>; 2],
    draw_numbers: HashMap<u64, usize>,
    infoset_numbers: [HashMap<u64, usize>; 2],
    /// What each outcome pays to player one.
    outcomes: HashMap<u64, f64>,
}

impl Reader<'_> {
    fn tree(&mut self) -> Result<(), EfgError> {
        // The nodes above the next one that still lack children, and how many.
        let mut open: Vec<(NodeId, usize)> = Vec::new();
        loop {
            let place = self.tokens.place();
            let number = u32::try_from(self.nodes.len()).map_err(|_| place.error(EfgErrorKind::TooLarge))?;
            let (kind, branches) = self.node()?;
            let parent = open.last_mut().map(|(parent, lacking)| {
                *lacking -= 1;
                let siblings = &mut self.nodes[parent.index()].children;
                siblings.push(NodeId(number));
                (*parent, Branch(siblings.len() as u32 - 1))
            });
            self.nodes.push(Node { kind, children: Vec::new() });
            self.origins.push(Origin { place, parent });
            open.push((NodeId(number), branches));
            while open.last().is_some_and(|&(_, lacking)| lacking == 0) {
                open.pop();
            }
            if open.is_empty() {
                break;
            }
        }
        match self.tokens.peek() {
            Token::End => Ok(()),
            token => Err(self.tokens.place().error(EfgErrorKind::Trailing(token.to_string()))),
        }
    }

    /// One node, and how many children it has.
    fn node(&mut self) -> Result<(Kind, usize), EfgError> {
        let read = match self.tokens.peek() {
            Token::Word("c") => Reader::chance,
            Token::Word("p") => Reader::player,
            Token::Word("t") => Reader::terminal,
            _ => return Err(self.tokens.unexpected("a node: 'c', 'p' or 't'")),
        };
        self.tokens.take()?;
        self.tokens.text("the name of the node in quotes")?;
        read(self)
    }

    fn chance(&mut self) -> Result<(Kind, usize), EfgError> {
        let place = self.tokens.place();
        let number = self.tokens.whole("the number of chance's infoset")?;
        self.tokens.text_if_any()?;
        if let Some(draw) = self.draw()? {
            let known = self.draw_numbers.get(&number).filter(|&&known| self.draws[known] == draw);
            if known.is_none() {
                self.draw_numbers.insert(number, self.draws.len());
                self.draws.push(draw);
            }
        }
        let draw = self.draw_numbers.get(&number).copied();
        let draw = draw.ok_or_else(|| place.error(EfgErrorKind::UnknownInfoset(number)))?;
        self.nothing_paid()?;
        Ok((Kind::Chance(draw), self.draws[draw].names.len()))
    }

    /// The actions of chance and their probabilities, if they are listed.
    fn draw(&mut self) -> Result<Option<Draw>, EfgError> {
        let place = self.tokens.place();
        if !self.tokens.skip(&Token::Open)? {
            return Ok(None);
        }
        let (mut names, mut chances) = (Vec::new(), Vec::new());
        while !self.tokens.skip(&Token::Close)? {
            let action = self.tokens.text("an action in quotes, or '}'")?;
            let place = self.tokens.place();
            let chance = self.tokens.number("the probability of the action")?;
            if chance <= 0.0 || chance > 1.0 {
                return Err(place.error(EfgErrorKind::Probability { action, chance }));
            }
            names.push(action);
            chances.push(chance);
            self.tokens.skip(&Token::Comma)?;
        }
        let sum: f64 = chances.iter().sum();
        if names.is_empty() {
            return Err(place.error(EfgErrorKind::NoActions));
        }
        if (sum - 1.0).abs() > 1e-6 {
            return Err(place.error(EfgErrorKind::ProbabilitySum(sum)));
        }
        if (sum - 1.0).abs() > 1e-12 {
            chances.iter_mut().for_each(|chance| *chance /= sum);
        }
        Ok(Some(Draw { names: numbered_unless_distinct(names), chances }))
    }

    fn player(&mut self) -> Result<(Kind, usize), EfgError> {
        let place = self.tokens.place();
        let player = match self.tokens.whole("the number of a player")? {
            1 => Player::One,
            2 => Player::Two,
            other => return Err(place.error(EfgErrorKind::NoSuchPlayer(other))),
        };
        let place = self.tokens.place();
        let number = self.tokens.whole("the number of an infoset")?;
        let name = self.tokens.text_if_any()?.unwrap_or_default();
        let actions = self.actions()?;
        let infoset = self.infoset(player, Infoset { number, name, actions }, place)?;
        self.nothing_paid()?;
        Ok((Kind::Player(player, infoset), self.infosets[player.index()][infoset].actions.len()))
    }

    /// The actions of a player, if they are listed; none if not.
    fn actions(&mut self) -> Result<Vec<String>, EfgError> {
        let place = self.tokens.place();
        if !self.tokens.skip(&Token::Open)? {
            return Ok(Vec::new());
        }
        let mut actions = Vec::new();
        while !self.tokens.skip(&Token::Close)? {
            actions.push(self.tokens.text("an action in quotes, or '}'")?);
            self.tokens.skip(&Token::Comma)?;
        }
        if actions.is_empty() {
            return Err(place.error(EfgErrorKind::NoActions));
        }
        Ok(numbered_unless_distinct(actions))
    }

    /// The place of an infoset among those of `player`: of the one with its number, or of a new one.
    fn infoset(&mut self, player: Player, found: Infoset, place: Place) -> Result<usize, EfgError> {
        let infosets = &mut self.infosets[player.index()];
        let Some(&known) = self.infoset_numbers[player.index()].get(&found.number) else {
            if found.actions.is_empty() {
                return Err(place.error(EfgErrorKind::UnknownInfoset(found.number)));
            }
            self.infoset_numbers[player.index()].insert(found.number, infosets.len());
            infosets.push(found);
            return Ok(infosets.len() - 1);
        };
        let first = &mut infosets[known];
        if first.name.is_empty() {
            first.name = found.name;
        }
        if !found.actions.is_empty() && found.actions != first.actions {
            return Err(place.error(EfgErrorKind::UnequalActions(full_name(player, first))));
        }
        Ok(known)
    }

    fn terminal(&mut self) -> Result<(Kind, usize), EfgError> {
        let (_, payoff) = self.outcome()?;
        Ok((Kind::Over(payoff), 0))
    }

    /// An outcome at a node where the game goes on: it must pay nothing.
    fn nothing_paid(&mut self) -> Result<(), EfgError> {
        let place = self.tokens.place();
        match self.outcome()? {
            (_, 0.0) => Ok(()),
            (number, _) => Err(place.error(EfgErrorKind::EarlyPayoff(number))),
        }
    }

    /// The number of an outcome, and what it pays to player one. The outcome 0 pays nothing.
    fn outcome(&mut self) -> Result<(u64, f64), EfgError> {
        let place = self.tokens.place();
        let number = self.tokens.whole("the number of an outcome")?;
        if number == 0 {
            return Ok((0, 0.0));
        }
        self.tokens.text_if_any()?;
        let known = self.outcomes.get(&number).copied();
        match (self.payoff()?, known) {
            (Some(payoff), Some(known)) if payoff != known => {
                Err(place.error(EfgErrorKind::OutcomeDiffers(number)))
            }
            (Some(payoff), _) => {
                self.outcomes.insert(number, payoff);
                Ok((number, payoff))
            }
            (None, Some(known)) => Ok((number, known)),
            (None, None) => Err(place.error(EfgErrorKind::UnknownOutcome(number))),
        }
    }

    /// The payoff to player one, if payoffs are listed.
    fn payoff(&mut self) -> Result<Option<f64>, EfgError> {
        let place = self.tokens.place();
        if !self.tokens.skip(&Token::Open)? {
            return Ok(None);
        }
        let mut payoffs = Vec::new();
        while !self.tokens.skip(&Token::Close)? {
            payoffs.push(self.tokens.number("a payoff, or '}'")?);
            self.tokens.skip(&Token::Comma)?;
        }
        let [one, two] = payoffs[..] else {
            return Err(place.error(EfgErrorKind::PayoffCount(payoffs.len())));
        };
        if (one + two).abs() > 1e-9 * one.abs().max(1.0) {
            return Err(place.error(EfgErrorKind::NotZeroSum { one, two }));
        }
        Ok(Some(one))
    }

    fn finish(mut self, title: String, players: [String; 2]) -> Result<TreeGame, EfgError> {
        for player in Player::BOTH {
            if let Some((node, infoset)) = forgets(&self.nodes, &self.origins, player) {
                let name = full_name(player, &self.infosets[player.index()][infoset]);
                return Err(self.origins[node.index()].place.error(EfgErrorKind::ImperfectRecall(name)));
            }
            name_infosets(&mut self.infosets[player.index()]);
        }
        let told = Player::BOTH.map(|player| told_of_every_ply(&self.nodes, &self.origins, player));
        let payoffs = || self.nodes.iter().filter_map(|node| node.payoff());
        let range = payoffs().fold(f64::INFINITY, f64::min)..payoffs().fold(f64::NEG_INFINITY, f64::max);
        let scale = Scale::of_range(range.start, range.end);
        let Reader { nodes, draws, infosets, .. } = self;
        Ok(TreeGame { title, players, nodes, draws, infosets, told, scale })
    }
}

fn full_name(player: Player, infoset: &Infoset) -> InfosetName {
    InfosetName { player, number: infoset.number, name: infoset.name.clone() }
}

fn are_distinct<'a>(names: impl Iterator<Item = &'a String>) -> bool {
    let mut seen = HashSet::new();
    names.into_iter().all(|name| !name.is_empty() && seen.insert(name))
}

/// The names as they are if none is empty or used twice; else each with its number before it.
fn numbered_unless_distinct(names: Vec<String>) -> Vec<String> {
    if are_distinct(names.iter()) {
        return names;
    }
    (1..).zip(names).map(|(number, name): (u64, String)| with_number(number, &name)).collect()
}

/// The same for the infosets of a player, with their own numbers.
fn name_infosets(infosets: &mut [Infoset]) {
    if !are_distinct(infosets.iter().map(|infoset| &infoset.name)) {
        for infoset in infosets {
            infoset.name = with_number(infoset.number, &infoset.name);
        }
    }
}

fn with_number(number: u64, name: &str) -> String {
    if name.is_empty() { number.to_string() } else { format!("{number} {name}") }
}
