"""SIGKILL and Ctrl-C at random moments of all commands that write: nothing stored is lost, what is printed is true.

    python -m tests.stress.kills --count 100

Each command (``writing_commands.py``) runs once undisturbed. Then it is killed or interrupted, once or several times at
the same run; after each time all rows that were stored are there and equal those of the undisturbed run (those of
Kilothon, which has a clock, equal those before), files are complete or not there, and what was printed agrees with
them. In the end the same command goes on, and ends with the rows, files and words of the undisturbed run.

``--count`` is the number of kills that hit a running command: a command that was quicker does not count. Every command
that writes is killed at least three times, at its start, in the middle and at its end; every fourth strike is Ctrl-C,
and the commands that write nothing are only interrupted. ``test_kills.py`` does it all, ``tests/cli/test_kills.py`` a
few rounds.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ramify
from tests.stress.writing_commands import PATIENCE, Command, ready_commands, timeless

EARLIEST = 0.25  # seconds after the start; before, Python itself has the word
SOON = 2.0  # seconds; longer than the last words of any command take
LEAST = 3  # kills per command that writes
AT_ONCE = 6  # strikes at the same run, at most
GOLDEN = (5**0.5 - 1) / 2  # its multiples modulo 1 are spread evenly, however many there are
STARTED, ENDING = 0.2, 0.85  # parts of a command's life: then it stores rows, then it writes what is left
PHASES = ("start", "middle", "end")


def strike(command: Command, folder: Path, how: signal.Signals, moment: float, say: Any) -> str:
    """Disturb the command once, at a moment of its life from 0 to 1, and look at what is left; the kind of end."""
    began = time.monotonic()
    with command.start(folder) as process:
        wait(command, folder, process, moment)
        delay = time.monotonic() - began
        before = command.stored(folder)
        process.send_signal(how)
        sent = time.monotonic()
        out, err = process.communicate(timeout=PATIENCE)
        took = time.monotonic() - sent
    after = command.stored(folder)
    say(f"{command.name:10}  {how.name} after {delay:5.2f} s: exit {process.returncode:4}, {len(after):3} rows stored")
    where = (command.name, how, delay, len(before), took, process.returncode, out[-300:], err)
    command.check(after, command.written(folder), before)
    assert "Traceback" not in err, where
    assert "Exception ignored" not in err, where
    if process.returncode == command.code:  # it was quicker
        command.seconds = min(command.seconds, delay + took)  # the machine is less busy now
        assert took < SOON or (command.file and before.keys() == command.rows.keys()), where  # else it has not heard
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


def wait(command: Command, folder: Path, process: subprocess.Popen[str], moment: float) -> None:
    """Until a moment of the command's life: of its time, or of the rows that are missing."""
    if not command.file or command.once or moment < STARTED:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(EARLIEST, moment * command.seconds))
        return
    already, late = len(command.stored(folder)), min(1.0, (moment - STARTED) / (ENDING - STARTED))
    enough = already + late * (len(command.rows) - already)
    while process.poll() is None and len(command.stored(folder)) < enough:
        time.sleep(0.02)
    if moment > ENDING:
        time.sleep((moment - ENDING) / (1 - ENDING) * SOON / 4)


def phase(moment: float) -> str:
    return PHASES[(moment >= STARTED) + (moment >= ENDING)]


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


def disturb(kills: int, seed: int, say: Any = print, chosen: Any = None, minutes: float = 60) -> Counter[Any]:
    """Kill so often; how each command ended in each phase how often. It may be fewer if time is up."""
    with ready_commands(chosen) as commands:
        for command in commands:
            with TemporaryDirectory() as folder:
                command.complete(Path(folder))
            say(f"{command.name:10}  undisturbed: {command.seconds:.1f} s, {len(command.rows)} rows")
        return Strikes(commands, kills, random.Random(seed), say).all(time.monotonic() + 60 * minutes)


