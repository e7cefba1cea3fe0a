"""Checks compiled into the kernels of users' games: what violates the contract raises an error where it occurs.

A precheck sees a few random games; these checks see every position of a search. Built-in games are tested and have
none of them. Checks of one comparison surround every call. Lists of moves, probabilities and whether a question changes
the state are checked where the engine calls a kernel, not inside playouts, which call the same functions.

In the source of a kernel ``legal`` is the checked function, and ``author_legal`` the one in the user's file. The rules
record ends with fields of our own: the sizes of the buffers, and what the last violation was.
"""

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.source_digest import is_user_module
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.core.tools import violations
from ramify.core.tools.violations import QUESTIONS, RULES_TAIL

NO_RULES = np.dtype([("nothing", np.int64)])
# The checked functions, by name. Each calls the author's function.
CHECKED = {
    "mover": """
def {name}_checked_mover(R, S):
    who = int64(author_mover(R, S))
    if not (HAS_TURNS and 0 <= who < PLAYERS or HAS_CHANCE and who == CHANCE or HAS_JOINT and who == SIMULTANEOUS):
        violate(R, BAD_MOVER, who, 0.0)
    return who
""",
    "legal": """
def {name}_checked_legal(R, S, moves):
    most = R.ramify_max_moves
    return check_count(R, int64(author_legal(R, S, moves[:most])), most, LEGAL)
""",
    "legal_of": """
def {name}_checked_legal_of(R, S, player, moves):
    most = R.ramify_max_moves
    return check_count(R, int64(author_legal_of(R, S, player, moves[:most])), most, LEGAL_OF)
""",
    "chance_outcomes": """
def {name}_checked_chance_outcomes(R, S, moves, probabilities):
    most = R.ramify_max_chance_outcomes
    count = int64(author_chance_outcomes(R, S, moves[:most], probabilities[:most]))
    return check_count(R, count, most, CHANCE_OUTCOMES)
""",
    "published_moves": """
def {name}_checked_published_moves(R, S, rng, moves, weights):
    most = R.ramify_max_moves
    count = int64(author_published_moves(R, S, rng, moves[:most], weights[:most]))
    return check_count(R, count, most, PUBLISHED_MOVES)
""",
    "play": """
def {name}_checked_play(R, S, move):
    if move < 0 or move > MAX_MOVE_CODE:
        violate(R, BAD_DRAW, move, 0.0)
    author_play(R, S, move)
""",
    "play_joint": """
def {name}_checked_play_joint(R, S, moves):
    for player in range(PLAYERS):
        if moves[player] < 0 or moves[player] > MAX_MOVE_CODE:
            violate(R, BAD_DRAW, moves[player], 0.0)
    author_play_joint(R, S, moves)
""",
    "scores": """
def {name}_checked_scores(R, S, out):
    for player in range(PLAYERS):
        out[player] = nan
    author_scores(R, S, out)
    check_unit(R, out, PLAYERS, BAD_SCORE)
""",
    "evaluate": """
def {name}_checked_evaluate(R, S, out):
    for player in range(PLAYERS):
        out[player] = nan
    author_evaluate(R, S, out)
    check_unit(R, out, PLAYERS, BAD_VALUE)
""",
    "quality": """
def {name}_checked_quality(R, S):
    value = float64(author_quality(R, S))
    if not 0.0 <= value <= 1.0:
        violate(R, BAD_QUALITY, 0, value)
    return value
""",
    "margin": """
def {name}_checked_margin(R, S):
    value = float64(author_margin(R, S))
    if not -inf < value < inf:
        violate(R, BAD_MARGIN, 0, value)
    return value
""",
    "priors": """
def {name}_checked_priors(R, S, moves, count, out):
    author_priors(R, S, moves[:count], count, out[:count])
    for k in range(count):
        if not 0.0 <= out[k] < inf:
            violate(R, BAD_PRIOR, k, out[k])
""",
    "owners": """
def {name}_checked_owners(R, S, out):
    classes = R.ramify_move_classes
    author_owners(R, S, out[:classes])
    check_owners(R, out, classes, PLAYERS)
""",
}

