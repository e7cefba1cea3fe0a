"""Read, check, ground, time and play every rulesheet of a folder in lockstep in three ways; one line of JSON each.

``python -m benchmarks.rulesheets FOLDER OUT`` from the checkout; ``--markdown FILE`` writes a table as well. Rows
that OUT already has are skipped. Each rulesheet runs in its own process with limits of time and memory, one after
another, so a rulesheet that breaks something costs one line of the table and no more.
"""

import argparse
import json
import multiprocessing
import resource
import sys
import traceback
from pathlib import Path
from time import monotonic, process_time

from tests.oracle.gdl_lockstep import lanes_in_lockstep, lockstep

from ramify.cli.warm import SMALL_RULESHEET
from ramify.errors import RamifyError
from ramify.ggp.checks import check, raise_on_errors
from ramify.ggp.grounding import GroundingLimits, NoPropnetError
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.propnet_cache import build
from ramify.ggp.propnet_game import PropnetGame
from ramify.ggp.propnet_stats import random_games, random_games_by_events
from ramify.ggp.rules import Rulesheet

MOST_PLIES = 300
STRETCH = 20
LANES = 70  # two words
MEMORY = 8 << 30
PATIENCE = 240  # processor seconds per rulesheet besides grounding


def processor_seconds() -> float:
    """Peak memory of this process and of those it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def steady(play, wiring) -> dict:
    """Play random games for about a fifth of a second to measure their speed."""
    games = 16
    while True:
        found = play(wiring, games, seed=1)
        if games > 0.1 * found["playouts_a_second"]:
            return found
        games *= 4


def speeds(game: PropnetGame) -> dict:
    """Playouts per second by events and in lanes."""
    found = {}
    ways = {"events": random_games_by_events, "lanes": random_games}
    for way, play in ways.items():
        if way == "lanes" and not game.has_batch:
            continue
        try:
            played = steady(play, game.wiring)
        except RamifyError as error:  # games that do not end at random
            found[f"{way}_why"] = str(error)
            continue
        found |= {way: played["playouts_a_second"], "plies": played["plies"], "goals": played["goals"]}
    return found


def compare(game: PropnetGame, interpreter: Interpreter, seconds: float) -> dict:
    """Play at random by events, by the interpreter and in lanes. Raise AssertionError on any difference."""
    plies, began = 0, process_time()
    while plies < MOST_PLIES and process_time() - began < seconds:
        lockstep(game, interpreter, STRETCH, seed=plies)
        plies += STRETCH
    found = {"lockstep": plies}
    if game.has_batch:
        found["in_lanes"] = lanes_in_lockstep(game, LANES, STRETCH, seed=1)
    return found


def row(file: Path, tell, seconds: float, comparing: float) -> None:
    """Yield the figures of a rulesheet one by one."""
    rules = Rulesheet.from_file(file)
    raise_on_errors(rules)
    tell({"warnings": len(check(rules))})
    interpreter = Interpreter(rules)
    start = interpreter.initial()
    moves = sum(len(interpreter.legal(start, role)) for role in rules.roles)
    tell({"start_by_interpreter": processor_seconds(), "first_moves": moves})
    began = processor_seconds()
    try:
        made = build(rules, GroundingLimits(processor_seconds=seconds))
    except NoPropnetError as error:
        tell({"interpreted": str(error), "tried_seconds": processor_seconds() - began})
        began, plies, state = process_time(), 0, start
        while process_time() - began < 2 and not interpreter.terminal(state):
            state = interpreter.next(state, {role: interpreter.legal(state, role)[0] for role in rules.roles})
            plies += 1
        tell({"plies_a_second": plies / max(process_time() - began, 1e-9)})
        return
    game = PropnetGame(f"gdl:{file}", made.propnet)
    game.legal_of(game.start(), 0)
    tell(
        {
            "start": processor_seconds(),  # from the text to the first legal moves
            "ground_seconds": made.ground_seconds,
            "network_seconds": made.propnet_seconds,
            "rules": made.rules,
            "gates": len(made.propnet.gates),
            "depth": made.propnet.depth(),
            "whole_gates": game.wiring.count,
            "levels": game.wiring.levels,
            "circle": made.propnet.circle,
        }
    )
    tell(compare(game, interpreter, comparing))
    tell(speeds(game))


def alone(file: Path, pipe, seconds: float, comparing: float) -> None:
    """Run in a separate process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    limit = int(process_time() + seconds + PATIENCE)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    began = processor_seconds()

    def tell(found: dict) -> None:
        for name in ("start", "start_by_interpreter"):
            if name in found:
                found[name] -= began
        pipe.send(found)

    try:
        row(file, tell, seconds, comparing)
    except RamifyError as error:
        pipe.send({"refused": str(error)})
    except AssertionError:
        pipe.send({"differs": traceback.format_exc()[-800:]})
    except Exception:  # noqa: BLE001  (errors are what the table is for)
        pipe.send({"failed": traceback.format_exc()[-800:]})
    pipe.send(None)


