"""The programs that play Kriegspiel for us, and what is known of their faults.

Each program sits behind the same small interface, Source. A deviation is stated twice:
in words for the data file, and as a function that turns what should be said into what
the program says. The generator accepts a difference only if these functions, one after
the other, lead exactly from the one to the other.
"""

import re
from dataclasses import dataclass
from typing import Callable

import plainchess as chess
from checking import require
from kriegspiel_reference import ANY, Umpire, is_dead


def ep_steps(position):
    """En passant captures of the side to move, legal or not."""
    return [chess.name(taker) + chess.name(position.ep) for taker in chess.ep_takers(position)]


@dataclass
class Case:
    """One try: the umpire after it, the position before it."""

    umpire: Umpire
    before: chess.Position
    tried: str

    def without_end(self, said):
        """The same words, but the game goes on."""
        right = {key: value for key, value in said.items() if key != "e"}
        if self.umpire.announcement() is not None:
            right["n"] = self.umpire.announcement()
        return right

    def is_repeated(self):
        return self.umpire.refused.count(self.tried) > 1

    def is_ep(self):
        return self.tried in ep_steps(self.before)


@dataclass(frozen=True)
class Deviation:
    """A known fault; without `distort` it touches no field of an entry."""

    id: str
    what: str
    distort: Callable | None = None  # (case, said) -> said
    rulesets: tuple = ("icc", "cincinnati", "rand", "english")
    marked: bool = True  # under `x`; if not, the field is not compared


def without(said, *keys):
    return {key: value for key, value in said.items() if key not in keys}


def goes_on_after(end):
    """The program does not know this end of the game."""
    return lambda case, said: case.without_end(said) if said.get("e") == end else said


class Source:
    """One game in a program: made from a FEN, then asked."""

    label = ""
    notes = ""
    deviations = ()
    rulesets = ()
    takes_everything = True  # also tries that it does not offer
    clock_back = 0  # what a start position's half-move clock is set back by

    @classmethod
    def load(cls):
        """Import the package; raises MissingSource."""
        raise NotImplementedError

    def announcement(self):
        """What it says of pawn captures before the first turn; None: nothing."""
        raise NotImplementedError

    def offered(self):
        """Sorted tries that it offers to the player to move."""
        raise NotImplementedError

    def ask(self, tried):
        """Its answer as the fields of an entry. An end without a reason is one word."""
        raise NotImplementedError


def offer_ep(case, said):
    """pypi: knows of every en passant capture, and takes it for a sensible try."""
    said = dict(said)
    if "q" in said:
        said["q"] = " ".join(sorted({*said["q"].split(), *ep_steps(case.before)}))
    if said["a"] == "nonsense" and case.is_ep() and not case.is_repeated():
        said["a"] = "illegal"
    return said


def ignore_check(case, said):
    """pypi, rand: a try that cannot answer the check is not nonsense."""
    by_check = (said["a"] == "nonsense" and case.tried in case.umpire.possible
                and not case.umpire.ruled_out(case.tried) and not case.is_repeated())
    return {**said, "a": "illegal"} if by_check else said


def repeat_is_nonsense(case, said):
    """pypi, rand: the second refusal of the same try is."""
    return {**said, "a": "nonsense"} if said["a"] == "illegal" and case.is_repeated() else said


def name_ep(case, said):
    """pypi, english: the square moved to, and the words "en passant"."""
    return {**said, "c": case.tried[2:], "ep": 1} if said["a"] == "ok" and case.is_ep() else said


def bare_minors_go_on(case, said):
    """Only dead material is drawn."""
    undead = said.get("e") == "draw material" and not is_dead(case.umpire.position.board)
    return case.without_end(said) if undead else said


def dead_bishops_end(case, said):
    """pypi, icc: dead material is drawn even if the ICC does not name it."""
    dead = said["a"] == "ok" and "e" not in said and is_dead(case.umpire.position.board)
    return {**without(said, "n"), "e": "draw material"} if dead else said


def mate_hides_kinds(case, said):
    return without(said, "k") if said.get("e", "").endswith(" mate") else said


def draw_hides_kinds(case, said):
    return without(said, "k") if said.get("e") == "draw material" else said


