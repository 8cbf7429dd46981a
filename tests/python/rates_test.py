"""Rates, reactions and forces of a pendulum, held against closed forms."""

import math
import unittest

import numpy as np

import hamiltree as ht
from support import GRAVITY, beside_each_other, pendulum


class Rates(unittest.TestCase):
    def setUp(self):
        self.model = ht.Model(pendulum())
        self.formulation = ht.Formulation(self.model)

    def test_are_those_of_the_closed_form(self):
        inertia = 2.0 / 3.0
        q_dot, p_dot = self.formulation.rates([0.4], [0.6])
        self.assertAlmostEqual(q_dot[0], 0.6 / inertia, places=14)
        self.assertAlmostEqual(p_dot[0], -2.0 * GRAVITY * 0.5 * math.cos(0.4), places=13)
        acceleration = self.formulation.accelerations([0.4], [0.6])
        self.assertAlmostEqual(acceleration[0], p_dot[0] / inertia, places=12)

    def test_put_the_batch_axis_first(self):
        q = np.linspace(-1.0, 1.0, 5).reshape(5, 1)
        p = np.linspace(2.0, 3.0, 5).reshape(5, 1)
        q_dot, p_dot = self.formulation.rates(q, p)
        self.assertEqual(q_dot.shape, (5, 1))
        for k in range(5):
            one = self.formulation.rates(q[k], p[k])
            self.assertEqual((q_dot[k, 0], p_dot[k, 0]), (one[0][0], one[1][0]))

    def test_write_into_the_arrays_given(self):
        out = (np.zeros(1), np.zeros(1))
        result = self.formulation.rates(np.array([0.4]), np.array([0.6]), out=out)
        self.assertIs(result[0], out[0])
        self.assertNotEqual(out[1][0], 0.0)
        with self.assertRaises(ht.UsageError):
            self.formulation.rates([0.4], [0.6], out=(np.zeros(1, np.float32), np.zeros(1)))
        for out in (np.zeros(2), (np.zeros(1),), 3):
            with self.assertRaisesRegex(ht.UsageError, "out is a pair of arrays"):
                self.formulation.rates([0.4], [0.6], out=out)

    def test_of_the_wrong_shape_are_refused(self):
        for q, p in (([0.1, 0.2], [0.1]), (np.zeros((2, 1)), np.zeros(1))):
            with self.assertRaises(ht.UsageError):
                self.formulation.rates(q, p)

    def test_that_are_not_finite_name_the_body(self):
        with self.assertRaises(ht.SimulationError) as caught:
            self.formulation.rates([math.nan], [0.0], 0.7)
        self.assertEqual((caught.exception.body, caught.exception.time), ("rod", 0.7))

    def test_run_beside_each_other(self):
        """Threads share a formulation safely, and each may have its own."""
        q = np.linspace(-1.0, 1.0, 2000).reshape(-1, 1)
        expected = self.formulation.rates(q, q)
        for result in beside_each_other(lambda: self.formulation.rates(q, q)):
            np.testing.assert_array_equal(result, expected)


