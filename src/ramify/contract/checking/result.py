"""What a check found: findings as data, and as text for the terminal."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from ramify.old_names import old_members

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Location:
    """A line of the file, or a position of a random play: the same seed plays it again."""

    line: int | None = None
    seed: int | None = None
    play: int | None = None
    ply: int | None = None
    moves: tuple[str, ...] = ()  # from the start to the position

    def __str__(self) -> str:
        words = [] if self.line is None else [f"line {self.line}"]
        if self.seed is not None:
            words.append(f"seed {self.seed}, play {self.play}, ply {self.ply}")
        if self.moves:
            words.append(f"after move {self.moves[-1]}")
        return ", ".join(words)


class ContractViolation(Exception):  # noqa: N818  (an author's mistake, not an error of ours)
    """What is wrong and what would be right, in one sentence."""

    def __init__(self, rule: str, sentence: str, *, line: int | None = None, severity: Severity = "error") -> None:
        super().__init__(sentence)
        self.rule = rule
        self.sentence = sentence
        self.line = line
        self.severity = severity


@old_members(told="message")
@dataclass(frozen=True)
class Finding:
    """A flaw, where it was first seen, and how often."""

    severity: Severity  # an error makes the game unusable or its results wrong; a warning does not
    rule: str  # a short name, the same for the same kind of flaw
    sentence: str
    where: Location
    times: int = 1

    def message(self) -> str:
        """What is wrong, and where."""
        told = f"line {self.where.line}" in self.sentence
        where = str(replace(self.where, line=None) if told else self.where)
        return f"{self.sentence} [{where}]" if where else self.sentence

    def __str__(self) -> str:
        often = f" ({self.times} times)" if self.times > 1 else ""
        return f"{self.severity}: {self.message()}{often}"


@old_members(rows="to_dict", told="summary")
@dataclass(frozen=True)
class CheckResult:
    """What came out of any check."""

    findings: tuple[Finding, ...]
    counts: dict[str, int]  # what was looked at: plays, positions, texts, ...
    skipped: tuple[str, ...]  # what could not be looked at
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return all(finding.severity != "error" for finding in self.findings)

    def summary(self, name: str, otherwise: str) -> str:
        """A line a finding, the verdict, and what was not looked at."""
        seen = ", ".join(f"{number} {what}" for what, number in self.counts.items())
        verdict = f"{name}: {'no error' if self.ok else otherwise}; checked {seen or 'nothing'}"
        return "\n".join([*map(str, self.findings), verdict, *(f"not checked: {what}" for what in self.skipped)])

    def to_dict(self) -> dict[str, Any]:
        """The outcome as plain data, for JSON."""
        return {"ok": self.ok, **asdict(self)}


@dataclass(frozen=True)
class GameCheckResult(CheckResult):
    """The outcome of a check of a game."""

    game: str
    kind: str  # "compiled" or "class"

    def __str__(self) -> str:
        return self.summary(self.game, "not a game yet")


@dataclass
class FindingLog:
    """Collects findings; the same flaw is kept once, where it was first seen, and counted."""

    found: dict[tuple[str, int | None], Finding] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    skipped: list[str] = field(default_factory=list)

    def add(self, flaw: ContractViolation, where: Location | None = None) -> None:
        """Keep a flaw that was seen at ``where``."""
        place = replace(where or Location(), line=flaw.line)
        key = (flaw.rule, flaw.line)
        seen = self.found.get(key)
        if seen is None:
            self.found[key] = Finding(flaw.severity, flaw.rule, flaw.sentence, place)
        else:
            self.found[key] = replace(seen, times=seen.times + 1)

    def catching(self, where: Location | None = None) -> _Collect:
        """For ``with``: keep the flaw that ends the block."""
        return _Collect(self, where)

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(finding.severity == "error" for finding in self.found.values())


@dataclass
class _Collect:
    """Keeps the flaw that ends a block."""

    notes: FindingLog
    where: Location | None

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, ContractViolation):
            self.notes.add(error, self.where)
        return isinstance(error, ContractViolation)
