"""All that is claimed of the study."""

from __future__ import annotations

from ramify.experiments.switches.basics import indiscriminate, plain
from ramify.experiments.switches.maxima import maxima
from ramify.experiments.switches.selective import exaggerated, lowered, raised, raised_shared

STATEMENTS = (*plain(), *indiscriminate(), *exaggerated(), *lowered(), *raised(), *raised_shared(), *maxima())
SPEEDS = {10: 68_000, 20: 28_000, 30: 16_000, 40: 10_000, 50: 7_000}  # games/s in the thesis, section 5.2
