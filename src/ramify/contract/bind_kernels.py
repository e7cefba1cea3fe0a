"""Turns an author's plain functions into kernels, which take and return integers and are cached on disk.

Each kernel is a few lines of source generated for the game (``core.kernels.generated``). Its name contains a digest of
the game's file and of the users' files that it imports, so it is recompiled when any of them changes. Kernels of users'
games check what their functions do (``contract.checked_kernels``).
"""

import hashlib
from functools import cache
from pathlib import Path
from textwrap import indent
from types import ModuleType

import numpy as np

from ramify.contract import checked_kernels
from ramify.contract.parts import DISPLAY_PARTS
from ramify.contract.playout_source import WIN, WON, policy_playout_source
from ramify.contract.state_writes import keeps_state
from ramify.core.kernels import source_digest
from ramify.core.kernels.compiling import Kernel
from ramify.core.kernels.emitted_views import array, record
from ramify.core.kernels.generated import KernelOrigin, compile_source
from ramify.core.kernels.kernel_names import kernel_name
from ramify.core.kernels.pointers import copy_bytes
from ramify.core.numbers.rng import below, weighted
from ramify.core.playouts.context import PLAYOUT_BLOCK, PLAYOUT_CONTEXT, TRY_BLOCK, PlayoutPolicy, begin
from ramify.core.search.episode import EPISODE, MAX_TRACE
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.core.tools.violations import QUESTIONS
from ramify.errors import BadMoveCountError

# Length of array views in kernels. The engine allocates the buffers; kernels serve all parameters of a game.
MAX_BUFFER = 1 << 20

# Arguments, body and return value of every kernel. R and S are the rules and state records.
BODIES = {
    "start": ("", "start(R, S)", "0"),
    "legal": (", moves", "", "0 if over(R, S) else int64(legal(R, S, array(moves, MOST_MOVES, int64)))"),
    "play": (", move", "play(R, S, move)", "0"),
    "mover": ("", "", "int64(mover(R, S))"),
    "over": ("", "", "int64(over(R, S))"),
    "scores": (", out", "scores(R, S, array(out, PLAYERS, float64))", "0"),
    "chance_outcomes": (
        ", moves, probabilities",
        "",
        (
            "0 if over(R, S) else int64(chance_outcomes(R, S, array(moves, MOST_OUTCOMES, int64),"
            " array(probabilities, MOST_OUTCOMES, float64)))"
        ),
    ),
    "legal_of": (
        ", player, moves",
        "",
        "0 if over(R, S) else int64(legal_of(R, S, player, array(moves, MOST_MOVES, int64)))",
    ),
    "play_joint": (", moves", "play_joint(R, S, array(moves, PLAYERS, int64))", "0"),
    "sample": (", rng", "", "int64(sample(R, S, array(rng, 1, uint64)))"),
    "heuristic": (", rng", "", "int64(heuristic(R, S, array(rng, 1, uint64)))"),
    "heuristic_of": (", player, rng", "", "int64(heuristic_of(R, S, player, array(rng, 1, uint64)))"),
    "script": (", player, rng", "", "int64(script(R, S, player, array(rng, 1, uint64)))"),
    "published_heuristic": (", rng", "", "int64(published_heuristic(R, S, array(rng, 1, uint64)))"),
    "published_moves": (
        ", rng, moves, weights",
        "",
        (
            "0 if over(R, S) else int64(published_moves(R, S, array(rng, 1, uint64), array(moves, MAX_BUFFER, int64),"
            " array(weights, MAX_BUFFER, float64)))"
        ),
    ),
    "winning_move": ("", "", "int64(winning_move(R, S))"),
    "key": ("", "", "int64(key(R, S))"),
    "margin": (", out", "array(out, 1, float64)[0] = margin(R, S)", "0"),
    "quality": (", out", "array(out, 1, float64)[0] = quality(R, S)", "0"),
    "owners": (", out", "owners(R, S, array(out, MAX_BUFFER, int8))", "0"),
    "move_class": (
        ", moves_, count, out_",
        """moves = array(moves_, count, int64)
    out = array(out_, count, int64)
    for k in range(count):
        out[k] = move_class(R, S, moves[k])""",
        "0",
    ),
    "evaluate": (", out", "evaluate(R, S, array(out, PLAYERS, float64))", "0"),
    "priors": (
        ", moves, count, out",
        "priors(R, S, array(moves, MAX_BUFFER, int64), count, array(out, MAX_BUFFER, float64))",
        "0",
    ),
}

# The engine's playout arguments (core.search.plan); these playouts have no block.
PLAYOUT = """
def {name}(rules, state, episode_, block):
    R = record(rules, RULES)
    S = record(state, STATE)
    episode = record(episode_, EPISODE)
    moves = array(episode.moves, MOST_MOVES, int64)
    rng = array(episode.rng, 1, uint64)
    limit = episode.limit
    {prepare}
    plies = 0
    while not over(R, S):
        if plies == limit:
            plies = -1 - plies
            break
        {turn}
        plies += 1
    {finish}
    return plies
"""

