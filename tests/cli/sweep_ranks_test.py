"""A sweep split over threads and ranks, and killed in the middle: sweep_ranks_test.py PROGRAM [MPIRUN].

The data must be the same for every split. Without MPIRUN, or a program without MPI, that part is
skipped: exit code 77.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
MPIRUN = sys.argv[2] if len(sys.argv) > 2 and sys.argv[2] else None
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from four_bar_study import STUDY  # noqa: E402

RECORD = bytes.fromhex("6873776565703100")  # begins each record of a journal
LOCKSTEP = 'integrator = "rk4"\nstep = 1e-3\nuntil = 1\nevery = 0.1'
ALONE = "rtol = 1e-8\nuntil = 0.5\nevery = 0.1"


def sweep(study, out, *arguments, ranks=0):
    command = [PROGRAM, "sweep", study, "--out", out, "-q", *arguments]
    if ranks:
        command = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), *command]
    return [str(part) for part in command]


def run(*arguments, **options):
    outcome = subprocess.run(sweep(*arguments, **options), capture_output=True, text=True,
                             timeout=200, check=False)
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stderr == "", outcome.stderr


def results(folder):
    return (folder / "results.csv").read_text()


def rank_processes(parent):
    """The ranks that an mpirun has started."""
    children = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(parent)],
                              capture_output=True, text=True, check=False).stdout
    return [int(line.split()[0]) for line in children.splitlines() if "hamiltree" in line]


def killed(study, out, expected, ranks=0):
    """Kills the program, or one rank, when some samples are there; the next call goes on."""
    process = subprocess.Popen(sweep(study, out, "--threads", "1", ranks=ranks),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(3000):
        size = sum(f.stat().st_size for f in out.glob("*.journal")) if out.exists() else 0
        if size > 20000:
            break
        time.sleep(0.01)
    victim = rank_processes(process.pid)[-1] if ranks else process.pid
    os.kill(victim, signal.SIGKILL)
    assert process.wait(timeout=60) != 0
    assert not (out / "results.csv").exists()
    kept = sum(f.read_bytes().count(RECORD) for f in out.glob("*.journal"))
    assert kept > 3
    outcome = subprocess.run([str(PROGRAM), "sweep", str(study), "--out", str(out)],
                             capture_output=True, text=True, timeout=200, check=True)
    found = int(outcome.stdout.split("found")[1].split()[0])
    # Each whole record counts, and at most the last one of each file is not whole.
    assert kept - 3 <= found <= kept and found < expected.count("\n") - 1, (found, kept)
    assert results(out) == expected
    print(f"killed with {found} samples finished, {'rank of ' + str(ranks) if ranks else 'alone'}")


def check(folder, name, text, count):
    study = folder / f"{name}.toml"
    model = ROOT / "mechanisms/four_bar/model.toml"
    study.write_text(STUDY.format(model=model, count=count, run=text))
    run(study, folder / name, "--threads", "1")
    expected = results(folder / name)
    assert "cannot close" in expected and expected.count("\n") == count + 1
    run(study, folder / f"{name}_threads", "--threads", "3")
    assert results(folder / f"{name}_threads") == expected
    killed(study, folder / f"{name}_killed", expected)
    if not MPIRUN:
        return
    for ranks in (1, 2, 4):
        run(study, folder / f"{name}_{ranks}", ranks=ranks)
        assert results(folder / f"{name}_{ranks}") == expected, ranks
    killed(study, folder / f"{name}_rank_killed", expected, ranks=3)


with tempfile.TemporaryDirectory() as temporary:
    check(pathlib.Path(temporary), "lockstep", LOCKSTEP, 3001)
    check(pathlib.Path(temporary), "alone", ALONE, 1500)
if not MPIRUN:
    print("skipped: sweeps on ranks, for there is no mpirun or the program is without MPI")
    sys.exit(77)
