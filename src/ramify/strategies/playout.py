"""Playouts: how a simulation goes on below the tree."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Uniform:
    """Every legal move is equally likely, until the game ends; after ``limit`` plies it is called a draw."""

    limit: int = 100_000


PLAYOUTS = {"uniform": Uniform}
