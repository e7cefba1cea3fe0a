"""Numbers in position texts."""

from ramify.errors import RamifyError

MAX_DIGITS = 18  # int() raises ValueError for thousands of digits


def is_number(word):
    """Whether a word is a non-negative integer in ASCII digits."""
    return word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS


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
