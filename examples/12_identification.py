"""Identification: masses and damping of a four-bar from a noisy recording of its motion, by
Gauss-Newton steps with exact derivatives of the run, and how certain they are."""

import numpy as np
import numpy.typing as npt

import hamiltree as ht

Vector = npt.NDArray[np.float64]

TRUTH = {
    "body.coupler.mass": 0.5,
    "body.rocker.mass": 0.7,
    "friction.A.viscous": 0.02,
    "friction.D.viscous": 0.03,
}
NAMES = list(TRUTH)
TIMES = [k / 50 for k in range(1, 101)]  # s
NOISE = 2e-3  # rad

bars = (("crank", 0.5, 0.3), ("coupler", 0.5, 0.3), ("rocker", 0.7, 0.31))
model = ht.Model(
    ht.Mechanism("four_bar", space="planar", gravity=(0.0, -9.81)).add(
        *(
            ht.Body(name=name, mass=mass, com=(length / 2.0, 0.0), inertia=mass * length**2 / 12.0)
            for name, mass, length in bars
        ),
        ht.Joint(name="A", parent="ground", child="crank", initial_q=0.8),
        ht.Joint(name="B", parent="crank", child="coupler", at_parent=(0.3, 0.0), guess_q=-0.55),
        ht.Joint(name="D", parent="ground", child="rocker", at_parent=(0.4, 0.0), guess_q=1.0),
        ht.Joint(
            name="C",
            parent="coupler",
            child="rocker",
            at_parent=(0.3, 0.0),
            at_child=(0.31, 0.0),
            cut=True,
        ),
        ht.JointFriction(joint="A", viscous=0.02),
        ht.JointFriction(joint="D", viscous=0.03),
    )
)
start = model.state()


def motion(x: Vector) -> ht.DifferentiableRun:
    return ht.DifferentiableRun(
        model.with_parameters(dict(zip(NAMES, x))),
        until=2.0,
        samples=TIMES,
        q=start.q,
        parameters=NAMES,
        step=2e-3,
    )


truth = np.array(list(TRUTH.values()))
recorded = motion(truth).q
k = np.arange(recorded.size, dtype=float)
noise = NOISE * np.sin(12.9898 * k + 0.5 * k * k).reshape(recorded.shape)  # as good as random
recorded = recorded + noise

x = truth * np.array([1.5, 0.6, 0.4, 2.0])
for _ in range(20):
    run = motion(x)
    error = (run.q - recorded).ravel()
    J = np.stack([run.tangents(parameters=unit).q.ravel() for unit in np.eye(len(x))], axis=1)
    step = np.linalg.lstsq(J, -error, rcond=None)[0]
    step *= min(1.0, 0.5 / np.abs(step / x).max())  # none by more than a half
    x = x + step
    if np.abs(step / x).max() < 1e-12:
        break
spread = np.sqrt(np.diag(np.linalg.inv(J.T @ J)) * (error @ error) / (len(error) - len(x)))
print("coupler_mass", x[0])
print("rocker_mass", x[1])
print("damping_of_A", x[2])
print("damping_of_D", x[3])
print("all_below_four_deviations", int(bool(np.all(np.abs(x - truth) < 4.0 * spread))))
