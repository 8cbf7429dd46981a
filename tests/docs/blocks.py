"""Runs the code blocks of a page as a reader would type them: blocks.py PAGE PROGRAM_FOLDER.

In an empty folder, from top to bottom. Blocks of sh run with the program on the path; those of
python are one program, each run when its turn comes; blocks after a comment "file: NAME" are
written to that file, and "file: NAME from PATH" copies a file of the project. Blocks of text and
cmake are shown only.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PART = re.compile(r"<!-- file: (?P<file>\S+)(?: from (?P<source>\S+))? -->|^```(?P<language>\w+)\n"
                  r"(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)

page = pathlib.Path(sys.argv[1]).resolve()
text = page.read_text(encoding="utf-8")
environment = dict(os.environ, PATH=f"{pathlib.Path(sys.argv[2]).resolve()}:{os.environ['PATH']}")
python_names: dict = {"__name__": "__main__"}
ran = 0

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    waiting = None
    for part in PART.finditer(text):
        line = text.count("\n", 0, part.start()) + 1
        where = f"{page.relative_to(ROOT)}:{line}"
        if part["file"]:
            if part["source"]:
                shutil.copy(ROOT / part["source"], part["file"])
            else:
                waiting = part["file"]
            continue
        if waiting:
            pathlib.Path(waiting).write_text(part["code"], encoding="utf-8")
            waiting = None
        elif part["language"] == "sh":
            print(where, flush=True)
            subprocess.run(["bash", "-euo", "pipefail", "-c", part["code"]], check=True,
                           env=environment)
            ran += 1
        elif part["language"] == "python":
            print(where, flush=True)
            # Blank lines in front keep the numbers of lines those of the page.
            exec(compile("\n" * line + part["code"], str(page), "exec"), python_names)
            ran += 1
        elif part["language"] not in ("text", "cmake"):
            sys.exit(f"{where}: a block of {part['language']} is neither run nor a file")
assert ran or "install" in page.name, "the page has no code that is run"
