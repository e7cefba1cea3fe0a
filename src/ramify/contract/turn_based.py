"""The turn-based version of a game with simultaneous moves: players choose one after another.

The searching player chooses first, and the others see its choice. In the real game they do not, so the search assumes
that every move will be seen and answered. Many programs treated Tron like this. Perick et al. 2012 describe what is
wrong with it; it is here for comparison.

A state holds the game's position followed by the moves chosen but not yet played. The position changes only when the
last player has chosen: then the joint move is played.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from ramify.contract.bind_kernels import Binding
from ramify.contract.compiled_game import CompiledGame, Data
from ramify.contract.game import Code, State
from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import address, copy_bytes

# Parts that also hold for the turn-based version; the others ignore moves chosen but not yet played.
UNCHANGED_PARTS = frozenset(
    (
        *("MARGINS", "MOVE_CLASSES", "chance_outcomes", "evaluate", "margin", "margins", "move_class", "move_classes"),
        *("mover", "over", "quality", "scores"),
    )
)

UNIFORM_SOURCE = "uniform(R, S, rng)"
MOVER_SOURCE = """
def {name}_turn_player(S):
    player = S.turns_first + S.turns_chosen
    return player - PLAYERS if player >= PLAYERS else player

turn_player = jit({name}_turn_player)

def {name}_mover(R, S):
    who = int64(rules_mover(R, S))
    return int64(turn_player(S)) if who == SIMULTANEOUS else who

mover = jit({name}_mover)

def {name}_legal(R, S, moves):
    if int64(rules_mover(R, S)) == SIMULTANEOUS:
        return int64(legal_of(R, S, turn_player(S), moves))
    return {legal}

legal = jit({name}_legal)

def {name}_uniform(R, S, rng):
    moves = empty(CAPACITY, int64){declared}
    return moves[below(rng, legal(R, S, moves))]

uniform = jit({name}_uniform)

def {name}_heuristic(R, S, rng):
    if int64(rules_mover(R, S)) == SIMULTANEOUS:
        return {heuristic_of}
    return {heuristic}

heuristic = jit({name}_heuristic)

def {name}_play(R, S, move):
    if int64(rules_mover(R, S)) != SIMULTANEOUS:
        {play}
        return
    S.turns_codes[turn_player(S)] = move
    S.turns_chosen += 1
    if S.turns_chosen == PLAYERS:
        play_joint(R, S, S.turns_codes)
        S.turns_chosen = 0
        S.turns_codes[:] = 0

play = jit({name}_play)
"""


class TurnBasedBinding(Binding):
    """Compiles the kernels of the turn-based version."""

    def __init__(self, module: ModuleType, players: int, max_children: int, capacity: int) -> None:
        super().__init__(module, players, max_children)
        self.suffix += f"_turns{capacity}"
        state = turns_type(module.State, players)
        replaced = [name for name in ("mover", "legal", "play", "heuristic") if self.own(name)]
        rules = {f"rules_{name}": self.namespace[name] for name in replaced}
        self.namespace.update(
            **rules, STATE=state, STATE_BYTES=state.itemsize, CAPACITY=capacity, jit=jit, empty=np.empty
        )
        self.namespace["WHEN_OVER"] = 0  # this version has moves of single players

    def own(self, name: str) -> bool:
        """Return whether the game file defines this part."""
        return super().has(name)

    def has(self, name: str) -> bool:
        """Return whether the turn-based version has this part."""
        if name == "heuristic":
            return self.own("heuristic") or self.own("heuristic_of")
        return name in ("legal", "play") or (name in UNCHANGED_PARTS and self.own(name))

    def keeps_state(self, name: str) -> bool:
        """Return False: functions of this version consist of several of the game's."""
        del name
        return False

    def head(self, unique: str) -> str:
        """Return the source of the functions that replace the game's."""
        return MOVER_SOURCE.format(
            name=unique,
            declared="[:MOST_MOVES]" if self.checked else "",
            legal="int64(rules_legal(R, S, moves))" if self.own("legal") else "int64(0)",
            heuristic="int64(rules_heuristic(R, S, rng))" if self.own("heuristic") else UNIFORM_SOURCE,
            heuristic_of="int64(heuristic_of(R, S, turn_player(S), rng))"
            if self.own("heuristic_of")
            else UNIFORM_SOURCE,
            play="rules_play(R, S, move)" if self.own("play") else "pass",
        )


@cache
def turns_type(state: np.dtype[Any], players: int) -> np.dtype[Any]:
    """Return the dtype of a position and the moves chosen so far."""
    more = [("turns_first", np.int64), ("turns_chosen", np.int64), ("turns_codes", np.int64, (players,))]
    return np.dtype([*state.descr, *more])


@cache
def turns_binding(module: ModuleType, players: int, max_children: int, capacity: int) -> TurnBasedBinding:
    """Return the binding shared by all such games of a module; ``capacity`` is for the moves of one position."""
    return TurnBasedBinding(module, players, max_children, capacity)


class TurnBasedGame(CompiledGame):
    """A game in which ``player`` chooses first, then the others in order."""

    def __init__(self, game: CompiledGame, player: int) -> None:
        game.table()  # prechecks a user's game
        self.__dict__.update({key: value for key, value in vars(game).items() if key != "_start"})
        self.rules_game = game
        self.player = player
        self.state_type = turns_type(game.state_type, game.players)
        self.state_bytes = self.state_type.itemsize
        capacity = game.max_children if game.has("heuristic") != game.has("heuristic_of") else 0
        self.binding = turns_binding(game.module, game.players, game.binding.max_children, capacity)

    def start(self) -> Data:
        return self._with_nothing_chosen(self.rules_game.start())

    def _with_nothing_chosen(self, data: Data) -> Data:
        made: Data = np.zeros(1, self.state_type)
        copy_bytes(address(made), address(data), self.rules_game.state_bytes)
        made["turns_first"] = self.player
        return made

    def adopt(self, state: State) -> State:
        return State(self, self._with_nothing_chosen(state.data), state.history)

    def split_move(self, code: Code) -> list[Code]:
        if not isinstance(code, tuple):
            return [code]
        return [code[(self.player + k) % self.players] for k in range(self.players)]

    def write(self, data: Data) -> str | None:
        return self.rules_game.write(data) if data["turns_chosen"][0] == 0 else None
