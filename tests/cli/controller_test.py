"""Controllers that are files, in processes of their own: controller_test.py PROGRAM. Skipped where
there is no C compiler."""

import csv
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Callable

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
FOUR_BAR = (ROOT / "mechanisms" / "four_bar" / "model.toml").read_text()
if shutil.which("cc") is None:
    print("skipped: there is no C compiler")
    sys.exit(77)

CONTROLLER = """
[[controller]]
name = "hold"
file = "{file}"
period = {period}
inputs = ["q.A", "v.D"]
joints = ["A"]
"""
ACTUATOR = """
[[force]]
name = "motor"
type = "actuator"
joint = "A"
effort = 1.5
"""
STUDY = """
format = 1
model = "swept.toml"
sample = { method = "latin_hypercube", count = 6, seed = 1 }
parameter = [{ path = "joint.A.initial.q", from = 0.3, to = 1.2 }]
output = [{ channel = "q.A", take = "final" }]
run = { until = 0.5 }
"""
HEAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n#include <unistd.h>\n"
FUNCTION = HEAD + "int hamiltree_controller(double t, double h, const double *in, double *out)\n{{ {} }}\n"


class Folder:
    def __init__(self, path: str) -> None:
        self.path = pathlib.Path(path)

    def library(self, name: str, body: str) -> str:
        source = self.path / f"{name}.c"
        source.write_text(FUNCTION.format(body))
        subprocess.run(["cc", "-shared", "-fPIC", source, "-o", self.path / f"{name}.so"], check=True)
        return f"{name}.so"

    def model(self, name: str, text: str) -> pathlib.Path:
        file = self.path / f"{name}.toml"
        file.write_text(FOUR_BAR + text)
        return file

    def simulate(self, model: pathlib.Path, *options: object) -> subprocess.CompletedProcess:
        command = [str(x) for x in (PROGRAM, "simulate", model, "--out", self.path / model.stem, "-q", *options)]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    def run(self, model: pathlib.Path, *options: object) -> "dict[str, list[float]]":
        done = self.simulate(model, *options)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        with open(self.path / model.stem / "trajectory.csv", newline="", encoding="utf-8") as file:
            names, *rows = csv.reader(file)
        return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}


def check_constant(folder: Folder) -> None:
    """A constant effort is that of a motor of the model, by any method, and so is its work."""
    library = folder.library("constant", "(void)t, (void)h, (void)in; out[0] = 1.5; return 0;")
    by_file = folder.model("by_file", CONTROLLER.format(file=library, period=0.0625))
    motor = folder.model("motor", ACTUATOR)
    for options in (("--integrator", "rk4", "--step", 2**-10), ("--rtol", 1e-10), ("--integrator", "adams")):
        theirs = folder.run(by_file, *options, "--until", 0.5, "--every", 0.125, "--overwrite")
        ours = folder.run(motor, *options, "--until", 0.5, "--every", 0.125, "--overwrite")
        tolerance = 1e-12 if "rk4" in options else 1e-6
        for name in ("q.A", "v.C", "power.applied", "work.applied"):
            worst = max(abs(x - y) for x, y in zip(theirs[name], ours[name]))
            assert len(ours[name]) == 5 and worst < tolerance, (options, name, worst)
    print("a constant effort: a motor's")


