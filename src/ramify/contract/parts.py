"""The parts of a game file: the contract between a game's author and Ramify.

A game is one Python file of plain functions over two numpy records. ``rules`` holds the parameters; only ``configure``
writes it. ``state`` holds a position: small, of fixed size, and complete. States are copied and compared byte by byte.
Functions keep no other memory and draw random numbers only from ``rng``. Numba compiles them, except those that handle
texts and parameters. ``PARTS`` below lists every name, its arguments and its meaning.

Numbers. A *move* is an integer from 0 to 2^31 - 1. Its meaning is the author's choice, and may depend on the position.
*Players* count from 0. *Scores* lie in [0, 1]: loss 0, draw 1/2, win 1, or anything between. They need not sum to 1.

Turns. In every position that is not over, ``mover`` returns one of these:

* a player: ``legal`` lists that player's moves, ``play`` plays one;
* ``CHANCE`` (-1): ``chance_outcomes`` lists outcomes, coded like moves, with their probabilities; ``play`` applies one;
* ``SIMULTANEOUS`` (-2): all players choose at once; ``legal_of`` lists one player's moves, ``play_joint`` plays one
  move per player. A player without a choice still has one move, such as "wait".

One game may have all three kinds of positions. It needs ``legal`` and ``play`` for the first, ``chance_outcomes`` and
``play`` for the second, ``legal_of`` and ``play_joint`` for the third.

Order of calls. ``start`` gets a state of zero bytes. ``over`` is called first. Only positions that are not over are
passed to ``mover``, ``legal``, ``chance_outcomes``, ``legal_of``, ``sample``, ``heuristic``, ``heuristic_of``,
``script``, ``published_heuristic``, ``published_moves``, ``winning_move``, ``evaluate``, ``play`` and ``play_joint``.
Only positions that are over are passed to ``scores``, ``quality`` and ``margin``. ``play`` gets legal moves only. Only
``start``, ``play``, ``play_joint``, ``playout``, ``exact_length_playout`` and ``read`` may change the state; only
``configure`` the rules.

Compiled and plain. The same functions also run as plain Python and must return the same bits. So make bitboards
``np.uint64`` throughout, including constants and shift widths (``ramify.core.numbers.bits`` helps): ``uint64 + int64``
is a float in numpy and an ``int64`` in Numba. Count with ``np.int64``: in numpy a ``uint8`` wraps around at 255, in
Numba it is computed in 64 bits. An index out of bounds and division by zero end the search with an error.

``ramify check-game FILE`` tests all of this and reports what is wrong; docs/games.md shows a complete game.
"""

import inspect
import warnings
from collections.abc import Container, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import FunctionType, ModuleType

from ramify.old_names import GAME_PARTS


class Need(Enum):
    """When a game needs a part; the values are printed in docs/games.md."""

    ALWAYS = "always"
    SINGLE_MOVER = "where one player moves"
    CHANCE = "where chance moves"
    SIMULTANEOUS = "with simultaneous moves"
    OPTIONAL = "optional"
    RESERVED = "optional; some strategies need it"


@dataclass(frozen=True)
class Part:
    """A name in a game file: a function with its arguments, or a value."""

    name: str
    need: Need
    description: str
    arguments: tuple[str, ...] | None = None  # None: a value
    alternative: str | None = None  # a function of the rules that may replace the value
    compiled: bool = True

    @property
    def signature(self) -> str:
        """The part as the file defines it."""
        own = self.name if self.arguments is None else f"{self.name}({', '.join(self.arguments)})"
        return f"{own} or {self.alternative}(rules)" if self.alternative else own


_STATE = ("rules", "state")

