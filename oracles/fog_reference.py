"""Slow reference of fog-of-war chess: views and ends of the game.

Our own reading of the rules, on top of plainchess.py. The generator compares every
entry of a source with it and stops at the first difference that is not a known
deviation.
"""

from collections import Counter

import plainchess as chess


def seen_squares(position, side):
    """Squares that a side sees: own men, where they could go, a pawn to take e.p."""
    own = chess.men(position.board, side)
    seen = set(own)
    for origin in own:
        seen.update(chess.reach(position.board, origin))
    if side == position.turn and position.ep:
        seen |= {position.ep, chess.ep_victim(position)}
    return seen


def view_of(board, seen):
    """Board field with "?" for unseen squares."""
    return chess.board_field(lambda place: board.get(place) if place in seen else "?")


def view(position, side):
    """What a side sees, as text."""
    return view_of(position.board, seen_squares(position, side))


class Game:
    """A game from a FEN on; what was before the FEN does not count."""

    def __init__(self, fen):
        self.position = chess.Position.read(fen)
        self.occurrences = Counter([self.key()])

    def key(self):
        """Equal keys are the same position for repetition."""
        return " ".join(self.position.fen().split()[:4])

    def moves(self):
        return chess.moves(self.position)

    def play(self, move):
        self.position = chess.apply(self.position, move)
        self.occurrences[self.key()] += 1

    def result(self):
        """Result with its reason, None while the game goes on. The order matters."""
        turn = self.position.turn
        lost = "0-1" if turn == "w" else "1-0"
        if chess.king_square(self.position.board, turn) is None:
            return f"{lost} king"
        if not self.moves():
            return f"{lost} nomove"
        if self.occurrences[self.key()] >= 3:
            return "draw rep"
        if self.position.clock >= 100:
            return "draw 50"
        return None
