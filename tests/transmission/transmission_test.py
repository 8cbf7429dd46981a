"""Transmissions of closed linkages as generated C++: transmission_test.py PROGRAM.

The parallel ankle of the biped beside its closed form and the analysis, a four-bar over whole turns,
what is refused; two compilers have nothing to say.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import List, Tuple

import numpy as np

import hamiltree as ht

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
BIPED = ROOT / "mechanisms" / "biped" / "model.toml"
FOUR_BAR = ROOT / "mechanisms" / "four_bar" / "model.toml"
STRICT = ["-std=c++11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off"]


def generate(model: pathlib.Path, out: pathlib.Path, actuators: str, joints: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [PROGRAM, "generate", model, "-o", out, "--actuators", actuators, "--joints", joints],
        capture_output=True, text=True, check=False,
    )


def compiled(folder: pathlib.Path, name: str, *options: str) -> pathlib.Path:
    """The program that reads joints and says what the transmission makes of them."""
    program = folder / name
    for compiler in ("clang++", "g++"):
        if shutil.which(compiler) is None:
            print(f"no {compiler}: its warnings are not seen")
            continue
        command = [compiler, *STRICT, *options, "-O1", f"-I{folder}", f"-DHEADER=\"{name}.hpp\"", f"-DNAME={name}",
                   str(HERE / "transmission_program.cpp"), "-o", str(program)]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)
        assert outcome.returncode == 0, f"{' '.join(command)}: {outcome.stderr}"
    return program


def lines_of(program: pathlib.Path, joints: "np.ndarray") -> List[str]:
    text = "\n".join(" ".join(repr(float(x)) for x in row) for row in joints)
    outcome = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout.splitlines()


def answers(program: pathlib.Path, joints: "np.ndarray") -> List[List[float]]:
    return [[float(word) for word in line.split()] for line in lines_of(program, joints)]


def motor_angles(alpha: float, beta: float) -> List[float]:
    """By hand: the end of a crank, on a circle about the motor's axis, y, is as far from the foot's
    point as the rod is long, which is A cos(theta) + B sin(theta) = C."""
    ankle = np.array([0.0, 0.12, 0.1])
    a, b = np.cos([alpha, beta]), np.sin([alpha, beta])
    about_x = np.array([[1, 0, 0], [0, a[0], -b[0]], [0, b[0], a[0]]])
    about_y = np.array([[a[1], 0, b[1]], [0, 1, 0], [-b[1], 0, a[1]]])
    angles = []
    for y, height in ((0.085, 0.25), (0.155, 0.35)):
        motor, foot = np.array([0.05, y, height]), np.array([-0.05, y, 0.07])
        crank = 0.06
        rod = np.linalg.norm(foot - (motor - [crank, 0, 0]))
        d = motor - (ankle + about_x @ about_y @ (foot - ankle))
        A, B, C = -2 * crank * d[0], 2 * crank * d[2], rod**2 - d @ d - crank**2
        middle, reach = np.arctan2(B, A), np.arccos(C / np.hypot(A, B))
        both = [middle - reach, middle + reach]
        angles.append(min(both, key=lambda x: abs(np.remainder(x + np.pi, 2 * np.pi) - np.pi)))
    return angles


ANKLE = '''name = "ankle_l"
type = "universal"
parent = "shank_l"
child = "foot_l"
at_parent = { position = [0.0, 0.12, 0.1], quat_wxyz = [1.0, 0.0, 0.0, 0.0] }
at_child = { position = [0.0, 0.12, 0.1], quat_wxyz = [1.0, 0.0, 0.0, 0.0] }
'''
PINS = '''name = "ankle_x"
type = "revolute"
parent = "shank_l"
child = "cross"
at_parent = {{ position = [0.0, 0.12, 0.1], axis_angle = [0.0, 1.0, 0.0, {quarter}] }}
at_child = {{ position = [0.0, 0.0, 0.0], axis_angle = [0.0, 1.0, 0.0, {quarter}] }}
initial = {{ q = {alpha} }}

[[joint]]
name = "ankle_y"
type = "revolute"
parent = "cross"
child = "foot_l"
at_parent = {{ position = [0.0, 0.0, 0.0], axis_angle = [1.0, 0.0, 0.0, -{quarter}] }}
at_child = {{ position = [0.0, 0.12, 0.1], axis_angle = [1.0, 0.0, 0.0, -{quarter}] }}
initial = {{ q = {beta} }}

[[body]]
name = "cross"
mass = 0.01
inertia = [1e-5, 1e-5, 1e-5, 0.0, 0.0, 0.0]
'''


def by_analysis(folder: pathlib.Path, alpha: float, beta: float) -> "np.ndarray":
    """Motor rates by ankle rates, from the biped with its cross as a body, by the engine's kernels."""
    text = BIPED.read_text()
    assert ANKLE in text
    file = folder / "crossed.toml"
    text = text.replace(ANKLE, PINS.format(alpha=alpha, beta=beta, quarter=np.pi / 2))
    assert 'type = "free"' in text
    file.write_text(re.sub(r'type = "free"((?:\n.+)*?)\ninitial = .*', r'type = "fixed"\1', text))
    others = [f"{joint}_{side}" for side in "lr" for joint in ("yaw", "roll", "pitch", "knee")]
    J = ht.transmission(ht.load(file), ["ankle_x", "ankle_y", *others, "drive_ri", "drive_ro"],
                        ["drive_li", "drive_lo"])
    assert np.abs(J[:, 2:]).max() < 1e-12
    return J[:, :2]


