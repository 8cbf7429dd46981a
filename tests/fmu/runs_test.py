"""FMUs run by FMPy beside the native engine: runs_test.py PROGRAM.

All of them run with libraries that end the process where behaviour is undefined.
"""

import ctypes
import importlib.util
import json
import pathlib
import subprocess
import tempfile
import time
import zipfile

from units import PROGRAM, ROOT, Exports, hamiltree, models, name_of, trajectory  # first: it may skip

import fmpy
import numpy as np
from beside import FIXED, STEP, Instance, co_simulate, native, with_more
from controller import controller_fmu
from fmpy import instantiate_fmu, read_model_description, simulate_fmu

UNTIL = 0.25
# Relative to the largest number of each column, over 256 steps by other kernels; measured: 3e-12 at most, of
# the stewart platform.
SAME = 1e-10
FOUR_BAR = ROOT / "mechanisms" / "four_bar" / "model.toml"
PENDULUM = ROOT / "mechanisms" / "double_pendulum" / "model.toml"
SLIDER_CRANK = ROOT / "mechanisms" / "driven_slider_crank" / "model.toml"


FORCES = """
format = 1
name = "forces"
space = "spatial"
gravity = [0.0, 0.0, -9.81]
[[body]]
name = "bar"
mass = 1.0
com = [0.0, 0.0, -0.5]
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "A"
type = "revolute"
parent = "ground"
child = "bar"
spring = { stiffness = 3.0, rest = 0.1 }
friction = { coulomb = 0.1, viscous = 0.2, velocity_scale = 0.01 }
limits = { lower = -2.0, upper = 2.0, stiffness = 100.0 }
[[force]]
name = "mount"
type = "bushing"
body_a = "ground"
body_b = "bar"
translational_stiffness = 10.0
rotational_damping = 1.0
turn_stiffness = 1.0
"""


def generated(model: pathlib.Path, folder: pathlib.Path) -> "dict[str, np.ndarray]":
    """The native run with the same equations in the arithmetic of every processor of the platform:
    without fused products and sums. Compiled without optimisation, as the FMUs here."""
    compiler = folder / "unoptimised"
    compiler.write_text('#!/bin/sh\nexec cc "$@" -O0\n')
    compiler.chmod(0o755)
    return native(model, folder / f"generated_{name_of(model)}", *FIXED, "--until", UNTIL, "--generated",
                  HAMILTREE_INSTRUCTIONS="baseline", CC=str(compiler), XDG_CACHE_HOME=str(folder))


def outputs_of(fmu: str) -> "list[str]":
    variables = read_model_description(fmu).modelVariables
    return [v.name for v in variables if v.causality == "output" or v.name.startswith("p.")]


def difference(theirs: np.ndarray, ours: "dict[str, np.ndarray]", columns: "list[str]") -> float:
    """The largest, of the largest number of its column and of those of the same kind."""
    worst = 0.0
    for name in columns:
        kind = [ours[c] for c in columns if c.partition(".")[0] == name.partition(".")[0]]
        size = max(np.abs(np.concatenate(kind)).max(), 1e-3)
        worst = max(worst, np.abs(theirs[name] - ours[name]).max() / size)
    return worst


def check_against_native(exports: Exports, model: pathlib.Path) -> None:
    """Co-simulation in steps of the same method. With the same equations the state has the same bits,
    in FMI 2 and 3; with the engine's own kernels the same digits."""
    results = {v: co_simulate(f := exports.fmu(model, v), UNTIL, output=outputs_of(f)) for v in (2, 3)}
    assert np.array_equal(results[2], results[3])
    theirs, ours = results[3], native(model, exports.folder / name_of(model), *FIXED, "--until", UNTIL)
    columns = [name for name in theirs.dtype.names if name in ours]
    assert len(columns) > 5, columns
    worst = difference(theirs, ours, columns)
    gaps = [n for n in theirs.dtype.names if n.startswith("gap.")]
    gap = max((np.abs(theirs[n]).max() for n in gaps), default=0.0)
    exact = generated(model, exports.folder)
    state = [n for n in columns if n[:2] in ("q.", "p.")]
    unequal = [n for n in state if not np.array_equal(theirs[n], exact[n])]
    print(f"{name_of(model)}: {len(columns)} columns differ by {worst:.1e} at most, {len(state)} of the "
          f"generated run by nothing, loops are open by {gap:.1e}", flush=True)
    assert not unequal, unequal
    assert worst < SAME, worst
    assert gap < 1e-9, gap


