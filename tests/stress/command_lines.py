"""Command lines made by mutating valid ones: no crash, no traceback, no hang, no damage to the user's files.

    python -m tests.stress.command_lines --count 1000 --seed 1
    python -m tests.stress.command_lines --seed 1 --only 17

``mutated_lines`` makes them from the examples of ``--help`` and others, with small budgets. Each runs in a copy of a
folder of good and bad files: most in a fork of this process, which has imported Ramify but run nothing compiled, every
tenth as ``python -m ramify``. A command that has not ended after ``--seconds`` gets Ctrl-C, as budgets may be large;
one that goes on is a hang. ``tests/cli/test_command_lines.py`` runs a few.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NoReturn

import ramify
from ramify.cli.main import run
from ramify.contract import registry
from ramify.ggp import rulesheets
from tests.processes import ROOT, environment
from tests.stress.mutated_lines import Maker

SECONDS = 30.0  # then Ctrl-C
GRACE_SECONDS = 30.0  # after Ctrl-C, e.g. for the compiler; then it counts as a hang
SERVER_SECONDS = 3.0  # before Ctrl-C, for commands that never end
MEMORY = 2 << 30
FILE_SIZE = 100 << 20
AT_ONCE = 2
SUBPROCESS_SHARE = 0.1
SERVERS = ("ggp-player",)
OVERWRITING = ("--page", "--record")  # options that name a file to write, old or new

BAD = re.compile(
    r"Traceback \(most|a bug in Ramify|Exception ignored|Error in sys\.|Fatal Python error|\w+Warning: |\bErrno\b"
    r"|NoneType|PosixPath|<[\w. ]+ object at 0x|\b(?:Type|Value|Attribute|Key|Index|Assertion|Recursion|OS)Error\b"
)
AUTHOR = re.compile(r"raised \w+Error|cannot be imported: \w+Error|\bline \d+\b")  # errors in users' files have a name
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


CUP = """
games = ["tictactoe"]
games_each = 2
simulations = 20
seed = 1
[agents]
a = "uct"
b = { name = "uct", c = 1 }
"""
POLICY = "def mine(m, n, lnN, c=0.7):\n    return m + c * (lnN / n) ** 0.5\n"


def prepare(folder: Path) -> None:
    """Fill the folder with good and bad files, and write positions of all games to ``positions.json`` beside it."""
    examples = ROOT / "examples"
    (folder / "folder" / "inner").mkdir(parents=True)
    (folder / "folder.py").mkdir()
    (folder / "folder" / "keep.txt").write_text("keep\n")
    for name in ("nim.py", "nim_class.py"):
        shutil.copy(examples / name, folder / name)
    texts = {"policy.py": POLICY, "cup.toml": CUP, "game.kif": rulesheets.rulesheet("nim"), "note.txt": "my note\n"}
    texts |= {
        "openings.txt": "x../.../...\n.../.o./...\n",
        "good.db.lock.txt": "mine\n",
        "empty.py": "",
        "empty.db": "",
    }
    texts |= {"empty.toml": "", "deep.toml": "games = " + "[" * 5000, "huge.txt": "x" * 10_000_000}
    texts |= {"huge.py": "x = 1\n" * 100_000, "good.db.new": "my file\n"}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("binary.py", "binary.toml", "binary.db"):
        (folder / name).write_bytes(bytes(range(256)) * 4)
    for name, target in (("loop", "loop"), ("loop.py", "loop.py"), ("dangling", "nowhere")):
        (folder / name).symlink_to(target)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(folder / "socket"))
    ramify.match("tictactoe", "uct", "uct(c=1)", games=2, simulations=20, seed=1, workers=0, run=folder / "good.db")
    good = (folder / "good.db").read_bytes()
    (folder / "half.db").write_bytes(good[: len(good) // 2])
    (folder / "flipped.db").write_bytes(good[:5000] + bytes([good[5000] ^ 4]) + good[5001:])
    positions: dict[str, list[str]] = {}
    for game in [*registry.names(), *(f"gdl:{name}" for name in rulesheets.names()[:6])]:
        rng = random.Random(game)
        state = ramify.load(game).initial()
        positions[game] = [state.text()]
        for _ in range(6):
            if state.over:
                break
            moves = state.moves() if state.to_move >= -1 else []
            if not moves:
                break
            state = state.play(rng.choice(moves))
            positions[game].append(state.text())
    folder.with_name("positions.json").write_text(json.dumps(positions))


@dataclass
class Running:
    """A command that runs."""

    number: int
    words: list[str]
    folder: Path
    pid: int
    began: float
    interrupted: float = 0.0
    hangs: bool = False


@dataclass
class Ended:
    """What a command did, and what is wrong with that."""

    number: int
    words: list[str]
    code: int
    seconds: float
    interrupted: bool
    out: str
    errors: str
    faults: list[str] = field(default_factory=list)


def start(number: int, words: list[str], template: Path, scratch: Path, *, apart: bool) -> Running:
    folder = scratch / f"line{number}"
    shutil.copytree(template, folder, symlinks=True, ignore=shutil.ignore_patterns("socket"))
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(folder / "socket"))
    stdin = folder.with_suffix(".in")
    stdin.write_text(typed(number), encoding="utf-8")
    settings = {"HOME": str(folder), "OPENBLAS_NUM_THREADS": "1", "PYTHONWARNINGS": "default", "TERM": "dumb"}
    apart = apart or "--clear" in words
    if apart:  # compiled code is found as usual, unless it is to be deleted
        settings["XDG_CACHE_HOME"] = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    if "--clear" in words:
        settings["NUMBA_CACHE_DIR"] = str(folder / "cache")
    pid = os.fork()
    if not pid:
        child(words, folder, settings, apart=apart)
    return Running(number, words, folder, pid, time.monotonic())


def typed(number: int) -> str:
    """What the user types: nothing, moves, or commands of GTP."""
    return ("", "a1\nb2\n", "boardsize 9\ngenmove b\nplay w Z99\nquit\n", "\x00\xff\n" * 3, "quit\n")[number % 5]


def child(words: list[str], folder: Path, settings: dict[str, str], *, apart: bool) -> NoReturn:
    """Run the command in this forked process, with limits."""
    try:
        os.setsid()
        os.chdir(folder)
        for number, suffix, flags in (
            (0, ".in", os.O_RDONLY),
            (1, ".out", os.O_RDWR | os.O_CREAT),
            (2, ".err", os.O_RDWR | os.O_CREAT),
        ):
            os.dup2(os.open(folder.with_suffix(suffix), flags, 0o644), number)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs
        if apart:
            os.execve(sys.executable, [sys.executable, "-m", "ramify", *words], environment(**settings))
        os.environ.update(settings)
        sys.argv = ["ramify", *words]
        sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        code = 0
        try:
            run()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    except BaseException:  # noqa: BLE001  (Python would print it)
        traceback.print_exc(file=sys.stderr)
        sys.stderr.flush()
        os._exit(1)


def ended(one: Running, status: int, before: Mapping[str, str]) -> Ended:
    out, errors = (one.folder.with_suffix(suffix).read_bytes().decode(errors="replace") for suffix in (".out", ".err"))
    code = os.waitstatus_to_exitcode(status)
    made = Ended(one.number, one.words, code, time.monotonic() - one.began, bool(one.interrupted), out, errors)
    made.faults = list(faults(made, one)) + list(changes(one, before))
    for suffix in (".in", ".out", ".err"):
        one.folder.with_suffix(suffix).unlink(missing_ok=True)
    shutil.rmtree(one.folder, ignore_errors=True)
    return made


def faults(made: Ended, one: Running) -> Iterator[str]:
    if one.hangs:
        yield "hang"
    elif made.code < 0:
        yield f"signal {signal.Signals(-made.code).name}"
    elif made.code not in (0, 1, 2, 130):
        yield f"exit code {made.code}"
    for name, text in (("stdout", made.out), ("stderr", made.errors)):
        if (found := BAD.search(text)) and not (AUTHOR.search(text) and "Traceback" not in text):
            yield f"{name}: {found[0]}"
        if found := CONTROL.search(text):
            yield f"{name}: control character {found[0]!r}"
    lines = [line for line in made.errors.splitlines() if not line.startswith(("compiling", "note: "))]
    if made.code == 2:
        if not any(line.startswith(("ramify: ", "Error: ", "Usage: ")) and line[8:].strip(" .:") for line in lines):
            yield "exit code 2 without a message"
        said = [place for place, line in enumerate(lines) if line.startswith("ramify: ")]
        if said and said[-1] != len(lines) - 1:
            yield "a message of several lines"
    if made.code == 1 and not made.out.strip() and not made.errors.strip():
        yield "exit code 1 without a message"


def digests(folder: Path) -> dict[str, str]:
    """Return a digest of each file, the target of each link."""
    return {
        str(path.relative_to(folder)): str(path.readlink())
        if path.is_symlink()
        else sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else "other"
        for path in sorted(folder.rglob("*"))
    }


def changes(one: Running, before: Mapping[str, str]) -> Iterator[str]:
    """Yield the user's files that are not as before, except runs that were to be continued."""
    after = digests(one.folder)
    named = {os.path.normpath(word.partition("=")[2] or word) for word in one.words}
    runs = {name for name in named if name in ("good.db", "flipped.db", "empty.db")}
    if any(word.startswith(OVERWRITING) for word in one.words):
        runs |= named
    for name, digest in before.items():
        if after.get(name) != digest and name not in runs:
            yield f"{'changed' if name in after else 'deleted'} {name}"


