"""Everything that the Python package exports stands in its reference, and nothing else does."""

import pathlib
import re
import sys

import hamiltree

ROOT = pathlib.Path(__file__).resolve().parents[2]
text = (ROOT / "docs/site/python_api.rst").read_text(encoding="utf-8")
described = set(re.findall(r"(?::: | {13})hamiltree\.(\w+)$", text, re.MULTILINE))
described -= {"_native", "plots", "errors", "gym"}
NAMES = r"automodule:: hamiltree\.(?:_native|errors)\n(?:   :noindex:\n)?   :members: ((?:.|\n {6})+)"
for members in re.findall(NAMES, text):
    described.update(re.findall(r"\w+", members))
exported = set(hamiltree.__all__) - {"__version__"}
for name in sorted(exported ^ described):
    print(name, "is not in docs/site/python_api.rst" if name in exported else "is not exported")
sys.exit(1 if exported ^ described else 0)
