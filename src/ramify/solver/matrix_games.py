"""Zero-sum matrix games: two players choose simultaneously.

Equilibrium by linear programming (J. von Neumann; G. Dantzig 1951): the row player maximizes v such that every column
gives at least v on average; the dual is the column player's problem.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.errors import RamifyError

DIGITS = 12  # decimals of a value; beyond them the linear program is inexact
Matrix = npt.NDArray[np.float64]


def equilibrium(payoffs: Matrix) -> tuple[float, Matrix, Matrix]:
    """Return the row player's value, and the probabilities of rows and columns in one equilibrium."""
    rows, columns = payoffs.shape
    worst, best = payoffs.min(axis=1), payoffs.max(axis=0)
    if worst.max() == best.min():  # a saddle point: pure strategies suffice
        return float(worst.max()), _pure(rows, int(worst.argmax())), _pure(columns, int(best.argmin()))
    value, first = _best_mixture(payoffs)
    _, second = _best_mixture(-payoffs.T)
    return value, first, second


def _pure(count: int, chosen: int) -> Matrix:
    mixture = np.zeros(count)
    mixture[chosen] = 1.0
    return mixture


def _best_mixture(payoffs: Matrix) -> tuple[float, Matrix]:
    """Return the row player's maximin value and strategy."""
    from scipy.optimize import linprog  # noqa: PLC0415  (0.3 s to import, not needed for saddle points)

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
        raise RamifyError(f"cannot solve the linear program of a {rows} x {columns} matrix game: {found.message}")
    mixture = np.clip(found.x[:rows], 0.0, None)
    return round(float(found.x[rows]), DIGITS), mixture / mixture.sum()