def warm() -> None:
    """Compile or load the code that all rulesheets share."""
    rules = Rulesheet.from_text(SMALL_RULESHEET, "a small game")
    game = PropnetGame("gdl:small", build(rules).propnet)
    compare(game, Interpreter(rules), 0.0)
    speeds(game)


def table_row(file: Path, seconds: float, comparing: float) -> dict:
    """Measure a rulesheet in a separate process. Return its row."""
    processes = multiprocessing.get_context("fork")  # the child finds everything compiled
    here, there = processes.Pipe(duplex=False)
    process = processes.Process(target=alone, args=(file, there, seconds, comparing))
    process.start()
    there.close()
    found: dict = {"name": file.stem}
    try:
        while (more := here.recv()) is not None:
            found |= more
    except EOFError:
        process.join()
        found["failed"] = f"exit code {process.exitcode}"
    process.join()
    return found


def verdict(one: dict) -> str:
    """Return a rulesheet's outcome in one word."""
    for kind in ("failed", "differs", "refused", "interpreted"):
        if kind in one:
            return kind
    return "network"


def markdown(rows: list[dict]) -> str:
    """Write the rows as a Markdown table."""

    def number(one: dict, name: str, form: str = ",.0f") -> str:
        return format(one[name], form) if name in one else ""

    lines = [
        "| rulesheet | as | ground s | build s | rules | gates | events/s | lanes/s | plies | lockstep | start s |"
    ]
    lines.append("|---|---|---|---|---|---|---|---|---|---|---|")
    for one in rows:
        cells = [one["name"], verdict(one)]
        cells += [number(one, name, ".2f") for name in ("ground_seconds", "network_seconds")]
        cells += [number(one, name) for name in ("rules", "gates", "events", "lanes")]
        cells.append(number(one, "plies", ".1f"))
        cells.append(str(one.get("lockstep", 0) + one.get("in_lanes", 0)) if "lockstep" in one else "")
        cells.append(number(one, "start" if "start" in one else "start_by_interpreter", ".2f"))
        lines.append(f"| {' | '.join(cells)} |")
    reasons = [f"- {one['name']}: {one[verdict(one)]}" for one in rows if verdict(one) != "network"]
    return "\n".join([*lines, "", "Without a propnet:", "", *reasons, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path, help="lines of JSON; rows are appended")
    parser.add_argument(
        "--seconds", type=float, default=GroundingLimits.processor_seconds, help="time limit for grounding"
    )
    parser.add_argument("--comparing", type=float, default=5.0, help="seconds of lockstep with the interpreter")
    parser.add_argument("--markdown", type=Path, help="also write a table to this file")
    parser.add_argument("--only", help="rulesheets with this in their names")
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    known = {one["name"] for one in rows}
    files = [file for file in given.folder.glob("*.kif") if (given.only or "") in file.stem]
    files.sort(key=lambda file: (file.stat().st_size, file.name))  # the smallest first
    left = [file for file in files if file.stem not in known]
    if left:
        warm()
    for count, file in enumerate(left):
        began = monotonic()
        sys.stderr.write(f"{len(files) - len(left) + count + 1} of {len(files)}: {file.stem} ... ")
        sys.stderr.flush()
        rows.append(table_row(file, given.seconds, given.comparing))
        sys.stderr.write(f"{verdict(rows[-1])}, {monotonic() - began:.1f} s\n")
        with given.out.open("a") as lines:
            lines.write(json.dumps(rows[-1]) + "\n")
    if given.markdown:
        given.markdown.write_text(markdown(sorted(rows, key=lambda one: one["name"])))


if __name__ == "__main__":
    main()