def check_model_exchange(exports: Exports, model: pathlib.Path) -> None:
    """An integrator of the importer's: CVODE at 1e-9, against the engine's at 1e-10."""
    out = exports.folder / f"exact_{name_of(model)}"
    ours = native(model, out, "--rtol", 1e-10, "--until", UNTIL, "--every", UNTIL)
    for version in (2, 3):
        fmu = exports.fmu(model, version)
        # Between two events momenta carry the impulses of the loops.
        columns = [n for n in outputs_of(fmu) if n in ours and not n.startswith("p.")]
        result = simulate_fmu(fmu, fmi_type="ModelExchange", stop_time=UNTIL, solver="CVode",
                              relative_tolerance=1e-9, output_interval=UNTIL, output=columns)
        ends = {name: ours[name][-1:] for name in columns}
        worst = difference(result[-1:], ends, columns)
        print(f"{name_of(model)}, model exchange, FMI {version}: {worst:.1e}", flush=True)
        assert worst < 1e-6, worst  # measured: 8e-8


def check_states(exports: Exports) -> None:
    """Saved, serialised and taken up again: the same bits. What is no state is refused."""
    for version in (2, 3):
        unit = Instance(exports.fmu(FOUR_BAR, version)).start()
        get, put, free, size, out, back = (
            (unit.fmu.getFMUState, unit.fmu.setFMUState, unit.fmu.freeFMUState, None,
             unit.fmu.serializeFMUState, unit.fmu.deserializeFMUState)
            if unit.is_3 else
            (unit.fmu.getFMUstate, unit.fmu.setFMUstate, unit.fmu.freeFMUstate, None,
             unit.fmu.serializeFMUstate, unit.fmu.deSerializeFMUstate)
        )
        unit.steps(0, 20)
        state = get()
        text = out(state)
        first = unit.steps(20, 20)
        put(state)
        assert unit.steps(20, 20) == first
        read = back(text)
        put(read)
        assert unit.steps(20, 20) == first
        broken = b"x" + bytes(text)[1:]
        try:
            back(broken)
            raise SystemExit("the state of another FMU was taken")
        except fmpy.fmi1.FMICallException:
            pass
        free(state)
        free(read)
        unit.fmu.reset()
        assert unit.start().steps(0, 40)[20:] == first
        unit.end()


ACTUATOR = """
[[force]]
name = "motor"
type = "actuator"
joint = "A"
effort = { type = "polynomial", coefficients = [1.5] }
"""
WRENCH = """
[[force]]
name = "push"
type = "wrench"
body = "coupler"
force = { x = { type = "polynomial", coefficients = [3.0] }, y = { type = "polynomial", coefficients = [-2.0] } }
moment = { z = { type = "polynomial", coefficients = [0.25] } }
"""


def check_parameters(exports: Exports) -> None:
    """Another mass, another start: what the model does with --set."""
    changed = ("--set", "body.bar_2.mass=0.8", "--set", "joint.shoulder.initial.q=0.3",
               "--set", "joint.elbow.initial.v=0.5")
    ours = native(PENDULUM, exports.folder / "other", *changed, *FIXED, "--until", 0.125)
    columns = ["q.shoulder", "q.elbow", "v.elbow", "p.shoulder", "tip.position.x"]
    for version in (2, 3):
        result = co_simulate(
            exports.fmu(PENDULUM, version, "--parameters", "pass"), 0.125,
            start_values={"body.bar_2.mass": 0.8, "q.shoulder": 0.3, "v.elbow": 0.5}, output=columns,
        )
        worst = difference(result, ours, columns)
        print(f"parameters and a start, FMI {version}: {worst:.1e}")
        assert worst < SAME, worst


