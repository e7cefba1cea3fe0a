"""Cells of the paper's tables: which are measured at each scale, and how its seconds are read there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.framework import published
from ramify.experiments.framework.estimates import Estimate
from ramify.experiments.framework.experiment import Point, Results
from ramify.experiments.papers.pepels_2014.players import (
    BOTH,
    CENTRED,
    DECISIVE,
    FIXED,
    GAMES,
    MAST,
    ONLINE,
    PRINT,
    PROGRAM,
    QUALITATIVE,
    QUICK_PLAYOUTS,
    RELATIVE,
    REPLACED,
    SLIP,
    WEIGHTED,
    baseline,
    enhanced,
    reward,
)
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

# The baseline's exploration constants, for rewards in [0, 1]: the best of five, by 48 games each against c = 0.4 in
# each game ('ramify reproduce quality-tuning --scale quick', seed 1).
TUNED: Mapping[str, float] = {
    "amazons": 0.1,
    "breakthrough": 0.3,
    "cannon": 0.2,
    "checkers": 0.6,
    "chinese checkers": 0.3,
    "pentalath": 0.1,
}
TABLES = {RELATIVE: 1, QUALITATIVE: 3, BOTH: 4, REPLACED: 4}
COLUMNS = {FIXED: "a0.25", ONLINE: "online_a"}
KINDS = (RELATIVE, QUALITATIVE, BOTH)
ONE, FIVE = 1, 5  # seconds per move


@dataclass(frozen=True)
class Cell:
    """A cell of tables 1, 3 or 4 as it is measured: a player with the reward against the baseline."""

    kind: str
    game: str
    limits: PlayerLimits
    pairs: int
    weight: str = FIXED
    seconds: int = ONE  # of the column
    playouts: str = WEIGHTED
    reading: str = PRINT

    @property
    def table(self) -> int:
        return TABLES[self.kind]

    @property
    def key(self) -> str:
        how = f"{self.playouts} playouts, {self.reading}"
        return f"{self.kind}, {self.game}, {self.weight}, {self.seconds} s as {self._budget}, {how}"

    @property
    def _budget(self) -> str:
        """Budget per move in the words of stored keys and streams, which never change."""
        return f"{self.spent} simulations a move" if self.limits.simulations else f"{self.spent} a move"

    @property
    def how(self) -> str:
        """What is unusual: playouts other than the program's, or a reading other than the print."""
        return " ".join(one for one in (self.playouts, self.reading) if one not in (WEIGHTED, PRINT))

    @property
    def spent(self) -> str:
        """Budget per move, in short."""
        return f"{self.limits.simulations:,}" if self.limits.simulations else f"{self.limits.seconds:g} s"

    def printed(self) -> Estimate:
        """Return the published figure."""
        row = next(
            one for one in published.table(f"quality_table{self.table}") if one["game"] == published_name(self.game)
        )
        column = "reward_is_q" if self.kind == REPLACED else COLUMNS[self.weight]
        found = published.percentage(row[f"{self.seconds}s_{column}"])
        assert found is not None
        return found

    def point(self) -> Point:
        """Return the point that measures the cell. Cells that differ only in the reward share their openings."""
        plain = baseline(self.game, TUNED[self.game], self.playouts)
        return Point(
            self.key,
            PairedGames(
                GAMES[self.game].named(self.reading),
                enhanced(plain, reward(self.game, self.kind, self.weight, self.reading)),
                plain,
                self.limits,
            ),
            self.pairs,
            stream=f"{self.game}, {self._budget}",
        )


def published_name(game: str) -> str:
    """Name of a game in the published tables."""
    return game.replace(" ", "_")


def by_speed(game: str, seconds: float) -> PlayerLimits:
    """Return the number of simulations that the paper's program ran in that time."""
    return PlayerLimits(simulations=round(1000 * seconds * GAMES[game].speed))


def _smoke() -> Iterator[Cell]:
    few = PlayerLimits(simulations=20)
    for kind in (*KINDS, REPLACED):
        yield Cell(kind, "breakthrough", few, 1)
    yield Cell(RELATIVE, "breakthrough", few, 1, ONLINE, reading=PROGRAM)
    yield from (Cell(RELATIVE, "breakthrough", few, 1, playouts=DECISIVE, reading=one) for one in (PRINT, SLIP))
    yield Cell(QUALITATIVE, "breakthrough", few, 1, playouts=DECISIVE)


