"""Games of OpenSpiel (``pip install "ramify[openspiel]"``): ``openspiel:breakthrough(rows=6, columns=6)``.

Supports games with perfect information, sequential or simultaneous moves and explicit chance outcomes, for any number
of players. Scores are the final ``returns()``, the sum of all rewards, scaled to [0, 1] by the game's ``min_utility``
and ``max_utility``. Values outside these bounds are clamped (2048 can exceed its own maximum). Playouts are uniform.
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from ramify.contract.game import JOINT_SEPARATOR, Game
from ramify.contract.python_game import PythonGame
from ramify.contract.python_rules import PythonGenerator, PythonRules
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError, suggestion
from ramify.grammar import Call, format_value, parse

Value = int | float | bool | str | Call

TERMINAL = -4  # pyspiel.PlayerId.TERMINAL; spiel.h: "kTerminalPlayerId should be returned on a TerminalNode()"
PLAYER = re.compile(r"^(\[P\d+\]|p\d+:)\s*")  # prefix of action names in simultaneous games
MAX_MOVES = 1 << 20  # per position; a tree reserves capacity for this many children

MAX_INTEGER = 2**31 - 1  # of OpenSpiel's parameters
TYPE_NAMES = {bool: "true or false", int: "an integer", float: "a number", str: "text", dict: "a game"}


def load(text: str) -> Game:
    """Load a game by name, in Ramify's grammar or in OpenSpiel's own."""
    spiel = pyspiel()
    call = _check_call(spiel, _parse(spiel, text))
    return _make_game(str(call), lambda: spiel.load_game(call.name, _to_parameters(call)))


def wrap_game(spiel_game: Any) -> Game:
    """Wrap a ``pyspiel.Game``."""
    return _make_game(str(spiel_game), lambda: spiel_game)


def _make_game(name: str, make: Callable[[], Any]) -> Game:
    try:
        game = make()
        reason = _unsupported_reason(game)
        rules = None if reason else OpenSpielRules(game)
    except Exception as error:  # C++ exceptions arrive as various Python exceptions
        reason = re.sub(r"^\S+\.(cc|h):\d+ ", "", " ".join(str(error).split()))  # strip the C++ source location
        raise RamifyError(f"OpenSpiel cannot load '{name}': {reason}") from error
    if rules is None:
        raise RamifyError(f"openspiel:{name} is not supported: {reason}")
    return PythonGame(f"openspiel:{name}", rules)


def names() -> list[str]:
    """Return the OpenSpiel games that a search can play, judged by their registered types."""
    return sorted(
        kind.short_name
        for kind in pyspiel().registered_games()
        if kind.dynamics != kind.Dynamics.MEAN_FIELD
        and _has_perfect_information(kind)
        and kind.chance_mode != kind.ChanceMode.SAMPLED_STOCHASTIC
    )


def pyspiel() -> ModuleType:
    """Import OpenSpiel's Python module."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError as error:
        raise RamifyError('OpenSpiel is not installed: pip install "ramify[openspiel]"') from error


def _parse(spiel: ModuleType, text: str) -> Call:
    """Parse ``text`` in Ramify's grammar, else in OpenSpiel's, which alone has ``2048`` and ``nim(pile_sizes=1;3)``."""
    try:
        return parse(text)
    except RamifyError as error:
        name, bracket, rest = text.strip().partition("(")
        if not name or (bracket and not rest.endswith(")")) or rest.count("(") != rest.count(")") - len(bracket):
            raise
        try:
            return _to_call(spiel.game_parameters_from_string(text.strip()))
        except (spiel.SpielError, KeyError):
            raise error from None


def _to_call(parameters: Mapping[str, Any]) -> Call:
    given = {key.strip(): value for key, value in parameters.items()}
    name = str(given.pop("name")).strip()
    return Call(name, tuple((key, _to_call(v) if isinstance(v, Mapping) else v) for key, v in given.items()))


