"""Numbers in position texts."""

from ramify.errors import RamifyError
from ramify.numerals import is_whole_number

is_number = is_whole_number


def read_number(word, limit, what):
    """Parse an integer from 0 to ``limit``. ``what`` names it in the error."""
    if not is_number(word) or int(word) > limit:
        raise RamifyError(f"invalid {what} '{word}': expected 0 to {limit}")
    return int(word)


def read_moves_made(word, limit):
    """Parse the number of moves made, from 0 to ``limit``, without leading zeros."""
    if not is_number(word) or str(int(word)) != word or int(word) > limit:
        raise RamifyError(f"invalid number of moves '{word}': expected 0 to {limit}")
    return int(word)
