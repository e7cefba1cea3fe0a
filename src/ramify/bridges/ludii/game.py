"""A game of Ludii as the engine and Python know games."""

from __future__ import annotations

from time import process_time
from typing import Any, Self

from ramify.bridges.ludii.jvm import java_class, start_jvm
from ramify.bridges.ludii.names import chosen, read
from ramify.bridges.ludii.rules import JavaPosition, LudiiPosition, LudiiRules
from ramify.contract.game import Game
from ramify.contract.python_game import PythonGame
from ramify.contract.python_rules import PythonGenerator
from ramify.errors import RamifyError
from ramify.grammar import format_value

WARM_SECONDS = 1.0
WARM_PLIES = 200  # of one playout
MAX_TREE_GAP = 16  # moves that a game may go on between two searches of one tree

UNSUPPORTED_REASONS = {
    "deduction": "it is a puzzle of deduction, which is solved and not played",
    "simulation": "it is a simulation, in which nobody moves",
    "simultaneous": "its players move at once",
    "hidden": "its players do not see everything (hidden information)",
    "match": "it is a match of several games",
}


class LudiiGame(PythonGame):
    """A game whose positions are in Java."""

    rules: LudiiRules

    def __init__(self, name: str, rules: LudiiRules) -> None:
        super().__init__(name, rules)
        self._warm = False
        self._root: tuple[JavaPosition, JavaPosition] | None = (
            None  # the position that is searched, and where its tree begins
        )

    def for_search(self) -> Self:
        """Another thread has another buffer."""
        return type(self)(self.name, self.rules.for_thread())

    def to_address(self, data: LudiiPosition, address: int) -> None:
        """The places that a search has met below the position stay known when the game goes on."""
        place = data.place
        self._root = place, self._kept(place) or place.copy()
        self._callbacks.objects[address] = LudiiPosition(self._root[1])

    def _kept(self, place: JavaPosition) -> JavaPosition | None:
        """The place in the tree of the last search, if the game went on there from its root."""
        if self._root is None:
            return None
        codes: list[int] = []
        at = place
        while at is not self._root[0]:
            if at.before is None or len(codes) == MAX_TREE_GAP:
                return None
            at, code = at.before
            codes.append(code)
        found: JavaPosition | None = self._root[1]
        for code in reversed(codes):
            found = found.children.get(code) if found else None
        return found

    def play(self, data: LudiiPosition, code: int) -> LudiiPosition:
        """A position that was played knows the one before; a search's tree does not hang on it."""
        after = self.rules.step(data.place, code)
        after.before = data.place, code
        return LudiiPosition(after)

    def warm(self, seconds: float = WARM_SECONDS) -> None:
        """Once, play out for so much processor time: Java compiles as it goes, and at first it is many times slower."""
        if self._warm:
            return
        self._warm = True
        end, start, generator = process_time() + seconds, self.start(), PythonGenerator(1)
        while process_time() < end:
            self.rules.playout(self.rules.clone(start), generator, WARM_PLIES)

    def swapped(self, data: LudiiPosition, seat: int) -> bool:
        """Whether a seat plays on with another's colour, by a pie rule or by a move that changes colours."""
        return self.rules.swapped(data, seat)


def load(text: str) -> Game:
    """The game that a text names, with its options."""
    entry, call = read(text)
    game = make_rules(entry.file, [])
    options = chosen(entry, call, [str(option) for option in game.options()]) if call.arguments else []
    if options:
        game = make_rules(entry.file, options)
    name = entry.name + (f"({', '.join(map(format_value, options))})" if options else "")
    reason = next((UNSUPPORTED_REASONS[kind] for kind in map(str, game.kinds()) if kind in UNSUPPORTED_REASONS), "")
    if reason:
        raise RamifyError(f"ludii:{name} cannot be searched: {reason}")
    return LudiiGame(f"ludii:{name}", LudiiRules(game))


def make_rules(file: str, options: list[str]) -> Any:
    """The rules in Java, made from a file in the jar."""
    rules = java_class("Rules")
    try:
        return rules(file, options)
    except start_jvm().JException as error:
        raise RamifyError(f"Ludii cannot make {file.rpartition('/')[2]}: {' '.join(str(error).split())}") from None
