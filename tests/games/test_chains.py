"""The helper that keeps chains, by the numbers of legal positions that J. Tromp and G. Farnebäck published in 2007."""

import pytest

from ramify.games import nogo
from ramify.games.boards.chains import chain_without_liberties, place
from tests.games.driving import Table


def boards(table, point, colours):
    """Every board with stones from ``point`` on; the first stone is one of ``colours``."""
    if point == table.rules.points:
        yield table
        return
    yield from boards(table, point + 1, colours)
    for colour in colours:
        more = table.copy()
        place(more.rules, more.state, point, colour)
        yield from boards(more, point + 1, (1, 2))


@pytest.mark.parametrize(("size", "positions"), [(2, 57), (3, 12675)])
def test_the_number_of_boards_on_which_every_chain_has_a_liberty(size, positions):
    """Boards come in pairs of swapped colours, but for the empty one."""
    table = Table(nogo, size=size)
    found = sum(chain_without_liberties(board.rules, board.state) < 0 for board in boards(table, 0, (1,)))
    assert 2 * (found - 1) + 1 == positions
