"""The mechanisms that are exported, and the way to do it."""

import csv
import pathlib
import subprocess
import sys

try:
    import fmpy
except ImportError:
    print("skipped: there is no FMPy (./dev setup --all)")
    sys.exit(77)

import numpy as np

assert fmpy.__version__
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


def hamiltree(*arguments: object) -> str:
    command = [str(a) for a in (PROGRAM, *arguments)]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert outcome.returncode == 0, f"{' '.join(command)}: {outcome.stderr}"
    return outcome.stdout


def trajectory(folder: pathlib.Path) -> "dict[str, np.ndarray]":
    with open(folder / "trajectory.csv", newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    values = np.array(rows, dtype=float)
    return {name: values[:, i] for i, name in enumerate(names)}
