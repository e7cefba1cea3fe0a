"""Rewards: what a finished simulation is worth to each player."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """The game's own result in [0, 1]: loss 0, draw 1/2, win 1."""


REWARDS = {"score": Score}
