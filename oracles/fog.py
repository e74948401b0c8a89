"""Fog of war: plays the sources, checks every entry, writes down the games.

`record` returns the lines of a data file. Where a source is known to leave the
rules, the expected value goes under `x`; any other difference from the
reference raises Disagreement.
"""

import random
from collections import Counter

import plainchess as chess
import playing
import positions
from checking import Disagreement, castling_events, promotion_events, schedule
from fog_reference import Game, view, view_of
from fog_sources import SOURCES

# Kind of start, style of play, most plies, share of the games.
PLAN = (
    ("start", playing.rare, 60, 2),
    ("middle", playing.rare, 20, 2),
    ("crowd", playing.rare, 8, 1),
    ("castle", playing.rare, 8, 8),
    ("ep", playing.rare, 15, 8),
    ("promo", playing.rare, 20, 4),
    ("few", playing.rare, 90, 8),
    ("few", playing.to_and_fro, 90, 3),
    ("adjacent", playing.rare, 80, 4),
    ("box", playing.wall_in, 30, 4),
    ("clock", playing.quiet, 50, 3),
    ("clock", playing.pendulum, 30, 1),
    ("shuffle", playing.to_and_fro, 80, 3),
)


def deviation_of_view(source, position, side, shown):
    """Id of the deviation that turns the right view into the one shown."""
    for deviation, seen in source.explain.items():
        if shown == view_of(position.board, seen(position, side)):
            return deviation
    raise Disagreement(f"view of {side}: {shown}; reference: {view(position, side)}")


def check_position(report, game, result):
    """FEN and moves. After a king capture only the board and the turn mean something."""
    expected = game.position.fen()
    fields = 2 if result and result.endswith("king") else 6
    if report.fen.split()[:fields] != expected.split()[:fields]:
        raise Disagreement(f"FEN: {report.fen}; reference: {expected}")
    if not report.outcome and report.moves != game.moves():
        raise Disagreement(f"moves: {report.moves}; reference: {game.moves()}")


def corrections(source, entry, game, result):
    """Right values for the fields of an entry that a known deviation spoils."""
    right, names = {}, []
    for side in "wb" if not (result and result.endswith("king")) else "":
        expected = view(game.position, side)
        if entry[side] != expected:
            names.append(deviation_of_view(source, game.position, side, entry[side]))
            right[side] = expected
    if entry.get("r") != result:
        if not (source.stalemate_is_draw and entry.get("r") == "draw nomove"):
            raise Disagreement(f"result: {entry.get('r')}; reference: {result}")
        names.append("stalemate-draw")
        right["r"] = result
    return {**right, "d": names} if names else None


def describe(source, game, move):
    """The entry of one ply: what the source says, and under `x` what it should say."""
    report, result = source.report(), game.result()
    check_position(report, game, result)
    entry = {"m": move} if move else {}
    entry["f"] = report.fen
    if not report.outcome:
        entry["l"] = " ".join(report.moves)
    entry.update(report.views)
    if report.outcome:  # the sources give no reason, so it is the reference's
        entry["r"] = f"{report.outcome} {result.split()[1] if result else 'unexplained'}"
    right = corrections(source, entry, game, result)
    if right:
        entry["x"] = right
    return entry


def events(before, move, after, result):
    """Names of the rare events of one entry, for the counts."""
    names = ["plies"]
    names += ["ep available"] * bool(after.ep)
    names += ["adjacent kings"] * chess.kings_adjacent(after.board)
    if result:
        names.append(f"end {result}")
        names += ["side without a move"] * result.endswith("nomove")
        if result.endswith("king"):
            names.append(f"{'white' if after.turn == 'w' else 'black'} king captured")
    if move:
        names += ["ep capture"] * chess.is_ep(before, move)
        names += castling_events(before, move)
        names += promotion_events(move)
    return names


def play_game(source_class, plan, number, seed, counts):
    """One game as the object of its line; adds its events to counts."""
    kind, style, most = plan
    rng = random.Random(f"fog {source_class.__name__} {seed} {number}")
    fen = positions.make(kind, rng)
    source, game = source_class(fen), Game(fen)
    entries, played, before, move = [], [], None, None
    while True:
        try:
            entry = describe(source, game, move)
        except Disagreement as difference:
            raise Disagreement(f"game {number}, {fen} {' '.join(played)}: {difference}") from None
        entries.append(entry)
        result = game.result()
        counts.update(events(before, move, game.position, result))
        counts.update(f"deviation {name}" for name in entry.get("x", {}).get("d", ()))
        if result or len(played) == most:
            break
        before = game.position
        move = style(rng, before, game.moves(), played[-2] if len(played) > 1 else None)
        played.append(move)
        source.play(move)
        game.play(move)
    counts["unfinished"] += not result
    return {"k": kind, "s": fen, "p": entries}


def record(source_name, games, seed):
    """All objects of a data file: the meta line first, then the games."""
    source_class = SOURCES[source_name]
    source_class.load()
    counts = Counter()
    lines = [play_game(source_class, plan, number, seed, counts)
             for number, plan in enumerate(schedule(PLAN, games))]
    meta = {"format": 1, "variant": "fog", "ruleset": "fog-of-war", "source": source_class.label,
            "seed": seed, "games": games, "notes": source_class.notes,
            "deviations": list(source_class.deviations), "counts": dict(sorted(counts.items()))}
    return [{"meta": meta}, *lines]
