"""Runs and steps as functions that PyTorch differentiates. Needs torch: ``hamiltree[torch]``."""

from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import torch

from ._native import DifferentiableRun, Model
from .differentiable import SAMPLES, step_function_by, with_values


class RunTensors(NamedTuple):
    """The samples of a run, float64: coordinates, velocities, momenta, readings of sensors."""

    q: torch.Tensor
    v: torch.Tensor
    p: torch.Tensor
    readings: torch.Tensor


def _array(x: Optional[torch.Tensor]) -> Optional[Any]:
    return None if x is None else x.detach().cpu().double().numpy()


class _Run(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, make: Callable[..., DifferentiableRun], *inputs: Any) -> Any:
        ctx.set_materialize_grads(False)  # what the loss does not see costs nothing
        run = make(*(_array(x) for x in inputs))
        ctx.run, ctx.inputs = run, inputs
        return tuple(torch.from_numpy(np.array(getattr(run, name))) for name in SAMPLES)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *cotangents: Any) -> Any:
        change = ctx.run.gradient(**{name: _array(x) for name, x in zip(SAMPLES, cotangents)})
        gradients = (change.q, change.v, change.parameters, change.efforts)
        return (None, *(
            None if x is None else torch.from_numpy(np.array(g)).to(x)
            for x, g in zip(ctx.inputs, gradients)
        ))


def run_function(
    model: Model, until: float, *, parameters: Sequence[str] = (), **options: Any
) -> Callable[..., RunTensors]:
    """f(q, v, parameters, efforts) -> RunTensors, of tensors, arrays or None, for gradients of
    what follows. ``parameters`` are names whose values f takes; ``options`` those of
    DifferentiableRun but q, v and efforts.
    """

    own: List[Tuple[Any, Any]] = []  # the model's start

    def make(q: Any, v: Any, values: Any, efforts: Any) -> DifferentiableRun:
        if q is None:
            if not own:
                state = model.state()
                own.append((state.q, model.velocities_of(state)))
            q, v = own[0][0], own[0][1] if v is None else v
        return DifferentiableRun(
            with_values(model, parameters, values),
            until,
            q=q,
            v=v,
            efforts=efforts,
            parameters=list(parameters),
            **options,
        )

    def run(
        q: Any = None,
        v: Any = None,
        parameters: Any = None,
        efforts: Any = None,
    ) -> RunTensors:
        given = (None if x is None else torch.as_tensor(x) for x in (q, v, parameters, efforts))
        return RunTensors(*_Run.apply(make, *given))

    return run


step_function = step_function_by(run_function, torch.reshape)

__all__ = ["RunTensors", "run_function", "step_function"]
