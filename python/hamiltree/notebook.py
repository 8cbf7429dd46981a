"""Runs that are seen in a notebook while they go on. Needs IPython.

>>> from hamiltree.notebook import watch
>>> run = watch(ht.load("model.toml"), until=10.0)
"""

from __future__ import annotations

import html
import time
from typing import Any, List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._native import Looks, Model, State
from .recording import Recording
from .simulation import Simulation

Array = npt.NDArray[np.float64]

_WIDTH, _HEIGHT = 640, 400  # of the drawing
_MARGIN = 0.12  # around what was there at the start, of its size


def watch(
    model: Model,
    until: float = 10.0,
    *,
    every: Union[float, str, None] = None,
    state: Optional[State] = None,
    refresh: float = 0.1,
    looks: Optional[Looks] = None,
    **options: Any,
) -> Recording:
    """simulate(), with a drawing of the bodies in the cell that moves as the run goes on, at most once
    in ``refresh`` s of the clock, and becomes the report with its viewer at the end."""
    from IPython.display import HTML, display

    drawing = Drawing(model)
    cell: Any = display(HTML(""), display_id=True)
    if cell is None:  # no notebook, nothing to be seen
        return Simulation(model, state=state, **options).run_until(until, every=every)
    shown = [0.0]

    def show(t: float, poses: Array) -> None:
        if time.monotonic() - shown[0] >= refresh:
            cell.update(HTML(drawing.svg(t, poses)))
            shown[0] = time.monotonic()

    simulation = Simulation(model, state=state, **options)
    run = simulation.run_until(until, every=every, on_sample=show)
    cell.update(HTML(run.to_html(looks=looks)))
    return run


class Drawing:
    """The bodies as lines between the points where joints act on them, seen from the side."""

    def __init__(self, model: Model) -> None:
        ground, bodies = model.skeleton()
        self._name = html.escape(model.name)
        self._ground, self._bodies = ground, bodies
        self._view = _view(model)
        self._middle: Optional[Array] = None
        self._scale = 1.0

    def svg(self, t: float, poses: Array) -> str:
        """The drawing of the bodies at these poses, as in Recording.poses."""
        strokes = [points @ _rotation(pose[3:]).T + pose[:3] for points, pose in zip(self._bodies, poses)]
        strokes = [self._view @ stroke.T for stroke in strokes]
        ground = self._view @ self._ground.T
        if self._middle is None:
            self._fit(np.concatenate([ground, *strokes], axis=1))
        parts = [f'<polyline points="{self._text(s)}"/>' for s in strokes if s.shape[1] > 1]
        dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>' for x, y in self._pixels(ground)]
        return (
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img">'
            f"<title>{self._name} at {t:g} s</title>"
            f'<g fill="none" stroke="#1f6f8b" stroke-width="5" stroke-linejoin="round" '
            f'stroke-linecap="round">{"".join(parts)}</g><g fill="#888">{"".join(dots)}</g>'
            f'<text x="10" y="22" font-family="sans-serif" fill="#888">t = {t:.4g} s</text></svg>'
        )

    def _fit(self, points: Array) -> None:
        low, high = points.min(axis=1), points.max(axis=1)
        reach = max(float((high - low).max()), 1e-9) * (1.0 + 2.0 * _MARGIN)
        self._middle = (low + high) / 2.0
        self._scale = _HEIGHT / reach / 1.4

    def _pixels(self, points: Array) -> List[Tuple[float, float]]:
        away = (points - np.asarray(self._middle)[:, None]) * self._scale
        return list(zip(_WIDTH / 2 + away[0], _HEIGHT / 2 - away[1]))

    def _text(self, points: Array) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self._pixels(points))


def _rotation(quat_wxyz: Array) -> Array:
    w, x, y, z = quat_wxyz
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _view(model: Model) -> Array:
    """From the world to the drawing, whose second axis is up: from the front in the plane, from a
    corner in space."""
    if model.space == "planar":
        return np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    gravity = np.array(model._mechanism_before.gravity, dtype=float)
    is_y_up = bool(abs(gravity[1]) > abs(gravity[2]))
    along = np.array([0.8, 0.0, -0.6] if is_y_up else [0.8, 0.6, 0.0])
    upward = np.array([-0.18, 0.95, -0.24] if is_y_up else [-0.18, 0.24, 0.95])
    return np.stack([along, upward])
