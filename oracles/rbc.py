"""Reconnaissance Blind Chess: plays the source, checks every turn, writes down the games.

`record` returns the lines of the data file. The source is the law, so the reference has
to agree with it everywhere; any difference raises Disagreement.
"""

import random
from collections import Counter

import plainchess as chess
import playing
import positions
import rbc_reference as reference
from checking import Disagreement, castling_events, promotion_events, schedule
from rbc_source import DEVIATIONS, LABEL, NOTES, Reconchess, same_position

# Kind of start, most turns, share of the games.
PLAN = (
    ("start", 80, 3),
    ("middle", 60, 3),
    ("castle", 30, 5),
    ("obstacle", 30, 6),
    ("ep", 30, 6),
    ("promo", 40, 6),
    ("few", 60, 3),
    ("adjacent", 20, 2),
    ("clock", 60, 4),
    ("crowd", 12, 2),
)
EDGE = [chess.name(place) for place in chess.SQUARES if {0, 7} & set(place)]
OFF_BOARD = (-1, 64, 99)


def choose_options(rng, fen):
    """Limits of a game, and how it will be given up or lost on time, if at all."""
    number, plies = (int(field) for field in fen.split()[4:][::-1])
    draw = rng.random()
    if draw < 0.15:
        return {"full_turn_limit": number + rng.randint(0, 5)}
    if draw < 0.25:
        return {"reversible_moves_limit": plies + rng.randint(1, 9)}
    if draw < 0.30:
        return {"reversible_moves_limit": None}
    if draw < 0.35:
        return {"full_turn_limit": number + 2, "reversible_moves_limit": plies + rng.randint(3, 6)}
    return {}


def choose_sense(rng):
    draw = rng.random()
    if draw < 0.05:
        return None
    return rng.choice(EDGE) if draw < 0.4 else chess.name(rng.choice(chess.SQUARES))


def wrong_requests(position):
    """Requests that the own men rule out, and some that are none of theirs."""
    own = chess.men(position.board, position.turn)
    found = [chess.name(origin) + chess.name(target) for origin in own for target in own
             if origin != target]
    for origin in own:
        for files, ranks in ((0, 2), (0, -2), (0, 3), (2, 0), (-2, 0), (1, 0), (1, 2), (3, 3)):
            target = chess.shift(origin, files, ranks)
            if target:
                found.append(chess.name(origin) + chess.name(target))
    found += [move + "q" for move in chess.blind_moves(position) if not move[4:]]
    found += chess.moves(chess.Position(position.board, chess.other(position.turn)))[:20]
    blind = set(chess.blind_moves(position))
    return [request for request in found
            if reference.with_letter(position, request) not in blind]


def what_becomes(position, request, made):
    """The rarest thing about an admissible request, for weights and counts; None: nothing."""
    if request is reference.PASS:
        return "pass"
    kind = position.board[chess.square(request)].lower()
    if kind == "k" and made is None:
        return "castling blocked"
    if kind == "p" and made is None:
        aside = chess.is_pawn_step_aside(position, request)
        return "pawn capture of nothing" if aside else "pawn push blocked"
    if kind == "p" and made[:4] != request[:4]:
        return "double step cut to one"
    if made[:4] != request[:4]:
        return "slide cut short"
    return "promotion without letter" if made != request else None


WEIGHTS = {**playing.WEIGHTS, "king": 8, "castling blocked": 40, "pawn push blocked": 8,
           "pawn capture of nothing": 0.7, "double step cut to one": 25, "slide cut short": 3,
           "promotion without letter": 6}


def choose_request(rng, position):
    """A request, with a taste for those that do not come out as asked."""
    if rng.random() < 0.06:
        return reference.PASS
    requests = reference.listed(position)
    requests += [move[:4] for move in requests if move.endswith("q")]
    if not requests:
        return reference.PASS
    possible = chess.moves(position)
    weights = []
    for request in requests:
        made = reference.resolve(position, request, possible)
        event = what_becomes(position, request, made) or playing.kind_of(position, made)
        weights.append(WEIGHTS[event])
    return rng.choices(requests, weights)[0]


def expect(what, said, right):
    if said != right:
        raise Disagreement(f"{what}: {said}; reference: {right}")