# Statement and return value of kernels that check more than the functions they call. The engine also asks for the mover
# of finished games, which may be anything for which the game has functions.
CHECKED_BODIES = {
    "mover": ("", "WHEN_OVER if over(R, S) else mover(R, S)"),
    "legal": (
        "erase(R, moves, R.ramify_max_moves, checking)",
        ("0 if over(R, S) else check_moves(R, moves, legal(R, S, array(moves, MAX_BUFFER, int64)), LEGAL, checking)"),
    ),
    "legal_of": (
        "erase(R, moves, R.ramify_max_moves, checking)",
        (
            "0 if over(R, S) else"
            " check_moves(R, moves, legal_of(R, S, player, array(moves, MAX_BUFFER, int64)), LEGAL_OF, checking)"
        ),
    ),
    "chance_outcomes": (
        "erase(R, moves, R.ramify_max_chance_outcomes, checking)",
        (
            "0 if over(R, S) else check_probabilities(R, array(probabilities, MAX_BUFFER, float64),"
            " check_moves(R, moves, chance_outcomes(R, S, array(moves, MAX_BUFFER, int64),"
            " array(probabilities, MAX_BUFFER, float64)), CHANCE_OUTCOMES, checking))"
        ),
    ),
    "published_moves": (
        "erase(R, moves, R.ramify_max_moves, checking)",
        (
            "0 if over(R, S) else check_moves(R, moves, published_moves(R, S, array(rng, 1, uint64),"
            " array(moves, MAX_BUFFER, int64), array(weights, MAX_BUFFER, float64)), PUBLISHED_MOVES, checking)"
        ),
    ),
}

QUESTION = """
def {name}(rules, state{arguments}):
    R = record(rules, RULES)
    S = record(state, STATE)
    checking = due(R)
    before = state_sum(R, state, STATE_BYTES, checking)
    {statement}
    answer = {answer}
    if state_sum(R, state, STATE_BYTES, checking) != before:
        violate(R, CHANGED_STATE, {question}, 0.0)
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
            *("violate", "check_count", "check_moves", "check_probabilities", "check_unit", "check_owners"),
            *("due", "erase", "state_sum", "MAX_MOVE_CODE", "BAD_SCORE", "BAD_VALUE", "BAD_QUALITY", "BAD_MARGIN"),
            *("BAD_PRIOR", "BAD_MOVER", "BAD_DRAW", "CHANGED_STATE", "BAD_PLIES", "UNFINISHED"),
        )
    },
    **{name.upper(): number for number, name in enumerate(QUESTIONS) if name in CHECKED_BODIES},
}


@cache
def rules_type(module: ModuleType) -> np.dtype[Any]:
    """Return the dtype of a game's rules; those of a user's game end with RULES_TAIL."""
    rules: np.dtype[Any] = getattr(module, "Rules", NO_RULES)
    if not is_user_module(module):
        return rules
    names = [*(rules.names or ()), *(RULES_TAIL.names or ())]
    formats = [*(rules[name] for name in rules.names or ()), *(RULES_TAIL[name] for name in RULES_TAIL.names or ())]
    offsets = [*offsets_of(rules), *(rules.itemsize + offset for offset in offsets_of(RULES_TAIL))]
    size = rules.itemsize + RULES_TAIL.itemsize
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


def offsets_of(record: np.dtype[Any]) -> list[int]:
    """Return the offset of each field."""
    return [field[1] for field in record.fields.values()] if record.fields else []


def checked_functions(module: ModuleType, name: str) -> str:
    """Return the source of the checked functions of a game. ``name`` identifies the kernel."""
    own = [part for part in CHECKED if hasattr(module, part)]
    return "".join(f"{CHECKED[part].format(name=name)}\n{part} = jit({name}_checked_{part})\n" for part in own)


def checked_question(name: str, unique: str, arguments: str, statement: str, answer: str) -> str:
    """Return the source of the kernel of a part that must not change the state."""
    statement, answer = CHECKED_BODIES.get(name, (statement, answer))
    return QUESTION.format(
        name=unique, arguments=arguments, statement=statement, answer=answer, question=QUESTIONS.index(name)
    )


def namespace(module: ModuleType) -> dict[str, Any]:
    """Return the names that the sources above use."""
    return {
        **NAMES,
        **{f"author_{part}": getattr(module, part) for part in CHECKED if hasattr(module, part)},
        "WHEN_OVER": 0 if hasattr(module, "legal") else SIMULTANEOUS if hasattr(module, "play_joint") else CHANCE,
        "HAS_TURNS": hasattr(module, "legal"),
        "HAS_CHANCE": hasattr(module, "chance_outcomes"),
        "HAS_JOINT": hasattr(module, "play_joint"),
    }
