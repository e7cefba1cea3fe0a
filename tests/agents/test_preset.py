"""Presets by discovery: each is text that reads as an agent, and a new file is all that a new one takes."""

import importlib
import pkgutil

import pytest

import ramify
from ramify.agents import presets as folder
from ramify.agents.agent import expand_preset
from ramify.agents.preset import Preset, presets
from ramify.grammar import Call, parse

OWN = """
from ramify.agents.preset import Preset

PRESETS = (
    Preset(
        "toy(c=0.5, calm=false, below=ucb1)",
        "mcts(select_root={calm}, select={below}, recommend=max)",
        "a toy",
        {"calm": {"true": "ucb_sqrt", "false": "ucb1(c={c})"}},
        family="toys_*",
    ),
)
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A file more in the folder."""
    (tmp_path / "toys.py").write_text(OWN, encoding="utf-8")
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(tmp_path)])
    presets.cache_clear()
    yield
    presets.cache_clear()


@pytest.mark.parametrize("name", presets())
def test_every_preset(name):
    preset = presets()[name]
    assert parse(preset.signature).name == name
    assert preset.expand(Call(name)) == preset.expand(parse(preset.signature))  # its defaults, written out
    assert "{" not in str(preset.expand(Call(name)))
    assert str(ramify.agent(name)) == name
    for parameter, options in preset.choices.items():
        for option in options:
            assert ramify.agent(f"{name}({parameter}={option})").select
    assert preset.about
    assert "\n" not in preset.about


def test_no_name_stands_for_two_agents():
    files = [
        importlib.import_module(f"{folder.__name__}.{info.name}") for info in pkgutil.iter_modules(folder.__path__)
    ]
    assert len(files) >= 4
    assert sum(len(file.PRESETS) for file in files) == len(presets())


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("uct", "mcts(select=ucb1(c=0.7))"),
        ("uct(0.4)", "mcts(select=ucb1(c=0.4))"),
        ("fuego_sos(final=9)", "mcts(select=rave(final=9, c=0.7), recommend=max)"),
        ("sr_cr(root=ucb1(c=2), c=1)", "mcts(select_root=ucb1(c=2), select=ucb1(c=1))"),
        (
            "kilothon_uct(timing=bonus)",
            ("mcts(select=ucb1_parent, playout=uniform(limit=200), reuse=true, chance=open_loop, timing=bonus)"),
        ),
        ("tron_ucb_v(tuned=false)", "mcts(select=ucb_v(c=1.0, z=1.0), playout=heuristic, deviation=children)"),
        ("tron_moss(as_printed=true)", "mcts(select=moss(as_printed=true), playout=heuristic, deviation=children)"),
        (
            "tron_thompson(tuned=false)",
            "mcts(select=thompson(c1=1.0, c2=1.0, as_printed=false), playout=heuristic, deviation=children)",
        ),
        (
            "tron_random(playout=reckless)",
            "mcts(select=random, playout=reckless, deviation=children)",
        ),
        ("tron_pbbm(value=mean)", "mcts(select=pbbm(value=mean), playout=heuristic, deviation=children)"),
    ],
)
def test_what_a_preset_stands_for(text, full):
    assert str(expand_preset(parse(text))) == full


@pytest.mark.usefixtures("toy")
def test_a_file_in_the_folder_is_all_that_a_preset_takes():
    assert isinstance(presets()["toy"], Preset)
    assert str(expand_preset(parse("toy"))) == "mcts(select_root=ucb1(c=0.5), select=ucb1, recommend=max)"
    assert (
        str(expand_preset(parse("toy(calm=true, below=moss)")))
        == "mcts(select_root=ucb_sqrt, select=moss, recommend=max)"
    )
    assert ramify.agent("toy(c=0.25)").select_root.constants == (("c", 0.25),)
    with pytest.raises(ramify.RamifyError, match="'calm' must be true or false, not '7'"):
        ramify.agent("toy(calm=7)")
    with pytest.raises(ramify.RamifyError, match=r"expected one of cadiaplayer, .*sr_cr, toys_\*, tron_\*, uct"):
        ramify.agent("zzz")


def test_parameters_are_put_in_as_they_are():
    """A name that could not be read as text, such as a path with a space, reaches the agent unharmed."""
    (root, _) = expand_preset(Call("sr_cr", (("root", Call("./my dir/mine.py:rule")),))).arguments
    assert root == ("select_root", Call("./my dir/mine.py:rule"))