def campaign(numbers: Sequence[int], seed: int, at_once: int, seconds: float) -> Iterator[Ended]:
    """Run the command lines with these numbers and yield what they did."""
    with tempfile.TemporaryDirectory(prefix="command-lines-") as place:
        template, scratch = Path(place) / "template", Path(place)
        template.mkdir()
        maker = Maker(seed, prepared(template))
        before = digests(template)
        waiting, running = list(numbers)[::-1], list[Running]()
        while waiting or running:
            while waiting and len(running) < at_once:
                number = waiting.pop()
                apart = random.Random(f"{seed} apart {number}").random() < SUBPROCESS_SHARE
                running.append(start(number, maker.line(number), template, scratch, apart=apart))
            for one in list(running):
                pid, status = os.waitpid(one.pid, os.WNOHANG)
                if pid:
                    running.remove(one)
                    stop(one, signal.SIGKILL)  # what it has started
                    yield ended(one, status, before)
                else:
                    watch(one, seconds)
            time.sleep(0.01)


def prepared(template: Path) -> dict[str, list[str]]:
    """Prepare the folder in a fork, so that this process runs nothing compiled. Return the positions."""
    pid = os.fork()
    if not pid:
        try:
            prepare(template)
            os._exit(0)
        except BaseException:  # noqa: BLE001
            traceback.print_exc()
            os._exit(1)
    if os.waitpid(pid, 0)[1]:
        raise RuntimeError("cannot prepare the folder")
    found: dict[str, list[str]] = json.loads(template.with_name("positions.json").read_text())
    return found


