"""The process in which a controller's file runs, as a script: run_controller.py FILE PERIOD INPUTS NAMES...,
names of the inputs, then of the outputs. It loads the extension alone, not the package with NumPy, for a
sweep starts one for each sample."""

import importlib.machinery
import importlib.util
import os
import sys

if __name__ == "__main__":
    loader = (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES)
    spec = importlib.machinery.FileFinder(os.path.dirname(os.path.abspath(__file__)), loader).find_spec("_native")
    assert spec is not None and spec.loader is not None
    native = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(native)
    file, period, count, *names = sys.argv[1:]
    # Without what the interpreter does at its end: the file's threads may still run.
    os._exit(native.run_controller(file, float(period), names[: int(count)], names[int(count) :]))
