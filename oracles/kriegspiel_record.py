"""Kriegspiel: plays the sources, checks every answer, writes down the games.

`record` returns the lines of a data file. Where a source is known to leave the rules,
the expected value goes under `x`; any other difference from the reference raises
Disagreement. (The file is not called kriegspiel.py because a package has that name.)
"""

import random
from collections import Counter

import kriegspiel_tries as tries
import plainchess as chess
import playing
import positions
from checking import Disagreement, castling_events, promotion_events, schedule
from kriegspiel_reference import ANY, Umpire, is_bare_minors, is_dead
from kriegspiel_sources import SOURCES, Case

# Kind of start, style of play, most moves, share of the games.
PLAN = (
    ("start", playing.rare, 80, 2),
    ("middle", playing.rare, 50, 1),
    ("middle", playing.checking, 40, 1),
    ("castle", playing.rare, 20, 4),
    ("obstacle", playing.rare, 14, 4),
    ("ep", playing.rare, 16, 8),
    ("pinned", playing.rare, 12, 4),
    ("pinned", playing.pendulum, 14, 4),
    ("promo", playing.finish, 24, 5),
    ("few", playing.rare, 60, 1),
    ("few", playing.checking, 40, 2),
    ("few", playing.to_and_fro, 50, 2),
    ("clock", playing.quiet, 30, 2),
    ("clock", playing.pendulum, 20, 1),
    ("minor", playing.greedy, 30, 5),
    ("corner", playing.finish, 14, 9),
    ("smother", playing.finish, 8, 1),
    ("battery", playing.checking, 24, 6),
)


def fits(fen):
    """Whether a game can start here: no impossible check, not over, not drawn."""
    position = chess.Position.read(fen)
    if chess.checkers(position, chess.other(position.turn)):
        return False
    kinds = Umpire("icc", fen).kinds
    return (len(set(kinds)) == len(kinds) <= 2 and bool(chess.legal_moves(position))
            and not is_dead(position.board) and not is_bare_minors(position.board))


def make_start(kind, rng, clock_back):
    """A start position of this kind; the clock may have to be lower."""
    while True:
        fields = positions.make(kind, rng).split()
        fields[4] = str(max(0, int(fields[4]) - clock_back))
        if fits(" ".join(fields)):
            return " ".join(fields)


def distorted(source, case, right):
    """What the source should say by its known deviations, their ids, and the right words
    without the fields that are not compared."""
    words, names = right, []
    for deviation in source.deviations:
        if not deviation.distort or case.umpire.rules.name not in deviation.rulesets:
            continue
        changed = deviation.distort(case, words)
        if changed != words and deviation.marked:
            names.append(deviation.id)
        elif changed != words:
            right = {key: value for key, value in right.items() if key in changed}
        words = changed
    return words, sorted(names), right


def same_position(fen, other):
    """Whether two FENs agree but for the en passant field."""
    return all(first == second for number, (first, second)
               in enumerate(zip(fen.split(), other.split())) if number != 3)


def describe(source, umpire, tried, is_first):
    """The entry of one try: what the source says, and under `x` what it should say."""
    before, right, said = umpire.position, {}, {}
    if is_first:
        everything = source.takes_everything
        right["q"] = " ".join(umpire.offered() if everything else umpire.possible)
        said["q"] = " ".join(source.offered())
    right.update(umpire.ask(tried))
    said.update(source.ask(tried))
    case = Case(umpire, before, tried)
    predicted, names, right = distorted(source, case, right)
    if "e" in said and predicted.get("e", "").startswith(said["e"] + " "):
        said["e"] = predicted["e"]  # the source gives no reason, so it is the reference's
    if "f" in said and "f" in predicted and same_position(said["f"], predicted["f"]):
        right["f"] = predicted["f"] = said["f"]
    if said != predicted:
        raise Disagreement(f"{tried}: {said}; reference, with known deviations: {predicted}")
    entry = {"s": before.turn, "q": said.pop("q", None), "t": tried, **said}
    if names:
        wrong = [key for key in (*right, *predicted) if right.get(key) != predicted.get(key)]
        entry["x"] = {**{key: right.get(key) for key in wrong}, "d": names}
    return {key: value for key, value in entry.items() if value is not None}


