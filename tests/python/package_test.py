"""The Python package: every part used once, held against a closed form or another way to the same."""

import math
import pathlib
import pickle
import tempfile
import threading
import unittest
import warnings

import numpy as np

import hamiltree as ht

MECHANISMS = pathlib.Path(__file__).resolve().parents[2] / "mechanisms"
GRAVITY = 9.81


def pendulum(*parts):
    return ht.Mechanism("pendulum", space="planar", gravity=(0.0, -GRAVITY)).add(
        ht.Body(name="rod", mass=2.0, com=(0.5, 0.0), inertia=2.0 / 12.0),
        ht.Joint(name="pin", parent="ground", child="rod", initial_q=0.3),
        *parts,
    )


def beside_each_other(work):
    """What four threads get that call work() at the same time."""
    results = [None] * 4

    def keep(i):
        results[i] = work()

    threads = [threading.Thread(target=keep, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


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

    def test_transmission_of_a_parallelogram_is_one(self):
        model = ht.load(MECHANISMS / "parallelogram" / "model.toml")
        names = model.joint_names
        J = ht.transmission(model, names[:1], names[:1])
        self.assertAlmostEqual(J[0, 0], 1.0, places=12)


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
        wrong = ht.EffortCallback(name="bad", joint="pin", effort=lambda t, q, q_dot: "much")
        with self.assertRaises(TypeError):
            ht.Formulation(ht.Model(pendulum(wrong))).rates([0.1], [0.0])


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


class Runs(unittest.TestCase):
    def test_keep_energy_and_name_their_channels(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        run = ht.simulate(model, 2.0, every=0.01)
        self.assertEqual(len(run.t), 201)
        self.assertLess(run.energy.relative_error.max(), 1e-7)
        self.assertLess(run.residuals[:, 0].max(), 1e-12)
        np.testing.assert_array_equal(run["q.A"], run.q[:, 0])
        self.assertEqual(run.units["v.A"], "rad/s")
        self.assertEqual(run.poses.shape, (201, 3, 7))
        self.assertEqual(run.summary["status"], "completed")
        np.testing.assert_allclose(run.energy.total, run["energy.total"], rtol=1e-12)
        with self.assertRaisesRegex(KeyError, "there are [0-9]+, as units says, .*q.A,"):
            run["q.a"]

    def test_outputs_change_no_step(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        few = ht.simulate(model, 1.0, every=1.0)
        many = ht.simulate(model, 1.0, every=0.002)
        stepped = ht.simulate(model, 1.0, every=0.002, dense_output=False)
        self.assertEqual(len(many.t), 501)
        self.assertEqual(many.summary["steps"], few.summary["steps"])
        np.testing.assert_array_equal(many.q[-1], few.q[-1])
        self.assertGreater(stepped.summary["steps"], 1.5 * many.summary["steps"])
        np.testing.assert_allclose(many.q, stepped.q, atol=1e-6)

    def test_arrays_are_kept_and_own_their_numbers(self):
        run = ht.simulate(ht.Model(pendulum()), 0.1)
        self.assertIs(run.q, run.q)
        self.assertTrue(run.q.flags.c_contiguous and run.q.dtype == np.float64)

    def test_fail_with_body_time_and_last_state(self):
        def effort(t, q, q_dot):
            return math.nan if t > 0.5 else 0.0

        model = ht.Model(pendulum(ht.EffortCallback(name="bad", joint="pin", effort=effort)))
        for integrator in ht.integrator_names:
            with self.subTest(integrator), self.assertRaises(ht.SimulationError) as caught:
                ht.simulate(model, 1.0, integrator=integrator)
            error = caught.exception
            self.assertEqual(error.body, "rod")
            self.assertGreater(error.time, 0.49)
            self.assertLessEqual(error.time, 0.5001)
            self.assertEqual(error.last_state.t, error.time)
            good = ht.simulate(ht.Model(pendulum()), error.time, rtol=1e-12, atol=1e-12)
            tolerance = 1e-2 if "euler" in integrator else 1e-4
            np.testing.assert_allclose(error.last_state.q, good.q[-1], atol=tolerance)
            self.assertEqual(error.recording.summary["status"], "failed")

    def test_start_from_a_state(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        whole = ht.simulate(model, 1.0, every=0.5, rtol=1e-11, atol=1e-11)
        first = ht.Simulation(model, rtol=1e-11, atol=1e-11)
        first.run_until(0.5)
        second = ht.simulate(model, 1.0, state=first.state, rtol=1e-11, atol=1e-11)
        np.testing.assert_allclose(second.q[-1], whole.q[-1], atol=1e-8)
        open_loop = model.state()
        open_loop.q[0] += 0.1
        with self.assertRaisesRegex(ht.UsageError, "loops are open"):
            ht.simulate(model, 1.0, state=open_loop)

    def test_states_are_made_of_coordinates_and_velocities(self):
        model = ht.Model(pendulum())
        state = model.state(q=[0.2], v=[3.0])
        self.assertAlmostEqual(state.p[0], 3.0 * 2.0 / 3.0, places=14)
        np.testing.assert_allclose(model.velocities_of(state), [3.0], rtol=1e-14)
        with self.assertRaises(ht.UsageError):
            model.state(q=[0.2, 0.3])
        several = ht.load(MECHANISMS / "andrews" / "model.toml")
        state = several.state()
        state.p[:] = np.linspace(1.0, 2.0, several.velocity_count)
        velocities = ht.Formulation(several).velocities(state.q, state.p)
        np.testing.assert_allclose(several.velocities_of(state), velocities, rtol=1e-9)

    def test_tell_an_observer_which_may_end_them(self):
        times = []
        ht.simulate(ht.Model(pendulum()), 1.0, on_step=times.append)
        self.assertEqual(times[-1], 1.0)
        with self.assertRaises(ZeroDivisionError):
            ht.simulate(ht.Model(pendulum()), 1.0, on_step=lambda t: 1 / 0)

    def test_are_made_one_at_a_time(self):
        simulation = ht.Simulation(ht.Model(pendulum()))
        with self.assertRaisesRegex(ht.UsageError, "running already"):
            simulation.run_until(1.0, on_step=lambda t: simulation.run_until(2.0))
        stood = simulation.state.t
        in_run, may_end = threading.Event(), threading.Event()

        def wait(t):
            in_run.set()
            may_end.wait()

        thread = threading.Thread(target=lambda: simulation.run_until(1.0, on_step=wait))
        thread.start()
        in_run.wait()
        with self.assertRaisesRegex(ht.UsageError, "running already"):
            simulation.run_until(1.0)
        may_end.set()
        thread.join()
        self.assertLess(stood, 1.0)
        self.assertEqual(simulation.state.t, 1.0)

    def test_in_a_batch_are_those_one_by_one(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        start = model.state()
        states = [start, start.copy(), start]
        runs = ht.simulate_batch(model, states, 0.5, threads=2)
        alone = ht.simulate(model, 0.5)
        for run in runs:
            np.testing.assert_array_equal(run.q, alone.q)

    def test_share_their_rates_among_threads_and_stay_the_same(self):
        changes = {"body.link_{i}.repeat": np.int64(600), "joint.pin_{i+1}.repeat": 599}
        model = ht.load(MECHANISMS / "chain_100" / "model.toml", set=changes)
        alone = ht.simulate(model, 0.01, integrator="rk4", step=1e-3)
        shared = ht.simulate(model, 0.01, integrator="rk4", step=1e-3, threads=3)
        self.assertEqual(alone.q.shape[1], 600)
        np.testing.assert_array_equal(shared.q, alone.q)

    def test_options_that_do_not_fit_are_refused(self):
        model = ht.Model(pendulum())
        for options in ({"step": 0.1}, {"integrator": "rk4", "rtol": 1e-3}, {"integrator": "x"},
                        {"weights": "none"}, {"formulation": "x"}, {"threads": -1},
                        {"every": 0.0}, {"every": math.nan}):
            with self.subTest(options), self.assertRaises(ht.UsageError):
                ht.simulate(model, 1.0, **options)

    def test_write_reports(self):
        run = ht.simulate(ht.Model(pendulum()), 0.1)
        self.assertTrue(run.report().lower().startswith("<!doctype html>"))
        self.assertIn('"joints":[{', run.report())
        self.assertIn("<iframe srcdoc=", run._repr_html_())
        with tempfile.TemporaryDirectory() as folder:
            run.save(folder)
            names = {path.name for path in pathlib.Path(folder).iterdir()}
        self.assertEqual(names, {"summary.json", "trajectory.csv", "steps.csv", "report.html"})

    def test_show_how_loaded_models_look(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "seen.toml"
            file.write_text(ht.Model(pendulum()).to_toml() +
                            '[[visual]]\nbody = "rod"\ntype = "sphere"\nradius = 0.5\n')
            run = ht.simulate(ht.load(file), 0.1)
            looks = ht.load_looks(file)
        self.assertEqual(len(looks), 1)
        self.assertIn('"visuals":[{"body":0,"shape":"ellipsoid","size":[0.5,0.5,0.5]', run.report(looks=looks))
        self.assertNotIn('"visuals"', run.report())


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

    def test_refuse_what_they_cannot_do(self):
        with self.assertRaisesRegex(ht.UsageError, "loops none of whose rows is redundant"):
            ht.Rollout(ht.load(MECHANISMS / "bricard" / "model.toml"))
        rollout = ht.Rollout(ht.Model(pendulum()))
        with self.assertRaisesRegex(ht.UsageError, "in place"):
            rollout.advance([[0.1]], np.zeros((1, 1)), 0.1)


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
            out = pathlib.Path(folder) / "out"
            ht.sweep(study, out)
            self.assertTrue((out / "results.csv").exists())
            with self.assertRaisesRegex(ht.UsageError, "other overrides"):
                ht.sweep(study, out, set={"body.rocker.mass": 0.7})


class Pickles(unittest.TestCase):
    """What comes back is the same to the last bit."""

    @staticmethod
    def copy(x):
        return pickle.loads(pickle.dumps(x))

    def test_of_models_give_the_same_rates(self):
        for name in ("stewart", "suspension", "planetary_gear", "motorcycle", "andrews", "hand"):
            model = ht.load(MECHANISMS / name / "model.toml")
            other = self.copy(model)
            state, same = model.state(), self.copy(model.state())
            np.testing.assert_array_equal(same.q, state.q)
            np.testing.assert_array_equal(other.state().q, state.q)
            p = state.p + np.linspace(0.1, 1.0, state.p.size)
            for a, b in zip(
                ht.Formulation(model).rates(state.q, p, 0.3),
                ht.Formulation(other).rates(same.q, p, 0.3),
            ):
                np.testing.assert_array_equal(a, b, err_msg=name)
            self.assertEqual(other.to_toml(), model.to_toml())

    def test_of_changed_models_keep_the_changes(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        changed = model.with_parameters({"body.crank.mass": 2.5})
        for other in (changed, changed.opened(), model.opened()):
            back = self.copy(other)
            self.assertEqual(dict(back.parameters()), dict(other.parameters()))
            self.assertEqual(back.constraint_count, other.constraint_count)

    def test_of_recordings_are_whole(self):
        model = ht.load(MECHANISMS / "stewart" / "model.toml")
        run = ht.simulate(model, 0.1, every=0.01)
        back = self.copy(run)
        self.assertEqual(back.report(), run.report())
        self.assertEqual(back.summary, run.summary)
        for name in run.units:
            np.testing.assert_array_equal(back[name], run[name], err_msg=name)
        np.testing.assert_array_equal(back.poses, run.poses)
        np.testing.assert_array_equal(back.steps, run.steps)

    def test_of_functions_are_refused(self):
        def nothing(*_):
            return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)

        for force in (
            ht.EffortCallback(name="motor", joint="elbow", effort=lambda t, q, v: 0.0),
            ht.LoadCallback(name="wind", body="bar_1", load=nothing),
        ):
            mechanism = ht.load(MECHANISMS / "double_pendulum" / "model.toml").mechanism
            mechanism.add(force)
            for x in (mechanism, ht.Model(mechanism)):
                with self.assertRaisesRegex(ht.UsageError, "cannot be pickled"):
                    pickle.dumps(x)

    def test_of_other_formats_and_versions_are_refused(self):
        mechanism = ht.load(MECHANISMS / "door" / "model.toml").mechanism
        form, version, data, checksum = mechanism.__getstate__()
        self.assertEqual(version, ht.__version__)

        def back(*state):
            ht.Mechanism.__new__(ht.Mechanism).__setstate__(state)

        back(form, version, data, checksum)
        for other in ((form + 1, version), (form, "9.9")):
            said = f"by hamiltree {other[1]} in format {other[0]}, and .* reads format {form}$"
            with self.assertRaisesRegex(ht.UsageError, said):
                back(*other, data, checksum)
        damaged = bytes([data[0] ^ 1]) + data[1:]
        for other in ((form, version, damaged, checksum), (version, data, checksum)):
            with self.assertRaisesRegex(RuntimeError, "not what was pickled"):
                back(*other)


class Models(unittest.TestCase):
    def test_are_loaded_with_changes(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml", set={"body.crank.mass": 2.5})
        masses = {body.name: body.mass for body in model.mechanism.bodies}
        self.assertEqual(masses["crank"], 2.5)

    def test_that_cannot_be_accepted_name_file_line_and_element(self):
        with self.assertRaises(FileNotFoundError):
            ht.load("nothing.toml")
        with self.assertRaises(ht.ModelError) as caught:
            ht.load(MECHANISMS / "four_bar" / "model.toml", set={"body.crank.mass": -1.0})
        self.assertEqual(caught.exception.element, 'body "crank"')
        self.assertTrue(caught.exception.file.endswith("model.toml"))
        self.assertGreater(caught.exception.line, 0)

    def test_become_text_again(self):
        text = ht.Model(pendulum()).to_toml()
        self.assertIn('name = "rod"', text)

    def test_with_other_parameters_are_not_what_is_described(self):
        model = ht.Model(pendulum())
        changed = model.with_parameters({"body.rod.mass": 3.0, "joint.pin.at_parent.x": 0.1})
        with self.assertRaisesRegex(ht.UsageError, "pendulum is not as it is described"):
            changed.to_toml()
        with self.assertRaisesRegex(ht.UsageError, '"joint.pin.at_child.x" is not a parameter'):
            model.with_parameters({"joint.pin.at_child.x": 0.1})  # where its body's frame is
        with self.assertRaisesRegex(ht.UsageError, 'body "rod": inertia must not have negative'):
            model.with_parameters({"body.rod.inertia.zz": -0.1})

    def test_are_tables_in_a_notebook(self):
        self.assertIn("<td>pin</td><td>revolute</td>", ht.Model(pendulum())._repr_html_())

    def test_show_their_plan(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        self.assertIn("closing loops", model.plan())
        self.assertIn("balanced", ht.Formulation(model, "hdca").plan)
        self.assertEqual(ht.Formulation(model).name, "recursive")

    def test_every_description_can_be_said(self):
        """All that the builder takes, on one mechanism that moves."""
        frame = ht.Frame((0.0, 0.0, 1.0), axis_angle=(1.0, 0.0, 0.0, 0.5))
        np.testing.assert_allclose(frame.rotation @ frame.rotation.T, np.eye(3), atol=1e-15)
        inertia = [0.1, 0.2, 0.25, 0.0, 0.0, 0.01]
        mechanism = ht.Mechanism("all", space="spatial", gravity=(0.0, 0.0, -GRAVITY)).add(
            ht.Body(name="a", mass=1.0, com=(0.1, 0.0, 0.0), inertia=inertia),
            ht.Body(name="b", mass=1.0, com=(0.1, 0.0, 0.0), inertia=np.diag([0.1, 0.2, 0.25])),
            ht.Body(name="c", mass=1.0, com=(0.1, 0.0, 0.0), inertia=inertia),
            ht.Body(name="d", mass=0.5, inertia=inertia),
            ht.Joint(name="j", parent="ground", child="a", at_parent=frame, initial_v=0.4),
            ht.Joint(name="k", type="prismatic", parent="a", child="b", armature=0.1),
            ht.Joint(name="l", type="spherical", parent="b", child="c",
                     initial_q=(1.0, 0.0, 0.0, 0.0)),
            ht.Joint(name="m", type="helical", parent="ground", child="d", pitch=0.1,
                     parent_motion=ht.FrameMotion(x=ht.Sine(amplitude=0.1, frequency=1.0))),
            ht.JointSpringDamper(joint="k", stiffness=100.0, damping=1.0),
            ht.JointLimits(joint="j", lower=-1.0, upper=1.0, stiffness=50.0),
            ht.JointFriction(joint="j", coulomb=0.1, velocity_scale=0.01),
            ht.PointSpringDamper(name="rope", body_a="a", body_b="c", point_a=(0, 0, 0),
                                 point_b=(0.1, 0, 0), stiffness=10.0, rest_length=0.1),
            ht.PointSpringDamper(name="belt", points=[("ground", (0, 0, 0)), ("b", (0.1, 0, 0), 0.5),
                                                      ("c", (0, 0.1, 0))],
                                 stiffness=10.0, rest_length=0.4, slack=0.1),
            ht.Servo(name="winch", points=[("ground", (0, 0, 1)), ("a", (0, 0, 0.1)),
                                           ("d", (0.1, 0, 0))], effort=-0.2, damping=0.1),
            ht.Bushing(name="rubber", body_a="ground", body_b="d", translational_stiffness=50.0,
                       rotational_stiffness=(1.0, 2.0, 3.0)),
            ht.Actuator(name="motor", joint="m",
                        effort=ht.SmoothStep(from_=0.0, to=1.0, duration=0.5)),
            ht.AppliedWrench(name="wind", body="c", axes="body",
                             force=(ht.Table(times=[0.0, 1.0], values=[0.0, 1.0]), None, 2.0)),
            ht.BodySensor(name="body", body="a"),
            ht.PointSensor(name="point", body="c", position=(0.1, 0.0, 0.0)),
            ht.JointSensor(name="joint", joint="k"),
            ht.ReactionSensor(name="load", joint="l"),
            ht.EnergySensor(name="energy"),
            ht.Event(name="down", channel="point.position.z", value=0.99, crossing="falling"),
        )
        run = ht.simulate(ht.Model(mechanism), 0.5)
        self.assertLess(run.energy.relative_error.max(), 1e-6)
        self.assertEqual(run.vector("point.position").shape, (len(run.t), 3))

    def test_joints_of_loops_are_cut_where_asked_and_recorded(self):
        def model(**of_right):
            return ht.Model(
                ht.Mechanism("v", space="planar", gravity=(0.0, -GRAVITY)).add(
                    ht.Body(name="a", mass=1.0, com=(0.5, 0.0), inertia=0.1),
                    ht.Body(name="b", mass=1.0, com=(0.5, 0.0), inertia=0.1),
                    ht.Joint(name="left", parent="ground", child="a", initial_q=0.6),
                    ht.Joint(name="right", parent="ground", child="b", at_parent=(1.5, 0.0),
                             guess_q=2.5, **of_right),
                    ht.Joint(name="slot", type="pin_in_slot", parent="a", child="b",
                             at_child=(1.0, 0.0)),
                )
            )

        runs = [ht.simulate(model(**cut), 0.5) for cut in ({}, {"cut": True})]
        self.assertEqual(runs[1].outside_q.shape, (len(runs[1].t), 1))
        for channel in ("q.right", "v.right", "q.slot.angle"):
            np.testing.assert_allclose(runs[0][channel], runs[1][channel], atol=1e-5)
            self.assertIn(channel, runs[1].units)
        with self.assertRaisesRegex(ht.ModelError, "left"):
            ht.Model(pendulum(ht.Body(name="a", mass=1.0, inertia=1.0),
                              ht.Joint(name="left", parent="rod", child="a", cut=True)))

    def test_the_branch_of_a_joint_chooses_the_motion_from_a_singular_pose(self):
        def flat(branch):
            bar = {"mass": 1.0, "inertia": 0.05}
            return ht.Model(
                ht.Mechanism("flat", space="planar", gravity=(0.0, -GRAVITY)).add(
                    ht.Body(name="crank", com=(0.25, 0.0), **bar),
                    ht.Body(name="coupler", com=(0.5, 0.0), **bar),
                    ht.Body(name="rocker", com=(0.25, 0.0), **bar),
                    ht.Joint(name="A", parent="ground", child="crank", initial_q=0.0),
                    ht.Joint(name="B", parent="crank", child="coupler", at_parent=(0.5, 0.0),
                             initial_q=0.0),
                    ht.Joint(name="D", parent="ground", child="rocker", at_parent=(1.0, 0.0),
                             initial_q=0.0),
                    ht.Joint(name="C", parent="coupler", child="rocker", at_parent=(1.0, 0.0),
                             at_child=(0.5, 0.0), branch=branch),
                )
            )

        for branch, ratio in ((1, 1.0), (2, -3.0)):  # parallelogram and antiparallelogram
            run = ht.simulate(flat(branch), 0.1, every=0.01)
            self.assertAlmostEqual(run["q.D"][1] / run["q.A"][1], ratio, places=2)
        with self.assertRaisesRegex(ht.ModelError, "branch is 3, but.* 2 motions meet.*in 2: A"):
            ht.simulate(flat(3), 0.1)

    def test_couplings_hold(self):
        mechanism = ht.Mechanism("gears", space="planar", gravity=(0.0, -GRAVITY)).add(
            ht.Body(name="a", mass=1.0, com=(0.1, 0.0), inertia=0.1),
            ht.Body(name="b", mass=1.0, inertia=0.2),
            ht.Joint(name="j", parent="ground", child="a", initial_q=0.0),
            ht.Joint(name="k", parent="ground", child="b", at_parent=(1.0, 0.0)),
            ht.Coupling(name="gear", joint="k", to="j", ratio=-2.0),
        )
        run = ht.simulate(ht.Model(mechanism), 1.0)
        np.testing.assert_allclose(run["q.k"], -2.0 * run["q.j"], atol=1e-12)

    def test_a_coupling_follows_a_curve(self):
        mechanism = ht.Mechanism("cam", space="planar", gravity=(0.0, -9.81)).add(
            ht.Body(name="a", mass=2.0, com=(0.3, 0.0), inertia=0.5),
            ht.Body(name="b", mass=1.0, inertia=0.2),
            ht.Joint(name="j", parent="ground", child="a", initial_q=0.0),
            ht.Joint(name="k", parent="ground", child="b", at_parent=(1.0, 0.0)),
            ht.Coupling(name="cam", joint="k", to="j", polynomial=[0.1, 0.2, -0.5, 0.3]),
        )
        model = ht.Model(mechanism)
        self.assertIn("polynomial = [0.1, 0.2, -0.5, 0.3]", model.to_toml())
        run = ht.simulate(model, 1.0)
        j = run["q.j"]
        np.testing.assert_allclose(run["q.k"], 0.1 + j * (0.2 + j * (-0.5 + 0.3 * j)), atol=1e-12)
        for wrong in ({}, {"ratio": 1.0, "polynomial": [0.0, 1.0]}):
            with self.assertRaisesRegex(ht.UsageError, "either ratio and offset or a polynomial"):
                ht.Coupling(name="cam", joint="k", to="j", **wrong)

    def test_imports_warn(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ht.load(pathlib.Path(__file__).with_name("warned.urdf"))
        self.assertTrue(any("unknown" in str(w.message) for w in caught))


if __name__ == "__main__":
    unittest.main()
