#!/usr/bin/env python3
"""Makes the recorded games that the rules are tested against.

One subcommand per game. A subcommand names its sources and a function
record(source, games, seed) that returns the lines of a file; adding a game means
adding an entry to GAMES.
"""

import argparse
import gzip
import io
import json
import sys
import tempfile
from pathlib import Path

import fog
import fog_sources

HERE = Path(__file__).resolve().parent
EXAMPLE = """example:
  python3 oracles/generate.py fog --source pyffish --games 100 --seed 7 --out .
  python3 oracles/generate.py fog --check
"""

# Subcommand: help, sources, record function, games and seed of the kept files.
GAMES = {"fog": ("fog-of-war chess", tuple(fog_sources.SOURCES), fog.record, 800, 3)}


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
    games = parser.add_subparsers(dest="game", required=True, metavar="GAME", parser_class=Parser)
    for name, (about, sources, _, count, seed) in GAMES.items():
        game = games.add_parser(name, help=about, epilog=EXAMPLE,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
        game.add_argument("--source", choices=sources, help="only this program (default: all)")
        game.add_argument("--games", type=number_from(1), default=count, metavar="N",
                          help=f"number of games (default: {count})")
        game.add_argument("--seed", type=number_from(0), default=seed, metavar="S",
                          help=f"seed of all random choices (default: {seed})")
        game.add_argument("--out", type=folder, default=HERE, metavar="DIR",
                          help="folder of the files (default: the one of this script)")
        game.add_argument("--check", action="store_true",
                          help="write nothing there; make the files again and compare bytes")
    return parser.parse_args()


def packed(lines):
    """Gzipped JSON lines, the same bytes for the same lines."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, buffer, mtime=0) as file:
        file.write(text.encode())
    return buffer.getvalue()


def write_files(arguments, target):
    """Make the files in the target folder; returns their names."""
    _, sources, record, _, _ = GAMES[arguments.game]
    names = []
    for source in [arguments.source] if arguments.source else sources:
        name = f"{arguments.game}_{source}.jsonl.gz"
        lines = record(source, arguments.games, arguments.seed)
        data = packed(lines)
        (target / name).write_bytes(data)
        print(f"{name}: {arguments.games} games, {lines[0]['meta']['counts']['plies']} entries, "
              f"{len(data)} bytes")
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
    except fog_sources.MissingSource as problem:
        fail(2, problem)
    except fog.Disagreement as problem:
        fail(1, f"unexplained difference: {problem}")
    except OSError as problem:
        fail(1, problem)
    if different:
        fail(1, f"made again, not the same bytes: {', '.join(different)}")
    print("all files are the same")


if __name__ == "__main__":
    main()