class Pypi(Source):
    """The Python package kriegspiel; its ruleset wild16 is the ICC's."""

    label = "kriegspiel 1.7.3"
    notes = ("The package's rulesets wild16 (here icc), cincinnati, rand and english. A start "
             "position is put on the umpire's board by hand. o is read from the opponent's "
             "scoresheet; refused is what the package calls impossible to ask.")
    rulesets = ("icc", "cincinnati", "rand", "english")
    names = {"icc": "wild16"}
    deviations = (
        Deviation("ep-offered",
                  "An en passant capture that would expose the king is offered, and refused as "
                  "illegal, though no capture by that pawn was announced; by the rules it is not "
                  "offered, and nonsense where that word is used. Example: "
                  "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1, e5d6.",
                  offer_ep, ("icc", "cincinnati", "rand")),
        Deviation("answer-illegal-for-nonsense",
                  "A try that cannot answer the announced check is refused as illegal; by the "
                  "rules it is nonsense. Example: 4k3/8/8/8/8/8/P3r3/4K3 w - - 0 1, a2a3.",
                  ignore_check, ("rand",)),
        Deviation("answer-nonsense-for-illegal",
                  "A try refused as illegal is nonsense when it comes again in the same turn; by "
                  "the rules it is illegal again. Example: 4k3/8/8/8/8/4r3/4P3/4K3 w - - 0 1, "
                  "e2e3 twice.",
                  repeat_is_nonsense, ("rand",)),
        Deviation("ep-announcement",
                  "An en passant capture is announced as such, with the square the pawn moves to; "
                  "by the rules with the square of the taken pawn and no more. Example: "
                  "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1, d4e3: e3 is said, e4 is right.",
                  name_ep, ("english",)),
        Deviation("end-rep",
                  "The third occurrence of a position does not end the game; by the rules it is a "
                  "draw. Example: 4k3/8/8/8/8/8/8/R3K3 w - - 0 1, a1a2 e8e7 a2a1 e7e8 twice.",
                  goes_on_after("draw rep")),
        Deviation("end-50",
                  "The game is drawn at a half-move clock of 2000; by the rules at 100. Example: "
                  "4k3/8/8/8/8/8/8/3QK3 w - - 99 80, d1d2.",
                  goes_on_after("draw 50")),
        Deviation("end-material",
                  "Knight against knight, bishop against knight and bishops on different colours "
                  "are played on; on the ICC they are drawn. Example: "
                  "8/8/3k4/8/3n4/2p5/8/3NK3 w - - 0 1, d1c3.",
                  bare_minors_go_on, ("icc",)),
        Deviation("end-extra",
                  "Any number of bishops on squares of one colour is drawn; on the ICC only one "
                  "a side is. Example: 8/7b/2N5/4K3/b7/4k3/8/8 b - - 0 1, a4c6.",
                  dead_bishops_end, ("icc",)),
        Deviation("mate-kinds",
                  "With a mate no kind of check is given. Not marked with x: do not compare k "
                  "where e is a mate.",
                  mate_hides_kinds, marked=False),
        Deviation("draw-kinds",
                  "With a draw by material no kind of check is given; by the rules it is. "
                  "Example: 8/8/5k2/8/3p4/8/1B6/4K3 w - - 0 1, b2d4 is a check on the long "
                  "diagonal.",
                  draw_hides_kinds),
    )

    @classmethod
    def load(cls):
        require("kriegspiel", "1.7.3")
        import chess as python_chess
        import kriegspiel.game
        import kriegspiel.move
        cls.chess, cls.game_of, cls.words = python_chess, kriegspiel.game, kriegspiel.move

    def __init__(self, ruleset, fen):
        self.game = self.game_of.KriegspielGame(ruleset=self.names.get(ruleset, ruleset))
        self.game._board = self.chess.Board(fen)
        self.game._generate_possible_to_ask_list()

    def announcement(self):
        return self.said_of_captures(self.game.current_turn_pawn_tries,
                                     self.game.current_turn_has_pawn_capture,
                                     self.game.current_turn_pawn_try_squares)

    def said_of_captures(self, number, fact, squares):
        """The one of the three that is not None."""
        if squares is not None:
            return sorted(self.chess.square_name(place) for place in squares)
        return number if number is not None else fact

    def offered(self):
        return sorted(question.chess_move.uci() for question in self.game.possible_to_ask
                      if question.chess_move)

    def heard(self, side):
        """How many answers the scoresheet of a side holds about the other one."""
        sheets = {"w": self.game._whites_scoresheet, "b": self.game._blacks_scoresheet}
        return sum(len(turn) for turn in sheets[side].moves_opponent)

    def ask(self, tried):
        listener = "b" if self.game.turn else "w"
        before = self.heard(listener)
        answer = self.game.ask_for(self.question(tried))
        said = {"a": self.word(answer.main_announcement)}
        if said["a"] in ("illegal", "nonsense"):
            said["o"] = self.heard(listener) - before
        if answer.move_done:
            said.update(self.move_words(answer))
            said["f"] = self.game._board.fen()
        return said

    def question(self, tried):
        kinds = self.words.QuestionAnnouncement
        if tried == ANY:
            return self.words.KriegspielMove(kinds.ASK_ANY)
        return self.words.KriegspielMove(kinds.COMMON, self.chess.Move.from_uci(tried))

    def word(self, main):
        return {"IMPOSSIBLE_TO_ASK": "refused", "ILLEGAL_MOVE": "illegal", "NONSENSE": "nonsense",
                "REGULAR_MOVE": "ok", "CAPTURE_DONE": "ok",
                "HAS_ANY": "yes", "NO_ANY": "no"}[main.name]

    def move_words(self, answer):
        """What is said about a move that was made."""
        said = {}
        if answer.capture_at_square is not None:
            said["c"] = self.chess.square_name(answer.capture_at_square)
        if answer.captured_piece_announcement is not None:
            said["ck"] = answer.captured_piece_announcement.name.lower()
        if answer.en_passant_announced:
            said["ep"] = 1
        if answer.promotion_announced:
            said["pr"] = 1
        said.update(self.special_words(answer))
        captures = self.said_of_captures(answer.next_turn_pawn_tries,
                                         answer.next_turn_has_pawn_capture,
                                         answer.next_turn_pawn_try_squares)
        if captures is not None:
            said["n"] = captures
        return said

    ends = {"DRAW_TOOMANYREVERSIBLEMOVES": "draw 50", "DRAW_STALEMATE": "draw stalemate",
            "DRAW_INSUFFICIENT": "draw material", "CHECKMATE_WHITE_WINS": "1-0 mate",
            "CHECKMATE_BLACK_WINS": "0-1 mate", "STALEMATE_WHITE_WINS": "1-0 stalemate",
            "STALEMATE_BLACK_WINS": "0-1 stalemate"}
    checks = {"CHECK_RANK": "rank", "CHECK_FILE": "file", "CHECK_LONG_DIAGONAL": "long",
              "CHECK_SHORT_DIAGONAL": "short", "CHECK_KNIGHT": "knight"}

    def special_words(self, answer):
        """Checks, or the end of the game."""
        special = answer.special_announcement.name
        if special == "NONE":
            return {}
        if special in self.ends:
            return {"e": self.ends[special]}
        if special == "CHECK_DOUBLE":
            return {"k": sorted(self.checks[kind.name]
                                for kind in (answer.check_1, answer.check_2))}
        return {"k": [self.checks[special]]}


