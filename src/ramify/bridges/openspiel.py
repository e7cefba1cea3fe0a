"""Games of OpenSpiel (``pip install "ramify[openspiel]"``): ``openspiel:breakthrough(rows=6, columns=6)``.

Every game of OpenSpiel whose players take turns or move at once and see everything, chance having explicit outcomes,
for any number of players. Results are what ``returns()`` gives at the end, the sum of all rewards, brought to [0, 1]
by the game's ``min_utility`` and ``max_utility``; what lies outside counts as the bound (2048 can pass its own
maximum).
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
PLAYER = re.compile(r"^(\[P\d+\]|p\d+:)\s*")  # before the names of actions
MAX_MOVES = 1 << 20  # of one position; a tree keeps this much room free

KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text", dict: "a game"}


def load(text: str) -> Game:
    """The game that ``text``, in our grammar or in OpenSpiel's own spelling, names."""
    spiel = pyspiel()
    call = _checked(spiel, _read(spiel, text))
    return _made(str(call), lambda: spiel.load_game(call.name, _plain(call)))


def game_of(spiel_game: Any) -> Game:
    """The game that a ``pyspiel.Game`` is."""
    return _made(str(spiel_game), lambda: spiel_game)


def _made(name: str, make: Callable[[], Any]) -> Game:
    try:
        game = make()
        reason = _unsupported_reason(game)
        rules = None if reason else OpenSpielRules(game)
    except Exception as error:  # C++ exceptions come as any of Python's
        reason = re.sub(r"^\S+\.(cc|h):\d+ ", "", " ".join(str(error).split()))  # where in its sources
        raise RamifyError(f"OpenSpiel cannot make '{name}': {reason}") from error
    if rules is None:
        raise RamifyError(f"openspiel:{name} cannot be searched: {reason}")
    return PythonGame(f"openspiel:{name}", rules)


def names() -> list[str]:
    """OpenSpiel's games that a search can play, as far as their kinds tell."""
    return sorted(
        kind.short_name
        for kind in pyspiel().registered_games()
        if kind.dynamics != kind.Dynamics.MEAN_FIELD
        and _sees_everything(kind)
        and kind.chance_mode != kind.ChanceMode.SAMPLED_STOCHASTIC
    )


def pyspiel() -> ModuleType:
    """OpenSpiel's Python module."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError as error:
        raise RamifyError('OpenSpiel is not installed: pip install "ramify[openspiel]"') from error


def _read(spiel: ModuleType, text: str) -> Call:
    """Read ``text`` in our grammar, or else in OpenSpiel's: ``2048`` and ``nim(pile_sizes=1;3;5)`` are not in ours."""
    try:
        return parse(text)
    except RamifyError as error:
        name, bracket, rest = text.strip().partition("(")
        if not name or (bracket and not rest.endswith(")")) or rest.count("(") != rest.count(")") - len(bracket):
            raise
        try:
            return _call(spiel.game_parameters_from_string(text.strip()))
        except (spiel.SpielError, KeyError):
            raise error from None


def _call(parameters: Mapping[str, Any]) -> Call:
    given = {key.strip(): value for key, value in parameters.items()}
    name = str(given.pop("name")).strip()
    return Call(name, tuple((key, _call(v) if isinstance(v, Mapping) else v) for key, v in given.items()))


def _checked(spiel: ModuleType, call: Call) -> Call:
    """The call with every name known and every value of its parameter's type; the parameters by name."""
    if call.name.startswith("python_"):
        importlib.import_module("open_spiel.python.games")  # registers those that are written in Python
    known = {kind.short_name: kind for kind in spiel.registered_games()}
    if call.name not in known:
        hint = suggestion(call.name, known, "`ramify games --openspiel` lists those that can be searched")
        raise RamifyError(f"OpenSpiel has no game '{call.name}'; {hint}")
    defaults = known[call.name].parameter_specification
    given: dict[str, Value] = {}
    for key, value in call.arguments:
        if key is None:
            names = ", ".join(defaults) or "none"
            raise RamifyError(f"parameters of OpenSpiel games have names; those of '{call.name}' are: {names}")
        if key not in defaults:
            hint = suggestion(key, defaults) if defaults else "it takes none"
            raise RamifyError(f"OpenSpiel game '{call.name}' has no parameter '{key}'; {hint}")
        if key in given:
            raise RamifyError(f"OpenSpiel game '{call.name}' got '{key}' twice")
        kind = type(defaults[key])
        typed = _typed(kind, value)
        if typed is None:
            wanted = KINDS.get(kind, "something else")
            raise RamifyError(
                f"parameter '{key}' of OpenSpiel game '{call.name}' must be {wanted}, not {format_value(value)}"
            )
        given[key] = _checked(spiel, typed) if isinstance(typed, Call) else typed
    return Call(call.name, tuple(sorted(given.items())))


