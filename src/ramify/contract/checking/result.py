"""Results of a check: findings as data, and as text for the terminal."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from ramify.old_names import old_members

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Location:
    """A line of the file, or a position of a random play; the same seed repeats the play."""

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
    """A violation of the contract: what is wrong and what is expected."""

    def __init__(self, rule: str, sentence: str, *, line: int | None = None, severity: Severity = "error") -> None:
        super().__init__(sentence)
        self.rule = rule
        self.sentence = sentence
        self.line = line
        self.severity = severity


@old_members(told="message")
@dataclass(frozen=True)
class Finding:
    """A violation, where it was first seen, and how often."""

    severity: Severity  # an error makes the game unusable or its results wrong
    rule: str  # short name of the kind of violation
    sentence: str
    where: Location
    times: int = 1

    def message(self) -> str:
        """Return the sentence with its location."""
        has_line = f"line {self.where.line}" in self.sentence
        where = str(replace(self.where, line=None) if has_line else self.where)
        return f"{self.sentence} [{where}]" if where else self.sentence

    def __str__(self) -> str:
        often = f" ({self.times} times)" if self.times > 1 else ""
        return f"{self.severity}: {self.message()}{often}"


@old_members(rows="to_dict", told="summary")
@dataclass(frozen=True)
class CheckResult:
    """Result of a check of a game or a policy."""

    findings: tuple[Finding, ...]
    counts: dict[str, int]  # what was checked: plays, positions, texts, ...
    skipped: tuple[str, ...]  # stages that did not run
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether there are no errors; warnings are allowed."""
        return all(finding.severity != "error" for finding in self.findings)

    def summary(self, name: str, otherwise: str) -> str:
        """Return one line per finding, the verdict, and the skipped stages."""
        seen = ", ".join(f"{number} {what}" for what, number in self.counts.items())
        verdict = f"{name}: {'no error' if self.ok else otherwise}; checked {seen or 'nothing'}"
        return "\n".join([*map(str, self.findings), verdict, *(f"not checked: {what}" for what in self.skipped)])

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, for JSON."""
        return {"ok": self.ok, **asdict(self)}


@dataclass(frozen=True)
class GameCheckResult(CheckResult):
    """Result of a check of a game."""

    game: str
    kind: str  # "compiled", "class", "game" or "unknown"

    def __str__(self) -> str:
        return self.summary(self.game, "not a game yet")


@dataclass
class FindingLog:
    """Collects findings. Repeated violations are counted and keep their first location."""

    found: dict[tuple[str, int | None], Finding] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    skipped: list[str] = field(default_factory=list)

    def add(self, violation: ContractViolation, where: Location | None = None) -> None:
        """Log a violation seen at ``where``."""
        place = replace(where or Location(), line=violation.line)
        key = (violation.rule, violation.line)
        seen = self.found.get(key)
        if seen is None:
            self.found[key] = Finding(violation.severity, violation.rule, violation.sentence, place)
        else:
            self.found[key] = replace(seen, times=seen.times + 1)

    def catching(self, where: Location | None = None) -> _Collect:
        """Return a context manager that logs the violation that ends its block."""
        return _Collect(self, where)

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(finding.severity == "error" for finding in self.found.values())


@dataclass
class _Collect:
    """Logs the violation that ends a block."""

    log: FindingLog
    where: Location | None

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, ContractViolation):
            self.log.add(error, self.where)
        return isinstance(error, ContractViolation)
