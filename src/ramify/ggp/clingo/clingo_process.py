"""The grounder process: reads clingo's input, grounds it and writes the ground rules as arrays.

``python -m ramify.ggp.clingo.clingo_process FILE RULES MEGABYTES SECONDS`` reads from standard input. Clingo cannot be
interrupted while it grounds, but a process can be killed; this one first sets its own limits of memory and CPU time.
"""

from __future__ import annotations

import resource
import sys
from array import array
from collections.abc import Sequence
from typing import Any

import clingo
import numpy as np

from ramify.child_process import die_with_parent
from ramify.ggp.clingo.clingo_input import OUTPUT_RELATIONS, PREFIX, RANGE

TOO_MANY = 3  # exit code: more rules than allowed


class TooManyRulesError(Exception):
    """More ground rules than allowed."""


class RuleCollector(clingo.Observer):
    """Collects ground rules; bodies are concatenated."""

    def __init__(self, max_rules: int) -> None:
        self.max_rules = max_rules
        self.heads = array("i")
        self.ends = array("q")
        self.bodies = array("i")

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Record a rule. Choice rules are skipped: their atoms are found by name."""
        if choice:
            return
        if len(self.heads) >= self.max_rules:
            raise TooManyRulesError
        self.heads.append(head[0])
        self.bodies.extend(body)
        self.ends.append(len(self.bodies))


def ground(text: str, max_rules: int) -> dict[str, Any]:
    """Return the ground rules, the atoms of OUTPUT_RELATIONS, and which of them are facts."""
    rules = RuleCollector(max_rules)
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    control.register_observer(rules, replace=True)
    control.add("base", [], text)
    control.ground([("base", [])])
    found: dict[str, Any] = {
        "heads": np.array(rules.heads, np.int32),
        "ends": np.array(rules.ends, np.int64),
        "bodies": np.array(rules.bodies, np.int32),
    }
    free: list[int] = []
    for name, arity, _ in control.symbolic_atoms.signatures:
        if name.startswith(RANGE) or name == "base":
            free.extend(atom.literal for atom in control.symbolic_atoms.by_signature(name, arity))
    found["free"] = np.array(free, np.int32)
    for name, arity in OUTPUT_RELATIONS.items():
        atoms = list(control.symbolic_atoms.by_signature(PREFIX + name, arity))
        found[f"{name}_atoms"] = np.array([atom.literal for atom in atoms], np.int32)
        found[f"{name}_facts"] = np.array([atom.is_fact for atom in atoms], np.bool_)
        found[f"{name}_terms"] = np.array([" ".join(map(str, atom.symbol.arguments)) for atom in atoms], np.str_)
    return found


def set_limits(megabytes: int, seconds: int) -> None:
    """Let the system stop this process when it exceeds its memory or CPU time."""
    limit = megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def main() -> int:
    target, (max_rules, megabytes, seconds) = sys.argv[1], map(int, sys.argv[2:])
    die_with_parent()
    set_limits(megabytes, seconds)
    try:
        found = ground(sys.stdin.read(), max_rules)
    except TooManyRulesError:
        return TOO_MANY
    with open(target, "wb") as file:  # noqa: PTH123  (numpy would add a suffix to a path)
        np.savez(file, **found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
