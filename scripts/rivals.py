"""What a match of scripts/rbc_rivals is: its clock, its folder, and what its games have shown. Needs no package.

The last line of a summary is that of `scuro match`, computed here once more (crates/arena/src/{statistics,summary}.rs): the
program sums up only matches whose agents it can seat itself. The tests hold both against the same lines.
"""

import fcntl
import json
import math
import os
from pathlib import Path

# How many standard errors lie on either side in 95 of 100 cases.
Z95 = 1.959963984540054

SETTINGS, GAMES = "settings.json", "games.jsonl"


class Wrong(Exception):
    """What was asked for cannot be done; the words are a line for people."""


def seconds(text, zero=False):
    """Reads 62ms, 5s or 3m."""
    for unit, size in (("ms", 0.001), ("s", 1), ("m", 60)):
        number = text[:-len(unit)]
        if text.endswith(unit) and number.replace(".", "", 1).isdecimal():
            value = float(number) * size
            if (value > 0 or zero) and value <= 86_400:
                return value
    raise Wrong(f"'{text}' is not a time such as 62ms, 5s or 3m")


def clock(text):
    """Reads 15m+5s, or 15m without increment: seconds at the start, and for every turn."""
    base, plus, increment = text.partition("+")
    try:
        return seconds(base), seconds(increment if plus else "0s", zero=True)
    except Wrong:
        raise Wrong(f"'{text}' is not a clock such as 15m+5s") from None


def wilson(share, number):
    """Wilson's interval of a share of so many, at 95 %."""
    if number == 0:
        return [0.0, 1.0]
    z2 = Z95 * Z95
    middle = (share + z2 / (2 * number)) / (1 + z2 / number)
    half = Z95 / (1 + z2 / number) * math.sqrt(share * (1 - share) / number + z2 / (4 * number * number))
    return [max(middle - half, 0.0) if share > 0 else 0.0, min(middle + half, 1.0) if share < 1 else 1.0]


def elo(score):
    """The Elo difference at which this score is expected; None for 0 and 1."""
    return 400 * math.log10(score / (1 - score)) if 0 < score < 1 else None


def elo_interval(results, share):
    """Of games, or of pairs if all are whole: games of a pair are not independent. `results` are (points, most)."""
    number = len(results)
    scores = [points / most for points, most in results]
    mean = sum(scores) / number if number else 0.5
    variance = sum((score - mean) ** 2 for score in scores) / number if number else 0.0
    if variance == 0:
        return [elo(end) for end in share]
    error = Z95 * math.sqrt(variance / number)
    return [elo(mean - error), elo(mean + error)]


def points_of_first(game):
    """In halves. The first plays White in the first game, the third and so on."""
    if game["winner"] is None:
        return 1
    return 2 if (game["winner"] == "white") == (game["number"] % 2 == 1) else 0


def wins_draws_losses(games):
    halves = [points_of_first(game) for game in games]
    return {"wins": halves.count(2), "draws": halves.count(1), "losses": halves.count(0)}


def by_agent(games, key):
    """What a game keeps for White and Black, for the first agent and the second."""
    return [[game[key][(game["number"] + 1 + agent) % 2] for game in games] for agent in (0, 1)]


def summary(settings, games):
    """All that the games tell. Results are those of the first agent."""
    games = sorted(games, key=lambda game: game["number"])
    halves = {game["number"]: points_of_first(game) for game in games}
    pairs = [points + halves[number + 1] for number, points in halves.items()
             if number % 2 == 1 and number + 1 in halves]
    results = [(points, 4) for points in pairs]
    if 2 * len(pairs) != len(games):
        results = [(points, 2) for points in halves.values()]
    score = sum(halves.values()) / (2 * len(games)) if games else 0.5
    share = wilson(score, len(games))
    return {
        "agents": settings["agents"], "game": "rbc", "control": settings["clock"], "seed": settings["seed"],
        "games": settings["games"], "played": len(games), **wins_draws_losses(games),
        "score": score, "interval": share, "elo": elo(score), "elo_interval": elo_interval(results, share),
        "pairs": [pairs.count(points) for points in range(5)],
        "as_white": wins_draws_losses([game for game in games if game["number"] % 2 == 1]),
        "as_black": wins_draws_losses([game for game in games if game["number"] % 2 == 0]),
        "by_reason": {reason: wins_draws_losses([game for game in games if game["reason"] == reason])
                      for reason in sorted({game["reason"] for game in games})},
        "turns": sum(game["turns"] for game in games) / max(len(games), 1),
        "late": [sum(each) for each in by_agent(games, "late")],
        "longest": [max(each, default=0.0) for each in by_agent(games, "longest")],
        "least_left": [min(each, default=None) for each in by_agent(games, "least_left")],
        "deaths": [sum(each) for each in by_agent(games, "deaths")],
        "faults": [{"number": game["number"], **fault} for game in games for fault in game["faults"]],
    }


