"""Runs and steps as functions of PyTorch and JAX: against the gradient of the run itself and, in
PyTorch, its own check by differences. Skipped where one of the two is missing."""

import importlib.util
import sys
import warnings

import numpy as np

import hamiltree as ht

bars = (("crank", 0.5, 0.3), ("coupler", 0.5, 0.3), ("rocker", 0.7, 0.31))
model = ht.Model(
    ht.Mechanism("four_bar", space="planar", gravity=(0.0, -9.81)).add(
        *(ht.Body(name=n, mass=m, com=(l / 2.0, 0.0), inertia=m * l**2 / 12.0) for n, m, l in bars),
        ht.Joint(name="A", parent="ground", child="crank", initial_q=0.8),
        ht.Joint(name="B", parent="crank", child="coupler", at_parent=(0.3, 0.0), guess_q=-0.55),
        ht.Joint(name="D", parent="ground", child="rocker", at_parent=(0.4, 0.0), guess_q=1.0),
        ht.Joint(
            name="C", parent="coupler", child="rocker", at_parent=(0.3, 0.0), at_child=(0.31, 0.0), cut=True
        ),
        ht.PointSensor(name="foot", body="coupler", position=(0.1, 0.2)),
    )
)
NAMES = ["body.coupler.mass", "joint.C.at_parent.x"]
SAMPLES = [0.05, 0.1]
OPTIONS = {"samples": SAMPLES, "step": 5e-3, "controls": ["A"]}
start = model.state()
values = np.array([0.5, 0.3])
efforts = np.array([[0.3], [-0.2]])
v = np.array([0.5, -0.4, 0.2])

# The objective: the sum of all samples' squares.
run = ht.DifferentiableRun(
    model, 0.1, q=start.q, v=v, efforts=efforts, parameters=NAMES, **OPTIONS
)
exact = run.gradient(q=2.0 * run.q, v=2.0 * run.v, p=2.0 * run.p, readings=2.0 * run.readings)
expected = [exact.q, exact.v, exact.parameters, exact.efforts]

# Differences of it along one change of everything, and the tangents.
change = [np.array([0.3, -0.2, 0.1]), np.array([0.1, 0.5, -0.4]), np.array([0.02, 0.01])]


def squares(s: float) -> float:
    moved = model.with_parameters(dict(zip(NAMES, values + s * change[2])))
    there = ht.DifferentiableRun(
        moved, 0.1, q=start.q + s * change[0], v=v + s * change[1], efforts=efforts, **OPTIONS
    )
    return float(sum(np.sum(x**2) for x in (there.q, there.v, there.p, there.readings)))


slope = (8.0 * (squares(1e-3) - squares(-1e-3)) - squares(2e-3) + squares(-2e-3)) / 12e-3
assert abs(slope - sum(g @ c for g, c in zip(expected, change))) < 1e-7 * abs(slope)
tangents = run.tangents(q=change[0], v=change[1], parameters=change[2])
along = 2.0 * sum(
    np.sum(x * d)
    for x, d in zip(
        (run.q, run.v, run.p, run.readings),
        (tangents.q, tangents.v, tangents.p, tangents.readings),
    )
)
assert abs(along - slope) < 1e-7 * abs(slope)

# An implicit method, and states kept at a time that change no bit.
by_spark = {"q": start.q, "v": v, "parameters": NAMES, "step": 5e-3, "integrator": "spark_2"}
gradients = []
for checkpoints in (0, 3):
    run = ht.DifferentiableRun(model, 0.1, checkpoints=checkpoints, **by_spark)
    gradients.append(run.gradient(q=np.ones_like(run.q), readings=np.ones_like(run.readings)))
    assert run.kept_bytes == (3 if checkpoints else 21) * 6 * 8
for name in ("q", "v", "parameters"):
    assert np.array_equal(getattr(gradients[0], name), getattr(gradients[1], name))
run = ht.DifferentiableRun(model, 0.1, **by_spark)
assert repr(run).startswith("<DifferentiableRun of"), repr(run)
tangents = run.tangents(q=change[0], v=change[1], parameters=change[2])
product = sum(getattr(gradients[0], name) @ c for name, c in zip(("q", "v", "parameters"), change))
assert abs(np.sum(tangents.q) + np.sum(tangents.readings) - product) < 1e-11 * abs(product)

missing = [name for name in ("torch", "jax") if importlib.util.find_spec(name) is None]

# A pendulum under a motor whose effort is a function of time, by steps that begin where the last ended.
driven = ht.Model(
    ht.Mechanism("driven", space="planar", gravity=(0.0, -9.81)).add(
        ht.Body(name="rod", mass=1.0, com=(0.5, 0.0), inertia=0.1),
        ht.Joint(name="pin", parent="ground", child="rod", initial_q=0.3),
        ht.Actuator(name="motor", joint="pin", effort=ht.Sine(amplitude=5.0, frequency=2.0)),
    )
)
by_steps = ht.DifferentiableRun(driven, 0.03, step=0.01, samples=[0.01, 0.02, 0.03])

