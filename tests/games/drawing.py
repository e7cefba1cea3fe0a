"""Many draws of a game's function that draws a move, compared with the weights that its moves should have."""

from collections import Counter

from ramify.contract.bind_kernels import binding_of
from ramify.core.numbers.rng import generator
from ramify.statistics.chi_square import chi_square_tail


def drawn(table, function, draws, seed=1):
    """How often each move, by name, is drawn by the compiled function."""
    kernel = binding_of(table.module, table.module.PLAYERS, 0).kernel(function)
    rng = generator(seed)
    addresses = [array.ctypes.data for array in (table.rules_array, table.state_array, rng)]
    names = {move: table.ask("move_name", move) for move in table.moves()}
    seen = Counter(kernel(*addresses) for _ in range(draws))
    assert set(seen) <= set(names)
    return Counter({names[move]: count for move, count in seen.items()})


def fits(counts, weights):
    """The probability of counts as far from the weights as these (chi-square); every name drawn must have a weight."""
    assert set(counts) <= {name for name, weight in weights.items() if weight > 0}
    draws, total = sum(counts.values()), sum(weights.values())
    expected = {name: draws * weight / total for name, weight in weights.items() if weight > 0}
    assert min(expected.values()) > 4  # or chi-square means little
    square = sum((counts[name] - mean) ** 2 / mean for name, mean in expected.items())
    return chi_square_tail(square, len(expected) - 1) if len(expected) > 1 else 1.0