def count_every_letter(case, said):
    """openspiel: a promoting capture is counted for each letter."""
    if "n" not in said:
        return said
    umpire = case.umpire
    return {**said, "n": sum(chess.is_pawn_step_aside(umpire.position, move)
                             for move in umpire.legal)}


def hide_ep(case, said):
    """openspiel: nobody stands on the square moved to, so nothing was taken."""
    return without(said, "c", "ck") if said["a"] == "ok" and case.is_ep() else said


def openspiel_draws(umpire):
    """Whether the program says draw, apart from a player who has nothing left to try."""
    return (is_dead(umpire.position.board)
            or umpire.is_repeated(lambda position: position.fen().split()[:4])
            or bool(umpire.possible) and umpire.position.clock >= 50)


def illegal_ep_is_no_repeat(case, said):
    """openspiel: a position with an en passant capture is another one, legal or not."""
    unseen = said.get("e") == "draw rep" and not openspiel_draws(case.umpire)
    return case.without_end(said) if unseen else said


def no_move_goes_on(word):
    """openspiel: mate and stalemate show only when all possible tries are used up."""
    def distort(case, said):
        unseen = (said.get("e", "").endswith(" " + word) and case.umpire.possible
                  and not (word == "stalemate" and openspiel_draws(case.umpire)))
        return case.without_end(said) if unseen else said
    return distort


def draw_early(case, said):
    """openspiel: draws of its own."""
    early = said["a"] == "ok" and "e" not in said and openspiel_draws(case.umpire)
    return {**without(said, "n"), "e": "draw"} if early else said


