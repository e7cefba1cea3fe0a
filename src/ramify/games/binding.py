"""From an author's plain functions to kernels: integers in, an integer out, compiled and kept on disk.

Each kernel is a few lines of source made for the game, compiled as if it stood in the game's own file: Numba then
keeps the machine code under that file's stamp, and a change to the file compiles it anew. The name of a kernel
carries a digest of the user's other files that the game imports, which the stamp does not cover.
"""

import hashlib
from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np

from ramify.core.compiling import Kernel, jit, kernel
from ramify.core.pointers import array, record
from ramify.core.rng import below, weighted
from ramify.core.tree import CHANCE, EVERYBODY
from ramify.userfiles import imported_files_digest

# Functions for people: never compiled.
PEOPLE = frozenset({"configure", "draw", "move_name", "read", "write", "max_moves", "max_chances"})

# Buffers are as long as the engine made them; the kernels, compiled once for all parameters, need not know.
MANY = 1 << 20

# The body of every kernel. R and S are the rules and state records; `moves` and the like are arrays.
BODIES = {
    "start": ("", "start(R, S)", "0"),
    "legal": (", moves", "", "0 if over(R, S) else int64(legal(R, S, array(moves, MANY, int64)))"),
    "play": (", move", "play(R, S, move)", "0"),
    "mover": ("", "", "int64(mover(R, S))"),
    "over": ("", "", "int64(over(R, S))"),
    "scores": (", out", "scores(R, S, array(out, PLAYERS, float64))", "0"),
    "chances": (
        ", moves, probabilities",
        "",
        "0 if over(R, S) else int64(chances(R, S, array(moves, MANY, int64), array(probabilities, MANY, float64)))",
    ),
    "legal_of": (
        ", player, moves",
        "",
        "0 if over(R, S) else int64(legal_of(R, S, player, array(moves, MANY, int64)))",
    ),
    "play_all": (", moves", "play_all(R, S, array(moves, PLAYERS, int64))", "0"),
    "priors": (", moves, count, out", "priors(R, S, array(moves, MANY, int64), count, array(out, MANY, float64))", "0"),
    "sample": (", rng", "", "int64(sample(R, S, array(rng, 1, uint64)))"),
}

PLAYOUT = """
def {name}(rules, state, moves_, rng_, limit):
    R = record(rules, RULES)
    S = record(state, STATE)
    moves = array(moves_, MANY, int64)
    rng = array(rng_, 1, uint64)
    {prepare}
    plies = 0
    while not over(R, S):
        if plies == limit:
            return -1 - plies
        {turn}
        plies += 1
    return plies
"""

# A game's own `playout` must end in results distributed as those of uniform play; the contract test compares them.
OWN_PLAYOUT = """
def {name}(rules, state, moves_, rng_, limit):
    R = record(rules, RULES)
    S = record(state, STATE)
    return 0 if over(R, S) else int64(playout(R, S, array(rng_, 1, uint64)))
"""

TURN = "play(R, S, {draw})"
CHANCE_TURN = """if mover(R, S) == CHANCE:
            play(R, S, moves[weighted(rng, probabilities, chances(R, S, moves, probabilities))])
        else:
            play(R, S, {draw})"""
JOINT_TURN = """if mover(R, S) == EVERYBODY:
            for player in range(PLAYERS):
                joint[player] = moves[below(rng, legal_of(R, S, player, moves))]
            play_all(R, S, joint)
        else:
            {other}"""


class Binding:
    """Makes the kernels of one game module, each when it is first asked for."""

    def __init__(self, module: ModuleType, players: int, max_children: int) -> None:
        self.module = module
        self.file = str(module.__file__)
        self.kernels: dict[str, Kernel] = {}
        make_compilable(module)
        self.namespace = dict(vars(module))
        self.namespace.update(
            array=array,
            record=record,
            below=below,
            weighted=weighted,
            int64=np.int64,
            float64=np.float64,
            uint64=np.uint64,
            CHANCE=CHANCE,
            EVERYBODY=EVERYBODY,
            RULES=getattr(module, "Rules", NO_RULES),
            STATE=module.State,
            PLAYERS=players,
            MANY=MANY,
            MAX_CHILDREN=max_children,
        )
        # Constants are frozen into the machine code, so they are part of the kernel's name.
        digest = imported_files_digest(module) + f" {players} {max_children if self.has('chances') else ''}"
        self.suffix = hashlib.sha256(digest.encode()).hexdigest()[:12]

    def has(self, name: str) -> bool:
        """Whether the author wrote this function."""
        return hasattr(self.module, name)

    def kernel(self, name: str) -> Kernel:
        """The kernel of that name: one of BODIES, ``uniform_playout`` or ``plain_playout``."""
        if name not in self.kernels:
            unique = f"{Path(self.file).stem}_{name}_{self.suffix}"
            exec(compile(self.source(name, unique), self.file, "exec"), self.namespace)  # noqa: S102
            self.kernels[name] = kernel(self.namespace[unique])
        return self.kernels[name]

    def source(self, name: str, unique: str) -> str:
        """The source of a kernel."""
        if name == "uniform_playout" and self.has("playout"):
            return OWN_PLAYOUT.format(name=unique)
        if name in ("uniform_playout", "plain_playout"):
            return self.playout_source(unique)
        arguments, statement, answer = BODIES[name]
        views = "R = record(rules, RULES)\n    S = record(state, STATE)"
        return f"def {unique}(rules, state{arguments}):\n    {views}\n    {statement}\n    return {answer}\n"

    def playout_source(self, unique: str) -> str:
        """Uniform play to the end, with the turns this game has: of one player, of chance, of everybody."""
        prepare = []
        draw = "sample(R, S, rng)" if self.has("sample") else "moves[below(rng, legal(R, S, moves))]"
        turn = TURN.format(draw=draw)
        if self.has("chances"):
            prepare.append("probabilities = empty(MAX_CHILDREN, float64)")
            turn = CHANCE_TURN.format(draw=draw)
        if self.has("play_all"):
            prepare.append("joint = empty(PLAYERS, int64)")
            turn = JOINT_TURN.format(other=turn.replace("\n", "\n    "))
        self.namespace["empty"] = np.empty
        return PLAYOUT.format(name=unique, prepare="\n    ".join(prepare), turn=turn)


NO_RULES = np.dtype([("nothing", np.int64)])


def make_compilable(module: ModuleType) -> None:
    """Let compiled code call the module's plain functions; for Python they stay as they are."""
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and name not in PEOPLE:
            jit(value)