def watch(one: Running, seconds: float) -> None:
    now = time.monotonic()
    limit = SERVER_SECONDS if one.words[0] in SERVERS else seconds
    if not one.interrupted and now - one.began > limit:
        one.interrupted = now
        stop(one, signal.SIGINT)
    elif one.interrupted and now - one.interrupted > GRACE_SECONDS and not one.hangs:
        one.hangs = True
        stop(one, signal.SIGKILL)


def stop(one: Running, number: int) -> None:
    """Send a signal to the command and to all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(one.pid, number)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="run one line and print what it says")
    parser.add_argument("--at-once", type=int, default=AT_ONCE)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="time before Ctrl-C")
    chosen = parser.parse_args(arguments)
    for name in ramify.__all__:  # imported once, for all
        getattr(ramify, name)
    numbers = range(chosen.first, chosen.first + chosen.count) if chosen.only is None else [chosen.only]
    codes: Counter[str] = Counter()
    wrong = 0
    for made in campaign(numbers, chosen.seed, chosen.at_once, chosen.seconds):
        codes["interrupted" if made.interrupted else str(made.code)] += 1
        shown = " ".join(shlex.quote(word) if len(word) < 200 else repr(word[:30]) + "..." for word in made.words)
        if chosen.only is not None:
            print(f"{shown}\n{made.out}\n{made.errors}\nexit code {made.code} after {made.seconds:.1f} s")
        if made.interrupted and not made.faults and made.words[0] not in SERVERS:
            print(f"interrupted {made.number}: {shown!a}", flush=True)
        if made.faults:
            wrong += 1
            last = made.errors.strip().splitlines()[-1:] or [""]
            print(
                f"WRONG {made.number}: {'; '.join(made.faults)}\n    {shown!a}\n    {last[0][-300:]!a}",
                flush=True,
            )
    print(f"{sum(codes.values())} command lines, {wrong} wrong; exit codes: {dict(sorted(codes.items()))}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
