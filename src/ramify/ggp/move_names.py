"""Names of moves in GDL games: one word without spaces or ``+``, e.g. ``mark(1,2)`` for (mark 1 2)."""

from ramify.contract.game import JOINT_SEPARATOR
from ramify.ggp.kif import Term
from ramify.ggp.rules import arguments, relation

_ESCAPES = {ord("%"): "%25", ord(JOINT_SEPARATOR): f"%{ord(JOINT_SEPARATOR):02X}"}


def move_name(move: Term) -> str:
    """Return the name of a move; distinct moves have distinct names."""
    parts = ",".join(map(move_name, arguments(move)))
    return relation(move).translate(_ESCAPES) + (f"({parts})" if parts else "")
