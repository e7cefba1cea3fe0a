"""Runs on the disk know an experiment by the digest of its points: with another one they could not resume."""

import json
from pathlib import Path

import pytest

from ramify.experiments.framework.plan import ExperimentPlan
from ramify.experiments.framework.registry import experiment, experiments

STORED = json.loads(Path(__file__).with_name("points.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", list(STORED))
def test_points_have_the_digests_of_stored_runs(name):
    found = {
        scale: ExperimentPlan.from_experiment(experiment(name), scale).description()["points"] for scale in STORED[name]
    }
    assert found == STORED[name]


def test_every_experiment_is_recorded():
    """Record the digests of a new experiment in points.json when it is first released."""
    assert list(experiments()) == list(STORED)
