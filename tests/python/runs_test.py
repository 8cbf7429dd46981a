"""Runs: what is recorded, how they are resumed, and what ends them."""

import math
import pathlib
import signal
import tempfile
import threading
import time
import unittest

import numpy as np

import hamiltree as ht
from support import GRAVITY, MECHANISMS, interrupt, pendulum


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

    def test_say_which_sensors_there_are(self):
        run = ht.simulate(ht.Model(pendulum(ht.ReactionSensor(name="load", joint="pin"))), 0.1)
        with self.assertRaisesRegex(ht.UsageError, 'no reaction sensor "pin" in this run; there is load$'):
            run.reaction("pin")
        with self.assertRaisesRegex(KeyError, 'no vector "tip"; there is .*load.force, '):
            run.vector("tip")
        with self.assertRaisesRegex(ht.UsageError, "a ReactionSensor makes one"):
            ht.simulate(ht.Model(pendulum()), 0.1).reaction("pin")

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
        with self.assertRaisesRegex(ht.UsageError, r"v\[0\] is nan"):
            model.state(q=[0.2], v=[math.nan])
        state.q[0] = math.inf
        with self.assertRaisesRegex(ht.UsageError, r"q\[0\] is inf"):
            ht.simulate(model, 1.0, state=state)
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

    def test_in_a_batch_with_a_controller_of_a_period_are_made_in_order(self):
        asked = []

        def law(controls):
            asked.append(controls.time)
            controls.add_effort(0, -controls.rate("pin"))

        mechanism = pendulum()
        mechanism.add(ht.Controller(name="damp", joints=["pin"], law=law, period=0.01))
        model = ht.Model(mechanism)
        states = [model.state()] * 4
        runs = ht.simulate_batch(model, states, 2.0, threads=4)
        self.assertEqual([t for t in asked if t == 0.0], [0.0] * 4)
        self.assertEqual(asked, asked[: len(asked) // 4] * 4)
        alone = ht.simulate(model, 2.0)
        for run in runs:
            np.testing.assert_array_equal(run.q, alone.q)

    def test_are_of_a_model(self):
        for not_one in (str(MECHANISMS / "four_bar" / "model.toml"), pendulum()):
            with self.assertRaisesRegex(TypeError, r"^simulate\(\) takes a Model, as of load\(\), not a \w+$"):
                ht.simulate(not_one, 0.1)

    def test_in_a_batch_are_of_one_model(self):
        model = ht.Model(pendulum())
        with self.assertRaisesRegex(TypeError, r"simulate_batch\(\) takes one Model .* not a list"):
            ht.simulate_batch([model, model], [model.state()] * 2, 0.1)

    def test_in_a_batch_end_where_one_fails(self):
        model = ht.Model(pendulum())
        reached = []

        def note(t):
            reached.append(t)
            time.sleep(1e-3)

        bad = ht.State(q=[0.1, 0.2], p=[0.0])
        states = [model.state()] * 3 + [bad] + [model.state()] * 3
        with self.assertRaisesRegex(ht.UsageError, "q has 2 numbers"):
            ht.simulate_batch(model, states, 200.0, threads=4, every=100.0, on_step=note)
        self.assertLess(max(reached, default=0.0), 200.0)

    def test_in_a_batch_go_on_where_one_fails(self):
        model = ht.load(MECHANISMS / "four_bar" / "model.toml")
        bad = model.state()
        bad.p = np.full(3, 1e160)
        states = [model.state(), bad, model.state()]
        good, failure, last = ht.simulate_batch(model, states, 0.1, threads=2, on_failure="return")
        self.assertIsInstance(failure, (ht.ModelError, ht.SimulationError))
        np.testing.assert_array_equal(good.q, last.q)
        self.assertEqual(good.t[-1], 0.1)
        with self.assertRaisesRegex(ht.UsageError, 'on_failure is "raise" or "return", not "nan"'):
            ht.simulate_batch(model, states, 0.1, on_failure="nan")

    def test_in_a_batch_end_by_an_interrupt(self):
        model = ht.Model(pendulum())
        reached, begun = [], threading.Event()

        def note(t):
            reached.append(t)
            begun.set()
            time.sleep(1e-3)

        def interrupt():
            begun.wait()
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            states = [model.state()] * 4
            ht.simulate_batch(model, states, 200.0, threads=2, every=100.0, on_step=note)
        thread.join()
        self.assertLess(max(reached), 200.0)

    def test_and_searches_for_equilibria_end_by_an_interrupt(self):
        chain = ht.Mechanism("chain", space="planar", gravity=(0.0, -GRAVITY))
        for i in range(200):  # stretched out flat: each step of the search takes a while
            chain.add(
                ht.Body(name=f"link_{i}", mass=0.1, com=(0.05, 0.0), inertia=1e-4),
                ht.Joint(name=f"pin_{i}", parent=f"link_{i - 1}" if i else "ground", child=f"link_{i}",
                         at_parent=(0.1 if i else 0.0, 0.0)),
            )
        model = ht.Model(chain)
        interrupt(self, lambda: ht.equilibrium(model))

    def test_and_poses_behind_long_drives_end_by_an_interrupt(self):
        model = ht.load(MECHANISMS / "driven_slider_crank" / "model.toml")
        interrupt(self, lambda: ht.linearize(model, t=1e5))
        interrupt(self, lambda: model.state(t=1e5))

    def test_and_their_gradients_end_by_an_interrupt(self):
        model = ht.Model(pendulum())

        interrupt(self, lambda: ht.DifferentiableRun(model, 1e5, step=1e-3, samples=[1.0]))
        run = ht.DifferentiableRun(model, 20.0, step=1e-4, samples=[20.0])
        before = run.gradient(q=np.ones((1, 1))).q
        interrupt(self, lambda: run.gradient(q=np.ones((1, 1))))
        np.testing.assert_array_equal(run.gradient(q=np.ones((1, 1))).q, before)

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
                        {"every": 0.0}, {"every": math.nan}, {"rtol": -1.0}, {"rtol": 0.0},
                        {"rtol": math.nan}, {"atol": -1e-9}, {"atol": math.inf}):
            with self.subTest(options), self.assertRaises(ht.UsageError):
                ht.simulate(model, 1.0, **options)

    def test_sample_every_step_by_the_word_of_the_command_line(self):
        model = ht.Model(pendulum())
        run = ht.simulate(model, 1.0, every="step")
        np.testing.assert_array_equal(run.t, ht.simulate(model, 1.0, every=ht.every_step).t)
        with self.assertRaisesRegex(ht.UsageError, 'a positive number or "step", it is "day"'):
            ht.simulate(model, 1.0, every="day")

    def test_write_reports(self):
        run = ht.simulate(ht.Model(pendulum()), 0.1)
        self.assertTrue(run.report().lower().startswith("<!doctype html>"))
        self.assertIn('"joints":[{', run.report())
        self.assertIn("<iframe srcdoc=", run._repr_html_())
        with tempfile.TemporaryDirectory() as folder:
            run.save(folder)
            names = {path.name for path in pathlib.Path(folder).iterdir()}
        self.assertEqual(names, {"summary.json", "trajectory.csv", "steps.csv", "report.html"})

    def test_that_cannot_be_written_say_so_as_python_does(self):
        model = ht.Model(pendulum())
        with tempfile.TemporaryDirectory() as folder:
            for write in (model.to_fmu, lambda file: ht.simulate(model, 0.1).save(file)):
                (pathlib.Path(folder) / "file").touch()
                with self.assertRaisesRegex(NotADirectoryError, "cannot write .*file"):
                    write(pathlib.Path(folder) / "file" / "in.fmu")

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


if __name__ == "__main__":
    unittest.main()
