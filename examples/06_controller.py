"""Forces that the user's own code computes: drag on a body, and a controller that holds it up."""

from typing import Tuple

import numpy as np
import numpy.typing as npt

import hamiltree as ht


def drag(t: float, body: ht.BodyState) -> Tuple[npt.NDArray[np.float64], float]:
    speed = float(np.linalg.norm(body.velocity))
    return -0.2 * speed * body.velocity, 0.0


def law(controls: ht.Controls) -> None:
    error = 1.5 - controls.position("pin")
    controls.add_effort(0, 40.0 * error - 8.0 * controls.rate("pin"))


mechanism = ht.Mechanism("held_up", space="planar", gravity=(0.0, -9.81)).add(
    ht.Body(name="rod", mass=1.0, com=(0.5, 0.0), inertia=1.0 / 12.0),
    ht.Joint(name="pin", parent="ground", child="rod"),
    ht.LoadCallback(name="drag", body="rod", load=drag),
    ht.Controller(name="hold", joints=["pin"], law=law),
)
run = ht.simulate(ht.Model(mechanism), until=3.0, every=0.01)
print("angle", run["q.pin"][-1])
print("work", run.work[-1, 1])
