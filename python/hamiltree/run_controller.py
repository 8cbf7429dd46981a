"""The process in which a controller's file runs, as simulate() starts it:
python -m hamiltree.run_controller FILE PERIOD INPUTS NAMES..., names of the inputs, then of the outputs."""

import os
import sys

from ._native import run_controller

if __name__ == "__main__":
    file, period, count, *names = sys.argv[1:]
    # Without what the interpreter does at its end: the file's threads may still run.
    os._exit(run_controller(file, float(period), names[: int(count)], names[int(count) :]))
