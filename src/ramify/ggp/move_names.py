"""How the moves of GDL games are called in Ramify: one word without blanks or +, as ``mark(1,2)`` for (mark 1 2)."""

from ramify.contract.game import JOINT_SEPARATOR
from ramify.ggp.kif import Term
from ramify.ggp.rules import arguments, relation

_ESCAPES = {ord("%"): "%25", ord(JOINT_SEPARATOR): f"%{ord(JOINT_SEPARATOR):02X}"}


def move_name(move: Term) -> str:
    """The name of a move; different moves have different names."""
    parts = ",".join(map(move_name, arguments(move)))
    return relation(move).translate(_ESCAPES) + (f"({parts})" if parts else "")