class Strikes:
    """Strikes at commands, until enough of them have been killed."""

    def __init__(self, commands: list[Command], kills: int, chance: random.Random, say: Any) -> None:
        self.commands, self.kills, self.chance, self.say = commands, kills, chance, say
        self.ends: Counter[tuple[str, str, str]] = Counter()  # by command, kind of end and phase
        self.moments = {command.name: chance.random() for command in commands}
        self.struck: Counter[str] = Counter()
        writing = dict.fromkeys(command.name for command in commands if command.writes)
        self.least = dict.fromkeys(writing, min(LEAST, -(-kills // max(1, len(writing)))))

    def all(self, deadline: float) -> Counter[tuple[str, str, str]]:
        """Strike the commands in turn."""
        names = list(dict.fromkeys(command.name for command in self.commands))
        for turn in count():
            if self.enough or time.monotonic() > deadline:
                return self.ends
            command = self.chance.choice([one for one in self.commands if one.name == names[turn % len(names)]])
            if command.writes or turn < len(names):
                self.some(command)
        raise AssertionError

    @property
    def enough(self) -> bool:
        found = killed(self.ends)
        return found.total() >= self.kills and all(found[name] >= least for name, least in self.least.items())

    def some(self, command: Command) -> None:
        """Strike at one run, and finish it."""
        with TemporaryDirectory() as folder:
            for _ in range(self.chance.randint(1, AT_ONCE) if command.writes else 1):
                moment = self.moments[command.name] = (self.moments[command.name] + GOLDEN) % 1
                self.struck[command.name] += 1
                is_kill = command.writes and self.struck[command.name] % 4
                how = signal.SIGKILL if is_kill else signal.SIGINT
                end = strike(command, Path(folder), how, moment, self.say)
                self.ends[command.name, end, phase(moment)] += 1
                if self.enough or (command.file and len(command.stored(Path(folder))) == len(command.rows)):
                    break
            command.complete(Path(folder))


def killed(ends: Counter[Any]) -> Counter[str]:
    """How often each command was killed while it ran."""
    found: Counter[str] = Counter()
    for (name, end, _), times in ends.items():
        if end == "killed":
            found[name] += times
    return found


def table(ends: Counter[Any]) -> list[str]:
    """The kills of each command by phase, and its other ends."""
    others = ("interrupted with a result", "interrupted before", "finished")
    heads = [f"killed: {PHASES[0]}", *PHASES[1:], "all", *others]
    lines = [f"{'command':10}  {'  '.join(heads)}"]
    for name in [*dict.fromkeys(name for name, *_ in ends), "all"]:
        mine = [(end, when, times) for (one, end, when), times in ends.items() if name in (one, "all")]
        kills = [sum(times for end, when, times in mine if (end, when) == ("killed", one)) for one in PHASES]
        rest = [sum(times for end, _, times in mine if end == one) for one in others]
        numbers = zip(heads, [*kills, sum(kills), *rest], strict=True)
        lines.append(f"{name:10}  {'  '.join(f'{number:>{len(head)}}' for head, number in numbers)}")
    return lines


def main() -> None:
    """Take the count from the command line, and print a table."""
    parser = argparse.ArgumentParser(description="Kill and interrupt commands at random moments.")
    parser.add_argument("--count", type=int, default=100, help="kills that hit a running command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60, help="after which the last run is finished")
    parser.add_argument("--only", action="append", help="a command; may be given several times")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background would have it ignored, and so on
    say = lambda line: print(line, flush=True)  # noqa: E731
    ends = disturb(options.count, options.seed, say, options.only, options.minutes)
    print("", *table(ends), sep="\n")
    found = killed(ends).total()
    print(f"{found} kills and {ends.total() - found} other ends: no row was lost, doubled or changed")
    if found < options.count:
        sys.exit(f"time was up before {options.count} kills")


if __name__ == "__main__":
    main()
