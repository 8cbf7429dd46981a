"""Batches, rollouts and sweeps, held against single states and runs."""

import math
import pathlib
import tempfile
import unittest

import numpy as np

import hamiltree as ht
from support import MECHANISMS, interrupt, pendulum


class Batches(unittest.TestCase):
    def test_give_the_rates_of_each_state(self):
        model = ht.load(MECHANISMS / "spatial_arm" / "model.toml")
        rng = np.random.default_rng(5)
        q = rng.normal(size=(11, model.coordinate_count))
        p = rng.normal(size=(11, model.velocity_count))
        batch = ht.Batch(model)
        q_dot, p_dot = batch.rates(q, p)
        expected = ht.Formulation(model, "recursive").rates(q, p)
        np.testing.assert_allclose(q_dot, expected[0], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(p_dot, expected[1], rtol=1e-9, atol=1e-9)
        with self.assertRaises(ht.UsageError):
            batch.rates(q[0], p[0])

    def test_roll_out_as_a_simulation_does(self):
        model = ht.Model(pendulum())
        q = np.array([[0.3], [0.4], [0.5]])
        p = np.zeros((3, 1))
        ht.Rollout(model, step=1e-3).advance(q, p, 1.0)
        for k, start in enumerate((0.3, 0.4, 0.5)):
            run = ht.simulate(model, 1.0, state=model.state(q=[start]), integrator="rk4", step=1e-3)
            np.testing.assert_allclose(q[k], run.q[-1], rtol=1e-13)
            np.testing.assert_allclose(p[k], run.p[-1], rtol=1e-12, atol=1e-14)

    def test_roll_out_under_efforts_of_their_own(self):
        model = ht.Model(pendulum())
        q, p = np.full((2, 1), 0.3), np.zeros((2, 1))
        ht.Rollout(model, step=1e-3).advance(q, p, 0.5, efforts=np.array([[0.0], [1.5]]))
        pushed = ht.Model(pendulum(ht.Actuator(name="motor", joint="pin", effort=1.5)))
        run = ht.simulate(pushed, 0.5, integrator="rk4", step=1e-3)
        np.testing.assert_allclose(q[1], run.q[-1], rtol=1e-12)
        self.assertGreater(abs(q[0, 0] - q[1, 0]), 0.01)

    def test_roll_out_with_loops(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        self.assertTrue(ht.Batch(model).in_lanes)
        start = model.state()
        q, p = np.tile(start.q, (3, 1)), np.tile(start.p, (3, 1))
        efforts = np.zeros_like(p)
        efforts[1:, 0] = 0.2, -0.2
        rollout = ht.Rollout(model, step=1e-3)
        rollout.advance(q, p, 0.05, efforts=efforts)
        self.assertGreater(q[1, 0], q[0, 0])
        self.assertGreater(q[0, 0], q[2, 0])
        rollout.advance(q, p, 0.45)
        run = ht.simulate(model, 0.5, integrator="rk4", step=1e-3)
        np.testing.assert_allclose(q[0], run.q[-1], rtol=1e-11)
        np.testing.assert_allclose(p[0], run.p[-1], rtol=1e-10, atol=1e-12)

    def test_roll_out_along_paths(self):
        model = ht.Model(pendulum())
        rollout = ht.Rollout(model, step=1e-2, threads=2)
        q, p = np.linspace(-1, 1, 20).reshape(20, 1), np.zeros((20, 1))
        efforts = np.random.default_rng(1).normal(size=(20, 4, 1))
        q_path, p_path = np.empty((20, 5, 1)), np.empty((20, 5, 1))
        same, _ = rollout.run(q, p, efforts, 0.1, q_path=q_path, p_path=p_path)
        self.assertIs(same, q_path)
        np.testing.assert_array_equal(q_path[:, 0], q)
        for i in range(4):
            step = np.ascontiguousarray(efforts[:, i])
            rollout.advance(q, p, 0.1, t=0.1 * i, efforts=step)
            np.testing.assert_allclose(q_path[:, i + 1], q, rtol=1e-12, atol=1e-14)
            np.testing.assert_allclose(p_path[:, i + 1], p, rtol=1e-12, atol=1e-14)
        with self.assertRaisesRegex(ht.UsageError, "efforts must be"):
            rollout.run(q, p, efforts[:, 0], 0.1)
        with self.assertRaisesRegex(ht.UsageError, "q_path must be"):
            rollout.run(q, p, efforts, 0.1, q_path=np.empty((20, 4, 1)))

    def test_end_by_an_interrupt(self):
        """Also on two threads, one of which waits for the other."""
        model = ht.Model(pendulum())
        for threads, count in ((1, 1), (2, 24)):
            rollout = ht.Rollout(model, step=1e-5, threads=threads)
            q, p, q_path = np.full((count, 1), 0.3), np.zeros((count, 1)), np.full((count, 3, 1), np.nan)
            interrupt(self, lambda: rollout.run(q, p, np.zeros((count, 2, 1)), 50.0, q_path=q_path))
            self.assertTrue(np.isnan(q_path[:, -1]).all())
            interrupt(self, lambda: rollout.advance(q, p, 100.0))
            np.testing.assert_array_equal(q, 0.3)
            rollout.advance(q, p, 0.1)
            run = ht.simulate(model, 0.1, integrator="rk4", step=1e-5)
            np.testing.assert_allclose(q[-1], run.q[-1], rtol=1e-12)

    def test_refuse_what_they_cannot_do(self):
        far = {"joint.D.at_parent.position": "[2.0, 0.0]"}
        with self.assertRaisesRegex(ht.ModelError, "cannot close"):
            ht.Rollout(ht.load(MECHANISMS / "four_bar" / "model.toml", set=far))
        rollout = ht.Rollout(ht.Model(pendulum()))
        with self.assertRaisesRegex(ht.UsageError, "in place"):
            rollout.advance([[0.1]], np.zeros((1, 1)), 0.1)
        read_only = np.zeros((1, 1))
        read_only.setflags(write=False)
        with self.assertRaisesRegex(ht.UsageError, "that is not read-only"):
            rollout.advance(read_only, np.zeros((1, 1)), 0.1)
        for duration in (-0.1, math.nan):
            with self.assertRaisesRegex(ht.UsageError, f"a rollout cannot go on for {duration} s"):
                rollout.advance(np.zeros((1, 1)), np.zeros((1, 1)), duration)
        for threads in (-1, 1025):
            with self.assertRaisesRegex(ht.UsageError, f"threads must be a whole number up to 1024, not {threads}"):
                ht.Rollout(ht.Model(pendulum()), threads=threads)

    def test_name_the_state_that_cannot_go_on(self):
        model = ht.Model(pendulum())
        q, p = np.zeros((20, 1)), np.zeros((20, 1))
        q[[19, 11]] = math.nan
        with self.assertRaisesRegex(ht.SimulationError, "the rates of state 11 of the batch are not finite"):
            ht.Batch(model).rates(q, p)
        for threads in (1, 2):
            rollout = ht.Rollout(model, step=1e-2, threads=threads)
            with self.assertRaisesRegex(ht.SimulationError, "state 11: the state is not finite"):
                rollout.advance(q, p, 0.1)
            efforts = np.zeros((20, 3, 1))
            efforts[5, 2], efforts[17, 1] = math.inf, math.inf
            with self.assertRaisesRegex(ht.SimulationError, "t = 0.1 s: state 17: the efforts are not finite"):
                rollout.run(np.zeros((20, 1)), p, efforts, 0.1)

    def test_go_on_without_states_that_fail(self):
        model = ht.Model(pendulum())
        q, p = np.full((20, 1), 0.1), np.zeros((20, 1))
        good_q, good_p = ht.Batch(model).rates(q, p)
        q[[19, 11]] = math.nan
        for rates, good in zip(ht.Batch(model).rates(q, p, on_failure="nan"), (good_q, good_p)):
            self.assertEqual(list(np.flatnonzero(np.isnan(rates[:, 0]))), [11, 19])
            self.assertTrue(np.array_equal(np.delete(rates, [11, 19], 0), np.delete(good, [11, 19], 0)))
        rollout = ht.Rollout(model, step=1e-2)
        alone = np.array([[0.1]]), np.zeros((1, 1))
        rollout.advance(*alone, 0.1)
        rollout.advance(q, p, 0.1, on_failure="nan")
        self.assertEqual([(f.state, f.time, f.sentence) for f in rollout.failures],
                         [(k, 0.0, "the state is not finite") for k in (11, 19)])
        self.assertEqual(repr(rollout.failures[0]),
                         "<RolloutFailure of state 11 at 0 s: the state is not finite>")
        self.assertTrue(np.isnan(q[[11, 19]]).all() and np.isnan(p[[11, 19]]).all())
        self.assertTrue((np.delete(q, [11, 19], 0) == alone[0]).all())
        efforts = np.zeros((2, 3, 1))
        efforts[1, 2] = math.inf
        q_path, p_path = rollout.run(np.zeros((2, 1)), np.zeros((2, 1)), efforts, 0.1, on_failure="nan")
        self.assertFalse(np.isnan(q_path[0]).any() or np.isnan(q_path[1, :3]).any())
        self.assertTrue(np.isnan(q_path[1, 3]).all() and np.isnan(p_path[1, 3]).all())
        for call in (lambda how: rollout.advance(*alone, 0.1, on_failure=how),
                     lambda how: rollout.run(q, p, np.zeros((20, 1, 1)), 0.1, on_failure=how),
                     lambda how: ht.Batch(model).rates(q, p, on_failure=how)):
            with self.assertRaisesRegex(ht.UsageError, 'on_failure is "raise" or "nan", not "skip"'):
                call("skip")
        with self.assertRaisesRegex(ht.UsageError, "q and p are the same array"):
            rollout.advance(alone[0], alone[0], 0.1)


class Sweeps(unittest.TestCase):
    STUDY = """
format = 1
model = "{model}"
[sample]
method = "list"
[[parameter]]
path = "joint.A.initial.q"
values = [0.5, 0.9, 1.3]
[[parameter]]
path = "body.crank.mass"
values = [0.5, -1.0, 2.0]
[run]
until = 0.3
every = 0.1
trajectories = "on"
[[output]]
take = "max"
channel = "q.A"
"""

    def test_give_what_runs_give(self):
        model = MECHANISMS / "four_bar" / "model.toml"
        with tempfile.TemporaryDirectory() as folder:
            study = pathlib.Path(folder) / "study.toml"
            study.write_text(self.STUDY.format(model=model.resolve()))
            sweep = ht.sweep(study, threads=2, set={"body.rocker.mass": 0.7})
            self.assertEqual(len(sweep), 3)
            self.assertEqual(list(sweep.failures), [1])
            self.assertIn("mass must not be negative", sweep.failures[1])
            self.assertTrue(np.isnan(sweep.outputs["max.q.A"][1]))
            for k in (0, 2):
                changed = {"body.rocker.mass": 0.7, "body.crank.mass": sweep.parameters["body.crank.mass"][k],
                           "joint.A.initial.q": sweep.parameters["joint.A.initial.q"][k]}
                run = ht.simulate(ht.load(model, set=changed), 0.3, every=0.1, formulation="recursive")
                self.assertEqual(sweep.outputs["max.q.A"][k], run.q[:, 0].max())
                np.testing.assert_array_equal(sweep.trajectory(k)["t"], run.t)
                np.testing.assert_array_equal(sweep.trajectory(k)["q.A"], run.q[:, 0])
            for k in (-1, 3):
                with self.assertRaisesRegex(IndexError, "numbered from 0 to 2"):
                    sweep.trajectory(k)
            out = pathlib.Path(folder) / "out"
            ht.sweep(study, out)
            self.assertTrue((out / "results.csv").exists())
            for threads in (-1, 1025):
                with self.assertRaisesRegex(ht.UsageError,
                                            f"threads must be a whole number up to 1024, not {threads}"):
                    ht.sweep(study, threads=threads)
            with self.assertRaisesRegex(ht.UsageError, "out needs the name of a folder"):
                ht.sweep(study, "")
            with self.assertRaisesRegex(ht.UsageError, "other overrides"):
                ht.sweep(study, out, set={"body.rocker.mass": 0.7})


if __name__ == "__main__":
    unittest.main()
