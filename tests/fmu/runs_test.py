"""FMUs run by FMPy beside the native engine: runs_test.py PROGRAM."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

from units import ROOT, hamiltree, models, name_of, trajectory  # first: it may skip

import fmpy
import numpy as np
from fmpy import extract, instantiate_fmu, read_model_description, simulate_fmu

STEP = 1e-3
UNTIL = 0.25
# Of the largest number of each column, over 250 steps; measured: 2e-12 at most, of the stewart
# platform.
SAME = 1e-10
FOUR_BAR = ROOT / "mechanisms" / "four_bar" / "model.toml"
PENDULUM = ROOT / "mechanisms" / "double_pendulum" / "model.toml"


LARGE = ("stewart", "suspension", "biped")  # what takes an optimiser half a minute and more


def export(model: pathlib.Path, folder: pathlib.Path, version: int, *options: object) -> str:
    """As a user does, or unpacked, with a library that was made without optimisation: by IEEE 754 it
    gives the same numbers."""
    fmu = folder / f"{name_of(model)}_{version}.fmu"
    command = ("generate", model, "-o", fmu, "--fmi", version, "--step", STEP, *options)
    if name_of(model) not in LARGE:
        assert "sources only" not in hamiltree(*command)
        return str(fmu)
    assert "sources only" in hamiltree(*command, "--no-binary")
    unpacked = folder / fmu.stem
    with zipfile.ZipFile(fmu) as archive:
        archive.extractall(unpacked)
    platform = unpacked / "binaries" / ("linux64" if version == 2 else "x86_64-linux")
    platform.mkdir(parents=True, exist_ok=True)
    compile_library(unpacked / "sources", version, platform / f"{name_of(model)}.so")
    return str(unpacked)


def compile_library(
    sources: pathlib.Path, version: int, library: pathlib.Path, *options: str
) -> None:
    subprocess.run(
        ["cc", "-std=c99", "-O0", "-fPIC", "-shared", "-ffp-contract=off", *options, "model.c",
         f"fmi{version}.c", "-o", library, "-lm"],
        check=True, cwd=sources,
    )


def native(model: pathlib.Path, out: pathlib.Path, *options: object) -> "dict[str, np.ndarray]":
    hamiltree("simulate", model, "--out", out, "-q", "--formulation", "recursive", *options)
    return trajectory(out)


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


def check_against_native(model: pathlib.Path, folder: pathlib.Path) -> None:
    """Co-simulation in steps of the same method: the same numbers, in FMI 2 and 3 the same bits."""
    fixed = ("--integrator", "rk4", "--step", STEP, "--every", STEP, "--until", UNTIL)
    ours = native(model, folder / name_of(model), *fixed)
    results = {}
    for version in (2, 3):
        fmu = export(model, folder, version)
        results[version] = simulate_fmu(
            fmu, fmi_type="CoSimulation", stop_time=UNTIL, step_size=STEP, output_interval=STEP,
            output=outputs_of(fmu), validate=False,
        )
    assert np.array_equal(results[2], results[3])
    columns = [name for name in results[3].dtype.names if name in ours]
    assert len(columns) > 5, columns
    worst = difference(results[3], ours, columns)
    gaps = [n for n in results[3].dtype.names if n.startswith("gap.")]
    gap = max((np.abs(results[3][n]).max() for n in gaps), default=0.0)
    print(f"{name_of(model)}: {len(columns)} columns differ by {worst:.1e} at most, loops are open "
          f"by {gap:.1e}", flush=True)
    assert worst < SAME, worst
    assert gap < 1e-9, gap


def check_model_exchange(model: pathlib.Path, folder: pathlib.Path) -> None:
    """An integrator of the importer's: CVODE at 1e-9, against the engine's at 1e-10."""
    ours = native(model, folder / f"exact_{name_of(model)}", "--rtol", 1e-10, "--until", UNTIL, "--every", UNTIL)
    for version in (2, 3):
        fmu = export(model, folder, version)
        # Between two events momenta carry the impulses of the loops.
        columns = [n for n in outputs_of(fmu) if n in ours and not n.startswith("p.")]
        result = simulate_fmu(fmu, fmi_type="ModelExchange", stop_time=UNTIL, solver="CVode",
                              relative_tolerance=1e-9, output_interval=UNTIL, output=columns)
        ends = {name: ours[name][-1:] for name in columns}
        worst = difference(result[-1:], ends, columns)
        print(f"{name_of(model)}, model exchange, FMI {version}: {worst:.1e}", flush=True)
        assert worst < 1e-6, worst  # measured: 8e-8


class Instance:
    """A four-bar in co-simulation, step by step."""

    def __init__(self, fmu: str) -> None:
        self.description = read_model_description(fmu)
        self.folder = extract(fmu)
        self.fmu = instantiate_fmu(self.folder, self.description, "CoSimulation")
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.is_3 = self.description.fmiVersion.startswith("3")

    def start(self, **values: float) -> "Instance":
        if not self.is_3:
            self.fmu.setupExperiment(startTime=0.0)
        for name, value in values.items():
            self.set(name.replace("__", "."), value)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        return self

    def set(self, name: str, value: float) -> None:
        (self.fmu.setFloat64 if self.is_3 else self.fmu.setReal)([self.references[name]], [value])

    def get(self, *names: str) -> "list[float]":
        get = self.fmu.getFloat64 if self.is_3 else self.fmu.getReal
        return list(get([self.references[n] for n in names]))

    def steps(self, first: int, count: int) -> "list[list[float]]":
        seen = []
        for i in range(first, first + count):
            self.fmu.doStep(currentCommunicationPoint=i * STEP, communicationStepSize=STEP)
            seen.append(self.get("q.A", "p.A", "v.A", "kinetic_energy"))
        return seen

    def end(self) -> None:
        self.fmu.terminate()
        self.fmu.freeInstance()
        shutil.rmtree(self.folder)


def check_states(folder: pathlib.Path) -> None:
    """Saved, serialised and taken up again: the same bits. What is no state is refused."""
    for version in (2, 3):
        unit = Instance(export(FOUR_BAR, folder, version)).start()
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


def check_inputs(folder: pathlib.Path) -> None:
    """An effort from outside does what a motor of the model does, in the power too."""
    driven = folder / "driven.toml"
    driven.write_text(FOUR_BAR.read_text() + ACTUATOR)
    fixed = ("--integrator", "rk4", "--step", STEP, "--every", STEP, "--until", 0.1)
    ours = native(driven, folder / "motor", *fixed)
    for version in (2, 3):
        fmu = export(FOUR_BAR, folder, version)
        result = simulate_fmu(
            fmu, fmi_type="CoSimulation", stop_time=0.1, step_size=STEP, output_interval=STEP,
            start_values={"effort.A": 1.5}, output=["q.A", "v.C", "power.applied"],
        )
        worst = difference(result, ours, ["q.A", "v.C", "power.applied"])
        print(f"an effort, FMI {version}: {worst:.1e}")
        assert worst < SAME, worst


def check_parameters(folder: pathlib.Path) -> None:
    """Another mass, another start: what the model does with --set."""
    changed = ("--set", "body.bar_2.mass=0.8", "--set", "joint.shoulder.initial.q=0.3",
               "--set", "joint.elbow.initial.v=0.5")
    fixed = ("--integrator", "rk4", "--step", STEP, "--every", STEP, "--until", 0.1)
    ours = native(PENDULUM, folder / "other", *changed, *fixed)
    columns = ["q.shoulder", "q.elbow", "v.elbow", "p.shoulder", "tip.position.x"]
    for version in (2, 3):
        fmu = export(PENDULUM, folder, version, "--parameters", "pass")
        result = simulate_fmu(
            fmu, fmi_type="CoSimulation", stop_time=0.1, step_size=STEP, output_interval=STEP,
            start_values={"body.bar_2.mass": 0.8, "q.shoulder": 0.3, "v.elbow": 0.5}, output=columns,
        )
        worst = difference(result, ours, columns)
        print(f"parameters and a start, FMI {version}: {worst:.1e}")
        assert worst < SAME, worst


def check_refusals(folder: pathlib.Path) -> None:
    for version in (2, 3):
        unit = Instance(export(FOUR_BAR, folder, version)).start()
        for name, value in (("q.A", 1.0), ("p.A", 1.0), ("effort.A", float("nan")),
                            ("loop_tolerance", -1.0), ("kinetic_energy", 1.0)):
            try:
                unit.set(name, value)
                raise SystemExit(f"{name} could be set to {value}")
            except fmpy.fmi1.FMICallException:
                pass
        unit.end()


def check_undefined_behaviour(folder: pathlib.Path) -> None:
    """All six in co-simulation with a library that ends the process where behaviour is undefined."""
    for model in models(folder):
        unpacked = pathlib.Path(export(model, folder, 3))
        if unpacked.is_file():
            with zipfile.ZipFile(unpacked) as archive:
                archive.extractall(folder / "trapping")
            unpacked = folder / "trapping"
        library = next((unpacked / "binaries").glob("*/*.so"))
        compile_library(unpacked / "sources", 3, library, "-fsanitize=undefined",
                        "-fsanitize-undefined-trap-on-error")
        program = (
            "import sys, fmpy; "
            "[fmpy.simulate_fmu(sys.argv[1], fmi_type=kind, stop_time=0.02, output_interval=1e-2) "
            "for kind in ('CoSimulation', 'ModelExchange')]"
        )
        subprocess.run([sys.executable, "-c", program, unpacked], check=True)
        shutil.rmtree(unpacked)
        print(f"{name_of(model)}: no undefined behaviour", flush=True)


with tempfile.TemporaryDirectory() as temporary:
    at = pathlib.Path(temporary)
    for file in models(at):
        check_against_native(file, at)
    check_model_exchange(FOUR_BAR, at)
    check_model_exchange(at / "chain_20.toml", at)
    check_states(at)
    check_inputs(at)
    check_parameters(at)
    check_refusals(at)
    check_undefined_behaviour(at)
