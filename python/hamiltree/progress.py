"""A bar that shows how far a run has come, by tqdm: a widget in notebooks, text in terminals."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Optional, Type

_BETWEEN = 0.1  # s of the clock: steps are much shorter


class ProgressBar:
    """From a time of the run to another, s; or of so many things in all."""

    def __init__(self, start: float, until: float, unit: str = "s") -> None:
        from tqdm.auto import tqdm

        self._bar: Any = tqdm(
            total=until - start, unit=unit, bar_format="{percentage:3.0f}%|{bar}| {n:.4g}/{total:.4g} "
            "{unit} [{elapsed}<{remaining}]"
        )
        self._start = start
        self._next = 0.0

    def __enter__(self) -> ProgressBar:
        return self

    def reach(self, now: float) -> None:
        if time.monotonic() < self._next:
            return
        self._show(now)

    def _show(self, now: float) -> None:
        self._next = time.monotonic() + _BETWEEN
        self._bar.update(now - self._start - self._bar.n)

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if kind is None:
            self._show(self._start + self._bar.total)
        self._bar.close()
