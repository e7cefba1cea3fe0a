"""Nim as a class: the same rules as ``nim.py`` in ordinary Python, searched by the same engine, only slower."""


class Nim:
    players = 2
    max_moves = 64

    def __init__(self, heaps: int = 3, beans: int = 5) -> None:
        self.beans = [beans] * heaps
        self.turn = 0

    def to_move(self):
        return self.turn

    def moves(self):
        return [(heap, taken) for heap, beans in enumerate(self.beans) for taken in range(1, beans + 1)]

    def play(self, move):
        heap, taken = move
        self.beans[heap] -= taken
        self.turn = 1 - self.turn

    def over(self):
        return not any(self.beans)

    def scores(self):
        return [0.0, 1.0] if self.turn == 0 else [1.0, 0.0]

    def clone(self):
        other = Nim.__new__(Nim)
        other.beans = self.beans.copy()
        other.turn = self.turn
        return other

    def move_name(self, move):
        return "abcdefgh"[move[0]] + str(move[1])

    def __str__(self):
        heaps = [f"{'abcdefgh'[heap]} " + "o" * beans for heap, beans in enumerate(self.beans)]
        return "\n".join([*heaps, f"player {self.turn} to move"])
