import pytest

from ramify.games.breakthrough import breakthrough
from tests.games.driving import Playouts, Table

SMALL, WIDE = {"rows": 8, "columns": 8}, {"rows": 9, "columns": 8}


@pytest.mark.parametrize("shape", [SMALL, WIDE])
@pytest.mark.parametrize(
    ("far", "home", "lead"),
    [("w.......", "........", -2), ("w.......", "....wwww", 2), ("...w....", "wwwwwwww", 6)],
)
def test_quality_is_the_winners_lead_in_pawns(shape, far, home, lead):
    """White has reached the far row; black has three pawns left."""
    rows = [far, "bbb.....", *["........"] * (shape["rows"] - 3), home]
    table = Table(breakthrough, "/".join(rows) + " b", **shape)
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]
    assert table.ask("quality") == 0.5 + lead / 34


@pytest.mark.parametrize("shape", [SMALL, WIDE])
def test_quality_of_playouts_lies_between_0_and_1_and_is_seen_from_the_winner(shape):
    playouts = Playouts(Table(breakthrough, **shape), "uniform_playout", 3)
    leads = set()
    for _ in range(20):
        playouts()
        board = playouts.table.text().split()[0]
        white, black = board.count("w"), board.count("b")
        lead = white - black if playouts.table.scores()[0] == 1.0 else black - white
        assert playouts.table.ask("quality") == pytest.approx(0.5 + lead / 34)
        leads.add(lead)
    assert len(leads) > 3


def test_the_two_forms_of_the_board_offer_the_same_moves():
    """The lower rows of a board of nine rows look like one of eight while nobody is near the top."""
    rows = "......../..b...../.w.bb.../..ww..../......../w......./........ w"
    names = Table(breakthrough, "......../" + rows).names()
    assert names == Table(breakthrough, "......../......../" + rows, **WIDE).names()
    assert len(names) == 9


def test_columns_beyond_z_have_names_of_their_own():
    table = Table(breakthrough, rows=3, columns=30)
    assert len(table.names()) == len(table.moves()) == 3 * 30 - 2
    *_, columns = table.ask("draw").splitlines()
    assert {name[0] for name in table.names()} == set(columns.split())
