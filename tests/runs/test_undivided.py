import signal

import pytest

from ramify.runs.interrupts import deferring_sigint


@pytest.mark.usefixtures("ctrl_c")
def test_undivided_steps_are_done_before_ctrl_c_comes():
    done = []

    def both():
        with deferring_sigint():
            signal.raise_signal(signal.SIGINT)
            done.append(True)
        done.append(False)

    with pytest.raises(KeyboardInterrupt):
        both()
    assert done == [True]
    with deferring_sigint():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_where_nobody_handles_it_nothing_changes():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with deferring_sigint():
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    signal.signal(signal.SIGINT, before)
