"""A controller as an FMU of FMI 3.0 for co-simulation, of no relation to ours: compiled below the
standard's own headers, which FMPy has."""

import pathlib
import re

from units import HEADERS, exported, run, standard_functions  # first: it may skip

SOURCE = r"""
#include <stdlib.h>
#include "fmi3Functions.h"

/* effort = stiffness (wanted - q) - damping v, held from step to step */
enum { Q = 1, V, EFFORT, STIFFNESS, DAMPING, WANTED, COUNT };

const char *fmi3GetVersion(void) { return "3.0"; }
fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3Boolean events, fmi3Boolean early, const fmi3ValueReference required[], size_t count,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)
{
  (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)events, (void)early;
  (void)required, (void)count, (void)environment, (void)log, (void)update;
  double *x = calloc(COUNT, sizeof(double));
  x[STIFFNESS] = 60.0, x[DAMPING] = 12.0, x[WANTED] = 1.2;
  return x;
}
void fmi3FreeInstance(fmi3Instance x) { free(x); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance x, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop)
{
  (void)x, (void)has_tolerance, (void)tolerance, (void)start, (void)has_stop, (void)stop;
  return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance x) { return x ? fmi3OK : fmi3Error; }
fmi3Status fmi3Terminate(fmi3Instance x) { return x ? fmi3OK : fmi3Error; }
fmi3Status fmi3SetFloat64(fmi3Instance x, const fmi3ValueReference r[], size_t n, const fmi3Float64 v[],
                          size_t m)
{
  (void)m;
  for (size_t i = 0; i < n; ++i) ((double *)x)[r[i]] = v[i];
  return fmi3OK;
}
fmi3Status fmi3GetFloat64(fmi3Instance x, const fmi3ValueReference r[], size_t n, fmi3Float64 v[], size_t m)
{
  (void)m;
  for (size_t i = 0; i < n; ++i) v[i] = ((double *)x)[r[i]];
  return fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 t, fmi3Float64 h, fmi3Boolean final,
                      fmi3Boolean *event, fmi3Boolean *end, fmi3Boolean *early, fmi3Float64 *reached)
{
  double *x = instance;
  (void)final;
  x[EFFORT] = x[STIFFNESS] * (x[WANTED] - x[Q]) - x[DAMPING] * x[V];
  *event = *end = *early = fmi3False;
  *reached = t + h;
  return fmi3OK;
}
"""

DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="holder" instantiationToken="{holder}">
  <CoSimulation modelIdentifier="holder"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Float64 name="q" valueReference="1" causality="input" start="0"/>
    <Float64 name="v" valueReference="2" causality="input" start="0"/>
    <Float64 name="effort" valueReference="3" causality="output" initial="calculated"/>
    <Float64 name="stiffness" valueReference="4" causality="parameter" variability="fixed" start="60"/>
    <Float64 name="damping" valueReference="5" causality="parameter" variability="fixed" start="12"/>
    <Float64 name="wanted" valueReference="6" causality="parameter" variability="fixed" start="1.2"/>
  </ModelVariables>
  <ModelStructure><Output valueReference="3"/><InitialUnknown valueReference="3"/></ModelStructure>
</fmiModelDescription>
"""


def others() -> str:
    """The functions that are missing above: they fail, with fmi3Error or without an instance."""
    missing = sorted(standard_functions(3) - set(re.findall(r"\b(fmi3\w+)\(", SOURCE)))
    return "".join(
        f"void *{name}(void) {{ return (void *){0 if 'Instantiate' in name else 3}; }}\n" for name in missing
    )


def controller_fmu(folder: pathlib.Path) -> str:
    """Its folder."""
    unpacked = folder / "holder"
    library = unpacked / "binaries" / "x86_64-linux" / "holder.so"
    if not library.exists():
        library.parent.mkdir(parents=True)
        (unpacked / "modelDescription.xml").write_text(DESCRIPTION)
        (unpacked / "holder.c").write_text(SOURCE)
        (unpacked / "others.c").write_text(others())
        run(["cc", "-std=c99", "-fPIC", "-shared", f"-I{HEADERS}", "holder.c", "others.c", "-o", library],
            unpacked)
        assert exported(library) >= standard_functions(3)
    return str(unpacked)
