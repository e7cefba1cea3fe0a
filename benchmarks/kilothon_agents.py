"""Play candidates for Kilothon against its stock opponent, by processor time: how ``ramify_kilothon`` was chosen.

Each agent plays every game in both seats. Games come in random order, so an interrupted run has as many games of every
agent. Clocks count the thread's processor time, so other programs do not matter.

Run: python benchmarks/kilothon_agents.py OUT [--minute 1.5] [--agents tuned ...] [--part 0 --parts 2]
"""

import argparse
import json
import random
from functools import cache
from pathlib import Path
from time import thread_time

from ramify.arena.kilothon.categories import categories
from ramify.arena.kilothon.contest_game import play
from ramify.arena.kilothon.rows import KilothonSpec
from ramify.contract.load import load
from ramify.runs.seeds import derive
from ramify.statistics.bootstrap import bootstrap_mean

SHARED = "reuse=true, timing=bonus"
AGENTS = {
    "ucb1": f"mcts(select=ucb1(c=0.4), {SHARED})",
    "ucb1, prove": f"mcts(select=ucb1(c=0.4), prove=true, {SHARED})",
    "tuned": f"mcts(select=ucb1_tuned, {SHARED})",
    "tuned, prove": f"mcts(select=ucb1_tuned, prove=true, {SHARED})",
    "sqrt_sh": f"mcts(select=ucb1(c=0.4), allocation=uct_sqrt_sh, {SHARED})",
    "tuned, sqrt_sh, prove": f"mcts(select=ucb1_tuned, allocation=uct_sqrt_sh, prove=true, {SHARED})",
    "mast, prove": f"mcts(select=ucb1_tuned, playout=mast, prove=true, {SHARED})",
}
SEED = 5


@cache
def seats(game):
    """Return the agent's seats: both, or the only one."""
    return min(2, load(game).players)


def report(rows, agents):
    """The mean payoff of each agent over the games that all of them have played."""
    payoffs = {agent: {} for agent in agents}
    for row in rows:
        if row["agent"] in payoffs and row["ended"] != "failed":
            payoffs[row["agent"]].setdefault(row["game"], []).append(row["payoff"])
    whole = [{game for game, found in one.items() if len(found) == seats(game)} for one in payoffs.values()]
    games = set.intersection(*whole)
    print(f"\n{len(games)} games in both seats")
    for agent, one in payoffs.items():
        values = [sum(one[game]) / len(one[game]) for game in sorted(games)]
        if len(values) > 1:
            found = bootstrap_mean(values, 0.95, grain=2 / len(values))
            print(f"{agent:24} {sum(values) / len(values):+.3f} [{found.low:+.3f}, {found.high:+.3f}]", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="lines of JSON; games that it has are skipped")
    parser.add_argument("--minute", type=float, default=1.5)
    parser.add_argument("--agents", nargs="+", default=list(AGENTS), choices=list(AGENTS))
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--parts", type=int, default=1)
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(row["game"], row["agent"], row["seat"]) for row in rows}
    games = sorted(categories())
    random.Random(SEED).shuffle(games)
    for game in games[given.part :: given.parts]:
        for agent in given.agents:
            for seat in range(seats(game)):
                if (game, agent, seat) in done:
                    continue
                spec = KilothonSpec(
                    1, game, "", AGENTS[agent], "kilothon_uct", seat, given.minute, derive(SEED, game, seat)
                )
                found = play(spec, now=thread_time)
                row = {"game": game, "agent": agent, "seat": seat, "payoff": found.payoff, "ended": found.ended}
                row |= {"seconds": found.seconds, "simulations": found.simulations, "overruns": found.overruns}
                row |= {"faults": [fault for fault in found.faults if fault]}
                rows.append(row)
                with given.out.open("a") as lines:
                    print(json.dumps(row), file=lines)
        report(rows, given.agents)


if __name__ == "__main__":
    main()
