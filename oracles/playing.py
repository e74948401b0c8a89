"""How the playouts choose moves: at random, with a taste for the rare.

A style is a function (rng, position, moves, last) -> move, where `last` is the
side's own move before, or None. All styles spare the enemy king most of the
time, or the games would end too early to show anything.
"""

import plainchess as chess

WEIGHTS = {"king": 2, "ep": 25, "castle": 50, "right": 30, "promotion": 2, "double": 6,
           "capture": 3, "quiet": 1}
QUIET_WEIGHTS = {**dict.fromkeys(WEIGHTS, 0.02), "quiet": 1, "king": 0.1}


def kind_of(position, move):
    """The rarest thing about a move, one of the keys of WEIGHTS."""
    origin, target = chess.square(move), chess.square(move[2:])
    if position.board.get(target, "") in ("K", "k"):
        return "king"
    if chess.is_ep(position, move):
        return "ep"
    if chess.castling_of(position, move):
        return "castle"
    if target in position.board and any(chess.CASTLINGS[right][3] == move[2:4]
                                        for right in position.castling):
        return "right"  # takes a rook that could have castled
    if move[4:]:
        return "promotion"
    if target in position.board:
        return "capture"
    if position.board[origin] in "Pp":
        return "double" if abs(target[1] - origin[1]) == 2 else "quiet"
    return "quiet"


def rare(rng, position, moves, last):
    """Weighted choice: en passant and castling often, captures sometimes."""
    return rng.choices(moves, [WEIGHTS[kind_of(position, move)] for move in moves])[0]


def quiet(rng, position, moves, last):
    """Keeps the half-move clock running."""
    weights = []
    for move in moves:
        pawn = position.board[chess.square(move)] in "Pp"
        weights.append(0.02 if pawn else QUIET_WEIGHTS[kind_of(position, move)])
    return rng.choices(moves, weights)[0]


def to_and_fro(rng, position, moves, last):
    """Goes back where it came from, most of the time."""
    back = last and last[2:4] + last[:2]
    if back in moves and rng.random() < 0.6:
        return back
    return (quiet if rng.random() < 0.8 else rare)(rng, position, moves, last)


def pendulum(rng, position, moves, last):
    """Goes back at once, nearly always: the same position after four plies and eight."""
    back = last and last[2:4] + last[:2]
    if back in moves and rng.random() < 0.95:
        return back
    return quiet(rng, position, moves, last)


def wall_in(rng, position, moves, last):
    """Takes away the enemy's last move when it can."""
    closing = [move for move in moves if kind_of(position, move) == "quiet"
               and not chess.moves(chess.apply(position, move))]
    if closing and rng.random() < 0.9:
        return rng.choice(closing)
    return rare(rng, position, moves, last)


def finish(rng, position, moves, last):
    """Ends the game by mate or stalemate when it can; for games with check."""
    ends = {"mate": [], "stalemate": []}
    for move in moves:
        after = chess.apply(position, move)
        if not chess.legal_moves(after):
            ends["mate" if chess.checkers(after, after.turn) else "stalemate"].append(move)
    found = [ends[word] for word in sorted(ends) if ends[word]]
    if found and rng.random() < 0.9:
        return rng.choice(rng.choice(found))
    return rare(rng, position, moves, last)


def greedy(rng, position, moves, last):
    """Takes what it can, most of the time."""
    takes = [move for move in moves if chess.square(move[2:]) in position.board]
    if takes and rng.random() < 0.8:
        return rng.choice(takes)
    return rare(rng, position, moves, last)


def checking(rng, position, moves, last):
    """Gives check when it can, double check rather than a single one."""
    weights = []
    for move in moves:
        after = chess.apply(position, move)
        weights.append((1, 8, 150)[min(2, len(chess.checkers(after, after.turn)))])
    return rng.choices(moves, weights)[0]
