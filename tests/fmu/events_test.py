"""Events of a model in its FMU, beside those of the native run: events_test.py PROGRAM.

In co-simulation they are located by the FMU, in steps of the same method: the times are equal to
rounding. In model exchange the importer's solver looks for the roots of the indicators.
"""

import json
import pathlib
import shutil
import tempfile

from units import ROOT, STRICT, Exports, hamiltree, run  # first: it may skip

import numpy as np
from beside import FIXED, STEP, Instance, co_simulate, native, with_more
from fmpy import instantiate_fmu, read_model_description, simulate_fmu
from fmpy.simulation import Input
from fmpy.sundials import CVodeSolver
from fmpy.validation import validate_fmu

FOUR_BAR = ROOT / "mechanisms" / "four_bar" / "model.toml"
UNTIL = 2.0
SENSORS = """
[[sensor]]
name = "crank"
type = "joint"
joint = "A"

[[sensor]]
name = "rocker"
type = "body"
body = "rocker"
"""
EVENT = """
[[event]]
name = "{name}"
channel = "{channel}"
value = {value}
crossing = "{crossing}"
action = "{action}"
"""
# A push of 10 N for a second.
PUSHED = """
format = 1
name = "pushed"
space = "planar"
gravity = [0.0, 0.0]

[[body]]
name = "cart"
mass = 2.0
inertia = 0.1

[[joint]]
name = "slide"
type = "prismatic"
parent = "ground"
child = "cart"
axis = [1.0, 0.0]
""" + "".join(f"""
[[force]]
name = "{name}"
type = "wrench"
body = "cart"
force = {{ x = {{ type = "smooth_step", to = {force}, start = {start}, duration = 0.2 }} }}
""" for name, force, start in (("push", 10.0, 6.0), ("release", -10.0, 7.0)))
# A body that spins at 3 rad/s, and parts of the quaternion of its sensor, whose sign jumps at 240 degrees.
SPINNING = """
format = 1
name = "spinning"
space = "spatial"
gravity = [0.0, 0.0, 0.0]

[[body]]
name = "top"
mass = 1.0
inertia = [1.0, 1.0, 1.0]

[[joint]]
name = "axle"
type = "revolute"
parent = "ground"
child = "top"
initial = { v = 3.0 }

[[sensor]]
name = "top"
type = "body"
body = "top"
""" + "".join(EVENT.format(name=n, channel=f"top.quat_{n}", value=v, crossing="any", action="record")
              for n, v in (("z", 0.0), ("w", 0.2)))
# Rocker angles are within half a turn, in the FMU also those of D, which closes the loop.
WATCHED = (
    ("turns_back", "crank.v", 0.0, "any"),
    ("rises", "crank.q", -1.0, "rising"),
    ("falls", "crank.q", -1.0, "falling"),
    ("swings", "rocker.angle", 2.0, "any"),
    ("swings_at_d", "rocker_angle.q", -2.0, "any"),
    ("low", "C.position.y", -0.25, "falling"),
    ("never", "C.position.y", 10.0, "any"),
)


def with_events(exports: Exports, name: str, *events: "tuple[str, str, float, str]", action: str = "record") -> pathlib.Path:
    text = "".join(EVENT.format(name=n, channel=c, value=v, crossing=k, action=action) for n, c, v, k in events)
    return with_more(FOUR_BAR, exports.folder, name, SENSORS + text)


def happened(folder: pathlib.Path) -> "dict[str, list[float]]":
    """Times of the native run, by event."""
    times: "dict[str, list[float]]" = {}
    for event in json.loads((folder / "summary.json").read_text())["events"]:
        times.setdefault(event["name"], []).append(event["t"])
    return times


def counts(result: np.ndarray) -> "dict[str, int]":
    return {n: int(result[f"event.{n}.count"][-1]) for n, *_ in WATCHED}


def columns() -> "list[str]":
    return [f"event.{name}{suffix}" for name, *_ in WATCHED for suffix in ("", ".count", ".time")]


