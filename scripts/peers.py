"""What the benchmarks against other people's programs share: both sides work in turn, in one run."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def install(environment, packages):
    """The Python of a virtual environment in target/ with these packages."""
    venv = ROOT / "target" / environment
    python = venv / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], check=True)
    return python


def run(command, directory=ROOT):
    """The last line that a command prints, as JSON."""
    done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


def in_turn(bench, python, script, rounds):
    """What ours (a cargo benchmark) and theirs (a round of the script) print, round by round."""
    subprocess.run(["cargo", "bench", "--quiet", "--bench", bench, "--no-run"], cwd=ROOT, check=True)
    ours, theirs = [], []
    for number in range(rounds):
        ours.append(run(["cargo", "bench", "--quiet", "--bench", bench, "--", "--json"]))
        theirs.append(run([python, script, "--peers-round", str(number)], ROOT / "target"))
    return ours, theirs


def main(name, description, compare, peers_round):
    """Runs `compare(rounds)`, or in the virtual environment `peers_round(seed)`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often each side runs")
    parser.add_argument("--peers-round", type=int, metavar="SEED", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    if arguments.peers_round is not None:
        print(json.dumps(peers_round(arguments.peers_round)))
        return 0
    try:
        return compare(arguments.rounds)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
