"""Mechanisms and models: what is read, written, refused and pickled."""

import concurrent.futures
import importlib
import multiprocessing
import pathlib
import pickle
import tempfile
import unittest
import warnings

import numpy as np

import hamiltree as ht
from support import GRAVITY, MECHANISMS, pendulum


class Models(unittest.TestCase):
    def test_of_joints_are_listed_where_a_type_is_unknown(self):
        with self.assertRaisesRegex(ht.UsageError, '"hinge" is not a type of joint; known types are revolute, '):
            ht.Joint(name="pin", type="hinge", parent="ground", child="rod")

    def test_are_loaded_with_changes(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml", set={"body.crank.mass": 2.5})
        masses = {body.name: body.mass for body in model.mechanism.bodies}
        self.assertEqual(masses["crank"], 2.5)
        cut = ht.load(MECHANISMS / "four_bar" / "model.toml", set={"joint.B.cut": np.bool_(True)})
        self.assertEqual(cut.joint_names[-1], "B")

    def test_tell_digits_with_other_parameters_too(self):
        """Joint D closes the loop and has a guess, which counts for the description only."""
        file = MECHANISMS / "four_bar" / "model.toml"
        model = ht.load(file)
        changed = model.with_parameters({"body.rocker.mass": 50.0})
        described = ht.load(file, set={"body.rocker.mass": 50.0})
        self.assertEqual(described.joint_names, changed.joint_names)  # the same tree
        self.assertLess(described.estimated_digits, model.estimated_digits - 1.0)
        self.assertAlmostEqual(changed.estimated_digits, described.estimated_digits, delta=1e-9)
        longer = model.with_parameters({"joint.B.at_parent.x": 0.31})
        self.assertAlmostEqual(longer.estimated_digits, model.estimated_digits, delta=0.1)
        self.assertEqual(model.opened().estimated_digits, model.estimated_digits)

    def test_that_cannot_be_accepted_name_file_line_and_element(self):
        with self.assertRaises(FileNotFoundError):
            ht.load("nothing.toml")
        text = (MECHANISMS / "four_bar" / "model.toml").read_text()
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "negative.toml"
            file.write_text(text.replace("mass = ", "mass = -", 1))
            with self.assertRaises(ht.ModelError) as caught:
                ht.load(file)
        self.assertEqual(caught.exception.element, 'body "crank"')
        self.assertTrue(caught.exception.file.endswith("negative.toml"))
        self.assertGreater(caught.exception.line, 0)
        with self.assertRaisesRegex(ht.UsageError, '--set body.crank.mass=-1.0: body "crank"'):
            ht.load(MECHANISMS / "four_bar" / "model.toml", set={"body.crank.mass": -1.0})

    def test_become_text_again(self):
        text = ht.Model(pendulum()).to_toml()
        self.assertIn('name = "rod"', text)
        found = ht.load(MECHANISMS / "four_bar" / "model.toml").to_toml()
        self.assertIn("guess = { q = -0.5", found)  # where a search closed the loop
        self.assertNotIn("guess = { q = -0.55 }", found)

    def test_with_other_parameters_are_not_what_is_described(self):
        model = ht.Model(pendulum())
        changed = model.with_parameters({"body.rod.mass": 3.0, "joint.pin.at_parent.x": 0.1})
        with self.assertRaisesRegex(ht.UsageError, "pendulum is not as it is described"):
            changed.to_toml()
        with self.assertRaisesRegex(ht.UsageError, "pendulum is not as it is described"):
            changed.mechanism.add(ht.PointSensor(name="tip", body="rod", position=(1.0, 0.0)))
        self.assertIn("<td>pin</td><td>revolute</td>", changed._repr_html_())
        with self.assertRaisesRegex(ht.UsageError, '"joint.pin.at_child.x" is not a parameter'):
            model.with_parameters({"joint.pin.at_child.x": 0.1})  # where its body's frame is
        with self.assertRaisesRegex(ht.UsageError, 'body "rod": inertia must not have negative'):
            model.with_parameters({"body.rod.inertia.zz": -0.1})

    def test_with_other_parameters_have_numbers_that_a_description_may_have(self):
        model = ht.Model(pendulum(ht.JointSpringDamper(joint="pin", damping=0.1)))
        with self.assertRaisesRegex(ht.UsageError, '"spring.pin.damping" = -1: damping must not be negative'):
            model.with_parameters({"spring.pin.damping": -1.0})

    def test_close_their_loops_where_some_joints_are_held(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        start = model.state()
        state = model.state(q={"A": start.q[0] + 0.2}, v={"A": 1.5})
        self.assertEqual(state.q[0], start.q[0] + 0.2)
        self.assertAlmostEqual(model.velocities_of(state)[0], 1.5, delta=1e-12)
        run = ht.simulate(model, until=0.1, state=state)
        self.assertLess(run.residuals[:, 0].max(), 1e-12)
        same = model.state(q={"A": [start.q[0] + 0.2]}, v={"A": np.array(1.5)})
        np.testing.assert_array_equal(state.p, same.p)
        moving = model.state(q=state.q, v={"A": 1.5})
        np.testing.assert_allclose(moving.p, state.p, rtol=0, atol=1e-12)
        self.assertEqual(model.state(q={"A": 1.0}, v=np.zeros(3)).q[0], 1.0)
        for given, why in (({"X": 0.1}, 'has no joint "X"'), ({"A": [0.1, 0.2]}, "1 coordinate, not 2"),
                           ({"A": "far"}, "a joint is given a number")):
            with self.assertRaisesRegex(ht.UsageError, why):
                model.state(q=given)

    def test_show_in_a_line_what_they_are(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        state = model.state()
        linear = ht.linearize(model, inputs=["A"])
        for thing, line in (
            (model, '<Model "four_bar": 3 bodies, 4 joints, 1 loop>'),
            (ht.Model(pendulum()), '<Model "pendulum": 1 body, 1 joint, 0 loops>'),
            (pendulum(), '<Mechanism "pendulum": 1 body, 1 joint>'),
            (linear, "<Linearization at 3 coordinates, 1 independent velocity, 1 input>"),
            (
                ht.equilibrium(model),
                "<Equilibrium, stable, of 3 coordinates, 1 independent velocity, 0 inputs>",
            ),
            (ht.Batch(model), '<Batch of "four_bar": 3 coordinates, 3 velocities, eight states at a time>'),
            (
                ht.Batch([model, model]),
                '<Batch of 2 models such as "four_bar": 3 coordinates, 3 velocities, eight states at a time>',
            ),
            (
                ht.Rollout(ht.Model(pendulum()), step=0.01),
                '<Rollout of "pendulum": 1 coordinate, 1 velocity, by rk4>',
            ),
            (
                ht.DifferentiableRun(model, 0.01, step=0.01, q=state.q),
                '<DifferentiableRun of "four_bar", 1 step>',
            ),
        ):
            self.assertEqual(repr(thing), line)
        self.assertIn("1 body, 1 joint, 0 loops<table>", ht.Model(pendulum())._repr_html_())

    def test_tell_their_degrees_of_freedom(self):
        """Those of textbooks; sarrus and bennett have redundant rows, and a flat four-bar is singular."""
        for name, freedom in (
            ("four_bar", 1),
            ("stewart", 6),
            ("sarrus", 1),
            ("bennett", 1),
            ("delta", 3),
            ("driven_slider_crank", 0),
            ("heavy_top", 3),
        ):
            model = ht.load(MECHANISMS / name / "model.toml")
            self.assertEqual(model.degrees_of_freedom, freedom, name)
            self.assertEqual(model.opened().degrees_of_freedom, model.velocity_count, name)
        changed = ht.load(MECHANISMS / "four_bar" / "model.toml").with_parameters({"body.crank.mass": 2.5})
        self.assertEqual(changed.degrees_of_freedom, 1)
        bars = [ht.Body(name=f"bar_{i}", mass=1.0, com=(0.25, 0.0), inertia=0.02) for i in (1, 2)]
        flat = ht.Mechanism("flat", space="planar", gravity=(0.0, -GRAVITY)).add(
            *bars,
            ht.Body(name="beam", mass=1.0, com=(0.5, 0.0), inertia=0.08),
            ht.Joint(name="A", parent="ground", child="bar_1", initial_q=0.0),
            ht.Joint(name="B", parent="bar_1", child="beam", at_parent=ht.Frame((0.5, 0.0)), initial_q=0.0),
            ht.Joint(name="D", parent="ground", child="bar_2", at_parent=ht.Frame((1.0, 0.0)), initial_q=0.0),
            ht.Joint(
                name="C",
                parent="beam",
                child="bar_2",
                at_parent=ht.Frame((1.0, 0.0)),
                at_child=ht.Frame((0.5, 0.0)),
            ),
        )
        self.assertEqual(ht.Model(flat).degrees_of_freedom, 1)

    def test_list_auto_where_a_formulation_is_unknown(self):
        model = ht.Model(pendulum())
        for call in (
            lambda: ht.Formulation(model, "best"),
            lambda: ht.simulate(model, 0.1, formulation="best"),
            lambda: ht.DifferentiableRun(model, 0.1, step=0.01, formulation="best"),
        ):
            with self.assertRaisesRegex(ht.UsageError, r'"best" is not known \(auto, hdca, recursive, '):
                call()

    def test_gravity_in_space_has_three_numbers(self):
        with self.assertRaisesRegex(ht.UsageError, r"gravity in space has three numbers, not \(0, -9.81\)"):
            ht.Mechanism("rod", space="spatial", gravity=(0, -9.81))

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

    def test_numbers_of_numpy_are_constants(self):
        def effort_of(number):
            mechanism = pendulum(
                ht.Actuator(name="motor", joint="pin", effort=number),
                ht.AppliedWrench(name="push", body="rod", moment=number,
                                 force=np.array([0, 3], dtype=number.dtype)),
            )
            return ht.Formulation(ht.Model(mechanism)).rates([0.1], [0.0])[1]

        for number in (np.float32(2.0), np.int64(2), np.array(2.0), np.array(2)):
            np.testing.assert_array_equal(effort_of(number), effort_of(np.float64(2.0)))

    def test_parts_of_the_wrong_kind_are_refused_in_a_sentence(self):
        wrench = {"name": "push", "body": "rod"}
        rope = {"name": "rope", "stiffness": 1.0}
        for wrong, sentence in (
            (lambda: pendulum([ht.EnergySensor(name="e")]), r"^add\(\) takes bodies, .*, not \["),
            (lambda: pendulum(None), r"^add\(\) takes bodies, .*, not None"),
            (lambda: ht.AppliedWrench(**wrench, force=5.0), "force needs two or three components, not 5"),
            (lambda: ht.AppliedWrench(**wrench, moment=[5.0]), "moment needs two or three components, not"),
            (lambda: ht.Actuator(name="a", joint="pin", effort=None), "a number, .* is needed, not None"),
            (lambda: ht.PointSpringDamper(**rope, points=["ground", "rod"]), r"\(body, position\) .*, not 'ground'"),
            (lambda: ht.PointSpringDamper(**rope, points=[(1, (0, 0)), ("rod", (0, 0))]), r"not \(1, \(0, 0\)\)"),
        ):
            with self.assertRaisesRegex((TypeError, ht.UsageError), sentence):
                wrong()
        half = pendulum()
        with self.assertRaises(TypeError):
            half.add(ht.Body(name="other", mass=1.0), None)
        self.assertEqual(len(half.bodies), 1)
        ht.Model(pendulum(ht.PointSpringDamper(**rope, points=[["ground", (1, 0)], ["rod", (1, 0), 2]])))

    def test_depend_on_time_by_functions_and_callbacks(self):
        sine = ht.Sine(amplitude=1.0, frequency=2.0)
        swung = ht.Mechanism("swung", space="planar", gravity=(0.0, -GRAVITY)).add(
            ht.Body(name="rod", mass=1.0, inertia=1.0),
            ht.Joint(name="pin", parent="ground", child="rod", parent_motion=ht.FrameMotion(x=sine)),
        )
        for mechanism, expected in (
            (pendulum(), False),
            (pendulum(ht.Actuator(name="a", joint="pin", effort=3.0)), False),
            (pendulum(ht.Actuator(name="a", joint="pin", effort=sine)), True),
            (pendulum(ht.Servo(name="s", joints=["pin"], effort=ht.Polynomial([0.0, 1.0]))), True),
            (pendulum(ht.AppliedWrench(name="w", body="rod", moment=sine)), True),
            (pendulum(ht.AppliedWrench(name="w", body="rod", force=(1.0, sine))), True),
            (pendulum(ht.EffortCallback(name="e", joint="pin", effort=lambda t, q, v: t)), True),
            (swung, True),
        ):
            self.assertEqual(ht.Model(mechanism).depends_on_time, expected, mechanism)

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

    def test_of_public_functions_and_classes_are_their_names(self):
        """So that process pools take them; a function of the engine says in its docstring what it takes."""
        found = 0
        for part in ("", ".plots", ".notebook", ".gym", ".jax", ".torch"):
            try:
                module = importlib.import_module(f"hamiltree{part}")
            except ImportError:
                print(f"hamiltree{part} lacks its package and is not looked at")
                continue
            for name, thing in vars(module).items():
                where = getattr(thing, "__module__", None) or ""
                if name.startswith("_") or not callable(thing) or not where.startswith("hamiltree"):
                    continue
                self.assertIs(self.copy(thing), thing, name)
                found += 1
        self.assertGreater(found, 80)
        self.assertIn("linearize(model: hamiltree._native.Model", ht.linearize.__doc__)
        self.assertEqual(ht.linearize.__module__, "hamiltree")
        with self.assertRaises(TypeError):
            ht.linearize(3)

    def test_of_analyses_are_what_was_found(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        state = model.state()
        linear = ht.linearize(model)
        for one in (
            linear,
            ht.linearize(ht.load(MECHANISMS / "driven_slider_crank" / "model.toml")),  # of no freedom
            linear.modes()[0],
            ht.equilibrium(model),
            ht.inverse_dynamics(model, ["A"]),
            ht.point_jacobian(model, "coupler", [0.3, 0.0]),
            ht.inverse_kinematics(model, [("coupler", [0.3, 0.0], [0.25, 0.15])]),
        ):
            back = self.copy(one)
            compared = 0
            for name in dir(one):
                value = getattr(one, name)
                if not name.startswith("_") and not callable(value) and name != "linear":
                    np.testing.assert_array_equal(getattr(back, name), value, err_msg=name)
                    compared += 1
            self.assertGreater(compared, 3)
        np.testing.assert_array_equal(self.copy(ht.equilibrium(model)).linear.A, ht.equilibrium(model).linear.A)
        spawn = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(1, spawn) as pool:
            (there,) = pool.map(ht.linearize, [model], [state.q])
        np.testing.assert_array_equal(there.A, linear.A)

    def test_of_derivatives_are_what_was_found(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        formulation, state = ht.Formulation(model), model.state()
        options = {"step": 0.01, "parameters": ["gravity.y"], "controls": ["A"], "efforts": np.ones((2, 1))}
        run = ht.DifferentiableRun(model, 0.1, **options)
        jacobians = formulation.jacobians(state.q, state.p)
        back = self.copy(jacobians)
        pairs = [(getattr(back, part), getattr(jacobians, part)) for part in ("q", "p", "t")]
        by_parameters = formulation.parameter_jacobians(state.q, state.p, ["gravity.y"])
        pairs += [(self.copy(x), x) for x in (by_parameters, jacobians.q, run.samples, run.gradient(q=run.q))]
        compared = 0
        for found, expected in pairs:
            self.assertIs(type(found), type(expected))
            for name in dir(expected):
                if not name.startswith("_"):
                    np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)
                    compared += 1
        self.assertEqual(compared, 5 * 3 + 5 + 4)
        found = ht.gradient(model, ht.LeastSquares(0.0, of="q"), 0.1, **options)
        for x in (run, found):
            with self.assertRaisesRegex(TypeError, "cannot be pickled, nor a Gradient .*: pickle the samples, or"):
                self.copy(x)

    def test_of_errors_of_runs_tell_what_they_told(self):
        far = ht.JointSpringDamper(joint="pin", stiffness=1e308, rest=1e300)
        with self.assertRaises(ht.SimulationError) as caught:
            ht.simulate(ht.Model(pendulum(far)), 1.0)
        error, other = caught.exception, self.copy(caught.exception)
        self.assertEqual((str(other), other.time, other.body), (str(error), error.time, error.body))
        np.testing.assert_array_equal(other.last_state.q, error.last_state.q)
        np.testing.assert_array_equal(other.recording.q, error.recording.q)

        bad = ht.EffortCallback(name="bad", joint="pin", effort=lambda t, q, q_dot: np.nan)
        with self.assertRaises(ht.SimulationError) as caught:
            ht.simulate(ht.Model(pendulum(bad)), 1.0)
        other = self.copy(caught.exception)
        self.assertEqual((str(other), other.body), (str(caught.exception), "rod"))
        self.assertIsNone(other.recording)

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


if __name__ == "__main__":
    unittest.main()
