"""The programs that play fog of war for us, and what is known of their faults.

Each program sits behind the same small interface, Source. Its deviations from
the rules are stated twice: in words for the data file, and, for the views, as a
function that says which squares the program shows instead of the right ones.
"""

from dataclasses import dataclass

import plainchess as chess
from checking import require
from fog_reference import seen_squares


@dataclass
class Report:
    """What a program says of the position on its board."""

    fen: str
    moves: list  # sorted
    views: dict  # side -> text; empty where the program gives none
    outcome: str | None  # "1-0", "0-1", "draw", None while the game goes on


class Source:
    """One game in a program: made from a FEN, then play() and report() by turns."""

    label = ""
    notes = ""
    deviations = ()
    explain = {}  # deviation id -> function(position, side) giving the squares shown
    stalemate_is_draw = False

    @classmethod
    def load(cls):
        """Import the package; raises MissingSource."""
        raise NotImplementedError

    def play(self, move):
        raise NotImplementedError

    def report(self):
        raise NotImplementedError


def seen_without_victim(position, side):
    """pyffish: the square of an en passant capture is shown, the pawn is not."""
    if side != position.turn or not position.ep:
        return seen_squares(position, side)
    without_ep = chess.Position(position.board, position.turn)
    return seen_squares(without_ep, side) | {position.ep}


def seen_with_own_ep(position, side):
    """dark_chess: the side that stepped past the square looks as if it could take there."""
    seen = seen_squares(position, side)
    if side == position.turn or not position.ep:
        return seen
    back = -chess.forward(side)
    below = [chess.shift(position.ep, files, back) for files in (-1, 1)]
    if ("P" if side == "w" else "p") in [position.board.get(place) for place in below]:
        seen |= {position.ep, chess.shift(position.ep, 0, back)}
    return seen


class Pyffish(Source):
    """Fairy-Stockfish through pyffish. Every call sets up the game anew, so few calls."""

    label = "pyffish 0.0.90"
    variant = "scurofog"
    config = """
[scurofog:chess]
king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPieceTypes = k
stalemateValue = loss
"""
    notes = ("The package has no fog of war of its own: the variant is chess in which the king is "
             "a common man whose loss loses (king=-, commoner=k, castlingKingPiece=k, "
             "extinctionValue=loss, extinctionPieceTypes=k, stalemateValue=loss). A view is the "
             "board field of get_fog_fen; for the side not to move it is asked with the turn given "
             "to that side and no en passant square.")
    deviations = (
        {"id": "ep-victim-hidden",
         "what": "The side that can take en passant is shown the empty target square but not the "
                 "pawn; by the rules it sees both. Example: 4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1, "
                 "the white pawn e4 is missing in Black's view."},
        {"id": "draw-optional",
         "what": "Repetition and the clock only give a right to claim; by the rules, and in r, the "
                 "game is over. Not marked with x."},
        {"id": "stalemate-draw",
         "what": "With the package's value for chess, having no move is a draw; it was set to a "
                 "loss, so no entry is touched. Example: 8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1, "
                 "White has lost."},
        {"id": "no-view-after-king",
         "what": "Once a king is captured there are no moves and so no views: w and b are absent."},
    )
    explain = {"ep-victim-hidden": seen_without_victim}

    @classmethod
    def load(cls):
        require("pyffish", "0.0.90")
        import pyffish
        cls.engine = pyffish
        pyffish.load_variant_config(cls.config)

    def __init__(self, fen):
        self.game = (self.variant, fen, [])

    def play(self, move):
        self.game[2].append(move)

    def report(self):
        fen = self.engine.get_fen(*self.game)
        moves = sorted(self.engine.legal_moves(*self.game))
        king_lost, value = self.engine.is_immediate_game_end(*self.game)
        over = king_lost
        if not over and not moves:
            over, value = True, self.engine.game_result(*self.game)
        if not over:
            over, value = self.engine.is_optional_game_end(*self.game)
        views = {} if king_lost else self.views(fen)
        return Report(fen, moves, views, self.outcome(fen, value) if over else None)

    def views(self, fen):
        field, turn, castling, ep, clock, number = fen.split()
        views = {}
        for side in "wb":
            asked = f"{field} {side} {castling} {ep if side == turn else '-'} {clock} {number}"
            fog = self.engine.get_fog_fen(asked, self.variant)
            views[side] = fog.split()[0].replace("*", "?")
        return views

    @staticmethod
    def outcome(fen, value):
        """The value is meant for the side to move."""
        if value == 0:
            return "draw"
        white_to_move = fen.split()[1] == "w"
        return "1-0" if white_to_move == (value > 0) else "0-1"


class OpenSpiel(Source):
    """The game dark_chess of OpenSpiel; player 0 is Black."""

    label = "open_spiel 2.0.2 dark_chess"
    notes = ("Views are the board fields of the two observation strings. A move is found by "
             "comparing the boards before and after its action, without reading its name.")
    deviations = (
        {"id": "stalemate-draw",
         "what": "A side without a move gets a draw; by the rules it has lost. r then says "
                 "draw nomove. Example: 8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1, White has lost."},
        {"id": "pusher-sees-ep",
         "what": "After a double step that can be taken en passant, a side with another pawn "
                 "diagonally below the passed-over square is shown that square and the one the "
                 "pawn came from. Example: 4k3/8/8/8/3p4/8/3PP3/4K3 w - - 0 1 after e2e4, White "
                 "is shown e3; by the rules it is unseen."},
    )
    explain = {"pusher-sees-ep": seen_with_own_ep}
    stalemate_is_draw = True

    @classmethod
    def load(cls):
        require("open_spiel", "2.0.2")
        import pyspiel
        cls.engine = pyspiel

    def __init__(self, fen):
        self.state = self.engine.load_game("dark_chess", {"fen": fen}).new_initial_state()
        self.actions = self.name_actions()

    def play(self, move):
        self.state.apply_action(self.actions[move])
        self.actions = self.name_actions()

    def report(self):
        views = {side: self.state.observation_string(player).split()[0]
                 for side, player in (("w", 1), ("b", 0))}
        return Report(str(self.state), sorted(self.actions), views, self.outcome())

    def outcome(self):
        if not self.state.is_terminal():
            return None
        white = self.state.returns()[1]
        return "draw" if white == 0 else "1-0" if white > 0 else "0-1"

    def name_actions(self):
        """UCI move -> action, for all actions of the side to move."""
        if self.state.is_terminal():
            return {}
        field, turn = str(self.state).split()[:2]
        before = chess.read_board(field)
        named = {}
        for action in self.state.legal_actions():
            after = chess.read_board(str(self.state.child(action)).split()[0])
            named[move_between(before, after, turn)] = action
        return named


def move_between(before, after, side):
    """The UCI move that leads from one board to the other."""
    left = [place for place in chess.men(before, side) if place not in after]
    come = [place for place in chess.men(after, side) if before.get(place) != after[place]]
    if len(left) == 2:  # castling: the king tells
        left = [place for place in left if before[place] in "Kk"]
        come = [place for place in come if after[place] in "Kk"]
    (origin,), (target,) = left, come
    promoted = after[target].lower() if after[target] != before[origin] else ""
    return chess.name(origin) + chess.name(target) + promoted


SOURCES = {"pyffish": Pyffish, "openspiel": OpenSpiel}
