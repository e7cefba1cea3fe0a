"""Games driven by hand: the plain functions of a module on records, and its compiled kernels on addresses."""

import copy

import numpy as np

from ramify.contract.bind_kernels import Binding
from ramify.contract.checked_kernels import NO_RULES
from ramify.contract.compiled_game import as_record
from ramify.core.numbers.rng import generator
from ramify.core.search.episode import episode_of


class Table:
    """A game with its parameters and one position, played by the names of moves."""

    def __init__(self, module, text=None, **parameters):
        self.module = module
        self.rules_array = np.zeros(1, getattr(module, "Rules", NO_RULES))
        self.state_array = np.zeros(1, module.State)
        self.rules = as_record(self.rules_array)
        self.state = as_record(self.state_array)
        if hasattr(module, "configure"):
            module.configure(self.rules, **parameters)
        module.start(self.rules, self.state)
        if text is not None:
            module.read(self.rules, self.state, text)

    def ask(self, function, *arguments):
        """Call one of the module's plain functions."""
        return getattr(self.module, function)(self.rules, self.state, *arguments)

    def capacity(self):
        most = self.module.max_moves(self.rules) if hasattr(self.module, "max_moves") else self.module.MAX_MOVES
        return max(most, getattr(self.module, "MAX_CHANCE_OUTCOMES", 0))

    def moves(self):
        found = np.zeros(self.capacity(), np.int64)
        return [int(move) for move in found[: self.ask("legal", found)]]

    def names(self):
        return {self.ask("move_name", move) for move in self.moves()}

    def play(self, *names):
        for name in names:
            self.ask("play", {self.ask("move_name", move): move for move in self.moves()}[name])
        return self

    def scores(self):
        out = np.full(self.module.PLAYERS, np.nan)
        self.ask("scores", out)
        return out.tolist()

    def text(self):
        return self.ask("write")

    def copy(self):
        twin = copy.copy(self)
        twin.state_array = self.state_array.copy()
        twin.state = as_record(twin.state_array)
        return twin

    def reread(self):
        """The same position through its text."""
        twin = self.copy()
        twin.state_array[:] = np.zeros(1, self.module.State)
        twin.ask("read", self.text())
        return twin


class Playouts:
    """Compiled playouts from a table's position; ``table`` is where the latest one ended."""

    def __init__(self, table, kernel, seed=1):
        binding = Binding(table.module, table.module.PLAYERS, table.capacity())
        self.kernel = binding.kernel(kernel)
        self.root = table.state_array.copy()
        self.table = table.copy()
        self.rng = generator(seed)
        self.moves = np.zeros(table.capacity(), np.int64)
        self.episode = episode_of(self.moves, self.rng, 10**6)
        arrays = (self.table.rules_array, self.table.state_array, self.episode)
        self.addresses = [array.ctypes.data for array in arrays]

    def __call__(self):
        """Play out once more; the number of plies."""
        self.table.state_array[:] = self.root
        return self.kernel(*self.addresses, 0)
