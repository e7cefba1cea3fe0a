"""Matrix games: two players choose at once, and what the first gets the second loses.

An equilibrium by linear programming (J. von Neumann; G. Dantzig 1951): the first player maximises v so that every
column gives at least v on average, and the dual is the second player's problem.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.errors import RamifyError

DIGITS = 12  # of a value; what linear programming leaves behind them is rounding
Matrix = npt.NDArray[np.float64]


def equilibrium(payoffs: Matrix) -> tuple[float, Matrix, Matrix]:
    """The value to the row player, and how likely each row and each column is, in one equilibrium."""
    rows, columns = payoffs.shape
    worst, best = payoffs.min(axis=1), payoffs.max(axis=0)
    if worst.max() == best.min():  # a saddle point: nobody need mix
        return float(worst.max()), _pure(rows, int(worst.argmax())), _pure(columns, int(best.argmin()))
    value, first = _best_mixture(payoffs)
    _, second = _best_mixture(-payoffs.T)
    return value, first, second


def _pure(count: int, chosen: int) -> Matrix:
    mixture = np.zeros(count)
    mixture[chosen] = 1.0
    return mixture


def _best_mixture(payoffs: Matrix) -> tuple[float, Matrix]:
    """What the row player can be sure of, and how."""
    from scipy.optimize import linprog  # noqa: PLC0415  (0.3 s to import, and saddle points need none)

    rows, columns = payoffs.shape
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0.0, None)] * rows + [(None, None)],
        method="highs",
    )
    if found.x is None:
        raise RamifyError(f"the linear program of a matrix game of {rows} x {columns} was not solved: {found.message}")
    mixture = np.clip(found.x[:rows], 0.0, None)
    return round(float(found.x[rows]), DIGITS), mixture / mixture.sum()
