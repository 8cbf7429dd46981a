"""Code that adapters to other libraries share."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Tuple

import numpy as np

from ._native import Model
from .errors import UsageError

SAMPLES = ("q", "v", "p", "readings")  # of a run, in the order of results and cotangents


def with_values(model: Model, names: Sequence[str], values: Any) -> Model:
    """The model with these values of its parameters; None: its own."""
    if values is None:
        return model
    values = np.asarray(values, dtype=float)
    if values.shape != (len(names),):
        raise UsageError(f"there are {len(names)} parameters, but values of shape {values.shape}")
    return model.with_parameters(dict(zip(names, (float(x) for x in values))))


def step_function_by(
    run_function: Callable[..., Any], reshape: Callable[..., Any]
) -> Callable[..., Callable[..., Any]]:
    """step_function of the library whose run_function and reshape these are."""

    def step_function(
        model: Model,
        step: float,
        *,
        start: float = 0.0,
        parameters: Sequence[str] = (),
        **options: Any,
    ) -> Callable[..., Tuple[Any, Any]]:
        """f(q, v, parameters, efforts) -> (q, v) after one step, as run_function(). ``start`` is the
        time of its beginning, s, for models that depend on the time.
        """
        until = start + step
        run = run_function(
            model, until, samples=[until], step=step, start=start, parameters=parameters, **options
        )

        def advance(
            q: Any, v: Any, parameters: Optional[Any] = None, efforts: Optional[Any] = None
        ) -> Tuple[Any, Any]:
            end = run(q, v, parameters, None if efforts is None else reshape(efforts, (1, -1)))
            return end.q[0], end.v[0]

        return advance

    step_function.__module__ = run_function.__module__
    step_function.__qualname__ = step_function.__name__
    return step_function


__all__ = ["SAMPLES", "step_function_by", "with_values"]
