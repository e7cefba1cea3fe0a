"""Checks move names, drawings and position texts."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import numpy as np

from ramify.contract.checking.probes.probe import GameProbe
from ramify.contract.checking.probes.record_probe import PlainProbe
from ramify.contract.checking.random_plays import Play, Step
from ramify.contract.checking.result import ContractViolation, FindingLog
from ramify.contract.game import JOINT_SEPARATOR
from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError

MUTATIONS, MUTATIONS_PER_TEXT = 600, 300  # random changes of valid texts, in all and per valid text
MAX_MOVES = 10_000  # listed in the positions of mutated texts; then the test stops
NONSENSE = ("", " ", "?", "moves", "\u2654", "1" * 40, "x y z", "-1", "/", "()")


def check_names(probe: GameProbe, log: FindingLog, step: Step) -> None:
    """Raise if move names are invalid or ambiguous."""
    for moves in step.facts.moves:
        seen: dict[str, int] = {}
        for move, name in zip(moves, probe.names(step.data, moves), strict=True):
            log.counts["names"] += 1
            if not isinstance(name, str):
                raise ContractViolation(
                    "name", f"move_name returned {name!r} for move {probe.move_text(move)}; it must return a string"
                )
            if not name or any(letter.isspace() for letter in name):
                raise ContractViolation(
                    "name",
                    f"move {probe.move_text(move)} is called '{name}'; a name must not be empty or contain spaces,"
                    " which separate moves (move_name)",
                )
            if step.facts.mover == SIMULTANEOUS and JOINT_SEPARATOR in name:
                raise ContractViolation(
                    "name",
                    f"move {probe.move_text(move)} is called '{name}', but {JOINT_SEPARATOR} separates the moves"
                    " of a joint move",
                )
            if name in seen:
                both = f"{probe.move_text(seen[name])} and {probe.move_text(move)}"
                raise ContractViolation(
                    "same-name",
                    f"moves {both} are both called '{name}'; names must be unique in a position (move_name)",
                )
            seen[name] = move


def check_drawing(probe: GameProbe, step: Step) -> None:
    """Raise unless the drawing is a non-empty string."""
    drawing = probe.drawing(step.data)
    if not isinstance(drawing, str) or not drawing.strip():
        raise ContractViolation("drawing", f"draw returned {drawing!r}; it must return a non-empty string")


def check_written(probe: PlainProbe, log: FindingLog, step: Step) -> str:
    """Return the position as text. Raise unless ``read`` restores the same bytes."""
    text = probe.ask("write", step.data)
    log.counts["texts"] += 1
    if not isinstance(text, str) or not text.strip() or "\n" in text or text.split()[0] == "moves":
        raise ContractViolation(
            "write",
            f"write returned {text!r}; it must return one line that does not begin with the word 'moves'",
        )
    try:
        back = read(probe, text)
    except RamifyError as error:
        raise ContractViolation("read-write", f"read rejects '{text}', which write returned: {error}") from None
    if back.tobytes() != step.data.tobytes():
        fields = [name for name in back.dtype.names or () if back[name].tobytes() != step.data[name].tobytes()]
        raise ContractViolation(
            "read-write",
            f"read(write(state)) differs from the state in {', '.join(fields)}; the text must contain all of it",
        )
    return text


def read(probe: PlainProbe, text: str) -> Any:
    """Parse a position as ``CompiledGame.read`` does: ``read`` changes the initial position."""
    return probe.change("read", probe.game.start(), text)[1]


def check_reading(
    probe: PlainProbe, log: FindingLog, texts: list[str], random: Random, mutations: int = MUTATIONS
) -> None:
    """Read mutated texts. ``read`` must raise RamifyError, or return a playable position with that text."""
    alphabet = sorted({letter for text in texts for letter in text} | {"?", "9", " "})
    some = texts[len(texts) // 2]
    endings = (some[:-1], some[1:], some + some, some[::-1], f"{some} {some}", *(some + letter for letter in alphabet))
    for text in (*NONSENSE, *endings):
        with log.catching():
            try_reading(probe, log, text)
    # Prefer texts whose positions have more moves: a reader that accepts anything soon exceeds MAX_MOVES.
    listed = 0
    for number in range(mutations):
        if number % MUTATIONS_PER_TEXT == 0:
            base, most = random.choice(texts), 0
        if listed > MAX_MOVES:
            break
        text = mutated(base, alphabet, random)
        with log.catching():
            moves = try_reading(probe, log, text)
            listed += moves or 0
            if moves is not None and moves >= most:
                base, most = text, moves


def mutated(text: str, alphabet: list[str], random: Random) -> str:
    """Return ``text`` with one character inserted, removed or replaced, mostly by one that occurs in it."""
    at = random.randrange(len(text))
    kind = random.randrange(16)
    new = random.choice(alphabet if kind < 4 else text)
    return text[:at] + ("" if kind == 0 else new) + text[at + (kind != 1) :]


def try_reading(probe: PlainProbe, log: FindingLog, text: str) -> int | None:
    """Return the number of moves of the position that ``text`` describes, or None if ``read`` rejects it."""
    log.counts["texts"] += 1
    try:
        data = read(probe, text)
    except RamifyError:
        return None
    except ContractViolation as violation:
        raise ContractViolation(
            "read-crash", f"read('{text}') must raise RamifyError: {violation.sentence}", line=violation.line
        ) from None
    try:
        facts = probe.inspect(data)
        again = probe.ask("write", data)
    except ContractViolation as violation:
        raise ContractViolation(
            "read-garbage", f"read accepts '{text}', an unplayable position: {violation.sentence}"
        ) from None
    if normalized(text) != normalized(str(again)):
        raise ContractViolation("read-garbage", f"read accepts '{text}' as '{again}'; it must raise RamifyError")
    return sum(map(len, facts.moves))


def normalized(text: str) -> str:
    """Return a text without what a reader may ignore: case, spaces and leading zeros."""
    return "".join(re.sub(r"(?<!\d)0+(?=\d)", "", text.lower()).split())


def check_texts(probe: PlainProbe, log: FindingLog, plays: list[Play], positions: int) -> None:
    """Check names, drawings and texts at some positions of the plays, and what ``read`` makes of other texts."""
    texts = check_shown(probe, log, plays, positions)
    if texts and not log.failed:
        check_reading(probe, log, texts, Random(plays[0].seed))  # noqa: S311  (no secrets here)


def check_shown(probe: PlainProbe, log: FindingLog, plays: list[Play], positions: int) -> list[str]:
    """Check names at all positions of the plays, drawings and texts at some, spread evenly. Return the texts."""
    places = [(play, ply) for play in plays for ply in range(len(play.steps))]
    chosen = np.unique(np.linspace(0, len(places) - 1, positions).astype(int))
    texts: list[str] = []
    for play, ply in places:
        with log.catching(play.at(ply)):
            check_names(probe, log, play.steps[ply])
    for play, ply in (places[k] for k in chosen):
        step = play.steps[ply]
        with log.catching(play.at(ply)):
            check_drawing(probe, step)
        if hasattr(probe.module, "write"):
            with log.catching(play.at(ply)):
                texts.append(check_written(probe, log, step))
    return texts
