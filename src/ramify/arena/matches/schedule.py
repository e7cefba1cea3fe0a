"""Schedule of a run: pairings, seats, numbers and seeds of all games, independent of the workers."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.rows import GameSpec
from ramify.errors import RamifyError
from ramify.numerals import MAX_COUNT
from ramify.runs.seeds import derive


@dataclass(frozen=True)
class MatchPlayer:
    """An agent with its budget and its label in tables."""

    label: str
    agent: str
    limits: PlayerLimits


@dataclass(frozen=True)
class Pairing:
    """Two players and one game."""

    game: str
    players: int
    first: MatchPlayer
    second: MatchPlayer

    @cached_property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Seatings of the games of a pair (see ``seatings``)."""
        return seatings(self.players)

    @property
    def handicap(self) -> bool:
        """Whether the two have different budgets."""
        return self.first.limits != self.second.limits

    def label_of(self, player: MatchPlayer) -> str:
        """Label of a player, with its budget if the two budgets differ."""
        return f"{player.label}, {player.limits}" if self.handicap else player.label


def seatings(players: int) -> tuple[tuple[int, ...], ...]:
    """Return one tuple per game: by seat, 0 for the first agent and 1 for the second.

    With two seats this is a pair with swapped seats. With more, each agent plays once in every seat against copies of
    the other: a block of 6 games for three seats, 8 for four.
    """
    if players < 2:
        raise RamifyError("a match needs a game with at least two players")
    if players == 2:
        return ((0, 1), (1, 0))
    return tuple(
        tuple(agent if seat == alone else 1 - agent for seat in range(players))
        for agent in (0, 1)
        for alone in range(players)
    )


@dataclass(frozen=True)
class Schedule:
    """All games of a run by number: round by round, with one pair of every pairing per round."""

    pairings: tuple[Pairing, ...]
    seed: int
    opening_plies: int = 0
    starts: tuple[str, ...] = ("",)  # pair k starts at position k, modulo their number
    offsets: tuple[int, ...] = field(init=False, repr=False)
    round_games: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        sizes = [len(pairing.seatings) for pairing in self.pairings]
        object.__setattr__(self, "offsets", tuple(sum(sizes[:k]) for k in range(len(sizes))))
        object.__setattr__(self, "round_games", sum(sizes))

    def game(self, pairing: int, pair: int, leg: int) -> GameSpec:
        """Make one game. Its number and seeds do not depend on the number of rounds."""
        chosen = self.pairings[pairing]
        seats = chosen.seatings[leg]
        players = (chosen.first, chosen.second)
        pair_seed = derive(self.seed, pairing, pair)
        return GameSpec(
            number=self.number(pairing, pair, leg),
            pairing=pairing,
            pair=pair,
            leg=leg,
            game=chosen.game,
            agents=tuple(players[seat].agent for seat in seats),
            seats=seats,
            limits=tuple(players[seat].limits for seat in seats),
            start=self.starts[pair % len(self.starts)],
            opening_plies=self.opening_plies,
            pair_seed=pair_seed,
            seed=derive(pair_seed, leg),
        )

    def number(self, pairing: int, pair: int, leg: int) -> int:
        return 1 + pair * self.round_games + self.offsets[pairing] + leg

    def games(self, pairs: int, played: Container[int] = ()) -> Iterator[GameSpec]:
        """Yield the games of ``pairs`` rounds that are not in ``played``."""
        for pair in range(pairs):
            for pairing, chosen in enumerate(self.pairings):
                for leg in range(len(chosen.seatings)):
                    if self.number(pairing, pair, leg) not in played:
                        yield self.game(pairing, pair, leg)


def whole_pairs(games: int, players: Sequence[int]) -> int:
    """Number of pairs that gives each pairing at least ``games`` games."""
    if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= MAX_COUNT:
        raise RamifyError(f"invalid number of games {games}: use a whole number from 1 to {MAX_COUNT:,}")
    return max(-(-games // len(seatings(number))) for number in players)
