"""Rows in a repository: a run continues from them elsewhere, and what does not fit is not taken over."""

import json
import lzma
from pathlib import Path

import pytest

import ramify
from ramify.errors import RamifyError
from ramify.experiments.framework.packed_rows import read_packed
from ramify.experiments.framework.plan import ExperimentPlan
from ramify.experiments.framework.registry import experiment
from tests.experiments.framework.test_running import COINS, rows

PART = f"{COINS}:coins-bent"


def packed(folder):
    return folder / "coins-smoke.jsonl.xz"


def lines(folder):
    return [json.loads(line) for line in lzma.decompress(packed(folder).read_bytes()).splitlines()]


def test_a_run_continues_from_packed_rows(tmp_path):
    ramify.reproduce(PART, scale="smoke", out=tmp_path / "here", workers=0, results=tmp_path)
    header, *stored = lines(tmp_path)
    assert (header["experiment"], header["scale"], header["seed"]) == ("coins", "smoke", 1)
    assert len(stored) == 3
    calls = []
    result = ramify.reproduce(
        COINS, scale="smoke", out=tmp_path / "there", workers=0, results=tmp_path, progress=calls.append
    )
    assert result.complete
    assert calls[-1].played == 4
    assert len(lines(tmp_path)) == 1 + 7
    ramify.reproduce(COINS, scale="smoke", out=tmp_path / "undisturbed", workers=0)
    assert rows(tmp_path / "there" / "coins-smoke.db") == rows(tmp_path / "undisturbed" / "coins-smoke.db")


def test_packing_again_changes_nothing(tmp_path):
    ramify.reproduce(COINS, scale="smoke", workers=0, results=tmp_path)
    before = packed(tmp_path).read_bytes()
    calls = []
    ramify.reproduce(COINS, scale="smoke", workers=0, results=tmp_path, progress=calls.append)
    assert calls == []
    assert packed(tmp_path).read_bytes() == before


def test_rows_are_kept_when_a_run_fails(tmp_path):
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ramify.reproduce(COINS, scale="quick", workers=0, results=tmp_path, progress=stop)
    stored = lzma.decompress((tmp_path / "coins-quick.jsonl.xz").read_bytes()).splitlines()
    assert 1 < len(stored) < 60


def test_rows_of_changed_points_are_left_out_and_others_kept(tmp_path):
    ramify.reproduce(COINS, scale="smoke", workers=0, results=tmp_path)
    text = Path(COINS).read_text(encoding="utf-8")
    file = tmp_path / "coins.py"
    more = '        Point("new", Coin(0.1), trials=throws),\n    ]\n'
    file.write_text(text.replace("Coin(0.5)", "Coin(0.6)").replace("    ]\n", more, 1), encoding="utf-8")
    plan = ExperimentPlan.from_experiment(experiment(str(file)), "smoke")
    kept = read_packed(packed(tmp_path), plan)
    assert {record[1] for record in kept} == {"bent"}
    assert all(plan.contains(record) for record in kept)


def test_another_run_is_refused(tmp_path):
    ramify.reproduce(COINS, scale="smoke", workers=0, results=tmp_path)
    with pytest.raises(RamifyError, match="holds another run: its seed is 1, not 2"):
        ramify.reproduce(COINS, scale="smoke", seed=2, workers=0, results=tmp_path)


@pytest.mark.parametrize("data", [b"mine", lzma.compress(b"{}\n"), lzma.compress(b'{"format": "x"}')])
def test_a_users_file_is_kept(data, tmp_path):
    packed(tmp_path).write_bytes(data)
    with pytest.raises(RamifyError, match="nothing in it says that Ramify wrote it"):
        ramify.reproduce(COINS, scale="smoke", workers=0, results=tmp_path)
    assert packed(tmp_path).read_bytes() == data


def test_damage_is_named(tmp_path):
    ramify.reproduce(COINS, scale="smoke", workers=0, results=tmp_path)
    data = bytearray(packed(tmp_path).read_bytes())
    plan = ExperimentPlan.from_experiment(experiment(COINS), "smoke")
    for place in range(0, len(data), 7):
        damaged = bytes((*data[:place], data[place] ^ 4, *data[place + 1 :]))
        packed(tmp_path).write_bytes(damaged)
        with pytest.raises(RamifyError, match="is damaged, or holds no packed rows"):
            read_packed(packed(tmp_path), plan)
    packed(tmp_path).write_bytes(bytes(data[:-20]))
    with pytest.raises(RamifyError, match="is damaged, or holds no packed rows"):
        read_packed(packed(tmp_path), plan)
