"""What went wrong inside a search, with what it takes to see it again: the position and the seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ramify.contract.author_errors import AuthorError
from ramify.errors import BadChoiceError, BadMoveCountError, RamifyError

if TYPE_CHECKING:
    from ramify.agents.search.worker import Worker


def with_position(error: Exception, worker: Worker) -> Exception:
    """The exception with position and seed: in its sentence, or as a note where it is the author's own."""
    game = worker.game
    if isinstance(error, BadMoveCountError):
        most = game.max_children
        error = BadMoveCountError(f"{game.name} lists more moves than the {most} that it announces, or less than none")
    elif isinstance(error, BadChoiceError):
        names = dict.fromkeys(chosen.name for chosen in (worker.agent.select_root, worker.agent.select))
        error = BadChoiceError(
            f"the policy {' or '.join(names)} gives no index that is a number, or chooses an arm that is not there"
        )
    elif isinstance(error, RamifyError) and not isinstance(error, AuthorError):
        return error
    origin = f", searched from {game.one_line(worker.start.data)}" if worker.start.history else ""
    where = f"{_position(worker)}{origin}, seed {worker.seed}"
    if isinstance(error, RamifyError):
        error.args = (f"{error}; {where}",)
    else:
        error.add_note(where)
    return error


def _position(worker: Worker) -> str:
    try:
        return f"in the position {worker.position()}"
    except Exception:  # noqa: BLE001  (an author's function may fail again on a position that is half made)
        return f"below the position {worker.game.one_line(worker.start.data)}"