def check_ankle(folder: pathlib.Path) -> None:
    said = generate(BIPED, folder / "ankle.hpp", "drive_li,drive_lo", "ankle_l")
    assert said.returncode == 0, said.stderr
    assert "2 actuators, 2 joints, by 8 coordinates and 6 rows of loops" in said.stdout, said.stdout
    python = folder / "python" / "ankle.hpp"
    python.parent.mkdir()
    ht.load(BIPED).to_transmission(python, actuators=["drive_li", "drive_lo"], joints=["ankle_l"])
    assert python.read_text() == (folder / "ankle.hpp").read_text()
    program = compiled(folder, "ankle")
    random = np.random.default_rng(11)
    poses = np.vstack([[[0.0, 0.0]], random.uniform(-0.35, 0.35, (200, 2))])
    worst = {"positions": 0.0, "back": 0.0, "gap": 0.0, "power": 0.0, "analysis": 0.0}
    for number, (pose, line) in enumerate(zip(poses, answers(program, poses))):
        motors, back, gap, T, S, efforts = split(line, 2, 2)
        wanted = np.array(motor_angles(*pose))
        worst["positions"] = max(worst["positions"], np.abs(motors - wanted).max())
        worst["back"] = max(worst["back"], np.abs(back - pose).max())
        worst["gap"] = max(worst["gap"], gap)
        # Efforts 2 and -3 of the joints, and those of the motors, at any rates: the same power.
        rates = random.normal(size=2)
        power = efforts @ (T @ rates) - np.array([2.0, -3.0]) @ rates
        worst["power"] = max(worst["power"], abs(power), np.abs(T @ S - np.eye(2)).max())
        if number < 8:
            J = by_analysis(folder, *pose)
            worst["analysis"] = max(worst["analysis"], np.abs(T - J).max() / np.abs(J).max())
    with np.errstate(invalid="ignore"):
        assert np.isnan(motor_angles(0.0, 2.0)).any()
    said = lines_of(program, np.array([[0.1, 0.1], [0.0, 2.0], [0.1, 0.1]]))
    one, other = (np.array(line.split(), dtype=float) for line in (said[0], said[2]))
    assert said[1] == "out of reach" and np.abs(one - other).max() < 1e-12, said
    print("ankle:", ", ".join(f"{name} {value:.1e}" for name, value in worst.items()), flush=True)
    assert worst["positions"] < 1e-13 and worst["back"] < 1e-13 and worst["gap"] < 1e-14, worst
    assert worst["power"] < 1e-12 and worst["analysis"] < 1e-10, worst


def split(line: List[float], actuators: int, joints: int) -> Tuple:
    values, parts = np.array(line), []
    for size in (actuators, joints, 1, actuators * joints, actuators * joints, actuators):
        parts.append(values[:size])
        values = values[size:]
    motors, back, gap, T, S, efforts = parts
    return motors, back, float(gap[0]), T.reshape(actuators, joints), S.reshape(joints, actuators), efforts


def rocker_of(crank: float, branch: float) -> Tuple[float, float]:
    """By hand: the rocker's angle and its derivative by the crank's. With w from the crank's end to the
    rocker's pivot and u along the rocker, w u = |w|^2 / (2 l)."""
    a, l = 0.1, 0.3
    w = np.array([0.4 - a * np.cos(crank), -a * np.sin(crank)])
    angle = np.arctan2(w[1], w[0]) + branch * np.arccos(np.hypot(*w) / (2 * l))
    u, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    w_by = np.array([a * np.sin(crank), -a * np.cos(crank)])
    return angle, (w @ w_by / l - w_by @ u) / (w @ across)


def check_turns(folder: pathlib.Path) -> None:
    """A crank that goes round twice: the rocker's angle goes on where it was."""
    short = folder / "short.toml"
    long_crank = "at_parent = { position = [0.3, 0.0] }"
    short.write_text(FOUR_BAR.read_text().replace(long_crank, "at_parent = { position = [0.1, 0.0] }", 1))
    assert generate(short, folder / "bars.hpp", "D", "A").returncode == 0
    turns = np.pi / 4 + np.linspace(0.0, 4.0 * np.pi, 400)
    lines = [split(line, 1, 1) for line in answers(compiled(folder, "bars", "-DFORWARD"), turns[:, None])]
    branch = np.sign(lines[0][0][0] - rocker_of(turns[0], 0.0)[0])
    for crank, ((D,), _, gap, T, *_) in zip(turns, lines):
        angle, by_crank = rocker_of(crank, branch)
        assert abs(np.remainder(D - angle + 1.0, 2 * np.pi) - 1.0) < 1e-12, (crank, D, angle)
        assert abs(T[0, 0] - by_crank) < 1e-11 and gap < 1e-14
    rocker = np.array([line[0][0] for line in lines])
    assert np.abs(np.diff(rocker)).max() < 0.1 and abs(rocker[-1] - rocker[0]) < 1e-12
    print(f"four-bar: the rocker moves over {np.ptp(rocker):.3f} rad in two turns of the crank")


def check_refusals(folder: pathlib.Path) -> None:
    for model, actuators, joints, sentence in (
        (BIPED, "drive_li", "ankle_l", "actuators: with these joints held, the linkage still has 1 free motion"),
        (BIPED, "drive_li,drive_lo", "knee_l", "free motion"),
        (BIPED, "motor", "ankle_l", 'actuators: there is no joint "motor"'),
        (BIPED, "yaw_l", "pitch_l", "no loop connects"),
        (FOUR_BAR, "A", "", '--joints: "" has an empty value'),
    ):
        out = folder / "refused.hpp"
        said = generate(model, out, actuators, joints)
        assert said.returncode == 2 and sentence in said.stderr, (said.returncode, said.stderr)
        assert not out.exists()


with tempfile.TemporaryDirectory() as temporary:
    at = pathlib.Path(temporary)
    check_ankle(at)
    check_turns(at)
    check_refusals(at)
