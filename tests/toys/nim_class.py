"""Nim as a class, for the way through Python objects: moves are tuples, whoever takes the last bean wins."""


class Nim:
    players = 2

    def __init__(self, beans: int = 3) -> None:
        self.heaps = [beans, beans, beans]
        self.turn = 0

    def to_move(self):
        return self.turn

    def moves(self):
        return [(heap, taken) for heap in range(3) for taken in range(1, self.heaps[heap] + 1)]

    def play(self, move):
        heap, taken = move
        self.heaps[heap] -= taken
        self.turn = 1 - self.turn

    def over(self):
        return not any(self.heaps)

    def scores(self):
        return [1.0 - abs(1 - self.turn - player) for player in range(2)]

    def move_name(self, move):
        return f"{move[1]}from{move[0]}"

    def __str__(self):
        return f"{self.heaps} {self.turn}"
