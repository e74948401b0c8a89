#!/usr/bin/env python3
"""Makes the recorded games that the rules are tested against.

One subcommand per game. A subcommand names its files, each by the words in its name
(source, and ruleset where there are several), and a function record(*words, games, seed)
that returns the lines of a file; adding a game means adding an entry to GAMES.
"""

import argparse
import gzip
import io
import json
import sys
import tempfile
from pathlib import Path
from typing import Callable, NamedTuple

import checking
import fog
import fog_sources
import kriegspiel_record
import kriegspiel_sources
import rbc

HERE = Path(__file__).resolve().parent
EXAMPLE = """example:
  python3 oracles/generate.py fog --source pyffish --games 100 --seed 7 --out .
  python3 oracles/generate.py kriegspiel --source pypi --ruleset rand
  python3 oracles/generate.py rbc --check
"""


class Game(NamedTuple):
    """A subcommand; games and seed are those of the kept files."""

    about: str
    files: tuple
    record: Callable
    games: int
    seed: int


GAMES = {
    "fog": Game("fog-of-war chess", tuple((source,) for source in fog_sources.SOURCES),
                fog.record, 800, 3),
    "kriegspiel": Game("Kriegspiel, four rulesets",
                       tuple((name, ruleset) for name, source in kriegspiel_sources.SOURCES.items()
                             for ruleset in source.rulesets),
                       kriegspiel_record.record, 200, 3),
    "rbc": Game("Reconnaissance Blind Chess", (("reconchess",),), rbc.record, 400, 3),
}


class Parser(argparse.ArgumentParser):
    """Reports bad input in one line."""

    def error(self, message):
        fail(2, message)


def fail(code, message):
    print(f"generate.py: {message}", file=sys.stderr)
    sys.exit(code)


def number_from(least):
    """Type of an option: a whole number, not below `least`."""
    def read(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {least} up")
        return int(text)
    return read


def folder(text):
    """Type of an option: a folder that is there."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' is not a folder")
    return Path(text)


def read_arguments():
    parser = Parser(description="Play independent programs and write down what they say.",
                    epilog=EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="game", required=True, metavar="GAME",
                                     parser_class=Parser)
    for name, game in GAMES.items():
        command = commands.add_parser(name, help=game.about, epilog=EXAMPLE,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
        for option, choices in zip(("source", "ruleset"), zip(*game.files)):
            command.add_argument(f"--{option}", choices=list(dict.fromkeys(choices)),
                                 help=f"only this {option} (default: all)")
        command.add_argument("--games", type=number_from(1), default=game.games, metavar="N",
                             help=f"number of games in a file (default: {game.games})")
        command.add_argument("--seed", type=number_from(0), default=game.seed, metavar="S",
                             help=f"seed of all random choices (default: {game.seed})")
        command.add_argument("--out", type=folder, default=HERE, metavar="DIR",
                             help="folder of the files (default: the one of this script)")
        command.add_argument("--check", action="store_true",
                             help="write nothing there; make the files again and compare bytes")
    return parser.parse_args()


def wanted_files(arguments):
    """The files of the game that the options leave."""
    options = [getattr(arguments, option, None) for option in ("source", "ruleset")]
    files = [words for words in GAMES[arguments.game].files
             if all(option in (None, word) for option, word in zip(options, words))]
    if not files:
        fail(2, f"{options[0]} does not play {options[1]}")
    return files


def packed(lines):
    """Gzipped JSON lines, the same bytes for the same lines."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, buffer, mtime=0) as file:
        file.write(text.encode())
    return buffer.getvalue()


def write_files(arguments, target):
    """Make the files in the target folder; returns their names."""
    names = []
    for words in wanted_files(arguments):
        name = f"{'_'.join((arguments.game, *words))}.jsonl.gz"
        lines = GAMES[arguments.game].record(*words, arguments.games, arguments.seed)
        data = packed(lines)
        (target / name).write_bytes(data)
        entries = [entry for line in lines[1:] for entry in line["p"]]
        print(f"{name}: {arguments.games} games, {len(entries)} entries, "
              f"{sum('x' in entry for entry in entries)} with deviations, {len(data)} bytes")
        names.append(name)
    return names


def check_files(arguments):
    """Make the files again elsewhere; names of those that differ from the kept ones."""
    with tempfile.TemporaryDirectory() as fresh:
        return [name for name in write_files(arguments, Path(fresh))
                if not (arguments.out / name).is_file()
                or (arguments.out / name).read_bytes() != (Path(fresh) / name).read_bytes()]


def main():
    arguments = read_arguments()
    try:
        if not arguments.check:
            write_files(arguments, arguments.out)
            return
        different = check_files(arguments)
    except checking.MissingSource as problem:
        fail(2, problem)
    except checking.Disagreement as problem:
        fail(1, f"unexplained difference: {problem}")
    except OSError as problem:
        fail(1, problem)
    if different:
        fail(1, f"made again, not the same bytes: {', '.join(different)}")
    print("all files are the same")


if __name__ == "__main__":
    main()
