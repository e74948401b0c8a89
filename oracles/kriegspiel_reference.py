"""Slow reference of Kriegspiel: the umpire under each of the four rulesets.

Our own reading of the rules, on top of plainchess.py. The generator compares every
answer of a source with it and stops at the first difference that is not a known
deviation.
"""

from dataclasses import dataclass

import plainchess as chess

ANY = "any?"


@dataclass(frozen=True)
class Ruleset:
    """What tells the rulesets apart."""

    name: str
    says_kind: bool = True  # pawn or piece, at a capture
    says_promotion: bool = False
    says_nonsense: bool = False
    heard: bool = True  # the opponent hears refused tries
    stalemate_loses: bool = False
    bare_minors_draw: bool = False  # one minor piece on each side is a draw


RULESETS = {rules.name: rules for rules in (
    Ruleset("icc", heard=False, bare_minors_draw=True),
    Ruleset("cincinnati", says_nonsense=True),
    Ruleset("rand", says_promotion=True, says_nonsense=True, stalemate_loses=True),
    Ruleset("english", says_kind=False),
)}


def line_kind(king, place):
    """How a line through the king's square to another is called; None if there is no line."""
    files, ranks = place[0] - king[0], place[1] - king[1]
    if not ranks:
        return "rank"
    if not files:
        return "file"
    if abs(files) != abs(ranks):
        return None
    rising = 8 - abs(king[0] - king[1])
    falling = 8 - abs(king[0] + king[1] - 7)
    longer = rising > falling if files == ranks else falling > rising
    return "long" if longer else "short"


def is_jump(king, place):
    return (place[0] - king[0], place[1] - king[1]) in chess.JUMPS


def check_kinds(position):
    """Sorted kinds of the checks to the side to move, one for each checking man."""
    king = chess.king_square(position.board, position.turn)
    return sorted("knight" if position.board[place] in "Nn" else line_kind(king, place)
                  for place in chess.checkers(position, position.turn))


def key(position):
    """Equal keys are the same position for repetition; en passant counts if it is legal."""
    ep = any(chess.is_safe(position, chess.name(taker) + chess.name(position.ep))
             for taker in chess.ep_takers(position))
    return *position.fen().split()[:3], position.ep if ep else None


def is_dead(board):
    """No mate possible: bare kings, one knight, or bishops on squares of one colour."""
    men = {place: man.lower() for place, man in board.items() if man not in "Kk"}
    if list(men.values()) == ["n"]:
        return True
    return set(men.values()) <= {"b"} and len({sum(place) % 2 for place in men}) <= 1


def is_bare_minors(board):
    """At most one minor piece on each side and nothing else."""
    men = [man for man in board.values() if man not in "Kk"]
    return (all(man in "NBnb" for man in men)
            and all(sum(chess.side_of(man) == side for man in men) <= 1 for side in "wb"))


