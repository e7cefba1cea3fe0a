"""Check that Ludii's games load, list their moves and play through. Lists every failure with its cause.

    RAMIFY_LUDII_JAR=Ludii.jar python benchmarks/ludii_games.py [--games 200] [--seed 1] [--players 2] [--chance]

Draws this many games from those a search can play, and plays each to its end: random moves, one by one from Python,
with a small search now and then. After 150 plies or 20 seconds one of Ludii's playouts ends the game.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter

import ramify
from ramify.bridges.ludii.catalogue import inspect_game
from ramify.bridges.ludii.names import entries
from ramify.contract.python_rules import PythonGenerator
from ramify.errors import RamifyError

MOST_PLIES = 150
MOST_SECONDS = 20.0  # processor time after which a playout ends the game
MOST_OF_PLAYOUT = 500
SEARCHED = (0, 7, 60)  # plies at which the position is searched
AGENT = "mcts(playout=uniform(limit=20))"


def checked(name: str, choose: random.Random) -> tuple[int, list[float]]:
    """Play a game to its end. Return plies and results, which must be in [0, 1]."""
    plies, scores = played(name, choose)
    if not all(0.0 <= score <= 1.0 for score in scores):
        raise AssertionError(f"results {scores} are outside [0, 1]")
    return plies, scores


def played(name: str, choose: random.Random) -> tuple[int, list[float]]:
    """Play a game to its end. Return plies and results."""
    game = ramify.load(f"ludii:{name}")
    state = game.initial()
    end = time.process_time() + MOST_SECONDS
    for ply in range(MOST_PLIES):
        if time.process_time() > end:
            break
        if state.over:
            return ply, state.scores()
        codes = state.codes()
        if len(set(codes)) != len(codes):
            raise AssertionError("two moves share a number")
        if ply in SEARCHED and state.to_move != ramify.CHANCE:
            report = ramify.search(state, AGENT, simulations=4, seed=ply)
            if report.move not in state.moves():
                raise AssertionError("the search returned an illegal move")
        state = state.play(state.move_of(choose.choice(codes)))
    position = game.rules.clone(state.data)  # type: ignore[attr-defined]
    game.rules.playout(position, PythonGenerator(1), MOST_OF_PLAYOUT)  # type: ignore[attr-defined]
    return ply, game.rules.scores(position)  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--chance", action="store_true", help="games with chance instead of those without")
    chosen = parser.parse_args()
    choose = random.Random(chosen.seed)
    names = list(entries().values())
    choose.shuffle(names)
    done, failures, kinds = 0, [], Counter[str]()
    began = time.perf_counter()
    for entry in names:
        if done == chosen.games:
            break
        facts = inspect_game(entry)
        if facts.failure:
            failures.append({"game": entry.name, "cause": facts.failure})
        if not facts.searchable or facts.players != chosen.players or ("chance" in facts.kinds) != chosen.chance:
            continue
        done += 1
        kinds[facts.category] += 1
        try:
            plies, scores = checked(entry.name, choose)
            print(f"{done:4} {time.perf_counter() - began:6.0f} s  {entry.name}: {plies} plies, {scores}", flush=True)
        except (RamifyError, AssertionError) as error:
            failures.append({"game": entry.name, "cause": f"{type(error).__name__}: {error}"})
            print(f"{done:4} {entry.name} FAILED: {error}", flush=True)
    print(json.dumps({"played": done, "categories": kinds, "failures": failures}, indent=2))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