def check_samples(folder: Folder) -> None:
    """It is asked at multiples of its period, once each, and sees the state that is recorded there;
    what it remembers is its own."""
    log = folder.path / "log.txt"
    body = (
        f'static int n; FILE *f = fopen("{log}", "a"); fprintf(f, "%.17g %.17g %.17g %.17g %d\\n", t, h, in[0], '
        "in[1], n++); fclose(f); out[0] = -2.0 * in[1]; return 0;"
    )
    library = folder.library("sampled", body)
    model = folder.model("sampled", CONTROLLER.format(file=library, period=0.01))
    run = folder.run(model, "--integrator", "rk4", "--step", 1e-3, "--every", 0.01, "--until", 0.3)
    asked = [[float(x) for x in line.split()] for line in log.read_text().splitlines()]
    assert [int(row[4]) for row in asked] == list(range(30)), asked
    for k, (t, period, q, v, _) in enumerate(asked):
        assert abs(t - 0.01 * k) < 1e-15 and period == 0.01
        assert q == run["q.A"][k] and abs(v - run["v.D"][k]) < 1e-14, (k, q, run["q.A"][k])
    # Other steps and outputs: the same instants.
    log.unlink()
    folder.run(model, "--rtol", 1e-9, "--every", 0.07, "--until", 0.3, "--overwrite")
    again = [[float(x) for x in line.split()] for line in log.read_text().splitlines()]
    assert len(again) == 30
    for one, other in zip(asked, again):
        assert abs(one[0] - other[0]) < 1e-15 and abs(one[2] - other[2]) < 1e-6
    print("sampled at its period")


def check_two_periods(folder: Folder) -> None:
    """A multiple of two periods asks both, also where the two products differ by rounding."""
    text = ""
    for name, period in (("fast", 0.1), ("slow", 0.3)):
        body = f'FILE *f = fopen("{folder.path}/{name}.txt", "a"); fprintf(f, "%.17g\\n", t); fclose(f); '
        library = folder.library(name, body + "(void)h, (void)in; out[0] = 0.0; return 0;")
        text += CONTROLLER.format(file=library, period=period).replace('"hold"', f'"{name}"')
    folder.run(folder.model("two_periods", text), "--integrator", "rk4", "--step", 5e-3, "--until", 3.05)
    for name, count in (("fast", 31), ("slow", 11)):
        assert len((folder.path / f"{name}.txt").read_text().splitlines()) == count, name
    print("two periods")


def check_failures(folder: Folder) -> None:
    for name, body, code, sentence in (
        ("crash", "if (t > 0.055) *(volatile int *)0 = 1; out[0] = 0; return 0;", 1, "signal 11"),
        ("abort", "if (t > 0.055) abort(); out[0] = 0; return 0;", 1, "signal 6"),
        ("leave", "if (t > 0.055) exit(3); out[0] = 0; return 0;", 1, "exit code 3"),
        ("hang", "while (t > 0.055) sleep(1); out[0] = 0; return 0;", 1, "no answer within 0.5 s"),
        ("refuse", "out[0] = 0; return t > 0.055 ? 7 : 0;", 1, "it returns 7"),
        ("nan", "out[0] = t > 0.055 ? NAN : 0.0; return 0;", 1, "not finite"),
    ):
        text = CONTROLLER.format(file=folder.library(name, body), period=0.01) + "timeout = 0.5\n"
        begun = time.monotonic()
        done = folder.simulate(folder.model(name, text), "--until", 1, "--every", 0.01)
        assert done.returncode == code and sentence in done.stderr, (name, done.returncode, done.stderr)
        assert done.stderr.count("\n") == 1 and 'controller "hold"' in done.stderr, done.stderr
        assert time.monotonic() - begun < 20
        # The part that was reached is there.
        last = (folder.path / name / "trajectory.csv").read_text().splitlines()[-1]
        assert abs(float(last.split(",")[0]) - 0.06) < 1e-9, last
    library = folder.library("good", "out[0] = 0; return 0;")
    other = folder.path / "other.c"
    other.write_text("int nothing;\n")
    subprocess.run(["cc", "-shared", "-fPIC", other, "-o", folder.path / "other.so"], check=True)
    for text, code, sentence in (
        (CONTROLLER.format(file="nowhere.so", period=0.01), 3, "there is no such file"),
        (CONTROLLER.format(file="other.so", period=0.01), 3, "no function hamiltree_controller"),
        (CONTROLLER.format(file="other.c", period=0.01), 3, "cannot be loaded"),
        (CONTROLLER.format(file=library, period=0.0), 3, "period must be more than 0"),
        (CONTROLLER.format(file=library, period=0.01).replace("q.A", "q.Z"), 3, 'joint "Z", which is not in'),
        (CONTROLLER.format(file=library, period=0.01).replace("q.A", "A"), 3, "neither q.JOINT nor v.JOINT"),
    ):
        done = folder.simulate(folder.model("wrong", text), "--until", 1)
        assert done.returncode == code and sentence in done.stderr, (sentence, done.returncode, done.stderr)
    model = folder.model("kept", CONTROLLER.format(file=library, period=0.01))
    done = folder.simulate(model, "--until", 1, "--checkpoint", 0.1)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "there can be no --checkpoint" in done.stderr and "hamiltree_controller_save" in done.stderr, done.stderr
    print("what fails is one sentence")