def check_refusals(exports: Exports) -> None:
    for version in (2, 3):
        unit = Instance(exports.fmu(FOUR_BAR, version, "--parameters", "pass")).start()
        for name, value in (("q.A", 1.0), ("p.A", 1.0), ("effort.A", float("nan")),
                            ("loop_tolerance", -1.0), ("kinetic_energy", 1.0),
                            ("body.crank.mass", -1.0)):
            try:
                unit.set(name, value)
                raise SystemExit(f"{name} could be set to {value}")
            except fmpy.fmi1.FMICallException:
                pass
        unit.end()
        model = exports.folder / "forces.toml"
        model.write_text(FORCES)
        unit = Instance(exports.fmu(model, version, "--parameters", "pass")).start()
        least = {v.name: v.min for v in unit.description.modelVariables}
        for name in ("spring.A.stiffness", "friction.A.coulomb", "upper.A.stiffness", "bushing.0.stiffness.x",
                     "bushing.0.rotational_damping.z"):
            assert 0.0 <= float(least[name]) < 1e-300, (name, least[name])
            unit.set(name, 2.0)
            try:
                unit.set(name, -1.0)
                raise SystemExit(f"{name} could be set to -1")
            except fmpy.fmi1.FMICallException:
                pass
        for name in ("spring.A.rest", "upper.A.at"):
            assert least[name] is None, (name, least[name])
            unit.set(name, -1.0)
        unit.end()


def check_open_loops(exports: Exports) -> None:
    """A rod that is shorter than the crank which a drive turns ends the run, as the native one."""
    short = exports.folder / "short.toml"
    short.write_text(SLIDER_CRANK.read_text().replace("position = [0.3, 0.0]", "position = [0.06, 0.0]")
                     .replace("q = -0.66", "q = -1.42").replace("q = 0.38", "q = 0.12"))
    for version in (2, 3):
        unit = Instance(exports.fmu(short, version)).start()
        steps = 0
        try:
            while steps < 64:
                unit.fmu.doStep(currentCommunicationPoint=steps * STEP, communicationStepSize=STEP)
                steps += 1
        except fmpy.fmi1.FMICallException:
            pass
        print(f"a loop that stays open, FMI {version}: ended after {steps} steps", flush=True)
        assert 14 <= steps < 32, steps  # the crank stops after 0.0144 s


def check_inputs(exports: Exports) -> None:
    """An effort or a wrench from outside does what a force of the model does, in the power too."""
    wrench = {"force.coupler.x": 3.0, "force.coupler.y": -2.0, "moment.coupler.z": 0.25}
    for text, values in ((ACTUATOR, {"effort.A": 1.5}), (WRENCH, wrench)):
        name = "actuator" if text == ACTUATOR else "wrench"
        acted_on = with_more(FOUR_BAR, exports.folder, name, text)
        ours = native(acted_on, exports.folder / name, *FIXED, "--until", 0.125)
        columns = ["q.A", "v.C", "power.applied"]
        for version in (2, 3):
            fmu = exports.fmu(FOUR_BAR, version, "--inputs", "efforts,wrenches")
            theirs = co_simulate(fmu, 0.125, start_values=values, output=columns)
            worst = difference(theirs, ours, columns)
            print(f"{name}, FMI {version}: {worst:.1e}")
            assert worst < SAME, worst
            idle = co_simulate(fmu, 0.125, output=columns)
            assert difference(idle, ours, columns) > 1e-3


def check_drives(exports: Exports) -> None:
    """The motion of a driven joint from outside: the model's own gives the model's own run, another
    one what the model does with it."""
    other = exports.folder / "slower.toml"
    other.write_text(SLIDER_CRANK.read_text().replace("[0.5, 10.0]", "[0.5, 10.0, -4.0]"))
    for model, acceleration in ((SLIDER_CRANK, 0.0), (other, -8.0)):
        ours = native(model, exports.folder / f"driven_{model.stem}", *FIXED, "--until", 0.125)
        columns = [n for n in ours if n.startswith(("q.", "drive.", "guide."))]
        for version in (2, 3):
            unit = Instance(exports.fmu(SLIDER_CRANK, version, "--inputs", "drives"))
            columns = [n for n in columns if n in unit.references]
            assert "drive.drive" in columns, columns
            unit.start(drive__A__a=acceleration)
            worst = 0.0
            for k in range(128):
                unit.fmu.doStep(currentCommunicationPoint=k * STEP, communicationStepSize=STEP)
                t = (k + 1) * STEP
                unit.set("drive.A.q", 0.5 + 10.0 * t + 0.5 * acceleration * t * t)
                unit.set("drive.A.v", 10.0 + acceleration * t)
                for name, value in zip(columns, unit.get(*columns)):
                    size = max(1.0, np.abs(ours[name]).max())
                    worst = max(worst, abs(value - ours[name][k + 1]) / size)
            print(f"a driven joint, FMI {version}, {acceleration} rad/s^2: {worst:.1e}")
            assert worst < SAME, worst
            unit.end()