class Umpire:
    """A game from a FEN on; what was before the FEN does not count."""

    def __init__(self, ruleset, fen):
        self.rules = RULESETS[ruleset]
        self.position = chess.Position.read(fen)
        self.history = []
        self.begin_turn()

    def begin_turn(self):
        self.legal = chess.legal_moves(self.position)
        self.possible = chess.blind_moves(self.position)
        self.captures = sorted({move[:4] for move in self.legal
                                if chess.is_pawn_step_aside(self.position, move)})
        self.kinds = check_kinds(self.position)
        self.refused = []
        self.asked = self.obliged = False
        self.history.append(self.position)

    def is_repeated(self, key=key):
        """Whether the position is there for the third time."""
        return [key(position) for position in self.history].count(key(self.position)) >= 3

    def announcement(self):
        """What is said of the pawn captures of the side to move; None: nothing."""
        return {"icc": len(self.captures),
                "cincinnati": bool(self.captures),
                "rand": sorted({move[:2] for move in self.captures}),
                "english": None}[self.rules.name]

    def ruled_out(self, tried):
        """Whether this is a diagonal pawn step that the announcement excludes."""
        if self.rules.name == "english" or not chess.is_pawn_step_aside(self.position, tried):
            return False
        said = self.announcement()
        return tried[:2] not in said if self.rules.name == "rand" else not said

    def offered(self):
        """Possible tries, without those that the announcement excludes."""
        return [tried for tried in self.possible if not self.ruled_out(tried)]

    def answers_check(self, tried):
        """Whether a possible try could end a check of the announced kinds."""
        king = chess.king_square(self.position.board, self.position.turn)
        origin, target = chess.square(tried), chess.square(tried[2:])
        if origin == king:
            return not chess.castling_of(self.position, tried)
        if len(self.kinds) > 1:
            return False
        targets = [target]
        if chess.is_pawn_step_aside(self.position, tried):
            targets.append((target[0], origin[1]))  # where en passant takes
        return any(self.meets(king, place) for place in targets)

    def meets(self, king, place):
        """Whether a man on this square could take the checking man or stand in its way."""
        if self.kinds == ["knight"]:
            return is_jump(king, place)
        own = chess.men(self.position.board, self.position.turn)
        return (place != king and line_kind(king, place) == self.kinds[0]
                and not any(passed in own for passed in chess.between(king, place)))

    def is_nonsense(self, tried):
        """Whether the player must know that this try, which is not legal, cannot be."""
        if tried not in self.possible or self.ruled_out(tried):
            return True
        if self.rules.name == "rand":
            return bool(self.kinds) and not self.answers_check(tried)
        return tried in self.refused

    def is_turned_away(self, tried):
        """English: a second question, or no new pawn capture where one must be tried."""
        if tried == ANY:
            return self.rules.name != "english" or self.asked
        return self.obliged and not (tried in self.possible and tried not in self.refused
                                     and chess.is_pawn_step_aside(self.position, tried))

    def ask(self, tried):
        """The answer to a try or a question, as the fields of an entry; a legal try is made."""
        if self.is_turned_away(tried):
            return {"a": "refused"}
        if tried == ANY:
            self.asked, self.obliged = True, bool(self.captures)
            return {"a": "yes" if self.captures else "no"}
        if tried in self.legal:
            return {"a": "ok", **self.move(tried)}
        answer = "nonsense" if self.rules.says_nonsense and self.is_nonsense(tried) else "illegal"
        self.refused.append(tried)
        self.obliged = False
        return {"a": answer, "o": int(self.rules.heard)}

    def move(self, move):
        """Make a legal move; what is said about it, and the position after it."""
        said = self.capture(move)
        if self.rules.says_promotion and move[4:]:
            said["pr"] = 1
        self.position = chess.apply(self.position, move)
        self.begin_turn()
        if self.kinds:
            said["k"] = self.kinds
        end = self.end()
        if end:
            said["e"] = end
        elif self.announcement() is not None:
            said["n"] = self.announcement()
        return {**said, "f": self.position.fen()}

    def capture(self, move):
        """Square and kind of the man that a move takes, if any."""
        place = chess.square(move[2:])
        if chess.is_ep(self.position, move):
            place = chess.ep_victim(self.position)
        if place not in self.position.board:
            return {}
        said = {"c": chess.name(place)}
        if self.rules.says_kind:
            said["ck"] = "pawn" if self.position.board[place] in "Pp" else "piece"
        return said

    def end(self):
        """End of the game with its reason, None while it goes on. The order matters."""
        lost = "0-1" if self.position.turn == "w" else "1-0"
        if not self.legal and self.kinds:
            return f"{lost} mate"
        if not self.legal:
            return f"{lost if self.rules.stalemate_loses else 'draw'} stalemate"
        drawn = is_bare_minors if self.rules.bare_minors_draw else is_dead
        if drawn(self.position.board):
            return "draw material"
        if self.is_repeated():
            return "draw rep"
        if self.position.clock >= 100:
            return "draw 50"
        return None
