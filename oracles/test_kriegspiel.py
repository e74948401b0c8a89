"""Tests of the slow umpire, of the check of its sources, and of the kept files; need no package.

    python3 oracles/test_kriegspiel.py
"""

import gzip
import json
import random
import unittest
from pathlib import Path

import kriegspiel_record as record
import plainchess as chess
from checking import Disagreement
from kriegspiel_reference import RULESETS, Umpire, check_kinds, key
from kriegspiel_sources import SOURCES, OpenSpiel, Pypi, Source

HERE = Path(__file__).resolve().parent


class LegalChess(unittest.TestCase):
    # FEN, depth, number of positions: well-known test positions for move generators.
    known = (
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 2039),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2812),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 2, 264),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2, 1486),
    )

    def count(self, position, depth):
        if depth == 0:
            return 1
        return sum(self.count(chess.apply(position, move), depth - 1)
                   for move in chess.legal_moves(position))

    def test_number_of_positions(self):
        for fen, depth, number in self.known:
            with self.subTest(fen=fen):
                self.assertEqual(self.count(chess.Position.read(fen), depth), number)

    def test_legal_moves_are_possible_ones(self):
        for fen, _, _ in self.known:
            position = chess.Position.read(fen)
            self.assertLessEqual(set(chess.legal_moves(position)), set(chess.blind_moves(position)))