class Derivatives:
    """Directional derivatives of an FMU beside differences of what it gives."""

    def __init__(self, fmu: str) -> None:
        self.description = read_model_description(fmu)
        self.unit = instantiate_fmu(fmu, self.description, "ModelExchange")
        self.is_3 = self.description.fmiVersion.startswith("3")
        if not self.is_3:
            self.unit.setupExperiment(startTime=0.0)
        self.unit.enterInitializationMode()
        self.unit.exitInitializationMode()
        if self.is_3:
            self.unit.updateDiscreteStates()
        else:
            self.unit.newDiscreteStates()
        self.unit.enterContinuousTimeMode()
        variables = self.description.modelVariables
        self.references = {v.name: v.valueReference for v in variables}
        self.states = [v.derivative.name for v in variables if v.derivative is not None]
        self.inputs = [v.name for v in variables if v.causality == "input"]
        self.parameters = [v.name for v in variables if v.causality == "parameter" and "." in v.name]
        self.unknowns = [v.name for v in variables
                         if v.causality == "output" or v.name.startswith("der(")]

    def values(self, names: "list[str]") -> np.ndarray:
        get = self.unit.getFloat64 if self.is_3 else self.unit.getReal
        return np.array(get([self.references[n] for n in names]))

    def put(self, name: str, value: float) -> None:
        if name in self.states:
            x = self.values(self.states)
            x[self.states.index(name)] = value
            self.unit.setContinuousStates(x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(x))
        else:
            put = self.unit.setFloat64 if self.is_3 else self.unit.setReal
            put([self.references[name]], [value])

    def exact(self, known: str) -> np.ndarray:
        return np.array(self.unit.getDirectionalDerivative(
            [self.references[n] for n in self.unknowns], [self.references[known]], [1.0]))

    def by_differences(self, known: str) -> np.ndarray:
        """A method of the fourth order."""
        at, sides = self.values([known])[0], {}
        h = 1e-3 * abs(at) if known in self.parameters else 1e-3
        for k in (-2, -1, 1, 2):
            self.put(known, at + k * h)
            sides[k] = self.values(self.unknowns)
        self.put(known, at)
        return (8 * (sides[1] - sides[-1]) - (sides[2] - sides[-2])) / (12 * h)


def check_derivatives(exports: Exports) -> None:
    """By states, inputs and parameters, of rates and outputs; and beside the engine's own Jacobians,
    which are another program."""
    options = ("--parameters", "pass", "--inputs", "efforts,wrenches", "--derivatives")
    for version in (2, 3):
        unit = Derivatives(exports.fmu(FOUR_BAR, version, *options))
        worst = 0.0
        for known in [*unit.states, *unit.inputs, *unit.parameters]:
            exact, differences = unit.exact(known), unit.by_differences(known)
            assert exact.shape == differences.shape == (len(unit.unknowns),)
            size = np.maximum(np.abs(exact), max(1.0, np.abs(exact).max() * 1e-3))
            worst = max(worst, float((np.abs(exact - differences) / size).max()))
        print(f"derivatives, FMI {version}: {len(unit.unknowns)} by "
              f"{len(unit.states) + len(unit.inputs) + len(unit.parameters)}, off differences by {worst:.1e}")
        assert worst < 1e-6, worst
        if importlib.util.find_spec("hamiltree") is not None:
            import hamiltree as ht

            model = ht.load(FOUR_BAR)
            state = model.state()
            ours = ht.Formulation(model, "recursive").jacobians(state.q, state.p)
            rates = [unit.unknowns.index(f"der({name})") for name in unit.states]
            for k, name in enumerate(unit.states):
                n = model.coordinate_count
                by = ours.q if k < n else ours.p
                column = np.concatenate([by.q_dot[:, k % n], by.p_dot[:, k % n]])
                assert np.allclose(unit.exact(name)[rates], column, rtol=1e-10, atol=1e-9), name
        for bad in (lambda: unit.exact("kinetic_energy"), lambda: unit.exact("step")):
            try:
                bad()
                raise SystemExit("a derivative by an output was given")
            except fmpy.fmi1.FMICallException:
                pass
        unit.unit.terminate()
        unit.unit.freeInstance()
    plain = Derivatives(exports.fmu(FOUR_BAR, 3))
    try:
        plain.exact("q.A")
        raise SystemExit("there were derivatives that had not been asked for")
    except fmpy.fmi1.FMICallException:
        pass


