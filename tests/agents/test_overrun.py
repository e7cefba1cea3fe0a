import pytest

import ramify
from ramify.time_limits import Watch


@pytest.mark.parametrize("threads", [1, 2])
def test_time_limits_are_announced_to_who_watches(monkeypatch, threads):
    heard = []
    monkeypatch.setattr(Watch, "announce", heard.append)
    search = ramify.Search(ramify.load("nim").initial(), seed=1, threads=threads)
    search.run(ramify.Budget(simulations=50))
    assert heard == []
    search.run(ramify.Budget(simulations=50, seconds=20))
    assert heard == [20.0, 0.0]
    search.choose(ramify.Budget(seconds=0.001))
    assert heard[2:] == [0.001, 0.0]


def test_the_end_is_announced_after_an_error(monkeypatch):
    heard = []
    monkeypatch.setattr(Watch, "announce", heard.append)
    search = ramify.Search(ramify.load("nim").initial(), seed=1)

    def fail(_):
        raise KeyError

    with pytest.raises(KeyError):
        search.run(ramify.Budget(simulations=10**7, seconds=20), progress=fail)
    assert heard == [20.0, 0.0]
