"""Runs an example in C++ and in Python and compares what they print: agree.py PROGRAM [SCRIPT].

Lines are "name number"; the names must be the same, and the numbers to 1e-8. The languages
differ in the last digit of what their own code computes, as callbacks do.
"""

import math
import subprocess
import sys

RELATIVE, ABSOLUTE = 1e-8, 1e-9


def printed(command):
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    print(text)
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return [(name, float(number)) for name, number in lines]


cpp = printed([sys.argv[1]])
assert cpp, "nothing was printed"
if len(sys.argv) > 2:
    python = printed([sys.executable, sys.argv[2]])
    assert [name for name, _ in cpp] == [name for name, _ in python]
    for (name, a), (_, b) in zip(cpp, python):
        assert math.isclose(a, b, rel_tol=RELATIVE, abs_tol=ABSOLUTE), f"{name}: {a!r} and {b!r}"
for name, value in cpp:  # statements of an example: 1 says that it is so
    if "below" in name or "less_than" in name or "kept" in name or name == "upright":
        assert value == 1.0, name
