"""Works that experiments share: what one trial of a point does."""

from ramify.moved import moved_name


def __getattr__(name: str) -> object:
    return moved_name(__name__, name)
