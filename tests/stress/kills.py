"""SIGKILL and Ctrl-C at random moments of all commands that write: nothing stored is lost, what is printed is true.

    python -m tests.stress.kills --count 200

Each command (``writing_commands.py``) runs once undisturbed. Then it is killed or interrupted at a random moment, once
or several times at the same run; after each time all rows that were stored are there and equal those of the undisturbed
run (those of Kilothon, which has a clock, equal those before), files are complete or not there, and what was printed
agrees with them. In the end the same command goes on, and ends with the rows, files and words of the undisturbed run.
``test_kills.py`` does a few rounds of it.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import time
from collections import Counter
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ramify
from tests.stress.writing_commands import PATIENCE, Command, ready_commands, timeless

EARLIEST = 0.25  # seconds after the start; before, Python itself has the word
SOON = 2.0  # seconds; longer than the last words of any command take


def strike(command: Command, folder: Path, chance: random.Random, say: Any) -> str:
    """Disturb the command once, and look at what is left; the kind of end."""
    how = chance.choice([signal.SIGKILL, signal.SIGINT])
    began = time.monotonic()
    with command.start(folder) as process:
        wait(command, folder, process, chance)
        delay = time.monotonic() - began
        before = command.stored(folder)
        process.send_signal(how)
        sent = time.monotonic()
        out, err = process.communicate(timeout=PATIENCE)
        took = time.monotonic() - sent
    after = command.stored(folder)
    say(f"{command.name:10}  {how.name} after {delay:5.2f} s: exit {process.returncode:4}, {len(after):3} rows stored")
    where = (command.name, how, delay, process.returncode, out[-300:], err)
    command.check(after, command.written(folder), before)
    assert "Traceback" not in err, where
    assert "Exception ignored" not in err, where
    if process.returncode == command.code:  # it was quicker
        assert took < SOON, where  # else it has not heard
        assert timeless(json.loads(out), folder) == command.said or not command.same, where
        return "finished"
    if how == signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL, where
        return "killed"
    assert process.returncode == 130, where
    assert err.count("ramify: interrupted") == 1, where
    if out:
        check_words(command, folder, json.loads(out), after, where)
        return "interrupted with a result"
    return "interrupted before"


def wait(command: Command, folder: Path, process: subprocess.Popen[str], chance: random.Random) -> None:
    """Until a random moment: any, or one at which there is something to lose."""
    if chance.random() < 1 / 3:
        time.sleep(chance.uniform(EARLIEST, max(1.05 * command.seconds, EARLIEST + 0.1)))
    elif not command.file:
        time.sleep(chance.uniform(0.5, 1.0) * command.seconds)
    else:
        already = len(command.stored(folder))
        enough = already + chance.randrange(1 + (len(command.rows) - already) // 2)
        while process.poll() is None and len(command.stored(folder)) <= min(enough, len(command.rows) - 1):
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.4))


def check_words(command: Command, folder: Path, said: Any, stored: dict[int, tuple[Any, ...]], where: object) -> None:
    """What an interrupted command printed is true of what it stored, or of its seed."""
    if command.name == "search":
        check_search(command, said)
    elif command.name == "match":
        assert said["stored"] == said["games"] == len(stored), where
        assert said["stopped"] == ("interrupted" if len(stored) < len(command.rows) else "games"), where
    elif command.name in ("tournament", "scale"):
        counted = said["pairings" if command.name == "tournament" else "steps"]
        assert sum(one["games"] for one in counted) == len(stored), where
    elif command.name == "tune":
        assert said["trials"] == command.said["trials"][: len(said["trials"])], where
        assert said["stopped"] == "interrupted" or said["confirmation"] == command.said["confirmation"], where
    elif command.name in ("kilothon", "ggp-match"):
        assert said["played" if command.name == "kilothon" else "games"] == len(stored), where
    elif command.name == "reproduce":
        points = Counter[str]()
        for row in stored.values():
            points[row[1]] += row[3]
        assert said["trials"] == {point: points[point] for point in said["trials"]}, where
        assert sum(said["trials"].values()) == points.total(), where
    else:  # the others print nothing on their way
        assert timeless(said, folder) == command.said, where


def check_search(command: Command, said: Any) -> None:
    """An interrupted search is what the same search finds that was asked for so many simulations."""
    assert said["stopped"] == "cancelled"
    assert said["simulations"] == sum(child["visits"] for child in said["children"]) > 0
    if said["threads"] == 1:
        again = ramify.search(ramify.load("connect4").initial(), simulations=said["simulations"], seed=5).to_dict()
        for name in ("move", "value", "children", "variation", "nodes"):
            assert said[name] == again[name], name


def disturb(count: int, seed: int, say: Any = print, chosen: Any = None) -> Counter[tuple[str, str]]:
    """Strike so often; how each command ended how often."""
    with ready_commands(chosen) as commands:
        for command in commands:
            with TemporaryDirectory() as folder:
                command.complete(Path(folder))
            say(f"{command.name:10}  undisturbed: {command.seconds:.1f} s, {len(command.rows)} rows")
        return strike_all(commands, count, random.Random(seed), say)


def strike_all(commands: list[Command], count: int, chance: random.Random, say: Any) -> Counter[tuple[str, str]]:
    """Strike the commands in turn."""
    ends: Counter[tuple[str, str]] = Counter()
    for name in cycle(dict.fromkeys(command.name for command in commands)):
        if ends.total() >= count:
            break
        command = chance.choice([one for one in commands if one.name == name])
        with TemporaryDirectory() as folder:
            for _ in range(min(chance.choice([1, 1, 2, 3]) if command.file else 1, count - ends.total())):
                ends[name, strike(command, Path(folder), chance, say)] += 1
                if len(command.stored(Path(folder))) == len(command.rows):
                    break
            command.complete(Path(folder))
    return ends


def main() -> None:
    """Take the count from the command line, and print a table."""
    parser = argparse.ArgumentParser(description="Kill and interrupt commands at random moments.")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", help="a command; may be given several times")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background would have it ignored, and so on
    ends = disturb(options.count, options.seed, lambda line: print(line, flush=True), options.only)
    print()
    kinds = ("killed", "interrupted with a result", "interrupted before", "finished")
    print(f"{'command':10}  {'  '.join(kinds)}")
    for name in dict.fromkeys(name for name, _ in ends):
        print(f"{name:10}  {'  '.join(f'{ends[name, kind]:>{len(kind)}}' for kind in kinds)}")
    print(f"{ends.total()} in all; nothing was lost, and everything printed was true")


if __name__ == "__main__":
    main()