class Reactions(unittest.TestCase):
    def test_of_a_rod_that_hangs_at_rest_hold_its_weight(self):
        formulation = ht.Formulation(ht.Model(pendulum()))
        reaction = formulation.reactions([-math.pi / 2], [0.0])
        np.testing.assert_allclose(reaction[0], [0, 2.0 * GRAVITY, 0, 0, 0, 0], atol=1e-13)
        in_the_joint = formulation.reactions([-math.pi / 2], [0.0], axes="joint")
        np.testing.assert_allclose(in_the_joint[0], [-2.0 * GRAVITY, 0, 0, 0, 0, 0], atol=1e-13)

    def test_are_recorded_by_sensors(self):
        run = ht.simulate(ht.Model(pendulum(ht.ReactionSensor(name="pin_load", joint="pin"))), 1.0)
        reaction = run.reaction("pin_load")
        self.assertEqual(reaction.force_W.shape, (len(run.t), 2))
        formulation = ht.Formulation(ht.Model(pendulum()))
        direct = formulation.reactions(run.q, run.p)
        np.testing.assert_allclose(reaction.force_W, direct[:, 0, :2], rtol=1e-12, atol=1e-12)
        with self.assertRaises(ht.UsageError):
            run.reaction("nothing")

    def test_are_nan_at_a_flat_pose(self):
        """Beside it a flat parallelogram has one motion, at it the rows of its loop admit two."""
        pins = (("A", "ground", "crank", 0.0), ("B", "crank", "coupler", 0.5), ("D", "ground", "rocker", 1.0))
        parallelogram = ht.Mechanism("flat", space="planar", gravity=(0.0, -GRAVITY)).add(
            *(
                ht.Body(name=name, mass=1.0, com=(0.5 * length, 0.0), inertia=length**2 / 12.0)
                for name, length in (("crank", 0.5), ("coupler", 1.0), ("rocker", 0.5))
            ),
            *(
                ht.Joint(name=name, parent=parent, child=child, at_parent=(x, 0.0))
                for name, parent, child, x in pins
            ),
            ht.Joint(name="C", parent="coupler", child="rocker", at_parent=(1.0, 0.0), at_child=(0.5, 0.0)),
        )
        model = ht.Model(parallelogram)
        run = ht.simulate(model, until=0.1, every=0.1)
        formulation = ht.Formulation(model)
        accelerations = formulation.accelerations(run.q, run.p)
        reactions = formulation.reactions(run.q, run.p)
        self.assertTrue(np.isnan(accelerations[0]).all() and np.isnan(reactions[0]).all())
        self.assertTrue(np.isfinite(accelerations[1]).all() and np.isfinite(reactions[1]).all())
        self.assertTrue(np.isfinite(formulation.rates(run.q, run.p)[1]).all())
        for jacobian in (
            formulation.jacobians(run.q, run.p).q,
            formulation.parameter_jacobians(run.q, run.p, ["body.crank.mass"]),
        ):
            self.assertTrue(np.isnan(jacobian.p_dot[0]).all() and np.isfinite(jacobian.p_dot[1]).all())

    def test_of_drives_do_the_work(self):
        mechanism = ht.Mechanism("driven", space="planar", gravity=(0.0, 0.0)).add(
            ht.Body(name="rod", mass=1.0, com=(0.0, 0.0), inertia=0.5),
            ht.Body(name="idle", mass=1.0, com=(0.0, 0.0), inertia=0.5),
            ht.Joint(name="pin", parent="ground", child="rod", drive=ht.Polynomial([0.0, 0.0, 1.0])),
            ht.Joint(name="other", parent="ground", child="idle"),
        )
        model = ht.Model(mechanism)
        state = model.state()
        efforts = ht.Formulation(model).driving_efforts(state.q, state.p)
        np.testing.assert_allclose(efforts[model.joint_names.index("pin")], 1.0, rtol=1e-13)


class Forces(unittest.TestCase):
    CURVE = {"deflections": [-1.0, 0.0, 2.0], "efforts": [-3.0, 0.0, 6.0]}

    def p_dot(self, force, q):
        return ht.Formulation(ht.Model(pendulum(force))).rates([q], [0.0])[1][0]

    def test_along_a_curve_are_those_of_a_linear_spring_on_its_line(self):
        curve = ht.CurveSpring(name="c", joint="pin", scale=0.5, rest=0.2, damping=0.3, **self.CURVE)
        linear = ht.JointSpringDamper(joint="pin", stiffness=1.5, rest=0.2, damping=0.3)
        for q in (-7.0, 0.1, 0.9, 3.0):
            self.assertAlmostEqual(self.p_dot(curve, q), self.p_dot(linear, q), places=12)
        names = dict(ht.Model(pendulum(curve)).parameters())
        self.assertEqual(names["curve_spring.pin.scale"], 0.5)

    def test_say_their_keywords_and_refuse_others(self):
        self.assertIn(
            "__init__(self: hamiltree._native.CurveSpring, *, name: str, joint: str, "
            "deflections: object, efforts: object, scale: float = 1.0, rest: float = 0.0, "
            "damping: float = 0.0) -> None",
            ht.CurveSpring.__init__.__doc__,
        )
        with self.assertRaisesRegex(TypeError, "misses the argument 'joint'"):
            ht.CurveSpring(name="c", **self.CURVE)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'stiffness'"):
            ht.CurveSpring(name="c", joint="pin", stiffness=1.0, **self.CURVE)
        with self.assertRaisesRegex(TypeError, "cannot take 'stiff' as 'scale'"):
            ht.CurveSpring(name="c", joint="pin", scale="stiff", **self.CURVE)
        with self.assertRaisesRegex(ht.UsageError, "numbers are needed"):
            ht.CurveSpring(name="c", joint="pin", deflections="far", efforts=[1.0, 2.0])


if __name__ == "__main__":
    unittest.main()
