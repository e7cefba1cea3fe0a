"""SIGKILL and Ctrl-C at random moments of seven commands: nothing stored is lost, and what is printed is true.

    python -m tests.stress.kills --count 200

Each command runs once undisturbed. Then it is killed or interrupted at a random moment, once or several times at the
same run; after each time all rows that were stored are there and equal those of the undisturbed run, and what was
printed agrees with them. In the end the same command goes on, and ends with the rows and the words of the undisturbed
run. ``test_kills.py`` does a few rounds of it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

import ramify
from ramify.arena.matches.rows import GAME_TABLE
from ramify.experiments.framework.work import CHUNK_TABLE
from ramify.runs.store import Reader
from ramify.runs.table import RunTable
from tests import processes

EARLIEST = 0.25  # seconds after the start; before, Python itself has the word
SOON = 2.0  # seconds; longer than the last words of any command take
PATIENCE = 300.0  # seconds; only a hang takes so long
TIMES = ("seconds", "finished")
SEED = ("--seed", "5")


@dataclass
class Command:
    """What is run; ``{}`` in its words stands for the folder of the round."""

    name: str
    words: tuple[str, ...]
    file: str = ""  # that keeps its rows, in the folder
    table: RunTable = GAME_TABLE
    rows: dict[int, tuple[Any, ...]] = field(default_factory=dict)  # of the undisturbed run
    said: Any = None  # by it
    code: int = 0  # with which it ended
    seconds: float = 0.0  # that it took

    def start(self, folder: Path) -> Iterator[subprocess.Popen[str]]:
        """The command at work."""
        words = [word.format(folder) for word in self.words]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()}
        return processes.running("-m", "ramify", *words, "--json", **pipes)

    def stored(self, folder: Path) -> dict[int, tuple[Any, ...]]:
        """Rows by their numbers, without times."""
        if not self.file or not (folder / self.file).exists():
            return {}
        kept = [place for place, name in enumerate(self.table.columns) if name not in TIMES]
        with Reader(folder / self.file, self.table) as reader:
            return {record[0]: tuple(record[place] for place in kept) for record in reader.records()}

    def complete(self, folder: Path) -> None:
        """Run to the end; the first time is the undisturbed one."""
        began = time.monotonic()
        with self.start(folder) as process:
            out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == self.code, (self.name, process.returncode, err)
        said = timeless(json.loads(out), folder)
        if self.said is None:
            self.said, self.rows, self.seconds = said, self.stored(folder), time.monotonic() - began
            return
        assert said == self.said, (self.name, said, self.said)
        assert self.stored(folder) == self.rows, self.name
        strange = [path.name for path in folder.iterdir() if path.suffix in {".new", ".lock"} or "-" in path.suffix]
        assert not strange, strange


def timeless(said: Any, folder: Path) -> Any:
    """What was printed without times and places."""
    text = json.dumps(said).replace(str(folder), "")
    text = re.sub(r'"(seconds|simulations_per_second|busy|day|finished)": ("[^"]*"|[^,}\]]*)', r'"\1": 0', text)
    return json.loads(text)


def commands() -> list[Command]:
    """All seven, search and solve in two ways."""
    run = (*SEED, "--run", "{}/run.db")
    agents = ("--agent", "uct", "--agent", "uct(c=1)", "--agent", "uct(c=2)")
    trials = ("--trials", "5", "--games", "8", "--confirm", "16")
    return [
        Command("match", ("match", "connect4", "uct", "uct(c=1)", *words(60, 1000, 1), *run), "run.db"),
        Command("tournament", ("tournament", "--game", "tictactoe", *agents, *words(40, 1000, 1), *run), "run.db"),
        Command("scale", ("scale", "connect4", "uct", "--doublings", "2", *words(30, 400, 0), *run), "run.db"),
        Command(
            "tune",
            ("tune", "tictactoe", "uct(c=0.1..2.0)", "--against", "uct", *trials, *words(0, 1000, 0), *run),
            "run.db",
        ),
        Command(
            "reproduce",
            ("reproduce", "boxes", "--scale", "smoke", "--workers", "0", *SEED, "--out", "{}"),
            "boxes-smoke.db",
            CHUNK_TABLE,
        ),
        Command("search", ("search", "connect4", "--simulations", "3000000", *SEED)),
        Command("search", ("search", "connect4", "--simulations", "3000000", "--threads", "2", *SEED)),
        Command("solve", ("solve", "connect4", "moves 4 4 4 4 4 4", "--nodes", "8000000"), code=1),
        Command("solve", ("solve", "hex(size=4)", "--moves")),
    ]


def words(games: int, simulations: int, workers: int) -> tuple[str, ...]:
    """The size of a run."""
    counted = ("--games", str(games)) if games else ()
    return (*counted, "--simulations", str(simulations), "--workers", str(workers))


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
    assert before.keys() <= after.keys(), where
    assert all(command.rows[number] == row for number, row in after.items()), where
    assert "Traceback" not in err, where
    assert "Exception ignored" not in err, where
    if process.returncode == command.code:  # it was quicker
        assert took < SOON, where  # else it has not heard
        assert timeless(json.loads(out), folder) == command.said, where
        return "finished"
    if how == signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL, where
        return "killed"
    assert process.returncode == 130, where
    assert err.count("ramify: interrupted") == 1, where
    if out:
        check_words(command, json.loads(out), after, where)
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


def check_words(command: Command, said: Any, stored: dict[int, tuple[Any, ...]], where: object) -> None:
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
    elif command.name == "reproduce":
        points = Counter[str]()
        for row in stored.values():
            points[row[1]] += row[3]
        assert said["trials"] == {point: points[point] for point in said["trials"]}, where
        assert sum(said["trials"].values()) == points.total(), where
    else:
        raise AssertionError(where)  # solve prints nothing on its way


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
    chance = random.Random(seed)
    ends: Counter[tuple[str, str]] = Counter()
    every = commands() if chosen is None else [one for one in commands() if one.name in chosen]
    for command in every:
        with tempfile.TemporaryDirectory() as folder:
            command.complete(Path(folder))
        say(f"{command.name:10}  undisturbed: {command.seconds:.1f} s, {len(command.rows)} rows")
    names = list(dict.fromkeys(command.name for command in every))
    done = 0
    for name in cycle(names):
        if done >= count:
            break
        command = chance.choice([one for one in every if one.name == name])
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(min(chance.choice([1, 1, 2, 3]) if command.file else 1, count - done)):
                ends[name, strike(command, Path(folder), chance, say)] += 1
                done += 1
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
