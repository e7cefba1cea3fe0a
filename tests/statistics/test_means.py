import numpy as np
import pytest
from scipy.stats import norm

from ramify.statistics.means import mean_half_width
from tests import processes


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_interval_is_that_of_the_normal_distribution(confidence):
    variances = np.array([0.0, 0.25, 4.0])
    _, high = norm.interval(confidence, loc=0.0, scale=np.sqrt(variances[1:] / 50))
    assert mean_half_width(variances, 50, confidence) == pytest.approx([0.0, *high])
    assert float(mean_half_width(0.25, 400)) == pytest.approx(0.049, abs=1e-5)


def test_low_rooms_use_the_statistics_and_do_not_wait_for_scipy():
    code = "import sys, ramify, ramify.bandits, ramify.contract.checking; ramify.load('connect4'); ramify.agent('uct')"
    loaded = processes.run("-c", f"{code}; print('scipy.special' in sys.modules)")
    assert loaded.strip() == "False"
