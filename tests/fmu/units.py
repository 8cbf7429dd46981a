"""The mechanisms that are exported, and the way to do it."""

import csv
import os
import pathlib
import re
import subprocess
import sys
import zipfile

try:
    import fmpy
except ImportError:
    print("skipped: there is no FMPy (./dev setup --all)")
    sys.exit(77)

import numpy as np

HEADERS = pathlib.Path(fmpy.__file__).parent / "c-code"  # the standard's own
PROGRAM = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
SHIPPED = ("four_bar", "stewart", "suspension", "driven_slider_crank", "biped")

CHAIN = """
format = 1
name = "chain_20"
space = "spatial"
gravity = [0.0, 0.0, -9.81]
"""
LINK = """
[[body]]
name = "link_{i}"
mass = 0.5
com = [0.1, 0.0, 0.0]
inertia = [0.0002, 0.002, 0.002, 0.0, 0.0, 0.0]

[[joint]]
name = "J{i}"
type = "revolute"
parent = "{parent}"
child = "link_{i}"
at_parent = {{ position = [{x}, 0.0, 0.0], axis_angle = [1.0, 0.0, 0.0, 1.5707963267948966] }}
initial = {{ q = 0.1 }}
"""


def models(folder: pathlib.Path) -> "list[pathlib.Path]":
    """The files of six mechanisms, a chain of 20 links among them."""
    chain = folder / "chain_20.toml"
    links = (
        LINK.format(
            i=i,
            parent=f"link_{i - 1}" if i else "ground",
            x=0.2 if i else 0.0,
        )
        for i in range(20)
    )
    chain.write_text(CHAIN + "".join(links))
    return [*(ROOT / "mechanisms" / name / "model.toml" for name in SHIPPED), chain]


def name_of(model: pathlib.Path) -> str:
    return model.stem if model.stem != "model" else model.parent.name


def hamiltree(*arguments: object, **environment: str) -> str:
    command = [str(a) for a in (PROGRAM, *arguments)]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600,
                             env={**os.environ, **environment})
    assert outcome.returncode == 0, f"{' '.join(command)}: {outcome.stderr}"
    return outcome.stdout


def trajectory(folder: pathlib.Path) -> "dict[str, np.ndarray]":
    with open(folder / "trajectory.csv", newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    values = np.array(rows, dtype=float)
    return {name: values[:, i] for i, name in enumerate(names)}


# Warnings of strict compilers and findings of the undefined-behaviour sanitizer end the test. Without
# optimisation, which takes half a minute and more for large mechanisms: by IEEE 754 it changes no
# number.
STRICT = ("-std=c99", "-O0", "-fPIC", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-pedantic")
TRAPS = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")


def run(command: "list[object]", folder: pathlib.Path) -> str:
    words = [str(word) for word in command]
    outcome = subprocess.run(words, capture_output=True, text=True, cwd=folder, check=False)
    assert outcome.returncode == 0, f"{words} in {folder}: {outcome.stderr}"
    return outcome.stdout


def standard_functions(version: int) -> "set[str]":
    """All that the standard's header declares: a library has each of them, and importers may load all."""
    header = (HEADERS / f"fmi{version}Functions.h").read_text()
    names = set(re.findall(rf"FMI{version}_Export\s+fmi{version}\w+TYPE\s+(fmi{version}\w+);", header))
    assert len(names) > 40, header
    return names


def exported(library: pathlib.Path) -> "set[str]":
    return set(re.findall(r" T (\w+)$", run(["nm", "-D", library], library.parent), re.MULTILINE))


class Exports:
    """FMUs, unpacked and compiled by our own hand, each once."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self._compiled: "set[pathlib.Path]" = set()

    def sources(self, model: pathlib.Path, version: int, *options: object) -> pathlib.Path:
        """The folder of the FMU, without a library."""
        name = "_".join([name_of(model), str(version), *(str(o).strip("-") for o in options)])
        unpacked = self.folder / name.replace(",", "_")
        if not unpacked.exists():
            archive = unpacked.with_suffix(".fmu")
            said = hamiltree("generate", model, "-o", archive, "--fmi", version, "--no-binary", *options)
            assert "sources only" in said
            with zipfile.ZipFile(archive) as file:
                assert file.testzip() is None
                file.extractall(unpacked)
        return unpacked

    def fmu(self, model: pathlib.Path, version: int, *options: object) -> str:
        """The same with a library. The equations, which both versions share, are compiled once."""
        unpacked = self.sources(model, version, *options)
        if unpacked in self._compiled:
            return str(unpacked)
        sources = unpacked / "sources"
        shared = self.sources(model, 3, *options) / "sources"
        assert (shared / "model.c").read_bytes() == (sources / "model.c").read_bytes()
        if not (shared / "model.o").exists():
            run(["gcc", *STRICT, *TRAPS, "-c", "model.c"], shared)
        platform = unpacked / "binaries" / ("linux64" if version == 2 else "x86_64-linux")
        platform.mkdir(parents=True)
        identifier = fmpy.read_model_description(str(unpacked)).coSimulation.modelIdentifier
        library = platform / f"{identifier}.so"
        run(["gcc", *STRICT, *TRAPS, "-shared", f"fmi{version}.c", shared / "model.o", "-o", library,
             "-lm"], sources)
        self._compiled.add(unpacked)
        return str(unpacked)
