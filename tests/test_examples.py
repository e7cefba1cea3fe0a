"""The games under examples/, and what docs/games.md says about them."""

import re
from pathlib import Path

import pytest

import ramify
from ramify.contract.checking import check_game
from ramify.contract.parts import PARTS
from ramify.contract.registry import import_file
from ramify.core.kernels.compiling import JIT
from tests.images import on_the_border

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "examples" / "compare_strategies.py"
NIM, NIM_CLASS = ROOT / "examples" / "nim.py", ROOT / "examples" / "nim_class.py"
AT_ONCE = ROOT / "examples" / "weighted_rps.py"
PAGE = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")

# Slips in nim.py whose sentences the page shows; the last shows only when it is compiled.
SLIPS = [
    ("def scores(", "def score("),
    ("    state.turn = 1 - state.turn", "    state.trun = 1 - state.turn"),
    ("return int(rules.heaps * rules.beans)", "return int(rules.heaps * rules.beans) - 1"),
    ("    out[1 - state.turn] = 1.0", "    out[1 - state.turn] = 10.0"),
    ('+ f" {state.turn}"', ""),
    ("    left = 0", "    left = 0 * int(rules.heaps).bit_count()"),
]


def sentence(slip, folder):
    """What the check says about a slip."""
    source = NIM.read_text(encoding="utf-8")
    assert slip[0] in source
    path = folder / "slip.py"
    path.write_text(source.replace(*slip, 1), encoding="utf-8")
    (finding,) = check_game(path, plays=3).findings
    return str(finding)


@pytest.mark.parametrize("file", [NIM, NIM_CLASS, AT_ONCE], ids=lambda file: file.name)
def test_example_keeps_the_contract(file):
    checked = check_game(file)
    assert not checked.findings, str(checked)


@pytest.mark.parametrize("file", [NIM, NIM_CLASS], ids=lambda file: file.name)
def test_example_is_searched(file):
    state = ramify.load(f"{file}(heaps=3, beans=4)").initial().play("a3").play("b2")
    report = ramify.search(state, simulations=8000, seed=1)
    assert report.move.name == "c1"  # 1, 2, 3 are left to the other
    assert report.value > 0.8


def test_the_page_shows_the_files_as_they_are():
    files = NIM.read_text(encoding="utf-8") + NIM_CLASS.read_text(encoding="utf-8")
    for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        if "def " in text:
            assert all(part.strip() in files for part in text.split("\n\n\n"))


def test_the_page_lists_every_part_of_the_contract():
    for part in PARTS:
        assert f"| `{part.signature}` | {part.need.value} | {part.description} |" in PAGE


@pytest.fixture
def demo(monkeypatch, tmp_path):
    """The module that `make demo` runs, as small as it can be."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shutil.which", lambda name: name)
    module = import_file(str(DEMO))
    for name, value in {"TRIALS": 4, "BUDGETS": [16, 64], "TABLED": (16, 64), "GAMES": 2, "SIMULATIONS": 20}.items():
        monkeypatch.setattr(module, name, value)
    return module


def test_the_demo_prints_a_table_that_fits_and_draws(demo, capsys):
    demo.main()
    text = capsys.readouterr().out
    assert all(len(line) <= 80 for line in text.splitlines())
    for name in demo.SEARCHES:
        numbers = r"-?[\d.]+ \[-?[\d.]+, -?[\d.]+\]"
        elo = r"[+-]\d+ \[[+-]\d+, [+-]\d+\]"
        assert re.search(rf"^{name} +{numbers} +{numbers} +{elo}$", text, re.MULTILINE)
    assert re.search(r"^next: \S*ramify match othello", text, re.MULTILINE)
    assert demo.PICTURE.stat().st_size > 10_000


def test_nothing_of_the_demos_picture_is_cut_off(demo, monkeypatch):
    """All texts of full length, and nothing on the border."""
    for name, value in {"TRIALS": 400, "GAMES": 60, "SIMULATIONS": 300}.items():
        monkeypatch.setattr(demo, name, value)
    shares = {(name, budget): (0.5, 0.4, 0.6) for name in demo.SEARCHES for budget in demo.BUDGETS}
    demo.draw(shares, dict.fromkeys(demo.SEARCHES, (-70.0, -105.0, 105.0)))
    assert not on_the_border(demo.PICTURE)


def test_the_readme_shows_the_table_of_the_demo(demo, capsys):
    """As wide and with the same lines, whatever the numbers."""
    nothing = dict.fromkeys(((name, budget) for name in demo.SEARCHES for budget in (64, 512)), (0.0, 0.0, 0.0))
    demo.TABLED, demo.TRIALS, demo.GAMES, demo.SIMULATIONS = (64, 512), 400, 60, 300
    demo.show(nothing, dict.fromkeys(demo.SEARCHES, (0.0, 0.0, 0.0)))
    printed = capsys.readouterr().out.splitlines()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^```\n( +share of best moves.*?)```", readme, re.DOTALL | re.MULTILINE)[1].splitlines()
    assert [line[:21] for line in shown] == [line[:21] for line in printed]
    assert [*shown[:2], shown[-1]] == [*printed[:2], printed[-1]]


@pytest.mark.parametrize("slip", SLIPS if JIT else SLIPS[:-1], ids=lambda slip: slip[0].split()[0])
def test_the_page_shows_what_the_check_says(slip, tmp_path):
    assert sentence(slip, tmp_path) in PAGE