def check_with_controller(exports: Exports) -> None:
    """A linkage and a controller that is an FMU of another maker's, between which FMPy carries values:
    the crank is held, and it is the loop that a formula of ours gives."""
    for version in (2, 3):
        plant = Instance(exports.fmu(FOUR_BAR, version)).start()
        controller = Instance(controller_fmu(exports.folder), False).start()
        alone = Instance(exports.fmu(FOUR_BAR, version)).start()
        for k in range(3000):
            q, v = plant.get("q.A", "v.A")
            controller.set("q", q)
            controller.set("v", v)
            controller.fmu.doStep(currentCommunicationPoint=k * STEP, communicationStepSize=STEP)
            plant.set("effort.A", controller.get("effort")[0])
            plant.fmu.doStep(currentCommunicationPoint=k * STEP, communicationStepSize=STEP)
            q, v = alone.get("q.A", "v.A")
            alone.set("effort.A", 60.0 * (1.2 - q) - 12.0 * v)
            alone.fmu.doStep(currentCommunicationPoint=k * STEP, communicationStepSize=STEP)
        assert plant.get("q.A", "p.A") == alone.get("q.A", "p.A")
        assert abs(plant.get("v.A")[0]) < 1e-3 and abs(plant.get("gap.D.0")[0]) < 1e-9
        print(f"with a controller, FMI {version}: the crank is at {plant.get('q.A')[0]:.3f} rad")
        for unit in (plant, controller, alone):
            unit.end()


CONTROLLER = """
[[controller]]
name = "holder"
file = "{file}"
period = {period}
inputs = ["q.A", "v.A"]
joints = ["A"]
variables = {{ "q.A" = "q", "v.A" = "v", A = "effort" }}
"""


def archive_of(folder: pathlib.Path, archive: pathlib.Path, method: int) -> str:
    with zipfile.ZipFile(archive, "w", method) as file:
        for path in sorted(folder.rglob("*")):
            file.write(path, path.relative_to(folder))
    return archive.name


def check_as_controller(exports: Exports) -> None:
    """The same controller in a run of ours, unpacked and as an archive, of which nothing is left."""
    unpacked = pathlib.Path(controller_fmu(exports.folder))
    plant = Instance(exports.fmu(FOUR_BAR, 3)).start()
    theirs = []
    for k in range(256):
        q, v = plant.get("q.A", "v.A")
        plant.set("effort.A", 60.0 * (1.2 - q) - 12.0 * v)
        plant.fmu.doStep(currentCommunicationPoint=k * STEP, communicationStepSize=STEP)
        theirs.append(plant.get("q.A")[0])
    plant.end()
    scratch = exports.folder / "scratch"
    scratch.mkdir()
    for i, file in enumerate((
        "holder",
        archive_of(unpacked, exports.folder / "stored.fmu", zipfile.ZIP_STORED),
        archive_of(unpacked, exports.folder / "deflated.fmu", zipfile.ZIP_DEFLATED),
    )):
        model = with_more(FOUR_BAR, exports.folder, f"held_{i}", CONTROLLER.format(file=file, period=STEP))
        ours = native(model, exports.folder / f"held_{i}", *FIXED, "--until", 0.25, TMPDIR=str(scratch))
        worst = np.abs(ours["q.A"][1:] - theirs).max()
        print(f"{file} as a controller of a run: {worst:.1e} rad from co-simulation")
        assert worst < 1e-10 and abs(ours["q.A"][-1] - ours["q.A"][0]) > 0.05
        assert not list(scratch.iterdir())
    check_archives(exports)


