"""Recordings as tables, batches by DLPack, and environments for Gymnasium. Skipped where a package
lacks."""

import importlib.util
import pathlib
import sys
import tempfile
from typing import Any, Tuple

import numpy as np

import hamiltree as ht

missing = [n for n in ("pandas", "xarray", "gymnasium") if importlib.util.find_spec(n) is None]
if missing:
    print(f"skipped: there is no {', '.join(missing)} (./dev setup --all)")
    sys.exit(77)

import gymnasium
import pandas
import xarray
from gymnasium.utils.env_checker import check_env
from hamiltree.gym import Env, VectorEnv, cart_pole

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOUR_BAR = ht.load(ROOT / "mechanisms" / "four_bar" / "model.toml")


def check_tables() -> None:
    run = ht.simulate(FOUR_BAR, until=0.5, every=0.01)
    frame, dataset = run.to_pandas(), run.to_xarray()
    with tempfile.TemporaryDirectory() as folder:
        run.save(folder)
        saved = pandas.read_csv(pathlib.Path(folder) / "trajectory.csv", index_col="t", float_precision="round_trip")
    for name in frame.columns:
        assert np.array_equal(frame[name], saved[name]), name
        assert np.array_equal(dataset[name], saved[name]), name
    assert np.array_equal(frame.index, saved.index)
    assert set(saved.columns) == set(frame.columns)
    assert frame.attrs["units"]["q.A"] == dataset["q.A"].attrs["units"] == "rad"
    assert frame.attrs["units"]["kinetic_energy"] == "J"
    assert dataset.sel(t=0.2, method="nearest")["q.A"] == run["q.A"][20]
    crank = dataset["position"].sel(body="crank", axis="x")
    assert np.array_equal(crank, run.poses[:, run.body_names.index("crank"), 0])
    assert isinstance(dataset, xarray.Dataset)


class Foreign:
    """An array of a library that knows DLPack and nothing else of NumPy."""

    def __init__(self, x: "np.ndarray[Any, Any]") -> None:
        self._x = x

    def __dlpack__(self, *, stream: Any = None) -> Any:
        return self._x.__dlpack__()

    def __dlpack_device__(self) -> Tuple[int, int]:
        return self._x.__dlpack_device__()


def check_dlpack() -> None:
    random = np.random.default_rng(7)
    batch = ht.Batch(FOUR_BAR.opened())
    q, p = random.normal(size=(2, 11, 3))
    expected = batch.rates(q, p)
    for got, wanted in zip(batch.rates(Foreign(q), Foreign(p)), expected):
        assert np.array_equal(got, wanted)
        assert np.array_equal(np.from_dlpack(got), wanted)
    rollout = ht.Rollout(FOUR_BAR.opened(), step=0.01)
    efforts = random.normal(size=(11, 4, 3))
    ours = rollout.run(q, p, efforts, 0.02)
    theirs = rollout.run(Foreign(q), Foreign(p), Foreign(efforts), 0.02)
    assert np.array_equal(ours[0], theirs[0]) and np.array_equal(ours[1], theirs[1])
    try:
        batch.rates("no array", p)  # type: ignore[arg-type]
        raise SystemExit("text was taken for an array")
    except (TypeError, ValueError):
        pass


def linkage(num_envs: int, **options: Any) -> VectorEnv:
    """A four-bar whose crank is to be brought to rest at 2 rad."""

    def reward(q: Any, q_dot: Any, action: Any) -> Any:
        return -((q[:, 0] - 2.0) ** 2) - 0.01 * q_dot[:, 0] ** 2 - 1e-3 * action[:, 0] ** 2

    def start(random: np.random.Generator, number: int) -> Any:
        state = FOUR_BAR.state()
        p = random.normal(scale=0.05, size=(number, FOUR_BAR.velocity_count))
        return np.tile(state.q, (number, 1)), p

    return VectorEnv(FOUR_BAR, num_envs, efforts={"A": 5.0}, reward=reward, start=start, **options)


def check_environments() -> None:
    for make in (cart_pole, linkage):
        check_env(Env(make(1)), skip_render_check=True)

        many = make(5, periods=30)
        assert many.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP
        seen, _ = many.reset(seed=4)
        again, _ = many.reset(seed=4)
        assert np.array_equal(seen, again) and seen in many.observation_space
        many.action_space.seed(4)
        ended = 0
        was_over = np.zeros(5, dtype=bool)
        for _ in range(80):
            seen, rewards, terminated, truncated, _ = many.step(many.action_space.sample())
            assert seen in many.observation_space and rewards.shape == (5,)
            assert not (was_over & (terminated | truncated)).any()
            assert (rewards[was_over] == 0.0).all()
            was_over = terminated | truncated
            ended += int(was_over.sum())
        assert ended >= 10, ended
        many.close()

        # One of many is what one alone is: the same model by Simulation's own steps.
        state = many.model.state()
        alone = VectorEnv(many.model, 1, efforts={next(iter(EFFORTS[make])): 5.0},
                          reward=lambda q, v, a: q[:, 0], step=0.005)
        alone.reset()
        for _ in range(10):
            seen, *_ = alone.step(np.zeros((1, 1)))
        run = ht.Simulation(many.model, state=state, integrator="rk4", step=0.005)
        run.run_until(0.2, every=0.02)
        assert np.allclose(seen[0, : many.model.coordinate_count], run.state.q, rtol=0, atol=1e-9)


