"""Cells of the paper's tables: which are measured at each scale, and how its seconds are read there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.framework import published
from ramify.experiments.framework.estimates import Estimate
from ramify.experiments.framework.experiment import Point, Results
from ramify.experiments.papers.pepels_2014.players import (
    BOTH,
    DECISIVE,
    FIXED,
    GAMES,
    LOW_C,
    ONLINE,
    OWN_Q,
    PRINT,
    PROGRAM,
    QUALITATIVE,
    QUICK_PLAYOUTS,
    RELATIVE,
    REPLACED,
    SIGMOID,
    SLIP,
    WEIGHTED,
    baseline,
    enhanced,
    reward,
)
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

TABLES = {RELATIVE: 1, QUALITATIVE: 3, BOTH: 4, REPLACED: 4}
COLUMNS = {FIXED: ("a0.25", "fixed"), ONLINE: ("online_a", "online")}  # in the published table, and in a statement's id
KINDS = (RELATIVE, QUALITATIVE, BOTH)
ONE, FIVE = 1, 5  # seconds per move
LOW = 0.1  # c of the reading LOW_C


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
    main: bool = True  # whether it decides the statement of its cell; else it is shown beside it

    @property
    def table(self) -> int:
        return TABLES[self.kind]

    @property
    def key(self) -> str:
        how = f"{self.playouts} playouts, {self.reading}"
        return f"{self.kind}, {self.game}, {self.weight}, {self.seconds} s as {self._budget}, {how}"

    @property
    def _budget(self) -> str:
        return f"{self.spent} simulations" if self.limits.simulations else self.spent

    @property
    def statement(self) -> str:
        """Id of the paper's statement."""
        column = "quality" if self.kind == REPLACED else f"{self.seconds}s-{COLUMNS[self.weight][1]}"
        return f"table-{self.table}-{self.game.replace(' ', '-')}-{column}"

    @property
    def how(self) -> str:
        """What is unusual: playouts other than the program's, or a reading other than the print."""
        return " ".join(one for one in (self.playouts, self.reading) if one not in (WEIGHTED, PRINT))

    @property
    def reading_name(self) -> str:
        """Name of the reading in a claim; empty for the main one."""
        return "" if self.main else self.how or self._budget

    @property
    def spent(self) -> str:
        """Budget per move, in short."""
        return f"{self.limits.simulations:,}" if self.limits.simulations else f"{self.limits.seconds:g} s"

    def printed(self) -> Estimate:
        """Return the published figure."""
        row = next(
            one for one in published.table(f"quality_table{self.table}") if one["game"] == published_name(self.game)
        )
        column = "reward_is_q" if self.kind == REPLACED else COLUMNS[self.weight][0]
        found = published.percentage(row[f"{self.seconds}s_{column}"])
        assert found is not None
        return found

    def point(self) -> Point:
        """Return the point that measures the cell. Cells that differ only in the reward share their openings."""
        plain = baseline(self.game, self.playouts, LOW if self.reading == LOW_C else None)
        return Point(
            self.key,
            PairedGames(
                GAMES[self.game].rules,
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


SLIP_PAIRS = 500  # at the scale quick
PAPER_PAIRS, CONTROL_PAIRS = 2500, 250
SLIP_SIZES = {
    "smoke": (PlayerLimits(simulations=20), 1),
    "quick": (PlayerLimits(simulations=1000), SLIP_PAIRS),
    "paper": (PlayerLimits(simulations=1000), PAPER_PAIRS),
}


def _smoke() -> Iterator[Cell]:
    few = PlayerLimits(simulations=20)
    for kind in (*KINDS, REPLACED):
        yield Cell(kind, "breakthrough", few, 1)
    yield Cell(REPLACED, "breakthrough", few, 1, reading=SIGMOID, main=False)
    yield Cell(RELATIVE, "breakthrough", few, 1, ONLINE, reading=PROGRAM, main=False)
    yield from _slip(*SLIP_SIZES["smoke"])


def _slip(limits: PlayerLimits, pairs: int) -> Iterator[Cell]:
    """Yield the cells of our claim on the program's slip."""
    for reading in (PRINT, SLIP):
        yield Cell(RELATIVE, "breakthrough", limits, pairs, playouts=DECISIVE, reading=reading, main=False)


QUICK_PAIRS = {
    "amazons": 60,
    "breakthrough": 120,
    "cannon": 50,
    "checkers": 40,
    "chinese checkers": 60,
    "pentalath": 60,
}


def _quick() -> Iterator[Cell]:
    limits = {game: PlayerLimits(simulations=playouts) for game, playouts in QUICK_PLAYOUTS.items()}
    for game, pairs in QUICK_PAIRS.items():
        own = partial(Cell, game=game, limits=limits[game], pairs=pairs)
        for kind in KINDS:
            yield own(kind)
            yield own(kind, weight=ONLINE)
        yield own(REPLACED)
        yield own(REPLACED, reading=SIGMOID, main=False)
    breakthrough = partial(Cell, game="breakthrough", limits=limits["breakthrough"], pairs=QUICK_PAIRS["breakthrough"])
    for game in ("breakthrough", "cannon"):
        yield Cell(QUALITATIVE, game, limits[game], QUICK_PAIRS[game], ONLINE, reading=OWN_Q, main=False)
    yield Cell(REPLACED, "pentalath", limits["pentalath"], QUICK_PAIRS["pentalath"], reading=LOW_C, main=False)
    yield from (breakthrough(kind, reading=PROGRAM, main=False) for kind in KINDS)
    yield from _slip(*SLIP_SIZES["quick"])
    for kind in (RELATIVE, QUALITATIVE):
        five = PlayerLimits(simulations=FIVE * QUICK_PLAYOUTS["breakthrough"])
        yield breakthrough(kind, limits=five, pairs=QUICK_PAIRS["breakthrough"] // FIVE, seconds=FIVE)


def _columns(game: str, seconds: int, limits: PlayerLimits, reading: str = PRINT) -> Iterator[Cell]:
    """Yield a game's cells of one search time."""
    for kind in KINDS:
        for weight in (FIXED, ONLINE):
            yield Cell(kind, game, limits, PAPER_PAIRS, weight, seconds, reading=reading)
    if seconds == ONE and reading == PRINT:
        yield Cell(REPLACED, game, limits, CONTROL_PAIRS)


def _paper() -> Iterator[Cell]:
    for game in GAMES:
        for seconds in (ONE, FIVE):
            yield from _columns(game, seconds, by_speed(game, seconds))
        yield from (replace(cell, main=False) for cell in _others(game))
    yield from _slip(*SLIP_SIZES["paper"])


def _others(game: str) -> Iterator[Cell]:
    """Yield the cells beside the main ones: other readings, 1000 simulations and real seconds."""
    for reading in (SLIP, PROGRAM, OWN_Q):
        for seconds in (ONE, FIVE):
            for cell in _columns(game, seconds, by_speed(game, seconds), reading):
                if reading != OWN_Q or cell.kind != RELATIVE:
                    yield cell
    for reading in (SIGMOID, LOW_C):
        yield Cell(REPLACED, game, by_speed(game, ONE), CONTROL_PAIRS, reading=reading)
    yield from _columns(game, ONE, PlayerLimits(simulations=1000))
    for seconds in (ONE, FIVE):
        yield from _columns(game, seconds, PlayerLimits(seconds=float(seconds)))


CELLS: Mapping[str, tuple[Cell, ...]] = {"smoke": tuple(_smoke()), "quick": tuple(_quick()), "paper": tuple(_paper())}
SLIP_CELLS = {plan: tuple(_slip(*size)) for plan, size in SLIP_SIZES.items()}


@dataclass(frozen=True)
class Scores:
    """Scores of the measured cells."""

    found: Mapping[Cell, Estimate]

    @classmethod
    def from_results(cls, results: Results, cells: Sequence[Cell]) -> Scores:
        """Return the scores of the cells that the results have."""
        return cls({cell: score_estimate(paired_results(results[cell.key])) for cell in cells if cell.key in results})

    def table(self, number: int) -> dict[Cell, Estimate]:
        """Scores of one table."""
        return {cell: score for cell, score in self.found.items() if cell.table == number}

    def main(self, kind: str, game: str, weight: str = FIXED, seconds: int = ONE) -> Estimate | None:
        """Return the score that decides a cell's statement, if it was measured."""
        wanted = (kind, game, weight, seconds)
        for cell, score in self.found.items():
            if cell.main and (cell.kind, cell.game, cell.weight, cell.seconds) == wanted:
                return score
        return None

    def all_main(self, kind: str, game: str) -> list[Estimate]:
        """Return the scores of both search times and both weights that were measured."""
        found = (self.main(kind, game, weight, seconds) for weight in COLUMNS for seconds in (ONE, FIVE))
        return [score for score in found if score is not None]
