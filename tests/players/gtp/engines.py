"""GTP engines: real ones, where they are installed; ours; recorded ones; and bad ones."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from ramify.grammar import Call

PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
GNUGO = shutil.which("gnugo", path=PLACES)
PACHI = os.environ.get("RAMIFY_PACHI")  # Debian's package of that name is a platform game
RECORDED = Path(__file__).parent / "recorded"

needs_gnugo = pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed: apt install gnugo")
needs_pachi = pytest.mark.skipif(PACHI is None, reason="no Pachi: set RAMIFY_PACHI to the Go engine's program")

# Chinese rules count area, and dead stones are taken off before it passes: what our rules count at the end.
GNUGO_OPTIONS = "--mode gtp --level 1 --chinese-rules --capture-all-dead --seed 1"

BAD = """
import sys, time

for line in sys.stdin:
    word = line.split()[0]
    if word == "genmove":
        {what}
    else:
        print("= \\n", flush=True)
"""


def gtp(*words, **parameters):
    """The text of an agent."""
    return str(Call("gtp", (("cmd", shlex.join(map(str, words))), *parameters.items())))


def gnugo(**parameters):
    return gtp(GNUGO, *GNUGO_OPTIONS.split(), **parameters)


def ours(game, simulations=20):
    """Our own engine, in a process."""
    return gtp(sys.executable, "-m", "ramify", "gtp", game, "--simulations", simulations, "--seed", 1, startup=120)


def recorded(name):
    """An engine that says what was recorded, if it is asked what was asked then."""
    return gtp(sys.executable, "-S", Path(__file__).parent / "reciting.py", RECORDED / name)


def bad(folder, what, **parameters):
    path = folder / "bad.py"
    path.write_text(BAD.format(what=what))
    return gtp(sys.executable, "-S", path, **parameters)