def _typed(kind: type, value: Value) -> Value | None:
    """The value as OpenSpiel wants it, or None; OpenSpiel writes True and our grammar true."""
    if kind is bool and isinstance(value, Call):
        return {"True": True, "False": False}.get(str(value))
    if kind is float and type(value) is int:
        return float(value)
    if kind is str:
        return value if isinstance(value, str) else str(value) if isinstance(value, Call) else format_value(value)
    fits = isinstance(value, Call) if kind is dict else type(value) is kind
    return value if fits else None


def _plain(call: Call) -> dict[str, Any]:
    """The parameters as ``pyspiel.load_game`` takes them."""
    return {
        str(key): {"name": value.name, **_plain(value)} if isinstance(value, Call) else value
        for key, value in call.arguments
    }


def _unsupported_reason(game: Any) -> str:
    """Why a search cannot play the game; empty when it can."""
    kind = game.get_type()
    most = max(game.num_distinct_actions(), game.max_chance_outcomes())
    finite = math.isfinite(game.min_utility()) and math.isfinite(game.max_utility())
    sampled = kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC
    reasons = {
        "it is a mean-field game": kind.dynamics == kind.Dynamics.MEAN_FIELD,
        "its players do not see everything (imperfect information)": not _sees_everything(kind),
        "chance acts inside its moves, with no outcomes to list (sampled stochastic)": sampled,
        "its moves are structures, not numbers": getattr(kind, "action_structs_only", False),
        "its results have no bounds, so they cannot be brought to [0, 1]": not finite,
        f"it has {most} different moves, more than {MAX_MOVES}": most > MAX_MOVES,
        "it has no moves": most < 1,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _sees_everything(kind: Any) -> bool:
    """Whether nothing is hidden but what others choose at the same time, which is all that one-shot games hide."""
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
        # Every state is copied from this one, which outlives them: those of morpion_solitaire 2.0.2 keep pointers into
        # the state from which they were copied first.
        self.first = game.new_initial_state()
        copy = self.first.clone()  # of python_hangman 2.0.2 they fail here, and so while it is loaded
        copy.legal_actions(0) if self.first.is_simultaneous_node() else copy.legal_actions()
        self.max_children = max(game.num_distinct_actions(), game.max_chance_outcomes())
        self.move_classes = game.num_distinct_actions()

    def start(self) -> Any:
        """A new initial state."""
        return self.first.clone()

    def clone(self, state: Any) -> Any:
        """An independent copy."""
        return state.clone()

    def over(self, state: Any) -> bool:
        """Whether the game has ended."""
        return bool(state.is_terminal())

    def mover(self, state: Any) -> int:
        """The player to move, CHANCE or SIMULTANEOUS: OpenSpiel's numbers are ours."""
        return int(state.current_player())

    def legal(self, state: Any) -> list[int]:
        """Legal actions, ascending."""
        actions: list[int] = state.legal_actions()
        return actions

    def chance_outcomes(self, state: Any) -> list[tuple[int, float]]:
        """Outcomes and probabilities where chance moves."""
        outcomes: list[tuple[int, float]] = state.chance_outcomes()
        return outcomes

    def play(self, state: Any, code: int) -> None:
        """Apply an action."""
        state.apply_action(code)

    def legal_of(self, state: Any, player: int) -> list[int]:
        """Legal actions of one player; one who has none waits, which is action 0."""
        actions: list[int] = state.legal_actions(player)
        return actions or [0]

    def play_joint(self, state: Any, codes: Sequence[int]) -> None:
        """Apply everybody's actions."""
        state.apply_actions(list(codes))

    def scores(self, state: Any) -> list[float]:
        """Returns, brought to [0, 1]; 1/2 where the game has only one result."""
        low, width = self.low, self.width
        if width <= 0.0:
            return [0.5] * self.players
        return [min(max((value - low) / width, 0.0), 1.0) for value in state.returns()]

    def name(self, state: Any, code: int) -> str:
        """OpenSpiel's name of an action; without the player where everybody moves at once, and without our ``+``."""
        mover = state.current_player()
        if mover != SIMULTANEOUS:
            return str(state.action_to_string(mover, code))
        owner = next((player for player in range(self.players) if code in state.legal_actions(player)), 0)
        return PLAYER.sub("", str(state.action_to_string(owner, code))).replace(JOINT_SEPARATOR, "&")

    def draw(self, state: Any) -> str:
        """OpenSpiel's own text of the state."""
        return str(state)

    def key(self, state: Any) -> object:
        """The text of the state and who moves; how it was reached does not count."""
        return state.current_player(), str(state)

    def playout(self, state: Any, random: PythonGenerator, limit: int) -> int:
        """As in ``Rules``; one call says who moves and whether the game is over."""
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