def check_description(exports: Exports, model: pathlib.Path) -> None:
    for version in (2, 3):
        for options in ((), ("--derivatives",)):
            archive = exports.sources(model, version, *options).with_suffix(".fmu")
            assert validate_fmu(str(archive)) == []
            description = read_model_description(str(archive))
            assert description.numberOfEventIndicators == len(WATCHED)
        sources = exports.sources(model, version) / "sources"
        if shutil.which("clang") is None:
            print("no clang: its warnings are not seen")
        else:
            run(["clang", *STRICT, "-fsyntax-only", f"fmi{version}.c"], sources)


def check_co_simulation(exports: Exports, model: pathlib.Path, plain: pathlib.Path) -> None:
    """They are counted, each at its time; the motion has the same bits as without them."""
    native(model, exports.folder / "native", *FIXED, "--until", UNTIL)
    ours = happened(exports.folder / "native")
    assert len(ours) == len(WATCHED) - 1 and max(len(t) for t in ours.values()) > 2, ours
    without = co_simulate(exports.fmu(plain, 3), UNTIL, output=["q.A", "p.A"])
    for version in (2, 3):
        fmu = exports.fmu(model, version)
        theirs = co_simulate(fmu, UNTIL, output=["q.A", "p.A", *columns()])
        assert all(np.array_equal(theirs[n], without[n]) for n in ("q.A", "p.A"))
        assert counts(theirs) == {n: len(ours.get(n, [])) for n, *_ in WATCHED}, (counts(theirs), ours)
        worst = 0.0
        for name, times in ours.items():
            seen = [t for t in np.unique(theirs[f"event.{name}.time"]) if t != 0.0]
            worst = max(worst, np.abs(np.array(seen) - times).max())
        print(f"co-simulation, FMI {version}: {sum(map(len, ours.values()))} events, off by {worst:.1e} s")
        assert worst < 1e-10, worst


def check_steps_of_any_length(exports: Exports, model: pathlib.Path) -> None:
    """Communication steps longer than the FMU's own: the same events."""
    unit = Instance(exports.fmu(model, 3)).start()
    fine = Instance(exports.fmu(model, 3)).start()
    for k in range(32):
        unit.fmu.doStep(currentCommunicationPoint=k / 16, communicationStepSize=1 / 16)
        for i in range(64):
            fine.fmu.doStep(currentCommunicationPoint=(64 * k + i) * STEP, communicationStepSize=STEP)
    names = [c for c in columns() if c.endswith(".count")]
    assert unit.get(*names) == fine.get(*names) and sum(unit.get(*names)) > 5
    unit.end()
    fine.end()


def check_event_mode(exports: Exports, model: pathlib.Path) -> None:
    """FMI 3.0 with event mode and early return: a step ends at the event, and is counted there."""
    ours = happened(exports.folder / "native")
    unit = Instance(exports.fmu(model, 3), early_return_allowed=True, event_mode_used=True).start()
    unit.fmu.updateDiscreteStates()
    unit.fmu.enterStepMode()
    t, found = 0.0, {}
    while t < UNTIL - 1e-9:
        # To the next of the native run's outputs.
        end = STEP * (np.floor(t / STEP + 1e-6) + 1.0)
        before = unit.get(*(f"event.{n}.count" for n, *_ in WATCHED))
        event, stop, early, reached = unit.fmu.doStep(currentCommunicationPoint=t, communicationStepSize=end - t)
        assert not stop and event == early and (reached < end or not early) and reached > t
        assert unit.get(*(f"event.{n}.count" for n, *_ in WATCHED)) == before
        t = reached
        if not event:
            continue
        unit.fmu.enterEventMode()
        unit.fmu.updateDiscreteStates()
        after = unit.get(*(f"event.{n}.count" for n, *_ in WATCHED))
        assert after != before
        for (name, *_), was, now in zip(WATCHED, before, after):
            if now > was:
                found.setdefault(name, []).append(reached)
                assert abs(unit.get(f"event.{name}")[0]) < 1e-9 and unit.get(f"event.{name}.time") == [t]
        unit.fmu.enterStepMode()
    worst = max(np.abs(np.array(found[n]) - ours[n]).max() for n in ours)
    print(f"event mode: {worst:.1e} s off")
    # Steps that end at events are others: by as much as the method errs.
    assert found.keys() == ours.keys() and worst < 1e-6, worst
    unit.end()


