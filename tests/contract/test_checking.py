"""One flaw at a time: the check finds it, names nothing else, and says in words what is wrong."""

import json

import pytest

import ramify
from ramify.contract.checking import check_game
from ramify.contract.parts import PARTS, Need, missing
from ramify.core.kernels.compiling import JIT
from tests.contract.broken import NIM_CLASS, SOUND, classes, compiled, made, plays, shapes, texts
from tests.trusting import trust_all

needs_compiler = pytest.mark.skipif(not JIT, reason="only compiled code shows it")


def found(broken, folder, severity="error", *, ran_compiled=False, plies=300):
    patience = 0.5 if broken.rule == "stuck" else 30.0
    checked = check_game(broken.write(folder), plays=4, plies=plies, timeout=patience)
    assert [finding.rule for finding in checked.findings] == [broken.rule], str(checked)
    (finding,) = checked.findings
    assert broken.words in finding.sentence
    assert finding.severity == severity
    assert "\n" not in finding.sentence
    assert finding.sentence in str(checked)
    assert checked.ok == (severity == "warning")
    assert ("compiled functions" in checked.counts) == ran_compiled
    json.dumps(checked.to_dict())
    return finding


def by_name(broken):
    return broken.name


@pytest.mark.parametrize("broken", [*shapes.FLAWS, *plays.FLAWS, *texts.FLAWS, *made.FLAWS], ids=by_name)
def test_flaw_that_needs_no_compiler(broken, tmp_path):
    found(broken, tmp_path)


@needs_compiler
@pytest.mark.parametrize("broken", [*compiled.FLAWS, *made.COMPILED], ids=by_name)
def test_flaw_in_compiled_code(broken, tmp_path):
    found(broken, tmp_path, ran_compiled=True)


@needs_compiler
def test_play_without_end_in_compiled_code(tmp_path):
    found(compiled.ENDLESS, tmp_path, ran_compiled=True, plies=1000)


@pytest.mark.parametrize("broken", classes.FLAWS, ids=by_name)
def test_flaw_of_a_class(broken, tmp_path):
    found(broken, tmp_path)


@pytest.mark.parametrize("broken", classes.WARNINGS, ids=by_name)
def test_warning_for_a_class(broken, tmp_path):
    found(broken, tmp_path, "warning")


def test_owners_are_for_moves_made_once(tmp_path):
    source = SOUND.read_text(encoding="utf-8").replace(
        '("taken", np.uint8)', '("taken", np.uint8), ("by", np.int8, (3,))'
    )
    source = source.replace(
        "    state.last = move\n", "    state.last = move\n    state.by[move - 1] = 1 + state.turn\n"
    )
    path = tmp_path / "repeated.py"
    path.write_text(source.replace("def playout(", "def to_the_end(") + made.SHOWN, encoding="utf-8")
    (finding,) = (one for one in check_game(path, plays=4).findings if one.rule == "owners")
    assert "was made twice in a game; owners is for games where a move can be made only once" in finding.sentence


def test_where_a_flaw_was_seen_can_be_played_again(tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    broken = next(flaw for flaw in plays.FLAWS if flaw.name == "score")
    path = broken.write(tmp_path)
    first, second = (check_game(path, seed=5).findings[0] for _ in range(2))
    assert first == second
    assert (first.where.seed, first.where.ply) == (5, len(first.where.moves))
    state = ramify.load(str(path)).initial()
    for code in first.where.moves:
        state = state.play(f"take{code}")
    assert state.over
    with pytest.raises(ramify.RamifyError, match=r"score 100\.0 of player"):
        state.scores()


def test_all_missing_names_are_told_at_once(tmp_path):
    path = tmp_path / "empty.py"
    path.write_text("", encoding="utf-8")
    (finding,) = check_game(path).findings
    for part in PARTS:
        if part.need in (Need.ALWAYS, Need.SINGLE_MOVER):
            assert part.signature in finding.sentence
    assert missing({part.name for part in PARTS}) == []


def test_bad_input_is_no_finding():
    with pytest.raises(ramify.RamifyError, match="there is no file"):
        check_game("./nowhere.py")
    with pytest.raises(ramify.RamifyError, match="there is no game"):
        check_game("nowhere")
    with pytest.raises(ramify.RamifyError, match="take away needs"):
        check_game(f"{SOUND}(beans=99)")


def test_games_that_are_already_loaded():
    assert check_game(ramify.load(str(NIM_CLASS)), plays=2).kind == "class"
    checked = check_game(ramify.load(f"{SOUND}(beans=5)"), plays=2)
    assert checked.kind == "compiled"
    assert not checked.findings
    assert "beans=5" in checked.game
