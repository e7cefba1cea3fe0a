"""The command that plays a run's games again, from its description."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from ramify.agents.budgets.agent_budget import without_budget
from ramify.arena.matches.doubling import SCALE
from ramify.arena.matches.schedule import Pairing
from ramify.grammar import parse


def run_command(description: Mapping[str, Any], pairings: Sequence[Pairing]) -> tuple[str | None, list[str]]:
    """Return the command or None, and notes about what it does not express."""
    kind, budgets = description["kind"], description["budgets"]
    if kind not in ("match", "round-robin", "gauntlet", SCALE):
        return None, [f"No command repeats runs of kind '{kind}'."]
    common = _common(description)
    if kind != SCALE and common is None:
        return None, ["No command can repeat it: the agents had different budgets."]
    words = ["ramify", *_who(description)]
    if kind == SCALE:
        smallest = min(budget["simulations"] for budget in budgets)
        words += ["--simulations", str(smallest), "--doublings", str(len(pairings))]
    else:
        words += _options(common or {})
        if any("on_time" in budget for budget in budgets):
            words += ["--on-time", "random"]
    words += ["--games", str(description["pairs"] * min(len(pairing.seatings) for pairing in pairings))]
    words += ["--opening-plies", str(description["opening_plies"])]
    if description["positions"] is not None:
        words += ["--openings", "FILE"]
    if (test := description["sprt"]) is not None:
        words += ["--sprt", _number(test["elo0"]), _number(test["elo1"])]
        words += ["--alpha", _number(test["alpha"]), "--beta", _number(test["beta"]), "--model", test["model"]]
    return shlex.join([*words, "--seed", str(description["seed"])]), _notes(description)


def _common(description: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the shared budget of agents without their own ({} without such agents), or None if these differ."""
    without = [
        budget
        for agent, budget in zip(description["agents"], description["budgets"], strict=True)
        if without_budget(parse(agent["agent"]))[1] is None
    ]
    return None if any(budget != without[0] for budget in without) else dict(without[0]) if without else {}


def _options(budget: Mapping[str, Any]) -> list[str]:
    """Format a budget as options. The increment is part of the clock."""
    more = f"+{_number(budget['increment'])}" if "increment" in budget else ""
    plain = {name: _number(budget[name]) for name in ("simulations", "seconds", "calls") if name in budget}
    clock = {"clock": _number(budget["clock"]) + more} if "clock" in budget else {}
    return [word for name, value in (plain | clock).items() for word in (f"--{name}", value)]


def _who(description: Mapping[str, Any]) -> list[str]:
    """Subcommand with its games and agents."""
    kind, games = description["kind"], description["games"]
    texts = [agent["agent"] for agent in description["agents"]]
    if kind == "match":
        return ["match", games[0], *texts]
    if kind == SCALE:
        return ["scale", games[0], texts[0]]
    words = [word for game in games for word in ("--game", game)]
    words += [word for text in texts for word in ("--agent", text)]
    return ["tournament", *words, *(["--gauntlet"] if kind == "gauntlet" else [])]


def _notes(description: Mapping[str, Any]) -> list[str]:
    notes: list[str] = []
    named = any(agent["label"].partition(" #")[0] != agent["agent"] for agent in description["agents"])
    if named and description["kind"] != SCALE:
        notes.append("The command plays the same games but labels agents by their texts; labels need a file.")
    if description["positions"] is not None:
        notes.append(f"FILE is the file of opening positions whose digest is {description['positions']}.")
    if any("seconds" in budget or "clock" in budget for budget in description["budgets"]):
        notes.append("The budget is time, so the games will differ.")
    return notes + [f"{name} must have the digest {digest}." for name, digest in description["files"].items()]


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(value)