def events(before, entry, umpire, is_possible, is_repeated):
    """Names of the rare events of one entry, for the counts."""
    tried, right = entry["t"], {**entry, **entry.get("x", {})}
    names = [f"deviation {name}" for name in right.get("d", ())]
    if tried == ANY:
        return names + [f"any? {entry['a']}"]
    names += ["tries", f"answer {entry['a']}"]
    if entry["a"] != "ok":
        castling = is_possible and chess.castling_of(before, tried)
        return (names + ["castling refused"] * bool(castling)
                + ["impossible try"] * (not is_possible) + ["repeated try"] * is_repeated)
    names.append("moves")
    names += ["capture"] * (right.get("c") is not None)
    names += ["ep capture"] * chess.is_ep(before, tried)
    names += castling_events(before, tried) + promotion_events(tried)
    names += [f"check {kind}" for kind in umpire.kinds]
    names += ["double check"] * (len(umpire.kinds) == 2)
    if right.get("e"):
        names.append(f"end {right['e']}")
    elif entry.get("e"):
        names.append(f"end by source only: {entry['e']}")
    return names


def play_game(source_class, ruleset, plan, number, seed, counts):
    """One game as the object of its line; adds its events to counts."""
    kind, style, most = plan
    rng = random.Random(f"kriegspiel {source_class.__name__} {ruleset} {seed} {number}")
    fen = make_start(kind, rng, source_class.clock_back)
    source, umpire = source_class(ruleset, fen), Umpire(ruleset, fen)
    line = {"k": kind, "s": fen, "n": source.announcement()}
    if line["n"] not in (None, umpire.announcement()):
        raise Disagreement(f"game {number}, {fen}: {line['n']} announced for the first turn")
    counts["start in check"] += bool(umpire.kinds)
    entries, moves = [], []
    while len(moves) < most and not (entries and is_over(entries[-1])):
        before, refused = umpire.position, umpire.refused
        is_first = not entries or entries[-1]["a"] == "ok"
        tried = tries.choose(rng, umpire, style, moves, source_class.takes_everything)
        is_possible, is_repeated = tried in umpire.possible, tried in refused
        try:
            entry = describe(source, umpire, tried, is_first)
        except Disagreement as difference:
            told = " ".join(entry["t"] for entry in entries)
            raise Disagreement(f"game {number}, {fen} {told}: {difference}") from None
        entries.append(entry)
        counts.update(events(before, entry, umpire, is_possible, is_repeated))
        if entry["a"] == "ok":
            moves.append(tried)
    counts["unfinished"] += not is_over(entries[-1])
    line["p"] = entries
    return {key: value for key, value in line.items() if value is not None}


def is_over(entry):
    """By the rules or for the source."""
    return bool(entry.get("e") or entry.get("x", {}).get("e"))


def record(source_name, ruleset, games, seed):
    """All objects of a data file: the meta line first, then the games."""
    source_class = SOURCES[source_name]
    source_class.load()
    counts = Counter()
    lines = [play_game(source_class, ruleset, plan, number, seed, counts)
             for number, plan in enumerate(schedule(PLAN, games))]
    deviations = [{"id": deviation.id, "what": deviation.what}
                  for deviation in source_class.deviations if ruleset in deviation.rulesets]
    meta = {"format": 1, "variant": "kriegspiel", "ruleset": ruleset, "source": source_class.label,
            "seed": seed, "games": games, "notes": source_class.notes,
            "deviations": deviations, "counts": dict(sorted(counts.items()))}
    return [{"meta": meta}, *lines]
