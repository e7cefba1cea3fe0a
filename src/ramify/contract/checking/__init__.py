"""The contract test for games: ``check_game("./mine.py")``.

It reports everything that an author can get wrong, in stages: the file's names and types (``layout``); its functions as
plain Python, where errors have line numbers (``probes.record_probe``, ``random_plays``); names, drawings and position
texts (``texts``); the same plays compiled, between guard zones (``probes.compiled_probe``); and the fairness of random
draws (``fairness``). Each stage runs only if the previous ones found no error.
"""

from ramify.contract.checking.check import check_game
from ramify.contract.checking.result import Finding, GameCheckResult, Location

__all__ = ["Finding", "GameCheckResult", "Location", "check_game"]
