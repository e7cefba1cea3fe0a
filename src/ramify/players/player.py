"""Players from text: agents, engines and the game's script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ramify.agents.agent import Agent
from ramify.agents.agent import agent as make_agent
from ramify.agents.search.search import Search
from ramify.contract.game import State
from ramify.errors import RamifyError
from ramify.grammar import Call, parse
from ramify.players.engine import Engine
from ramify.players.gtp.engine import GtpEngine
from ramify.players.line_protocol import LineProtocolEngine
from ramify.players.scripted import Scripted

Player = Agent | Engine | Scripted
PlayerLike = str | Mapping[str, Any] | Call | Agent | Engine | Scripted
NON_AGENT_PLAYERS: dict[str, type[Engine] | type[Scripted]] = {
    kind.name: kind for kind in (LineProtocolEngine, GtpEngine, Scripted)
}


def player(description: PlayerLike) -> Player:
    """Create a player from text or from a mapping with the key ``name`` (a TOML table)."""
    if isinstance(description, Engine | Scripted):
        return description
    call = _other_call(description)
    return make_agent(description) if call is None else NON_AGENT_PLAYERS[call.name].parse(call)


def _other_call(description: Any) -> Call | None:
    """Return the call of an engine or script, or None for an agent."""
    if isinstance(description, Mapping):
        name = description.get("name")
        if name not in NON_AGENT_PLAYERS:
            return None
        return Call(str(name), tuple((str(key), _plain(value)) for key, value in description.items() if key != "name"))
    call = parse(description) if isinstance(description, str) else description
    return call if isinstance(call, Call) and call.name in NON_AGENT_PLAYERS else None


def _plain(value: Any) -> int | float | bool | str:
    if not isinstance(value, int | float | str):
        raise RamifyError(f"{value!r} cannot be a parameter of an engine: use numbers and strings")
    return value


def check(one: Player, state: State) -> None:
    """Raise if the player cannot play from this state. Compiles or loads what an agent needs."""
    if isinstance(one, Engine | Scripted):
        one.check(state.game)
    else:
        Search(state, one, seed=0)