PARTS = (
    Part("PLAYERS", Need.ALWAYS, "number of players, at least 1", alternative="players"),
    Part("MAX_MOVES", Need.ALWAYS, "maximum number of moves of a player in any position", alternative="max_moves"),
    Part(
        "MOVE_CLASSES",
        Need.OPTIONAL,
        "number of move classes, for strategies that learn about moves, such as rave; a class is an integer below it"
        " (default: 65536)",
        alternative="move_classes",
    ),
    Part(
        "MAX_CHANCE_OUTCOMES",
        Need.CHANCE,
        "maximum number of chance outcomes in any position",
        alternative="max_chance_outcomes",
    ),
    Part("State", Need.ALWAYS, "numpy dtype of a position: named fields of numbers or arrays of numbers"),
    Part("Rules", Need.OPTIONAL, "numpy dtype of the parameters and of anything computed from them once"),
    Part(
        "configure",
        Need.OPTIONAL,
        "fill the rules; the arguments after `rules` are the game's parameters, each with a default;"
        " raise RamifyError for invalid values",
        ("rules", "..."),
        compiled=False,
    ),
    Part("start", Need.ALWAYS, "turn the state, all zeros, into the initial position", _STATE),
    Part("mover", Need.ALWAYS, "return the player to move, CHANCE or SIMULTANEOUS", _STATE),
    Part("over", Need.ALWAYS, "return whether the game has ended", _STATE),
    Part("scores", Need.ALWAYS, "write each player's score, in [0, 1], to out[player]", (*_STATE, "out")),
    Part(
        "legal",
        Need.SINGLE_MOVER,
        "write the mover's moves to `moves`, each once; return their number",
        (*_STATE, "moves"),
    ),
    Part("play", Need.SINGLE_MOVER, "play a move of the mover, or apply a chance outcome", (*_STATE, "move")),
    Part(
        "chance_outcomes",
        Need.CHANCE,
        "write the outcomes to `moves` and their probabilities, which sum to 1; return their number",
        (*_STATE, "moves", "probabilities"),
    ),
    Part(
        "legal_of",
        Need.SIMULTANEOUS,
        "write one player's moves to `moves`; return their number",
        (*_STATE, "player", "moves"),
    ),
    Part("play_joint", Need.SIMULTANEOUS, "play a joint move; moves[player] is each player's move", (*_STATE, "moves")),
    Part(
        "sample",
        Need.OPTIONAL,
        "return a random move of the mover, uniform, drawn with ramify.core.numbers.rng; faster than `legal`",
        (*_STATE, "rng"),
    ),
    Part(
        "heuristic",
        Need.OPTIONAL,
        "return a move of the mover for heuristic playouts, drawn with ramify.core.numbers.rng;"
        " for mcts(playout=heuristic)",
        (*_STATE, "rng"),
    ),
    Part(
        "heuristic_of",
        Need.OPTIONAL,
        "the same for simultaneous moves: return a move of one player, who does not see the others' moves",
        (*_STATE, "player", "rng"),
    ),
    Part(
        "script",
        Need.OPTIONAL,
        "return a move of one player by a script that plays well without search, drawn with"
        " ramify.core.numbers.rng; for the player scripted",
        (*_STATE, "player", "rng"),
    ),
    Part(
        "published_heuristic",
        Need.OPTIONAL,
        "return a move of the mover as the playouts of a publication draw it, which the game's file names;"
        " for mcts(playout=heuristic(as_published=true))",
        (*_STATE, "rng"),
    ),
    Part(
        "published_moves",
        Need.OPTIONAL,
        "write the moves that `published_heuristic` draws from to `moves`, each once, and their weights; return their"
        " number; for mcts(playout=mast(over=heuristic(as_published=true)))",
        (*_STATE, "rng", "moves", "weights"),
    ),
    Part(
        "winning_move",
        Need.OPTIONAL,
        "return the first move, in the order of `legal`, that ends the game with score 1 for the mover, or -1; for"
        " mcts(playout=decisive), which otherwise tries every move",
        _STATE,
    ),
    Part(
        "playout",
        Need.OPTIONAL,
        "play to the end in one call and return the number of plies; results must be distributed as in uniform play",
        (*_STATE, "rng"),
    ),
    Part(
        "exact_length_playout",
        Need.OPTIONAL,
        "the same for games whose `playout` continues after the end: return the plies up to the end, distributed as in"
        " uniform play; for rewards that count plies, such as discount",
        (*_STATE, "rng"),
    ),
    Part(
        "reckless_playout",
        Need.OPTIONAL,
        "play to the end in one call and return the number of plies; draws also moves that are not legal, after which"
        " the game is over and lost; for mcts(playout=reckless)",
        (*_STATE, "rng"),
    ),
    Part(
        "priors",
        Need.OPTIONAL,
        "write prior probabilities of the first `count` moves, which sum to 1, to out; for policies such as puct",
        (*_STATE, "moves", "count", "out"),
    ),
    Part(
        "move_class",
        Need.OPTIONAL,
        "return the class of a move; moves of one class share statistics, even in different positions"
        " (default: the move itself)",
        (*_STATE, "move"),
    ),
    Part(
        "owners",
        Need.OPTIONAL,
        "write to out[move class] the player who made that move, or -1; for games where a move can be made only once"
        " and the position shows by whom, which makes rave cheap. Also called after `playout`",
        (*_STATE, "out"),
    ),
    Part("key", Need.RESERVED, "return a hash of the position as np.uint64, for transpositions", _STATE),
    Part("quality", Need.RESERVED, "return how good a finished game is for its winner, in (0, 1)", _STATE),
    Part("margin", Need.RESERVED, "return by how many points player 0 finished ahead of player 1", _STATE),
    Part(
        "evaluate",
        Need.RESERVED,
        "write the value for each player of a position that is not over, in [0, 1], to out[player]; for"
        " mcts(playout=cut_off)",
        (*_STATE, "out"),
    ),
    Part("MARGINS", Need.OPTIONAL, "lowest and highest margin; for score_bonus", alternative="margins"),
    Part(
        "draw",
        Need.OPTIONAL,
        "return a drawing of the position for the terminal, of any number of lines",
        _STATE,
        compiled=False,
    ),
    Part(
        "move_name",
        Need.OPTIONAL,
        "return the name of a legal move, unique in its position, without spaces, and without + if moves are"
        " simultaneous (default: its number)",
        (*_STATE, "move"),
        compiled=False,
    ),
    Part("write", Need.OPTIONAL, "return the position as one line of text that `read` parses", _STATE, compiled=False),
    Part(
        "read",
        Need.OPTIONAL,
        "turn the state, the initial position, into the one that `write` wrote; raise RamifyError for any other text",
        (*_STATE, "text"),
        compiled=False,
    ),
)