def check_archives(exports: Exports) -> None:
    """An archive that is damaged, or leaves its folder, is refused in one sentence."""
    good = (exports.folder / "deflated.fmu").read_bytes()
    outside = exports.folder / "outside.fmu"
    with zipfile.ZipFile(outside, "w") as file:
        file.writestr("../escaped.txt", "no")
    damaged = bytearray(good)
    damaged[good.index(b"holder.c") + 40] ^= 0x55
    for data, sentence in (
        (outside.read_bytes(), 'its entry "../escaped.txt" lies outside'),
        (good[:-40], "it is no zip archive"),
        (good[60:], "damaged"),
        (bytes(damaged), "damaged"),
        (b"", "it is no zip archive"),
    ):
        (exports.folder / "bad.fmu").write_bytes(data)
        model = with_more(FOUR_BAR, exports.folder, "bad", CONTROLLER.format(file="bad.fmu", period=STEP))
        said = refused("simulate", model, "--until", 0.1, "-q")
        assert sentence in said and 'controller "holder" (' in said, said
    assert not (exports.folder.parent / "escaped.txt").exists()


def refused(*arguments: object) -> str:
    done = subprocess.run([str(PROGRAM), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 3 and done.stderr.count("\n") == 1, (done.returncode, done.stderr)
    return done.stderr


AS_REFERENCE = """
[[controller]]
name = "reference"
file = "{file}"
period = 0.0078125
inputs = ["q.A"]
joints = ["A"]
variables = {{ "q.A" = "effort.shoulder", A = "q.shoulder" }}
"""


def check_resumed_controller(exports: Exports) -> None:
    """An FMU that can serialise its state, here a mechanism of ours, is taken up again with a run: as if it
    had not been interrupted. One that cannot is refused at the start."""
    for version in (2, 3):
        file = pathlib.Path(exports.fmu(PENDULUM, version)).name
        model = with_more(FOUR_BAR, exports.folder, f"reference_{version}", AS_REFERENCE.format(file=file))
        options = ("--until", 8, "--every", 0.125, "--checkpoint", 0.5, "--formulation", "recursive")
        whole = native(model, exports.folder / f"whole_{version}", *options)
        broken = exports.folder / f"broken_{version}"
        process = subprocess.Popen([str(PROGRAM), "simulate", str(model), "--out", str(broken), "-q", *map(str, options)])
        state = broken / "checkpoint.json"
        while process.poll() is None:
            if state.exists() and json.loads(state.read_text())["t"] > 1.0:
                break
            time.sleep(0.001)
        process.kill()
        process.wait()
        assert state.exists(), "it was not killed in time"
        hamiltree("resume", broken, "-q")
        resumed = trajectory(broken)
        assert all(np.array_equal(resumed[n], whole[n]) for n in whole), version
        assert np.abs(whole["q.A"]).max() > 0.1
    model = with_more(FOUR_BAR, exports.folder, "unsaved", CONTROLLER.format(file="holder", period=STEP))
    done = subprocess.run([str(PROGRAM), "simulate", str(model), "--until", "1", "--out", str(exports.folder / "unsaved"),
                           "--checkpoint", "0.1"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "can be saved and serialised" in done.stderr, done.stderr
    print("controllers that are FMUs are resumed with their runs")


def check_binary(exports: Exports) -> None:
    """The FMU as a user gets it, with a library by the program: the same bits."""
    for version in (2, 3):
        fmu = exports.folder / f"user_{version}.fmu"
        assert "sources only" not in hamiltree("generate", FOUR_BAR, "-o", fmu, "--fmi", version)
        theirs = co_simulate(str(fmu), 0.125, output=["q.A", "p.A", "gap.D.0"])
        ours = co_simulate(exports.fmu(FOUR_BAR, version), 0.125, output=["q.A", "p.A", "gap.D.0"])
        assert np.array_equal(theirs, ours)


with tempfile.TemporaryDirectory() as temporary:
    at = pathlib.Path(temporary)
    made = Exports(at)
    for file in models(at):
        check_against_native(made, file)
    check_model_exchange(made, FOUR_BAR)
    check_model_exchange(made, at / "chain_20.toml")
    check_states(made)
    check_inputs(made)
    check_drives(made)
    check_derivatives(made)
    check_with_controller(made)
    check_as_controller(made)
    check_resumed_controller(made)
    check_parameters(made)
    check_refusals(made)
    check_open_loops(made)
    check_binary(made)
