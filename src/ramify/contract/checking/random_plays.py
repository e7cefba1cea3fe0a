"""Random plays through a game, recorded, and repeated to compare."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from ramify.contract.checking.probes.probe import GameProbe, PositionFacts
from ramify.contract.checking.result import ContractViolation, FindingLog, Location
from ramify.core.search.tree import CHANCE

TYPES = (
    "the usual cause is a mix of integer types: make words of bits np.uint64 throughout and numbers np.int64"
    " (a uint8 wraps around in Python, but not compiled)"
)

ENDLESS_HINT = (
    "a random play had not ended after {plies} plies; every play must end, if need be by a rule that counts plies"
)


@dataclass
class Step:
    """A position of a play, what the rules say about it, and what was played."""

    data: Any
    look: PositionFacts
    chosen: tuple[int, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)  # answers that only some games give


@dataclass
class Play:
    """A random play; ``seed`` and ``number`` repeat it."""

    seed: int
    number: int
    steps: list[Step] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)

    @property
    def where(self) -> Location:
        """Where the play has come to."""
        return self.at(len(self.moves))

    def at(self, ply: int) -> Location:
        """One of its positions."""
        return Location(seed=self.seed, play=self.number, ply=ply, moves=tuple(self.moves[:ply]))

    @property
    def ended(self) -> bool:
        """Whether the game was over when the play stopped."""
        return bool(self.steps) and self.steps[-1].look.over


def random_play(book: GameProbe, notes: FindingLog, seed: int, number: int, plies: int) -> Play:
    """Play at random until the game is over, a flaw ends it, or ``plies`` are played."""
    play = Play(seed, number)
    random = Random(f"{seed} {number}")  # noqa: S311  (no secrets here)
    try:
        data = book.start()
        for _ in range(plies + 1):
            look = book.look(data)
            notes.counts["positions"] += 1
            step = Step(data, look)
            play.steps.append(step)
            if look.over or len(play.steps) > plies:
                break
            if look.mover == CHANCE:
                step.chosen = (random.choice([m for m, p in zip(look.moves[0], look.probabilities, strict=True) if p]),)
            else:
                step.chosen = tuple(random.choice(moves) for moves in look.moves)
            data = book.after(data, look, step.chosen)
            play.moves.append("+".join(book.move_text(move) for move in step.chosen))
    except ContractViolation as flaw:
        notes.add(flaw, play.where)
    notes.counts["plays"] += 1
    return play


def repeat(book: GameProbe, notes: FindingLog, play: Play, *, compiled: bool, plies: int | None = None) -> None:
    """Play the same moves again, the first ``plies`` of them, and note where anything differs."""
    ply = 0
    try:
        data = book.start()
        differ(book, "start", play.steps[0].data, data, compiled=compiled)
        for ply, step in enumerate(play.steps[:plies]):
            compare(book, step.look, book.look(data), compiled=compiled)
            if step.chosen and ply + 1 < len(play.steps):
                data = book.after(data, step.look, step.chosen)
                name = f"{'play' if len(step.chosen) == 1 else 'play_joint'}({play.moves[ply]})"
                differ(book, name, play.steps[ply + 1].data, data, compiled=compiled)
    except ContractViolation as flaw:
        notes.add(flaw, play.at(ply))


def compare(book: GameProbe, first: PositionFacts, second: PositionFacts, *, compiled: bool) -> None:
    """Refuse a second look at a position that differs from the first."""
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
            raise difference(book.asked.get(name, name), f"gives {shown(two)}", f"{shown(one)}", compiled=compiled)


def differ(book: GameProbe, name: str, first: Any, second: Any, *, compiled: bool) -> None:
    """Refuse a second position that differs from the first."""
    if book.fingerprint(first) != book.fingerprint(second):
        fields = (
            [field for field in first.dtype.names if first[field].tobytes() != second[field].tobytes()]
            if hasattr(first, "dtype")
            else []
        )
        if fields:
            at = fields[0]
            raise difference(name, f"makes {at} {shown(second[at][0])}", shown(first[at][0]), compiled=compiled)
        raise difference(name, "leads to another position", "not so", compiled=compiled)


def difference(name: str, second: str, first: str, *, compiled: bool) -> ContractViolation:
    """The flaw of two answers that should be the same."""
    if compiled:
        return ContractViolation("differs-compiled", f"{name} {second} compiled, but {first} as plain Python; {TYPES}")
    return ContractViolation(
        "not-repeatable",
        f"{name} {second} when the same moves are played again, but {first} the first time; the state must hold all"
        " that matters: no random numbers, no globals that change",
    )


def shown(value: Any) -> str:
    """An answer, not too long."""
    while isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    text = str(value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= 60 else text[:57] + "..."
