"""All statements of the study."""

from __future__ import annotations

from ramify.experiments.papers.tom_2010.claims.section_5_6_2_errors import exaggerated, lowered, raised, raised_shared
from ramify.experiments.papers.tom_2010.claims.section_5_6_2_rave_max import maxima
from ramify.experiments.papers.tom_2010.claims.sections_5_1_to_5_6 import indiscriminate, plain

STATEMENTS = (*plain(), *indiscriminate(), *exaggerated(), *lowered(), *raised(), *raised_shared(), *maxima())
SPEEDS = {10: 68_000, 20: 28_000, 30: 16_000, 40: 10_000, 50: 7_000}  # games/s in the thesis, section 5.2
