"""Bare bandits for the selection policies of the tree, through the same compiled code; see docs/bandits.md."""

from ramify.bandits.allocations import spend
from ramify.bandits.bandit import Bandit, Task, bernoulli, boxes, gaussian, means_path, random_boxes
from ramify.bandits.runner import BanditResult, mean_and_interval, run
from ramify.old_names import old_attributes

__all__ = [
    "Bandit",
    "BanditResult",
    "Task",
    "bernoulli",
    "boxes",
    "gaussian",
    "mean_and_interval",
    "means_path",
    "random_boxes",
    "run",
    "spend",
]

__getattr__ = old_attributes(__name__)
