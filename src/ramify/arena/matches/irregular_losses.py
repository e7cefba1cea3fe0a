"""Games that were lost otherwise than by their rules, for tables: on time, by resigning, by a fault."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from ramify.arena.matches.rows import PLACE
from ramify.players.endings import FORFEIT, RESIGNED, TIME
from ramify.runs.jobs import Record

SHOWN = 8  # different faults
LONGEST = 80  # letters of a line
SAID = {TIME: "lost on time", RESIGNED: "resigned", FORFEIT: "forfeited"}


def loss_lines(records: Iterable[Record]) -> list[str]:
    """How many games were lost so, and the faults of other programs, the most frequent first."""
    ends: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for record in records:
        ends[record[PLACE["ended"]]] += 1
        faults.update(faults_of(record))
    lines = [f"{ended:9} {ends[ended]:,} games were {said}" for ended, said in SAID.items() if ends[ended]]
    shown = [_cut(f"          {count:,} x {fault}") for fault, count in faults.most_common(SHOWN)]
    if len(faults) > SHOWN:
        shown.append(f"          and {sum(faults.values()) - sum(n for _, n in faults.most_common(SHOWN)):,} others")
    return lines + shown


def faults_of(record: Record) -> list[str]:
    """Why another program lost a game: at most one, with the name of the program."""
    found = json.loads(record[PLACE["faults"]])
    if not any(found):
        return []
    agents = json.loads(record[PLACE["agents"]])
    return [f"{_short(agent)} {fault}" for agent, fault in zip(agents, found, strict=True) if fault]


def _short(agent: str) -> str:
    return agent if len(agent) <= LONGEST // 2 else agent[: LONGEST // 2 - 4] + " ..."


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST else line[: LONGEST - 4] + " ..."