WHOLE_PLAYOUTS = ("exact_length_playout", "reckless_playout")  # parts that are playouts, besides `playout`

# Results of a game's own `playout` must be distributed as in uniform play; check-game compares them.
GAME_PLAYOUT = """
def {name}(rules, state, episode, block):
    R = record(rules, RULES)
    S = record(state, STATE)
    return 0 if over(R, S) else int64({function}(R, S, array(record(episode, EPISODE).rng, 1, uint64)))
"""

# One random ply: of a player, of chance, of all players simultaneously.
TURN = "play(R, S, {draw})"
TRACED_TURN = """move = int64({draw})
made = int64({kind})
if 0 <= made < classes and traced < MAX_TRACE:
    trace[traced] = mover(R, S) * classes + made
    traced += 1
play(R, S, move)"""
CHANCE_TURN = "play(R, S, outcomes[weighted(rng, probabilities, chance_outcomes(R, S, outcomes, probabilities))])"
JOINT_TURN = """player = searching
for _ in range(PLAYERS):
    joint[player] = {draw}
    player = player + 1 if player + 1 < PLAYERS else 0
play_joint(R, S, joint)"""

# Names available in the source of every kernel.
HELPERS = {
    "array": array,
    "record": record,
    "below": below,
    "weighted": weighted,
    "int8": np.int8,
    "int64": np.int64,
    "float64": np.float64,
    "uint64": np.uint64,
    "CHANCE": CHANCE,
    "SIMULTANEOUS": SIMULTANEOUS,
    "MAX_BUFFER": MAX_BUFFER,
    "MOST_MOVES": MAX_BUFFER,  # lengths of lists; ``checked_kernels`` has others
    "MOST_OUTCOMES": MAX_BUFFER,
    "EPISODE": EPISODE,
    "MAX_TRACE": MAX_TRACE,
    "PLAYOUT_CONTEXT": PLAYOUT_CONTEXT,
    "TRY_BLOCK": TRY_BLOCK,
    "PLAYOUT_BLOCK": PLAYOUT_BLOCK,
    "begin": begin,
    "copy_bytes": copy_bytes,
    "BadMoveCountError": BadMoveCountError,
}