def _check_call(spiel: ModuleType, call: Call) -> Call:
    """Check names and convert values to their parameters' types. Return the call with sorted parameters."""
    if call.name.startswith("python_"):
        importlib.import_module("open_spiel.python.games")  # registers the games written in Python
    known = {kind.short_name: kind for kind in spiel.registered_games()}
    if call.name not in known:
        hint = suggestion(call.name, known, "`ramify games --openspiel` lists the supported ones")
        raise RamifyError(f"OpenSpiel has no game '{call.name}'; {hint}")
    defaults = known[call.name].parameter_specification
    given: dict[str, Value] = {}
    for key, value in call.arguments:
        if key is None:
            names = ", ".join(defaults) or "none"
            raise RamifyError(f"parameters of OpenSpiel games must be named; those of '{call.name}' are: {names}")
        if key not in defaults:
            hint = suggestion(key, defaults) if defaults else "it takes none"
            raise RamifyError(f"OpenSpiel game '{call.name}' has no parameter '{key}'; {hint}")
        if key in given:
            raise RamifyError(f"duplicate parameter '{key}' of OpenSpiel game '{call.name}'")
        kind = type(defaults[key])
        if kind is int and type(value) is int and abs(value) > MAX_INTEGER:
            raise RamifyError(
                f"parameter '{key}' of OpenSpiel game '{call.name}' must be at most {MAX_INTEGER}, not {value}"
            )
        typed = _convert(kind, value)
        if typed is None:
            expected = TYPE_NAMES.get(kind, kind.__name__)
            raise RamifyError(
                f"parameter '{key}' of OpenSpiel game '{call.name}' must be {expected}, not {format_value(value)}"
            )
        given[key] = _check_call(spiel, typed) if isinstance(typed, Call) else typed
    return Call(call.name, tuple(sorted(given.items())))


def _convert(kind: type, value: Value) -> Value | None:
    """Convert a value to a parameter's type, or return None. OpenSpiel writes True, Ramify's grammar true."""
    if kind is bool and isinstance(value, Call):
        return {"True": True, "False": False}.get(str(value))
    if kind is float and type(value) is int:
        return float(value)
    if kind is str:
        return value if isinstance(value, str) else str(value) if isinstance(value, Call) else format_value(value)
    fits = isinstance(value, Call) if kind is dict else type(value) is kind
    return value if fits else None


def _to_parameters(call: Call) -> dict[str, Any]:
    """Return the parameters as ``pyspiel.load_game`` expects them."""
    return {
        str(key): {"name": value.name, **_to_parameters(value)} if isinstance(value, Call) else value
        for key, value in call.arguments
    }


