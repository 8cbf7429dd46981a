"""Derivatives and analyses, held against closed forms or another way to the same."""

import math
import unittest

import numpy as np

import hamiltree as ht
from support import GRAVITY, MECHANISMS, beside_each_other, pendulum


class Derivatives(unittest.TestCase):
    """The equations of the pendulum: I qdot = p, pdot = -m g c cos q."""

    def setUp(self):
        self.model = ht.Model(pendulum(ht.JointSpringDamper(joint="pin", damping=0.3)))
        self.formulation = ht.Formulation(self.model)

    def test_of_rates_are_those_of_the_closed_form(self):
        inertia = 2.0 / 3.0
        for jacobians in (
            self.formulation.jacobians([0.4], [0.6]),
            self.formulation.jacobians([[0.1], [0.4]], [[0.2], [0.6]]),
        ):
            last = lambda array: array.reshape(-1)[-1]
            self.assertAlmostEqual(last(jacobians.q.p_dot), 9.81 * math.sin(0.4), places=13)
            self.assertAlmostEqual(last(jacobians.p.v), 1.0 / inertia, places=14)
            self.assertAlmostEqual(last(jacobians.p.p_dot), -0.3 / inertia, places=14)
            self.assertEqual(last(jacobians.t.q_dot), 0.0)
        self.assertEqual(jacobians.q.p_dot.shape, (2, 1, 1))

    def test_of_dense_are_those_of_its_rates_where_rows_are_redundant(self):
        rng = np.random.default_rng(7)
        step = 1e-6
        for name in ("sarrus", "bennett", "parallelogram"):
            model = ht.load(MECHANISMS / name / "model.toml")
            dense = ht.Formulation(model, "dense")
            q = model.state().q
            p = rng.normal(size=model.velocity_count)
            jacobians = dense.jacobians(q, p)
            for k in range(q.size):
                d = np.zeros(q.size)
                d[k] = step
                r = [np.concatenate(dense.rates(q + i * d, p)) for i in (-2, -1, 1, 2)]
                slope = (r[0] - 8.0 * r[1] + 8.0 * r[2] - r[3]) / (12.0 * step)
                found = np.concatenate((jacobians.q.q_dot[:, k], jacobians.q.p_dot[:, k]))
                self.assertLess(np.abs(found - slope).max(), 1e-7 * np.abs(slope).max(), name)

    def test_of_parameters_have_names(self):
        values = dict(self.model.parameters())
        self.assertEqual(values["body.rod.mass"], 2.0)
        names = ["body.rod.mass", "spring.pin.damping", "gravity.y"]
        by = self.formulation.parameter_jacobians([0.4], [0.6], names)
        self.assertEqual(by.p_dot.shape, (1, 3))
        v = 0.6 / (2.0 / 3.0)
        self.assertAlmostEqual(by.v[0, 0], -v * 0.25 / (2.0 / 3.0), places=14)
        self.assertAlmostEqual(by.p_dot[0, 1], -v, places=14)
        self.assertAlmostEqual(by.p_dot[0, 2], 2.0 * 0.5 * math.cos(0.4), places=14)
        with self.assertRaisesRegex(ht.UsageError, '"body.rot.mass" is not a parameter'):
            self.formulation.parameter_jacobians([0.4], [0.6], ["body.rot.mass"])

    def test_of_a_run_are_found_beside_each_other(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        run = ht.DifferentiableRun(
            model, 0.5, step=1e-3, parameters=["body.crank.mass"], checkpoints=10
        )
        ones = np.ones_like(run.q)

        def derivatives():
            along = run.tangents(parameters=np.ones(1)).q.sum()
            return run.gradient(q=ones).parameters[0], along

        expected = derivatives()
        self.assertAlmostEqual(*expected, delta=1e-9 * abs(expected[0]))
        self.assertEqual(beside_each_other(derivatives), [expected] * 4)

    def test_of_parameters_are_differences_of_changed_models(self):
        """Also where the start counts for the description only: joint D closes the loop and has a guess."""
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        state = model.state(v=ht.inverse_dynamics(model, [], v=[1.0, 1.0, 1.0]).v)
        own = dict(model.parameters())
        with self.assertRaisesRegex(ht.UsageError, "give the start as coordinates"):
            ht.Formulation(model.with_parameters({"body.coupler.mass": 0.9}))
        names = ["body.coupler.mass", "joint.B.at_parent.x", "body.rocker.inertia.zz"]
        for formulation in ("auto", "dense"):
            exact = ht.Formulation(model, formulation).parameter_jacobians(state.q, state.p, names)
            for k, name in enumerate(names):
                rates = [
                    ht.Formulation(
                        model.with_parameters({name: own[name] + h}), formulation, q=state.q
                    ).rates(state.q, state.p)[1]
                    for h in (1e-5, -1e-5)
                ]
                slope = (rates[0] - rates[1]) / 2e-5
                np.testing.assert_allclose(exact.p_dot[:, k], slope, rtol=1e-6, atol=1e-6)
        with self.assertRaises(ht.UsageError):
            ht.Formulation(model, q=[0.0])

    def test_of_a_run_are_arrays_that_can_be_written_to(self):
        """As SciPy's L-BFGS-B asks of a gradient."""
        g = ht.gradient(
            self.model,
            ht.LeastSquares(0.0, of="q"),
            0.1,
            step=0.01,
            parameters=["gravity.y"],
            controls=["pin"],
            efforts=[[0.0], [0.0]],
        )
        for array in (g.q, g.v, g.parameters, g.efforts):
            array += 1.0

    def test_of_a_run_say_what_is_wrong_with_what_is_given(self):
        run = ht.DifferentiableRun(self.model, 0.1, step=0.01)
        with self.assertRaisesRegex(ht.UsageError, "^v is an array with two axes, not with 1$"):
            run.gradient(v=np.zeros(11))
        with self.assertRaisesRegex(ht.UsageError, "^efforts is an array with two axes, not with 0$"):
            ht.DifferentiableRun(self.model, 0.1, step=0.01, controls=["pin"], efforts=1.0)
        with self.assertRaisesRegex(ht.UsageError, '^no sensor reads "tip"; the model has no sensors$'):
            ht.LeastSquares(0.0, columns="tip")(run)

    def test_of_a_run_take_finite_numbers(self):
        nan = [math.nan]
        for name, options in (
            ("q", {"q": nan}),
            ("v", {"v": nan}),
            ("efforts", {"controls": ["pin"], "efforts": [nan]}),
        ):
            with self.assertRaisesRegex(ht.UsageError, f"^{name} must be finite"):
                ht.DifferentiableRun(self.model, 0.1, step=0.01, **options)
        run = ht.DifferentiableRun(
            self.model, 0.1, step=0.01, parameters=["gravity.y"], controls=["pin"]
        )
        for name, along in (("q", nan), ("v", nan), ("parameters", nan), ("efforts", [nan])):
            with self.assertRaisesRegex(ht.UsageError, f"^{name} must be finite"):
                run.tangents(**{name: along})

    def test_of_a_run_go_on_where_an_event_would_stop_it(self):
        falls = ht.Event(name="falls", channel="angle.q", value=0.2, stops=True)
        model = ht.Model(pendulum(ht.JointSensor(name="angle", joint="pin"), falls))
        self.assertLess(ht.simulate(model, 1.0).t[-1], 0.5)
        self.assertEqual(ht.DifferentiableRun(model, 1.0, step=0.01).t[-1], 1.0)

    def test_of_a_run_say_where_a_step_began_that_does_not_converge(self):
        """Here the first one, of a four-bar whose damper is far too stiff for it."""
        four_bar = ht.load(MECHANISMS / "four_bar" / "model.toml").mechanism
        model = ht.Model(four_bar.add(ht.JointSpringDamper(joint="A", damping=1e6)))
        with self.assertRaisesRegex(ht.SimulationError, "^t = 0 s: the stages of a step do not converge"):
            ht.DifferentiableRun(model, 0.1, step=0.01, integrator="spark_1")

    def test_are_refused_for_callbacks(self):
        nothing = ht.EffortCallback(name="nothing", joint="pin", effort=lambda t, q, v: 0.0)
        model = ht.Model(pendulum(nothing))
        with self.assertRaises(ht.UsageError):
            ht.Formulation(model).jacobians([0.4], [0.6])


class Analyses(unittest.TestCase):
    def setUp(self):
        self.model = ht.Model(pendulum())
        self.omega = math.sqrt(2.0 * GRAVITY * 0.5 / (2.0 / 3.0))

    def test_equilibrium_hangs(self):
        rest = ht.equilibrium(self.model)
        self.assertTrue(rest.stable)
        self.assertAlmostEqual(rest.q[0], -0.5 * math.pi, places=12)
        (mode,) = rest.linear.modes()
        self.assertAlmostEqual(mode.frequency, self.omega / (2.0 * math.pi), places=12)
        self.assertAlmostEqual(mode.eigenvalue.imag, self.omega, places=12)
        upright = ht.equilibrium(self.model, [0.5 * math.pi])
        self.assertFalse(upright.stable)
        self.assertAlmostEqual(upright.growth, self.omega, places=10)

    def test_modes_are_shown_moving(self):
        rest = ht.equilibrium(self.model)
        shown = ht.show_modes(self.model, rest.linear, amplitude=0.3)
        swing = shown.q[:, 0] - rest.q[0]
        np.testing.assert_allclose(swing, 0.3 * np.cos(np.linspace(0.0, 2.0 * math.pi, 49)), atol=1e-12)
        self.assertIn('"modes":[{"eigenvalue":', shown.report())
        with self.assertRaisesRegex(ht.UsageError, "amplitude"):
            ht.show_modes(self.model, rest.linear, amplitude=-1.0)

    def test_of_inertia_alone_take_models_with_callbacks(self):
        nothing = ht.EffortCallback(name="nothing", joint="pin", effort=lambda t, q, v: 0.0)
        model = ht.Model(pendulum(nothing))
        np.testing.assert_array_equal(ht.mass_matrix(model, [0.4]), ht.mass_matrix(self.model, [0.4]))
        np.testing.assert_array_equal(ht.point_jacobian(model, "rod", q=[0.4]).of_velocities,
                                      ht.point_jacobian(self.model, "rod", q=[0.4]).of_velocities)
        target = [("rod", (1.0, 0.0), (0.0, 1.0))]
        self.assertTrue(ht.inverse_kinematics(model, target, [0.4]).reached)
        for analysis in (lambda: ht.linearize(model), lambda: ht.equilibrium(model),
                         lambda: ht.inverse_dynamics(model, ["pin"], [0.4], v_dot=[0.0])):
            with self.assertRaisesRegex(ht.UsageError, '"nothing" is a callback'):
                analysis()

    def test_linearization_is_that_of_the_pendulum(self):
        linear = ht.linearize(self.model, [0.4], [1.3], inputs=["pin"])
        below = self.omega**2 * math.sin(0.4)
        np.testing.assert_allclose(linear.A, [[0.0, 1.0], [below, 0.0]], atol=1e-12)
        np.testing.assert_allclose(linear.B, [[0.0], [1.5]], atol=1e-13)
        self.assertEqual((linear.independent, linear.inputs), ([0], ["pin"]))

    def test_inverse_dynamics_makes_the_motion(self):
        made = ht.inverse_dynamics(self.model, ["pin"], [0.4], [1.3], [2.0])
        self.assertAlmostEqual(
            made.efforts[0], 2.0 / 3.0 * 2.0 + GRAVITY * math.cos(0.4), places=12
        )
        self.assertEqual(made.unbalanced.shape, (1,))

    def test_of_opened_loops_are_those_of_the_tree(self):
        """They wrote rows of loops into arrays that had none: processes ended by a signal."""
        rng = np.random.default_rng(7)
        for name in ("four_bar", "bennett", "hand"):
            with self.subTest(name):
                model = ht.load(MECHANISMS / name / "model.toml")
                tree = model.opened()
                q, v = model.state().q, rng.normal(size=model.velocity_count)
                mass = ht.mass_matrix(tree, q)
                p = tree.state(q=q, v=v).p
                np.testing.assert_allclose(mass @ v, p, rtol=1e-12, atol=1e-12 * np.abs(p).max())
                linear = ht.linearize(model, q)
                T = linear.C_v[:, len(linear.independent) :]
                np.testing.assert_allclose(
                    ht.mass_matrix(model, q), T.T @ mass @ T, rtol=1e-10, atol=1e-10 * mass.max()
                )
                v_dot = ht.Formulation(tree, "dense").accelerations(q, p)
                made = ht.inverse_dynamics(tree, [], q, v, v_dot)
                self.assertLess(np.abs(made.unbalanced).max(), 1e-8 * (1.0 + np.abs(v_dot).max()))
                self.assertEqual(len(ht.linearize(tree, q).independent), tree.velocity_count)
                run = ht.DifferentiableRun(tree, 0.002, q=q, v=0.1 * v, step=1e-3)
                same = ht.simulate(tree, 0.002, state=tree.state(q=q, v=0.1 * v), integrator="rk4", step=1e-3)
                np.testing.assert_allclose(run.q[-1], same.q[-1], atol=1e-12)
                by_v = run.gradient(q=np.concatenate([0.0 * run.q[:-1], 1.0 + 0.0 * run.q[-1:]])).v
                self.assertTrue(np.isfinite(by_v).all())

    def test_refuse_quaternions_without_length(self):
        model = ht.Model(
            ht.Mechanism("ball", space="spatial", gravity=(0.0, 0.0, -GRAVITY)).add(
                ht.Body(name="rod", mass=1.0, com=(0.5, 0.0, 0.0), inertia=(0.1, 0.1, 0.1)),
                ht.Joint(name="ball", type="spherical", parent="ground", child="rod"),
            )
        )
        why = '^the quaternion of joint "ball" has no length$'
        for analysis in (ht.linearize, ht.mass_matrix, ht.equilibrium):
            with self.assertRaisesRegex(ht.UsageError, why):
                analysis(model, np.zeros(4))
        with self.assertRaisesRegex(ht.UsageError, why):
            ht.point_jacobian(model, "rod", q=np.zeros(4))
        with self.assertRaisesRegex(ht.UsageError, why):
            model.state(q=np.zeros(4))
        with self.assertRaisesRegex(ht.UsageError, why):
            model.state(q=np.zeros(4), v={"ball": (1.0, 0.0, 0.0)})
        with self.assertRaisesRegex(ht.UsageError, why):
            ht.DifferentiableRun(model, 0.1, q=np.zeros(4))

    def test_follow_drives_from_the_start(self):
        model = ht.load(MECHANISMS / "driven_slider_crank" / "model.toml")
        t = 0.9
        there = ht.simulate(model, t, every=t).q[-1]
        np.testing.assert_allclose(ht.linearize(model, t=t).q, there, atol=1e-10)
        np.testing.assert_allclose(model.state(t=t).q, there, atol=1e-10)
        run = ht.DifferentiableRun(model, 1.0, start=t, integrator="rk4", step=0.01)
        np.testing.assert_allclose(run.samples.q[-1], ht.simulate(model, 1.0, every=1.0).q[-1], atol=1e-7)

    def test_take_finite_velocities(self):
        model = ht.Model(pendulum())
        with self.assertRaisesRegex(ht.UsageError, "^v must be finite"):
            ht.linearize(model, v=[math.nan])
        with self.assertRaisesRegex(ht.UsageError, "^v_dot must be finite"):
            ht.inverse_dynamics(model, ["pin"], v_dot=[math.inf])

    def test_points_stay_in_the_plane(self):
        model = ht.Model(pendulum())
        with self.assertRaisesRegex(ht.UsageError, 'the point of body "rod" leaves the plane: z is 5'):
            ht.point_jacobian(model, "rod", (1.0, 0.0, 5.0))
        for point, target in (((1.0, 0.0, 2.0), (0.0, 1.0)), ((1.0, 0.0), (0.0, 1.0, 2.0))):
            with self.assertRaisesRegex(ht.UsageError, "leaves the plane: z is 2"):
                ht.inverse_kinematics(model, [("rod", point, target)])

    def test_points_are_reached_within_limits(self):
        limits = ht.JointLimits(joint="pin", lower=-1.0, upper=1.0, stiffness=1e4)
        model = ht.Model(pendulum(limits))
        above = [("rod", (1.0, 0.0), (0.0, 1.0))]
        found = ht.inverse_kinematics(model, above, [0.3])
        self.assertEqual((found.reached, found.q[0]), (False, 1.0))
        found = ht.inverse_kinematics(model, above, [0.3], within_limits=False)
        self.assertTrue(found.reached)
        self.assertAlmostEqual(found.q[0], math.pi / 2.0, places=9)

    def test_points_in_space_have_three_numbers(self):
        model = ht.load(MECHANISMS / "stewart" / "model.toml")
        with self.assertRaisesRegex(ht.UsageError, "position has 2 entries, not 3, or 2 in the plane"):
            ht.point_jacobian(model, "platform", (0.1, 0.0))

    def test_transmission_of_a_parallelogram_is_one(self):
        model = ht.load(MECHANISMS / "parallelogram" / "model.toml")
        names = model.joint_names
        J = ht.transmission(model, names[:1], names[:1])
        self.assertAlmostEqual(J[0, 0], 1.0, places=12)


if __name__ == "__main__":
    unittest.main()
