"""Sweeps: many samples of one mechanism, and what is kept of them."""

from __future__ import annotations

import concurrent.futures
import contextlib
import csv
import functools
import os
import pathlib
import tempfile
from typing import Dict, List, Mapping, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._native import SweepWorker, begin_sweep, check_threads, run_sweep
from .errors import UsageError
from .model import _text
from .progress import ProgressBar

Array = npt.NDArray[np.float64]


class Sweep:
    """The results of a sweep, as arrays with one entry for each sample."""

    def __init__(self, folder: pathlib.Path, parameters: List[str], lanes: int) -> None:
        with open(folder / "results.csv", newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
        failures = columns.pop("failure")
        columns.pop("sample")
        arrays = {name: np.array(values, dtype=float) for name, values in columns.items()}
        #: By name, as the study says.
        self.parameters: Dict[str, Array] = {name: arrays.pop(name) for name in parameters}
        #: By name, "final.q.A" or "time.upright"; not a number where a sample has failed.
        self.outputs: Dict[str, Array] = arrays
        #: Why samples have failed, by their numbers.
        self.failures: Dict[int, str] = {i: why for i, why in enumerate(failures) if why}
        #: How many runs went side by side.
        self.lanes = lanes
        self._trajectories: Optional[Dict[str, Array]] = None
        if (folder / "trajectories.csv").exists():
            with open(folder / "trajectories.csv", newline="", encoding="utf-8") as file:
                names, *lines = csv.reader(file)
            values = np.array(lines, dtype=float).reshape(len(lines), len(names))
            self._trajectories = {name: values[:, i] for i, name in enumerate(names)}

    def __len__(self) -> int:
        return len(next(iter(self.parameters.values())))

    def trajectory(self, sample: int) -> Dict[str, Array]:
        """All recorded numbers of one sample over time, by name, "t" among them. Throws KeyError
        where the study keeps no trajectories, IndexError where there is no such sample."""
        if self._trajectories is None:
            raise KeyError("the study keeps no trajectories: run.trajectories")
        if not 0 <= sample < len(self):
            raise IndexError(f"there is no sample {sample}: they are numbered from 0 to {len(self) - 1}")
        mine = self._trajectories["sample"] == sample
        return {name: x[mine] for name, x in self._trajectories.items() if name != "sample"}


def sweep(
    study: Union[str, "os.PathLike[str]"],
    out: Optional[Union[str, "os.PathLike[str]"]] = None,
    *,
    threads: int = 0,
    executor: Optional[concurrent.futures.Executor] = None,
    hdf5: bool = False,
    set: Optional[Mapping[str, Union[bool, int, float, str]]] = None,
    progress: bool = False,
) -> Sweep:
    """Runs all samples of a study file on as many threads as there are cores, or ``threads``; with
    ``executor`` on the workers of any ``concurrent.futures.Executor``, each of which runs one at a
    time.

    Results are left in the folder ``out``, where a sweep that was interrupted is taken up again, on
    whatever it began; without it nothing is left. The workers of an executor must see the study
    file and the folder under the same paths. ``set`` changes values of the model in all samples,
    as load() does. The engine runs without the interpreter's lock. Throws what a worker throws, when
    nothing is running any more; samples that are finished stay. ``progress`` shows a bar by tqdm,
    which it then needs.
    """
    check_threads(threads)
    if out is not None and not os.fspath(out):
        raise UsageError("out needs the name of a folder")
    if progress and executor is None:  # tasks are what the bar counts
        with concurrent.futures.ThreadPoolExecutor(threads or os.cpu_count()) as pool:
            return sweep(study, out, executor=pool, hdf5=hdf5, set=set, progress=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(out if out is not None else temporary)
        overrides = [f"{path}={_text(value)}" for path, value in (set or {}).items()]
        if executor is not None:
            _run_on(executor, pathlib.Path(study).absolute(), folder.absolute(), overrides, progress)
        done = run_sweep(study, folder, threads=threads, hdf5=hdf5, overrides=overrides)
        return Sweep(folder, done["parameters"], done["lanes"])


#: Enough that workers of different speed end together, few enough to cost nothing.
_TASKS = 256


def _run_on(
    executor: concurrent.futures.Executor,
    study: pathlib.Path,
    out: pathlib.Path,
    overrides: List[str],
    progress: bool,
) -> None:
    """Shares out what is missing, and waits until all of it is done or one task has failed."""
    tasks, session = begin_sweep(study, out, most=_TASKS, overrides=overrides)
    futures = [
        executor.submit(_run_task, str(study), str(out), tuple(overrides), samples, session, number)
        for number, samples in enumerate(tasks)
    ]
    try:
        done = concurrent.futures.as_completed(futures)
        with contextlib.ExitStack() as stack:
            bar = stack.enter_context(ProgressBar(0, len(futures), "tasks")) if progress else None
            for number, future in enumerate(done):
                future.result()
                if bar is not None:
                    bar.reach(number + 1)
    finally:
        for future in futures:
            future.cancel()
        concurrent.futures.wait(futures)


def _run_task(
    study: str, out: str, overrides: Tuple[str, ...], samples: List[int], session: int, task: int
) -> None:
    """On a worker."""
    _worker(study, out, overrides).run(samples, session, task)


@functools.lru_cache(maxsize=1)
def _worker(study: str, out: str, overrides: Tuple[str, ...]) -> SweepWorker:
    return SweepWorker(study, out, list(overrides))