def _unsupported_reason(game: Any) -> str:
    """Return why a search cannot play the game, or an empty text."""
    kind = game.get_type()
    moves = max(game.num_distinct_actions(), game.max_chance_outcomes())
    finite = math.isfinite(game.min_utility()) and math.isfinite(game.max_utility())
    sampled = kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC
    reasons = {
        "it is a mean-field game": kind.dynamics == kind.Dynamics.MEAN_FIELD,
        "it has imperfect information": not _has_perfect_information(kind),
        "its chance outcomes are sampled, not listed (sampled stochastic)": sampled,
        "its actions are structs, not integers": getattr(kind, "action_structs_only", False),
        "its utilities are unbounded, so they cannot be scaled to [0, 1]": not finite,
        f"it has {moves} distinct moves, more than {MAX_MOVES}": moves > MAX_MOVES,
        "it has no moves": moves < 1,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _has_perfect_information(kind: Any) -> bool:
    """Whether only simultaneous choices are hidden: perfect information, or a simultaneous one-shot game."""
    if kind.information == kind.Information.ONE_SHOT:
        return bool(kind.dynamics == kind.Dynamics.SIMULTANEOUS)
    return bool(kind.information == kind.Information.PERFECT_INFORMATION)


class OpenSpielRules(PythonRules):
    """The rules of a ``pyspiel.Game``; a move's code is OpenSpiel's action."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.simultaneous = game.get_type().dynamics == game.get_type().Dynamics.SIMULTANEOUS
        self.has_chance = game.get_type().chance_mode != game.get_type().ChanceMode.DETERMINISTIC
        self.constant_sum = game.get_type().utility in (
            game.get_type().Utility.ZERO_SUM,
            game.get_type().Utility.CONSTANT_SUM,
        )
        self.players = game.num_players()
        self.low = game.min_utility()
        self.width = game.max_utility() - self.low
        # Every state is cloned from this one, which outlives them: states of morpion_solitaire 2.0.2 keep pointers into
        # the state they were first cloned from.
        self.first = game.new_initial_state()
        copy = self.first.clone()  # python_hangman 2.0.2 fails here: better while loading
        copy.legal_actions(0) if self.first.is_simultaneous_node() else copy.legal_actions()
        self.max_children = max(game.num_distinct_actions(), game.max_chance_outcomes())
        self.move_classes = game.num_distinct_actions()

    def start(self) -> Any:
        return self.first.clone()

    def clone(self, state: Any) -> Any:
        return state.clone()

    def over(self, state: Any) -> bool:
        return bool(state.is_terminal())

    def mover(self, state: Any) -> int:
        """Return the player to move, CHANCE or SIMULTANEOUS; OpenSpiel uses the same numbers."""
        return int(state.current_player())

    def legal(self, state: Any) -> list[int]:
        """Return the legal actions, ascending."""
        actions: list[int] = state.legal_actions()
        return actions

    def chance_outcomes(self, state: Any) -> list[tuple[int, float]]:
        """Return the chance outcomes with their probabilities."""
        outcomes: list[tuple[int, float]] = state.chance_outcomes()
        return outcomes

    def play(self, state: Any, code: int) -> None:
        state.apply_action(code)

    def legal_of(self, state: Any, player: int) -> list[int]:
        """Return the legal actions of one player; a player without any waits, which is action 0."""
        actions: list[int] = state.legal_actions(player)
        return actions or [0]

    def play_joint(self, state: Any, codes: Sequence[int]) -> None:
        state.apply_actions(list(codes))

    def scores(self, state: Any) -> list[float]:
        """Return the players' returns, scaled to [0, 1]; 1/2 if the game has only one possible return."""
        low, width = self.low, self.width
        if width <= 0.0:
            return [0.5] * self.players
        return [min(max((value - low) / width, 0.0), 1.0) for value in state.returns()]

    def name(self, state: Any, code: int) -> str:
        """Return OpenSpiel's name of an action; for simultaneous moves without the player, and without ``+``."""
        mover = state.current_player()
        if mover != SIMULTANEOUS:
            return str(state.action_to_string(mover, code))
        owner = next((player for player in range(self.players) if code in state.legal_actions(player)), 0)
        return PLAYER.sub("", str(state.action_to_string(owner, code))).replace(JOINT_SEPARATOR, "&")

    def draw(self, state: Any) -> str:
        return str(state)

    def key(self, state: Any) -> object:
        """Return OpenSpiel's text of the state and the player to move; the history does not count."""
        return state.current_player(), str(state)

    def playout(self, state: Any, random: PythonGenerator, limit: int) -> int:
        """Uniform playout. ``current_player`` returns both the mover and whether the game is over."""
        mover, legal, apply, below = state.current_player, state.legal_actions, state.apply_action, random.below
        plies = 0
        while (player := mover()) != TERMINAL:
            if plies == limit:
                return -1 - plies
            if player == SIMULTANEOUS:
                self.random_ply(state, random)
            elif player == CHANCE:
                apply(random.outcome(state.chance_outcomes()))
            else:
                actions = legal()
                apply(actions[below(len(actions))])
            plies += 1
        return plies
