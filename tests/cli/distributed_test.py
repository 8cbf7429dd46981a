"""One distributed chain on threads and ranks: distributed_test.py PROGRAM [MPIRUN].

The samples must be the same bits for every split. Without MPIRUN, or a program without MPI, that
part is skipped: exit code 77.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
MPIRUN = sys.argv[2] if len(sys.argv) > 2 and sys.argv[2] else None
ROOT = pathlib.Path(__file__).resolve().parents[2]
CHAIN = ROOT / "mechanisms/chain_100/model.toml"
LINKS = 20000
LONG = ["--set", f"body.link_{{i}}.repeat={LINKS}", "--set", f"joint.pin_{{i+1}}.repeat={LINKS - 1}"]
FAR = ["--set", f"joint.pin_{{i+1}}.repeat={LINKS}"]


def distributed(*arguments, ranks=0, model=CHAIN):
    command = [PROGRAM, "distributed", model, *arguments]
    if ranks:
        command = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), *command]
    return subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          timeout=300, check=False)


def moved(out, *arguments, ranks=0):
    outcome = distributed(*LONG, "--step", "2e-4", "--until", "2e-3", "--every", "1e-3", "--stride", "999",
                    "--out", out, "--json", "-q", *arguments, ranks=ranks)
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stderr == "", outcome.stderr
    summary = json.loads(outcome.stdout)
    assert summary["links"] == LINKS and summary["steps"] == 10, summary
    assert summary["ranks"] == max(ranks, 1)
    assert 0.0 < summary["energy"]["max_relative_error"] < 1e-6, summary
    lines = out.read_text().splitlines()
    assert len(lines) == 4 and lines[0].startswith("t,kinetic_energy,"), lines
    assert lines[0].count(",q.") == 21 and ",q.1000," in lines[0]
    return out.read_text()


def agree(one, other):
    """Two runs of one chain, in accumulated momenta and in floating segments: of energies their changes."""
    rows = [[list(map(float, line.split(","))) for line in text.splitlines()[1:]] for text in (one, other)]
    for a, b in zip(*rows, strict=True):
        for x, y in zip(a[4:], b[4:], strict=True):
            assert abs(x - y) < 1e-7, (x, y)
        assert abs(a[1] - b[1]) < 1e-6 * abs(rows[0][-1][1]), (a[1], b[1])
        assert abs((a[2] - rows[0][0][2]) - (b[2] - rows[1][0][2])) < 1e-6 * rows[0][-1][1]


def refused(code, part, *arguments, model=CHAIN, ranks=0):
    outcome = distributed(*arguments, model=model, ranks=ranks)
    assert outcome.returncode == code, (outcome.returncode, outcome.stderr)
    told = [line for line in outcome.stderr.splitlines() if line.startswith("hamiltree: ")]
    assert told and all(part in line for line in told), outcome.stderr


with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    alone = moved(folder / "alone.csv")
    assert moved(folder / "threads.csv", "--threads", "3") == alone
    floating = moved(folder / "floating.csv", "--segments", "8")
    assert moved(folder / "two.csv", "--segments", "8", "--threads", "2") == floating
    agree(alone, floating)
    refused(3, "is there already", *LONG, "--step", "1", "--out", folder / "alone.csv", "-q")
    refused(2, "--step is needed", *LONG, "-q")
    refused(3, "is not a chain", "--step", "1e-3", "-q", model=ROOT / "mechanisms/four_bar/model.toml")
    refused(2, "no two segments of 100", "--step", "1e-3", "--segments", "100", "-q")
    moving = ["--set", "joint.pin_1.initial.v=0.1", "--step", "1e-4", "-q"]
    refused(2, "unless its segments float", *moving)
    assert distributed(*moving, "--segments", "8").returncode == 0
    for option in (["--every", "1e-3"], ["--stride", "3"], ["--overwrite"]):
        refused(2, f"{option[0]} needs --out", "--step", "1e-3", *option, "-q")
    refused(3, "is not a chain", *LONG, *FAR, "--step", "1e-3", "-q")
    prismatic = folder / "prismatic.toml"
    prismatic.write_text(CHAIN.read_text().replace('"revolute"', '"prismatic"'))
    refused(3, "is not of a distributed chain", "--step", "1e-3", "-q", model=prismatic)
    backwards = folder / "backwards.toml"
    backwards.write_text(CHAIN.read_text().replace('child = "link_1"', 'child = "link_2"')
                         .replace('parent = "link_{i}"', 'parent = "link_{i+1}"'))
    refused(3, "in the order of its bodies", "--step", "1e-3", "-q", model=backwards)
    outcome = distributed("--step", "1e-4")
    assert outcome.returncode == 0 and "100 links in 1 chain block of eight" in outcome.stdout, outcome
    assert "sensors of the model are not computed" in outcome.stderr
    if MPIRUN:
        for ranks in (1, 2, 4):
            assert moved(folder / f"{ranks}.csv", ranks=ranks) == alone, ranks
            assert moved(folder / f"f{ranks}.csv", "--segments", "8", ranks=ranks) == floating, ranks
        refused(2, "100 links is too short for 2 ranks", "--step", "1e-3", "-q", ranks=2)
if not MPIRUN:
    print("skipped: distributed chains on ranks, for there is no mpirun or the program is without MPI")
    sys.exit(77)
