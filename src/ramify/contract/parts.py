"""What a game file has: the contract between an author and everything that plays.

A game is one Python file of plain functions over two numpy records. ``rules`` is the record of the parameters: written
by ``configure`` and never again. ``state`` is the record of a position: small, of fixed size, copied byte by byte, and
all there is to know about the position; two positions are equal when their bytes are. The functions are never handed
anything else to remember things in, draw no random numbers but from ``rng``, and are compiled by Numba; those for
people (texts and parameters) stay Python. ``PARTS`` below lists every name, its arguments and its meaning.

Numbers. A *move* is a whole number from 0 to 2^31 - 1; what it means is the author's choice, and the same number
may mean different things in different positions. *Players* count from 0. *Scores* lie in [0, 1]: loss 0, draw 1/2,
win 1, anything between where the game has it; they need not add up to 1.

Whose turn it is, ``mover`` says for every position that is not over:

* a player: ``legal`` lists that player's moves, ``play`` makes one;
* ``CHANCE`` (-1): ``chance_outcomes`` lists outcomes, coded like moves, with their probabilities; ``play`` lets one happen;
* ``SIMULTANEOUS`` (-2): each player chooses at once; ``legal_of`` lists one player's moves, ``play_joint`` makes one of
  each. A player who has no choice still has one move, such as "wait".

One game may have all three kinds of positions. A game needs ``legal`` and ``play`` for the first, ``chance_outcomes`` and
``play`` for the second, ``legal_of`` and ``play_joint`` for the third.

Order of calls. ``start`` gets a state of zero bytes. ``over`` is asked first: ``mover``, ``legal``, ``chance_outcomes``,
``legal_of``, ``sample``, ``heuristic``, ``heuristic_of``, ``script``, ``published_heuristic``, ``winning_move``, ``evaluate``,
``play`` and ``play_joint`` are called only where the game goes on, ``scores``, ``quality`` and ``margin`` only where it
is over. ``play`` gets legal moves only. Nothing but ``start``, ``play``, ``play_joint``, ``playout``, ``exact_length_playout``
and ``read`` may change the state, and nothing but ``configure`` the rules.

Compiled and plain. The same functions also run as plain Python, and must then give the same answers, bit by bit. Two
habits see to that. Words of bits are ``np.uint64`` throughout, constants and shift widths too
(``ramify.core.numbers.bits`` helps): numpy turns ``uint64 + int64`` into a float, Numba into an ``int64``. Numbers to
count with are ``np.int64``: numpy lets a ``uint8`` wrap around at 255, Numba computes it in 64 bits. Index within
bounds: compiled code does not look.

``ramify check-game FILE`` tests all of this and says in words what is wrong; docs/games.md shows a whole game.
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
    """When a game must have a part."""

    ALWAYS = "always"
    SINGLE_MOVER = "where one player moves"
    CHANCE = "where chance moves"
    SIMULTANEOUS = "where everybody moves at once"
    OPTIONAL = "if it likes"
    RESERVED = "if it can; strategies that need it say so"


@dataclass(frozen=True)
class Part:
    """A name in a game file: a function with its arguments, or a value."""

    name: str
    need: Need
    description: str
    arguments: tuple[str, ...] | None = None  # None: a value
    alternative: str | None = None  # a function of the rules that may stand in for the value
    compiled: bool = True

    @property
    def signature(self) -> str:
        """As it is written in the file."""
        own = self.name if self.arguments is None else f"{self.name}({', '.join(self.arguments)})"
        return f"{own} or {self.alternative}(rules)" if self.alternative else own


_STATE = ("rules", "state")

PARTS = (
    Part("PLAYERS", Need.ALWAYS, "the number of players, from 1", alternative="players"),
    Part("MAX_MOVES", Need.ALWAYS, "the most moves that a player has in any position", alternative="max_moves"),
    Part(
        "MOVE_CLASSES",
        Need.OPTIONAL,
        "move classes are whole numbers below this; 65536 where it is not said. For strategies that learn about moves,"
        " such as rave",
        alternative="move_classes",
    ),
    Part(
        "MAX_CHANCE_OUTCOMES",
        Need.CHANCE,
        "the most outcomes that chance has in any position",
        alternative="max_chance_outcomes",
    ),
    Part("State", Need.ALWAYS, "the numpy dtype of a position: named fields of numbers or arrays of them"),
    Part("Rules", Need.OPTIONAL, "the numpy dtype of the parameters and of what is computed from them once"),
    Part(
        "configure",
        Need.OPTIONAL,
        "fill the rules; the game's parameters are the arguments after `rules`, each with a default;"
        " RamifyError for values that make no game",
        ("rules", "..."),
        compiled=False,
    ),
    Part("start", Need.ALWAYS, "make the state, all zeros, the initial position", _STATE),
    Part("mover", Need.ALWAYS, "the player to move, CHANCE or SIMULTANEOUS", _STATE),
    Part("over", Need.ALWAYS, "whether the game has ended", _STATE),
    Part("scores", Need.ALWAYS, "write every player's score, in [0, 1], to out[player]", (*_STATE, "out")),
    Part(
        "legal", Need.SINGLE_MOVER, "write the mover's moves to `moves`, each once; return how many", (*_STATE, "moves")
    ),
    Part("play", Need.SINGLE_MOVER, "make a move of the mover, or let an outcome of chance happen", (*_STATE, "move")),
    Part(
        "chance_outcomes",
        Need.CHANCE,
        "write the outcomes to `moves` and their probabilities, which add up to 1; return how many",
        (*_STATE, "moves", "probabilities"),
    ),
    Part(
        "legal_of",
        Need.SIMULTANEOUS,
        "write one player's moves to `moves`; return how many",
        (*_STATE, "player", "moves"),
    ),
    Part("play_joint", Need.SIMULTANEOUS, "make everybody's moves, moves[player] each", (*_STATE, "moves")),
    Part(
        "sample",
        Need.OPTIONAL,
        "a move of the mover, all equally likely, drawn with ramify.core.numbers.rng; faster playouts than by `legal`",
        (*_STATE, "rng"),
    ),
    Part(
        "heuristic",
        Need.OPTIONAL,
        "a move of the mover for playouts that know a little about the game, drawn with ramify.core.numbers.rng;"
        " for mcts(playout=heuristic)",
        (*_STATE, "rng"),
    ),
    Part(
        "heuristic_of",
        Need.OPTIONAL,
        "the same where everybody moves at once: a move of one player, who does not know what the others draw",
        (*_STATE, "player", "rng"),
    ),
    Part(
        "script",
        Need.OPTIONAL,
        "a move of one player by a script that plays well without search, drawn with ramify.core.numbers.rng; for the"
        " player scripted",
        (*_STATE, "player", "rng"),
    ),
    Part(
        "published_heuristic",
        Need.OPTIONAL,
        "a move of the mover as the playouts of a publication draw it, which the game's file names;"
        " for mcts(playout=heuristic(as_published=true))",
        (*_STATE, "rng"),
    ),
    Part(
        "winning_move",
        Need.OPTIONAL,
        "the first move, in the order of `legal`, that ends the game with a score of 1 for the mover; -1 if there is"
        " none. For mcts(playout=decisive), which else tries every move",
        _STATE,
    ),
    Part(
        "playout",
        Need.OPTIONAL,
        "play to the end at once and return the plies; results must be distributed as in uniform play",
        (*_STATE, "rng"),
    ),
    Part(
        "exact_length_playout",
        Need.OPTIONAL,
        "the same where `playout` goes on when the game is over, with the plies up to its end, distributed as in"
        " uniform play; for rewards that count plies, such as discount",
        (*_STATE, "rng"),
    ),
    Part(
        "priors",
        Need.OPTIONAL,
        "write how promising each of the first `count` moves is to out, adding up to 1; for policies such as puct",
        (*_STATE, "moves", "count", "out"),
    ),
    Part(
        "move_class",
        Need.OPTIONAL,
        "the class of a move: two moves of one class, maybe in different positions, are taken for the same move;"
        " else a move is its own class",
        (*_STATE, "move"),
    ),
    Part(
        "owners",
        Need.OPTIONAL,
        "write to out[move] who made each move so far, -1 for nobody; for games where a move can be made only once and"
        " the position shows by whom, which makes rave cheap. Also asked after `playout`",
        (*_STATE, "out"),
    ),
    Part("key", Need.RESERVED, "a hash of the position as np.uint64, for transpositions", _STATE),
    Part("quality", Need.RESERVED, "how well the winner of a finished game stands, in (0, 1)", _STATE),
    Part("margin", Need.RESERVED, "how far player 0 ends ahead of player 1, in the game's own points", _STATE),
    Part(
        "evaluate",
        Need.RESERVED,
        "write what a position that is not over is worth to each player, in [0, 1], to out[player]; for"
        " mcts(playout=cut_off)",
        (*_STATE, "out"),
    ),
    Part("MARGINS", Need.OPTIONAL, "the lowest and highest margin; for score_bonus", alternative="margins"),
    Part(
        "draw", Need.OPTIONAL, "the position as text for the terminal, of any number of lines", _STATE, compiled=False
    ),
    Part(
        "move_name",
        Need.OPTIONAL,
        "the name of a legal move: without blanks, without + where everybody moves at once, no two alike in a"
        " position; else its number",
        (*_STATE, "move"),
        compiled=False,
    ),
    Part("write", Need.OPTIONAL, "the position as one line of text, which `read` reads", _STATE, compiled=False),
    Part(
        "read",
        Need.OPTIONAL,
        "make the state, which is the initial position, the one that `write` wrote; RamifyError for any other text",
        (*_STATE, "text"),
        compiled=False,
    ),
)

# Functions for people: never compiled.
DISPLAY_PARTS = frozenset(
    [part.name for part in PARTS if not part.compiled] + [part.alternative for part in PARTS if part.alternative]
)


def missing(names: Container[str]) -> list[Part]:
    """The parts that a file with these names still needs."""
    at_once = "legal_of" in names or "play_joint" in names
    chance = "chance_outcomes" in names or "MAX_CHANCE_OUTCOMES" in names or "max_chance_outcomes" in names
    needed = {Need.ALWAYS}
    if chance:
        needed.add(Need.CHANCE)
    if at_once:
        needed.add(Need.SIMULTANEOUS)
    turns = {"play"} if chance and at_once else set() if at_once else {"legal", "play"}
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
    """Parts in a sentence."""
    words = [part.signature for part in parts]
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)
