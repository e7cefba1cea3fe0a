"""Games in files whose names are not identifiers."""

import shutil

import ramify
from tests.processes import ROOT
from tests.trusting import trust_all


def test_a_file_may_have_any_name(tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    file = tmp_path / f"2048-é{150 * 'x'}.py"
    shutil.copy(ROOT / "examples" / "nim.py", file)
    start = ramify.load(str(file)).initial()
    assert ramify.search(start, simulations=20, seed=1).simulations == 20
