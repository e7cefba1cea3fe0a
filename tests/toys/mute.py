"""A class whose objects have no text of their own."""


class Mute:
    players = 2

    def __init__(self) -> None:
        self.left = 5

    def to_move(self):
        return self.left % 2

    def moves(self):
        return [1, 2][: self.left]

    def play(self, move):
        self.left -= move

    def over(self):
        return self.left == 0

    def scores(self):
        return [1.0, 0.0]

    def clone(self):
        other = Mute()
        other.left = self.left
        return other
