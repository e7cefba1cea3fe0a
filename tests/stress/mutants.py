"""Broken games and policies, made by mutating good ones: none that violates its contract gives a number.

    python -m tests.stress.mutants --count 200 --seed 1 --keep FOLDER

Each mutant is one change of a good file: an operator, an index, a constant, or a deleted statement. ``ramify search``
searches it as a user would. It is *refused* (exit code 2 and one sentence), or it gives a number. Then two oracles
judge it: the same search in plain Python, where array bounds are checked, must give the same tree; and
``check-game`` or ``check-policy`` with many random games must find no error. A mutant that passes both is *another*
valid game or policy. Everything else is a failure: a crash, a traceback, a bug message, a number that an oracle
contradicts, or a command that does not react to Ctrl-C.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import itertools
import json
import random
import re
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests import processes

SECONDS = 120.0  # after which a command is interrupted
SOON = 15.0  # seconds within which it must then end
SIMULATIONS, PLAIN_SIMULATIONS = 4000, 150
RANDOM_GAMES = 40  # of the check, in plain Python
GAMES = processes.PACKAGE / "games"
EXAMPLES = processes.ROOT / "examples"
SELECTION = processes.PACKAGE / "strategies/selection"


@dataclass(frozen=True)
class Source:
    """A good file; ``{}`` in ``text`` stands for its mutant."""

    path: Path
    text: str
    only: tuple[str, ...] = ()  # functions and classes to mutate; empty: all
    policy: bool = False

    def search(self, file: str) -> list[str]:
        text = self.text.format(file)
        return ["search", "connect4", "--agent", text] if self.policy else ["search", text]

    def check(self, file: str) -> list[str] | None:
        """Return the command that checks it, if there is one."""
        if not self.policy:
            return ["check-game", self.text.format(file), "--games", str(RANDOM_GAMES)]
        selection = re.match(r"mcts\(select=([^,)]+)", self.text.format(file))
        return ["check-policy", selection[1]] if selection else None


def ucb(name: str) -> Source:
    return Source(SELECTION / "ucb.py", f"mcts(select={{}}:{name})", (name,), policy=True)


OWN = EXAMPLES / "own_strategies.py"
SOURCES = (
    Source(EXAMPLES / "nim.py", "{}"),
    Source(EXAMPLES / "nim_class.py", "{}"),
    Source(EXAMPLES / "weighted_rps.py", "{}"),
    Source(GAMES / "nim.py", "{}"),
    Source(GAMES / "chomp.py", "{}"),
    Source(GAMES / "connect4.py", "{}"),
    Source(GAMES / "hex.py", "{}(size=4)"),
    Source(GAMES / "othello.py", "{}"),
    Source(GAMES / "goofspiel.py", "{}(cards=4)"),
    Source(GAMES / "sos.py", "{}"),
    Source(GAMES / "oshi_zumo.py", "{}"),
    Source(GAMES / "nine_mens_morris.py", "{}"),
    Source(GAMES / "tictactoe3d.py", "{}"),
    Source(GAMES / "pig.py", "{}"),
    ucb("ucb1"),
    ucb("ucb_v"),
    ucb("moss"),
    Source(EXAMPLES / "best_seen.py", "mcts(select={0}:best_mix, backup={0}:best_seen)", policy=True),
    Source(OWN, "mcts(reward={}:contempt)", ("despise_draws", "Contempt"), policy=True),
    Source(OWN, "mcts(playout={}:front)", ("play_in_front", "Front"), policy=True),
    Source(OWN, "mcts(recommend={}:cautious)", ("Cautious",), policy=True),
    Source(OWN, "mcts(allocation={}:half_time)", ("HalfTime",), policy=True),
)

BINARY: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Div: (ast.Mult,),
    ast.Mod: (ast.FloorDiv, ast.Add),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
}
COMPARED: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
Change = Callable[[], None]  # changes the tree in place


def changes(tree: ast.AST, chance: random.Random) -> Iterator[tuple[str, Change]]:
    """Yield every place that can be mutated: the kind of change, and the change itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in BINARY:
            yield "operator", partial(setattr, node, "op", chance.choice(BINARY[type(node.op)])())
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
            yield "operator", partial(node.ops.__setitem__, 0, chance.choice(COMPARED[type(node.ops[0])])())
        elif isinstance(node, ast.BoolOp):
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "operator", partial(setattr, node, "op", other)
        elif isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice | ast.Tuple):
            step = ast.Constant(chance.choice((-1, 1, 64)))
            yield "index", partial(setattr, node, "slice", ast.BinOp(node.slice, ast.Add(), step))
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            value = node.value
            yield (
                "constant",
                partial(setattr, node, "value", chance.choice((value + 1, value - 1, -value, value * 100))),
            )
        if isinstance(node, ast.FunctionDef | ast.If | ast.For | ast.While):
            for place, statement in enumerate(node.body):
                if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                    yield "deleted", partial(node.body.__setitem__, place, ast.Pass())