# A sum that it remembers, slow enough to be interrupted.
REMEMBERS = HEAD + """#include <string.h>
static struct { double sum; int count; } state;
int hamiltree_controller(double t, double h, const double *in, double *out)
{
  (void)t;
  usleep(3000);
  state.sum += (0.5 - in[0]) * h;
  out[0] = 5.0 * state.sum + 0.01 * ++state.count;
  return 0;
}
"""
SAVES = """
size_t hamiltree_controller_save(void *to, size_t room)
{
  if (room >= sizeof state) memcpy(to, &state, sizeof state);
  return sizeof state;
}
int hamiltree_controller_restore(const void *from, size_t size)
{
  if (size != sizeof state) return 1;
  memcpy(&state, from, size);
  return 0;
}
"""


def begin(folder: Folder, model: pathlib.Path, *options: object) -> subprocess.Popen:
    command = [str(x) for x in (PROGRAM, "simulate", model, "--out", folder.path / model.stem, "-q", *options)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def resume(folder: Folder, run: pathlib.Path) -> subprocess.CompletedProcess:
    return subprocess.run([str(PROGRAM), "resume", str(run), "-q"], capture_output=True, text=True, check=False,
                          timeout=60)


def wait_for(what: Callable[[], bool]) -> None:
    for _ in range(1000):
        if what():
            return
        time.sleep(0.01)
    raise SystemExit("it does not come")


def check_resumed(folder: Folder) -> None:
    """A controller that can save what it remembers: a run killed and taken up again has the bytes of one
    that was not, whether checkpoints fall on its samples or not. Ctrl-C leaves a checkpoint."""
    for name, text in (("remembers", REMEMBERS + SAVES), ("forgets", REMEMBERS)):
        source = folder.path / f"{name}.c"
        source.write_text(text)
        subprocess.run(["cc", "-shared", "-fPIC", source, "-o", folder.path / f"{name}.so"], check=True)
    options = ("--until", 1.5, "--every", 0.05)
    for every in (0.1, 0.083):
        text = CONTROLLER.format(file="remembers.so", period=0.01)
        whole, killed = folder.model("whole", text), folder.model("killed", text)
        done = folder.simulate(whole, *options, "--checkpoint", every, "--overwrite")
        assert done.returncode == 0, done.stderr
        run = folder.path / "killed"
        process = begin(folder, killed, *options, "--checkpoint", every, "--overwrite")
        state = run / "checkpoint.json"

        def reached(t: float) -> bool:
            return state.exists() and json.loads(state.read_text())["t"] > t

        wait_for(lambda: reached(0.3))
        process.kill()
        process.communicate()
        done = resume(folder, run)
        assert done.returncode == 0, done.stderr
        assert (run / "trajectory.csv").read_bytes() == (folder.path / "whole" / "trajectory.csv").read_bytes()
    # Ctrl-C
    process = begin(folder, killed, *options, "--overwrite")
    wait_for(lambda: (run / "checkpoint.csv").exists())
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130 and "hamiltree resume" in said, (process.returncode, said)
    done = resume(folder, run)
    assert done.returncode == 0 and not state.exists(), done.stderr
    resumed = (run / "trajectory.csv").read_text().splitlines()[-1].split(",")
    straight = (folder.path / "whole" / "trajectory.csv").read_text().splitlines()[-1].split(",")
    assert abs(float(resumed[1]) - float(straight[1])) < 1e-5, (resumed, straight)
    # One that cannot
    forgetful = folder.model("forgetful", CONTROLLER.format(file="forgets.so", period=0.01))
    process = begin(folder, forgetful, *options)
    wait_for(lambda: (folder.path / "forgetful" / "checkpoint.csv").exists())
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130 and "there is no checkpoint: the state of controller" in said, said
    assert not list((folder.path / "forgetful").iterdir())
    # A checkpoint whose controller is another now
    process = begin(folder, killed, *options, "--checkpoint", 0.1, "--overwrite")
    wait_for(lambda: reached(0.3))
    process.kill()
    process.communicate()
    shutil.copy(folder.path / "forgets.so", folder.path / "remembers.so")
    done = resume(folder, run)
    assert done.returncode == 3 and "is not the file with which the run began" in done.stderr and done.stderr.count("\n") == 1, done.stderr
    print("killed and resumed: the same bytes")


def check_sweep(folder: Folder) -> None:
    """Each sample has controllers of its own: their runs are those of simulate, on any number of threads. A
    sample whose controller fails is marked; with another file the sweep is not taken up."""
    source = folder.path / "sum.c"
    source.write_text(REMEMBERS.replace("usleep(3000)", "if (in[0] > 1.02) _exit(1)"))
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", folder.path / "sum.so"], check=True)
    model = folder.model("swept", CONTROLLER.format(file="sum.so", period=0.01))
    study = folder.path / "study.toml"
    study.write_text(STUDY)

    def sweep(out: str, *options: object) -> subprocess.CompletedProcess:
        command = [str(x) for x in (PROGRAM, "sweep", study, "--out", folder.path / out, "-q", *options)]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    for threads in (1, 3):
        done = sweep(f"threads_{threads}", "--threads", threads)
        assert done.returncode == 0, done.stderr
    table = (folder.path / "threads_1" / "results.csv").read_text()
    assert table == (folder.path / "threads_3" / "results.csv").read_text()
    failed = 0
    for row in csv.DictReader(table.splitlines()):
        q = row["joint.A.initial.q"]
        alone = folder.simulate(model, "--until", 0.5, "--set", f"joint.A.initial.q={q}", "--overwrite")
        if row["failure"]:
            failed += 1
            assert alone.returncode == 1 and "controller" in row["failure"], (row, alone.stderr)
            continue
        last = list(csv.DictReader((folder.path / "swept" / "trajectory.csv").open()))[-1]
        assert last["q.A"] == row["final.q.A"], (last["q.A"], row)
    assert 0 < failed < 6, table
    # The study as before, and another controller
    held = folder.library("other", "(void)t; (void)h; (void)in; out[0] = 0.0; return 0;")
    shutil.copy(folder.path / held, folder.path / "sum.so")
    done = sweep("threads_1")
    assert done.returncode == 2 and "holds a sweep with other controllers" in done.stderr, done.stderr
    # A file that changes on the way: the first run puts another in its place
    new = folder.path / "new.so"
    source.write_text(REMEMBERS.replace("usleep(3000)", f'rename("{new}", "{folder.path / "sum.so"}")'))
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", folder.path / "sum.so"], check=True)
    shutil.copy(folder.path / held, new)
    done = sweep("changed", "--threads", 1)
    assert done.returncode == 3 and done.stderr.count("\n") == 1, (done.returncode, done.stderr)
    assert "the file of a controller has changed since the sweep began" in done.stderr, done.stderr
    assert not (folder.path / "changed" / "results.csv").exists()
    # One that cannot be loaded is refused before anything is made
    (folder.path / "sum.so").write_text("")
    done = sweep("nothing")
    assert done.returncode == 3 and "cannot be loaded" in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert not (folder.path / "nothing").exists()
    print("sweeps: each sample with controllers of its own")


with tempfile.TemporaryDirectory() as temporary:
    at = Folder(temporary)
    check_constant(at)
    check_samples(at)
    check_two_periods(at)
    check_failures(at)
    check_resumed(at)
    check_sweep(at)