class OpenSpiel(Source):
    """The game kriegspiel of OpenSpiel; player 0 is Black."""

    label = "open_spiel 2.0.2 kriegspiel"
    notes = ("The umpire is like the ICC's. Only tries that the program offers can be made, each "
             "once in a turn. q holds all possible tries, whatever was announced; the first turn "
             "is not announced. Played with 50_move_rule and threefold_repetition on. The program "
             "says only that a game is drawn; the reason in e is the reference's, and missing "
             "where the rules know no draw.")
    rulesets = ("icc",)
    takes_everything = False
    clock_back = 50
    deviations = (
        Deviation("no-check-announced",
                  "No check is announced at all. Example: 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1, h1h8 "
                  "is a check on the rank.",
                  lambda case, said: without(said, "k")),
        Deviation("ep-announcement",
                  "An en passant capture is not announced as a capture. Example: "
                  "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1, d4e3 takes on e4.",
                  hide_ep),
        Deviation("end-mate",
                  "A mate ends the game only when the mated player has used up all possible "
                  "tries; by the rules at once. Example: 7k/R7/8/8/8/8/8/1R4K1 w - - 0 1, b1b8.",
                  no_move_goes_on("mate")),
        Deviation("end-stalemate",
                  "The same for a stalemate. Example: 7k/8/6K1/8/8/8/5Q2/8 w - - 0 1, f2f7.",
                  no_move_goes_on("stalemate")),
        Deviation("end-material",
                  "Knight against knight, bishop against knight and bishops on different colours "
                  "are played on; on the ICC they are drawn. Example: "
                  "8/8/3k4/8/3n4/2p5/8/3NK3 w - - 0 1, d1c3.",
                  bare_minors_go_on),
        Deviation("end-rep",
                  "A position in which a pawn stands ready to take en passant, but may not "
                  "because of its king, counts as another one than the same men without that "
                  "capture; by the rules they are one. Example: 6k1/3p4/8/K3P2r/8/8/8/8 b - - 0 1, "
                  "d7d5 a5a4 g8g7 a4a5 g7g8 a5a4 g8g7 a4a5 g7g8 is a draw.",
                  illegal_ep_is_no_repeat),
        Deviation("end-extra",
                  "A draw at a half-move clock of 50, even if the move mates, or when all men left "
                  "are bishops on squares of one colour; by the rules of the ICC neither is one. "
                  "Example: 4k3/8/8/8/8/8/8/3QK3 w - - 49 80, d1d2.",
                  draw_early),
        Deviation("promotion-tries-x4",
                  "A pawn capture that promotes counts four times; by the rules once. Example: "
                  "3r4/4P1k1/8/8/8/8/8/4K2R b - - 0 1, g7g6: White has 1, the program says 4.",
                  count_every_letter),
        Deviation("heard",
                  "Both players' observations show a refused try; on the ICC only the player who "
                  "tried hears it. o is left out.",
                  lambda case, said: without(said, "o"), marked=False),
    )

    @classmethod
    def load(cls):
        require("open_spiel", "2.0.2")
        import pyspiel
        cls.engine = pyspiel

    def __init__(self, ruleset, fen):
        self.state = self.engine.load_game("kriegspiel", {"fen": fen}).new_initial_state()

    def announcement(self):
        return None

    def actions(self):
        return {self.state.action_to_string(action): action
                for action in self.state.legal_actions()}

    def offered(self):
        return sorted(self.actions())

    def ask(self, tried):
        self.state.apply_action(self.actions()[tried])
        message = self.state.observation_string(0).split("\n")[1]
        if message == "Illegal move.":
            return {"a": "illegal"}
        said = {"a": "ok", **self.move_words(message)}
        if self.state.is_terminal():
            white = self.state.returns()[1]
            said["e"] = "draw" if white == 0 else "1-0" if white > 0 else "0-1"
            del said["n"]
        return {**said, "f": str(self.state)}

    @staticmethod
    def move_words(message):
        """"Pawn at h4 captured, white's move, 2 pawn tries." and the like."""
        said = {}
        capture = re.search(r"(Pawn|Piece) at (\w\w) captured", message)
        if capture:
            said.update(c=capture[2], ck=capture[1].lower())
        kinds = re.findall(r"(\w+)(?:-diagonal)? check", message)
        if kinds:
            said["k"] = sorted(kind.lower() for kind in kinds)
        tries = re.search(r"(\d+) pawn tr", message)
        said["n"] = int(tries[1]) if tries else 0
        return said


SOURCES = {"pypi": Pypi, "openspiel": OpenSpiel}
