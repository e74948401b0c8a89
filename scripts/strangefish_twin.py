#!/usr/bin/env python3
"""A slow twin of our StrangeFish over python-chess: the same boards, the same numbers, the same decisions.

    cargo run -p scuro-app --example strangefish -- target/strangefish.json 24 60 network
    target/peers/bin/python scripts/strangefish_twin.py target/strangefish.json

Each scene of the file has boards that may be, and for the sense and the request that were chosen all numbers behind
them. The twin resolves every request on every board by the rules of Reconnaissance Blind Chess, scores what comes of it
in centipawns, and makes compounds, impacts and reductions from that. Positions are worth what the file says, or else a
count of pieces.

Prints "N scenes agree"; exits with 1 if one does not, with 2 if python-chess is missing.
"""

import json
import math
import sys
from collections import defaultdict

try:
    import chess
except ImportError:
    print("strangefish_twin: python-chess is not installed: pip install chess", file=sys.stderr)
    sys.exit(2)

PAWNS = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
INNER = [chess.square(file, rank) for rank in range(1, 7) for file in range(1, 7)]
WINDOWS = {centre: [square for square in chess.SQUARES if chess.square_distance(centre, square) <= 1] for centre in INNER}
LEAST = 0.1  # the share of the least score in a compound
DIVISOR = 25  # boards that are worth a centipawn when they are ruled out
SCALE = 10_000  # how fast the weight of a board falls with its evaluation
TOLERANCE = 1e-9


def resolve(board, request):
    """The move that comes of a request, None if none is made."""
    if request is None:
        return None
    origin, target = request.from_square, request.to_square
    kind = board.piece_type_at(origin)
    if kind == chess.PAWN:
        return resolve_pawn(board, request)
    if kind == chess.KING and chess.square_distance(origin, target) == 2:
        rook = chess.square(7 if target > origin else 0, chess.square_rank(origin))
        return None if chess.between(origin, rook) & board.occupied else request
    if kind in (chess.BISHOP, chess.ROOK, chess.QUEEN):
        in_the_way = chess.SquareSet(chess.between(origin, target) & board.occupied)
        if in_the_way:
            return chess.Move(origin, min(in_the_way) if target > origin else max(in_the_way))
    return request


def resolve_pawn(board, request):
    origin, target = request.from_square, request.to_square
    if chess.square_file(origin) != chess.square_file(target):
        takes = board.color_at(target) == (not board.turn) or target == board.ep_square
        return request if takes else None
    ahead = origin + (8 if board.turn else -8)
    if board.piece_type_at(ahead):
        return None
    return chess.Move(origin, ahead) if board.piece_type_at(target) else request


def count(board):
    """The pawns that the side to move is ahead, in units of 64. Who can take the king has won."""
    king = board.king(not board.turn)
    if king is not None and board.is_attacked_by(board.turn, king):
        return 1.0
    ahead = 0
    for kind, worth in PAWNS.items():
        ahead += worth * (len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)))
    return max(-60, min(60, ahead)) / 64


def centipawns(value):
    return 600 * math.atanh(max(-0.9999, min(0.9999, value)))


def score(board, made, before, value_after):
    """The score of a move, or of none, for the side to move: what becomes of the evaluation."""
    me = board.turn
    capture = made is not None and board.is_capture(made)
    if capture and made.to_square == board.king(not me):
        return 50_000
    after = board.copy(stack=False)
    after.push(made or chess.Move.null())
    if after.is_attacked_by(not me, after.king(me)):
        return -40_000
    value = value_after(made, after)
    if abs(value) >= 1:
        return 30_000 * value
    attackers = after.attackers(me, after.king(not me))
    if capture:
        attackers.discard(made.to_square)
    return centipawns(value) - centipawns(before) + (300 if attackers else 0)


