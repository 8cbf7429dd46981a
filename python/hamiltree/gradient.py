"""The gradient of an objective over a run, with respect to start, parameters and efforts."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import DifferentiableRun, Model
from .differentiable import SAMPLES
from .errors import UsageError

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]
    Derivatives = Mapping[str, "npt.ArrayLike"]
    Objective = Callable[[DifferentiableRun], Tuple[float, Derivatives]]


@dataclasses.dataclass(frozen=True)
class Gradient:
    """An objective's value, and its derivatives with respect to what the run depends on."""

    value: float
    q: Array
    v: Array
    parameters: Array
    efforts: Array
    run: DifferentiableRun


class LeastSquares:
    """The objective sum of w (x - target)^2 / 2 over samples and columns.

    x is what ``of`` names: "q", "v", "p", or "readings" of sensors; of these the ``columns``, one
    or several, by number, or readings by name. ``weights``: None, an array by sample, or "time":
    each sample stands for the time around it, so that the sum is an integral.
    """

    def __init__(
        self,
        target: npt.ArrayLike,
        *,
        of: str = "readings",
        columns: Union[None, int, str, Sequence[Union[int, str]]] = None,
        weights: Union[None, str, npt.ArrayLike] = None,
    ) -> None:
        if of not in SAMPLES:
            raise UsageError(f'of is one of {", ".join(SAMPLES)}, not "{of}"')
        self.target = np.asarray(target, dtype=float)
        self.of = of
        self.columns = columns
        self.weights = weights

    def __call__(self, run: DifferentiableRun) -> Tuple[float, Derivatives]:
        all_of = np.asarray(getattr(run, self.of))
        columns = self._columns(run, all_of.shape[1])
        x = all_of[:, columns]
        target = self.target
        if target.ndim == 1 and len(columns) == 1:
            target = target[:, None]
        if target.shape not in ((), x.shape):
            raise UsageError(f"the target has shape {self.target.shape}, not {x.shape}")
        error = x - target
        weighted = self._weights(run) * error
        derivatives = np.zeros_like(all_of)
        for k, column in enumerate(columns):
            derivatives[:, column] += weighted[:, k]
        return 0.5 * float(np.sum(weighted * error)), {self.of: derivatives}

    def _columns(self, run: DifferentiableRun, count: int) -> Sequence[int]:
        if self.columns is None:
            return list(range(count))
        names = run.reading_names
        found = []
        columns: Any = [self.columns] if np.ndim(self.columns) == 0 else self.columns
        for column in columns:
            if isinstance(column, str):
                if self.of != "readings":
                    raise UsageError(f'columns of {self.of} go by number, not by name: "{column}"')
                if column not in names:
                    there = f'there is {", ".join(names)}' if names else "the model has no sensors"
                    raise UsageError(f'no sensor reads "{column}"; {there}')
                column = names.index(column)
            elif np.asarray(column).dtype.kind not in "iu":
                raise UsageError(f"columns are numbers or names, not {column}")
            elif not -count <= column < count:
                raise UsageError(f"there is no column {column}: {self.of} has {count}")
            found.append(column)
        return found

    def _weights(self, run: DifferentiableRun) -> Array:
        """(samples, 1)"""
        if self.weights is None:
            return np.ones((len(run.t), 1))
        if isinstance(self.weights, str):
            if self.weights != "time":
                raise UsageError(f'weights are an array or "time", not "{self.weights}"')
            return np.asarray(run.weights)[:, None]
        weights = np.asarray(self.weights, dtype=float)
        if weights.shape != (len(run.t),):
            raise UsageError(f"weights have the shape {weights.shape}, not ({len(run.t)},)")
        return weights[:, None]


def gradient(model: Model, objective: Objective, until: float, **options: Any) -> Gradient:
    """The value of ``objective(run)`` and its gradient over one run of the model.

    The objective returns its value and its derivatives with respect to samples, such as
    ``{"q": array, "readings": array}``: LeastSquares, or a function of one's own. ``options`` are
    those of DifferentiableRun: samples, q, v, parameters, controls, efforts, integrator, ...
    """
    run = DifferentiableRun(model, until, **options)
    value, derivatives = objective(run)
    unknown = sorted(set(derivatives) - set(SAMPLES))
    if unknown:
        raise UsageError(f'samples have {", ".join(SAMPLES)}, no {", ".join(unknown)}')
    change = run.gradient(**{name: np.asarray(x, dtype=float) for name, x in derivatives.items()})
    return Gradient(float(value), change.q, change.v, change.parameters, change.efforts, run)


__all__ = ["Gradient", "LeastSquares", "gradient"]
