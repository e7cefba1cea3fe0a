"""Random plays: recorded, and repeated for comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from ramify.contract.checking.probes.probe import GameProbe, PositionFacts
from ramify.contract.checking.result import ContractViolation, FindingLog, Location
from ramify.core.search.tree import CHANCE

TYPES = (
    "the usual cause is mixed integer types: make bitboards np.uint64 throughout and counters np.int64"
    " (a uint8 wraps around in Python, but not compiled)"
)

ENDLESS_HINT = "a random game had not ended after {plies} plies; every game must end, if necessary by a limit on plies"


@dataclass
class Step:
    """A position of a play, the facts about it, and the move played."""

    data: Any
    facts: PositionFacts
    chosen: tuple[int, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)  # answers of optional parts


@dataclass
class Play:
    """A random play; ``seed`` and ``number`` reproduce it."""

    seed: int
    number: int
    steps: list[Step] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)

    @property
    def where(self) -> Location:
        """The last position."""
        return self.at(len(self.moves))

    def at(self, ply: int) -> Location:
        """Return the location of the position after ``ply`` moves."""
        return Location(seed=self.seed, play=self.number, ply=ply, moves=tuple(self.moves[:ply]))

    @property
    def ended(self) -> bool:
        """Whether the play reached the end of the game."""
        return bool(self.steps) and self.steps[-1].facts.over


def random_play(probe: GameProbe, log: FindingLog, seed: int, number: int, plies: int) -> Play:
    """Play at random until the game is over, a violation occurs, or ``plies`` are played."""
    play = Play(seed, number)
    random = Random(f"{seed} {number}")  # noqa: S311  (no secrets here)
    try:
        data = probe.start()
        for _ in range(plies + 1):
            facts = probe.inspect(data)
            log.counts["positions"] += 1
            step = Step(data, facts)
            play.steps.append(step)
            if facts.over or len(play.steps) > plies:
                break
            if facts.mover == CHANCE:
                step.chosen = (
                    random.choice([m for m, p in zip(facts.moves[0], facts.probabilities, strict=True) if p]),
                )
            else:
                step.chosen = tuple(random.choice(moves) for moves in facts.moves)
            data = probe.after(data, facts, step.chosen)
            play.moves.append("+".join(probe.move_text(move) for move in step.chosen))
    except ContractViolation as violation:
        log.add(violation, play.where)
    log.counts["plays"] += 1
    return play


def repeat(probe: GameProbe, log: FindingLog, play: Play, *, compiled: bool, plies: int | None = None) -> None:
    """Repeat the first ``plies`` moves of a play, and log the first difference."""
    ply = 0
    try:
        data = probe.start()
        check_same_position(probe, "start", play.steps[0].data, data, compiled=compiled)
        for ply, step in enumerate(play.steps[:plies]):
            check_same_facts(probe, step.facts, probe.inspect(data), compiled=compiled)
            if step.chosen and ply + 1 < len(play.steps):
                data = probe.after(data, step.facts, step.chosen)
                name = f"{'play' if len(step.chosen) == 1 else 'play_joint'}({play.moves[ply]})"
                check_same_position(probe, name, play.steps[ply + 1].data, data, compiled=compiled)
    except ContractViolation as violation:
        log.add(violation, play.at(ply))


def check_same_facts(probe: GameProbe, first: PositionFacts, second: PositionFacts, *, compiled: bool) -> None:
    """Raise if the facts about a position differ."""
    lister = "chance_outcomes" if first.probabilities else "legal" if len(first.moves) == 1 else "legal_of"
    for what, name in (
        ("over", "over"),
        ("mover", "mover"),
        ("moves", lister),
        ("probabilities", "chance_outcomes"),
        ("scores", "scores"),
    ):
        one, two = getattr(first, what), getattr(second, what)
        if one != two:
            raise difference(
                probe.author_names.get(name, name), f"gives {shown(two)}", f"{shown(one)}", compiled=compiled
            )


def check_same_position(probe: GameProbe, name: str, first: Any, second: Any, *, compiled: bool) -> None:
    """Raise if two positions differ."""
    if probe.fingerprint(first) != probe.fingerprint(second):
        fields = (
            [field for field in first.dtype.names if first[field].tobytes() != second[field].tobytes()]
            if hasattr(first, "dtype")
            else []
        )
        if fields:
            at = fields[0]
            raise difference(name, f"makes {at} {shown(second[at][0])}", shown(first[at][0]), compiled=compiled)
        raise difference(name, "leads to another position", "not", compiled=compiled)


def difference(name: str, second: str, first: str, *, compiled: bool) -> ContractViolation:
    """Return the violation for two answers that should be equal."""
    if compiled:
        return ContractViolation("differs-compiled", f"{name} {second} compiled, but {first} as plain Python; {TYPES}")
    return ContractViolation(
        "not-repeatable",
        f"{name} {second} when the same moves are played again, but {first} the first time; the state must hold"
        " everything that matters: no random numbers, no mutable globals",
    )


def shown(value: Any) -> str:
    """Return an answer as text of at most 60 characters."""
    while isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    text = str(value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= 60 else text[:57] + "..."