# Parts that are never compiled.
DISPLAY_PARTS = frozenset(
    [part.name for part in PARTS if not part.compiled] + [part.alternative for part in PARTS if part.alternative]
)


def missing(names: Container[str]) -> list[Part]:
    """Return the parts that a file with these names still needs."""
    simultaneous = "legal_of" in names or "play_joint" in names
    chance = "chance_outcomes" in names or "MAX_CHANCE_OUTCOMES" in names or "max_chance_outcomes" in names
    needed = {Need.ALWAYS}
    if chance:
        needed.add(Need.CHANCE)
    if simultaneous:
        needed.add(Need.SIMULTANEOUS)
    turns = {"play"} if chance and simultaneous else set() if simultaneous else {"legal", "play"}
    if "sample" in names or "legal" in names:
        turns = {"legal", "play"}
    partners = {"read", "write"} if "read" in names or "write" in names else set()
    if "configure" in names:
        partners.add("Rules")
    return [
        part
        for part in PARTS
        if (part.need in needed or part.name in turns or part.name in partners)
        and part.name not in names
        and part.alternative not in names
    ]


@cache
def adopt_old_parts(module: ModuleType) -> dict[str, str]:
    """Let a game file name its parts by their old names. Return the new name of each old one that it uses.

    A function counts as an old part only if it takes the part's arguments.
    """
    arguments = {part.name: part.arguments for part in PARTS}
    arguments |= {part.alternative: ("rules",) for part in PARTS if part.alternative}
    names = vars(module)
    adopted = {}
    for new, old in GAME_PARTS.items():
        if new not in names and old in names and _takes(names[old], arguments[new]):
            names[new] = names[old]
            adopted[old] = new
            line = names[old].__code__.co_firstlineno if isinstance(names[old], FunctionType) else 1
            warnings.warn_explicit(
                f"'{old}' is now called '{new}'", DeprecationWarning, str(module.__file__), line, module.__name__
            )
    return adopted


def _takes(value: object, arguments: tuple[str, ...] | None) -> bool:
    if arguments is None or not isinstance(value, FunctionType):
        return (arguments is None) != isinstance(value, FunctionType)
    try:
        inspect.signature(value).bind(*arguments)
    except TypeError:
        return False
    return True


def listed(parts: Iterable[Part]) -> str:
    """Return the signatures of some parts, joined by commas and *and*."""
    words = [part.signature for part in parts]
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)