def line(told):
    """A v B: W-D-L score S% (95% a..b) elo E (95% c..d)"""
    def words(value, above):
        return f"{value:.1f}" if value is not None else "inf" if above else "-inf"
    first, second = told["agents"]
    low, high = (100 * end for end in told["interval"])
    ends = [words(end, above) for end, above in zip(told["elo_interval"], (False, True))]
    return (f"{first} v {second}: {told['wins']}-{told['draws']}-{told['losses']} "
            f"score {100 * told['score']:.1f}% (95% {low:.1f}..{high:.1f}) "
            f"elo {words(told['elo'], told['score'] > 0.5)} (95% {ends[0]}..{ends[1]})")


def said(results):
    return f"{results['wins']}-{results['draws']}-{results['losses']}"


def text(told):
    """The summary as a table; its last line is `line`."""
    rows = [("game", f"rbc in reconchess, {told['control']}"), ("played", f"{told['played']} of {told['games']}"),
            ("as White", said(told["as_white"])), ("as Black", said(told["as_black"])),
            ("turns", f"{told['turns']:.1f} of a side on average")]
    rows += [("ended by", f"{reason}: {said(results)}") for reason, results in told["by_reason"].items()]
    for agent, name in enumerate(told["agents"]):
        least = told["least_left"][agent]
        clock_words = f", the least left {least:.1f} s" if least is not None else ""
        rows.append(("time of", f"{name}: {told['late'][agent]} turns late, the longest "
                                f"{told['longest'][agent]:.1f} s{clock_words}"))
    rows += [("Stockfish of", f"{name}: died {deaths} times")
             for name, deaths in zip(told["agents"], told["deaths"]) if name in ("trout", "trout-restart")]
    rows += [("fault", f"{fault['agent']} in game {fault['number']}: {fault['words']}") for fault in told["faults"]]
    rows.append(("histories", told["folder"]))
    rows.append(("verified", told["verified"]))
    return "".join(f"{name:14}{words}\n" for name, words in rows) + line(told) + "\n"


class Folder:
    """The games of a match: settings.json, games.jsonl with a line for every finished game, and their histories."""

    def __init__(self, path, settings, resume):
        self.path, self.games = Path(path), {}
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.lock = open(self.path / "lock", "w", encoding="utf-8")
        except OSError as error:
            raise Wrong(f"{path}: {error.strerror}") from None
        try:
            self.open(settings, resume)
        except (OSError, ValueError, KeyError, TypeError) as error:
            self.close()
            raise Wrong(f"{path}: {error}") from None
        except Wrong:
            self.close()
            raise

    def open(self, settings, resume):
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Wrong(f"{self.path} is in use by another match") from None
        lines = self.read(GAMES).split("\n")
        if any(lines) and not resume:
            raise Wrong(f"{self.path} has games already: --resume goes on with them")
        if not resume:
            self.save(SETTINGS, json.dumps(settings, indent=2) + "\n")
        elif (self.path / SETTINGS).exists():
            self.compare(json.loads(self.read(SETTINGS)), settings)
        else:
            raise Wrong(f"{self.path} has no match to resume: there is no {SETTINGS}")
        # A line without its end was being written when the match was killed: its game is played again.
        self.games = {game["number"]: game for game in map(json.loads, filter(None, lines[:-1]))}
        self.save(GAMES, "".join(json.dumps(game) + "\n" for game in self.games.values()))

    def close(self):
        """Lets others have it."""
        self.lock.close()

    def read(self, name):
        file = self.path / name
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def save(self, name, content):
        """Writes a file whole, or not at all."""
        draft = self.path / f"{name}.draft"
        draft.write_text(content, encoding="utf-8")
        os.replace(draft, self.path / name)

    def compare(self, theirs, ours):
        for key in ours:
            if theirs.get(key) != ours[key]:
                raise Wrong(f"{self.path} is another match: its {key} is {theirs.get(key)}, not {ours[key]}")

    def history(self, number):
        return self.path / f"game_{number:04}.json"

    def keep(self, game, history):
        """Keeps a finished game. Its history comes first: what counts is the line."""
        draft = self.path / "history.draft"
        history.save(str(draft))
        os.replace(draft, self.history(game["number"]))
        with open(self.path / GAMES, "a", encoding="utf-8") as file:
            file.write(json.dumps(game) + "\n")
        self.games[game["number"]] = game
