"""Runs and steps as functions that JAX differentiates, also under jit. Needs jax:
``hamiltree[jax]``. Results are float64 where jax_enable_x64 is set."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Sequence, Tuple

import jax
import jax.numpy as jnp
import numpy as np

from ._native import DifferentiableRun, Model
from .differentiable import SAMPLES, step_function_by, with_values
from .errors import UsageError


class RunArrays(NamedTuple):
    """The samples of a run: coordinates, velocities, momenta, readings of sensors."""

    q: Any
    v: Any
    p: Any
    readings: Any


def run_function(
    model: Model,
    until: float,
    *,
    samples: Sequence[float],
    parameters: Sequence[str] = (),
    controls: Sequence[str] = (),
    parts: int = 1,
    **options: Any,
) -> Callable[..., RunArrays]:
    """f(q, v, parameters, efforts) -> RunArrays; None: the model's own start (at rest where q is
    given), its own values, no efforts. ``parameters`` are names whose values f takes, efforts are
    (parts, controls); ``options`` are those of DifferentiableRun.
    """
    start = DifferentiableRun(
        model,
        until,
        samples=samples,
        parameters=list(parameters),
        controls=list(controls),
        **options,
    )
    shapes = tuple(np.shape(getattr(start, name)) for name in SAMPLES)
    own_q, own_v = np.array(start.start_q), np.array(start.start_v)
    own = dict(model.parameters())
    own_values = np.array([own[name] for name in parameters], dtype=float)

    def make(q: Any, v: Any, values: Any, efforts: Any) -> DifferentiableRun:
        return DifferentiableRun(
            with_values(model, parameters, values),
            until,
            samples=samples,
            q=np.asarray(q, dtype=float),
            v=np.asarray(v, dtype=float),
            efforts=np.asarray(efforts, dtype=float) if controls else None,
            parameters=list(parameters),
            controls=list(controls),
            **options,
        )

    def kind() -> Any:
        return jnp.result_type(float)

    def run_outside(*inputs: Any) -> Tuple[Any, ...]:
        run = make(*inputs)
        return tuple(np.asarray(getattr(run, name), dtype=kind()) for name in SAMPLES)

    def pull_outside(inputs: Any, cotangents: Any) -> Tuple[Any, ...]:
        derivatives = {n: np.asarray(c, dtype=float) for n, c in zip(SAMPLES, cotangents)}
        change = make(*inputs).gradient(**derivatives)
        gradients = (change.q, change.v, change.parameters, change.efforts)
        return tuple(
            np.asarray(g, dtype=kind()).reshape(np.shape(x)) for g, x in zip(gradients, inputs)
        )

    @jax.custom_vjp
    def run(*inputs: Any) -> Any:
        results = [jax.ShapeDtypeStruct(shape, kind()) for shape in shapes]
        return tuple(
            jax.pure_callback(run_outside, tuple(results), *inputs, vmap_method="sequential")
        )

    def forward(*inputs: Any) -> Any:
        return run(*inputs), inputs

    def backward(inputs: Any, cotangents: Any) -> Any:
        results = [jax.ShapeDtypeStruct(np.shape(x), kind()) for x in inputs]
        return tuple(
            jax.pure_callback(
                pull_outside, tuple(results), inputs, cotangents, vmap_method="sequential"
            )
        )

    run.defvjp(forward, backward)

    def function(
        q: Any = None, v: Any = None, parameters: Any = None, efforts: Any = None
    ) -> RunArrays:
        if v is None:
            v = own_v if q is None else np.zeros_like(own_v)
        given = (
            own_q if q is None else q,
            v,
            own_values if parameters is None else parameters,
            np.zeros((parts, len(controls))) if efforts is None else efforts,
        )
        inputs = tuple(jnp.asarray(x, dtype=kind()) for x in given)
        expected = (own_q.shape, own_v.shape, own_values.shape, (parts, len(controls)))
        for name, x, shape in zip(("q", "v", "parameters", "efforts"), inputs, expected):
            if x.shape != shape:
                raise UsageError(f"{name} has the shape {x.shape}, not {shape}")
        return RunArrays(*run(*inputs))

    return function


step_function = step_function_by(run_function, jnp.reshape)

__all__ = ["RunArrays", "run_function", "step_function"]
