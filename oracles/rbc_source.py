"""The package reconchess, which plays RBC for us and is the law in every detail.

Nothing under `x` is needed: what is listed here are its differences from the paper.
"""

import plainchess as chess
from checking import require

LABEL = "reconchess 1.6.9"
NOTES = ("LocalGame, its start position put on the board by hand. FEN as the package writes it: "
         "the en passant square after every double step. The clocks are unlimited; flag says "
         "whose clock was set to zero after the last turn, resign who gave up in it. w and y are "
         "null when the playout was cut.")
DEVIATIONS = (
    {"id": "limits",
     "what": "A game ends without a winner when the half-move clock reaches "
             "reversible_moves_limit (100 unless o says otherwise) or the move number passes "
             "full_turn_limit (none unless o says so); the paper knows no draw."},
    {"id": "resign",
     "what": "A player may resign; the paper names only the capture of the king and the clock."},
    {"id": "increment",
     "what": "By default each turn adds five seconds to the clock; the paper's competition had "
             "none."},
    {"id": "sense-edge",
     "what": "Every square may be sensed, and what would lie off the board is left out; the "
             "paper's players sense the 36 inner squares. Example: a1 from the start: "
             "a2=P b2=P a1=R b1=N."},
    {"id": "no-sense",
     "what": "A player may sense nothing (q null, g empty)."},
    {"id": "bad-request",
     "what": "A request that the player's own men rule out raises an error and the turn goes on; "
             "the paper does not treat it. Example: 4k3/8/8/8/8/8/3P4/4K3 w - - 0 1, d2d5."},
)


class Reconchess:
    """One game in the package, asked and answered in text."""

    @classmethod
    def load(cls):
        require("reconchess", "1.6.9")
        import chess as python_chess
        import reconchess
        cls.chess, cls.package = python_chess, reconchess

    def __init__(self, fen, options):
        limits = {key: options[key] for key in ("full_turn_limit", "reversible_moves_limit")
                  if key in options}
        self.game = self.package.LocalGame(seconds_per_player=None, **limits)
        self.game.board = self.chess.Board(fen)
        self.game.turn = self.game.board.turn
        self.game.start()

    def name(self, place):
        return None if place is None else self.chess.square_name(place)

    def notice(self):
        return self.name(self.game.opponent_move_results())

    def listed(self):
        return sorted({move.uci() for move in self.game.move_actions()})

    def sense(self, text):
        place = None if text is None else self.chess.parse_square(text)
        return " ".join(f"{self.name(seen)}={man.symbol() if man else '.'}"
                        for seen, man in self.game.sense(place))

    def refuses_sense(self, number):
        """Whether it turns down the sense of a square that is none."""
        return self.refuses(self.game.sense, number)

    def refuses_move(self, request):
        """Whether it turns down a request; only to be asked where it must."""
        return self.refuses(self.game.move, self.chess.Move.from_uci(request))

    @staticmethod
    def refuses(call, value):
        try:
            call(value)
        except ValueError:
            return True
        return False

    def move(self, request):
        """The move made and the square of the capture."""
        asked = None if request is None else self.chess.Move.from_uci(request)
        _, made, capture = self.game.move(asked)
        return made and made.uci(), self.name(capture)

    def end_turn(self, flag, resign):
        """Hand over; before that, the player may give up or run out of time."""
        if resign:
            self.game.resign()
        mover = self.game.turn
        self.game.end_turn()
        if flag:
            self.game.seconds_left_by_color[mover] = 0

    def fen(self):
        return self.game.board.fen(en_passant="fen")

    def end(self):
        """Winner and reason, None while the game goes on."""
        if not self.game.is_over():
            return None
        winner = self.game.get_winner_color()
        reason = self.game.get_win_reason().name
        return None if winner is None else "wb"[not winner], reason


def without_castling(fen):
    return [field for number, field in enumerate(fen.split()) if number != 2]


def same_position(fen, other, board):
    """Whether two FENs agree; without a king the castling field means nothing."""
    if all(chess.king_square(board, side) for side in "wb"):
        return fen == other
    return without_castling(fen) == without_castling(other)
