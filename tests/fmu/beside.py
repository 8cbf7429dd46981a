"""The native engine and an FMU, in the same steps."""

import pathlib

from units import hamiltree, trajectory  # first: it may skip

import numpy as np
from fmpy import instantiate_fmu, read_model_description, simulate_fmu

STEP = 2.0**-10  # s: sums of steps are exact
FIXED = ("--integrator", "rk4", "--step", STEP, "--every", STEP)


def native(model: pathlib.Path, out: pathlib.Path, *options: object, **environment: str) -> "dict[str, np.ndarray]":
    hamiltree("simulate", model, "--out", out, "-q", "--formulation", "recursive", *options, **environment)
    return trajectory(out)


def with_more(model: pathlib.Path, folder: pathlib.Path, name: str, text: str) -> pathlib.Path:
    file = folder / f"{name}.toml"
    file.write_text(model.read_text() + text)
    return file


def co_simulate(fmu: str, until: float, **options: object) -> np.ndarray:
    return simulate_fmu(fmu, fmi_type="CoSimulation", stop_time=until, step_size=STEP,
                        output_interval=STEP, validate=False, **options)


class Instance:
    """An FMU in co-simulation, step by step."""

    def __init__(self, fmu: str, require_functions: bool = True, **options: bool) -> None:
        self.description = read_model_description(fmu)
        self.fmu = instantiate_fmu(fmu, self.description, "CoSimulation", require_functions=require_functions,
                                   **options)
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
