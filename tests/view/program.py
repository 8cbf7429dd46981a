"""`hamiltree view` as a person would start it."""

import contextlib
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))


def simulate(program, model, out, *options):
    subprocess.run([program, "simulate", model, "--out", out, "--quiet", *options], check=True)


@contextlib.contextmanager
def viewing(program, *arguments):
    """Gives the address that it prints; ended by Ctrl-C."""
    with subprocess.Popen([program, "view", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=30)
    assert process.returncode == 0, (process.returncode, errors)
