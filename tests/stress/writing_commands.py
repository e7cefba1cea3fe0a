"""All commands that write files, and two that do not, small enough to be killed hundreds of times."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ramify.arena.kilothon.rows import KILOTHON_TABLE
from ramify.arena.managed.rows import MATCH_TABLE
from ramify.arena.matches.rows import GAME_TABLE
from ramify.experiments.framework.work import CHUNK_TABLE
from ramify.runs.store import Reader
from ramify.runs.table import RunTable
from tests import processes
from tests.stress.legal_players import legal_players

PATIENCE = 300.0  # seconds; only a hang takes so long
TIMES = ("seconds", "finished", "match")  # the id of a GGP match is never used twice
SEED = ("--seed", "5")
RUN = (*SEED, "--run", "{folder}/run.db")
RAMIFY = ("-m", "ramify")
# The signature of all families takes a minute.
ONE_FAMILY = """
from ramify.__main__ import run
from ramify.cli.interrupts import handle_ctrl_c
handle_ctrl_c()
from ramify.bench.signature.families import known
known.FAMILIES = {"uct": known.FAMILIES["uct"]}
run()
"""


@dataclass
class Command:
    """What is run; places in its words are filled in by each round."""

    name: str
    words: tuple[str, ...]
    file: str = ""  # that keeps its rows, in the folder
    table: RunTable = GAME_TABLE
    outputs: tuple[str, ...] = ()  # patterns of files that are the same after every run
    same: bool = True  # whether the same seed gives the same rows; not with a clock
    once: bool = False  # whether it refuses a file that exists
    program: tuple[str, ...] = RAMIFY
    code: int = 0  # with which it ends
    places: dict[str, str] = field(default_factory=dict)
    # Of the undisturbed run:
    rows: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    said: Any = None
    seconds: float = 0.0

    @property
    def writes(self) -> bool:
        return bool(self.file or self.outputs)

    def start(self, folder: Path) -> AbstractContextManager[subprocess.Popen[str]]:
        """The command at work."""
        words = [word.format(folder=folder, **self.places) for word in self.words]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()}
        return processes.running(*self.program, *words, "--json", **pipes)

    def stored(self, folder: Path) -> dict[int, tuple[Any, ...]]:
        """Rows by their numbers, without times."""
        if not self.file or not (folder / self.file).exists():
            return {}
        kept = [place for place, name in enumerate(self.table.columns) if name not in TIMES]
        with Reader(folder / self.file, self.table) as reader:
            return {record[0]: tuple(record[place] for place in kept) for record in reader.records()}

    def written(self, folder: Path) -> dict[str, bytes]:
        """The outputs that are there."""
        found = (path for pattern in self.outputs for path in folder.glob(pattern))
        return {str(path.relative_to(folder)): path.read_bytes() for path in found}

    def complete(self, folder: Path) -> None:
        """Run to the end; the first time is the undisturbed one."""
        before = self.stored(folder)
        if self.once and before:
            assert before == self.rows, self.name
            (folder / self.file).unlink()
        began = time.monotonic()
        with self.start(folder) as process:
            out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == self.code, (self.name, process.returncode, err)
        said, rows, files = timeless(json.loads(out), folder), self.stored(folder), self.written(folder)
        if self.said is None:
            self.said, self.rows, self.files, self.seconds = said, rows, files, time.monotonic() - began
            assert bool(rows) == bool(self.file), self.name
            assert bool(files) == bool(self.outputs), self.name
        self.check(rows, files, before)
        assert rows.keys() == self.rows.keys(), self.name
        assert files == self.files, self.name
        assert said == self.said or not self.same, (self.name, said, self.said)
        assert not leftovers(folder), leftovers(folder)

    def check(
        self, rows: dict[int, tuple[Any, ...]], files: dict[str, bytes], before: dict[int, tuple[Any, ...]]
    ) -> None:
        """Nothing is lost, changed or too much; a file is complete or not there."""
        assert rows.keys() <= self.rows.keys(), self.name
        assert all(rows.get(number) == row for number, row in before.items()), self.name
        assert not self.same or all(self.rows[number] == row for number, row in rows.items()), self.name
        assert all(self.files.get(name) == data for name, data in files.items()), (self.name, files.keys())


def leftovers(folder: Path) -> list[str]:
    """Names of locks, drafts and logs."""
    names = (path.name for path in folder.rglob("*"))
    return [name for name in names if "ramify" in name or re.search(r"-(wal|shm|journal)$", name)]


def timeless(said: Any, folder: Path) -> Any:
    """What was printed without times and places."""
    text = json.dumps(said).replace(str(folder), "")
    text = re.sub(r'"(seconds|simulations_per_second|busy|day|finished)": ("[^"]*"|[^,}\]]*)', r'"\1": 0', text)
    return json.loads(text)


def size(games: int, simulations: int, workers: int) -> tuple[str, ...]:
    """The size of a run."""
    counted = ("--games", str(games)) if games else ()
    return (*counted, "--simulations", str(simulations), "--workers", str(workers))


def all_commands() -> list[Command]:
    """All commands; search and solve in two ways."""
    agents = ("--agent", "uct", "--agent", "uct(c=1)", "--agent", "uct(c=2)")
    trials = ("--trials", "5", "--games", "8", "--confirm", "16")
    tuned = ("tune", "tictactoe", "uct(c=0.1..2.0)", "--against", "uct", *trials)
    out = ("--out", "{folder}/out")
    smoke = ("--scale", "smoke")
    clocks = ("--games", "12", "--start-clock", "20", "--play-clock", "20")
    contest = ("--agent", "uct", "--game", "tictactoe", "--game", "nim", "--game", "chomp", "--game-seconds", "0.5")
    return [
        Command("match", ("match", "connect4", "uct", "uct(c=1)", *size(40, 600, 1), *RUN), "run.db"),
        Command("tournament", ("tournament", "--game", "tictactoe", *agents, *size(24, 600, 1), *RUN), "run.db"),
        Command("scale", ("scale", "connect4", "uct", "--doublings", "2", *size(20, 400, 0), *RUN, *out), "run.db"),
        Command("tune", (*tuned, *size(0, 1000, 0), *RUN, *out), "run.db"),
        Command(
            "kilothon",
            ("kilothon", *contest, "--both-seats", "--workers", "0", *RUN),
            "run.db",
            KILOTHON_TABLE,
            same=False,
        ),
        Command("ggp-match", ("ggp-match", "tictactoe", "{first}", "{second}", *clocks, *RUN), "run.db", MATCH_TABLE),
        Command(
            "reproduce",
            ("reproduce", "boxes", *smoke, "--workers", "0", *SEED, "--out", "{folder}"),
            "boxes-smoke.db",
            CHUNK_TABLE,
        ),
        Command(
            "page",
            ("reproduce", *smoke, "--out", "{inputs}", "--page", "{folder}/page.md"),
            outputs=("page.md", "pictures/*.png"),
        ),
        Command("report", ("report", "{inputs}/run.db", *out), outputs=("out/*",)),
        Command("salvage", ("report", "{inputs}/run.db", "--salvage", "{folder}/new.db"), "new.db", once=True),
        Command(
            "bench",
            ("bench", "--no-speed", "--record", "{folder}/record.json"),
            outputs=("record.json",),
            program=("-c", ONE_FAMILY),
        ),
        Command("search", ("search", "connect4", "--simulations", "3000000", *SEED)),
        Command("search", ("search", "connect4", "--simulations", "3000000", "--threads", "2", *SEED)),
        Command("solve", ("solve", "connect4", "moves 4 4 4 4 4 4", "--nodes", "8000000"), code=1),
        Command("solve", ("solve", "hex(size=4)", "--moves")),
    ]


@contextmanager
def ready_commands(chosen: Any = None) -> Iterator[list[Command]]:
    """The commands with the runs and players that they need."""
    commands = [one for one in all_commands() if chosen is None or one.name in chosen]
    with TemporaryDirectory() as inputs, legal_players(2) as (first, second):
        for command in commands:
            command.places = {"inputs": inputs, "first": first, "second": second}
        if any("{inputs}" in word for command in commands for word in command.words):
            make_inputs(Path(inputs))
        before = {path.name: path.read_bytes() for path in Path(inputs).iterdir()}
        yield commands
        assert {path.name: path.read_bytes() for path in Path(inputs).iterdir()} == before


def make_inputs(folder: Path) -> None:
    """A finished match, and a finished experiment. They may have to be compiled first."""
    match = ("match", "tictactoe", "uct", "uct(c=1)", *size(60, 20, 0), *SEED, "--run", str(folder / "run.db"))
    experiment = ("reproduce", "boxes", "--scale", "smoke", "--workers", "0", "--out", str(folder))
    for words in (match, experiment):
        processes.finish(processes.start(*RAMIFY, *words, "--json"))
