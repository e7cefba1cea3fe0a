"""Numbers in the texts of positions."""

from ramify.errors import RamifyError

MAX_DIGITS = 18  # Python refuses to read numbers of thousands of digits


def is_number(word):
    """Whether a word is a whole number in digits."""
    return word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS


def read_number(word, most, what):
    """The number that a word is, from 0 to ``most``; ``what`` it counts is for the error."""
    if not is_number(word) or int(word) > most:
        raise RamifyError(f"the {what} are 0 to {most}, not {word}")
    return int(word)


def read_moves_made(word, limit):
    """The number of moves made, without leading zeros."""
    if not is_number(word) or str(int(word)) != word or int(word) > limit:
        raise RamifyError(f"the number of moves made is a whole number from 0 to {limit}, not '{word}'")
    return int(word)
