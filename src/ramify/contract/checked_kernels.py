"""Checks compiled into the kernels of users' games: what violates the contract raises an error where it occurs.

A precheck sees a few random games; these checks see every position of a search. Built-in games are tested and have
none of them. Checks of one comparison surround every call. Lists of moves, probabilities and whether a question changes
the state are checked where the engine calls a kernel, not inside playouts, which call the same functions. Questions for
which ``state_writes`` proves that they cannot change it are not checked for that.

In the source of a kernel ``legal`` is the checked function, and ``author_legal`` the one in the user's file. The rules
record ends with fields of our own: the sizes of the buffers, and what the last violation was.
"""

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from ramify.core.kernels.compiling import UNCHECKED, jit
from ramify.core.kernels.pointers import call
from ramify.core.kernels.source_digest import is_user_module
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.core.tools import violations
from ramify.core.tools.violations import QUESTIONS, RULES_TAIL

NO_RULES = np.dtype([("nothing", np.int64)])
# The checked functions, by name. Each calls the author's function.
CHECKED = {
    "mover": """
def checked_mover(R, S):
    who = int64(author_mover(R, S))
    if not (HAS_TURNS and 0 <= who < PLAYERS or HAS_CHANCE and who == CHANCE or HAS_JOINT and who == SIMULTANEOUS):
        violate(R, BAD_MOVER, who, 0.0)
    return who
""",
    "legal": """
def checked_legal(R, S, moves):
    return check_count(R, int64(author_legal(R, S, moves)), len(moves), LEGAL)
""",
    "legal_of": """
def checked_legal_of(R, S, player, moves):
    return check_count(R, int64(author_legal_of(R, S, player, moves)), len(moves), LEGAL_OF)
""",
    "chance_outcomes": """
def checked_chance_outcomes(R, S, moves, probabilities):
    return check_count(R, int64(author_chance_outcomes(R, S, moves, probabilities)), len(moves), CHANCE_OUTCOMES)
""",
    "published_moves": """
def checked_published_moves(R, S, rng, moves, weights):
    return check_count(R, int64(author_published_moves(R, S, rng, moves, weights)), len(moves), PUBLISHED_MOVES)
""",
    "play": """
def checked_play(R, S, move):
    if uint64(int64(move)) > MAX_MOVE_CODE:
        violate(R, BAD_DRAW, move, 0.0)
    author_play(R, S, move)
""",
    "play_joint": """
def checked_play_joint(R, S, moves):
    for player in range(PLAYERS):
        if uint64(int64(moves[player])) > MAX_MOVE_CODE:
            violate(R, BAD_DRAW, moves[player], 0.0)
    author_play_joint(R, S, moves)
""",
    "scores": """
def checked_scores(R, S, out):
    for player in range(PLAYERS):
        out[player] = nan
    author_scores(R, S, out)
    check_unit(R, out, PLAYERS, BAD_SCORE)
""",
    "evaluate": """
def checked_evaluate(R, S, out):
    for player in range(PLAYERS):
        out[player] = nan
    author_evaluate(R, S, out)
    check_unit(R, out, PLAYERS, BAD_VALUE)
""",
    "quality": """
def checked_quality(R, S):
    value = float64(author_quality(R, S))
    if not 0.0 <= value <= 1.0:
        violate(R, BAD_QUALITY, 0, value)
    return value
""",
    "margin": """
def checked_margin(R, S):
    value = float64(author_margin(R, S))
    if not -inf < value < inf:
        violate(R, BAD_MARGIN, 0, value)
    return value
""",
    "priors": """
def checked_priors(R, S, moves, count, out):
    author_priors(R, S, moves[:count], count, out[:count])
    for k in range(count):
        if not 0.0 <= out[k] < inf:
            violate(R, BAD_PRIOR, k, out[k])
""",
    "owners": """
def checked_owners(R, S, out):
    classes = R.ramify_move_classes
    author_owners(R, S, out[:classes])
    check_owners(R, out, classes, PLAYERS)
""",
}

# Statement and return value of kernels that check more than the functions they call. The engine also asks for the mover
# of finished games, which may be anything for which the game has functions.
CHECKED_BODIES = {
    "mover": ("", "WHEN_OVER if over(R, S) else mover(R, S)"),
    "chance_outcomes": (
        "",
        (
            "0 if over(R, S) else check_probabilities(R, array(probabilities, MOST_OUTCOMES, float64),"
            " chance_outcomes(R, S, array(moves, MOST_OUTCOMES, int64), array(probabilities, MOST_OUTCOMES, float64)))"
        ),
    ),
    "published_moves": (
        "",
        (
            "0 if over(R, S) else published_moves(R, S, array(rng, 1, uint64), array(moves, MOST_MOVES, int64),"
            " array(weights, MOST_MOVES, float64))"
        ),
    ),
}
# Questions that list moves, and the lengths of the lists.
LISTS = {
    "legal": "MOST_MOVES",
    "legal_of": "MOST_MOVES",
    "published_moves": "MOST_MOVES",
    "chance_outcomes": "MOST_OUTCOMES",
}

