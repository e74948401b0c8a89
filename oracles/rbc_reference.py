"""Slow reference of Reconnaissance Blind Chess: sensing, requests, ends of the game.

Our own reading of the rules, on top of plainchess.py. Kings can be taken and check
means nothing, so the moves are those without regard to check.
"""

import plainchess as chess

PASS = None


def sense(board, text):
    """What is on a square and around it, top rank first: "a2=P b2=P a1=R b1=N"."""
    if text is None:
        return ""
    centre = chess.square(text)
    around = [chess.shift(centre, files, ranks) for ranks in (1, 0, -1) for files in (-1, 0, 1)]
    return " ".join(f"{chess.name(place)}={board.get(place, '.')}" for place in around if place)


def is_pawn_to_last_rank(position, request):
    return (position.board.get(chess.square(request)) == ("P" if position.turn == "w" else "p")
            and request[3] in "18")


def with_letter(position, request):
    """A pawn's request for the last rank means a queen unless it says otherwise."""
    return request + "q" * (len(request) == 4 and is_pawn_to_last_rank(position, request))


def listed(position):
    """Requests the source lists: also diagonal steps to the last rank without a letter."""
    found = set(chess.blind_moves(position))
    found |= {move[:4] for move in found
              if chess.is_pawn_step_aside(position, move) and move[4:]}
    return sorted(found)


def is_admissible(position, request):
    """Whether a request is possible as far as the own men tell."""
    return request is PASS or with_letter(position, request) in chess.blind_moves(position)


def resolve(position, request, possible=None):
    """The move that an admissible request turns into, None if none is made.

    `possible` spares finding the moves of the position anew.
    """
    if request is PASS:
        return None
    made = with_letter(position, request)
    possible = chess.moves(position) if possible is None else possible
    if made in possible:
        return made
    origin, target = chess.square(made), chess.square(made[2:])
    kind = position.board[origin].lower()
    if kind not in "pbrq":  # only a castling can fail: someone stands in the way
        return None
    for place in reversed(chess.between(origin, target)):
        shorter = chess.name(origin) + chess.name(place)
        if shorter in possible:
            return shorter
    return None


def captured_on(position, made):
    """Square of the man that a move takes, None if it takes none."""
    if made is None:
        return None
    place = chess.square(made[2:])
    if chess.is_ep(position, made):
        place = chess.ep_victim(position)
    return chess.name(place) if place in position.board else None


class Game:
    """A game from a FEN on, with its limits; clocks are set by hand."""

    def __init__(self, fen, full_turn_limit=None, reversible_moves_limit=100):
        self.position = chess.Position.read(fen)
        self.stepped_over = fen.split()[3]  # written after every double step
        self.full_turn_limit = full_turn_limit
        self.reversible_moves_limit = reversible_moves_limit
        self.notice = None
        self.flagged = self.resigned = None

    def fen(self):
        fields = self.position.fen().split()
        return " ".join([*fields[:3], self.stepped_over, *fields[4:]])

    def move(self, request):
        """Make a turn; the move made and the square of the capture."""
        made = resolve(self.position, request)
        capture = captured_on(self.position, made)
        before, self.stepped_over = self.position, "-"
        if made is None:
            self.position = chess.Position(before.board, chess.other(before.turn), before.castling,
                                           None, before.clock + 1,
                                           before.number + (before.turn == "b"))
        else:
            self.position = chess.apply(before, made)
            origin, target = chess.square(made), chess.square(made[2:])
            if before.board[origin] in "Pp" and abs(target[1] - origin[1]) == 2:
                self.stepped_over = chess.name(chess.between(origin, target)[0])
        self.notice = capture
        return made, capture

    def end(self):
        """Winner and reason, None while the game goes on. The order matters."""
        if self.resigned:
            return chess.other(self.resigned), "RESIGN"
        if self.flagged:
            return chess.other(self.flagged), "TIMEOUT"
        for side in "wb":
            if chess.king_square(self.position.board, side) is None:
                return chess.other(side), "KING_CAPTURE"
        if self.full_turn_limit is not None and self.position.number > self.full_turn_limit:
            return None, "TURN_LIMIT"
        if (self.reversible_moves_limit is not None
                and self.position.clock >= self.reversible_moves_limit):
            return None, "MOVE_LIMIT"
        return None
