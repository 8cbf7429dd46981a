"""Runs: one, or many on threads."""

from __future__ import annotations

import threading
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextvars import ContextVar
from typing import Any, Callable, List, Literal, Optional, Sequence, Union, overload

import numpy as np
import numpy.typing as npt

from ._native import Model, State, every_step, has_controllers
from ._native import Simulation as _Simulation
from .errors import ModelError, SimulationError, UsageError
from .progress import ProgressBar
from .recording import Recording

Array = npt.NDArray[np.float64]

#: Whether runs of this thread are to end: Ctrl-C reaches the main thread only.
_is_stopped: ContextVar[Optional[Callable[[], bool]]] = ContextVar("is_stopped", default=None)


class Simulation(_Simulation):
    """A model in motion. run_until() moves its state on and may be called again."""

    def run_until(
        self,
        until: float,
        *,
        every: Union[float, str, None] = None,
        on_step: Optional[Callable[[float], None]] = None,
        on_sample: Optional[Callable[[float, Array], None]] = None,
        progress: bool = False,
    ) -> Recording:
        """Integrates to ``until`` (s), recording every ``every`` s: by default 1/500 of the way,
        in whole steps where these have a fixed size, with "step" or hamiltree.every_step after
        every accepted step. Samples within a step are interpolated, to the order of the method, unless
        ``dense_output`` is off; steps of a fixed size are cut short at samples that do not fit.

        ``on_step(t)`` is called after every accepted step, ``on_sample(t, poses)`` with every sample,
        poses as in Recording.poses; what they raise ends the run. ``progress`` shows a bar by tqdm,
        which it then needs. Throws SimulationError with .time, .body, .last_state and .recording.
        """
        if isinstance(every, str):
            if every != "step":
                raise UsageError(f'every must be a positive number or "step", it is "{every}"')
            every = every_step
        is_stopped = _is_stopped.get()
        if not progress:
            raw = self.run_until_raw(
                until, every=every, on_step=on_step, on_sample=on_sample, is_stopped=is_stopped
            )
            return Recording(raw, self.model)
        with ProgressBar(self.state.t, until) as bar:

            def step(t: float) -> None:
                bar.reach(t)
                if on_step is not None:
                    on_step(t)

            raw = self.run_until_raw(
                until, every=every, on_step=step, on_sample=on_sample, is_stopped=is_stopped
            )
        return Recording(raw, self.model)


def simulate(
    model: Model,
    until: float = 10.0,
    *,
    every: Union[float, str, None] = None,
    state: Optional[State] = None,
    formulation: str = "auto",
    integrator: str = "auto",
    rtol: Optional[float] = None,
    atol: Optional[float] = None,
    step: Optional[float] = None,
    weights: str = "inertia",
    reset: bool = True,
    projection: bool = True,
    leak: Optional[float] = None,
    energy_scaling: bool = False,
    dense_output: bool = True,
    baumgarte: float = 0.0,
    lanes: str = "auto",
    plane: bool = True,
    segments: int = 0,
    threads: int = 1,
    on_step: Optional[Callable[[float], None]] = None,
    on_sample: Optional[Callable[[float, Array], None]] = None,
    progress: bool = False,
) -> Recording:
    """Moves a model from its initial state, or from ``state``, to the time ``until`` (s).

    Options are those of ``hamiltree simulate`` and of Simulation.run_until(); tolerances are 1e-9
    unless given. The engine runs without the interpreter's lock, and Ctrl-C ends it after the present step.
    """
    if not isinstance(model, Model):
        raise TypeError(f"simulate() takes a Model, as of load(), not a {type(model).__name__}")
    simulation = Simulation(
        model,
        state=state,
        formulation=formulation,
        integrator=integrator,
        rtol=rtol,
        atol=atol,
        step=step,
        weights=weights,
        reset=reset,
        projection=projection,
        leak=leak,
        energy_scaling=energy_scaling,
        dense_output=dense_output,
        baumgarte=baumgarte,
        lanes=lanes,
        plane=plane,
        segments=segments,
        threads=threads,
    )
    return simulation.run_until(
        until, every=every, on_step=on_step, on_sample=on_sample, progress=progress
    )


Failure = Union[ModelError, SimulationError]


@overload
def simulate_batch(
    model: Model,
    states: Sequence[State],
    until: float = ...,
    *,
    threads: Optional[int] = ...,
    on_failure: Literal["raise"] = ...,
    **options: Any,
) -> List[Recording]: ...
@overload
def simulate_batch(
    model: Model,
    states: Sequence[State],
    until: float = ...,
    *,
    threads: Optional[int] = ...,
    on_failure: Literal["return"],
    **options: Any,
) -> List[Union[Recording, Failure]]: ...
def simulate_batch(
    model: Model,
    states: Sequence[State],
    until: float = 10.0,
    *,
    threads: Optional[int] = None,
    on_failure: str = "raise",
    **options: Any,
) -> Union[List[Recording], List[Union[Recording, Failure]]]:
    """Runs from many states, in their order, on as many threads as there are cores or ``threads``.

    Options are those of simulate(). Loops are kept closed in each. Where one fails, and by Ctrl-C,
    the others end after their present steps; with ``on_failure="return"`` they go on, and its
    SimulationError or ModelError stands in the place of its recording. With a Controller that has a
    period the runs are made one after the other: what its law remembers goes on from each to the
    next.
    """
    if on_failure not in ("raise", "return"):
        raise UsageError(f'on_failure is "raise" or "return", not "{on_failure}"')

    def run_from(state: State) -> Union[Recording, Failure]:
        try:
            return simulate(model, until, state=state, **options)
        except (ModelError, SimulationError) as failure:
            if on_failure == "raise":
                raise
            return failure

    if not isinstance(model, Model):
        raise TypeError(f"simulate_batch() takes one Model and its states, not a {type(model).__name__}")
    if has_controllers(model):
        threads = 1
    stop = threading.Event()
    with ThreadPoolExecutor(threads, initializer=_is_stopped.set, initargs=(stop.is_set,)) as pool:
        try:
            runs = [pool.submit(run_from, state) for state in states]
            done, _ = wait(runs, return_when=FIRST_EXCEPTION)
            for run in runs:
                if run in done:
                    run.result()
            return [run.result() for run in runs]
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