def mutate(source: Source, chance: random.Random) -> tuple[str, str, str]:
    """Return the kind of a random change, the changed text, and the difference."""
    tree = ast.parse(source.path.read_text())
    before = ast.unparse(tree)
    parts = [
        node
        for node in tree.body
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and (not source.only or getattr(node, "name", "") in source.only)
    ]
    found = [one for part in parts for one in changes(part, chance)]
    after = before
    while after == before:  # e.g. a constant 0 times 100
        kind = chance.choice(sorted({kind for kind, _ in found}))
        chance.choice([change for one, change in found if one == kind])()
        after = ast.unparse(ast.fix_missing_locations(tree))
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return kind, after, "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str
    interrupted: bool = False


def run(words: list[str], folder: Path, **variables: str) -> Ended:
    """Run a command; Ctrl-C after SECONDS."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": folder}
    environment = {**processes.environment(**variables), "PYTHONWARNINGS": "default"}
    with processes.running("-m", "ramify", *words, env=environment, **pipes) as process:
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                out, err = process.communicate(timeout=SOON)
            except subprocess.TimeoutExpired:
                return Ended(-signal.SIGKILL, "", "did not react to Ctrl-C", interrupted=True)
            return Ended(process.returncode, out, err, interrupted=True)
    return Ended(process.returncode, out, err)


def judge(source: Source, file: str, folder: Path) -> tuple[str, str]:
    """Return the verdict and its reason."""

    def search(simulations: int, **variables: str) -> Ended:
        words = [*source.search(file), "--simulations", str(simulations), "--seed", "1", "--json"]
        return run(words, folder, **variables)

    long = search(SIMULATIONS)
    failed = failure(long)
    if failed:
        return "FAILED", failed
    if long.interrupted:
        return "interrupted", long.err.strip().splitlines()[-1]
    if long.code == 2:
        return "refused", sentence(long.err)
    check = source.check(file)
    if check:
        checked = run(check, folder)
        failed = failure(checked)
        if failed:
            return "FAILED", f"check: {failed}"
        if checked.code != 0 and not (only_misreads(checked) and refuses_texts(source, file, folder, long)):
            return "FAILED", "searched, but the check finds: " + (checked.out or checked.err).strip()[:400]
    short, plain = search(PLAIN_SIMULATIONS), search(PLAIN_SIMULATIONS, NUMBA_DISABLE_JIT="1")
    if plain.interrupted:
        return "another", "plain Python was too slow to compare"
    if short.code != plain.code:
        return "FAILED", f"compiled exit {short.code}, plain {plain.code}: {sentence(plain.err or short.err)}"
    if tree(short) != tree(plain):
        return "FAILED", f"compiled and plain differ: {tree(short)} {tree(plain)}"[:400]
    return "another", ""


def only_misreads(checked: Ended) -> bool:
    """Whether a check finds only that texts which are no positions are accepted; a search may not read any."""
    errors = [line for line in checked.out.splitlines() if line.startswith("error: ")]
    return bool(errors) and all(re.match(r"error: read(\('.*'\) must raise| accepts)", line) for line in errors)


def refuses_texts(source: Source, file: str, folder: Path, searched: Ended) -> bool:
    """Whether a search from a position given as text is refused."""
    position = json.loads(searched.out)["position"]
    return run([*source.search(file), "--simulations", "10", "--position", position], folder).code == 2


def failure(ended: Ended) -> str:
    """Return why an end is never acceptable; empty if it is."""
    if any(words in ended.err for words in ("Traceback", "Exception ignored", "this is a bug in Ramify")):
        return "traceback: " + ended.err.strip()[-400:]
    if ended.code not in ((130,) if ended.interrupted else (0, 1, 2)):
        return f"exit {ended.code}: {ended.err.strip()[-300:]}"
    if ended.code == 2 and "ramify: " not in ended.err:
        return f"no sentence: {ended.err.strip()[-300:]}"
    return ""


def sentence(text: str) -> str:
    return next((line for line in text.splitlines() if line.startswith("ramify: ")), text.strip())[:300]


def tree(ended: Ended) -> object:
    """Return what the search found, without times."""
    if ended.code != 0:
        return sentence(ended.err)
    found = json.loads(ended.out)
    return found["move"], found["nodes"], [(child["move"], child["visits"]) for child in found["children"]]


@dataclass(frozen=True)
class Mutant:
    """A changed file."""

    number: int
    source: Source
    kind: str
    text: str
    difference: str


def mutant(number: int, seed: int) -> Mutant:
    source = SOURCES[number % len(SOURCES)]
    return Mutant(number, source, *mutate(source, random.Random(f"{seed} {number}")))


def distinct(count: int, seed: int, first: int = 0) -> Iterator[Mutant]:
    """Yield ``count`` mutants, no two of them the same change of the same file."""
    seen = set()
    for number in itertools.count(first):
        made = mutant(number, seed)
        if (made.source, made.text) not in seen:
            seen.add((made.source, made.text))
            yield made
        if len(seen) == count:
            return


def one(made: Mutant, folder: Path) -> tuple[str, str]:
    """Judge a mutant; return the verdict and the whole story."""
    source = made.source
    home = folder / f"{made.number:04}"
    home.mkdir(parents=True, exist_ok=True)
    file = f"./{source.path.stem}.py"
    (home / file).write_text(made.text)
    verdict, why = judge(source, file, home)
    title = source.text.format(source.path.stem)
    return verdict, f"{made.number:4} {verdict:11} {made.kind:8} {title}\n{made.difference}\n     {why}\n"


def campaign(count: int, seed: int, folder: Path, workers: int, first: int = 0) -> Counter[str]:
    """Judge ``count`` mutants; print every one, and the verdicts on games and on policies."""
    verdicts: Counter[str] = Counter()
    made = list(distinct(count, seed, first))
    with ThreadPoolExecutor(workers) as pool:
        for each, (verdict, story) in zip(made, pool.map(lambda each: one(each, folder), made), strict=True):
            verdicts[verdict] += 1
            verdicts[f"{'policies' if each.source.policy else 'games'}: {verdict}"] += 1
            print(story, flush=True)
    return verdicts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="keep the mutants in this folder")
    chosen = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs, and then by commands too
    with tempfile.TemporaryDirectory() as scratch:
        verdicts = campaign(chosen.count, chosen.seed, chosen.keep or Path(scratch), chosen.workers, chosen.first)
    print(f"{chosen.count} distinct mutants: {dict(sorted(verdicts.items()))}")
    raise SystemExit(1 if verdicts["FAILED"] else 0)


if __name__ == "__main__":
    main()
