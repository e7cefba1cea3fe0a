"""Games lost on time, by resignation or by a fault, for tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from ramify.arena.matches.rows import COLUMN_INDEX
from ramify.players.endings import FORFEIT, RESIGNED, TIME
from ramify.runs.jobs import Record

MAX_FAULTS_SHOWN = 8  # distinct faults
MAX_LINE = 80  # characters
ENDING_TEXT = {TIME: "lost on time", RESIGNED: "resigned", FORFEIT: "forfeited"}


def irregular_loss_lines(records: Iterable[Record]) -> list[str]:
    """Lines with the numbers of such games and the engines' faults, most frequent first."""
    ends: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for record in records:
        ends[record[COLUMN_INDEX["ended"]]] += 1
        faults.update(faults_of(record))
    lines = [f"{ended:9} {ends[ended]:,} games were {text}" for ended, text in ENDING_TEXT.items() if ends[ended]]
    shown = [_cut(f"          {count:,} x {fault}") for fault, count in faults.most_common(MAX_FAULTS_SHOWN)]
    if len(faults) > MAX_FAULTS_SHOWN:
        shown.append(
            f"          and {sum(faults.values()) - sum(n for _, n in faults.most_common(MAX_FAULTS_SHOWN)):,} others"
        )
    return lines + shown


def faults_of(record: Record) -> list[str]:
    """Faults of a game, each with the engine's name; at most one."""
    found = json.loads(record[COLUMN_INDEX["faults"]])
    if not any(found):
        return []
    agents = json.loads(record[COLUMN_INDEX["agents"]])
    return [f"{_short(agent)} {fault}" for agent, fault in zip(agents, found, strict=True) if fault]


def _short(agent: str) -> str:
    return agent if len(agent) <= MAX_LINE // 2 else agent[: MAX_LINE // 2 - 4] + " ..."


def _cut(line: str) -> str:
    return line if len(line) <= MAX_LINE else line[: MAX_LINE - 4] + " ..."