class Binding:
    """Compiles the kernels of one game module, each on first use.

    ``max_children`` is the size of a buffer for chance outcomes in playouts. It is 0 for games without chance, so that
    one set of kernels serves every size of a game.
    """

    def __init__(self, module: ModuleType, players: int, max_children: int) -> None:
        self.module = module
        self.max_children = max_children
        self.file = str(module.__file__)
        self.kernels: dict[str, Kernel] = {}
        self.checked = source_digest.is_user_module(module)
        source_digest.make_compilable(module, DISPLAY_PARTS, raising_on_zero=True)
        self.namespace = {
            **vars(module),
            **HELPERS,
            **(checked_kernels.namespace(module) if self.checked else {}),
            "RULES": checked_kernels.rules_type(module),
            "STATE": module.State,
            "STATE_BYTES": module.State.itemsize,
            "PLAYERS": players,
            "MAX_CHILDREN": max_children,
        }
        if self.checked:
            checked_kernels.define_checked_functions(module, self.namespace)
        # Constants are compiled in, so they are part of the kernel's name.
        digest = source_digest.digest(module) + f" {players} {max_children}"
        self.suffix = hashlib.sha256(digest.encode()).hexdigest()[:12]

    def has(self, name: str) -> bool:
        """Return whether the game file defines this part."""
        return hasattr(self.module, name)

    def kernel(self, name: str) -> Kernel:
        """Return the kernel of a name in BODIES, or one of these:

        ``uniform_playout``: the game's own ``playout`` if it has one; ``exact_length_playout``: the same with the true
        number of plies; ``reckless_playout``: the game's; ``plain_playout``: move by move; ``heuristic_playout`` and
        ``published_heuristic_playout``: by those functions. The last three also exist as ``traced_X_playout``, which
        records its moves. ``win`` looks for a winning move.
        """
        if name not in self.kernels:
            unique = kernel_name(Path(self.file).stem, name, self.suffix)
            author = KernelOrigin(self.file, name, vars(self.module))
            self.kernels[name] = compile_source(
                unique, self.with_lengths(self.head(unique) + self.source(name, unique)), self.namespace, author
            )
        return self.kernels[name]

    def keeps_state(self, name: str) -> bool:
        """Return whether it is proved that a question does not change the state."""
        return keeps_state(self.module, name)

    def head(self, unique: str) -> str:
        """Return source that precedes every kernel."""
        del unique
        return ""

    def with_lengths(self, source: str) -> str:
        """Insert the lengths of lists of moves that are not the same for all games."""
        return checked_kernels.with_lengths(self.module, source) if self.checked else source

    def policy_playout(self, policy: PlayoutPolicy) -> Kernel:
        """Return the playout that lists the moves and chooses by ``policy``, which is compiled in."""
        unique = kernel_name(Path(self.file).stem, policy.choose.__name__, self.suffix, policy_digest(policy))
        if unique not in self.kernels:
            parts = {"chance_outcomes": "chance_outcomes", "classes": "move_class", "sample": "sample"}
            source = self.head(unique)
            source += policy_playout_source(unique, policy, **{name: self.has(part) for name, part in parts.items()})
            namespace = {**self.namespace, "choose": policy.choose, "explore": policy.explore}
            self.kernels[unique] = compile_source(
                unique, self.with_lengths(source), namespace, KernelOrigin(self.file, "legal", vars(self.module))
            )
        return self.kernels[unique]

    def source(self, name: str, unique: str) -> str:
        """Return the source of a kernel."""
        if name in ("uniform_playout", *WHOLE_PLAYOUTS) and (self.has("playout") or self.has(name)):
            game_playout = checked_kernels.CHECKED_PLAYOUT if self.checked else GAME_PLAYOUT
            return game_playout.format(name=unique, function=name if self.has(name) else "playout")
        traced = name.startswith("traced_")
        if name.endswith(("uniform_playout", "exact_length_playout", "plain_playout")):
            return self.playout_source(unique, "sample", traced)
        for drawing in ("published_heuristic", "heuristic"):  # the longer name first
            if name.endswith(f"{drawing}_playout"):
                return self.playout_source(unique, drawing, traced)
        if name == "win":
            return (WON if self.has("winning_move") else WIN).format(name=unique)
        arguments, statement, answer = BODIES[name]
        if self.checked and name in QUESTIONS:
            statement, answer = checked_kernels.checked_body(name, statement, answer)
            keeps_state = self.keeps_state(name)
            if not keeps_state or name in checked_kernels.LISTS:
                return checked_kernels.checked_question(
                    name, unique, arguments, (statement, answer), keeps_state=keeps_state
                )
        views = "R = record(rules, RULES)\n    S = record(state, STATE)"
        return f"def {unique}(rules, state{arguments}):\n    {views}\n    {statement}\n    return {answer}\n"

    def playout_source(self, unique: str, drawing: str, traced: bool) -> str:
        """Return the source of a move-by-move playout, with the kinds of turns that this game has.

        ``drawing`` is the part that draws a player's move; without it all legal moves are equally likely. A game with
        both turns and simultaneous moves may have it for only one of them.
        """
        self.namespace["empty"] = np.empty
        prepare, finish = [], []
        if traced:
            prepare = ["trace = array(episode.trace, MAX_TRACE, int64)", "classes = episode.classes", "traced = 0"]
            finish = ["episode.trace_length = traced"]
        turns = []
        if self.has("play_joint"):
            prepare += ["joint = empty(PLAYERS, int64)", "searching = episode.player"]
            knows = drawing == "heuristic" and self.has("heuristic_of")
            draw = "heuristic_of(R, S, player, rng)" if knows else "moves[below(rng, legal_of(R, S, player, moves))]"
            turns.append(("SIMULTANEOUS", JOINT_TURN.format(draw=draw)))
        if self.has("chance_outcomes"):
            prepare.append("outcomes = array(episode.moves, MOST_OUTCOMES, int64)")
            prepare.append("probabilities = empty(MAX_CHILDREN, float64)" + "[:MOST_OUTCOMES]" * self.checked)
            turns.append(("CHANCE", CHANCE_TURN))
        if self.has("legal"):
            function = drawing if self.has(drawing) else "sample" if self.has("sample") else ""
            draw = f"{function}(R, S, rng)" if function else "moves[below(rng, legal(R, S, moves))]"
            kind = "move_class(R, S, move)" if self.has("move_class") else "move"
            turns.append(("", TRACED_TURN.format(draw=draw, kind=kind) if traced else TURN.format(draw=draw)))
        turn = indent(by_mover(turns), "        ").strip()
        return PLAYOUT.format(
            name=unique, prepare="\n    ".join(prepare), turn=turn, finish="\n    ".join(finish) or "pass"
        )


@cache
def policy_digest(policy: PlayoutPolicy) -> str:
    """Digest of everything of a policy that is compiled into a playout."""
    parts = [source_digest.function_digest(one) for one in (policy.choose, policy.explore) if one]
    return hashlib.sha256(f"{parts} {policy.winning}".encode()).hexdigest()[:12]


def by_mover(turns: list[tuple[str, str]]) -> str:
    """Return source that plays one of ``turns``, selected by the mover; the last one is the default."""
    if len(turns) == 1:
        return turns[0][1]
    heads = [f"{'elif' if k else 'if'} mover(R, S) == {who}:" for k, (who, _) in enumerate(turns[:-1])] + ["else:"]
    return "\n".join(f"{head}\n{indent(turn, '    ')}" for head, (_, turn) in zip(heads, turns, strict=True))


@cache
def binding_of(module: ModuleType, players: int, max_children: int) -> Binding:
    """Return the binding shared by all game objects of a module: kernels are loaded once per process."""
    return Binding(module, players, max_children)
