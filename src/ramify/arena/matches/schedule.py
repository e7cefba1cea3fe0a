"""Which games are to be played: pairings, seats, numbers and seeds. Nothing here depends on who plays when."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.rows import GameSpec
from ramify.errors import RamifyError
from ramify.runs.seeds import derive


@dataclass(frozen=True)
class MatchPlayer:
    """An agent with its budget, under the name that tables show."""

    label: str
    agent: str
    limits: PlayerLimits


@dataclass(frozen=True)
class Pairing:
    """Two entrants at one game."""

    game: str
    players: int
    first: MatchPlayer
    second: MatchPlayer

    @cached_property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Who sits where in each game of a pair."""
        return seatings(self.players)

    @property
    def handicap(self) -> bool:
        """Whether the two have different budgets."""
        return self.first.limits != self.second.limits

    def label_of(self, entrant: MatchPlayer) -> str:
        """An entrant's label, with its budget where the two have different ones."""
        return f"{entrant.label}, {entrant.limits}" if self.handicap else entrant.label


def seatings(players: int) -> tuple[tuple[int, ...], ...]:
    """By seat, 0 for the first agent and 1 for the second: each agent alone against the other, once in every seat.

    With two players that is a pair with swapped seats; three players make a block of 6 games, four one of 8.
    """
    if players < 2:
        raise RamifyError("a match needs a game for two or more players")
    if players == 2:
        return ((0, 1), (1, 0))
    return tuple(
        tuple(agent if seat == alone else 1 - agent for seat in range(players))
        for agent in (0, 1)
        for alone in range(players)
    )


@dataclass(frozen=True)
class Schedule:
    """All games of a run in the order of their numbers: round by round, a pair of every pairing in each round."""

    pairings: tuple[Pairing, ...]
    seed: int
    opening_plies: int = 0
    starts: tuple[str, ...] = ("",)  # pair k of a pairing starts at position k, and from the first again
    offsets: tuple[int, ...] = field(init=False, repr=False)
    round_games: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        sizes = [len(pairing.seatings) for pairing in self.pairings]
        object.__setattr__(self, "offsets", tuple(sum(sizes[:k]) for k in range(len(sizes))))
        object.__setattr__(self, "round_games", sum(sizes))

    def game(self, pairing: int, pair: int, leg: int) -> GameSpec:
        """One game. Its number and seeds stay the same when more rounds are played."""
        chosen = self.pairings[pairing]
        seats = chosen.seatings[leg]
        entrants = (chosen.first, chosen.second)
        pair_seed = derive(self.seed, pairing, pair)
        return GameSpec(
            number=self.number(pairing, pair, leg),
            pairing=pairing,
            pair=pair,
            leg=leg,
            game=chosen.game,
            agents=tuple(entrants[seat].agent for seat in seats),
            seats=seats,
            limits=tuple(entrants[seat].limits for seat in seats),
            start=self.starts[pair % len(self.starts)],
            opening_plies=self.opening_plies,
            pair_seed=pair_seed,
            seed=derive(pair_seed, leg),
        )

    def number(self, pairing: int, pair: int, leg: int) -> int:
        """The number of a game in the run, from 1."""
        return 1 + pair * self.round_games + self.offsets[pairing] + leg

    def games(self, pairs: int, played: Container[int] = ()) -> Iterator[GameSpec]:
        """The games of ``pairs`` rounds that have not been played yet."""
        for pair in range(pairs):
            for pairing, chosen in enumerate(self.pairings):
                for leg in range(len(chosen.seatings)):
                    if self.number(pairing, pair, leg) not in played:
                        yield self.game(pairing, pair, leg)


def whole_pairs(games: int, players: Sequence[int]) -> int:
    """How many pairs give each pairing at least ``games`` games; the larger blocks may give more."""
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise RamifyError(f"games must be a whole number from 1, not {games}")
    return max(-(-games // len(seatings(number))) for number in players)
