"""The package and the examples under mypy --strict, and the stubs against the module. Skipped
without mypy."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

if importlib.util.find_spec("mypy") is None:
    print("skipped: there is no mypy")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIG = str(ROOT / "pyproject.toml")


# One cache for all calls.
CACHE = tempfile.TemporaryDirectory()
ENVIRONMENT = dict(os.environ, MYPYPATH=str(ROOT / "python"), MYPY_CACHE_DIR=CACHE.name)


def mypy(target: str) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", CONFIG, target]
    subprocess.run(command, check=True, cwd=ROOT, env=ENVIRONMENT)


def stub_differences() -> "list[str]":
    """Differences between the stub and the module; pybind11's own metaclass is no difference, nor
    the constructor that raises of classes without one."""
    command = [sys.executable, "-m", "mypy.stubtest", "--mypy-config-file", CONFIG, "--concise"]
    said = subprocess.run(
        [*command, "hamiltree._native"], capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT
    )
    lines = (said.stdout + said.stderr).splitlines()
    inconsistent = "__init__ is inconsistent, stub does not have *args"
    pybind11 = ("metaclass differs", f'{inconsistent} argument "args"', f'{inconsistent} parameter "args"')
    return [line for line in lines if not line.endswith(pybind11)]


mypy("python/hamiltree")
for example in sorted(ROOT.glob("examples/*.py")):  # each is a program of its own
    mypy(str(example))
differences = stub_differences()
print(*differences, sep="\n")
sys.exit(1 if differences else 0)
