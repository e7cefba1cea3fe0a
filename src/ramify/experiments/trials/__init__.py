"""Works that several papers' experiments use."""

from ramify.moved import moved_name


def __getattr__(name: str) -> object:
    return moved_name(__name__, name)
