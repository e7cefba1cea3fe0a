"""Positions are printed with their fluents in order."""

from ramify.ggp.position_text import fluents_text


def test_numbers_are_sorted_by_value_however_long_they_are():
    nines = "9" * 5000
    words = [nines, "10", "9", "010", "0", "x", "\u0663", "²"]
    text = fluents_text(("cell", word) for word in words)
    assert text.replace("\n", " ") == " ".join(
        f"(cell {word})" for word in ("0", "9", "10", "010", nines, "x", "²", "\u0663")
    )
