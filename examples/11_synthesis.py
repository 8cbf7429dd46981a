"""Dimensional synthesis: the lengths of a walking leg (Jansen's) whose foot follows a given path,
from a poor start, by Levenberg-Marquardt steps with exact derivatives through closed loops."""

from typing import Optional, Tuple

import numpy as np
import numpy.typing as npt

import hamiltree as ht

Vector = npt.NDArray[np.float64]

# The unknowns, with the leg's true numbers in metres, and a poor start.
DIMENSIONS = {
    "joint.upper_end.at_parent.x": (0.500, 0.53),  # bar j
    "joint.upper_end.at_child.x": (0.415, 0.39),  # side b of the upper triangle
    "joint.lower_end.at_parent.x": (0.619, 0.59),  # bar k
    "joint.corner.at_parent.x": (0.02609881, 0.05),  # where d and e meet
    "joint.corner.at_parent.y": (0.40014979, 0.43),
    "joint.knee.at_parent.x": (0.394, 0.37),  # bar f
    "joint.knee.at_child.x": (0.367, 0.39),  # side g of the lower triangle
}
NAMES = list(DIMENSIONS)
TIMES = [k / 40 for k in range(41)]  # s: one turn of the crank
STEP = 0.025


def body(name: str) -> ht.Body:
    return ht.Body(name=name, mass=0.1, com=(0.1, 0.0), inertia=1e-3)


def pin(
    name: str,
    parent: str,
    child: str,
    at_parent: Tuple[float, float],
    guess: float,
    closes_at: Optional[float] = None,
) -> ht.Joint:
    return ht.Joint(
        name=name,
        parent=parent,
        child=child,
        at_parent=at_parent,
        at_child=(closes_at or 0.0, 0.0),
        guess_q=guess,
        cut=None if closes_at is None else True,
    )


leg = ht.Mechanism("leg", space="planar", gravity=(0.0, 0.0)).add(
    *(body(name) for name in ("crank", "j", "k", "upper", "c", "f", "lower")),
    ht.Joint(name="motor", parent="ground", child="crank", drive=ht.Polynomial([0.5, 2.0 * np.pi])),
    pin("crank_j", "crank", "j", (0.15, 0.0), 2.102),
    pin("crank_k", "crank", "k", (0.15, 0.0), -2.676),
    pin("hip", "ground", "upper", (-0.38, -0.078), 1.370),
    pin("hip_c", "ground", "c", (-0.38, -0.078), -1.153),
    pin("ankle", "c", "lower", (0.393, 0.0), 3.944),
    pin("corner", "upper", "f", (0.02609881, 0.40014979), -2.404),
    pin("upper_end", "j", "upper", (0.5, 0.0), 0.0, closes_at=0.415),
    pin("lower_end", "k", "c", (0.619, 0.0), 0.0, closes_at=0.393),
    pin("knee", "f", "lower", (0.394, 0.0), 0.0, closes_at=0.367),
    ht.PointSensor(name="foot", body="lower", position=(-0.07746594, 0.48383781)),
)
model = ht.Model(leg)
start = model.state()


def foot(x: Vector) -> ht.DifferentiableRun:
    """A turn of the leg with these dimensions."""
    return ht.DifferentiableRun(
        model.with_parameters(dict(zip(NAMES, x))),
        until=1.0,
        samples=TIMES,
        q=start.q,
        parameters=NAMES,
        step=STEP,
    )


truth = np.array([x for x, _ in DIMENSIONS.values()])
target = foot(truth).readings[:, :2]


def miss(run: ht.DifferentiableRun) -> Vector:
    error: Vector = (run.readings[:, :2] - target).ravel()
    return error


def slopes(run: ht.DifferentiableRun) -> Vector:
    columns = [run.tangents(parameters=unit).readings[:, :2].ravel() for unit in np.eye(len(NAMES))]
    return np.stack(columns, axis=1)


x = np.array([poor for _, poor in DIMENSIONS.values()])
run = foot(x)
print("first_miss", np.abs(miss(run)).max())
damping = 1e-3
for _ in range(60):
    if np.abs(miss(run)).max() < 1e-11:
        break
    J, error = slopes(run), miss(run)
    normal = J.T @ J
    damped = normal + damping * np.diag(np.diag(normal))
    step: Vector = np.asarray(np.linalg.solve(damped, -J.T @ error), dtype=np.float64)
    try:
        there = foot(x + step)
        better = bool(np.linalg.norm(miss(there)) < np.linalg.norm(error))
    except ht.HamiltreeError:  # no leg has these dimensions
        better = False
    damping = max(damping / 5.0, 1e-12) if better else damping * 4.0
    if better:
        x, run = x + step, there
print("miss_below_a_nanometre", int(np.abs(miss(run)).max() < 1e-9))
print("error_below_a_micrometre", int(np.abs(x - truth).max() < 1e-6))
print("bar_j", round(x[0], 7))
print("knee_in_lower", round(x[6], 7))
