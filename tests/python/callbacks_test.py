"""Efforts and controllers in Python, held against the built-in ones."""

import math
import unittest
import warnings

import numpy as np

import hamiltree as ht
from support import GRAVITY, pendulum


class Callbacks(unittest.TestCase):
    def assert_same(self, built_in, called):
        a = ht.simulate(ht.Model(pendulum(built_in)), 2.0)
        b = ht.simulate(ht.Model(pendulum(called)), 2.0)
        np.testing.assert_allclose(a.q, b.q, rtol=0, atol=1e-8)
        np.testing.assert_allclose(a.work.sum(axis=1), b.work.sum(axis=1), atol=1e-8)

    def test_effort_is_that_of_a_spring_and_damper(self):
        self.assert_same(
            ht.Actuator(name="motor", joint="pin", effort=ht.Sine(amplitude=2.0, frequency=1.0)),
            ht.EffortCallback(
                name="motor",
                joint="pin",
                effort=lambda t, q, q_dot: 2.0 * math.sin(2.0 * math.pi * t),
            ),
        )

    def test_load_is_that_of_a_wrench(self):
        self.assert_same(
            ht.AppliedWrench(name="push", body="rod", force=(1.0, 2.0), moment=0.5),
            ht.LoadCallback(name="push", body="rod", load=lambda t, body: ((1.0, 2.0), 0.5)),
        )

    def test_controller_sees_and_acts(self):
        def law(controls):
            pin = controls.index("pin")
            assert controls.coordinates("pin")[0] == controls.position(pin)
            assert controls.velocities(pin)[0] == controls.rate("pin")
            controls.add_effort(0, 2.0 * math.sin(2.0 * math.pi * controls.time))

        self.assert_same(
            ht.Actuator(name="motor", joint="pin", effort=ht.Sine(amplitude=2.0, frequency=1.0)),
            ht.Controller(name="motor", joints=["pin"], law=law),
        )

    def test_controls_end_with_the_call(self):
        kept = []
        model = ht.Model(pendulum(ht.Controller(name="c", joints=["pin"], law=kept.append)))
        ht.Formulation(model).rates([0.1], [0.0])
        with self.assertRaisesRegex(RuntimeError, "only during the call"):
            kept[0].position("pin")

    def test_sampled_law_is_asked_once_a_period(self):
        asked = []

        def law(controls):
            asked.append((controls.time, controls.position("pin"), controls.rate("pin")))
            controls.add_effort(0, 0.5 * len(asked))

        model = ht.Model(pendulum(ht.Controller(name="c", joints=["pin"], law=law, period=0.1)))
        for integrator in ("rk4", "dormand_prince", "adams"):
            asked.clear()
            run = ht.simulate(model, 1.0, every=0.1, integrator=integrator)
            times, q, v = np.transpose(asked)
            np.testing.assert_allclose(times, 0.1 * np.arange(10), atol=1e-15)
            np.testing.assert_array_equal(q, run["q.pin"][:10])
            np.testing.assert_allclose(v, run["v.pin"][:10], rtol=1e-12, atol=1e-14)
            # Held: the work of each period is its effort times the way.
            work = np.cumsum(0.5 * np.arange(1, 11) * np.diff(run["q.pin"]))
            np.testing.assert_allclose(run.energy.total[1:] - run.energy.total[0], work, atol=1e-5)
        # From a state of the user's, too, and on.
        asked.clear()
        simulation = ht.Simulation(model, state=ht.State(t=0.25, q=[0.1], p=[0.2]), integrator="rk4")
        simulation.run_until(0.45)
        simulation.run_until(0.65)
        np.testing.assert_allclose([t for t, *_ in asked], [0.25, 0.3, 0.4, 0.5, 0.6])
        self.assertAlmostEqual(asked[0][2], 0.2 / (2.0 / 3.0), places=14)

    def test_sampled_law_runs_in_one_simulation_only(self):
        def law(controls):
            controls.add_effort(0, 1.0)

        model = ht.Model(pendulum(ht.Controller(name="c", joints=["pin"], law=law, period=0.1)))
        simulation = ht.Simulation(model)
        with self.assertRaisesRegex(ht.UsageError, "drives another simulation"):
            ht.Simulation(model)
        del simulation
        ht.Simulation(model)
        with self.assertRaisesRegex(ht.UsageError, "asked once a period"):
            ht.Formulation(model).rates([0.1], [0.0])
        with self.assertRaisesRegex(ht.UsageError, "period must be more than 0"):
            ht.Controller(name="c", joints=["pin"], law=law, period=0.0)

        def bad(controls):
            if controls.time > 0.25:
                raise KeyError("the user's own")

        model = ht.Model(pendulum(ht.Controller(name="bad", joints=["pin"], law=bad, period=0.1)))
        with self.assertRaisesRegex(KeyError, "the user's own"):
            ht.simulate(model, 1.0)

    def test_errors_are_raised_as_they_are(self):
        def effort(t, q, q_dot):
            if t > 0.5:
                raise KeyError("the user's own")
            return 0.0

        model = ht.Model(pendulum(ht.EffortCallback(name="bad", joint="pin", effort=effort)))
        for integrator in ht.integrator_names:
            with self.subTest(integrator), self.assertRaisesRegex(KeyError, "the user's own"):
                ht.simulate(model, 1.0, integrator=integrator)

    def test_name_the_joint_that_has_not_one_coordinate(self):
        law = ht.Controller(name="c", joints=["pin"], law=lambda controls: controls.position("float"))
        mechanism = ht.Mechanism("m", space="spatial", gravity=(0.0, 0.0, -GRAVITY)).add(
            ht.Body(name="base", mass=1.0, inertia=(0.1, 0.1, 0.1)),
            ht.Body(name="rod", mass=1.0, inertia=(0.1, 0.1, 0.1)),
            ht.Joint(name="float", type="free", parent="ground", child="base"),
            ht.Joint(name="pin", parent="base", child="rod"),
            law,
        )
        with self.assertRaisesRegex(ValueError, 'joint "float" has not one degree of freedom'):
            ht.simulate(ht.Model(mechanism), until=0.1)

    def test_that_give_something_else_are_told_what_is_needed(self):
        for given in ("much", None, [1.0], np.zeros(2)):
            wrong = ht.EffortCallback(name="bad", joint="pin", effort=lambda t, q, q_dot: given)
            with self.assertRaisesRegex(TypeError, "effort must give a number, not "):
                ht.Formulation(ht.Model(pendulum(wrong))).rates([0.1], [0.0])
        for given in ("ab", None, 1.0, (1.0, 2.0, 3.0)):
            wrong = ht.LoadCallback(name="bad", body="rod", load=lambda t, body: given)
            with self.assertRaisesRegex(TypeError, "load must give a force and a moment, not "):
                ht.Formulation(ht.Model(pendulum(wrong))).rates([0.1], [0.0])

    def test_give_numbers_of_numpy(self):
        for given in (2, np.float32(2.0), np.int64(2), np.array(2.0), np.array([2.0])):
            called = ht.EffortCallback(name="e", joint="pin", effort=lambda t, q, q_dot: given)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                rates = ht.Formulation(ht.Model(pendulum(called))).rates([0.1], [0.0])
            constant = ht.Actuator(name="e", joint="pin", effort=2.0)
            np.testing.assert_array_equal(
                rates, ht.Formulation(ht.Model(pendulum(constant))).rates([0.1], [0.0])
            )


if __name__ == "__main__":
    unittest.main()
