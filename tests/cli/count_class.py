"""A game of a class, as text for a user's file: two players take one or two of twelve."""

CLASS = """
class Count:
    players = 2
    def __init__(self):
        self.left, self.turn = 12, 0
    def to_move(self):
        return self.turn
    def moves(self):
        return [1, 2]
    def play(self, move):
        self.left -= move
        self.turn = 1 - self.turn
    def over(self):
        return self.left <= 0
    def scores(self):
        return [1.0 - self.turn, float(self.turn)]
"""

TROUBLE = """        Count.played = getattr(Count, "played", 0) + 1
        if Count.played > 3000:
            open("trouble", "w").close()
            {trouble}
"""

END_OF_PLAY = "        self.turn = 1 - self.turn\n"


def class_in_trouble(trouble: str, before: str = "") -> str:
    """Return the class with a statement that its 3000th move runs, ``before`` in front of it."""
    return before + CLASS.replace(END_OF_PLAY, END_OF_PLAY + TROUBLE.format(trouble=trouble))