QUESTION = """
def {name}(rules, state{arguments}):
    R = record(rules, RULES)
    S = record(state, STATE)
    unchecked = R.ramify_unchecked
    R.ramify_unchecked = unchecked - 1
    before = int64(0)
    if unchecked <= 0:
        before = call(R.ramify_begin_question, (rules + TAIL, state, {size}, {list}, {length}))
    {statement}
    answer = {answer}
    if unchecked <= 0:
        call(R.ramify_end_question, (rules + TAIL, state, {size}, before, {list}, {count}, {question}))
    return answer
"""

# A game's own playout.
CHECKED_PLAYOUT = """
def {name}(rules, state, episode, block):
    R = record(rules, RULES)
    S = record(state, STATE)
    if over(R, S):
        return 0
    plies = int64({function}(R, S, array(record(episode, EPISODE).rng, 1, uint64)))
    if plies < 1:
        violate(R, BAD_PLIES, plies, 0.0)
    if not over(R, S):
        violate(R, UNFINISHED, 0, 0.0)
    return plies
"""

NAMES = {
    "jit": jit,
    "nan": np.nan,
    "inf": np.inf,
    **{
        name: getattr(violations, name)
        for name in (
            *("violate", "check_count", "check_probabilities", "check_unit", "check_owners"),
            *("BAD_SCORE", "BAD_VALUE", "BAD_QUALITY", "BAD_MARGIN", "BAD_PRIOR", "BAD_MOVER", "BAD_DRAW"),
            *("BAD_PLIES", "UNFINISHED"),
        )
    },
    "call": call,
    "MAX_MOVE_CODE": np.uint64(violations.MAX_MOVE_CODE),
    **{name.upper(): number for number, name in enumerate(QUESTIONS) if name in LISTS},
}


@cache
def rules_type(module: ModuleType) -> np.dtype[Any]:
    """Return the dtype of a game's rules; those of a user's game end with RULES_TAIL."""
    rules: np.dtype[Any] = getattr(module, "Rules", NO_RULES)
    if not is_user_module(module):
        return rules
    names = [*(rules.names or ()), *(RULES_TAIL.names or ())]
    formats = [*(rules[name] for name in rules.names or ()), *(RULES_TAIL[name] for name in RULES_TAIL.names or ())]
    start = tail_offset(module)
    offsets = [*offsets_of(rules), *(start + offset for offset in offsets_of(RULES_TAIL))]
    size = start + RULES_TAIL.itemsize
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


def tail_offset(module: ModuleType) -> int:
    """Return the offset of RULES_TAIL, a multiple of 8: its counter must not lie across two cache lines."""
    return -(-getattr(module, "Rules", NO_RULES).itemsize // 8) * 8


def offsets_of(record: np.dtype[Any]) -> list[int]:
    """Return the offset of each field."""
    return [field[1] for field in record.fields.values()] if record.fields else []


def define_checked_functions(module: ModuleType, names: dict[str, Any]) -> None:
    """Add the checked functions of a game to the names that its kernels see. All kernels share them."""
    for part, source in CHECKED.items():
        if hasattr(module, part):
            exec(source, names)  # noqa: S102
            names[part] = jit(names[f"checked_{part}"], **UNCHECKED)  # our own code, in the user's namespace


def checked_body(name: str, statement: str, answer: str) -> tuple[str, str]:
    """Return statement and return value of a kernel."""
    return CHECKED_BODIES.get(name, (statement, answer))


def checked_question(name: str, unique: str, arguments: str, body: tuple[str, str], *, keeps_state: bool) -> str:
    """Return the source of a kernel that checks whether the state has changed, unless it cannot, and lists of moves."""
    return QUESTION.format(
        name=unique,
        arguments=arguments,
        statement=body[0],
        answer=body[1],
        question=QUESTIONS.index(name),
        size=0 if keeps_state else "STATE_BYTES",
        list="moves" if name in LISTS else 0,
        length=LISTS.get(name, 0),
        count="answer" if name in LISTS else 0,
    )


def with_lengths(module: ModuleType, source: str) -> str:
    """Insert the lengths of lists of moves: constants if the file declares constants, else fields of the rules.

    Views have these lengths, so that writes beyond them are out of bounds.
    """
    for name, part, field in (
        ("MOST_MOVES", "max_moves", "ramify_max_moves"),
        ("MOST_OUTCOMES", "max_chance_outcomes", "ramify_max_chance_outcomes"),
    ):
        constant = None if hasattr(module, part) else getattr(module, part.upper(), None)
        source = source.replace(name, f"R.{field}" if constant is None else str(int(constant)))
    return source


def namespace(module: ModuleType) -> dict[str, Any]:
    """Return the names that the sources above use."""
    return {
        **NAMES,
        **{f"author_{part}": getattr(module, part) for part in CHECKED if hasattr(module, part)},
        "WHEN_OVER": 0 if hasattr(module, "legal") else SIMULTANEOUS if hasattr(module, "play_joint") else CHANCE,
        "TAIL": tail_offset(module),
        "HAS_TURNS": hasattr(module, "legal"),
        "HAS_CHANCE": hasattr(module, "chance_outcomes"),
        "HAS_JOINT": hasattr(module, "play_joint"),
    }
