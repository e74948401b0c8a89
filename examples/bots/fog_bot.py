#!/usr/bin/env python3
"""A bot for Fog of War (docs/protocol.md): takes the best man that it sees, else plays any move."""
import random
import re
import sys

LINE = re.compile(r"(uci|isready|ucinewgame|stop|quit|d)|side (white|black)|start( fen (\S+ ){5}\S+)?|gameover .*"
                  r"|view ([1-8?*pnbrqkPNBRQK]+/){7}\S+ [wb] \S+ \S+ - \d+|played [a-h][1-8][a-h][1-8][qrbn]?"
                  r"|go( movetime \d+| nodes \d+| infinite|( [wb](time|inc) -?\d+)+)?")
WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 100}
STRAIGHT, SLANTED = [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STEPS = {"r": STRAIGHT, "b": SLANTED, "q": STRAIGHT + SLANTED, "k": STRAIGHT + SLANTED, "p": [],
         "n": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]}


def moves(fog_fen, white):
    """My moves, castling left out, each with the worth of what it takes. None ends on a square that I do not see."""
    placement, _, _, passed, _, _ = fog_fen.split()
    rows = [re.sub(r"\d", lambda run: "." * int(run[0]), row) for row in reversed(placement.split("/"))]
    man = {"abcdefgh"[f] + str(r + 1): rows[r][f] for r in range(8) for f in range(8)}
    square = lambda f, r: "abcdefgh"[f] + str(r) if 0 <= f < 8 else ""
    own = str.isupper if white else str.islower
    forward, home, last = (1, "2", "8") if white else (-1, "7", "1")
    for at, kind in [(at, man[at].lower()) for at in man if own(man[at])]:
        f, r, goals = "abcdefgh".index(at[0]), int(at[1]), []
        if kind == "p":
            for goal in [square(f, r + forward), square(f, r + 2 * forward)][:2 if at[1] == home else 1]:
                if man.get(goal) != ".":
                    break
                goals.append(goal)
            beside = [square(f - 1, r + forward), square(f + 1, r + forward)]
            goals += [to for to in beside if man.get(to, "?").isalpha() and not own(man[to]) or to == passed]
        for across, up in STEPS[kind]:
            for n in range(1, 2 if kind in "nk" else 8):
                goal = square(f + n * across, r + n * up)
                if man.get(goal, "?") == "?" or own(man[goal]):
                    break
                goals.append(goal)
                if man[goal] != ".":
                    break
        for goal in goals:
            yield WORTH.get(man[goal].lower(), 0), at + goal + ("q" if kind == "p" and goal[1] == last else "")


view, white = "", True
for line in map(str.strip, sys.stdin):
    word, _, rest = line.partition(" ")
    if line and not LINE.fullmatch(line) or word == "go" and f" {'bw'[white]} " not in view:
        print("error", line, flush=True)
    elif word == "quit":
        break
    elif word in ("side", "view"):
        view, white = (rest, white) if word == "view" else (view, rest == "white")
    elif word == "go":
        found = list(moves(view, white))
        print("bestmove", random.choice([m for m in found if m[0] == max(found)[0]])[1], flush=True)
    elif word in ("uci", "isready"):
        print("readyok" if word == "isready" else "id name fog_bot\nid author you\nscuro 1\nuciok", flush=True)
