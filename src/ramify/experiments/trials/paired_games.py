"""Games of a match as the work of a point. A trial is a pair of games that share an opening and swap seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import ClassVar

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.agents.search.search import Search
from ramify.arena.matches.playing.openings import check_opening, first_decision
from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.rows import GameRow
from ramify.arena.matches.schedule import MatchPlayer, Pairing, Schedule
from ramify.contract.load import load
from ramify.experiments.framework.estimates import Estimate
from ramify.experiments.framework.experiment import PointResult
from ramify.experiments.framework.work import Sums, Work
from ramify.old_names import old_attributes
from ramify.statistics.inference import score_interval
from ramify.statistics.pairs import PairedResults


@dataclass(frozen=True)
class PairedGames(Work):
    """Two agents at one game, each with a budget.

    Sums: ``pairs``, the number of pairs with each score; ``games``, ``wins``, ``draws``, ``losses`` of the first agent
    and ``plies``.
    """

    stored_form = "PairedGames(game, first, second, limits, second_limits, opening_plies, starts)"

    game: str
    first: str
    second: str
    limits: PlayerLimits  # of both agents, unless the second has its own
    second_limits: PlayerLimits | None = None
    opening_plies: int = 2
    starts: tuple[str, ...] = ("",)
    now: ClassVar[Callable[[], float]] = perf_counter  # clock that measures seconds

    def texts(self) -> Sequence[str]:
        return (self.game, self.first, self.second)

    def prepare(self) -> None:
        """Compile, and raise for agents or openings that cannot be played."""
        game = load(self.game)
        game.warm()
        for start in self.starts:
            check_opening(game, start, self.opening_plies)
        for agent in (self.first, self.second):
            Search(first_decision(game, self.starts[0], self.opening_plies), agent, seed=0)

    def run(self, seed: int, first: int, count: int) -> Sums:
        """Play ``count`` pairs."""
        players = (
            MatchPlayer("first", self.first, self.limits),
            MatchPlayer("second", self.second, self.second_limits or self.limits),
        )
        pairing = Pairing(self.game, load(self.game).players, *players)
        schedule = Schedule((pairing,), seed, self.opening_plies, self.starts)
        pairs: list[list[float]] = []
        rows: list[GameRow] = []
        for pair in range(first, first + count):
            games = [play(schedule.game(0, pair, leg), now=type(self).now) for leg in range(len(pairing.seatings))]
            pairs.append([self.score(row) for row in games])
            rows += games
        outcomes = Counter((row.score > 0.5) - (row.score < 0.5) for row in rows)
        results = PairedResults.from_games(pairs, len(pairing.seatings))
        return {
            "pairs": {repr(score): number for score, number in results.histogram.items()},
            "games": results.games,
            "wins": outcomes[1],
            "draws": outcomes[0],
            "losses": outcomes[-1],
            "plies": sum(row.plies for row in rows),
            **self.spent(rows),
        }

    def score(self, row: GameRow) -> float:
        """Score of a game for the first agent: 1/2 plus half its lead."""
        return row.score

    def spent(self, rows: Sequence[GameRow]) -> Sums:
        """Return additional sums over these games."""
        del rows
        return {}


@dataclass(frozen=True)
class WinLossGames(PairedGames):
    """Pairs of games in which only the winner counts, however small the lead."""

    stored_form = "GamesWonOrLost(game, first, second, limits, second_limits, opening_plies, starts)"

    def score(self, row: GameRow) -> float:
        """1 for a win, 1/2 for a draw, 0 for a loss."""
        return 0.5 + 0.5 * ((row.score > 0.5) - (row.score < 0.5))


@dataclass(frozen=True)
class GamesByProcessorTime(PairedGames):
    """Pairs of games in which seconds are CPU time of the searching thread.

    Other load on the machine then takes no time from either player. Where it slows the CPU itself, it slows both,
    because their moves alternate. Additional sums: ``simulations`` and ``seconds`` of the first and the second agent.
    """

    stored_form = "GamesByProcessorTime(game, first, second, limits, second_limits, opening_plies, starts)"
    now = thread_time

    def spent(self, rows: Sequence[GameRow]) -> Sums:
        def by_agent(name: str) -> list[float]:
            sums = [0.0, 0.0]
            for row in rows:
                for agent, value in zip(row.seats, getattr(row, name), strict=True):
                    sums[agent] += value
            return sums

        return {name: by_agent(name) for name in ("simulations", "seconds")}


def paired_results(measured: PointResult) -> PairedResults:
    """Return the pairs of a point for ``ramify.statistics``, e.g. ``score_interval``."""
    counts = {float(score): int(number) for score, number in measured.total("pairs").items()}
    size = int(measured.total("games")) // measured.trials
    return PairedResults(tuple(sorted(counts)), tuple(counts[score] for score in sorted(counts)), size)


def score_estimate(results: PairedResults) -> Estimate:
    """Score of the first agent, with the interval over pairs."""
    return Estimate.from_function(lambda confidence: score_interval(results, confidence))


__getattr__ = old_attributes(__name__)
