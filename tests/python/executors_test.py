"""One sweep on threads and on executors: executors_test.py [mpirun].

The bytes must be the same, also where workers were killed in the middle and the sweep was taken up
again. What lacks its package is skipped: exit code 77.
"""

import concurrent.futures
import importlib.util
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import Callable, List

import hamiltree as ht

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from four_bar_study import STUDY  # noqa: E402
MODEL = ROOT / "mechanisms" / "four_bar" / "model.toml"
LOCKSTEP = 'integrator = "rk4"\nstep = 1e-3\nuntil = 1\nevery = 0.1'
ALONE = "rtol = 1e-8\nuntil = 0.2\nevery = 0.1"
MakeExecutor = Callable[[], concurrent.futures.Executor]
skipped: List[str] = []


def results(folder: pathlib.Path) -> bytes:
    return (folder / "results.csv").read_bytes()


def processes() -> concurrent.futures.Executor:
    # Threads of this process must not be forked.
    return concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))


def same(study: pathlib.Path, expected: bytes, out: pathlib.Path, make: MakeExecutor) -> None:
    with make() as executor:
        sweep = ht.sweep(study, out, executor=executor)
    assert results(out) == expected, out
    assert len(list(out.glob("*.journal"))) == 0
    assert sweep.failures and len(sweep) == expected.count(b"\n") - 1


def journals(out: pathlib.Path) -> int:
    return sum(f.stat().st_size for f in out.glob("*.journal")) if out.exists() else 0


def killed(study: pathlib.Path, expected: bytes, out: pathlib.Path) -> None:
    """All workers are killed when some samples are there; another call takes the sweep up."""
    executor = processes()

    def kill() -> None:
        while journals(out) < 20000:
            time.sleep(0.01)
        for child in multiprocessing.active_children():
            os.kill(child.pid or 0, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        ht.sweep(study, out, executor=executor)
        raise SystemExit("nobody noticed that the workers were killed")
    except concurrent.futures.BrokenExecutor:
        pass
    killer.join()
    executor.shutdown()
    kept = journals(out)
    assert kept > 0 and not (out / "results.csv").exists()
    same(study, expected, out, processes)
    print(f"killed with {kept} bytes of samples, and taken up")


def refused(study: pathlib.Path, folder: pathlib.Path) -> None:
    """A worker that sees another study in the folder, or no folder, says so."""
    other = folder / "other.toml"
    other.write_text(study.read_text().replace("seed = 3", "seed = 4"))
    from hamiltree._native import SweepWorker, begin_sweep

    begin_sweep(study, folder / "begun", most=4, overrides=[])
    for file, out, reason in (
        (other, folder / "begun", "holds a sweep with another study"),
        (study, folder / "nowhere", "does not see the sweep's folder"),
    ):
        try:
            SweepWorker(file, out, [])
            raise SystemExit(f"{reason}: was not refused")
        except ht.UsageError as error:
            assert reason in str(error), error


def dask(study: pathlib.Path, expected: bytes, folder: pathlib.Path) -> None:
    """A cluster of real processes, also with one that dies in the middle: its tasks are done again."""
    if importlib.util.find_spec("distributed") is None:
        skipped.append("dask")
        return
    import distributed

    for name, kills in (("dask", False), ("dask_killed", True)):
        out = folder / name
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
        ) as cluster, distributed.Client(cluster) as client:
            victim = client.run(os.getpid).popitem()[1]

            def kill() -> None:
                while journals(out) < 5000:
                    time.sleep(0.01)
                os.kill(victim, signal.SIGKILL)

            killer = threading.Thread(target=kill)
            if kills:
                killer.start()
            ht.sweep(study, out, executor=client.get_executor())
            if kills:
                killer.join()
        assert results(out) == expected, name
        print(f"{name}: the same bytes", flush=True)


def mpi(study: pathlib.Path, expected: bytes, folder: pathlib.Path, mpirun: str) -> None:
    if not mpirun or importlib.util.find_spec("mpi4py") is None:
        skipped.append("mpi4py.futures")
        return
    program = folder / "by_mpi.py"
    program.write_text(
        "import sys\nfrom mpi4py.futures import MPIPoolExecutor\nimport hamiltree as ht\n"
        "if __name__ == '__main__':\n"
        "    with MPIPoolExecutor() as executor:\n"
        "        ht.sweep(sys.argv[1], sys.argv[2], executor=executor)\n"
    )
    command = [mpirun, "--allow-run-as-root", "--oversubscribe", "-n", "3", sys.executable, "-m",
               "mpi4py.futures", str(program), str(study), str(folder / "mpi")]
    subprocess.run(command, check=True, timeout=200)
    assert results(folder / "mpi") == expected
    print("mpi4py.futures: the same bytes")


def check(folder: pathlib.Path, name: str, run: str, count: int) -> None:
    study = folder / f"{name}.toml"
    study.write_text(STUDY.format(model=MODEL, count=count, run=run))
    ht.sweep(study, folder / name, threads=2)
    expected = results(folder / name)
    assert b"cannot close" in expected and expected.count(b"\n") == count + 1
    same(study, expected, folder / f"{name}_processes", processes)
    same(study, expected, folder / f"{name}_threads",
         lambda: concurrent.futures.ThreadPoolExecutor(3))
    killed(study, expected, folder / f"{name}_killed")
    print(f"{name}: {count} samples, the same bytes", flush=True)
    if name != "lockstep":
        return
    refused(study, folder)
    dask(study, expected, folder)
    mpi(study, expected, folder, sys.argv[1] if len(sys.argv) > 1 else "")


if __name__ == "__main__":  # workers that are spawned read this file, too
    with tempfile.TemporaryDirectory() as temporary:
        check(pathlib.Path(temporary), "lockstep", LOCKSTEP, 3001)
        check(pathlib.Path(temporary), "alone", ALONE, 1500)
    if skipped:
        print(f"skipped: {', '.join(skipped)} (./dev setup --all)")
        sys.exit(77)