def check_failures() -> None:
    """An environment that cannot go on is truncated where it last was, and the others go on."""

    def start(random: np.random.Generator, number: int) -> Any:
        state = FOUR_BAR.state()
        q, p = np.tile(state.q, (number, 1)), np.tile(state.p, (number, 1))
        if number > 1:
            p[2] = 1e100
        return q, p

    many = VectorEnv(FOUR_BAR, 4, efforts={"A": 5.0}, reward=lambda q, v, a: q[:, 0], start=start)
    try:
        many.step(np.zeros((4, 1)))
        raise AssertionError("a step before reset()")
    except gymnasium.error.ResetNeeded:
        pass
    before, _ = many.reset()
    seen, _, terminated, truncated, infos = many.step(np.zeros((4, 1)))
    assert list(truncated) == [False, False, True, False] and not terminated.any()
    assert list(infos["_failure"]) == list(truncated)
    assert infos["failure"][2] == "the rates are not finite", infos
    assert np.array_equal(seen[2], before[2]) and not np.array_equal(seen[1], before[1])
    seen, _, _, truncated, infos = many.step(np.zeros((4, 1)))
    assert not truncated.any() and not infos and np.array_equal(seen[2], before[1])
    for options in ({"period": 0.0}, {"periods": 0}):
        try:
            cart_pole(1, **options)
            raise AssertionError(f"{options}")
        except ht.UsageError as error:
            assert "period" in str(error)


def check_time() -> None:
    """Functions of time go on from period to period, in each environment from its own start."""
    model = ht.Model(
        ht.Mechanism("swing", space="planar", gravity=(0.0, -9.81)).add(
            ht.Body(name="base", mass=1.0, inertia=0.1),
            ht.Body(name="rod", mass=1.0, com=(0.5, 0.0), inertia=0.1),
            ht.Joint(name="slide", type="prismatic", parent="ground", child="base",
                     drive=ht.Sine(amplitude=0.3, frequency=1.0)),
            ht.Joint(name="pin", parent="base", child="rod", initial_q=0.2),
            ht.Actuator(name="a", joint="pin", effort=ht.Sine(amplitude=2.0, frequency=0.7)),
        )
    )
    run = ht.simulate(model, 0.5, every=0.05, integrator="rk4", step=0.01)
    many = VectorEnv(model, 3, efforts={"pin": 1.0}, reward=lambda q, v, a: q[:, 0], period=0.05,
                     periods=10)
    many.reset()
    ages = np.zeros(3, dtype=int)
    for number in range(25):
        if number in (2, 5):  # one after the other starts anew
            mask = np.arange(3) == (1 if number == 2 else 2)
            many.reset(options={"reset_mask": mask.astype(int)})
            ages[mask] = 0
        seen, _, _, truncated, _ = many.step(np.zeros((3, 1)))
        ages = np.where(ages == 10, 0, ages + 1)  # the step after the last period begins
        assert np.allclose(seen[:, 0], run.q[ages, 0], rtol=0, atol=1e-12), number
        assert np.allclose(seen[:, 1], run.v[ages, 0], rtol=0, atol=1e-12), number
        assert np.array_equal(truncated, ages == 10)


def check_refusals() -> None:
    try:
        cart_pole(2).reset(options={"reset_mask": [True]})
        raise SystemExit("a mask of another length was taken")
    except ht.UsageError as error:
        assert "reset_mask" in str(error), error
    cut = FOUR_BAR.joint_names[-1]
    try:
        VectorEnv(FOUR_BAR, 1, efforts={cut: 1.0}, reward=lambda q, v, a: q[:, 0])
        raise SystemExit("an effort along a joint that closes a loop was taken")
    except ht.UsageError as error:
        assert "no velocity of its own" in str(error), error
    try:
        Env(cart_pole(2))
        raise SystemExit("two environments were taken for one")
    except ht.UsageError as error:
        assert "num_envs = 1" in str(error)


EFFORTS = {cart_pole: ["rail"], linkage: ["A"]}
check_tables()
check_dlpack()
check_environments()
check_failures()
check_time()
check_refusals()
