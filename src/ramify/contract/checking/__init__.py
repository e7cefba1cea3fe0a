"""The contract test for games, for anybody's file: ``check_game("./mine.py")``.

It tells in words everything an author can get wrong. First what the file looks like (``shape``), then its functions
as plain Python, where mistakes have lines (``probes.record_probe``, ``walking``), then what people see (``texts``),
then the same plays compiled, between guard zones (``probes.compiled_probe``), and last whether its random draws are
fair (``fairness``). Each stage runs only when the one before found no error.
"""

from ramify.contract.checking.check import check_game
from ramify.contract.checking.result import Finding, GameCheckResult, Location

__all__ = ["Finding", "GameCheckResult", "Location", "check_game"]
