"""Environments for Gymnasium, which this module needs: many states of one model, moved together by a
Rollout.

>>> from hamiltree.gym import cart_pole
>>> env = cart_pole(num_envs=64)
>>> observations, _ = env.reset(seed=1)
>>> observations, rewards, terminated, truncated, _ = env.step(env.action_space.sample())
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Tuple, Union

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ._native import Batch, Body, Joint, Mechanism, Model, Rollout
from .errors import UsageError

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

#: (q, q_dot, action) of all environments, after a period: one reward for each.
Reward = Callable[[Array, Array, Array], Array]
#: (q, q_dot): which have ended.
Ended = Callable[[Array, Array], Flags]
#: (random numbers, how many): q and p to start from.
Start = Callable[[np.random.Generator, int], Tuple[Array, Array]]


class VectorEnv(gymnasium.vector.VectorEnv):
    """As many states of one model as environments, under efforts that are held for a period.

    Observations are (num_envs, 2 coordinates): q, then the rates of q; actions (num_envs, joints):
    efforts, N or N m, within their limits. An environment that has ended, or has reached its last
    period, starts anew with the next step, whose action it does not see (AutoresetMode.NEXT_STEP).
    Loops are closed after each step of the method. Functions of time see the time since each
    environment's own start. An environment that cannot go on, as where a loop stays open, is
    truncated where it last was; infos["failure"] says why, of those in infos["_failure"].

    ``efforts``: the largest effort of each joint that is acted on, by its name; it must be in the
    spanning tree. ``start``: by default the model's initial state. ``ended``: by default never.
    """

    metadata: Dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        model: Model,
        num_envs: int,
        *,
        efforts: Mapping[str, float],
        reward: Reward,
        ended: Optional[Ended] = None,
        start: Optional[Start] = None,
        period: float = 0.02,
        periods: int = 500,
        integrator: str = "rk4",
        step: float = 0.01,
        threads: int = 1,
    ) -> None:
        if not period > 0.0 or periods < 1:
            raise UsageError(f"a period must be positive, and there must be some: {period} s, {periods}")
        self.model = model
        self.num_envs = num_envs
        self.render_mode = None
        self._velocity_of = [_velocity_of(model, joint) for joint in efforts]
        limits = np.array(list(efforts.values()), dtype=np.float64)
        everything = np.full(2 * model.coordinate_count, np.inf)
        self.single_action_space = gymnasium.spaces.Box(-limits, limits, dtype=np.float64)
        self.single_observation_space = gymnasium.spaces.Box(-everything, everything, dtype=np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._reward, self._ended, self._start = reward, ended, start
        self._period, self._periods = period, periods
        self._rollout = Rollout(model, integrator=integrator, step=step, threads=threads)
        self._batch = Batch(model)
        self._depends_on_time = model.depends_on_time
        self._q = np.zeros((num_envs, model.coordinate_count))
        self._p = np.zeros((num_envs, model.velocity_count))
        self._count = np.zeros(num_envs, dtype=np.int64)
        self._is_over: Flags = np.ones(num_envs, dtype=np.bool_)
        self._was_reset: Flags = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Array, Dict[str, Any]]:
        super().reset(seed=seed)
        mask = (options or {}).get("reset_mask")
        which = np.asarray(np.ones(self.num_envs) if mask is None else mask, dtype=np.bool_)
        if which.shape != (self.num_envs,):
            raise UsageError(f"reset_mask has shape {which.shape}, not ({self.num_envs},)")
        self._begin(which)
        self._was_reset |= which
        return self._observations(), {}

    def step(self, actions: Array) -> Tuple[Array, Array, Flags, Flags, Dict[str, Any]]:
        if not self._was_reset.all():
            raise gymnasium.error.ResetNeeded("step() before reset()")
        begins = self._is_over.copy()
        action = np.clip(actions, self.action_space.low, self.action_space.high)
        efforts = np.zeros((self.num_envs, self.model.velocity_count))
        efforts[:, self._velocity_of] = action
        q, p, failures = self._moved(efforts)
        failed = np.array([k in failures for k in range(self.num_envs)]) & ~begins
        q[failed], p[failed] = self._q[failed], self._p[failed]
        self._q, self._p = q, p
        self._count += ~failed
        if begins.any():
            self._begin(begins)
        seen = self._observations()
        q, q_dot = np.split(seen, 2, axis=1)
        rewards = np.where(begins, 0.0, self._reward(q, q_dot, action))
        none = np.zeros(self.num_envs, dtype=np.bool_)
        terminated = none if self._ended is None else self._ended(q, q_dot) & ~begins
        truncated = ((self._count >= self._periods) & ~begins) | failed
        self._is_over = terminated | truncated
        if not failed.any():
            return seen, rewards, terminated, truncated, {}
        why = np.array([failures[k] if failed[k] else None for k in range(self.num_envs)], dtype=object)
        return seen, rewards, terminated, truncated, {"failure": why, "_failure": failed}

    def _moved(self, efforts: Array) -> Tuple[Array, Array, Dict[int, str]]:
        """q and p after a period, NaN of those that could not go on, and why they could not."""
        q, p = self._q.copy(), self._p.copy()
        failures: Dict[int, str] = {}
        for which, t in self._at_times():
            of_q, of_p = q[which], p[which]
            self._rollout.advance(of_q, of_p, self._period, t=t, efforts=efforts[which], on_failure="nan")
            q[which], p[which] = of_q, of_p
            numbers = np.arange(self.num_envs)[which]
            failures.update({int(numbers[f.state]): f.sentence for f in self._rollout.failures})
        return q, p, failures

    def _begin(self, which: Flags) -> None:
        number = int(which.sum())
        if self._start is None:
            state = self.model.state()
            q, p = np.tile(state.q, (number, 1)), np.tile(state.p, (number, 1))
        else:
            q, p = self._start(self.np_random, number)
        self._q[which], self._p[which] = q, p
        self._count[which] = 0
        self._is_over[which] = False

    def _observations(self) -> Array:
        q_dot = np.empty_like(self._q)
        for which, t in self._at_times():
            q_dot[which] = self._batch.rates(self._q[which], self._p[which], t)[0]
        return np.concatenate([self._q, q_dot], axis=1)

    def _at_times(self) -> Iterator[Tuple[Union[slice, Flags], float]]:
        """Which environments are at the same time since their start, s; all together where the time
        does not matter."""
        counts = np.unique(self._count) if self._depends_on_time else self._count[:1]
        if len(counts) == 1:
            yield slice(None), self._period * float(counts[0])
            return
        for count in counts:
            yield self._count == count, self._period * float(count)


class Env(gymnasium.Env):
    """One environment of a VectorEnv, without its starting anew by itself."""

    metadata: Dict[str, Any] = {"render_modes": []}

    def __init__(self, vector: VectorEnv) -> None:
        if vector.num_envs != 1:
            raise UsageError("one environment is made of a VectorEnv with num_envs = 1")
        self._vector = vector
        self.render_mode = None
        self.action_space = vector.single_action_space
        self.observation_space = vector.single_observation_space

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Array, Dict[str, Any]]:
        super().reset(seed=seed)
        observations, info = self._vector.reset(seed=seed)
        return observations[0], info

    def step(self, action: Array) -> Tuple[Array, float, bool, bool, Dict[str, Any]]:
        seen, rewards, terminated, truncated, info = self._vector.step(np.asarray(action)[None])
        return seen[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info


def cart_pole(num_envs: int = 1, **options: Any) -> VectorEnv:
    """A pole on a cart that is pushed by up to 20 N: upright at angle 0 it earns 1 a period, and it
    ends beyond 0.6 rad or 2.4 m. Options are those of VectorEnv."""
    mechanism = Mechanism("cart_with_pole", space="planar", gravity=(0.0, -9.81)).add(
        Body(name="cart", mass=1.0),
        Body(name="pole", mass=0.2, com=(0.0, 0.5), inertia=0.01),
        Joint(name="rail", type="prismatic", parent="ground", child="cart"),
        Joint(name="pin", parent="cart", child="pole"),
    )

    def reward(q: Array, q_dot: Array, action: Array) -> Array:
        return np.asarray(1.0 - 1e-4 * action[:, 0] ** 2)

    def ended(q: Array, q_dot: Array) -> Flags:
        return np.asarray((np.abs(q[:, 0]) > 2.4) | (np.abs(q[:, 1]) > 0.6))

    def start(random: np.random.Generator, number: int) -> Tuple[Array, Array]:
        return random.uniform(-0.1, 0.1, (number, 2)), random.uniform(-0.05, 0.05, (number, 2))

    settings: Dict[str, Any] = {
        "efforts": {"rail": 20.0}, "reward": reward, "ended": ended, "start": start
    }
    return VectorEnv(Model(mechanism), num_envs, **{**settings, **options})


def _velocity_of(model: Model, joint: str) -> int:
    """Where the velocity of a joint stands in v."""
    names = [name for name, _ in model.velocities]
    if f"v.{joint}" not in names:
        known = ", ".join(name.removeprefix("v.") for name in names)
        raise UsageError(
            f'joint "{joint}" has no velocity of its own in the spanning tree; there are {known}'
        )
    return names.index(f"v.{joint}")
