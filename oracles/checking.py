"""What the generators of all games share: versions, disagreement, the schedule, common counts."""

from importlib import metadata

import plainchess as chess


class MissingSource(Exception):
    """The package of a source is not installed in the pinned version."""


class Disagreement(Exception):
    """A source and the reference differ, and no known deviation explains it."""


def require(package, version):
    """Insist on the exact version: only that one gives the same data again."""
    try:
        found = metadata.version(package)
    except metadata.PackageNotFoundError:
        found = "none"
    if found != version:
        raise MissingSource(f"needs the Python package {package} {version}, found {found}")


def schedule(plan, games):
    """The line of the plan for each game, shares kept as well as they can be.

    The last element of a line is its share. Games of one line stand together in the
    file, because it then compresses better.
    """
    round_of_games = [line[:-1] for line in plan for _ in range(line[-1])]
    return [round_of_games[number * len(round_of_games) // games] for number in range(games)]


def castling_events(before, move):
    """For the counts: whether the king castled, and which of its squares were attacked."""
    right = chess.castling_of(before, move)
    if not right:
        return []
    _, origin, target, _, crossed, _ = chess.CASTLINGS[right]
    enemy = chess.other(before.turn)
    passed = (("out of", origin), ("through", crossed), ("into", target))
    return ["castle"] + [f"castle {word} attack" for word, text in passed
                         if chess.attacked(before.board, chess.square(text), enemy)]


def promotion_events(move):
    """For the counts: a queen, or less."""
    return ["promotion" if move[4:] == "q" else "underpromotion"] if move[4:] else []
