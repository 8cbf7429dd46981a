"""Long runs with --out: long_run_test.py PROGRAM. Memory does not grow with their length, killed ones
are resumed to the same bytes, and their reports stay small."""

import pathlib
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
MODEL = pathlib.Path(__file__).resolve().parents[2] / "mechanisms" / "double_pendulum" / "model.toml"
STEP = 1e-3


def command(out: pathlib.Path, samples: int) -> "list[str]":
    options = ("--integrator", "rk4", "--step", STEP, "--every", STEP, "--until", samples * STEP,
               "--checkpoint", 20, "--out", out, "-q")
    return [str(x) for x in (PROGRAM, "simulate", MODEL, *options)]


def peak_of(process: subprocess.Popen) -> int:
    """The most memory that it had, bytes, as the kernel says while it lives."""
    peak = 0
    while process.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        except FileNotFoundError:
            break
        lines = [line for line in status.splitlines() if line.startswith("VmHWM")]
        peak = max(peak, int(lines[0].split()[1]) * 1024 if lines else 0)
        time.sleep(0.005)
    assert process.wait() == 0
    return peak


def kill_at(process: subprocess.Popen, table: pathlib.Path, size: int) -> None:
    while not table.exists() or table.stat().st_size < size:
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()


with tempfile.TemporaryDirectory() as temporary:
    at = pathlib.Path(temporary)
    short = peak_of(subprocess.Popen(command(at / "short", 20_000)))
    long = peak_of(subprocess.Popen(command(at / "long", 200_000)))
    print(f"20,000 samples: {short / 2**20:.1f} MiB; 200,000: {long / 2**20:.1f} MiB")
    assert long < short + 8 * 2**20 and long < 150 * 2**20

    killed = at / "killed"
    kill_at(subprocess.Popen(command(killed, 200_000)), killed / "checkpoint.csv", 12_000_000)
    assert not (killed / "trajectory.csv").exists()
    again = subprocess.Popen([PROGRAM, "resume", killed, "-q"])
    kill_at(again, killed / "checkpoint.csv", 24_000_000)
    resumed = peak_of(subprocess.Popen([PROGRAM, "resume", killed, "-q"]))
    assert resumed < short + 8 * 2**20, resumed
    for name in ("trajectory.csv", "steps.csv"):
        assert (killed / name).read_bytes() == (at / "long" / name).read_bytes(), name
    lines = (at / "long" / "trajectory.csv").read_bytes().count(b"\n")
    assert lines == 200_002, lines
    assert (at / "long" / "report.html").stat().st_size < 3 * 2**20
    print("killed twice and resumed: the same bytes")
