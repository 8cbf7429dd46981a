"""What an FMU says and is made of, against the standard: standard_test.py PROGRAM.

FMPy finds no error in it, all functions have the types of the standard's own headers, which FMPy
has, all of them are there, and strict compilers have nothing to say.
"""

import pathlib
import re
import shutil
import subprocess
import tempfile
import zipfile

from units import hamiltree, models, name_of  # first: it skips where there is no FMPy

import fmpy
from fmpy.validation import validate_fmu

HEADERS = pathlib.Path(fmpy.__file__).parent / "c-code"
STRICT = ("-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-pedantic")
TYPES = {
    2: ("fmi2Status", "fmi2Type", "fmi2StatusKind", "fmi2CallbackFunctions", "fmi2EventInfo"),
    3: ("fmi3Status", "fmi3DependencyKind", "fmi3IntervalQualifier"),
}


def cc(compiler: str, *arguments: object, folder: pathlib.Path) -> None:
    command = [compiler, *(str(a) for a in arguments)]
    outcome = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert outcome.returncode == 0, f"{command} in {folder}: {outcome.stderr}"


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
    cc("cc", *by, program.name, "model.c", "-o", out, "-lm", folder=sources)
    return subprocess.run([sources / out], capture_output=True, text=True, check=True).stdout


def check_types(version: int, sources: pathlib.Path) -> None:
    """Functions are compiled below the prototypes of the standard; all of those are there."""
    header = HEADERS / f"fmi{version}Functions.h"
    cc("cc", "-std=c99", "-fsyntax-only", "-include", header, f"fmi{version}.c", folder=sources)
    ours = types_of(version, sources, [], "types_ours")
    assert ours == types_of(version, sources, ["-include", str(header)], "types_theirs"), ours
    declared = set(re.findall(rf"FMI{version}_Export\s+fmi{version}\w+TYPE\s+(fmi{version}\w+);",
                              header.read_text()))
    assert len(declared) > 40, header
    defined = set(re.findall(rf"\b(fmi{version}\w+)", (sources / f"fmi{version}.c").read_text()))
    assert declared <= defined, declared - defined


def check_sources(version: int, sources: pathlib.Path) -> None:
    # The equations are those of the other version; they take compilers a minute.
    files = ("model.c", "fmi3.c") if version == 3 else ("fmi2.c",)
    for compiler in ("gcc", "clang"):
        if shutil.which(compiler) is None:
            print(f"no {compiler}: its warnings are not seen")
            continue
        for file in files:
            cc(compiler, *STRICT, "-c", file, "-o", "strict.o", folder=sources)
    # Two FMUs in one program.
    cc("cc", "-std=c99", f"-DFMI{version}_FUNCTION_PREFIX=one_", "-c", files[-1], "-o", "one.o",
       folder=sources)
    symbols = subprocess.run(["nm", "one.o"], capture_output=True, text=True, check=True,
                             cwd=sources).stdout
    assert re.search(rf" T one_fmi{version}GetVersion", symbols)
    assert not re.search(rf" T fmi{version}", symbols)


def check(model: pathlib.Path, version: int, folder: pathlib.Path) -> None:
    fmu = folder / f"{name_of(model)}_{version}.fmu"
    hamiltree("generate", model, "-o", fmu, "--fmi", version, "--no-binary", "--parameters", "pass")
    problems = validate_fmu(str(fmu))
    assert problems == [], "\n".join(problems)
    sources = folder / fmu.stem
    with zipfile.ZipFile(fmu) as archive:
        assert archive.testzip() is None
        archive.extractall(sources)
    check_sources(version, sources / "sources")
    if name_of(model) == "four_bar":
        check_types(version, sources / "sources")
    again = folder / "again.fmu"
    hamiltree("generate", model, "-o", again, "--fmi", version, "--no-binary", "--parameters", "pass")
    assert again.read_bytes() == fmu.read_bytes(), "another FMU of the same model"
    print(f"{name_of(model)}, FMI {version}: no problem", flush=True)


with tempfile.TemporaryDirectory() as temporary:
    at = pathlib.Path(temporary)
    for file in models(at):
        for fmi in (2, 3):
            check(file, fmi, at)
        equations = [(at / f"{name_of(file)}_{n}" / "sources" / "model.c").read_text() for n in (2, 3)]
        assert equations[0] == equations[1]
