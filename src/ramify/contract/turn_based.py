"""A game whose players move one after another where its rules say at once: the turn-based treatment of joint moves.

A search of it lets one player choose first, and the next ones know what that was. In the game they do not, so the one
who searches, who is first, takes it that whatever it does will be seen and answered. This is how many programs treated
Tron; P. Perick et al. (2012) describe what is wrong with it, and it is here to be compared with.

The position of the game is followed by what was chosen so far and not yet made. Where moves have been chosen, it is
still the position before them; the last one makes them all.
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

# Parts of a game that mean the same to it; others do not know of moves that are chosen and not yet made.
UNCHANGED_PARTS = frozenset(
    (
        *("MARGINS", "MOVE_CLASSES", "chance_outcomes", "evaluate", "margin", "margins", "move_class", "move_classes"),
        *("mover", "over", "quality", "scores"),
    )
)

UNIFORM_SOURCE = "evenly(R, S, rng)"
MOVER_SOURCE = """
def {name}_whose(S):
    player = S.turns_first + S.turns_chosen
    return player - PLAYERS if player >= PLAYERS else player

whose = jit({name}_whose)

def {name}_mover(R, S):
    who = int64(rules_mover(R, S))
    return int64(whose(S)) if who == SIMULTANEOUS else who

mover = jit({name}_mover)

def {name}_legal(R, S, moves):
    if int64(rules_mover(R, S)) == SIMULTANEOUS:
        return int64(legal_of(R, S, whose(S), moves))
    return {legal}

legal = jit({name}_legal)

def {name}_evenly(R, S, rng):
    moves = empty(ROOM, int64)
    return moves[below(rng, legal(R, S, moves))]

evenly = jit({name}_evenly)

def {name}_heuristic(R, S, rng):
    if int64(rules_mover(R, S)) == SIMULTANEOUS:
        return {heuristic_of}
    return {heuristic}

heuristic = jit({name}_heuristic)

def {name}_play(R, S, move):
    if int64(rules_mover(R, S)) != SIMULTANEOUS:
        {play}
        return
    S.turns_codes[whose(S)] = move
    S.turns_chosen += 1
    if S.turns_chosen == PLAYERS:
        play_joint(R, S, S.turns_codes)
        S.turns_chosen = 0
        S.turns_codes[:] = 0

play = jit({name}_play)
"""


class TurnBasedBinding(Binding):
    """Makes the kernels of a game that is played in turns."""

    def __init__(self, module: ModuleType, players: int, max_children: int, room: int) -> None:
        super().__init__(module, players, max_children)
        self.suffix += f"_turns{room}"
        state = turns_type(module.State, players)
        replaced = [name for name in ("mover", "legal", "play", "heuristic") if self.own(name)]
        rules = {f"rules_{name}": self.namespace[name] for name in replaced}
        self.namespace.update(**rules, STATE=state, STATE_BYTES=state.itemsize, ROOM=room, jit=jit, empty=np.empty)

    def own(self, name: str) -> bool:
        """Whether the author wrote this function."""
        return super().has(name)

    def has(self, name: str) -> bool:
        """Whether the game in turns has this part."""
        if name == "heuristic":
            return self.own("heuristic") or self.own("heuristic_of")
        return name in ("legal", "play") or (name in UNCHANGED_PARTS and self.own(name))

    def head(self, unique: str) -> str:
        """The functions of the turns."""
        return MOVER_SOURCE.format(
            name=unique,
            legal="int64(rules_legal(R, S, moves))" if self.own("legal") else "int64(0)",
            heuristic="int64(rules_heuristic(R, S, rng))" if self.own("heuristic") else UNIFORM_SOURCE,
            heuristic_of="int64(heuristic_of(R, S, whose(S), rng))" if self.own("heuristic_of") else UNIFORM_SOURCE,
            play="rules_play(R, S, move)" if self.own("play") else "pass",
        )


@cache
def turns_type(state: np.dtype[Any], players: int) -> np.dtype[Any]:
    """The position of a game, and what was chosen so far."""
    more = [("turns_first", np.int64), ("turns_chosen", np.int64), ("turns_codes", np.int64, (players,))]
    return np.dtype([*state.descr, *more])


@cache
def turns_binding(module: ModuleType, players: int, max_children: int, room: int) -> TurnBasedBinding:
    """The one binding that every such game of a module shares; ``room`` is for the moves of one position."""
    return TurnBasedBinding(module, players, max_children, room)


class TurnBasedGame(CompiledGame):
    """A game where ``player`` chooses first, and then the others in their order."""

    def __init__(self, game: CompiledGame, player: int) -> None:
        game.table()  # refuses a user's game that cannot be trusted
        self.__dict__.update({key: value for key, value in vars(game).items() if key != "_start"})
        self.rules_game = game
        self.player = player
        self.state_type = turns_type(game.state_type, game.players)
        self.state_bytes = self.state_type.itemsize
        room = game.max_children if game.has("heuristic") != game.has("heuristic_of") else 0
        self.binding = turns_binding(game.module, game.players, game.binding.max_children, room)

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