def check_stop(exports: Exports) -> None:
    """An event that stops ends the run where it happens, in every kind of FMU."""
    model = with_events(exports, "stopping", ("low", "C.position.y", -0.25, "falling"), action="stop")
    native(model, exports.folder / "stopping", *FIXED, "--until", UNTIL)
    (at,) = happened(exports.folder / "stopping")["low"]
    assert 0.1 < at < UNTIL - 0.1
    for version in (2, 3):
        fmu = exports.fmu(model, version)
        theirs = co_simulate(fmu, UNTIL, output=["event.low", "event.low.count"])
        # FMPy samples no more where a run of FMI 3.0 ends.
        assert abs(theirs["time"][-1] - at) < (1e-10 if version == 2 else STEP), (theirs["time"][-1], at)
        assert version == 3 or abs(theirs["event.low"][-1]) < 1e-12
        result = simulate_fmu(fmu, fmi_type="ModelExchange", stop_time=UNTIL, solver="CVode",
                              relative_tolerance=1e-9, output=["event.low"])
        assert abs(result["time"][-1] - at) < 1e-6, (result["time"][-1], at)
    unit = Instance(exports.fmu(model, 3)).start()
    event, stop, early, reached = unit.fmu.doStep(currentCommunicationPoint=0.0, communicationStepSize=UNTIL)
    assert stop and not early and not event and abs(reached - at) < 1e-6, (stop, early, reached)
    assert abs(unit.get("event.low")[0]) < 1e-12 and unit.get("event.low.count") == [1.0]
    unit.end()
    print(f"a stop at {at:.6f} s")


def check_model_exchange(exports: Exports, model: pathlib.Path) -> None:
    native(model, exports.folder / "exact", "--rtol", 1e-11, "--until", UNTIL)
    ours = happened(exports.folder / "exact")
    for version in (2, 3):
        result = simulate_fmu(exports.fmu(model, version), fmi_type="ModelExchange", stop_time=UNTIL, solver="CVode",
                              relative_tolerance=1e-10, output_interval=2.0**-6, output=columns())
        assert counts(result) == {n: len(ours.get(n, [])) for n, *_ in WATCHED}, (counts(result), ours)
        worst = 0.0
        for name, times in ours.items():
            seen = [t for t in np.unique(result[f"event.{name}.time"]) if t != 0.0]
            worst = max(worst, np.abs(np.array(seen) - times).max())
        print(f"model exchange, FMI {version}: off by {worst:.1e} s")
        assert worst < 1e-5, worst
        # A solver that only sees that a sign has changed finds as many.
        crude = simulate_fmu(exports.fmu(model, version), fmi_type="ModelExchange", stop_time=0.5, solver="Euler",
                             step_size=2.0**-14, output_interval=2.0**-14, output=columns())
        expected = {n: sum(t < 0.5 for t in ours.get(n, [])) for n, *_ in WATCHED}
        assert counts(crude) == expected, (counts(crude), expected)