class Scene:
    """Boards with their weights, what comes of each request on each, and the scores."""

    def __init__(self, boards, requests, values=None):
        self.boards, self.requests = boards, requests
        self.made, self.scores, weights = [], [], []
        for number, board in enumerate(self.boards):
            known = values[number] if values else None
            before = known["before"] if known else count(board)
            self.look(board, before, known)
            weights.append(1 / (1 + 9 ** (centipawns(before) / SCALE)))
        self.weights = [weight / sum(weights) for weight in weights]
        self.together = self.means_and_leasts(range(len(self.boards)))

    def look(self, board, before, known):
        """Scores all requests on a board; what comes of several alike is scored once."""

        def value_after(made, after):
            return known["after"][made.uci() if made else "pass"] if known else -count(after)

        made = [resolve(board, request) for request in self.requests]
        scored = {one: score(board, one, before, value_after) for one in set(made)}
        self.made.append(made)
        self.scores.append([scored[one] for one in made])

    def means_and_leasts(self, numbers):
        """Of each request over the boards with these numbers."""
        total = sum(self.weights[i] for i in numbers)
        columns = list(zip(*(self.scores[i] for i in numbers)))
        weights = [self.weights[i] / total for i in numbers]
        means = [sum(weight * score for weight, score in zip(weights, column)) for column in columns]
        return means, [min(column) for column in columns]

    def reduction(self, classes):
        """The number of boards that are ruled out when one learns which class it is."""
        kept = sum(len(numbers) * sum(self.weights[i] for i in numbers) for numbers in classes)
        return len(self.boards) - kept

    def impact(self, classes):
        """How much means and leasts change when one learns which class it is."""
        if len(classes) < 2:
            return 0.0
        impact = 0.0
        for numbers in classes:
            chance = sum(self.weights[i] for i in numbers)
            for share, part, whole in zip((1 - LEAST, LEAST), self.means_and_leasts(numbers), self.together):
                change = sum(abs(one - other) for one, other in zip(part, whole)) / len(whole)
                impact += chance * share * change
        return impact

    def sense(self):
        """What each sense is worth, and those that may be chosen; None if none is needed."""
        if len(self.boards) == 1:
            return {}, {None}
        contents = [[board.piece_at(square) for square in chess.SQUARES] for board in self.boards]
        contents = [[piece.symbol() if piece else "." for piece in content] for content in contents]
        classes = {
            centre: grouped("".join(content[square] for square in window) for content in contents)
            for centre, window in WINDOWS.items()
        }
        if all(max(scores) == 50_000 for scores in self.scores):
            return {}, self.hunt(classes)
        thoughts = {}
        for centre, groups in classes.items():
            impact, ruled_out = self.impact(groups), self.reduction(groups)
            total = impact + ruled_out / DIVISOR
            thoughts[chess.square_name(centre)] = {"impact": impact, "ruled_out": ruled_out, "score": total}
        return thoughts, near_best({name: thought["score"] for name, thought in thoughts.items()}, 1e-5)

    def hunt(self, classes):
        """The senses that leave their king the fewest squares."""
        kings = [board.king(not board.turn) for board in self.boards]
        places = {}
        for centre, groups in classes.items():
            left = [(sum(self.weights[i] for i in group), {kings[i] for i in group}) for group in groups]
            places[chess.square_name(centre)] = -sum(chance * len(squares) for chance, squares in left)
        return near_best(places, TOLERANCE)

    def request(self):
        """What each request is worth, and those that may be chosen."""
        thoughts, possible = {}, {}
        for column, request in enumerate(self.requests):
            mean, least = (numbers[column] for numbers in self.together)
            compound = (1 - LEAST) * mean + LEAST * least
            made = [row[column] for row in self.made]
            outcomes = [(one, one is not None and board.is_capture(one)) for one, board in zip(made, self.boards)]
            ruled_out = self.reduction(grouped(outcomes))
            name = request.uci() if request else "pass"
            total = compound + ruled_out / DIVISOR
            thoughts[name] = {"compound": compound, "ruled_out": ruled_out, "score": total}
            if request in made:
                possible[name] = total
        return thoughts, near_best(possible, 0.01 * abs(max(possible.values())))


def grouped(kinds):
    """The numbers of those that are of one kind, kind by kind."""
    groups = defaultdict(list)
    for number, kind in enumerate(kinds):
        groups[kind].append(number)
    return list(groups.values())


def near_best(scores, margin):
    """Those that are at most so far below the best."""
    best = max(scores.values())
    return {name for name, score in scores.items() if score >= best - margin}


def question(recorded):
    """What a scene of a file asks: the boards, the requests and what positions are worth."""
    names = recorded["request"]["thoughts"]
    requests = [None if name == "pass" else chess.Move.from_uci(name) for name in names]
    return [chess.Board(fen) for fen in recorded["boards"]], requests, recorded["values"]


def decide(boards, requests, values):
    """The thoughts and the possible choices of the sense and of the request."""
    scene = Scene(boards, requests, values)
    return {"sense": scene.sense(), "request": scene.request()}


def differences(recorded):
    """What the file says otherwise than the twin."""
    for what, (thoughts, choices) in decide(*question(recorded)).items():
        chosen = recorded[what]["chosen"].removeprefix("sense ")
        if (None if chosen == "nothing" else chosen) not in choices:
            yield f"{what}: chosen was {chosen}, the twin would choose of {sorted(map(str, choices))}"
        theirs = recorded[what]["thoughts"]
        if theirs.keys() != thoughts.keys():
            yield f"{what}: thoughts on {sorted(theirs)}, the twin's on {sorted(thoughts)}"
            continue
        for name, numbers in thoughts.items():
            for part, number in numbers.items():
                if not math.isclose(number, theirs[name][part], rel_tol=TOLERANCE, abs_tol=TOLERANCE):
                    yield f"{what} {name}: {part} {theirs[name][part]}, the twin's {number}"


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], encoding="utf-8") as file:
        scenes = json.load(file)
    found = [f"scene {number}, {what}" for number, scene in enumerate(scenes) for what in differences(scene)]
    print(*found, f"{len(scenes)} scenes, {len(found)} differences" if found else f"{len(scenes)} scenes agree", sep="\n")
    return 0 if scenes and not found else 1


if __name__ == "__main__":
    sys.exit(main())
