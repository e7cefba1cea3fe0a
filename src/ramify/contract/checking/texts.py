"""What people see and type: names of moves, drawings, positions as text."""

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

MUTATIONS, MUTATIONS_PER_TEXT = (
    600,
    300,
)  # texts that nobody wrote, read to see what happens; so many from one that somebody did
MAX_MOVES = 10_000  # listed in those positions, after which it is enough
NONSENSE = ("", " ", "?", "moves", "\u2654", "1" * 40, "x y z", "-1", "/", "()")


def check_names(book: GameProbe, notes: FindingLog, step: Step) -> None:
    """Refuse names that do not say which move is meant."""
    for moves in step.look.moves:
        seen: dict[str, int] = {}
        for move, name in zip(moves, book.names(step.data, moves), strict=True):
            notes.counts["names"] += 1
            if not isinstance(name, str):
                raise ContractViolation(
                    "name", f"move_name calls the move {book.move_text(move)} {name!r}; it must return text"
                )
            if not name or any(letter.isspace() for letter in name):
                raise ContractViolation(
                    "name",
                    f"the move {book.move_text(move)} is called '{name}'; a name has letters and no blanks, because"
                    " blanks separate moves (move_name)",
                )
            if step.look.mover == SIMULTANEOUS and JOINT_SEPARATOR in name:
                raise ContractViolation(
                    "name",
                    f"the move {book.move_text(move)} is called '{name}', but {JOINT_SEPARATOR} joins the moves of all players",
                )
            if name in seen:
                both = f"{book.move_text(seen[name])} and {book.move_text(move)}"
                raise ContractViolation(
                    "same-name",
                    f"the moves {both} are both called '{name}'; names must differ within a position (move_name)",
                )
            seen[name] = move


def check_drawing(book: GameProbe, step: Step) -> None:
    """Refuse a drawing that is no text."""
    drawing = book.drawing(step.data)
    if not isinstance(drawing, str) or not drawing.strip():
        raise ContractViolation("drawing", f"draw returned {drawing!r}; it must return text")


def check_written(book: PlainProbe, notes: FindingLog, step: Step) -> str:
    """The position as text, which must read back as the same bytes."""
    text = book.ask("write", step.data)
    notes.counts["texts"] += 1
    if not isinstance(text, str) or not text.strip() or "\n" in text or text.split()[0] == "moves":
        raise ContractViolation(
            "write",
            f"write returned {text!r}; it must return one line of text that does not begin with the word 'moves'",
        )
    try:
        back = read(book, text)
    except RamifyError as error:
        raise ContractViolation("read-write", f"read refuses '{text}', which write gave: {error}") from None
    if back.tobytes() != step.data.tobytes():
        fields = [name for name in back.dtype.names or () if back[name].tobytes() != step.data[name].tobytes()]
        raise ContractViolation(
            "read-write",
            f"read(write(state)) differs from the state in {', '.join(fields)}; the text of write must hold all of it",
        )
    return text


def read(book: PlainProbe, text: str) -> Any:
    """The position that a text means, read as ``CompiledGame.read`` does: into the initial position."""
    return book.change("read", book.game.start(), text)[1]


def check_reading(book: PlainProbe, notes: FindingLog, texts: list[str], random: Random) -> None:
    """Read texts that nobody wrote; each must be refused with RamifyError, or mean a position one can play."""
    alphabet = sorted({letter for text in texts for letter in text} | {"?", "9", " "})
    some = texts[len(texts) // 2]
    endings = (some[:-1], some[1:], some + some, some[::-1], f"{some} {some}", *(some + letter for letter in alphabet))
    for text in (*NONSENSE, *endings):
        with notes.catching():
            try_reading(book, notes, text)
    # Climb to positions with ever more moves: a reader that takes any position soon has more than MAX_MOVES.
    listed = 0
    for number in range(MUTATIONS):
        if number % MUTATIONS_PER_TEXT == 0:
            base, most = random.choice(texts), 0
        if listed > MAX_MOVES:
            break
        text = mutated(base, alphabet, random)
        with notes.catching():
            moves = try_reading(book, notes, text)
            listed += moves or 0
            if moves is not None and moves >= most:
                base, most = text, moves


def mutated(text: str, alphabet: list[str], random: Random) -> str:
    """A text near another: a letter more, less, or exchanged, mostly for one that occurs."""
    at = random.randrange(len(text))
    kind = random.randrange(16)
    new = random.choice(alphabet if kind < 4 else text)
    return text[:at] + ("" if kind == 0 else new) + text[at + (kind != 1) :]


def try_reading(book: PlainProbe, notes: FindingLog, text: str) -> int | None:
    """How many moves the position has that a text means; None where it is refused."""
    notes.counts["texts"] += 1
    try:
        data = read(book, text)
    except RamifyError:
        return None
    except ContractViolation as flaw:
        raise ContractViolation(
            "read-crash", f"read('{text}') must raise RamifyError: {flaw.sentence}", line=flaw.line
        ) from None
    try:
        look = book.look(data)
        again = book.ask("write", data)
    except ContractViolation as flaw:
        raise ContractViolation(
            "read-garbage", f"read accepts '{text}', a position that cannot be played: {flaw.sentence}"
        ) from None
    if normalized(text) != normalized(str(again)):
        raise ContractViolation(
            "read-garbage", f"read accepts '{text}' and takes it for '{again}'; it must raise RamifyError"
        )
    return sum(map(len, look.moves))


def normalized(text: str) -> str:
    """A text without what a reader may forgive: case, blanks, and zeros before a number."""
    return "".join(re.sub(r"(?<!\d)0+(?=\d)", "", text.lower()).split())


def check_texts(book: PlainProbe, notes: FindingLog, plays: list[Play], positions: int) -> None:
    """Everything people see, at some positions of the plays, spread evenly."""
    places = [(play, ply) for play in plays for ply in range(len(play.steps))]
    chosen = np.unique(np.linspace(0, len(places) - 1, positions).astype(int))
    texts: list[str] = []
    for play, ply in (places[k] for k in chosen):
        step = play.steps[ply]
        with notes.catching(play.at(ply)):
            check_names(book, notes, step)
        with notes.catching(play.at(ply)):
            check_drawing(book, step)
        if hasattr(book.module, "write"):
            with notes.catching(play.at(ply)):
                texts.append(check_written(book, notes, step))
    if texts and not notes.failed:
        check_reading(book, notes, texts, Random(plays[0].seed))  # noqa: S311  (no secrets here)
