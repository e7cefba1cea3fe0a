"""What a work is called in stored runs does not depend on names in Python, unless a class declares nothing."""

from dataclasses import dataclass, field, fields
from typing import ClassVar, NamedTuple

import pytest

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.framework.digest_keys import digest_key
from ramify.experiments.framework.registry import experiments
from ramify.experiments.framework.work import Work
from ramify.experiments.trials.paired_games import PairedGames, WinLossGames
from ramify.experiments.trials.position import PositionTrials


@dataclass(frozen=True)
class Inner:
    stored_form: ClassVar[str] = "Part(size, limits)"

    renamed: float
    bounds: PlayerLimits


@dataclass(frozen=True)
class Outer(Work):
    stored_form = "Trials(game, parts, last)"

    other_word: str
    inner: tuple[Inner, ...]
    number: int | None = None

    def run(self, seed, first, count):
        return {}


def test_stored_names_are_not_those_of_python():
    key = "Part(size=0.5, limits=Limits(simulations=7, seconds=None, calls=None, clock=None))"
    part = Inner(0.5, PlayerLimits(7))
    assert digest_key(Outer("hex", (part,))) == f"Trials(game='hex', parts=({key},), last=None)"
    assert digest_key(Outer("hex", (part, part), 3)) == f"Trials(game='hex', parts=({key}, {key}), last=3)"


def test_a_renamed_class_keeps_its_key():
    @dataclass(frozen=True)
    class Renamed(PairedGames):
        stored_form = WinLossGames.stored_form

    given = ("hex", "uct", "rave", PlayerLimits(5), PlayerLimits(seconds=0.5), 2, ("", "a1"))
    assert digest_key(Renamed(*given)) == digest_key(WinLossGames(*given))
    assert digest_key(WinLossGames(*given)) != digest_key(PairedGames(*given))


def test_a_form_must_name_every_field():
    @dataclass(frozen=True)
    class Longer(PositionTrials):
        stored_form = PositionTrials.stored_form

        more: int = 0

    with pytest.raises(ValueError, match="argument 2 is shorter"):
        digest_key(Longer("hex", "", "uct", ("a1",), (4,)))


def test_every_work_of_ours_declares_its_form():
    """And so does what stands in their fields."""
    kinds, waiting = set(), [one.work for found in experiments().values() for one in found.points_of("smoke")]
    while waiting:
        one = waiting.pop()
        if hasattr(type(one), "__dataclass_fields__"):
            kinds.add(type(one))
            waiting += [getattr(one, part.name) for part in fields(one)]
    assert {"PairedGames", "SwitchTrials", "Constants", "PlayerLimits"} <= {kind.__name__ for kind in kinds}
    undeclared = {kind for kind in kinds if "stored_form" not in vars(kind) and "digest_key" not in vars(kind)}
    assert not undeclared


class Pair(NamedTuple):
    limits: PlayerLimits
    number: float


@dataclass(frozen=True)
class Users:
    name: str
    limits: PlayerLimits | None = None
    pairs: tuple = ()
    hidden: int = field(default=3, repr=False)


@dataclass(frozen=True)
class UsersTrials(PositionTrials):
    extra: Users | None = None


@dataclass(frozen=True, repr=False)
class PrintedAsItsParent(UsersTrials):
    more: int = 0


class Plain(Users):
    pass


@dataclass(frozen=True)
class Printed:
    limits: PlayerLimits

    def __repr__(self):
        return f"I have {self.limits}: {self.limits!r}"


@pytest.mark.parametrize(
    "value",
    [
        Users("it's", PlayerLimits(5), ((), (1,), (PlayerLimits(clock=2.0), 2.5))),
        Users("a", pairs=(Pair(PlayerLimits(5), 0.1), frozenset({1}))),
        UsersTrials("hex", "", "uct", ("a1",), (4, 8), True, Users("b", PlayerLimits(seconds=1))),
        PrintedAsItsParent("hex", "", "uct", ("a1",), (4, 8)),
        Plain("c", PlayerLimits(6)),
        Printed(PlayerLimits(5)),
        (Users("d", pairs=(Printed(PlayerLimits(8)),)),),
    ],
    ids=lambda value: type(value).__name__,
)
def test_users_classes_are_stored_as_before(value):
    """When digests were made of what Python prints."""
    assert digest_key(value) == repr(value).replace("SideLimits(", "Limits(")