def play_turn(rng, source, game):
    """One turn as an entry; all its fields are checked."""
    position = game.position
    entry = {"s": position.turn, "h": source.notice()}
    expect("notice", entry["h"], game.notice)
    if rng.random() < 0.2:
        listed = source.listed()
        expect("requests", listed, reference.listed(position))
        entry["a"] = " ".join(listed)
    refused = []
    if rng.random() < 0.03:
        number = rng.choice(OFF_BOARD)
        expect(f"sense of {number} refused", source.refuses_sense(number), True)
        refused.append(["sense", "off board"])
    entry["q"] = choose_sense(rng)
    entry["g"] = source.sense(entry["q"])
    expect("sense", entry["g"], reference.sense(position.board, entry["q"]))
    for request in rng.sample(wrong_requests(position), 1 if rng.random() < 0.12 else 0):
        expect(f"{request} refused", source.refuses_move(request), True)
        refused.append(["move", request])
    if refused:
        entry["e"] = refused
    entry["m"] = choose_request(rng, position)
    made, capture = source.move(entry["m"])
    expect(f"made of {entry['m']}", (made, capture), game.move(entry["m"]))
    entry.update(t=made, c=capture, f=source.fen())
    if not same_position(entry["f"], game.fen(), game.position.board):
        raise Disagreement(f"FEN: {entry['f']}; reference: {game.fen()}")
    return entry


def events(before, entry, game):
    """Names of the rare events of one turn, for the counts."""
    names = ["turns", what_becomes(before, entry["m"], entry["t"])]
    names += ["capture notices"] * (entry["h"] is not None)
    names += ["captures"] * (entry["c"] is not None)
    names += ["no sense" if entry["q"] is None else "edge sense" if entry["q"] in EDGE else None]
    names += [f"rejected {'sense' if call == 'sense' else 'request'}"
              for call, _ in entry.get("e", ())]
    names += ["no move made"] * (entry["t"] is None and entry["m"] is not None)
    if entry["t"]:
        names += ["ep capture"] * chess.is_ep(before, entry["t"])
        names += castling_events(before, entry["t"]) + promotion_events(entry["t"])
    for side, word in (("w", "white"), ("b", "black")):
        names += [f"{word} king captured"] * (chess.king_square(game.position.board, side) is None)
    return [name for name in names if name]


def play_game(plan, number, seed, counts):
    """One game as the object of its line; adds its events to counts."""
    kind, most = plan
    rng = random.Random(f"rbc {seed} {number}")
    fen = positions.make(kind, rng)
    options = choose_options(rng, fen)
    source, game = Reconchess(fen, options), reference.Game(fen, **options)
    entries, end = [], None
    while not end and len(entries) < most:
        before = game.position
        try:
            entries.append(play_turn(rng, source, game))
            way = give_up(rng, game)
            source.end_turn(way == "flag", way == "resign")
            if way:
                options[way] = before.turn
                game.flagged = before.turn if way == "flag" else None
                game.resigned = before.turn if way == "resign" else None
            end = source.end()
            expect("end", end, game.end())
        except Disagreement as difference:
            told = " ".join(str(entry["m"]) for entry in entries)
            raise Disagreement(f"game {number}, {fen} {told}: {difference}") from None
        counts.update(events(before, entries[-1], game))
    winner, reason = end or (None, None)
    counts[f"end {reason or 'cut'}"] += 1
    return {"k": kind, "s": fen, "o": options, "p": entries, "w": winner, "y": reason}


def give_up(rng, game):
    """How the player leaves the game after this turn, if she does; often as it ends anyway."""
    chance = 0.08 if game.end() else 0.008
    return rng.choice(("flag", "resign")) if rng.random() < chance else None


def record(source_name, games, seed):
    """All objects of a data file: the meta line first, then the games."""
    Reconchess.load()
    counts = Counter()
    lines = [play_game(plan, number, seed, counts)
             for number, plan in enumerate(schedule(PLAN, games))]
    meta = {"format": 1, "variant": "rbc", "ruleset": "rbc", "source": LABEL, "seed": seed,
            "games": games, "notes": NOTES, "deviations": list(DEVIATIONS),
            "counts": dict(sorted(counts.items()))}
    return [{"meta": meta}, *lines]
