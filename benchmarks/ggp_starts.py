"""Measure how long a player takes from the rules to its first move, as a game manager sees it; one line of JSON each.

``python benchmarks/ggp_starts.py OUT NAME_OR_FOLDER ...``: built-in rulesheets by name, or all files of a folder. Rows
that OUT already has are skipped. The rules' words are renamed, as managers do, so nothing cached by an earlier match
helps. The player answers ``ready`` once its propnet is built or the start clock ends. It then has the play clock for a
move, and the interpreter checks that the move is legal.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from ramify.bridges.gdl import BUILT_IN_RULESHEETS
from ramify.errors import RamifyError
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import TOKEN
from ramify.ggp.rules import KEYWORDS, RANDOM, Rulesheet
from ramify.players.faults import Fault
from ramify.players.ggp.client import Address, send_message
from ramify.players.ggp.messages import read_term

PATIENCE = 60  # seconds for an answer beyond the clock


def renamed(text, dice):
    """Return the rules on one line, with their words renamed."""
    names = {}

    def word(token):
        if token in "()" or token.startswith("?") or token.isdigit() or token.lower() in KEYWORDS | {"<=", RANDOM}:
            return token
        return names.setdefault(token, f"w{len(names)}x{dice.randrange(1 << 30)}")

    text = re.sub(r";[^\n]*", " ", text)
    return " ".join(word(found["token"]) for found in TOKEN.finditer(text) if found["token"])


def start(address, text, clock, play_clock):
    """Run one rulesheet and return its row."""
    rules = Rulesheet.from_text(text, "the rules")
    role = next(one for one in rules.roles if one != RANDOM)
    match = f"starts.{random.randrange(1 << 30)}"
    began = perf_counter()
    answer = send_message(address, f"( START {match} {role} ( {text} ) {clock} {play_clock} )", clock + PATIENCE)
    ready = perf_counter()
    move = send_message(address, f"( PLAY {match} NIL )", PATIENCE)
    moved = perf_counter()
    send_message(address, f"( ABORT {match} )", PATIENCE)
    interpreter = Interpreter(rules)
    legal = interpreter.legal(interpreter.initial(), role)
    return {
        "answer": answer,
        "ready": ready - began,
        "move": moved - ready,
        "legal": read_term(move) in legal,
        "moves": len(legal),
    }


def wanted(given):
    """Return the files of a folder, or one built-in rulesheet."""
    for name in given:
        if Path(name).is_dir():
            yield from sorted(Path(name).glob("*.kif"), key=lambda file: file.stat().st_size)
        else:
            yield BUILT_IN_RULESHEETS / f"{name}.kif"


def measure(address, log, files, options):
    """Start each rulesheet. ``log`` collects the player's messages."""
    dice = random.Random()  # new words every time: a propnet for the same words is cached on disk
    for file in files:
        try:
            found = start(address, renamed(file.read_text(), dice), options.start_clock, options.play_clock)
        except (RamifyError, Fault) as error:
            found = {"failed": str(error)}
        kinds = re.findall(r"with the interpreter|with a propnet", log.read())
        found |= {"name": file.stem, "by": kinds[-1] if kinds else ""}
        with options.out.open("a") as out:
            print(json.dumps(found), file=out)
        print(found, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="lines of JSON")
    parser.add_argument("rulesheets", nargs="+")
    parser.add_argument("--start-clock", type=int, default=30)
    parser.add_argument("--play-clock", type=int, default=2)
    options = parser.parse_args()
    done = {json.loads(line)["name"] for line in options.out.open()} if options.out.exists() else set()
    files = [file for file in wanted(options.rulesheets) if file.stem not in done]
    with tempfile.NamedTemporaryFile("r+") as said, Path(said.name).open() as log:
        player = subprocess.Popen(
            [sys.executable, "-m", "ramify", "ggp-player", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        try:
            measure(Address.parse(player.stdout.readline().split()[-1]), log, files, options)
        finally:
            player.kill()


if __name__ == "__main__":
    main()