QUICK_PAIRS = {
    "amazons": 60,
    "breakthrough": 120,
    "cannon": 50,
    "checkers": 40,
    "chinese checkers": 60,
    "pentalath": 60,
}
SLIP_PAIRS = 500  # pairs of the claim on the program's slip
DECISIVE_PAIRS = 200  # pairs of the claim that decisive playouts win clearly
TENTH = 0.1  # share of the program's simulations


def _quick() -> Iterator[Cell]:
    limits = {game: PlayerLimits(simulations=playouts) for game, playouts in QUICK_PLAYOUTS.items()}
    for game, pairs in QUICK_PAIRS.items():
        yield from (Cell(kind, game, limits[game], pairs) for kind in KINDS)
        if game not in ("cannon", "chinese checkers"):
            yield Cell(REPLACED, game, limits[game], pairs)
    for game in ("amazons", "breakthrough", "pentalath"):
        yield Cell(REPLACED, game, limits[game], QUICK_PAIRS[game], reading=CENTRED)
    for game in ("amazons", "cannon", "chinese checkers", "pentalath"):
        yield Cell(QUALITATIVE, game, limits[game], QUICK_PAIRS[game], ONLINE)

    breakthrough = partial(Cell, game="breakthrough", limits=limits["breakthrough"], pairs=QUICK_PAIRS["breakthrough"])
    yield from (breakthrough(kind, weight=ONLINE) for kind in KINDS)
    yield from (breakthrough(kind, reading=PROGRAM) for kind in KINDS)
    yield from (
        breakthrough(RELATIVE, pairs=SLIP_PAIRS, playouts=DECISIVE, reading=reading) for reading in (PRINT, SLIP)
    )
    yield breakthrough(QUALITATIVE, playouts=MAST)
    yield breakthrough(QUALITATIVE, pairs=DECISIVE_PAIRS, playouts=DECISIVE)
    for seconds in (ONE, FIVE):
        yield breakthrough(
            QUALITATIVE,
            limits=by_speed("breakthrough", TENTH * seconds),
            pairs=DECISIVE_PAIRS // seconds,
            seconds=seconds,
            playouts=DECISIVE,
        )


PAPER_PAIRS, CONTROL_PAIRS = 2500, 250


def _columns(game: str, seconds: int, limits: PlayerLimits, playouts: str, reading: str) -> Iterator[Cell]:
    """Yield a game's cells of one search time."""
    for kind in KINDS:
        for weight in (FIXED, ONLINE):
            yield Cell(kind, game, limits, PAPER_PAIRS, weight, seconds, playouts, reading)
    if seconds == ONE and reading == PRINT:
        for one in (PRINT, CENTRED):
            yield Cell(REPLACED, game, limits, CONTROL_PAIRS, FIXED, seconds, playouts, one)


def _paper() -> Iterator[Cell]:
    for game in GAMES:
        for reading in (PRINT, SLIP, PROGRAM):
            yield from _columns(game, ONE, PlayerLimits(simulations=1000), WEIGHTED, reading)
            for seconds in (ONE, FIVE):
                yield from _columns(game, seconds, by_speed(game, seconds), WEIGHTED, reading)
        for seconds in (ONE, FIVE):
            yield from _columns(game, seconds, PlayerLimits(seconds=float(seconds)), WEIGHTED, PRINT)
        for playouts in GAMES[game].playouts:
            if playouts != WEIGHTED:
                yield from _columns(game, ONE, PlayerLimits(simulations=1000), playouts, PRINT)
    yield Cell(RELATIVE, "breakthrough", PlayerLimits(simulations=1000), PAPER_PAIRS, playouts=DECISIVE, reading=SLIP)


CELLS: Mapping[str, tuple[Cell, ...]] = {"smoke": tuple(_smoke()), "quick": tuple(_quick()), "paper": tuple(_paper())}


@dataclass(frozen=True)
class Scores:
    """Scores of the measured cells."""

    found: Mapping[Cell, Estimate]

    @classmethod
    def from_results(cls, results: Results, cells: Sequence[Cell]) -> Scores:
        return cls({cell: score_estimate(paired_results(results[cell.key])) for cell in cells})

    def table(self, number: int) -> dict[Cell, Estimate]:
        """Scores of one table."""
        return {cell: score for cell, score in self.found.items() if cell.table == number}

    def chosen(
        self, kind: str, game: str, playouts: str = WEIGHTED, reading: str = PRINT
    ) -> list[tuple[Cell, Estimate]]:
        """Return the cells of 1 second with the fixed weight, in the order of the plan."""
        wanted = (kind, game, FIXED, ONE, playouts, reading)
        return [
            (cell, score)
            for cell, score in self.found.items()
            if (cell.kind, cell.game, cell.weight, cell.seconds, cell.playouts, cell.reading) == wanted
        ]
