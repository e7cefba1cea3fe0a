"""A Ludii game as a ``Game``."""

from __future__ import annotations

from time import process_time
from typing import Any, Self

from ramify.bridges.ludii.jvm import java_class, start_jvm
from ramify.bridges.ludii.names import parse_name, resolve_options
from ramify.bridges.ludii.rules import JavaPosition, LudiiPosition, LudiiRules
from ramify.contract.game import Game
from ramify.contract.python_game import PythonGame
from ramify.contract.python_rules import PythonGenerator
from ramify.errors import RamifyError
from ramify.grammar import format_value

WARM_SECONDS = 1.0
WARM_PLIES = 200  # per playout
MAX_TREE_GAP = 16  # maximum number of moves between two searches that share a tree

UNSUPPORTED_REASONS = {
    "deduction": "it is a deduction puzzle",
    "simulation": "it is a simulation without players",
    "simultaneous": "it has simultaneous moves",
    "hidden": "it has hidden information",
    "match": "it is a match of several games",
}


class LudiiGame(PythonGame):
    """A game whose positions live in Java."""

    rules: LudiiRules

    def __init__(self, name: str, rules: LudiiRules) -> None:
        super().__init__(name, rules)
        self._warmed_up = False
        self._root: tuple[JavaPosition, JavaPosition] | None = (
            None  # the position being searched, and the root of its tree
        )

    def for_search(self) -> Self:
        """Return a copy with its own buffer, for another thread."""
        return type(self)(self.name, self.rules.for_thread())

    def to_address(self, data: LudiiPosition, address: int) -> None:
        """Store a root. Positions visited by earlier searches of this game are reused if it lies below their root."""
        node = data.node
        self._root = node, self._find_in_tree(node) or node.copy()
        self._callbacks.objects[address] = LudiiPosition(self._root[1])

    def _find_in_tree(self, node: JavaPosition) -> JavaPosition | None:
        """Return the node of a position in the tree of the last search, if the game continued from its root."""
        if self._root is None:
            return None
        codes: list[int] = []
        at = node
        while at is not self._root[0]:
            if at.previous is None or len(codes) == MAX_TREE_GAP:
                return None
            at, code = at.previous
            codes.append(code)
        found: JavaPosition | None = self._root[1]
        for code in reversed(codes):
            found = found.children.get(code) if found else None
        return found

    def play(self, data: LudiiPosition, code: int) -> LudiiPosition:
        """Make a move of the game. The new position links to the previous one but is not part of a search tree."""
        after = self.rules.step(data.node, code)
        after.previous = data.node, code
        return LudiiPosition(after)

    def warm(self, seconds: float = WARM_SECONDS) -> None:
        """Run playouts for ``seconds`` of processor time, once per game: Java is slow until its JIT has compiled."""
        if self._warmed_up:
            return
        self._warmed_up = True
        end, start, generator = process_time() + seconds, self.start(), PythonGenerator(1)
        while process_time() < end:
            self.rules.playout(self.rules.clone(start), generator, WARM_PLIES)

    def swapped(self, data: LudiiPosition, seat: int) -> bool:
        """Whether a seat now plays another seat's colour, after a pie rule or a move that swaps colours."""
        return self.rules.swapped(data, seat)


def load(text: str) -> Game:
    """Load a game with its options."""
    entry, call = parse_name(text)
    game = make_rules(entry.file, [])
    options = resolve_options(entry, call, [str(option) for option in game.options()]) if call.arguments else []
    if options:
        game = make_rules(entry.file, options)
    name = entry.name + (f"({', '.join(map(format_value, options))})" if options else "")
    reason = next((UNSUPPORTED_REASONS[kind] for kind in map(str, game.kinds()) if kind in UNSUPPORTED_REASONS), "")
    if reason:
        raise RamifyError(f"ludii:{name} is not supported: {reason}")
    return LudiiGame(f"ludii:{name}", LudiiRules(game))


def make_rules(file: str, options: list[str]) -> Any:
    """Compile a game from a file in the jar. Return its Java ``Rules``."""
    rules = java_class("Rules")
    try:
        return rules(file, options)
    except start_jvm().JException as error:
        raise RamifyError(f"Ludii cannot load {file.rpartition('/')[2]}: {' '.join(str(error).split())}") from None