class Announcements(unittest.TestCase):
    # FEN, ICC, RAND; Cincinnati says whether the number is not 0.
    captures = (
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", 1, ["e4"]),
        ("4r1k1/8/8/3p4/4P3/8/8/4K3 w - - 0 1", 0, []),  # pinned
        ("7k/3p4/8/3p4/2P1P3/8/8/r3K3 w - - 0 1", 0, []),  # in check
        ("3r4/4P1k1/8/8/8/8/8/4K2R w - - 0 1", 1, ["e7"]),  # promoting counts once
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", 1, ["d4"]),
        ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", 0, []),  # en passant would expose the king
    )

    def test_pawn_captures(self):
        for fen, number, squares in self.captures:
            with self.subTest(fen=fen):
                self.assertEqual(Umpire("icc", fen).announcement(), number)
                self.assertEqual(Umpire("cincinnati", fen).announcement(), number > 0)
                self.assertEqual(Umpire("rand", fen).announcement(), squares)
                self.assertIsNone(Umpire("english", fen).announcement())

    def test_kinds_of_check(self):
        for king, checker, kind in (("e1", "Bh4", "short"), ("e1", "Ba5", "long"),
                                    ("d4", "Ba1", "long"), ("d4", "Bg7", "long"),
                                    ("d4", "Ba7", "short"), ("d4", "Bg1", "short"),
                                    ("e4", "Pd3", "short"), ("e4", "Pf3", "long"),
                                    ("e4", "Ra4", "rank"), ("e4", "Qe8", "file"),
                                    ("e4", "Nf6", "knight")):
            board = {chess.square(king): "k", chess.square(checker[1:]): checker[0]}
            with self.subTest(king=king, checker=checker):
                self.assertEqual(check_kinds(chess.Position(board, "b")), [kind])

    def test_double_check(self):
        said = Umpire("icc", "4k3/8/4N3/8/8/8/4R3/4K3 w - - 0 1").ask("e6c7")
        self.assertEqual(said["k"], ["file", "knight"])

    def test_capture(self):
        fen = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"
        for name, rules in RULESETS.items():
            said = Umpire(name, fen).ask("d4e3")
            self.assertEqual(said["c"], "e4")
            self.assertEqual(said.get("ck"), "pawn" if rules.says_kind else None)
            self.assertNotIn("ep", said)

    def test_only_rand_tells_of_a_promotion(self):
        for name in RULESETS:
            said = Umpire(name, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1").ask("a7a8r")
            self.assertEqual(said.get("pr"), 1 if name == "rand" else None)


class Refusals(unittest.TestCase):
    def answers(self, fen, *tries):
        """The last answer under icc, cincinnati, rand, english."""
        last = []
        for name in ("icc", "cincinnati", "rand", "english"):
            umpire = Umpire(name, fen)
            last.append([umpire.ask(tried) for tried in tries][-1]["a"])
        return " ".join(last)

    def test_words(self):
        check = "4k3/8/8/8/8/8/P3r3/4K3 w - - 0 1"
        quiet = "4k3/8/8/8/8/4r3/P3P3/4K2R w K - 0 1"
        for fen, tries, words in (
                (check, ["a2a3"], "illegal illegal nonsense illegal"),
                (check, ["a2b3"], "illegal nonsense nonsense illegal"),
                (quiet, ["e2e3"], "illegal illegal illegal illegal"),
                (quiet, ["e2e3", "e2e3"], "illegal nonsense illegal illegal"),
                (quiet, ["e2e5"], "illegal nonsense nonsense illegal"),
                (quiet, ["e8e7"], "illegal nonsense nonsense illegal"),
                (quiet, ["c5c6"], "illegal nonsense nonsense illegal"),
                (quiet, ["a2a3q"], "illegal nonsense nonsense illegal"),
                (quiet, ["e1c1"], "illegal nonsense nonsense illegal"),
                ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", ["a7a8"], "illegal nonsense nonsense illegal"),
                ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", ["e1g1"], "illegal illegal illegal illegal"),
                ("3rk3/8/8/8/8/8/8/R2nK3 w Q - 0 1", ["e1c1"], "illegal illegal illegal illegal"),
                ("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", ["e1g1"], "illegal illegal nonsense illegal"),
        ):
            with self.subTest(fen=fen, tries=tries):
                self.assertEqual(self.answers(fen, *tries), words)

    def test_who_hears_it(self):
        for name in RULESETS:
            said = Umpire(name, "4k3/8/8/8/8/4r3/4P3/4K3 w - - 0 1").ask("e2e3")
            self.assertEqual(said["o"], 0 if name == "icc" else 1)

    def test_answering_a_check_in_rand(self):
        for fen, tried, word in (
                ("4k3/8/8/8/8/5n2/8/4K2R w - - 0 1", "h1h3", "nonsense"),  # no knight's jump away
                ("4k3/8/8/8/8/5n2/8/R3K2R w - - 0 1", "a1a4", "nonsense"),
                ("4k3/8/8/8/8/5n2/4N3/R3K3 w - - 0 1", "e2g3", "nonsense"),
                ("4k3/8/8/8/8/5n2/R7/4K3 w - - 0 1", "a2g2", "illegal"),  # a jump away, in vain
                ("4r1k1/8/8/8/8/8/2P5/4K2R w - - 0 1", "h1h3", "nonsense"),
                ("4r1k1/8/8/8/8/8/8/r2NK3 w - - 0 1", "d1f2", "nonsense"),  # not on the file
                ("4r1k1/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2", "illegal"),  # the king may try
        ):
            with self.subTest(fen=fen, tried=tried):
                self.assertEqual(Umpire("rand", fen).ask(tried)["a"], word)


class AnyQuestion(unittest.TestCase):
    fen = "4k3/8/8/3p4/4P3/8/4P3/4K3 w - - 0 1"

    def talk(self, fen, *tries):
        umpire = Umpire("english", fen)
        return " ".join(umpire.ask(tried)["a"] for tried in tries)

    def test_obliged_to_try_a_capture(self):
        self.assertEqual(self.talk(self.fen, "any?", "e1f1", "e4e5", "any?", "e4d5"),
                         "yes refused refused refused ok")

    def test_free_after_one_failure(self):
        self.assertEqual(self.talk(self.fen, "any?", "e4f5", "e1f1"), "yes illegal ok")
        self.assertEqual(self.talk(self.fen, "any?", "e4f5", "any?", "e1f1"),
                         "yes illegal refused ok")

    def test_a_capture_refused_before_does_not_count(self):
        self.assertEqual(self.talk(self.fen, "e4f5", "any?", "e4f5", "e2d3", "e1f1"),
                         "illegal yes refused illegal ok")

    def test_no_forbids_nothing(self):
        fen = "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"
        self.assertEqual(self.talk(fen, "any?", "e4d5", "any?", "e4e5"), "no illegal refused ok")

    def test_only_english_answers(self):
        for name in ("icc", "cincinnati", "rand"):
            self.assertEqual(Umpire(name, self.fen).ask("any?")["a"], "refused")


class Ends(unittest.TestCase):
    def ends(self, fen, moves):
        """The end under icc, cincinnati, rand, english; only the last move may bring it."""
        found = []
        for name in ("icc", "cincinnati", "rand", "english"):
            umpire = Umpire(name, fen)
            said = [umpire.ask(move) for move in moves.split()]
            self.assertTrue(all(words["a"] == "ok" for words in said))
            self.assertFalse(any("e" in words for words in said[:-1]))
            self.assertTrue(name == "english" or ("e" in said[-1]) != ("n" in said[-1]))
            found.append(said[-1].get("e"))
        return found

    def test_ends(self):
        twice = "a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a1 e7e8"
        for fen, moves, icc, cincinnati, rand in (
                ("7k/R7/8/8/8/8/8/1R4K1 w - - 0 1", "b1b8", *["1-0 mate"] * 3),
                ("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7",
                 "draw stalemate", "draw stalemate", "1-0 stalemate"),
                ("8/8/3k4/8/3n4/2p5/8/3NK3 w - - 0 1", "d1c3", "draw material", None, None),
                ("8/7b/2N5/4K3/b7/4k3/8/8 b - - 0 1", "a4c6",
                 None, "draw material", "draw material"),
                ("8/8/5k2/8/3p4/8/1B6/4K3 w - - 0 1", "b2d4", *["draw material"] * 3),
                ("k7/8/1K6/3p4/8/6B1/8/8 w - - 0 1", "g3h2", *[None] * 3),
                # Mate before material, stalemate before material.
                ("kn6/2p5/1K6/3N4/8/8/8/8 w - - 0 1", "d5c7", *["1-0 mate"] * 3),
                ("k7/8/1K6/4p3/8/6B1/8/8 w - - 0 1", "g3e5",
                 "draw stalemate", "draw stalemate", "1-0 stalemate"),
                ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", twice, *["draw rep"] * 3),
                ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", twice, *[None] * 3),
                ("4k3/8/8/8/8/8/8/R3K3 w - - 92 60", twice, *["draw rep"] * 3),
                ("4k3/8/8/8/8/8/8/3QK3 w - - 99 80", "d1d2", *["draw 50"] * 3),
                ("7k/R7/8/8/8/8/8/1R4K1 w - - 99 80", "b1b8", *["1-0 mate"] * 3),
        ):
            with self.subTest(fen=fen):
                self.assertEqual(self.ends(fen, moves), [icc, cincinnati, rand, cincinnati])

    def test_en_passant_that_is_not_legal_makes_no_other_position(self):
        pinned = "6k1/8/8/K2pP2r/8/8/8/8 w - {} 0 1"
        free = "6k1/8/8/K2pP3/8/8/8/8 w - {} 0 1"
        for fen, same in ((pinned, True), (free, False)):
            once, again = (key(chess.Position.read(fen.format(ep))) for ep in ("d6", "-"))
            self.assertEqual(once == again, same)


class Parrot(Source):
    """A source that says what it is told to."""

    def __init__(self, answer, offered, deviations):
        self.answer, self.tries, self.deviations = answer, offered, deviations

    def offered(self):
        return self.tries

    def ask(self, tried):
        return dict(self.answer)


class Checking(unittest.TestCase):
    def entry(self, source, ruleset, fen, tried, change, q=None):
        """Entry of a source that says what is right, but for a change."""
        umpire = Umpire(ruleset, fen)
        everything = source.takes_everything
        offered = q or (umpire.offered() if everything else umpire.possible)
        right = Umpire(ruleset, fen).ask(tried)
        answer = {key: value for key, value in {**right, **change}.items() if value is not None}
        parrot = Parrot(answer, offered, source.deviations)
        parrot.takes_everything = everything
        return record.describe(parrot, umpire, tried, True)

    def test_known_deviations_are_named(self):
        start, ep = "4k3/8/8/8/8/8/8/3QK3 w - - 99 80", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"
        for source, ruleset, fen, tried, change, right in (
                (Pypi, "icc", start, "d1d2", {"e": None, "n": 0},
                 {"e": "draw 50", "n": None, "d": ["end-50"]}),
                (Pypi, "english", ep, "d4e3", {"c": "e3", "ep": 1},
                 {"c": "e4", "ep": None, "d": ["ep-announcement"]}),
                (Pypi, "rand", "4k3/8/8/8/8/8/P3r3/4K3 w - - 0 1", "a2a3", {"a": "illegal"},
                 {"a": "nonsense", "d": ["answer-illegal-for-nonsense"]}),
                (OpenSpiel, "icc", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1h8", {"k": None},
                 {"k": ["rank"], "d": ["no-check-announced"]}),
                (OpenSpiel, "icc", ep, "d4e3", {"c": None, "ck": None},
                 {"c": "e4", "ck": "pawn", "d": ["ep-announcement"]}),
                (OpenSpiel, "icc", "3r4/4P1k1/8/8/8/8/8/4K2R b - - 0 1", "g7g6", {"n": 4},
                 {"n": 1, "d": ["promotion-tries-x4"]}),
        ):
            with self.subTest(source=source.label, tried=tried, d=right["d"]):
                entry = self.entry(source, ruleset, fen, tried, change)
                self.assertEqual(entry["x"], right)

    def test_an_offered_en_passant_is_named(self):
        fen = "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1"
        offered = sorted([*Umpire("rand", fen).offered(), "e5d6"])
        entry = self.entry(Pypi, "rand", fen, "e5d6", {"a": "illegal"}, offered)
        self.assertEqual(entry["x"], {"q": "a5a4 a5a6 a5b4 a5b5 a5b6 e5e6", "a": "nonsense",
                                      "d": ["ep-offered"]})

    def test_kinds_of_a_mate_are_not_compared(self):
        entry = self.entry(Pypi, "icc", "7k/R7/8/8/8/8/8/1R4K1 w - - 0 1", "b1b8", {"k": None})
        self.assertNotIn("x", entry)

    def test_any_other_difference_stops(self):
        fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
        for source, change in ((Pypi, {"k": None}), (Pypi, {"n": 1}), (Pypi, {"c": "a8"}),
                               (Pypi, {"f": fen}), (OpenSpiel, {}), (OpenSpiel, {"n": 1}),
                               (Pypi, {"e": "draw material"})):
            with self.subTest(source=source.label, change=change):
                with self.assertRaises(Disagreement):
                    self.entry(source, "icc", fen, "h1h8", change)


class Starts(unittest.TestCase):
    def test_every_kind_in_the_plan_can_start_a_game(self):
        for kind in sorted({line[0] for line in record.PLAN}):
            for seed in range(8):
                fen = record.make_start(kind, random.Random(seed), 0)
                with self.subTest(kind=kind, fen=fen):
                    self.assertTrue(record.fits(fen))
                    self.assertIsNone(Umpire("icc", fen).end())
                    self.assertIsNone(Umpire("rand", fen).end())


class KeptFiles(unittest.TestCase):
    """A tenth of the games, replayed; the right values must be the reference's."""

    def test_right_values(self):
        for name, source in SOURCES.items():
            for ruleset in source.rulesets:
                with gzip.open(HERE / f"kriegspiel_{name}_{ruleset}.jsonl.gz", "rt") as file:
                    meta, *games = [json.loads(line) for line in file]
                known = {deviation["id"] for deviation in meta["meta"]["deviations"]}
                for game in games[::10]:
                    with self.subTest(name=name, ruleset=ruleset, start=game["s"]):
                        self.replay(source, ruleset, game, known)

    def replay(self, source, ruleset, game, known):
        umpire = Umpire(ruleset, game["s"])
        self.assertIn(game.get("n"), (None, umpire.announcement()))
        for entry in game["p"]:
            right = {**entry, **entry.get("x", {})}
            self.assertLessEqual(set(right.pop("d", ())), known)
            self.assertEqual(right.pop("s"), umpire.position.turn)
            offered = umpire.offered() if source.takes_everything else umpire.possible
            self.assertEqual(right.pop("q", " ".join(offered)), " ".join(offered))
            said = umpire.ask(right.pop("t"))
            if not source.takes_everything:
                said.pop("o", None)
            if said.get("e", "").endswith(" mate") and "k" not in right:
                del said["k"]
            self.assertTrue(record.same_position(right.pop("f", ""), said.pop("f", "")))
            right.pop("x", None)
            right = {key: value for key, value in right.items() if value is not None}
            self.assertEqual(right, said)


if __name__ == "__main__":
    unittest.main()
