"""Broken games that nobody has checked: no engine plays them, whoever asks."""

import re

import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.agents.checking.survey import survey
from ramify.contract.checking import precheck, trusted_files
from ramify.core.kernels.compiling import JIT
from ramify.core.kernels.disk_cache import folder_for
from ramify.errors import BadMoveCountError
from tests.contract.broken import SOUND, classes, compiled, made, plays, shapes, texts
from tests.contract.broken.patience import patience_for
from tests.trusting import trust_all

needs_compiler = pytest.mark.skipif(not JIT, reason="only compiled code shows it")
HARMLESS = {"bad_refusal"}  # to a search
MISREAD = [flaw for flaw in texts.FLAWS if flaw.rule in {"read-crash", "read-garbage"}]  # matter to searches of texts
RARE = {"swapped"}  # only many plays show it
FLAWS = [
    *(
        one
        for one in (*shapes.FLAWS, *plays.FLAWS, *made.FLAWS, *classes.FLAWS, *texts.FLAWS)
        if one.name not in HARMLESS | RARE and one not in MISREAD
    ),
    *(pytest.param(one, marks=needs_compiler) for one in compiled.FLAWS if one.name not in RARE),
]


@pytest.fixture(autouse=True)
def patience(monkeypatch, request):
    monkeypatch.setattr(precheck, "CALL_TIMEOUT", patience_for(request))


@pytest.mark.parametrize("flaw", FLAWS, ids=lambda flaw: getattr(flaw, "name", None))
def test_no_search_starts(flaw, tmp_path):
    file = str(flaw.write(tmp_path))
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.search(ramify.load(file).initial(), simulations=100, seed=1)
    assert flaw.name in str(caught.value) or flaw.words in str(caught.value) or "99" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("flaw", MISREAD, ids=lambda flaw: flaw.name)
def test_a_game_that_misreads_texts_is_searched_only_without_them(flaw, tmp_path):
    game = ramify.load(str(flaw.write(tmp_path)))
    text = str(ramify.search(game.initial(), simulations=20, seed=1).position)
    with pytest.raises(ramify.RamifyError, match=re.escape(flaw.words)):
        game.position(text)


@pytest.mark.parametrize("what", [lambda state: perft(state, 2), lambda state: survey(state, 5), ramify.solve])
def test_nobody_else_plays_it(what, tmp_path):
    too_many = next(flaw for flaw in plays.FLAWS if flaw.name == "too_many")
    with pytest.raises(ramify.RamifyError, match=r"^\w+\.py: .*it writes more than the 2 that MAX_MOVES declares"):
        what(ramify.load(str(too_many.write(tmp_path))).initial())


def test_a_game_is_tried_once_and_again_when_its_file_changes(tmp_path, monkeypatch):
    tried = []
    short_plays = precheck.short_plays
    monkeypatch.setattr(precheck, "short_plays", lambda *a: tried.append(a) or short_plays(*a))
    path = tmp_path / "mine.py"
    for count, (text, beans) in enumerate(
        [("", 12), ("", 12), ("# changed\n", 12), ("# changed\n", 12), ("# changed\n", 9)], start=1
    ):
        path.write_text(SOUND.read_text(encoding="utf-8") + text, encoding="utf-8")
        trusted_files.clear()  # as another process
        ramify.search(ramify.load(f"{path}(beans={beans})").initial(), simulations=20, seed=1)
        assert len(tried) == [1, 1, 2, 2, 3][count - 1]


def test_a_damaged_mark_does_not_count(tmp_path, monkeypatch):
    """A mark says that a game was tried. An empty file, which a crash of the machine may leave, says nothing."""
    tried = []
    short_plays = precheck.short_plays
    monkeypatch.setattr(precheck, "short_plays", lambda *a: tried.append(a) or short_plays(*a))
    path = tmp_path / "mine.py"
    path.write_text(SOUND.read_text(encoding="utf-8"), encoding="utf-8")

    def search():
        trusted_files.clear()  # as another process
        ramify.search(ramify.load(str(path)).initial(), simulations=20, seed=1)
        return len(tried)

    assert search() == 1
    (mark,) = folder_for(str(path)).glob("*.passed")
    whole = mark.read_bytes()
    for count, damaged in enumerate((b"", bytes([whole[0] ^ 1]) + whole[1:]), start=2):
        mark.write_bytes(damaged)
        assert search() == count
        assert mark.read_bytes() == whole
        assert search() == count


def test_too_many_moves_far_from_the_start(tmp_path, monkeypatch):
    """What no trial meets is found where it happens."""
    trust_all(monkeypatch.setattr)
    text = SOUND.read_text(encoding="utf-8").replace(
        "    return count\n", "    return count + 3 if state.beans < 4 else count\n"
    )
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    state = ramify.load(str(path)).initial()
    with pytest.raises(BadMoveCountError, match=r"returned an invalid number of moves: expected at most 3;.*seed 5$"):
        ramify.search(state, simulations=500, seed=5)
    with pytest.raises(BadMoveCountError, match="has more moves than it declares"):
        perft(state, 9)
    with pytest.raises(BadMoveCountError, match="has more moves than it declares"):
        ramify.solve(state)
    late = ramify.load(f"{path}(beans=3)").initial()
    with pytest.raises(BadMoveCountError, match=r"legal\(\) in mine.py lists 6 moves, but the game declares at most 3"):
        late.moves()