def integrate(fmu: str, until: float) -> "tuple[list[float], float]":
    """The time events and the last p.slide, by FMPy's solver from event to event, with no longest
    step: simulate_fmu passes over time events."""
    description = read_model_description(fmu)
    unit = instantiate_fmu(fmu, description, "ModelExchange")
    is_3 = description.fmiVersion.startswith("3")
    update = unit.updateDiscreteStates if is_3 else unit.newDiscreteStates
    if not is_3:
        unit.setupExperiment(startTime=0.0)
    unit.enterInitializationMode()
    unit.exitInitializationMode()
    times = [0.0]
    while times[-1] < until:
        *_, is_known, at = update()
        unit.enterContinuousTimeMode()
        solver = CVodeSolver(
            nx=description.numberOfContinuousStates, nz=0, get_x=unit.getContinuousStates,
            set_x=unit.setContinuousStates,
            get_dx=unit.getContinuousStateDerivatives if is_3 else unit.getDerivatives,
            get_z=unit.getEventIndicators, input=Input(unit, description, None),
            get_nominals=unit.getNominalsOfContinuousStates, set_time=unit.setTime,
            startTime=times[-1], maxStep=until, relativeTolerance=1e-9)
        end = min(at, until) if is_known else until
        solver.step(times[-1], end)
        unit.setTime(end)
        unit.enterEventMode()
        times.append(end)
    (p,) = [v.valueReference for v in description.modelVariables if v.name == "p.slide"]
    last = (unit.getFloat64 if is_3 else unit.getReal)([p])[0]
    unit.terminate()
    unit.freeInstance()
    return times, last


def check_time_events(exports: Exports) -> None:
    """Functions of time that set in after seconds of rest."""
    model = exports.folder / "pushed.toml"
    model.write_text(PUSHED)
    for version in (2, 3):
        times, p = integrate(exports.fmu(model, version), 200.0)
        print(f"time events, FMI {version}: off by {abs(p - 10.0):.1e} kg m/s")
        assert times == [0.0, 6.0, 6.05, 6.1, 6.15, 6.2, 7.0, 7.05, 7.1, 7.15, 7.2, 200.0], times
        assert abs(p - 10.0) < 1e-6, p


def check_quaternion(exports: Exports) -> None:
    """The sign of a body's quaternion jumps, and its parts do not cross their values there."""
    model = exports.folder / "spinning.toml"
    model.write_text(SPINNING)
    at_w = 2.0 * np.arccos(0.2) / 3.0
    for version in (2, 3):
        for kind in ("CoSimulation", "ModelExchange"):
            options = {"step_size": STEP} if kind == "CoSimulation" else {"relative_tolerance": 1e-9}
            result = simulate_fmu(exports.fmu(model, version), fmi_type=kind, stop_time=4.0, output_interval=STEP,
                                  validate=False, output=["event.z.time", "event.w.time"], **options)
            for event, times in (("z", [2.0 * np.pi / 3.0]), ("w", [at_w, at_w + 2.0 * np.pi / 3.0])):
                seen = np.unique(result[f"event.{event}.time"])[1:]
                assert len(seen) == len(times) and np.abs(seen - times).max() < 1e-6, (version, kind, event, seen)


def check_refusals(exports: Exports) -> None:
    """Two variables of one name; a channel that no sensor has."""
    for events, sentence in (
        ([("crank.count", "crank.q", 0.0, "any"), ("crank", "crank.q", 0.0, "any")], 'two variables "event.crank.count"'),
        ([("what", "nothing.q", 0.0, "any")], 'no sensor records a channel "nothing.q"'),
    ):
        model = with_events(exports, "refused", *events)
        try:
            hamiltree("generate", model, "-o", exports.folder / "refused.fmu", "--no-binary")
        except AssertionError as error:
            assert sentence in str(error), error
        else:
            raise SystemExit(f"exported: {sentence}")


with tempfile.TemporaryDirectory() as temporary:
    made = Exports(pathlib.Path(temporary))
    watched = with_events(made, "watched", *WATCHED)
    check_description(made, watched)
    check_co_simulation(made, watched, with_more(FOUR_BAR, made.folder, "plain", SENSORS))
    check_steps_of_any_length(made, watched)
    check_event_mode(made, watched)
    check_stop(made)
    check_model_exchange(made, watched)
    check_time_events(made)
    check_quaternion(made)
    check_refusals(made)
