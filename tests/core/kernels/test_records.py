"""Records of plain Python beside NumPy's own."""

import numpy as np
import pytest

from ramify.core.kernels.records import record_type

INNER = np.dtype([("x", np.uint64), ("y", np.float32, 2)])
OUTER = np.dtype([("turn", np.int8), ("cells", np.uint8, (2, 3)), ("one", INNER), ("two", INNER, 2)])


@pytest.fixture
def pair():
    """The same array twice, filled with bytes: with our records and with NumPy's."""
    array = np.arange(OUTER.itemsize, dtype=np.uint8).view(OUTER)
    return array.view(record_type(OUTER))[0], array.copy().view(np.recarray)[0]


def test_fields_are_those_of_numpys_records(pair):
    ours, theirs = pair
    assert record_type(OUTER) == OUTER
    for ask in (
        lambda r: r.turn,
        lambda r: r.one.x,
        lambda r: r.two[1].x,
        lambda r: r.cells,
        lambda r: r.one.y,
        lambda r: r.two[0].y,
    ):
        assert type(ask(ours)) is type(ask(theirs))
        assert np.array_equal(ask(ours), ask(theirs))


def test_what_is_written_is_written_to_the_array(pair):
    for record in pair:
        record.turn = -3
        record.cells = 7
        record.cells[1] = [1, 2, 3]
        record.one.x = 2**64 - 1
        record.two[1].y[0] = 0.5
        record.two[0].y = record.two[1].y
    ours, theirs = pair
    assert ours.tobytes() == theirs.tobytes()


def test_there_are_no_other_fields(pair):
    ours, _ = pair
    with pytest.raises(AttributeError):
        _ = ours.tern
    with pytest.raises(AttributeError):
        ours.tern = 1


def test_layouts_with_gaps_stay():
    loose = np.dtype({"names": ["a", "b"], "formats": [np.uint8, np.int64], "offsets": [1, 8], "itemsize": 24})
    array = np.zeros(2, loose)
    array.view(record_type(loose))[1].b = 5
    assert array["b"].tolist() == [0, 5]
