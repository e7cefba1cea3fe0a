"""Replay of a stored game: its moves, and whether the seed still produces them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.rows import GameRow
from ramify.contract.game import State
from ramify.contract.load import load
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.players.engine import Engine
from ramify.players.player import player
from ramify.runs.versions import versions


@dataclass(frozen=True)
class Ply:
    """One move of a stored game."""

    number: int  # from 1
    mover: int  # a seat, CHANCE or SIMULTANEOUS
    who: str  # the agent (all agents for joint moves), "opening" or "chance"
    move: str
    simulations: int | list[int]
    after: State


def plies(row: GameRow) -> Iterator[Ply]:
    """Yield the moves of a row, played by the game's rules. Raise for an illegal move."""
    game = load(row.game)
    state = game.position(row.start) if row.start else game.initial()
    decided = 0
    for ply, (move, simulations) in enumerate(zip(row.moves, row.searched, strict=True)):
        mover = state.to_move
        opening = decided < row.opening_plies
        decided += mover != CHANCE
        try:
            state = state.play(move)
        except RamifyError as error:
            raise RamifyError(f"illegal move in game {row.number} at ply {ply + 1}: {error}") from None
        agents = " and ".join(row.agents) if mover == SIMULTANEOUS else row.agents[mover]
        who = "chance" if mover == CHANCE else "opening" if opening else agents
        yield Ply(ply + 1, mover, who, move, simulations, state)


def mismatch(row: GameRow) -> str | None:
    """Play the game again from its seed. Return the first difference as text, or None.

    If the budget was time, each search gets its recorded simulations. Engines play their recorded moves.
    """
    once = any(limits.uses_time for limits in row.limits) or any(
        isinstance(player(text), Engine) for text in row.agents
    )
    again = play(row.spec(), row if once else None)
    differs = _difference(row, again)
    if differs and row.versions != versions():
        differs += f"; the game was played by {row.versions}, this is {versions()}"
    return differs


def _difference(row: GameRow, again: GameRow) -> str | None:
    for ply, (old, new) in enumerate(zip(row.moves, again.moves, strict=False)):
        if old != new:
            return f"ply {ply + 1} is {old} in the file but {new} from the seed"
    for name in ("plies", "scores", "searched", "calls", "ended", "score"):
        old, new = getattr(row, name), getattr(again, name)
        if old != new:
            return f"{name} is {old} in the file but {new} from the seed"
    return None
