"""The description and the files of an FMU, against the standard: standard_test.py PROGRAM.

FMPy finds no error in it, all functions have the types of the standard's own headers, which FMPy
has, libraries export all of them, and clang has nothing to say. What gcc says is in runs_test.py.
"""

import pathlib
import re
import shutil
import subprocess
import tempfile
import zipfile

from units import (  # first: it skips where there is no FMPy
    HEADERS,
    STRICT,
    Exports,
    exported,
    hamiltree,
    models,
    name_of,
    run,
    standard_functions,
)

from fmpy.validation import validate_fmu

SMALL = ("four_bar", "driven_slider_crank")
TYPES = {
    2: ("fmi2Status", "fmi2Type", "fmi2StatusKind", "fmi2CallbackFunctions", "fmi2EventInfo"),
    3: ("fmi3Status", "fmi3DependencyKind", "fmi3IntervalQualifier"),
}


def types_of(version: int, sources: pathlib.Path, by: "list[str]", out: str) -> str:
    """The layout of the types and the values of the enumerations, as a program prints them."""
    text = (sources / f"fmi{version}.c").read_text()
    enums = re.findall(r"typedef enum \{(.*?)\}", text, re.DOTALL)
    values = re.findall(r"\w+", " ".join(enums))
    assert len(values) >= 12, values
    lines = [f'printf("{v} %d\\n", (int){v});' for v in values]
    lines += [f'printf("{t} %zu\\n", sizeof({t}));' for t in TYPES[version]]
    if version == 2:
        for member in ("logger", "freeMemory", "componentEnvironment"):
            lines.append(f'printf("%zu\\n", offsetof(fmi2CallbackFunctions, {member}));')
        for member in ("terminateSimulation", "valuesOfContinuousStatesChanged", "nextEventTime"):
            lines.append(f'printf("%zu\\n", offsetof(fmi2EventInfo, {member}));')
    program = sources / f"{out}.c"
    program.write_text(
        f'#include "fmi{version}.c"\nint main(void) {{\n' + "\n".join(lines) + "\nreturn 0; }\n"
    )
    run(["cc", *by, program.name, "model.c", "-o", out, "-lm"], sources)
    return subprocess.run([sources / out], capture_output=True, text=True, check=True).stdout


def check_types(version: int, sources: pathlib.Path) -> None:
    """Functions are compiled below the prototypes of the standard."""
    header = HEADERS / f"fmi{version}Functions.h"
    run(["cc", "-std=c99", "-fsyntax-only", "-include", header, f"fmi{version}.c"], sources)
    # From 3.0.1 on the standard writes callbacks that take nothing as such; C23 knows no other.
    newer = sources / "newer"
    newer.mkdir(exist_ok=True)
    for file in HEADERS.glob(f"fmi{version}*.h"):
        (newer / file.name).write_text(re.sub(r"(\(\*\w+\)\s*)\(\)", r"\1(void)", file.read_text()))
    run(["cc", "-std=c99", "-Wstrict-prototypes", "-Werror", "-fsyntax-only", "-include", newer / header.name,
         f"fmi{version}.c"], sources)
    ours = types_of(version, sources, [], "types_ours")
    assert ours == types_of(version, sources, ["-include", str(header)], "types_theirs"), ours


def check_sources(version: int, sources: pathlib.Path) -> None:
    """runs_test.py compiles all of them by gcc, and runs them. Here clang reads them."""
    if shutil.which("clang") is None:
        print("no clang: its warnings are not seen")
        return
    # The equations are those of the other version.
    for file in ("model.c", "fmi3.c") if version == 3 else ("fmi2.c",):
        run(["clang", *STRICT, "-fsyntax-only", file], sources)


def check_prefix(version: int, sources: pathlib.Path) -> None:
    """Two FMUs in one program."""
    run(["cc", "-std=c99", f"-DFMI{version}_FUNCTION_PREFIX=one_", "-c", f"fmi{version}.c", "-o",
         "one.o"], sources)
    defined = set(re.findall(rf" T (\w*fmi{version}\w+)$", run(["nm", "one.o"], sources), re.MULTILINE))
    assert defined == {f"one_{name}" for name in standard_functions(version)}, defined


def check_library(version: int, model: pathlib.Path, folder: pathlib.Path) -> None:
    """That of the program itself exports all functions of the standard, and nothing that is not one."""
    archive = folder / f"library_{version}.fmu"
    hamiltree("generate", model, "-o", archive, "--fmi", version)
    unpacked = archive.with_suffix("")
    with zipfile.ZipFile(archive) as file:
        file.extractall(unpacked)
    (library,) = unpacked.glob("binaries/*/*.so")
    functions = {name for name in exported(library) if name.startswith("fmi")}
    assert functions == standard_functions(version), functions ^ standard_functions(version)


def check(exports: Exports, model: pathlib.Path, version: int) -> None:
    everything = ("--parameters", "pass", "--inputs", "efforts,drives,wrenches", "--derivatives")
    # With derivatives the equations of large mechanisms are long.
    for options in ((), everything) if name_of(model) in SMALL else ((), everything[:4]):
        unpacked = exports.sources(model, version, *options)
        archive = unpacked.with_suffix(".fmu")
        problems = validate_fmu(str(archive))
        assert problems == [], "\n".join(problems)
        check_sources(version, unpacked / "sources")
        if name_of(model) == "four_bar":
            check_types(version, unpacked / "sources")
            check_prefix(version, unpacked / "sources")
            check_library(version, model, exports.folder)
    again = exports.folder / "again.fmu"
    hamiltree("generate", model, "-o", again, "--fmi", version, "--no-binary", *options)
    assert again.read_bytes() == archive.read_bytes(), "another FMU of the same model"
    print(f"{name_of(model)}, FMI {version}: no problem", flush=True)


with tempfile.TemporaryDirectory() as temporary:
    at = pathlib.Path(temporary)
    for file in models(at):
        for fmi in (2, 3):
            check(Exports(at), file, fmi)
