"""Adds the position and the seed to errors raised inside a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ramify.contract.author_errors import AuthorError, UnlocatedError
from ramify.contract.compiled_game import CompiledGame
from ramify.core.playouts.checked_playout import violation_text
from ramify.errors import (
    BadChoiceError,
    BadMoveCountError,
    BadPlayoutError,
    BadRewardError,
    GameViolationError,
    RamifyError,
)

if TYPE_CHECKING:
    from ramify.agents.search.worker import Worker


def with_position(error: Exception, worker: Worker) -> Exception:
    """Return the error with position and seed: in its message, or as a note if a user's code raised it."""
    game = worker.game
    if isinstance(error, UnlocatedError):
        error = _located(worker) or error
    if isinstance(error, BadMoveCountError):
        error = BadMoveCountError(
            f"{game.name} returned an invalid number of moves: expected at most {game.max_children}"
        )
    elif isinstance(error, BadChoiceError):
        names = dict.fromkeys(selection.name for selection in (worker.agent.select_root, worker.agent.select))
        error = BadChoiceError(f"the policy {' or '.join(names)} returned nan, or an arm that does not exist")
    elif isinstance(error, BadPlayoutError):
        error = BadPlayoutError(f"playout={worker.agent.playout.title()} {violation_text(worker.parts.playout.block)}")
    elif isinstance(error, BadRewardError):
        error = BadRewardError(f"reward={worker.agent.reward.title()} returned nan")
    elif isinstance(error, RamifyError) and not isinstance(error, AuthorError | UnlocatedError | GameViolationError):
        return error
    origin = f", searched from {game.one_line(worker.start.data)}" if worker.start.history else ""
    where = f"{_position(worker)}{origin}, seed {worker.seed}"
    if isinstance(error, RamifyError):
        error.args = (f"{error}; {where}",)
    else:
        error.add_note(where)
    return error


def _located(worker: Worker) -> AuthorError | None:
    """Return the error with its line, if the last position shows it."""
    return worker.game.error_at(worker.last_position()) if isinstance(worker.game, CompiledGame) else None


def _position(worker: Worker) -> str:
    try:
        return f"in the position {worker.position()}"
    except Exception:  # noqa: BLE001  (the game's code may fail again on an incomplete position)
        return f"below the position {worker.game.one_line(worker.start.data)}"