if "torch" not in missing:
    import torch

    import hamiltree.torch as by_torch

    def tensor(x: object) -> "torch.Tensor":
        return torch.tensor(np.asarray(x), dtype=torch.float64, requires_grad=True)

    inputs = [tensor(x) for x in (start.q, v, values, efforts)]
    f = by_torch.run_function(model, 0.1, parameters=NAMES, **OPTIONS)
    sum((x**2).sum() for x in f(*inputs)).backward()
    for x, g in zip(inputs, expected):
        assert np.allclose(x.grad.numpy(), g, rtol=1e-12, atol=1e-12)
    same = f(start.q, v, values, efforts)  # arrays are taken as they are
    assert all(np.array_equal(x, y.detach()) for x, y in zip(same, f(*inputs)))
    free = tensor(values)
    by_torch.run_function(model, 0.1, parameters=NAMES, **OPTIONS)(parameters=free).q[-1, 0].backward()
    own = ht.DifferentiableRun(model, 0.1, parameters=NAMES, **OPTIONS)
    last = np.zeros_like(own.q)
    last[-1, 0] = 1.0
    assert np.allclose(free.grad.numpy(), own.gradient(q=last).parameters, rtol=1e-12)
    step = by_torch.step_function(model, 5e-3, parameters=NAMES, controls=["A"])
    inputs[3] = tensor([0.3])
    assert torch.autograd.gradcheck(step, inputs, eps=1e-5, atol=1e-6, rtol=1e-6)
    at_q, at_v = tensor([0.3]), tensor([0.0])
    for i in range(3):
        at_q, at_v = by_torch.step_function(driven, 0.01, start=0.01 * i)(at_q, at_v)
        assert np.allclose(at_q.detach().numpy(), by_steps.q[i], rtol=1e-14), i

if "jax" not in missing:
    import jax
    import jax.numpy as jnp

    import hamiltree.jax as by_jax

    jax.config.update("jax_enable_x64", True)
    g = by_jax.run_function(model, 0.1, parameters=NAMES, parts=2, **OPTIONS)

    def loss(*inputs):  # type: ignore
        return sum(jnp.sum(x**2) for x in g(*inputs))

    for transform in (lambda x: x, jax.jit):
        gradients = transform(jax.grad(loss, argnums=(0, 1, 2, 3)))(start.q, v, values, efforts)
        for x, y in zip(gradients, expected):
            assert np.allclose(x, y, rtol=1e-12, atol=1e-12)
    advance = by_jax.step_function(model, 5e-3, parameters=NAMES, controls=["A"])
    slope = jax.grad(lambda u: advance(start.q, v, values, u)[1][0])(jnp.array([0.3]))
    near = [advance(start.q, v, values, jnp.array([0.3 + s]))[1][0] for s in (1e-3, -1e-3)]
    assert abs(slope[0] - (near[0] - near[1]) / 2e-3) < 1e-6 * abs(slope[0])

    at_q, at_v = [0.3], [0.0]
    for i in range(3):
        at_q, at_v = by_jax.step_function(driven, 0.01, start=0.01 * i)(at_q, at_v)
        assert np.allclose(at_q, by_steps.q[i], rtol=1e-14), i

    # One run after the other under vmap, also where JAX takes all rows of a Jacobian at a time.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        together = jax.vmap(lambda u: g(start.q, v, values, u).q)(jnp.stack([efforts, 2.0 * efforts]))
        rows = jax.jacrev(lambda u: g(start.q, v, values, u).q[-1])(efforts)
    assert np.array_equal(together[1], g(start.q, v, values, 2.0 * efforts).q)
    first = jax.grad(lambda u: g(start.q, v, values, u).q[-1, 0])(efforts)
    assert np.array_equal(rows[0], first)
    for shapes in ((start.q[1:],), (start.q, v[1:]), (start.q, v, values[1:]), (start.q, v, values, efforts[1:])):
        try:
            g(*shapes)
            raise SystemExit("a wrong shape was accepted")
        except ht.UsageError as error:
            assert "has the shape" in str(error), error

# A target by sample is that of the one column.
target = np.linspace(0.1, 0.5, len(run.t))
by_sample = ht.LeastSquares(target, of="q", columns=[0])
value, slopes = by_sample(run)
assert ht.LeastSquares(target, of="q", columns=0)(run)[0] == value
assert value == 0.5 * np.sum((np.asarray(run.q)[:, 0] - target) ** 2)
assert np.array_equal(slopes["q"][:, 0], np.asarray(run.q)[:, 0] - target)

by_name = ht.LeastSquares(0.0, columns="foot.position.x", weights=np.ones(len(run.t)))(run)
assert by_name[0] == 0.5 * np.sum(np.asarray(run.readings)[:, 0] ** 2)

# Refusals.
for wrong in (
    lambda: ht.gradient(model, lambda run: (0.0, {"lambda": run.q}), 0.1),
    lambda: ht.gradient(model, lambda run: (0.0, {"v": np.full_like(run.v, np.nan)}), 0.1),
    lambda: ht.LeastSquares([0.0], of="forces"),
    lambda: ht.LeastSquares([0.0], columns=["hand.x"])(run),
    lambda: ht.LeastSquares(target[:-1], of="q", columns=[0])(run),
    lambda: ht.LeastSquares(target, of="q", columns=[3])(run),
    lambda: ht.LeastSquares(target, of="q", columns=["q.A"])(run),
    lambda: ht.LeastSquares(target, of="q", columns=0.0)(run),
    lambda: ht.LeastSquares(target, of="q", columns=[True, False, False])(run),
    lambda: ht.LeastSquares(target, of="q", columns=[0], weights=np.ones(1))(run),
    lambda: ht.LeastSquares(target, of="q", columns=[0], weights=2.0)(run),
    lambda: run.gradient(q=np.zeros((1, 3))),
    lambda: model.with_parameters({"body.leg.mass": 1.0}),
    lambda: ht.DifferentiableRun(model, 0.1, integrator="adams"),
):
    try:
        wrong()
        raise SystemExit("it was accepted")
    except ht.UsageError:
        pass

if missing:
    print("skipped in part: there is no", *missing)
    sys.exit(77)
