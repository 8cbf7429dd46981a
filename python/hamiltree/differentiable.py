"""Code that adapters to other libraries share."""

from __future__ import annotations

from typing import Any, Sequence

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


__all__ = ["SAMPLES", "with_values"]
